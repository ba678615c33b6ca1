"""The output of `corefkit study curve`: scores by threshold, the best threshold, calibration."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from corefkit.core.incidents import Incident
from corefkit.core.results import result_json
from corefkit.core.texts import count_of
from corefkit.metrics import title_of
from corefkit.plugins.study.calibration import Calibration
from corefkit.plugins.study.curve import RECALLS, Curve, SystemCurve
from corefkit.plugins.study.thresholds import CurvePoint
from corefkit.render.table import (
    DELIMITED,
    Around,
    Heading,
    Table,
    note_lines,
    percent,
    render_table,
    render_tables,
)
from corefkit.render.views import (
    F1,
    RATES,
    SHORT,
    FigureRow,
    View,
    columns,
    flat,
    listing,
    pivot,
)
from corefkit.scoring.parts import Part, rows_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZES = ("links", "mentions", "entities")
NONE = "none"
"""How the threshold at which nothing is kept is shown."""


def render_curve(curve: Curve, form: str = "text", *, incidents: Sequence[Incident] = ()) -> str:
    """The curves in one of the table formats; JSON has everything, unrounded."""
    if form == "json":
        return result_json(curve.kind, curve.to_dict(), incidents or curve.incidents)
    if form in DELIMITED:
        return render_table(_flat_points(curve), form)
    notes = note_lines(curve.notes, form)
    around = Around(below=notes, signature=curve.signature, title="Scores at every threshold")
    return render_tables(curve_tables(curve), form, around)


def curve_tables(curve: Curve) -> list[Table]:
    """Scores by threshold, the best threshold, precision by recall, and calibration."""
    tables = [_points(curve), _chosen(curve)]
    return tables + [t for t in (_precision(curve), _calibration(curve)) if any(t.lines)]


def _metrics(curve: Curve) -> list[str]:
    return [*curve.systems[0].points[0].scores]


def _rows(curve: Curve) -> list[FigureRow]:
    """The rows of the metrics at each threshold."""
    return [
        {**row, "threshold": point.shown, **{size: getattr(point, size) for size in _SIZES}}
        for system in curve.systems
        for point in system.points
        for row in rows_of(
            [Part((("threshold", _threshold(point)),), point.scores)], system=system.name
        )
        if "detail" not in row
    ]


def _points(curve: Curve) -> Table:
    """For people: the F1 of each metric at each threshold; a single metric has all its ratios."""
    rows = _rows(curve)
    single = len(_metrics(curve)) == 1 and rows[0]["recall"] is not None
    title = "Scores at each threshold" if single else "F1 at each threshold"
    lines = columns("label", label="threshold")
    sizes = columns(" ".join(_SIZES), kind="number")
    view = View("points", title, lines, RATES if single else F1, sizes, block="system")
    return pivot(rows, view)


def _threshold(point: CurvePoint) -> str:
    return NONE if point.shown is None else point.shown


def _chosen(curve: Curve) -> Table:
    """The best threshold of each metric, and the one that was chosen on other data, if any."""
    rows = []
    for system in curve.systems:
        for metric, point in system.best.items():
            row: dict[str, Any] = {"system": system.name, "metric": metric}
            row |= {"best": _threshold(point), "f1": point.scores[metric].f1}
            if system.chosen is not None:
                other = system.chosen[metric]
                row |= {"chosen": _threshold(other), "chosen_f1": other.scores[metric].f1}
            rows.append(row)
    headings = columns("metric best f1")
    if any(system.chosen is not None for system in curve.systems):
        headings += columns("chosen", chosen="chosen elsewhere")
        headings += columns("chosen_f1", chosen_f1="F1 there", kind="score")
    return listing("best", "Best threshold", rows, *headings, block="system")


def _precision(curve: Curve) -> Table:
    """The highest precision at each of RECALLS or more."""
    rows = [
        {"system": system.name, "metric": metric, **{f"{r}": rate for r, rate in rates.items()}}
        for system in curve.systems
        for metric, rates in system.precision_at.items()
    ]
    headings = [Heading(f"{r}", f"R ≥ {100 * r:g}", kind="score") for r in RECALLS]
    title = "Highest precision at a recall"
    return listing("precision_at", title, rows, *columns("metric"), *headings, block="system")


def _calibration(curve: Curve) -> Table:
    """The predicted and observed shares of correct links, by bin."""
    known = [(s.name, s.calibration) for s in curve.systems if s.calibration]
    rows = [
        {"system": name, "size": b.size, "predicted": b.predicted, "observed": b.observed}
        | dict(zip(("low", "high"), b.interval or (), strict=False))
        for name, calibration in known
        for b in calibration.bins
    ]
    headings = columns("size", size="links", kind="number")
    headings += columns("predicted observed low high", kind="score")
    figures = "; ".join(_figures(c, name if len(known) > 1 else "") for name, c in known)
    title = f"Calibration: {figures}"
    return listing("calibration", title, rows, *headings, block="system")


def _figures(calibration: Calibration, name: str) -> str:
    ends = ""
    if calibration.interval:
        ends = f" ({percent(calibration.interval[0])} to {percent(calibration.interval[1])})"
    figures = f"error {percent(calibration.error)}{ends}, Brier {calibration.brier:.4f}"
    return f"{name + ': ' if name else ''}{figures}, {count_of(calibration.links, 'link')}"


def _flat_points(curve: Curve) -> Table:
    """For programs: one row per system, threshold and metric."""
    return flat("curve", _rows(curve), ("system", "threshold", *_SIZES, "metric", *SHORT))


def plot_curve(curve: Curve, path: str) -> None:
    """Draw precision against recall for each metric, and a reliability diagram of each system.

    UsageError if matplotlib is not installed.
    """
    from corefkit.render.plots import legend_above, new_figure, save_figure

    first = curve.systems[0].points[0].scores
    metrics = [metric for metric, score in first.items() if score.recall is not None]
    calibrated = [s for s in curve.systems if s.calibration]
    panels = len(metrics) + len(calibrated)
    figure, axes = new_figure(max(panels, 1), 3.4, 3.2, across=2 if panels == 4 else 3)
    for ax, metric in zip(axes, metrics, strict=False):
        _draw_rates(ax, curve.systems, metric)
    for ax, system in zip(axes[len(metrics) :], calibrated, strict=False):
        _draw_reliability(ax, system, several=len(calibrated) > 1)
    if len(curve.systems) > 1 and metrics:
        legend_above(figure, axes, min(len(curve.systems), 4))
    save_figure(figure, path)


def _draw_rates(ax: "Axes", systems: Sequence[SystemCurve], metric: str) -> None:
    """Draw precision against recall of one metric, with a ring around each system's best point."""
    from corefkit.render.plots import COLOURS, LINES, MARKS, plain

    for number, system in enumerate(systems):
        colour = COLOURS[number % len(COLOURS)]
        mark, line = MARKS[number % len(MARKS)], LINES[number % len(LINES)]
        points = [_place(p, metric) for p in system.points if p.threshold is not None]
        recall, precision = zip(*points, strict=True) if points else ((), ())
        name = plain(system.name)
        ax.plot(recall, precision, line + mark, color=colour, markersize=2.5, lw=1, label=name)
        best = system.best[metric]
        if best.threshold is not None:
            point = _place(best, metric)
            ax.plot(*point, marker="o", markersize=9, fillstyle="none", color=colour)
            side, shift = ("right", -6) if point[0] > 0.6 else ("left", 6)
            ax.annotate(
                f"{best.shown}: {percent(best.scores[metric].f1)}",
                point,
                (shift, -10),
                textcoords="offset points",
                ha=side,
                fontsize=7,
                color=colour,
            )
    ax.set(xlim=(0, 1.02), ylim=(0, 1.02), xlabel="recall", ylabel="precision")
    ax.set_title(title_of(metric), loc="left")


def _place(point: CurvePoint, metric: str) -> tuple[float, float]:
    """Recall and precision of a point."""
    score = point.scores[metric]
    return score.recall or 0.0, score.precision or 0.0


def _draw_reliability(ax: "Axes", system: SystemCurve, *, several: bool) -> None:
    """Draw observed against predicted shares, with intervals; bars below show sizes of bins."""
    from corefkit.render.plots import COLOURS, plain

    assert system.calibration is not None
    bins = system.calibration.bins
    predicted, observed = [b.predicted for b in bins], [b.observed for b in bins]
    ax.plot((0, 1), (0, 1), ":", color="#888888", linewidth=1)
    for b in bins:
        if b.interval:
            ax.plot((b.predicted, b.predicted), b.interval, color=COLOURS[0], linewidth=1)
    ax.plot(predicted, observed, "o", color=COLOURS[0], markersize=4)
    largest = max(b.size for b in bins)
    heights = [0.12 * b.size / largest for b in bins]
    ax.bar(predicted, heights, 0.012, -0.15, color="#bbbbbb")
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.15, 1.02), xlabel="predicted", ylabel="observed")
    name = f", {plain(system.name)}" if several else ""
    ax.set_title(f"calibration{name}: error {percent(system.calibration.error)}", loc="left")

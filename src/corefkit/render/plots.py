"""Figures of scores, differences and outcomes, and the style and tools of all figures.

Scores and differences are dots with intervals, outcomes are bars by class. matplotlib is loaded
only when a figure is drawn.
"""

import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corefkit import metrics
from corefkit.core.carriers import frozen
from corefkit.core.options import UsageError
from corefkit.core.style import points
from corefkit.metrics import VARIANTS
from corefkit.metrics.base import Score
from corefkit.metrics.outcomes import NAMES as OUTCOMES
from corefkit.render.outcomes import WORDS
from corefkit.render.parts import NOTHING
from corefkit.scoring.scores import Scores
from corefkit.stats.compare import Significance, SystemPair, compare_scores, significant
from corefkit.stats.figures import Difference, interval_notes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FIGURE_ENDINGS = (".png", ".svg", ".pdf", ".html")
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
"""The colours of Okabe and Ito, which colour-blind people can tell apart."""
MARKS = ("o", "s", "^", "D", "v", "P")
LINES = ("-", "--", ":", "-.")
HATCHES = ("", "///", "...", "xxx", "---", "++")
"""Marks, dashes and hatches repeat the distinctions made by colours, for print in grey."""
STYLE: dict[Any, Any] = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "grid.color": "#dddddd",
    "axes.axisbelow": True,
    "font.size": 9,
    "hatch.linewidth": 0.6,
    "svg.hashsalt": "corefkit",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
}
"""The salt makes files reproducible; text as paths looks the same everywhere."""
_UNDATED: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None},
}
"""The metadata that is left out: when and by what a file was made."""


_SIDE_BY_SIDE = len(COLOURS)
"""How many systems share a line, in different colours and marks; more have a line each."""
_MOST = 60
"""How many groups are drawn at most."""


@frozen
class Dot:
    """A value and its interval, from 0 to 1; if not `full`, it is drawn as a ring."""

    value: float
    ends: tuple[float, float] | None = None
    full: bool = True


SAMPLED = "samples of documents"
"""What most intervals are over."""

DotLines = Mapping[str, Mapping[str, Dot | None]]
"""The dots of each line, by system; None where there is nothing to divide by."""


def plot_scores(systems: Mapping[str, Scores], path: str, by: str | None = None) -> tuple[str, ...]:
    """Draw F1 of all metrics with 95 % intervals over documents, or of one metric by groups.

    Returns notes on the intervals if there are few documents.
    """
    shown = list(next(iter(systems.values())))
    ranks = (*metrics.averages(shown), *shown)[0]
    lines: dict[str, dict[str, Dot]] = {}
    drawn = list(systems.values())
    unit = f"F1 of {title_of(ranks)}"
    if by is not None:
        lines["all"] = _dots(systems)[ranks]
        groups = {name: scores.groups(by) for name, scores in systems.items()}
        names = list(dict.fromkeys(name for parts in groups.values() for name in parts))
        if len(names) > _MOST:
            raise UsageError(f"plot: {by} has more than {_MOST} groups, too many for a figure")
        for group in names:
            with_group = {n: parts[group].scores for n, parts in groups.items() if group in parts}
            lines[group] = _dots(with_group)[ranks]
            drawn += with_group.values()
    elif len(systems) <= _SIDE_BY_SIDE:
        unit = "F1"
        lines = {title_of(metric): dots for metric, dots in _dots(systems).items()}
    else:
        lines = {name: {"": dot} for name, dot in _dots(systems)[ranks].items()}
    save_figure(draw_lines({"": lines}, f"{unit} in percent", over=SAMPLED), path)
    return interval_notes(len(scores.counts) for scores in drawn)


def title_of(metric: str) -> str:
    """The title of a metric, as in tables."""
    return metrics.get(metric).title or metric


def _dots(systems: Mapping[str, Scores]) -> dict[str, dict[str, Dot]]:
    """Metric → system → its F1 and interval."""
    # One system at a time: in a break-down of mentions their documents may differ.
    intervals = {n: compare_scores({n: scores}).systems[n] for n, scores in systems.items()}
    return {
        m: {
            name: Dot(by_metric[m].f1, by_metric[m].interval)
            for name, by_metric in intervals.items()
        }
        for m in next(iter(intervals.values()))
    }


def plot_comparison(comparison: Significance, path: str) -> None:
    """Draw the differences of all pairs of systems with their intervals, and those by stratum."""
    save_figure(draw_forest(comparison), path)


def draw_forest(comparison: Significance) -> "Figure":
    """A forest plot: one row per pair, with a dot per metric for the difference.

    A filled dot is significant after Holm's correction, a ring is not. With strata there is a panel
    per metric, a row per stratum, and a dot per pair.
    """
    level, panels = comparison.level, {"": _rows_of_pairs(comparison)}
    title = f" of {title_of(next(iter(comparison.groups)))}" if len(comparison.groups) == 1 else ""
    if any(pair.strata for pair in comparison.pairs):
        panels = {
            title_of(metric): _rows_of_strata(comparison, metric) for metric in comparison.groups
        }
        if len(comparison.pairs) == 1:
            title += f", {_name(comparison.pairs[0])},"
    unit = f"difference of F1{title} in points"
    tells = "\na filled dot is significant, a ring not"
    figure = draw_lines(panels, unit, signed=True, over=SAMPLED, level=level, tells=tells)
    for ax in figure.axes:
        ax.axvline(0, color="#444444", lw=1, zorder=1)
    return figure


def _rows_of_pairs(comparison: Significance) -> dict[str, dict[str, Dot | None]]:
    several = len(comparison.groups) > 1
    return {
        _name(pair): {
            title_of(metric) if several else "": _dot(pair.metrics[metric], comparison.level)
            for metric in comparison.groups
        }
        for pair in comparison.pairs
    }


def _rows_of_strata(comparison: Significance, metric: str) -> dict[str, dict[str, Dot | None]]:
    rows: dict[str, dict[str, Dot | None]] = {}
    for pair in comparison.pairs:
        parts = {"all": pair.metrics[metric]} | {
            stratum_name(stratum.by, stratum.label): stratum.scores[metric]
            for stratum in pair.strata
            if metric in stratum.scores
        }
        for label, test in parts.items():
            rows.setdefault(label, {})[_name(pair)] = _dot(test, comparison.level)
    return rows


def _name(pair: SystemPair) -> str:
    return f"{pair.a} − {pair.b}"


def _dot(test: Difference | None, level: float) -> Dot | None:
    return (
        None
        if test is None
        else Dot(test.difference, test.interval, significant(test.p_holm, level))
    )


def stratum_name(by: str, label: str) -> str:
    """The name of a stratum in figures.

    >>> stratum_name("entity:size", "3-4")
    'size 3-4'
    """
    return f"{by.removeprefix('entity:')} {label}"


def draw_lines(  # noqa: PLR0913 (what the axis says)
    panels: Mapping[str, DotLines],
    unit: str = "F1",
    *,
    signed: bool = False,
    over: str = "",
    level: float = 0.95,
    tells: str = "",
) -> "Figure":
    """A figure with a panel per title, a line per name and the dots of all systems.

    `signed` is for differences. The axis says the unit, what intervals, if any are drawn, are made
    `over`, and what else it `tells`.
    """
    dots = [
        dot for lines in panels.values() for of_line in lines.values() for dot in of_line.items()
    ]
    names = list(dict.fromkeys(name for name, _ in dots))
    several, rows = len(names) > 1, max(map(len, panels.values()))
    if over and any(dot and dot.ends for _, dot in dots):
        unit += f", with {100 * level:g} % intervals over {over}"
    if any(dot is None for _, dot in dots):
        tells += f"\n{NOTHING}: nothing to divide by"
    height = 0.7 + (0.14 + 0.14 * len(names)) * rows + 0.25 * several + 0.2 * tells.count("\n")
    figure, axes = new_figure(len(panels), height=height)
    for ax, (title, lines) in zip(axes, panels.items(), strict=True):
        _draw_dots(ax, lines, names, signed=signed)
        ax.set_title(title, loc="left")
    axes[-1].set_xlabel(unit + tells)
    if several:
        legend_above(figure, axes, min(4, len(names)))
    return figure


def _draw_dots(ax: "Axes", lines: DotLines, names: list[str], *, signed: bool) -> None:
    unnamed = {*names} - {""}
    for row, dots in enumerate(lines.values()):
        for number, name in enumerate(names):
            if name not in dots:
                continue
            dot, colour = dots[name], COLOURS[number % len(COLOURS)]
            y = row + 0.7 * ((number + 0.5) / len(names) - 0.5)
            if dot is None:
                ax.annotate(NOTHING, (0.005, y), xycoords=("axes fraction", "data"), va="center")
                continue
            if dot.ends:
                ends = [100 * end for end in dot.ends]
                ax.plot(ends, [y, y], "-", color=colour, lw=1.6, zorder=2)
            look: dict[str, Any] = {"color": colour, "mfc": colour if dot.full else "white"}
            if name in unnamed:
                look["label"] = plain(name)
                unnamed.remove(name)
            mark = MARKS[number % len(MARKS)]
            ax.plot([100 * dot.value], [y], mark, ms=4, zorder=3, **look)
            if len(names) <= 3:
                text = points(dot.value, signed=signed)
                coordinates = ("axes fraction", "data")
                ax.annotate(text, (1.01, y), xycoords=coordinates, va="center", fontsize=7)
    name_rows(ax, range(len(lines)), lines, len(lines))


MOST_LABELS = 12
"""How many labels have their own bars, OTHER included, which sums up the remaining ones."""
OTHER = "other"
SMALL = 0.01
"""Labels with less than this share of all outcomes are summed up, too, if there are several."""

_LOOKS: list[dict[str, Any]] = [
    {"color": COLOURS[colour], "hatch": hatch, "edgecolor": "white"}
    for colour, hatch in zip((2, 1, 5, 3), HATCHES, strict=False)
]
"""The look of the bars of each outcome."""

Bars = dict[str, dict[str, list[int]]]
"""System → label → tp, wl, fn, fp."""


def plot_outcomes(systems: Mapping[str, Scores], path: str, by: str | None = None) -> None:
    """Draw the outcomes of systems by class, or by groups of documents; one panel per score."""
    panels = _outcome_panels(systems, by)
    most = max((len(labels) for bars in panels.values() for labels in bars.values()), default=1)
    height = 0.9 + most * (0.1 + 0.2 * max(len(systems), 1))
    figure, axes = new_figure(max(len(panels), 1), width=7.0, height=height)
    for ax, (title, bars) in zip(axes, panels.items(), strict=False):
        _draw_bars(ax, title, bars)
    if panels:
        legend_above(figure, axes, 4)
    save_figure(figure, path)


def _outcome_panels(systems: Mapping[str, Scores], by: str | None) -> dict[str, Bars]:
    """The bars of each application score, by the title of its panel."""
    panels: dict[str, Bars] = {}
    for system, scores in systems.items():
        groups = {} if by is None else scores.groups(by)
        for title, total in _with_counts(scores).items():
            labels = {label: _with_counts(part.scores)[title] for label, part in groups.items()}
            shown = labels if by is not None else dict(total.classes or {})
            counts = {label: [s.counts[c] for c in OUTCOMES] for label, s in shown.items()}
            panels.setdefault(title, {})[system] = counts
    return {title: _largest_labels(bars) for title, bars in panels.items()}


def _with_counts(scores: Scores) -> dict[str, Score]:
    """The application scores, or their parts, by the titles of their panels."""
    titled: dict[str, Score] = {}
    for name in scores:
        if name in VARIANTS:
            parts = scores[name].parts
            titled |= {f"{name}, {p}": s for p, s in parts.items()} or {name: scores[name]}
    return titled


def _largest_labels(bars: Bars) -> Bars:
    """The bars of the most frequent labels, the same for all systems; OTHER has the sums."""
    size: Counter[str] = Counter()
    for labels in bars.values():
        size.update({label: sum(counts) for label, counts in labels.items()})
    least = SMALL * size.total()
    ordered = [label for label, number in size.most_common() if number]
    kept = [label for label in ordered if size[label] >= least][: MOST_LABELS - 1]
    if len(ordered) - len(kept) == 1:  # OTHER would be a single label
        kept = ordered
    others = [label for label in ordered if label not in kept]
    shown = {}
    for system, labels in bars.items():
        shown[system] = {label: labels.get(label, [0] * len(OUTCOMES)) for label in kept}
        if others:
            rows = ([0] * len(OUTCOMES), *(labels[label] for label in others if label in labels))
            shown[system][OTHER] = [sum(column) for column in zip(*rows, strict=True)]
    return shown


def _draw_bars(ax: "Axes", title: str, bars: Bars) -> None:
    """Draw one bar per label and system, with the outcomes side by side."""
    labels = list(next(iter(bars.values())))
    step = 0.8 / max(len(bars), 1)
    ticks: dict[float, str] = {}
    for number, (system, counts) in enumerate(bars.items()):
        places = [at + step * (number - (len(bars) - 1) / 2) for at in range(len(labels))]
        left = [0] * len(labels)
        for column, (name, look) in enumerate(zip(OUTCOMES, _LOOKS, strict=True)):
            widths = [counts[label][column] for label in labels]
            word = WORDS[name] if number == 0 else None
            ax.barh(places, widths, step * 0.9, left, linewidth=0.3, label=word, **look)
            left = [a + b for a, b in zip(left, widths, strict=True)]
        for place, label in zip(places, labels, strict=True):
            ticks[place] = f"{label}, {system}" if len(bars) > 1 else label
    name_rows(ax, ticks, ticks.values(), len(labels))
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.set_title(title, loc="left")
    ax.set_xlabel("mentions")


def new_figure(
    panels: int = 1, width: float = 6.0, height: float = 3.0, across: int = 1, *, same: bool = False
) -> "tuple[Figure, list[Axes]]":
    """A figure with panels of that size in inches, and the panels, row by row.

    `across` is the number of panels in a row; with `same` all share the y axis. UsageError if
    matplotlib is not installed.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise UsageError("figures need matplotlib: pip install 'corefkit[plots]'") from None
    across = min(across, panels)
    rows = -(-panels // across)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(width * across, height * rows), layout="constrained")
        axes = figure.subplots(rows, across, sharey=same, squeeze=False).ravel().tolist()
    for spare in axes[panels:]:
        spare.set_visible(False)
    return figure, axes[:panels]


def grid_across(axes: "Axes") -> None:
    """Draw vertical grid lines, for charts with names on the y axis."""
    axes.grid(axis="y", visible=False)
    axes.grid(axis="x", visible=True)


def name_rows(axes: "Axes", places: Iterable[float], names: Iterable[str], rows: int) -> None:
    """Name the rows of a chart on the y axis; the first row is at the top."""
    axes.set_yticks(list(places), [plain(name) for name in names])
    axes.set_ylim(rows - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    grid_across(axes)


def legend_above(figure: "Figure", axes: "Sequence[Axes]", columns: int) -> None:
    """Add the legend of the axes above the figure, to be read row by row."""
    named: dict[str, Any] = {}
    for ax in axes:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            named.setdefault(label, handle)
    listed = list(named.items())
    by_column = [entry for first in range(columns) for entry in listed[first::columns]]
    labels, handles = zip(*by_column, strict=True)
    figure.legend(handles, labels, loc="outside upper center", ncols=columns, frameon=False)


def plain(text: str) -> str:
    """Escape a text, so that it is drawn literally: a dollar sign would begin a formula."""
    return text.replace("$", r"\$")


def save_figure(figure: "Figure", path: str) -> None:
    """Write the figure, completely or not at all, in the format of the suffix of the path."""
    from corefkit.formats.kit.writing import write_atomically

    check_name(path)
    suffix = Path(path).suffix.lower()
    data = figure_file(figure, "svg" if suffix == ".html" else suffix.removeprefix("."))
    write_atomically(path, _page(data) if suffix == ".html" else data)


def figure_file(figure: "Figure", form: str) -> bytes:
    """The figure as png, svg or pdf; the same figure always gives the same bytes."""
    import matplotlib as mpl

    out = BytesIO()
    with mpl.rc_context(STYLE), warnings.catch_warnings():
        # The font may lack letters of a name; tables show them.
        warnings.filterwarnings("ignore", message="Glyph")
        figure.savefig(out, format=form, dpi=150, metadata=_UNDATED[form])
    return out.getvalue()


def _page(svg: bytes) -> bytes:
    """A self-contained page with nothing but the drawing."""
    from corefkit.render.markup import POLICY

    head = f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n{POLICY}\n'
    head += "<title>corefkit</title>\n<body>\n"
    return head.encode() + svg[svg.index(b"<svg") :] + b"</body>\n</html>\n"


def check_name(path: str) -> None:
    """Raise UsageError if the name of a figure does not end in one of FIGURE_ENDINGS."""
    if Path(path).suffix.lower() not in FIGURE_ENDINGS:
        raise UsageError(f"{path}: figures end in {', '.join(FIGURE_ENDINGS)}")

"""The output of `corefkit score` for several runs: means and their spread, then each run."""

from collections.abc import Sequence
from typing import Any

from corefkit.core.names import is_of_documents
from corefkit.core.results import result_json
from corefkit.features.entity_labels import PREFIX
from corefkit.metrics.base import RATIOS
from corefkit.render.parts import NOTHING
from corefkit.render.plots import Dot, draw_lines, save_figure, title_of
from corefkit.render.scores import key_lines
from corefkit.render.strata import note_of_strata
from corefkit.render.table import (
    DELIMITED,
    NOT_SCORED,
    Around,
    Cell,
    CellValue,
    Heading,
    Table,
    make_block,
    make_table,
    note_lines,
    plain_headings,
    render_table,
    render_tables,
)
from corefkit.scorers.windows import WHOLE
from corefkit.scoring.parts import RUN, WINDOW, Part
from corefkit.scoring.scores import ROW
from corefkit.stats.figures import Interval
from corefkit.stats.run_scores import RunsReport, SystemRuns
from corefkit.stats.runs import RunFigures

_MEANS = (
    Heading("runs", "runs", kind="number"),
    Heading("recall", "R", kind="score"),
    Heading("precision", "P", kind="score"),
    Heading("f1", "F1", kind="score"),
    Heading("sd", "± sd", kind="score"),
    Heading("min", "least", kind="score"),
    Heading("max", "most", kind="score"),
    Heading("low", "from", "interval", "score"),
    Heading("high", "to", "interval", "score"),
    Heading("se_documents", "docs", "std. error", "score"),
    Heading("se_runs", "runs", "std. error", "score"),
)


def render_runs(report: RunsReport, form: str = "text") -> str:
    """The report in one of the table formats; JSON has everything, unrounded."""
    if form == "json":
        return result_json(report.kind, report.to_dict())
    if form in DELIMITED:
        return render_table(flat_table(report), form)
    key = report.report.key
    below = [f"{name}: {NOT_SCORED}" for name in _unscored(report)]
    notes = note_lines(report.notes, form)
    title = f"Scores of several runs against {key.path}"
    scored = [scores for system in report.systems for scores in system.runs.values()]
    around = Around(key_lines(key, scored), below + notes, report.report.signature, title)
    return render_tables(runs_tables(report), form, around)


def _unscored(report: RunsReport) -> list[str]:
    """The names of the runs that have no scores."""
    return [
        f"{system.name} {run}".rstrip()
        for system in report.systems
        for run in system.paths
        if run not in system.runs
    ]


def runs_tables(report: RunsReport) -> list[Table]:
    """Means over runs, the F1 of each run, and the agreement of runs."""
    shown = [system for system in report.systems if system.means]
    title = "Means over runs, with the 95 % interval over documents and runs"
    tables = [_means(title, "", _of(shown))]
    windows = [part for part in (shown[0].means if shown else ()) if part.by == WINDOW]
    if windows:
        tables.append(_means("By window", WINDOW, _of(shown, WINDOW) + _of(shown)))
    for at in (*(part.at for part in windows), ()):
        name = f"{at[0][1]}: by" if at else f"{WHOLE}: by" if windows else "By"
        for by in dict.fromkeys(part.by for _, part in _under(shown, at)):
            listed = [(system, part) for system, part in _under(shown, at) if part.by == by]
            tables.append(_means(f"{name} {by}", by, listed))
    tables.append(_each_run(shown))
    if any(system.agreement for system in shown):
        tables.append(_agreement(shown))
    return [table for table in tables if table.blocks]


_Listed = list[tuple[str, Part[Any]]]
"""Systems and their means in a part."""


def _of(systems: Sequence[SystemRuns], by: str = "") -> _Listed:
    """The means of the whole, or of the parts of one division."""
    return [(s.name, part) for s in systems for part in s.means if part.by == by]


def _under(systems: Sequence[SystemRuns], at: tuple[tuple[str, str], ...]) -> _Listed:
    """The groups and strata in a window, or in whole documents where `at` is ()."""
    return [
        (s.name, part)
        for s in systems
        for part in s.means
        if part.at and part.at[:-1] == at and part.by != WINDOW
    ]


def _means(title: str, by: str, listed: _Listed) -> Table:
    """One row per part and metric; one block per system."""
    headings = [Heading("label", by)] if by else []
    systems = dict.fromkeys(system for system, _ in listed)
    blocks = []
    for shown in systems:
        lines = [
            (*((part.label if part.at else WHOLE,) if by else ()), metric, *_mean_row(figure))
            for system, part in listed
            if system == shown
            for metric, figure in part.scores.items()
        ]
        blocks.append(make_block(lines, shown if len(systems) > 1 else ""))
    strata = by not in ("", WINDOW) and not is_of_documents(by)
    note = note_of_strata(by, by_entity=by.startswith(PREFIX)) if strata else ""
    headings += [Heading("metric", ""), *_MEANS]
    return make_table("means", title, headings, blocks, note=note)


def _mean_row(figure: Interval | None) -> list[CellValue | Cell]:
    """The values of _MEANS; a dash as F1 if a run has nothing to divide by."""
    if figure is None:
        return [None, None, None, Cell(None, text=NOTHING), *([None] * (len(_MEANS) - 4))]
    assert isinstance(figure, RunFigures)
    low, high = figure.interval or (None, None)
    rates = figure.recall, figure.precision, figure.f1
    spread = figure.sd, figure.min, figure.max
    return [figure.runs, *rates, *spread, low, high, figure.se_documents, figure.se_runs]


def _each_run(systems: Sequence[SystemRuns]) -> Table:
    names = list(systems[0].figures or {}) if systems else []
    headings = plain_headings("system", "run")
    headings += [Heading(f"{name}.f1", name, kind="score") for name in names]
    blocks: list[list[tuple[CellValue, ...]]] = [
        [(system.name, run, *(scores[n].f1 for n in names)) for run, scores in system.runs.items()]
        for system in systems
    ]
    return make_table("runs", "F1 of each run", headings, blocks)


def _agreement(systems: Sequence[SystemRuns]) -> Table:
    headings = plain_headings("system", "metric")
    headings += [Heading(name, name, kind="score") for name in ("mean", "least")]
    headings.append(Heading("alpha", "alpha", kind="number", digits=4))
    blocks: list[list[tuple[CellValue, ...]]] = []
    for system in systems:
        if system.agreement:
            figures = system.agreement.to_dict()
            alpha = figures.pop("alpha")
            rows: list[tuple[CellValue, ...]] = [
                (system.name, name, f["mean"], f["least"], None) for name, f in figures.items()
            ]
            blocks.append([*rows, (system.name, None, None, None, alpha)])
    return make_table("agreement", "F1 of the runs of a system with each other", headings, blocks)


def flat_table(report: RunsReport) -> Table:
    """For programs: one row per system, run and metric; the run `mean` has the means.

    With windows, strata or groups of documents, the column `group` names them.
    """
    spread = [h.name for h in _MEANS[4:]]
    headings = plain_headings("system", "run", "group", "metric")
    headings += plain_headings("runs", "recall", "precision", "f1", *RATIOS, *spread, kind="number")
    lines: list[list[CellValue | Cell]] = []
    no_spread: list[CellValue | Cell] = [None] * len(spread)
    no_counts: list[CellValue | Cell] = [None] * len(RATIOS)
    for system in report.systems:
        for part in system.parts(report.by):
            group, means = part.name, part in system.means
            run = "mean" if means else dict(part.at)[RUN]
            for row in () if means else part.rows():
                figures = [row.get(name) for name in ROW]
                lines.append([system.name, run, group, figures[0], None, *figures[1:], *no_spread])
            for name, figure in part.scores.items() if means else ():
                runs, *rates = _mean_row(figure) if figure else [None] * len(_MEANS)
                shown = [runs, *rates[:3], *no_counts, *rates[3:]]
                lines.append([system.name, run, group, name, *shown])
    table = make_table("runs", "", headings, [lines])
    divided = report.by or report.report.options.by or report.report.options.window
    return table if divided else table.without("group")


def plot_runs(report: RunsReport, path: str) -> None:
    """Draw the mean F1 of all metrics with intervals over documents and runs.

    Windows, strata and groups of documents have their own lines.
    """
    lines: dict[str, dict[str, Dot | None]] = {}
    for system in report.systems:
        for part in system.means:
            for name, figure in part.scores.items():
                label = f"{title_of(name)} {part.name}" if part.at else title_of(name)
                dot = figure and Dot(figure.f1, figure.interval)
                lines.setdefault(label, {})[system.name] = dot
    unit = "mean F1 over runs in percent"
    save_figure(draw_lines({"": lines}, unit, over="documents and runs"), path)

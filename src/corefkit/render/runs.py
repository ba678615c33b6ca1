"""The output of `corefkit score` for several runs: means and their spread, then each run."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from corefkit.core.names import is_of_documents
from corefkit.core.results import result_json
from corefkit.metrics import title_of
from corefkit.render.plots import dots, draw_lines, save_figure
from corefkit.render.scores import key_lines
from corefkit.render.table import (
    DELIMITED,
    NOT_SCORED,
    Around,
    Table,
    note_lines,
    render_table,
    render_tables,
)
from corefkit.render.views import (
    F1,
    FigureRow,
    View,
    columns,
    flat,
    listing,
    note_of_strata,
    pivot,
)
from corefkit.scoring.parts import WINDOW, Part, rows_of, under
from corefkit.scoring.scores import ROW
from corefkit.stats.run_scores import RunsReport, SystemRuns

_MEANS = (
    *columns("runs recall precision f1 sd min max"),
    *columns("low high", group="interval"),
    *columns("se_documents se_runs"),
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
    parts = [(system.name, part) for system in shown for part in system.means]
    whole = _rows(parts, "")
    title = "Means over runs, with the 95 % interval over documents and runs"
    tables = [_means(title, whole)]
    windows = dict.fromkeys(part.label for _, part in parts if part.by == WINDOW)
    if windows:
        by_window = [*_rows(parts, WINDOW), *({**row, "label": "whole"} for row in whole)]
        tables.append(_means("By window", by_window, WINDOW))
    for window in (*windows, ""):
        inside = [(system, part) for system, listed in parts for part in under([listed], window)]
        cut = f"{window or 'whole'}: by" if windows else "By"
        for by in dict.fromkeys(part.by for _, part in inside if part.at):
            tables.append(_means(f"{cut} {by}", _rows(inside, by), by))
    tables.append(pivot(_rows_of_runs(shown), _RUNS))
    if any(system.agreement for system in shown):
        tables.append(_agreement(shown))
    return [table for table in tables if table.blocks]


def _rows(parts: Iterable[tuple[str, Part[Any]]], by: str) -> list[FigureRow]:
    """The rows of the means in the parts of a division."""
    return [
        row for system, part in parts if part.by == by for row in rows_of([part], system=system)
    ]


def _means(title: str, rows: Sequence[FigureRow], by: str = "") -> Table:
    """One row per part and metric; one block per system."""
    lines = columns("label metric" if by else "metric", label=by, metric="")
    strata = by not in ("", WINDOW) and not is_of_documents(by)
    note = note_of_strata(by) if strata else ""
    return pivot(rows, View("means", title, lines, _MEANS, across="", block="system", note=note))


_RUNS = View("runs", "F1 of each run", columns("system run"), F1, block="system")


def _rows_of_runs(systems: Iterable[SystemRuns]) -> Iterator[FigureRow]:
    """The rows of the metrics of each run."""
    for system in systems:
        for run, scores in system.runs.items():
            for row in rows_of([Part((), scores)], system=system.name, run=run):
                if "detail" not in row:
                    yield row


def _agreement(systems: Sequence[SystemRuns]) -> Table:
    rows: list[FigureRow] = []
    for system in systems:
        if system.agreement:
            figures = system.agreement.to_dict()
            alpha = {"system": system.name, "alpha": figures.pop("alpha")}
            rows += [{"system": system.name, "metric": name, **f} for name, f in figures.items()]
            rows.append(alpha)
    headings = (*columns("system metric"), *columns("mean least", kind="score"))
    headings += columns("alpha", kind="number", digits=4)
    title = "F1 of the runs of a system with each other"
    return listing("agreement", title, rows, *headings, block="system", headed=False)


def flat_table(report: RunsReport) -> Table:
    """For programs: one row per system, run and metric; the run `mean` has the means.

    With windows, strata or groups of documents, the column `group` names them.
    """
    rows = [{**row, "run": "mean" if row["run"] is None else row["run"]} for row in report.rows()]
    divided = report.by or report.report.options.by or report.report.options.window
    names = ["system", "run", *(["group"] if divided else []), "metric", "runs", *ROW[1:]]
    return flat("runs", rows, (*names, *(heading.name for heading in _MEANS[4:])), group="part")


def plot_runs(report: RunsReport, path: str) -> None:
    """Draw the mean F1 of all metrics with intervals over documents and runs.

    Windows, strata and groups of documents have their own lines.
    """
    rows = [row for system in report.systems for row in rows_of(system.means, system=system.name)]

    def figure(row: FigureRow) -> str:
        title = title_of(row["metric"])
        return f"{title} {row['part']}" if row["by"] else title

    unit = "mean F1 over runs in percent"
    save_figure(draw_lines(dots(rows, line=figure), unit, over="documents and runs"), path)

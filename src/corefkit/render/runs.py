"""What `corefkit score` shows of several runs: means with their spread, then each run."""

from collections.abc import Sequence
from textwrap import fill
from typing import Any

from corefkit._version import __version__
from corefkit.core.incidents import errors
from corefkit.core.texts import to_json, visible
from corefkit.metrics.base import RATIOS
from corefkit.render.plots import Dot, draw_lines, save_figure
from corefkit.render.scores import key_line
from corefkit.render.table import (
    DELIMITED,
    Around,
    Cell,
    CellValue,
    Heading,
    Table,
    make_block,
    make_table,
    plain_headings,
    render_table,
    render_tables,
)
from corefkit.scoring.report import Report
from corefkit.stats.run_scores import RunsReport, SystemRuns
from corefkit.stats.runs import RunFigures

_WIDTH = 80
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


def render_runs(report: RunsReport, form: str = "text", *, bold: bool = False) -> str:
    """The report in one of the formats of tables; JSON says all, unrounded."""
    if form == "json":
        return to_json(runs_dict(report))
    if form in DELIMITED:
        return render_table(flat_table(report), form)
    key = report.report.key
    why = "the key is bad" if errors(key.incidents) else "its data is bad"
    below = [f"{name}: not scored, {why}" for name in _lost(report)]
    notes = [f"note: {note}" for note in report.notes]
    if form == "text":
        notes = [fill(visible(note), _WIDTH, subsequent_indent="  ") for note in notes]
    title = f"Scores of several runs against {key.path}"
    around = Around([key_line(key.path, key.size)], below + notes, report.report.signature, title)
    return render_tables(runs_tables(report), form, around, bold=bold)


def _lost(report: RunsReport) -> list[str]:
    """The runs that have no scores."""
    return [
        f"{system.name} {run}".rstrip()
        for system in report.systems
        for run in system.paths
        if run not in system.runs
    ]


def runs_tables(report: RunsReport) -> list[Table]:
    """Means over runs, F1 of each run, and how far the runs agree."""
    shown = [system for system in report.systems if system.figures]
    several = len(shown) > 1
    means = make_table(
        "means",
        "Means over runs, with the 95 % interval over documents and runs",
        [Heading("metric", ""), *_MEANS],
        [
            make_block(
                [(name, *_mean_row(figure)) for name, figure in (system.figures or {}).items()],
                system.name if several else "",
            )
            for system in shown
        ],
    )
    tables = [means, _each_run(shown)]
    if any(system.agreement for system in shown):
        tables.append(_agreement(shown))
    return [table for table in tables if table.blocks]


def _mean_row(figure: RunFigures) -> list[CellValue | Cell]:
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
    """For programs: a line for each system, run and metric; the mean is the run `mean`."""
    extra = [h.name for h in _MEANS[4:]]
    headings = plain_headings("system", "run", "metric")
    headings += plain_headings("runs", "recall", "precision", "f1", *RATIOS, *extra, kind="number")
    lines: list[list[CellValue | Cell]] = []
    nothing: list[CellValue | Cell] = [None] * len(extra)
    for system in report.systems:
        for run, scores in system.runs.items():
            for row in scores.rows():
                metric, *figures = row.values()
                lines.append([system.name, run, metric, None, *figures, *nothing])
        for name, figure in (system.figures or {}).items():
            runs, *rates = _mean_row(figure)
            no_counts: list[CellValue | Cell] = [None] * len(RATIOS)
            lines.append([system.name, "mean", name, runs, *rates[:3], *no_counts, *rates[3:]])
    return make_table("runs", "", headings, [lines])


def runs_dict(report: RunsReport) -> dict[str, Any]:
    """The report as plain dicts and lists, nothing rounded."""
    whole = report.report
    return {
        "version": __version__,
        "signature": whole.signature,
        "key": {
            "path": whole.key.path,
            **whole.key_hash.to_dict(),
            **whole.key.size._asdict(),
        },
        "systems": [_system_dict(system, whole) for system in report.systems],
        "notes": list(report.notes),
        "incidents": [incident.to_dict() for incident in whole.incidents],
    }


def _system_dict(system: SystemRuns, report: Report) -> dict[str, Any]:
    """A system with its runs, each with the hash of its file."""
    content = system.to_dict()
    hashes = {one.path: one.hash.to_dict() for one in report.systems}
    return {**content, "runs": [{**run, **hashes[run["path"]]} for run in content["runs"]]}


def plot_runs(report: RunsReport, path: str) -> None:
    """Draw the mean F1 of all metrics with intervals over documents and runs."""
    lines: dict[str, dict[str, Dot]] = {}
    for system in report.systems:
        for name, figure in (system.figures or {}).items():
            lines.setdefault(name, {})[system.name] = Dot(figure.f1, figure.interval)
    save_figure(draw_lines(lines, "mean F1 over runs"), path)

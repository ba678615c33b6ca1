"""The output of `corefkit score` for several runs: means and their spread, then each run."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from corefkit._version import __version__
from corefkit.core.texts import to_json
from corefkit.features.entity_labels import PREFIX
from corefkit.metrics.base import RATIOS
from corefkit.render.plots import Dot, draw_lines, save_figure
from corefkit.render.scores import bounds_dict, key_lines, part_name, parts_dict
from corefkit.render.strata import NOTHING, note_of_strata
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
from corefkit.scoring.parts import WHOLE as ALL
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


def render_runs(report: RunsReport, form: str = "text", *, bold: bool = False) -> str:
    """The report in one of the table formats; JSON has everything, unrounded."""
    if form == "json":
        return to_json(runs_dict(report))
    if form in DELIMITED:
        return render_table(flat_table(report), form)
    key = report.report.key
    below = [f"{name}: {NOT_SCORED}" for name in _unscored(report)]
    notes = note_lines(report.notes, form)
    title = f"Scores of several runs against {key.path}"
    scored = [scores for system in report.systems for scores in system.runs.values()]
    around = Around(key_lines(key, scored), below + notes, report.report.signature, title)
    return render_tables(runs_tables(report), form, around, bold=bold)


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
    parts = [part for system in shown for part in _parts(system)]
    tables = [_means(title, [part for part in parts if not part.by])]
    for cut, by in dict.fromkeys((part.cut, part.by) for part in parts if part.by):
        shown_parts = [part for part in parts if (part.cut, part.by) == (cut, by)]
        tables.append(_means(f"{cut}: by {by}" if cut else f"By {by}", shown_parts))
    tables.append(_each_run(shown))
    if any(system.agreement for system in shown):
        tables.append(_agreement(shown))
    return [table for table in tables if table.blocks]


class _MeansOf(NamedTuple):
    """The means of a system in all documents, in a window, a group of documents or a stratum.

    `cut` is the window that the group or stratum belongs to, if there are windows.
    """

    system: str
    cut: str
    by: str
    label: str
    figures: Mapping[str, Interval | None]

    @property
    def group(self) -> str:
        """The name in the column `group` of tables for programs."""
        cut = f"window:{self.cut}" if self.cut else ""
        if self.by == _WINDOW:
            return f"{_WINDOW}:{self.label}"
        label = self.label if self.by == _GROUP else f"{self.by}:{self.label}"
        return ":".join(filter(None, (cut, label if self.by else ""))) or ALL


_WINDOW, _GROUP = "window", "group"
"""The values of `by` for windows and for groups of documents."""


def _parts(system: SystemRuns) -> Iterator[_MeansOf]:
    """The means of a system, in the order in which they are shown."""
    if system.means is None:
        return
    yield _MeansOf(system.name, "", "", "", system.means.figures)
    windows = [*system.windows.items(), (WHOLE if system.windows else "", system.means)]
    for window, means in windows if system.windows else ():
        yield _MeansOf(system.name, "", _WINDOW, window, means.figures)
    for window, means in windows:
        for label, figures in means.groups.items():
            yield _MeansOf(system.name, window, _GROUP, label, figures)
        for stratum in means.strata:
            yield _MeansOf(system.name, window, stratum.by, stratum.label, stratum.metrics)


def _means(title: str, parts: Sequence[_MeansOf]) -> Table:
    """One row per part and metric; one block per system."""
    by = next((part.by for part in parts), "")
    headings = [Heading("label", by)] if by else []
    several = len({part.system for part in parts}) > 1
    blocks = []
    for system in dict.fromkeys(part.system for part in parts):
        lines = [
            (*((part.label,) if by else ()), metric, *_mean_row(figure))
            for part in parts
            if part.system == system
            for metric, figure in part.figures.items()
        ]
        blocks.append(make_block(lines, system if several else ""))
    strata = by not in ("", _WINDOW, _GROUP)
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
        for run, scores in system.runs.items():
            for part in scores.parts(report.by):
                for row in part.rows():
                    figures = [row.get(name) for name in ROW]
                    group = part_name(part)
                    lines.append(
                        [system.name, run, group, figures[0], None, *figures[1:], *no_spread]
                    )
        for mean in _parts(system):
            for name, figure in mean.figures.items():
                runs, *rates = _mean_row(figure) if figure else [None] * len(_MEANS)
                shown = [runs, *rates[:3], *no_counts, *rates[3:]]
                lines.append([system.name, "mean", mean.group, name, *shown])
    table = make_table("runs", "", headings, [lines])
    divided = report.by or report.report.options.by or report.report.options.window
    return table if divided else table.without("group")


def runs_dict(report: RunsReport) -> dict[str, Any]:
    """The report as plain dicts and lists, unrounded."""
    all_runs = report.report
    return {
        "version": __version__,
        "result": report.kind,
        "signature": all_runs.signature,
        "key": {
            "path": all_runs.key.path,
            **all_runs.key_hash.to_dict(),
            **all_runs.key.size._asdict(),
        },
        **({"by": report.by} if report.by else {}),
        **bounds_dict(all_runs.options),
        "systems": [_system_dict(system, report) for system in report.systems],
        "notes": list(report.notes),
        "incidents": [incident.to_dict() for incident in all_runs.incidents],
    }


def _system_dict(system: SystemRuns, report: RunsReport) -> dict[str, Any]:
    """A system as a dict; each run has the hash of its file, and its windows, strata and groups."""
    content = system.to_dict()
    hashes = {run_file.path: run_file.hash.to_dict() for run_file in report.report.systems}
    runs = []
    for run in content["runs"]:
        scores = system.runs.get(run["run"] or "")
        divided = scores and (report.by or scores.options.by or scores.windows)
        runs.append(
            {**run, **hashes[run["path"]], **(parts_dict(scores, report.by) if divided else {})}
        )
    return {**content, "runs": runs}


def plot_runs(report: RunsReport, path: str) -> None:
    """Draw the mean F1 of all metrics with intervals over documents and runs.

    Windows, strata and groups of documents have their own lines.
    """
    lines: dict[str, dict[str, Dot]] = {}
    for system in report.systems:
        for part in _parts(system):
            for name, figure in part.figures.items():
                label = name if part.group == ALL else f"{name} {part.group}"
                if figure is not None:
                    lines.setdefault(label, {})[system.name] = Dot(figure.f1, figure.interval)
    save_figure(draw_lines(lines, "mean F1 over runs"), path)

"""The result of `corefkit score` as tables and in every format."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from corefkit import metrics
from corefkit.core.counts import Size
from corefkit.core.incidents import errors
from corefkit.core.results import result_json
from corefkit.core.style import style
from corefkit.core.texts import count_of
from corefkit.metrics import BREAKDOWNS
from corefkit.metrics.base import Score
from corefkit.render.markup import comment, latex_float
from corefkit.render.parts import SHORT
from corefkit.render.table import (
    DELIMITED,
    NOT_SCORED,
    Around,
    Cell,
    CellValue,
    Heading,
    Table,
    make_table,
    mark_best,
    plain_headings,
    render_table,
    render_tables,
)
from corefkit.scorers.comparison import Side
from corefkit.scorers.signature import shorten
from corefkit.scoring.parts import WHOLE as ALL
from corefkit.scoring.parts import body
from corefkit.scoring.report import Report, System, bounds_dict
from corefkit.scoring.scores import OUTCOMES, ROW, Scores

VALUES = {"f1": "F1", "recall": "Recall", "precision": "Precision"}
"""The values of a score, in the order of importance."""

PEOPLE = ("text", "markdown")
"""The formats whose tables are narrow."""

_JUDGED = ("mentions", *metrics.VARIANTS)
"""The metrics that judge mentions one by one."""

_NUMBERS = partial(plain_headings, kind="number")

_MENTIONS = Heading("key_mentions", "in key", kind="number")
"""The number of key mentions in a group of documents."""


def render_report(
    report: Report,
    form: str,
    by: str | None = None,
    *,
    losses: bool = False,
) -> str:
    """The report in one of the table formats, with groups of documents if `by` names a grouping.

    `losses` adds what detection and linking cost.
    """
    if form == "json":
        return result_json(Scores.kind, report_dict(report, by, losses=losses))
    if form in DELIMITED:
        table = metrics_table(report, by)
        return render_table(_with_losses(table, report) if losses else table, form)
    above = key_lines(report.key, report.scores.values())
    above += [f"system: {name}" for name in report.scores] if len(report.scores) == 1 else []
    below = [f"{s.name}: {NOT_SCORED}" for s in report.systems if not s.scores]
    around = Around(above, below, report.signature, f"Scores against {report.key.path}")
    tables = _tables(report, by, form)
    if losses and report.scores:
        from corefkit.render.errors import losses_table

        tables.append(losses_table({name: s.losses for name, s in report.scores.items()}))
    if style().only_f1:
        tables = [table for t in tables if (table := _without_ratios(t)).headings]
    if form == "latex":
        return render_floats(tables, report, below)
    return render_tables(tables, form, around)


def _without_ratios(table: Table) -> Table:
    """The table without recall and precision; without columns if it had nothing else."""
    kept = [
        place
        for place, heading in enumerate(table.headings)
        if heading.name.rpartition(".")[2] not in ("recall", "precision")
    ]
    figures = any(table.headings[place].is_figure for place in kept)
    return table.pick(kept if figures else [])


def render_floats(tables: Sequence[Table], report: Report, below: Sequence[str]) -> str:
    """The tables in LaTeX, each with a caption that says what it shows, and the short signature."""
    over = f"Scores in percent over {count_of(report.key.size.documents, 'document')}."
    parts = [f"{comment(report.signature)}\n"]
    for table in tables:
        says = (f"{table.title}." if table.title else "", over, table.note.replace("\n", " "))
        plain = replace(table, title="", note="")
        parts.append(latex_float(plain, " ".join(filter(None, says)), shorten(report.signature)))
    return "\n".join([*parts, *map(comment, below)])


def _with_losses(table: Table, report: Report) -> Table:
    """The table for programs with the costs of detection and linking, for all documents only."""
    from corefkit.render.errors import LOSS_COLUMNS

    costs = {name: scores.losses.by_metric() for name, scores in report.scores.items()}
    lines = []
    for line in table.lines:
        system, group, metric = (str(cell.value) for cell in line[:3])
        cost = costs[system].get(metric) if group == ALL else None
        lines.append([*line, *(cost or [None] * len(LOSS_COLUMNS))])
    return make_table("scores", "", [*table.headings, *_NUMBERS(*LOSS_COLUMNS)], [lines])


def _tables(report: Report, by: str | None, form: str) -> list[Table]:
    """The tables for people: all systems, then break-downs by class, or by the feature `by`."""
    groups = None if by in BREAKDOWNS else by
    if report.options.window:
        return _window_tables(report, groups, form)
    if form != "text":
        tables = [systems_table(report, groups)]
    elif groups is None and len(report.scores) == 1:
        tables = [scores_table(scores) for scores in report.scores.values()]
    else:
        from corefkit.render.text import line_up

        tables = line_up([value_table(report, groups, value) for value in VALUES])
    if report.options.across:
        from corefkit.render.levels import level_tables

        tables += level_tables(report)
    tables += _left_out(report) + _labels(report)
    judged = by if _shown_as_outcomes(report, by) else None
    if judged or report.options.applications:
        from corefkit.render.outcomes import break_downs

        tables += break_downs(report.scores, judged)
    if split := _split_by(report, judged):
        from corefkit.render.strata import strata_tables

        tables += strata_tables(report.scores, split, wide=form not in PEOPLE)
    return [table for table in tables if table.blocks]


def _left_out(report: Report) -> list[Table]:
    """The numbers of mentions left out, by kind and side; empty if nothing is left out."""
    systems = [system for system in report.systems if system.left_out is not None]
    if not systems:
        return []
    kinds = report.options.leave_out
    headings = plain_headings("side") + _NUMBERS(*kinds)
    sides = [("key", systems[0], "key"), *((s.name, s, "response") for s in systems)]
    lines: list[list[CellValue]] = []
    for name, system, side in sides:
        counts = (system.left_out or {}).get(side, {})
        lines.append([name, *(counts.get(kind, 0) for kind in kinds)])
    return [make_table("left_out", "Mentions left out", headings, [lines])]


def _labels(report: Report) -> list[Table]:
    """How many spans each system shares with the key, and how many have the same labels."""
    lines = [(s.name, s.labels["spans"], s.labels["agree"]) for s in report.systems if s.labels]
    title = (
        f"Spans that both sides have, and those with the same {', '.join(report.options.labels)}"
    )
    headings = plain_headings("system") + _NUMBERS("spans", "agree")
    return [make_table("labels", title, headings, [lines])] if lines else []


def _window_tables(report: Report, by: str | None, form: str) -> list[Table]:
    """The table of windows, then for each window those of groups of documents and of strata."""
    from corefkit.render.windows import windows_table
    from corefkit.scorers.windows import WHOLE

    tables = [windows_table(report, wide=form not in PEOPLE)]
    split = report.options.by
    for place, window in enumerate((*report.options.window, WHOLE) if by or split else ()):
        systems = [
            s._replace(scores=s.scores.windows[place].scores) for s in report.systems if s.scores
        ]
        cut = report._replace(systems=tuple(systems))
        if by:
            groups = systems_table(cut, by) if form != "text" else value_table(cut, by, "f1")
            tables.append(replace(groups, title=f"{window}: groups of documents"))
        if split:
            from corefkit.render.strata import strata_tables

            strata = strata_tables(cut.scores, split, wide=form not in PEOPLE)
            tables += [replace(part, title=f"{window}: by {part.title[3:]}") for part in strata]
    return [table for table in tables if table.blocks]


def _split_by(report: Report, judged: str | None) -> tuple[str, ...]:
    """What strata are shown by, without the feature whose break-down is shown already."""
    return tuple(by for by in report.options.by if by != judged or report.options.applications)


def key_lines(key: Side, scored: Iterable[Scores] = ()) -> list[str]:
    """A line with the path and the size of the key; empty if it could not be read.

    `scored` are the scores of systems; if they leave out documents of the key, the line has the
    number and size of the scored ones. Scores across documents come with the size that is scored.
    """
    size = key.size
    if not size.documents and errors(key.incidents):
        return []
    documents = count_of(size.documents, "document")
    chosen = {
        scores.counts.documents
        for scores in scored
        if scores.options.documents != "all" and not scores.options.across
    }
    if len(chosen) == 1:
        corpus = key.scored
        (names,) = chosen
        kept = np.isin(np.array(corpus.names), np.array(names))
        if not kept.all():
            rows = kept[corpus.document]
            entities = len(np.unique(corpus.entity[rows]))
            size = Size(int(kept.sum()), int(rows.sum()), entities)
            documents = f"{size.documents:,} of {documents}"
    return [
        f"key: {key.path} ({documents}, "
        f"{count_of(size.mentions, 'mention')}, {count_of(size.entities, 'entity', 'entities')})"
    ]


class GroupScores(NamedTuple):
    """The scores of one system, over all documents or over one group of them.

    `flat` has the scores by name, and those of their parts, such as anchor.detection.
    """

    system: str
    group: str
    scores: Scores
    flat: dict[str, Score]

    @property
    def key_mentions(self) -> int | None:
        """The number of key mentions in these documents; None if they were not counted."""
        counted = "mentions" in self.scores.counts.tables
        return int(self.scores.counts.total("mentions")[1]) if counted else None


def flatten(scores: Scores) -> dict[str, Score]:
    """The scores by name, each followed by its parts."""
    by_name: dict[str, Score] = {}
    for name, score in scores.items():
        by_name[name] = score
        by_name |= {f"{name}.{part}": inner for part, inner in score.parts.items()}
    return by_name


def title_of(metric: str) -> str:
    """The title of a metric, or of a part of one, in tables.

    >>> title_of("bcub"), title_of("anchor.detection")
    ('B³', 'Anchor detection')
    """
    name, _, part = metric.partition(".")
    title = metrics.get(name).title or name
    return f"{title} {part}" if part else title


def _group_scores(report: Report, by: str | None) -> list[GroupScores]:
    """The scores of each system, followed by those of its groups."""
    groups = []
    for system, scores in report.scores.items():
        divided = scores.groups(by) if by else {}
        parts = [(ALL, scores), *((name, part.scores) for name, part in divided.items())]
        groups += [GroupScores(system, group, part, flatten(part)) for group, part in parts]
    return groups


def _shown_as_outcomes(report: Report, by: str | None) -> bool:
    """Whether a break-down by a feature is shown in the tables of outcomes."""
    applications = report.options.applications
    return by in BREAKDOWNS and bool(
        applications or all(name in _JUDGED for name in report.options.metrics)
    )


def scores_table(scores: Scores) -> Table:
    """The scores of one system, one row per metric."""
    headings = [Heading("metric", "")]
    headings += [Heading(value, VALUES[value], kind="score") for value in SHORT]
    listed = flatten(scores).items()
    lines = [[name, *(getattr(score, value) for value in SHORT)] for name, score in listed]
    return make_table("scores", "", headings, [lines])


def tables_of_scores(scores: Scores) -> list[Table]:
    """The table of the scores of one system."""
    return [scores_table(scores)]


def describe_scores(scores: Scores) -> str:
    """The scores of one system as text, with their signature."""
    number = len(scores.incidents)
    hint = f"\n{count_of(number, 'warning')}: see .incidents\n" if number else ""
    table = render_table(scores_table(scores), "text")
    return f"{table}{hint}\nsignature: {shorten(scores.signature)}"


def value_table(report: Report, by: str | None, value: str) -> Table:
    """One value (f1, recall, precision) of all metrics that have it, by system and group."""
    labels = [Heading("system", VALUES[value])] if len(report.scores) > 1 or not by else []
    labels += [Heading("group", "" if labels else VALUES[value]), _MENTIONS] if by else []
    groups = _group_scores(report, by)
    headings = {
        (m, v): Heading(f"{m}.{v}", m, kind="score") for m, v in _figures(groups) if v == value
    }
    return _side_by_side(value, groups, labels, headings)


def systems_table(report: Report, by: str | None) -> Table:
    """All values of all metrics side by side, one row per system and group."""
    labels = plain_headings("system")
    labels += [*plain_headings("group"), _MENTIONS] if by else []
    groups = _group_scores(report, by)
    headings = {
        (m, v): Heading(f"{m}.{v}", SHORT[v], title_of(m), "score") for m, v in _figures(groups)
    }
    return _side_by_side("systems", groups, labels, headings)


def _figures(groups: list[GroupScores]) -> list[tuple[str, str]]:
    """Pairs of a metric and a value that it has, in order."""
    first = groups[0].flat if groups else {}
    return [(m, v) for m, score in first.items() for v in SHORT if getattr(score, v) is not None]


def _side_by_side(
    name: str,
    groups: list[GroupScores],
    labels: list[Heading],
    figures: dict[tuple[str, str], Heading],
) -> Table:
    """One row per group: its `labels`, which are fields of GroupScores, and its `figures`."""
    columns = [[getattr(group, label.name) for group in groups] for label in labels]
    columns += [_marked(groups, metric, value) for metric, value in figures]
    lines = zip(*columns, strict=True)
    return make_table(name, "", [*labels, *figures.values()], [lines] if figures else [])


def _marked(groups: list[GroupScores], metric: str, value: str) -> list[Cell]:
    """One value of a metric for all rows; in each group of documents the best one is marked."""
    cells = [Cell(None)] * len(groups)
    for name in dict.fromkeys(group.group for group in groups):
        places = [i for i, group in enumerate(groups) if group.group == name]
        best = mark_best([getattr(groups[i].flat.get(metric), value, None) for i in places])
        for place, cell in zip(places, best, strict=True):
            cells[place] = cell
    return cells


def metrics_table(report: Report, by: str | None) -> Table:
    """For programs: one row per system, part and metric, with the counts.

    The column `group` names the part: `nw`, `window:500`, `window:500:entity:size:2`.
    """
    names = [*ROW[1:], *(OUTCOMES if report.options.applications else ())]
    parts = [(name, part) for name, scores in report.scores.items() for part in scores.parts(by)]
    if report.options.window:
        sizes = [part.sizes() for _, part in parts]
        names = [*dict.fromkeys(name for size in sizes for name in size), *names]
    lines = [
        [system, part.name, row["metric"], *map(row.get, names)]
        for system, part in parts
        for row in part.rows()
    ]
    headings = [*plain_headings("system", "group", "metric"), *_NUMBERS(*names)]
    return make_table("scores", "", headings, [lines])


def report_dict(report: Report, by: str | None = None, *, losses: bool = False) -> dict[str, Any]:
    """The report as plain dicts and lists, unrounded and complete."""
    return {
        "signature": report.signature,
        "key": {
            "path": report.key.path,
            **report.key_hash.to_dict(),
            **report.key.size._asdict(),
            **_known(report),
        },
        **({"by": by} if by else {}),
        **bounds_dict(report.options),
        "systems": [
            {
                "name": system.name,
                "path": system.path,
                **system.hash.to_dict(),
                **system_dict(system, by),
                **(_losses_dict(system) if losses else {}),
            }
            for system in report.systems
        ],
        "incidents": [incident.to_dict() for incident in report.incidents],
        "notes": report.notes,
    }


def _known(report: Report) -> dict[str, Any]:
    """The well-known corpus that the key is recognised as, if any."""
    from corefkit.corpora.fingerprints import recognise

    known = recognise(report.key.corpus)
    return {"known": known.to_dict()} if known else {}


def system_dict(system: System, by: str | None) -> dict[str, Any]:
    """The scores and sizes of a system, in all documents and by group, as in the JSON output."""
    return {
        **parts_dict(system.scores, by),
        **system.size._asdict(),
        **({"left_out": system.left_out} if system.left_out is not None else {}),
        **({"labels": system.labels} if system.labels is not None else {}),
    }


def parts_dict(scores: Scores | None, by: str | None) -> dict[str, Any]:
    """The scores of the whole, and its parts, as in the JSON output."""
    if scores is None:
        return {"scores": None, "parts": []}
    return body(scores.parts(by))


def _losses_dict(system: System) -> dict[str, Any]:
    from corefkit.render.errors import losses_dict

    return {"losses": losses_dict(system.scores.losses) if system.scores else None}

"""The result of `corefkit score` as tables and in every format."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from corefkit import metrics
from corefkit.core.counts import Size
from corefkit.core.incidents import errors
from corefkit.core.names import is_of_documents
from corefkit.core.results import result_json
from corefkit.core.style import style
from corefkit.core.texts import count_of, to_json
from corefkit.metrics import BREAKDOWNS
from corefkit.render.markup import comment, latex_float
from corefkit.render.table import (
    DELIMITED,
    NOT_SCORED,
    Around,
    Heading,
    Table,
    plain_headings,
    render_table,
    render_tables,
)
from corefkit.render.views import (
    LONG,
    RATES,
    SIDES,
    FigureRow,
    View,
    columns,
    division_view,
    flat,
    listing,
    note_of_strata,
    pivot,
)
from corefkit.scorers.comparison import Side
from corefkit.scorers.signature import shorten
from corefkit.scoring.parts import ACROSS, REACH, WINDOW, Part, rows_of, under
from corefkit.scoring.report import Report
from corefkit.scoring.scores import JUDGED, ROW, Scores

VALUES = {"f1": "F1", "recall": "Recall", "precision": "Precision"}
"""The values of a score, in the order of importance."""

PEOPLE = ("text", "markdown")
"""The formats whose tables are narrow."""

_NUMBERS = partial(plain_headings, kind="number")


def render_report(report: Report, form: str) -> str:
    """A divided report in one of the table formats, with what is lost if it has that."""
    if form == "json":
        return result_json(Scores.kind, report.to_dict())
    if form in DELIMITED:
        return render_table(metrics_table(report), form)
    above = key_lines(report.key, report.scores.values())
    above += [f"system: {name}" for name in report.scores] if len(report.scores) == 1 else []
    below = [f"{s.name}: {NOT_SCORED}" for s in report.systems if not s.scores]
    around = Around(above, below, report.signature, f"Scores against {report.key.path}")
    tables = _tables(report, form)
    if losses := {s.name: s.losses for s in report.systems if s.losses}:
        from corefkit.render.errors import losses_table

        tables.append(losses_table(losses))
    if style().only_f1:
        tables = [table for t in tables if (table := _without_ratios(t)).headings]
    if form == "latex":
        return render_floats(tables, report, below)
    return render_tables(tables, form, around)


def _without_ratios(table: Table) -> Table:
    """The table without recall and precision; without columns if it had nothing else."""
    kept = [
        column
        for column, heading in enumerate(table.headings)
        if heading.name.rpartition(".")[2] not in ("recall", "precision")
    ]
    figures = any(table.headings[column].is_figure for column in kept)
    return table.pick(kept if figures else [])


def render_floats(tables: Sequence[Table], report: Report, below: Sequence[str]) -> str:
    """The tables in LaTeX, each with a caption that says what it shows, and the short signature."""
    over = f"in percent over {count_of(report.key.size.documents, 'document')}."
    parts = [f"{comment(report.signature)}\n"]
    for table in tables:
        what, title = "Scores", f"{table.title}." if table.title else ""
        plain = replace(table, title="", note="")
        if style().only_f1 and all(h.title == "F1" for h in table.headings if h.group):
            what = "F1"
            plain = replace(plain, headings=tuple(map(_with_group_as_title, table.headings)))
        caption = (title, f"{what} {over}", table.note.replace("\n", " "))
        parts.append(latex_float(plain, " ".join(filter(None, caption)), shorten(report.signature)))
    return "\n".join([*parts, *map(comment, below)])


def _with_group_as_title(heading: Heading) -> Heading:
    return heading._replace(title=heading.group, group="") if heading.group else heading


def _tables(report: Report, form: str) -> list[Table]:
    """The tables for people: all systems, then break-downs by class, or by the feature `by`."""
    by, windows = report.by, report.options.window
    groups = by is not None and by not in BREAKDOWNS
    judged = by if _shown_as_outcomes(report) else None
    parts = [(s.name, part) for s in report.systems for part in s.parts]
    tables = [windows_table(parts, form)] if windows and parts else []
    if not windows:
        tables += _systems(parts, form, grouped=groups)
        tables += _levels(parts) + _left_out(report) + _labels(report)
    if (judged or report.options.applications) and not windows:
        from corefkit.render.outcomes import break_downs

        tables += break_downs(report.systems, judged)
    if not report.options.applications:
        parts = [(system, part) for system, part in parts if part.by != judged]
    for window in (*windows, ""):
        cut = f"{window or 'whole'}: " if windows else ""
        by_division = f"{cut}by {{}}" if cut else "By {}"
        inside = [(system, part) for system, listed in parts for part in under([listed], window)]
        if windows and groups:
            rows = _rows_of_groups(inside)
            of_groups = value_table(rows) if form == "text" else systems_table(rows)
            tables.append(replace(of_groups, title=f"{cut}groups of documents"))
        tables += strata_tables(inside, by_division, wide=form not in PEOPLE)
    return [table for table in tables if table.blocks]


SystemParts = Sequence[tuple[str, Part[Any]]]
"""Systems and their parts."""


def _rows(parts: SystemParts, *by: str) -> list[FigureRow]:
    """The rows of metrics in some divisions; "" is the whole."""
    return [
        row
        for system, part in parts
        if part.by in by
        for row in rows_of([part], system=system)
        if "detail" not in row
    ]


def _rows_of_groups(parts: SystemParts) -> list[FigureRow]:
    """The rows of metrics and of their parts in the whole and in groups of documents."""
    return [
        {**row, "key_mentions": _key_mentions(part.scores)}
        for system, part in parts
        if not part.at or is_of_documents(part.by)
        for row in rows_of([part], system=system)
        if row.get("detail", "part") == "part"
    ]


def _key_mentions(scores: Scores) -> int | None:
    """The number of key mentions in these documents; None if they were not counted."""
    counted = "mentions" in scores.counts.tables
    return int(scores.counts.total("mentions")[1]) if counted else None


def _systems(parts: SystemParts, form: str, *, grouped: bool) -> list[Table]:
    """The scores of all systems, in the whole and in groups of documents."""
    rows = _rows_of_groups(parts)
    if form != "text":
        return [systems_table(rows)]
    if not grouped and len({row["system"] for row in rows}) == 1:
        return [pivot(rows, SCORES)]
    from corefkit.render.text import line_up

    return line_up([value_table(rows, value) for value in VALUES])


def windows_table(parts: SystemParts, form: str) -> Table:
    """One row per width, the whole last."""
    rows = [row if row["by"] else {**row, "label": "whole"} for row in _rows(parts, "", WINDOW)]
    wide = form not in PEOPLE or len({row["metric"] for row in rows}) == 1
    title = "Scores by window" if wide else "F1 by window"
    return pivot(rows, division_view("windows", title, "window", rows, wide=wide))


def _levels(parts: SystemParts) -> list[Table]:
    """Scores by level, and links by how far they reach."""
    rows, reaches = _rows(parts, ACROSS), _rows(parts, REACH)
    if not rows:
        return []
    title = "Scores by level" if len({row["metric"] for row in rows}) == 1 else "F1 by level"
    topics = any(row["label"] == "topic" for row in reaches)
    names = _REACHES | {"corpus": "between topics" if topics else "between documents"}
    named = [{**row, "label": names[row["label"]]} for row in reaches]
    view = division_view("levels", title, "across", rows)
    return [pivot(rows, view), pivot(named, REACHES)]


_REACHES = {"document": "within documents", "topic": "between documents of a topic"}
REACHES = View(
    "reaches",
    "Links by their reach",
    columns("label", label="links"),
    columns("recall_denominator precision_denominator recall_numerator") + LONG,
    across="",
    block="system",
)


def strata_tables(parts: SystemParts, title: str = "By {}", *, wide: bool) -> list[Table]:
    """One table per division into strata, with a row per stratum, their sum last."""
    tables = []
    for by in dict.fromkeys(part.by for _, part in parts if part.sum):
        rows = [row for row in _rows(parts, by) if row["metric"] not in metrics.VARIANTS]
        look = {"wide": wide, "note": note_of_strata(by)}
        view = division_view("strata", title.format(by), by, rows, **look)
        tables.append(pivot(rows, view))
    return tables


def _left_out(report: Report) -> list[Table]:
    """The numbers of mentions left out, by kind and side; empty if nothing is left out."""
    systems = [system for system in report.systems if system.left_out is not None]
    sides = [("key", systems[0], "key")] if systems else []
    sides += [(system.name, system, "response") for system in systems]
    kinds = report.options.leave_out
    rows = [
        {"side": name, **dict.fromkeys(kinds, 0), **(system.left_out or {}).get(side, {})}
        for name, system, side in sides
    ]
    headings = (*columns("side"), *_NUMBERS(*kinds))
    return [listing("left_out", "Mentions left out", rows, *headings)] if rows else []


def _labels(report: Report) -> list[Table]:
    """How many spans each system shares with the key, and how many have the same labels."""
    rows = [{"system": s.name, **s.labels} for s in report.systems if s.labels]
    title = (
        f"Spans that both sides have, and those with the same {', '.join(report.options.labels)}"
    )
    headings = (*columns("system"), *_NUMBERS("spans", "agree"))
    return [listing("labels", title, rows, *headings)] if rows else []


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


def _shown_as_outcomes(report: Report) -> bool:
    """Whether a break-down by a feature is shown in the tables of outcomes."""
    applications = report.options.applications
    return report.by in BREAKDOWNS and bool(
        applications or all(name in JUDGED for name in report.options.metrics)
    )


SCORES = View("scores", "", columns("metric", metric=""), LONG, across="")


def scores_table(scores: Scores) -> Table:
    """The scores of one system, one row per metric."""
    return pivot(_rows_of_groups([("", Part((), scores))]), SCORES)


def tables_of_scores(scores: Scores) -> list[Table]:
    """The table of the scores of one system."""
    return [scores_table(scores)]


def describe_scores(scores: Scores) -> str:
    """The scores of one system as text, with their signature."""
    number = len(scores.incidents)
    hint = f"\n{count_of(number, 'warning')}: see .incidents\n" if number else ""
    table = render_table(scores_table(scores), "text")
    return f"{table}{hint}\nsignature: {shorten(scores.signature)}"


def value_table(rows: Sequence[FigureRow], value: str = "f1") -> Table:
    """One value (f1, recall, precision) of all metrics that have it, by system and group."""
    grouped, title = any(row["by"] for row in rows), VALUES[value]
    several = len({row["system"] for row in rows}) > 1
    lines = columns("system", system=title) if several or not grouped else ()
    lines += columns("label", label="" if lines else title) if grouped else ()
    return pivot(rows, View(value, "", lines, columns(value), _SIZES * grouped, best="part"))


def systems_table(rows: Sequence[FigureRow]) -> Table:
    """All values of all metrics side by side, one row per system and group."""
    grouped = any(row["by"] for row in rows)
    lines = columns("system label" if grouped else "system", label="group")
    return pivot(rows, View("systems", "", lines, RATES, _SIZES * grouped, best="part"))


_SIZES = columns("key_mentions", key_mentions="in key", group="")
"""What tables of groups of documents say about their sizes."""


def metrics_table(report: Report) -> Table:
    """For programs: one row per system, part and metric, with the counts, and losses of the whole.

    The column `group` names the part: `nw`, `window:500`, `window:500:entity:size:2`.
    """
    names = [*ROW[1:], *(metrics.OUTCOMES if report.options.applications else ())]
    rows = list(report.rows())
    sizes = ["windows", *(size.name for size in SIDES)] if report.options.window else []
    sizes = [size for size in sizes if any(size in row for row in rows)]
    if any(system.losses for system in report.systems):
        from corefkit.analysis.losses import LostPoints

        names += LostPoints._fields
    return flat("scores", rows, ("system", "group", "metric", *sizes, *names), group="part")


def render_entities(report: Report, form: str) -> str:
    """All entities of both sides with what they contribute, as tsv, csv or jsonl.

    If there are several systems, the first column names them.
    """
    rows = report.entities()
    if form == "jsonl":
        return "".join(to_json(row, indent=None) for row in rows)
    return render_table(flat("entities", rows), form)

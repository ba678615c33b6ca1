"""The output of `corefkit adjudicate`: items by document, agreement, and a report of all items."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from corefkit.core.results import result_json
from corefkit.core.texts import shorten
from corefkit.plugins.adjudication.draft import DocumentDraft
from corefkit.plugins.adjudication.replay import Replay
from corefkit.plugins.adjudication.report_rows import ReportRow
from corefkit.plugins.adjudication.result import Adjudication, agreement_figures
from corefkit.render.table import (
    DELIMITED,
    Around,
    CellValue,
    Heading,
    Table,
    TableBlock,
    make_block,
    make_table,
    plain_headings,
    render_tables,
)
from corefkit.render.text import WIDTH, width_of
from corefkit.stats.agreement import PairAgreement

_ASKED = ("mention", "boundary", "link", "conflict")
_COUNTED = ("accepted", *_ASKED, "open", "waiting", "implied", "outvoted")
_ALWAYS = ("accepted", "open")
"""Columns that are shown even if they are 0 in all documents."""

_PAIR = 54
"""How many characters two names may take in a table that fits a terminal."""


def render_adjudication(result: Adjudication, form: str = "text") -> str:
    """The summary in one of the table formats; JSON also has every item."""
    if form == "json":
        return result_json(result.kind, result.to_dict(), result.incidents)
    tables = adjudication_tables(result)
    if form == "text" and width_of(tables) > WIDTH:
        tables = adjudication_tables(result, narrow=True)
    return render_tables(tables, form, Around(title="Adjudication"))


def adjudication_tables(result: Adjudication, *, narrow: bool = False) -> list[Table]:
    """The items by document, and agreement before and after.

    If `narrow`, columns of zeros are left out and long names are shortened.
    """
    return [documents_table(result, narrow=narrow), agreement_table(result, narrow=narrow)]


def documents_table(result: Adjudication, *, narrow: bool = False) -> Table:
    """How many items are accepted, asked, open, implied and outvoted, by document and in all."""
    replayed_documents = zip(result.draft.documents, result.replays, strict=True)
    counts = [(document.name, _counts(document, replay)) for document, replay in replayed_documents]
    total = sum((numbers for _, numbers in counts), Counter[str]())
    shown = [name for name in _COUNTED if total[name] or name in _ALWAYS or not narrow]
    headings = [*plain_headings("document"), *plain_headings(*shown, kind="number")]
    room = WIDTH - sum(len(name) + 2 for name in shown)
    lines: list[list[CellValue]] = [
        [shorten(name, room) if narrow else name, *(numbers[c] for c in shown)]
        for name, numbers in counts
    ]
    if len(counts) > 1:
        lines.append(["all", *(total[name] for name in shown)])
    note = (
        "accepted: certain mentions; mention, boundary, link, conflict: items; open: they need a "
        "decision; waiting: links of mentions that are not kept; outvoted: listed, not asked"
    )
    return make_table("documents", "Items by document", headings, [lines], note=note)


def _counts(document: DocumentDraft, replay: Replay) -> Counter[str]:
    counts = Counter(item.kind for item in document.items)
    counts["accepted"] = document.states().get("accepted", 0)
    counts["open"], counts["implied"] = len(replay.open), len(replay.implied)
    counts["waiting"] = len(replay.void)
    counts["outvoted"] = len(document.outvoted)
    return counts


def agreement_table(result: Adjudication, *, narrow: bool = False) -> Table:
    """Agreement of the annotators with each other, and of each of them with the result."""
    most = _PAIR // 2 if narrow else None
    headings = [
        *plain_headings("pair"),
        *plain_headings("documents", kind="number"),
        Heading("mentions", "mentions F1", kind="score"),
        Heading("conll", "CoNLL", kind="score"),
        Heading("alpha", "α", kind="number", digits=4),
    ]
    blocks: list[TableBlock] = [
        make_block([_pair(pair, most) for pair in pairs], title)
        for title, pairs in (("before", result.before.pairs), ("after", result.after))
    ]
    title = "Agreement before, and of each annotator with the result"
    note = (
        "without unfinished annotations, which agree counts unless told otherwise"
        if result.lacks_unfinished
        else ""
    )
    return make_table("agreement", title, headings, blocks, note=note)


def _pair(pair: PairAgreement, most: int | None) -> list[CellValue]:
    a, b = (name if most is None else shorten(name, most) for name in (pair.a, pair.b))
    return [f"{a} – {b}", *agreement_figures(pair).values()]


def render_report(rows: Sequence[ReportRow], form: str = "tsv") -> str:
    """The report of all items as tsv, csv or json; cells separate lists by commas or semicolons."""
    if form == "json":
        listed: dict[str, list[Any]] = {"items": [], "outvoted": []}
        for row in rows:
            listed["outvoted" if row.state == "outvoted" else "items"].append(row.to_dict())
        return result_json("items", listed)
    from corefkit.render.markup import write_rows

    columns = [name.removeprefix("votes_") for name in ReportRow._fields]
    lines = [[_cell(*field) for field in row._asdict().items()] for row in rows]
    return write_rows([columns, *lines], DELIMITED[form])


def _cell(name: str, value: Any) -> str:
    """A field as text: lists of options and spans have semicolons, lists of annotators commas."""
    if isinstance(value, Mapping):
        return "; ".join(f"{span}: {', '.join(names)}" for span, names in value.items())
    if isinstance(value, tuple):
        return ("; " if name == "options" else ", ").join(value)
    return ("yes" if value else "") if name == "discuss" else str(value)

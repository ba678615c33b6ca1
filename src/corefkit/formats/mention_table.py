"""CSV and TSV with one row per mention: the columns of the Parquet table, as text.

The first line names the columns: entity, start and end or mention, and document if there are
several; others are ignored. A column mention beside start and end is the text of the mention, and
is ignored, too, unless --columns names it. A mention that is a whole number is the token with that
number, as in Parquet. A row that is empty except for its document is a document without mentions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from corefkit.core.columns import Column
from corefkit.core.corpus import Corpus
from corefkit.core.frames import find_columns, like_document, renamed_columns
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.core.source import Source
from corefkit.formats.format import Format, Look, are_written
from corefkit.formats.kit.building import lines_of
from corefkit.formats.kit.mention_values import PlacedValues, corpus_of_values, place_values
from corefkit.formats.kit.tables import TableError, column_names, table_rows

NAME = "mention-table"
_LARGEST = 1 << 31
"""No text has this many tokens."""


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The corpus in a table; its incidents are the problems of the table."""
    collector = Collector(path)
    corpus = _parse(data, path, renamed_columns(reading.listed("columns")), collector)
    made = Corpus.from_clusters({}) if corpus is None else corpus
    return replace(
        made,
        sources=(Source(path, data, 0, len(made.names), NAME),),
        document_byte=np.zeros(len(made.names), dtype=np.int64),
        incidents=tuple(collector),
    )


def _parse(
    data: bytes, path: str, renamed: Mapping[str, str], collector: Collector
) -> Corpus | None:
    """The corpus; None, and an incident, if the table cannot be read."""
    try:
        rows = [row.cells for row in table_rows(lines_of(data))]
    except TableError as error:
        collector.note("file-unreadable", "table", at=error.line, reason=error.reason)
        return None
    present = column_names(rows[0] if rows else [])
    lower = {name: column.lower() for name, column in renamed.items()}
    found = find_columns(present, lower, path)
    if unknown := like_document(present, found):
        collector.note("column-missing", "document", name=unknown, expected="document, or doc_id")
        return None
    name_of = {column: name for name, column in found.items()}
    names = [name_of.get(column) or column for column in present]
    has_spans = {"start", "end"} <= {*names} and "mention" not in renamed
    place = ["mention"] if "mention" in names and not has_spans else ["start", "end"]
    needed = ["entity", *place]
    if not {*needed} <= {*names}:
        expected = "entity, and start and end or mention; document where there are several"
        shown = f"the columns {', '.join(names)}"
        collector.note("column-missing", "table", found=shown, expected=expected)
        return None
    at = {name: names.index(name) for name in (*needed, "document") if name in names}
    cells = [
        {name: row[number].strip() if number < len(row) else "" for name, number in at.items()}
        for row in rows[1:]
    ]
    empty = [not any(row[name] for name in needed) for row in cells]
    for name in at:
        missing = [row for row, none in zip(cells, empty, strict=True) if not row[name]]
        missing = [row for row in missing if name == "document" or any(row[n] for n in needed)]
        if missing:
            expected = "a value in every row"
            collector.note("value-missing", number=len(missing), name=name, expected=expected)
            return None
    document = Column.of([row.get("document", "") for row in cells])
    kept = ~np.array(empty, dtype=bool)
    mentions = [row for row, none in zip(cells, empty, strict=True) if not none]
    placed = _placed(mentions, place, collector)
    if placed is None:
        return None
    document = Column(document.code[kept], document.values)
    return corpus_of_values(document, placed, Column.of([row["entity"] for row in mentions]))


def _placed(
    rows: Sequence[dict[str, str]], place: Sequence[str], collector: Collector
) -> PlacedValues | None:
    """The places of the mentions; None, and an incident, if they are not spans."""
    if place == ["mention"]:
        return place_values([_value(row["mention"]) for row in rows])
    starts, ends = (np.array([_offset(row[n]) for row in rows], dtype=np.int64) for n in place)
    wrong = int(((starts < 0) | (ends < starts)).sum())
    if wrong:
        expected = "whole numbers, 0 ≤ start ≤ end"
        collector.note("span-outside", "rows", number=wrong, expected=expected)
        return None
    return PlacedValues(starts, ends)


def _value(text: str) -> int | str:
    """A whole number if the text is one, without leading zeros; otherwise the text.

    >>> _value("17"), _value("017"), _value("3-5")
    (17, '017', '3-5')
    """
    plain = text.isascii() and text.isdigit() and (text == "0" or text[0] != "0")
    return int(text) if plain and len(text) < 19 else text


def _offset(text: str) -> int:
    """The number of a token; −1 if the text is not one."""
    number = _value(text)
    return number if isinstance(number, int) and number < _LARGEST else -1


FORMAT = Format(
    name=NAME,
    title="CSV or TSV, one row per mention",
    parse=parse,
    holds=frozenset({"singletons", "crossing", "names", "zeros", "parts"}),
    looks=(
        Look(columns=("entity", "mention")),
        Look(columns=("entity", "start", "end")),
    ),
    suffixes=(".csv",),
    options=("columns",),
    shared_ids=are_written,
)

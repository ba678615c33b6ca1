"""TAC entity discovery and linking since 2015: tables of mentions with the ids of their entities.

Both ends of a span are included; spans count the characters of the source with its mark-up, which
the table does not contain. An id means the same entity in all documents; each document is read by
itself.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from corefkit.core.arrays import IntArray
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.core.source import Column
from corefkit.core.texts import quote
from corefkit.formats.kit import building
from corefkit.formats.kit.building import MentionColumns, RawDocument, RawMention, lines_of
from corefkit.formats.kit.byte_columns import (
    ByteLines,
    UnfitError,
    is_repeated,
    join_values,
    map_values,
    renumber,
    rows_by_value,
)
from corefkit.formats.registry import Format, are_written

_CELLS = 8
_PLACE = re.compile(r"\s*(\S.*?)\s*:\s*(\d{1,18})\s*[-–]\s*(\d{1,18})\s*")
_SIMPLE_PLACE = re.compile(r"(\S+):(\d{1,18})-(\d{1,18})")
"""The form of nearly all places."""
_NAME = re.compile(r"\S+")
_NIL = "NIL"
_UNREAD = {2: "text", 7: "confidence"}


class LinkedMention(NamedTuple):
    """A mention with the id of its entity, its document, and its span, both ends included."""

    document: str
    start: int
    end: int
    entity: str
    type: str
    confidence: float
    line: int


class LinkedColumns(NamedTuple):
    """Linked mentions as columns, without their confidence; one mention per span."""

    document: Column
    start: IntArray
    end: IntArray
    entity: Column
    type: Column
    line: IntArray


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The documents of one table."""
    del reading
    collector = Collector(path)
    try:
        documents = _documents(ByteLines.of(data), collector)
    except UnfitError:
        return _parse_lines(data, collector)
    return building.make_corpus("tac-edl", data, documents, collector, "character")


def _documents(lines: ByteLines, collector: Collector) -> list[RawDocument]:
    """The documents, read in columns; UnfitError if a line is malformed or a span repeated."""
    cells = lines.cells(_CELLS)
    before, end = cells[3].cut_number()
    before, start = before.cut(b"-").cut_number()
    document = before.cut(b":").column()
    entity = cells[4].column()
    sound = all(map(_NAME.fullmatch, document.values)) and all(
        name and name == name.strip() for name in entity.values
    )
    if not sound:
        raise UnfitError
    refuse_confidence(cells[7].column().values)
    type = join_values(cells[5].column(), cells[6].column(), "/")
    mentions = LinkedColumns(document, start, end, entity, type, lines.number)
    return linked_documents(mentions, collector)


def _parse_lines(data: bytes, collector: Collector) -> Corpus:
    """The documents of any table, read line by line."""
    mentions = []
    for line, text in enumerate(lines_of(data), 1):
        if text.strip() and (mention := _mention(text.split("\t"), line, collector)):
            mentions.append(mention)
    return linked_corpus("tac-edl", data, mentions, collector)


def _mention(cells: list[str], line: int, collector: Collector) -> LinkedMention | None:
    if len(cells) < _CELLS:
        note_cells(collector, line, cells, _CELLS)
        return None
    place = _SIMPLE_PLACE.fullmatch(cells[3]) or _PLACE.fullmatch(cells[3])
    if place is None:
        expected = "DOCUMENT:begin-end"
        collector.note("place-bad", at=line, found=quote(cells[3]), expected=expected)
        return None
    if not cells[4].strip():
        collector.note("entity-missing", "id", at=line, found=quote(cells[2]))
        return None
    confidence = read_confidence(cells[7], line, collector)
    start, end = int(place[2]), int(place[3])
    if end < start:
        expected = "begin ≤ end: both belong to the span"
        collector.note("span-empty", "text", at=line, found=cells[3], expected=expected)
        return None
    return LinkedMention(
        place[1], start, end, cells[4].strip(), f"{cells[5]}/{cells[6]}", confidence, line
    )


def note_cells(
    collector: Collector, line: int, cells: Sequence[str], needed: int, **file: str
) -> None:
    """Report a line with too few cells; `file` may name another file."""
    shown = f"{len(cells)} cells"
    expected = f"{needed} or more cells, separated by tabs"
    collector.note("columns-differ", "too-few", at=line, found=shown, expected=expected, **file)


def read_confidence(cell: str, line: int, collector: Collector, **file: str) -> float:
    """The confidence in a cell; 0, and an incident, if it is not a number."""
    try:
        return float(cell)
    except ValueError:
        expected = "a confidence, e.g. 1.0"
        collector.note("number-expected", at=line, found=quote(cell), expected=expected, **file)
        return 0.0


def refuse_confidence(cells: Iterable[str]) -> None:
    """Raise UnfitError if a confidence is not a number."""
    try:
        _ = [float(cell) for cell in cells]
    except ValueError:
        raise UnfitError from None


def linked_documents(mentions: LinkedColumns, collector: Collector) -> list[RawDocument]:
    """The documents; UnfitError if a span is repeated or empty."""
    document, start, end, entity, type, line = mentions
    if (end < start).any() or is_repeated(end, start, document.code):
        raise UnfitError
    kb = map_values(entity, lambda name: "" if _is_nil(name) else name)
    raw = []
    for name, rows in rows_by_value(document):
        columns = MentionColumns(start[rows], end[rows], renumber(entity, rows), line[rows])
        labels = {"type": renumber(type, rows), "kb": renumber(kb, rows)}
        raw.append(RawDocument(name, (), int(columns.line[0]), labels=labels, columns=columns))
    _note_cross(Counter(id for d in raw if d.columns for id in d.columns.entity.values), collector)
    return raw


def linked_corpus(
    format: str, data: bytes, mentions: Sequence[LinkedMention], collector: Collector
) -> Corpus:
    """The corpus; if a span has several lines, the one with the highest confidence counts."""
    documents: dict[str, dict[tuple[int, int], LinkedMention]] = {}
    for mention in mentions:
        spans = documents.setdefault(mention.document, {})
        other = spans.get((mention.start, mention.end))
        if other is None or mention.confidence > other.confidence:
            spans[mention.start, mention.end] = mention
    documents_of: Counter[str] = Counter()
    raw = []
    for name, spans in documents.items():
        kept = list(spans.values())
        documents_of.update({mention.entity for mention in kept})
        labels = {
            "type": [mention.type for mention in kept],
            "kb": ["" if _is_nil(mention.entity) else mention.entity for mention in kept],
        }
        listed = [RawMention(m.start, m.end, m.entity, m.line) for m in kept]
        raw.append(RawDocument(name, listed, kept[0].line, labels=labels))
    _note_cross(documents_of, collector)
    return building.make_corpus(format, data, raw, collector, "character")


def _note_cross(documents_of: "Counter[str]", collector: Collector) -> None:
    """Report the entities that are in more than one document."""
    if number := sum(documents > 1 for documents in documents_of.values()):
        collector.note("cross-document", number=number)


def _is_nil(entity: str) -> bool:
    """Whether an id is not in the knowledge base."""
    return entity.startswith(_NIL)


def topic_of(name: str) -> str:
    """The same topic for all documents, as an id means the same entity in the whole corpus."""
    del name
    return "corpus"


HOLDS = frozenset({"singletons", "names", "crossing", "type", "kb"})
"""What TAC files hold besides spans and entities."""


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many mentions have a text, a confidence or further cells, none of which is read."""
    del path, reading
    numbers: Counter[str] = Counter()
    for line in lines_of(data):
        cells = line.split("\t")
        numbers.update(
            _UNREAD.get(number, f"column {number + 1}")
            for number, cell in enumerate(cells)
            if (number in _UNREAD or number >= _CELLS) and cell.strip()
        )
    return dict(numbers)


FORMAT = Format(
    "tac-edl",
    "TAC EDL tables",
    parse,
    unit="character",
    holds=HOLDS,
    suffixes=(".tab.txt", ".tab"),
    count_unread=count_unread,
    topic=topic_of,
    shared_ids=are_written,
)

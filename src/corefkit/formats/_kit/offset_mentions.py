"""Mentions of LDC's XML: offsets into a source that may stand beside the file, and their texts."""

from collections.abc import Sequence
from html import unescape
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.incidents import Collector
from corefkit.core.source import Column
from corefkit.formats._kit import building
from corefkit.formats._kit.building import MentionColumns, RawDocument, RawMention
from corefkit.formats._kit.byte_columns import ByteColumn, UnfitError, renumber
from corefkit.formats._kit.utf16 import character_places
from corefkit.formats._kit.xml.record_tables import FieldColumn, Records

ENTITIES, EVENTS = "entities", "events"
"""The layers of such a file."""


class OffsetMention(NamedTuple):
    """A mention: its span and its head, ends not included, its text and its labels.

    The span is None where the file gives no whole numbers.
    """

    entity: str
    span: tuple[int, int] | None
    text: str
    line: int
    type: str = ""
    realis: str = ""
    head: tuple[int, int] | None = None


class OffsetColumns(NamedTuple):
    """The mentions of a file in columns: their spans, ends not included, their texts and labels.

    `head` is int64 (mentions, 2), −1 for mentions without one.
    """

    entity: Column
    type: Column
    start: IntArray
    end: IntArray
    head: IntArray | None
    text: FieldColumn
    line: IntArray

    @classmethod
    def of(
        cls, records: Records, table: str, group: str, attributes: tuple[str, str], *, length: bool
    ) -> "OffsetColumns":
        """The mentions of a table in scopes that are a group; UnfitError where a place is odd.

        The fields of the table are a place, a text and the place of a head; the attributes of a
        scope are its id and its type.
        """
        pieces = records.tables[table].pieces
        scopes = records.scopes
        is_group = np.array([scope.name == group for scope in scopes] + [False], dtype=bool)
        rows = np.flatnonzero(is_group[pieces.scope])
        fields = [column.take(rows) for column in pieces.fields.values()]
        if not len(rows):
            raise UnfitError
        scope = pieces.scope[rows]
        id, type = attributes
        ids = Column.of([s.attributes.get(id) or f"{s.name} {s.line}" for s in scopes])
        types = Column.of([s.attributes.get(type, "") for s in scopes])
        start, end = _ends(fields[0], fields[1], length=length)
        given = np.flatnonzero(fields[3].start >= 0)
        head = None
        if len(given) or (fields[4].start >= 0).any():
            head = np.full((len(rows), 2), -1)
            begin, behind = (column.take(given) for column in fields[3:])
            head[given, 0], head[given, 1] = _ends(begin, behind, length=length)
            if ((fields[4].start >= 0) != (fields[3].start >= 0)).any():
                raise UnfitError
        return cls(
            renumber(Column(ids.code[scope], ids.values), slice(None)),
            renumber(Column(types.code[scope], types.values), slice(None)),
            start,
            end,
            head,
            fields[2],
            pieces.line[rows],
        )

    def agrees(self, text: str | None) -> bool:
        """Whether every mention is in a text, if it is known, and says what stands there."""
        if text is None or (self.end <= self.start).any() or (self.end > len(text)).any():
            return text is None and bool((self.end > self.start).all())
        data = text.encode("utf-8")
        place = character_places(data)
        there = ByteColumn(np.frombuffer(data, dtype=np.uint8), place[self.start], place[self.end])
        if (self.text.start < 0).any():
            return False
        other = np.flatnonzero(~self.text.equals(there, lambda joined: joined))
        said = self.text.take(other).values()
        return all(
            agrees(one, another or "")
            for one, another in zip(there.take(other).texts(), said, strict=True)
        )

    def document(self, name: str, text: str | None) -> RawDocument:
        """The document."""
        minimum = None if self.head is None else self.head - np.where(self.head >= 0, [0, 1], 0)
        columns = MentionColumns(self.start, self.end - 1, self.entity, self.line, minimum)
        return RawDocument(name, (), text=text, labels={"type": self.type}, columns=columns)


def _ends(first: FieldColumn, last: FieldColumn, *, length: bool) -> tuple[IntArray, IntArray]:
    """Begin and end, which is not included, of spans, as `span_of` reads each."""
    begin, other = first.sound().numbers(), last.sound().numbers()
    return begin, begin + other if length else other + 1


def spans_of(
    first: Sequence[str | None], last: Sequence[str | None], *, length: bool = False
) -> list[tuple[int, int] | None]:
    """The spans that two columns of attributes say, as `span_of` does."""
    pairs = zip(building.whole_numbers(first), building.whole_numbers(last), strict=True)
    return [None if a is None or b is None else (a, a + b if length else b + 1) for a, b in pairs]


def span_of(first: str | None, last: str | None, *, length: bool = False) -> tuple[int, int] | None:
    """The span that two attributes say: both ends included, or an offset and a length."""
    begin, other = building.whole_number(first), building.whole_number(last)
    if begin is None or other is None:
        return None
    return (begin, begin + other) if length else (begin, other + 1)


def differing(mentions: Sequence[OffsetMention], text: str) -> int:
    """How many mentions have another text at their places."""
    return sum(
        mention.span is not None and not agrees(text[slice(*mention.span)], mention.text)
        for mention in mentions
    )


def agrees(text: str, said: str) -> bool:
    """Whether a text is what a file says, as it stands or with `&amp;` and the like decoded."""
    return building.same_text(text, said) or (
        "&" in text + said and building.same_text(unescape(text), unescape(said))
    )


def raw_document(
    name: str,
    mentions: Sequence[OffsetMention],
    text: str | None,
    collector: Collector,
    *,
    realis: bool = False,
) -> RawDocument:
    """The document; spans outside of the text are reported, and texts that differ."""
    kept, wrong = [], 0
    for mention in mentions:
        if not _is_inside(mention, text, collector):
            continue
        kept.append(mention)
        if text is not None and mention.span is not None:
            there = text[slice(*mention.span)]
            if not agrees(there, mention.text):
                wrong += building.note_difference(collector, mention.line, there, mention.text)
    building.judge_texts(wrong, len(mentions), collector)
    labels = {"type": [mention.type for mention in kept]}
    if realis:
        labels["realis"] = [mention.realis for mention in kept]
    rows = [
        RawMention(
            mention.span[0],
            mention.span[1] - 1,
            mention.entity,
            mention.line,
            minimum=None if mention.head is None else (mention.head[0], mention.head[1] - 1),
        )
        for mention in kept
        if mention.span is not None
    ]
    return RawDocument(name, rows, text=text, labels=labels)


def _is_inside(mention: OffsetMention, text: str | None, collector: Collector) -> bool:
    """Whether a mention has a place; what is wrong with it is reported."""
    if mention.span is None:
        expected = "an offset and an end or a length"
        collector.note("place-bad", at=mention.line, found=mention.text[:40], expected=expected)
        return False
    begin, end = mention.span
    shown = f"{begin} to {end}"
    if end <= begin:
        collector.note("span-empty", "text", at=mention.line, found=shown, expected="begin < end")
        return False
    if text is not None and end > len(text):
        building.note_outside(collector, mention.line, shown, len(text), "characters")
        return False
    return True


def note_no_mention(layer: str, collector: Collector) -> None:
    """Report a file without mentions of the layer that is read."""
    expected = f"mentions of the layer {layer}; --layer chooses {ENTITIES} or {EVENTS}"
    building.note_no_coreference(collector, "none", expected)


def note_unread(number: int, collector: Collector) -> None:
    """Report relations and the like, which are not read."""
    if number:
        collector.note("layer-dropped", "relations", number=number, count=number)

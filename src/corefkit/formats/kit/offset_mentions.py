"""The mentions of LDC's XML formats: offsets into a source text, and the text of each mention."""

from collections.abc import Sequence
from html import unescape
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import ByteArray, IntArray
from corefkit.core.incidents import Collector
from corefkit.core.source import Column
from corefkit.formats.kit import building
from corefkit.formats.kit.building import MentionColumns, RawDocument, RawMention
from corefkit.formats.kit.byte_columns import ByteColumn, UnfitError, renumber
from corefkit.formats.kit.xml.record_tables import FieldColumn, Records

ENTITIES, EVENTS = "entities", "events"
"""The layers of such a file, of which one is read."""


class OffsetMention(NamedTuple):
    """A mention: its span and its head, ends excluded, its text and its labels.

    The span is None if the file does not give whole numbers.
    """

    entity: str
    span: tuple[int, int] | None
    text: str
    line: int
    type: str = ""
    realis: str = ""
    head: tuple[int, int] | None = None


class OffsetColumns(NamedTuple):
    """The mentions of a file as columns: their spans, ends excluded, their texts and labels.

    `head` is int64 (mentions, 2), −1 for mentions without one; None if no mention has one.
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
        """The mentions of a table whose scope is a `group`; UnfitError if a place is malformed.

        The fields of the table are the two numbers of a place, a text, and the two numbers of a
        head; `attributes` are those with the id and the type of a scope.
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
            begin, second = (column.take(given) for column in fields[3:])
            head[given, 0], head[given, 1] = _ends(begin, second, length=length)
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
        """Whether every span is sound and, if the text is known, has the text of its mention."""
        if text is None or (self.end <= self.start).any() or (self.end > len(text)).any():
            return text is None and bool((self.end > self.start).all())
        data = text.encode("utf-8")
        place = character_places(data)
        in_text = ByteColumn(
            np.frombuffer(data, dtype=np.uint8), place[self.start], place[self.end]
        )
        if (self.text.start < 0).any():
            return False
        rows = np.flatnonzero(~self.text.equals(in_text, lambda joined: joined))
        given = self.text.take(rows).values()
        pairs = zip(in_text.take(rows).texts(), given, strict=True)
        return all(agrees(text, mention or "") for text, mention in pairs)

    def document(self, name: str, text: str | None) -> RawDocument:
        """The document, with the heads of mentions as their minimum spans."""
        minimum = None if self.head is None else self.head - np.where(self.head >= 0, [0, 1], 0)
        columns = MentionColumns(self.start, self.end - 1, self.entity, self.line, minimum)
        return RawDocument(name, (), text=text, labels={"type": self.type}, columns=columns)


def _ends(first: FieldColumn, last: FieldColumn, *, length: bool) -> tuple[IntArray, IntArray]:
    """The begin and the end (excluded) of spans, as `span_of` reads each."""
    begin, second = first.sound().numbers(), last.sound().numbers()
    return begin, begin + second if length else second + 1


def character_places(data: bytes) -> IntArray:
    """int64 (characters + 1,): the byte at which each character of a text in UTF-8 begins.

    >>> character_places("aéb".encode()).tolist()
    [0, 1, 3, 4]
    """
    if data.isascii():
        return np.arange(len(data) + 1)
    buffer: ByteArray = np.frombuffer(data, dtype=np.uint8)
    return np.append(np.flatnonzero(buffer & 0xC0 != 0x80), len(data))


def spans_of(
    first: Sequence[str | None], last: Sequence[str | None], *, length: bool = False
) -> list[tuple[int, int] | None]:
    """The spans given by two columns of attributes, as `span_of` reads each."""
    pairs = zip(building.whole_numbers(first), building.whole_numbers(last), strict=True)
    return [None if a is None or b is None else (a, a + b if length else b + 1) for a, b in pairs]


def span_of(first: str | None, last: str | None, *, length: bool = False) -> tuple[int, int] | None:
    """The span, end excluded, of two attributes: first and last character, or offset and length."""
    begin, second = building.whole_number(first), building.whole_number(last)
    if begin is None or second is None:
        return None
    return (begin, begin + second) if length else (begin, second + 1)


def differing(mentions: Sequence[OffsetMention], text: str) -> int:
    """How many mentions differ from the text at their places."""
    return sum(
        mention.span is not None and not agrees(text[slice(*mention.span)], mention.text)
        for mention in mentions
    )


def agrees(text: str, given: str) -> bool:
    """Whether a text is the one given in the file, literally or with `&amp;` and so on decoded."""
    return building.same_text(text, given) or (
        "&" in text + given and building.same_text(unescape(text), unescape(given))
    )


def raw_document(
    name: str,
    mentions: Sequence[OffsetMention],
    text: str | None,
    collector: Collector,
    *,
    realis: bool = False,
) -> RawDocument:
    """The document; spans outside of the text and texts that differ are reported."""
    kept, differences = [], 0
    for mention in mentions:
        if not _is_inside(mention, text, collector):
            continue
        kept.append(mention)
        if text is not None and mention.span is not None:
            in_text = text[slice(*mention.span)]
            if not agrees(in_text, mention.text):
                differences += building.note_difference(
                    collector, mention.line, in_text, mention.text
                )
    building.judge_texts(differences, len(mentions), collector)
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
    """Whether a mention has a place in the text; problems are reported."""
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
    """Report a file without mentions in the layer that is read."""
    expected = f"mentions of the layer {layer}; --layer chooses {ENTITIES} or {EVENTS}"
    building.note_no_coreference(collector, "none", expected)


def note_unread(number: int, collector: Collector) -> None:
    """Report relations and other annotations that are not read."""
    if number:
        collector.note("layer-dropped", "relations", number=number, count=number)

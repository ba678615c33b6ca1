"""The markables of a layer: brackets with features, paired and joined by name.

A markable opens with `(` and its features, and closes with `)`, perhaps with its name before it.
One that is opened several times under the same name has gaps. Its Min is one token, `7`, or
several, `7,9`.
"""

import re
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, ByteArray, IntArray, tuples
from corefkit.core.carriers import frozen
from corefkit.core.incidents import LISTED
from corefkit.core.texts import quote, shorten
from corefkit.formats.columns.brackets import CLOSE, OPEN, pair_brackets
from corefkit.formats.columns.buffer import RowIncidents, read_numbers, strip
from corefkit.formats.conllua.bracket_features import FeatureMarks, MarkableNames, TextReader
from corefkit.formats.conllua.rows import LayerCells, TextBounds
from corefkit.formats.kit.files import AS_THEY_ARE

FEATURES = {
    "entity": ("entityid",),
    "markable": ("markableid", "mentionid", "markable_id"),
    "min": ("min",),
    "elementof": ("elementof",),
}
"""The features that are read, and their spellings in lower case."""

_OPEN, _CLOSE = b"()"
_JOINTS = b"@ "
"""The characters allowed between brackets."""
_COMMA = ord(",")
_NUMBERS = re.compile(r"\s*(\d{1,18})\s*(?:,\s*(\d{1,18})\s*(?:,\s*\d+\s*)*)?")
Fragment = tuple[int, int]
"""The first and the last token of a part of a markable."""


@frozen(eq=False)
class Markables:
    """The complete markables of a layer, in the order of their first openings.

    Attributes:
        opening: int64 (markables,), the first opening of each.
        document, start, end: int64 (markables,), its document, first and last token.
        zero: int64 (markables,), 0, or the number of the zero that it is.
        fragments: the parts, in order, of each markable that was opened several times.
        row: int64 (openings,), the markable of each opening; −1 if it has none.
        names: the MarkableIDs of all openings.
    """

    opening: IntArray
    document: IntArray
    start: IntArray
    end: IntArray
    zero: IntArray
    fragments: dict[int, list[Fragment]]
    row: IntArray
    names: MarkableNames


class LayerIncidents:
    """Notes the incidents of one column, given a byte and the number of a document."""

    def __init__(self, collector: RowIncidents, column: str, names: tuple[str, ...]) -> None:
        self.collector, self._column, self._names = collector, column, names

    def note(
        self, kind: str, variant: str = "", *, byte: int, document: int, **details: Any
    ) -> None:
        """Note an incident at a byte; the message may name the layer."""
        at, name = self.collector.at_byte(byte), self._names[document]
        self.collector.note(kind, variant, at, layer=self._column, document=name, **details)


@frozen(eq=False)
class Openings:
    """The opening brackets, in the order of the file.

    Attributes:
        cell: int64 (openings,), the cell of each.
        last: int64 (openings,), the cell in which it is closed; −1 if it never is.
        byte: int64 (openings,), its place in the file.
        text: the text after it.
        features: the values of FEATURES.
    """

    cell: IntArray
    last: IntArray
    byte: IntArray
    text: TextBounds
    features: dict[str, TextBounds]


class MarkableReader:
    """Turns openings into markables; openings that do not make one are reported."""

    def __init__(
        self, reader: TextReader, cells: LayerCells, openings: Openings, incidents: LayerIncidents
    ) -> None:
        self._reader, self._cells, self._incidents = reader, cells, incidents
        self._openings = openings
        self._document = cells.document[openings.cell]
        self._names = MarkableNames(
            reader.rows.buffer, self._document, openings.features["markable"]
        )

    def read(self) -> Markables:
        """The markables."""
        cells, openings = self._cells, self._openings
        usable = self._closed() & self._with_entity()
        groups = self._repeated()
        first = usable.copy()
        for group in groups:
            first[group] = False
            first[group[0]] = usable[group].all() and not self._has_zero(group)
        opening = np.flatnonzero(first)
        row = np.where(first, np.cumsum(first) - 1, -1)
        start = cells.token[openings.cell[opening]]
        end = cells.token[openings.last[opening]]
        fragments = {}
        for group in groups:
            markable = row[group] = row[group[0]]
            if markable >= 0:
                bounds = openings.cell[group], openings.last[group]
                tokens = zip(*(cells.token[cell].tolist() for cell in bounds), strict=True)
                parts = fragments[int(markable)] = sorted(tokens)
                start[markable], end[markable] = parts[0][0], max(last for _, last in parts)
        zero, document = cells.zero[openings.cell[opening]], self._document[opening]
        return Markables(opening, document, start, end, zero, fragments, row, self._names)

    def _closed(self) -> BoolArray:
        """bool (openings,): which are closed; a zero must be opened and closed in one row."""
        cells, openings = self._cells, self._openings
        closed = openings.last >= 0
        for opening in np.flatnonzero(~closed).tolist():
            begin, name = int(openings.cell[opening]), self._text("markable", opening)
            if cells.zero[begin]:
                self._note("zero-in-mention", opening, "starts", zero=self._zero(begin))
            else:
                variant = "named" if name else "nameless"
                self._note("bracket-unclosed", opening, variant, name=quote(name))
        if cells.zero.any():
            zero = (cells.zero[openings.cell] > 0) | (cells.zero[openings.last] > 0)
            for opening in np.flatnonzero(
                closed & zero & (openings.cell != openings.last)
            ).tolist():
                begin, end = int(openings.cell[opening]), int(openings.last[opening])
                where, verb = (begin, "starts") if cells.zero[begin] else (end, "ends")
                byte, document = int(cells.text.begin[where]), int(cells.document[where])
                zero_id = self._zero(where)
                self._incidents.note(
                    "zero-in-mention", verb, byte=byte, document=document, zero=zero_id
                )
                closed[opening] = False
        return closed

    def _with_entity(self) -> BoolArray:
        """bool (openings,): which have an EntityID; others are reported."""
        entity = self._openings.features["entity"]
        named: BoolArray = entity.end > entity.begin
        for opening in np.flatnonzero(~named).tolist():
            text = self._reader.decode_one(self._openings.text, opening)
            self._note("feature-missing", opening, found=partial(shorten, text))
        return named

    def _repeated(self) -> list[list[int]]:
        """The groups of several openings with the same MarkableID and EntityID."""
        groups = []
        for openings in self._names.repeated():
            if not self._text("markable", openings[0]):
                continue
            group = openings[:1]
            for opening in openings[1:]:
                if self._text("entity", group[0]) != self._text("entity", opening):
                    self._note_two_entities(group[0], opening)
                    groups.append(group)
                    group = []
                group.append(opening)
            groups.append(group)
        return [group for group in groups if len(group) > 1]

    def _note_two_entities(self, known: int, opening: int) -> None:
        """Report a MarkableID that has another EntityID in a later opening."""
        line = self._incidents.collector.line_of(int(self._openings.byte[known])) + 1
        self._note(
            "markable-in-two-entities",
            opening,
            name=quote(self._text("markable", known)),
            first=quote(self._text("entity", known)),
            first_line=line,
            second=quote(self._text("entity", opening)),
        )

    def _has_zero(self, group: list[int]) -> bool:
        """Whether a fragment is a zero; such fragments are reported."""
        cells, openings = self._cells, self._openings
        zeros = [opening for opening in group if cells.zero[openings.cell[opening]]]
        for opening in zeros:
            zero = self._zero(int(openings.cell[opening]))
            name = quote(self._text("markable", opening))
            self._note("zero-in-mention", opening, "fragment", name=name, zero=zero)
        return bool(zeros)

    def _zero(self, cell: int) -> str:
        """The id of the zero of a cell."""
        return self._reader.rows.text(int(self._cells.row[cell]), 0)

    def _text(self, feature: str, opening: int) -> str:
        return self._reader.decode_one(self._openings.features[feature], opening)

    def _note(self, kind: str, opening: int, variant: str = "", **details: Any) -> None:
        byte, document = int(self._openings.byte[opening]), int(self._document[opening])
        self._incidents.note(kind, variant, byte=byte, document=document, **details)


class _LayerBrackets(NamedTuple):
    """All brackets: their cells and places, whether they open, and the texts around each.

    `before` is empty if the bracket follows the features of an opening. `after` has the features of
    an opening; for a closing bracket it is empty if another bracket follows in the cell.
    """

    cell: IntArray
    place: IntArray
    opens: BoolArray
    before: TextBounds
    after: TextBounds


def read_brackets(reader: TextReader, cells: LayerCells, incidents: LayerIncidents) -> Openings:
    """The openings of a layer; brackets without a partner and text outside them are reported."""
    marks = reader.find_marks(cells.text)
    brackets = _find_brackets(reader, cells, marks)
    for cell, outside in _outside(reader, cells, brackets):
        byte, document = int(cells.text.begin[cell]), int(cells.document[cell])
        incidents.note(
            "coreference-text",
            "layer",
            byte=byte,
            document=document,
            found=partial(shorten, outside),
        )
    features = reader.features(marks, cells.text, marks.byte == _OPEN, FEATURES)
    last = _closing_cells(reader, cells, brackets, features["markable"], incidents)
    opening = np.flatnonzero(brackets.opens)
    text = brackets.after.take(opening)
    return Openings(brackets.cell[opening], last, brackets.place[opening], text, features)


def _find_brackets(reader: TextReader, cells: LayerCells, marks: FeatureMarks) -> _LayerBrackets:
    """All brackets of the cells."""
    parentheses = np.flatnonzero(marks.byte <= _CLOSE)
    cell, place = marks.text[parentheses], marks.place[parentheses]
    opens = marks.byte[parentheses] == _OPEN
    is_first = np.append(True, cell[1:] != cell[:-1])[: len(cell)]
    is_last = np.append(is_first[1:], True)[: len(cell)]
    after_features = np.append(False, opens)[:-1] & ~is_first
    begin = np.where(is_first, cells.text.begin[cell], np.append(0, place + 1)[:-1])
    end = np.where(is_last, cells.text.end[cell], np.append(place, 0)[1:])
    buffer = reader.rows.buffer
    before = strip(buffer, np.where(after_features, place, begin), place, _JOINTS)
    after = strip(buffer, place + 1, np.where(opens | is_last, end, place + 1), _JOINTS)
    return _LayerBrackets(cell, place, opens, TextBounds(*before), TextBounds(*after))


def _outside(
    reader: TextReader, cells: LayerCells, brackets: _LayerBrackets
) -> list[tuple[int, str]]:
    """The cells with text that does not belong to a bracket, and this text; usually none."""
    before, after = brackets.before, brackets.after
    opening = np.flatnonzero(brackets.opens & (before.end > before.begin))
    closing = np.flatnonzero(~brackets.opens & (after.end > after.begin))
    is_bare = np.ones(len(cells.row), dtype=bool)
    is_bare[brackets.cell] = False
    bare = np.flatnonzero(is_bare)
    whole = strip(reader.rows.buffer, *cells.text.take(bare), _JOINTS)
    return sorted(
        (cell, text.decode("utf-8", AS_THEY_ARE))
        for where, texts in (
            (brackets.cell[opening], before.take(opening)),
            (brackets.cell[closing], after.take(closing)),
            (bare, TextBounds(*whole)),
        )
        for cell, text in zip(where.tolist(), reader.raw(texts), strict=True)
        if text
    )


def _closing_cells(
    reader: TextReader,
    cells: LayerCells,
    brackets: _LayerBrackets,
    names: TextBounds,
    incidents: LayerIncidents,
) -> IntArray:
    """int64 (openings,): the cell in which each is closed; −1 if it never is."""
    named = ~brackets.opens & (brackets.before.end > brackets.before.begin)
    if named.any():
        return _close_by_name(reader, cells, brackets, names, incidents)
    document = cells.document[brackets.cell]
    paired = pair_brackets(np.where(brackets.opens, OPEN, CLOSE), document)
    for number in paired.unopened:
        place, number_of_document = int(brackets.place[number]), int(document[number])
        incidents.note(
            "bracket-unopened", "nameless", byte=place, document=number_of_document, name=quote("")
        )
    last = np.full(len(brackets.cell), -1)
    last[paired.first] = brackets.cell[paired.last]
    return last[brackets.opens]


def _close_by_name(
    reader: TextReader,
    cells: LayerCells,
    brackets: _LayerBrackets,
    names: TextBounds,
    incidents: LayerIncidents,
) -> IntArray:
    """Like `_closing_cells`, one by one: with names, markables may be closed in any order."""
    opened, closed = reader.raw(names), reader.raw(brackets.before)
    last = np.full(len(opened), -1)
    stack, number, document = _OpenMarkables(), 0, -1
    rows = brackets.cell, cells.document[brackets.cell], brackets.opens, brackets.place
    columns = zip(*(column.tolist() for column in rows), closed, strict=True)
    for cell, its_document, opens, place, name in columns:
        if its_document != document:
            stack, document = _OpenMarkables(), its_document
        if opens:
            stack.push(number, opened[number])
            number += 1
        elif (opening := stack.pop(name)) is not None:
            last[opening] = cell
        else:
            variant = "named" if name else "nameless"
            quoted = quote(name.decode("utf-8", AS_THEY_ARE))
            incidents.note("bracket-unopened", variant, byte=place, document=document, name=quoted)
    return last


class _OpenMarkables:
    """The openings of a document that are not closed yet; those with a name may be closed first."""

    def __init__(self) -> None:
        self._waiting: list[int] = []
        self._named: dict[bytes, list[int]] = {}
        self._closed: set[int] = set()

    def push(self, opening: int, name: bytes) -> None:
        self._waiting.append(opening)
        if name:
            self._named.setdefault(name, []).append(opening)

    def pop(self, name: bytes) -> int | None:
        """The opening that is closed: the last one, or the last with this name; None if none is."""
        waiting = self._named.get(name, []) if name else self._waiting
        while waiting:
            opening = waiting.pop()
            if opening not in self._closed:
                self._closed.add(opening)
                return opening
        return None


def read_minima(
    reader: TextReader,
    values: TextBounds,
    markables: Markables,
    byte: IntArray,
    incidents: LayerIncidents,
) -> IntArray:
    """int64 (markables, 2): first and last token of Min, from 0; −1 if there is none.

    A Min outside of its markable is kept, but reported; so is one that cannot be read. The Min of a
    zero is not read.
    """
    minimum = np.full((len(byte), 2), -1)
    rows = np.flatnonzero((values.begin >= 0) & (markables.zero == 0))
    low, high, readable = _numbers(reader.rows.buffer, values.take(rows))
    for at in np.flatnonzero(~readable).tolist():
        markable = int(rows[at])
        text = reader.decode_one(values, markable)
        if match := _NUMBERS.fullmatch(text):
            low[at], high[at], readable[at] = int(match[1]), int(match[2] or match[1]), True
            continue
        document = int(markables.document[markable])
        incidents.note(
            "min-unreadable", byte=int(byte[markable]), document=document, minimum=quote(text)
        )
    rows = rows[readable]
    minimum[rows, 0], minimum[rows, 1] = low[readable] - 1, high[readable] - 1
    outside = rows[~_inside(markables, minimum, rows)]
    some = outside[:LISTED]
    columns = byte, markables.document, markables.start + 1, markables.end + 1
    places = list(tuples(*(column[some] for column in columns)))
    texts = reader.decode(values.take(some))
    for number in incidents.collector.listed("min-outside", range(len(outside))):
        at, document, first, last = places[number]
        tokens = f"token {first}" if first == last else f"tokens {first} to {last}"
        incidents.note(
            "min-outside", byte=at, document=document, minimum=texts[number], tokens=tokens
        )
    return minimum


def _numbers(buffer: ByteArray, values: TextBounds) -> tuple[IntArray, IntArray, BoolArray]:
    """The one or two numbers of each value, and which values consist of just these."""
    low, stop = read_numbers(buffer, values.begin)
    readable = (stop > values.begin) & (stop == values.end)
    high = low.copy()
    pair = np.flatnonzero((stop > values.begin) & (stop < values.end))
    pair = pair[buffer[stop[pair]] == _COMMA]
    high[pair], end = read_numbers(buffer, stop[pair] + 1)
    readable[pair] = (end > stop[pair] + 1) & (end == values.end[pair])
    return low, high, readable


def _inside(markables: Markables, minimum: IntArray, rows: IntArray) -> BoolArray:
    """bool (rows,): which of these markables contain their Min."""
    low, high = minimum[rows].T
    inside: BoolArray = (
        (low <= high) & (markables.start[rows] <= low) & (high <= markables.end[rows])
    )
    for row, fragments in markables.fragments.items():
        at = int(np.searchsorted(rows, row))
        if at < len(rows) and rows[at] == row and inside[at]:
            words = {t for a, b in fragments for t in range(a, b + 1)}
            inside[at] = words.issuperset(range(int(low[at]), int(high[at]) + 1))
    return inside

"""Shapes of XML elements: the ways in which programs write them, and which elements have each.

A shape is learned from the first element of its kind; all others are compared with it byte by byte,
without a Python call for each of them.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from corefkit.core.arrays import BoolArray, ByteArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.formats.kit.byte_columns import UnfitError
from corefkit.formats.kit.xml.marks import (
    DEEPEST,
    GREATER,
    SLASH,
    MarkTable,
    NamespaceTable,
    XmlTag,
    read_tag,
)
from corefkit.formats.kit.xml.record_tables import FieldColumn, RecordKind


@frozen(eq=False)
class RecordShape:
    """One way to write an element, between its marks.

    Attributes:
        marks: its marks.
        literals: number of a mark → the text after it, if that is always the same.
        blanks: the numbers of marks that are followed by blanks only.
        places: field → the number of the mark before its value; −1 if the value is empty.
        tags: its tags.
    """

    marks: ByteArray
    literals: Mapping[int, bytes]
    blanks: Sequence[int]
    places: Mapping[str, int]
    tags: Sequence[XmlTag]

    def fits(self, table: MarkTable, first: IntArray) -> BoolArray:
        """bool (elements,): which of the elements that begin at these marks have this shape.

        The first is the one from which the shape was learned.
        """
        if len(first) == 1:
            return np.ones(1, dtype=bool)
        name = self.literals[0]
        start = table.place.take(first) + 1
        fine: BoolArray = table.place.take(first + 1) - start == len(name)
        fine[fine] = table.has(start[fine], name)
        rows = np.flatnonzero(fine)
        if table.cut is None:
            rows = rows[~self._fits_exactly(table, first[rows])]
        if len(rows):
            fine[rows] = self._fits_by_mark(table, first[rows])
        return fine

    def _fits_exactly(self, table: MarkTable, first: IntArray) -> BoolArray:
        """Like `fits`, for elements whose blanks are the same, too."""
        fine: BoolArray = np.ones(len(first), dtype=bool)
        last = len(self.marks) - 1
        fixed = {*self.literals, *self.blanks}
        example = table.place[int(first[0]) : int(first[0]) + last + 1].tolist()
        begin = 0
        for number in range(last + 1):
            if number < last and number in fixed:
                continue
            start = table.place.take(first + begin)
            if number > begin:
                size = example[number] - example[begin]
                fine &= table.place.take(first + number) - start == size
            text = table.data[example[begin] : example[number] + 1]
            fine &= table.has(start, text)
            begin = number + 1
        return fine

    def _fits_by_mark(self, table: MarkTable, first: IntArray) -> BoolArray:
        """Like `fits`, mark by mark."""
        fine: BoolArray = np.ones(len(first), dtype=bool)
        begin = table.place.take(first) + 1
        for number, mark in enumerate(self.marks.tolist()[1:]):
            following = first + (number + 1)
            end = table.place.take(following)
            fine &= table.mark.take(following) == mark
            text = self.literals.get(number)
            if text is not None:
                fine &= end - begin == len(text)
                if text:
                    fine &= table.has(begin, text)
            elif number in self.blanks:
                blank = table.is_blank(begin, end)
                if table.cut is not None:
                    blank |= table.cut.take(first + number)
                fine &= blank
            begin = end + 1
        return fine

    def field(self, name: str, table: MarkTable, first: IntArray) -> tuple[IntArray, IntArray]:
        """Where the values of a field begin and end."""
        if name not in self.places:
            missing = np.full(len(first), -1)
            return missing, missing
        if self.places[name] < 0:
            return table.place[first], table.place[first]
        mark = first + self.places[name]
        return table.place[mark] + 1, table.place[mark + 1]


class ShapeLearner:
    """Learns the shape of an element from its marks."""

    def __init__(self, table: MarkTable, kind: RecordKind | None, names: "NamespaceTable") -> None:
        self._table, self._kind, self._names = table, kind, names
        self._literals: dict[int, bytes] = {}
        self._blanks: list[int] = []
        self._places: dict[str, int] = {}
        self._open: list[tuple[str, tuple[str, ...]]] = []
        self._tags: list[XmlTag] = []

    def learn(self, first: int, last: int) -> RecordShape:
        """The shape of the element between two marks; if there is no kind, of a single tag."""
        mark = self._table.mark[first : last + 1]
        ends = np.flatnonzero(mark == GREATER).tolist()
        begin = 0
        for end in ends:
            tag = self._add_tag(first, begin, end)
            if end < len(mark) - 1:
                self._add_text(first, end, tag)
            begin = end + 1
        if self._kind is not None and self._open:
            raise UnfitError
        return RecordShape(mark, self._literals, self._blanks, self._places, self._tags)

    def _add_tag(self, first: int, begin: int, end: int) -> XmlTag:
        tag, literals = read_tag(self._table, first + begin, first + end)
        self._literals |= {begin + 2 * number: text for number, text in enumerate(literals)}
        local = [self._names.resolve(name, "")[1] for name in tag.attributes]
        name = self._names.resolve(tag.raw)[1]
        if len({*local}) < len(local):
            raise UnfitError
        self._tags.append(tag)
        if self._kind is None:
            self._places |= {name: begin + 1 + 2 * n for n, name in enumerate(local)}
            return tag
        if tag.ends:
            if not self._open or self._open.pop()[0] != tag.raw:
                raise UnfitError
            return tag
        if len(self._tags) > 1 and not self._open:
            raise UnfitError
        path = (*self._open[-1][1], name) if self._open else ()
        for number, attribute in enumerate(local):
            field = self._kind.field(path, f"@{attribute}")
            if ":" in tag.attributes[number] and not self._may_have_prefix(field):
                raise UnfitError
            self._put(field, begin + 1 + 2 * number)
        if tag.empty:
            self._put(self._kind.field(path, ""), -1)
        else:
            self._open.append((tag.raw, path))
        if len(self._open) > DEEPEST:
            raise UnfitError
        return tag

    def _add_text(self, first: int, end: int, tag: XmlTag) -> None:
        """Learn the text between a tag and the next one."""
        assert self._kind is not None
        table, at = self._table, first + end
        starts = not tag.ends and not tag.empty
        field = self._kind.field(self._open[-1][1], "") if starts else None
        is_leaf = starts and table.buffer[table.place[at + 1] + 1] == SLASH
        if is_leaf and (table.cut is None or not table.cut[at]):
            self._put(field, end)
        elif field is not None:
            raise UnfitError
        else:
            self._blanks.append(end)

    def _may_have_prefix(self, field: str | None) -> bool:
        """Whether the attribute of a field may have a prefix."""
        assert self._kind is not None
        return field is None or self._kind.prefixed is None or field in self._kind.prefixed

    def _put(self, field: str | None, place: int) -> None:
        if field in self._places:
            raise UnfitError
        if field is not None:
            self._places[field] = place


def fields_of(
    shapes: "list[tuple[RecordShape, IntArray]]",
    table: MarkTable,
    first: IntArray,
    names: Sequence[str],
) -> dict[str, FieldColumn]:
    """The values of each field in all rows."""
    fields = {}
    for name in names:
        if len(shapes) == 1:
            start, end = shapes[0][0].field(name, table, first)
        else:
            start, end = np.full(len(first), -1), np.full(len(first), -1)
            for shape, rows in shapes:
                start[rows], end[rows] = shape.field(name, table, first[rows])
        fields[name] = FieldColumn(table.buffer, start, end, table.coded)
    return fields

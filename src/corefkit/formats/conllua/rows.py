"""The rows of a CoNLL-UA file as arrays: where their cells are, which are tokens, which zeros."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from corefkit.data.arrays import BoolArray, ByteArray, IntArray
from corefkit.formats.conll.lines import find_byte, find_bytes

LAYERS = {"identity": "IDENTITY", "deixis": "DISCOURSE_DEIXIS"}
"""What the layers are called in options, and their columns."""

_USUAL = {"IDENTITY": 10, "BRIDGING": 11, "DISCOURSE_DEIXIS": 12}
"""Where columns stand that no header names."""

_DOT, _ZERO, _NOTHING, _PARENTHESIS, _BAR, _EQUALS = b".0_(|="
_LONGEST_ID = 24
"""A dot further on in the first cell makes no zero: it is no number at all."""


@dataclass(frozen=True)
class Header:
    """A `# global.columns` line: its line, counted from 0, and the names of the columns."""

    line: int
    names: tuple[str, ...]


class Comments(NamedTuple):
    """The lines that begin with `#`, and where the text behind it begins and ends, in bytes."""

    line: IntArray
    begin: IntArray
    end: IntArray


@dataclass(frozen=True, eq=False)
class Rows:
    """The lines of a file that are neither blank nor comments; lines count from 0.

    Attributes:
        data, buffer: the bytes, and as uint8.
        start: int64 (lines,), where each line begins.
        blank: int64, the lines without text; they end sentences.
        comments: the lines that begin with `#`.
        line, begin, end: int64 (rows,), the line of each row, and its text without blanks around.
        left, right: int64 (separators,), the first and the last byte of what separates cells;
            line ends may stand among them.
        first, cells: int64 (rows,), the number of its first separator, and how many cells it has.
        headers: the `# global.columns` lines.
    """

    data: bytes
    buffer: ByteArray
    start: IntArray
    blank: IntArray
    comments: Comments
    line: IntArray
    begin: IntArray
    end: IntArray
    left: IntArray
    right: IntArray
    first: IntArray
    cells: IntArray
    headers: tuple[Header, ...]

    @cached_property
    def _id_end(self) -> IntArray:
        if not len(self.left):
            return self.end
        first = self.left[np.minimum(self.first, len(self.left) - 1)]
        return np.where(self.cells > 1, first, self.end)

    @cached_property
    def zero(self) -> BoolArray:
        """bool (rows,): those that are zeros, with a dot in their ID."""
        found = np.zeros(len(self.line), dtype=bool)
        dot = find_byte(self.buffer, _DOT)
        if len(dot) and len(found):
            row = np.searchsorted(self.begin, dot, side="right") - 1
            far = np.minimum(self._id_end, self.begin + _LONGEST_ID)
            found[row[(row >= 0) & (dot < far[row])]] = True
        return found

    @cached_property
    def token(self) -> BoolArray:
        """bool (rows,): those that are tokens: no zeros, and no objects, whose ID is 0."""
        found: BoolArray = ~self.zero
        thing = np.flatnonzero(self.buffer[self.begin] == _ZERO)
        found[thing[self._id_end[thing] - self.begin[thing] == 1]] = False
        return found

    @cached_property
    def node(self) -> BoolArray:
        """bool (rows,): tokens and zeros."""
        return self.token | self.zero

    @cached_property
    def mark(self) -> IntArray:
        """int64: where the file has `(`, `)`, `|` and `=`."""
        # `(` and `)` differ in the lowest bit.
        return find_bytes(
            self.buffer, lambda b: (b & 0xFE == _PARENTHESIS) | (b == _BAR) | (b == _EQUALS)
        )

    @cached_property
    def sentence(self) -> IntArray:
        """int64 (rows,): a number that grows from sentence to sentence."""
        return np.searchsorted(self.blank, self.line)

    def column(self, name: str) -> IntArray:
        """int64 (rows,): the number of a column, as the header before each row has it."""
        places = [_place(header, name) for header in self.headers]
        if len(set(places)) < 2:
            return np.full(len(self.line), places[0] if places else _place(None, name))
        starts = np.array([header.line for header in self.headers], dtype=np.int64)
        known = np.array([places[0], *places], dtype=np.int64)
        return known[np.searchsorted(starts, self.line)]

    def filled(self, name: str) -> tuple[IntArray, IntArray, IntArray]:
        """The cells of a column, of tokens and zeros, that hold something: row, first byte, end."""
        column = self.column(name)
        row = np.flatnonzero((column >= 0) & (column < self.cells) & self.node)
        every = slice(None) if len(row) == len(column) else row
        row = row[~self._plainly_empty(column[every], every)]
        begin, end = self._bounds(column[row], row)
        full = np.flatnonzero(end > begin)
        full = full[(end[full] - begin[full] > 1) | (self.buffer[begin[full]] != _NOTHING)]
        return row[full], begin[full], end[full]

    def _plainly_empty(self, column: IntArray, rows: IntArray | slice) -> BoolArray:
        """Whether a `_` stands between two separators, as in most cells; True only if so."""
        if not len(self.left):
            return np.zeros(len(column), dtype=bool)
        place = self.first[rows] + column
        begin = self.right[np.maximum(place - 1, 0)] + 1
        behind = self.left[np.minimum(place, len(self.left) - 1)]
        found: BoolArray = (self.buffer[begin] == _NOTHING) & (behind == begin + 1) & (column > 0)
        return found

    def bounds(self, column: int, rows: IntArray) -> tuple[IntArray, IntArray]:
        """Where a column of some rows begins and ends, in bytes; equal where they lack it."""
        begin, end = self._bounds(np.minimum(column, self.cells[rows] - 1), rows)
        return begin, np.where(self.cells[rows] > column, end, begin)

    def _bounds(self, column: IntArray, rows: IntArray) -> tuple[IntArray, IntArray]:
        if not len(self.left):
            return self.begin[rows], self.end[rows]
        top = len(self.left) - 1
        at = self.first[rows] + column
        before = self.right[np.maximum(at - 1, 0)] + 1
        begin = np.where(column > 0, before, self.begin[rows])
        last = column >= self.cells[rows] - 1
        return begin, np.where(last, self.end[rows], self.left[np.minimum(at, top)])

    def text(self, row: int, column: int) -> str:
        """One cell."""
        begin, end = self.bounds(column, np.array([row]))
        return self.data[int(begin[0]) : int(end[0])].decode("utf-8", "replace")


def _place(header: Header | None, name: str) -> int:
    """The number of a column; −1 where the header has so many columns and none of that name."""
    if header is None:
        return _USUAL.get(name, -1)
    if name in header.names:
        return header.names.index(name)
    usual = _USUAL.get(name, -1)
    return usual if usual >= len(header.names) else -1

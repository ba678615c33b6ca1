"""The rows of a CoNLL-UA file as arrays: where their cells are, which are tokens, which zeros."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corefkit.data.arrays import BoolArray, ByteArray, IntArray
from corefkit.formats.conll.lines import find_byte

LAYERS = {"identity": "IDENTITY", "deixis": "DISCOURSE_DEIXIS"}
"""What the layers are called in options, and their columns."""

_USUAL = {"IDENTITY": 10, "BRIDGING": 11, "DISCOURSE_DEIXIS": 12}
"""Where columns stand that no header names."""

_BOM = b"\xef\xbb\xbf"
_NEWLINE, _TAB, _BLANK, _RETURN, _HASH, _DOT, _ZERO, _NOTHING = b"\n\t \r#.0_"
_HEADER = re.compile(rb"(?:\xef\xbb\xbf)?#[ \t]*global\.columns[ \t]*=[ \t]*([^\r\n]*)")
_LONGEST_ID = 24
"""A dot further on in the first cell makes no zero: it is no number at all."""


@dataclass(frozen=True)
class Header:
    """A `# global.columns` line: its line, counted from 0, and the names of the columns."""

    line: int
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Rows:
    """The lines of a file that are neither blank nor comments; lines count from 0.

    Attributes:
        data, buffer: the bytes, and as uint8.
        start: int64 (lines,), where each line begins.
        line, begin, end: int64 (rows,), the line of each row, and its text without blanks around.
        left, right: int64 (separators,), the first and the last byte of what separates cells.
        first, cells: int64 (rows,), the number of its first separator, and how many cells it has.
        block: int64 (rows,), the number of the block of lines between blank lines.
        headers: the `# global.columns` lines.
    """

    data: bytes
    buffer: ByteArray
    start: IntArray
    line: IntArray
    begin: IntArray
    end: IntArray
    left: IntArray
    right: IntArray
    first: IntArray
    cells: IntArray
    block: IntArray
    headers: tuple[Header, ...]

    @cached_property
    def zero(self) -> BoolArray:
        """bool (rows,): those that are zeros, with a dot in their ID."""
        last = self._bounds(np.zeros_like(self.line))[1]
        found = np.zeros(len(self.line), dtype=bool)
        for place in range(min(int((last - self.begin).max(initial=0)), _LONGEST_ID)):
            inside = self.begin + place < last
            found |= inside & (self.buffer[np.where(inside, self.begin + place, 0)] == _DOT)
        return found

    @cached_property
    def token(self) -> BoolArray:
        """bool (rows,): those that are tokens: no zeros, and no objects, whose ID is 0."""
        last = self._bounds(np.zeros_like(self.line))[1]
        thing = (last - self.begin == 1) & (self.buffer[self.begin] == _ZERO)
        found: BoolArray = ~self.zero & ~thing
        return found

    def column(self, name: str) -> IntArray:
        """int64 (rows,): the number of a column, as the header before each row has it."""
        places = [_place(header, name) for header in self.headers]
        if len(set(places)) < 2:
            return np.full(len(self.line), places[0] if places else _place(None, name))
        starts = np.array([header.line for header in self.headers], dtype=np.int64)
        known = np.array([places[0], *places], dtype=np.int64)
        return known[np.searchsorted(starts, self.line)]

    def filled(self, name: str, rows: BoolArray) -> tuple[IntArray, IntArray, IntArray]:
        """Of these rows those with something in a column, and from which byte to which it is."""
        column = self.column(name)
        chosen = np.flatnonzero(rows & (column >= 0) & (column < self.cells))
        begin, end = self._bounds(column[chosen], chosen)
        size = end - begin
        empty = (size == 0) | ((size == 1) & (self.buffer[begin] == _NOTHING))
        return chosen[~empty], begin[~empty], end[~empty]

    def bounds(self, column: int, rows: IntArray) -> tuple[IntArray, IntArray]:
        """From which byte to which a column of some rows is; nothing where they lack it."""
        begin, end = self._bounds(np.minimum(column, self.cells[rows] - 1), rows)
        return begin, np.where(self.cells[rows] > column, end, begin)

    def _bounds(self, column: IntArray, rows: IntArray | None = None) -> tuple[IntArray, IntArray]:
        some = np.arange(len(self.line)) if rows is None else rows
        if not len(self.left):
            return self.begin[some], self.end[some]
        top = len(self.left) - 1
        at = self.first[some] + column
        begin = np.where(column > 0, self.right[np.clip(at - 1, 0, top)] + 1, self.begin[some])
        last = column >= self.cells[some] - 1
        return begin, np.where(last, self.end[some], self.left[np.clip(at, 0, top)])

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


def find_rows(data: bytes) -> Rows:
    """Split the bytes into rows and cells: by tabs where a line has any, else by runs of blanks."""
    if b"\n" not in data and b"\r" in data:
        data = data.replace(b"\r", b"\n")
    buffer: ByteArray = np.frombuffer(data or b"\n", dtype=np.uint8)
    breaks = find_byte(buffer, _NEWLINE)
    if buffer[-1] != _NEWLINE:
        breaks = np.append(breaks, len(buffer))
    start = np.concatenate(([len(_BOM) if data.startswith(_BOM) else 0], breaks[:-1] + 1))
    begin, end = _stripped(buffer, start, np.maximum(breaks, start))
    filled = end > begin
    initial = buffer[np.where(filled, begin, 0)]
    comment = filled & (initial == _HASH)
    block = np.cumsum(filled & ~np.concatenate(([False], filled[:-1]))) - 1
    line = np.flatnonzero(filled & ~comment)
    begin, end = begin[line], end[line]
    left, right = _separators(buffer, begin, end)
    first = np.searchsorted(left, begin)
    cells = np.searchsorted(left, end) - first + 1
    headers = tuple(
        Header(int(np.searchsorted(start, m.start(), side="right")) - 1, _names(m[1]))
        for m in comments(data, b"global.columns", _HEADER)
    )
    return Rows(
        data, buffer, start, line, begin, end, left, right, first, cells, block[line], headers
    )


def comments(data: bytes, word: bytes, pattern: "re.Pattern[bytes]") -> "Iterator[re.Match[bytes]]":
    """The lines that match a pattern, which has this word in it: looking for it is faster."""
    at = data.find(word)
    while at >= 0:
        if found := pattern.match(data, data.rfind(b"\n", 0, at) + 1):
            yield found
        at = data.find(word, at + 1)


def _names(text: bytes) -> tuple[str, ...]:
    return tuple(text.decode("utf-8", "replace").split())


def _stripped(buffer: ByteArray, begin: IntArray, end: IntArray) -> tuple[IntArray, IntArray]:
    """The bounds of lines without blanks, tabs and carriage returns around them."""
    begin, end = begin.copy(), end.copy()
    top = len(buffer) - 1
    for bound, shift, step in ((end, -1, -1), (begin, 0, 1)):
        rows = np.flatnonzero(end > begin)
        while len(rows):
            at = buffer[np.clip(bound[rows] + shift, 0, top)]
            rows = rows[(at == _BLANK) | (at == _TAB) | (at == _RETURN)]
            bound[rows] += step
            rows = rows[end[rows] > begin[rows]]
    return begin, end


def _separators(buffer: ByteArray, begin: IntArray, end: IntArray) -> tuple[IntArray, IntArray]:
    """Every tab; in rows without a tab every run of blanks."""
    tab = find_byte(buffer, _TAB)
    tabs = np.searchsorted(tab, end) - np.searchsorted(tab, begin)
    bare = np.flatnonzero(tabs == 0)
    if not len(bare):
        return tab, tab
    blank = find_byte(buffer, _BLANK)
    row = np.searchsorted(begin[bare], blank, side="right") - 1
    blank = blank[(row >= 0) & (blank < end[bare][np.maximum(row, 0)])]
    if not len(blank):
        return tab, tab
    opens = np.concatenate(([True], np.diff(blank) > 1))
    closes = np.concatenate((np.diff(blank) > 1, [True]))
    return np.sort(np.concatenate((tab, blank[opens]))), np.sort(
        np.concatenate((tab, blank[closes]))
    )

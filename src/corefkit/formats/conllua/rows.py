"""The rows of a CoNLL-UA file as arrays: where their cells are, which are tokens, which zeros.

Split the bytes of a CoNLL-UA file into rows and cells.

The documents of a CoNLL-UA file: where they begin and what they are called.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, ByteArray, IntArray
from corefkit.core.texts import quote
from corefkit.formats._kit.building import Trouble
from corefkit.formats._kit.detection import describe, recognise
from corefkit.formats._kit.files import AS_THEY_ARE
from corefkit.formats.columns.buffer import BLANKS, find_byte, find_bytes, strip

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


_BOM = b"\xef\xbb\xbf"
_NEWLINE, _TAB, _BLANK, _HASH = b"\n\t #"
_HEADER = re.compile(rb"global\.columns[ \t]*=[ \t]*(.*)")


def find_rows(data: bytes) -> Rows:
    """Split the bytes into rows and cells: by tabs where a line has any, else by runs of blanks."""
    if b"\n" not in data and b"\r" in data:
        data = data.replace(b"\r", b"\n")
    buffer: ByteArray = np.frombuffer(data or b"\n", dtype=np.uint8)
    separator = np.flatnonzero((buffer == _TAB) | (buffer == _NEWLINE))
    ends = np.flatnonzero(buffer[separator] == _NEWLINE)
    breaks = separator[ends]
    if buffer[-1] != _NEWLINE:
        breaks, ends = np.append(breaks, len(buffer)), np.append(ends, len(separator))
    start = np.concatenate(([len(_BOM) if data.startswith(_BOM) else 0], breaks[:-1] + 1))
    begin, end = strip(buffer, start, np.maximum(breaks, start), BLANKS)
    filled = end > begin
    hash_first = filled & (buffer[np.where(filled, begin, 0)] == _HASH)
    line, comment = np.flatnonzero(filled & ~hash_first), np.flatnonzero(hash_first)
    said = strip(buffer, begin[comment] + 1, end[comment], BLANKS)
    comments = Comments(comment, *said)
    headers = tuple(
        Header(number, tuple(found[1].decode("utf-8", "replace").split()))
        for number, found in find_comments(data, comments, b"global.columns", _HEADER)
    )
    first = np.concatenate(([0], ends[:-1] + 1))[line]
    tabs = ends[line] - first
    begin, end = begin[line], end[line]
    # Tabs around the text of a line separate nothing: where there are any, they are left out.
    loose = np.flatnonzero((begin > start[line]) | _tab_behind(buffer, end))
    first[loose] = np.searchsorted(separator, begin[loose])
    tabs[loose] = np.searchsorted(separator, end[loose]) - first[loose]
    left = right = separator
    if not tabs.all():
        left, right = _with_blanks(buffer, separator, begin[tabs == 0], end[tabs == 0])
        first = np.searchsorted(left, begin)
        tabs = np.searchsorted(left, end) - first
    blank = np.flatnonzero(~filled)
    cells = tabs + 1
    return Rows(
        data, buffer, start, blank, comments, line, begin, end, left, right, first, cells, headers
    )


def find_comments(
    data: bytes, comments: Comments, word: bytes, pattern: re.Pattern[bytes]
) -> Iterator[tuple[int, re.Match[bytes]]]:
    """The comments that begin with a word and match a pattern: line and match."""
    buffer = np.frombuffer(data, dtype=np.uint8)
    some = np.flatnonzero(comments.end - comments.begin >= len(word))
    some = some[buffer[comments.begin[some]] == word[0]]
    for at in some.tolist():
        if found := pattern.match(data, int(comments.begin[at]), int(comments.end[at])):
            yield int(comments.line[at]), found


def _tab_behind(buffer: ByteArray, end: IntArray) -> BoolArray:
    """Whether blanks or tabs follow the text of each row."""
    behind = buffer[np.minimum(end, len(buffer) - 1)]
    found: BoolArray = (end < len(buffer)) & (behind != _NEWLINE)
    return found


def _with_blanks(
    buffer: ByteArray, separator: IntArray, begin: IntArray, end: IntArray
) -> tuple[IntArray, IntArray]:
    """The separators together with the runs of blanks in these rows, which have no tab."""
    blank = find_byte(buffer, _BLANK)
    row = np.searchsorted(begin, blank, side="right") - 1
    blank = blank[(row >= 0) & (blank < end[np.maximum(row, 0)])]
    if not len(blank):
        return separator, separator
    opens = np.concatenate(([True], np.diff(blank) > 1))
    closes = np.concatenate((np.diff(blank) > 1, [True]))
    left = np.sort(np.concatenate((separator, blank[opens])))
    return left, np.sort(np.concatenate((separator, blank[closes])))


_NEWDOC = re.compile(rb"newdoc\b(?:[ \t]+id[ \t]*=[ \t]*(.*))?")


@dataclass(frozen=True, eq=False)
class Documents:
    """The names, and int64 (documents,) the byte and the first row of each.

    `first` has one number more: where the rows end.
    """

    names: tuple[str, ...]
    byte: IntArray
    first: IntArray


def find_documents(rows: Rows, trouble: Trouble) -> Documents:
    """The documents; what is wrong with them is reported."""
    names: list[str] = []
    byte: list[int] = []
    known: dict[str, int] = {}
    for line, match in find_comments(rows.data, rows.comments, b"newdoc", _NEWDOC):
        name = (match[1] or b"").decode("utf-8", AS_THEY_ARE).strip()
        if not name:
            trouble.line("document-unnamed", line, "id", severity="error")
        elif name in known:
            trouble.line("document-twice", line, "id", name=quote(name), document=name)
        known.setdefault(name, line)
        names.append(name or str(len(names) + 1))
        byte.append(int(rows.start[line]))
    begins = np.array(byte, dtype=np.int64)
    first = np.searchsorted(rows.begin, np.append(begins, len(rows.data)))
    if not names and not rows.headers:
        trouble.found.note("no-document", "newdoc", looks=_looks(rows.data))
    elif first[0] > 0:
        trouble.line("token-outside", int(rows.line[0]), "newdoc")
    return Documents(tuple(names), begins, first)


def _looks(data: bytes) -> str:
    """What a file looks like that is not CoNLL-UA."""
    found = recognise(data)
    if found == "conll":
        return "looks like CoNLL-2012"
    if found is not None and found != "conllua":
        return f"looks like {found}"
    return f"is {describe(data)}"

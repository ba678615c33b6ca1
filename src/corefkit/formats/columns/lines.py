"""The lines of a CoNLL file as arrays of offsets, found with whole-buffer operations."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corefkit.core.arrays import EMPTY, BoolArray, ByteArray, IntArray, byte_table
from corefkit.formats._kit.files import AS_THEY_ARE

_BOM = b"\xef\xbb\xbf"
_NEWLINE, _TAB, _HASH = b"\n\t#"
BLANKS = b" \t\r"
_TEXT = bytes(set(range(256)) - set(BLANKS))
_HEADER = re.compile(rb"#\s*(begin|end)\s+document\b\s*(.*)", re.DOTALL)
_CHUNK = 1 << 18
_STEPS = 64
"""Blanks and cells are walked over in lock-step, this many bytes far; longer ones one by one."""


@dataclass(frozen=True, eq=False)
class Lines:
    """Where the lines of a file are and what each one is.

    Attributes:
        buffer: the bytes, uint8.
        start, end: int64 (lines,), without the blanks and line ends after the text.
        token: bool (lines,), the lines that hold a token, inside a document or not.
        begin: the numbers of the lines that begin a document.
        finish: for each document the number of the line that ends it: its own `#end document`,
            else the next beginning or the end of the file.
        names: the names of the documents.
    """

    data: bytes
    buffer: ByteArray
    start: IntArray
    end: IntArray
    token: BoolArray
    begin: IntArray
    finish: IntArray
    names: list[str]

    @cached_property
    def has_tabs(self) -> bool:
        """Whether there is a tab anywhere in the file."""
        return b"\t" in self.data

    def document(self) -> IntArray:
        """The document of each line, int64 (lines,); −1 before the first."""
        lengths = np.diff(self.begin, prepend=0, append=len(self.start))
        return np.repeat(np.arange(-1, len(self.begin)), lengths)

    @cached_property
    def inside(self) -> tuple[IntArray, IntArray, IntArray]:
        """The lines (from 0) with tokens of documents, the document of each; those outside any."""
        row = np.flatnonzero(self.token)
        if not self.names:
            return row[:0], row[:0], row
        tokens = np.searchsorted(row, self.finish) - np.searchsorted(row, self.begin)
        if tokens.sum() == len(row):
            return row, np.repeat(np.arange(len(tokens)), tokens), row[:0]
        document = self.document()[row]
        inside = (document >= 0) & (row < self.finish[document])
        return row[inside], document[inside], row[~inside]

    def tokens(self) -> tuple[IntArray, BoolArray]:
        """The lines (from 0) with tokens of documents, and which of them begin a sentence.

        Blank lines and the ends of documents end sentences; comments do not.
        """
        row, document, _ = self.inside
        blanks = np.cumsum(self.end <= self.start)[row]
        begins = (np.diff(blanks, prepend=-1) > 0) | (np.diff(document, prepend=-1) > 0)
        return row, begins

    def text(self, line: int) -> bytes:
        """A line (from 0) without the blanks after it."""
        return self.data[self.start[line] : self.end[line]]

    def raw(self, line: int) -> bytes:
        """A line (from 0) with the blanks after it, without its line end."""
        stop = int(self.start[line + 1]) - 1 if line + 1 < len(self.start) else len(self.data)
        return self.data[self.start[line] : stop].rstrip(b"\r\n")


def line_bounds(data: bytes) -> tuple[bytes, ByteArray, IntArray, IntArray]:
    """The bytes, the same as uint8, and where each line begins and where its line end stands.

    Lines that end with carriage returns only are given line feeds.
    """
    if b"\n" not in data and b"\r" in data:
        data = data.replace(b"\r", b"\n")  # as computers wrote text before 2001
    buffer: ByteArray = np.frombuffer(data, dtype=np.uint8)
    breaks = find_byte(buffer, _NEWLINE)
    if not len(data) or buffer[-1] != _NEWLINE:
        breaks = np.append(breaks, len(data))
    start = np.concatenate(([len(_BOM) if data.startswith(_BOM) else 0], breaks[:-1] + 1))
    return data, buffer, start, breaks


def find_lines(data: bytes) -> Lines:
    """Split the bytes into lines and tell headers, comments, tokens and empty lines apart."""
    data, buffer, start, breaks = line_bounds(data)
    end = np.maximum(breaks, start)
    if data:
        _, end = strip(buffer, start, end, BLANKS, left=False)
    filled = end > start
    token = filled.copy()
    begin: list[int] = []
    finish: list[int] = []
    names: list[str] = []
    hashes = np.flatnonzero(buffer.take(start, mode="clip") == _HASH) if data else EMPTY
    hashes = hashes[filled[hashes]]
    for line in hashes.tolist():
        text = data[start[line] : end[line]]
        header = _HEADER.fullmatch(text)
        if not header:
            token[line] = b"\t" in text
            continue
        token[line] = False
        if len(finish) < len(begin):
            finish.append(line)
        if header[1] == b"begin":
            begin.append(line)
            names.append(_name(header[2]))
    if len(finish) < len(begin):
        finish.append(len(start))
    begins, finishes = np.array(begin, dtype=np.int64), np.array(finish, dtype=np.int64)
    return Lines(data, buffer, start, end, token, begins, finishes, names)


def _name(text: bytes) -> str:
    """The name of a document; bytes that are not UTF-8 are kept, so names stay apart."""
    return text.decode("utf-8", AS_THEY_ARE).strip()


def split_fields(line: str) -> list[str]:
    """The columns of a line: split by tabs where it has any, else by runs of blanks.

    Other white space, e.g. a no-break space, belongs to the word.

    >>> split_fields("tale 0  0 10\u00a0000 -")
    ['tale', '0', '0', '10\\xa0000', '-']
    """
    return line.split("\t") if "\t" in line else [field for field in line.split(" ") if field]


def last_column(lines: Lines, rows: IntArray) -> IntArray:
    """Where the last column of these lines begins, int64 (rows,).

    Tabs separate columns; in a line without tabs, one or more blanks do.
    """
    first, last = lines.start[rows], lines.end[rows]
    _, column = strip(lines.buffer, first, last, _TEXT, left=False)
    if lines.has_tabs:
        _prefer_tabs(lines, column, first, last)
    return column


def _prefer_tabs(lines: Lines, column: IntArray, first: IntArray, last: IntArray) -> None:
    """Where a blank was met first but the line has a tab, the last tab counts."""
    rows = np.flatnonzero(column > first)
    rows = rows[lines.buffer[column[rows] - 1] != _TAB]
    if not len(rows):
        return
    tabs = find_byte(lines.buffer, _TAB)
    tab = tabs[np.maximum(np.searchsorted(tabs, last[rows]) - 1, 0)]
    tabbed = (tab >= first[rows]) & (tab < last[rows])
    rows, tab = rows[tabbed], tab[tabbed]
    column[rows], _ = strip(lines.buffer, tab + 1, last[rows], b" \t")


def find_byte(buffer: ByteArray, value: int) -> IntArray:
    """The positions of a byte."""
    return find_bytes(buffer, lambda piece: piece == value)


def find_bytes(buffer: ByteArray, wanted: Callable[[ByteArray], BoolArray]) -> IntArray:
    """The positions of bytes, looked for in pieces that fit into the processor's cache."""
    starts = range(0, len(buffer), _CHUNK)
    pieces = [np.flatnonzero(wanted(buffer[at : at + _CHUNK])) + at for at in starts]
    return np.concatenate([EMPTY, *pieces])


def strip(
    buffer: ByteArray, begin: IntArray, end: IntArray, what: bytes, *, left: bool = True
) -> tuple[IntArray, IntArray]:
    """The bounds of texts without these bytes around them, or only behind them."""
    away = byte_table(what)
    padded = away[buffer[end - 1]]
    if left:
        padded |= away[buffer[np.minimum(begin, len(buffer) - 1)]]
    rows = np.flatnonzero(padded)
    rows = rows[end[rows] > begin[rows]]
    if not len(rows):
        return begin, end
    begin, end = begin.copy(), end.copy()
    for bound, shift, step in ((end, -1, -1), (begin, 0, 1))[: 1 + left]:
        some = rows[end[rows] > begin[rows]]
        for _ in range(_STEPS):
            some = some[away[buffer[bound[some] + shift]]]
            if not len(some):
                break
            bound[some] += step
            some = some[end[some] > begin[some]]
        for row in some.tolist():
            text = buffer[begin[row] : end[row]].tobytes()
            text = text.lstrip(what) if left else text
            begin[row] = end[row] - len(text)
            end[row] = begin[row] + len(text.rstrip(what))
    return begin, end

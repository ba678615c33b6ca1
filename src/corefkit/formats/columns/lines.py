"""The lines of files with `#begin document`: CoNLL columns and the columns of SemEval-2010.

Lines are arrays of offsets; what stands in their columns is looked at when it is asked for.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import EMPTY, BoolArray, ByteArray, IntArray, tuples
from corefkit.core.carriers import frozen
from corefkit.core.source import Source
from corefkit.formats.columns.buffer import BLANKS, decode_name, find_byte, line_bounds, strip

_TAB, _SPACE, _HASH = b"\t #"
_TEXT = bytes(set(range(256)) - set(BLANKS))
_HEADER = re.compile(rb"#\s*(begin|end)\s+document\b\s*(.*)", re.DOTALL)


@frozen(eq=False)
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
            names.append(decode_name(header[2]))
    if len(finish) < len(begin):
        finish.append(len(start))
    begins, finishes = np.array(begin, dtype=np.int64), np.array(finish, dtype=np.int64)
    return Lines(data, buffer, start, end, token, begins, finishes, names)


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


def lines_of(source: Source) -> Lines:
    """The lines of the file, found once."""
    return source.once("lines", lambda: find_lines(source.data))


def empty_last(lines: Lines, asked: IntArray | None = None) -> BoolArray:
    """bool (asked,): which of these token lines, or of all, have an empty last column.

    LitBank writes `…<tab>word<tab>` for a token in no mention. Tabs after the last column are
    ignored, so the line alone cannot tell; the lines of the document that end without a tab can:
    they show how many columns there are. If there are none, those of the whole file are asked.
    """
    row, document, _ = lines.inside
    asked = np.arange(len(row)) if asked is None else asked
    behind = lines.buffer[np.minimum(lines.end[row[asked]], len(lines.buffer) - 1)]
    if not lines.has_tabs or not ((behind == _TAB) | (behind == _SPACE)).any():
        return np.zeros(len(asked), dtype=bool)
    tab = find_byte(lines.buffer, _TAB)
    after_text = np.searchsorted(tab, lines.end[row])
    tabs = after_text - np.searchsorted(tab, lines.start[row])
    stop = np.append(lines.start[1:], len(lines.buffer) + 1)[row] - 1
    trailing = np.searchsorted(tab, stop) - after_text
    plain, one = trailing == 0, (trailing == 1)[asked]
    width = document * (int(tabs.max(initial=0)) + 3) + tabs
    known = np.isin(document[asked], document[plain])
    here = np.isin(width[asked] + 1, width[plain])
    anywhere = np.isin(tabs[asked] + 1, tabs[plain])
    empty: BoolArray = one & np.where(known, here, anywhere)
    return empty


class TokenLine(NamedTuple):
    """A line that holds a token: its number (from 1), whether it begins a sentence, its columns."""

    number: int
    begins_sentence: bool
    fields: list[str]


def token_lines(
    data: bytes, begin: int = 0, end: int | None = None, *, errors: str = "replace"
) -> Iterator[TokenLine]:
    """The tokens of all documents, or of those between two bytes of the file.

    `errors` is what `bytes.decode` does with bytes that are not UTF-8.
    """
    lines = find_lines(data[begin:end])
    above = data.count(b"\n", 0, begin) + 1
    numbers = tuples(*lines.tokens())
    for (line, first), fields in zip(numbers, token_fields(lines, errors), strict=True):
        yield TokenLine(line + above, first, fields)


def token_fields(lines: Lines, errors: str) -> Iterator[list[str]]:
    """The columns of each token of a document, the last one even where it is empty."""
    for line, lacks_last in tuples(lines.inside[0], empty_last(lines)):
        fields = split_fields(lines.text(line).decode("utf-8", errors))
        yield [*fields, ""] if lacks_last else fields


def split_fields(line: str) -> list[str]:
    """The columns of a line: split by tabs where it has any, else by runs of blanks.

    Other white space, e.g. a no-break space, belongs to the word.

    >>> split_fields("tale 0  0 10\u00a0000 -")
    ['tale', '0', '0', '10\\xa0000', '-']
    """
    return line.split("\t") if "\t" in line else [field for field in line.split(" ") if field]

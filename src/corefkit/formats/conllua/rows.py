"""The rows of a CoNLL-UA file: their cells and documents, and which are tokens and zeros."""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, ByteArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.core.texts import quote
from corefkit.formats.columns.buffer import (
    BLANKS,
    ByteTally,
    RowIncidents,
    find_and_tally,
    find_byte,
    line_bounds,
    strip,
)
from corefkit.formats.columns.cells import CellTable, split_cells
from corefkit.formats.kit.detection import describe, recognise
from corefkit.formats.kit.files import AS_THEY_ARE

LAYERS = {"identity": "IDENTITY", "deixis": "DISCOURSE_DEIXIS"}
"""The names of the layers in options, and of their columns in files."""

OTHER_COLUMNS = ("LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
"""The columns between the word and the layers, usually from column 2 on (counted from 0)."""
_USUAL = {
    **{name: at for at, name in enumerate(OTHER_COLUMNS, 2)},
    **{"IDENTITY": 10, "BRIDGING": 11, "DISCOURSE_DEIXIS": 12},
}
"""The places of columns in files without a header."""

_DOT, _ZERO, _NOTHING, _PARENTHESIS, _BAR, _EQUALS = b".0_(|="
_LONGEST_ID = 24
"""A dot further on in the first cell does not mark a zero, as no number is that long."""


@frozen
class Header:
    """A `# global.columns` comment: its line, counted from 0, and the names of the columns."""

    line: int
    names: tuple[str, ...]


class Comments(NamedTuple):
    """The lines that begin with `#`, and the first byte and end of the text after it."""

    line: IntArray
    begin: IntArray
    end: IntArray


@frozen(eq=False)
class Rows:
    """The lines of a file that are neither blank nor comments; lines count from 0.

    Attributes:
        data, buffer: the bytes, and the same as uint8.
        start: int64 (lines,), the first byte of each line.
        blank: int64, the lines without text, which end sentences.
        comments: the lines that begin with `#`.
        line: int64 (rows,), the line of each row.
        cells: the cells of the rows; blanks around a row are not part of it.
        headers: the `# global.columns` comments.
    """

    data: bytes
    buffer: ByteArray
    start: IntArray
    blank: IntArray
    comments: Comments
    line: IntArray
    cells: CellTable
    headers: tuple[Header, ...]

    def _id_end(self, rows: IntArray) -> IntArray:
        """int64 (rows,): the end of the first cell of some rows."""
        return self.cells.bounds(np.zeros_like(rows), rows)[1]

    @cached_property
    def zero(self) -> BoolArray:
        """bool (rows,): which rows are zeros, that is, have a dot in their ID."""
        is_zero = np.zeros(len(self.line), dtype=bool)
        dot = find_byte(self.buffer, _DOT)
        if len(dot) and len(is_zero):
            row = np.searchsorted(self.cells.begin, dot, side="right") - 1
            near = np.flatnonzero((row >= 0) & (dot < self.cells.begin[row] + _LONGEST_ID))
            dot, row = dot[near], row[near]
            is_zero[row[dot < self._id_end(row)]] = True
        return is_zero

    @cached_property
    def token(self) -> BoolArray:
        """bool (rows,): which rows are tokens, not zeros and not objects, whose ID is 0."""
        is_token: BoolArray = ~self.zero
        object_row = np.flatnonzero(self.buffer[self.cells.begin] == _ZERO)
        is_token[object_row[self._id_end(object_row) - self.cells.begin[object_row] == 1]] = False
        return is_token

    @cached_property
    def node(self) -> BoolArray:
        """bool (rows,): which rows are tokens or zeros."""
        return self.token | self.zero

    @cached_property
    def counted(self) -> IntArray:
        """int64 (rows,): how many tokens there are up to each row."""
        return np.cumsum(self.token)

    @cached_property
    def marks(self) -> tuple[IntArray, ByteTally]:
        """int64: the places of all `(`, `)`, `|` and `=`; and a tally of them."""
        return find_and_tally(self.buffer, _are_marks)

    @cached_property
    def sentence(self) -> IntArray:
        """int64 (rows,): a number that grows from sentence to sentence."""
        return np.searchsorted(self.blank, self.line)

    def column(self, name: str) -> IntArray:
        """int64 (rows,): the number of a column, according to the header before each row."""
        places = [_place(header, name) for header in self.headers]
        if len(set(places)) < 2:
            return np.full(len(self.line), places[0] if places else _place(None, name))
        starts = np.array([header.line for header in self.headers], dtype=np.int64)
        known = np.array([places[0], *places], dtype=np.int64)
        return known[np.searchsorted(starts, self.line)]

    def filled(self, name: str) -> tuple[IntArray, IntArray, IntArray]:
        """The cells of tokens and zeros that are not empty in a column: row, first byte, end."""
        column = self.column(name)
        has_cell = (column >= 0) & (column < self.cells.count) & self.node
        begin, end = self.cells.bounds(np.maximum(column, 0))
        has_cell &= end - begin > (self.buffer.take(begin, mode="clip") == _NOTHING)
        row = np.flatnonzero(has_cell)
        return row, begin[row], end[row]

    def bounds(self, column: int, rows: IntArray) -> tuple[IntArray, IntArray]:
        """The first byte and the end of a column of some rows; equal if a row lacks it."""
        begin, end = self.cells.bounds(np.full(len(rows), column), rows)
        return begin, np.where(self.cells.count[rows] > column, end, begin)

    def named_bounds(self, name: str, rows: IntArray) -> tuple[IntArray, IntArray]:
        """The bounds of the column with this name in the header; equal if a row lacks it."""
        column = self.column(name)[rows]
        has_cell = (column >= 0) & (column < self.cells.count[rows])
        begin, end = self.cells.bounds(np.where(has_cell, column, 0), rows)
        return begin, np.where(has_cell, end, begin)

    def text(self, row: int, column: int) -> str:
        """One cell."""
        begin, end = self.bounds(column, np.array([row]))
        return self.data[int(begin[0]) : int(end[0])].decode("utf-8", "replace")


def _are_marks(piece: ByteArray) -> BoolArray:
    """bool (bytes,): which bytes are `(`, `)`, `|` or `=`."""
    is_mark: BoolArray = piece & 0xFE == _PARENTHESIS  # `(` and `)` differ in the lowest bit
    is_mark |= piece == _BAR
    is_mark |= piece == _EQUALS
    return is_mark


def _place(header: Header | None, name: str) -> int:
    """The number of a column; −1 if the header names another column at its usual place."""
    if header is None:
        return _USUAL.get(name, -1)
    if name in header.names:
        return header.names.index(name)
    usual = _USUAL.get(name, -1)
    return usual if usual >= len(header.names) else -1


_HASH = ord("#")
_HEADER = re.compile(rb"global\.columns[ \t]*=[ \t]*(.*)")


def find_rows(data: bytes) -> Rows:
    """The rows of a file; tabs separate cells if a line has any, else runs of blanks."""
    text, buffer, start, breaks = line_bounds(data or b"\n")[:4]
    data = text if data else data
    begin, end = strip(buffer, start, np.maximum(breaks, start), BLANKS)
    filled = end > begin
    hash_first = filled & (buffer.take(begin, mode="clip") == _HASH)
    line, comment = np.flatnonzero(filled & ~hash_first), np.flatnonzero(hash_first)
    comments = Comments(comment, *strip(buffer, begin[comment] + 1, end[comment], BLANKS))
    headers = tuple(
        Header(number, tuple(match[1].decode("utf-8", "replace").split()))
        for number, match in find_comments(data, comments, b"global.columns", _HEADER)
    )
    return Rows(
        data=data,
        buffer=buffer,
        start=start,
        blank=np.flatnonzero(~filled),
        comments=comments,
        line=line,
        cells=split_cells(buffer, begin[line], end[line]),
        headers=headers,
    )


def find_comments(
    data: bytes, comments: Comments, word: bytes, pattern: re.Pattern[bytes]
) -> Iterator[tuple[int, re.Match[bytes]]]:
    """The line and the match of each comment that matches a pattern, which begins with a word."""
    buffer = np.frombuffer(data, dtype=np.uint8)
    candidates = np.flatnonzero(comments.end - comments.begin >= len(word))
    candidates = candidates[buffer[comments.begin[candidates]] == word[0]]
    for at in candidates.tolist():
        if match := pattern.match(data, int(comments.begin[at]), int(comments.end[at])):
            yield int(comments.line[at]), match


_NEWDOC = re.compile(rb"newdoc\b(?:[ \t]+id[ \t]*=[ \t]*(.*))?")


@frozen(eq=False)
class DocumentRows:
    """The documents of a file.

    Attributes:
        names: the name of each.
        byte: int64 (documents,), the first byte of each.
        first: int64 (documents + 1,), the first row of each, and the number of rows.
    """

    names: tuple[str, ...]
    byte: IntArray
    first: IntArray


def find_documents(rows: Rows, incidents: RowIncidents) -> DocumentRows:
    """The documents; problems are reported."""
    names: list[str] = []
    byte: list[int] = []
    known: dict[str, int] = {}
    for line, match in find_comments(rows.data, rows.comments, b"newdoc", _NEWDOC):
        name = (match[1] or b"").decode("utf-8", AS_THEY_ARE).strip()
        if not name:
            incidents.note("document-unnamed", "id", at=incidents.at_line(line), severity="error")
        elif name in known:
            incidents.note(
                "document-twice", "id", at=incidents.at_line(line), name=quote(name), document=name
            )
        known.setdefault(name, line)
        names.append(name or str(len(names) + 1))
        byte.append(int(rows.start[line]))
    begins = np.array(byte, dtype=np.int64)
    first = np.searchsorted(rows.cells.begin, np.append(begins, len(rows.data)))
    if not names and not rows.headers:
        incidents.note("no-document", "newdoc", looks=_looks(rows.data))
    elif first[0] > 0:
        incidents.note("token-outside", "newdoc", at=incidents.at_line(int(rows.line[0])))
    return DocumentRows(tuple(names), begins, first)


class TextBounds(NamedTuple):
    """int64 (texts,): the first byte and the end of each text; equal if it is empty."""

    begin: IntArray
    end: IntArray

    @property
    def length(self) -> IntArray:
        """int64 (texts,): how many bytes each has."""
        return self.end - self.begin

    def take(self, some: IntArray) -> "TextBounds":
        """Some of the texts."""
        return TextBounds(self.begin[some], self.end[some])


@frozen(eq=False)
class LayerCells:
    """The cells of a layer that are not empty, in the order of the file.

    Cells before the first document are left out.

    Attributes:
        row: int64 (cells,), the row of each.
        text: the bounds of each.
        document: int64 (cells,), its document.
        token: int64 (cells,), its token, from 0 in the document; for a zero, the token before it.
        zero: int64 (cells,), 0, or the number of a zero among those after the same token.
    """

    row: IntArray
    text: TextBounds
    document: IntArray
    token: IntArray
    zero: IntArray


def find_cells(rows: Rows, documents: DocumentRows, column: str) -> LayerCells:
    """The cells of a column that are not empty."""
    row, begin, end = rows.filled(column)
    document = np.searchsorted(documents.first[:-1], row, side="right") - 1
    some = np.flatnonzero(document >= 0)
    if len(some) < len(row):
        row, begin, end, document = row[some], begin[some], end[some], document[some]
    first = documents.first[:-1][document]
    token = rows.counted[row] - (rows.counted[first] - rows.token[first]) - 1
    return LayerCells(
        row, TextBounds(begin, end), document, token, zero_numbers(rows, documents, row)
    )


def zero_numbers(rows: Rows, documents: DocumentRows, row: IntArray) -> IntArray:
    """int64 (rows,): the number of each of these rows if it is a zero; 0 for tokens."""
    number = np.zeros_like(row)
    if rows.zero[row].any():
        at = np.arange(len(rows.line))
        # They are counted from the last token on, or from the beginning of the document.
        counted = np.cumsum(rows.zero)
        fresh: BoolArray = rows.token.copy()
        starts = documents.first[:-1]
        fresh[starts[starts < len(at)]] = True
        last = np.maximum.accumulate(np.where(fresh, at, 0))
        since: IntArray = (counted - rows.zero)[last]
        some = rows.zero[row]
        number[some] = (counted - since)[row[some]]
    return number


def token_counts(rows: Rows, documents: DocumentRows) -> IntArray:
    """int64 (documents,): how many tokens each has."""
    return np.diff(np.concatenate(([0], rows.counted))[documents.first])


def _looks(data: bytes) -> str:
    """A phrase for the appearance of a file that is not CoNLL-UA."""
    format = recognise(data)
    if format == "conll":
        return "looks like CoNLL-2012"
    if format is not None and format != "conllua":
        return f"looks like {format}"
    return f"is {describe(data)}"

"""The rows of a CoNLL-UA file: tokens, zeros and objects, and the documents.

numpy finds the rows and the bounds of their cells; only cells that are asked for are cut out.

    # global.columns = ID FORM LEMMA … IDENTITY BRIDGING DISCOURSE_DEIXIS
    # newdoc id = tale
    1     The    …   (EntityID=3|MarkableID=m1|Min=2   _   _
    2     king   …   )                                 _   _
    2.1   _      …   (EntityID=3|MarkableID=m2)        _   _

A row such as 2.1 is a zero; one with the id 0 is an object, which is no part of the text.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray, byte_table
from corefkit.core.carriers import frozen
from corefkit.core.incidents import Collector
from corefkit.core.texts import quote
from corefkit.formats.conll.lines import line_bounds
from corefkit.formats.conllu.rows import cut
from corefkit.formats.kit.detection import describe, recognise
from corefkit.formats.kit.files import AS_THEY_ARE, LARGEST_CELL, largest_piece
from corefkit.formats.registry import title_of

LAYERS = {"identity": "IDENTITY", "deixis": "DISCOURSE_DEIXIS"}
"""The names of the layers in options, and of their columns in files."""

OTHER_COLUMNS = ("LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
"""The columns between the word and the layers, usually from column 2 on (counted from 0)."""

_USUAL = {
    name: at
    for at, name in enumerate((*OTHER_COLUMNS, "IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS"), 2)
}
"""The places of columns in files without a header."""

_BLANKS = b" \t\r"
_IS_BLANK = byte_table(_BLANKS)
_COMMENT = re.compile(
    rb"#[ \t]*(?:global\.columns[ \t]*=[ \t]*(.*)|newdoc\b(?:[ \t]+id[ \t]*=[ \t]*(.*))?)"
)
_LONGEST_ID = 24
"""A dot further on in the first cell does not mark a zero, as no number is that long."""


@frozen
class Header:
    """A `# global.columns` comment: its line, counted from 0, and the names of the columns."""

    line: int
    names: tuple[str, ...]


class FilledCell(NamedTuple):
    """A cell that is not empty: the number of its node, its first byte in the file, its text."""

    node: int
    byte: int
    text: str


class Rows:
    """The rows of a file. Those of tokens and zeros are the *nodes*, which are numbered from 0.

    Attributes:
        data: the bytes; line feeds replace carriage returns where lines end with these only.
        starts: int64 (lines,), the first byte of each line.
        blank: int64, the blank lines, which end sentences.
        headers: the comments that name the columns.
        names, begin, sizes: of each document its name, its first byte, its number of tokens.
        line: int64 (nodes,), the line of each, from 0.
        document: int64 (nodes,), the number of its document; −1 before the first.
        token: int64 (nodes,), the number of the token, or of the last one before a zero; −1 if
            there is none.
        zero: int64 (nodes,), the number of a zero after this token; 0 for the token itself.
    """

    def __init__(self, data: bytes, collector: Collector) -> None:
        if b"\n" not in data:
            data = data.replace(b"\r", b"\n")
        self.data, self._collector = data, collector
        self._bytes = np.frombuffer(data or b"\n", np.uint8)
        self.starts, end = line_bounds(data, np.frombuffer(data, np.uint8))
        self._start, self._end = self.starts.copy(), end
        self._strip()
        filled = self._end > self._start
        is_comment = filled & (self._bytes.take(self._start, mode="clip") == ord("#"))
        self.blank = np.flatnonzero(~filled)
        self.headers: list[Header] = []
        self.names: list[str] = []
        self.begin: list[int] = []
        begins = self._read_comments(np.flatnonzero(is_comment))
        self._find_nodes(np.flatnonzero(filled & ~is_comment), begins)
        if not self.names and not self.headers:
            collector.note("no-document", variant="newdoc", looks=_looks(data))

    def _strip(self) -> None:
        """Leave out the blanks at both ends of each line."""
        ends = (self._start, self._end - 1)
        first, last = (self._bytes.take(places, mode="clip") for places in ends)
        for line in np.flatnonzero(_IS_BLANK[first] | _IS_BLANK[last]).tolist():
            text = self.data[self._start[line] : self._end[line]]
            self._start[line] += len(text) - len(text.lstrip(_BLANKS))
            self._end[line] = self._start[line] + len(text.strip(_BLANKS))

    def _read_comments(self, lines: IntArray) -> list[int]:
        """Read the documents and the headers; the result are the lines that begin documents."""
        begins, known = list[int](), set[str]()
        texts = cut(self.data, self._start[lines], self._end[lines])
        for line, text in zip(lines.tolist(), texts, strict=True):
            match = _COMMENT.match(text)
            if match is None:
                continue
            if match[1] is not None:
                names = match[1].decode("utf-8", "replace").split()
                self.headers.append(Header(line, tuple(names)))
                continue
            name = (match[2] or b"").decode("utf-8", AS_THEY_ARE).strip()
            if not name:
                self._collector.note("document-unnamed", "id", at=line + 1, severity="error")
            elif name in known:
                values = {"name": quote(name), "document": name}
                self._collector.note("document-twice", "id", at=line + 1, **values)
            known.add(name)
            self.names.append(name or str(len(self.names) + 1))
            begins.append(line)
        self.begin = self.starts[begins].tolist()
        return begins

    def _find_nodes(self, lines: IntArray, begins: Sequence[int]) -> None:
        """Find the nodes among the rows, and the bounds of their cells."""
        start, end = self._start[lines], self._end[lines]
        document = np.searchsorted(begins, lines) - 1
        gap_start, gap_end = self._gaps(lines)
        first_gap = np.searchsorted(gap_start, start)
        gaps = np.searchsorted(gap_start, end) - first_gap
        self._check_sizes(lines)
        if self.names or self.headers:
            for line in lines[document < 0][:1].tolist():
                self._collector.note("token-outside", variant="newdoc", at=line + 1)
        id_end = np.where(gaps > 0, np.append(gap_start, 0)[first_gap], end)
        dots = np.flatnonzero(self._bytes == ord("."))
        first_dot = np.append(dots, len(self.data))[np.searchsorted(dots, start)]
        is_zero = first_dot < np.minimum(id_end, start + _LONGEST_ID)
        is_object = (id_end - start == 1) & (self._bytes.take(start, mode="clip") == ord("0"))
        is_token = ~is_zero & ~is_object
        # Zeros are numbered from the last token on, or from the beginning of their document.
        tokens, zeros = np.cumsum(is_token), np.cumsum(is_zero)
        first = np.searchsorted(document, np.arange(-1, len(self.names)))
        before = np.append(0, tokens)[first]
        zeros_before = np.append(0, zeros)[first][document + 1]
        last_token = np.maximum.accumulate(np.where(is_token, zeros, 0))
        is_node = is_token | is_zero
        self.line, self.document = lines[is_node], document[is_node]
        self.token = (tokens - 1 - before[document + 1])[is_node]
        self.zero = (zeros - np.maximum(zeros_before, last_token))[is_node]
        self.sizes: list[int] = np.diff(np.append(before, tokens[-1:].sum()))[1:].tolist()
        self._gap_start, self._gap_end = gap_start, gap_end
        self._first_gap, self._gaps_of = first_gap[is_node], gaps[is_node]

    def _gaps(self, lines: IntArray) -> tuple[IntArray, IntArray]:
        """The bounds of what is between cells: tabs or, in lines without any, runs of blanks."""
        tabs = np.flatnonzero(self._bytes == ord("\t"))
        start, end = self._start[lines], self._end[lines]
        without = np.searchsorted(tabs, start) == np.searchsorted(tabs, end)
        blanks = [
            match.span()
            for first, stop in zip(start[without].tolist(), end[without].tolist(), strict=True)
            for match in re.compile(rb" +").finditer(self.data, first, stop)
        ]
        if not blanks:
            return tabs, tabs + 1
        gaps = np.array(blanks, np.int64).T
        begin, stop = (np.concatenate(both) for both in zip((tabs, tabs + 1), gaps, strict=True))
        order = np.argsort(begin)
        return begin[order], stop[order]

    def _check_sizes(self, lines: IntArray) -> None:
        """Report rows with a cell that is too large."""
        for line in lines[self._end[lines] - self._start[lines] > LARGEST_CELL].tolist():
            text = self.data[self._start[line] : self._end[line]].decode("utf-8", AS_THEY_ARE)
            size = largest_piece(text.split("\t" if "\t" in text else " "))
            if size > LARGEST_CELL:
                expected = f"at most {LARGEST_CELL:,} bytes"
                values = {"at": line + 1, "size": size, "expected": expected}
                self._collector.note("file-too-large", "cell", **values)

    def place(self, name: str, line: int) -> int:
        """The number of a column at a line; −1 if the header has another at its usual place.

        A header applies to the lines after it, the first one to those before it, too.
        """
        usual = _USUAL[name]
        if not self.headers:
            return usual
        before = [header for header in self.headers if header.line < line]
        names = (before or self.headers)[-1 if before else 0].names
        if name in names:
            return names.index(name)
        return usual if usual >= len(names) else -1

    def _numbers(self, column: str | int) -> IntArray:
        """int64 (nodes,): the number of a column at each node."""
        numbers = np.full(len(self.line), column if isinstance(column, int) else -1)
        if isinstance(column, str):
            ends = np.searchsorted(self.line, [header.line for header in self.headers[1:]])
            for first, end in pairwise([0, *ends.tolist(), len(self.line)]):
                if first < end:
                    numbers[first:end] = self.place(column, int(self.line[first]))
        return numbers

    def bounds(self, column: str | int) -> tuple[IntArray, IntArray]:
        """int64 (nodes,): the bytes of a column, by name or number; −1 where it is missing."""
        number, gaps = self._numbers(column), self._gaps_of
        has = (number >= 0) & (number <= gaps)
        start, end = np.full(len(number), -1), np.full(len(number), -1)
        number, gaps, line = number[has], gaps[has], self.line[has]
        before = self._first_gap[has] + number - 1
        gap_end, gap_start = np.append(self._gap_end, 0), np.append(self._gap_start, 0)
        start[has] = np.where(number > 0, gap_end[before], self._start[line])
        end[has] = np.where(number < gaps, gap_start[before + 1], self._end[line])
        return start, end

    def cells(self, column: str | int, nodes: IntArray) -> list[bytes]:
        """A column, by name or number, of some nodes; empty where it is missing."""
        start, end = self.bounds(column)
        return cut(self.data, start[nodes], end[nodes])

    def _is_filled(self, start: IntArray, end: IntArray) -> BoolArray:
        """Whether cells with these bounds are neither empty nor `_`."""
        is_mark = (end - start == 1) & (self._bytes.take(start, mode="clip") == ord("_"))
        filled: BoolArray = (end > start) & ~is_mark
        return filled

    def filled(self, column: str) -> list[FilledCell]:
        """The cells of nodes in documents that are not empty in a column."""
        start, end = self.bounds(column)
        nodes = np.flatnonzero(self._is_filled(start, end) & (self.document >= 0))
        first = start[nodes]
        texts = (text.decode("utf-8", AS_THEY_ARE) for text in cut(self.data, first, end[nodes]))
        return [*map(FilledCell, nodes.tolist(), first.tolist(), texts)]

    def count_filled(self, column: str) -> int:
        """How many nodes have something in a column."""
        return int(self._is_filled(*self.bounds(column)).sum())

    def id(self, node: int) -> str:
        """The first cell of a node."""
        end = self._end[self.line[node]]
        if self._gaps_of[node]:
            end = self._gap_start[self._first_gap[node]]
        return self.data[self._start[self.line[node]] : end].decode("utf-8", AS_THEY_ARE)

    def cells_of(self, node: int) -> int:
        """How many cells a node has."""
        return int(self._gaps_of[node]) + 1


def _looks(data: bytes) -> str:
    """A phrase for the appearance of a file that is not CoNLL-UA."""
    format = recognise(data)
    if format not in (None, "conllua"):
        return f"looks like {title_of(format)}"
    return f"is {describe(data)}"

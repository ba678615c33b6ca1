"""The lines of a file with `#begin document`: numpy finds them, Python splits those that are read.

    #begin document (tale); part 000
    tale   0   0   Once   RB   (S(ADVP*)   -   -   -   -   *    -
    tale   0   1      a   DT        (NP*   -   -   -   -   *   (1
    …
    #end document

Columns are separated by tabs or by blanks; the last one is coreference. CoNLL and SemEval-2010
files have such lines.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import count, pairwise
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, ByteArray, IntArray, WordArray, byte_table
from corefkit.core.columns import Column, column_number
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import data_error
from corefkit.core.source import Source
from corefkit.core.text_pieces import TextPieces
from corefkit.formats.kit.files import AS_THEY_ARE

BLANKS = b" \t\r"
"""The blanks that may end a line."""
NO_MARKS = (b"-", b"_", b"*", b"")
"""The contents of the last column of a token without brackets."""

_TAB, _BLANK, _HASH, _NEWLINE, _RETURN = b"\t #\n\r"
_IS_NO_MARK, _IS_BLANK = byte_table(b"-_*"), byte_table(BLANKS)
_BOM = b"\xef\xbb\xbf"
_HEADER = re.compile(rb"#\s*(begin|end)\s+document\b\s*(.*)", re.DOTALL)


class Lines:
    """The lines of a file; lines and documents count from 0.

    Attributes:
        data, buffer: the bytes, and the same as uint8.
        start, end: int64 (lines,), the bounds of each line, without blanks and line ends after it.
        token: bool (lines,), whether the line holds a token, inside a document or not.
        marked: bool (lines,), whether the last column of a token may have brackets.
        begin: int64 (documents,), the line that begins each document.
        finish: int64 (documents,), the line that ends it: its own `#end document`, or else the next
            beginning or the end of the file.
        names: the names of the documents.
        document: int64 (lines,), the document of each line; −1 before the first.
        tokens: int64 (tokens,), the lines of tokens in documents.
        token_document: int64 (tokens,), their documents.
        outside: int64, the lines of tokens that are in no document.
        has_tabs, has_returns: whether there is a tab, or a carriage return, anywhere in the file.
    """

    def __init__(self, data: bytes) -> None:
        if b"\n" not in data and b"\r" in data:
            data = data.replace(b"\r", b"\n")  # as computers wrote text before 2001
        self.data, self.buffer = data, np.frombuffer(data, np.uint8)
        self.has_tabs, self.has_returns = b"\t" in data, b"\r" in data
        self._tabs_behind = dict[int, int]()
        self.start, self.end = start, end = line_bounds(data, self.buffer)
        buffer = self.buffer if data else np.zeros(1, np.uint8)
        first, last = (buffer.take(at, mode="clip") for at in (start, end - 1))
        self.token: BoolArray = end > start
        before_last = buffer.take(end - 2, mode="clip")
        empty = _IS_NO_MARK[last] & (before_last == (_TAB if self.has_tabs else _BLANK))
        self.marked = self.token & ~empty
        special = self.token & ((first == _HASH) | _IS_BLANK[last])
        headers = [found for row in np.flatnonzero(special).tolist() if (found := self._read(row))]
        stops = [row for row, _ in headers[1:]] + [len(start)]
        documents = [
            (row, stop, name)
            for (row, name), stop in zip(headers, stops, strict=False)
            if name is not None
        ]
        self.begin, self.finish = (
            np.array([document[i] for document in documents], np.int64) for i in (0, 1)
        )
        self.names = [name for _, _, name in documents]
        lengths = np.diff(self.begin, prepend=0, append=len(start))
        self.document = np.repeat(np.arange(-1, len(self.names)), lengths)
        rows = np.flatnonzero(self.token)
        document = self.document[rows]
        inside = document >= 0
        inside[inside] = rows[inside] < self.finish[document[inside]]
        self.tokens, self.token_document = rows[inside], document[inside]
        self.outside = rows[~inside]

    def _read(self, row: int) -> tuple[int, str | None] | None:
        """Trim a line, and decide whether it is a token.

        The result is a header: its line and, if it begins a document, the name.
        """
        raw = self.raw(row)
        text = raw.rstrip(BLANKS)
        self.end[row] = self.start[row] + len(text)
        header = _HEADER.fullmatch(text)
        is_token = bool(text) and not header and (text[:1] != b"#" or b"\t" in text)
        self.token[row] = self.marked[row] = is_token
        if is_token and _TAB in raw[len(text) :]:
            self._tabs_behind[row] = raw.count(b"\t", len(text))
        if not header:
            return None
        return row, decode_name(header[2]) if header[1] == b"begin" else None

    def text(self, row: int) -> bytes:
        """A line without the blanks at its end."""
        return self.data[self.start[row] : self.end[row]]

    def raw(self, row: int) -> bytes:
        """A line with the blanks at its end, without its line end."""
        stop = int(self.start[row + 1]) - 1 if row + 1 < len(self.start) else len(self.data)
        return self.data[self.start[row] : stop].rstrip(b"\r\n")

    def last_cells(self, rows: IntArray) -> tuple[IntArray, list[bytes]]:
        """The last column of these lines of tokens, without the blanks around it.

        The result is int64 (rows,), the number of each cell, and the cells; few of them repeat.
        """
        # The last bytes of each line, with blanks in place of what precedes the cell.
        size = 16  # fewer than in the line that begins the document
        windows = np.ndarray(max(len(self.buffer) - size + 1, 0), f"V{size}", self.data, 0, (1,))
        last = windows[self.end[rows] - size].view(np.uint8).reshape(-1, size)
        gap = _TAB if self.has_tabs else _BLANK
        stops = (last == gap) | (last == _NEWLINE) | (last == _RETURN)
        length = stops[:, ::-1].argmax(axis=1)[:, None]
        shown = np.where(np.arange(size) < size - length, np.uint8(_BLANK), last)
        cells = shown.view(f"V{size}").ravel().tolist()
        before = np.take_along_axis(last, size - 1 - length, axis=1)
        for number in np.flatnonzero(before != gap).tolist():  # a longer cell, or another gap
            cells[number] = _last_cell(self.text(int(rows[number])))
        if lacking := self.lacking:
            for number in np.flatnonzero(np.isin(rows, [*lacking])).tolist():
                cells[number] = b""
        code, distinct = numbered(cells)
        return code, [cell.lstrip(b" ") for cell in distinct]

    @cached_property
    def lacking(self) -> set[int]:
        """The lines whose last column is empty: LitBank writes `…<tab>word<tab>`.

        Other tabs at the end are ignored, so the line alone does not decide: lines of the document
        without such tabs, or else of the file, show how many columns there are.
        """
        if not self._tabs_behind:
            return set()
        widths = defaultdict[int, set[int]](set)
        for row, document in zip(self.tokens.tolist(), self.token_document.tolist(), strict=True):
            if row not in self._tabs_behind:
                widths[document].add(self.text(row).count(b"\t"))
        anywhere = set[int]().union(*widths.values())
        return {
            row
            for row, tabs in self._tabs_behind.items()
            if tabs == 1
            and self.text(row).count(b"\t") + 1 in widths.get(int(self.document[row]), anywhere)
        }

    def cells(self, rows: IntArray, splits: int = -1) -> Iterator[tuple[int, list[bytes]]]:
        """Each of these lines with its cells; an empty last one is included.

        With `splits` lines may be split only so often, which is faster.
        """
        lacking, data = self.lacking, self.data
        # bytes.split is fast, but splits at other white space, too
        unlike_others = self.has_tabs or self.has_returns or b"\v" in data or b"\f" in data
        bounds = zip(rows.tolist(), self.start[rows].tolist(), self.end[rows].tolist(), strict=True)
        for row, start, end in bounds:
            line = data[start:end]
            cells = split_cells(line, splits) if unlike_others else line.split(None, splits)
            yield row, [*cells, b""] if row in lacking else cells

    def begins(self) -> BoolArray:
        """bool (tokens,): the tokens that begin a sentence.

        Blank lines and the ends of documents end sentences; comments do not.
        """
        blanks = np.cumsum(self.end <= self.start)[self.tokens]
        begins: BoolArray = np.diff(blanks, prepend=-1) > 0
        return begins | (np.diff(self.token_document, prepend=-1) > 0)

    def pieces(self, number: int) -> TextPieces:
        """A column of all tokens, from 0, as pieces of the file.

        The end is −1 where no column follows: coreference is the last column, so the line lacks
        the column. The blanks in the first 64 bytes of a line are bits of a number; lines in which
        the column is not among these bytes are split.
        """
        start, end = self.start[self.tokens], self.end[self.tokens]
        size, gap = 64, _TAB if self.has_tabs else _BLANK
        begin, stop = start.copy(), np.full_like(end, -1)
        one = np.uint64(1)
        windows = np.ndarray(max(len(self.buffer) - size + 1, 0), f"V{size}", self.data, 0, (1,))
        near = slice(int(np.searchsorted(start, len(windows))))
        is_gap = windows[start[near]].view(np.uint8) == gap
        gaps: WordArray = np.packbits(is_gap, bitorder="little").view("<u8")
        begins = gaps << one | one
        if not self.has_tabs:
            begins &= ~gaps
        for _ in range(number):
            begins &= begins - one
        first = begins & -begins  # the lowest bit: where the column begins
        last = gaps & -first
        last &= -last
        begin[near] += np.bitwise_count(first - one)
        found = start[near] + np.bitwise_count(last - one)
        stop[near] = np.where((first > 0) & (last > 0) & (found < end[near]), found, -1)
        odd = np.flatnonzero(stop < 0)
        for i, (row, cells) in zip(odd.tolist(), self.cells(self.tokens[odd]), strict=True):
            if len(cells) > number + 1:
                begin[i] = self.start[row] + _place(self.text(row), cells, number)
                stop[i] = begin[i] + len(cells[number])
        return TextPieces(self.buffer, begin, stop)


def line_bounds(data: bytes, buffer: ByteArray) -> tuple[IntArray, IntArray]:
    """The start and the end of each line, without its line end."""
    end = np.flatnonzero(buffer == _NEWLINE)
    if not data.endswith(b"\n"):
        end = np.append(end, len(data))
    start = np.append(len(_BOM) * data.startswith(_BOM), end[:-1] + 1)
    if b"\r" in data:
        end = end - ((buffer.take(end - 1, mode="clip") == _RETURN) & (end > start))
    return start, end


def decode_name(text: bytes) -> str:
    """The name of a document; bytes that are not UTF-8 are kept, so that names stay distinct."""
    return text.decode("utf-8", AS_THEY_ARE).strip()


def split_cells(line: bytes, splits: int = -1) -> list[bytes]:
    """The cells of a line, which is split by tabs if it has any, else by runs of blanks.

    Other white space, e.g. a no-break space, belongs to the word. With `splits`, a line with tabs
    is split only so often.

    >>> split_cells("tale 0  0 10\\u00a0000 -".encode())
    [b'tale', b'0', b'0', b'10\\xc2\\xa0000', b'-']
    """
    if b"\t" in line:
        return line.split(b"\t", splits)
    return [cell for cell in line.split(b" ") if cell]


def _last_cell(line: bytes) -> bytes:
    """The last cell of a line: after its last tab if it has one, else after its last blank."""
    if b"\t" in line:
        return line.rpartition(b"\t")[2].lstrip(b" ")
    return line.rpartition(b" ")[2].rpartition(b"\r")[2]


def _place(line: bytes, cells: Sequence[bytes], number: int) -> int:
    """Where a cell begins in its line."""
    if b"\t" in line:
        return sum(map(len, cells[:number])) + number
    offset = 0
    for cell in cells[:number]:
        offset = line.index(cell, offset) + len(cell)
    return line.index(cells[number], offset)


class TokenLine(NamedTuple):
    """The line of a token: its number (from 1), whether it begins a sentence, and its columns."""

    number: int
    begins_sentence: bool
    fields: list[str]


def token_lines(
    data: bytes, begin: int = 0, end: int | None = None, *, errors: str = "replace"
) -> Iterator[TokenLine]:
    """The tokens of all documents, or of those between two bytes of the file.

    `errors` is that of `bytes.decode`, for bytes that are not UTF-8.
    """
    lines = Lines(data[begin:end])
    above = data.count(b"\n", 0, begin) + 1
    for begins, (row, cells) in zip(
        lines.begins().tolist(), lines.cells(lines.tokens), strict=True
    ):
        yield TokenLine(row + above, begins, [cell.decode("utf-8", errors) for cell in cells])


def split_columns(
    lines: Lines,
    names: Sequence[str | int],
    path: str,
    errors: str = "replace",
    tokens: IntArray | None = None,
) -> list[Column]:
    """These columns of all tokens, or of some in order; DataError if a line lacks one."""
    numbers = [column_number(name) for name in names]
    most = max(numbers, default=0)
    found: list[list[bytes]] = [[] for _ in numbers]
    rows = lines.tokens if tokens is None else lines.tokens[tokens]
    for row, cells in lines.cells(rows, most + 2 if min(numbers, default=0) >= 0 else -1):
        # The last column is coreference: it is never the word, however few columns there are.
        if len(cells) <= most + 1:
            name = next(
                n for n, number in zip(names, numbers, strict=True) if len(cells) <= number + 1
            )
            raise data_error(
                "column-missing",
                name=name,
                file=path,
                at=row + 1,
                found=f"{len(cells)} columns, the last being coreference",
                expected=f"at least {column_number(name) + 2} columns",
            )
        for column, number in zip(found, numbers, strict=True):
            column.append(cells[number])
    return [decoded_column(column, errors) for column in found]


def decoded_column(cells: Sequence[bytes], errors: str = "replace") -> Column:
    """The column of these cells, of which each distinct one is decoded once."""
    code, distinct = numbered(cells)
    return Column(code, tuple(cell.decode("utf-8", errors) for cell in distinct))


def numbered(cells: Iterable[bytes]) -> tuple[IntArray, list[bytes]]:
    """The number of each cell, int64 (cells,), and the distinct cells."""
    number = defaultdict[bytes, int](count().__next__)
    code = np.fromiter(map(number.__getitem__, cells), np.int64)
    return code, [*number]


_LOOK = 20
"""How many lines are examined to find the words of a file with few columns."""


def word_place(lines: Lines) -> int | str:
    """The column with the words: its number if a file has few columns and shows it, or "word".

    In a file of two or three columns, the word follows consecutive numbers (GUM), or is the first
    cell if most of these differ, unlike document names and parts.
    """
    some = [cells for _, cells in lines.cells(lines.tokens[:_LOOK])]
    columns = {len(cells) for cells in some}
    if len(some) < 2 or len(columns) > 1 or not columns <= {2, 3}:
        return "word"
    first = [cells[0].decode("utf-8", "replace") for cells in some]
    if all(cell.isdecimal() and len(cell) < 19 for cell in first):
        running = all(int(b) - int(a) == 1 or b in "01" for a, b in pairwise(first))
        return 1 if running and columns == {3} else "word"
    return 0 if 2 * len({*first}) > len(first) else "word"


ARGUMENTS = 11
"""The first column of predicate arguments, of which there is one per predicate of a sentence."""


def lines_of(source: Source) -> Lines:
    """The lines of a file, found once."""
    return source.once("lines", lambda: Lines(source.data))


def count_columns(corpus: Corpus) -> IntArray:
    """int64 (tokens,): how many columns each token has."""
    files = map(lines_of, corpus.sources)
    return np.array(
        [len(cells) for lines in files for _, cells in lines.cells(lines.tokens)], np.int64
    )


def read_arguments(corpus: Corpus) -> list[tuple[IntArray, Column]]:
    """The columns of predicate arguments, in order: the tokens that have each, and the values.

    Sentences have as many of them as predicates, so each further column has fewer tokens.
    """
    columns: list[tuple[list[int], list[bytes]]] = []
    rows = (row for lines in map(lines_of, corpus.sources) for row in lines.cells(lines.tokens))
    for token, (_, cells) in enumerate(rows):
        for index, cell in enumerate(cells[ARGUMENTS:-1]):
            if index == len(columns):
                columns.append(([], []))
            columns[index][0].append(token)
            columns[index][1].append(cell)
    return [(np.array(tokens, np.int64), decoded_column(cells)) for tokens, cells in columns]

"""The lines of files with `#begin document`, and the columns of their tokens.

These are CoNLL and SemEval-2010 files. Lines are arrays of offsets; the contents of their columns
(words, tags and so on, which plain scoring never needs) are read on demand.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import (
    EIGHT,
    EMPTY,
    BoolArray,
    ByteArray,
    IntArray,
    as_word,
    byte_table,
    eight_bytes,
    starts_of_runs,
    stretches,
    tuples,
)
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import data_error
from corefkit.core.source import Column, Source, TextPieces, column_number, join_columns
from corefkit.formats.columns.buffer import BLANKS, decode_name, find_byte, line_bounds, strip
from corefkit.formats.columns.cells import inner_cells, split_cells
from corefkit.formats.columns.interning import intern_column
from corefkit.formats.kit.files import AS_THEY_ARE

_TAB, _NEWLINE, _SPACE, _HASH = b"\t\n #"
_TEXT = bytes(set(range(256)) - set(BLANKS))
NO_MARKS = b"-_*"
"""The contents of the last column of a token without brackets."""
_IS_BLANK, _IS_NO_MARK = byte_table(BLANKS), byte_table(NO_MARKS)
_USUAL_BEGIN, _USUAL_END = b"#begin document ", b"#end document"
_HEADER = re.compile(rb"#\s*(begin|end)\s+document\b\s*(.*)", re.DOTALL)


@frozen(eq=False)
class Lines:
    """The places and kinds of the lines of a file.

    Attributes:
        data, buffer: the bytes, and the same as uint8.
        start, end: int64 (lines,), the bounds of each line, without blanks and line ends after it.
        token: bool (lines,), whether the line holds a token, inside a document or not.
        unmarked: bool (lines,), whether the line ends in a separator and one of "-", "_" and "*":
            the last column of these tokens is empty.
        begin: int64 (documents,), the line that begins each document.
        finish: int64 (documents,), the line that ends it: its own `#end document`, or else the next
            beginning or the end of the file.
        names: the names of the documents.
        has_tabs: whether there is a tab anywhere in the file.
    """

    data: bytes
    buffer: ByteArray
    start: IntArray
    end: IntArray
    token: BoolArray
    unmarked: BoolArray
    begin: IntArray
    finish: IntArray
    names: list[str]
    has_tabs: bool

    def document(self) -> IntArray:
        """int64 (lines,): the document of each line; −1 before the first."""
        lengths = np.diff(self.begin, prepend=0, append=len(self.start))
        return np.repeat(np.arange(-1, len(self.begin)), lengths)

    @cached_property
    def inside(self) -> tuple[IntArray, IntArray, IntArray]:
        """The lines (from 0) with tokens in documents, the document of each, and other tokens."""
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
        """The lines (from 0) with tokens in documents, and which of them begin a sentence.

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
    """The lines of a file, with headers, comments, tokens and blank lines told apart."""
    data, buffer, start, end, first, last, second_last = line_bounds(data)
    end = np.maximum(end, start)
    padded = np.flatnonzero(_IS_BLANK[last] & (end > start))
    if len(padded):
        _, text_end = strip(buffer, start[padded], end[padded], BLANKS, left=False)
        end[padded] = text_end
        last[padded] = buffer.take(text_end - 1, mode="clip")
        second_last[padded] = buffer.take(text_end - 2, mode="clip")
    token = end > start
    has_tabs = b"\t" in data
    unmarked = _IS_NO_MARK[last] & (second_last == (_TAB if has_tabs else _SPACE))
    hashes = np.flatnonzero(token & (first == _HASH))
    kind, names = _read_hash_lines(data, buffer, start[hashes], end[hashes])
    token[hashes[kind != _TOKEN]] = False
    headers, begins = hashes[kind >= _END], kind[kind >= _END] == _BEGIN
    # The next header ends a document, whatever it is.
    finish = np.append(headers, len(start))[1:][begins]
    return Lines(
        data, buffer, start, end, token, unmarked, headers[begins], finish, names, has_tabs
    )


_TOKEN, _COMMENT, _END, _BEGIN = range(4)


def _read_hash_lines(
    data: bytes, buffer: ByteArray, start: IntArray, end: IntArray
) -> tuple[IntArray, list[str]]:
    """The kind of each line that begins with #, and the names of those that begin a document.

    Headers in the usual form are read all at once, as a file may have 10⁵ documents.
    """
    length, usual = end - start, len(_USUAL_BEGIN)
    head = eight_bytes(buffer, start, length)
    more = eight_bytes(buffer, start + EIGHT, np.maximum(length - EIGHT, 0))
    kind = np.full(len(start), _COMMENT)
    for value, text in ((_END, _USUAL_END), (_BEGIN, _USUAL_BEGIN)):
        kind[(head == as_word(text[:EIGHT])) & (more == as_word(text[EIGHT:]))] = value
    kind[(kind == _END) & (length > len(_USUAL_END))] = _COMMENT
    some = np.flatnonzero(kind == _BEGIN)
    # Each name with the byte after it, which becomes a line feed.
    letters = buffer.take(stretches(start[some] + usual, length[some] - usual + 1), mode="clip")
    letters[np.cumsum(length[some] - usual + 1) - 1] = _NEWLINE
    texts = letters.tobytes().decode("utf-8", AS_THEY_ARE).split("\n")
    names = dict(zip(some.tolist(), map(str.strip, texts), strict=False))
    for row in np.flatnonzero(kind == _COMMENT).tolist():
        line = data[start[row] : end[row]]
        if header := _HEADER.fullmatch(line):
            kind[row] = _BEGIN if header[1] == b"begin" else _END
            names |= {row: decode_name(header[2])} if kind[row] == _BEGIN else {}
        elif b"\t" in line:
            kind[row] = _TOKEN
    return kind, [names[row] for row in sorted(names)]


def last_column(lines: Lines, rows: IntArray) -> IntArray:
    """int64 (rows,): the first byte of the last column of these lines.

    Tabs separate columns; in a line without tabs, one or more blanks do.
    """
    first, last = lines.start[rows], lines.end[rows]
    _, column = strip(lines.buffer, first, last, _TEXT, left=False)
    if lines.has_tabs:
        _prefer_tabs(lines, column, first, last)
    return column


def _prefer_tabs(lines: Lines, column: IntArray, first: IntArray, last: IntArray) -> None:
    """Move the beginnings of columns that follow a blank, in lines with tabs, to the last tab."""
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
    """The lines of the file, computed once."""
    return source.once("lines", lambda: find_lines(source.data))


def empty_last(lines: Lines, asked: IntArray | None = None) -> BoolArray:
    """bool (asked,): which of these token lines, or of all, have an empty last column.

    LitBank writes `…<tab>word<tab>` for a token in no mention. Tabs after the last column are
    ignored, so the line alone does not decide. The lines of the document that do not end in a tab
    show how many columns there are; if there are no such lines, those of the whole file do.
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
    lines = find_lines(data[begin:end])
    above = data.count(b"\n", 0, begin) + 1
    numbers = tuples(*lines.tokens())
    for (line, first), fields in zip(numbers, token_fields(lines, errors), strict=True):
        yield TokenLine(line + above, first, fields)


def token_fields(lines: Lines, errors: str) -> Iterator[list[str]]:
    """The columns of each token in a document, including an empty last one."""
    for line, lacks_last in tuples(lines.inside[0], empty_last(lines)):
        fields = split_fields(lines.text(line).decode("utf-8", errors))
        yield [*fields, ""] if lacks_last else fields


def split_fields(line: str) -> list[str]:
    """The columns of a line, which is split by tabs if it has any, else by runs of blanks.

    Other white space, e.g. a no-break space, belongs to the word.

    >>> split_fields("tale 0  0 10\u00a0000 -")
    ['tale', '0', '0', '10\\xa0000', '-']
    """
    return line.split("\t") if "\t" in line else [field for field in line.split(" ") if field]


ARGUMENTS = 11
"""The first column of predicate arguments, of which there is one per predicate of a sentence."""

_ROWS = 1 << 16
"""How many lines are split at once, so that only their fields take memory."""


def columns_of_lines(
    source: Source,
    names: Sequence[str | int],
    errors: str = "replace",
    tokens: IntArray | None = None,
) -> list[Column]:
    """Columns of all tokens of a CoNLL file, or of some in order.

    `errors` is that of `bytes.decode`, for bytes that are not UTF-8.
    """
    wanted = {name: column_number(name) for name in names}
    chunks = _chunks(source) if tokens is None else chosen_lines(lines_of(source), tokens)
    parts = list(_read(source, chunks, wanted, errors))
    return [join_columns([part[i] for part in parts]) for i in range(len(names))]


def pieces_of_lines(lines: Lines, number: int) -> TextPieces | None:
    """The column with this number as pieces of the file; None if a line lacks it."""
    (pieces,) = inner_columns(lines, number)
    return None if (pieces.end < 0).any() else pieces


def inner_columns(lines: Lines, *numbers: int) -> list[TextPieces]:
    """The columns with these numbers, from 0, the highest last, as pieces of the file.

    If no column follows the last of them in a line, its end is −1 there, and the others are
    undefined: coreference is the last column, so the line lacks a column.
    """
    row, _, _ = lines.inside
    separator = b"\t" if lines.has_tabs else b" "
    bounds = lines.start[row], lines.end[row]
    cells = inner_cells(lines.buffer, *bounds, numbers, separator)
    pieces = [TextPieces(lines.buffer, start, stop) for start, stop in cells]
    unclear = np.flatnonzero(pieces[-1].end < 0)  # other separators, an empty last column, too few
    if len(unclear):
        some = row[unclear]
        bounds = lines.start[some], lines.end[some]
        fields = Fields(lines.buffer, some, *bounds, empty_last(lines, unclear))
        for number, piece in zip(numbers, pieces, strict=True):
            piece.start[unclear], piece.end[unclear] = fields.find(number)
        pieces[-1].end[unclear[fields.count <= numbers[-1] + 1]] = -1
    return pieces


def read_arguments(corpus: Corpus) -> list[tuple[IntArray, Column]]:
    """The columns of predicate arguments, in order: the tokens that have each, and the values.

    Sentences have as many of them as predicates, so each further column has fewer tokens.
    """
    parts: list[tuple[list[IntArray], list[Column]]] = []
    before = 0
    for source in corpus.sources:
        for fields in _chunks(source):
            for place in range(int(fields.count.max(initial=0)) - ARGUMENTS - 1):
                have = np.flatnonzero(fields.count > ARGUMENTS + 1 + place)
                if place == len(parts):
                    parts.append(([], []))
                parts[place][0].append(have + before)
                parts[place][1].append(fields.column(ARGUMENTS + place, have))
            before += len(fields.count)
    return [(np.concatenate(tokens), join_columns(columns)) for tokens, columns in parts]


def count_columns(corpus: Corpus) -> IntArray:
    """int64 (tokens,): how many columns each token has."""
    counts = [fields.count for source in corpus.sources for fields in _chunks(source)]
    return np.concatenate([EMPTY, *counts])


def _read(
    source: Source, chunks: Iterable["Fields"], wanted: dict[str | int, int], errors: str
) -> Iterator[list[Column]]:
    for fields in chunks:
        for name, number in wanted.items():
            # The last column is coreference: it is never the word, however few columns there are.
            short = np.flatnonzero(fields.count <= number + 1)
            if number >= 0 and len(short):
                line, columns = int(fields.row[short[0]]), int(fields.count[short[0]])
                raise data_error(
                    "column-missing",
                    name=name,
                    file=source.path,
                    at=line + 1,
                    found=f"{columns} columns, the last being coreference",
                    expected=f"at least {number + 2} columns",
                )
        yield [fields.column(number, errors=errors) for number in wanted.values()]


_LOOK = 20
"""How many lines are examined to find the words of a file with few columns."""


def word_place(source: Source) -> int | str:
    """The column with the words: its number if a file has few columns and shows it, or "word".

    In a file of two or three columns, the word follows consecutive numbers (GUM), or is the first
    cell if most of these differ, unlike document names and parts.
    """
    lines = lines_of(source)
    fields = next(chosen_lines(lines, np.arange(min(_LOOK, len(lines.inside[0])))), None)
    if fields is None or not 2 <= int(fields.count[0]) <= 3:
        return "word"
    first, columns = fields.column(0).to_list(), {*fields.count.tolist()}
    if len(columns) > 1 or len(first) < 2:
        return "word"
    if all(cell.isdecimal() and len(cell) < 19 for cell in first):
        running = all(int(b) - int(a) == 1 or b in "01" for a, b in pairwise(first))
        return 1 if running and columns == {3} else "word"
    return 0 if 2 * len({*first}) > len(first) else "word"


def _chunks(source: Source) -> Iterator["Fields"]:
    return split_lines(lines_of(source))


def split_lines(lines: Lines) -> Iterator["Fields"]:
    """The fields of all lines with tokens, thousands of lines at a time."""
    (row, _, _), empty = lines.inside, empty_last(lines)
    for at in range(0, len(row), _ROWS):
        some = row[at : at + _ROWS]
        bounds = lines.start[some], lines.end[some]
        yield Fields(lines.buffer, some, *bounds, empty[at : at + _ROWS])


def chosen_lines(lines: Lines, tokens: IntArray) -> Iterator["Fields"]:
    """The fields of the lines of some tokens, in order; only these lines are split."""
    row, empty = lines.inside[0][tokens], empty_last(lines, tokens)
    for at in range(0, len(row), _ROWS):
        some = row[at : at + _ROWS]
        first = starts_of_runs(some - np.arange(len(some)))
        begin, end = lines.start[some], lines.end[some]
        begins, ends = begin[first], np.append(end[first[1:] - 1], end[-1])
        data = b"\n".join(lines.data[a:b] for a, b in tuples(begins, ends))
        length = ends - begins + 1
        shift = np.repeat(np.cumsum(length) - length - begins, np.diff(first, append=len(some)))
        buffer = np.frombuffer(data, dtype=np.uint8)
        yield Fields(buffer, some, begin + shift, end + shift, empty[at : at + _ROWS])


class Fields:
    """The fields of some token lines, which are split by tabs if they have any, else by blanks.

    Attributes:
        row: int64 (rows,), the lines (from 0).
        count: int64 (rows,), how many fields each line has, including an empty last one.
        tabbed: bool (rows,), whether tabs split the line.
    """

    def __init__(
        self, buffer: ByteArray, row: IntArray, begin: IntArray, end: IntArray, empty: BoolArray
    ) -> None:
        """The lines are buffer[begin:end]; `empty` says which have an empty last column."""
        self.row, self._empty = row, empty
        self._cells = split_cells(buffer, begin, end)
        self.tabbed = self._cells.tabbed
        self.count = self._cells.count + empty

    def find(self, number: int) -> tuple[IntArray, IntArray]:
        """The bounds of the field with this number (−1: the last) in the buffer.

        They are undefined for lines that lack the field.
        """
        place = np.full(len(self.count), number) if number >= 0 else self.count + number
        start, end = self._cells.bounds(place)
        return np.where(self._empty & (place == self.count - 1), end, start), end

    def column(self, number: int, rows: IntArray | None = None, errors: str = "replace") -> Column:
        """The field with this number in all lines, or in some that have it."""
        start, end = self.find(number)
        if rows is not None:
            start, end = start[rows], end[rows]
        return intern_column(self._cells.buffer, start, end, errors)

"""Token columns on demand: the words, tags and so on that plain scoring never looks at.

A column is an array of numbers into its distinct values: a corpus of a million tokens has fifty
tags, and a comparison with a tag is one comparison of arrays.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from corefkit.core.arrays import EMPTY, BoolArray, ByteArray, IntArray, starts_of_runs, tuples
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import data_error
from corefkit.core.source import Column, Source, TextPieces, column_number, join_columns
from corefkit.formats.columns.cells import inner_cells, split_cells
from corefkit.formats.columns.interning import intern_column
from corefkit.formats.columns.lines import Lines, empty_last, lines_of

ARGUMENTS = 11
"""The first column of predicate arguments; there is one for each predicate of the sentence."""

_ROWS = 1 << 16
"""So many lines are split at once: their fields take memory only as long as they are looked at."""


def columns_of_lines(
    source: Source,
    names: Sequence[str | int],
    errors: str = "replace",
    tokens: IntArray | None = None,
) -> list[Column]:
    """Columns of every token of a CoNLL file, or of some in order; lines are found once.

    `errors` is what becomes of bytes that are not UTF-8, as in `bytes.decode`.
    """
    wanted = {name: column_number(name) for name in names}
    chunks = _chunks(source) if tokens is None else chosen_lines(lines_of(source), tokens)
    parts = list(_read(source, chunks, wanted, errors))
    return [join_columns([part[i] for part in parts]) for i in range(len(names))]


def pieces_of_lines(lines: Lines, number: int) -> TextPieces | None:
    """Where the column of this number stands in the lines of all tokens; None: some lack it."""
    row, _, _ = lines.inside
    separator = b"\t" if lines.has_tabs else b" "
    start, stop = inner_cells(lines.buffer, lines.start[row], lines.end[row], number, separator)
    unclear = np.flatnonzero(stop < 0)  # other separators, an empty last column, too few columns
    if len(unclear):
        some = row[unclear]
        bounds = lines.start[some], lines.end[some]
        fields = Fields(lines.buffer, some, *bounds, empty_last(lines, unclear))
        if (fields.count <= number + 1).any():
            return None
        start[unclear], stop[unclear] = fields.find(number)
    return TextPieces(lines.buffer, start, stop)


def read_arguments(corpus: Corpus) -> list[tuple[IntArray, Column]]:
    """The columns of predicate arguments, first to last: which tokens have it, int64, and what.

    Sentences have as many of them as predicates, so each further column has fewer tokens.
    """
    found: list[tuple[list[IntArray], list[Column]]] = []
    before = 0
    for source in corpus.sources:
        for fields in _chunks(source):
            for place in range(int(fields.count.max(initial=0)) - ARGUMENTS - 1):
                have = np.flatnonzero(fields.count > ARGUMENTS + 1 + place)
                if place == len(found):
                    found.append(([], []))
                found[place][0].append(have + before)
                found[place][1].append(fields.column(ARGUMENTS + place, have))
            before += len(fields.count)
    return [(np.concatenate(tokens), join_columns(columns)) for tokens, columns in found]


def count_columns(corpus: Corpus) -> IntArray:
    """How many columns each token has, int64 (tokens,)."""
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
                line, found = int(fields.row[short[0]]), int(fields.count[short[0]])
                raise data_error(
                    "column-missing",
                    name=name,
                    file=source.path,
                    at=line + 1,
                    found=f"{found} columns, the last being coreference",
                    expected=f"at least {number + 2} columns",
                )
        yield [fields.column(number, errors=errors) for number in wanted.values()]


_LOOK = 20
"""So many lines tell where the words of a file with few columns are."""


def word_place(source: Source) -> int | str:
    """The column with the words: its number where a file of few columns tells it, else its name.

    Of two or three columns: numbers that run on, then a word (GUM); or first cells most of which
    differ, which a document's name or a part would not.
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
    """The fields of all lines with tokens, some thousands of lines at once."""
    (row, _, _), empty = lines.inside, empty_last(lines)
    for at in range(0, len(row), _ROWS):
        some = row[at : at + _ROWS]
        bounds = lines.start[some], lines.end[some]
        yield Fields(lines.buffer, some, *bounds, empty[at : at + _ROWS])


def chosen_lines(lines: Lines, tokens: IntArray) -> Iterator["Fields"]:
    """The fields of the lines of some tokens, in order: their bytes, put together, are split."""
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
    """The fields of some token lines: split by tabs where a line has any, else by blanks.

    Attributes:
        row: int64 (rows,), the lines (from 0).
        count: int64 (rows,), how many fields each line has, the coreference column included even
            where it is empty.
        tabbed: bool (rows,), whether tabs split the line.
    """

    def __init__(
        self, buffer: ByteArray, row: IntArray, begin: IntArray, end: IntArray, empty: BoolArray
    ) -> None:
        """The lines are buffer[begin:end]; `empty` tells whose last column is empty."""
        self.row, self._empty = row, empty
        self._cells = split_cells(buffer, begin, end)
        self.tabbed = self._cells.tabbed
        self.count = self._cells.count + empty

    def find(self, number: int) -> tuple[IntArray, IntArray]:
        """Where the field of this number (−1: the last) begins and ends, in bytes of the file.

        Lines that lack the field have nonsense there.
        """
        place = np.full(len(self.count), number) if number >= 0 else self.count + number
        start, end = self._cells.bounds(place)
        return np.where(self._empty & (place == self.count - 1), end, start), end

    def column(self, number: int, rows: IntArray | None = None, errors: str = "replace") -> Column:
        """The field of this number in all of the lines, or in some that have it."""
        start, end = self.find(number)
        if rows is not None:
            start, end = start[rows], end[rows]
        return intern_column(self._cells.buffer, start, end, errors)

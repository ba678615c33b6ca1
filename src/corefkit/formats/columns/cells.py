"""Token columns on demand: the words, tags and so on that plain scoring never looks at.

A column is an array of numbers into its distinct values: a corpus of a million tokens has fifty
tags, and a comparison with a tag is one comparison of arrays.

Spans as the cells of a column: `(PERSON)`, `(ORG*` … `*)`, and `(12|(3)` … `12)`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from corefkit.core.arrays import EMPTY, BoolArray, ByteArray, IntArray, byte_table
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import data_error
from corefkit.core.source import NOTHING, Column, Source, column_number, join_columns
from corefkit.formats.columns.interning import intern_column
from corefkit.formats.columns.lines import Lines, find_byte, find_lines
from corefkit.formats.conll.reader import empty_last

ARGUMENTS = 11
"""The first column of predicate arguments; there is one for each predicate of the sentence."""

_TAB = 9
_INSIDE = (~byte_table(b" \t\n")).astype(np.int8)
_ROWS = 1 << 16
"""So many lines are split at once: their fields take memory only as long as they are looked at."""


def read_columns(
    sources: Iterable[Source], names: Sequence[str | int], errors: str = "replace"
) -> list[Column]:
    """Columns of every token of CoNLL files; lines are found once.

    `errors` is what becomes of bytes that are not UTF-8, as in `bytes.decode`.
    """
    wanted = {name: column_number(name) for name in names}
    parts = [part for source in sources for part in _read(source, wanted, errors)]
    return [join_columns([part[i] for part in parts]) for i in range(len(names))]


def lines_of(source: Source) -> Lines:
    """The lines of the file, found once."""
    return source.once("lines", lambda: find_lines(source.data))


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


def _read(source: Source, wanted: dict[str | int, int], errors: str) -> Iterator[list[Column]]:
    for fields in _chunks(source):
        for name, number in wanted.items():
            # The last column is coreference: it is never the word, however few columns there are.
            short = np.flatnonzero(fields.count <= number + 1)
            if number >= 0 and len(short):
                line, found = int(fields.row[short[0]]), int(fields.count[short[0]])
                raise data_error(
                    "column-missing",
                    name=name,
                    file=source.path,
                    line=line + 1,
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
    fields = next(_chunks(source), None)
    if fields is None or not 2 <= int(fields.count[0]) <= 3:
        return "word"
    some = np.arange(min(_LOOK, len(fields.count)))
    first, columns = fields.column(0, some).to_list(), {*fields.count[some].tolist()}
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
        yield Fields(lines, row[at : at + _ROWS], empty[at : at + _ROWS])


class Fields:
    """The fields of some token lines: split by tabs where a line has any, else by blanks.

    Attributes:
        row: int64 (rows,), the lines (from 0).
        count: int64 (rows,), how many fields each line has, the coreference column included even
            where it is empty.
        tabbed: bool (rows,), whether tabs split the line.
    """

    def __init__(self, lines: Lines, row: IntArray, empty: BoolArray) -> None:
        self.row, self._empty, self._buffer = row, empty, lines.buffer
        self._start, self._end = lines.start[row], lines.end[row]
        first = int(self._start[0])
        stop = int(lines.start[row[-1] + 1]) if row[-1] + 1 < len(lines.start) else None
        self._tab = find_byte(lines.buffer[first:stop], _TAB) + first
        self._first_tab = np.searchsorted(self._tab, self._start)
        tabs = np.searchsorted(self._tab, self._end) - self._first_tab
        self.tabbed = tabs > 0
        untabbed = lines.buffer[first : first if self.tabbed.all() else stop]
        self._first, self._last = (place + first for place in _words(untabbed))
        self._first_word = np.searchsorted(self._first, self._start)
        words = np.searchsorted(self._first, self._end) - self._first_word
        self.count = np.where(self.tabbed, tabs + 1, words) + self._empty

    def find(self, number: int) -> tuple[IntArray, IntArray]:
        """Where the field of this number (−1: the last) begins and ends, in bytes of the file.

        Lines that lack the field have nonsense there.
        """
        place = np.full(len(self.count), number) if number >= 0 else self.count + number
        start, end = self._start.copy(), self._end.copy()
        later = self.tabbed & (place > 0) & (place < self.count)
        start[later] = self._tab[(self._first_tab + place - 1)[later]] + 1
        inner = self.tabbed & (place < self.count - 1)
        end[inner] = np.minimum(self._tab[(self._first_tab + place)[inner]], end[inner])
        nothing = self._empty & (place == self.count - 1)
        start[nothing] = end[nothing]
        words = ~self.tabbed & ~nothing & (place < self.count)
        start[words] = self._first[(self._first_word + place)[words]]
        # A carriage return inside a line belongs to a word, one at its end does not.
        end[words] = np.minimum(self._last[(self._first_word + place)[words]], end[words])
        return start, end

    def column(self, number: int, rows: IntArray | None = None, errors: str = "replace") -> Column:
        """The field of this number in all of the lines, or in some that have it."""
        start, end = self.find(number)
        if rows is not None:
            start, end = start[rows], end[rows]
        return intern_column(self._buffer, start, end, errors)


def _words(buffer: ByteArray) -> tuple[IntArray, IntArray]:
    """Where runs of bytes other than blanks and line ends begin and end."""
    inside = np.zeros(len(buffer) + 2, dtype=np.int8)
    inside[1:-1] = _INSIDE[buffer]
    change = np.diff(inside)
    return np.flatnonzero(change == 1), np.flatnonzero(change == -1)


_PIECE = re.compile(r"\([^()|*]*\*?\)|\([^()|*]*|[^()|*]*\)")

Labelled = tuple[int, int, str]
"""First and last token, both included, and the label."""


def star_cells(spans: Sequence[Labelled]) -> dict[int, str]:
    """Cells of named entities and the like, for the tokens where something opens or closes.

    Spans stand in text order, outer ones first.

    >>> star_cells([(0, 1, "ORG"), (3, 3, "GPE")])
    {0: '(ORG*', 1: '*)', 3: '(GPE)'}
    """
    opens: dict[int, str] = {}
    closes: dict[int, str] = {}
    for start, end, label in spans:
        opens[start] = opens.get(start, "") + f"({label}"
        closes[end] = closes.get(end, "") + ")"
    cells = {}
    for place in sorted(opens.keys() | closes.keys()):
        opened, closed = opens.get(place, ""), closes.get(place, "")
        alone = opened.count("(") == 1 and closed == ")"
        cells[place] = f"{opened}{'' if alone else '*'}{closed}"
    return cells


def coreference_cells(spans: Sequence[Labelled]) -> dict[int, str]:
    """Cells of the coreference column: openings, one-token mentions, closings.

    >>> coreference_cells([(0, 2, "7"), (2, 2, "8")])
    {0: '(7', 2: '(8)|7)'}
    """
    long = [span for span in spans if span[0] < span[1]]
    brackets = [(start, f"({label}") for start, _, label in long]
    brackets += [(start, f"({label})") for start, end, label in spans if start == end]
    brackets += [(end, f"{label})") for _, end, label in reversed(long)]
    return join_brackets(brackets)


def join_brackets(brackets: Iterable[tuple[int, str]]) -> dict[int, str]:
    """The cells of brackets at tokens, those of one token in the order given."""
    cells: dict[int, list[str]] = {}
    for place, bracket in brackets:
        cells.setdefault(place, []).append(bracket)
    return {place: "|".join(cells[place]) for place in sorted(cells)}


def same_cells(one: str, other: str) -> bool:
    """Whether two cells say the same: the order of brackets and ways of writing do not matter.

    >>> same_cells("(ORG)", "(ORG*)"), same_cells("(4)(6", "(6|(4)"), same_cells("-", "*")
    (True, True, True)
    """
    return _pieces(one) == _pieces(other)


def _pieces(cell: str) -> list[str]:
    if cell in NOTHING:
        return []
    return sorted(piece.replace("*", "") for piece in _PIECE.findall(cell))

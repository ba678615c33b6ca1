"""Token columns on demand: the words, tags and so on that plain scoring never looks at.

A column is an array of numbers into its distinct values: a corpus of a million tokens has fifty
tags, and a comparison with a tag is one comparison of arrays.
"""

from dataclasses import dataclass

import numpy as np

from corefkit._arrays import ByteArray, IntArray
from corefkit.corpus import Corpus, Source
from corefkit.formats.interning import intern
from corefkit.formats.lines import Lines, find_byte, find_lines
from corefkit.incidents import DataError, Incident

NAMES = {
    "document": 0,
    "part": 1,
    "number": 2,
    "word": 3,
    "pos": 4,
    "parse": 5,
    "lemma": 6,
    "frameset": 7,
    "sense": 8,
    "speaker": 9,
    "ne": 10,
    "coreference": -1,
}
"""The columns of the CoNLL-2012 format (Table 12 of its paper), less the predicate arguments."""

_TAB, _BLANK = b"\t "
_CHUNK = 1 << 18
"""Pieces that fit into the processor's cache."""


@dataclass(frozen=True, eq=False)
class Column:
    """One column of all tokens: int64 (tokens,) `code`, an index into the distinct `values`."""

    code: IntArray
    values: tuple[str, ...]

    def to_list(self) -> list[str]:
        """The value of each token."""
        return [self.values[c] for c in self.code.tolist()]


def read_columns(corpus: Corpus, *names: str | int) -> list[Column]:
    """Columns of every token of the corpus, in the order of the documents; lines are found once.

    Raises DataError where the corpus was not made from files or a line lacks a column.
    """
    numbers = [_number(name) for name in names]
    if not corpus.sources and corpus.names:
        raise DataError([_no_columns()])
    parts = [_read(source, dict(zip(names, numbers, strict=True))) for source in corpus.sources]
    return [join_columns([part[i] for part in parts]) for i in range(len(names))]


def sentence_numbers(corpus: Corpus) -> IntArray:
    """The sentence of every token, numbered through the corpus; int64 (tokens,).

    Raises DataError where the corpus was not made from files.
    """
    if not corpus.sources and corpus.names:
        raise DataError([_no_columns()])
    begins = [find_lines(source.data).tokens()[1] for source in corpus.sources]
    return np.cumsum(np.concatenate([np.zeros(0, dtype=bool), *begins])) - 1


def _read(source: Source, wanted: dict[str | int, int]) -> list[Column]:
    lines = find_lines(source.data)
    row, _, _ = lines.inside()
    fields = _Fields(lines, row)
    columns = []
    for name, number in wanted.items():
        # The last column is coreference: it is never the word, however few columns there are.
        short = np.flatnonzero(fields.count <= number + 1)
        if number >= 0 and len(short):
            line = int(row[short[0]])
            raise DataError([_missing(source, line, name, number, int(fields.count[short[0]]))])
        start, end = fields.find(number)
        code, values = intern(lines.buffer, start, end - start)
        columns.append(Column(code, tuple(v.decode("utf-8", "replace") for v in values)))
    return columns


class _Fields:
    """The fields of the token lines: split by tabs where a line has any, else by blanks."""

    def __init__(self, lines: Lines, row: IntArray) -> None:
        self._start, self._end = lines.start[row], lines.end[row]
        self._tab = find_byte(lines.buffer, _TAB)
        self._first_tab = np.searchsorted(self._tab, self._start)
        tabs = np.searchsorted(self._tab, self._end) - self._first_tab
        self._tabbed = tabs > 0
        self._first, self._last = _words(lines.buffer) if not self._tabbed.all() else (row, row)
        self._first_word = np.searchsorted(self._first, self._start)
        words = np.searchsorted(self._first, self._end) - self._first_word
        self.count = np.where(self._tabbed, tabs + 1, words)

    def find(self, number: int) -> tuple[IntArray, IntArray]:
        """The bytes from which to which the field of this number (−1: the last) reaches."""
        place = np.full(len(self.count), number) if number >= 0 else self.count + number
        start, end = self._start.copy(), self._end.copy()
        later = self._tabbed & (place > 0)
        start[later] = self._tab[(self._first_tab + place - 1)[later]] + 1
        inner = self._tabbed & (place < self.count - 1)
        end[inner] = self._tab[(self._first_tab + place)[inner]]
        words = ~self._tabbed
        start[words] = self._first[(self._first_word + place)[words]]
        end[words] = self._last[(self._first_word + place)[words]]
        return start, end


def _words(buffer: ByteArray) -> tuple[IntArray, IntArray]:
    """Where runs of bytes other than blanks and line ends begin and end."""
    changes, before = [np.zeros(0, dtype=np.int64)], False
    for at in range(0, len(buffer), _CHUNK):
        inside = buffer[at : at + _CHUNK] > _BLANK
        if bool(inside[0]) != before:
            changes.append(np.array([at]))
        changes.append(np.flatnonzero(inside[1:] != inside[:-1]) + at + 1)
        before = bool(inside[-1])
    if before:
        changes.append(np.array([len(buffer)]))
    places = np.concatenate(changes)
    return places[0::2], places[1::2]


def join_columns(columns: list[Column]) -> Column:
    """Columns of several files as one, equal values with equal numbers."""
    if len(columns) == 1:
        return columns[0]
    number: dict[str, int] = {}
    codes = [np.zeros(0, dtype=np.int64)]
    for column in columns:
        table = [number.setdefault(value, len(number)) for value in column.values]
        codes.append(np.array(table, dtype=np.int64)[column.code])
    return Column(np.concatenate(codes), tuple(number))


def _number(name: str | int) -> int:
    if isinstance(name, int):
        return name
    if name not in NAMES:
        raise ValueError(f"unknown column {name!r}; there are: {', '.join(NAMES)}")
    return NAMES[name]


def _no_columns() -> Incident:
    return Incident(
        "column-missing",
        "error",
        "the corpus has no token columns",
        hint="token columns exist only where a corpus is read from files",
    )


def _missing(source: Source, line: int, name: str | int, number: int, found: int) -> Incident:
    return Incident(
        "column-missing",
        "error",
        f"the file has no column {name!r}",
        file=source.path,
        line=line + 1,
        found=f"{found} columns, the last being coreference",
        expected=f"at least {number + 2} columns",
        hint="use the full CoNLL-2012 format (12 columns and more)",
    )

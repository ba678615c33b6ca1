"""Token columns on demand: the words, tags and so on that plain scoring never looks at.

A column is an array of numbers into its distinct values: a corpus of a million tokens has fifty
tags, and a comparison with a tag is one comparison of arrays.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.data.arrays import EMPTY, BoolArray, IntArray
from corefkit.data.incidents import DataError, data_error

if TYPE_CHECKING:
    from corefkit.data.corpus import Corpus

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
"""What token columns are called. The numbers are their places in the CoNLL-2012 format (Table 12
of its paper, less the predicate arguments); other formats have those that they have."""

NOTHING = frozenset({"", "-", "_", "*"})
"""What stands in a cell without content."""

MASKS = frozenset({"[WORD]", "___"})
"""What stands for a word that may not be published."""


class Column(NamedTuple):
    """One column of all tokens: int64 (tokens,) `code`, an index into the distinct `values`."""

    code: IntArray
    values: tuple[str, ...]

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Column":
        """A column from the values of all tokens.

        >>> Column.of(["a", "b", "a"]).code.tolist()
        [0, 1, 0]
        """
        number: dict[str, int] = {}
        code = [number.setdefault(text, len(number)) for text in texts]
        return cls(np.array(code, dtype=np.int64), tuple(number))

    def to_list(self) -> list[str]:
        """The value of each token."""
        return [self.values[c] for c in self.code.tolist()]

    def numbers(self, number: Callable[[str], int]) -> IntArray:
        """int64 (tokens,): what a function makes of the value of each token.

        >>> Column.of(["a", "bc", "a"]).numbers(len).tolist()
        [1, 2, 1]
        """
        table = np.array([number(value) for value in self.values], dtype=np.int64)
        return table[self.code] if len(table) else self.code

    def holds(self, predicate: Callable[[str], object]) -> BoolArray:
        """bool (tokens,): the tokens of whose values the predicate is true, or as good as true."""
        return self.numbers(lambda value: bool(predicate(value))) > 0

    def is_any(self, *values: str) -> BoolArray:
        """bool (tokens,): the tokens that have one of these values."""
        return self.holds(values.__contains__)


def join_columns(columns: Sequence[Column]) -> Column:
    """Columns of several files as one, equal values with equal numbers."""
    if len(columns) == 1:
        return columns[0]
    number: dict[str, int] = {}
    codes = [EMPTY]
    for column in columns:
        table = [number.setdefault(value, len(number)) for value in column.values]
        codes.append(np.array(table, dtype=np.int64)[column.code])
    return Column(np.concatenate(codes), tuple(number))


def column_number(name: str | int) -> int:
    """The place of a column in the CoNLL-2012 format; ValueError for an unknown name."""
    if isinstance(name, int):
        return name
    if name not in NAMES:
        raise ValueError(f"unknown column {name!r}; there are: {', '.join(NAMES)}")
    return NAMES[name]


def read_columns(corpus: "Corpus", *names: str | int) -> list[Column]:
    """Columns of every token of the corpus, in the order of the documents.

    Raises DataError where the corpus was not made from files or a file lacks a column.
    """
    for name in names:
        column_number(name)
    parts = [source.format.columns(source, names) for source in corpus.sources]
    if (not parts and corpus.names) or any(part is None for part in parts):
        raise no_columns()
    found = [part for part in parts if part is not None]
    return [join_columns([part[i] for part in found]) for i in range(len(names))]


def sentence_numbers(corpus: "Corpus") -> IntArray:
    """The sentence of every token, numbered through the corpus; int64 (tokens,).

    Raises DataError where the corpus was not made from files.
    """
    parts, before = [EMPTY], 0
    for source in corpus.sources:
        numbers = source.format.sentences(source)
        if numbers is None:
            raise no_columns()
        parts.append(numbers + before)
        before += int(numbers.max(initial=-1)) + 1
    if not corpus.sources and corpus.names:
        raise no_columns()
    return np.concatenate(parts)


def no_columns() -> DataError:
    """What to raise for a corpus that was not read from files, so that it has no token columns."""
    return data_error("column-missing", "corpus")

"""Columns of tokens or mentions: one value for each, kept as indices into the distinct values.

A corpus of a million tokens has fifty tags, and a comparison with a tag is one of arrays.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import count, groupby
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import EMPTY, BoolArray, IntArray
from corefkit.core.options import UsageError

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
"""The names of token columns. The numbers are their positions in the CoNLL-2012 format (Table 12
of its paper, without the predicate arguments); other formats have some of these columns."""

NOTHING = frozenset({"", "-", "_", "*"})
"""The contents of an empty cell."""

MARKS = frozenset(
    {"-", "_", "*", ".", "?", "na", "n/a", "#n/a", "<na>", "nan", "nil", "none", "null", r"\n"}
    | {"-1", "-1.0"}
)
r"""What programs write where there is no value, in lower case; databases write \N."""


def means_none(text: str) -> bool:
    """Whether a text, given as an id, may have been meant as no id at all.

    >>> means_none("NA"), means_none("-1"), means_none("n1")
    (True, True, False)
    """
    return text.strip().lower() in MARKS


def none_in(name: str, marks: Collection[str]) -> list[str]:
    """The texts among these marks that mean no value in a column of a table.

    Documents may have any name, and 0 is a place even where it means no entity.
    """
    if name == "document":
        return []
    return [mark for mark in marks if name == "entity" or not mark.isdecimal()]


MASKS = frozenset({"[WORD]", "___"})
"""Placeholders for words that may not be published."""


class Column(NamedTuple):
    """One value per token: `code`, int64 (tokens,), are indices into the distinct `values`."""

    code: IntArray
    values: tuple[str, ...]

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Column":
        """The column of these values, one per token.

        >>> Column.of(["a", "b", "a"]).code.tolist()
        [0, 1, 0]
        """
        number = defaultdict[str, int](count().__next__)
        code = np.fromiter(map(number.__getitem__, texts), dtype=np.int64, count=len(texts))
        return cls(code, tuple(number))

    def to_list(self) -> list[str]:
        """The value of each token."""
        return [self.values[c] for c in self.code.tolist()]

    def frequency(self) -> dict[str, int]:
        """How often each value occurs."""
        number = np.bincount(self.code, minlength=len(self.values)).tolist()
        return dict(zip(self.values, number, strict=True))

    def text(self, token: int) -> str:
        """The value of one token."""
        return self.values[int(self.code[token])]

    def take(self, tokens: IntArray | BoolArray) -> "Column":
        """The column of some tokens."""
        return Column(self.code[tokens], self.values)

    def numbers(self, number: Callable[[str], int]) -> IntArray:
        """int64 (tokens,): the result of a function for the value of each token.

        >>> Column.of(["a", "bc", "a"]).numbers(len).tolist()
        [1, 2, 1]
        """
        table = np.array([number(value) for value in self.values], dtype=np.int64)
        return table[self.code] if len(table) else self.code

    def holds(self, predicate: Callable[[str], object]) -> BoolArray:
        """bool (tokens,): whether the value of each token satisfies the predicate."""
        return self.numbers(lambda value: bool(predicate(value))) > 0

    def is_any(self, *values: str) -> BoolArray:
        """bool (tokens,): whether the value of each token is one of these."""
        return self.holds(values.__contains__)


def join_columns(columns: Sequence[Column]) -> Column:
    """Several columns joined into one; equal values have equal codes."""
    if len(columns) == 1:
        return columns[0]
    number: dict[str, int] = {}
    codes = [EMPTY]
    for column in columns:
        table = [number.setdefault(value, len(number)) for value in column.values]
        codes.append(np.array(table, dtype=np.int64)[column.code])
    return Column(np.concatenate(codes), tuple(number))


def column_number(name: str | int) -> int:
    """The position of a column in the CoNLL-2012 format; raises UsageError for an unknown name."""
    if isinstance(name, int):
        return name
    if name not in NAMES:
        raise UsageError(f"unknown column {name!r}; there are: {', '.join(NAMES)}")
    return NAMES[name]


def run_lengths(values: Iterable[object]) -> list[int]:
    """The lengths of runs of equal values, e.g. of sentences from the sentence of each token.

    >>> run_lengths([1, 1, 2, 1])
    [2, 1, 1]
    """
    return [sum(1 for _ in run) for _, run in groupby(values)]


def sentence_of(lengths: Sequence[int]) -> IntArray:
    """int64 (tokens,): the sentence of each token, from the lengths; empty ones are not counted.

    >>> sentence_of([2, 0, 1]).tolist()
    [0, 0, 1]
    """
    filled = np.array([length for length in lengths if length], dtype=np.int64)
    return np.repeat(np.arange(len(filled)), filled)

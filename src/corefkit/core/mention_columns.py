"""Columns that only some corpora have: lists of the nodes of mentions, and labels of mentions.

`Ragged` has lists of different lengths, for the few rows of a corpus that need one. `MentionLabels`
are columns of text beside the span, such as a type or an id of a knowledge base: readers keep them
where files have them, and `--labels` compares them when mentions are matched.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from corefkit.core.arrays import EMPTY, IntArray, stretches
from corefkit.core.carriers import frozen
from corefkit.core.source import Column, join_columns


def runs_of(tokens: Iterable[int]) -> list[tuple[int, int]]:
    """The runs of neighbours among tokens in rising order, both ends included.

    >>> runs_of([2, 3, 7])
    [(2, 3), (7, 7)]
    """
    runs: list[tuple[int, int]] = []
    for token in tokens:
        if runs and token == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], token)
        else:
            runs.append((token, token))
    return runs


@frozen(eq=False)
class Ragged:
    """The nodes of some rows.

    Attributes:
        row: int64 (lists,), the rows that have a list, ascending.
        first: int64 (lists + 1,), where each list begins; the last entry is where all end.
        token, zero: int64 (nodes,), the nodes of all lists: a surface token and 0, or the token
            before an empty node and its number.
    """

    row: IntArray
    first: IntArray
    token: IntArray
    zero: IntArray

    @classmethod
    def of(cls, lists: Sequence[tuple[int, Sequence[tuple[int, int]]]]) -> "Ragged | None":
        """From (row, nodes) pairs, rows ascending; None where there are none.

        >>> Ragged.of([(4, [(0, 0), (3, 0)])]).nodes(4)
        [(0, 0), (3, 0)]
        """
        if not lists:
            return None
        nodes = np.array([node for _, listed in lists for node in listed], dtype=np.int64)
        token, zero = nodes.reshape(-1, 2).T
        first = np.cumsum([0, *(len(listed) for _, listed in lists)])
        return cls(np.array([row for row, _ in lists], dtype=np.int64), first, token, zero)

    def nodes(self, row: int) -> list[tuple[int, int]] | None:
        """The nodes of one row, or None where it has no list."""
        at = int(np.searchsorted(self.row, row))
        return self._list(at) if at < len(self.row) and self.row[at] == row else None

    def __iter__(self) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        return ((row, self._list(at)) for at, row in enumerate(self.row.tolist()))

    def _list(self, at: int) -> list[tuple[int, int]]:
        some = slice(int(self.first[at]), int(self.first[at + 1]))
        return list(zip(self.token[some].tolist(), self.zero[some].tolist(), strict=True))

    def take(self, rows: IntArray, size: int) -> "Ragged | None":
        """The lists of these rows (of `size` there are), renumbered to their places in `rows`."""
        row, _, first, item = take_lists(self.row, self.first, rows, size)
        return Ragged(row, first, self.token[item], self.zero[item]) if len(row) else None

    @staticmethod
    def concat(parts: "Sequence[tuple[Ragged | None, int]]") -> "Ragged | None":
        """Several as one, the rows of each counted from the given number on."""
        some = [(part, shift) for part, shift in parts if part is not None]
        if not some:
            return None
        return Ragged(
            np.concatenate([part.row + shift for part, shift in some]),
            join_bounds([part.first for part, _ in some]),
            np.concatenate([EMPTY, *(part.token for part, _ in some)]),
            np.concatenate([EMPTY, *(part.zero for part, _ in some)]),
        )


def join_bounds(several: Sequence[IntArray]) -> IntArray:
    """Where lists begin, the last entry being where all end, of several columns of lists as one.

    >>> join_bounds([np.array([0, 2, 3]), np.array([0, 1])]).tolist()
    [0, 2, 3, 4]
    """
    return np.cumsum(np.concatenate(([0], *map(np.diff, several))))


def take_lists(
    row: IntArray, first: IntArray, rows: IntArray, size: int
) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """The lists of `rows`, where list i is that of `row[i]` (of `size` rows) and begins at
    `first[i]`.

    Returns, as int64: the places in `rows` that have a list, which of the old lists each is, where
    each begins among its items (and where all end), and where each item stood before.
    """
    has = np.full(size, -1, dtype=np.int64)
    has[row] = np.arange(len(row))
    lists = has[rows]
    new = np.flatnonzero(lists >= 0)
    chosen = lists[new]
    length = np.diff(first)[chosen]
    begin = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(length)))
    return new, chosen, begin, stretches(first[chosen], length)


NONE = ""
"""The value of a mention without the label."""


@frozen(eq=False)
class MentionLabels:
    """The labels of all mentions of a corpus.

    Attributes:
        columns: by the name of the label one value per mention; NONE for mentions without it.
    """

    columns: Mapping[str, Column]

    @classmethod
    def of(cls, values: Mapping[str, Sequence[str]]) -> "MentionLabels | None":
        """From the values of all mentions; None where there are no labels.

        >>> MentionLabels.of({"type": ["PER", "", "PER"]}).values("type")
        ['PER', '', 'PER']
        """
        if not values:
            return None
        return cls({name: Column.of(column) for name, column in values.items()})

    def values(self, name: str) -> list[str]:
        """The values of one label, one per mention."""
        return self.columns[name].to_list()

    def take(self, rows: IntArray) -> "MentionLabels":
        """The labels of these mentions, in this order."""
        columns = {name: Column(c.code[rows], c.values) for name, c in self.columns.items()}
        return MentionLabels(columns)

    @staticmethod
    def concat(parts: "Sequence[tuple[MentionLabels | None, int]]") -> "MentionLabels | None":
        """Those of several corpora, each with its number of mentions, as one."""
        names = dict.fromkeys(
            name for labels, _ in parts if labels is not None for name in labels.columns
        )
        if not names:
            return None
        return MentionLabels(
            {name: join_columns([_labels_of(name, *part) for part in parts]) for name in names}
        )


def _labels_of(name: str, labels: MentionLabels | None, mentions: int) -> Column:
    """A column of labels, empty ones where a corpus has none."""
    if labels is not None and name in labels.columns:
        return labels.columns[name]
    return Column(np.zeros(mentions, dtype=np.int64), (NONE,))

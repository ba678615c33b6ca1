"""Optional columns of a corpus: lists of nodes, and labels of mentions.

`Ragged` holds lists of different lengths for the few rows of a corpus that need one.
`MentionLabels` are text columns, such as a type or the id of a knowledge base: readers keep them if
files have them, and `--labels` compares them when mentions are matched.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from corefkit.core.arrays import EMPTY, IntArray, stretches
from corefkit.core.carriers import frozen
from corefkit.core.columns import Column, join_columns


def runs_of(tokens: Iterable[int]) -> list[tuple[int, int]]:
    """The runs of consecutive numbers among ascending tokens, as spans with both ends included.

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
    """Lists of nodes for some rows.

    Attributes:
        row: int64 (lists,), the rows that have a list, ascending.
        first: int64 (lists + 1,), the first node of each list, then the number of nodes.
        token, zero: int64 (nodes,), the nodes of all lists: a surface token and 0, or the token
            before an empty node and its number.
    """

    row: IntArray
    first: IntArray
    token: IntArray
    zero: IntArray

    @classmethod
    def of(cls, lists: Sequence[tuple[int, Sequence[tuple[int, int]]]]) -> "Ragged | None":
        """The lists of (row, nodes) pairs, rows ascending; None if there are none.

        >>> Ragged.of([(4, [(0, 0), (3, 0)])]).at(4)
        [(0, 0), (3, 0)]
        """
        if not lists:
            return None
        nodes = np.array([node for _, listed in lists for node in listed], dtype=np.int64)
        token, zero = nodes.reshape(-1, 2).T
        first = np.cumsum([0, *(len(listed) for _, listed in lists)])
        return cls(np.array([row for row, _ in lists], dtype=np.int64), first, token, zero)

    def at(self, row: int) -> list[tuple[int, int]] | None:
        """The nodes of one row; None if it has no list."""
        at = int(np.searchsorted(self.row, row))
        if at == len(self.row) or self.row[at] != row:
            return None
        chosen = slice(int(self.first[at]), int(self.first[at + 1]))
        return list(zip(self.token[chosen].tolist(), self.zero[chosen].tolist(), strict=True))

    def __iter__(self) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        nodes = [*zip(self.token.tolist(), self.zero.tolist(), strict=True)]
        bounds = zip(self.row.tolist(), pairwise(self.first.tolist()), strict=True)
        return ((row, nodes[first:end]) for row, (first, end) in bounds)

    def take(self, rows: IntArray, size: int) -> "Ragged | None":
        """The lists of `rows`, out of `size`, renumbered by position; None if there are none."""
        row, _, first, item = take_lists(self.row, self.first, rows, size)
        return Ragged(row, first, self.token[item], self.zero[item]) if len(row) else None

    @staticmethod
    def concat(parts: "Sequence[tuple[Ragged | None, int]]") -> "Ragged | None":
        """Several as one; each comes with the number of its first row."""
        present = [(part, shift) for part, shift in parts if part is not None]
        if not present:
            return None
        return Ragged(
            np.concatenate([part.row + shift for part, shift in present]),
            join_bounds([part.first for part, _ in present]),
            np.concatenate([EMPTY, *(part.token for part, _ in present)]),
            np.concatenate([EMPTY, *(part.zero for part, _ in present)]),
        )


def join_bounds(several: Sequence[IntArray]) -> IntArray:
    """The bounds of concatenated lists, from the bounds of several columns of lists.

    Bounds are the first item of each list, then the number of items.

    >>> join_bounds([np.array([0, 2, 3]), np.array([0, 1])]).tolist()
    [0, 2, 3, 4]
    """
    return np.cumsum(np.concatenate(([0], *map(np.diff, several))))


def take_lists(
    row: IntArray, first: IntArray, rows: IntArray, size: int
) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Choose the lists of `rows`; list i belongs to `row[i]`, of `size` rows, and begins at
    `first[i]`.

    Returns four int64 arrays: the positions in `rows` that have a list, the old number of each such
    list, the new bounds (as in `Ragged.first`), and the old position of each item.
    """
    list_of = np.full(size, -1, dtype=np.int64)
    list_of[row] = np.arange(len(row))
    lists = list_of[rows]
    new = np.flatnonzero(lists >= 0)
    chosen = lists[new]
    length = np.diff(first)[chosen]
    begin = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(length)))
    return new, chosen, begin, stretches(first[chosen], length)


NONE = ""
"""The value of a label for mentions without it."""


@frozen(eq=False)
class MentionLabels:
    """The labels of all mentions of a corpus.

    Attributes:
        columns: for each label, by name, one value per mention; NONE for mentions without it.
    """

    columns: Mapping[str, Column]

    @classmethod
    def of(cls, values: Mapping[str, Sequence[str]]) -> "MentionLabels | None":
        """Labels from one value per mention and label; None if there are no labels.

        >>> MentionLabels.of({"type": ["PER", "", "PER"]}).values("type")
        ['PER', '', 'PER']
        """
        if not values:
            return None
        return cls({name: Column.of(column) for name, column in values.items()})

    def values(self, name: str) -> list[str]:
        """The value of a label for each mention."""
        return self.columns[name].to_list()

    def take(self, rows: IntArray) -> "MentionLabels":
        """The labels of these mentions, in this order."""
        columns = {name: Column(c.code[rows], c.values) for name, c in self.columns.items()}
        return MentionLabels(columns)

    @staticmethod
    def concat(parts: "Sequence[tuple[MentionLabels | None, int]]") -> "MentionLabels | None":
        """The labels of several corpora, each with its number of mentions, as one."""
        names = dict.fromkeys(
            name for labels, _ in parts if labels is not None for name in labels.columns
        )
        if not names:
            return None
        return MentionLabels(
            {name: join_columns([label_column(name, *part) for part in parts]) for name in names}
        )


def label_column(name: str, labels: MentionLabels | None, mentions: int) -> Column:
    """The column of a label; NONE for all mentions if the corpus does not have it."""
    if labels is not None and name in labels.columns:
        return labels.columns[name]
    return Column(np.zeros(mentions, dtype=np.int64), (NONE,))

"""Dependencies: what the heads of zeros depend on, for the few rows of a corpus that are zeros."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from corefkit.data.arrays import EMPTY, IntArray
from corefkit.data.ragged import join_bounds, take_lists

ROOT = (-2, 0)
"""The parent of a node that depends on nothing; as a node, it stands before all others."""

Arc = tuple[tuple[int, int], str]
"""A parent, as (token, 0) or (token before the empty node, its number), and the relation."""


@dataclass(frozen=True, eq=False)
class Dependencies:
    """The sentence and the dependencies of the head of each zero.

    Attributes:
        row: int64 (zeros,), the mentions whose head is an empty node, ascending. All of them
            stand here, also those without dependencies.
        sentence: int64 (zeros,), the sentence of each, counted from 0 in its document.
        first: int64 (zeros + 1,), where the arcs of each begin; the last entry is where all end.
        token, zero: int64 (arcs,), the parents: nodes as in Corpus, or ROOT.
        relation: int64 (arcs,), an index into `relations`.
        relations: the distinct relations.
    """

    row: IntArray
    sentence: IntArray
    first: IntArray
    token: IntArray
    zero: IntArray
    relation: IntArray
    relations: tuple[str, ...]

    @classmethod
    def of(cls, lists: Sequence[tuple[int, int, Sequence[Arc]]]) -> "Dependencies | None":
        """From (row, sentence, arcs), rows ascending; None where there are none.

        >>> Dependencies.of([(7, 0, [((3, 0), "nsubj")])]).arcs(7)
        [((3, 0), 'nsubj')]
        """
        if not lists:
            return None
        number: dict[str, int] = {}
        rows = np.array([(row, sentence) for row, sentence, _ in lists], dtype=np.int64)
        arcs = [
            (token, zero, number.setdefault(relation, len(number)))
            for _, _, listed in lists
            for (token, zero), relation in listed
        ]
        token, zero, relation = np.array(arcs, dtype=np.int64).reshape(-1, 3).T
        first = np.cumsum([0, *(len(listed) for _, _, listed in lists)])
        return cls(rows[:, 0], rows[:, 1], first, token, zero, relation, tuple(number))

    def arcs(self, row: int) -> list[Arc]:
        """The dependencies of one row; none where it is no zero."""
        at = int(np.searchsorted(self.row, row))
        if at == len(self.row) or self.row[at] != row:
            return []
        some = slice(int(self.first[at]), int(self.first[at + 1]))
        parents = zip(self.token[some].tolist(), self.zero[some].tolist(), strict=True)
        relations = (self.relations[number] for number in self.relation[some].tolist())
        return list(zip(parents, relations, strict=True))

    def take(self, rows: IntArray, size: int) -> "Dependencies | None":
        """Those of these rows (of `size` there are), renumbered to their places in `rows`."""
        some = take_lists(self.row, self.first, rows, size)
        if not len(some.row):
            return None
        arcs = (self.token[some.item], self.zero[some.item], self.relation[some.item])
        sentence = self.sentence[some.chosen]
        return Dependencies(some.row, sentence, some.first, *arcs, self.relations)

    @staticmethod
    def concat(parts: "Sequence[tuple[Dependencies | None, int]]") -> "Dependencies | None":
        """Several as one, the rows of each counted from the given number on."""
        some = [(part, shift) for part, shift in parts if part is not None]
        if not some:
            return None
        number = {
            name: i for i, name in enumerate(dict.fromkeys(n for p, _ in some for n in p.relations))
        }
        relation = [EMPTY]
        for part, _ in some:
            to = np.array([number[name] for name in part.relations], dtype=np.int64)
            relation.append(to[part.relation] if len(to) else EMPTY)
        return Dependencies(
            np.concatenate([part.row + shift for part, shift in some]),
            np.concatenate([part.sentence for part, _ in some]),
            join_bounds([part.first for part, _ in some]),
            np.concatenate([EMPTY, *(part.token for part, _ in some)]),
            np.concatenate([EMPTY, *(part.zero for part, _ in some)]),
            np.concatenate(relation),
            tuple(number),
        )

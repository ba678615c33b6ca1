"""Dependencies: what the heads of zeros depend on, for the few rows of a corpus that are zeros."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.columns import Column, join_columns
from corefkit.data.ragged import Ragged, take_lists

ROOT = (-2, 0)
"""The parent of a node that depends on nothing; as a node, it stands before all others."""

Arc = tuple[tuple[int, int], str]
"""A parent, as (token, 0) or (token before the empty node, its number), and the relation."""


@dataclass(frozen=True, eq=False)
class Dependencies:
    """The sentence and the dependencies of the head of each zero.

    Attributes:
        parents: the parents of the mentions whose head is an empty node: nodes as in Corpus, or
            ROOT. All of these mentions stand here, also those without dependencies.
        sentence: int64 (zeros,), the sentence of each, counted from 0 in its document.
        relation: the relation to each parent.
    """

    parents: Ragged
    sentence: IntArray
    relation: Column

    @classmethod
    def of(cls, lists: Sequence[tuple[int, int, Sequence[Arc]]]) -> "Dependencies | None":
        """From (row, sentence, arcs), rows ascending; None where there are none.

        >>> Dependencies.of([(7, 0, [((3, 0), "nsubj")])]).arcs(7)
        [((3, 0), 'nsubj')]
        """
        parents = Ragged.of([(row, [parent for parent, _ in arcs]) for row, _, arcs in lists])
        if parents is None:
            return None
        sentence = np.array([sentence for _, sentence, _ in lists], dtype=np.int64)
        return cls(parents, sentence, Column.of([name for *_, arcs in lists for _, name in arcs]))

    def arcs(self, row: int) -> list[Arc]:
        """The dependencies of one row; none where it is no zero."""
        parents = self.parents.nodes(row) or []
        first = int(self.parents.first[np.searchsorted(self.parents.row, row)])
        code = self.relation.code[first : first + len(parents)].tolist()
        return list(zip(parents, map(self.relation.values.__getitem__, code), strict=True))

    def take(self, rows: IntArray, size: int) -> "Dependencies | None":
        """Those of these rows (of `size` there are), renumbered to their places in `rows`."""
        parents = self.parents.take(rows, size)
        if parents is None:
            return None
        some = take_lists(self.parents.row, self.parents.first, rows, size)
        relation = Column(self.relation.code[some.item], self.relation.values)
        return Dependencies(parents, self.sentence[some.chosen], relation)

    @staticmethod
    def concat(parts: "Sequence[tuple[Dependencies | None, int]]") -> "Dependencies | None":
        """Several as one, the rows of each counted from the given number on."""
        some = [(part, shift) for part, shift in parts if part is not None]
        parents = Ragged.concat([(part.parents, shift) for part, shift in some])
        if parents is None:
            return None
        sentence = np.concatenate([part.sentence for part, _ in some])
        return Dependencies(parents, sentence, join_columns([part.relation for part, _ in some]))

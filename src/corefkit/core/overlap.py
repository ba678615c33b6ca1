"""Overlap: the number of mentions that each key entity shares with each response entity.

It is made from `Pairs`, the result of every matching rule, and partition metrics see nothing else.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.core.arrays import (
    FloatArray,
    IntArray,
    distinct,
    ranks_of,
    sum_by,
    sum_of_ratios,
)
from corefkit.core.arrays import (
    pairs as links_of,
)
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus

if TYPE_CHECKING:
    from fractions import Fraction


class Pairs(NamedTuple):
    """Matched mentions: rows of key and response, int64 (pairs,); a row occurs at most once."""

    key: IntArray
    response: IntArray

    def and_also(self, key: IntArray, response: IntArray) -> "Pairs":
        """These pairs, followed by others."""
        return Pairs(np.concatenate((self.key, key)), np.concatenate((self.response, response)))


class Entities(NamedTuple):
    """The document and the number of mentions of each entity of a side, int64 (entities,).

    If an engine counted the entities, a row represents `times` entities of the same document and
    size.
    """

    document: IntArray
    size: IntArray
    times: IntArray | None = None


class WeightedCell(NamedTuple):
    """A cell with the virtual mention of a split antecedent, and its weights.

    `shared` is the number of other mentions in the cell. Virtual mentions are included in the
    sizes of their entities.
    """

    key_entity: int
    response_entity: int
    shared: int
    recall: "Fraction"
    precision: "Fraction"


@frozen(eq=False)
class Overlap:
    """The sparse table of |K ∩ R| for all documents at once; all that partition metrics see.

    Attributes:
        documents: the number of documents, which both sides number in the same way.
        key, response: the entities of the two sides.
        key_entity, response_entity, count: int64 (cells,), one cell for each pair of entities
            with a common mention; sorted by key entity, then response entity.
        times: int64 (cells,), the number of cells with the same sizes and count that each row
            represents, if an engine counted; None: each row is one cell.
        commons: if there are `times`, the number of mentions that the entities of the key, and
            those of the response, share with the other side.
        bests: likewise, the number that they share with the entity of the other side that has
            most of them; None if no metric needs it.
        weighted: the cells with virtual mentions; few, and usually none.
    """

    documents: int
    key: Entities
    response: Entities
    key_entity: IntArray
    response_entity: IntArray
    count: IntArray
    times: IntArray | None = None
    commons: tuple[Entities, Entities] | None = None
    bests: tuple[Entities, Entities] | None = None
    weighted: tuple[WeightedCell, ...] = ()

    @cached_property
    def document(self) -> IntArray:
        """int64 (cells,): the document of each cell."""
        return self.key.document[self.key_entity]

    @property
    def size_sums(self) -> IntArray:
        """int64 (cells,): |K| + |R| of each cell."""
        return self.key.size[self.key_entity] + self.response.size[self.response_entity]

    @cached_property
    def exchanged(self) -> "Overlap":
        """The overlap with key and response exchanged; its recall is the precision of this one."""
        return replace(
            self,
            key=self.response,
            response=self.key,
            key_entity=self.response_entity,
            response_entity=self.key_entity,
            commons=(self.commons[1], self.commons[0]) if self.commons else None,
            bests=(self.bests[1], self.bests[0]) if self.bests else None,
            weighted=tuple(WeightedCell(r, k, n, p, w) for k, r, n, w, p in self.weighted),
        )

    @cached_property
    def key_entities(self) -> IntArray:
        """int64 (documents,): the number of key entities."""
        return self.sum_entities(self.key, np.ones_like(self.key.size))

    @cached_property
    def key_mentions(self) -> IntArray:
        """int64 (documents,): the number of key mentions."""
        return self.sum_entities(self.key, self.key.size)

    @cached_property
    def key_links(self) -> IntArray:
        """int64 (documents,): the number of key links, i.e. pairs of mentions of one entity."""
        return self.sum_entities(self.key, links_of(self.key.size))

    @cached_property
    def common_links(self) -> IntArray:
        """int64 (documents,): the number of key links between mentions that both sides have."""
        if self.commons:
            return self.sum_entities(self.commons[0], links_of(self.commons[0].size))
        common = sum_by(self.key_entity, self.count, len(self.key.size))
        return self.sum_entities(self.key, links_of(common))

    @cached_property
    def largest_shares(self) -> IntArray:
        """int64 (documents,): Σ max_R |K ∩ R| over the key entities."""
        if self.bests:
            return self.sum_entities(self.bests[0], self.bests[0].size)
        best = np.zeros_like(self.key.size)
        np.maximum.at(best, self.key_entity, self.count)
        return self.sum_entities(self.key, best)

    @cached_property
    def all_mentions(self) -> IntArray:
        """int64 (documents,): the number of mentions of either side; common ones count once."""
        common = self.sum_cells(self.count)
        return self.key_mentions + self.exchanged.key_mentions - common

    def sum_entities(self, side: Entities, values: IntArray) -> IntArray:
        """int64 (documents,): the sum of `values`, int64 (entities of the side,)."""
        weighted = values if side.times is None else values * side.times
        return sum_by(side.document, weighted, self.documents)

    def sum_cells(self, values: IntArray) -> IntArray:
        """int64 (documents,): the sum of `values`, int64 (cells,)."""
        return sum_by(self.document, self._weighted(values), self.documents)

    def sum_ratios(self, numerator: IntArray, denominator: IntArray) -> FloatArray:
        """float64 (documents,): the sum of numerator / denominator, both int64 (cells,)."""
        return sum_of_ratios(self.document, self._weighted(numerator), denominator, self.documents)

    def _weighted(self, values: IntArray) -> IntArray:
        return values if self.times is None else values * self.times

    def choose(self, cells: IntArray) -> "Overlap":
        """The same entities with only these cells; not for overlaps with `times`."""
        assert self.times is None
        return replace(
            self,
            key_entity=self.key_entity[cells],
            response_entity=self.response_entity[cells],
            count=self.count[cells],
        )


def nearest_sum(numerators: Mapping[int, int]) -> float:
    """Σ numerator/denominator, rounded once; `numerators` maps denominators to numerators.

    >>> nearest_sum({3: 2, 8: 4})
    1.1666666666666667
    """
    common = lcm(*numerators)
    return sum(n * (common // d) for d, n in numerators.items()) / common


def make_overlap(key: Corpus, response: Corpus, pairs: Pairs) -> Overlap:
    """The overlap of two corpora with the same documents, from their matched mentions.

    Entities are numbered in the order of their first mentions (`entity_ranks`).
    """
    key_rank, response_rank = entity_ranks(key), entity_ranks(response)
    return overlap_of_entities(
        len(key.names),
        (_entities(key, key_rank), _entities(response, response_rank)),
        key_rank[key.entity[pairs.key]],
        response_rank[response.entity[pairs.response]],
    )


def overlap_of_sides(key: Corpus, ours: IntArray, response: Corpus, theirs: IntArray) -> Overlap:
    """The overlap of two sides, from the two entities of each common mention.

    Entities keep their numbers in the corpora.
    """
    sides = [Entities(c.entity_document, c.entity_size) for c in (key, response)]
    return overlap_of_entities(len(key.names), (sides[0], sides[1]), ours, theirs)


def overlap_of_entities(
    documents: int, sides: tuple[Entities, Entities], ours: IntArray, theirs: IntArray
) -> Overlap:
    """The overlap from the entities of each common mention: `ours` and `theirs`, int64 (n,)."""
    width = max(len(sides[1].size), 1)
    cells, _, count, _ = distinct(ours * width + theirs)
    return Overlap(documents, *sides, cells // width, cells % width, count)


def entity_ranks(corpus: Corpus) -> IntArray:
    """int64 (entities,): the rank of each entity in the order of their first mentions.

    So neither ids nor the order of brackets decide between equally good alignments.
    """
    first = np.zeros(corpus.entities, dtype=np.int64)
    first[corpus.entity[corpus.text_order][::-1]] = np.arange(corpus.mentions)[::-1]
    return ranks_of(np.argsort(first))


def _entities(corpus: Corpus, rank: IntArray) -> Entities:
    order = np.argsort(rank)
    return Entities(corpus.entity_document[order], corpus.entity_size[order])

"""Overlap: how many mentions each key entity shares with each response entity.

It is made from `Pairs`, which every matching rule returns, and is all that partition metrics see.
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
    """Matched mentions: row numbers of key and response, int64 (pairs,), each row at most once."""

    key: IntArray
    response: IntArray

    def and_also(self, key: IntArray, response: IntArray) -> "Pairs":
        """These pairs, and others behind them."""
        return Pairs(np.concatenate((self.key, key)), np.concatenate((self.response, response)))


class Entities(NamedTuple):
    """The entities of one side: int64 (entities,) the document and the number of mentions.

    Where entities were counted by an engine, a row stands for `times` entities of the same
    document and size.
    """

    document: IntArray
    size: IntArray
    times: IntArray | None = None


class WeightedCell(NamedTuple):
    """A cell in which the virtual mention of a split antecedent stands, and with which weight.

    `shared` are the other mentions there. Virtual mentions count in the sizes of their entities.
    """

    key_entity: int
    response_entity: int
    shared: int
    recall: "Fraction"
    precision: "Fraction"


@frozen(eq=False)
class Overlap:
    """The sparse table of |K ∩ R| for all documents at once. Metrics see this and nothing else.

    Attributes:
        documents: how many there are; both sides number them alike.
        key, response: the entities of the two sides.
        key_entity, response_entity, count: int64 (cells,), one cell for each pair of entities
            with a common mention; sorted by key entity, then response entity.
        times: int64 (cells,) where a cell stands for so many alike: the two sizes and the count
            of each are the same. None: each stands for itself.
        commons: where cells are counted like this, how many mentions the entities of the key, and
            those of the response, share with the other side.
        bests: likewise how many they share with that entity of the other side that has most of
            them; None where nothing asks for it.
        weighted: the cells with virtual mentions; they are few, and mostly there are none.
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
        """The document of each cell, int64 (cells,)."""
        return self.key.document[self.key_entity]

    @cached_property
    def exchanged(self) -> "Overlap":
        """Key and response exchanged: its recall is our precision."""
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
        """Key entities by document, int64 (documents,)."""
        return self.sum_entities(self.key, np.ones_like(self.key.size))

    @cached_property
    def key_mentions(self) -> IntArray:
        """Key mentions by document, int64 (documents,)."""
        return self.sum_entities(self.key, self.key.size)

    @cached_property
    def key_links(self) -> IntArray:
        """Key links (pairs of mentions of one entity) by document, int64 (documents,)."""
        return self.sum_entities(self.key, links_of(self.key.size))

    @cached_property
    def common_links(self) -> IntArray:
        """Key links between mentions that the response has too, by document."""
        if self.commons:
            return self.sum_entities(self.commons[0], links_of(self.commons[0].size))
        common = sum_by(self.key_entity, self.count, len(self.key.size))
        return self.sum_entities(self.key, links_of(common))

    @cached_property
    def largest_shares(self) -> IntArray:
        """What each key entity shares with the one that has most of it, summed by document."""
        if self.bests:
            return self.sum_entities(self.bests[0], self.bests[0].size)
        best = np.zeros_like(self.key.size)
        np.maximum.at(best, self.key_entity, self.count)
        return self.sum_entities(self.key, best)

    @cached_property
    def all_mentions(self) -> IntArray:
        """The mentions of either side by document, those of both once, int64 (documents,)."""
        common = self.sum_cells(self.count)
        return self.key_mentions + self.exchanged.key_mentions - common

    def sum_entities(self, side: Entities, values: IntArray) -> IntArray:
        """Sums by document of integers that stand one to an entity, int64 (documents,)."""
        weighted = values if side.times is None else values * side.times
        return sum_by(side.document, weighted, self.documents)

    def sum_cells(self, values: IntArray) -> IntArray:
        """Sums by document of integers that stand one to a cell, int64 (documents,)."""
        return sum_by(self.document, self._weighted(values), self.documents)

    def sum_ratios(self, numerator: IntArray, denominator: IntArray) -> FloatArray:
        """Sums by document of ratios that stand one to a cell, float64 (documents,)."""
        return sum_of_ratios(self.document, self._weighted(numerator), denominator, self.documents)

    def _weighted(self, values: IntArray) -> IntArray:
        return values if self.times is None else values * self.times

    def choose(self, cells: IntArray) -> "Overlap":
        """The same entities with only these cells."""
        return replace(
            self,
            key_entity=self.key_entity[cells],
            response_entity=self.response_entity[cells],
            count=self.count[cells],
        )


class SmallOverlap(NamedTuple):
    """The overlap of one small document, in lists: numpy takes longer to begin than to count it.

    Attributes:
        key, response: the sizes of the entities of the two sides.
        cells: key entity, response entity, and how many mentions they share.
        key_mentions, response_mentions, common: how many mentions the sides and both have.
    """

    key: list[int]
    response: list[int]
    cells: list[tuple[int, int, int]]
    key_mentions: int
    response_mentions: int
    common: int


def nearest_sum(numerators: Mapping[int, int]) -> float:
    """Σ numerator/denominator, given by denominator: the float nearest to the exact sum.

    >>> nearest_sum({3: 2, 8: 4})
    1.1666666666666667
    """
    common = lcm(*numerators)
    return sum(n * (common // d) for d, n in numerators.items()) / common


def make_overlap(key: Corpus, response: Corpus, pairs: Pairs) -> Overlap:
    """The overlap of two corpora with the same documents, given which mentions are matched."""
    key_rank, response_rank = entity_ranks(key), entity_ranks(response)
    return overlap_of_entities(
        len(key.names),
        (_entities(key, key_rank), _entities(response, response_rank)),
        key_rank[key.entity[pairs.key]],
        response_rank[response.entity[pairs.response]],
    )


def overlap_of_sides(
    one: Corpus, entity: IntArray, other: Corpus, other_entity: IntArray
) -> Overlap:
    """The overlap of two sides, given the two entities of each mention that both have.

    Entities keep the numbers that they have in the sides.
    """
    key, response = (Entities(c.entity_document, c.entity_size) for c in (one, other))
    return overlap_of_entities(len(one.names), (key, response), entity, other_entity)


def overlap_of_entities(
    documents: int, sides: tuple[Entities, Entities], ours: IntArray, theirs: IntArray
) -> Overlap:
    """The overlap from the two entities of each mention that both sides have."""
    width = max(len(sides[1].size), 1)
    cells, _, count, _ = distinct(ours * width + theirs)
    return Overlap(documents, *sides, cells // width, cells % width, count)


def entity_ranks(corpus: Corpus) -> IntArray:
    """The place of each entity in the order of their first mentions.

    Ids and the order of brackets must not decide between two alignments of equal worth.
    """
    first = np.zeros(corpus.entities, dtype=np.int64)
    first[corpus.entity[corpus.text_order][::-1]] = np.arange(corpus.mentions)[::-1]
    return ranks_of(np.argsort(first))


def _entities(corpus: Corpus, rank: IntArray) -> Entities:
    order = np.argsort(rank)
    return Entities(corpus.entity_document[order], corpus.entity_size[order])

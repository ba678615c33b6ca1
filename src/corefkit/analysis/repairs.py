"""Repairs: the response with the errors of some types repaired, and what the errors cost.

A set of types is a number whose bit i stands for TYPES[i]: 0 is the response itself, ALL the key.
`Repairs` makes repaired responses, `RepairedScores` scores them, `shapley` divides the lost points
among the types.

Counts add over documents, and a document without errors of a type is the same whether that type is
repaired or not. So each document is counted once for each set of the types that it has errors of,
and all these variants of documents are counted together, as if they were documents of one corpus.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain
from math import factorial, fsum

import numpy as np

from corefkit import metrics
from corefkit.analysis.joint import side_by_side
from corefkit.analysis.types import TYPES, ErrorTable, ErrorType
from corefkit.core.arrays import (
    EMPTY,
    BoolArray,
    IntArray,
    distinct,
    ranks_of,
    starts_of_runs,
    stretches,
)
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.counts import Number, PerDocument, exact_sum
from corefkit.core.directed import Directed, Entities, entity_ranks, tabulate
from corefkit.core.options import Options
from corefkit.core.progress import told
from corefkit.metrics.base import Counted
from corefkit.scorers.counting import count_table

ALL = (1 << len(TYPES)) - 1
SETS = ALL + 1
CUMULATIVE = (
    "span",
    "conflated",
    "extra-mention",
    "extra-entity",
    "divided",
    "missing-mention",
    "missing-entity",
)
"""The order in which the types are repaired one after the other."""

_ROWS = 1 << 20
"""About this many mentions are counted at once, which takes some dozens of megabytes."""


def set_of(types: Iterable[str]) -> int:
    """The number of a set of types.

    >>> set_of(["span", "conflated"])
    9
    """
    return sum(1 << TYPES.index(name) for name in set(types))


@frozen(eq=False)
class Repairs:
    """Repaired responses, as partitions of the mentions of a Joint."""

    table: ErrorTable

    @cached_property
    def _part(self) -> IntArray:
        """The number of each mention's part, what its two entities share; above all entities."""
        key, response = self.table.key, self.table.response
        parts = distinct(key.entity * (response.entities + 1) + response.entity).inverse
        return response.entities + key.entities + parts

    @property
    def limit(self) -> int:
        """A number above those of all entities."""
        entities = self.table.key.entities + self.table.response.entities
        return entities + self.table.joint.mentions

    @cached_property
    def _moves(self) -> tuple[tuple[ErrorType, BoolArray], ...]:
        """For each type the mentions that its repair moves to the leading part of their entity.

        A leading mention that the response lacks is added with the mentions that join it.
        """
        side = self.table.key
        moves = []
        for kind, moved in (
            (ErrorType.MISSING_ENTITY, side.of_wrong_entities),
            (ErrorType.MISSING_MENTION, side.wrong_mentions),
            (ErrorType.DIVIDED, side.misplaced),
        ):
            with_leader = moved.copy()
            with_leader[side.leader[side.has(moved) & side.leader_unmatched]] = True
            moves.append((kind, with_leader))
        return tuple(moves)

    def entities(self, types: int) -> IntArray:
        """The entity of each mention when these types are repaired, int64; −1 where there is none.

        The numbers are those of the response's entities, and higher ones.
        """
        row = np.arange(self.table.joint.mentions)
        return self.entities_of(row, np.full(len(row), types))

    def entities_of(self, row: IntArray, types: IntArray) -> IntArray:
        """Like `entities`, for mentions that are given with their own sets of types."""
        key, response = self.table.key, self.table.response
        entity = self._without_extras(types, row)
        moved = np.zeros(len(row), dtype=bool)
        for kind, movable in self._moves:
            moved |= movable[row] & _repaired(types, kind)
        # Where the mentions of each key entity belong: to its leading part, or to a new entity.
        at = np.flatnonzero(moved)
        of_key = key.entity[row[at]]
        home = self._without_extras(types[at], key.leader[of_key])
        entity[at] = np.where(key.leader_unmatched[of_key], response.entities + of_key, home)
        return entity

    def _without_extras(self, types: IntArray, row: IntArray) -> IntArray:
        """The entities of these mentions when only the types of response entities are repaired."""
        response = self.table.response
        gone = response.of_wrong_entities[row] & _repaired(types, ErrorType.EXTRA_ENTITY)
        gone |= response.wrong_mentions[row] & _repaired(types, ErrorType.EXTRA_MENTION)
        separated = _repaired(types, ErrorType.CONFLATED)
        gone |= response.freed[row] & separated
        part, whole = self._part[row], response.entity[row]
        entity = np.where(response.misplaced[row] & separated, part, whole)
        entity[gone] = -1
        return entity

    def rows(self, types: int) -> IntArray:
        """The mentions that exist when these types are repaired, in text order."""
        kept = np.flatnonzero(self.entities(types) >= 0)
        return kept[np.argsort(self.table.joint.rank[kept])]

    def corpus(self, types: int) -> Corpus:
        """The repaired response: the mentions of `rows`, over the documents of the key.

        Unless span errors are repaired, mentions of the response keep their own spans, also where
        they match a mention of the key with another span.
        """
        joint = self.table.joint
        kept = self.rows(types)
        keeps_spans = types >> ErrorType.SPAN & 1 == 0
        by_response = (joint.key_entity < 0) | ((joint.response_row >= 0) & keeps_spans)
        response_row = joint.key.mentions + joint.response_row
        row = np.where(by_response, response_row, np.arange(joint.mentions))[kept]
        _, number = np.unique(self.entities(types)[kept], return_inverse=True)
        whole = side_by_side(joint.key, joint.response)
        entity = np.zeros(whole.mentions, dtype=np.int64)
        entity[row] = number
        labels = tuple(map(str, range(int(number.max(initial=-1)) + 1)))
        return replace(whole, entity=entity, labels=labels).take(row)

    @cached_property
    def sizes(self) -> IntArray:
        """The number of mentions of each document, int64 (documents,)."""
        joint = self.table.joint
        return np.bincount(joint.document, minlength=len(joint.key.names))

    def variants(self, types: IntArray, document: IntArray) -> Directed:
        """The table of variants of documents, each with its set of types repaired.

        They are counted as if they were the documents of one corpus.
        """
        joint = self.table.joint
        size = self.sizes[document]
        variant = np.repeat(np.arange(len(document)), size)
        row = self._order[stretches(self._first[document], size)]
        entity = self.entities_of(row, types[variant])
        key, key_number = self._keys(document)
        exists = entity >= 0
        response, response_number = _entities(variant[exists], entity[exists], self.limit)
        response_entity = np.full(len(row), -1, dtype=np.int64)
        response_entity[exists] = response_number
        # Mentions that both sides have; those with wrong spans only where these are repaired.
        both = exists & (joint.key_entity[row] >= 0)
        both &= ~joint.wrong_span[row] | _repaired(types, ErrorType.SPAN)[variant]
        key_entity = key_number[variant[both]] + self._key_rank[joint.key_entity[row[both]]]
        return tabulate(len(document), key, response, key_entity, response_entity[both])

    @cached_property
    def _order(self) -> IntArray:
        """The mentions in text order."""
        return self.table.joint.corpus.text_order

    @cached_property
    def _first(self) -> IntArray:
        """Where the mentions of each document begin in that order."""
        return np.cumsum(self.sizes) - self.sizes

    @cached_property
    def _key_rank(self) -> IntArray:
        """The place of each key entity in the order of documents and first mentions."""
        return entity_ranks(self.table.joint.key)

    def _keys(self, document: IntArray) -> tuple[Entities, IntArray]:
        """The key entities of all variants, and for each variant the shift of their ranks."""
        key = self.table.joint.key
        size = np.empty(key.entities, dtype=np.int64)
        size[self._key_rank] = key.entity_size
        entities = np.bincount(key.entity_document, minlength=len(key.names))
        copied = entities[document]
        shift = np.cumsum(copied) - copied - (np.cumsum(entities) - entities)[document]
        variant = np.repeat(np.arange(len(document)), copied)
        return (variant, size[np.arange(len(variant)) - shift[variant]]), shift


def _repaired(types: IntArray, kind: ErrorType) -> BoolArray:
    """Whether a type is in each of these sets."""
    is_repaired: BoolArray = (types >> kind & 1) > 0
    return is_repaired


class RepairedScores:
    """The scores of a response with some types of its errors repaired.

    Documents with errors of the same types need the same variants, and are a group. A block is such
    a group with one set of types repaired.
    """

    def __init__(self, table: ErrorTable, options: Options) -> None:
        """The metrics of the options must be partition metrics."""
        self._options = options
        self._repairs = Repairs(table)
        # The documents, by the set of types that they have errors of.
        types = (table.counts > 0) @ (1 << np.arange(len(TYPES)))
        self._group = {
            int(occurring): np.flatnonzero(types == occurring)
            for occurring in distinct(types).values
        }
        self._blocks: dict[tuple[int, int], dict[str, Counted]] = {}
        self._sums: dict[tuple[int, int], dict[str, list[list[Number]]]] = {}

    def f1(self, types: int, metric: str) -> float:
        """F1 when the types of this set are repaired."""
        return metrics.averaged(metric, partial(self._f1, types))

    def _f1(self, types: int, metric: str) -> float:
        return metrics.countable(metric, self._options).score(self._total(types, metric)).f1

    def figures(self, sets: Sequence[int], metric: str) -> list[float]:
        """F1 when the types of each of these sets are repaired."""
        self.count(sets)
        return [self.f1(types, metric) for types in sets]

    def columns(self, types: int, metric: str) -> tuple[PerDocument, ...]:
        """The counts of a metric in each document when the types of this set are repaired."""
        self.count([types])
        blocks = [self._blocks[occurring, occurring & types][metric] for occurring in self._group]
        blocks = blocks or [(np.zeros(0),) * len(metrics.get(metric).columns)]
        order = np.argsort(np.concatenate([EMPTY, *self._group.values()]))
        return tuple(np.concatenate(parts)[order] for parts in zip(*blocks, strict=True))

    def _total(self, types: int, metric: str) -> tuple[Number, ...]:
        """The exact sum of each column over all documents, rounded once."""
        self.count([types])
        blocks = [self._sums[occurring, occurring & types][metric] for occurring in self._group]
        if not blocks:
            return (0,) * len(metrics.get(metric).columns)
        return tuple(exact_sum([*chain(*parts)])[0] for parts in zip(*blocks, strict=True))

    def count(self, sets: Iterable[int]) -> None:
        """Count the variants of documents that these sets need and that are not counted yet."""
        needed = {
            (occurring, occurring & types): None for types in set(sets) for occurring in self._group
        }
        blocks = [block for block in needed if block not in self._blocks]
        if not blocks:
            return
        document = np.concatenate([self._group[occurring] for occurring, _ in blocks])
        size = [len(self._group[occurring]) for occurring, _ in blocks]
        types = np.repeat([repaired for _, repaired in blocks], size)
        portion = np.cumsum(self._repairs.sizes[document]) // _ROWS
        starts = starts_of_runs(portion)[1:]
        portions = zip(np.split(types, starts), np.split(document, starts), strict=True)
        parts = [
            count_table(self._options, self._repairs.variants(*variants)).tables
            for variants in told(portions, "portions of repairs", len(starts) + 1)
        ]
        tables: dict[str, Counted] = {
            metric: tuple(map(np.concatenate, zip(*(part[metric] for part in parts), strict=True)))
            for metric in parts[0]
        }
        for block, end, length in zip(blocks, np.cumsum(size).tolist(), size, strict=True):
            rows = slice(end - length, end)
            counted = {m: tuple(c[rows] for c in t) for m, t in tables.items()}
            self._blocks[block] = counted
            self._sums[block] = {m: [exact_sum(c.tolist()) for c in t] for m, t in counted.items()}


def _entities(variant: IntArray, entity: IntArray, limit: int) -> tuple[Entities, IntArray]:
    """The entities of a side, sorted by first mention, and the number of each mention's entity."""
    numbered = distinct(variant * limit + entity)
    order = np.argsort(numbered.first)
    entities = variant[numbered.first[order]], numbered.counts[order]
    return entities, ranks_of(order)[numbered.inverse]


def shapley(value: Sequence[float], player: int) -> float:
    """The Shapley value of one of n players; `value` has the value of each of the 2ⁿ sets.

    >>> shapley([0.0, 1.0, 2.0, 5.0], 0), shapley([0.0, 1.0, 2.0, 5.0], 1)
    (2.0, 3.0)
    """
    players = len(value).bit_length() - 1
    terms = []
    for others in range(len(value)):
        if not others >> player & 1:
            size = others.bit_count()
            weight = factorial(size) * factorial(players - size - 1)
            terms.append(weight * (value[others | 1 << player] - value[others]))
    return fsum(terms) / factorial(players)

"""Repairs: the response with the errors of some types taken back, and what the errors cost.

A set of types is a number whose bit i stands for TYPES[i]: 0 is the response as it is, ALL the
key itself. `Repairs` makes repaired responses, `RepairedScores` scores them, `shapley` shares out
the lost points over the types.

Counts add over documents, and a document without an error of a type is the same whether that
type is repaired or not. So each document is counted once for each set of *its own* types, and
all these variants of documents are counted together as if they were the documents of one corpus.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from math import factorial, fsum

import numpy as np

from corefkit import metrics
from corefkit.analysis.joint import side_by_side
from corefkit.analysis.types import TYPES, ErrorTable, ErrorType
from corefkit.core.arrays import EMPTY, BoolArray, IntArray, distinct, ranks_of
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.counts import Counts, add
from corefkit.core.options import Options
from corefkit.core.overlap import Entities, Overlap, entity_ranks, overlap_of_entities
from corefkit.metrics.base import Average
from corefkit.scorers import scorer_for

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
"""So many mentions are counted at once: what they need takes some dozens of megabytes."""


def set_of(types: Iterable[str]) -> int:
    """The number of a set of types.

    >>> set_of(["span", "conflated"])
    9
    """
    return sum(1 << TYPES.index(name) for name in set(types))


@frozen(eq=False)
class Repairs:
    """The repaired responses, as partitions of the mentions of a Joint."""

    table: ErrorTable

    @cached_property
    def _part(self) -> IntArray:
        """A number for each part that key and response entities share, above all other numbers."""
        key, response = self.table.key, self.table.response
        parts = distinct(key.entity * (response.entities + 1) + response.entity).inverse
        return response.entities + key.entities + parts

    @property
    def limit(self) -> int:
        """A number above those of all entities."""
        entities = self.table.key.entities + self.table.response.entities
        return entities + self.table.joint.mentions

    @cached_property
    def _freed(self) -> BoolArray:
        """The extra mentions that lead an entity and go when its other parts are taken out."""
        side = self.table.response
        leading = np.zeros(len(side.entity), dtype=bool)
        leading[side.leader] = True
        return leading & side.unmatched & ~side.of_wrong_entities

    @cached_property
    def _absent_leader(self) -> IntArray:
        """For each key entity the leading mention if the response lacks it, else −1."""
        side = self.table.key
        return np.where(side.leader_unmatched, side.leader, -1)

    def entities(self, types: int) -> IntArray:
        """The entity of each mention when these types are repaired, int64; −1: there is none.

        The numbers are those of the response's entities, and higher ones.
        """
        key, response = self.table.key, self.table.response
        entity = response.entity.copy()
        if types >> ErrorType.EXTRA_ENTITY & 1:
            entity[response.of_wrong_entities] = -1
        if types >> ErrorType.EXTRA_MENTION & 1:
            entity[response.wrong_mentions] = -1
        if types >> ErrorType.CONFLATED & 1:
            entity[response.misplaced] = self._part[response.misplaced]
            entity[self._freed] = -1
        # Where the mentions of each key entity belong: to its leading part, or to a new entity.
        home = entity[key.leader]
        home[key.leader_unmatched] = response.entities + np.flatnonzero(key.leader_unmatched)
        for number, moved in (
            (ErrorType.MISSING_ENTITY, key.of_wrong_entities),
            (ErrorType.MISSING_MENTION, key.wrong_mentions),
            (ErrorType.DIVIDED, key.misplaced),
        ):
            if types >> number & 1:
                entity[moved] = home[key.entity[moved]]
                brought = self._absent_leader[key.has(moved)]
                brought = brought[brought >= 0]
                entity[brought] = home[key.entity[brought]]
        return entity

    def rows(self, types: int) -> IntArray:
        """The mentions that there are when these types are repaired, in the order of the text."""
        kept = np.flatnonzero(self.entities(types) >= 0)
        return kept[np.argsort(self.table.joint.rank[kept])]

    def corpus(self, types: int) -> Corpus:
        """The repaired response: the mentions of `rows`, over the documents of the key.

        Unless spans are repaired, mentions of the response keep theirs: those with wrong
        boundaries, and those that were matched with another span of the key.
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


class RepairedScores:
    """The scores of a response with some types of its errors repaired."""

    def __init__(self, table: ErrorTable, options: Options) -> None:
        """`options` name the metrics, which are all over partitions."""
        self._options = options
        self._variants = _RepairedDocuments(table)
        # The set of types that each document has errors of.
        self._types = (table.counts > 0) @ (1 << np.arange(len(TYPES)))
        documents = len(table.joint.key.names)
        self._place = np.full((SETS, documents), -1, dtype=np.int64)
        self._counts: Counts | None = None

    def f1(self, types: int, metric: str) -> float:
        """F1 when the types of this set are repaired."""
        one = metrics.get(metric)
        if isinstance(one, Average):
            return sum(self.f1(types, part) for part in one.parts) / len(one.parts)
        return metrics.countable(metric, self._options).score(self.counts(types).total(metric)).f1

    def figures(self, sets: Sequence[int], metric: str) -> list[float]:
        """F1 when the types of each of these sets are repaired."""
        self.count(sets)
        return [self.f1(types, metric) for types in sets]

    def counts(self, types: int) -> Counts:
        """The counts of all documents when the types of this set are repaired."""
        self.count([types])
        assert self._counts is not None
        return self._counts.select(self._place[types & self._types, np.arange(len(self._types))])

    def count(self, sets: Iterable[int]) -> None:
        """Count the variants of documents that these sets need and that are not counted yet."""
        needed = np.zeros(self._place.shape, dtype=bool)
        documents = np.arange(len(self._types))
        for types in set(sets):
            needed[types & self._types, documents] = True
        needed &= self._place < 0
        if self._counts is not None and not needed.any():
            return
        parts = [self._counts] if self._counts is not None else []
        before = len(parts[0]) if parts else 0
        for some in _chunks(needed, self._variants.sizes):
            parts.append(self._variants.count(some, self._options))
            self._place[some] = before + np.arange(len(parts[-1]))
            before += len(parts[-1])
        if not parts:  # a key without documents
            parts.append(self._variants.count(needed, self._options))
        self._counts = add(parts)


def _chunks(needed: BoolArray, sizes: IntArray) -> Iterator[BoolArray]:
    """The variants (sets, documents) in portions of some _ROWS mentions."""
    place = np.flatnonzero(needed)
    portion = np.cumsum(sizes[place % max(needed.shape[1], 1)]) // _ROWS
    for number in np.unique(portion).tolist():
        some = np.zeros(needed.size, dtype=bool)
        some[place[portion == number]] = True
        yield some.reshape(needed.shape)


class _RepairedDocuments:
    """The documents with types of their errors repaired."""

    def __init__(self, table: ErrorTable) -> None:
        self._table = table
        self._repairs = Repairs(table)

    @cached_property
    def sizes(self) -> IntArray:
        """The number of mentions of each document, int64 (documents,)."""
        joint = self._table.joint
        return np.bincount(joint.document, minlength=len(joint.key.names))

    def count(self, wanted: BoolArray, options: Options) -> Counts:
        """The counts of these variants, bool (sets, documents); one row each, in this order."""
        names = [self._table.joint.key.names[d] for d in np.nonzero(wanted)[1].tolist()]
        return scorer_for(options).count_overlap(self._overlap(wanted), names)

    def _same(self, types: int) -> BoolArray:
        """The mentions that count as found where the repaired response has them."""
        joint = self._table.joint
        known = joint.key_entity >= 0
        return known if types >> ErrorType.SPAN & 1 else known & ~joint.wrong_span

    def _overlap(self, wanted: BoolArray) -> Overlap:
        """The overlap of all these variants, as if they were the documents of one corpus."""
        number = np.cumsum(wanted.ravel()).reshape(wanted.shape) - 1
        parts = []
        for types in np.flatnonzero(wanted.any(axis=1)).tolist():
            row = self._order[wanted[types][self._document]]
            entity = self._repairs.entities(types)[row]
            variant = number[types][self._table.joint.document[row]]
            parts.append((variant, row, entity, self._same(types)[row]))
        columns = [np.concatenate(column) for column in zip(*parts, strict=True)] if parts else []
        variant, row, entity, same = columns or [EMPTY] * 4
        key, key_number = self._keys(wanted)
        there = entity >= 0
        response, response_number = _entities(variant[there], entity[there], self._repairs.limit)
        place = np.full(len(row), -1, dtype=np.int64)
        place[there] = response_number
        both = there & (same > 0)
        joint = self._table.joint
        key_place = key_number[variant[both]] + self._key_rank[joint.key_entity[row[both]]]
        return overlap_of_entities(int(wanted.sum()), (key, response), key_place, place[both])

    @cached_property
    def _order(self) -> IntArray:
        """The mentions in text order."""
        return self._table.joint.corpus.text_order

    @cached_property
    def _document(self) -> IntArray:
        return self._table.joint.document[self._order]

    @cached_property
    def _key_rank(self) -> IntArray:
        """The place of each key entity in the order of documents and first mentions."""
        return entity_ranks(self._table.joint.key)

    def _keys(self, wanted: BoolArray) -> tuple[Entities, IntArray]:
        """The key entities of all variants, and what to add to their ranks in each variant."""
        key = self._table.joint.key
        size = np.empty(key.entities, dtype=np.int64)
        size[self._key_rank] = key.entity_size
        many = np.bincount(key.entity_document, minlength=len(key.names))
        document = np.nonzero(wanted)[1]
        here = many[document]
        shift = np.cumsum(here) - here - (np.cumsum(many) - many)[document]
        variant = np.repeat(np.arange(len(document)), here)
        return Entities(variant, size[np.arange(len(variant)) - shift[variant]]), shift


def _entities(variant: IntArray, entity: IntArray, limit: int) -> tuple[Entities, IntArray]:
    """The entities of a side in the order of their first mentions, and which is each mention's."""
    found = distinct(variant * limit + entity)
    order = np.argsort(found.first)
    entities = Entities(variant[found.first[order]], found.counts[order])
    return entities, ranks_of(order)[found.inverse]


def shapley(value: Sequence[float], place: int) -> float:
    """The Shapley value of one of n players; `value` holds what each of the 2ⁿ sets is worth.

    >>> shapley([0.0, 1.0, 2.0, 5.0], 0), shapley([0.0, 1.0, 2.0, 5.0], 1)
    (2.0, 3.0)
    """
    players = len(value).bit_length() - 1
    terms = []
    for others in range(len(value)):
        if not others >> place & 1:
            size = others.bit_count()
            weight = factorial(size) * factorial(players - size - 1)
            terms.append(weight * (value[others | 1 << place] - value[others]))
    return fsum(terms) / factorial(players)

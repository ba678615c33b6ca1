"""The seven types of errors, found in all documents at once; and the antecedents of each error.

The first mention of an error *belongs with* an earlier mention of its key entity that a reader
would recognise: the nearest name, else the nearest nominal, else the nearest pronoun; where none is
earlier, the nearest later one, by the same preference. It was *put with* such a mention of its
response entity that is not in its key entity. `Antecedents` finds both.
"""

from enum import IntEnum
from functools import cached_property

import numpy as np

from corefkit.analysis.joint import Joint
from corefkit.core.arrays import (
    BoolArray,
    IntArray,
    distinct,
    lexical_order,
    mask_of,
    ranks_of,
    starts_of_runs,
)
from corefkit.core.carriers import frozen
from corefkit.features.features import NAME, PRONOUN


class ErrorType(IntEnum):
    """The seven types, in their order."""

    SPAN = 0
    EXTRA_ENTITY = 1
    EXTRA_MENTION = 2
    CONFLATED = 3
    MISSING_ENTITY = 4
    MISSING_MENTION = 5
    DIVIDED = 6


TYPES = tuple(error_type.name.lower().replace("_", "-") for error_type in ErrorType)
"""The names of the types."""


@frozen(eq=False)
class ComparedSide:
    """The entities of one side compared with those of the other.

    A part of an entity is what it shares with one entity of the other side, or a single mention
    that the other side lacks. One part is the leading one: that of the first mention which is not
    a pronoun, else of the first mention. It represents the entity and is not an error.

    Attributes:
        entity, other: int64 (mentions,), the entity of each mention on this side and on the other,
            −1 where it has none.
        rank: int64 (mentions,), the place of each mention in the text.
        pronoun: bool (mentions,), whether each mention is a pronoun.
        entities: how many entities this side has.
    """

    entity: IntArray
    other: IntArray
    rank: IntArray
    pronoun: BoolArray
    entities: int

    @cached_property
    def unmatched(self) -> BoolArray:
        """bool (mentions,): the mentions of this side that the other lacks."""
        return (self.entity >= 0) & (self.other < 0)

    @cached_property
    def matched(self) -> BoolArray:
        """bool (mentions,): the mentions of both sides."""
        return (self.entity >= 0) & (self.other >= 0)

    @cached_property
    def leader(self) -> IntArray:
        """int64 (entities,): the first mention of each that is not a pronoun, else the first."""
        order = ranks_of(self.rank)[::-1]
        order = order[self.entity[order] >= 0]
        nonpronouns = order[~self.pronoun[order]]
        first = np.full(self.entities, -1, dtype=np.int64)
        for rows in (order, nonpronouns):  # the last assignment to an entity remains
            first[self.entity[rows]] = rows
        return first

    @cached_property
    def members(self) -> list[IntArray]:
        """The mentions of each entity."""
        rows = np.flatnonzero(self.entity >= 0)
        rows = rows[np.argsort(self.entity[rows], kind="stable")]
        bounds = np.searchsorted(self.entity[rows], np.arange(1, self.entities))
        return np.split(rows, bounds)

    @cached_property
    def leads(self) -> BoolArray:
        """bool (mentions,): the mentions of the leading part of their entity."""
        leader = np.append(self.leader, 0)[self.entity]
        same: BoolArray = self.matched & (self.other == self.other[leader])
        same[self.leader] = True
        return same

    @cached_property
    def wholly_wrong(self) -> BoolArray:
        """bool (entities,): whether an entity is extra (missing).

        It is if every mention is unmatched, or if at least two are and all others are pronouns.
        """
        size = self._count(self.entity >= 0)
        unmatched = self._count(self.unmatched)
        matched_nonpronouns = self._count(self.matched & ~self.pronoun)
        wrong: BoolArray = (unmatched == size) | ((unmatched >= 2) & (matched_nonpronouns == 0))
        return wrong

    @cached_property
    def of_wrong_entities(self) -> BoolArray:
        """bool (mentions,): the unmatched mentions of extra (missing) entities."""
        wrong: BoolArray = self.unmatched & np.append(self.wholly_wrong, False)[self.entity]
        return wrong

    @cached_property
    def wrong_mentions(self) -> BoolArray:
        """bool (mentions,): the extra (missing) mentions."""
        return self.unmatched & ~self.of_wrong_entities & ~self.leads

    @cached_property
    def misplaced(self) -> BoolArray:
        """bool (mentions,): the mentions of conflated (divided) parts."""
        return self.matched & ~self.leads

    @cached_property
    def freed(self) -> BoolArray:
        """bool (mentions,): the unmatched mentions that lead an entity which is not wholly wrong.

        If it is extra, it is removed when the other parts of its entity are taken out.
        """
        leading = np.zeros(len(self.entity), dtype=bool)
        leading[self.leader] = True
        return leading & self.unmatched & ~self.of_wrong_entities

    @cached_property
    def leader_unmatched(self) -> BoolArray:
        """bool (entities,): whether the leading part is a mention that the other side lacks."""
        return self.unmatched[self.leader]

    def has(self, mentions: BoolArray) -> BoolArray:
        """bool (entities,): the entities with one of these mentions."""
        return self._count(mentions) > 0

    def _count(self, mentions: BoolArray) -> IntArray:
        return np.bincount(self.entity[mentions], minlength=self.entities)


@frozen(eq=False)
class ErrorTable:
    """The errors of a response as arrays, ordered by document, type and place.

    Attributes:
        joint: the mentions of both sides.
        key, response: the entities of the two sides.
        type: int64 (errors,), an index into TYPES.
        document: int64 (errors,), the number of its document.
        error, mention: int64 (memberships,), an error and a row of `joint` that is one of its
            mentions; sorted by error, then by place in the text.
    """

    joint: Joint
    key: ComparedSide
    response: ComparedSide
    type: IntArray
    document: IntArray
    error: IntArray
    mention: IntArray

    def __len__(self) -> int:
        return len(self.type)

    @cached_property
    def counts(self) -> IntArray:
        """int64 (documents, types): how many errors there are."""
        return _table(self.document, self.type, len(self.joint.key.names), len(TYPES))

    @cached_property
    def kinds(self) -> IntArray:
        """int64 (types, kinds): how many mentions are concerned; for span errors, the key's."""
        return _table(self.type[self.error], self.joint.kind[self.mention], len(TYPES), 3)

    @cached_property
    def number(self) -> IntArray:
        """int64 (errors,): the number of each, from 1, among those of its document and type."""
        first = starts_of_runs(self.document * len(TYPES) + self.type)
        size = np.diff(first, append=len(self))
        return np.arange(len(self)) - np.repeat(first, size) + 1

    @property
    def first_mention(self) -> IntArray:
        """int64 (errors,): the first mention of each error, a row of `joint`."""
        return self.mention[self.first[:-1]]

    @cached_property
    def first(self) -> IntArray:
        """int64 (errors + 1,): where the mentions of each error begin in `mention`."""
        return np.append(0, np.cumsum(np.bincount(self.error, minlength=len(self))))


def _table(row: IntArray, column: IntArray, rows: int, columns: int) -> IntArray:
    """int64 (rows, columns): how often each pair of a row and a column occurs."""
    return np.bincount(row * columns + column, minlength=rows * columns).reshape(rows, columns)


def find_errors(joint: Joint) -> ErrorTable:
    """All errors of the seven types."""
    rank, is_pronoun = joint.rank, joint.kind == PRONOUN
    key = ComparedSide(
        entity=joint.key_entity,
        other=joint.response_entity,
        rank=rank,
        pronoun=is_pronoun,
        entities=joint.key.entities,
    )
    response = ComparedSide(
        entity=joint.response_entity,
        other=joint.key_entity,
        rank=rank,
        pronoun=is_pronoun,
        entities=joint.response.entities,
    )
    row = np.arange(joint.mentions)
    cell = key.entity * (response.entities + 1) + response.entity
    chosen = (
        (joint.wrong_span, row),
        (response.of_wrong_entities, response.entity),
        (response.wrong_mentions, row),
        (response.misplaced, cell),
        (key.of_wrong_entities, key.entity),
        (key.wrong_mentions, row),
        (key.misplaced, cell),
    )
    mention = np.concatenate([np.flatnonzero(mask) for mask, _ in chosen])
    kind = np.repeat(np.arange(len(TYPES), dtype=np.int64), [int(mask.sum()) for mask, _ in chosen])
    group = np.concatenate([unit[mask] for mask, unit in chosen])
    error, first = _number(joint, mention, kind, group)
    order = lexical_order(joint.rank[mention], error)
    document = joint.document[mention[first]]
    return ErrorTable(joint, key, response, kind[first], document, error[order], mention[order])


def _number(
    joint: Joint, mention: IntArray, kind: IntArray, group: IntArray
) -> tuple[IntArray, IntArray]:
    """The error of each of these mentions, and for each error the index of its first one.

    Mentions of one type with the same `group` are one error. Errors are sorted by document, type
    and first mention.
    """
    inverse = distinct(kind * (int(group.max(initial=0)) + 1) + group).inverse
    order = lexical_order(joint.rank[mention], inverse)
    first = order[np.searchsorted(inverse[order], np.arange(int(inverse.max(initial=-1)) + 1))]
    head = mention[first]
    in_order = lexical_order(joint.rank[head], kind[first], joint.document[head])
    return ranks_of(in_order)[inverse], first[in_order]


BELONGS_WITH, STANDS_ALONE, NOT_A_MENTION, PUT_WITH, NOT_FOUND, FOUND_AS = RELATIONS = (
    "belongs with",
    "stands alone",
    "is not a mention",
    "put with",
    "not found",
    "found as",
)
"""The first three are relations in the key; "stands alone" and the last three in the response."""


@frozen(eq=False)
class Antecedents:
    """For each error the mention that it belongs with, and the one that it was put with.

    All arrays are int64 (errors,): rows of the Joint, −1 where there is none. With `chosen`,
    numbers of errors, they are found for these only and −1 for the others.
    """

    table: ErrorTable
    chosen: IntArray | None = None

    @cached_property
    def first(self) -> IntArray:
        """The first mention of each error."""
        return self.table.first_mention

    @cached_property
    def key(self) -> IntArray:
        """The mention that it belongs with; −1 where it is alone in the key or not in it."""
        return self._nearest(self.table.key, np.arange(self.table.joint.mentions))

    @cached_property
    def response(self) -> IntArray:
        """The mention that it was wrongly put with; −1 where there is none."""
        entity = self.table.key.entity
        return self._nearest(
            self.table.response, np.where(entity >= 0, entity, -1 - np.arange(len(entity)))
        )

    def should(self, number: int) -> str:
        """The relation of the first mention of an error in the key; one of RELATIONS."""
        if self.table.key.entity[self.first[number]] < 0:
            return NOT_A_MENTION
        return BELONGS_WITH if self.key[number] >= 0 else STANDS_ALONE

    def was(self, number: int) -> str:
        """The relation of the first mention of an error in the response; one of RELATIONS."""
        if self.table.type[number] == ErrorType.SPAN:
            return FOUND_AS
        if self.table.response.entity[self.first[number]] < 0:
            return NOT_FOUND
        return PUT_WITH if self.response[number] >= 0 else STANDS_ALONE

    def _nearest(self, side: ComparedSide, group: IntArray) -> IntArray:
        """For each error the best mention of its first mention's entity, not one of its group.

        It is the nearest earlier name, nominal or pronoun, in this order, else the nearest later.
        """
        errors = np.arange(len(self.first)) if self.chosen is None else self.chosen
        errors = errors[side.entity[self.first[errors]] >= 0]
        concerned = mask_of(side.entity[self.first[errors]], side.entities + 1)
        rows = np.flatnonzero(concerned[side.entity])  # the entry of −1 is the last one: False
        order = rows[np.lexsort((side.rank[rows], side.entity[rows]))]
        position = np.full(len(side.entity), -1, dtype=np.int64)
        position[order] = np.arange(len(order))
        kind = self.table.joint.kind[order]
        choices = (kind == NAME, (kind != NAME) & (kind != PRONOUN), kind == PRONOUN)
        entity, group = side.entity[order], group[order]
        at, last = position[self.first[errors]], len(order) - 1
        nearest = np.full(len(errors), -1, dtype=np.int64)
        for holds in choices:
            earlier = last_of_others(entity, group, holds, at)
            nearest = np.where(nearest < 0, earlier, nearest)
        for holds in choices:
            later = last_of_others(entity[::-1], group[::-1], holds[::-1], last - at)
            nearest = np.where((nearest < 0) & (later >= 0), last - later, nearest)
        antecedents = np.full(len(self.first), -1, dtype=np.int64)
        antecedents[errors] = np.append(order, -1)[nearest]
        return antecedents


def last_of_others(entity: IntArray, group: IntArray, holds: BoolArray, at: IntArray) -> IntArray:
    """For each row in `at` the last row before it with the same entity and another group.

    Only rows where `holds` is true count; −1 where there is none. The rows of an entity must be
    consecutive.

    >>> entity, group = np.array([5, 5, 5, 6]), np.array([1, 2, 2, 3])
    >>> last_of_others(entity, group, np.ones(4, dtype=bool), np.arange(4)).tolist()
    [-1, 0, 0, -1]
    """
    rows = np.flatnonzero(holds)
    of_entity, of_group = np.append(entity[rows], -1), np.append(group[rows], -1)
    begins = np.ones(len(rows), dtype=bool)
    if len(rows):
        begins[1:] = (np.diff(of_entity[:-1]) != 0) | (np.diff(of_group[:-1]) != 0)
    run = np.maximum.accumulate(np.where(begins, np.arange(len(rows)), 0))
    before = np.searchsorted(rows, at) - 1
    same = (before >= 0) & (of_entity[before] == entity[at]) & (of_group[before] == group[at])
    before = np.where(same, np.append(run, 0)[before] - 1, before)
    exists = (before >= 0) & (of_entity[before] == entity[at])
    return np.where(exists, np.append(rows, -1)[before], -1)

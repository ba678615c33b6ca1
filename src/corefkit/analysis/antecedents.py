"""What each error is about: the mention that it should be with, and the one that it was put with.

Both are asked for the first mention of an error. It *belongs with* the nearest earlier mention of
its key entity that a reader would recognise: a name before a nominal before a pronoun; where none
is earlier, the nearest later one. It was *put with* the nearest such mention of its response entity
that is not one of its key entity.
"""

from functools import cached_property

import numpy as np

from corefkit.analysis.types import ComparedSide, ErrorTable, ErrorType
from corefkit.applications.features import NAME, PRONOUN
from corefkit.core.arrays import EMPTY, BoolArray, IntArray
from corefkit.core.carriers import frozen

BELONGS_WITH, STANDS_ALONE, NOT_A_MENTION, PUT_WITH, NOT_FOUND, FOUND_AS = RELATIONS = (
    "belongs with",
    "stands alone",
    "is not a mention",
    "put with",
    "not found",
    "found as",
)
"""The first three say what should have been; "stands alone" and the last three what was."""


@frozen(eq=False)
class Antecedents:
    """For each error the mention that it should be with and the one that it was put with.

    All arrays are int64 (errors,): rows of the Joint, −1 where there is none.
    """

    table: ErrorTable

    @cached_property
    def first(self) -> IntArray:
        """The first mention of each error."""
        return self.table.mention[self.table.first[:-1]] if len(self.table) else EMPTY

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
        """How the first mention of an error stands in the key; one of RELATIONS."""
        if self.table.key.entity[self.first[number]] < 0:
            return NOT_A_MENTION
        return BELONGS_WITH if self.key[number] >= 0 else STANDS_ALONE

    def was(self, number: int) -> str:
        """How it stands in the response; one of RELATIONS."""
        if self.table.type[number] == ErrorType.SPAN:
            return FOUND_AS
        if self.table.response.entity[self.first[number]] < 0:
            return NOT_FOUND
        return PUT_WITH if self.response[number] >= 0 else STANDS_ALONE

    def _nearest(self, side: ComparedSide, group: IntArray) -> IntArray:
        """For each error the mention of its entity nearest to its first; never one of its group."""
        here = np.flatnonzero(side.entity >= 0)
        order = here[np.lexsort((side.rank[here], side.entity[here]))]
        place = np.full(len(side.entity), -1, dtype=np.int64)
        place[order] = np.arange(len(order))
        asked = place[self.first]
        known = np.flatnonzero(asked >= 0)
        kind = self.table.joint.kind[order]
        choices = (kind == NAME, (kind != NAME) & (kind != PRONOUN), kind == PRONOUN)
        entity, group = side.entity[order], group[order]
        at, last = asked[known], len(order) - 1
        nearest = np.full(len(known), -1, dtype=np.int64)
        for holds in choices:
            earlier = last_of_others(entity, group, holds, at)
            nearest = np.where(nearest < 0, earlier, nearest)
        for holds in choices:
            later = last_of_others(entity[::-1], group[::-1], holds[::-1], last - at)
            nearest = np.where((nearest < 0) & (later >= 0), last - later, nearest)
        found = np.full(len(self.first), -1, dtype=np.int64)
        found[known] = np.append(order, -1)[nearest]
        return found


def last_of_others(entity: IntArray, group: IntArray, holds: BoolArray, at: IntArray) -> IntArray:
    """For each of the places `at` the last one before it where something holds, −1 without one.

    It is of the same entity and of another group; places of an entity stand together.

    >>> entity, group = np.array([5, 5, 5, 6]), np.array([1, 2, 2, 3])
    >>> last_of_others(entity, group, np.ones(4, dtype=bool), np.arange(4)).tolist()
    [-1, 0, 0, -1]
    """
    places = np.flatnonzero(holds)
    of_entity, of_group = np.append(entity[places], -1), np.append(group[places], -1)
    begins = np.ones(len(places), dtype=bool)
    if len(places):
        begins[1:] = (np.diff(of_entity[:-1]) != 0) | (np.diff(of_group[:-1]) != 0)
    run = np.maximum.accumulate(np.where(begins, np.arange(len(places)), 0))
    before = np.searchsorted(places, at) - 1
    same = (before >= 0) & (of_entity[before] == entity[at]) & (of_group[before] == group[at])
    before = np.where(same, np.append(run, 0)[before] - 1, before)
    there = (before >= 0) & (of_entity[before] == entity[at])
    return np.where(there, np.append(places, -1)[before], -1)

"""Repairs: the response with the errors of some types taken back.

A set of types is a number whose bit i stands for TYPES[i]: 0 is the response as it is, ALL the
key itself.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from corefkit.analysis.joint import side_by_side
from corefkit.analysis.types import TYPES, ErrorType, Found
from corefkit.data.arrays import BoolArray, IntArray, distinct
from corefkit.data.corpus import Corpus

ALL = (1 << len(TYPES)) - 1


def set_of(types: Iterable[str]) -> int:
    """The number of a set of types.

    >>> set_of(["span", "conflated"])
    9
    """
    return sum(1 << TYPES.index(name) for name in set(types))


@dataclass(frozen=True, eq=False)
class Repairs:
    """The repaired responses, as partitions of the mentions of a Joint."""

    found: Found

    @cached_property
    def _part(self) -> IntArray:
        """A number for each part that key and response entities share, above all other numbers."""
        key, response = self.found.key, self.found.response
        parts = distinct(key.entity * (response.entities + 1) + response.entity).inverse
        return response.entities + key.entities + parts

    @property
    def limit(self) -> int:
        """A number above those of all entities."""
        entities = self.found.key.entities + self.found.response.entities
        return entities + self.found.joint.mentions

    @cached_property
    def _freed(self) -> BoolArray:
        """The extra mentions that lead an entity and go when its other parts are taken out."""
        side = self.found.response
        leading = np.zeros(len(side.entity), dtype=bool)
        leading[side.leader] = True
        return leading & side.alone & ~side.taken

    @cached_property
    def _absent_leader(self) -> IntArray:
        """For each key entity the leading mention if the response lacks it, else −1."""
        side = self.found.key
        return np.where(side.leader_alone, side.leader, -1)

    def entities(self, types: int) -> IntArray:
        """The entity of each mention when these types are repaired, int64; −1: there is none.

        The numbers are those of the response's entities, and higher ones.
        """
        key, response = self.found.key, self.found.response
        entity = response.entity.copy()
        if types >> ErrorType.EXTRA_ENTITY & 1:
            entity[response.taken] = -1
        if types >> ErrorType.EXTRA_MENTION & 1:
            entity[response.single] = -1
        if types >> ErrorType.CONFLATED & 1:
            entity[response.apart] = self._part[response.apart]
            entity[self._freed] = -1
        # Where the mentions of each key entity belong: to its leading part, or to a new entity.
        home = entity[key.leader]
        home[key.leader_alone] = response.entities + np.flatnonzero(key.leader_alone)
        for number, moved in (
            (ErrorType.MISSING_ENTITY, key.taken),
            (ErrorType.MISSING_MENTION, key.single),
            (ErrorType.DIVIDED, key.apart),
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
        return kept[np.argsort(self.found.joint.rank[kept])]

    def corpus(self, types: int) -> Corpus:
        """The repaired response: the mentions of `rows`, over the documents of the key.

        Unless spans are repaired, mentions of the response keep theirs: those with wrong
        boundaries, and those that were matched with another span of the key.
        """
        joint = self.found.joint
        kept = self.rows(types)
        own_span = types >> ErrorType.SPAN & 1 == 0
        old = (joint.key_entity < 0) | ((joint.response_row >= 0) & own_span)
        own = joint.key.mentions + joint.response_row
        row = np.where(old, own, np.arange(joint.mentions))[kept]
        _, number = np.unique(self.entities(types)[kept], return_inverse=True)
        whole = side_by_side(joint.key, joint.response)
        entity = np.zeros(whole.mentions, dtype=np.int64)
        entity[row] = number
        labels = tuple(map(str, range(int(number.max(initial=-1)) + 1)))
        return replace(whole, entity=entity, labels=labels).take(row)

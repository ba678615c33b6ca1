"""Variants of documents: each with a set of types repaired, counted as documents of one corpus."""

from functools import cached_property

import numpy as np

from corefkit.analysis.repairs import Repairs
from corefkit.analysis.types import SPAN, Found
from corefkit.data.arrays import EMPTY, BoolArray, IntArray, distinct, ranks_of
from corefkit.data.counts import Counts
from corefkit.data.options import Options
from corefkit.data.overlap import Entities, Overlap, entity_ranks, overlap_of_cells
from corefkit.profiles.counting import count_in_overlap


class Variants:
    """The documents of a Found with types of errors repaired."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._repairs = Repairs(found)

    @cached_property
    def sizes(self) -> IntArray:
        """The number of mentions of each document, int64 (documents,)."""
        joint = self._found.joint
        return np.bincount(joint.document, minlength=len(joint.key.names))

    def count(self, wanted: BoolArray, options: Options) -> Counts:
        """The counts of these variants, bool (sets, documents); one row each, in this order."""
        names = [self._found.joint.key.names[d] for d in np.nonzero(wanted)[1].tolist()]
        return count_in_overlap(self._overlap(wanted), options, names)

    def _same(self, types: int) -> BoolArray:
        """The mentions that count as found where the repaired response has them."""
        joint = self._found.joint
        known = joint.key_entity >= 0
        return known if types >> SPAN & 1 else known & ~joint.wrong_span

    def _overlap(self, wanted: BoolArray) -> Overlap:
        """The overlap of all these variants, as if they were the documents of one corpus."""
        number = np.cumsum(wanted.ravel()).reshape(wanted.shape) - 1
        parts = []
        for types in np.flatnonzero(wanted.any(axis=1)).tolist():
            row = self._order[wanted[types][self._document]]
            entity = self._repairs.entities(types)[row]
            variant = number[types][self._found.joint.document[row]]
            parts.append((variant, row, entity, self._same(types)[row]))
        columns = [np.concatenate(column) for column in zip(*parts, strict=True)] if parts else []
        variant, row, entity, same = columns or [EMPTY] * 4
        key, key_number = self._keys(wanted)
        there = entity >= 0
        response, response_number = _entities(variant[there], entity[there], self._repairs.limit)
        place = np.full(len(row), -1, dtype=np.int64)
        place[there] = response_number
        both = there & (same > 0)
        joint = self._found.joint
        ours = key_number[variant[both]] + self._key_rank[joint.key_entity[row[both]]]
        cells = ours * max(len(response.size), 1) + place[both]
        return overlap_of_cells(int(wanted.sum()), key, response, cells)

    @cached_property
    def _order(self) -> IntArray:
        """The mentions in text order."""
        return self._found.joint.corpus.text_order

    @cached_property
    def _document(self) -> IntArray:
        return self._found.joint.document[self._order]

    @cached_property
    def _key_rank(self) -> IntArray:
        """The place of each key entity in the order of documents and first mentions."""
        return entity_ranks(self._found.joint.key)

    def _keys(self, wanted: BoolArray) -> tuple[Entities, IntArray]:
        """The key entities of all variants, and what to add to their ranks in each variant."""
        key = self._found.joint.key
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

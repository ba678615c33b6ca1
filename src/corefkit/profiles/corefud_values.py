"""Mentions as corefud-scorer knows them: values, which may stand in several entities.

A value is a set of nodes, with or without the head. An entity that repeats a value keeps only the
first copy, yet several entities may have the same one. Matching sees just the copy in the first of
these entities, whereas a lookup by value yields the last.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corefkit.data.arrays import BoolArray, IntArray, distinct, ranks_of
from corefkit.data.corpus import Corpus
from corefkit.data.matching.exact import mention_codes
from corefkit.data.matching.nodes import ends_of, sizes
from corefkit.data.options import Options
from corefkit.profiles.steps import Copies

RULES = ("exact", "partial", "head", "craft")
"""The rules of matching that corefud-scorer knows."""


def mention_order(corpus: Corpus) -> IntArray:
    """The rows by entity, and within each by first node, more nodes first, last node, bracket."""
    first, first_zero, last, last_zero = ends_of(corpus)
    opened = corpus.byte if len(corpus.byte) == corpus.mentions else np.arange(corpus.mentions)
    return np.lexsort((opened, last_zero, last, -sizes(corpus), first_zero, first, corpus.entity))


def entity_ranks(corpus: Corpus) -> IntArray:
    """int64 (entities,): the place of each entity among all, by its first mention, then by id."""
    order = mention_order(corpus)
    leading = order[np.searchsorted(corpus.entity[order], np.arange(corpus.entities))]
    first, first_zero, last, last_zero = (column[leading] for column in ends_of(corpus))
    names = {label: place for place, label in enumerate(sorted(set(corpus.labels)))}
    label = np.array([names[label] for label in corpus.labels], dtype=np.int64)
    document = corpus.document[leading]
    size = sizes(corpus)[leading]
    ranked = np.lexsort((label, last_zero, last, -size, first_zero, first, document))
    return ranks_of(ranked)


def first_of_entity(corpus: Corpus, value: IntArray) -> BoolArray:
    """bool (mentions,): the first copy of each value in each entity."""
    order = mention_order(corpus)
    cell = corpus.entity[order] * (int(value.max(initial=0)) + 1) + distinct(value).inverse[order]
    kept = np.zeros(corpus.mentions, dtype=bool)
    kept[order[distinct(cell).first]] = True
    return kept


def first_copies_by_entity(heads: tuple[str, ...]) -> Copies:
    """The first copy of each value in each entity stays; `heads` are the rules by which mentions
    with different heads are two values.
    """

    def choose(corpus: Corpus, first: BoolArray, options: Options) -> BoolArray:
        del first
        return first_of_entity(corpus, mention_codes(corpus, heads=options.match in heads)[0])

    return Copies(choose, told="each")


@dataclass(frozen=True, eq=False)
class Listed:
    """Which entities list which values, on one side.

    Attributes:
        corpus: the side.
        value: int64 (mentions,), the value of each mention, numbered alike on both sides.
        values: how many values there are on both sides together.
    """

    corpus: Corpus
    value: IntArray
    values: int

    def copies(self, last: bool) -> IntArray:
        """int64 (values,): the row of the copy in the first or last entity; −1 for none."""
        row = np.full(self.values, -1, dtype=np.int64)
        if self._alone:
            row[self.value] = np.arange(len(self.value))
            return row
        rank = entity_ranks(self.corpus)[self.corpus.entity]
        order = np.argsort(rank if last else -rank, kind="stable")
        # Of several writings to one place the last stays.
        row[self.value[order]] = order
        return row

    @cached_property
    def _alone(self) -> bool:
        """Whether each value is there once."""
        return int(np.bincount(self.value, minlength=1).max()) <= 1


def number_values(*codes: IntArray) -> tuple[list[IntArray], int]:
    """The same numbers, from 0 on without gaps, and how many there are."""
    found = distinct(np.concatenate(codes))
    return np.split(found.inverse, np.cumsum([len(c) for c in codes])[:-1]), len(found.values)

"""corefud-scorer 1.2, bug for bug.

Pairs of mentions whose values differ go into a single table T, which serves both directions: all
entries from key to response are written first, and those from response to key may then *overwrite*
them. To look up a key mention, its value is translated by T, if T has it. The key mention is found
if some response mention has the resulting value; of several entities with that value, the last is
taken. Response mentions are looked up in the key by the same steps. Where a key zero sits at
the very place at which the response has another key zero's partner, the second writing destroys
the first. In the zero score, T is asked for a mention's partner only if no mention of the other
side has the same value.

A mention is a *value*, a set of nodes with or without the head, which may stand in several
entities. An entity that repeats a value keeps only the first copy. Matching sees just the copy in
the first of the entities that have it, whereas a lookup by value yields the last.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import ClassVar

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray, distinct, join, ranks_of
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.nodes import ends_of, is_zero, mention_codes, sizes, text_order
from corefkit.core.overlap import Overlap, Pairs, overlap_of_sides
from corefkit.matching import match as match_by_rule
from corefkit.metrics import blanc, mor
from corefkit.metrics.base import Counted
from corefkit.metrics.zero import count_zeros, in_order
from corefkit.scorers.comparison import Comparison
from corefkit.scorers.coval import BY_LIST, BY_SIDE, count_by_side
from corefkit.scorers.scorer import Scorer


class CorefUD(Scorer):
    """corefud-scorer 1.2, of CRAC 2024 to 2026.

    It keeps one copy of a mention in every entity that lists it, and looks mentions up in one
    table for both directions. By the rule `head`, mentions of the same nodes with different heads
    are two.
    """

    metrics = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "mor", "zero", "conll")
    others: ClassVar[tuple[str, ...]] = ("mentions",)
    policies: ClassVar[Mapping[str, str]] = {
        "match": "head",
        "singletons": "drop",
        "blanc": "either",
        "words": "error",
        "zeros": "dependent",
        "ties": "scipy",
    }
    rules = ("exact", "partial", "head", "craft")
    counting = (
        "a mention stays in every entity that lists it, and one table says who is who in both "
        "directions"
    )
    equivocal = True
    divisible = False
    needs_spans = True
    copies_hint = "each"
    heads_matter: ClassVar[tuple[str, ...]] = ("head",)
    """The rules by which mentions with the same nodes and different heads are two."""

    def kept_copies(self, corpus: Corpus, first: BoolArray) -> BoolArray:
        """The first copy of each value in each entity stays."""
        del first
        heads = self.options.match in self.heads_matter
        return first_of_entity(corpus, mention_codes(corpus, heads=heads)[0])

    def match(self, key: Corpus, response: Corpus) -> Pairs:
        """Pairs of rows: of each value the copy in the first entity that lists it."""
        rule, policies = self.options.match, self.options.policies
        rows = [side.copies(last=False) for side in _sides(key, response, rule)]
        ours, theirs = (np.sort(chosen[chosen >= 0]) for chosen in rows)
        pairs = match_by_rule(key.take(ours), response.take(theirs), rule, policies)
        return Pairs(ours[pairs.key], theirs[pairs.response])

    def count_own(self, comparison: Comparison, names: list[str]) -> dict[str, Counted]:
        """All metrics, by looking mentions up."""
        sides = _sides(comparison.key, comparison.response, comparison.rule)
        return Lookups.through_table(*sides, comparison.pairs).count(names)


def mention_order(corpus: Corpus) -> IntArray:
    """The rows by entity, and within each by first node, more nodes first, last node, bracket."""
    first, first_zero, last, last_zero = ends_of(corpus)
    opened = corpus._byte if len(corpus._byte) == corpus.mentions else np.arange(corpus.mentions)
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


@frozen(eq=False)
class EntityLists:
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
    values = distinct(np.concatenate(codes))
    return np.split(values.inverse, np.cumsum([len(c) for c in codes])[:-1]), len(values.values)


def _sides(key: Corpus, response: Corpus, rule: str) -> tuple[EntityLists, EntityLists]:
    (ours, theirs), number = number_values(*mention_codes(key, response, heads=rule == "head"))
    return EntityLists(key, ours, number), EntityLists(response, theirs, number)


@frozen(eq=False)
class Lookups:
    """Where the mentions of each side are looked up on the other.

    Attributes:
        key, response: the values that entities list.
        in_response: int64 (key mentions,), a row of the response whose entity is the answer; −1
            for none.
        in_key: int64 (response mentions,), likewise a row of the key.
        listed: key rows and response rows: which key mention is found in which entity for φ₃.
        partner: int64 (key mentions,), a row of the response, for the zero score.
        zeros: bool (mentions,) of key and response, the zeros.
        pairs: how many mentions are paired; None where that means nothing.
    """

    key: EntityLists
    response: EntityLists
    in_response: IntArray
    in_key: IntArray
    listed: tuple[IntArray, IntArray]
    partner: IntArray
    zeros: tuple[BoolArray, BoolArray]
    pairs: Pairs | None = None

    @classmethod
    def through_table(cls, key: EntityLists, response: EntityLists, pairs: Pairs) -> "Lookups":
        """The look-ups through the one table for both directions."""
        ours, theirs = key.value[pairs.key], response.value[pairs.response]
        table = np.arange(key.values)
        other = ours != theirs
        table[ours[other]] = theirs[other]
        table[theirs[other]] = ours[other]
        here, there = key.copies(last=True), response.copies(last=True)
        looked_up = table[key.value]
        same = there[key.value]
        return cls(
            key,
            response,
            in_response=there[looked_up],
            in_key=here[table[response.value]],
            listed=join(looked_up, response.value),
            partner=np.where(same >= 0, same, there[looked_up]),
            zeros=(_zeros(key), _zeros(response)),
            pairs=pairs,
        )

    def count(self, names: Iterable[str]) -> dict[str, Counted]:
        """Counts of the metrics of these names that are known here."""
        tables: dict[str, Counted] = {}
        for name in names:
            if name in BY_SIDE:
                tables[name] = count_by_side(name, self._recall, self._precision)
            elif name in BY_LIST:
                tables[name] = BY_LIST[name](self._shared)
            elif name == "blanc":
                tables[name] = blanc.count(self._recall)
            elif name == "mor":
                tables[name] = mor.count_nodes(self.key.corpus, self.response.corpus)
            elif name == "zero":
                tables[name] = self._count_zeros()
            elif name == "mentions" and self.pairs is not None:
                tables[name] = self._count_mentions(self.pairs)
        return tables

    @cached_property
    def _recall(self) -> Overlap:
        """How many mentions of each key entity are looked up in which response entity."""
        return _overlap(self.key.corpus, self.response.corpus, self.in_response)

    @cached_property
    def _precision(self) -> Overlap:
        """The same from the response; it stands in the place of the key."""
        return _overlap(self.response.corpus, self.key.corpus, self.in_key)

    @cached_property
    def _shared(self) -> Overlap:
        """φ₃: how many mentions of each key entity each response entity lists."""
        return _overlap_of_rows(self.key.corpus, self.response.corpus, *self.listed)

    def _count_zeros(self) -> Counted:
        key, response = self.key.corpus, self.response.corpus
        ours, theirs = (in_order(side, text_order(side)) for side in (key, response))
        ours = ours._replace(zero=self.zeros[0][ours.row])
        theirs = theirs._replace(zero=self.zeros[1][theirs.row])
        return count_zeros(ours, theirs, self.partner, len(key.names), self.response.value)

    def _count_mentions(self, pairs: Pairs) -> Counted:
        key, response = self.key.corpus, self.response.corpus
        documents = len(key.names)
        of_pairs, of_key, of_response = (
            np.bincount(document, minlength=documents)
            for document in (key.document[pairs.key], key.document, response.document)
        )
        return of_pairs, of_key, of_pairs, of_response


def _zeros(side: EntityLists) -> BoolArray:
    """Whether the copy of its value in the first entity is a zero."""
    return is_zero(side.corpus)[side.copies(last=False)[side.value]]


def _overlap(one: Corpus, other: Corpus, row: IntArray) -> Overlap:
    matched = np.flatnonzero(row >= 0)
    return _overlap_of_rows(one, other, matched, row[matched])


def _overlap_of_rows(one: Corpus, other: Corpus, ours: IntArray, theirs: IntArray) -> Overlap:
    return overlap_of_sides(one, one.entity[ours], other, other.entity[theirs])

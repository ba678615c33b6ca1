"""corefud-scorer 1.2, and 1.1 with 1.0, bug for bug.

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

In versions 1.0 and 1.1 mentions are not paired off: every one chooses its partner without regard to
the others, so a partner may be chosen twice. The choice is by least |K △ R| / |K ∪ R|; a tie goes
to the mention that starts earlier, or else ends earlier. Recall looks from the key, precision from
the response. Both sides must have the same empty nodes: there is no way to pair others.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from corefkit.core.arrays import EMPTY, BoolArray, IntArray, distinct, join, ranks_of
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector, Incident
from corefkit.core.nodes import common_nodes, ends_of, is_zero, mention_codes, sizes, text_order
from corefkit.core.options import UsageError
from corefkit.core.overlap import Overlap, Pairs, overlap_of_sides
from corefkit.formats import FormNode, format_of
from corefkit.matching import match as match_by_rule
from corefkit.matching.head import same_head
from corefkit.matching.partial import within
from corefkit.metrics import blanc, mor
from corefkit.metrics.base import Counted
from corefkit.metrics.zero import count_zeros, in_order
from corefkit.scorers.comparison import Comparison, Side
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
    official = "the mean over datasets, one file each, which `corefkit task` computes"
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
    nearest = "--profile standard --match head --singletons drop"
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


def _overlap(side: Corpus, other: Corpus, row: IntArray) -> Overlap:
    matched = np.flatnonzero(row >= 0)
    return _overlap_of_rows(side, other, matched, row[matched])


def _overlap_of_rows(side: Corpus, other: Corpus, ours: IntArray, theirs: IntArray) -> Overlap:
    return overlap_of_sides(side, side.entity[ours], other, other.entity[theirs])


class CorefUD11(CorefUD):
    """corefud-scorer 1.1, of CRAC 2023 and, with `--match partial`, of CRAC 2022.

    It pairs nothing off: every mention looks alone for the best one of the other side. By other
    rules than `exact`, key mentions with the same nodes and different heads are two; in the
    response only by `head`.
    """

    others = ()
    policies: ClassVar[Mapping[str, str]] = {
        "match": "head",
        "singletons": "drop",
        "blanc": "either",
        "words": "error",
        "zeros": "linear",
    }
    counting = "as corefud, but each mention looks alone for the best one of the other side"
    heads_matter = ("head", "partial")

    def check(
        self, key: Side, response: Side, documents: set[str] | None = None
    ) -> Iterator[Incident]:
        """What is different about the two sides; empty nodes must be the same."""
        yield from super().check(key, response, documents)
        yield from compare_empty_nodes(key.corpus, response.corpus)

    def adjust_response(self, comparison: Comparison) -> Comparison:
        """By `partial`: response mentions with the same nodes are copies, whatever their heads."""
        if self.options.match != "partial":
            return comparison
        response = comparison.response
        kept = response.take(first_of_entity(response, mention_codes(response)[0]))
        if self.options.singletons == "drop":
            kept = kept.drop_singletons()
        return replace(comparison, response=kept)

    def match(self, key: Corpus, response: Corpus) -> Pairs:
        """No pairs."""
        return Pairs(EMPTY, EMPTY)

    def check_pairing(self, option: str) -> None:
        """Nothing is paired off, so that a mention could not go with its partner."""
        if self.options.match != "exact":
            raise UsageError(f"{option}: the profile corefud-1.1 pairs no mentions; use corefud")

    def count_own(self, comparison: Comparison, names: list[str]) -> dict[str, Counted]:
        """All metrics, by looking mentions up."""
        return _look_up(comparison).count(names)


FormNodes = list[FormNode]
"""The nodes of a document."""


def compare_empty_nodes(key: Corpus, response: Corpus) -> list[Incident]:
    """One incident for each document of both that has other empty nodes in the response.

    corefud-scorer 1.1 does not look at ids. It compares the forms of words and empty nodes side
    by side, in each sentence as far as the shorter one reaches, and refuses files in which two
    differ: an error. Files whose forms do not show it (in its own tests on zeros every form is
    `_`) are scored: a warning.
    """
    ours = dict(_nodes(key))
    collector = Collector()
    for name, theirs in _nodes(response):
        expected, given = (_places(nodes) for nodes in (ours.get(name, theirs), theirs))
        if given == expected:
            continue
        more, fewer = len(given - expected), len(expected - given)
        collector.note(
            "empty-nodes-differ",
            severity=None if _forms_differ(ours[name], theirs) else "warning",
            at=response.document_place(response.names.index(name)),
            found=f"{more:,} that the key lacks, {fewer:,} of the key not",
            expected="the empty nodes of the key",
        )
    return list(collector)


def _places(nodes: FormNodes) -> set[tuple[int, int, int]]:
    """The empty nodes: sentence, how many words stand before, and the number."""
    words, places = 0, set()
    for sentence, _, zero in nodes:
        words += not zero
        if zero:
            places.add((sentence, words, zero))
    return places


def _forms_differ(key: FormNodes, response: FormNodes) -> bool:
    ours, theirs = _sentences(key), _sentences(response)
    return any(
        form != other
        for sentence, forms in ours.items()
        for form, other in zip(forms, theirs.get(sentence, ()), strict=False)
    )


def _sentences(nodes: FormNodes) -> dict[int, list[bytes]]:
    forms: dict[int, list[bytes]] = {}
    for sentence, form, _ in nodes:
        forms.setdefault(sentence, []).append(form)
    return forms


def _nodes(corpus: Corpus) -> Iterator[tuple[str, FormNodes]]:
    """The nodes of each document that was read from a CorefUD file."""
    for source in corpus.sources:
        if list_nodes := format_of(source).nodes:
            first = source.first_document
            names = corpus.names[first : first + source.documents]
            yield from zip(names, list_nodes(source), strict=True)


def _look_up(comparison: Comparison) -> Lookups:
    """Where each mention finds its best on the other side."""
    key, response, rule = comparison.key, comparison.response, comparison.rule
    heads, their_heads = rule != "exact", rule == "head"
    ours, theirs = _listed(key, heads), _listed(response, their_heads)
    pairs = _fitting(key, response, rule)
    to_response = _best(key, response, pairs)
    to_key = _best(response, key, Pairs(pairs.response, pairs.key))
    in_response = _last_copy(to_response, theirs)
    in_key = _last_copy(to_key, ours)
    return Lookups(
        ours,
        theirs,
        in_response,
        in_key,
        listed=_once(response, pairs),
        partner=in_response,
        zeros=(_leading_zeros(key, heads), _leading_zeros(response, their_heads)),
    )


def _listed(corpus: Corpus, heads: bool) -> EntityLists:
    (values,), number = number_values(*mention_codes(corpus, heads=heads))
    return EntityLists(corpus, values, number)


def _fitting(key: Corpus, response: Corpus, rule: str) -> Pairs:
    """The rows of mentions that fit, copies included."""
    everybody = np.arange(key.mentions), np.arange(response.mentions)
    if rule == "head":
        return same_head(key, response, *everybody)
    if rule == "partial":
        return within(key, response, *everybody)
    return Pairs(*join(*mention_codes(key, response)))


def _best(side: Corpus, other: Corpus, pairs: Pairs) -> IntArray:
    """For each mention of one side the row of the best that fits it on the other, −1 for none."""
    common = common_nodes(side, other, *pairs)
    union = sizes(side)[pairs.key] + sizes(other)[pairs.response] - common
    place = ranks_of(text_order(other))
    # Distance |K △ R| / |K ∪ R|: quotients of small integers are equal where the fractions are.
    order = np.lexsort((place[pairs.response], (union - common) / union, pairs.key))
    best = np.full(side.mentions, -1, dtype=np.int64)
    best[pairs.key[order][::-1]] = pairs.response[order][::-1]
    return best


def _last_copy(row: IntArray, side: EntityLists) -> IntArray:
    """For each row of a side that of the same value in the last entity; −1 stays."""
    copy = np.full(len(row), -1, dtype=np.int64)
    known = row >= 0
    copy[known] = side.copies(last=True)[side.value[row[known]]]
    return copy


def _once(response: Corpus, pairs: Pairs) -> tuple[IntArray, IntArray]:
    """For φ₃: each key mention once for each response entity of which it fits any mention."""
    cell = pairs.key * max(response.entities, 1) + response.entity[pairs.response]
    first = distinct(cell).first
    return pairs.key[first], pairs.response[first]


def _leading_zeros(corpus: Corpus, heads: bool) -> BoolArray:
    """Zeros by the head where the value has one, else by the first node."""
    return is_zero(corpus) if heads else ends_of(corpus)[1] > 0

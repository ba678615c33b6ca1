"""corefud-scorer 1.2, and versions 1.0 and 1.1, bug for bug.

Pairs of mentions whose values differ go into a single table T, which serves both directions: all
entries from key to response are written first, and those from response to key may then *overwrite*
them. To look up a key mention, its value is translated by T, if T has it. The key mention is found
if some response mention has the resulting value; if several entities have that value, the last is
taken. Response mentions are looked up in the key in the same way. If a key zero has the same value
as the response partner of another key zero, the second entry destroys the first. In the zero score,
T is used only if no mention of the other side has the same value.

The *value* of a mention is its set of nodes, with or without the head; several entities may have
it. An entity that repeats a value keeps only the first copy. Matching uses the copy in the first of
the entities that have it, whereas a lookup by value yields the last.

In versions 1.0 and 1.1 mentions are not paired: each chooses its partner independently of the
others, so a partner may be chosen twice. It chooses the mention with the smallest
|K △ R| / |K ∪ R|; among equals the one that starts earlier, then the one that ends earlier. Recall
looks from the key, precision from the response. Both sides must have the same empty nodes.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from corefkit.core.arrays import (
    EMPTY,
    BoolArray,
    IntArray,
    distinct,
    join,
    number_together,
    ranks_of,
)
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
    table for both directions. Under the rule `head`, mentions with the same nodes but different
    heads are different mentions.
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
    """The rules under which mentions with the same nodes but different heads are different."""

    def kept_copies(self, corpus: Corpus, first: BoolArray) -> BoolArray:
        """The first copy of each value in each entity is kept."""
        del first
        heads = self.options.match in self.heads_matter
        return first_of_entity(corpus, mention_codes(corpus, heads=heads)[0])

    def match(self, key: Corpus, response: Corpus) -> Pairs:
        """Pairs of the copies of values in the first entities that list them."""
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
    """The rows sorted by entity, first node, number of nodes (descending), last node, bracket."""
    first, first_zero, last, last_zero = ends_of(corpus)
    opened = corpus._byte if len(corpus._byte) == corpus.mentions else np.arange(corpus.mentions)
    return np.lexsort((opened, last_zero, last, -sizes(corpus), first_zero, first, corpus.entity))


def entity_ranks(corpus: Corpus) -> IntArray:
    """int64 (entities,): the rank of each entity, by its first mention and then by its id."""
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
    """The values that the entities of a side list.

    Attributes:
        corpus: the side.
        value: int64 (mentions,), the value of each mention, numbered across both sides.
        values: the number of values of both sides together.
    """

    corpus: Corpus
    value: IntArray
    values: int

    def copies(self, last: bool) -> IntArray:
        """int64 (values,): the row of the copy in the first or last entity; −1 for none."""
        row = np.full(self.values, -1, dtype=np.int64)
        if self._unique:
            row[self.value] = np.arange(len(self.value))
            return row
        rank = entity_ranks(self.corpus)[self.corpus.entity]
        order = np.argsort(rank if last else -rank, kind="stable")
        # If a place is written several times, the last value stays.
        row[self.value[order]] = order
        return row

    @cached_property
    def _unique(self) -> bool:
        """Whether each value occurs only once."""
        return int(np.bincount(self.value, minlength=1).max()) <= 1


def _sides(key: Corpus, response: Corpus, rule: str) -> tuple[EntityLists, EntityLists]:
    (ours, theirs), number = number_together(*mention_codes(key, response, heads=rule == "head"))
    return EntityLists(key, ours, number), EntityLists(response, theirs, number)


@frozen(eq=False)
class Lookups:
    """The results of looking up the mentions of each side on the other.

    Attributes:
        key, response: the values that entities list.
        in_response: int64 (key mentions,), a row of the response in the entity that was found; −1
            for none.
        in_key: int64 (response mentions,), likewise a row of the key.
        listed: key rows and response rows: the mentions that count in φ₃ of their two entities.
        partner: int64 (key mentions,), a row of the response, for the zero score; −1 for none.
        zeros: bool (mentions,) of key and response: the zeros.
        pairs: the matched mentions; None if mentions are not paired.
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
        """The lookups through the one table for both directions."""
        ours, theirs = key.value[pairs.key], response.value[pairs.response]
        table = np.arange(key.values)
        differ = ours != theirs
        table[ours[differ]] = theirs[differ]
        table[theirs[differ]] = ours[differ]
        key_row, response_row = key.copies(last=True), response.copies(last=True)
        translated = table[key.value]
        same = response_row[key.value]
        return cls(
            key,
            response,
            in_response=response_row[translated],
            in_key=key_row[table[response.value]],
            listed=join(translated, response.value),
            partner=np.where(same >= 0, same, response_row[translated]),
            zeros=(_zeros(key), _zeros(response)),
            pairs=pairs,
        )

    def count(self, names: Iterable[str]) -> dict[str, Counted]:
        """The counts of those of these metrics that depend on lookups."""
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
        """The overlap of key mentions with the response entities in which they are found."""
        return _overlap(self.key.corpus, self.response.corpus, self.in_response)

    @cached_property
    def _precision(self) -> Overlap:
        """The overlap of response mentions with key entities; the sides are exchanged."""
        return _overlap(self.response.corpus, self.key.corpus, self.in_key)

    @cached_property
    def _shared(self) -> Overlap:
        """The overlap for φ₃: key mentions with all response entities that list them."""
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
    """bool (mentions,): whether the copy of each value in the first entity is a zero."""
    return is_zero(side.corpus)[side.copies(last=False)[side.value]]


def _overlap(side: Corpus, other: Corpus, row: IntArray) -> Overlap:
    matched = np.flatnonzero(row >= 0)
    return _overlap_of_rows(side, other, matched, row[matched])


def _overlap_of_rows(side: Corpus, other: Corpus, ours: IntArray, theirs: IntArray) -> Overlap:
    return overlap_of_sides(side, side.entity[ours], other, other.entity[theirs])


class CorefUD11(CorefUD):
    """corefud-scorer 1.1, of CRAC 2023 and, with `--match partial`, of CRAC 2022.

    Mentions are not paired: each one chooses the best mention of the other side independently.
    Under rules other than `exact`, key mentions with the same nodes but different heads are
    different mentions; in the response only under `head`.
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
        """Incidents about differences of the two sides, which must have the same empty nodes."""
        yield from super().check(key, response, documents)
        yield from compare_empty_nodes(key.corpus, response.corpus)

    def adjust_response(self, comparison: Comparison) -> Comparison:
        """The comparison; under `partial`, response mentions with the same nodes are copies,
        whatever their heads.
        """
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
        """Raise UsageError for rules other than `exact`, because mentions are not paired."""
        if self.options.match != "exact":
            raise UsageError(f"{option}: the profile corefud-1.1 pairs no mentions; use corefud")

    def count_own(self, comparison: Comparison, names: list[str]) -> dict[str, Counted]:
        """All metrics, by looking mentions up."""
        return _look_up(comparison).count(names)


FormNodes = list[FormNode]
"""The words and empty nodes of a document."""


def compare_empty_nodes(key: Corpus, response: Corpus) -> list[Incident]:
    """One incident for each common document with different empty nodes in the response.

    corefud-scorer 1.1 does not compare ids. It compares the forms of words and empty nodes, in each
    sentence up to the end of the shorter one, and refuses files in which two forms differ: that is
    an error. It scores files in which the forms do not show the difference (in its own tests on
    zeros every form is `_`): that is a warning.
    """
    ours = dict(_nodes(key))
    collector = Collector()
    for name, theirs in _nodes(response):
        expected, given = (_places(nodes) for nodes in (ours.get(name, theirs), theirs))
        if given == expected:
            continue
        added, missing = len(given - expected), len(expected - given)
        collector.note(
            "empty-nodes-differ",
            severity=None if _forms_differ(ours[name], theirs) else "warning",
            at=response.document_place(response.names.index(name)),
            found=f"{added:,} that the key lacks, {missing:,} of the key missing",
            expected="the empty nodes of the key",
        )
    return list(collector)


def _places(nodes: FormNodes) -> set[tuple[int, int, int]]:
    """The empty nodes, each as (sentence, number of words before it in the document, number)."""
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
    """The forms of the nodes of each sentence."""
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
    """The lookups of corefud-scorer 1.1: each mention chooses the best one on the other side."""
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
    (values,), number = number_together(*mention_codes(corpus, heads=heads))
    return EntityLists(corpus, values, number)


def _fitting(key: Corpus, response: Corpus, rule: str) -> Pairs:
    """All pairs of mentions that fit, copies included."""
    all_rows = np.arange(key.mentions), np.arange(response.mentions)
    if rule == "head":
        return same_head(key, response, *all_rows)
    if rule == "partial":
        return within(key, response, *all_rows)
    return Pairs(*join(*mention_codes(key, response)))


def _best(side: Corpus, other: Corpus, pairs: Pairs) -> IntArray:
    """int64 (mentions of a side,): the best row of the other side that fits each; −1 for none."""
    common = common_nodes(side, other, *pairs)
    union = sizes(side)[pairs.key] + sizes(other)[pairs.response] - common
    place = ranks_of(text_order(other))
    # The distance |K △ R| / |K ∪ R|: quotients of small integers are equal if the fractions are.
    order = np.lexsort((place[pairs.response], (union - common) / union, pairs.key))
    best = np.full(side.mentions, -1, dtype=np.int64)
    best[pairs.key[order][::-1]] = pairs.response[order][::-1]
    return best


def _last_copy(row: IntArray, side: EntityLists) -> IntArray:
    """The row with the same value in the last entity, for each of these rows; −1 stays −1."""
    copy = np.full(len(row), -1, dtype=np.int64)
    known = row >= 0
    copy[known] = side.copies(last=True)[side.value[row[known]]]
    return copy


def _once(response: Corpus, pairs: Pairs) -> tuple[IntArray, IntArray]:
    """For φ₃: each key mention once per response entity with a mention that fits it."""
    cell = pairs.key * max(response.entities, 1) + response.entity[pairs.response]
    first = distinct(cell).first
    return pairs.key[first], pairs.response[first]


def _leading_zeros(corpus: Corpus, heads: bool) -> BoolArray:
    """bool (mentions,): zeros, by the head if values include heads, and else by the first node."""
    return is_zero(corpus) if heads else ends_of(corpus)[1] > 0

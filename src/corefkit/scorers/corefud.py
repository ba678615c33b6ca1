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

from collections.abc import Iterator, Mapping
from dataclasses import replace
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
from corefkit.core.corpus import Corpus
from corefkit.core.directed import Lookups, Pairs
from corefkit.core.incidents import Collector, Incident
from corefkit.core.nodes import common_nodes, ends_of, is_zero, mention_codes, node_order, sizes
from corefkit.core.options import UsageError
from corefkit.core.source import FormNode
from corefkit.matching import match as match_by_rule
from corefkit.matching.head import same_head
from corefkit.matching.partial import within
from corefkit.metrics.base import Counted
from corefkit.metrics.zero import count_zeros, in_order
from corefkit.scorers.comparison import Comparison, Side
from corefkit.scorers.lookups import all_detected, every_owner, make_lookups, once_each
from corefkit.scorers.rules import EITHER_KIND, SCIPY_TIES, STANDARD_RULES, Rules, with_rules
from corefkit.scorers.scorer import OwnMetrics, Scorer


def mention_order(corpus: Corpus) -> IntArray:
    """The rows sorted by entity, first node, number of nodes (descending), last node, bracket."""
    first, first_zero, last, last_zero = ends_of(corpus)
    opened = corpus.byte if len(corpus.byte) == corpus.mentions else np.arange(corpus.mentions)
    return np.lexsort((opened, last_zero, last, -sizes(corpus), first_zero, first, corpus.entity))


def entity_ranks(corpus: Corpus) -> IntArray:
    """int64 (entities,): the rank of each entity, by its first mention and then by its id."""
    order = mention_order(corpus)
    leading = order[np.searchsorted(corpus.entity[order], np.arange(corpus.entities))]
    first, first_zero, last, last_zero = (column[leading] for column in ends_of(corpus))
    names = {label: number for number, label in enumerate(sorted(set(corpus.labels)))}
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


def _copies(corpus: Corpus, value: IntArray, values: int, *, last: bool) -> IntArray:
    """int64 (values,): the row of each value in the first or last entity with it; −1 for none.

    `value`, int64 (mentions,), are numbers below `values`.
    """
    row = np.full(values, -1, dtype=np.int64)
    if int(np.bincount(value, minlength=1).max()) <= 1:
        row[value] = np.arange(len(value))
        return row
    rank = entity_ranks(corpus)[corpus.entity]
    order = np.argsort(rank if last else -rank, kind="stable")
    # If a place is written several times, the last value stays.
    row[value[order]] = order
    return row


def _values(comparison: Comparison) -> tuple[IntArray, IntArray, int]:
    """The values of the mentions of both sides, numbered together, and how many there are."""
    codes = mention_codes(comparison.key, comparison.response, heads=comparison.rule == "head")
    (key_code, response_code), number = number_together(*codes)
    return key_code, response_code, number


def _translated(comparison: Comparison) -> IntArray:
    """int64 (values,): the one table for both directions; values that are not in it stay."""
    key_code, response_code, number = _values(comparison)
    pairs = comparison.pairs
    left, right = key_code[pairs.key], response_code[pairs.response]
    table, differ = np.arange(number), left != right
    table[left[differ]] = right[differ]
    table[right[differ]] = left[differ]
    return table


def _entity_of(corpus: Corpus, row: IntArray) -> IntArray:
    """The entities of these rows; −1 for the row −1."""
    return np.append(corpus.entity, -1)[row]


def _count_zeros(comparison: Comparison) -> Counted:
    """The zero score; the table is used only if no mention of the other side has the same value."""
    key, response = comparison.key, comparison.response
    key_code, response_code, number = _values(comparison)
    row = _copies(response, response_code, number, last=True)
    partner = row[key_code]
    lost = partner < 0
    partner[lost] = row[_translated(comparison)[key_code[lost]]]
    zeros = (
        is_zero(side)[_copies(side, value, number, last=False)[value]]
        for side, value in ((key, key_code), (response, response_code))
    )
    return _zeros_in_order(comparison, partner, response_code, *zeros)


def _zeros_in_order(
    comparison: Comparison,
    partner: IntArray,
    value: IntArray,
    key_zeros: BoolArray,
    response_zeros: BoolArray,
) -> Counted:
    """The zero score of mentions in text order; `value` are those of the response."""
    key, response = comparison.key, comparison.response
    key_mentions, response_mentions = (in_order(side, node_order(side)) for side in (key, response))
    key_mentions = key_mentions._replace(zero=key_zeros[key_mentions.row])
    response_mentions = response_mentions._replace(zero=response_zeros[response_mentions.row])
    return count_zeros(key_mentions, response_mentions, partner, len(key.names), value)


class CorefUD(Scorer):
    """corefud-scorer 1.2, of CRAC 2024 to 2026.

    It keeps one copy of a mention in every entity that lists it, and looks mentions up in one
    table for both directions. Under the rule `head`, mentions with the same nodes but different
    heads are different mentions.
    """

    metrics = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "mor", "zero", "conll")
    others: ClassVar[tuple[str, ...]] = ("mentions",)
    official_score = "the mean over datasets, one file each"
    policies: ClassVar[Mapping[str, str]] = {
        "match": "head",
        "singletons": "drop",
        "zeros": "dependent",
    }
    refused = ("words",)
    rules: ClassVar[Rules] = with_rules(STANDARD_RULES, SCIPY_TIES, EITHER_KIND)
    own: ClassVar[OwnMetrics] = {"zero": _count_zeros}
    matches = ("exact", "partial", "head", "craft")
    keeps_copies = True
    counting = (
        "a mention stays in every entity that lists it, and one table says who is who in both "
        "directions"
    )
    needs_spans = True
    copies_hint = "each"
    heads_matter: ClassVar[tuple[str, ...]] = ("head",)
    """The rules under which mentions with the same nodes but different heads are different."""

    def scored_copies(self, corpus: Corpus, kept: BoolArray) -> BoolArray:
        """The first copy of each value in each entity is kept."""
        del kept
        heads = self.options.match in self.heads_matter
        return first_of_entity(corpus, mention_codes(corpus, heads=heads)[0])

    def match(self, key: Corpus, response: Corpus) -> Pairs:
        """Pairs of the copies of values in the first entities that list them."""
        rule, policies = self.options.match, self.options.of_matching
        codes = mention_codes(key, response, heads=rule == "head")
        values, number = number_together(*codes)
        rows = [
            _copies(side, value, number, last=False)
            for side, value in zip((key, response), values, strict=True)
        ]
        key_rows, response_rows = (np.sort(chosen[chosen >= 0]) for chosen in rows)
        pairs = match_by_rule(key.take(key_rows), response.take(response_rows), rule, policies)
        return Pairs(key_rows[pairs.key], response_rows[pairs.response])

    def weighs_plurals(self) -> bool:
        """The original knows no split antecedents."""
        return False

    def lookups(self, comparison: Comparison) -> Lookups:
        """A mention is looked up through the one table for both directions.

        It is found in the last entity with the resulting value; CEAF sees all of them.
        """
        key, response = comparison.key, comparison.response
        key_code, response_code, number = _values(comparison)
        table = _translated(comparison)
        found = (
            _entity_of(
                response, _copies(response, response_code, number, last=True)[table[key_code]]
            ),
            _entity_of(key, _copies(key, key_code, number, last=True)[table[response_code]]),
        )
        listed = every_owner(table[key_code], response_code, response.entity)
        mentions = all_detected(key, response, comparison.pairs)
        return make_lookups(key, response, found, listed, mentions)


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
    rank = ranks_of(node_order(other))
    # The distance |K △ R| / |K ∪ R|: quotients of small integers are equal if the fractions are.
    order = np.lexsort((rank[pairs.response], (union - common) / union, pairs.key))
    best = np.full(side.mentions, -1, dtype=np.int64)
    best[pairs.key[order][::-1]] = pairs.response[order][::-1]
    return best


def _numbered(corpus: Corpus, *, heads: bool) -> tuple[IntArray, int]:
    """The values of the mentions of a side, and how many there are."""
    (value,), number = number_together(*mention_codes(corpus, heads=heads))
    return value, number


def _found_rows(side: Corpus, other: Corpus, pairs: Pairs, *, heads: bool) -> IntArray:
    """int64 (mentions of a side,): the last copy of the best mention there; −1 for none.

    `heads` says whether mentions of the other side with the same nodes but other heads differ.
    """
    value, number = _numbered(other, heads=heads)
    last = np.append(_copies(other, value, number, last=True), -1)
    found: IntArray = last[np.append(value, -1)[_best(side, other, pairs)]]
    return found


def _count_zeros_alone(comparison: Comparison) -> Counted:
    """The zero score of corefud-scorer 1.1."""
    key, response, rule = comparison.key, comparison.response, comparison.rule
    heads = rule != "exact", rule == "head"
    pairs = _fitting(key, response, rule)
    partner = _found_rows(key, response, pairs, heads=heads[1])
    zeros = (_leading_zeros(side, by) for side, by in zip((key, response), heads, strict=True))
    return _zeros_in_order(comparison, partner, _numbered(response, heads=heads[1])[0], *zeros)


def _leading_zeros(corpus: Corpus, heads: bool) -> BoolArray:
    """bool (mentions,): zeros, by the head if values include heads, and else by the first node."""
    return is_zero(corpus) if heads else ends_of(corpus)[1] > 0


FormNodes = list[FormNode]
"""The words and empty nodes of a document."""


def compare_empty_nodes(key: Corpus, response: Corpus) -> list[Incident]:
    """One incident for each common document with different empty nodes in the response.

    corefud-scorer 1.1 does not compare ids. It compares the forms of words and empty nodes, in each
    sentence up to the end of the shorter one, and refuses files in which two forms differ: that is
    an error. It scores files in which the forms do not show the difference (in its own tests on
    zeros every form is `_`): that is a warning.
    """
    key_nodes = dict(_nodes(key))
    collector = Collector()
    for name, response_nodes in _nodes(response):
        expected, given = (
            _positions(nodes) for nodes in (key_nodes.get(name, response_nodes), response_nodes)
        )
        if given == expected:
            continue
        added, missing = len(given - expected), len(expected - given)
        collector.note(
            "empty-nodes-differ",
            severity=None if _forms_differ(key_nodes[name], response_nodes) else "warning",
            at=response.document_place(response.names.index(name)),
            found=f"{added:,} that the key lacks, {missing:,} of the key missing",
            expected="the empty nodes of the key",
        )
    return list(collector)


def _positions(nodes: FormNodes) -> set[tuple[int, int, int]]:
    """The empty nodes, each as (sentence, number of words before it in the document, number)."""
    words, positions = 0, set()
    for sentence, _, zero in nodes:
        words += not zero
        if zero:
            positions.add((sentence, words, zero))
    return positions


def _forms_differ(key: FormNodes, response: FormNodes) -> bool:
    key_forms, response_forms = _sentences(key), _sentences(response)
    return any(
        form != other
        for sentence, forms in key_forms.items()
        for form, other in zip(forms, response_forms.get(sentence, ()), strict=False)
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
        if (nodes := source.nodes()) is not None:
            first = source.first_document
            names = corpus.names[first : first + source.documents]
            yield from zip(names, nodes, strict=True)


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
        "zeros": "linear",
    }
    refused = ("words",)
    rules = with_rules(STANDARD_RULES, EITHER_KIND)
    counting = "as corefud, but each mention looks alone for the best one of the other side"
    own: ClassVar[OwnMetrics] = {"zero": _count_zeros_alone}
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

    def lookups(self, comparison: Comparison) -> Lookups:
        """Each mention is found in the last entity that lists the best one for it.

        Nothing is paired, so no mention is detected.
        """
        key, response, rule = comparison.key, comparison.response, comparison.rule
        pairs = _fitting(key, response, rule)
        back = Pairs(pairs.response, pairs.key)
        found = (
            _entity_of(response, _found_rows(key, response, pairs, heads=rule == "head")),
            _entity_of(key, _found_rows(response, key, back, heads=rule != "exact")),
        )
        listed = once_each(*pairs, response.entity)
        mentions = all_detected(key, response, comparison.pairs)
        return make_lookups(key, response, found, listed, mentions)

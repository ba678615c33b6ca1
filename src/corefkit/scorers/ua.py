"""The Universal Anaphora scorer 2, and scorer 1, of CODI-CRAC 2021 and 2022.

A span may be in several entities and, without split antecedents, also twice in one: all copies
count, also those in the elements of a plural. For the other side, a span belongs to the last entity
that lists it; φ counts it in each. Singletons are removed before zeros, so an entity that becomes a
singleton by losing zeros is kept.

Scorer 1 does the same, but zeros are ordinary tokens, and a mention with gaps is reduced to its
last fragment. Its `--match min` has a bug, which is reproduced: only ceaf lets mentions *agree* by
their minima. The other metrics require equal spans, and never match a key mention that does not
contain its own Min.
"""

from collections.abc import Collection, Hashable, Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from corefkit.core.arrays import (
    EMPTY,
    BoolArray,
    IntArray,
    distinct,
    number_together,
    sum_by,
    tuples,
)
from corefkit.core.corpus import BEFORE_SENTENCE, Corpus
from corefkit.core.directed import Lookups, Pairs, both_ways, table_of
from corefkit.core.incidents import Incident
from corefkit.core.links import Words, with_plurals
from corefkit.core.mention_columns import runs_of
from corefkit.core.nodes import (
    common_nodes,
    mention_codes,
    number_rows,
    sizes,
    span_of,
    zero_numbers,
)
from corefkit.core.options import UsageError
from corefkit.matching import MatchingRule, find_rule
from corefkit.matching.exact import last_of_each, match
from corefkit.metrics.base import Counted
from corefkit.metrics.bridging import bridges, count_bridges, judge_bridges, members
from corefkit.metrics.split_antecedents import ElementMentions, MatchedElements
from corefkit.scorers.comparison import Comparison
from corefkit.scorers.coval import agreeing, count_agreeing
from corefkit.scorers.lookups import (
    all_detected,
    every_owner,
    last_owners,
    make_lookups,
    once_each,
)
from corefkit.scorers.rules import EITHER_KIND, SCIPY_TIES, STANDARD_RULES, with_rules
from corefkit.scorers.scorer import OwnMetrics, Scorer


def _rule(name: str) -> MatchingRule:
    """A matching rule; the partial rule of this scorer uses the minima of both sides."""
    if name != "partial":
        return find_rule(name)
    from corefkit.matching.partial import match_either

    return match_either


def _is_pseudo(corpus: Corpus) -> BoolArray:
    """bool (mentions,): the non-referring expressions, whose ids end in -Pseudo."""
    pseudo: BoolArray = np.array([x.endswith("-Pseudo") for x in corpus.labels], dtype=bool)
    return pseudo[corpus.entity]


def _once_in_entity(corpus: Corpus) -> Corpus:
    """The corpus with the first copy of each span in each entity."""
    first = distinct(number_rows([corpus.entity, mention_codes(corpus)[0]])).first
    return corpus.take(np.sort(first))


def match_last(
    key: Corpus, response: Corpus, rule: MatchingRule, policies: Mapping[str, str]
) -> Pairs:
    """Pairs by a matching rule that sees only the last copy of each span."""
    key_rows, response_rows = (np.sort(last_of_each(c)) for c in mention_codes(key, response))
    pairs = rule(key.take(key_rows), response.take(response_rows), policies)
    return Pairs(key_rows[pairs.key], response_rows[pairs.response])


def _overlap_ratio(comparison: Comparison) -> Counted:
    """The counts of mor: common nodes of matched mentions, and nodes of all distinct mentions."""
    key, response, pairs = comparison.key, comparison.response, comparison.pairs
    documents = len(key.names)
    shared = common_nodes(key, response, pairs.key, pairs.response)
    common = sum_by(key.document[pairs.key], shared, documents)
    totals = []
    for side, code in zip((key, response), mention_codes(key, response), strict=True):
        once = last_of_each(code)
        totals.append(sum_by(side.document[once], sizes(side)[once], documents))
    return common, totals[0], common, totals[1]


def _nonreferring(comparison: Comparison) -> Counted:
    """tp, fn and fp of non-referring expressions."""
    return count_agreeing(comparison, *map(first_pseudo, comparison.whole))


def first_pseudo(corpus: Corpus) -> Corpus:
    """The corpus with the first markable of each -Pseudo entity."""
    if corpus.referring is None:
        return corpus.take(np.zeros(corpus.mentions, dtype=bool))
    rows = np.flatnonzero(_is_pseudo(corpus))
    first = np.unique(corpus.entity[rows], return_index=True)[1]
    return corpus.take(np.sort(rows[first]))


def linear(corpus: Corpus) -> Corpus:
    """The corpus with mentions reduced to their last fragments, and with zeros as tokens.

    Min is not converted: the scorer compares its numbers with those of rows.
    """
    corpus = _last_fragments(corpus)
    if corpus.head_zero is not None or (
        corpus.zero is not None and (corpus.zero > BEFORE_SENTENCE).any()
    ):
        raise UsageError("the profile ua-1 knows the zeros of CoNLL-UA files, not empty nodes")
    document, before = _zeros(corpus)
    if not len(document):
        return corpus
    zero = zero_numbers(corpus)
    zeros_at = np.sort(document << _BITS | before + 1)
    base = corpus.document << _BITS
    start, end = (
        token + zero + np.searchsorted(zeros_at, base | token + 1) - np.searchsorted(zeros_at, base)
        for token in (corpus.start, corpus.end)
    )
    return replace(corpus, start=start, end=end, zero=None)


_BITS = 32
"""The bits for a token in a number made of document and token; no document has more tokens."""


def _last_fragments(corpus: Corpus) -> Corpus:
    """The corpus with mentions reduced to their last contiguous parts."""
    if corpus.nodes is None:
        return corpus
    start: IntArray = corpus.start.copy()
    for row, nodes in corpus.nodes:
        tokens = [token for token, _ in nodes]
        start[row] = runs_of(dict.fromkeys(tokens))[-1][0]
    return replace(corpus, start=start, nodes=None)


def _zeros(corpus: Corpus) -> tuple[IntArray, IntArray]:
    """The document of each zero, and the token before it.

    These are all zeros of the files or, for a corpus without files, those that its mentions imply.
    """
    positions = []
    for source in corpus.sources:
        zeros = source.zeros()
        if zeros is not None:
            positions.append((zeros[0] + source.first_document, zeros[1]))
    if corpus.zero is not None and not corpus.sources:
        # If a zero has a mention, there are also the zeros before it at the same place.
        rows = np.flatnonzero(corpus.zero)
        position, _, _, which = distinct(corpus.document[rows] << _BITS | corpus.start[rows] + 1)
        last = np.zeros(len(position), dtype=np.int64)
        np.maximum.at(last, which, corpus.zero[rows])
        position = np.repeat(position, last)
        positions.append((position >> _BITS, (position & (1 << _BITS) - 1) - 1))
    if not positions:
        return EMPTY, EMPTY
    document, before = (np.concatenate(column) for column in zip(*positions, strict=True))
    return document, before


def min_inside(key: Corpus) -> BoolArray:
    """bool (mentions,): mentions without a Min, or with a Min inside their span."""
    if key.minimum is None:
        return np.ones(key.mentions, dtype=bool)
    first, last = key.minimum[:, 0], key.minimum[:, 1]
    inside: BoolArray = (first < 0) | ((key.start <= first) & (last <= key.end))
    return inside


class _AgreeingElements(ElementMentions):
    """The mentions of elements agree by the minima of the key."""

    def __init__(self, comparison: Comparison) -> None:
        key, response = comparison.whole
        self._partners: dict[tuple[int, ...], set[Hashable]] = {}
        for row, partner in tuples(*agreeing(key, response)):
            words = span_of(response, partner)[1:3]
            self._partners.setdefault(span_of(key, row)[:3], set()).add(words)

    def partners(self, document: int, words: Words) -> Collection[Hashable]:
        """The spans of the response mentions that agree with a key mention."""
        return self._partners.get((document, *words[:2]), ())

    def response_name(self, words: Words) -> Hashable:
        """The span of a response mention."""
        return words[:2]


def _bridging(comparison: Comparison) -> Counted:
    """The counts of bridging: anaphors must have equal spans, anchors must agree or, on the level
    of entities, be in the same key entity.
    """
    (key, response), entities = comparison.whole, comparison.key
    if comparison.rule != "min":
        return count_bridges(key, response, entities)
    key_code, response_code, codes = mention_codes(key, response, entities)
    agree, inside = set(tuples(*agreeing(key, response))), min_inside(key)
    of_all, of_inside = members(entities, codes), members(entities, codes, min_inside(entities))

    def judge(anchor: int, other: int) -> tuple[bool, bool]:
        found = of_inside.get(int(response_code[other]), set())
        return (anchor, other) in agree, bool(of_all.get(int(key_code[anchor]), set()) & found)

    key_bridges = bridges(key, np.where(inside, key_code, -1))
    return judge_bridges(key_bridges, bridges(response, response_code), judge, key, response)


class UA(Scorer):
    """The Universal Anaphora scorer 2.0 as a library.

    As a command, it leaves out singletons and split antecedents by default. A span is kept in every
    entity that lists it, because markables are objects, and it belongs to the last one, because a
    dictionary has one entry for it.
    """

    metrics: ClassVar[tuple[str, ...]] = (
        "muc",
        "bcub",
        "ceafe",
        "ceafm",
        "blanc",
        "lea",
        "mor",
        "conll",
    )
    others = ("mentions", "nonreferring", "bridging")
    policies: ClassVar[Mapping[str, str]] = {
        "zeros": "drop",
    }
    refused: ClassVar[tuple[str, ...]] = ("missing", "extra", "words")
    rules = with_rules(STANDARD_RULES, SCIPY_TIES, EITHER_KIND)
    matches: ClassVar[tuple[str, ...] | None] = ("exact", "partial", "craft")
    own: ClassVar[OwnMetrics] = {
        "mor": _overlap_ratio,
        "nonreferring": _nonreferring,
        "bridging": _bridging,
    }
    keeps_copies = True
    counting = "a span stays in every entity, and is looked up in the last one that lists it"
    needs_files = True

    def choose_mentions(self, corpus: Corpus) -> tuple[Corpus, list[Incident]]:
        """The mentions that are scored, chosen in the order of the original: singletons are removed
        before zeros.
        """
        if self.options.split != "drop":
            corpus = with_plurals(corpus, copies=True)
        corpus = self.drop_nonreferring(corpus)
        if self.options.split != "drop":
            corpus = _once_in_entity(corpus)
        if self.options.singletons == "drop":
            corpus = corpus.drop_singletons()
        if self.options.zeros == "drop" and corpus.zero is not None:
            corpus = corpus.take(corpus.zero == 0)
        return corpus, []

    def drop_nonreferring(self, corpus: Corpus) -> Corpus:
        """The corpus without entities whose ids end in -Pseudo; `_Pseudo` is an ordinary ending."""
        return corpus if corpus.referring is None else corpus.take(~_is_pseudo(corpus))

    def match(self, key: Corpus, response: Corpus) -> Pairs:
        """Pairs by the rule of the policy `match`, of the last copies of spans."""
        return match_last(key, response, _rule(self.options.match), self.options.of_matching)

    def lookups(self, comparison: Comparison) -> Lookups:
        """The pairs say which mention is which; it is found in the last entity that lists it.

        CEAF sees all entities that list it.
        """
        key, response, pairs = comparison.key, comparison.response, comparison.pairs
        (key_code, response_code), number = number_together(*mention_codes(key, response))
        in_response = np.full(number, -1, dtype=np.int64)
        in_response[key_code[pairs.key]] = response_code[pairs.response]
        in_key = np.full(number, -1, dtype=np.int64)
        in_key[response_code[pairs.response]] = key_code[pairs.key]
        found = (
            last_owners(response, response_code, number)[in_response[key_code]],
            last_owners(key, key_code, number)[in_key[response_code]],
        )
        listed = every_owner(in_response[key_code], response_code, response.entity)
        return make_lookups(key, response, found, listed, all_detected(key, response, pairs))


class UA1(UA):
    """The Universal Anaphora scorer 1: like scorer 2, but with rows instead of zeros and gaps."""

    metrics = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "conll")
    policies: ClassVar[Mapping[str, str]] = {
        "zeros": "drop",
    }
    refused = ()
    documents = "common"
    matches = ("exact", "min")
    counting = "as ua, and zeros are tokens"

    def reinterpret(self, corpus: Corpus) -> Corpus:
        """The corpus with mentions as spans of rows."""
        return linear(corpus)

    def match(self, key: Corpus, response: Corpus) -> Pairs:
        """Equal spans; with `min`, key mentions whose Min lies outside them match nothing."""
        pairs = match_last(key, response, match, {**self.options.of_matching, "match": "exact"})
        if self.options.match != "min":
            return pairs
        inside = min_inside(key)[pairs.key]
        return Pairs(pairs.key[inside], pairs.response[inside])

    def lookups(self, comparison: Comparison) -> Lookups:
        """As in scorer 2; with `min`, in CEAF mentions agree by their minima."""
        lookups = super().lookups(comparison)
        if comparison.rule != "min":
            return lookups
        key, response = comparison.key, comparison.response
        rows, entities = once_each(*agreeing(key, response), response.entity)
        return lookups._replace(
            listed=both_ways(table_of(key, key.entity[rows], response, entities))
        )

    def elements(self, comparison: Comparison) -> Mapping[str, ElementMentions]:
        """With `min`, mentions of elements agree by their minima in CEAF; in the other metrics, key
        mentions with a Min outside them match nothing.
        """
        if comparison.rule != "min":
            return super().elements(comparison)
        key, _ = comparison.whole
        outside = key.take(~min_inside(key))
        alone = {span_of(outside, row) for row in range(outside.mentions)}
        return {
            "sides": MatchedElements(comparison, alone),
            "listed": _AgreeingElements(comparison),
            "linked": MatchedElements(comparison, alone),
        }

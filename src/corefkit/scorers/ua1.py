"""The Universal Anaphora scorer 1, of CODI-CRAC 2021 and 2022.

As scorer 2, but zeros are tokens like others and a mention with gaps is its last fragment. Its
`--match min` has a fault, which is kept: only ceaf lets mentions *agree* by their minima. The rest
of the metrics want equal spans, and never match a key mention that does not contain its own Min.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain
from typing import ClassVar

import numpy as np

from corefkit.core.arrays import EMPTY, BoolArray, IntArray, distinct, tuples
from corefkit.core.corpus import BEFORE_SENTENCE, Corpus
from corefkit.core.counts import SPLIT
from corefkit.core.links import KINDS, Elements, Words
from corefkit.core.mention_columns import runs_of
from corefkit.core.nodes import zero_numbers
from corefkit.core.options import UsageError
from corefkit.core.overlap import Pairs
from corefkit.matching.exact import match
from corefkit.metrics import base as outcomes
from corefkit.metrics import ceaf
from corefkit.metrics.base import Counted, MatchedSides
from corefkit.metrics.elements import Ratios, aligned_elements, aligned_mentions, ceafm
from corefkit.metrics.split_antecedents import DocumentPlurals, Names, PluralCounter, ScoreElements
from corefkit.scorers.arrau import agreeing, shared
from corefkit.scorers.comparison import Comparison
from corefkit.scorers.ua import UA, first_pseudo, match_last


class _WithoutOutsiders(PluralCounter):
    """Plurals where key mentions with a Min outside them match nothing, as elements either."""

    def _names(self, matched: MatchedSides, document: int, pairs: IntArray) -> Names:
        return Names(matched, pairs, _outsiders(matched.whole[0], document))


class UA1(UA):
    """The Universal Anaphora scorer 1: as scorer 2, but it knows rows, no zeros and no gaps."""

    metrics = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "conll")
    policies: ClassVar[Mapping[str, str]] = {
        "zeros": "drop",
        "ties": "scipy",
        "blanc": "either",
        "missing": "skip",
    }
    rules = ("exact", "min")
    counting = "as ua, and zeros are tokens"

    def reinterpret(self, corpus: Corpus) -> Corpus:
        """Mentions as spans of rows."""
        return linear(corpus)

    def match(self, key: Corpus, response: Corpus) -> Pairs:
        """Equal spans; with `min` not those of key mentions whose Min lies outside them."""
        pairs = match_last(key, response, match, {**self.options.policies, "match": "exact"})
        if self.options.match != "min":
            return pairs
        inside = min_inside(key)[pairs.key]
        return Pairs(pairs.key[inside], pairs.response[inside])

    def antecedents(self) -> type[PluralCounter]:
        """Without `min` as scorer 2."""
        return _WithoutOutsiders if self.options.match == "min" else super().antecedents()

    def count_own(self, comparison: Comparison, names: list[str]) -> dict[str, Counted]:
        """As scorer 2; with `min` its metrics let mentions agree, or leave key mentions out."""
        if comparison.rule != "min":
            return super().count_own(comparison, names)
        key, response = comparison.whole
        counted_here = {"ceafm", "ceafe", "nonreferring", "bridging"}
        others = [name for name in names if name not in counted_here]
        tables = super().count_own(comparison, others)
        for name in names:
            if name in ("ceafm", "ceafe"):
                tables |= _ceaf(comparison, name)
            elif name == "nonreferring":
                ours, theirs = first_pseudo(key), first_pseudo(response)
                tables[name] = outcomes.count(ours, theirs, agreeing(ours, theirs))
            elif name == "bridging":
                tables[name] = _bridging(key, response, comparison.key)
        return tables


def linear(corpus: Corpus) -> Corpus:
    """The corpus with gaps closed to the last fragment, and zeros counted as tokens like others.

    Min stays as it was written: the scorer compares its numbers with those of rows.
    """
    corpus = _last_fragments(corpus)
    if corpus._head_zero is not None or (
        corpus.zero is not None and (corpus.zero > BEFORE_SENTENCE).any()
    ):
        raise UsageError("the profile ua-1 knows the zeros of CoNLL-UA files, not empty nodes")
    document, before = _zeros(corpus)
    if not len(document):
        return corpus
    zero = zero_numbers(corpus)
    places = np.sort(document << _BITS | before + 1)
    base = corpus.document << _BITS
    start, end = (
        token + zero + np.searchsorted(places, base | token + 1) - np.searchsorted(places, base)
        for token in (corpus.start, corpus.end)
    )
    return replace(corpus, start=start, end=end, zero=None)


_BITS = 32
"""Documents and tokens fit together into one number: no document has so many tokens."""


def _last_fragments(corpus: Corpus) -> Corpus:
    if corpus.parts is None:
        return corpus
    start: IntArray = corpus.start.copy()
    for row, nodes in corpus.parts:
        tokens = [token for token, _ in nodes]
        start[row] = runs_of(dict.fromkeys(tokens))[-1][0]
    return replace(corpus, start=start, parts=None)


def _zeros(corpus: Corpus) -> tuple[IntArray, IntArray]:
    """The document and the token before each zero: all of the files, or those with mentions."""
    places = []
    for source in corpus.sources:
        zeros = source.zeros()
        if zeros is not None:
            places.append((zeros[0] + source.first_document, zeros[1]))
    if corpus.zero is not None and not corpus.sources:
        # Where the last of a place has a mention, there are those before it, too.
        rows = np.flatnonzero(corpus.zero)
        place, _, _, which = distinct(corpus.document[rows] << _BITS | corpus.start[rows] + 1)
        last = np.zeros(len(place), dtype=np.int64)
        np.maximum.at(last, which, corpus.zero[rows])
        place = np.repeat(place, last)
        places.append((place >> _BITS, (place & (1 << _BITS) - 1) - 1))
    if not places:
        return EMPTY, EMPTY
    document, before = (np.concatenate(column) for column in zip(*places, strict=True))
    return document, before


def min_inside(key: Corpus) -> BoolArray:
    """bool (mentions,): those without a Min, or with one inside their span."""
    if key.minimum is None:
        return np.ones(key.mentions, dtype=bool)
    first, last = key.minimum[:, 0], key.minimum[:, 1]
    inside: BoolArray = (first < 0) | ((key.start <= first) & (last <= key.end))
    return inside


def _outsiders(key: Corpus, document: int) -> frozenset[Words]:
    rows = np.flatnonzero(~min_inside(key) & (key.document == document)).tolist()
    return frozenset((int(key.start[row]), int(key.end[row]), 0, ()) for row in rows)


class _AgreementCounter(PluralCounter):
    """Plurals in ceaf: the mentions of their elements agree by their minima."""

    def __init__(self, comparison: Comparison) -> None:
        key, response = comparison.whole
        pairs = agreeing(key, response)
        self._agree: dict[int, set[tuple[int, ...]]] = {}
        for one, other in tuples(*pairs):
            document, *ours = _span(key, one)
            _, *theirs = _span(response, other)
            self._agree.setdefault(document, set()).add((*ours, *theirs))
        scored = agreeing(comparison.key, comparison.response)
        super().__init__(comparison, shared(comparison.key, comparison.response, scored))

    def _compare(self, plurals: DocumentPlurals, score: ScoreElements) -> list[dict[int, Ratios]]:
        agree = self._agree.get(plurals.document, set())
        of = aligned_mentions if score is ceafm else aligned_elements

        def common(ours: Iterable[Words], theirs: Iterable[Words]) -> int:
            return sum(any((*k[:2], *r[:2]) in agree for r in theirs) for k in ours)

        def compare(one: Elements, two: Elements) -> Ratios:
            return of([[common(ours, theirs) for theirs in two] for ours in one], one, two)

        partners: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
        for spans in agree:
            partners.setdefault(spans[:2], []).append(spans[2:])
        having: dict[tuple[int, ...], set[int]] = {}
        for place, two in enumerate(plurals.response):
            for words in chain.from_iterable(two.words):
                having.setdefault(words[:2], set()).add(place)
        likeness = []
        for one in plurals.key:
            ours = (words[:2] for words in chain.from_iterable(one.words))
            theirs = (span for span_of_key in ours for span in partners.get(span_of_key, ()))
            places = sorted({place for span in theirs for place in having.get(span, ())})
            likeness.append({p: compare(one.words, plurals.response[p].words) for p in places})
        return likeness


def _ceaf(comparison: Comparison, name: str) -> dict[str, Counted]:
    """φ is the number of mentions in K for which R has one that agrees."""
    if comparison.key._plurals is None and comparison.response._plurals is None:
        pairs = agreeing(comparison.key, comparison.response)
        overlap = shared(comparison.key, comparison.response, pairs)
        function = ceaf.count_mentions if name == "ceafm" else ceaf.count_entities
        return {name: function(overlap)}
    columns, alone = _AgreementCounter(comparison).count(name)
    return {name: columns, name + SPLIT: alone}


def _bridging(key: Corpus, response: Corpus, entities: Corpus) -> Counted:
    """Anaphors by equal spans, anchors by agreement or by an equal span in the same entity."""
    pairs = agreeing(key, response)
    agree = set(tuples(*pairs))
    inside = min_inside(key)
    every, members = (_members(entities, rows) for rows in (True, min_inside(entities)))
    columns = np.zeros((3, 3, len(key.names)), dtype=np.int64)
    made = {_span(response, a): (a, b) for a, b in _bridges(response)}
    seen = set()
    for anaphor, anchor in _bridges(key):
        document, span = int(key.document[anaphor]), _span(key, anaphor)
        if span not in made or not inside[anaphor]:
            columns[:, 1, document] += 1
            continue
        seen.add(span)
        other = made[span][1]
        mention = (anchor, other) in agree
        ours = every.get(_span(key, anchor), set())
        entity = mention or bool(ours & members.get(_span(response, other), set()))
        for level, right in enumerate((True, mention, entity)):
            columns[level, 0 if right else slice(1, 3), document] += 1
    for span in made.keys() - seen:
        columns[:, 2, span[0]] += 1
    return tuple(columns.reshape(-1, len(key.names)))


def _members(corpus: Corpus, chosen: BoolArray | bool) -> dict[tuple[int, int, int], set[int]]:
    """The entities of each span, of the mentions that are chosen."""
    members: dict[tuple[int, int, int], set[int]] = {}
    for row in np.arange(corpus.mentions)[chosen].ravel().tolist():
        members.setdefault(_span(corpus, row), set()).add(int(corpus.entity[row]))
    return members


def _span(corpus: Corpus, row: int) -> tuple[int, int, int]:
    return int(corpus.document[row]), int(corpus.start[row]), int(corpus.end[row])


def _bridges(corpus: Corpus) -> list[tuple[int, int]]:
    if corpus.links is None:
        return []
    some = corpus.links.kind == KINDS.index("bridging")
    return list(tuples(corpus.links.source[some], corpus.links.target[some]))

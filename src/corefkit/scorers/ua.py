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

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain
from typing import ClassVar

import numpy as np

from corefkit.core.arrays import (
    EMPTY,
    BoolArray,
    IntArray,
    distinct,
    join,
    number_together,
    sum_by,
    tuples,
)
from corefkit.core.corpus import BEFORE_SENTENCE, Corpus
from corefkit.core.counts import SPLIT
from corefkit.core.incidents import Incident
from corefkit.core.links import KINDS, Elements, Words, with_plurals
from corefkit.core.mention_columns import runs_of
from corefkit.core.nodes import common_nodes, mention_codes, number_rows, sizes, zero_numbers
from corefkit.core.options import UsageError
from corefkit.core.overlap import Pairs, overlap_of_sides
from corefkit.matching import MatchingRule, find_rule
from corefkit.matching.exact import match
from corefkit.metrics import blanc, ceaf
from corefkit.metrics.base import Counted, MatchedSides, count_outcomes
from corefkit.metrics.bridging import count_bridges
from corefkit.metrics.elements import Ratios, aligned_elements, aligned_mentions, ceafm
from corefkit.metrics.split_antecedents import DocumentPlurals, Names, PluralCounter, ScoreElements
from corefkit.scorers.comparison import Comparison
from corefkit.scorers.coval import BY_LIST, BY_SIDE, agreeing, shared
from corefkit.scorers.scorer import Scorer


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
        "ties": "scipy",
        "blanc": "either",
        "missing": "error",
        "extra": "error",
        "words": "error",
    }
    rules: ClassVar[tuple[str, ...] | None] = ("exact", "partial", "craft")
    divisible = False
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
        return match_last(key, response, _rule(self.options.match), self.options.policies)

    def antecedents(self) -> type[PluralCounter]:
        """The class that counts split antecedents."""
        return PluralCounter

    def count_own(self, comparison: Comparison, names: list[str]) -> dict[str, Counted]:
        """The metrics of entities, with repeated spans, and those of markables."""
        tables: dict[str, Counted] = {}
        overlaps = Overlaps(comparison)
        whole = comparison.whole
        split = comparison.key._plurals is not None or comparison.response._plurals is not None
        for name in names:
            if name == "mor":
                tables[name] = _overlap_ratio(comparison)
            elif name == "nonreferring":
                ours, theirs = (first_pseudo(side) for side in whole)
                equal = Pairs(*join(*mention_codes(ours, theirs)))
                tables[name] = count_outcomes(ours, theirs, equal)
            elif name == "bridging":
                tables[name] = count_bridges(*whole, entities=comparison.key)
            elif name in BY_SIDE or name in BY_LIST or name == "blanc":
                if split:
                    tables |= _count_split(comparison, overlaps, name, self.antecedents())
                elif name in BY_SIDE:
                    function = BY_SIDE[name]
                    recall, precision = function(overlaps.recall), function(overlaps.precision)
                    tables[name] = *recall[:2], *precision[2:]
                elif name in BY_LIST:
                    tables[name] = BY_LIST[name](overlaps.listed)
                else:
                    tables[name] = blanc.count(overlaps.recall)
        return tables


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
    ours, theirs = (_last_copies(codes) for codes in mention_codes(key, response))
    pairs = rule(key.take(ours), response.take(theirs), policies)
    return Pairs(ours[pairs.key], theirs[pairs.response])


def _last_copies(code: IntArray) -> IntArray:
    """The last row of each span, sorted."""
    row_of = {value: row for row, value in enumerate(code.tolist())}
    return np.array(sorted(row_of.values()), dtype=np.int64)


class Overlaps:
    """The overlaps of two sides in which a span may be in several entities.

    Attributes:
        recall: mentions of the key by the response entity to which they belong.
        precision: mentions of the response by the key entity to which they belong; the key is in
            its usual place.
        listed: mentions of the key by all response entities that list them.
    """

    def __init__(self, comparison: Comparison) -> None:
        key, response = comparison.key, comparison.response
        (ours, theirs), values = number_together(*mention_codes(key, response))
        pairs = comparison.pairs
        in_response = _lookup(ours, theirs, pairs, values)
        in_key = _lookup(theirs, ours, Pairs(pairs.response, pairs.key), values)
        rows, entities = _in_last(in_response, response, theirs, values)
        self.recall = overlap_of_sides(key, key.entity[rows], response, entities)
        rows, entities = _in_last(in_key, key, ours, values)
        self.precision = overlap_of_sides(key, entities, response, response.entity[rows])
        rows, partners = join(in_response, theirs)
        once = distinct(number_rows([rows, response.entity[partners]])).first
        rows, entities = rows[once], response.entity[partners[once]]
        self.listed = overlap_of_sides(key, key.entity[rows], response, entities)


def _lookup(ours: IntArray, theirs: IntArray, pairs: Pairs, values: int) -> IntArray:
    """int64 (mentions,): the value of each mention's partner; −1 for none."""
    table = np.full(values, -1, dtype=np.int64)
    table[ours[pairs.key]] = theirs[pairs.response]
    return table[ours]


def _in_last(
    looked_up: IntArray, other: Corpus, codes: IntArray, values: int
) -> tuple[IntArray, IntArray]:
    """The rows with a partner, and the last entity of the other side that lists each partner."""
    owner = np.full(values, -1, dtype=np.int64)
    np.maximum.at(owner, codes, other.entity)
    rows = np.flatnonzero(looked_up >= 0)
    return rows, owner[looked_up[rows]]


def _count_split(
    comparison: Comparison, overlaps: Overlaps, name: str, antecedents: type[PluralCounter]
) -> dict[str, Counted]:
    """The counts of a metric with split antecedents, and of these alone."""
    chosen = overlaps.listed if name in BY_LIST else overlaps.recall
    columns, alone = antecedents(comparison, chosen).count(name)
    if name in BY_SIDE:
        precision = antecedents(comparison, overlaps.precision).count(name)[0]
        columns = *columns[:2], *precision[2:]
    return {name: columns, name + SPLIT: alone}


def _overlap_ratio(comparison: Comparison) -> Counted:
    """The counts of mor: common nodes of matched mentions, and nodes of all distinct mentions."""
    key, response, pairs = comparison.key, comparison.response, comparison.pairs
    documents = len(key.names)
    shared = common_nodes(key, response, pairs.key, pairs.response)
    common = sum_by(key.document[pairs.key], shared, documents)
    totals = []
    for side, code in zip((key, response), mention_codes(key, response), strict=True):
        once = _last_copies(code)
        totals.append(sum_by(side.document[once], sizes(side)[once], documents))
    return common, totals[0], common, totals[1]


def first_pseudo(corpus: Corpus) -> Corpus:
    """The corpus with the first markable of each -Pseudo entity."""
    if corpus.referring is None:
        return corpus.take(np.zeros(corpus.mentions, dtype=bool))
    rows = np.flatnonzero(_is_pseudo(corpus))
    first = np.unique(corpus.entity[rows], return_index=True)[1]
    return corpus.take(np.sort(rows[first]))


class _WithoutOutsiders(PluralCounter):
    """Counts split antecedents; key mentions with a Min outside them match nothing in elements."""

    def _names(self, matched: MatchedSides, document: int, pairs: IntArray) -> Names:
        return Names(matched, pairs, _outsiders(matched.whole[0], document))


class UA1(UA):
    """The Universal Anaphora scorer 1: like scorer 2, but with rows instead of zeros and gaps."""

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
        """The corpus with mentions as spans of rows."""
        return linear(corpus)

    def match(self, key: Corpus, response: Corpus) -> Pairs:
        """Equal spans; with `min`, key mentions whose Min lies outside them match nothing."""
        pairs = match_last(key, response, match, {**self.options.policies, "match": "exact"})
        if self.options.match != "min":
            return pairs
        inside = min_inside(key)[pairs.key]
        return Pairs(pairs.key[inside], pairs.response[inside])

    def antecedents(self) -> type[PluralCounter]:
        """The class that counts split antecedents; without `min` that of scorer 2."""
        return _WithoutOutsiders if self.options.match == "min" else super().antecedents()

    def count_own(self, comparison: Comparison, names: list[str]) -> dict[str, Counted]:
        """As in scorer 2; with `min`, some metrics let mentions agree by their minima."""
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
                tables[name] = count_outcomes(ours, theirs, agreeing(ours, theirs))
            elif name == "bridging":
                tables[name] = _bridging(key, response, comparison.key)
        return tables


def linear(corpus: Corpus) -> Corpus:
    """The corpus with mentions reduced to their last fragments, and with zeros as tokens.

    Min is not converted: the scorer compares its numbers with those of rows.
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
"""The bits for a token in a number made of document and token; no document has more tokens."""


def _last_fragments(corpus: Corpus) -> Corpus:
    """The corpus with mentions reduced to their last contiguous parts."""
    if corpus.parts is None:
        return corpus
    start: IntArray = corpus.start.copy()
    for row, nodes in corpus.parts:
        tokens = [token for token, _ in nodes]
        start[row] = runs_of(dict.fromkeys(tokens))[-1][0]
    return replace(corpus, start=start, parts=None)


def _zeros(corpus: Corpus) -> tuple[IntArray, IntArray]:
    """The document of each zero, and the token before it.

    These are all zeros of the files or, for a corpus without files, those that its mentions imply.
    """
    places = []
    for source in corpus.sources:
        zeros = source.zeros()
        if zeros is not None:
            places.append((zeros[0] + source.first_document, zeros[1]))
    if corpus.zero is not None and not corpus.sources:
        # If a zero has a mention, there are also the zeros before it at the same place.
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
    """bool (mentions,): mentions without a Min, or with a Min inside their span."""
    if key.minimum is None:
        return np.ones(key.mentions, dtype=bool)
    first, last = key.minimum[:, 0], key.minimum[:, 1]
    inside: BoolArray = (first < 0) | ((key.start <= first) & (last <= key.end))
    return inside


def _outsiders(key: Corpus, document: int) -> frozenset[Words]:
    """The mentions of a document whose Min lies outside their span."""
    rows = np.flatnonzero(~min_inside(key) & (key.document == document)).tolist()
    return frozenset((int(key.start[row]), int(key.end[row]), 0, ()) for row in rows)


class _AgreementCounter(PluralCounter):
    """Counts split antecedents in ceaf: the mentions of elements agree by their minima."""

    def __init__(self, comparison: Comparison) -> None:
        key, response = comparison.whole
        pairs = agreeing(key, response)
        self._agree: dict[int, set[tuple[int, ...]]] = {}
        for row, partner in tuples(*pairs):
            document, *ours = _span(key, row)
            _, *theirs = _span(response, partner)
            self._agree.setdefault(document, set()).add((*ours, *theirs))
        scored = agreeing(comparison.key, comparison.response)
        super().__init__(comparison, shared(comparison.key, comparison.response, scored))

    def _compare(self, plurals: DocumentPlurals, score: ScoreElements) -> list[dict[int, Ratios]]:
        agree = self._agree.get(plurals.document, set())
        count = aligned_mentions if score is ceafm else aligned_elements

        def common(ours: Iterable[Words], theirs: Iterable[Words]) -> int:
            return sum(any((*k[:2], *r[:2]) in agree for r in theirs) for k in ours)

        def compare(key: Elements, response: Elements) -> Ratios:
            table = [[common(ours, theirs) for theirs in response] for ours in key]
            return count(table, key, response)

        partners: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
        for spans in agree:
            partners.setdefault(spans[:2], []).append(spans[2:])
        places_of: dict[tuple[int, ...], set[int]] = {}
        for place, plural in enumerate(plurals.response):
            for words in chain.from_iterable(plural.words):
                places_of.setdefault(words[:2], set()).add(place)
        counts = []
        for plural in plurals.key:
            ours = (words[:2] for words in chain.from_iterable(plural.words))
            theirs = (span for key_span in ours for span in partners.get(key_span, ()))
            places = sorted({place for span in theirs for place in places_of.get(span, ())})
            counts.append({p: compare(plural.words, plurals.response[p].words) for p in places})
        return counts


def _ceaf(comparison: Comparison, name: str) -> dict[str, Counted]:
    """The counts of ceafm or ceafe; φ₃ is the number of mentions in K that agree with one in R."""
    if comparison.key._plurals is None and comparison.response._plurals is None:
        pairs = agreeing(comparison.key, comparison.response)
        overlap = shared(comparison.key, comparison.response, pairs)
        function = ceaf.count_mentions if name == "ceafm" else ceaf.count_entities
        return {name: function(overlap)}
    columns, alone = _AgreementCounter(comparison).count(name)
    return {name: columns, name + SPLIT: alone}


def _bridging(key: Corpus, response: Corpus, entities: Corpus) -> Counted:
    """The counts of bridging: anaphors must have equal spans, anchors must agree or, on the level
    of entities, be in the same key entity.
    """
    pairs = agreeing(key, response)
    agree = set(tuples(*pairs))
    inside = min_inside(key)
    all_members = _members(entities, True)
    members = _members(entities, min_inside(entities))
    columns = np.zeros((3, 3, len(key.names)), dtype=np.int64)
    response_bridges = {_span(response, a): (a, b) for a, b in _bridges(response)}
    seen = set()
    for anaphor, anchor in _bridges(key):
        document, span = int(key.document[anaphor]), _span(key, anaphor)
        if span not in response_bridges or not inside[anaphor]:
            columns[:, 1, document] += 1
            continue
        seen.add(span)
        other = response_bridges[span][1]
        mention = (anchor, other) in agree
        ours = all_members.get(_span(key, anchor), set())
        entity = mention or bool(ours & members.get(_span(response, other), set()))
        for level, right in enumerate((True, mention, entity)):
            columns[level, 0 if right else slice(1, 3), document] += 1
    for span in response_bridges.keys() - seen:
        columns[:, 2, span[0]] += 1
    return tuple(columns.reshape(-1, len(key.names)))


def _members(corpus: Corpus, chosen: BoolArray | bool) -> dict[tuple[int, int, int], set[int]]:
    """Span → the entities of the chosen mentions with this span."""
    members: dict[tuple[int, int, int], set[int]] = {}
    for row in np.arange(corpus.mentions)[chosen].ravel().tolist():
        members.setdefault(_span(corpus, row), set()).add(int(corpus.entity[row]))
    return members


def _span(corpus: Corpus, row: int) -> tuple[int, int, int]:
    return int(corpus.document[row]), int(corpus.start[row]), int(corpus.end[row])


def _bridges(corpus: Corpus) -> list[tuple[int, int]]:
    """The rows of each anaphor and its anchor."""
    if corpus.links is None:
        return []
    bridging = corpus.links.kind == KINDS.index("bridging")
    return list(tuples(corpus.links.source[bridging], corpus.links.target[bridging]))

"""The scorer CoVal, also on ARRAU files: every copy of a span is kept.

Sizes and denominators include the copies. If several entities have the same mention, it belongs to
the last of them, where entities are in the order of their first completed mentions. Recall and
precision therefore use two different overlaps: mentions of the key by the response entity they
belong to, and mentions of the response by the key entity they belong to. Without repeated spans,
both are the usual overlap.

>>> from corefkit import Corpus, score
>>> key = Corpus.from_clusters({"tale": [[(0, 0), (1, 1)], [(2, 2), (3, 3)]]})
>>> response = Corpus.from_clusters({"tale": [[(0, 0), (1, 1)], [(0, 0), (2, 2), (3, 3)]]})
>>> round(100 * score(key, response, profile="coval").conll, 2)
73.77

For the ARRAU files of CRAC 2018 its exact matching is the same. With `--match min`, two mentions
*agree* if the response mention lies within the key mention and contains its minimum; this is not
one to one. A mention belongs to the entity of the first mention that agrees with it, where the
other side is searched entity by entity.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray, distinct, join, ranks_of, stretches
from corefkit.core.corpus import Corpus
from corefkit.core.counts import PerDocument
from corefkit.core.nodes import mention_codes
from corefkit.core.options import UsageError
from corefkit.core.overlap import Overlap, Pairs, overlap_of_sides
from corefkit.matching.exact import equal_mentions
from corefkit.metrics import bcub, ceaf, lea, muc
from corefkit.metrics.base import Counted, CountOverlap, count_outcomes
from corefkit.scorers.comparison import Comparison
from corefkit.scorers.scorer import Scorer


class Coval(Scorer):
    """CoVal.

    It keeps every copy of a repeated span, and a mention belongs to the last entity that lists it,
    because CoVal fills a dictionary. If opening brackets are adjacent, it reads only the last. It
    matches equal spans or, by MINA, the minimum spans that it computes from the trees of both
    files.
    """

    metrics: ClassVar[tuple[str, ...]] = ("mentions", "muc", "bcub", "ceafe", "lea", "conll")
    others = ()
    policies: ClassVar[Mapping[str, str]] = {"glued": "last"}
    rules: ClassVar[tuple[str, ...] | None] = ("exact", "mina")
    counting = "every copy stays, and a mention belongs to the last entity listing it"
    equivocal = True
    divisible = False
    copies_hint = "both"

    def kept_copies(self, corpus: Corpus, first: BoolArray) -> BoolArray:
        """Every copy is kept."""
        return np.ones_like(first)

    def with_minima(
        self, key: Corpus, response: Corpus, key_texts: Corpus, response_texts: Corpus
    ) -> tuple[Corpus, Corpus]:
        """Both sides with minimum spans as CoVal compares them: by their words."""
        from corefkit.features.minima import with_coval_classes

        return with_coval_classes(key, response, key_texts, response_texts)

    def match(self, key: Corpus, response: Corpus) -> Pairs:
        """Equal spans; if spans are repeated, the counting does not use these pairs."""
        return equal_mentions(key, response)

    def check_pairing(self, option: str) -> None:
        """Raise UsageError for rules other than `exact`, by which mentions are not paired."""
        if self.options.match != "exact":
            name, rule = self.options.scorer, self.options.match
            raise UsageError(
                f"{option}: cannot be combined with match {rule} of the profile {name}; use exact"
            )

    def count_own(self, comparison: Comparison, names: list[str]) -> dict[str, Counted]:
        """The metrics with repeated mentions, if there are any."""
        return count_copies(comparison, names)


BY_SIDE: Mapping[str, CountOverlap] = {"muc": muc.count, "bcub": bcub.count, "lea": lea.count}
"""Metrics whose recall and precision use different overlaps if spans are repeated."""

BY_LIST: Mapping[str, CountOverlap] = {"ceafm": ceaf.count_mentions, "ceafe": ceaf.count_entities}
"""Metrics that align entities, all copies included."""


def count_by_side(
    name: str,
    recall: Overlap,
    precision: Overlap,
    counting: Mapping[str, CountOverlap] = BY_SIDE,
) -> tuple[PerDocument, ...]:
    """Recall from one overlap and precision from another, in which the sides are exchanged."""
    return *counting[name](recall)[:2], *counting[name](precision)[:2]


def count_copies(
    comparison: Comparison, names: Iterable[str], changed: Mapping[str, CountOverlap] = {}
) -> dict[str, tuple[PerDocument, ...]]:
    """The counts of these metrics with repeated spans; {} if no span is repeated.

    If mentions are compared by their minimum spans, those with the same minimum are copies.
    `changed` are metrics that a scorer does not count by their definition.
    """
    key, response = comparison.key, comparison.response
    if key._match_class is not None and response._match_class is not None:
        ours, theirs = key._match_class, response._match_class
    else:
        ours, theirs = mention_codes(key, response)
        if not (_repeats(ours) or _repeats(theirs)):
            return {}
    recall = _belonging(key, ours, response, theirs)
    precision = _belonging(response, theirs, key, ours)
    counting = {**BY_SIDE, **BY_LIST, **changed}
    tables: dict[str, tuple[PerDocument, ...]] = {}
    for name in names:
        if name == "mentions":
            tables[name] = _mentions(comparison, ours, theirs)
        elif name == "ceafe":
            tables[name] = counting[name](_listed(key, ours, response, theirs))
        elif name in BY_SIDE:
            tables[name] = count_by_side(name, recall, precision, counting)
    return tables


def _repeats(codes: IntArray) -> bool:
    return len(distinct(codes).values) < len(codes)


def _belonging(side: Corpus, codes: IntArray, other: Corpus, other_codes: IntArray) -> Overlap:
    """The overlap of the mentions of a side, copies included, with the entity of the other side to
    which each belongs.

    `side` takes the place of the key.
    """
    last = np.lexsort((_order(other)[other.entity], other_codes))
    spans = distinct(other_codes[last])
    owner = other.entity[last[spans.first + spans.counts - 1]]
    place = np.minimum(np.searchsorted(spans.values, codes), max(len(owner) - 1, 0))
    matched = np.flatnonzero(spans.values[place] == codes) if len(owner) else place[:0]
    return overlap_of_sides(side, side.entity[matched], other, owner[place[matched]])


def _listed(key: Corpus, ours: IntArray, response: Corpus, theirs: IntArray) -> Overlap:
    """The overlap of key mentions, copies included, with all response entities that list them."""
    width = max(response.entities, 1)
    there, code = np.split(distinct(np.concatenate((theirs, ours))).inverse, [len(theirs)])
    listed = distinct(there * width + response.entity).values
    first = np.searchsorted(listed, code * width)
    times = np.searchsorted(listed, (code + 1) * width) - first
    there = listed[stretches(first, times)] % width
    return overlap_of_sides(key, np.repeat(key.entity, times), response, there)


def _order(corpus: Corpus) -> IntArray:
    """int64 (entities,): the first row of each entity; rows are in the order of completion."""
    first = np.full(corpus.entities, corpus.mentions)
    np.minimum.at(first, corpus.entity, np.arange(corpus.mentions))
    return first


def _mentions(comparison: Comparison, ours: IntArray, theirs: IntArray) -> tuple[PerDocument, ...]:
    """The counts of `mentions`: distinct spans."""
    documents = len(comparison.key.names)
    key, response = distinct(ours), distinct(theirs)
    in_key = comparison.key.document[key.first]
    both = np.bincount(in_key[np.isin(key.values, response.values)], minlength=documents)
    in_response = comparison.response.document[response.first]
    ours, theirs = (np.bincount(side, minlength=documents) for side in (in_key, in_response))
    return both, ours, both, theirs


class Arrau(Coval):
    """CoVal on ARRAU files.

    It uses MIN attributes instead of minimum spans, and supports non-referring expressions: a set
    is referring if its first markable is, because CoVal looks at no other.
    """

    metrics = ("muc", "bcub", "ceafe", "lea", "conll", "nonreferring")
    policies: ClassVar[Mapping[str, str]] = {"missing": "skip"}
    rules = ("exact", "min")
    needs_files = True
    counting = "as coval; a set whose first mention does not refer is left out"

    def drop_nonreferring(self, corpus: Corpus) -> Corpus:
        """The corpus without sets whose first markable is non-referring."""
        return super().drop_nonreferring(whole_sets(corpus))

    def count_own(self, comparison: Comparison, names: list[str]) -> dict[str, Counted]:
        """The metrics with repeated mentions, or with mentions that agree by their minima."""
        tables: dict[str, Counted] = {}
        if "nonreferring" in names:
            tables["nonreferring"] = _nonreferring(*comparison.whole, comparison.rule)
        if comparison.rule != "min":
            return tables | super().count_own(comparison, names)
        key, response = comparison.key, comparison.response
        pairs = agreeing(key, response)
        recall = _first_agreeing(key, response, pairs.key, pairs.response)
        precision = _first_agreeing(response, key, pairs.response, pairs.key)
        tables |= super().count_own(comparison, ["mentions"])
        for name in names:
            if name == "ceafe":
                tables[name] = ceaf.count_entities(shared(key, response, pairs))
            elif name in BY_SIDE:
                tables[name] = count_by_side(name, recall, precision)
        return tables


def whole_sets(corpus: Corpus) -> Corpus:
    """The corpus in which all markables of a set are referring if the first one is."""
    if corpus.referring is None:
        return corpus
    first = np.unique(corpus.entity, return_index=True)[1]
    return replace(corpus, referring=corpus.referring[first][corpus.entity])


def agreeing(key: Corpus, response: Corpus) -> Pairs:
    """All pairs of mentions that agree; a row may occur in several pairs.

    Two mentions agree if the response mention lies within the key mention and contains its minimum
    or, if it has none, if they are equal. A key mention that does not contain its own minimum
    agrees with nothing.
    """
    first, last = _minimum(key)
    width = int(max(key.end.max(initial=0), response.end.max(initial=0), first.max(initial=0))) + 2
    order = np.lexsort((response.start, response.document))
    codes = (response.document * width + response.start)[order]
    low = np.searchsorted(codes, key.document * width + key.start)
    high = np.searchsorted(codes, key.document * width + first, side="right")
    number = np.maximum(high - low, 0)
    ours = np.repeat(np.arange(key.mentions), number)
    theirs = order[stretches(low, number)]
    end = response.end[theirs]
    fits = (last[ours] <= end) & (end <= key.end[ours])
    return Pairs(ours[fits], theirs[fits])


def _minimum(key: Corpus) -> tuple[IntArray, IntArray]:
    """The first and last token that the response mention must contain, int64 (mentions,).

    These are the minimum of the key mention or, if it has none, the whole mention.
    """
    if key.minimum is None:
        return key.start, key.end
    first, last = key.minimum[:, 0], key.minimum[:, 1]
    none = first < 0
    return np.where(none, key.start, first), np.where(none, key.end, last)


def _first_agreeing(side: Corpus, other: Corpus, rows: IntArray, partners: IntArray) -> Overlap:
    """The overlap in which each mention belongs to the entity of the first one that agrees."""
    rank = ranks_of(np.argsort(other.entity, kind="stable"))
    order = np.lexsort((rank[partners], rows))
    mentions, first = np.unique(rows[order], return_index=True)
    belongs_to = other.entity[partners[order][first]]
    return overlap_of_sides(side, side.entity[mentions], other, belongs_to)


def shared(key: Corpus, response: Corpus, pairs: Pairs) -> Overlap:
    """The overlap of mentions of key entities that agree with any mention of a response entity."""
    width = max(response.entities, 1)
    both = np.unique(pairs.key * width + response.entity[pairs.response])
    return overlap_of_sides(key, key.entity[both // width], response, both % width)


def _nonreferring(key: Corpus, response: Corpus, rule: str) -> tuple[PerDocument, ...]:
    """tp, fn and fp of non-referring expressions; only the first of each set counts."""
    key, response = (side.take(_first_nonreferring(side)) for side in (key, response))
    equal = Pairs(*join(*mention_codes(key, response)))
    pairs = agreeing(key, response) if rule == "min" else equal
    return count_outcomes(key, response, pairs)


def _first_nonreferring(corpus: Corpus) -> BoolArray:
    """bool (mentions,): the non-referring expressions that are the first of their set."""
    chosen = np.zeros(corpus.mentions, dtype=bool)
    if corpus.referring is not None:
        first = np.unique(corpus.entity, return_index=True)[1]
        chosen[first] = ~corpus.referring[first]
    return chosen

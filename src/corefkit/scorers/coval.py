"""The scorer CoVal, where a span is repeated: every copy stays where it is listed.

Sizes and denominators count the copies. Of several entities with the same mention, CoVal
looks up the last one, where an entity ranks by its mention that was completed first. So recall and
precision see two different tables of overlap: members of the key by the response entity they
belong to, and members of the response by the key entity they belong to. Without repeated spans
both are the table that everybody uses.

>>> from corefkit import Corpus, score
>>> key = Corpus.from_clusters({"tale": [[(0, 0), (1, 1)], [(2, 2), (3, 3)]]})
>>> response = Corpus.from_clusters({"tale": [[(0, 0), (1, 1)], [(0, 0), (2, 2), (3, 3)]]})
>>> round(100 * score(key, response, profile="coval").conll, 2)
73.77
"""

from collections.abc import Iterable, Mapping
from typing import ClassVar

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray, distinct, stretches
from corefkit.core.corpus import Corpus
from corefkit.core.counts import PerDocument
from corefkit.core.nodes import mention_codes
from corefkit.core.options import UsageError
from corefkit.core.overlap import Overlap, Pairs, overlap_of_sides
from corefkit.matching.exact import equal_mentions
from corefkit.metrics import bcub, ceaf, lea, muc
from corefkit.metrics.base import Counted, CountOverlap
from corefkit.scorers.comparison import Comparison
from corefkit.scorers.scorer import Scorer


class Coval(Scorer):
    """CoVal.

    It keeps every copy of a repeated span where it is listed, and looks a mention up in the last
    entity that lists it, because it fills a dictionary. Of openings that are written together it
    sees only the last. It matches equal spans, or by MINA the minimum spans that it makes itself
    from the trees of both files.
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
        """Every copy stays where it is listed."""
        return np.ones_like(first)

    def with_minima(
        self, key: Corpus, response: Corpus, key_texts: Corpus, response_texts: Corpus
    ) -> tuple[Corpus, Corpus]:
        """Minimum spans as CoVal compares them: by their words."""
        from corefkit.applications.minima import with_alike_texts

        return with_alike_texts(key, response, key_texts, response_texts)

    def match(self, key: Corpus, response: Corpus) -> Pairs:
        """Equal spans; the counting looks for partners itself."""
        return equal_mentions(key, response)

    def check_pairing(self, option: str) -> None:
        """Mentions that agree by other rules are not paired before documents are cut or joined."""
        if self.options.match != "exact":
            name, rule = self.options.scorer, self.options.match
            raise UsageError(
                f"{option}: cannot be combined with match {rule} of the profile {name}; use exact"
            )

    def count_own(self, comparison: Comparison, names: list[str]) -> dict[str, Counted]:
        """The metrics that see copies, from either side."""
        return count(comparison, names)


BY_SIDE: Mapping[str, CountOverlap] = {"muc": muc.count, "bcub": bcub.count, "lea": lea.count}
"""Metrics whose recall looks from the key at the response, and whose precision looks back."""

BY_LIST: Mapping[str, CountOverlap] = {"ceafm": ceaf.count_mentions, "ceafe": ceaf.count_entities}
"""Metrics that align entities as they are listed."""


def count_by_side(
    name: str,
    recall: Overlap,
    precision: Overlap,
    counting: Mapping[str, CountOverlap] = BY_SIDE,
) -> tuple[PerDocument, ...]:
    """Recall in one overlap and precision in another, in which the sides are exchanged."""
    return *counting[name](recall)[:2], *counting[name](precision)[:2]


def count(
    comparison: Comparison, names: Iterable[str], own: Mapping[str, CountOverlap] = {}
) -> dict[str, tuple[PerDocument, ...]]:
    """Counts of the metrics of these names; none where no span is repeated: nothing differs.

    Where mentions are compared by their minima, copies are what has the same minimum. `own` are
    metrics that a scorer counts otherwise than by their definition.
    """
    key, response = comparison.key, comparison.response
    if key._match_class is not None and response._match_class is not None:
        # the minimum spans, where the matching is by them
        ours, theirs = key._match_class, response._match_class
    else:
        ours, theirs = mention_codes(key, response)
        if not (_repeats(ours) or _repeats(theirs)):
            return {}
    recall = _belonging(key, ours, response, theirs)
    precision = _belonging(response, theirs, key, ours)
    counting = {**BY_SIDE, **BY_LIST, **own}
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


def _belonging(one: Corpus, codes: IntArray, other: Corpus, other_codes: IntArray) -> Overlap:
    """How many members, copies included, of each entity belong to which entity of the other side.

    `one` is in the place of the key.
    """
    last = np.lexsort((_order(other)[other.entity], other_codes))
    spans = distinct(other_codes[last])
    owner = other.entity[last[spans.first + spans.counts - 1]]
    place = np.minimum(np.searchsorted(spans.values, codes), max(len(owner) - 1, 0))
    matched = np.flatnonzero(spans.values[place] == codes) if len(owner) else place[:0]
    return overlap_of_sides(one, one.entity[matched], other, owner[place[matched]])


def _listed(key: Corpus, ours: IntArray, response: Corpus, theirs: IntArray) -> Overlap:
    """How many members, copies included, of each key entity each response entity lists."""
    width = max(response.entities, 1)
    there, code = np.split(distinct(np.concatenate((theirs, ours))).inverse, [len(theirs)])
    listed = distinct(there * width + response.entity).values
    first = np.searchsorted(listed, code * width)
    times = np.searchsorted(listed, (code + 1) * width) - first
    there = listed[stretches(first, times)] % width
    return overlap_of_sides(key, np.repeat(key.entity, times), response, there)


def _order(corpus: Corpus) -> IntArray:
    """The place of each entity in the order of their first complete mentions."""
    first = np.full(corpus.entities, corpus.mentions)
    np.minimum.at(first, corpus.entity, np.arange(corpus.mentions))
    return first


def _mentions(comparison: Comparison, ours: IntArray, theirs: IntArray) -> tuple[PerDocument, ...]:
    """Distinct spans."""
    documents = len(comparison.key.names)
    key, response = distinct(ours), distinct(theirs)
    in_key = comparison.key.document[key.first]
    both = np.bincount(in_key[np.isin(key.values, response.values)], minlength=documents)
    in_response = comparison.response.document[response.first]
    ours, theirs = (np.bincount(side, minlength=documents) for side in (in_key, in_response))
    return both, ours, both, theirs

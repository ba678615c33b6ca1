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

from dataclasses import replace
from typing import ClassVar

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray, join, number_together, stretches
from corefkit.core.corpus import Corpus
from corefkit.core.directed import Lookups, Pairs
from corefkit.core.nodes import mention_codes
from corefkit.core.options import UsageError
from corefkit.matching.exact import equal_mentions
from corefkit.metrics.base import Counted, count_outcomes
from corefkit.scorers.comparison import Comparison
from corefkit.scorers.lookups import (
    distinct_detected,
    every_owner,
    last_owners,
    make_lookups,
    once_each,
)
from corefkit.scorers.rules import LAST_GLUED, STANDARD_RULES, Rules, with_rules
from corefkit.scorers.scorer import OwnMetrics, Scorer


class Coval(Scorer):
    """CoVal.

    It keeps every copy of a repeated span, and a mention belongs to the last entity that lists it,
    because CoVal fills a dictionary. If opening brackets are adjacent, it reads only the last. It
    matches equal spans or, by MINA, the minimum spans that it computes from the trees of both
    files.
    """

    metrics: ClassVar[tuple[str, ...]] = ("mentions", "muc", "bcub", "ceafe", "lea", "conll")
    others = ()
    rules: ClassVar[Rules] = with_rules(STANDARD_RULES, LAST_GLUED)
    matches: ClassVar[tuple[str, ...] | None] = ("exact", "mina")
    keeps_copies = True
    counting = "every copy stays, and a mention belongs to the last entity listing it"
    copies_hint = "both"

    def scored_copies(self, corpus: Corpus, kept: BoolArray) -> BoolArray:
        """Every copy is kept."""
        return np.ones_like(kept)

    def with_minima(
        self, key: Corpus, response: Corpus, key_texts: Corpus, response_texts: Corpus
    ) -> tuple[Corpus, Corpus]:
        """Both sides with minimum spans as CoVal compares them: by their words."""
        from corefkit.features.minima import with_coval_classes

        return with_coval_classes(key, response, key_texts, response_texts)

    def match(self, key: Corpus, response: Corpus) -> Pairs:
        """Equal spans, the last copies of them; only windows and errors use these pairs."""
        return equal_mentions(key, response)

    def check_pairing(self, option: str) -> None:
        """Raise UsageError for rules other than `exact`, by which mentions are not paired."""
        if self.options.match != "exact":
            name, rule = self.options.scorer, self.options.match
            raise UsageError(
                f"{option}: cannot be combined with match {rule} of the profile {name}; use exact"
            )

    def lookups(self, comparison: Comparison) -> Lookups:
        """A mention is found in the last entity that lists it; CEAF sees all entities that do.

        If mentions are compared by their minimum spans, those with the same minimum are copies.
        """
        key, response = comparison.key, comparison.response
        if key.match_class is not None and response.match_class is not None:
            codes = [key.match_class, response.match_class]
        else:
            codes = mention_codes(key, response)
        (key_code, response_code), number = number_together(*codes)
        found = (
            last_owners(response, response_code, number, _completed(response))[key_code],
            last_owners(key, key_code, number, _completed(key))[response_code],
        )
        listed = every_owner(key_code, response_code, response.entity)
        mentions = distinct_detected(key, response, key_code, response_code)
        return make_lookups(key, response, found, listed, mentions)


def _completed(corpus: Corpus) -> IntArray:
    """int64 (entities,): the first row of each entity; rows are in the order of completion."""
    first = np.full(corpus.entities, corpus.mentions)
    np.minimum.at(first, corpus.entity, np.arange(corpus.mentions))
    return first


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
    key_row = np.repeat(np.arange(key.mentions), number)
    response_row = order[stretches(low, number)]
    end = response.end[response_row]
    fits = (last[key_row] <= end) & (end <= key.end[key_row])
    return Pairs(key_row[fits], response_row[fits])


def _minimum(key: Corpus) -> tuple[IntArray, IntArray]:
    """The first and last token that the response mention must contain, int64 (mentions,).

    These are the minimum of the key mention or, if it has none, the whole mention.
    """
    if key.minimum is None:
        return key.start, key.end
    first, last = key.minimum[:, 0], key.minimum[:, 1]
    none = first < 0
    return np.where(none, key.start, first), np.where(none, key.end, last)


def _first_agreeing(side: Corpus, rows: IntArray, partners: IntArray, entity: IntArray) -> IntArray:
    """int64 (mentions of a side,): the first entity with a mention that agrees; −1 for none.

    `entity`, int64 (mentions of the other side,), is that of each of the partners.
    """
    found = np.full(side.mentions, -1, dtype=np.int64)
    order = np.lexsort((entity[partners], rows))[::-1]
    found[rows[order]] = entity[partners[order]]  # the last value stays
    return found


def _nonreferring(comparison: Comparison) -> Counted:
    """tp, fn and fp of non-referring expressions; only the first of each set counts."""
    sides = (side.take(_first_nonreferring(side)) for side in comparison.whole)
    return count_agreeing(comparison, *sides)


def count_agreeing(comparison: Comparison, key: Corpus, response: Corpus) -> Counted:
    """tp, fn and fp of these mentions, which agree by their words; with `min`, by their minima."""
    equal = Pairs(*join(*mention_codes(key, response)))
    pairs = agreeing(key, response) if comparison.rule == "min" else equal
    return count_outcomes(key, response, pairs)


def _first_nonreferring(corpus: Corpus) -> BoolArray:
    """bool (mentions,): the non-referring expressions that are the first of their set."""
    chosen = np.zeros(corpus.mentions, dtype=bool)
    if corpus.referring is not None:
        first = np.unique(corpus.entity, return_index=True)[1]
        chosen[first] = ~corpus.referring[first]
    return chosen


class Arrau(Coval):
    """CoVal on ARRAU files.

    It uses MIN attributes instead of minimum spans, and supports non-referring expressions: a set
    is referring if its first markable is, because CoVal looks at no other.
    """

    metrics = ("muc", "bcub", "ceafe", "lea", "conll", "nonreferring")
    documents = "common"
    rules = STANDARD_RULES
    matches = ("exact", "min")
    own: ClassVar[OwnMetrics] = {"nonreferring": _nonreferring}
    needs_files = True
    counting = "as coval; a set whose first mention does not refer is left out"

    def drop_nonreferring(self, corpus: Corpus) -> Corpus:
        """The corpus without sets whose first markable is non-referring."""
        return super().drop_nonreferring(whole_sets(corpus))

    def weighs_plurals(self) -> bool:
        """Not under `min`, where mentions do not match one to one."""
        return self.options.match != "min"

    def lookups(self, comparison: Comparison) -> Lookups:
        """As CoVal; under `min`, a mention is found in the first entity with one that agrees."""
        if comparison.rule != "min":
            return super().lookups(comparison)
        key, response = comparison.key, comparison.response
        pairs = agreeing(key, response)
        found = (
            _first_agreeing(key, *pairs, response.entity),
            _first_agreeing(response, *pairs[::-1], key.entity),
        )
        listed = once_each(*pairs, response.entity)
        mentions = distinct_detected(key, response, *mention_codes(key, response))
        return make_lookups(key, response, found, listed, mentions)

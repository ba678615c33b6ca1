"""The evaluator of e2e-coref, which was copied into AllenNLP, fastcoref and others, in two forms.

In the older form (`e2e`), B³ and LEA sum over entities with at least two mentions, and B³ gives no
credit for overlap with a singleton. CEAFe drops the singletons of the response but keeps those of
the key. So a system scores the same with and without singletons. The newer form (`e2e-singletons`)
skips singletons only in LEA. Both keep every copy of a repeated mention.

>>> from corefkit import Evaluator
>>> scores = Evaluator("conll", profile="e2e").update(["abc", "de"], ["abc", "ade"]).scores()
>>> round(100 * scores.conll, 2)
78.69
"""

from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray
from corefkit.core.corpus import Corpus
from corefkit.core.nodes import distinct_spans
from corefkit.core.overlap import Overlap, Pairs, make_overlap
from corefkit.matching.exact import equal_mentions, match
from corefkit.metrics import bcub, ceaf, lea
from corefkit.metrics.base import Counted
from corefkit.scorers.comparison import Comparison
from corefkit.scorers.coval import count_copies
from corefkit.scorers.scorer import Scorer


class E2E(Scorer):
    """The evaluator of e2e-coref.

    It keeps every copy of a repeated mention, and a mention belongs to the last entity that lists
    it, because the evaluator fills a dictionary. Its treatment of singletons is the value `e2e` of
    the policy `singletons`, which other scorers support, too: see `Scorer.count_singletons`.
    """

    metrics = ("mentions", "muc", "bcub", "ceafe", "lea", "conll")
    others = ()
    policies: ClassVar[Mapping[str, str]] = {"singletons": "e2e"}
    rules = ("exact",)
    counting = "every copy stays, and a mention belongs to the last entity listing it"
    equivocal = True
    copies_hint = "both"

    def kept_copies(self, corpus: Corpus, first: BoolArray) -> BoolArray:
        """Every copy is kept."""
        return np.ones_like(first)

    def match(self, key: Corpus, response: Corpus) -> Pairs:
        """Equal mentions; if mentions are repeated, the counting does not use these pairs."""
        return equal_mentions(key, response)

    def count_singletons(self, comparison: Comparison, names: list[str]) -> dict[str, Counted]:
        """Nothing here: `count_own` counts copies and singletons together."""
        del comparison, names
        return {}

    def count_own(self, comparison: Comparison, names: list[str]) -> dict[str, Counted]:
        """The metrics with repeated mentions, if there are any, or those that skip singletons."""
        counting = COUNT.get(self.options.singletons, {})
        with_copies = count_copies(comparison, names, counting)
        return with_copies or count_overlap(comparison.overlap, names, self.options.singletons)


class E2ESingletons(E2E):
    """The evaluator of Maverick, BookCoref, fast-coref and others: only LEA skips singletons."""

    policies: ClassVar[Mapping[str, str]] = {"singletons": "lea"}


def _count_bcub(overlap: Overlap) -> Counted:
    """B³ over entities with more than one mention; overlap with singletons earns nothing."""
    large = overlap.key.size[overlap.key_entity] > 1
    large &= overlap.response.size[overlap.response_entity] > 1
    recalled, _, right, _ = bcub.count(overlap.choose(np.flatnonzero(large)))
    return recalled, _mentions(overlap), right, _mentions(overlap.exchanged)


def _count_lea(overlap: Overlap) -> Counted:
    """LEA over entities with more than one mention."""
    return *_lea_recall(overlap), *_lea_recall(overlap.exchanged)


def _lea_recall(overlap: Overlap) -> Counted:
    large = overlap.key.size[overlap.key_entity] > 1
    return lea.count(overlap.choose(np.flatnonzero(large)))[0], _mentions(overlap)


def _mentions(overlap: Overlap) -> IntArray:
    """int64 (documents,): the number of key mentions that are not singletons."""
    size = overlap.key.size
    return overlap.sum_entities(overlap.key, np.where(size > 1, size, 0))


def _count_ceafe(overlap: Overlap) -> Counted:
    """CEAFe with the singletons of the key but without those of the response."""
    large = overlap.response.size > 1
    cells = np.flatnonzero(large[overlap.response_entity])
    similarity, key_entities, _, _ = ceaf.count_entities(overlap.choose(cells))
    response_entities = overlap.sum_entities(overlap.response, large.astype(np.int64))
    return similarity, key_entities, similarity, response_entities


COUNT: Mapping[str, Mapping[str, Callable[[Overlap], Counted]]] = {
    "e2e": {"bcub": _count_bcub, "lea": _count_lea, "ceafe": _count_ceafe},
    "lea": {"lea": _count_lea},
}
"""The values of the policy `singletons` and the metrics that each counts in its own way."""


def count_overlap(overlap: Overlap, names: Iterable[str], singletons: str) -> dict[str, Counted]:
    """The counts of the metrics that this value of the policy counts in its own way."""
    counting = COUNT.get(singletons, {})
    return {name: counting[name](overlap) for name in names if name in counting}


def count_large(
    comparison: Comparison, names: Iterable[str], singletons: str
) -> dict[str, Counted]:
    """Like `count_overlap`, for sides that may repeat spans: only the first copies count."""
    key, response = distinct_spans(comparison.key), distinct_spans(comparison.response)
    if key is comparison.key and response is comparison.response:
        return count_overlap(comparison.overlap, names, singletons)
    return count_overlap(make_overlap(key, response, match(key, response)), names, singletons)

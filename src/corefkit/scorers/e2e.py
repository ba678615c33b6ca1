"""The evaluator of e2e-coref, which was pasted into AllenNLP, fastcoref and others, in two forms.

In the older one (`e2e`) B³ and LEA sum over entities of two mentions or more; besides, B³ gives no
credit for overlap with a singleton. CEAFe drops the singletons of the response but keeps those of
the key. So a system that outputs no singletons and one that does get the same score. The newer one
(`e2e-singletons`) skips singletons in LEA only. Both keep every copy of a repeated mention.

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

    It keeps every copy of a repeated mention where it is listed, and looks a mention up in the
    last entity that lists it, because it fills a dictionary. What it does with singletons is the
    value `e2e` of the policy `singletons`, which goes with other scorers too: see
    `Scorer.count_singletons`.
    """

    metrics = ("mentions", "muc", "bcub", "ceafe", "lea", "conll")
    others = ()
    policies: ClassVar[Mapping[str, str]] = {"singletons": "e2e"}
    rules = ("exact",)
    counting = "every copy stays, and a mention belongs to the last entity listing it"
    equivocal = True
    copies_hint = "both"

    def kept_copies(self, corpus: Corpus, first: BoolArray) -> BoolArray:
        """Every copy stays where it is listed."""
        return np.ones_like(first)

    def match(self, key: Corpus, response: Corpus) -> Pairs:
        """Equal mentions; where some are repeated, the counting looks for partners itself."""
        return equal_mentions(key, response)

    def count_singletons(self, comparison: Comparison, names: list[str]) -> dict[str, Counted]:
        """Nothing yet: copies and singletons are counted together."""
        del comparison, names
        return {}

    def count_own(self, comparison: Comparison, names: list[str]) -> dict[str, Counted]:
        """The metrics that see copies, from either side; else those that skip singletons."""
        counting = COUNT.get(self.options.singletons, {})
        with_copies = count_copies(comparison, names, counting)
        return with_copies or count_overlap(comparison.overlap, names, self.options.singletons)


class E2ESingletons(E2E):
    """The evaluator of Maverick, BookCoref, fast-coref and others: only LEA skips singletons."""

    policies: ClassVar[Mapping[str, str]] = {"singletons": "lea"}


def _count_bcub(overlap: Overlap) -> Counted:
    """B³ over entities of more than one mention; what falls to others counts nothing."""
    large = overlap.key.size[overlap.key_entity] > 1
    large &= overlap.response.size[overlap.response_entity] > 1
    recalled, _, right, _ = bcub.count(overlap.choose(np.flatnonzero(large)))
    return recalled, _mentions(overlap), right, _mentions(overlap.exchanged)


def _count_lea(overlap: Overlap) -> Counted:
    """LEA over entities of more than one mention."""
    return *_lea_recall(overlap), *_lea_recall(overlap.exchanged)


def _lea_recall(overlap: Overlap) -> Counted:
    large = overlap.key.size[overlap.key_entity] > 1
    return lea.count(overlap.choose(np.flatnonzero(large)))[0], _mentions(overlap)


def _mentions(overlap: Overlap) -> IntArray:
    size = overlap.key.size
    return overlap.sum_entities(overlap.key, np.where(size > 1, size, 0))


def _count_ceafe(overlap: Overlap) -> Counted:
    """CEAFe with the singletons of the key but without those of the response."""
    large = overlap.response.size > 1
    cells = np.flatnonzero(large[overlap.response_entity])
    likeness, entities, _, _ = ceaf.count_entities(overlap.choose(cells))
    others = overlap.sum_entities(overlap.response, large.astype(np.int64))
    return likeness, entities, likeness, others


COUNT: Mapping[str, Mapping[str, Callable[[Overlap], Counted]]] = {
    "e2e": {"bcub": _count_bcub, "lea": _count_lea, "ceafe": _count_ceafe},
    "lea": {"lea": _count_lea},
}
"""Values of the policy `singletons`, and the metrics that each counts in its way."""


def count_overlap(overlap: Overlap, names: Iterable[str], singletons: str) -> dict[str, Counted]:
    """Those of the metrics that this value of the policy counts in its way."""
    counting = COUNT.get(singletons, {})
    return {name: counting[name](overlap) for name in names if name in counting}


def count_large(
    comparison: Comparison, names: Iterable[str], singletons: str
) -> dict[str, Counted]:
    """Like `count_overlap`, where repeated spans may be; the first copies count."""
    key, response = distinct_spans(comparison.key), distinct_spans(comparison.response)
    if key is comparison.key and response is comparison.response:
        return count_overlap(comparison.overlap, names, singletons)
    return count_overlap(make_overlap(key, response, match(key, response)), names, singletons)

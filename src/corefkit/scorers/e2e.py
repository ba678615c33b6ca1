"""The evaluator of e2e-coref, which was pasted into AllenNLP, fastcoref and others.

B³ and LEA sum over entities of two mentions or more; besides, B³ gives no credit for overlap with
a singleton. CEAFe drops the singletons of the response but keeps those of
the key. So a system that outputs no singletons and one that does get the same score.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import ClassVar

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.nodes import distinct_spans
from corefkit.core.overlap import Overlap, make_overlap
from corefkit.matching.exact import match
from corefkit.metrics import bcub, ceaf, lea
from corefkit.metrics.base import Counted
from corefkit.scorers.comparison import Comparison
from corefkit.scorers.scorer import Scorer


class E2E(Scorer):
    """The standard rules but for singletons.

    What it does with these is the value `e2e` of the policy `singletons`, which goes with other
    scorers too: `Scorer.count` asks `count_large` wherever that is chosen.
    """

    metrics = ("mentions", "muc", "bcub", "ceafe", "lea", "conll")
    others = ()
    policies: ClassVar[Mapping[str, str]] = {"singletons": "e2e"}


def count_ceafe(overlap: Overlap) -> Counted:
    """CEAFe with the singletons of the key but without those of the response."""
    large = overlap.response.size > 1
    cells = np.flatnonzero(large[overlap.response_entity])
    likeness, entities, _, _ = ceaf.count_entities(overlap.choose(cells))
    others = overlap.sum_entities(overlap.response, large.astype(np.int64))
    return likeness, entities, likeness, others


def _count_large(count: Callable[[Overlap], Counted], overlap: Overlap) -> Counted:
    """A metric over entities of more than one mention; what falls to others counts nothing."""
    large = overlap.key.size[overlap.key_entity] > 1
    large &= overlap.response.size[overlap.response_entity] > 1
    found, _, right, _ = count(overlap.choose(np.flatnonzero(large)))
    return found, _mentions(overlap), right, _mentions(overlap.exchanged)


def _mentions(overlap: Overlap) -> IntArray:
    size = overlap.key.size
    return overlap.sum_entities(overlap.key, np.where(size > 1, size, 0))


COUNT: Mapping[str, Callable[[Overlap], Counted]] = {
    "bcub": partial(_count_large, bcub.count),
    "lea": partial(_count_large, lea.count),
    "ceafe": count_ceafe,
}
"""The metrics that are counted in this way; the others as usual."""


def count_overlap(overlap: Overlap, names: Iterable[str]) -> dict[str, Counted]:
    """Those of the metrics that are counted in this way."""
    return {name: COUNT[name](overlap) for name in names if name in COUNT}


def count_large(comparison: Comparison, names: Iterable[str]) -> dict[str, Counted]:
    """Those of the metrics that are counted in this way; of repeated spans the first copies."""
    key, response = distinct_spans(comparison.key), distinct_spans(comparison.response)
    if key is comparison.key and response is comparison.response:
        return count_overlap(comparison.overlap, names)
    return count_overlap(make_overlap(key, response, match(key, response)), names)

"""MUC: how many of the links that hold entities together were found.

A key entity K falls into parts: one for each response entity that shares mentions with it, and one
for each mention that the response lacks. |K| − 1 links hold K together; the response has |K| −
parts of them, which is Σ (n − 1) over the numbers n of shared mentions. The numerator is therefore
the same for recall and precision. Singletons have no links and do not count (Vilain et al. 1995).

>>> from corefkit import Evaluator
>>> scores = Evaluator("muc").update(["abc", "defg"], ["ab", "cd", "fghi"]).scores()
>>> scores["muc"].counts
{'recall': [2, 5], 'precision': [2, 5]}
"""

import numpy as np

from corefkit.core.arrays import FloatArray, IntArray
from corefkit.core.overlap import Overlap
from corefkit.metrics.base import Counted, OverlapMetric


def count(overlap: Overlap) -> Counted:
    """Links found, and links of the key; links found, and links of the response."""
    if overlap.weighted:
        other = overlap.exchanged
        return _found(overlap), _needed(overlap), _found(other), _needed(other)
    links = overlap.sum_cells(overlap.count - 1)
    return links, _needed(overlap), links, _needed(overlap.exchanged)


def _found(overlap: Overlap) -> FloatArray:
    """Links found, with split antecedents: if its entity shares another mention, a virtual mention
    is linked with its weight.
    """
    from corefkit.metrics.elements import sum_weighted

    weights = [(cell.key_entity, cell.recall) for cell in overlap.weighted if cell.shared]
    return sum_weighted(overlap, overlap.count - 1, np.ones_like(overlap.count), weights)


def _needed(overlap: Overlap) -> IntArray:
    """The links that hold the key entities together."""
    return overlap.sum_entities(overlap.key, overlap.key.size - 1)


MUC = OverlapMetric(
    name="muc",
    title="MUC",
    help="links that hold the entities together; singletons count nothing",
    citation="Vilain et al. 1995, A Model-Theoretic Coreference Scoring Scheme (MUC-6)",
    formula="""\
R = Σ_K (|K| − parts of K) / Σ_K (|K| − 1)
K falls into parts: what one response entity has of it, and each mention the response misses.""",
    example="""\
{abc} has the parts {ab} {c}: 3 − 2 = 1. {defg} has the parts {d} {e} {fg}: 4 − 3 = 1.
R = (1 + 1) / (2 + 3) = 2/5.
{ab} is whole: 2 − 1 = 1. {cd}: 2 − 2 = 0. {fghi} has the parts {fg} {h} {i}: 4 − 3 = 1.
P = (1 + 0 + 1) / (1 + 1 + 3) = 2/5.""",
    count=count,
)

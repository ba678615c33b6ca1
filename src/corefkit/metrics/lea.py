"""LEA: the share of the links of each entity that was found, weighted by the size of the entity.

A singleton has a link to itself, which the response finds if it has the same singleton (Moosavi
and Strube 2016).

>>> from corefkit import Evaluator
>>> scores = Evaluator("lea").update(["abc", "defg"], ["ab", "cd", "fghi"]).scores()
>>> scores["lea"].counts
{'recall': [1.6666666666666667, 7], 'precision': [2.6666666666666665, 8]}
"""

from typing import TYPE_CHECKING

import numpy as np

from corefkit.core.arrays import FloatArray
from corefkit.core.overlap import Overlap, WeightedCell
from corefkit.metrics.base import Counted, OverlapMetric

if TYPE_CHECKING:
    from fractions import Fraction


def count(overlap: Overlap) -> Counted:
    """Σ size · share of links found, and key mentions; the same for precision and the response."""
    other = overlap.exchanged
    return _resolved(overlap), overlap.key_mentions, _resolved(other), other.key_mentions


def _resolved(overlap: Overlap) -> FloatArray:
    """Σ |K| · found / (|K|(|K|−1)/2) = Σ 2 · found / (|K|−1), or 1 or 0 for a singleton."""
    size = overlap.key.size[overlap.key_entity]
    alone = (size == 1) & (overlap.response.size[overlap.response_entity] == 1)
    links = np.where(alone, 1, overlap.count * (overlap.count - 1))
    if overlap.weighted:
        from corefkit.metrics.elements import sum_weighted

        weights = [(cell.key_entity, added(overlap, cell)) for cell in overlap.weighted]
        return sum_weighted(overlap, links, np.maximum(size - 1, 1), weights)
    return overlap.sum_ratios(links, np.maximum(size - 1, 1))


def added(overlap: Overlap, cell: WeightedCell) -> "Fraction":
    """What the links of a virtual mention add; each of them counts with its weight."""
    size = int(overlap.key.size[cell.key_entity])
    if size > 1:
        return 2 * cell.recall * cell.shared / (size - 1)
    return cell.recall**2 * int(overlap.response.size[cell.response_entity] == 1)


LEA = OverlapMetric(
    name="lea",
    title="LEA",
    help="links found in each entity, weighted by its size; singletons link to themselves",
    citation="Moosavi and Strube 2016, Which Coreference Evaluation Metric Do You Trust? (ACL)",
    formula="""\
R = Σ_K |K| · (found links of K / all links of K) / key mentions
A singleton counts as linked to itself; having the same singleton, the response finds that link.""",
    example="""\
Of the 3 links of {abc}, ab is found; of the 6 of {defg}, fg.  R = (3·1/3 + 4·1/6) / 7 = 5/21.
Of {ab} 1 of 1 is right, of {cd} 0 of 1, of {fghi} 1 of 6.  P = (2 + 0 + 4/6) / 8 = 1/3.""",
    count=count,
)

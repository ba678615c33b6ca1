"""B³: for each mention, the share of its entity that was found; every mention has the same weight.

A mention of K that the response has in R has the recall |K ∩ R| / |K|; one that it lacks has 0.
Summed over the n mentions of K ∩ R, this is n²/|K| (Bagga and Baldwin 1998; with predicted mentions
as in Pradhan et al. 2014, who leave both sides unchanged).

>>> from corefkit import Evaluator
>>> scores = Evaluator("bcub").update(["abc", "defg"], ["ab", "cd", "fghi"]).scores()
>>> scores["bcub"].counts
{'recall': [2.9166666666666665, 7], 'precision': [4.0, 8]}
>>> abs(scores["bcub"].f1 - 5 / 11) < 1e-15
True
"""

from typing import TYPE_CHECKING

from corefkit.core.arrays import FloatArray
from corefkit.core.overlap import Overlap, WeightedCell
from corefkit.metrics.base import Counted, OverlapMetric

if TYPE_CHECKING:
    from fractions import Fraction


def count(overlap: Overlap) -> Counted:
    """Summed recall, and number, of the key mentions; the same for precision and the response."""
    other = overlap.exchanged
    return _summed(overlap), overlap.key_mentions, _summed(other), other.key_mentions


def _summed(overlap: Overlap) -> FloatArray:
    """Σ n²/|K| by document."""
    size = overlap.key.size[overlap.key_entity]
    if overlap.weighted:
        from corefkit.metrics.elements import sum_weighted

        weights = [(cell.key_entity, added(overlap, cell)) for cell in overlap.weighted]
        return sum_weighted(overlap, overlap.count**2, size, weights)
    return overlap.sum_ratios(overlap.count**2, size)


def added(overlap: Overlap, cell: WeightedCell) -> "Fraction":
    """What a virtual mention of weight w adds: ((n + w)² − n²) / |K|."""
    size = int(overlap.key.size[cell.key_entity])
    return cell.recall * (2 * cell.shared + cell.recall) / size


BCUB = OverlapMetric(
    name="bcub",
    title="B³",
    help="B³: for each mention, the share of its entity that was found",
    citation="Bagga and Baldwin 1998, Algorithms for Scoring Coreference Chains (LREC)",
    formula="R = Σ_K Σ_R |K ∩ R|² / |K| / key mentions",
    example="""\
{abc} shares 2 with {ab}, 1 with {cd}: (4 + 1) / 3. {defg} shares 1 with {cd}, 2 with {fghi}:
(1 + 4) / 4.  R = (5/3 + 5/4) / 7 = 35/84.
P = (4/2 + (1 + 1)/2 + 4/4) / 8 = 4/8.  F1 = 5/11 (the paper prints 0.46, having rounded).""",
    count=count,
)

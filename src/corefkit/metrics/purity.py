"""Purity and inverse purity: mentions shared with the best-matching entity of the other side.

Each response entity is assigned to the key entity with which it shares most mentions; purity, the
precision, is the share of response mentions that belong to the key entity of their response entity.
Inverse purity, the recall, is the same with the sides exchanged. A mention that the other side
lacks never counts as right (Zhao and Karypis 2001; Amigó et al. 2009).

>>> from corefkit import Evaluator
>>> Evaluator("purity").update(["abc", "defg"], ["ab", "cd", "fghi"]).scores()["purity"].counts
{'recall': [4, 7], 'precision': [5, 8]}
"""

from corefkit.core.overlap import Overlap
from corefkit.metrics.base import Counted, OverlapMetric


def count(overlap: Overlap) -> Counted:
    """Σ max_R |K ∩ R|, and key mentions; Σ max_K |K ∩ R|, and response mentions."""
    other = overlap.exchanged
    return (
        overlap.largest_shares,
        overlap.key_mentions,
        other.largest_shares,
        other.key_mentions,
    )


PURITY = OverlapMetric(
    name="purity",
    title="Purity",
    help="mentions in the best-matching entity of the other side; recall is inverse purity",
    citation="Amigó et al. 2009, A Comparison of Extrinsic Clustering Evaluation Metrics (IR 12)",
    formula="""\
R = Σ_K max_R |K ∩ R| / key mentions (inverse purity)
P = Σ_R max_K |K ∩ R| / response mentions (purity)""",
    example="""\
{ab} has most of {abc}, {fghi} of {defg}: R = (2 + 2) / 7.
{abc} has most of {ab}, {defg} of {fghi}; {cd} has one of either: P = (2 + 1 + 2) / 8.""",
    count=count,
)

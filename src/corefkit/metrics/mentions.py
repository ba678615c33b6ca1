"""Mention detection: which mentions were found, whatever their entities.

>>> from corefkit import Evaluator
>>> scores = Evaluator("mentions").update(["abc", "defg"], ["ab", "cd", "fghi"]).scores()
>>> scores["mentions"].counts
{'recall': [6, 7], 'precision': [6, 8]}
"""

from corefkit.core.overlap import Overlap
from corefkit.metrics.base import Counted, OverlapMetric


def count(overlap: Overlap) -> Counted:
    """Common mentions, and key mentions; common mentions, and response mentions."""
    common = overlap.sum_cells(overlap.count)
    return common, overlap.key_mentions, common, overlap.exchanged.key_mentions


MENTIONS = OverlapMetric(
    name="mentions",
    title="MD",
    help="mention detection: which spans were found, whatever their entity",
    citation="Pradhan et al. 2014, Scoring Coreference Partitions of Predicted Mentions (ACL)",
    formula="R = mentions in both / key mentions",
    example="""\
a b c d f g are in both, e is in the key only, h and i are in the response only.
R = 6/7, P = 6/8.""",
    count=count,
)

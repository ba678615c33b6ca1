"""GMD: the merge distance, the number of splits and merges that lead from the response to the key.

First each response entity is split into the parts that belong to different key entities, then the
parts of each key entity are merged, two at a time: no step ever makes a wrong link. This is the
generalised merge distance of Menestrina et al. (2010) in which each step costs 1. A mention that
one side lacks is a singleton there. The merges are the links that lower the recall of MUC, the
splits those that lower its precision.

The score is 1 − distance / 2(N − 1), where N is the number of mentions of either side in a
document; no distance is larger than 2(N − 1).

>>> from corefkit import Evaluator
>>> score = Evaluator("gmd").update(["abc", "defg"], ["ab", "cd", "fghi"]).scores()["gmd"]
>>> score.counts, score.f1
({'distance': 6, 'merges': 3, 'splits': 3, 'most': 16}, 0.625)
"""

import numpy as np

from corefkit.core.arrays import FloatArray
from corefkit.core.directed import Both, all_mentions
from corefkit.metrics.base import Counted, PartitionMetric, Score, Sums


def count(both: Both) -> Counted:
    """Merges, splits, the largest possible sum of both, and the mentions of either side."""
    key, response = both
    kept, mentions = key.sum(key.n - 1), all_mentions(key, response)
    merges, splits = (side.mentions - side.entities - kept for side in both)
    return merges, splits, 2 * np.maximum(mentions - 1, 0), mentions


def score(sums: Sums) -> Score:
    """The score: 1 if the distance is 0; 0 if there are no mentions."""
    merges, splits, most, all_mentions = sums
    distance = merges + splits
    counts = {"distance": distance, "merges": merges, "splits": splits, "most": most}
    if not most:
        return Score(float(all_mentions > 0), counts=counts)
    return Score((most - distance) / most, counts=counts)


def f1(sums: FloatArray) -> FloatArray:
    """Like `score`, for many sums at once: float64 (…, 4, samples) → (…, samples)."""
    merges, splits, most, all_mentions = (sums[..., i, :] for i in range(4))
    without_steps: FloatArray = (all_mentions > 0).astype(np.float64)
    return np.divide(most - merges - splits, most, out=without_steps, where=most > 0)


GMD = PartitionMetric(
    name="gmd",
    title="GMD",
    help="merge distance: splits and merges that lead from the response to the key",
    citation="Menestrina et al. 2010, Evaluating Entity Resolution Results (PVLDB 3)",
    formula="""\
distance = Σ_R (parts of R − 1) + Σ_K (parts of K − 1): splits, then merges
A mention that one side lacks is alone there. F1 stands for 1 − distance / Σ 2(N − 1), with the N
mentions of either side of each document; there is no recall and no precision.""",
    example="""\
{cd} is split into {c} {d}, {fghi} into {fg} {h} {i}: 3 splits. {ab} {c} become {abc}, and
{d} {e} {fg} become {defg}: 3 merges. 9 mentions: 1 − 6/16 = 5/8.""",
    columns=("merges", "splits", "most", "mentions"),
    count=count,
    score=score,
    f1=f1,
)

"""VI: the variation of information, the uncertainty that each side leaves about the other.

VI = H(K|R) + H(R|K), in bits per mention: 0 if the two sides are equal. The first term comes from
entities that were merged, the second from entities that were split. It is a metric in the
mathematical sense (Meilă 2007). Mentions and documents are treated as for `vmeasure`.

The score is 1 − VI / log N, where N is the number of mentions of either side in the document; VI is
never larger than log N.

>>> from corefkit import Evaluator
>>> Evaluator("vi").update(["ab", "cd"], ["a", "b", "cd"]).scores()["vi"]
Score(f1=0.75, recall=None, precision=None, counts={'bits': 0.5, 'merged': 0.0, 'split': 0.5})
"""

from math import log

import numpy as np

from corefkit.core.arrays import FloatArray
from corefkit.metrics.base import PartitionMetric, Score, Sums
from corefkit.plugins.clustering.vmeasure import COLUMNS, count


def score(sums: Sums) -> Score:
    """The score: 1 if VI is 0; 0 if there are no mentions."""
    response_open, _, key_open, _, mentions, most = sums
    both_open = response_open + key_open
    merged, split, bits = (
        nats / log(2) / mentions if mentions else 0.0
        for nats in (key_open, response_open, both_open)
    )
    counts = {"bits": bits, "merged": merged, "split": split}
    if not most:
        return Score(float(mentions > 0), counts=counts)
    return Score(max((most - both_open) / most, 0.0), counts=counts)


def f1(sums: FloatArray) -> FloatArray:
    """Like `score`, for many sums at once: float64 (…, 6, samples) → (…, samples)."""
    both_open, mentions, most = sums[..., 0, :] + sums[..., 2, :], sums[..., 4, :], sums[..., 5, :]
    single: FloatArray = (mentions > 0).astype(np.float64)  # for documents of one mention
    return np.maximum(np.divide(most - both_open, most, out=single, where=most > 0), 0.0)


VI = PartitionMetric(
    name="vi",
    title="VI",
    help="variation of information: what the two sides leave open about each other",
    citation="Meilă 2007, Comparing Clusterings: An Information Based Distance (JMVA 98)",
    formula="""\
VI = H(K|R) + H(R|K), in bits per mention; F1 stands for 1 − VI / log N
A mention that one side lacks is alone there. There is no recall and no precision.""",
    example="""\
9 mentions, as for vmeasure: 9·H(R|K) = 8.75 bits of what was taken apart, 9·H(K|R) = 8 of what
was put together.  VI = 16.75/9 = 1.86; 1 − 1.86 / log 9 = 0.41.""",
    columns=COLUMNS,
    count=count,
    score=score,
    f1=f1,
)

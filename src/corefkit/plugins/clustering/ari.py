"""ARI: the adjusted Rand index, which is 0 for a random response.

With b links on both sides, k in the key and r in the response, ARI = (b − e) / ((k + r)/2 − e),
where e = k·r / pairs is the expected number of links on both sides if the mentions of the document
were shuffled (Hubert and Arabie 1985). A mention that one side lacks is a singleton there. Mentions
of different documents form no pairs: b, k, r and e are summed over documents.

>>> from corefkit import Evaluator
>>> score = Evaluator("ari").update(["abc", "defg"], ["ab", "cd", "fghi"]).scores()["ari"]
>>> score.counts
{'both': 2, 'key': 9, 'response': 8, 'expected': 2.0}
>>> score.f1
0.0
"""

from math import comb

import numpy as np

from corefkit.core.arrays import FloatArray, links_among, sum_by, tuples
from corefkit.core.directed import Both, all_mentions
from corefkit.metrics.base import Counted, PartitionMetric, Score, Sums


def count(both: Both) -> Counted:
    """Links on both sides, of the key, of the response, expected; mentions of either side."""
    key, response = both
    links = [sum_by(side.document, links_among(side.size), side.documents) for side in both]
    mentions = all_mentions(key, response)
    numbers = tuples(*links, mentions)
    expected = np.array([expected_links(*document) for document in numbers], dtype=np.float64)
    return key.sum(links_among(key.n)), *links, expected, mentions


def expected_links(key: int, response: int, mentions: int) -> float:
    """The expected number of common links; in Python, as the product may exceed 64 bits."""
    return key * response / comb(mentions, 2) if mentions > 1 else 0.0


def score(sums: Sums) -> Score:
    """The score: 1 if the two sides are equal, 0 if there are no mentions."""
    both, key, response, expected, mentions = sums
    counts = {"both": both, "key": key, "response": response, "expected": expected}
    most = (key + response) / 2 - expected
    index = (both - expected) / most if most else float(mentions > 0)
    return Score(index, counts=counts)


def f1(sums: FloatArray) -> FloatArray:
    """Like `score`, for many sums at once: float64 (…, 5, samples) → (…, samples)."""
    both, key, response, expected, mentions = (sums[..., i, :] for i in range(5))
    without_links: FloatArray = (mentions > 0).astype(np.float64)
    most = (key + response) / 2 - expected
    return np.divide(both - expected, most, out=without_links, where=most != 0)


ARI = PartitionMetric(
    name="ari",
    title="ARI",
    help="the Rand index, adjusted for chance: 0 for a shuffled response, and below for worse",
    citation="Hubert and Arabie 1985, Comparing Partitions (Journal of Classification 2)",
    formula="""\
ARI = (b − e) / ((k + r)/2 − e) with b links on both sides, k of the key, r of the response, and
e = k·r / pairs of mentions by chance
A mention that one side lacks is alone there. F1 stands for ARI; it has no recall or precision.""",
    example="""\
ab and fg are linked on both sides: b = 2; k = 3 + 6, r = 1 + 1 + 6; 9 mentions make 36 pairs:
e = 9·8/36 = 2.  ARI = (2 − 2) / (8.5 − 2) = 0: as good as chance.""",
    columns=("both", "key", "response", "expected", "mentions"),
    count=count,
    score=score,
    f1=f1,
)

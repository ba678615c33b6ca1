"""Metrics for a key that is a sample: some of the true entities, each of them complete.

Recall is that of the plain metric. Precision considers all response entities that share a mention
with the sample, each weighted by the part of it that is in the sample: if n mentions of a response
entity R belong to a sampled entity K, each of the n has |R| − 1 links, of which n − 1 are right. A
link within K is counted from both ends, a wrong link from one: a wrong link between two true
entities is counted once for each of them that is in the sample (Binette et al. 2022; the weights of
er-evaluation for entities drawn with equal probability). These counts are halved, so that a link
within K counts 1.

Numerators and denominators are sums over the sampled entities. They are therefore unbiased if all
entities are equally likely to be drawn, and if the key is the whole truth, the scores are those of
the plain metrics. Their ratio is consistent but not unbiased: its bias is about 1/entities.

>>> from corefkit import Evaluator
>>> names = "pairs_sample,bcub_sample,clusters_sample"
>>> scores = Evaluator(names).update(["abc"], ["ab", "cd", "fghi"]).scores()
>>> scores["pairs_sample"].counts
{'recall': [1, 3], 'precision': [1, 1.5]}
>>> scores["clusters_sample"].counts
{'recall': [0, 1], 'precision': [0, 1.5]}
"""

from functools import partial

import numpy as np

from corefkit.core.arrays import IntArray, links_among, sum_by
from corefkit.core.directed import Both, Directed
from corefkit.metrics.base import Counted, PartitionMetric
from corefkit.metrics.counting import sum_fractions
from corefkit.plugins.clustering.entities import equal_entities


def count_pairs(both: Both) -> Counted:
    """Common links, and key links; common links, and half of all links that are counted."""
    key, _ = both
    right = key.sum(links_among(key.n))
    seen = sum_fractions(key.n * (key.column_size - 1), np.full_like(key.n, 2), *_documents(key))
    return right, sum_by(key.document, links_among(key.size), key.documents), right, seen


def count_bcub(both: Both) -> Counted:
    """Summed recall, and key mentions; summed precision, and common mentions."""
    key, _ = both
    ours, right = (
        sum_fractions(key.n**2, size, *_documents(key)) for size in (key.row_size, key.column_size)
    )
    return ours, key.mentions, right, key.sum(key.n)


def count_clusters(both: Both) -> Counted:
    """Common entities, and key entities; common entities, and response entities weighted by the
    part of each that is in the key.
    """
    key, _ = both
    right = key.sum(equal_entities(key)[0])
    return right, key.entities, right, sum_fractions(key.n, key.column_size, *_documents(key))


def _documents(table: Directed) -> tuple[IntArray, int]:
    """The document of each cell, and the number of documents."""
    return table.document[table.row], table.documents


_of_sample = partial(
    PartitionMetric,
    citation="Binette et al. 2022, Estimating the Performance of Entity Resolution Algorithms",
    symmetric=False,
)

PAIRS_SAMPLE = _of_sample(
    name="pairs_sample",
    title="Pairs (sample)",
    help="pairs, where the key is a sample of complete entities",
    formula="""\
R = pairs that both sides have / pairs of the key
P = Σ_K Σ_R n(n − 1) / Σ_K Σ_R n(|R| − 1), over response entities that share n mentions with K""",
    example="""\
ab and fg are on both sides, of 3 + 6 pairs: R = 2/9. Of {ab} 2 mentions see 1 link each, of {cd}
one each of {abc} and {defg} see 1, of {fghi} 2 see 3; ab and fg are seen twice: P = 4/10.""",
    count=count_pairs,
)

BCUB_SAMPLE = _of_sample(
    name="bcub_sample",
    title="B³ (sample)",
    help="B³, where the key is a sample of complete entities",
    formula="""\
R = Σ_K Σ_R n² / |K| / key mentions
P = Σ_K Σ_R n² / |R| / key mentions that the response has""",
    example="""\
R is that of bcub: 35/84. P = (4/2 + 1/2 + 1/2 + 4/4) / 6: h and i, which the key lacks, are not
judged but make {fghi} larger.""",
    count=count_bcub,
)

CLUSTERS_SAMPLE = _of_sample(
    name="clusters_sample",
    title="Clusters (sample)",
    help="entities that are exactly right, where the key is a sample of complete entities",
    formula="""\
R = entities that both sides have / key entities
P = entities that both sides have / Σ_K Σ_R n / |R|: response entities by the part in the sample""",
    example="""\
No entity is right: R = 0/2. All of {ab} and of {cd} is in the key, and half of {fghi}, which makes
2.5 response entities.""",
    count=count_clusters,
)

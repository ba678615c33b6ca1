"""Clusters: how many entities are exactly right, to the last mention.

A key entity is found if the response has an entity with the same mentions and no others. Anything
else earns nothing (Menestrina et al. 2010: cluster precision and recall).

>>> from corefkit import Evaluator
>>> Evaluator("clusters").update(["abc", "de", "f"], ["abc", "d", "ef"]).scores()["clusters"].counts
{'recall': [1, 3], 'precision': [1, 3]}
"""

import numpy as np

from corefkit.core.overlap import Overlap
from corefkit.metrics.base import Counted, OverlapMetric


def count(overlap: Overlap) -> Counted:
    """Common entities, and key entities; common entities, and response entities."""
    key, response = overlap.key.size, overlap.response.size
    same = (overlap.count == key[overlap.key_entity]) & (
        overlap.count == response[overlap.response_entity]
    )
    right = overlap.sum_cells(same.astype(np.int64))
    return right, overlap.key_entities, right, overlap.exchanged.key_entities


CLUSTERS = OverlapMetric(
    name="clusters",
    title="Clusters",
    help="entities that are exactly right: the same mentions and no others",
    citation="Menestrina et al. 2010, Evaluating Entity Resolution Results (PVLDB 3)",
    formula="R = entities that both sides have, to the last mention / key entities",
    example="""\
Neither {abc} nor {defg} is an entity of the response, though {ab} is nearly one: R = 0/2, P = 0/3.
With {ab} {c} {defg} as the key it would be 1/3 and 1/3.""",
    count=count,
)

"""What entity resolution counts: pairs of mentions, entities that are right, purity.

>>> from corefkit import Evaluator
>>> names = "pairs,purity,clusters"
>>> scores = Evaluator(names).update(["abc", "defg"], ["ab", "cd", "fghi"]).scores()
>>> for name in scores:
...     print(name, scores[name].counts)
pairs {'recall': [2, 9], 'precision': [2, 8]}
purity {'recall': [4, 7], 'precision': [5, 8]}
clusters {'recall': [0, 2], 'precision': [0, 3]}
"""

from dataclasses import replace

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.directed import Directed
from corefkit.metrics.base import PartitionMetric, Share
from corefkit.metrics.partition import LINKS, mentions_of, ones

PAIRS = replace(
    LINKS,
    name="pairs",
    title="Pairs",
    help="pairs of mentions of one entity, as entity resolution counts them: the same as links",
    citation="Menestrina et al. 2010, Evaluating Entity Resolution Results (PVLDB 3)",
    formula="R = pairs that both sides have / pairs of the key",
)


def largest_cells(table: Directed) -> tuple[IntArray, int]:
    """The mentions of the first of the largest cells of each entity; 0 for the other cells."""
    order = np.lexsort((-table.n, table.row))
    largest = np.zeros(len(order), dtype=bool)
    largest[order] = np.diff(table.row[order], prepend=-1) != 0
    return np.where(largest, table.n, 0), 1


PURITY = PartitionMetric(
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
    shares=(Share(largest_cells, mentions_of),),
)


def equal_entities(table: Directed) -> tuple[IntArray, int]:
    """1 if the two entities have the same mentions and no others."""
    return ((table.n == table.row_size) & (table.n == table.column_size)).astype(np.int64), 1


CLUSTERS = PartitionMetric(
    name="clusters",
    title="Clusters",
    help="entities that are exactly right: the same mentions and no others",
    citation="Menestrina et al. 2010, Evaluating Entity Resolution Results (PVLDB 3)",
    formula="R = entities that both sides have, to the last mention / key entities",
    example="""\
Neither {abc} nor {defg} is an entity of the response, though {ab} is nearly one: R = 0/2, P = 0/3.
With {ab} {c} {defg} as the key it would be 1/3 and 1/3.""",
    shares=(Share(equal_entities, ones),),
)

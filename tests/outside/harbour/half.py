"""A metric: how many entities are found by more than half.

An entity is found if more than half of its mentions are in one entity of the other side.

>>> from corefkit import Evaluator
>>> score = Evaluator(HALF).update(["abc", "defg"], ["ab", "cd", "fghi"]).scores()["half"]
>>> score.counts
{'recall': [1, 2], 'precision': [1, 3]}
"""

from corefkit.core.arrays import IntArray
from corefkit.core.directed import Directed, Numbers
from corefkit.metrics.base import PartitionMetric, Share


def found(table: Directed) -> tuple[Numbers, int]:
    """1 for a cell with more than half of the mentions of its entity."""
    return (2 * table.n > table.row_size).astype("int64"), 1


def entities(table: Directed) -> IntArray:
    """1 for each entity."""
    return table.size**0


HALF = PartitionMetric(
    name="half",
    title="Half",
    help="entities that are found by more than half",
    citation="The Harbour Papers",
    formula="R = key entities with |K ∩ R| > |K| / 2 for some R / key entities; P exchanged",
    example="ab is more than half of abc, fg is not of defg: R = 1/2. P = 1/3.",
    shares=(Share(found, entities),),
)

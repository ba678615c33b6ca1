"""Coreference links: pairs of mentions of one entity. `--by link:tokens` splits them by distance.

The sums are the coreference counts of BLANC. Large entities dominate: n mentions make n(n−1)/2
links. In entity resolution the same counts are called pairs. Mentions that the other side lacks
are kept, with all their links.

>>> from corefkit import Evaluator
>>> scores = Evaluator("links,pairs").update(["abc", "defg"], ["ab", "cd", "fghi"]).scores()
>>> scores["links"].counts
{'recall': [2, 9], 'precision': [2, 8]}
>>> scores["pairs"].counts == scores["links"].counts
True
"""

from dataclasses import replace

from corefkit.core.arrays import pairs
from corefkit.core.overlap import Overlap
from corefkit.metrics.base import Counted, OverlapMetric


def count(overlap: Overlap) -> Counted:
    """Common links, and key links; common links, and response links."""
    both = overlap.sum_cells(pairs(overlap.count))
    return both, overlap.key_links, both, overlap.exchanged.key_links


LINKS = OverlapMetric(
    name="links",
    title="Links",
    help="coreference links: pairs of mentions of one entity",
    citation="Luo et al. 2014, An Extension of BLANC to System Mentions (ACL): its C links",
    formula="R = |C_k ∩ C_r| / |C_k| over coreference links",
    example="""\
Of the 3 + 6 links of the key ab and fg are linked in the response: R = 2/9.
The response has 1 + 1 + 6: P = 2/8, F1 = 4/17.""",
    count=count,
)

PAIRS = replace(
    LINKS,
    name="pairs",
    title="Pairs",
    help="pairs of mentions of one entity, as entity resolution counts them: the same as links",
    citation="Menestrina et al. 2010, Evaluating Entity Resolution Results (PVLDB 3)",
    formula="R = pairs that both sides have / pairs of the key",
)

"""The partition metrics: what one cell earns of what its entity could, in one direction.

A cell is what an entity of this side and one of the other have in common: n mentions, and with
split antecedents m = n + weight. Recall sums over the key's table, precision over the response's.
This is all that there is to a metric: files, the Evaluator, strata, windows, topics and errors sum
the same shares by other labels, or over other tables.

The examples have the key {abc} {defg} and the response {ab} {cd} {fghi}, as in Pradhan et al.
(2014).

>>> from corefkit import Evaluator
>>> names = "mentions,muc,bcub,ceafm,ceafe,lea,links"
>>> scores = Evaluator(names).update(["abc", "defg"], ["ab", "cd", "fghi"]).scores()
>>> for name in scores:
...     print(name, scores[name].counts)
mentions {'recall': [6, 7], 'precision': [6, 8]}
muc {'recall': [2, 5], 'precision': [2, 5]}
bcub {'recall': [2.9166666666666665, 7], 'precision': [4.0, 8]}
ceafm {'recall': [4, 7], 'precision': [4, 8]}
ceafe {'recall': [1.3, 2], 'precision': [1.3, 3]}
lea {'recall': [1.6666666666666667, 7], 'precision': [2.6666666666666665, 8]}
links {'recall': [2, 9], 'precision': [2, 8]}
"""

import numpy as np

from corefkit.core.arrays import IntArray, links_among
from corefkit.core.directed import Directed, Numbers
from corefkit.metrics.base import PartitionMetric, Share

_LUO = "Luo 2005, On Coreference Resolution Performance Metrics (EMNLP)"


def mentions_of(table: Directed) -> IntArray:
    """int64 (entities,): the mentions of each entity."""
    return table.size


def ones(table: Directed) -> IntArray:
    """int64 (entities,): 1 for each entity."""
    return np.ones_like(table.size)


def links_of(table: Directed) -> IntArray:
    """int64 (entities,): the links of each entity, i.e. the pairs of its mentions."""
    return links_among(table.size)


def found_mentions(table: Directed) -> tuple[Numbers, int]:
    """The mentions that are found."""
    return table.m, 1


FOUND = Share(found_mentions, mentions_of)

MENTIONS = PartitionMetric(
    name="mentions",
    title="mentions",
    help="mention detection: which spans were found, whatever their entity",
    citation="Pradhan et al. 2014, Scoring Coreference Partitions of Predicted Mentions (ACL)",
    formula="R = mentions in both / key mentions",
    example="""\
a b c d f g are in both, e is in the key only, h and i are in the response only.
R = 6/7, P = 6/8.""",
    shares=(FOUND,),
    table="mentions",
    by_mention=True,
)


def holding_links(table: Directed) -> tuple[Numbers, int]:
    """The links that hold the cell together: all its mentions but one.

    A virtual mention is linked, with its weight, if the cell has another mention.
    """
    return np.where(table.n > 0, table.m - 1, 0), 1


def needed_links(table: Directed) -> IntArray:
    """The links that hold each entity together."""
    return table.size - 1


MUC = PartitionMetric(
    name="muc",
    title="MUC",
    help="links that hold the entities together; singletons count nothing",
    citation="Vilain et al. 1995, A Model-Theoretic Coreference Scoring Scheme (MUC-6)",
    formula="""\
R = Σ_K (|K| − parts of K) / Σ_K (|K| − 1)
K falls into parts: what one response entity has of it, and each mention the response misses.""",
    example="""\
{abc} has the parts {ab} {c}: 3 − 2 = 1. {defg} has the parts {d} {e} {fg}: 4 − 3 = 1.
R = (1 + 1) / (2 + 3) = 2/5.
{ab} is whole: 2 − 1 = 1. {cd}: 2 − 2 = 0. {fghi} has the parts {fg} {h} {i}: 4 − 3 = 1.
P = (1 + 0 + 1) / (1 + 1 + 3) = 2/5.""",
    shares=(Share(holding_links, needed_links, first=False),),
    plurals="aligned",
    by_mention=True,
)


def squares(table: Directed) -> tuple[Numbers, IntArray]:
    """Each of the m mentions has the share m/size."""
    return table.m**2, table.row_size


BCUB = PartitionMetric(
    name="bcub",
    title="B³",
    help="B³: for each mention, the share of its entity that was found",
    citation="Bagga and Baldwin 1998, Algorithms for Scoring Coreference Chains (LREC)",
    formula="R = Σ_K Σ_R |K ∩ R|² / |K| / key mentions",
    example="""\
{abc} shares 2 with {ab}, 1 with {cd}: (4 + 1) / 3. {defg} shares 1 with {cd}, 2 with {fghi}:
(1 + 4) / 4.  R = (5/3 + 5/4) / 7 = 35/84.
P = (4/2 + (1 + 1)/2 + 4/4) / 8 = 4/8.  F1 = 5/11 (the paper prints 0.46, having rounded).""",
    shares=(Share(squares, mentions_of),),
    plurals="aligned",
    by_mention=True,
)

CEAFM = PartitionMetric(
    name="ceafm",
    title="CEAFm",
    help="mentions in entities that are aligned one to one (CEAF, φ₃)",
    citation=_LUO,
    formula="R = Σ |K ∩ R| over the best one-to-one alignment / key mentions",
    example="""\
The best alignment is {abc}–{ab} with 2 and {defg}–{fghi} with 2 mentions in common.
R = 4/7, P = 4/8.""",
    shares=(FOUND,),
    plurals="aligned",
    table="listed",
    aligned=True,
    by_mention=True,
)


def similarity(table: Directed) -> tuple[Numbers, IntArray]:
    """φ₄ of the two entities."""
    return 2 * table.m, table.row_size + table.column_size


CEAFE = PartitionMetric(
    name="ceafe",
    title="CEAFe",
    help="similarity of entities that are aligned one to one (CEAF, φ₄)",
    citation=_LUO,
    formula="R = Σ 2|K ∩ R| / (|K| + |R|) over the best one-to-one alignment / key entities",
    example="""\
The best alignment is {abc}–{ab} with φ₄ = 2·2 / (3 + 2) = 0.8 and {defg}–{fghi} with
φ₄ = 2·2 / (4 + 4) = 0.5.  R = 1.3/2, P = 1.3/3.""",
    shares=(Share(similarity, ones),),
    plurals="aligned",
    table="listed",
    aligned=True,
)


def resolved_links(table: Directed) -> tuple[Numbers, IntArray]:
    """size · (links found / links of the entity).

    A singleton has a link to itself, which is found if the other side has it as a singleton, too.
    Each link of a virtual mention counts with its weight.
    """
    alone = (table.row_size == 1) & (table.column_size == 1)
    links = table.n * (table.n - 1) + 2 * table.n * table.weight
    return np.where(alone, table.m**2, links), np.maximum(table.row_size - 1, 1)


LEA = PartitionMetric(
    name="lea",
    title="LEA",
    help="links found in each entity, weighted by its size; singletons link to themselves",
    citation="Moosavi and Strube 2016, Which Coreference Evaluation Metric Do You Trust? (ACL)",
    formula="""\
R = Σ_K |K| · (found links of K / all links of K) / key mentions
A singleton counts as linked to itself; having the same singleton, the response finds that link.""",
    example="""\
Of the 3 links of {abc}, ab is found; of the 6 of {defg}, fg.  R = (3·1/3 + 4·1/6) / 7 = 5/21.
Of {ab} 1 of 1 is right, of {cd} 0 of 1, of {fghi} 1 of 6.  P = (2 + 0 + 4/6) / 8 = 1/3.""",
    shares=(Share(resolved_links, mentions_of),),
    plurals="equal",
    by_mention=True,
)


def common_links(table: Directed) -> tuple[Numbers, int]:
    """The pairs of mentions of the cell."""
    return links_among(table.n) + table.n * table.weight, 1


COREFERENT = Share(common_links, links_of)

LINKS = PartitionMetric(
    name="links",
    title="Links",
    help="coreference links: pairs of mentions of one entity",
    citation="Luo et al. 2014, An Extension of BLANC to System Mentions (ACL): its C links",
    formula="R = |C_k ∩ C_r| / |C_k| over coreference links",
    example="""\
Of the 3 + 6 links of the key ab and fg are linked in the response: R = 2/9.
The response has 1 + 1 + 6: P = 2/8, F1 = 4/17.""",
    shares=(COREFERENT,),
    table="linked",
)


def common_nonlinks(table: Directed) -> tuple[Numbers, int]:
    """Half of the links to mentions that are in other entities on both sides.

    The other half of each link goes to the entity at its other end.
    """
    return table.m * table.strangers, 2


def nonlinks_of(table: Directed) -> IntArray:
    """int64 (entities,): the links of each entity to the other mentions of its document."""
    return table.size * table.others


NONCOREFERENT = Share(common_nonlinks, nonlinks_of, 2)
"""The links of BLANC between entities; `metrics.blanc` makes a score of both kinds."""

"""Variants of B³ and CEAF in older papers: twinless mentions are moved before scoring.

A mention is twinless if the other side lacks it. Each variant is a metric of its own, so that old
scores can be reproduced; none is a default, because moving mentions rewards errors (Pradhan et al.
2014, section 2; docs/metrics.md).

>>> from corefkit import Evaluator
>>> names = "bcub,bcub_0,bcub_all,bcub_rn,bcub_sys,ceafm_sys"
>>> for name, score in Evaluator(names).update(["abc"], ["abd"]).scores().items():
...     print(name, score)
bcub R 44.44 P 44.44 F1 44.44
bcub_0 R 44.44 P 100.00 F1 61.54
bcub_all R 55.56 P 55.56 F1 55.56
bcub_rn R 55.56 P 55.56 F1 55.56
bcub_sys R 55.56 P 66.67 F1 60.61
ceafm_sys R 66.67 P 50.00 F1 57.14
"""

from functools import partial

import numpy as np

from corefkit.core.arrays import BoolArray, FloatArray, IntArray, sum_by, sum_of_ratios
from corefkit.core.directed import Both, Directed, same_for_all, tabulate
from corefkit.metrics.base import Counted, PartitionMetric
from corefkit.metrics.counting import count
from corefkit.metrics.partition import BCUB, CEAFE, CEAFM

_STOYANOV = "Stoyanov et al. 2009, Conundrums in Noun Phrase Coreference Resolution (ACL)"
_RAHMAN = "Rahman and Ng 2009, Supervised Models for Coreference Resolution (EMNLP)"
_CAI = "Cai and Strube 2010, Evaluation Metrics for End-to-End Coreference Resolution (SIGDIAL)"


def common_mentions(table: Directed) -> IntArray:
    """int64 (entities,): the number of mentions of each that the other side has."""
    return sum_by(table.row, table.n, len(table.size))


def without_twinless(key: Directed) -> Directed:
    """The key's table, where the response lacks its twinless mentions."""
    return _resize_response(key, common_mentions(key.read_back()))


def without_spurious_singletons(key: Directed) -> Directed:
    """The key's table, where the response lacks its twinless singletons."""
    alone = (key.other == 1) & (common_mentions(key.read_back()) == 0)
    return _resize_response(key, np.where(alone, 0, key.other))


def with_undetected(key: Directed) -> Directed:
    """The key's table, where the response has a singleton for each key mention that it lacks."""
    lacking = key.size - common_mentions(key)
    owner = np.repeat(np.arange(len(lacking)), lacking)
    response = (
        np.append(key.other_document, key.document[owner]),
        np.append(key.other, np.ones_like(owner)),
    )
    new = len(key.other) + np.arange(len(owner))
    rows = np.append(np.repeat(key.row, key.n), owner)
    columns = np.append(np.repeat(key.column, key.n), new)
    return tabulate(key.documents, (key.document, key.size), response, rows, columns)


def _resize_response(key: Directed, size: IntArray) -> Directed:
    """The key's table with other sizes of response entities; those of size 0 are dropped."""
    left: BoolArray = size > 0
    number = np.cumsum(left) - 1
    return key._replace(
        other_document=key.other_document[left], other=size[left], column=number[key.column]
    )


def _count(metric: PartitionMetric, key: Directed) -> Counted:
    return count(same_for_all(key), [metric])[metric.name]


def count_bcub_0(both: Both) -> Counted:
    """B³ without the twinless response mentions."""
    return _count(BCUB, without_twinless(both[0]))


def count_bcub_all(both: Both) -> Counted:
    """B³ in which a twinless mention counts as a correct singleton: 1/|K| instead of 0."""
    key, response = both
    return _summed(key), key.mentions, _summed(response), response.mentions


def _summed(table: Directed) -> FloatArray:
    size = table.size
    return sum_of_ratios(
        np.concatenate((table.document[table.row], table.document)),
        np.concatenate((table.n**2, size - common_mentions(table))),
        np.concatenate((table.row_size, size)),
        table.documents,
    )


def count_after_sys(metric: PartitionMetric, both: Both) -> Counted:
    """The recall and precision of a metric, each after the moves of Cai and Strube."""
    # Recall: spurious mentions are dropped from the response. Precision: spurious singletons
    # are dropped, and the key gets the other spurious mentions as singletons. In both, the
    # response gets undetected key mentions as singletons.
    key, _ = both
    recall = _count(metric, with_undetected(without_twinless(key)))
    joined = with_undetected(without_spurious_singletons(key))
    precision = _count(metric, with_undetected(joined.read_back()))
    return *recall[:2], *precision[:2]


BCUB_0 = PartitionMetric(
    name="bcub_0",
    title="B³ 0",
    help="B³ without the response mentions that the key lacks (old variant)",
    citation=_STOYANOV,
    formula="bcub once twinless response mentions are dropped; an undetected key mention has R 0",
    example="""\
h and i are dropped: R = {ab} {cd} {fg}. Recall stays 35/84.
P = (4/2 + (1 + 1)/2 + 4/2) / 6 = 5/6: h and i cost nothing.""",
    count=count_bcub_0,
    symmetric=False,
)

BCUB_ALL = PartitionMetric(
    name="bcub_all",
    title="B³ all",
    help="B³ in which twinless mentions count as right singletons (old variant)",
    citation=_STOYANOV,
    formula="R = Σ_K (Σ_R |K ∩ R|² + twinless mentions of K) / |K| / key mentions",
    example="""\
e has recall 1/4: R = (5/3 + (5 + 1)/4) / 7 = 19/42.
h and i have precision 1/4 each: P = (4/2 + (1 + 1)/2 + (4 + 2)/4) / 8 = 9/16.""",
    count=count_bcub_all,
)


def count_rn(metric: PartitionMetric, both: Both) -> Counted:
    """A metric without twinless response singletons."""
    return _count(metric, without_spurious_singletons(both[0]))


def _rn(metric: PartitionMetric, counted: PartitionMetric, result: str) -> PartitionMetric:
    """A metric in the variant of Rahman and Ng; `result` is that of the example."""
    return PartitionMetric(
        name=f"{metric.name}_rn",
        title=f"{metric.title} RN",
        help=f"{counted.name} without spurious response singletons (old variant)",
        citation=_RAHMAN,
        formula=f"{counted.name}, once twinless singletons of the response have been deleted",
        example=f"There is no spurious singleton, so {result} as in {counted.name}.",
        count=partial(count_rn, counted),
        symmetric=False,
    )


BCUB_RN = _rn(BCUB, BCUB_ALL, "R = 19/42 and P = 9/16")
CEAFM_RN = _rn(CEAFM, CEAFM, "R = 4/7 and P = 4/8")
CEAFE_RN = _rn(CEAFE, CEAFE, "R = 1.3/2 and P = 1.3/3")


def _sys(
    metric: PartitionMetric, called: str, example: str, citation: str = _CAI
) -> PartitionMetric:
    """A metric in the variant of Cai and Strube."""
    name = metric.name
    return PartitionMetric(
        name=f"{name}_sys",
        title=f"{metric.title} sys",
        help=f"{called} with mentions moved between key and response (old variant)",
        citation=citation,
        formula=f"""\
{name} after moves: undetected key mentions join the response as singletons, spurious response
singletons go; remaining spurious mentions are added to the key as singletons to compute precision,
and deleted to compute recall""",
        example=example,
        count=partial(count_after_sys, metric),
        symmetric=False,
    )


BCUB_SYS = _sys(
    BCUB,
    "B³",
    """\
Recall: {ab} {cd} {fg} {e} against {abc} {defg}: (5/3 + (1 + 4 + 1)/4) / 7 = 19/42.
Precision: {ab} {cd} {fghi} {e} against {abc} {defg} {h} {i}:
(4/2 + 2/2 + (4 + 1 + 1)/4 + 1) / 9 = 11/18.""",
)
CEAFM_SYS = _sys(
    CEAFM,
    "ceafm",
    """\
Recall: {ab} {cd} {fg} {e} against {abc} {defg}: 2 + 2 of 7 mentions.
Precision: {ab} {cd} {fghi} {e} against {abc} {defg} {h} {i}: 2 + 2 of 9 mentions.""",
)
CEAFE_SYS = _sys(
    CEAFE,
    "ceafe",
    """\
Recall: {abc}–{ab} 4/5 and {defg}–{fg} 4/6, of 2 key entities: R = (22/15) / 2.
Precision: {abc}–{ab} 4/5, {defg}–{e} 2/5, {h}–{fghi} 2/5, of 4 response entities: P = 1.6/4.
The two added singletons have pulled {defg} and {fghi} apart.""",
    f"{_CAI}; for φ₄ as in the scorer of CoNLL-2011 and 2012 (v4), without its bugs",
)

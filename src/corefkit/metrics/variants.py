"""Variants of B³ and CEAF in older papers: twinless mentions are moved before scoring.

A mention is twinless if the other side lacks it. Each variant is a metric of its own, so that old
scores can be reproduced; none is a default, because moving mentions rewards errors (Pradhan et al.
2014, section 2; docs/variants.md).

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

from dataclasses import replace

import numpy as np

from corefkit.core.arrays import BoolArray, FloatArray, IntArray, sum_by, sum_of_ratios
from corefkit.core.overlap import Entities, Overlap, overlap_of_entities
from corefkit.metrics import bcub, ceaf
from corefkit.metrics.base import Counted, CountOverlap, OverlapMetric

_STOYANOV = "Stoyanov et al. 2009, Conundrums in Noun Phrase Coreference Resolution (ACL)"
_RAHMAN = "Rahman and Ng 2009, Supervised Models for Coreference Resolution (EMNLP)"
_CAI = "Cai and Strube 2010, Evaluation Metrics for End-to-End Coreference Resolution (SIGDIAL)"


def common_mentions(overlap: Overlap) -> IntArray:
    """int64 (key entities,): the number of mentions of each that the response has."""
    return sum_by(overlap.key_entity, overlap.count, len(overlap.key.size))


def without_twinless(overlap: Overlap) -> Overlap:
    """The response without its twinless mentions."""
    return _resize_response(overlap, common_mentions(overlap.exchanged))


def without_spurious_singletons(overlap: Overlap) -> Overlap:
    """The response without its twinless singletons."""
    size = overlap.response.size
    alone = (size == 1) & (common_mentions(overlap.exchanged) == 0)
    return _resize_response(overlap, np.where(alone, 0, size))


def with_undetected(overlap: Overlap) -> Overlap:
    """The response with a singleton for each key mention that it lacks."""
    lacking = overlap.key.size - common_mentions(overlap)
    owner = np.repeat(np.arange(len(lacking)), lacking)
    response = Entities(
        np.append(overlap.response.document, overlap.key.document[owner]),
        np.append(overlap.response.size, np.ones_like(owner)),
    )
    new = len(overlap.response.size) + np.arange(len(owner))
    ours = np.append(np.repeat(overlap.key_entity, overlap.count), owner)
    theirs = np.append(np.repeat(overlap.response_entity, overlap.count), new)
    return overlap_of_entities(overlap.documents, (overlap.key, response), ours, theirs)


def _resize_response(overlap: Overlap, size: IntArray) -> Overlap:
    """The overlap with other sizes of response entities; those of size 0 are dropped."""
    left: BoolArray = size > 0
    number = np.cumsum(left) - 1
    response = Entities(overlap.response.document[left], size[left])
    return replace(overlap, response=response, response_entity=number[overlap.response_entity])


def count_bcub_0(overlap: Overlap) -> Counted:
    """B³ without the twinless response mentions."""
    return bcub.count(without_twinless(overlap))


def count_bcub_all(overlap: Overlap) -> Counted:
    """B³ in which a twinless mention counts as a correct singleton: 1/|K| instead of 0."""
    other = overlap.exchanged
    return _summed(overlap), overlap.key_mentions, _summed(other), other.key_mentions


def _summed(overlap: Overlap) -> FloatArray:
    size = overlap.key.size
    return sum_of_ratios(
        np.concatenate((overlap.document, overlap.key.document)),
        np.concatenate((overlap.count**2, size - common_mentions(overlap))),
        np.concatenate((size[overlap.key_entity], size)),
        overlap.documents,
    )


def _after_sys(count: CountOverlap) -> CountOverlap:
    """The recall and precision of a metric, each after the moves of Cai and Strube."""

    def moved(overlap: Overlap) -> Counted:
        # Recall: spurious mentions are dropped from the response. Precision: spurious singletons
        # are dropped, and the key gets the other spurious mentions as singletons. In both, the
        # response gets undetected key mentions as singletons.
        recall = count(with_undetected(without_twinless(overlap)))
        joined = with_undetected(without_spurious_singletons(overlap))
        precision = count(with_undetected(joined.exchanged))
        return *recall[:2], *precision[:2]

    return moved


BCUB_0 = OverlapMetric(
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

BCUB_ALL = OverlapMetric(
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


def _rn(metric: OverlapMetric, counted: OverlapMetric, result: str) -> OverlapMetric:
    """A metric in the variant of Rahman and Ng; `result` is that of the example."""
    return OverlapMetric(
        name=f"{metric.name}_rn",
        title=f"{metric.title} RN",
        help=f"{counted.name} without spurious response singletons (old variant)",
        citation=_RAHMAN,
        formula=f"{counted.name}, once twinless singletons of the response have been deleted",
        example=f"There is no spurious singleton, so {result} as in {counted.name}.",
        count=lambda overlap: counted.count(without_spurious_singletons(overlap)),
        symmetric=False,
    )


BCUB_RN = _rn(bcub.BCUB, BCUB_ALL, "R = 19/42 and P = 9/16")
CEAFM_RN = _rn(ceaf.CEAFM, ceaf.CEAFM, "R = 4/7 and P = 4/8")
CEAFE_RN = _rn(ceaf.CEAFE, ceaf.CEAFE, "R = 1.3/2 and P = 1.3/3")


def _sys(metric: OverlapMetric, called: str, example: str, citation: str = _CAI) -> OverlapMetric:
    """A metric in the variant of Cai and Strube."""
    name = metric.name
    return OverlapMetric(
        name=f"{name}_sys",
        title=f"{metric.title} sys",
        help=f"{called} with mentions moved between key and response (old variant)",
        citation=citation,
        formula=f"""\
{name} after moves: undetected key mentions join the response as singletons, spurious response
singletons go; remaining spurious mentions are added to the key as singletons to compute precision,
and deleted to compute recall""",
        example=example,
        count=_after_sys(metric.count),
        symmetric=False,
    )


BCUB_SYS = _sys(
    bcub.BCUB,
    "B³",
    """\
Recall: {ab} {cd} {fg} {e} against {abc} {defg}: (5/3 + (1 + 4 + 1)/4) / 7 = 19/42.
Precision: {ab} {cd} {fghi} {e} against {abc} {defg} {h} {i}:
(4/2 + 2/2 + (4 + 1 + 1)/4 + 1) / 9 = 11/18.""",
)
CEAFM_SYS = _sys(
    ceaf.CEAFM,
    "ceafm",
    """\
Recall: {ab} {cd} {fg} {e} against {abc} {defg}: 2 + 2 of 7 mentions.
Precision: {ab} {cd} {fghi} {e} against {abc} {defg} {h} {i}: 2 + 2 of 9 mentions.""",
)
CEAFE_SYS = _sys(
    ceaf.CEAFE,
    "ceafe",
    """\
Recall: {abc}–{ab} 4/5 and {defg}–{fg} 4/6, of 2 key entities: R = (22/15) / 2.
Precision: {abc}–{ab} 4/5, {defg}–{e} 2/5, {h}–{fghi} 2/5, of 4 response entities: P = 1.6/4.
The two added singletons have pulled {defg} and {fghi} apart.""",
    f"{_CAI}; for φ₄ as in the scorer of CoNLL-2011 and 2012 (v4), without its bugs",
)

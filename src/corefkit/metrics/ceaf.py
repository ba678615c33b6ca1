"""CEAF: entities aligned one to one as well as possible, then compared.

φ₃(K, R) = |K ∩ R| counts mentions (ceafm), φ₄(K, R) = 2|K ∩ R| / (|K| + |R|) entities (ceafe).
The alignment with the largest sum of φ is sought anew for each of them (Luo 2005).

>>> from corefkit import Evaluator
>>> evaluator = Evaluator("ceafm,ceafe").update(["abc", "defg"], ["ab", "cd", "fghi"])
>>> evaluator.scores()["ceafm"].counts
{'recall': [4, 7], 'precision': [4, 8]}
>>> evaluator.scores()["ceafe"].counts
{'recall': [1.3, 2], 'precision': [1.3, 3]}
"""

import numpy as np

from corefkit.data.arrays import sum_by, sum_of_ratios
from corefkit.data.overlap import Overlap
from corefkit.metrics.assignment import best_alignment
from corefkit.metrics.base import Column, OverlapMetric

_LUO = "Luo 2005, On Coreference Resolution Performance Metrics (EMNLP)"


def count_mentions(overlap: Overlap) -> tuple[Column, ...]:
    """Mentions in aligned entities (φ₃), of all key and of all response mentions."""
    weight = overlap.count.astype(np.float64)
    chosen = best_alignment(overlap.key_entity, overlap.response_entity, weight)
    common = sum_by(overlap.document[chosen], overlap.count[chosen], overlap.documents)
    return common, overlap.key_mentions, common, overlap.exchanged.key_mentions


def count_entities(overlap: Overlap) -> tuple[Column, ...]:
    """The likeness of aligned entities (φ₄), of all key and of all response entities."""
    shared = 2 * overlap.count
    sizes = overlap.key.size[overlap.key_entity] + overlap.response.size[overlap.response_entity]
    chosen = best_alignment(overlap.key_entity, overlap.response_entity, shared / sizes)
    likeness = sum_of_ratios(
        overlap.document[chosen], shared[chosen], sizes[chosen], overlap.documents
    )
    key, response = (
        np.bincount(side.document, minlength=overlap.documents)
        for side in (overlap.key, overlap.response)
    )
    return likeness, key, likeness, response


CEAFM = OverlapMetric(
    name="ceafm",
    help="mentions in entities that are aligned one to one (CEAF, φ₃)",
    citation=_LUO,
    formula="R = Σ |K ∩ R| over the best one-to-one alignment / key mentions",
    example="""\
The best alignment is {abc}–{ab} with 2 and {defg}–{fghi} with 2 mentions in common.
R = 4/7, P = 4/8.""",
    count=count_mentions,
)

CEAFE = OverlapMetric(
    name="ceafe",
    help="likeness of entities that are aligned one to one (CEAF, φ₄)",
    citation=_LUO,
    formula="R = Σ 2|K ∩ R| / (|K| + |R|) over the best one-to-one alignment / key entities",
    example="""\
The best alignment is {abc}–{ab} with φ₄ = 2·2 / (3 + 2) = 0.8 and {defg}–{fghi} with
φ₄ = 2·2 / (4 + 4) = 0.5.  R = 1.3/2, P = 1.3/3.""",
    count=count_entities,
)

"""CEAF: the similarity of entities in the best one-to-one alignment.

φ₃(K, R) = |K ∩ R| counts mentions (ceafm), φ₄(K, R) = 2|K ∩ R| / (|K| + |R|) entities (ceafe).
Each has its own alignment, the one with the largest sum of φ (Luo 2005); among equally good ones,
`core.pairing` always takes the same one.

>>> from corefkit import Evaluator
>>> evaluator = Evaluator("ceafm,ceafe").update(["abc", "defg"], ["ab", "cd", "fghi"])
>>> evaluator.scores()["ceafm"].counts
{'recall': [4, 7], 'precision': [4, 8]}
>>> evaluator.scores()["ceafe"].counts
{'recall': [1.3, 2], 'precision': [1.3, 3]}
"""

from dataclasses import replace

import numpy as np

from corefkit.core.arrays import FloatArray
from corefkit.core.overlap import Overlap
from corefkit.core.pairing import best_alignment
from corefkit.metrics.base import Counted, OverlapMetric

_LUO = "Luo 2005, On Coreference Resolution Performance Metrics (EMNLP)"


def count_mentions(overlap: Overlap) -> Counted:
    """Σ φ₃ over aligned entities, and key mentions; Σ φ₃, and response mentions."""
    if overlap.weighted:
        return _count_weighted(overlap, entities=False)
    return aligned_mentions(overlap, align(overlap, overlap.count.astype(np.float64)))


def count_entities(overlap: Overlap) -> Counted:
    """Σ φ₄ over aligned entities, and key entities; Σ φ₄, and response entities."""
    if overlap.weighted:
        return _count_weighted(overlap, entities=True)
    return aligned_entities(overlap, align(overlap, 2 * overlap.count / overlap.size_sums))


def _count_weighted(overlap: Overlap, *, entities: bool) -> Counted:
    """The counts with split antecedents: a cell with a virtual mention shares n + w mentions."""
    from corefkit.metrics.elements import sum_weighted

    new_cells = [cell[:2] for cell in overlap.weighted if not cell.shared]
    ours, theirs = np.array(new_cells, dtype=np.int64).reshape(-1, 2).T
    whole = replace(
        overlap,
        key_entity=np.append(overlap.key_entity, ours),
        response_entity=np.append(overlap.response_entity, theirs),
        count=np.append(overlap.count, np.zeros_like(ours)),
    )
    weight = {(cell.key_entity, cell.response_entity): cell.recall for cell in overlap.weighted}
    cells = list(zip(whole.key_entity.tolist(), whole.response_entity.tolist(), strict=True))
    share = whole.count + np.array([float(weight.get(cell, 0)) for cell in cells])
    size = whole.size_sums if entities else np.full(len(cells), 2)
    chosen = best_alignment(whole.key_entity, whole.response_entity, 2 * share / size)
    added = [
        (cells[at][0], 2 * weight[cells[at]] / int(size[at]))
        for at in chosen.tolist()
        if cells[at] in weight
    ]
    aligned = whole.choose(chosen)
    common = sum_weighted(aligned, 2 * aligned.count, size[chosen], added)
    other = overlap.exchanged
    if entities:
        return common, overlap.key_entities, common, other.key_entities
    return common, overlap.key_mentions, common, other.key_mentions


def align(overlap: Overlap, weight: FloatArray) -> Overlap:
    """The overlap with only the cells of the best one-to-one alignment."""
    return overlap.choose(best_alignment(overlap.key_entity, overlap.response_entity, weight))


def aligned_mentions(overlap: Overlap, aligned: Overlap) -> Counted:
    """The counts of ceafm, given the cells of the best alignment."""
    common = aligned.sum_cells(aligned.count)
    return common, overlap.key_mentions, common, overlap.exchanged.key_mentions


def aligned_entities(overlap: Overlap, aligned: Overlap) -> Counted:
    """The counts of ceafe, given the cells of the best alignment."""
    similarity = aligned.sum_ratios(2 * aligned.count, aligned.size_sums)
    return similarity, overlap.key_entities, similarity, overlap.exchanged.key_entities


CEAFM = OverlapMetric(
    name="ceafm",
    title="CEAFm",
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
    title="CEAFe",
    help="similarity of entities that are aligned one to one (CEAF, φ₄)",
    citation=_LUO,
    formula="R = Σ 2|K ∩ R| / (|K| + |R|) over the best one-to-one alignment / key entities",
    example="""\
The best alignment is {abc}–{ab} with φ₄ = 2·2 / (3 + 2) = 0.8 and {defg}–{fghi} with
φ₄ = 2·2 / (4 + 4) = 0.5.  R = 1.3/2, P = 1.3/3.""",
    count=count_entities,
)

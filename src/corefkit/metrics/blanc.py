"""BLANC: coreference links and non-coreference links are scored separately, then averaged.

A pair of common mentions is non-coreferent on both sides if it is coreferent on neither (Recasens
and Hovy 2011, with predicted mentions as in Luo et al. 2014).

>>> from corefkit import Evaluator
>>> scores = Evaluator("blanc").update(["abc", "defg"], ["ab", "cd", "fghi"]).scores()
>>> scores["blanc"].counts["coreference"]
{'recall': [2, 9], 'precision': [2, 8]}
>>> scores["blanc"].counts["noncoreference"]
{'recall': [8, 12], 'precision': [8, 20]}
>>> abs(scores["blanc"].f1 - 25 / 68) < 1e-15
True
"""

from dataclasses import replace
from functools import partial

import numpy as np

from corefkit.core.arrays import FloatArray
from corefkit.metrics.base import RATIOS, PartitionMetric, Score, Sums, ratio_f1, ratios
from corefkit.metrics.partition import COREFERENT, NONCOREFERENT

KINDS = ("coreference", "noncoreference")


def kinds(sums: Sums) -> dict[str, Sums]:
    """The RATIOS of coreference links and of non-coreference links."""
    return {"coreference": sums[:4], "noncoreference": sums[4:]}


def counting_kinds(sums: Sums, either: bool = False) -> list[str]:
    """The kinds of links that count: those that the key has or, with `either`, that a side has.

    corefud-scorer counts them in the latter way.
    """
    sides = ((name, key, response) for name, (_, key, _, response) in kinds(sums).items())
    return [name for name, key, response in sides if key or (either and response)]


def score(sums: Sums, either: bool = False) -> Score:
    """The mean over the kinds of links that count; 0 if there are none."""
    scores = {name: ratios(kind) for name, kind in kinds(sums).items()}
    used = [scores[name] for name in counting_kinds(sums, either)]
    recall, precision, f1 = (
        sum(getattr(kind, value) for kind in used) / max(len(used), 1)
        for value in ("recall", "precision", "f1")
    )
    return Score(f1, recall, precision, {name: kind.counts for name, kind in scores.items()})


def f1(sums: FloatArray, either: bool = False) -> FloatArray:
    """The F1 of `score` for many sums at once: float64 (…, 8, samples) → (…, samples)."""
    linked, unlinked = sums[..., :4, :], sums[..., 4:, :]
    counts, counts_not = (kind[..., 1, :] > 0 for kind in (linked, unlinked))
    if either:
        counts, counts_not = (
            counts | (linked[..., 3, :] > 0),
            counts_not | (unlinked[..., 3, :] > 0),
        )
    total = np.where(counts, ratio_f1(linked), 0.0) + np.where(counts_not, ratio_f1(unlinked), 0.0)
    return total / np.maximum(counts.astype(np.float64) + counts_not, 1)


BLANC = PartitionMetric(
    name="blanc",
    title="BLANC",
    help="pairs of mentions, coreferent and not coreferent, scored apart and averaged",
    citation="Luo et al. 2014, An Extension of BLANC to System Mentions (ACL)",
    formula="""\
R_c = |C_k ∩ C_r| / |C_k| over coreference links, R_n = |N_k ∩ N_r| / |N_k| over the other pairs
R = (R_c + R_n) / 2, P likewise, F1 = (F_c + F_n) / 2
Where the key has no link of a kind, only the other kind counts.""",
    example="""\
ab and fg are linked on both sides: R_c = 2/9, P_c = 2/8, F_c = 4/17.
8 pairs are unlinked on both sides: R_n = 8/12, P_n = 8/20, F_n = 1/2.
F1 = (4/17 + 1/2) / 2 = 25/68 (the paper prints 0.36, having rounded on the way).""",
    columns=tuple(f"{kind}_{column}" for kind in KINDS for column in RATIOS),
    shares=(COREFERENT, NONCOREFERENT),
    table="linked",
    plurals="equal",
    score=score,
    f1=f1,
)

BLANC_EITHER = replace(
    BLANC,
    formula=BLANC.formula.replace("the key has no link", "neither side has a link"),
    score=partial(score, either=True),
    f1=partial(f1, either=True),
)
"""BLANC under the policy `blanc` "either": a kind of link counts unless both sides lack it."""

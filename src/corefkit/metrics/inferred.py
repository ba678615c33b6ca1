"""Inferred antecedents: does the closest nominal before a mention name the right entity?

Summaries and translations replace a pronoun by a name: the nearest nominal before the mention in
its response chain. That nominal should be among the antecedents of the mention in the key (Tuggener
2014, section 3.2). KA and RA are the nominals before a mention in its key chain and in its response
chain.

`paper` follows the text of the paper; a perfect response may then score less than 1. `clean` leaves
out mentions without KA, so that tp + wl + fn are the key mentions with KA and tp + wl + fp the
response mentions with RA. `v1.0`, `v1.1` and `v1.2` are the author's releases. They search the
closest of RA anywhere in the key chain, which makes no difference, because what precedes a mention
on one side precedes it on the other. They also look up response mentions among the singletons of
the key: such a mention counts as one without a nominal before it, not as one that the key lacks.
"""

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.features.chains import ComparedChains, at
from corefkit.metrics.outcomes import FN, FP, TP, WL, OutcomeMetric, Outcomes, Sample, single


def outcomes(compared: ComparedChains, variant: str = "paper") -> tuple[Outcomes]:
    """The outcome of each mention of the two sides."""
    return (
        Outcomes(single(_over_key(compared, variant)), single(_over_response(compared, variant))),
    )


def _over_key(compared: ComparedChains, variant: str) -> IntArray:
    """int64 (key mentions,): the outcome of each; −1 if it is not judged."""
    key, response = compared.key, compared.response
    unlinked = at(response.previous, compared.in_response) < 0
    antecedent = at(response.nominal_before, compared.in_response)
    partner = at(compared.in_key, antecedent)
    right = (partner >= 0) & (at(key.entity, partner) == key.entity)
    outcome = np.where(antecedent < 0, FN, np.where(right, TP, WL))
    no_antecedent = key.nominal_before < 0
    skipped = ~key.in_nominal_chain | (key.previous < 0)
    skipped |= no_antecedent & ((variant == "clean") | key.pronoun)
    if variant in ("v1.1", "v1.2"):
        skipped |= no_antecedent & ~unlinked & (antecedent < 0)
    outcome[skipped] = -1
    return outcome


def _over_response(compared: ComparedChains, variant: str) -> IntArray:
    """int64 (response mentions,): the outcome of each; −1 if it is not judged."""
    key, response = compared.key, compared.response
    outcome = np.full(len(response), -1)
    inferred = (response.nominal_before >= 0) & (at(key.nominal_before, compared.in_key) < 0)
    if variant == "paper":
        key_chain_has_none = np.append(~key.in_nominal_chain, False)[compared.in_key]
        outcome[response.in_nominal_chain & key_chain_has_none] = WL
        outcome[at(key.previous, compared.in_key) < 0] = FP
    elif variant == "clean":
        outcome[inferred] = FP
    else:
        outcome[inferred] = FP if variant == "v1.2" else WL
        # The scripts also look up mentions among the singletons of the key.
        outcome[compared.all_partners[1] < 0] = FP
        outcome[~response.in_nominal_chain] = -1
    outcome[response.first] = -1
    return outcome


INFERRED = OutcomeMetric(
    name="inferred",
    title="Inferred",
    help="application score: is the closest nominal before each mention one of its entity?",
    formula="""\
R = tp / (tp + wl + fn), P = tp / (tp + wl + fp)
For a non-first key mention of a chain with a nominal: fn if the response lacks it or has no
nominal before it in its chain, tp if the closest of these precedes it in its key chain, else wl.
A pronoun with no nominal before it in the key is skipped.
Over the response: fp if the key lacks it or begins a chain with it; wl if its response chain has
a nominal and its key chain has none.
Variants: clean (a perfect response scores 1), v1.0, v1.1, v1.2 (the author's releases).""",
    example="""\
Text A B C D, A and C are nouns, B and D pronouns. Key {ABCD}, response {ABD}.
B finds A: tp. C is not there: fn. D finds A, which precedes it in the key, too: tp.
R = 2/3, P = 2/2.""",
    sample=Sample("A/NN B/PRP C/NN D/PRP", "ABCD", "ABD"),
    outcomes=outcomes,
    antecedent="nominal_before",
)

"""Immediate antecedents: is the preceding mention in the chain of each mention the right one?

Models of entity sequences need this. Every key mention except the first of its chain is judged: fn
if the response lacks it or begins a chain with it, tp if key and response have the same mention
before it, wl (wrong link) if they differ. Response mentions that do not begin their chain are fp if
the key lacks them or begins a chain with them (Tuggener 2014, section 3.1). So tp + wl + fn are the
links of the key, and tp + wl + fp those of the response.

The variant `code` is the author's release 1.2: it skips key chains without a nominal, and any PRP
or PRP$ before the first nominal of its key chain; the fp stay the same.
"""

import numpy as np

from corefkit.features.chains import ComparedChains, at
from corefkit.metrics.outcomes import FN, FP, TP, WL, OutcomeMetric, Outcomes, Sample, single


def outcomes(compared: ComparedChains, variant: str = "paper") -> tuple[Outcomes]:
    """The outcome of each mention of the two sides."""
    key, response = compared.key, compared.response
    antecedent = at(response.previous, compared.in_response)
    same = antecedent == at(compared.in_response, key.previous)
    over_key = np.where(antecedent < 0, FN, np.where(same, TP, WL))
    over_key[key.first] = -1
    if variant == "code":
        pronoun = ~key.nominal & key.column("pos").is_any("PRP", "PRP$")
        over_key[pronoun & (key.nominal_before < 0) | ~key.in_nominal_chain] = -1
    spurious = (response.previous >= 0) & (at(key.previous, compared.in_key) < 0)
    return (Outcomes(single(over_key), single(np.where(spurious, FP, -1))),)


IMMEDIATE = OutcomeMetric(
    name="immediate",
    title="Immediate",
    help="application score: is the immediate antecedent of each mention the right one?",
    formula="""\
R = tp / (tp + wl + fn), P = tp / (tp + wl + fp)
Of the key, all mentions but the first of each chain count: fn if the response lacks the mention
or begins a chain with it, tp if both sides have the same mention before it, wl (wrong link) if not.
fp: in the response not the first of its chain, in the key the first of one or not there at all.
Variant code: leaves out key chains that have no nominal, and PRP or PRP$ before the first one.""",
    example="""\
Text F A B C D E G H. Key {ABCD} {EG}, response {ACD} {FEH} {BG}.
B is first in {BG}: fn. C has A before it instead of B: wl. D has C on both sides: tp.
G has B instead of E: wl. E is first in its key chain, H in none: fp, fp.
R = 1/4, P = 1/5.""",
    sample=Sample("F/NN A/NN B/PRP C/NN D/PRP E/NN G/PRP H/PRP$", "ABCD EG", "ACD FEH BG"),
    outcomes=outcomes,
    only_for_classes={"paper": ("pos",)},
    antecedent="previous",
)

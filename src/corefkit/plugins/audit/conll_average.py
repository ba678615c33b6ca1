"""How a scorer computes the CoNLL score: as the mean of three F1, or otherwise.

If the scorer also gives MUC, B³ and CEAFe, its CoNLL score is compared with these figures;
otherwise with the predictions of known behaviours of the three metrics.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from corefkit.plugins.audit.answers import ScorerAnswer
from corefkit.plugins.audit.battery import Probe
from corefkit.plugins.audit.behaviours import Behaviour, averages_of
from corefkit.plugins.audit.rule_counts import Value, harmonic
from corefkit.plugins.audit.rules import RULES
from corefkit.plugins.audit.verdict import ENOUGH, MetricFigures, Verdict, gather

PARTS = ("muc", "bcub", "ceafe")

RULE_WORDS = {
    "standard": "the mean of the three F1",
    "f1-of-means": "F1 of mean recall and precision",
}
"""The known ways to compute a CoNLL score."""

Three = tuple[Value, Value, Value]


def identify_conll(
    answers: Mapping[Probe, ScorerAnswer], drawn: frozenset[str], *, alone: bool = False
) -> Verdict | None:
    """The verdict about the CoNLL score; None where no probe has one.

    With `alone` the figures of the three metrics are ignored.
    """
    evidence = gather("conll", answers, drawn)
    if evidence is None:
        return None
    parts = [gather(metric, answers, drawn) for metric in PARTS]
    if not alone and all(part is not None for part in parts):
        return _from_figures(evidence, [part for part in parts if part is not None])
    return _from_behaviours(evidence)


def _from_figures(evidence: MetricFigures, parts: list[MetricFigures]) -> Verdict:
    slack = evidence.scale.tolerance + 2 * max(part.scale.tolerance for part in parts)
    tolerant = replace(evidence, scale=evidence.scale._replace(tolerance=slack))
    misfits: dict[str, list[str]] = {}
    for rule, words in RULE_WORDS.items():
        pairs = [
            (probe.id, tolerant.agrees(mean, figures))
            for probe, figures in evidence.values
            if (mean := _mean_of_figures(probe, parts, rule)) is not None
        ]
        misfits[rule] = [name for name, agrees in pairs if not agrees]
        if pairs and not misfits[rule]:
            return _named(evidence, Behaviour("conll", rule), words)
    return _unknown(evidence, misfits["standard"])


def _mean_of_figures(probe: Probe, parts: list[MetricFigures], rule: str) -> Three | None:
    """The CoNLL score of the figures of the three metrics; None where one has no figures."""
    columns: list[list[float]] = [[], [], []]
    for part in parts:
        figures = part.figures.get(probe)
        if figures is None:
            return None
        for place, given in enumerate(figures):
            if given is not None:
                columns[place].append(given.value / part.scale.factor)
    recall, precision, f1 = (sum(c) / 3 if len(c) == 3 else math.nan for c in columns)
    if rule == "standard":
        return recall, precision, f1
    if math.isnan(recall + precision):
        return None
    return recall, precision, float(harmonic(Fraction(recall), Fraction(precision)))


def _combinations() -> list[tuple[str, tuple[Behaviour, Behaviour, Behaviour], str]]:
    """The combinations of behaviours that are tried, those with the fewest departures first.

    Each is a rule for the CoNLL score, the behaviours of the three metrics, and a description. They
    have every average with every rule that B³ and CEAFe share, and with the rules of e2e.
    """
    shared = [name for name in RULES["bcub"] if name in RULES["ceafe"]]
    triples = [(name if name in RULES["muc"] else "standard", name, name) for name in shared]
    triples.append(("standard", "singletons-both", "singletons-response"))
    combinations = []
    for average in averages_of("muc"):
        for rules in triples:
            for rule, rule_words in RULE_WORDS.items():
                muc, bcub, ceafe = (
                    Behaviour(metric, rule_of_metric, average)
                    for metric, rule_of_metric in zip(PARTS, rules, strict=True)
                )
                differing = {b.words for b in (bcub, ceafe)} - {"as standard"}
                words = "; ".join([rule_words, *sorted(differing)])
                combinations.append((rule, (muc, bcub, ceafe), words))

    def departures(combination: tuple[str, tuple[Behaviour, ...], str]) -> int:
        rule, parts, _ = combination
        return (rule != "standard") + max(part.departures for part in parts)

    return sorted(combinations, key=departures)


def _from_behaviours(evidence: MetricFigures) -> Verdict:
    standard_misfits: list[str] | None = None
    for rule, parts, words in _combinations():
        seen, misfits = 0, []
        for probe, figures in evidence.clean:
            predictions = [part.predict(probe.documents) for part in parts]
            if any(prediction.zero for prediction in predictions):
                continue
            triples = [p.values for p in predictions if p.values is not None]
            recall, precision, f1 = (sum(column) / 3 for column in zip(*triples, strict=True))
            if rule == "f1-of-means":
                f1 = harmonic(recall, precision)
            seen += 1
            if not evidence.agrees((recall, precision, f1), figures):
                misfits.append(probe.id)
        standard_misfits = misfits if standard_misfits is None else standard_misfits
        if seen >= ENOUGH and not misfits:
            departs = rule != "standard" or any(part.departures for part in parts)
            behaviour = Behaviour("conll", rule, parts[1].average)
            return _named(evidence, behaviour, words, departs=departs)
    return _unknown(evidence, standard_misfits or [])


def _named(
    evidence: MetricFigures, behaviour: Behaviour, words: str, *, departs: bool = False
) -> Verdict:
    departs = departs or behaviour.rule != "standard"
    verdict = "departs" if departs else "standard"
    return Verdict("conll", verdict, evidence.scale, behaviour, words=words)


def _unknown(evidence: MetricFigures, misfits: list[str]) -> Verdict:
    return Verdict(
        "conll",
        "unknown",
        evidence.scale,
        words="not the mean of the three F1",
        departs_on=tuple(misfits),
    )

"""How a scorer computes the CoNLL score: as the mean of three F1, or otherwise.

If the scorer also gives MUC, B³ and CEAFe, its CoNLL score is compared with these figures;
otherwise with the predictions of known behaviours of the three metrics.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from corefkit.plugins.audit.battery import Probe
from corefkit.plugins.audit.behaviours import PARTS, Behaviour, averages_of
from corefkit.plugins.audit.rule_counts import NAN, Triple, Value, harmonic, is_nan
from corefkit.plugins.audit.rules import RULES
from corefkit.plugins.audit.verdict import ENOUGH, MetricFigures, Verdict, mistake

RULE_WORDS = {
    "standard": "the mean of the three F1",
    "f1-of-means": "F1 of mean recall and precision",
}
"""The known ways to compute a CoNLL score."""


class _Average(NamedTuple):
    """A way to compute the score, in words, with the score of a probe; None where it is unknown."""

    behaviour: Behaviour
    words: str
    departures: int
    score: Callable[[Probe], Triple | None]


def identify_conll(evidence: MetricFigures, parts: Sequence[MetricFigures]) -> Verdict:
    """The verdict about the CoNLL score; `parts` are the figures of the three metrics, if used."""
    if len(parts) == len(PARTS):
        slack = evidence.scale.tolerance + 2 * max(part.scale.tolerance for part in parts)
        compared = replace(evidence, scale=evidence.scale._replace(tolerance=slack))
        asked, enough, averages = [*evidence.given], 1, [*_averages_of_figures(parts)]
    else:
        compared, asked, enough = evidence, [*evidence.clean], ENOUGH
        averages = sorted(_averages_of_behaviours(), key=lambda average: average.departures)
    standard_misfits: tuple[str, ...] = ()
    for average in averages:
        scores = [(probe, average.score(probe), rates) for probe, rates in asked]
        known = [(probe, score, rates) for probe, score, rates in scores if score is not None]
        misfits = [probe.id for probe, score, rates in known if not compared.agrees(score, rates)]
        if len(known) >= enough and not misfits:
            verdict = "departs" if average.departures else "standard"
            return Verdict("conll", verdict, evidence.scale, average.behaviour, words=average.words)
        if average is averages[0]:
            standard_misfits = tuple(misfits)
    if words := mistake(evidence):
        return Verdict("conll", "departs", evidence.scale, words=words)
    words = "not the mean of the three F1"
    return Verdict("conll", "unknown", evidence.scale, words=words, departs_on=standard_misfits)


def _averages_of_figures(parts: Sequence[MetricFigures]) -> Iterator[_Average]:
    """The rules, applied to the figures of the three metrics."""

    def score(probe: Probe, rule: str) -> Triple | None:
        triples = [rates for part in parts if (rates := part.rates.get(probe)) is not None]
        if len(triples) < len(parts):
            return None
        numbers = [[NAN if rate is None else rate for rate in rates] for rates in triples]
        return _mean([*zip(*numbers, strict=True)], rule)

    for rule, words in RULE_WORDS.items():
        departs = rule != "standard"
        yield _Average(Behaviour("conll", rule), words, departs, partial(score, rule=rule))


def _averages_of_behaviours() -> Iterator[_Average]:
    """Every average over documents with every rule that B³ and CEAFe share, and those of e2e."""
    shared = [name for name in RULES["bcub"] if name in RULES["ceafe"]]
    triples = [(name if name in RULES["muc"] else "standard", name, name) for name in shared]
    triples.append(("standard", "singletons-both", "singletons-response"))
    for average in averages_of("muc"):
        for rules in triples:
            named = zip(PARTS, rules, strict=True)
            parts = [Behaviour(metric, of_metric, average) for metric, of_metric in named]
            differing = {part.words for part in parts[1:]} - {"as standard"}
            most = max(part.departures for part in parts)
            for rule, words in RULE_WORDS.items():
                yield _Average(
                    Behaviour("conll", rule, average),
                    "; ".join([words, *sorted(differing)]),
                    most + (rule != "standard"),
                    partial(_predicted, parts=parts, rule=rule),
                )


def _predicted(probe: Probe, parts: Sequence[Behaviour], rule: str) -> Triple | None:
    """The score that three behaviours give; None where 0/0 plays a part."""
    predictions = [part.predict(probe.documents) for part in parts]
    triples = [values for values, zero in predictions if values is not None and not zero]
    return _mean([*zip(*triples, strict=True)], rule) if len(triples) == len(parts) else None


def _mean(columns: Sequence[Sequence[Value]], rule: str) -> Triple | None:
    """The CoNLL score of recall, precision and F1 of three metrics; None where it has no value."""
    recall, precision, f1 = (sum(column, Fraction(0)) / 3 for column in columns)
    if rule == "standard":
        return recall, precision, f1
    f1 = harmonic(recall, precision)
    return None if is_nan(f1) else (recall, precision, f1)

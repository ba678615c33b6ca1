"""The CoNLL score of a scorer, with the three metrics and alone."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from corefkit.plugins.audit.answers import Figure, ScorerAnswer, figure
from corefkit.plugins.audit.battery import BATTERY, Probe
from corefkit.plugins.audit.behaviours import PARTS, Behaviour
from corefkit.plugins.audit.conll_average import identify_conll
from corefkit.plugins.audit.rule_counts import Triple, Value, harmonic
from corefkit.plugins.audit.verdict import Verdict, gather

E2E = {"bcub": "singletons-both", "ceafe": "singletons-response"}


def mean(triples: list[Triple]) -> Triple:
    recall, precision, f1 = (Fraction(sum(column)) / 3 for column in zip(*triples, strict=True))
    return recall, precision, f1


def of_means(triples: list[Triple]) -> Triple:
    recall, precision, _ = mean(triples)
    return recall, precision, harmonic(recall, precision)


def maximum(triples: list[Triple]) -> Triple:
    recall, precision, f1 = (max(column) for column in zip(*triples, strict=True))
    return recall, precision, f1


def found(
    make: Callable[[list[Triple]], Triple],
    rules: dict[str, str],
    *,
    alone: bool,
    average: str = "micro",
) -> Verdict:
    answers: dict[Probe, ScorerAnswer] = {}
    for probe in BATTERY:
        behaviours = [Behaviour(part, rules.get(part, "standard"), average) for part in PARTS]
        triples = [b.predict(probe.documents).values for b in behaviours]
        values = [triple for triple in triples if triple is not None]
        figures = {"conll": tuple(map(number, make(values)))}
        figures |= {part: tuple(map(number, v)) for part, v in zip(PARTS, values, strict=True)}
        answers[probe] = ScorerAnswer(figures)  # type: ignore[arg-type]
    evidence = gather("conll", answers)
    parts = [] if alone else [gather(part, answers) for part in PARTS]
    assert evidence is not None and None not in parts
    return identify_conll(evidence, [*filter(None, parts)])


def number(value: Value) -> Figure | None:
    return figure(float(value))


@pytest.mark.parametrize("alone", [False, True])
def test_the_mean_of_three_f1_and_f1_of_means(alone: bool) -> None:
    assert found(mean, {}, alone=alone).verdict == "standard"
    departs = found(of_means, {}, alone=alone)
    assert departs.verdict == "departs"
    assert departs.behaviour is not None
    assert departs.behaviour.rule == "f1-of-means"
    assert found(maximum, {}, alone=alone).verdict == "unknown"


def test_the_rules_of_the_three_show_in_a_score_alone() -> None:
    assert found(mean, E2E, alone=False).verdict == "standard"
    verdict = found(mean, E2E, alone=True)
    assert verdict.verdict == "departs"
    assert "drops singletons from both sides first" in verdict.words
    macro = found(mean, {}, alone=True, average="macro")
    assert macro.behaviour is not None
    assert macro.behaviour.average == "macro"

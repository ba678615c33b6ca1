"""What is found: the scorers of the conformance folder, and a mutant of every behaviour."""

from dataclasses import replace
from typing import Any, TypeVar

import pytest

from corefkit.plugins.audit import behaviours
from corefkit.plugins.audit.answers import Figure, ScorerAnswer, figure
from corefkit.plugins.audit.audit_result import AuditPlan
from corefkit.plugins.audit.battery import BATTERY, Probe, random_probes
from corefkit.plugins.audit.behaviours import (
    AVERAGES,
    COPIES,
    METRICS,
    ZEROS,
    Behaviour,
    combinations_of,
)
from corefkit.plugins.audit.rules import RULES
from corefkit.plugins.audit.run import run_audit
from corefkit.plugins.audit.runners import CallableRunner, ScorerCall
from corefkit.plugins.audit.verdict import (
    MetricFigures,
    Verdict,
    _fitting,
    find_scale,
    gather,
    identify,
    same_figures,
)
from tests.support import needs_conformance

from .scorers import audit_file, scorer_of, single_departures

T = TypeVar("T")
PROBES = (*BATTERY, *random_probes(12))
DRAWN = frozenset(probe.id for probe in PROBES[len(BATTERY) :])


def found(behaviour: Behaviour, scale: int = 1, digits: int | None = None) -> Verdict:
    """The verdict on a scorer that does just that."""
    return identify(evidence_of(behaviour, scale, digits))


def evidence_of(behaviour: Behaviour, scale: int = 1, digits: int | None = None) -> MetricFigures:
    """The figures of such a scorer."""
    answers: dict[Probe, ScorerAnswer] = {}
    for probe in PROBES:
        values = behaviour.predict(probe.documents).values
        if values is None:
            answers[probe] = ScorerAnswer(error="no value")
            continue
        numbers = [float(value) * scale for value in values]
        given = [number if digits is None else round(number, digits) for number in numbers]
        triple = [figure(number) or Figure(number, None) for number in given]
        answers[probe] = ScorerAnswer({behaviour.metric: (triple[0], triple[1], triple[2])})
    evidence = gather(behaviour.metric, answers, DRAWN)
    assert evidence is not None
    return evidence


SCORERS = range(27)


@needs_conformance
@pytest.mark.parametrize("number", SCORERS)
def test_scorers_of_the_conformance_folder(number: int) -> None:
    described = audit_file("verdicts")[number]
    audit = run_audit(CallableRunner(scorer_of(described), ScorerCall("corpus")), AuditPlan())
    check(audit.to_dict(), described["expected"])


def check(report: dict[str, Any], expected: dict[str, Any]) -> None:
    """The fields that are given; unstable and order on the battery only."""
    assert (report["exit"], report["profile"]) == (expected["exit"], expected["profile"])
    reasons = [fails and fails["reason"] for fails in (report["fails"], expected["fails"])]
    assert reasons[0] == reasons[1]
    for field in ("unstable", "order"):
        listed = [name for name in report[field] if not name.startswith("random")]
        assert listed == expected[field]
    assert report["metrics"].keys() == expected["metrics"].keys()
    for metric, fields in expected["metrics"].items():
        for field, value in fields.items():
            if field != "words":
                assert report["metrics"][metric][field] == value, (metric, field)


@pytest.mark.parametrize("metric", METRICS)
def test_every_single_departure_is_found(metric: str) -> None:
    for behaviour in (Behaviour(metric), *single_departures(metric)):
        verdict = found(behaviour)
        assert verdict.whole == behaviour
        assert verdict.verdict == ("departs" if behaviour.departures else "standard")
        assert not verdict.either


@pytest.mark.parametrize("metric", METRICS)
def test_two_digits_are_enough(metric: str) -> None:
    for behaviour in (Behaviour(metric), *single_departures(metric)):
        if behaviour.departures:
            assert found(behaviour, 1, 2).behaviour == replace(behaviour, zero="0", copies="first")
            assert found(behaviour, 100, 1).behaviour == found(behaviour).behaviour


@pytest.mark.parametrize("metric", METRICS)
def test_without_its_entry_a_behaviour_is_not_found(metric: str, monkeypatch: Any) -> None:
    """A mutant of every entry of every table: where it is missing, the verdict is another one."""
    for behaviour in single_departures(metric):
        evidence = evidence_of(behaviour)
        ((best, *_), _) = _fitting(evidence)
        assert (best.behaviour.rule, best.behaviour.average) == (behaviour.rule, behaviour.average)
        with monkeypatch.context() as patch:
            _remove(behaviour, patch)
            candidates, _ = _fitting(evidence)
        assert best not in candidates, behaviour


def _remove(behaviour: Behaviour, patch: pytest.MonkeyPatch) -> None:
    """Take the entry of the one departure out of its table."""
    if behaviour.exchanged:
        plain = [b for b in combinations_of(behaviour.metric) if not b.exchanged]
        patch.setattr("corefkit.plugins.audit.verdict.combinations_of", lambda _: iter(plain))
    elif behaviour.rule != "standard":
        rules = RULES[behaviour.metric]
        patch.setitem(RULES, behaviour.metric, _without(rules, behaviour.rule))
    elif behaviour.average != "micro":
        patch.setattr(behaviours, "AVERAGES", _without(AVERAGES, behaviour.average))
    elif behaviour.zero != "0":
        patch.setattr(behaviours, "ZEROS", _without(ZEROS, behaviour.zero))
    else:
        patch.setattr(behaviours, "COPIES", _without(COPIES, behaviour.copies))


def _without(table: dict[str, T], name: str) -> dict[str, T]:
    return {entry: value for entry, value in table.items() if entry != name}


def test_scale_and_digits() -> None:
    def scale_of(*texts: object) -> Any:
        return find_scale([(figure(text), None, None) for text in texts])[:2]

    assert scale_of("66.70", "3.10") == (100, 2)
    assert scale_of("0.667", "20") == (1, 3)
    assert scale_of(1.0, 0.0) == (1, None)
    assert scale_of(100 / 3, 0.0)[0] == 100
    assert find_scale([(figure(1.0), None, None)]).tolerance == 2e-4
    assert find_scale([(figure("67"), None, None)]).tolerance == pytest.approx(0.0101)
    assert find_scale([(figure("0.67"), None, None)]).tolerance == pytest.approx(0.0101)


def test_not_a_number_is_equal_to_itself_only() -> None:
    verdict = found(Behaviour("muc", zero="nan"))
    assert verdict.zero == "nan"


def test_same_figures() -> None:
    one = (figure(0.5), None, figure("nan"))
    assert same_figures(one, one)
    assert not same_figures(one, (figure(0.6), None, figure("nan")))
    assert not same_figures(one, (figure(0.5), figure(0.5), figure("nan")))


def test_copies_that_pooling_makes_are_asked_about_too() -> None:
    """Where documents are pooled the first copy counts, within a document the last."""
    pooled = [Behaviour("bcub", average="pooled", copies=name) for name in ("first", "last")]
    first, last = map(evidence_of, pooled)
    rates = {p: (last if p.copies else first).rates[p] for p in first.rates}
    verdict = identify(replace(first, rates=rates))
    assert verdict.behaviour == replace(pooled[0], copies="first")
    assert verdict.copies is None
    assert verdict.note and "repeated mentions in a way of its own" in verdict.note


@pytest.mark.parametrize(("spoiled", "nearest"), [(6, Behaviour("lea")), (18, None)])
def test_the_nearest_behaviour_fits_two_thirds(spoiled: int, nearest: Behaviour | None) -> None:
    evidence = evidence_of(Behaviour("lea"))
    clean = [probe for probe, _ in evidence.clean if probe in BATTERY]
    other = dict.fromkeys(clean[:spoiled], (0.987, 0.987, 0.987))
    verdict = identify(replace(evidence, rates={**evidence.rates, **other}))
    assert (verdict.verdict, verdict.nearest) == ("unknown", nearest)

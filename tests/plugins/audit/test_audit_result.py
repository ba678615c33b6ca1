"""Why scorers fail: a property that the failing probes share, and no other probe has."""

from collections.abc import Callable

import pytest

from corefkit.plugins.audit.audit_result import CONDITIONS, Failures, explain_failures
from corefkit.plugins.audit.battery import BATTERY, Probe
from corefkit.plugins.audit.behaviours import Behaviour
from corefkit.plugins.audit.verdict import Verdict


def failing(fails: Callable[[Probe], bool]) -> Failures | None:
    return explain_failures(BATTERY, {p.id: f"no {p.id}" for p in BATTERY if fails(p)})


def test_each_property_in_both_readings() -> None:
    seen: dict[frozenset[str], str] = {}
    for words, has in CONDITIONS:
        for reading, every in ((any, ""), (all, " in every document")):
            names = frozenset(p.id for p in BATTERY if reading(map(has, p.documents)))
            expected = seen.setdefault(names, words + every)
            found = failing(lambda probe, names=names: probe.id in names)  # type: ignore[misc]
            assert found is not None
            assert (found.reason, found.not_always) == (expected, False)


def test_no_failure_and_no_reason() -> None:
    assert failing(lambda probe: False) is None
    odd = failing(lambda probe: probe.id in ("same", "merged"))
    assert odd is not None
    assert (odd.reason, odd.probes, odd.error) == (None, ("same", "merged"), "no same")


def test_a_property_that_covers_the_failures() -> None:
    """Four of the five probes with copies fail: it covers them, and others have it."""
    most = failing(lambda probe: probe.copies and probe.id != "copy-key")
    assert most is not None
    assert (most.reason, most.not_always) == ("a repeated mention, not always", True)


def test_zero_denominators() -> None:
    for metric, reason in [
        ("bcub", "a side without mentions in every document"),
        ("muc", "a side without links in every document"),
    ]:
        found = failing(
            lambda probe, metric=metric: (
                Behaviour(metric, zero="fail")
                .predict(  # type: ignore[misc]
                    probe.documents
                )
                .values
                is None
            )
        )
        assert found is not None
        assert found.reason == reason


@pytest.mark.parametrize(("also", "predicted"), [("", True), ("same", False)])
def test_failures_that_the_behaviour_predicts(also: str, predicted: bool) -> None:
    """A scorer that fails on repeated mentions must fail on these probes, and on no other."""
    verdict = Verdict("bcub", "standard", behaviour=Behaviour("bcub"), copies="fail")
    errors = {probe.id: "no" for probe in BATTERY if probe.copies or probe.id == also}
    found = explain_failures(BATTERY, errors, {"bcub": verdict})
    assert found is not None
    assert found.predicted is predicted

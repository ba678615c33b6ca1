"""The model of evaluators: the fractions of an independent program, and the oracle."""

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.plugins.audit.battery import BATTERY, random_probes
from corefkit.plugins.audit.behaviours import (
    METRICS,
    Behaviour,
    Prediction,
    averages_of,
    copies_of,
    zeros_of,
)
from corefkit.plugins.audit.examples import MARGIN
from corefkit.plugins.audit.rule_counts import best
from corefkit.plugins.audit.rules import RULES
from corefkit.plugins.audit.verdict import agree
from corefkit.scoring.shrink import SmallDocument
from tests.oracle.audit import best_total as oracle_total
from tests.oracle.audit import evaluate
from tests.support import needs_conformance

from .scorers import audit_file, behaviour_of, single_departures

PROBES = {probe.id: probe for probe in BATTERY}


def texts(prediction: Prediction) -> list[str] | None:
    return None if prediction.values is None else [str(value) for value in prediction.values]


@needs_conformance
@pytest.mark.parametrize("metric", METRICS)
def test_every_behaviour_to_the_last_fraction(metric: str) -> None:
    expected = audit_file("behaviours")[metric]
    for probe, values in expected["standard"].items():
        assert texts(Behaviour(metric).predict(PROBES[probe].documents)) == values
    for described in expected["behaviours"]:
        behaviour = behaviour_of(metric, described)
        for probe, usual in expected["standard"].items():
            predicted = texts(behaviour.predict(PROBES[probe].documents))
            assert predicted == described["values"].get(probe, usual), (behaviour, probe)


@needs_conformance
@pytest.mark.parametrize("metric", METRICS)
def test_the_tables_have_all_behaviours_and_no_more(metric: str) -> None:
    expected = audit_file("behaviours")[metric]["behaviours"]
    assert [*single_departures(metric)] == [behaviour_of(metric, one) for one in expected]
    for behaviour, described in zip(single_departures(metric), expected, strict=True):
        if behaviour.departures:
            assert behaviour.words == described["words"]


letters = st.sampled_from([(n, n) for n in range(6)])
sides = st.lists(st.lists(letters, min_size=1, max_size=4).map(tuple), max_size=4).map(tuple)
documents = st.lists(st.builds(SmallDocument, sides, sides), min_size=1, max_size=3).map(tuple)


@st.composite
def behaviours(draw: st.DrawFn) -> Behaviour:
    metric = draw(st.sampled_from(METRICS))
    average = draw(st.sampled_from(averages_of(metric)))
    zeros = [zero for zero in zeros_of(metric, average) if zero != "left-out"]
    return Behaviour(
        metric,
        draw(st.sampled_from(list(RULES[metric]))),
        average,
        draw(st.booleans()),
        draw(st.sampled_from(zeros)),
        draw(st.sampled_from(copies_of(metric))),
    )


@given(behaviours(), documents)
def test_all_departures_together_are_as_in_the_oracle(
    behaviour: Behaviour, documents: tuple[SmallDocument, ...]
) -> None:
    described: dict[str, Any] = vars(behaviour)
    lists = [tuple([list(e) for e in side] for side in document.sides) for document in documents]
    expected = evaluate(described, behaviour.metric, lists)  # type: ignore[arg-type]
    assert texts(behaviour.predict(documents)) == expected


@given(st.lists(st.lists(st.integers(0, 5), min_size=4, max_size=4), max_size=4))
def test_the_best_alignment_is_the_best(table: list[list[int]]) -> None:
    cells = {
        (r, c): Fraction(v, 7) for r, line in enumerate(table) for c, v in enumerate(line) if v
    }
    exact = [[Fraction(value, 7) for value in line] for line in table]
    assert best(cells) == (oracle_total(exact),) * 2


def test_a_document_with_zero_is_left_out_of_the_mean() -> None:
    behaviour = Behaviour("bcub", average="macro", zero="left-out")
    empty, full = SmallDocument((), ((("a"),),)), SmallDocument((("a", "b"),), (("a", "b"),))
    assert behaviour.predict((empty, full)).values == (1, Fraction(1, 2), 1)
    assert behaviour.predict((SmallDocument((), ()),)).values == (0, 0, 0)


@pytest.mark.parametrize("metric", METRICS)
def test_the_battery_tells_all_single_departures_apart(metric: str) -> None:
    """Any two differ by more than 0.02 somewhere; `left out of the mean` needs a mean."""
    every = [Behaviour(metric), *single_departures(metric)]
    for one, other in combinations(every, 2):
        assert any(_differ(one, other, probe.documents) for probe in BATTERY), (one, other)


def _differ(one: Behaviour, other: Behaviour, documents: tuple[SmallDocument, ...]) -> bool:
    first, second = (behaviour.predict(documents).values for behaviour in (one, other))
    return not agree(first, second, MARGIN)


def test_random_probes_are_drawn_as_the_page_says() -> None:
    probes = random_probes(300)
    assert random_probes(5, seed=0) == probes[:5]
    assert random_probes(5, seed=1) != probes[:5]
    sizes = {len(probe.documents) for probe in probes}
    assert sizes == {1, 2, 3}
    assert not any(probe.copies for probe in probes)

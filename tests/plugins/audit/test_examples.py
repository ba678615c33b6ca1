"""Smallest examples: those of the conformance folder, and what delta debugging leaves."""

import pytest

from corefkit.plugins.audit.battery import parse_side
from corefkit.plugins.audit.behaviours import METRICS, Behaviour
from corefkit.plugins.audit.examples import smallest_example, values_differ
from corefkit.scoring.shrink import SmallDocument
from tests.support import needs_conformance

from .scorers import audit_file, behaviour_of


def mentions(documents: tuple[SmallDocument, ...]) -> int:
    return sum(len({m for side in d.sides for entity in side for m in entity}) for d in documents)


@needs_conformance
@pytest.mark.parametrize("metric", METRICS)
def test_no_smaller_example_and_no_larger_one(metric: str) -> None:
    for described in audit_file("behaviours")[metric]["behaviours"]:
        behaviour = behaviour_of(metric, described)
        expected = tuple(
            SmallDocument((), ()).with_sides(map(parse_side, text.split("/")))
            for text in described["example"]["documents"]
        )
        smallest = smallest_example(behaviour)
        assert smallest is not None
        if "greedy" in behaviour.rule:
            assert mentions(smallest[0]) <= mentions(expected)
        else:
            assert mentions(smallest[0]) == mentions(expected), behaviour
        if behaviour.zero == "0":
            assert values_differ(behaviour, Behaviour(metric), smallest[0])

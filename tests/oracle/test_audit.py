"""The oracle of behaviours, held to the fractions of an independent program."""

import json
from typing import Any

import pytest

from tests.support import CONFORMANCE, needs_conformance

from .audit import Pair, Side, evaluate

STANDARD = {"rule": "standard", "average": "micro", "zero": "0", "exchanged": False} | {
    "copies": "first"
}


def side(text: str, spans: dict[str, list[int]]) -> Side:
    return [[tuple(spans.get(c, [ord(c) - 97] * 2)) for c in word] for word in text.split()]


def probes() -> dict[str, list[Pair]]:
    battery = json.loads((CONFORMANCE / "audit/battery.json").read_text())
    return {
        probe["id"]: [
            (side(d["key"], battery["spans"]), side(d["response"], battery["spans"]))
            for d in probe["documents"]
        ]
        for probe in battery["probes"]
    }


@needs_conformance
@pytest.mark.parametrize("metric", ["mentions", "muc", "bcub", "ceafm", "ceafe", "lea", "blanc"])
def test_every_behaviour_to_the_last_fraction(metric: str) -> None:
    expected: dict[str, Any] = json.loads((CONFORMANCE / "audit/behaviours.json").read_text())
    documents = probes()
    standard = expected[metric]["standard"]
    for behaviour in ({**STANDARD, "values": {}}, *expected[metric]["behaviours"]):
        for probe, usual in standard.items():
            given = behaviour["values"].get(probe, usual)
            assert evaluate(behaviour, metric, documents[probe]) == given, (behaviour, probe)

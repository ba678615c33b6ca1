"""Means over documents: figures made by another program, as fractions."""

import json
from fractions import Fraction
from typing import Any

import pytest

from corefkit import Evaluator
from tests.support import CONFORMANCE, needs_conformance

pytestmark = needs_conformance
METRICS = ("mentions", "muc", "bcub", "ceafm", "ceafe", "lea", "blanc")


def read(name: str) -> Any:
    return json.loads((CONFORMANCE / "audit" / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("average", ["micro", "macro"])
def test_every_probe(metric: str, average: str) -> None:
    """One place, in the order of the alphabet, for each letter; capitals are other spans."""
    figures = read("behaviours.json")[metric]
    values = figures["standard"]
    if average == "macro":
        (macro,) = (b for b in figures["behaviours"] if b["average"] == "macro")
        values = values | macro["values"]
        assert len(macro["values"]) >= 5
    for probe in read("battery.json")["probes"]:
        evaluator = Evaluator(metric, average="micro" if average == "micro" else "documents")
        for document in probe["documents"]:
            evaluator.update(document["key"].split(), document["response"].split())
        score = evaluator.scores()[metric]
        found = [score.recall, score.precision, score.f1]
        exact = [float(Fraction(value)) for value in values[probe["id"]]]
        assert found == pytest.approx(exact, abs=1e-12), probe["id"]

"""Scorers for the tests: built from behaviours, and evaluators as they are found in the wild."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from corefkit.plugins.audit.behaviours import Behaviour, averages_of, copies_of, zeros_of
from corefkit.plugins.audit.rule_counts import Triple, harmonic, is_nan
from corefkit.plugins.audit.rules import RULES
from corefkit.scoring.shrink import SmallDocument
from tests.support import CONFORMANCE

PLACES = ("recall", "precision", "f1")


def audit_file(name: str) -> Any:
    """A file of the conformance folder."""
    return json.loads((CONFORMANCE / "audit" / f"{name}.json").read_text(encoding="utf-8"))


def single_departures(metric: str) -> Iterator[Behaviour]:
    """The behaviours that depart from the standard in a single respect."""
    standard = Behaviour(metric)
    yield from (replace(standard, rule=rule) for rule in list(RULES[metric])[1:])
    yield from (replace(standard, average=name) for name in averages_of(metric)[1:])
    yield from (replace(standard, zero=name) for name in zeros_of(metric, "micro")[1:])
    yield replace(standard, exchanged=True)
    yield from (replace(standard, copies=name) for name in copies_of(metric)[1:])


def behaviour_of(metric: str, given: dict[str, Any]) -> Behaviour:
    """A behaviour as the conformance files describe it."""
    names = ("rule", "average", "exchanged", "zero", "copies")
    return Behaviour(metric, **{name: given[name] for name in names})


def scorer_of(described: dict[str, Any]) -> Callable[..., dict[str, Any]]:
    """A function of lists of documents (style `corpus`) that scores as described."""
    chance = random.Random(1)

    def score(keys: Sequence[Any], responses: Sequence[Any]) -> dict[str, Any]:
        pairs = zip(keys, responses, strict=True)
        documents = tuple(SmallDocument(tuple(key), tuple(response)) for key, response in pairs)
        values = _values(described, documents, chance)
        return {
            metric: {
                place: written(value, described["scale"], described["digits"])
                for place, value in zip(PLACES, triple, strict=True)
                if described["only"] in (None, place)
            }
            for metric, triple in values.items()
        }

    return score


def written(value: Fraction | float, scale: int, digits: int) -> float:
    """A value in the scale and with the digits of a scorer."""
    if is_nan(value):
        return float("nan")
    return float(value * scale) if digits >= 15 else round(float(value * scale), digits)


def _values(
    described: dict[str, Any], documents: tuple[SmallDocument, ...], chance: random.Random
) -> dict[str, Triple]:
    formula = described.get("formula")
    if formula is None:
        return {
            metric: _or_fail(behaviour_of(metric, given), documents)
            for metric, given in described["metrics"].items()
        }
    if formula.startswith("bcub: recall and precision as standard, f1 = (recall"):
        recall, precision, _ = _standard("bcub", documents)
        return {"bcub": (recall, precision, (recall + precision) / 2)}
    if formula.startswith("muc as standard plus a random number"):
        shaken = [v + Fraction(chance.random()) / 20 for v in _standard("muc", documents)]
        return {"muc": (shaken[0], shaken[1], shaken[2])}
    if formula.startswith("raises an error where either side has an entity of one mention"):
        if any(
            len(entity) == 1 for document in documents for side in document.sides for entity in side
        ):
            raise ValueError("a singleton")
        return {metric: _standard(metric, documents) for metric in ("muc", "bcub", "ceafe")}
    assert formula.startswith("ceafe: recall t/(entities of the key + 1)"), formula
    counts = [RULES["ceafe"]["standard"].count(document) for document in documents]
    found, key, _, response = (sum(column) for column in zip(*filter(None, counts), strict=True))
    recall, precision = Fraction(found) / (key + 1), Fraction(found) / (response + 1)
    others = {metric: _standard(metric, documents) for metric in ("muc", "bcub")}
    return {**others, "ceafe": (recall, precision, harmonic(recall, precision))}


def _standard(metric: str, documents: tuple[SmallDocument, ...]) -> Triple:
    return _or_fail(Behaviour(metric), documents)


def _or_fail(behaviour: Behaviour, documents: tuple[SmallDocument, ...]) -> Triple:
    values = behaviour.predict(documents).values
    if values is None:
        raise ValueError(f"no {behaviour.metric}\nno value")
    return values

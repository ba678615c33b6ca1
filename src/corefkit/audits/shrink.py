"""Smallest documents that show a difference.

Known behaviours are told from the standard by the smallest overlap on which they differ; what a
scorer does in its own way by trying all small overlaps on it, or by taking away from a probe
whatever can go (delta debugging).
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from corefkit.audits.battery import BATTERY
from corefkit.audits.behaviours import Behaviour, Listed, Sides, Triple
from corefkit.audits.overlaps import overlaps

MARGIN = 0.02
"""Two scorers differ where a value differs by more than this, of 1."""

Documents = tuple[Sides, ...]


class Shrunk(NamedTuple):
    """The documents that are left; `proved`: there are none smaller, not only no step to one."""

    documents: Documents
    proved: bool


def smallest_example(behaviour: Behaviour) -> Shrunk | None:
    """The smallest documents on which a behaviour is not the standard; None where none is found."""
    metric = behaviour.metric
    if behaviour.departures == 0 and behaviour.copies != "first":
        return _copies_example(behaviour)
    if behaviour.departures == 0 and behaviour.zero != "0":
        return Shrunk((Sides((), ()),), True)
    standard = Behaviour(metric)

    def differ(documents: Documents) -> bool:
        return values_differ(behaviour, standard, documents)

    if behaviour.average == "micro" or behaviour.departures > 1:
        for mentions in range(1, 6 if behaviour.average != "micro" else 7):
            for document in overlaps(mentions):
                for ordered in _orders(document, behaviour):
                    if differ((ordered,)):
                        return Shrunk((ordered,), True)
    if behaviour.average != "micro":
        for mentions in range(1, 9):
            for size in range(mentions + 1):
                if max(size, mentions - size) > 5:
                    continue
                for pair in product(overlaps(size), overlaps(mentions - size)):
                    if differ(pair):
                        return Shrunk(pair, True)
    return None


def _orders(document: Sides, behaviour: Behaviour) -> Iterator[Sides]:
    """The document, for greedy alignment also with the entities of either side in reverse."""
    yield document
    if "greedy" in behaviour.rule:
        key, response = document
        yield Sides(key[::-1], response)
        yield Sides(key, response[::-1])
        yield Sides(key[::-1], response[::-1])


def values_differ(one: Behaviour, other: Behaviour, documents: Documents) -> bool:
    """Whether two behaviours differ by more than the margin, with 0/0 out of play."""
    first, second = one.predict(documents), other.predict(documents)
    return not first.zero and not second.zero and triples_differ(first.values, second.values)


def triples_differ(
    one: Triple | Sequence[float | None] | None,
    other: Triple | Sequence[float | None] | None,
    margin: float = MARGIN,
) -> bool:
    """Whether any value differs by more than the margin; a failure differs from every value."""
    if one is None or other is None:
        return one is not other
    return any(
        a is not None and b is not None and (a == a or b == b) and not abs(a - b) <= margin
        for a, b in zip(one, other, strict=True)
    )


def _copies_example(behaviour: Behaviour) -> Shrunk | None:
    standard = Behaviour(behaviour.metric)

    def differ(documents: Documents) -> bool:
        return values_differ(behaviour, standard, documents)

    for probe in BATTERY:
        if probe.copies and differ(probe.documents):
            return Shrunk(shrink(probe.documents, differ), False)
    return None


def shrink(
    documents: Documents, differ: Callable[[Documents], bool], budget: int | None = None
) -> Documents:
    """Documents from which no single step takes anything without losing the difference.

    The first step that keeps it is taken, until none does or `budget` trials are used up.
    """
    trials = 0
    while True:
        for smaller in steps(documents):
            if budget is not None and trials >= budget:
                return documents
            trials += 1
            if differ(smaller):
                documents = smaller
                break
        else:
            return documents


def steps(documents: Documents) -> Iterator[Documents]:
    """What is left without a document, a mention on both sides, an entity, a mention of a side."""
    if len(documents) > 1:
        for place in range(len(documents)):
            yield documents[:place] + documents[place + 1 :]
    for place, document in enumerate(documents):
        for smaller in _smaller(document):
            yield (*documents[:place], smaller, *documents[place + 1 :])


def _smaller(document: Sides) -> Iterator[Sides]:
    key, response = document
    mentions = dict.fromkeys(m for side in document for entity in side for m in entity)
    for mention in mentions:
        yield Sides(_without(key, mention), _without(response, mention))
    for place in range(len(key)):
        yield Sides(key[:place] + key[place + 1 :], response)
    for place in range(len(response)):
        yield Sides(key, response[:place] + response[place + 1 :])
    for smaller in _one_less(key):
        yield Sides(smaller, response)
    for smaller in _one_less(response):
        yield Sides(key, smaller)


def _without(side: Listed, mention: object) -> Listed:
    entities = (tuple(m for m in entity if m != mention) for entity in side)
    return tuple(entity for entity in entities if entity)


def _one_less(side: Listed) -> Iterator[Listed]:
    """The side without one mention at one place."""
    for place, entity in enumerate(side):
        for number in range(len(entity)):
            rest = entity[:number] + entity[number + 1 :]
            yield (*side[:place], *((rest,) if rest else ()), *side[place + 1 :])


def first_difference(
    metric: str, ask: Callable[[Documents], Sequence[float | None] | None], tolerance: float
) -> Documents | None:
    """The smallest overlap of up to four mentions on which a scorer is not the standard."""
    standard = Behaviour(metric)
    for mentions in range(1, 5):
        for document in overlaps(mentions):
            prediction = standard.predict((document,))
            if prediction.zero or prediction.values is None:
                continue
            if triples_differ(prediction.values, ask((document,)), tolerance):
                return (document,)
    return None


def as_floats(values: Triple) -> tuple[float, float, float]:
    """Exact values as floats."""
    recall, precision, f1 = (float(Fraction(v)) if v == v else float("nan") for v in values)
    return recall, precision, f1

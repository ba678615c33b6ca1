"""A model of coreference evaluators in exact fractions.

A behaviour is a rule for counting, an average over documents, a value for 0/0, a treatment of
repeated mentions, and whether recall and precision are exchanged. They are applied in this order:
documents pooled or joined, copies, rule, average (0/0 is replaced before means are taken, but after
counts are summed), exchange. The first entry of each table is the standard. To add a behaviour,
write one entry; a test checks that the battery still distinguishes all of them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, cast

from corefkit.plugins.audit.rule_counts import (
    NAN,
    ProbeMention,
    RuleCounts,
    RuleRatios,
    Triple,
    Value,
    harmonic,
    is_nan,
)
from corefkit.plugins.audit.rules import RULES
from corefkit.scoring.shrink import SmallDocument, SmallSide, filled

METRICS = ("mentions", "muc", "bcub", "ceafm", "ceafe", "lea", "blanc")
"""The metrics whose behaviours are known; `conll` is the mean of three of them."""

PARTS = ("muc", "bcub", "ceafe")
"""Those three."""


class Prediction(NamedTuple):
    """The result of a behaviour.

    Attributes:
        values: recall, precision and F1; None where the scorer fails.
        zero: whether recall or precision of what is counted is 0/0.
    """

    values: Triple | None
    zero: bool


@dataclass(frozen=True, order=True)
class Behaviour:
    """What a scorer does with one metric, by the ids of the tables below."""

    metric: str
    rule: str = "standard"
    average: str = "micro"
    exchanged: bool = False
    zero: str = "0"
    copies: str = "first"

    @property
    def departures(self) -> int:
        """The number of departures from the standard in rule, average and exchange."""
        return (self.rule != "standard") + (self.average != "micro") + self.exchanged

    @property
    def words(self) -> str:
        """What the scorer computes on clean input, in words."""
        parts = []
        if self.rule != "standard":
            parts.append(RULES[self.metric][self.rule].words)
        if self.average != "micro":
            parts.append(AVERAGES[self.average])
        if self.exchanged:
            parts.append(EXCHANGED)
        return "; ".join(parts) or "as standard"

    def predict(self, documents: Sequence[SmallDocument]) -> Prediction:
        """Recall, precision and F1 of these documents, exactly."""
        return _predict(self, tuple(documents))


EXCHANGED = "precision and recall are exchanged"

AVERAGES = {
    "micro": "sums counts over documents",
    "macro": "averages recall, precision and F1 over documents",
    "macro-ratios": "averages recall and precision over documents and takes F1 of the means",
    "weighted": "averages the scores of documents, weighted by their key mentions",
    "joined": "takes all documents as one, so that pairs of mentions of different documents count",
    "pooled": "ignores document boundaries: mentions of different documents with the same place "
    "are one mention",
}
"""The averages over documents, with descriptions; so the two tables below."""
MEANS = ("macro", "macro-ratios", "weighted")

ZEROS = {
    "0": "0/0 is 0",
    "1": "0/0 is 1",
    "nan": "0/0 is not a number",
    "nan-recall": "0/0 is not a number in recall, 0 in precision",
    "left-out": "a document with 0/0 is left out of the mean",
    "fail": "fails on 0/0",
}

COPIES = {
    "first": "keeps the first copy of a repeated mention, in list order",
    "sorted": "keeps the copy of a repeated mention in the entity that comes first in sorted order",
    "copies": "keeps every copy of a repeated mention; it belongs to the last entity that lists it",
    "within": "drops copies within an entity only; a repeated mention belongs to the last entity "
    "that lists it",
    "last": "keeps only the last copy of a repeated mention",
    "gone": "drops all copies of a mention in two entities",
    "fail": "fails on repeated mentions",
}


def averages_of(metric: str) -> list[str]:
    """The averages that a metric distinguishes; `joined` differs from `micro` only in blanc."""
    return [name for name in AVERAGES if name != "joined" or metric == "blanc"]


def zeros_of(metric: str, average: str) -> list[str]:
    """The values for 0/0 that are possible with a metric and an average."""
    absent = {"nan-recall"} if metric == "blanc" else set()
    absent |= set() if average in MEANS else {"left-out"}
    return [name for name in ZEROS if name not in absent]


def copies_of(metric: str) -> list[str]:
    """The treatments of repeated mentions that a metric distinguishes."""
    absent = {"blanc": {"copies"}, "mentions": {"sorted", "copies", "within", "last"}}
    return [name for name in COPIES if name not in absent.get(metric, ())]


def combinations_of(metric: str) -> Iterator[Behaviour]:
    """All combinations of rule, average and exchange.

    Those with the fewest departures come first, otherwise they are in the order of the tables.
    """
    every = [
        Behaviour(metric, rule, average, exchanged)
        for rule in RULES[metric]
        for average in averages_of(metric)
        for exchanged in (False, True)
    ]
    yield from sorted(every, key=lambda behaviour: behaviour.departures)


# How a behaviour is applied


@lru_cache(maxsize=200_000)
def _predict(behaviour: Behaviour, documents: tuple[SmallDocument, ...]) -> Prediction:
    rule = RULES[behaviour.metric][behaviour.rule]
    counts, weights = [], []
    for document in _together(documents, behaviour.average):
        sides = _without_copies(document, behaviour.copies)
        counted = None if sides is None else _count(behaviour.metric, behaviour.rule, sides)
        if sides is None or counted is None:
            return Prediction(None, False)
        counts.append(counted)
        weights.append(sum(map(len, sides.key)))
    if behaviour.average in MEANS:
        ratios = [rule.divide(counted) for counted in counts]
        prediction = _mean(ratios, weights, behaviour)
    else:
        sums = tuple(sum(column) for column in zip(*counts, strict=True))
        whole = rule.divide(cast(RuleCounts, sums))
        values = _substitute(whole, behaviour.zero)
        prediction = Prediction(values, None in whole[:2])
    if behaviour.exchanged and prediction.values is not None:
        recall, precision, f1 = prediction.values
        return prediction._replace(values=(precision, recall, f1))
    return prediction


@lru_cache(maxsize=200_000)
def _count(metric: str, rule: str, sides: SmallDocument) -> RuleCounts | None:
    return RULES[metric][rule].count(sides)


def _together(documents: Sequence[SmallDocument], average: str) -> Sequence[SmallDocument]:
    """The documents as they are counted: a single one where the scorer joins or pools them."""
    if average not in ("joined", "pooled"):
        return documents
    if average == "joined":
        documents = [_tagged(document, number) for number, document in enumerate(documents)]
    key = tuple(entity for document in documents for entity in document.key)
    return [
        SmallDocument(key, tuple(entity for document in documents for entity in document.response))
    ]


def _tagged(document: SmallDocument, number: int) -> SmallDocument:
    return document.with_sides(
        ([(number, mention) for mention in entity] for entity in side) for side in document.sides
    )


def _mean(ratios: Sequence[RuleRatios], weights: Sequence[int], behaviour: Behaviour) -> Prediction:
    """The mean over documents; the weights matter only for the weighted average."""
    if behaviour.average == "weighted":
        pairs = [(r, w) for r, w in zip(ratios, weights, strict=True) if w]
        if not pairs:
            return Prediction((Fraction(0), Fraction(0), Fraction(0)), False)
        ratios, weights = [r for r, _ in pairs], [w for _, w in pairs]
    else:
        weights = [1] * len(ratios)
    has_zero = any(None in document[:2] for document in ratios)
    columns: list[list[tuple[Value, int]]] = [[], [], []]
    for document, weight in zip(ratios, weights, strict=True):
        values = _substitute(document, behaviour.zero)
        if values is None:
            return Prediction(None, has_zero)
        for number, value in enumerate(values):
            needed = document[:2] if number == 2 else document[number : number + 1]
            if behaviour.zero != "left-out" or None not in needed:
                columns[number].append((value, weight))
    recall, precision, f1 = map(_weighted_mean, columns)
    if behaviour.average != "macro":
        f1 = harmonic(recall, precision)
    return Prediction((recall, precision, f1), has_zero)


def _weighted_mean(column: Sequence[tuple[Value, int]]) -> Value:
    if any(is_nan(value) for value, _ in column):
        return NAN
    total = sum(weight for _, weight in column)
    return sum((value * weight for value, weight in column), Fraction(0)) / (total or 1)


def _substitute(ratios: RuleRatios, zero: str) -> Triple | None:
    """Recall, precision and F1 with a value for 0/0; None where the scorer fails on 0/0."""
    recall, precision, f1 = ratios
    if recall is not None and precision is not None:
        return recall, precision, harmonic(recall, precision) if f1 is None else f1
    if zero == "fail":
        return None
    instead: dict[str, tuple[Value, Value]] = {
        "1": (Fraction(1), Fraction(1)),
        "nan": (NAN, NAN),
        "nan-recall": (NAN, Fraction(0)),
    }
    zero_recall, zero_precision = instead.get(zero, (Fraction(0), Fraction(0)))
    full_recall: Value = zero_recall if recall is None else recall
    full_precision: Value = zero_precision if precision is None else precision
    return full_recall, full_precision, harmonic(full_recall, full_precision)


# Repeated mentions


def repeats(side: SmallSide) -> bool:
    """Whether a side lists a mention twice."""
    return sum(map(len, side)) != len({mention for entity in side for mention in entity})


def _without_copies(document: SmallDocument, copies: str) -> SmallDocument | None:
    """Both sides with only the copies that count; None where the scorer fails on copies."""
    if not any(map(repeats, document.sides)):
        return document
    if copies == "fail":
        return None
    return document.with_sides(map(_COPY_RULES[copies], document.sides))


def _kept(side: SmallSide, order: Iterable[int]) -> SmallSide:
    """The side, each of whose mentions stays in the first of its entities in this order only."""
    owner: dict[ProbeMention, int] = {}
    for index in order:
        for mention in side[index]:
            owner.setdefault(mention, index)
    return filled(
        [m for m in dict.fromkeys(entity) if owner[m] == index] for index, entity in enumerate(side)
    )


def _sorted(side: SmallSide) -> SmallSide:
    """Each mention stays in the entity that comes first in the order of sorted spans."""
    return _kept(side, sorted(range(len(side)), key=lambda index: sorted({*side[index]})))


def _gone(side: SmallSide) -> SmallSide:
    copies = Counter(mention for entity in side for mention in {*entity})
    return filled([m for m in dict.fromkeys(entity) if copies[m] == 1] for entity in side)


_COPY_RULES: dict[str, Callable[[SmallSide], SmallSide]] = {
    "first": lambda side: _kept(side, range(len(side))),
    "sorted": _sorted,
    "copies": lambda side: side,
    "within": lambda side: tuple(tuple(dict.fromkeys(entity)) for entity in side),
    "last": lambda side: _kept(side, reversed(range(len(side)))),
    "gone": _gone,
}

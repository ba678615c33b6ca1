"""Plurals aligned one to one, so that their elements are as alike as possible by a metric."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from math import lcm
from operator import add
from typing import NamedTuple

import numpy as np

from corefkit.data.matching.lsap import scipy_pairing
from corefkit.data.matching.ties import first_best_pairing
from corefkit.data.plurals import Elements
from corefkit.metrics.elements import Partition, Ratios, bcub, lea

ScoreElements = Callable[[Partition, Partition], Ratios]


class Plural(NamedTuple):
    """The number of its entity in the overlap, and its elements; matched mentions are equal.

    `words` are the elements as their side has them.
    """

    entity: int
    elements: tuple[frozenset[int], ...]
    words: Elements


class Aligned(NamedTuple):
    """Two plurals, by their places, and what was counted of their elements."""

    key: int
    response: int
    counts: Ratios


def align(
    key: Sequence[Plural],
    response: Sequence[Plural],
    counts: list[dict[int, Ratios]],
    score: ScoreElements,
    ties: str,
) -> list[Aligned]:
    """The one-to-one alignment of plurals with the greatest sum of F1; those of 0 do not count."""
    if not key or not response:
        return []
    f1 = [{column: f1_of(cell) for column, cell in row.items()} for row in counts]
    if ties == "scipy":
        table = np.zeros((len(key), len(response)))
        for row, cells in enumerate(counts):
            for column, cell in cells.items():
                table[row, column] = _float_f1(score, key[row], response[column], cell)
        partner = scipy_pairing(table).tolist()
    else:
        scale = lcm(*(value.denominator for cells in f1 for value in cells.values()))
        weights = [{c: int(v * scale) for c, v in cells.items() if v} for cells in f1]
        partner, _ = first_best_pairing(weights, len(response))
    return [
        Aligned(row, column, counts[row][column])
        for row, column in enumerate(partner)
        if f1[row].get(column)
    ]


def ratio(numerator: Fraction, denominator: Fraction) -> Fraction:
    """The quotient, 0 where there is nothing to divide by."""
    return numerator / denominator if denominator else Fraction()


def f1_of(counts: Ratios) -> Fraction:
    """F1 of what was counted."""
    recall, precision = ratio(*counts[:2]), ratio(*counts[2:])
    return ratio(2 * recall * precision, recall + precision)


def _float_f1(score: ScoreElements, one: Plural, other: Plural, counts: Ratios) -> float:
    """As the scorer computes it: where totals tie, the last digit decides."""
    key, response = one.elements, other.elements
    found, needed, right, made = map(float, counts)
    if score in (bcub, lea):
        # It adds what each element has found, as floating-point numbers.
        found = reduce(add, (float(score((own,), response)[0]) for own in key), 0.0)
        right = reduce(add, (float(score(key, (own,))[2]) for own in response), 0.0)
    recall, precision = found / needed if needed else 0.0, right / made if made else 0.0
    total = recall + precision
    return 2 * recall * precision / total if total else 0.0

"""Counts of several parts add up exactly."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.core.counts import SPLIT, Counts, PerDocument, add, exact_sum
from tests.strategies import examples

floats = st.floats(-1e12, 1e12, allow_subnormal=False)


def counts(metric: str, columns: tuple[PerDocument, ...]) -> Counts:
    return Counts(("a",), {metric: columns})


@examples(50)
@given(st.lists(st.lists(floats), max_size=4))
def test_sums_of_parts_are_exact_until_they_are_rounded_once(parts: list[list[float]]) -> None:
    total = exact_sum([])
    for part in parts:
        total = exact_sum([*total, *part])
    assert total[0] == float(sum(Fraction(value) for part in parts for value in part))


def test_integers_and_fractions_in_one_column() -> None:
    found = add(
        [
            counts("m", (np.array([3]),)),
            counts("m", (np.array([0.5]),)),
            counts("m", (np.array([2]),)),
        ]
    )
    assert found.total("m") == (5.5,)
    assert found.tables["m"][0].tolist() == [3.0, 0.5, 2.0]


def test_split_antecedents_that_come_later_and_go() -> None:
    """Documents without them have nothing of them to count."""
    found = add(
        [
            Counts(("a",), {"m": (np.array([1]),)}),
            Counts(("b",), {"m": (np.array([2]),), "m" + SPLIT: (np.array([0.5]),)}),
            Counts(("c", "d"), {"m": (np.array([4, 8]),)}),
        ]
    )
    assert found.tables["m" + SPLIT][0].tolist() == [0, 0.5, 0, 0]
    assert found.total("m") == (15,)
    with pytest.raises(KeyError):
        found.total("n")

"""The weight of a best pairing after some columns are replaced, against scipy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from corefkit.analysis.changeable_pairing import ChangeablePairing
from tests.strategies import examples

COLUMN = st.dictionaries(st.integers(0, 4), st.sampled_from([0.25, 0.5, 1.0, 1.5, 2.75]))
CHANGE = st.tuples(st.sets(st.integers(0, 5)), st.lists(COLUMN, max_size=2))


def heaviest(columns: list[dict[int, float]]) -> float:
    matrix = np.zeros((5, len(columns)))
    for place, column in enumerate(columns):
        for row, weight in column.items():
            matrix[row, place] = weight
    return float(matrix[linear_sum_assignment(matrix, maximize=True)].sum())


@examples(75)
@given(st.lists(COLUMN, max_size=6), st.lists(CHANGE, max_size=3))
def test_columns_exchanged(
    columns: list[dict[int, float]],
    changes: list[tuple[set[int], list[dict[int, float]]]],
) -> None:
    pairing = ChangeablePairing(dict(enumerate(columns)))
    for gone, new in changes:
        kept = [column for place, column in enumerate(columns) if place not in gone]
        expected = heaviest([*kept, *new]) - heaviest(columns)
        assert pairing.gain(sorted(gone), new) == pytest.approx(expected, abs=1e-12)

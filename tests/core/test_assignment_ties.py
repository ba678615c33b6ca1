"""The best pairing of a small graph, its ties, and scipy's choice, each against brute force."""

import random
from itertools import product

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from corefkit.core.assignment import first_best_pairing, scipy_pairing

Weights = list[dict[int, int]]


def every_pairing(weights: Weights, columns: int) -> list[tuple[int, tuple[int, ...]]]:
    """The total and the columns of every pairing; a row that is alone has the last column."""
    found = []
    for chosen in product(range(columns + 1), repeat=len(weights)):
        used = [column for column in chosen if column < columns]
        if len(set(used)) == len(used) and all(
            column == columns or column in edges
            for edges, column in zip(weights, chosen, strict=True)
        ):
            total = sum(e.get(c, 0) for e, c in zip(weights, chosen, strict=True))
            found.append((total, chosen))
    return found


@pytest.mark.parametrize("seed", range(300))
def test_first_of_the_best(seed: int) -> None:
    rng = random.Random(seed)
    rows, columns, most = rng.randint(1, 4), rng.randint(1, 4), rng.choice([1, 2, 3, 6])
    weights = [
        {c: rng.randint(1, most) for c in range(columns) if rng.random() < 0.7} for _ in range(rows)
    ]
    pairings = every_pairing(weights, columns)
    best = max(total for total, _ in pairings)
    tied = [chosen for total, chosen in pairings if total == best]
    expected = [column if column < columns else -1 for column in min(tied)]
    assert first_best_pairing(weights, columns) == (expected, len(tied) == 1)


@pytest.mark.parametrize("seed", range(200))
def test_the_choice_of_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = rng.integers(1, 13, 2)
    values = np.array([0, 0, 0, 1 / 3, 1 / 2, 2 / 3, 1, 22 / 3, 11])
    scores = rng.choice(values[: rng.integers(4, len(values) + 1)], shape)
    expected = np.full(shape[0], -1)
    rows, columns = linear_sum_assignment(-scores)
    expected[rows] = columns
    assert scipy_pairing(scores).tolist() == expected.tolist()


def test_large_tables_are_given_to_scipy() -> None:
    scores = np.ones((200, 200))
    assert sorted(scipy_pairing(scores).tolist()) == list(range(200))


def test_many_mentions_of_equal_share() -> None:
    size = 200
    partner, unique = first_best_pairing([dict.fromkeys(range(size), 7)] * size, size)
    assert partner == list(range(size))
    assert not unique

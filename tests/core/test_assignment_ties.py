"""The best pairing of a small graph, its ties, and scipy's choice, each against brute force."""

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from corefkit.core import assignment
from corefkit.core.assignment import first_alignment, first_best_pairing, scipy_pairing

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


@pytest.mark.parametrize("seed", range(400))
def test_first_by_cells(seed: int) -> None:
    """At the first edge where two best matchings differ, ours has it: against all there are."""
    rng = random.Random(seed)
    rows, columns = rng.randint(1, 4), rng.randint(1, 4)
    edges = [(r, c) for r in range(rows) for c in range(columns) if rng.random() < 0.7]
    rng.shuffle(edges)
    if not edges:
        return
    weights: Weights = [{} for _ in range(rows)]
    worth = [Fraction(rng.randint(1, 3), rng.choice([1, 2, 3, 5])) for _ in edges]
    for (r, c), w in zip(edges, worth, strict=True):
        weights[r][c] = int(w * 30)
    pairings = every_pairing(weights, columns)
    best = max(total for total, _ in pairings)
    having = [[chosen[r] == c for r, c in edges] for total, chosen in pairings if total == best]
    expected = [number for number, has in enumerate(max(having)) if has]
    shuffled = rng.sample(range(len(edges)), len(edges))  # edges as the caller numbers them
    r, c = np.array([edges[i] for i in shuffled]).T
    top = np.array([worth[i].numerator for i in shuffled])
    bottom = np.array([worth[i].denominator for i in shuffled])
    found = first_alignment(r, c, top, bottom, np.array(shuffled))
    assert sorted(shuffled[i] for i in found.tolist()) == expected


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("modulus", [0, 1])
def test_first_along_a_long_path(seed: int, modulus: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is solved in one pass is what alternating paths find."""
    rng = np.random.default_rng(seed)
    edges = 2 * int(rng.integers(3, 60))
    i = np.arange(edges)
    column = (i + 1) // 2
    row, column = i // 2, column % (edges // 2) if modulus else column
    weight = rng.integers(1, 3, edges)
    one, place = np.ones_like(weight), rng.permutation(edges)
    found = []
    for long in (4, 10**9):
        monkeypatch.setattr(assignment, "_LONG", long)
        found.append(first_alignment(row, column, weight, one, place).tolist())
    assert found[0] == found[1]


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

"""The best pairing and its rules for ties, against all pairings and against scipy."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from corefkit.core import pairing
from corefkit.core.arrays import FloatArray, IntArray
from corefkit.core.pairing import (
    best_alignment,
    components,
    first_alignment,
    first_best_pairing,
    scipy_pairing,
    take_dominant,
)
from tests.strategies import examples

Edges = tuple[IntArray, IntArray, FloatArray]
Ends = Sequence[Sequence[int]]


def edges_of(matrix: FloatArray) -> Edges:
    row, column = np.nonzero(matrix)
    return row, column, matrix[row, column]


def check(row: IntArray, column: IntArray, weight: FloatArray) -> float:
    """The alignment is one to one; returns its weight."""
    chosen = best_alignment(row, column, weight)
    assert len(set(row[chosen].tolist())) == len(chosen)
    assert len(set(column[chosen].tolist())) == len(chosen)
    assert (np.diff(chosen) > 0).all()
    assert chosen.tolist() == best_alignment(row, column, weight).tolist()
    return float(weight[chosen].sum())


def best(matrix: FloatArray) -> float:
    return float(matrix[linear_sum_assignment(matrix, maximize=True)].sum())


def every_pairing(edges: Ends) -> Iterator[frozenset[int]]:
    """All one-to-one sets of edges, as their numbers."""
    if not edges:
        yield frozenset()
        return
    *others, (row, column) = edges
    for chosen in every_pairing(others):
        yield chosen
        if all(row != edges[at][0] and column != edges[at][1] for at in chosen):
            yield chosen | {len(others)}


def first_of_all(edges: Ends, weight: Sequence[Fraction]) -> list[int]:
    """The first best pairing by definition; an edge comes before those of higher numbers."""
    pairings = list(every_pairing(edges))
    total = max(sum((weight[at] for at in chosen), Fraction()) for chosen in pairings)
    tied = [c for c in pairings if sum((weight[at] for at in c), Fraction()) == total]
    return sorted(max(tied, key=lambda chosen: [at in chosen for at in range(len(edges))]))


@examples(75)
@given(st.integers(0, 8), st.integers(0, 8), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_small_with_many_ties(rows: int, columns: int, highest: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, highest + 1, (rows, columns)).astype(np.float64)
    matrix *= rng.random((rows, columns)) < 0.6
    assert check(*edges_of(matrix)) == best(matrix)


@pytest.mark.parametrize("large", [0, 10**9])
@pytest.mark.parametrize("size", [17, 40, 120])
@pytest.mark.parametrize("density", [0.05, 0.3, 1.0])
def test_prices_and_scipy(
    size: int, density: float, large: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing, "_LARGE", large)
    rng = np.random.default_rng(size)
    shared = rng.integers(1, 4, (size, size + 3)) / rng.integers(4, 9, (size, size + 3))
    matrix = shared * (rng.random((size, size + 3)) < density)
    for table in (matrix, matrix.T):
        assert check(*edges_of(table)) == pytest.approx(best(matrix), abs=1e-12)


def test_nothing_to_align() -> None:
    empty = np.zeros(0, dtype=np.int64)
    assert best_alignment(empty, empty, np.zeros(0)).tolist() == []
    assert first_alignment(empty, empty, empty, empty, empty).tolist() == []
    assert first_best_pairing([]) == []
    assert first_best_pairing([{}, {3: Fraction(0)}]) == [-1, -1]


def test_long_path_is_one_component() -> None:
    """A path of 4,000 edges of nearly equal weight: nothing is dominant, all hangs together."""
    size = 2000
    row = np.repeat(np.arange(size), 2)
    column = np.stack([np.arange(size), np.arange(size) + 1], axis=1).ravel()
    assert [len(edges) for edges in components(row, column, np.arange(2 * size))] == [2 * size]
    weight = np.where(np.arange(2 * size) % 2, 1.0, 1.0 + 1e-6 * np.sin(np.arange(2 * size)))
    total = check(row, column, weight)
    # On a path the best alignment is found by one pass of dynamic programming.
    without, with_ = Fraction(0), Fraction(0)
    for value in weight.tolist():
        without, with_ = max(without, with_), without + Fraction(value)
    assert total == pytest.approx(float(max(without, with_)), abs=1e-9)


SHAPES = ("path", "cycle", "star", "caterpillar", "random")


def graph(shape: str, size: int, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    """A sparse bipartite graph of about so many edges, its ends in random order."""
    i = np.arange(size)
    if shape == "star":
        row, column = np.zeros(size, dtype=np.int64), i
    elif shape == "random":
        cells = np.unique(rng.integers(0, (size // 2 + 1) ** 2, size))
        row, column = np.divmod(cells, size // 2 + 1)
    else:
        row, column = i // 2, (i + 1) // 2
        if shape == "cycle":
            column = column % max(size // 2, 1)
        if shape == "caterpillar":
            row = np.concatenate((row, i // 2))
            column = np.concatenate((column, size + i))
    rows, columns = int(row.max(initial=0)) + 1, int(column.max(initial=0)) + 1
    return rng.permutation(rows)[row], rng.permutation(columns)[column]


@examples(40)
@given(
    st.sampled_from(SHAPES),
    st.sampled_from([2, 3, 5, 40, 41, 90]),
    st.sampled_from(["equal", "whole", "ratios"]),
    st.sampled_from([0, 10**9]),
    st.integers(0, 2**32 - 1),
)
def test_sparse_shapes(shape: str, half: int, weights: str, large: int, seed: int) -> None:
    """Paths, cycles, stars, trees and random graphs; whatever is solved by scipy."""
    rng = np.random.default_rng(seed)
    row, column = np.unique(np.stack(graph(shape, 2 * half, rng)), axis=1)
    weight = {
        "equal": np.ones(len(row)),
        "whole": rng.integers(1, 4, len(row)).astype(np.float64),
        "ratios": 2 * rng.integers(1, 4, len(row)) / rng.integers(6, 12, len(row)),
    }[weights]
    matrix = np.zeros((int(row.max()) + 1, int(column.max()) + 1))
    matrix[row, column] = weight
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairing, "_LARGE", large)
        assert check(row, column, weight) == pytest.approx(best(matrix), abs=1e-9)


@examples(75)
@given(st.integers(1, 6), st.integers(1, 6), st.floats(0, 0.5), st.integers(0, 2**32 - 1))
def test_dominant_edges(rows: int, columns: int, margin: float, seed: int) -> None:
    """What is taken is in a best pairing, with a margin in every one; what is left is free."""
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 4, (rows, columns)) / rng.integers(1, 4, (rows, columns))
    row, column, weight = edges_of(matrix)
    for least in (0.0, margin):
        taken, left = take_dominant(row, column, weight, margin=least)
        rest = np.zeros_like(matrix)
        rest[row[left], column[left]] = weight[left]
        assert weight[taken].sum() + best(rest) == pytest.approx(best(matrix), abs=1e-12)
        for edge in taken.tolist() if least > 1e-6 else ():
            without = matrix.copy()
            without[row[edge], column[edge]] = 0
            assert best(without) < best(matrix) - 1e-9


@pytest.mark.parametrize("seed", range(200))
def test_first_by_edges(seed: int) -> None:
    """At the first edge where two best pairings differ, ours has it: against all there are."""
    rng = np.random.default_rng(seed)
    edges = np.argwhere(rng.random(rng.integers(1, 5, 2)) < 0.7)
    rng.shuffle(edges)
    tops, bottoms = rng.integers(1, 4, len(edges)), rng.choice([1, 2, 3, 5], len(edges))
    weight = [Fraction(n, d) for n, d in zip(tops.tolist(), bottoms.tolist(), strict=True)]
    order = rng.permutation(len(edges))  # edges as the caller numbers them
    row, column = edges[order].T
    found = first_alignment(row, column, tops[order], bottoms[order], order)
    assert sorted(order[found].tolist()) == first_of_all(edges.tolist(), weight)


@pytest.mark.parametrize("seed", range(100))
def test_first_of_a_table(seed: int) -> None:
    """The first row takes the earliest column that a best pairing allows, then the second row."""
    rng = np.random.default_rng(seed)
    edges = np.argwhere(rng.random(rng.integers(1, 5, 2)) < 0.7).tolist()
    weight = [Fraction(int(n), 6) for n in rng.integers(1, rng.integers(2, 7), len(edges))]
    table: list[dict[int, Fraction]] = [{} for _ in range(5)]
    for (row, column), w in zip(edges, weight, strict=True):
        table[row][column] = w
    expected = [-1] * len(table)
    for at in first_of_all(edges, weight):
        expected[edges[at][0]] = edges[at][1]
    assert first_best_pairing(table) == expected


@pytest.mark.parametrize("size", [2, 9, 70])
def test_first_of_equal_weights(size: int) -> None:
    """Of all the size! best pairings, each row takes the column of its own number."""
    assert first_best_pairing([dict.fromkeys(range(size), Fraction(7))] * size) == [*range(size)]


def test_first_where_floats_see_no_difference() -> None:
    """n/(n+1) + 1/n is greater than 1/2 + 1/2, though not in floats."""
    n = 10**9
    assert n / (n + 1) + 1 / n == 1.0
    row, column = np.array([0, 0, 1, 1]), np.array([1, 0, 0, 1])
    numerator, denominator = np.array([1, n, 1, 1]), np.array([2, n + 1, 2, n])
    assert first_alignment(row, column, numerator, denominator, np.arange(4)).tolist() == [1, 3]


def test_first_in_a_large_component() -> None:
    """No size is too large: a cycle of 3,000 equal edges has two best pairings."""
    i = np.arange(3000)
    row, column = i // 2, (i + 1) // 2 % 1500
    ones, place = np.ones(3000, dtype=np.int64), np.random.default_rng(5).permutation(3000)
    found = first_alignment(row, column, ones, ones, place)
    assert found.tolist() == np.flatnonzero(i % 2 == np.argmin(place) % 2).tolist()


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
    scores = np.random.default_rng(1).choice([0.0, 0.5, 1.0], (250, 240))
    rows, columns = linear_sum_assignment(-scores)
    partner = scipy_pairing(scores)
    assert partner[rows].tolist() == columns.tolist()
    assert (np.delete(partner, rows) == -1).all()


def test_scipy_is_loaded_for_large_components_only() -> None:
    program = """if True:
        import sys
        import numpy as np
        from corefkit.core.pairing import best_alignment
        for size in (30, 100):
            row, column = np.divmod(np.arange(size * size), size)
            best_alignment(row, column, 1.0 + np.sin(np.arange(size * size)))
            print("scipy" in sys.modules)
    """
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == ["False", "True"]

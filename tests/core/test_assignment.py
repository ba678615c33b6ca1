"""The best alignment, against exhaustive search and against scipy's dense solver."""

from fractions import Fraction
from time import process_time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from corefkit.core.arrays import FloatArray, IntArray, distinct
from corefkit.core.assignment import best_alignment, best_total, prices
from corefkit.core.assignment import sparse as solver
from corefkit.core.assignment.paths import find_components, larger_class, solve_line, solve_lines
from corefkit.core.assignment.prices import ChangeablePairing
from tests.strategies import examples

Edges = tuple[IntArray, IntArray, FloatArray]


def edges_of(matrix: FloatArray) -> Edges:
    row, column = np.nonzero(matrix)
    return row, column, matrix[row, column]


def check(row: IntArray, column: IntArray, weight: FloatArray) -> float:
    """The alignment is one to one; returns its weight."""
    chosen = best_alignment(row, column, weight)
    assert len(set(row[chosen].tolist())) == len(chosen)
    assert len(set(column[chosen].tolist())) == len(chosen)
    assert (np.diff(chosen) > 0).all()
    return float(weight[chosen].sum())


def best(matrix: FloatArray) -> float:
    return float(matrix[linear_sum_assignment(matrix, maximize=True)].sum())


@examples(75)
@given(st.integers(0, 8), st.integers(0, 8), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_small_with_many_ties(rows: int, columns: int, highest: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, highest + 1, (rows, columns)).astype(np.float64)
    matrix *= rng.random((rows, columns)) < 0.6
    assert check(*edges_of(matrix)) == best(matrix)


@pytest.mark.parametrize("size", [17, 40, 120])
@pytest.mark.parametrize("density", [0.05, 0.3, 1.0])
def test_components_beyond_the_small_solver(size: int, density: float) -> None:
    rng = np.random.default_rng(size)
    matrix = rng.random((size, size + 3)) * (rng.random((size, size + 3)) < density)
    assert check(*edges_of(matrix)) == pytest.approx(best(matrix), abs=1e-12)


@pytest.mark.parametrize("weights", ["whole", "ratios"])
def test_dense_and_sparse_solvers_agree(monkeypatch: pytest.MonkeyPatch, weights: str) -> None:
    rng = np.random.default_rng(7)
    shared = rng.integers(0, 4, (60, 70)) * (rng.random((60, 70)) < 0.1)
    matrix = shared / (rng.integers(4, 9, (60, 70)) if weights == "ratios" else 1)
    dense = check(*edges_of(matrix))
    monkeypatch.setattr(solver, "_DENSE", 0)
    sparse = check(*edges_of(matrix))
    monkeypatch.setattr(solver, "_SMALL", 10**9)
    plain = check(*edges_of(matrix))
    expected = best(matrix)
    assert [dense, sparse, plain] == pytest.approx([expected] * 3, abs=1e-12)


def test_long_path_is_one_component() -> None:
    """A path of 4,000 edges of nearly equal weight: nothing is dominant, all hangs together."""
    size = 2000
    row = np.repeat(np.arange(size), 2)
    column = np.stack([np.arange(size), np.arange(size) + 1], axis=1).ravel()
    weight = np.where(np.arange(2 * size) % 2, 1.0, 1.0 + 1e-6 * np.sin(np.arange(2 * size)))
    total = check(row, column, weight)
    # On a path the best alignment is found by one pass of dynamic programming.
    without, with_ = Fraction(0), Fraction(0)
    for value in weight.tolist():
        without, with_ = max(without, with_), without + Fraction(value)
    assert total == pytest.approx(float(max(without, with_)), abs=1e-9)


def test_components_do_not_depend_on_numbers() -> None:
    rng = np.random.default_rng(3)
    matrix = rng.random((30, 30)) * (rng.random((30, 30)) < 0.08)
    row, column, weight = edges_of(matrix)
    shuffled_rows, shuffled_columns = rng.permutation(30), rng.permutation(30)
    assert check(shuffled_rows[row], shuffled_columns[column], weight) == pytest.approx(
        check(row, column, weight), abs=1e-12
    )


def test_nothing_to_align() -> None:
    empty = np.zeros(0, dtype=np.int64)
    assert best_alignment(empty, empty, np.zeros(0)).tolist() == []


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
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_sparse_shapes(shape: str, half: int, weights: str, one_by_one: bool, seed: int) -> None:
    """Paths, cycles, stars, trees and random graphs, also without rounds over all edges."""
    rng = np.random.default_rng(seed)
    row, column = graph(shape, 2 * half, rng)
    cells = np.unique(np.stack((row, column)), axis=1)
    row, column = cells[0], cells[1]
    weight = {
        "equal": np.ones(len(row)),
        "whole": rng.integers(1, 4, len(row)).astype(np.float64),
        "ratios": 2 * rng.integers(1, 4, len(row)) / rng.integers(6, 12, len(row)),
    }[weights]
    matrix = np.zeros((int(row.max()) + 1, int(column.max()) + 1))
    matrix[row, column] = weight
    with pytest.MonkeyPatch.context() as patch:
        if one_by_one:
            patch.setattr(solver, "_MANY", -1)
            patch.setattr(solver, "_FEW", 10**9)
            patch.setattr(solver, "_SMALL", 0)
        found = check(row, column, weight)
        again = best_alignment(row, column, weight)
        assert again.tolist() == best_alignment(row, column, weight).tolist()
    assert found == pytest.approx(best(matrix), abs=1e-9)


@pytest.mark.parametrize("shape", ["path", "cycle", "caterpillar"])
def test_long_shapes_of_equal_weight(shape: str) -> None:
    """Here few edges decide themselves at a time; a pass over all for each would take minutes."""
    rng = np.random.default_rng(1)
    row, column = graph(shape, 30_000, rng)
    weight = np.ones(len(row))
    assert check(row, column, weight) == 15_000


@examples(75)
@given(st.dictionaries(st.tuples(st.integers(0, 4), st.integers(0, 4)), st.integers(1, 9)))
def test_the_worth_of_a_few_edges(weights: dict[tuple[int, int], int]) -> None:
    """What scipy finds on the whole table; None only where many edges are left."""
    table = np.zeros((5, 5))
    for (row, column), weight in weights.items():
        table[row, column] = weight
    total = best_total([(row, column, weight) for (row, column), weight in weights.items()])
    if total is not None:
        rows, columns = linear_sum_assignment(table, maximize=True)
        assert total == table[rows, columns].sum()
    else:
        assert len(weights) > 8


COLUMN = st.dictionaries(st.integers(0, 4), st.sampled_from([0.25, 0.5, 1.0, 1.5, 2.75]))


def heaviest(columns: list[dict[int, float]]) -> float:
    matrix = np.zeros((5, len(columns)))
    for place, column in enumerate(columns):
        for row, weight in column.items():
            matrix[row, place] = weight
    return best(matrix)


CHANGE = st.tuples(st.sets(st.integers(0, 5)), st.lists(COLUMN, max_size=2))


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


def random_entities(
    mentions: int, sizes: list[int], rng: np.random.Generator, others: list[int] | None = None
) -> Edges:
    """Random entities of these sizes on both sides, or of others there, as CEAFe aligns them."""
    entity = []
    for choice in (sizes, others or sizes):
        size = rng.choice(choice, mentions)
        entity.append(rng.permutation(np.repeat(np.arange(mentions), size)[:mentions]))
    cells, count = np.unique(np.stack(entity), axis=1, return_counts=True)
    row, column = cells
    ours, theirs = (np.bincount(side) for side in entity)
    return row, column, 2 * count / (ours[row] + theirs[column])


@examples(60)
@given(
    st.sampled_from([[2], [3], [4], [2, 3, 4]]),
    st.sampled_from([[2], [3], [5]]),
    st.integers(2, 400),
    st.integers(0, 2**32 - 1),
)
def test_random_entities(sizes: list[int], others: list[int], mentions: int, seed: int) -> None:
    """Whatever the size of a component: pairs of the most edges, then prices and searches."""
    row, column, weight = random_entities(mentions, sizes, np.random.default_rng(seed), others)
    matrix = np.zeros((int(row.max()) + 1, int(column.max()) + 1))
    matrix[row, column] = weight
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solver, "LEAST_UNIFORM", 1)
        patch.setattr(prices, "_ALIKE", 0.0)
        patch.setattr(prices, "_MOST_SEARCHES", mentions)
        assert check(row, column, weight) == pytest.approx(best(matrix), abs=1e-12)


@examples(60)
@given(
    st.sampled_from([[1, 2], [2, 3], [2, 9], [2, 3, 4, 5, 6]]),
    st.integers(2, 400),
    st.integers(0, 2**32 - 1),
)
def test_random_entities_of_several_sizes(sizes: list[int], mentions: int, seed: int) -> None:
    """As a sparse graph, from prices that bids have found; these are no less than any weight."""
    row, column, weight = random_entities(mentions, sizes, np.random.default_rng(seed))
    matrix = np.zeros((int(row.max()) + 1, int(column.max()) + 1))
    matrix[row, column] = weight
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_DENSE", "_FILLED", "_SMALL", "_BRANCHING"):
            patch.setattr(solver, name, 0)
        assert check(row, column, weight) == pytest.approx(best(matrix), abs=1e-12)
    rows, columns = (distinct(side).inverse for side in (row, column))
    row_price, column_price = prices.bid_prices(rows, columns, weight)
    assert (row_price[rows] + column_price[columns] >= weight - 1e-12).all()
    assert row_price.sum() + column_price.sum() >= best(matrix) - 1e-9


@examples(60)
@given(st.lists(st.integers(1, 12), min_size=1, max_size=9), st.data())
def test_many_lines_at_once(lengths: list[int], data: st.DataObject) -> None:
    """Paths and cycles of random weights: each is solved as it would be alone."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    parts, line = [], []
    for number, length in enumerate(lengths):
        shape = data.draw(st.sampled_from(["path", "cycle"])) if length > 1 else "path"
        size = 2 * length if shape == "cycle" else length
        ends = np.array(graph(shape, size, rng)) + 100 * number
        parts.append(ends[:: data.draw(st.sampled_from([1, -1]))])
        line += [number] * size
    row, column = np.concatenate(parts, axis=1)
    order = rng.permutation(len(row))
    row, column, line_of = row[order], column[order], np.array(line)[order]
    for weight in (np.ones(len(row)), rng.integers(1, 5, len(row)) / 4, rng.random(len(row))):
        chosen = solve_lines(row, column, line_of, weight)
        for end in (row, column):
            assert np.bincount(end[chosen]).max() <= 1
        for number in range(len(lengths)):
            here = np.flatnonzero(line_of == number)
            alone = weight[here[solve_line(row[here], column[here], weight[here])]].sum()
            assert weight[here[chosen[here]]].sum() == pytest.approx(alone, abs=1e-12)
    every_second = larger_class(row, column, line_of)
    assert np.bincount(row[every_second]).max() == np.bincount(column[every_second]).max() == 1
    most = (np.bincount(line_of) + 1) // 2
    assert np.bincount(line_of[every_second]).tolist() == most.tolist()


@examples(60)
@given(st.integers(1, 30), st.integers(0, 60), st.integers(0, 2**32 - 1))
def test_components_and_sides(nodes: int, links: int, seed: int) -> None:
    """Any graph whose nodes have sides: the components of scipy, and each link as it was."""
    rng = np.random.default_rng(seed)
    one, other = rng.integers(0, nodes, (2, links))
    side = rng.integers(0, 2, nodes)
    component, found = find_components(one, other, side[one] ^ side[other], nodes)
    expected = connected_components(
        csr_array((np.ones(links), (one, other)), (nodes, nodes)), directed=False
    )[1]
    assert len(set(zip(component.tolist(), expected.tolist(), strict=True))) == max(expected) + 1
    assert set(component.tolist()) == set(range(max(expected) + 1))
    assert (found[one] ^ found[other] == side[one] ^ side[other]).all()


@pytest.mark.parametrize(("size", "other"), [(2, 2), (3, 3), (4, 4), (2, 4), (4, 3)])
def test_growth_of_random_entities(size: int, other: int) -> None:
    """One hard component: time grows as n log n does; quadratic growth would be 16 times."""

    def least(edges: Edges) -> float:
        times = []
        for _ in range(3):
            begun = process_time()
            best_alignment(*edges)
            times.append(process_time() - begun)
        return min(times)

    found = []
    for mentions in (30_000, 120_000):
        edges = random_entities(mentions, [size], np.random.default_rng(1), [other])
        found.append(least(edges))
    assert found[1] < 9 * found[0], found

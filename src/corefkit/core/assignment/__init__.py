"""The best one-to-one pairing, with four rules for ties, i.e. for equally good pairings.

- any: `best_alignment` returns a heaviest pairing of a large sparse graph, always the same one.
  CEAF uses it, because only the total matters.
- first: `first_best_pairing` and `best_pairs(…, ties="first")` compute in exact arithmetic; the
  first row takes the earliest column that a best pairing allows, then the second row, and so on.
- first cells: `first_alignment` computes in exact arithmetic, too; the edges are ordered, and at
  the first edge in which two best pairings differ, the one that has it is taken. Breakdowns of
  CEAF use this rule.
- scipy: `scipy_pairing` and `best_pairs(…, ties="scipy")` return the choice of scipy's
  `linear_sum_assignment` for the dense table, as other scorers do.

`best_total` is the weight of a heaviest pairing of a few edges, computed without numpy.

`best_pairs` pairs the mentions of all documents at once. Nearly all candidates are decided by
simple dominance; the others fall into small components. The table of a document is made only if
scipy's choice among ties is wanted, which depends on the whole table.
"""

from collections import Counter
from collections.abc import Sequence
from math import lcm
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, FloatArray, IntArray, tuples
from corefkit.core.assignment.paths import solve_line
from corefkit.core.assignment.sparse import best_alignment as best_alignment
from corefkit.core.assignment.sparse import (
    edge_components,
    take_dominant,
    take_one_by_one,
)
from corefkit.core.assignment.ties import first_best_cells
from corefkit.core.assignment.ties import first_best_pairing as first_best_pairing
from corefkit.core.assignment.ties import scipy_pairing as scipy_pairing
from corefkit.core.carriers import frozen

_MARGIN = 1e-9
"""Far above the rounding errors of sums of shares, far below any relevant difference."""

_LONG = 64
"""Paths and cycles with more edges are solved in one pass along their edges."""


def first_alignment(
    row: IntArray,
    column: IntArray,
    numerator: IntArray,
    denominator: IntArray,
    place: IntArray,
) -> IntArray:
    """The numbers of the edges in the first heaviest matching, sorted.

    All arguments are int64 (edges,): the weight of an edge is numerator/denominator > 0, and
    `place` is its unique place in the order of edges. Among all heaviest matchings, in exact
    arithmetic, the first is the one that has the first edge in which it differs from any other.

    >>> row, column, ones = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.ones(4, dtype=int)
    >>> first_alignment(row, column, ones, ones, np.array([2, 0, 1, 3])).tolist()
    [1, 2]
    """
    weight = numerator / denominator
    # The edges taken are in every best matching; what floats cannot decide is left over.
    taken, left = take_dominant(row, column, weight, margin=_MARGIN, stop_early=True)
    components = edge_components(row, column, left)
    if max(map(len, components), default=0) > _LONG:
        also_taken, left = take_one_by_one(row, column, weight, left, _MARGIN)
        taken = np.concatenate((taken, also_taken))
        components = edge_components(row, column, left)
    if not components:
        return np.sort(taken)
    length = [len(edges) for edges in components]
    edges = np.concatenate(components)
    number = np.repeat(np.arange(len(length)), length)
    edges = edges[np.lexsort((place[edges], number))]
    # Components are many and small: lists are five times as fast as arrays.
    listed = list(tuples(row[edges], column[edges], numerator[edges], denominator[edges]))
    chosen: list[int] = []
    first = 0
    for size in length:
        chosen += (first + at for at in _first_of_component(listed[first : first + size]))
        first += size
    return np.sort(np.concatenate((taken, edges[chosen])))


def _first_of_component(edges: list[tuple[int, int, int, int]]) -> list[int]:
    """The indices of the edges in the first best matching of one component.

    An edge is (row, column, numerator, denominator); edges are in the order that breaks ties.
    """
    rows, columns, tops, bottoms = zip(*edges, strict=True)
    scale = lcm(*bottoms)
    weight = [top * (scale // bottom) for top, bottom in zip(tops, bottoms, strict=True)]
    row_number = {row: number for number, row in enumerate(dict.fromkeys(rows))}
    column_number = {column: number for number, column in enumerate(dict.fromkeys(columns))}
    if len(row_number) == 1 or len(column_number) == 1:
        return [weight.index(max(weight))]
    size = len(edges)
    if size > _LONG and max(*Counter(rows).values(), *Counter(columns).values()) <= 2:
        # Unique sums: earlier edges get higher bits below the weight, so they win ties.
        exact = [(w << size) + (1 << size - 1 - at) for at, w in enumerate(weight)]
        line = solve_line(np.array(rows), np.array(columns), exact)
        return [int(at) for at in line]
    order = [(row_number[r], column_number[c]) for r, c in zip(rows, columns, strict=True)]
    weights: list[dict[int, int]] = [{} for _ in row_number]
    for (r, c), worth in zip(order, weight, strict=True):
        weights[r][c] = worth
    partner = first_best_cells(weights, len(column_number), order)
    return [at for at, (r, c) in enumerate(order) if partner[r] == c]


@frozen(eq=False)
class Candidates:
    """Pairs of mentions that may be matched, each once, with their positive scores.

    Attributes:
        key, response: int64 (pairs,), rows of mentions, or their ranks in text order.
        numerator, denominator: int64 (pairs,), the score as a fraction.
        score: float64 (pairs,), the score as the scorer computes it.
    """

    key: IntArray
    response: IntArray
    numerator: IntArray
    denominator: IntArray
    score: FloatArray

    def __len__(self) -> int:
        return len(self.key)


class Competitors(NamedTuple):
    """The mentions of a side in text order: their documents, and which are still free."""

    document: IntArray
    free: BoolArray


def best_pairs(
    candidates: Candidates, key: Competitors, response: Competitors, ties: str
) -> IntArray:
    """The numbers of the candidates in the best pairing of each document.

    `ties` is "first" for the documented rule, or "scipy" for the result of
    `linear_sum_assignment` for the dense table of all free mentions of the document.
    """
    # The candidates taken are in every best pairing: they outweigh whatever could replace them.
    taken, left = take_dominant(
        candidates.key, candidates.response, candidates.score, margin=_MARGIN
    )
    chosen = [taken]
    tied: set[int] = set()
    for edges in edge_components(candidates.key, candidates.response, left):
        solution, unique = _solve(candidates, edges)
        chosen.append(solution)
        if not unique:
            tied.add(int(key.document[candidates.key[edges[0]]]))
    pairs = np.concatenate(chosen)
    if ties != "scipy" or not tied:
        return pairs
    in_tied = np.isin(key.document[candidates.key], list(tied))
    kept = pairs[~in_tied[pairs]]
    solved = [_solve_dense(candidates, key, response, number) for number in sorted(tied)]
    return np.concatenate([kept, *solved])


def _solve(candidates: Candidates, edges: IntArray) -> tuple[IntArray, bool]:
    """The best pairing of one component by the documented rule, and whether it is the only one."""
    key, response = candidates.key[edges].tolist(), candidates.response[edges].tolist()
    row = {place: number for number, place in enumerate(sorted(set(key)))}
    column = {place: number for number, place in enumerate(sorted(set(response)))}
    weights: list[dict[int, int]] = [{} for _ in row]
    edge_of: dict[tuple[int, int], int] = {}
    scores = candidates.numerator[edges].tolist(), candidates.denominator[edges].tolist()
    scale = lcm(*scores[1])
    for edge, k, r, n, d in zip(edges.tolist(), key, response, *scores, strict=True):
        weights[row[k]][column[r]] = n * (scale // d)
        edge_of[row[k], column[r]] = edge
    partner, unique = first_best_pairing(weights, len(column))
    edges_taken = [edge_of[r, c] for r, c in enumerate(partner) if c >= 0]
    return np.array(edges_taken, dtype=np.int64), unique


def _solve_dense(
    candidates: Candidates, key: Competitors, response: Competitors, document: int
) -> IntArray:
    """The choice of scipy in one document, for the table of all its free mentions."""
    rows, columns = (np.flatnonzero((s.document == document) & s.free) for s in (key, response))
    edges = np.flatnonzero(key.document[candidates.key] == document)
    r = np.searchsorted(rows, candidates.key[edges])
    c = np.searchsorted(columns, candidates.response[edges])
    scores = np.zeros((len(rows), len(columns)))
    scores[r, c] = candidates.score[edges]
    chosen: IntArray = edges[scipy_pairing(scores)[r] == c]
    return chosen


Edge = tuple[int, int, int]
"""Row, column and weight, a positive integer."""

_FEW = 8
"""Up to so many undecided edges, all pairings are tried."""


def best_total(edges: Sequence[Edge]) -> int | None:
    """The largest total weight of edges of which no two share a row or a column.

    None if this simple method would take too long: use another solver.

    >>> best_total([(0, 0, 2), (0, 1, 1), (1, 0, 2), (1, 1, 2)])
    4
    """
    total = 0
    left = list(edges)
    while left:
        dominant, left = _take_dominant(left)
        total += dominant
        if not dominant:
            return total + _try_all(left) if len(left) <= _FEW else None
    return total


def _take_dominant(edges: list[Edge]) -> tuple[int, list[Edge]]:
    """The total weight of edges that weigh at least as much as the next-best edges of their row
    and column together, and the edges left over.

    Such edges are in a best pairing, so the other edges of their rows and columns are dropped.
    """
    rows: dict[int, list[int]] = {}
    columns: dict[int, list[int]] = {}
    for row, column, weight in edges:
        for best in (rows.setdefault(row, [0, 0]), columns.setdefault(column, [0, 0])):
            if weight > best[0]:  # the two largest weights are kept
                best[0], best[1] = weight, best[0]
            elif weight > best[1]:
                best[1] = weight
    total = 0
    taken_rows, taken_columns = set[int](), set[int]()
    for row, column, weight in edges:
        best_in_row, best_in_column = rows[row], columns[column]
        rivals = best_in_row[best_in_row[0] == weight] + best_in_column[best_in_column[0] == weight]
        if weight >= rivals and row not in taken_rows and column not in taken_columns:
            total += weight
            taken_rows.add(row)
            taken_columns.add(column)
    return total, [e for e in edges if e[0] not in taken_rows and e[1] not in taken_columns]


def _try_all(edges: list[Edge]) -> int:
    """The total weight of the best pairing, by trying it with and without each edge."""
    if not edges:
        return 0
    row, column, weight = edges[0]
    free = [edge for edge in edges[1:] if edge[0] != row and edge[1] != column]
    return max(weight + _try_all(free), _try_all(edges[1:]))

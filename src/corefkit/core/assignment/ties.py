"""Small one-to-one pairings with a rule for ties: the first in exact arithmetic, or scipy's choice.

Rows and columns are numbered in text order. Among all pairings with the highest total,
`first_best_pairing` gives the first row the earliest column that one of them allows (no column only
if all of them leave the row out), then the second row, and so on. `first_best_cells` is given an
order of the edges: at the first edge in which two pairings differ, the one that has it comes first.
`scipy_pairing` returns the choice of `linear_sum_assignment`.

The Hungarian method assigns a number to each row and column, u and v ≥ 0, with u + v ≥ weight on
every edge. The best pairings are exactly those that use only *tight* edges (u + v = weight) and
cover every row and column whose number is positive. So ties are settled by exchanging tight edges
along alternating paths, and nothing is solved twice.

scipy adds rows one by one along a shortest augmenting path (Crouse 2016, On implementing 2D
rectangular assignment algorithms). If several columns are equally near, the order in which they are
examined decides, so our code reproduces that order. It replaces scipy for small tables because
loading scipy.optimize takes three times as long as loading numpy, and tables with ties are few and
small. A test compares the two on random tables full of ties.
"""

from bisect import insort
from collections.abc import Iterable, Mapping, Sequence
from math import inf, lcm
from typing import TYPE_CHECKING

import numpy as np

from corefkit.core.arrays import FloatArray, IntArray

if TYPE_CHECKING:
    from fractions import Fraction


Weights = Sequence[Mapping[int, int]]
"""The edges of each row: column → weight, a positive integer."""


def first_best_pairing(
    weights: "Sequence[Mapping[int, Fraction]] | Weights", columns: int
) -> tuple[list[int], bool]:
    """The column of each row, −1 for none; and whether it is the only pairing with this total.

    Weights are integers or fractions; an edge with the weight 0 is ignored.

    >>> first_best_pairing([{0: 3, 1: 2}, {0: 2}], 2)
    ([1, 0], True)
    >>> from fractions import Fraction
    >>> first_best_pairing([{0: Fraction(1, 2), 1: Fraction(1, 2)}], 2)
    ([0], False)
    """
    scale = lcm(*(weight.denominator for edges in weights for weight in edges.values()))
    whole = [{c: int(w * scale) for c, w in edges.items() if w} for edges in weights]
    solved = _Hungarian(whole, columns)
    graph = _Tight(whole, solved.column_of, solved.u, solved.v)
    unique = not any(graph.can_do_without(row) for row in range(len(whole)))
    if not unique:
        for row in range(len(whole)):
            graph.settle(row)
    return graph.column_of, unique


def first_best_cells(weights: Weights, columns: int, order: Iterable[tuple[int, int]]) -> list[int]:
    """The column of each row, −1 for none, in the best pairing that is first by its edges.

    `order` has every edge once, as (row, column).

    >>> square = [{0: 1, 1: 1}, {0: 1, 1: 1}]
    >>> first_best_cells(square, 2, [(0, 1), (0, 0), (1, 0), (1, 1)])
    [1, 0]
    """
    solved = _Hungarian(weights, columns)
    graph = _Tight(weights, solved.column_of, solved.u, solved.v)
    if not graph.is_plain:
        for row, column in order:
            graph.settle_edge(row, column)
    return graph.column_of


class _Tight:
    """The tight edges, and a best pairing that is changed step by step into the first one.

    The attributes are pairs: index 0 is for rows, index 1 for columns.
    """

    def __init__(self, weights: Weights, column_of: list[int], u: list[int], v: list[int]) -> None:
        row_of = [-1] * len(v)
        for row, column in enumerate(column_of):
            if column >= 0:
                row_of[column] = row
        columns_of = [
            sorted(c for c, w in edges.items() if u[row] + v[c] == w)
            for row, edges in enumerate(weights)
        ]
        rows_of: list[list[int]] = [[] for _ in v]
        for row, listed in enumerate(columns_of):
            for column in listed:
                rows_of[column].append(row)
        self._partner = column_of, row_of
        self._edges = columns_of, rows_of
        self._needed = [n > 0 for n in u], [n > 0 for n in v]
        self._open = [True] * len(u), [True] * len(v)

    @property
    def column_of(self) -> list[int]:
        """The column of each row, −1 for none."""
        return self._partner[0]

    @property
    def is_plain(self) -> bool:
        """Whether all tight edges are in the pairing, so that it is the only best one."""
        return sum(map(len, self._edges[0])) == sum(column >= 0 for column in self.column_of)

    def can_do_without(self, row: int) -> bool:
        """Whether there is a best pairing without the current edge of the row.

        If no edge can be left out, the pairing is the only best one: all weights are positive, so
        no best pairing has these edges and further ones.
        """
        column = self.column_of[row]
        if column < 0:
            return False
        kept = self._partner[0][:], self._partner[1][:]
        ends = (self._edges[0][row], column), (self._edges[1][column], row)
        for edges, end in ends:
            edges.remove(end)
        self._separate(row, column)
        possible = self._mend(row, column)
        for edges, end in ends:
            insort(edges, end)
        self._partner = kept
        return possible

    def settle(self, row: int) -> None:
        """Give the row its earliest possible column, permanently."""
        self._open[0][row] = False
        for column in self._edges[0][row]:
            if self._open[1][column] and self._take(row, column):
                return

    def settle_edge(self, row: int, column: int) -> None:
        """Fix an edge in the pairing if a best pairing has it and all edges fixed so far."""
        if column not in self._edges[0][row] or not (self._open[0][row] and self._open[1][column]):
            return
        self._open[0][row] = False
        self._open[0][row] = not self._take(row, column)

    def _take(self, row: int, column: int) -> bool:
        """Pair the row with this column and close the column, if a best pairing has this edge.

        Returns whether it has; if not, nothing changes.
        """
        old_column, old_row = self._partner[0][row], self._partner[1][column]
        if old_column == column:
            self._open[1][column] = False
            return True
        kept = self._partner[0][:], self._partner[1][:]
        if old_column >= 0:
            self._separate(row, old_column)
        if old_row >= 0:
            self._separate(old_row, column)
        self._partner[0][row], self._partner[1][column] = column, row
        self._open[1][column] = False
        if self._mend(old_row, old_column):
            return True
        self._open[1][column] = True
        self._partner = kept
        return False

    def _separate(self, row: int, column: int) -> None:
        self._partner[0][row] = self._partner[1][column] = -1

    def _mend(self, row: int, column: int) -> bool:
        """Find partners for a row and a column that lost theirs and need one; −1 is none.

        Returns whether that was possible.
        """
        if row >= 0 and self._needed[0][row] and not self._cover(0, row):
            return False
        lost = column >= 0 and self._partner[1][column] < 0 and self._needed[1][column]
        return not lost or self._cover(1, column)

    def _cover(self, side: int, start: int) -> bool:
        """Give `start` a partner along an alternating path; return whether there is such a path.

        The path ends at a node of the other side without a partner, or at a node of this side that
        needs no partner and gives up its own.
        """
        partner, back = self._partner[side], self._partner[1 - side]
        open_here, open_there = self._open[side], self._open[1 - side]
        came_from: dict[int, int] = {}
        waiting = [start]
        for node in waiting:
            for other in self._edges[side][node]:
                if other in came_from or not open_there[other]:
                    continue
                came_from[other] = node
                owner = back[other]
                if owner < 0 or (open_here[owner] and not self._needed[side][owner]):
                    if owner >= 0:
                        partner[owner] = -1
                    step = other
                    while step >= 0:
                        giver = came_from[step]
                        previous = partner[giver]
                        partner[giver], back[step] = step, giver
                        step = -1 if giver == start else previous
                    return True
                if open_here[owner]:
                    waiting.append(owner)
        return False


class _Hungarian:
    """A heaviest pairing and the numbers u and v that prove it (Kuhn 1955, Munkres 1957).

    Rows are added one by one along a shortest augmenting path, which may also end by leaving a
    row without a partner.
    """

    def __init__(self, weights: Weights, columns: int) -> None:
        self._weights = weights
        self.u = [max(edges.values(), default=0) for edges in weights]
        self.v = [0] * columns
        self.column_of, self._row_of = [-1] * len(weights), [-1] * columns
        for row in range(len(weights)):
            self._add(row)

    def _add(self, new: int) -> None:
        """Add a row to the pairing; the rows on the path keep partners, or one of them loses its
        own, whichever is cheaper.
        """
        distance: dict[int, int] = {}
        came_from: dict[int, int] = {}
        rows, columns = {new: 0}, dict[int, int]()
        row, so_far = new, 0
        end, length, last = new, self.u[new], -1
        while True:
            for column, weight in self._weights[row].items():
                slack = so_far + self.u[row] + self.v[column] - weight
                if column not in columns and slack < distance.get(column, slack + 1):
                    distance[column], came_from[column] = slack, row
            if so_far + self.u[row] < length:
                end, length = row, so_far + self.u[row]
            # Among equally near columns a free one is preferred, because it ends the search.
            taken = self._row_of
            nearest = min(distance, key=lambda c: (distance[c], taken[c] >= 0, c), default=-1)
            if nearest < 0 or distance[nearest] >= length:
                break
            so_far = columns[nearest] = distance.pop(nearest)
            if self._row_of[nearest] < 0:
                end, length, last = came_from[nearest], so_far, nearest
                break
            row = self._row_of[nearest]
            rows[row] = so_far
        for reached, at in rows.items():
            self.u[reached] -= length - at
        for column, at in columns.items():
            self.v[column] += length - at
        self._flip(new, end, last, came_from)

    def _flip(self, new: int, row: int, column: int, came_from: Mapping[int, int]) -> None:
        """Exchange the partners along the path from `new` to `row`, which gets `column`."""
        while True:
            previous = self.column_of[row]
            self.column_of[row] = column
            if column >= 0:
                self._row_of[column] = row
            if row == new:
                return
            row, column = came_from[previous], previous


LARGE = 40_000
"""From so many cells on, loading scipy takes less time than doing without it."""


def scipy_pairing(scores: FloatArray, large: int = LARGE) -> IntArray:
    """int64 (rows,): the column of each row in `linear_sum_assignment(-scores)`; −1 for none.

    Tables with `large` cells or more are solved by scipy itself.

    >>> scipy_pairing(np.array([[0.5, 0.5, 0.0]])).tolist()
    [0]
    """
    rows, columns = scores.shape
    if rows > columns:
        partner = np.full(rows, -1, dtype=np.int64)
        partner[scipy_pairing(scores.T, large)] = np.arange(columns)
        return partner
    if rows * columns < large:
        return np.array(_cheapest((-scores).tolist(), columns), dtype=np.int64)
    from scipy.optimize import linear_sum_assignment

    return linear_sum_assignment(-scores)[1]


def _cheapest(cost: list[list[float]], columns: int) -> list[int]:
    """The column of each row in the cheapest assignment; there are no more rows than columns."""
    row_price, column_price = [0.0] * len(cost), [0.0] * columns
    column_of, row_of = [-1] * len(cost), [-1] * columns
    for new in range(len(cost)):
        distance, came_from = [inf] * columns, [-1] * columns
        # Columns are examined in this order; one that is done is replaced by the last one.
        waiting = list(range(columns - 1, -1, -1))
        rows, done = [], list[int]()
        row, so_far = new, 0.0
        while row >= 0:
            rows.append(row)
            costs, price = cost[row], row_price[row]
            # The nearest column; among equally near ones, the last without a row.
            nearest, lowest = -1, inf
            for at, column in enumerate(waiting):
                reached = so_far + costs[column] - price - column_price[column]
                if reached < distance[column]:
                    came_from[column], distance[column] = row, reached
                near = distance[column]
                if near < lowest or (near == lowest and row_of[column] < 0):
                    nearest, lowest = at, near
            so_far = lowest
            done.append(waiting[nearest])
            waiting[nearest] = waiting[-1]
            waiting.pop()
            row = row_of[done[-1]]
        row_price[new] += so_far
        for passed in rows[1:]:
            row_price[passed] += so_far - distance[column_of[passed]]
        for column in done:
            column_price[column] -= so_far - distance[column]
        end = done[-1]
        while row != new:
            row = row_of[end] = came_from[end]
            column_of[row], end = end, column_of[row]
    return column_of

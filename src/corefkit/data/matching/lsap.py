"""The choice of scipy's `linear_sum_assignment` among pairings of equal worth, without scipy.

It adds rows one by one along a shortest augmenting path (Crouse 2016, On implementing 2D
rectangular assignment algorithms); where several columns are equally near, the order in which they
are looked at decides, so that order is part of the answer. Loading scipy.optimize takes three
times as long as loading numpy, and the tables with ties are few and small. A test compares the two
on random tables full of ties.
"""

from math import inf

import numpy as np

from corefkit.data.arrays import FloatArray, IntArray

_LARGE = 40_000
"""From so many cells on, scipy is loaded and asked."""


def scipy_pairing(scores: FloatArray) -> IntArray:
    """The column of each row in `linear_sum_assignment(-scores)`, −1 for none.

    >>> scipy_pairing(np.array([[0.5, 0.5, 0.0]])).tolist()
    [0]
    """
    rows, columns = scores.shape
    if rows * columns >= _LARGE:
        from scipy.optimize import linear_sum_assignment

        partner = np.full(rows, -1, dtype=np.int64)
        chosen, others = linear_sum_assignment(-scores)
        partner[chosen] = others
        return partner
    if rows <= columns:
        return np.array(_Assignment((-scores).tolist(), columns).column_of, dtype=np.int64)
    row_of = _Assignment((-scores).T.tolist(), rows).column_of
    partner = np.full(rows, -1, dtype=np.int64)
    partner[row_of] = np.arange(columns)
    return partner


class _Assignment:
    """The cheapest assignment of all rows; no more rows than columns."""

    def __init__(self, cost: list[list[float]], columns: int) -> None:
        self._cost, self._columns = cost, columns
        self._row_price = [0.0] * len(cost)
        self._column_price = [0.0] * columns
        self.column_of = [-1] * len(cost)
        self._row_of = [-1] * columns
        for row in range(len(cost)):
            self._add(row)

    def _add(self, new: int) -> None:
        distance = [inf] * self._columns
        came_from = [-1] * self._columns
        # Columns wait in this order; one that is done is replaced by the last that waits.
        waiting = list(range(self._columns - 1, -1, -1))
        rows, done = [], []
        row, so_far, end = new, 0.0, -1
        while end < 0:
            rows.append(row)
            at, so_far = self._nearest(row, so_far, waiting, distance, came_from)
            column = waiting[at]
            waiting[at] = waiting[-1]
            waiting.pop()
            done.append(column)
            row = self._row_of[column]
            if row < 0:
                end = column
        self._row_price[new] += so_far
        for reached in rows[1:]:
            self._row_price[reached] += so_far - distance[self.column_of[reached]]
        for column in done:
            self._column_price[column] -= so_far - distance[column]
        while True:
            row = self._row_of[end] = came_from[end]
            self.column_of[row], end = end, self.column_of[row]
            if row == new:
                return

    def _nearest(
        self,
        row: int,
        so_far: float,
        waiting: list[int],
        distance: list[float],
        came_from: list[int],
    ) -> tuple[int, float]:
        """The place in `waiting` of the nearest column; of equals one without a row, the last."""
        cost, price = self._cost[row], self._row_price[row]
        best, lowest = -1, inf
        for at, column in enumerate(waiting):
            reached = so_far + cost[column] - price - self._column_price[column]
            if reached < distance[column]:
                came_from[column], distance[column] = row, reached
            near = distance[column]
            if near < lowest or (near == lowest and self._row_of[column] < 0):
                best, lowest = at, near
        return best, lowest

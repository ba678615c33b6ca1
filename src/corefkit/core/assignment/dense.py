"""The choice of scipy's `linear_sum_assignment` among pairings of equal worth, without scipy.

It adds rows one by one along a shortest augmenting path (Crouse 2016, On implementing 2D
rectangular assignment algorithms); where several columns are equally near, the order in which they
are looked at decides, so that order is part of the answer. Loading scipy.optimize takes three
times as long as loading numpy, and the tables with ties are few and small. A test compares the two
on random tables full of ties.
"""

from math import inf

import numpy as np

from corefkit.core.arrays import FloatArray, IntArray

LARGE = 40_000
"""From so many cells on, to load scipy takes less time than to do without."""


def scipy_pairing(scores: FloatArray, large: int = LARGE) -> IntArray:
    """The column of each row in `linear_sum_assignment(-scores)`, −1 for none.

    Tables of `large` cells or more are given to scipy itself.

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
    """The column of each row in the cheapest assignment; no more rows than columns."""
    row_price, column_price = [0.0] * len(cost), [0.0] * columns
    column_of, row_of = [-1] * len(cost), [-1] * columns
    for new in range(len(cost)):
        distance, came_from = [inf] * columns, [-1] * columns
        # Columns wait in this order; one that is done is replaced by the last that waits.
        waiting = list(range(columns - 1, -1, -1))
        rows, done = [], list[int]()
        row, so_far = new, 0.0
        while row >= 0:
            rows.append(row)
            costs, price = cost[row], row_price[row]
            # The nearest column; of equals one without a row, the last of these.
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

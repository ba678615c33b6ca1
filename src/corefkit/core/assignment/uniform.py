"""A heaviest pairing of one large component whose edges nearly all weigh the same.

Each row has a price, at first the weight of its heaviest edges; columns have none. Among the edges
whose prices leave no slack, a pairing of the most edges is found quickly (Hopcroft and Karp 1973,
An n^5/2 Algorithm for Maximum Matchings in Bipartite Graphs). Where all edges weigh the same this
is a heaviest one. A row that it leaves out, with a price, is then searched a partner for, or for a
row that had better stay out in its place, by a shortest path over slack; all prices on the way are
mended, so that at the end they prove the pairing (the Hungarian method). Prices are whole numbers:
what floats say of the weights is kept to the last digit.
"""

from heapq import heappop, heappush
from itertools import pairwise

import numpy as np

from corefkit.core.arrays import BoolArray, FloatArray, IntArray, starts_of_runs

LEAST_UNIFORM = 20_000
"""With fewer edges, to load scipy takes longer than to do without."""
_ALIKE = 0.99
"""So large a part of the edges weighs the same."""
_MOST_SEARCHES = 50
"""A search may look at the whole component."""
_SCALE = 2.0**60
"""Times this, the weights of CEAF are whole numbers."""


def uniform_pairing(row: IntArray, column: IntArray, weight: FloatArray) -> IntArray | None:
    """The numbers of the edges in a heaviest matching; None where weights are too different.

    Rows and columns are numbered from 0; each has an edge.
    """
    if np.mean(weight == np.median(weight)) < _ALIKE:
        return None
    price = np.zeros(int(row.max()) + 1)
    np.maximum.at(price, row, weight)
    partner = _most_pairs(row, column, weight == price[row])
    alone = np.flatnonzero(partner < 0).tolist()
    if len(alone) > _MOST_SEARCHES:
        return None
    if alone:
        pairing = _PricedPairing(row, column, weight, partner)
        for one in alone:
            pairing.mend(one)
        partner = np.array(pairing.column_of, dtype=np.int64)
    return np.flatnonzero(partner[row] == column)


def _most_pairs(row: IntArray, column: IntArray, chosen: BoolArray) -> IntArray:
    """The column of each row in a matching of the most of these edges, −1 for none."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    ends = row[chosen].astype(np.int32), column[chosen].astype(np.int32)
    shape = int(row.max()) + 1, int(column.max()) + 1
    graph = csr_array((np.ones(len(ends[0]), dtype=np.int8), ends), shape=shape)
    return maximum_bipartite_matching(graph, perm_type="column").astype(np.int64)


class _PricedPairing:
    """The pairing so far, with prices."""

    def __init__(
        self, row: IntArray, column: IntArray, weight: FloatArray, partner: IntArray
    ) -> None:
        order = np.lexsort((-weight, row))
        whole = [int(one) for one in (weight[order] * _SCALE).tolist()]
        edges = list(zip(column[order].tolist(), whole, strict=True))
        first = [*starts_of_runs(row[order]).tolist(), len(order)]
        self._edges = [edges[a:b] for a, b in pairwise(first)]
        self._row_price = [mine[0][1] for mine in self._edges]
        self._column_price = [0] * (int(column.max()) + 1)
        self.column_of: list[int] = partner.tolist()
        self._row_of = [-1] * len(self._column_price)
        for one, other in enumerate(self.column_of):
            if other >= 0:
                self._row_of[other] = one

    def mend(self, start: int) -> None:
        """Find a partner for a row without, or the row that stays alone at the least loss."""
        prices, column_prices, row_of = self._row_price, self._column_price, self._row_of
        came_from: dict[int, int] = {}
        distance: dict[int, int] = {}
        reached = {start: 0}
        waiting: list[tuple[int, int, int]] = []
        row, here, alone, end, best = start, 0, start, -1, prices[start]
        while True:
            if here + prices[row] < best:
                alone, best = row, here + prices[row]
            for column, weight in self._edges[row]:
                there = here + prices[row] + column_prices[column] - weight
                if there < best and column not in came_from:
                    heappush(waiting, (there, column, row))
            while waiting and waiting[0][1] in came_from:
                heappop(waiting)
            if not waiting or waiting[0][0] >= best:
                break
            here, column, before = heappop(waiting)
            came_from[column], distance[column] = before, here
            if row_of[column] < 0:
                end, best = column, here
                break
            row = row_of[column]
            reached[row] = here
        for one, there in reached.items():
            prices[one] -= max(best - there, 0)
        for one, there in distance.items():
            column_prices[one] += max(best - there, 0)
        self._flip(start, end, alone, came_from)

    def _flip(self, start: int, end: int, alone: int, came_from: dict[int, int]) -> None:
        """Exchange the partners along the path to a free column, or to a row that stays alone."""
        if end < 0:
            if alone == start:
                return
            end, self.column_of[alone] = self.column_of[alone], -1
        row = -1
        while row != start:
            row = came_from[end]
            self._row_of[end] = row
            self.column_of[row], end = end, self.column_of[row]

"""Heaviest pairings together with prices, which prove them optimal and make them easy to change.

Every node has a price ≥ 0. The prices at the two ends of an edge add up to at least its weight, and
to exactly its weight if the edge is in the pairing; a node without a partner has the price 0. The
sum of all prices is then the weight of the pairing, which proves that no pairing is heavier. For a
node with a price but no partner, a partner is searched along edges without slack, usually in a few
steps (one step of the Hungarian method).

- `ChangeablePairing` computes the weight of a heaviest pairing after a few columns are replaced,
  for many such changes: each column that is inserted or removed takes one search.
- `uniform_pairing` solves one large component whose edges nearly all weigh the same.
- `bid_prices` returns prices close to those of a heaviest pairing, as a start for another solver.
"""

from collections.abc import Iterable, Mapping
from heapq import heappop, heappush
from itertools import pairwise
from typing import TypeVar

import numpy as np

from corefkit.core.arrays import BoolArray, FloatArray, IntArray, starts_of_runs, stretches

ColumnWeights = Mapping[int, float]
"""The positive weights of the edges of a column, by row."""


class PricedPairing:
    """A pairing of nodes, which are numbered across both sides, and the prices of all nodes.

    If all weights and prices are integers, all results are, too.
    """

    def __init__(self) -> None:
        self._edges: dict[int, dict[int, float]] = {}
        self._price: dict[int, float] = {}
        self._partner: dict[int, int] = {}

    def _remember(self, *nodes: int) -> None:
        """Called before the prices and partners of these nodes change; subclasses override it."""

    def _mend(self, start: int) -> float:
        """Find a partner for a node that has a price but none, or lower its price to 0.

        Returns the decrease in the sum of all prices.
        """
        edges, price, partner = self._edges, self._price, self._partner
        reached: dict[int, float] = {start: 0}  # nodes on the side of `start` → their distance
        parent: dict[int, int] = {}  # nodes of the other side → the node they were reached from
        distance: dict[int, float] = {}
        waiting: list[tuple[float, int, int]] = []
        here: float
        end, best, node, here = start, price[start], start, 0
        while True:
            if here + price[node] < best:
                end, best = node, here + price[node]
            for other, weight in edges[node].items():
                there = here + max(price[node] + price[other] - weight, 0)
                if there < best and other not in parent:
                    heappush(waiting, (there, other, node))
            while waiting and waiting[0][1] in parent:
                heappop(waiting)
            if not waiting or waiting[0][0] >= best:
                break
            here, other, before = heappop(waiting)
            parent[other], distance[other] = before, here
            if other not in partner:
                end, best = other, here
                break
            node = partner[other]
            reached[node] = here
        self._remember(*reached, *distance)
        for node, there in reached.items():
            if there < best:
                price[node] -= best - there
        for other, there in distance.items():
            if there < best:
                price[other] += best - there
        self._flip(start, end, parent)
        return best

    def _flip(self, start: int, end: int, parent: Mapping[int, int]) -> None:
        """Exchange the partners along the path from `start` to `end`, a node without a partner or
        one that gives its partner up.
        """
        partner = self._partner
        if end == start:
            return
        if end not in parent:  # a node on the side of `start`, which loses its partner
            left = partner.pop(end)
            self._price[end], end = 0, left
        while True:
            node = parent[end]
            before = partner.get(node)
            partner[node], partner[end] = end, node
            if node == start:
                return
            assert before is not None
            end = before


class ChangeablePairing(PricedPairing):
    """A heaviest pairing of rows and columns, in which columns can be replaced by others.

    >>> pairing = ChangeablePairing({0: {0: 3.0, 1: 2.0}, 1: {0: 2.0, 1: 0.5}})
    >>> pairing.gain([1], [{0: 9.0}]), pairing.gain([], [{0: 9.0}])
    (7.0, 7.0)
    >>> pairing.gain([0, 1], [{0: 1.0}, {0: 2.5}])
    -1.5
    """

    def __init__(self, columns: Mapping[int, ColumnWeights]) -> None:
        """`columns` maps the number of each column to its weights."""
        super().__init__()
        self._before: dict[int, tuple[float | None, int | None]] = {}
        for number, weights in columns.items():
            self._put_in(_column(number), weights)
        self._last = min((_column(number) for number in columns), default=-1)

    def gain(self, without: Iterable[int], new: Iterable[ColumnWeights]) -> float:
        """The change in the weight of a heaviest pairing without some columns and with new ones.

        The pairing itself does not change.
        """
        self._before = {}
        gain, removed, added = 0.0, [], []
        for number in without:
            if (edges := self._edges.get(_column(number))) is not None:
                gain -= self._take_out(_column(number))
                removed.append((_column(number), edges))
        for place, weights in enumerate(new, 1):
            added.append(self._last - place)
            gain += self._put_in(self._last - place, weights)
        for column in added:
            self._unlink(column)
        for column, edges in removed:
            self._link(column, edges)
        self._restore()
        return gain

    def _remember(self, *nodes: int) -> None:
        """Save the price and the partner of nodes that are about to change."""
        for node in nodes:
            if node not in self._before:
                self._before[node] = self._price.get(node), self._partner.get(node)

    def _restore(self) -> None:
        """Restore the saved prices and partners."""
        for node, (price, partner) in self._before.items():
            _reset(self._price, node, price)
            _reset(self._partner, node, partner)

    def _link(self, column: int, weights: ColumnWeights) -> None:
        self._edges[column] = dict(weights)
        for row, weight in weights.items():
            self._edges.setdefault(row, {})[column] = weight
            self._price.setdefault(row, 0.0)

    def _unlink(self, column: int) -> None:
        for row in self._edges.pop(column):
            del self._edges[row][column]

    def _put_in(self, column: int, weights: ColumnWeights) -> float:
        """Insert a column; return the increase in weight of the pairing."""
        self._link(column, weights)
        self._remember(column)
        price = max((w - self._price[row] for row, w in weights.items()), default=0.0)
        self._price[column] = max(price, 0.0)
        self._partner.pop(column, None)
        return price - self._mend(column) if price > 0 else 0.0

    def _take_out(self, column: int) -> float:
        """Remove a column; return the decrease in weight of the pairing."""
        price = self._price[column]
        self._remember(column)
        row = self._partner.pop(column, None)
        self._unlink(column)
        if row is None:
            return price
        self._remember(row)
        del self._partner[row]
        return price + (self._mend(row) if self._price[row] > 0 else 0.0)


_Saved = TypeVar("_Saved", int, float)


def _reset(values: dict[int, _Saved], node: int, value: _Saved | None) -> None:
    """Set the value of a node; None removes it."""
    if value is None:
        values.pop(node, None)
    else:
        values[node] = value


def _column(number: int) -> int:
    """The node of a column: rows keep their numbers as nodes, columns have negative ones."""
    return -1 - number


_ALIKE = 0.99
"""The least share of edges that must have the same weight."""
_MOST_SEARCHES = 50
"""The most searches that are made: one search may visit the whole component."""
_SCALE = 2.0**60
"""The factor that turns the weights of CEAF, which are floats, into integers."""


def uniform_pairing(row: IntArray, column: IntArray, weight: FloatArray) -> IntArray | None:
    """The numbers of the edges in a heaviest matching; None if the weights differ too much.

    Rows and columns are numbered from 0; each has an edge. They are exchanged if there are more
    rows than columns, because not all rows could be paired. Initially the price of a row is the
    weight of its heaviest edge, and columns have the price 0. Among the edges without slack, a
    matching with as many edges as possible is found quickly (Hopcroft and Karp 1973, An n^5/2
    Algorithm for Maximum Matchings in Bipartite Graphs). If all edges weigh the same, it is a
    heaviest one. For each row that it leaves out, a search then finds a partner, or a row that is
    better left out instead.
    """
    if np.mean(weight == np.median(weight)) < _ALIKE:
        return None
    if row.max() > column.max():
        row, column = column, row
    price = np.zeros(int(row.max()) + 1)
    np.maximum.at(price, row, weight)
    partner = _most_pairs(row, column, weight == price[row])
    alone = np.flatnonzero(partner < 0).tolist()
    if len(alone) > _MOST_SEARCHES:
        return None
    if alone:
        partner = _UniformPairing(row, column, weight, partner).mended(alone)
    return np.flatnonzero(partner[row] == column)


def _most_pairs(row: IntArray, column: IntArray, chosen: BoolArray) -> IntArray:
    """int64 (rows,): the partner of each row in a largest matching of these edges; −1 for none."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    ends = row[chosen].astype(np.int32), column[chosen].astype(np.int32)
    shape = int(row.max()) + 1, int(column.max()) + 1
    graph = csr_array((np.ones(len(ends[0]), dtype=np.int8), ends), shape=shape)
    return maximum_bipartite_matching(graph, perm_type="column").astype(np.int64)


class _UniformPairing(PricedPairing):
    """The pairing so far; prices are integers, so that weights keep their last digit.

    Columns keep their numbers as nodes; rows have the numbers after them.
    """

    def __init__(
        self, row: IntArray, column: IntArray, weight: FloatArray, partner: IntArray
    ) -> None:
        super().__init__()
        order = np.lexsort((-weight, row))
        whole_weight = map(int, (weight[order] * _SCALE).tolist())
        edges = list(zip(column[order].tolist(), whole_weight, strict=True))
        first = [*starts_of_runs(row[order]).tolist(), len(order)]
        columns = int(column.max()) + 1
        self._price = dict.fromkeys(range(columns), 0)
        for node, (begin, end) in enumerate(pairwise(first), columns):
            self._edges[node] = dict(edges[begin:end])
            self._price[node] = edges[begin][1]
        for node, other in enumerate(partner.tolist(), columns):
            if other >= 0:
                self._partner[node], self._partner[other] = other, node
        self._nodes = range(columns, columns + len(partner))

    def mended(self, alone: Iterable[int]) -> IntArray:
        """int64 (rows,): the column of each row after a search for each row that is `alone`.

        −1 for rows without a column.
        """
        for row in alone:
            self._mend(self._nodes[row])
        return np.array([self._partner.get(node, -1) for node in self._nodes], dtype=np.int64)


_MOST_ROUNDS = 100
"""The most rounds of bidding; most bids are made in the first ten."""


def bid_prices(row: IntArray, column: IntArray, weight: FloatArray) -> tuple[FloatArray, ...]:
    """Prices of rows and of columns; at the ends of an edge they add up to at least its weight.

    Rows and columns are numbered from 0; each has an edge. Each row without a partner bids for its
    best column, the one with the largest weight − price, and offers what makes that column no
    better than its next-best one; the highest bid takes the column from its owner (Bertsekas 1988,
    The Auction Algorithm). Bids raise prices; if its two best columns are equally good, a row does
    not bid for a column that has an owner. About nine rows in ten find a partner, and the edges of
    these pairs have no slack.

    >>> edges = np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([3.0, 2.0, 2.0])
    >>> [side.tolist() for side in bid_prices(*edges)]
    [[1.0, 0.0], [2.0, 1.0]]
    """
    order = np.argsort(row, kind="stable")
    column, weight = column[order], weight[order]
    first = starts_of_runs(row[order])
    degree = np.diff(first, append=len(row))
    price = np.zeros(int(column.max()) + 1)
    owner, highest = np.full((2, len(price)), -1)
    free = np.arange(len(first))
    for _ in range(_MOST_ROUNDS):
        start = np.cumsum(degree[free]) - degree[free]
        edges = stretches(first[free], degree[free])
        left = weight[edges] - price[column[edges]]
        most = np.maximum.reduceat(left, start)
        best = np.flatnonzero(left == np.repeat(most, degree[free]))
        # Among several best columns, the last without an owner, or else the last.
        best = best[np.argsort(owner[column[edges[best]]] < 0, kind="stable")]
        chosen = np.empty(len(free), dtype=np.int64)
        chosen[np.searchsorted(start, best, side="right") - 1] = best
        left[chosen] = 0
        raised = most - np.maximum(np.maximum.reduceat(left, start), 0)
        wanted = column[edges[chosen]]
        bids = np.flatnonzero((most > 0) & ((raised > 0) | (owner[wanted] < 0)))
        if not len(bids):
            break
        bids = bids[np.argsort(raised[bids], kind="stable")]
        highest[wanted[bids]] = bids
        won = highest[np.unique(wanted[bids])]
        price[wanted[won]] += raised[won]
        former = owner[wanted[won]]
        owner[wanted[won]] = free[won]
        free = np.concatenate((np.delete(free, won), former[former >= 0]))
        if not len(free):
            break
    return np.maximum(np.maximum.reduceat(weight - price[column], first), 0), price

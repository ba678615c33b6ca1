"""What a heaviest pairing would be worth if a few columns were others, for many such changes.

A pairing is kept with its dual prices: each node has a price of at least 0, the prices at the ends
of an edge are together no less than its weight, those of a paired edge as much, and a node without
a partner has the price 0. The prices then add up to the weight of the pairing, which proves that it
is a heaviest one. To put in or take out a column, one search along edges whose prices leave no
slack mends both, and mostly it ends after a few edges (the Hungarian method, one step of it).
"""

from collections.abc import Iterable, Mapping
from heapq import heappop, heappush
from typing import TypeVar

ColumnWeights = Mapping[int, float]
"""The weights of the edges of a column, all positive, by row."""


class ChangeablePairing:
    """A heaviest pairing of rows and columns, of which columns may be exchanged for others.

    >>> pairing = ChangeablePairing({0: {0: 3.0, 1: 2.0}, 1: {0: 2.0, 1: 0.5}})
    >>> pairing.gain([1], [{0: 9.0}]), pairing.gain([], [{0: 9.0}])
    (7.0, 7.0)
    >>> pairing.gain([0, 1], [{0: 1.0}, {0: 2.5}])
    -1.5
    """

    def __init__(self, columns: Mapping[int, ColumnWeights]) -> None:
        """`columns` has the weights of each by its number."""
        self._edges: dict[int, dict[int, float]] = {}
        self._price: dict[int, float] = {}
        self._partner: dict[int, int] = {}
        self._before: dict[int, tuple[float | None, int | None]] = {}
        for number, weights in columns.items():
            self._put_in(_column(number), weights)
        self._last = min((_column(number) for number in columns), default=-1)

    def gain(self, without: Iterable[int], new: Iterable[ColumnWeights]) -> float:
        """How much more a heaviest pairing weighs without some columns and with some new ones."""
        self._before = {}
        gain, gone, added = 0.0, [], []
        for number in without:
            if (edges := self._edges.get(_column(number))) is not None:
                gain -= self._take_out(_column(number))
                gone.append((_column(number), edges))
        for place, weights in enumerate(new, 1):
            added.append(self._last - place)
            gain += self._put_in(self._last - place, weights)
        for column in added:
            self._unlink(column)
        for column, edges in gone:
            self._link(column, edges)
        self._restore()
        return gain

    def _remember(self, *nodes: int) -> None:
        """Note the price and the partner of nodes that are about to change."""
        for node in nodes:
            if node not in self._before:
                self._before[node] = self._price.get(node), self._partner.get(node)

    def _restore(self) -> None:
        """Give all nodes the price and the partner that were noted."""
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
        """Put in a column; how much more the pairing is worth."""
        self._link(column, weights)
        self._remember(column)
        price = max((w - self._price[row] for row, w in weights.items()), default=0.0)
        self._price[column] = max(price, 0.0)
        self._partner.pop(column, None)
        return price - self._mend(column) if price > 0 else 0.0

    def _take_out(self, column: int) -> float:
        """Take out a column; how much less the pairing is worth."""
        price = self._price[column]
        self._remember(column)
        row = self._partner.pop(column, None)
        self._unlink(column)
        if row is None:
            return price
        self._remember(row)
        del self._partner[row]
        return price + (self._mend(row) if self._price[row] > 0 else 0.0)

    def _mend(self, start: int) -> float:
        """Find a partner for a node that has a price and none, or bring its price to 0.

        Returns by how much the prices fall together.
        """
        edges, price, partner = self._edges, self._price, self._partner
        reached = {start: 0.0}  # nodes of the side of `start`, with their distances
        parent: dict[int, int] = {}  # of nodes of the other side
        distance: dict[int, float] = {}
        waiting: list[tuple[float, int, int]] = []
        end, best, node, here = start, price[start], start, 0.0
        while True:
            if here + price[node] < best:
                end, best = node, here + price[node]
            for other, weight in edges[node].items():
                there = here + max(price[node] + price[other] - weight, 0.0)
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
        """Exchange the partners along the path from `start` to a node that ends without one."""
        partner = self._partner
        if end == start:
            return
        if end not in parent:  # a node of the side of `start`, which stays alone
            left = partner.pop(end)
            self._price[end], end = 0.0, left
        while True:
            node = parent[end]
            before = partner.get(node)
            partner[node], partner[end] = end, node
            if node == start:
                return
            assert before is not None
            end = before


_Noted = TypeVar("_Noted", int, float)


def _reset(values: dict[int, _Noted], node: int, value: _Noted | None) -> None:
    if value is None:
        values.pop(node, None)
    else:
        values[node] = value


def _column(number: int) -> int:
    """Rows are nodes of their own numbers, columns those below 0."""
    return -1 - number

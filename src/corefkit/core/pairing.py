"""The best one-to-one pairing of rows and columns, and which one if several are equally good.

CEAF aligns entities, and partial matching pairs mentions, in the same way. There are *edges*: a row
(a key entity, say), a column (a response entity) and a positive weight (how similar they are).
Wanted are edges of which no two share a row or a column and whose weights add up to as much as
possible.

1. *Dominant edges.* An edge that weighs at least as much as the next-best edges at its two ends
   together belongs to a best pairing: it can replace whatever a pairing uses there. Such edges are
   taken, all that touch them are dropped, and so on. This decides nearly everything.
2. *Components.* The edges left over are connected in groups, usually of a handful of edges. Each
   group is solved by itself.
3. *Prices.* A group is solved by the Hungarian method, see `PricedPairing`. A large one is solved
   by scipy if any best pairing will do; scipy is loaded only then, because loading it takes longer
   than scoring a corpus.

There are three rules for ties, i.e. for which of several best pairings is taken:

- *any* (`best_alignment`): always the same one. CEAF needs no more, since the total is unique.
- *first* (`first_alignment`, `first_best_pairing`): the edges have an order, and at the first edge
  in which two best pairings differ, the one that has it is taken. Weights become exact integers;
  below its weight, each edge gets a bit of its own, the first edge the highest one. Then no two
  pairings have the same sum, so the best one is the first one. No component is too large for this:
  in any corpus of conformance, with its windows and all kinds of matching, the largest has 118
  edges (nodes of mentions, `mor`), and none of CEAF more than 35; those of whole corpora joined by
  their ids have up to 4,400 and take a tenth of a second.
- *scipy's* (`scipy_pairing`): what `scipy.optimize.linear_sum_assignment` returns for the table of
  all rows and columns, as other scorers do.
"""

from collections.abc import Callable, Mapping, Sequence
from heapq import heappop, heappush
from math import inf, lcm
from typing import TYPE_CHECKING

import numpy as np

from corefkit.core.arrays import (
    EMPTY,
    BoolArray,
    FloatArray,
    IntArray,
    among,
    connected,
    distinct,
    starts_of_runs,
)

if TYPE_CHECKING:
    from fractions import Fraction

MARGIN = 1e-9
"""Far above the rounding errors of weights, far below any relevant difference of two sums."""

_FEW = 50
"""If a round decides less than one edge in so many, dominance has done its work."""

_LARGE = 5_000
"""Up to so many edges, prices take less time than loading scipy, or hardly more."""

_LARGE_TABLE = 40_000
"""The same for the cells of a table."""

Edges = tuple[IntArray, IntArray, FloatArray]
"""The rows, columns and weights of edges."""


def best_alignment(row: IntArray, column: IntArray, weight: FloatArray) -> IntArray:
    """The numbers of the edges of a best pairing, sorted; any one, but always the same.

    `row`, `column`, `weight` (edges,) with positive weights; each pair occurs once.

    >>> row, column = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> best_alignment(row, column, np.array([3.0, 2.0, 2.0, 0.5])).tolist()
    [1, 2]
    """

    def solve(edges: IntArray) -> Sequence[int]:
        component = row[edges], column[edges], weight[edges]
        if len(edges) > _LARGE:
            return _solved_by_scipy(*component)
        return _solved_by_prices(*(values.tolist() for values in component))

    return _decide((row, column, weight), 0.0, solve)


def first_alignment(
    row: IntArray,
    column: IntArray,
    numerator: IntArray,
    denominator: IntArray,
    rank: IntArray,
) -> IntArray:
    """The numbers of the edges of the first best pairing, sorted.

    All arguments are int64 (edges,): the weight of an edge is numerator/denominator > 0, and
    `rank` is its unique rank in the order of edges.

    >>> row, column, ones = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.ones(4, dtype=int)
    >>> first_alignment(row, column, ones, ones, np.array([2, 0, 1, 3])).tolist()
    [1, 2]
    """

    def solve(edges: IntArray) -> Sequence[int]:
        order = np.argsort(rank[edges])
        columns = (v[edges[order]].tolist() for v in (row, column, numerator, denominator))
        chosen: list[int] = order[_first(*columns)].tolist()
        return chosen

    # With the margin, the edges taken are in every best pairing.
    return _decide((row, column, numerator / denominator), MARGIN, solve)


def first_best_pairing(weights: "Sequence[Mapping[int, Fraction]]") -> list[int]:
    """The column of each row, −1 for none, in the first best pairing of a small table.

    The first row takes the earliest column that a best pairing allows (none only if every best
    pairing leaves it out), then the second row, and so on. An edge of weight 0 is ignored.

    >>> from fractions import Fraction
    >>> half = Fraction(1, 2)
    >>> first_best_pairing([{0: half, 1: half}, {0: half}])
    [1, 0]
    """
    edges = [
        (row, c, w) for row, cells in enumerate(weights) for c, w in sorted(cells.items()) if w
    ]
    partner = [-1] * len(weights)
    if edges:
        row, column, weight = zip(*edges, strict=True)
        ratios = [w.numerator for w in weight], [w.denominator for w in weight]
        for at in _first(row, column, *ratios):
            partner[row[at]] = column[at]
    return partner


def scipy_pairing(scores: FloatArray) -> IntArray:
    """int64 (rows,): the column of each row in `linear_sum_assignment(-scores)`; −1 for none.

    Rows and columns with the score 0 may be paired, as scipy does.

    >>> scipy_pairing(np.array([[0.5, 0.5, 0.0]])).tolist()
    [0]
    """
    rows, columns = scores.shape
    if rows > columns:
        partner = np.full(rows, -1, dtype=np.int64)
        partner[scipy_pairing(scores.T)] = np.arange(columns)
        return partner
    if rows * columns < _LARGE_TABLE:
        return np.array(_cheapest((-scores).tolist(), columns), dtype=np.int64)
    from scipy.optimize import linear_sum_assignment

    return linear_sum_assignment(-scores)[1]


def _decide(edges: Edges, margin: float, solve: Callable[[IntArray], Sequence[int]]) -> IntArray:
    """The numbers of the dominant edges and of those that `solve` chooses in each component."""
    taken, left = take_dominant(*edges, margin=margin)
    chosen = [taken]
    for component in components(edges[0], edges[1], left):
        chosen.append(component[np.array(solve(component), dtype=np.int64)])
    return np.sort(np.concatenate(chosen))


def take_dominant(
    row: IntArray, column: IntArray, weight: FloatArray, *, margin: float = 0.0
) -> tuple[IntArray, IntArray]:
    """The numbers of the dominant edges, and of the undecided edges that are left.

    An edge is dominant if it weighs at least as much as the best other edges at its two ends
    together, plus `margin`; the other edges at its ends are then out.

    >>> row, column = np.array([0, 0, 1, 2, 2]), np.array([0, 1, 0, 2, 3])
    >>> taken, left = take_dominant(row, column, np.array([5.0, 2.0, 2.0, 1.0, 1.0]))
    >>> taken.tolist(), left.tolist()
    ([0, 3], [])
    """
    taken, left = [EMPTY], np.arange(len(row))
    while len(left):
        r, c, w = row[left], column[left], weight[left]
        best_of_row, next_of_row = _best_and_next(r, w)
        best_of_column, next_of_column = _best_and_next(c, w)
        dominant = best_of_row & best_of_column & (w >= next_of_row + next_of_column + margin)
        taken.append(left[dominant])
        left = left[~(among(r, r[dominant]) | among(c, c[dominant]))]
        if np.count_nonzero(dominant) * _FEW < len(r):
            break
    return np.concatenate(taken), left


def _best_and_next(group: IntArray, weight: FloatArray) -> tuple[BoolArray, FloatArray]:
    """bool (edges,): the (first) heaviest edge of each group; and the next-best weight for these.

    >>> best, following = _best_and_next(np.array([0, 0, 7]), np.array([2.0, 3.0, 1.0]))
    >>> best.tolist(), following[best].tolist()
    ([False, True, True], [2.0, 0.0])
    """
    order = np.lexsort((-weight, group))
    same = group[order][1:] == group[order][:-1]
    best = np.ones(len(group), dtype=bool)
    best[order[1:][same]] = False
    following = np.zeros(len(group))
    following[order[:-1][same]] = weight[order[1:][same]]
    return best, following


def components(row: IntArray, column: IntArray, edges: IntArray) -> list[IntArray]:
    """These edges of a graph by connected component, ordered by their first rows.

    >>> found = components(np.array([0, 5, 0]), np.array([1, 7, 2]), np.arange(3))
    >>> [edges.tolist() for edges in found]
    [[0, 2], [1]]
    """
    if not len(edges):
        return []
    r, c = distinct(row[edges]).inverse, distinct(column[edges]).inverse
    rows = int(r.max()) + 1
    label = connected(rows + int(c.max()) + 1, r, rows + c)[r]
    order = np.argsort(label, kind="stable")
    return np.split(edges[order], starts_of_runs(label[order])[1:])


def _first(
    row: Sequence[int],
    column: Sequence[int],
    numerator: Sequence[int],
    denominator: Sequence[int],
) -> list[int]:
    """The places of the edges of the first best pairing; earlier edges win ties."""
    scale, bits = lcm(*denominator), len(row)
    whole = (top * (scale // bottom) for top, bottom in zip(numerator, denominator, strict=True))
    weight = [(w << bits) + (1 << bits - 1 - number) for number, w in enumerate(whole)]
    # From the last to the first: on a long path whose weights fall, as they do where plurals share
    # their elements, each column then finds a free row at once, instead of a walk to the beginning.
    chosen = _solved_by_prices(row[::-1], column[::-1], weight[::-1])
    return [bits - 1 - at for at in reversed(chosen)]


def _solved_by_prices(
    row: Sequence[int], column: Sequence[int], weight: Sequence[float]
) -> list[int]:
    """The places of the edges of a best pairing."""
    columns: dict[int, dict[int, float]] = {}
    for r, c, w in zip(row, column, weight, strict=True):
        columns.setdefault(c, {})[r] = w
    pairing = PricedPairing()
    for number, weights in columns.items():
        pairing.insert(number, weights)
    return [at for at, pair in enumerate(zip(row, column, strict=True)) if pairing.has(*pair)]


def _solved_by_scipy(row: IntArray, column: IntArray, weight: FloatArray) -> Sequence[int]:
    """The same by scipy, which pairs all rows: each has a private column that means no partner."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    r, c = distinct(row).inverse, distinct(column).inverse
    rows, columns = int(r.max()) + 1, int(c.max()) + 1
    most = weight.max() + 1.0  # costs must be positive: scipy ignores explicit zeros
    costs = np.concatenate((most - weight, np.full(rows, most)))
    every_row = np.arange(rows)
    ends = np.concatenate((r, every_row)), np.concatenate((c, columns + every_row))
    graph = csr_array((costs, ends), shape=(rows, columns + rows))
    # Before scipy 1.13 its solver needs 32-bit indices; there are fewer edges than 2³¹.
    graph.indices, graph.indptr = graph.indices.astype(np.int32), graph.indptr.astype(np.int32)
    partner = min_weight_full_bipartite_matching(graph)[1]
    chosen: list[int] = np.flatnonzero(partner[r] == c).tolist()
    return chosen


class PricedPairing:
    """A best pairing, to which columns are added one by one, and the prices that prove it the best.

    Every row and column has a price ≥ 0. The prices at the two ends of an edge add up to at least
    its weight, and to exactly its weight if the edge is in the pairing; what has no partner has the
    price 0. So the sum of all prices is the weight of the pairing, and no pairing can weigh more.

    A new column gets the lowest price that its edges allow. If that is above 0, it needs a partner
    or a lower price, so a search goes from it along the cheapest path (of least excess of prices
    over weights) to a row without a partner, or to a column that may as well lose its partner.

    Rows and columns share one range of numbers, as nodes: rows have their own, columns negative
    ones. If all weights are integers, all prices are, too; so they are exact, however long.
    """

    def __init__(self) -> None:
        self._edges: dict[int, dict[int, float]] = {}
        self._price: dict[int, float] = {}
        self._partner: dict[int, int] = {}

    def has(self, row: int, column: int) -> bool:
        """Whether this row and this column are paired."""
        return self._partner.get(row) == node_of(column)

    def insert(self, column: int, weights: Mapping[int, float]) -> float:
        """Add a column with its weights by row; return the increase in weight of the pairing."""
        node = node_of(column)
        self._link(node, weights)
        price = max([0, *(weight - self._price[row] for row, weight in weights.items())])
        self._before_change(node)
        self._price[node] = price
        self._partner.pop(node, None)
        return price - self._find_partner(node) if price > 0 else 0.0

    def _link(self, column: int, weights: Mapping[int, float]) -> None:
        self._edges[column] = dict(weights)
        for row, weight in weights.items():
            self._edges.setdefault(row, {})[column] = weight
            self._price.setdefault(row, 0)

    def _before_change(self, *nodes: int) -> None:
        """Called before the prices and partners of these nodes change; subclasses override it."""

    def _find_partner(self, start: int) -> float:
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
        self._before_change(*reached, *distance)
        for node, there in reached.items():
            price[node] -= best - there
        for other, there in distance.items():
            price[other] += best - there
        self._exchange_partners(start, end, parent)
        return best

    def _exchange_partners(self, start: int, end: int, parent: Mapping[int, int]) -> None:
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


def node_of(column: int) -> int:
    """The node of a column: rows keep their numbers as nodes, columns have negative ones."""
    return -1 - column


def _cheapest(cost: list[list[float]], columns: int) -> list[int]:
    """The column of each row in the cheapest assignment; there are no more rows than columns.

    scipy adds rows one by one along a shortest path (Crouse 2016, On implementing 2D rectangular
    assignment algorithms). If several columns are equally near, the order in which they are
    examined decides, so this is the same algorithm with the same order.
    """
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

"""A heaviest one-to-one pairing of a large sparse graph, such as CEAF's alignment of entities.

There is an edge for each pair of entities that overlap. An edge is *dominant* if it weighs at least
as much as the next-best edges at its two ends together: it belongs to a heaviest pairing, because
it can replace whatever a pairing uses there. Taking dominant edges, and removing all edges that
touch them, until none is left, solves every star and, in practice, nearly every entity. The rest
falls into components, each of which is solved by an exact algorithm that suits its size and shape.
Long paths and cycles, which have few dominant edges or none, are solved in linear time.
"""

from collections import deque
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    among,
    distinct,
    mask_of,
    starts_of_runs,
)
from corefkit.core.assignment.paths import (
    find_components,
    larger_class,
    neighbours,
    solve_line,
    solve_lines,
)
from corefkit.core.assignment.ties import LARGE, scipy_pairing

_SMALL = 16
"""Up to this many entities on the smaller side, plain Python is faster than loading scipy."""
_BRANCHING = 16
"""With more edges per entity, taking edges one by one in Python is slow."""
_SPARSE = 4
"""Rows or columns are renumbered densely if the largest number exceeds so many times the edges."""
_TIED = 4
"""If one edge in so many is tied with the next-best in its row, few edges are dominant."""
_TWO_BY_TWO = 4
"""The largest number of edges of two rows and two columns."""
_MANY_VALUES = 64
"""Up to so many values, a dict is faster than sorting an array."""
LEAST_UNIFORM = 20_000
"""With fewer edges, loading scipy takes longer than doing without it."""
_DENSE, _FILLED = 1 << 22, 4
"""A component is solved as a dense matrix if it has at most _DENSE cells or if at least one cell in
_FILLED is an edge, and as a sparse one otherwise."""


def best_alignment(row: IntArray, column: IntArray, weight: FloatArray) -> IntArray:
    """The numbers of the edges in a heaviest matching, sorted.

    `row`, `column`, `weight` (edges,) with positive weights; each pair occurs once.

    >>> row, column = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> best_alignment(row, column, np.array([3.0, 2.0, 2.0, 0.5])).tolist()
    [1, 2]
    """
    taken, left = take_dominant(row, column, weight, stop_early=True)
    two_by_two, rest = _take_two_by_two(_Undecided.of(row, column, left), weight)
    lines, rest = _take_lines(rest, weight)
    uniform, rest = _take_uniform(rest, weight)
    left, solutions = rest.edges, [taken, two_by_two, lines, uniform]
    if len(left) <= _BRANCHING * (len(row) and int(row.max()) + int(column.max()) + 2):
        one_by_one, left = take_one_by_one(row, column, weight, left)
        solutions.append(one_by_one)
    for edges in edge_components(row, column, left):
        solutions.append(edges[_solve(row[edges], column[edges], weight[edges])])
    return np.flatnonzero(mask_of(np.concatenate(solutions), len(row)))


def _solve(row: IntArray, column: IntArray, weight: FloatArray) -> IntArray:
    """The numbers of the edges in a heaviest matching of one component."""
    r, c = _numbers(row), _numbers(column)
    rows, columns = int(r.max()) + 1, int(c.max()) + 1
    small = min(rows, columns) <= _SMALL
    if not small and max(int(np.bincount(r).max()), int(np.bincount(c).max())) <= 2:
        return solve_line(r, c, weight)
    if small or rows * columns <= max(_DENSE, _FILLED * len(weight)):
        matrix = np.zeros((rows, columns))
        matrix[r, c] = weight
        partner = scipy_pairing(matrix, large=LARGE if small else 0)
    else:
        partner = _sparse_pairing(r, c, weight, rows, columns)
    return np.flatnonzero(partner[r] == c)


def _numbers(values: IntArray) -> IntArray:
    """The rank of each value among the distinct ones; fast for a few values, the usual case."""
    if len(values) > _MANY_VALUES:
        return distinct(values).inverse
    listed = values.tolist()
    rank = {value: number for number, value in enumerate(sorted(set(listed)))}
    return np.array([rank[value] for value in listed], dtype=np.int64)


def _sparse_pairing(
    r: IntArray, c: IntArray, weight: FloatArray, rows: int, columns: int
) -> IntArray:
    """The column of each row; `columns` or more if it has no partner.

    So that both sides can be matched in full, every row gets a private column and every column a
    private row, with weight 0; if a row and a column are paired, so are their private partners.
    Subtracting prices from the weights then does not change the best matching. With good prices,
    the edges of a best matching cost next to nothing, and the solver finds most of them at once.
    For random entities of 2 to 6 mentions this takes a quarter of the time; for those of 2 and 3,
    whose bids end in ties, it saves little.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    from corefkit.core.assignment.prices import bid_prices

    row_price, column_price = bid_prices(r, c, weight)
    every_row, every_column = np.arange(rows), np.arange(columns)
    slack = row_price[r] + column_price[c] - weight
    # scipy ignores explicit zeros. All rows are matched, so adding a constant changes nothing.
    values = np.concatenate((slack, row_price, column_price, np.zeros(len(r)))) + 1.0
    where = (
        np.concatenate((r, every_row, rows + every_column, rows + c)),
        np.concatenate((c, columns + every_row, every_column, columns + r)),
    )
    graph = csr_array((values, where), shape=(rows + columns, rows + columns))
    # Before scipy 1.13 its solver needs 32-bit indices; there are fewer edges than 2³¹.
    graph.indices, graph.indptr = graph.indices.astype(np.int32), graph.indptr.astype(np.int32)
    partner = np.empty(rows + columns, dtype=np.int64)
    chosen, partner_of_chosen = min_weight_full_bipartite_matching(graph)
    partner[chosen] = partner_of_chosen
    return partner[:rows]


_MANY, _FEW = 2000, 50
"""With more than _MANY edges, a round that decides less than one in _FEW is the last."""


def take_dominant(
    row: IntArray,
    column: IntArray,
    weight: FloatArray,
    *,
    margin: float = 0.0,
    stop_early: bool = False,
) -> tuple[IntArray, IntArray]:
    """The numbers of the dominant edges, and of the undecided edges that are left.

    An edge is dominant if it weighs at least as much as the best other edges at its two ends
    together, plus `margin`; the other edges at its ends are then out. With `stop_early`, stop once
    a round decides less than 2 % of more than 2,000 edges.
    """
    # Most edges touch no other edge: their weights need not be compared.
    alone = (np.bincount(row) == 1)[row] & (np.bincount(column) == 1)[column] & (weight >= margin)
    taken, left = [np.flatnonzero(alone)], np.flatnonzero(~alone)
    few = False
    while len(left) and not few:
        r, c, w = _chosen(left, row, column, weight)
        wins = _dominant(r, c, w, margin)
        if not wins.any():
            break
        taken.append(left[wins])
        few = stop_early and len(left) > _MANY and wins.sum() * _FEW < len(left)
        left = left[~(among(r, r[wins]) | among(c, c[wins]))]
    return np.concatenate(taken), left


def _chosen(
    edges: IntArray, row: IntArray, column: IntArray, weight: FloatArray
) -> tuple[IntArray, IntArray, FloatArray]:
    """The rows, columns and weights of these edges; without a copy if these are all edges."""
    if len(edges) == len(row):
        return row, column, weight
    return row[edges], column[edges], weight[edges]


def _dominant(row: IntArray, column: IntArray, weight: FloatArray, margin: float) -> BoolArray:
    """bool (edges,): the edges that are dominant by this margin; see `take_dominant`."""
    wins, other_in_row = best_and_other(row, weight)
    least = other_in_row + margin
    wins &= weight >= least
    tied = np.flatnonzero(wins & (weight == least))
    if _TIED * len(tied) > len(weight):
        # An edge tied with the next-best in its row must be the only one in its column.
        wins[tied] = np.bincount(column)[column[tied]] == 1
        at = np.flatnonzero(mask_of(column[wins], int(column.max()) + 1)[column])
        best, other_in_column = best_and_other(column[at], weight[at])
        wins[at] &= best & (weight[at] >= other_in_row[at] + other_in_column + margin)
        return wins
    best, other_in_column = best_and_other(column, weight)
    wins &= best & (weight >= other_in_row + other_in_column + margin)
    return wins


def best_and_other(group: IntArray, weight: FloatArray) -> tuple[BoolArray, FloatArray]:
    """bool (edges,): the (first) heaviest edge of each group; and the next-best weight for these.

    >>> best, other = best_and_other(np.array([0, 0, 7]), np.array([2.0, 3.0, 1.0]))
    >>> best.tolist(), other[best].tolist()
    ([False, True, True], [2.0, 0.0])
    """
    groups = int(group.max(initial=-1)) + 1
    if groups > _SPARSE * len(group):
        group = distinct(group).inverse
        groups = int(group.max(initial=-1)) + 1
    most = np.zeros(groups)
    np.maximum.at(most, group, weight)
    heaviest = np.flatnonzero(weight == most[group])
    first = np.full(groups, len(group))  # the value for groups without an edge
    first[group[heaviest][::-1]] = heaviest[::-1]
    best = mask_of(first, len(group) + 1)[:-1]
    others = np.flatnonzero(~best)
    next_most, next_best = np.zeros(groups), np.zeros(len(group))
    np.maximum.at(next_most, group[others], weight[others])
    next_best[best] = next_most[group[best]]
    return best, next_best


def edge_components(row: IntArray, column: IntArray, edges: IntArray) -> list[IntArray]:
    """These edges of a bipartite graph by connected component, ordered by their first edges.

    >>> components = edge_components(np.array([0, 5, 0]), np.array([1, 7, 2]), np.arange(3))
    >>> [edges.tolist() for edges in components]
    [[0, 2], [1]]
    """
    if not len(edges):
        return []
    label = _component(distinct(row[edges]).inverse, distinct(column[edges]).inverse)
    order = np.argsort(label, kind="stable")
    return np.split(edges[order], starts_of_runs(label[order])[1:])


def _component(r: IntArray, c: IntArray) -> IntArray:
    """int64 (edges,): the first edge of the component of each edge."""
    if len(r) >= LEAST_UNIFORM:
        return _component_of_many(r, c)
    label = np.arange(len(r))
    while True:
        # Each edge takes the smallest label at either end and passes it on to the edge whose
        # number is its label; then labels of labels are followed. So a long path takes few rounds.
        by_row, by_column = np.full(r.max() + 1, len(r)), np.full(c.max() + 1, len(r))
        np.minimum.at(by_row, r, label)
        np.minimum.at(by_column, c, label)
        smaller = np.minimum(by_row[r], by_column[c])
        np.minimum.at(smaller, label, smaller.copy())
        smaller = smaller[smaller]
        if np.array_equal(smaller, label):
            return label
        label = smaller


def _component_of_many(r: IntArray, c: IntArray) -> IntArray:
    """Like `_component`, but faster for many edges: rows are links between columns."""
    edge, following = neighbours(r)
    even = np.zeros(len(edge), dtype=np.int64)
    label = find_components(c[edge], c[following], even, int(c.max()) + 1)[0][c]
    first = np.empty(int(label.max()) + 1, dtype=np.int64)
    first[label[::-1]] = np.arange(len(r))[::-1]
    return first[label]


class _Undecided(NamedTuple):
    """The undecided edges, all int64 (edges,): their numbers, their ends (numbered densely), and
    their components, each of which is named by the index of its first edge.
    """

    edges: IntArray
    row: IntArray
    column: IntArray
    component: IntArray

    @classmethod
    def of(cls, row: IntArray, column: IntArray, edges: IntArray) -> "_Undecided":
        """These edges of a graph."""
        if not len(edges):
            return cls(edges, edges, edges, edges)
        ends = _ranks(row[edges]), _ranks(column[edges])
        return cls(edges, *ends, _component(*ends))

    def only(self, chosen: BoolArray) -> "_Undecided":
        """The chosen edges, which must be those of whole components."""
        return self if chosen.all() else _Undecided(*(column[chosen] for column in self))


def _ranks(values: IntArray) -> IntArray:
    """The rank of each value among the distinct ones, without sorting if they are dense."""
    if int(values.max()) >= _SPARSE * len(values):
        return distinct(values).inverse
    present = mask_of(values, int(values.max()) + 1)
    return values if present.all() else (np.cumsum(present) - 1)[values]


def _take_two_by_two(rest: _Undecided, weight: FloatArray) -> tuple[IntArray, _Undecided]:
    """A heaviest matching of all components with at most two rows and two columns, at once.

    Small documents have many such components. Returns the edges taken and the other components.
    """
    few = (np.bincount(rest.component) <= _TWO_BY_TWO)[rest.component]
    edges, row, column, component = rest.only(few)
    if not few.all():
        component = (np.cumsum(few) - 1)[component]
    small = np.ones(len(edges), dtype=bool)
    crossing = np.zeros(len(edges), dtype=bool)
    place = np.arange(len(edges))
    for end in (row, column):
        first = np.empty(int(end.max(initial=-1)) + 1, dtype=np.int64)
        first[end[::-1]] = place[::-1]
        nodes = np.bincount(component[first[end] == place], minlength=len(edges))
        small &= (nodes <= 2)[component]
        # An edge that shares exactly one end with the first edge of its component crosses it.
        crossing ^= end != end[component]
    straight = np.bincount(component, weight[edges] * ~crossing, minlength=len(edges))
    crossed = np.bincount(component, weight[edges] * crossing, minlength=len(edges))
    better = crossing == (crossed > straight)[component]
    few[few] = small
    return edges[small & better], rest.only(~few)


def _take_lines(rest: _Undecided, weight: FloatArray) -> tuple[IntArray, _Undecided]:
    """A heaviest matching of all paths and cycles, if they have many edges.

    Returns the edges taken and the other components.
    """
    if len(rest.edges) < LEAST_UNIFORM:
        return rest.edges[:0], rest
    branching = (np.bincount(rest.row) > 2)[rest.row] | (np.bincount(rest.column) > 2)[rest.column]
    straight = ~mask_of(rest.component[branching], int(rest.component.max()) + 1)[rest.component]
    if straight.sum() < LEAST_UNIFORM:
        return rest.edges[:0], rest
    even, uneven = _by_evenness(rest.only(straight), weight)
    taken = [even.edges[larger_class(even.row, even.column, even.component)]]
    if len(uneven.edges):
        edges, row, column, component = uneven
        line = mask_of(component, int(component.max()) + 1).cumsum() - 1
        taken.append(edges[solve_lines(row, column, line[component], weight[edges])])
    return np.concatenate(taken), rest.only(~straight)


def _by_evenness(rest: _Undecided, weight: FloatArray) -> tuple[_Undecided, _Undecided]:
    """The components in which all edges weigh the same, and the others."""
    size = int(rest.component.max()) + 1
    first = np.empty(size)
    first[rest.component[::-1]] = weight[rest.edges[::-1]]
    different = weight[rest.edges] != first[rest.component]
    uneven = mask_of(rest.component[different], size)[rest.component]
    return rest.only(~uneven), rest.only(uneven)


def _take_uniform(rest: _Undecided, weight: FloatArray) -> tuple[IntArray, _Undecided]:
    """A heaviest matching of large components whose edges nearly all weigh the same.

    Random entities of one size form such a component, in which no edge is dominant. Returns the
    edges taken and the other components.
    """
    if len(rest.edges) < LEAST_UNIFORM:
        return rest.edges[:0], rest
    from corefkit.core.assignment.prices import uniform_pairing

    size = np.bincount(rest.component)
    taken, others = [rest.edges[:0]], np.ones(len(rest.edges), dtype=bool)
    for number in np.flatnonzero(size >= LEAST_UNIFORM).tolist():
        here = np.flatnonzero(rest.component == number)
        edges = rest.edges[here]
        r, c = _numbers(rest.row[here]), _numbers(rest.column[here])
        chosen = uniform_pairing(r, c, weight[edges])
        if chosen is not None:
            taken.append(edges[chosen])
            others[here] = False
    return np.concatenate(taken), rest.only(others)


def take_one_by_one(
    row: IntArray, column: IntArray, weight: FloatArray, left: IntArray, margin: float = 0.0
) -> tuple[IntArray, IntArray]:
    """Take dominant edges among `left` one by one; return them and the undecided edges.

    Like `take_dominant`, but after an edge is taken, only the edges at the ends that this affects
    are examined again.
    """
    if not _dominant(row[left], column[left], weight[left], margin).any():
        return left[:0], left
    graph = _Graph(row[left], column[left], weight[left], margin)
    waiting = deque(range(len(left)))
    taken = []
    while waiting:
        edge = waiting.popleft()
        if graph.alive[edge] and graph.dominant(edge):
            taken.append(edge)
            waiting.extend(graph.remove(edge))
    alive = np.array(graph.alive, dtype=bool)
    return left[np.array(taken, dtype=np.int64)], left[alive]


class _Graph:
    """For each end a stack of its edges: the heaviest on top, of equal ones the earlier."""

    def __init__(self, row: IntArray, column: IntArray, weight: FloatArray, margin: float) -> None:
        self._margin = margin
        self.alive = [True] * len(weight)
        self._weight: list[float] = weight.tolist()
        rows = int(row.max(initial=-1)) + 1
        self._ends = list(zip(row.tolist(), (rows + column).tolist(), strict=True))
        self._edges: dict[int, list[int]] = {}
        for edge in np.argsort(-weight, kind="stable")[::-1].tolist():
            for end in self._ends[edge]:
                self._edges.setdefault(end, []).append(edge)

    def _top(self, end: int) -> int | None:
        """The heaviest remaining edge at an end; None if there is none."""
        edges = self._edges[end]
        while edges and not self.alive[edges[-1]]:
            edges.pop()
        return edges[-1] if edges else None

    def dominant(self, edge: int) -> bool:
        """Whether the edge can replace whatever a matching uses at its two ends."""
        rivals = self._margin
        for end in self._ends[edge]:
            if self._top(end) != edge:
                return False
            self._edges[end].pop()
            rival = self._top(end)
            self._edges[end].append(edge)
            rivals += 0.0 if rival is None else self._weight[rival]
        return self._weight[edge] >= rivals

    def remove(self, edge: int) -> list[int]:
        """Remove an edge and all that touch it; return the best edges at the ends affected."""
        removed = [e for end in self._ends[edge] for e in self._edges[end] if self.alive[e]]
        for gone in removed:
            self.alive[gone] = False
        touched = dict.fromkeys(end for gone in removed for end in self._ends[gone])
        best = dict.fromkeys(self._top(end) for end in touched)
        return [edge for edge in best if edge is not None]

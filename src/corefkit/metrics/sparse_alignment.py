"""Parts of the best alignment that go from edge to edge: for graphs that hardly branch.

An edge is followed to its neighbours in plain Python, so that what is decided at one end of a
long path costs nothing at the other.
"""

from collections import deque
from collections.abc import Sequence

import numpy as np

from corefkit.data.arrays import FloatArray, IntArray


def take_one_by_one(
    row: IntArray, column: IntArray, weight: FloatArray, left: IntArray
) -> tuple[IntArray, IntArray]:
    """The edges among `left` that weigh at least as much as the next-best at both their ends.

    Whenever one is taken, the ends of what goes with it are looked at again, and nothing else.
    Returns the edges taken and the undecided rest.
    """
    graph = _Graph(row[left], column[left], weight[left])
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
    """At each end its edges as a stack, the heaviest on top, the earlier of two equals."""

    def __init__(self, row: IntArray, column: IntArray, weight: FloatArray) -> None:
        self.alive = [True] * len(weight)
        self._weight: list[float] = weight.tolist()
        rows = int(row.max(initial=-1)) + 1
        self._ends = list(zip(row.tolist(), (rows + column).tolist(), strict=True))
        self._edges: dict[int, list[int]] = {}
        for edge in np.argsort(-weight, kind="stable")[::-1].tolist():
            for end in self._ends[edge]:
                self._edges.setdefault(end, []).append(edge)

    def _top(self, end: int) -> int | None:
        """The heaviest edge at an end that is still there."""
        edges = self._edges[end]
        while edges and not self.alive[edges[-1]]:
            edges.pop()
        return edges[-1] if edges else None

    def dominant(self, edge: int) -> bool:
        """Whether it can replace whatever a matching uses at its two ends."""
        others = 0.0
        for end in self._ends[edge]:
            if self._top(end) != edge:
                return False
            self._edges[end].pop()
            other = self._top(end)
            self._edges[end].append(edge)
            others += 0.0 if other is None else self._weight[other]
        return self._weight[edge] >= others

    def remove(self, edge: int) -> list[int]:
        """Remove an edge with all that touch it; the best edges at the ends that this changes."""
        gone = [e for end in self._ends[edge] for e in self._edges[end] if self.alive[e]]
        for one in gone:
            self.alive[one] = False
        touched = dict.fromkeys(end for one in gone for end in self._ends[one])
        best = dict.fromkeys(self._top(end) for end in touched)
        return [edge for edge in best if edge is not None]


def solve_line(row: IntArray, column: IntArray, weight: FloatArray) -> IntArray:
    """A heaviest matching of edges that form one path or one cycle, in one pass along them.

    Of two that weigh the same, the one that does without the later edges of the pass.

    >>> path = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 2])
    >>> solve_line(*path, np.array([2.0, 3.0, 2.0, 0.5])).tolist()
    [0, 2]
    """
    order, cycle = _walk(row.tolist(), column.tolist())
    values: list[float] = weight[order].tolist()
    _, chosen = _best_of_path(values)
    if cycle:
        # The first and the last edge touch: either the first stays out, or its neighbours do.
        without, without_first = _best_of_path(values[1:])
        with_, with_first = _best_of_path(values[2:-1])
        if without >= with_ + values[0]:
            chosen = [place + 1 for place in without_first]
        else:
            chosen = [0, *(place + 2 for place in with_first)]
    return np.sort(np.array(order, dtype=np.int64)[chosen])


def _walk(row: Sequence[int], column: Sequence[int]) -> tuple[list[int], bool]:
    """The edges along the path, from the end with the earlier edge; whether it is a cycle."""
    at: dict[tuple[bool, int], list[int]] = {}
    for number, (one, other) in enumerate(zip(row, column, strict=True)):
        at.setdefault((False, one), []).append(number)
        at.setdefault((True, other), []).append(number)
    loose = {edges[0]: end for end, edges in at.items() if len(edges) == 1}
    edge = min(loose, default=0)
    here = loose.get(edge, (False, row[0]))
    order: list[int] = []
    while True:
        order.append(edge)
        here = (False, row[edge]) if here[0] else (True, column[edge])
        following = [number for number in at[here] if number != edge]
        if not following or following[0] == order[0]:
            return order, bool(following)
        edge = following[0]


def _best_of_path(weight: Sequence[float]) -> tuple[float, list[int]]:
    """The largest sum of elements no two of which are neighbours, and their places."""
    best = [0.0, 0.0]
    for value in weight:
        best.append(max(best[-1], best[-2] + value))
    chosen = []
    place = len(weight) - 1
    while place >= 0:
        if best[place + 2] > best[place + 1]:
            chosen.append(place)
            place -= 1
        place -= 1
    return best[-1], chosen[::-1]

"""The heaviest one-to-one pairing of a small graph, in exact arithmetic, with a rule for ties.

Rows and columns are numbered in text order. Of all pairings of the highest total the first row
takes the earliest column that one of them allows (and stays alone only if all of them leave it
out), then the second row, and so on.

The Hungarian method leaves a number on each row and column, u and v ≥ 0, with u + v ≥ weight on
every edge. The best pairings are those, and only those, that use *tight* edges (u + v = weight)
and cover every row and column whose number is positive. So ties are settled by exchanging tight
edges along alternating paths, and nothing is solved twice.
"""

from collections.abc import Mapping, Sequence

Weights = Sequence[Mapping[int, int]]
"""For each row its edges: column → weight, positive integers."""


def first_best_pairing(weights: Weights, columns: int) -> tuple[list[int], bool]:
    """The column of each row, −1 for none; and whether no other pairing has the same total.

    >>> first_best_pairing([{0: 3, 1: 2}, {0: 2}], 2)
    ([1, 0], True)
    >>> first_best_pairing([{0: 1, 1: 1}], 2)
    ([0], False)
    """
    solved = _Hungarian(weights, columns)
    graph = _Tight(weights, solved.column_of, solved.u, solved.v)
    unique = not any(graph.can_do_without(row) for row in range(len(weights)))
    if not unique:
        for row in range(len(weights)):
            graph.settle(row)
    return graph.column_of, unique


class _Tight:
    """The tight edges, and a best pairing that is changed step by step into the first."""

    def __init__(self, weights: Weights, column_of: list[int], u: list[int], v: list[int]) -> None:
        self.column_of = column_of
        self._row_of = [-1] * len(v)
        for row, column in enumerate(column_of):
            if column >= 0:
                self._row_of[column] = row
        self._columns_of = [
            sorted(c for c, w in edges.items() if u[row] + v[c] == w)
            for row, edges in enumerate(weights)
        ]
        self._rows_of: list[list[int]] = [[] for _ in v]
        for row, listed in enumerate(self._columns_of):
            for column in listed:
                self._rows_of[column].append(row)
        self._row_needed = [number > 0 for number in u]
        self._column_needed = [number > 0 for number in v]
        self._row_open = [True] * len(u)
        self._column_open = [True] * len(v)

    def can_do_without(self, row: int) -> bool:
        """Whether there is a best pairing without the edge that the row has now.

        If each edge is needed there is no other: all weights are positive, so no best pairing
        has more edges besides.
        """
        column = self.column_of[row]
        if column < 0:
            return False
        kept = self.column_of[:], self._row_of[:]
        self._columns_of[row].remove(column)
        self._rows_of[column].remove(row)
        self._separate(row, column)
        possible = self._mend(row, column)
        self._columns_of[row].append(column)
        self._columns_of[row].sort()
        self._rows_of[column].append(row)
        self._rows_of[column].sort()
        self.column_of, self._row_of = kept
        return possible

    def settle(self, row: int) -> None:
        """Give the row its earliest possible column, for good."""
        self._row_open[row] = False
        for column in self._columns_of[row]:
            if not self._column_open[column]:
                continue
            before, other = self.column_of[row], self._row_of[column]
            if before == column:
                self._column_open[column] = False
                return
            kept = self.column_of[:], self._row_of[:]
            if before >= 0:
                self._separate(row, before)
            if other >= 0:
                self._separate(other, column)
            self.column_of[row], self._row_of[column] = column, row
            self._column_open[column] = False
            if self._mend(other, before):
                return
            self._column_open[column] = True
            self.column_of, self._row_of = kept

    def _separate(self, row: int, column: int) -> None:
        self.column_of[row] = self._row_of[column] = -1

    def _mend(self, row: int, column: int) -> bool:
        """Cover a row and a column that lost their partners, if they need one; −1 is none."""
        if row >= 0 and self._row_needed[row] and not self._cover_row(row):
            return False
        lost = column >= 0 and self._row_of[column] < 0 and self._column_needed[column]
        return not lost or self._cover_column(column)

    def _cover_row(self, start: int) -> bool:
        return _cover(
            start,
            self._columns_of,
            (self.column_of, self._row_of),
            self._row_needed,
            (self._row_open, self._column_open),
        )

    def _cover_column(self, start: int) -> bool:
        return _cover(
            start,
            self._rows_of,
            (self._row_of, self.column_of),
            self._column_needed,
            (self._column_open, self._row_open),
        )


def _cover(
    start: int,
    edges: list[list[int]],
    partners: tuple[list[int], list[int]],
    needed: list[bool],
    opened: tuple[list[bool], list[bool]],
) -> bool:
    """Give `start` a partner along an alternating path; whether there is one.

    The path ends at one without a partner on the other side, or at one on this side that needs no
    partner and gives its own up.
    """
    partner, back = partners
    came_from: dict[int, int] = {}
    waiting = [start]
    for one in waiting:
        for other in edges[one]:
            if other in came_from or not opened[1][other]:
                continue
            came_from[other] = one
            owner = back[other]
            if owner < 0 or (opened[0][owner] and not needed[owner]):
                if owner >= 0:
                    partner[owner] = -1
                step = other
                while step >= 0:
                    giver = came_from[step]
                    previous = partner[giver]
                    partner[giver], back[step] = step, giver
                    step = -1 if giver == start else previous
                return True
            if opened[0][owner]:
                waiting.append(owner)
    return False


class _Hungarian:
    """A heaviest pairing and the numbers u, v that prove it (Kuhn 1955, Munkres 1957).

    Rows are added one by one along a shortest augmenting path, which may also end by leaving a
    row alone.
    """

    def __init__(self, weights: Weights, columns: int) -> None:
        self._weights = weights
        self.u = [max(edges.values(), default=0) for edges in weights]
        self.v = [0] * columns
        self.column_of, self._row_of = [-1] * len(weights), [-1] * columns
        for row in range(len(weights)):
            self._add(row)

    def _add(self, new: int) -> None:
        """Match one more row, or leave one alone, whichever loses least."""
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
            # Of columns as near as each other a free one, which ends the search at once.
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
        """Exchange the edges of the path from `new` to its end."""
        while True:
            previous = self.column_of[row]
            self.column_of[row] = column
            if column >= 0:
                self._row_of[column] = row
            if row == new:
                return
            row, column = came_from[previous], previous

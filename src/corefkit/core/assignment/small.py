"""The worth of the best one-to-one pairing of a few edges, in plain Python and exact."""

from collections.abc import Sequence

Edge = tuple[int, int, int]
"""Row, column and weight, a positive integer."""

_FEW = 8
"""So many edges that do not decide themselves are tried in all ways."""


def best_total(edges: Sequence[Edge]) -> int | None:
    """The largest sum of weights of edges of which no two share a row or a column.

    None where it would take long: use another solver.

    >>> best_total([(0, 0, 2), (0, 1, 1), (1, 0, 2), (1, 1, 2)])
    4
    """
    total = 0
    left = list(edges)
    while left:
        dominant, left = _take_dominant(left)
        total += dominant
        if not dominant:
            return total + _try_all(left) if len(left) <= _FEW else None
    return total


def _take_dominant(edges: list[Edge]) -> tuple[int, list[Edge]]:
    """The weight of edges that outweigh their next best neighbours together, and what is left.

    Such an edge is in a best pairing. Edges of one row or column with them are gone, too.
    """
    rows: dict[int, list[int]] = {}
    columns: dict[int, list[int]] = {}
    for row, column, weight in edges:
        _note(rows.setdefault(row, [0, 0]), weight)
        _note(columns.setdefault(column, [0, 0]), weight)
    total = 0
    taken_rows, taken_columns = set[int](), set[int]()
    for row, column, weight in edges:
        best_in_row, best_in_column = rows[row], columns[column]
        others = best_in_row[best_in_row[0] == weight] + best_in_column[best_in_column[0] == weight]
        if weight >= others and row not in taken_rows and column not in taken_columns:
            total += weight
            taken_rows.add(row)
            taken_columns.add(column)
    return total, [e for e in edges if e[0] not in taken_rows and e[1] not in taken_columns]


def _note(best: list[int], weight: int) -> None:
    """Keep the two largest weights."""
    if weight > best[0]:
        best[:] = weight, best[0]
    elif weight > best[1]:
        best[1] = weight


def _try_all(edges: list[Edge]) -> int:
    """The best of all pairings: with the first edge, or without it."""
    if not edges:
        return 0
    row, column, weight = edges[0]
    free = [edge for edge in edges[1:] if edge[0] != row and edge[1] != column]
    return max(weight + _try_all(free), _try_all(edges[1:]))

"""The best one-to-one alignment of entities: exact, and sparse from end to end.

CEAF asks for the heaviest matching of a bipartite graph with an edge for each pair of entities
that overlap. Almost all of it decides itself: an edge that weighs at least as much as the two
next-best edges at its ends together belongs to a heaviest matching, because it can replace
whatever a matching uses there. Taking such edges, with all that touch them, until none is left
solves every star and, in practice, nearly every entity; what remains falls apart into small
components, each solved by an exact algorithm that fits its size. Long paths and cycles, which have
few such edges at a time or none at all, are solved directly, in linear time.
"""

import numpy as np

from corefkit.data.arrays import FloatArray, IntArray, distinct
from corefkit.data.components import edge_components, take_dominant
from corefkit.data.matching.lsap import LARGE, scipy_pairing
from corefkit.metrics.sparse_alignment import solve_line, take_one_by_one

_SMALL = 16
"""Up to this many entities on the smaller side, plain Python beats the start-up of scipy."""
_BRANCHING = 16
"""With more edges an entity the graph is no path, and following edges in Python does not pay."""
_MANY_VALUES = 64
"""Up to so many, a dict of them takes less time than to sort an array."""
_DENSE, _FILLED = 1 << 22, 4
"""Up to so many cells, or where one in _FILLED is an edge, a component is solved as a dense matrix,
else as a sparse one."""


def best_alignment(row: IntArray, column: IntArray, weight: FloatArray) -> IntArray:
    """The numbers of the edges in a heaviest matching, sorted.

    `row`, `column`, `weight` (edges,) with positive weights; each pair occurs once.

    >>> row, column = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> best_alignment(row, column, np.array([3.0, 2.0, 2.0, 0.5])).tolist()
    [1, 2]
    """
    taken, left = take_dominant(row, column, weight, patient=False)
    more = left[:0]
    if len(left) <= _BRANCHING * (len(row) and int(row.max()) + int(column.max()) + 2):
        more, left = take_one_by_one(row, column, weight, left)
    found = [taken, more]
    for edges in edge_components(row, column, left):
        found.append(edges[_solve(row[edges], column[edges], weight[edges])])
    return np.sort(np.concatenate(found))


def _solve(row: IntArray, column: IntArray, weight: FloatArray) -> IntArray:
    """The edges of a heaviest matching of one component."""
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
    """The rank of each value among the different ones; most components have a few edges only."""
    if len(values) > _MANY_VALUES:
        return distinct(values).inverse
    listed = values.tolist()
    rank = {value: number for number, value in enumerate(sorted(set(listed)))}
    return np.array([rank[value] for value in listed], dtype=np.int64)


def _sparse_pairing(
    r: IntArray, c: IntArray, weight: FloatArray, rows: int, columns: int
) -> IntArray:
    """The column of each row, with a private column of weight nothing for rows to stay alone in."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    alone = np.arange(rows)
    # Explicit zeros are no edges to scipy. Every row is matched, so a constant changes nothing.
    values = np.concatenate((weight, np.zeros(rows))) + 1.0
    where = np.concatenate((r, alone)), np.concatenate((c, columns + alone))
    graph = csr_array((values, where), shape=(rows, columns + rows))
    # The solver of scipy before 1.13 knows no other indices; there are fewer edges than 2³¹.
    graph.indices, graph.indptr = graph.indices.astype(np.int32), graph.indptr.astype(np.int32)
    partner = np.empty(rows, dtype=np.int64)
    chosen, partner_of_chosen = min_weight_full_bipartite_matching(graph, maximize=True)
    partner[chosen] = partner_of_chosen
    return partner

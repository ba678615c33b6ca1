"""Heaviest pairings of lines, i.e. paths and cycles: no entity overlaps more than two others.

If the entities of both sides have two mentions, they form such graphs, which may be long. Few of
their edges, or none, are dominant. But along a path, the gain of the best pairing by the next edge
follows from its gain by the previous one: it is max(0, weight − previous gain). `solve_line`
follows one line from edge to edge. `solve_lines` puts many lines end to end and solves them
together, in parallel blocks: a block maps the gain before it to the gain after it by a slope of ±1
between two bounds, and such maps can be chained.
"""

from collections.abc import Sequence
from math import isqrt

import numpy as np

from corefkit.core.arrays import BoolArray, FloatArray, IntArray, mask_of


def solve_line(row: IntArray, column: IntArray, weight: FloatArray | Sequence[int]) -> IntArray:
    """The edges, sorted, in a heaviest matching of one path or one cycle, in one pass along it.

    Integers, of any length, are added exactly. Among equally heavy matchings, the one without the
    later edges of the pass is taken.

    >>> path = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 2])
    >>> solve_line(*path, np.array([2.0, 3.0, 2.0, 0.5])).tolist()
    [0, 2]
    """
    listed: Sequence[float] = weight.tolist() if isinstance(weight, np.ndarray) else weight
    order, cycle = _walk(row.tolist(), column.tolist())
    values = [listed[edge] for edge in order]
    _, chosen = _best_of_path(values)
    if cycle:
        # The first and the last edge touch: either the first is left out, or its neighbours are.
        without_first, chosen_without = _best_of_path(values[1:])
        with_first, chosen_with = _best_of_path(values[2:-1])
        if without_first >= with_first + values[0]:
            chosen = [place + 1 for place in chosen_without]
        else:
            chosen = [0, *(place + 2 for place in chosen_with)]
    return np.sort(np.array(order, dtype=np.int64)[chosen])


def _walk(row: Sequence[int], column: Sequence[int]) -> tuple[list[int], bool]:
    """The edges in the order of the line, and whether it is a cycle.

    A path is followed from the end whose edge has the lower number.
    """
    edges_at: dict[tuple[bool, int], list[int]] = {}
    for number, (r, c) in enumerate(zip(row, column, strict=True)):
        edges_at.setdefault((False, r), []).append(number)
        edges_at.setdefault((True, c), []).append(number)
    loose = {edges[0]: end for end, edges in edges_at.items() if len(edges) == 1}
    edge = min(loose, default=0)
    here = loose.get(edge, (False, row[0]))
    order: list[int] = []
    while True:
        order.append(edge)
        here = (False, row[edge]) if here[0] else (True, column[edge])
        following = [number for number in edges_at[here] if number != edge]
        if not following or following[0] == order[0]:
            return order, bool(following)
        edge = following[0]


def _best_of_path(weight: Sequence[float]) -> tuple[float, list[int]]:
    """The largest sum of elements of which no two are neighbours, and their indices."""
    before: float = 0
    best: float = 0
    raises = []
    for value in weight:
        with_it = before + value
        raises.append(with_it > best)
        before, best = best, max(best, with_it)
    chosen = []
    place = len(weight) - 1
    while place >= 0:
        if raises[place]:
            chosen.append(place)
            place -= 1
        place -= 1
    return best, chosen[::-1]


def larger_class(row: IntArray, column: IntArray, line: IntArray) -> BoolArray:
    """bool (edges,): every second edge of each line; in a path with an odd number, both its ends.

    This is a heaviest matching of lines in which all edges weigh the same, found without following
    any of them. `line` is the number of the line of each edge. If there are as many edges of the
    other class, either class is returned.

    >>> row, column = np.array([0, 0, 1, 3]), np.array([0, 1, 1, 2])
    >>> larger_class(row, column, np.array([0, 0, 0, 3])).tolist()
    [True, False, True, True]
    """
    if not len(row):
        return np.zeros(0, dtype=bool)
    columns = int(column.max()) + 1
    # One of the two edges of a column has the number 1; the number of the column chooses one.
    first = np.empty(columns, dtype=np.int64)
    first[column[::-1]] = np.arange(len(column))[::-1]
    second = first[column] != np.arange(len(column))
    edge, following = neighbours(row)
    opposite = second[edge] == second[following]
    links = column[edge], column[following]
    _, number = find_components(*links, opposite.astype(np.int64), columns)
    taken = second == number[column]
    more = np.bincount(line, taken) >= np.bincount(line, ~taken)
    larger: BoolArray = taken == more[line]
    return larger


def find_components(
    source: IntArray, target: IntArray, odd: IntArray, nodes: int
) -> tuple[IntArray, IntArray]:
    """The component of each node of a graph, and its side (0 or 1) in the component.

    `source` and `target` are the ends of links. The ends of a link are on different sides if `odd`
    is 1, and else on the same side; this must be possible. Going from node to node would mean
    waiting for memory at each. Instead, each node is merged with its smallest neighbour, unless all
    are larger, and so on. Of the nodes with links, two rounds leave at most half (of random ones,
    one round leaves a third).

    >>> component, side = find_components(np.array([3, 0]), np.array([1, 3]), np.array([1, 1]), 4)
    >>> component.tolist(), side.tolist()
    ([0, 0, 1, 0], [0, 0, 0, 1])
    """
    if not len(source):
        return np.arange(nodes), np.zeros(nodes, dtype=np.int64)
    # The smallest neighbour; the lowest bit says whether it is on the other side.
    near = 2 * np.arange(nodes)
    np.minimum.at(near, source, 2 * target + odd)
    np.minimum.at(near, target, 2 * source + odd)
    root = near == 2 * np.arange(nodes)
    while not root[near >> 1].all():
        near = near[near >> 1] ^ (near & 1)
    side = near & 1
    number = (np.cumsum(root) - 1)[near >> 1]
    odd = odd ^ side[source] ^ side[target]
    source, target = number[source], number[target]
    apart = source != target
    links = source[apart], target[apart], odd[apart]
    component, root_side = find_components(*links, int(root.sum()))
    return component[number], root_side[number] ^ side


def solve_lines(row: IntArray, column: IntArray, line: IntArray, weight: FloatArray) -> BoolArray:
    """bool (edges,): the edges in a heaviest matching of many paths and cycles.

    Rows and columns are numbers from 0, with or without gaps; `line` is the number of the line of
    each edge.

    >>> row, column = np.array([0, 0, 1, 1, 2]), np.array([0, 1, 0, 1, 2])
    >>> line, weight = np.array([0, 0, 0, 0, 1]), np.array([1.0, 2.0, 2.5, 0.5, 1.0])
    >>> np.flatnonzero(solve_lines(row, column, line, weight)).tolist()
    [1, 2, 4]
    """
    cut = _cuts(row, column, line)
    place, size = _places(row, column, line, cut)
    path = np.zeros(size)
    path[place] = np.where(cut, 0, weight)
    chosen = _chosen_of_path(path)[place] & ~cut
    if not cut.any():
        return chosen
    # So far the edges at which cycles were cut are left out; otherwise their neighbours are.
    for end in (row, column):
        path[place[mask_of(end[cut], int(end.max()) + 1)[end]]] = 0
    with_cut = _chosen_of_path(path)[place] | cut
    gain = np.bincount(line, weight * with_cut - weight * chosen)
    return np.where((gain > 0)[line], with_cut, chosen)


def _cuts(row: IntArray, column: IntArray, line: IntArray) -> BoolArray:
    """bool (edges,): the first edge of each cycle, i.e. of each line without a loose end."""
    loose = (np.bincount(row) == 1)[row] | (np.bincount(column) == 1)[column]
    first = np.empty(int(line.max()) + 1, dtype=np.int64)
    first[line[::-1]] = np.arange(len(line))[::-1]
    return mask_of(first[~mask_of(line[loose], len(first))], len(line))


def _places(
    row: IntArray, column: IntArray, line: IntArray, cut: BoolArray
) -> tuple[IntArray, int]:
    """The place of each edge when all lines are put end to end, and the number of places.

    A column has two places, one for each of its edges; the two columns of a row are neighbours.
    Two empty places follow each line; edges that are cut have the very last place.
    """
    left = np.flatnonzero(~cut)
    first, second = (left[edges] for edges in neighbours(row[left]))
    columns, lines = int(column.max()) + 1, int(line.max()) + 1
    line_of = np.zeros(columns, dtype=np.int64)
    line_of[column] = line
    links = np.stack((column[first], column[second]))
    position = _positions(links, line_of, mask_of(column, columns), lines)
    at = position[column]
    place = 2 * at
    place[first] += at[second] > at[first]
    place[second] += at[first] > at[second]
    # The only edge of a row takes the free place of its column.
    linked = np.concatenate((first, second))
    alone = np.flatnonzero(~(cut | mask_of(linked, len(cut))))
    size = 2 * (columns + lines) + 1
    taken = mask_of(place[linked], size)
    _, first_of_column = np.unique(column[alone], return_index=True)
    repeated = np.ones(len(alone), dtype=bool)
    repeated[first_of_column] = False
    place[alone] += taken[place[alone]] | repeated
    place[cut] = size - 1
    return place, size


def neighbours(row: IntArray) -> tuple[IntArray, IntArray]:
    """The edges followed by an edge of the same row, and the edges that follow them.

    Edges are in the order of their rows.
    """
    if (row[1:] >= row[:-1]).all():
        same = np.flatnonzero(row[1:] == row[:-1])
        return same, same + 1
    order = np.argsort(row, kind="stable")
    edge, following = neighbours(row[order])
    return order[edge], order[following]


def _positions(links: IntArray, line_of: IntArray, present: BoolArray, lines: int) -> IntArray:
    """The position of each column, such that linked columns are neighbours.

    One position stays empty between two lines.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    columns = len(present)
    degree = np.bincount(links.ravel(), minlength=columns)
    # Each line has two loose ends, perhaps the same column; a gap separates it from the next.
    loose = np.repeat(np.arange(columns), np.where(present, 2 - degree, 0))
    loose = loose[np.argsort(line_of[loose], kind="stable")]
    gap = columns + np.arange(lines)
    to_gap = np.stack((loose[1::2], gap))
    from_gap = np.stack((gap[:-1], loose[2::2]))
    joined = np.concatenate((links, to_gap, from_gap), axis=1).astype(np.int32)
    size = columns + lines
    # In both directions: scipy would look at each node in two tables.
    ends = joined.ravel(), joined[::-1].ravel()
    graph = csr_array((np.ones(joined.size, dtype=np.int8), ends), shape=(size, size))
    order = breadth_first_order(graph, loose[0], return_predecessors=False)
    position = np.zeros(size, dtype=np.int64)
    position[order] = np.arange(len(order))
    return position[:columns]


def _chosen_of_path(weight: FloatArray) -> BoolArray:
    """bool (elements,): those in the largest sum of elements of which no two are neighbours.

    Among equally large sums, the one without the later elements is taken.

    >>> _chosen_of_path(np.array([2.0, 3.0, 2.0, 0.0, 1.0])).tolist()
    [True, False, True, False, True]
    """
    raises = _gains(weight) > 0
    at = np.arange(len(weight))
    stop = np.minimum.accumulate(np.where(raises, len(weight), at)[::-1])[::-1]
    # In a run of elements that raise the sum, every second one is taken, beginning with the last.
    chosen: BoolArray = raises & ((stop - at) % 2 == 1)
    return chosen


def _gains(weight: FloatArray) -> FloatArray:
    """The gain of each element: max(0, weight − previous gain); before the first it is 0.

    >>> _gains(np.array([2.0, 3.0, 2.0, 0.5])).tolist()
    [2.0, 1.0, 1.0, 0.0]
    """
    length = isqrt(len(weight)) + 1
    blocks = -(-len(weight) // length)
    padded = np.zeros(length * blocks)
    padded[: len(weight)] = weight
    steps = np.ascontiguousarray(padded.reshape(blocks, length).T)
    # A block maps the gain before it to sign · gain + `shift`, limited to `low` … `high`.
    shift, low, high = np.zeros(blocks), np.zeros(blocks), np.full(blocks, np.inf)
    for step in steps:
        shift = step - shift
        low, high = np.maximum(step - high, 0), np.maximum(step - low, 0)
    sign = -1 if length % 2 else 1
    starts, gain = [], 0.0
    for plus, least, most in zip(shift.tolist(), low.tolist(), high.tolist(), strict=True):
        starts.append(gain)
        gain = min(max(sign * gain + plus, least), most)
    gains = np.array(starts)
    for step in steps:
        gains = np.maximum(step - gains, 0)
        step[:] = gains
    return steps.T.ravel()[: len(weight)]

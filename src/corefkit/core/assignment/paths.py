"""Heaviest pairings of paths and cycles: graphs in which no entity overlaps more than two others.

Entities of two mentions on both sides make such graphs, and long ones. Few of their edges decide
themselves at a time, or none. But along a path, how much the best pairing gains by the next edge
follows from what it gained by the one before: the gain is max(0, weight − gain before). One line is
followed from edge to edge (`solve_line`). Many lines are put end to end and solved together
(`solve_lines`), in blocks side by side: a block maps the gain before it to the gain after it by a
slope of ±1 between two bounds, and such maps can be chained.
"""

from collections.abc import Sequence
from math import isqrt

import numpy as np

from corefkit.core.arrays import BoolArray, FloatArray, IntArray, mask_of


def solve_line(row: IntArray, column: IntArray, weight: FloatArray | Sequence[int]) -> IntArray:
    """A heaviest matching of edges that form one path or one cycle, in one pass along them.

    Whole numbers, which may be as long as need be, are added exactly. Of two that weigh the same,
    the one that does without the later edges of the pass.

    >>> path = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 2])
    >>> solve_line(*path, np.array([2.0, 3.0, 2.0, 0.5])).tolist()
    [0, 2]
    """
    listed: Sequence[float] = weight.tolist() if isinstance(weight, np.ndarray) else weight
    order, cycle = _walk(row.tolist(), column.tolist())
    values = [listed[edge] for edge in order]
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
    """Every second edge of each path or cycle, the ends of a path with an odd number included.

    That is a heaviest matching of lines whose edges all weigh the same, and is found without
    following any of them. Lines are numbered; of two classes of one size it is one of them.

    >>> row, column = np.array([0, 0, 1, 3]), np.array([0, 1, 1, 2])
    >>> larger_class(row, column, np.array([0, 0, 0, 3])).tolist()
    [True, False, True, True]
    """
    if not len(row):
        return np.zeros(0, dtype=bool)
    columns = int(column.max()) + 1
    # Of the two edges of a column one has the number 1; a column's own number says which it takes.
    first = np.empty(columns, dtype=np.int64)
    first[column[::-1]] = np.arange(len(column))[::-1]
    second = first[column] != np.arange(len(column))
    one, other = neighbours(row)
    opposite = second[one] == second[other]
    _, number = put_together(column[one], column[other], opposite.astype(np.int64), columns)
    taken = second == number[column]
    more = np.bincount(line, taken) >= np.bincount(line, ~taken)
    larger: BoolArray = taken == more[line]
    return larger


def put_together(
    one: IntArray, other: IntArray, odd: IntArray, nodes: int
) -> tuple[IntArray, IntArray]:
    """The component of each node of a graph, and 0 or 1: how it stands to others of its component.

    The two ends of a link of which `odd` is 1 stand on different sides, others on the same; that
    must be possible. To go from node to node would be to wait for memory at each: instead each is
    put together with the smallest of its neighbours, which leaves half of them at most and a third
    of random ones, and so on.

    >>> component, side = put_together(np.array([3, 0]), np.array([1, 3]), np.array([1, 1]), 4)
    >>> component.tolist(), side.tolist()
    ([0, 0, 1, 0], [0, 0, 0, 1])
    """
    if not len(one):
        return np.arange(nodes), np.zeros(nodes, dtype=np.int64)
    # The smallest neighbour, and in the lowest bit on which side of it a node is.
    near = 2 * np.arange(nodes)
    np.minimum.at(near, one, 2 * other + odd)
    np.minimum.at(near, other, 2 * one + odd)
    root = near == 2 * np.arange(nodes)
    while not root[near >> 1].all():
        near = near[near >> 1] ^ (near & 1)
    side = near & 1
    number = (np.cumsum(root) - 1)[near >> 1]
    odd = odd ^ side[one] ^ side[other]
    one, other = number[one], number[other]
    apart = one != other
    component, of_root = put_together(one[apart], other[apart], odd[apart], int(root.sum()))
    return component[number], of_root[number] ^ side


def solve_lines(row: IntArray, column: IntArray, line: IntArray, weight: FloatArray) -> BoolArray:
    """Which edges are in a heaviest matching of many paths and cycles, bool (edges,).

    Rows and columns are numbers from 0, of which some may be missing, and lines are numbered.

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
    # The edges at which cycles were cut are out so far; if they are in, their neighbours are out.
    for end in (row, column):
        path[place[mask_of(end[cut], int(end.max()) + 1)[end]]] = 0
    with_cut = _chosen_of_path(path)[place] | cut
    gain = np.bincount(line, weight * with_cut - weight * chosen)
    return np.where((gain > 0)[line], with_cut, chosen)


def _cuts(row: IntArray, column: IntArray, line: IntArray) -> BoolArray:
    """The first edge of each cycle: a line all of whose ends have two edges."""
    loose = (np.bincount(row) == 1)[row] | (np.bincount(column) == 1)[column]
    first = np.empty(int(line.max()) + 1, dtype=np.int64)
    first[line[::-1]] = np.arange(len(line))[::-1]
    return mask_of(first[~mask_of(line[loose], len(first))], len(line))


def _places(
    row: IntArray, column: IntArray, line: IntArray, cut: BoolArray
) -> tuple[IntArray, int]:
    """The place of each edge where all lines are put end to end, and how many places there are.

    A column has two places, one for either of its edges; a row with two edges has its columns side
    by side. Two empty places follow each line; edges that are cut have the very last place.
    """
    left = np.flatnonzero(~cut)
    one, other = (left[edges] for edges in neighbours(row[left]))
    columns, lines = int(column.max()) + 1, int(line.max()) + 1
    line_of = np.zeros(columns, dtype=np.int64)
    line_of[column] = line
    links = np.stack((column[one], column[other]))
    position = _positions(links, line_of, mask_of(column, columns), lines)
    at = position[column]
    place = 2 * at
    place[one] += at[other] > at[one]
    place[other] += at[one] > at[other]
    # An edge whose row has no other stands on the side of its column that is free.
    linked = np.concatenate((one, other))
    alone = np.flatnonzero(~(cut | mask_of(linked, len(cut))))
    size = 2 * (columns + lines) + 1
    taken = mask_of(place[linked], size)
    _, again = np.unique(column[alone], return_index=True)
    second = np.ones(len(alone), dtype=bool)
    second[again] = False
    place[alone] += taken[place[alone]] | second
    place[cut] = size - 1
    return place, size


def neighbours(row: IntArray) -> tuple[IntArray, IntArray]:
    """The edges that have the same row as the one after them, and those after them."""
    if (row[1:] >= row[:-1]).all():
        same = np.flatnonzero(row[1:] == row[:-1])
        return same, same + 1
    order = np.argsort(row, kind="stable")
    one, other = neighbours(row[order])
    return order[one], order[other]


def _positions(links: IntArray, line_of: IntArray, present: BoolArray, lines: int) -> IntArray:
    """The position of each column, such that links are between neighbours.

    Between two lines there is a position for none of them.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    columns = len(present)
    degree = np.bincount(links.ravel(), minlength=columns)
    # Each line has two loose ends, which may be the same; between them and the next stands a gap.
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
    """Which elements are in the largest sum of elements no two of which are neighbours.

    Of several that are equally large, the one without the later elements.

    >>> _chosen_of_path(np.array([2.0, 3.0, 2.0, 0.0, 1.0])).tolist()
    [True, False, True, False, True]
    """
    raises = _gains(weight) > 0
    at = np.arange(len(weight))
    stop = np.minimum.accumulate(np.where(raises, len(weight), at)[::-1])[::-1]
    # From the end of a run of elements that raise the sum every second is taken.
    chosen: BoolArray = raises & ((stop - at) % 2 == 1)
    return chosen


def _gains(weight: FloatArray) -> FloatArray:
    """max(0, weight − the gain before) of each element; before the first there is none.

    >>> _gains(np.array([2.0, 3.0, 2.0, 0.5])).tolist()
    [2.0, 1.0, 1.0, 0.0]
    """
    length = isqrt(len(weight)) + 1
    blocks = -(-len(weight) // length)
    padded = np.zeros(length * blocks)
    padded[: len(weight)] = weight
    steps = np.ascontiguousarray(padded.reshape(blocks, length).T)
    # After a block: its start, with this sign, plus `shift`, but at least `low` and at most `high`.
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

"""Which mentions of one entity in one sentence cross: share nodes, neither inside the other."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence

_NOBODY = -1

Parts = Sequence[tuple[int, int]]
"""The first and the last node of each part of a mention, in order."""


def cross(one: Parts, other: Parts) -> bool:
    """Whether two mentions share nodes and neither is inside the other.

    >>> cross([(1, 1), (3, 3)], [(2, 4)]), cross([(1, 1), (3, 3)], [(0, 4)])
    (True, False)
    """
    shared = sum(max(0, min(b, d) - max(a, c) + 1) for a, b in one for c, d in other)
    return 0 < shared < min(_size(one), _size(other))


def _size(parts: Parts) -> int:
    return sum(last - first + 1 for first, last in parts)


def crossing(mentions: Mapping[int, Parts]) -> list[int]:
    """The mentions that cross one before them, in order; given by their parts, first and last node.

    Where several cross each other, at least one of them is found. The mentions are taken from
    large to small, each painting its nodes: one that finds two colours crosses the last painted.

    >>> crossing({7: [(1, 1), (3, 3)], 8: [(2, 4)], 9: [(1, 1)]})
    [8]
    """
    rank = {row: number for number, row in enumerate(mentions)}
    size = {row: _size(parts) for row, parts in mentions.items()}
    painted: dict[int, int] = {_NOBODY: -1}
    colours = _Colours()
    found = set()
    for row in sorted(mentions, key=lambda row: -size[row]):
        under = {
            colour for first, last in mentions[row] for colour in colours.paint(first, last, row)
        }
        if len(under) > 1:
            other = max(under, key=painted.__getitem__)
            found.add(max(row, other, key=rank.__getitem__))
        painted[row] = len(painted)
    return sorted(found, key=rank.__getitem__)


class _Colours:
    """The colour of every node, as runs: each begins at a node and goes on to the next one."""

    def __init__(self) -> None:
        self._begin = [-1]
        self._colour = [_NOBODY]

    def paint(self, first: int, last: int, colour: int) -> list[int]:
        """Paint nodes; the colours that were there before."""
        begin, colours = self._begin, self._colour
        one = bisect_right(begin, first) - 1
        stop = bisect_left(begin, last + 1)
        before = colours[one:stop]
        head = [] if begin[one] == first else [one]
        ends = stop < len(begin) and begin[stop] == last + 1
        begin[one:stop] = [*(begin[x] for x in head), first, *([] if ends else [last + 1])]
        colours[one:stop] = [*(colours[x] for x in head), colour, *([] if ends else before[-1:])]
        return before

"""Mentions of two annotators that differ in their boundaries, paired."""

from heapq import heapify, heappop, heappush
from itertools import pairwise

from corefkit.data.corpus import Span

_Alike = tuple[float, Span, Span]
"""How alike two mentions are, as a negative number; the one of A, the one of B."""


def shifted_spans(only_a: list[Span], only_b: list[Span]) -> dict[Span, Span]:
    """Mentions that begin or end together, one to one, the most alike first.

    >>> shifted_spans([(0, 4), (7, 8)], [(0, 3), (1, 4), (9, 9)])
    {(0, 4): (0, 3)}
    """
    rows = [_Neighbours(only_a, only_b, shared=end) for end in (0, 1)]
    waiting = [pair for row in rows for pair in row.pairs()]
    heapify(waiting)
    found: dict[Span, Span] = {}
    taken: set[Span] = set()
    while waiting:
        _, a, b = heappop(waiting)
        if a not in found and b not in taken:
            found[a] = b
            taken.add(b)
            for row in rows:
                for pair in (*row.remove(a), *row.remove(b)):
                    heappush(waiting, pair)
    return found


class _Neighbours:
    """The mentions of both that begin (or end) at the same token, ordered by their length.

    Of those left, the most alike are always neighbours, so no others need to be compared.
    """

    def __init__(self, a: list[Span], b: list[Span], *, shared: int) -> None:
        self._a = set(a)
        listed = sorted([*a, *b], key=lambda span: (span[shared], span[1] - span[0]))
        alike = {pair for pair in pairwise(listed) if pair[0][shared] == pair[1][shared]}
        self._next: dict[Span, Span | None] = dict(alike)
        self._last: dict[Span, Span | None] = {other: one for one, other in alike}

    def pairs(self) -> list[_Alike]:
        """The pairs of neighbours, one of A and one of B."""
        return [p for one, other in self._next.items() for p in self._pair(one, other)]

    def remove(self, span: Span) -> list[_Alike]:
        """Take out a mention; the pair that becomes neighbours, if it is one of A and one of B."""
        before, after = self._last.pop(span, None), self._next.pop(span, None)
        if before is not None:
            self._next[before] = after
        if after is not None:
            self._last[after] = before
        return self._pair(before, after)

    def _pair(self, one: Span | None, other: Span | None) -> list[_Alike]:
        if one is None or other is None or (one in self._a) == (other in self._a):
            return []
        a, b = (one, other) if one in self._a else (other, one)
        common = min(a[1], b[1]) - max(a[0], b[0]) + 1
        union = max(a[1], b[1]) - min(a[0], b[0]) + 1
        return [(-common / union, a, b)]

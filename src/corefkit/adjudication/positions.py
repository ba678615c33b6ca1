"""Positions in a document, and how spans of them are written in the ids of items.

A position is a surface token, an empty node or a character. A span is a set of positions, kept as
its runs: (first, last) pairs in order, both ends included.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import pairwise

from corefkit.core.carriers import frozen

PositionRuns = tuple[tuple[int, int], ...]
"""A span: its runs of positions in order, as long as they can be, both ends included."""


def runs_of_positions(positions: Iterable[int]) -> PositionRuns:
    """The runs of a set of positions.

    >>> runs_of_positions([16, 12, 13])
    ((12, 13), (16, 16))
    """
    ordered = sorted(set(positions))
    if not ordered:
        return ()
    breaks = [(a, b) for a, b in pairwise(ordered) if b > a + 1]
    firsts = [ordered[0], *(b for _, b in breaks)]
    lasts = [*(a for a, _ in breaks), ordered[-1]]
    return tuple(zip(firsts, lasts, strict=True))


def positions_in(runs: PositionRuns) -> list[int]:
    """The positions of a span, in order."""
    return [position for first, last in runs for position in range(first, last + 1)]


def size(runs: PositionRuns) -> int:
    """How many positions a span has."""
    if len(runs) == 1:
        return runs[0][1] - runs[0][0] + 1
    return sum(last - first + 1 for first, last in runs)


def common(one: PositionRuns, other: PositionRuns) -> int:
    """How many positions two spans have in common.

    >>> common(((0, 2), (5, 6)), ((2, 5),))
    2
    """
    if len(one) == len(other) == 1:
        return max(min(one[0][1], other[0][1]) - max(one[0][0], other[0][0]) + 1, 0)
    return sum(max(min(b, d) - max(a, c) + 1, 0) for a, b in one for c, d in other)


def text_order(runs: PositionRuns) -> tuple[int, int, tuple[tuple[int, int], ...]]:
    """The key of text order: first position, more positions first, then the list of positions.

    >>> sorted([((1, 2),), ((0, 0),), ((0, 2),)], key=text_order)
    [((0, 2),), ((0, 0),), ((1, 2),)]
    """
    if len(runs) == 1:
        ((begin, end),) = runs
        return begin, begin - end - 1, ((begin, -end),)
    return runs[0][0], -size(runs), tuple((first, -last) for first, last in runs)


@frozen(eq=False)
class Positions:
    """The positions of one document.

    Attributes:
        size: how many there are; None where it is not known.
        labels: how each is written; None where it is written as its number from 0.
        zeros: which of them are empty nodes.
    """

    size: int | None
    labels: tuple[str, ...] | None = None
    zeros: frozenset[int] = frozenset()

    def write(self, runs: PositionRuns) -> str:
        """A span as text: its runs of tokens; an empty node is a run of its own.

        >>> Positions(30).write(((12, 13), (16, 16)))
        '12-13,16'
        >>> Positions(3, ("1", "1.1", "2"), frozenset({1})).write(((0, 0), (2, 2)))
        '1-2'
        """
        if self.labels is None:
            if len(runs) == 1:
                first, last = runs[0]
                return str(first) if first == last else f"{first}-{last}"
            return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
        labels, pieces = self.labels, list[tuple[int, int]]()
        for position in positions_in(runs):
            if pieces and self._continues(pieces[-1][1], position):
                pieces[-1] = pieces[-1][0], position
            else:
                pieces.append((position, position))
        return ",".join(labels[a] if a == b else f"{labels[a]}-{labels[b]}" for a, b in pieces)

    def _continues(self, last: int, position: int) -> bool:
        """Whether two positions are tokens with no token between them."""
        if last in self.zeros or position in self.zeros:
            return False
        return all(between in self.zeros for between in range(last + 1, position))

    def parse(self, text: str) -> PositionRuns | None:
        """The span that a text names; None where it is not a span of the document.

        >>> Positions(30).parse("12-13,16"), Positions(30).parse("29-30")
        (((12, 13), (16, 16)), None)
        """
        runs = list[tuple[int, int]]()
        for piece in text.split(","):
            ends = [self._position(label) for label in piece.split("-")]
            if len(ends) > 2 or None in ends:
                return None
            first, last = ends[0] or 0, ends[-1] or 0
            inside = not self.zeros or len(ends) == 1
            if first > last or (runs and first <= runs[-1][1]):
                return None
            if inside:
                runs.append((first, last))
            else:
                runs += runs_of_positions(p for p in range(first, last + 1) if p not in self.zeros)
        return _joined(runs)

    def _position(self, label: str) -> int | None:
        if self.labels is not None:
            return self._numbers.get(label)
        if not (label.isascii() and label.isdecimal()) or len(label) > _DIGITS:
            return None
        position = int(label)
        return position if self.size is None or position < self.size else None

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {label: number for number, label in enumerate(self.labels or ())}


_DIGITS = 18
"""Longer numbers are no positions."""


def _joined(runs: list[tuple[int, int]]) -> PositionRuns:
    """PositionRuns in order, with those joined that touch."""
    joined = runs[:1]
    for first, last in runs[1:]:
        if first == joined[-1][1] + 1:
            joined[-1] = joined[-1][0], last
        else:
            joined.append((first, last))
    return tuple(joined)

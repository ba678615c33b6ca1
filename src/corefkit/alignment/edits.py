"""The alignment of two sequences with the fewest edits; insert, delete and replace cost 1 each.

Each column of the table of edit distances is stored as differences, one bit per cell, in two
integers (Myers 1999, in the form of Hyyrö 2003). In large tables only a band of diagonals is
filled, which is widened until the alignment fits into it (Ukkonen 1985). If long sequences differ
by a few edits, there is no table at all: it suffices to know how far each number of edits leads on
each diagonal (Ukkonen 1985, Myers 1986), and runs of equal items are skipped quickly.
"""

from collections.abc import Hashable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray

Ties = Literal["equal first", "edits late"]
"""Which of several alignments with the fewest edits is taken. Each step, going backwards from the
end, is the first possible one in this order:

"equal first": align equal items, delete, replace, insert.
"edits late": delete, insert, align equal items, replace.
"""

_WHOLE = 1 << 24
"""Tables with at most so many cells are filled completely."""

_FEW_EDITS = 1 << 10
"""Up to so many edits beyond the difference in length, the search needs no table."""

_FIRST_BAND = 64
"""The edits beyond the difference in length for which the first band has room."""
_WIDER = 8
"""The factor by which that number grows for the next band."""


class EditAlignment(NamedTuple):
    """For each item of the first sequence an index into the second, or −1.

    Attributes:
        same: int64 (items,), the equal item with which it is aligned.
        replaced: int64 (items,), the different item that replaces it.
    """

    same: IntArray
    replaced: IntArray


def align_edits(
    one: Sequence[Hashable],
    other: Sequence[Hashable],
    ties: Ties = "edits late",
    most_steps: int | None = None,
) -> EditAlignment | None:
    """The alignment with the fewest edits; None if it takes more than `most_steps` steps.

    The steps are the product of the number of edits and the number of edits beyond the difference
    in length, so that a text that breaks off takes no longer than a complete one. Time and memory
    grow with the lengths and the steps.

    >>> align_edits("the old key".split(), "the key".split()).same.tolist()
    [0, -1, 1]
    """
    difference = abs(len(other) - len(one))
    most = _most_surplus(difference, min(len(one), len(other)), most_steps)
    large = len(one) * len(other) > _WHOLE
    if large and most >= 0 and (alignment := _align_few_edits(one, other, ties, most)) is not None:
        return alignment
    surplus = min(_FIRST_BAND, most) if large else most
    while most >= 0:
        table = _Band(one, other, surplus // 2)
        if table.edits <= difference + surplus:
            return table.walk_back(ties)
        if surplus == most:
            break
        surplus = min(_WIDER * surplus, most)
    return None


def _most_surplus(difference: int, shorter: int, most_steps: int | None) -> int:
    """The most edits beyond the difference in length that are allowed; −1 if not even 0 are.

    With a limit, this is 0 or the largest power of 2 that respects it. It never needs to exceed
    the length of the shorter sequence.
    """
    if most_steps is None:
        return shorter
    if difference > most_steps:
        return -1
    surplus = 0
    while (difference + (2 * surplus or 1)) * ((2 * surplus or 1) + 1) <= most_steps:
        surplus = 2 * surplus or 1
    return min(surplus, shorter)


class _Band:
    """A band of diagonals of the table of edit distances, around those of its two corners.

    A diagonal is the number of items of the second sequence minus that of the first. Column j
    belongs to the first j items of the second sequence. Its bits are the rows of the band below
    the topmost row of column j − 1: in `grows` those whose distance is larger by 1 than that of the
    row above, in `falls` those where it is smaller by 1. A row that enters the band at its lower
    end is one deletion away from the row above it.
    """

    def __init__(self, one: Sequence[Hashable], other: Sequence[Hashable], margin: int) -> None:
        goal = len(other) - len(one)
        self.one, self.other = one, other
        self.low, self.high = min(goal, 0) - margin, max(goal, 0) + margin
        self.grows, self.falls = [(1 << min(len(one), 1 - self.low)) - 1], [0]
        self.edits = self._fill()

    def _fill(self) -> int:
        """Fill all columns; return the number of edits, correct if its path is within the band."""
        one, low, high = self.one, self.low, self.high
        places = _ItemRows(one)
        top, at_top = 0, 0
        up, down = self.grows[0], 0
        for column, item in enumerate(self.other, 1):
            bottom = min(len(one), column - low)
            equal = places.of(item, top, bottom)
            full = (1 << (bottom - top)) - 1
            diagonal = ((((equal & up) + up) ^ up) | equal | down) & full
            right = ((down | (full ^ (diagonal | up))) << 1 | 1) & full
            left = (diagonal & up) << 1 & full
            up, down = left | (full ^ (diagonal | right)), right & diagonal
            if bottom < len(one):
                up |= full + 1
            self.grows.append(up)
            self.falls.append(down)
            at_top += 1
            if column > high:
                at_top += (up & 1) - (down & 1)
                up, down, top = up >> 1, down >> 1, top + 1
        return at_top + up.bit_count() - down.bit_count()

    def walk_back(self, ties: Ties) -> EditAlignment:
        """The alignment, traced from the end backwards."""
        one, other, grows, falls = self.one, self.other, self.grows, self.falls
        equal_first, moves_on = ties == "equal first", self.high + 1
        same, replaced = [-1] * len(one), [-1] * len(one)
        i, j = len(one), len(other)
        while i and j:
            equal = one[i - 1] == other[j - 1]
            if equal and equal_first:
                i, j = i - 1, j - 1
                same[i] = j
                continue
            top = j - moves_on if j > moves_on else 0
            if grows[j] >> (i - 1 - top) & 1:
                i -= 1
                continue
            # It is not a deletion: the previous column decides whether it is an insertion.
            j -= 1
            bit = i - 1 - (top - 1 if top else 0)
            fallen, grown = falls[j] >> bit & 1, grows[j] >> bit & 1
            if fallen or not (grown or equal or equal_first):
                continue
            i -= 1
            (same if equal else replaced)[i] = j
        return EditAlignment(np.array(same, dtype=np.int64), np.array(replaced, dtype=np.int64))


class _ItemRows:
    """The positions of items among the rows of a band, as bits; the band moves down the rows."""

    def __init__(self, items: Sequence[Hashable]) -> None:
        self._items = items
        self._bits: dict[Hashable, int] = {}
        self._first = self._last = 0

    def of(self, item: Hashable, top: int, bottom: int) -> int:
        """The rows from `top` to `bottom` (excluded) that have this item, as bits."""
        if bottom > self._last:
            for row in range(self._last, bottom):
                entering = self._items[row]
                self._bits[entering] = self._bits.get(entering, 0) | 1 << (row - self._first)
            self._last = bottom
        passed = top - self._first
        if passed > bottom - top + _FIRST_BAND:
            kept = ((known, bits >> passed) for known, bits in self._bits.items())
            self._bits = {known: bits for known, bits in kept if bits}
            self._first, passed = top, 0
        return self._bits.get(item, 0) >> passed


def _align_few_edits(
    one: Sequence[Hashable], other: Sequence[Hashable], ties: Ties, most: int
) -> EditAlignment | None:
    """The alignment if it takes few edits beyond the difference in length, at most `most`."""
    number: dict[Hashable, int] = {}
    a, b = (
        np.array([number.setdefault(item, len(number)) for item in items], dtype=np.int64)
        for items in (one, other)
    )
    limit = min(most, _FEW_EDITS)
    for surplus in sorted({min(_FIRST_BAND, limit), limit}):
        if (fronts := _fronts(a, b, surplus)) is not None:
            return _walk_fronts(fronts, a, b, ties)
    return None


_NEVER = -(1 << 40)
_SHORT = 8
"""Up to so many equal items are skipped on all diagonals at once, more on each separately."""


class _Front(NamedTuple):
    """How far a number of edits leads: the items of the first sequence passed on each diagonal.

    `reached[x]` belongs to the diagonal `low` + x. A diagonal is the number of items passed in the
    second sequence minus that in the first.
    """

    low: int
    reached: IntArray

    def at(self, low: int, high: int) -> IntArray:
        """The items reached on the diagonals `low` to `high`; _NEVER if none is."""
        around = np.full(high - low + 1, _NEVER, dtype=np.int64)
        first, last = max(low, self.low), min(high, self.low + len(self.reached) - 1)
        if first <= last:
            reached = self.reached[first - self.low : last - self.low + 1]
            around[first - low : last - low + 1] = reached
        return around

    def on(self, diagonal: int) -> int:
        """The item reached on one diagonal; _NEVER if none is."""
        place = diagonal - self.low
        return int(self.reached[place]) if 0 <= place < len(self.reached) else _NEVER


def _fronts(a: IntArray, b: IntArray, surplus: int) -> list[_Front] | None:
    """The fronts of 0, 1, … edits, up to the one that reaches both ends.

    None if that takes more than `surplus` edits beyond the difference in length. Diagonals from
    which the remaining edits cannot reach the end are left out.
    """
    goal = len(b) - len(a)
    budget = abs(goal) + surplus
    fronts: list[_Front] = []
    for edits in range(budget + 1):
        left = budget - edits
        low = max(-edits, goal - left, -len(a))
        high = min(edits, goal + left, len(b))
        diagonal = np.arange(low, high + 1)
        stop = np.minimum(len(a), len(b) - diagonal)
        if not edits:
            reached = np.zeros(1, dtype=np.int64)
        else:
            around = fronts[-1].at(low - 1, high + 1)
            reached = np.maximum(np.maximum(around[1:-1], around[2:]) + 1, around[:-2])
            reached = np.minimum(reached, stop)
            # A negative number of items, in either sequence, cannot be reached.
            reached[(reached < 0) | (reached + diagonal < 0)] = _NEVER
        fronts.append(_Front(low, _slide(a, b, reached, diagonal, stop)))
        if low <= goal <= high and fronts[-1].on(goal) == len(a):
            return fronts
    return None


def _slide(
    a: IntArray, b: IntArray, reached: IntArray, diagonal: IntArray, stop: IntArray
) -> IntArray:
    """The item that is reached from each point by passing equal items."""
    active = np.flatnonzero((reached >= 0) & (reached < stop))
    for _ in range(_SHORT):
        active = active[a[reached[active]] == b[reached[active] + diagonal[active]]]
        reached[active] += 1
        active = active[reached[active] < stop[active]]
    for x in active.tolist():
        at, shift, end, length = int(reached[x]), int(diagonal[x]), int(stop[x]), 64
        while at < end:
            upto = min(at + length, end)
            differs = np.flatnonzero(a[at:upto] != b[at + shift : upto + shift])
            if len(differs):
                at += int(differs[0])
                break
            at, length = upto, 2 * length
        reached[x] = at
    return reached


def _walk_fronts(fronts: list[_Front], a: IntArray, b: IntArray, ties: Ties) -> EditAlignment:
    """The alignment, traced from the end backwards."""
    same, replaced = (np.full(len(a), -1, dtype=np.int64) for _ in range(2))
    at, diagonal = len(a), len(b) - len(a)
    for front in reversed(fronts[:-1]):
        # The items at which one edit arrives on this diagonal from the previous front.
        deletion, insertion = front.on(diagonal + 1) + 1, front.on(diagonal - 1)
        if ties == "equal first":
            begin = at - _equal_before(a[:at], b[: at + diagonal])
            replace = begin > 0 and begin + diagonal > 0 and front.on(diagonal) + 1 >= begin
        else:
            begin = min(max(front.on(diagonal) + 1, deletion, insertion), at)
            replace = insertion < begin
        same[begin:at] = np.arange(begin, at) + diagonal
        if deletion >= begin:
            at, diagonal = begin - 1, diagonal + 1
        elif replace:
            at = begin - 1
            replaced[at] = at + diagonal
        else:
            at, diagonal = begin, diagonal - 1
    same[:at] = np.arange(at) + diagonal
    return EditAlignment(same, replaced)


def _equal_before(a: IntArray, b: IntArray) -> int:
    """The length of the longest common suffix of two sequences."""
    at, most, length = 0, min(len(a), len(b)), 64
    while at < most:
        upto = min(at + length, most)
        ours, theirs = (x[len(x) - upto : len(x) - at][::-1] for x in (a, b))
        differs = np.flatnonzero(ours != theirs)
        if len(differs):
            return at + int(differs[0])
        at, length = upto, 2 * length
    return at

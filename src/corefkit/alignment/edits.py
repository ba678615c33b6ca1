"""Two sequences aligned by the fewest edits: insert, delete and replace cost 1 each.

The columns of the table of edit distances are kept as differences, one bit per cell, in two
integers each (Myers 1999, in the form of Hyyrö 2003). Of large tables only the diagonals that so
many edits can reach are filled; the band is widened until the alignment fits (Ukkonen 1985). Where
long sequences differ by a few edits, not even these are: how far each number of edits leads on each
diagonal is enough (Ukkonen 1985, Myers 1986), and equal items are passed without a look at each.
"""

from collections.abc import Hashable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray

Ties = Literal["equal first", "edits late"]
"""Which of several alignments with the fewest edits is taken, seen from the end backwards.

"equal first": equal items are aligned wherever they can, else an item is deleted, else replaced,
else inserted. "edits late": an item is deleted wherever it can be, else inserted, else equal items
are aligned, else one is replaced.
"""

_WHOLE = 1 << 24
"""Tables of at most so many cells are filled as a whole."""

_FEW_EDITS = 1 << 10
"""So many edits beyond the difference in length are looked for without a table."""

_FIRST_BAND = 64
_WIDER = 8


class EditAlignment(NamedTuple):
    """What became of the items of the first sequence: indices into the second, or −1.

    Attributes:
        same: int64 (items,), the equal item it is aligned with.
        replaced: int64 (items,), the item that stands in its place.
    """

    same: IntArray
    replaced: IntArray


def align_edits(
    one: Sequence[Hashable],
    other: Sequence[Hashable],
    ties: Ties = "edits late",
    most_steps: int | None = None,
) -> EditAlignment | None:
    """The alignment with the fewest edits.

    Time and memory grow with the lengths and with (edits × those edits that the difference in
    length does not explain): a text that breaks off costs no more than one that is complete.
    `most_steps` limits that product; None is returned for sequences that need more.

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
    """How many edits beyond the difference in length are looked for at most; −1: not even 0.

    With a limit it is 0 or the largest power of 2 that respects it. More than the length of the
    shorter sequence are never needed.
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
    """Some diagonals of the table of edit distances, around those of its two corners.

    A diagonal is the number of items of the second sequence less that of the first. Column j
    belongs to the first j items of the second sequence. Its bits are the rows of the band below
    the one that was on top in column j − 1: in `grows` those where the distance is larger than in
    the row above by 1, in `falls` those where it is smaller by 1. A row that enters the band at its
    lower end is one deletion away from the row above it.
    """

    def __init__(self, one: Sequence[Hashable], other: Sequence[Hashable], margin: int) -> None:
        goal = len(other) - len(one)
        self.one, self.other = one, other
        self.low, self.high = min(goal, 0) - margin, max(goal, 0) + margin
        self.grows, self.falls = [(1 << min(len(one), 1 - self.low)) - 1], [0]
        self.edits = self._fill()

    def _fill(self) -> int:
        """Find all columns; the number of edits, which is right if they lead through the band."""
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
        """The alignment, found from the end backwards."""
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
            # It is not a deletion: the column before decides whether it is an insertion.
            j -= 1
            bit = i - 1 - (top - 1 if top else 0)
            fallen, grown = falls[j] >> bit & 1, grows[j] >> bit & 1
            if fallen or not (grown or equal or equal_first):
                continue
            i -= 1
            (same if equal else replaced)[i] = j
        return EditAlignment(np.array(same, dtype=np.int64), np.array(replaced, dtype=np.int64))


class _ItemRows:
    """Where items stand among the rows of a band, as bits; the band moves down the rows."""

    def __init__(self, items: Sequence[Hashable]) -> None:
        self._items = items
        self._bits: dict[Hashable, int] = {}
        self._first = self._last = 0

    def of(self, item: Hashable, top: int, bottom: int) -> int:
        """The rows from `top` to `bottom`, which is not included, that have this item."""
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
    """The alignment, if it takes few edits beyond the difference in length, and at most `most`."""
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
"""So many equal items are passed on all diagonals at once, more on each by itself."""


class _Front(NamedTuple):
    """The furthest items of the first sequence that so many edits reach.

    `reached[x]` belongs to diagonal `low` + x: the items of the second sequence that are passed
    less those of the first.
    """

    low: int
    reached: IntArray

    def at(self, low: int, high: int) -> IntArray:
        """What is reached on the diagonals from `low` to `high`; _NEVER where nothing is."""
        around = np.full(high - low + 1, _NEVER, dtype=np.int64)
        first, last = max(low, self.low), min(high, self.low + len(self.reached) - 1)
        if first <= last:
            own = self.reached[first - self.low : last - self.low + 1]
            around[first - low : last - low + 1] = own
        return around

    def on(self, diagonal: int) -> int:
        """What is reached on one diagonal."""
        place = diagonal - self.low
        return int(self.reached[place]) if 0 <= place < len(self.reached) else _NEVER


def _fronts(a: IntArray, b: IntArray, surplus: int) -> list[_Front] | None:
    """The fronts up to the one that has reached both ends; None: it takes more than `surplus`.

    Diagonals from which the end cannot be reached with the edits that are left are not entered.
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
            # Below 0, or before the first item of the second sequence, nothing was reached.
            reached[(reached < 0) | (reached + diagonal < 0)] = _NEVER
        fronts.append(_Front(low, _slide(a, b, reached, diagonal, stop)))
        if low <= goal <= high and fronts[-1].on(goal) == len(a):
            return fronts
    return None


def _slide(
    a: IntArray, b: IntArray, reached: IntArray, diagonal: IntArray, stop: IntArray
) -> IntArray:
    """How far equal items lead from each point."""
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
    """The alignment, found from the end backwards."""
    same, replaced = (np.full(len(a), -1, dtype=np.int64) for _ in range(2))
    at, diagonal = len(a), len(b) - len(a)
    for front in reversed(fronts[:-1]):
        # Up to which item of the first sequence one edit leads here from the front before.
        deletion, insertion = front.on(diagonal + 1) + 1, front.on(diagonal - 1)
        if ties == "equal first":
            begin = at - _equal_before(a[:at], b[: at + diagonal])
            late = begin > 0 and begin + diagonal > 0 and front.on(diagonal) + 1 >= begin
        else:
            begin = min(max(front.on(diagonal) + 1, deletion, insertion), at)
            late = insertion < begin
        same[begin:at] = np.arange(begin, at) + diagonal
        if deletion >= begin:
            at, diagonal = begin - 1, diagonal + 1
        elif late:
            at = begin - 1
            replaced[at] = at + diagonal
        else:
            at, diagonal = begin, diagonal - 1
    same[:at] = np.arange(at) + diagonal
    return EditAlignment(same, replaced)


def _equal_before(a: IntArray, b: IntArray) -> int:
    """How many items at the ends of two sequences are equal."""
    at, most, length = 0, min(len(a), len(b)), 64
    while at < most:
        upto = min(at + length, most)
        ours, theirs = (x[len(x) - upto : len(x) - at][::-1] for x in (a, b))
        differs = np.flatnonzero(ours != theirs)
        if len(differs):
            return at + int(differs[0])
        at, length = upto, 2 * length
    return at

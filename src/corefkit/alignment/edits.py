"""The alignment of two sequences with the fewest edits; insert, delete and replace cost 1 each.

Each column of the table of edit distances is stored as differences, one bit per cell, in two
integers (Myers 1999, in the form of Hyyrö 2003). In large tables only a band of diagonals is
filled, which is widened until the alignment fits into it (Ukkonen 1985).

Of several alignments with the fewest edits one is taken, going backwards from the end: each step
aligns equal items, else deletes, else replaces, else inserts, whichever is possible first.
"""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray

_WHOLE = 1 << 24
"""Tables with at most so many cells are filled completely."""

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
    most_steps: int | None = None,
    *,
    from_start: bool = False,
) -> EditAlignment | None:
    """The alignment with the fewest edits; None if it takes more than `most_steps` steps.

    With `from_start`, ties are decided going forwards from the beginning, with which a text that
    breaks off is then aligned.

    The steps are the product of the number of edits and the number of edits beyond the difference
    in length, so that a text that breaks off takes no longer than a complete one. Time and memory
    grow with the lengths and the steps.

    >>> align_edits("the old key".split(), "the key".split()).same.tolist()
    [0, -1, 1]
    """
    if from_start:
        found = align_edits(one[::-1], other[::-1], most_steps)
        return found and EditAlignment(*(mirror(match, len(other)) for match in found))
    difference = abs(len(other) - len(one))
    most = _most_surplus(difference, min(len(one), len(other)), most_steps)
    large = len(one) * len(other) > _WHOLE
    surplus = min(_FIRST_BAND, most) if large else most
    while most >= 0:
        table = _Band(one, other, surplus // 2)
        if table.edits <= difference + surplus:
            return table.walk_back()
        if surplus == most:
            break
        surplus = min(_WIDER * surplus, most)
    return None


def mirror(match: IntArray, size: int) -> IntArray:
    """The alignment of both sequences read backwards; `size` is the length of the second.

    >>> mirror(np.array([0, -1, 1]), 4).tolist()
    [2, -1, 3]
    """
    return np.where(match < 0, -1, size - 1 - match)[::-1]


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
    row above, in `free` those where it is that of the row above in column j − 1. A row that enters
    the band at its lower end is one deletion away from the row above it.
    """

    def __init__(self, one: Sequence[Hashable], other: Sequence[Hashable], margin: int) -> None:
        goal = len(other) - len(one)
        self.one, self.other = one, other
        self.low, self.high = min(goal, 0) - margin, max(goal, 0) + margin
        self.grows, self.free = [(1 << min(len(one), 1 - self.low)) - 1], [0]
        self.edits = self._fill()

    def _fill(self) -> int:
        """Fill all columns; return the number of edits, correct if its path is within the band."""
        one, low, high = self.one, self.low, self.high
        rows = _ItemRows(one)
        top, at_top = 0, 0
        up, down = self.grows[0], 0
        for column, item in enumerate(self.other, 1):
            bottom = min(len(one), column - low)
            equal = rows.of(item, top, bottom)
            full = (1 << (bottom - top)) - 1
            diagonal = ((((equal & up) + up) ^ up) | equal | down) & full
            right = ((down | (full ^ (diagonal | up))) << 1 | 1) & full
            left = (diagonal & up) << 1 & full
            up, down = left | (full ^ (diagonal | right)), right & diagonal
            if bottom < len(one):
                up |= full + 1
            self.grows.append(up)
            self.free.append(diagonal)
            at_top += 1
            if column > high:
                at_top += (up & 1) - (down & 1)
                up, down, top = up >> 1, down >> 1, top + 1
        return at_top + up.bit_count() - down.bit_count()

    def walk_back(self) -> EditAlignment:
        """The alignment, traced from the end backwards."""
        one, other = self.one, self.other
        same, replaced = [-1] * len(one), [-1] * len(one)
        i, j = len(one), len(other)
        while i and j:
            bit = i - 1 - max(j - self.high - 1, 0)
            equal = one[i - 1] == other[j - 1]
            if not equal and self.grows[j] >> bit & 1:
                i -= 1
            elif not equal and self.free[j] >> bit & 1:
                j -= 1
            else:
                i, j = i - 1, j - 1
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

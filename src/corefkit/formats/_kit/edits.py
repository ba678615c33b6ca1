"""Two sequences aligned by the fewest insertions, deletions and replacements."""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray

MOST_STEPS = 50_000_000
"""Sequences that need a larger table than this have next to nothing in common."""

_NEVER = -(10**9)
_SHORT = 8


class EditAlignment(NamedTuple):
    """What became of the items of the first sequence: indices into the second, or −1.

    Attributes:
        same: int64 (items,), the equal item it is aligned with.
        replaced: int64 (items,), the item that stands in its place.
    """

    same: IntArray
    replaced: IntArray

    @property
    def edits(self) -> int:
        """How many items of the first sequence are not in the second."""
        return int((self.same < 0).sum())


def align(one: Sequence[Hashable], other: Sequence[Hashable]) -> EditAlignment | None:
    """The alignment with the fewest edits; None where there is next to nothing in common.

    Time and memory grow with the lengths and with (edits × those edits that the difference in
    length does not explain): a text that breaks off costs no more than one that is complete.

    >>> found = align("the old key".split(), "the key".split())
    >>> found.same.tolist()
    [0, -1, 1]
    """
    number: dict[Hashable, int] = {}
    a, b = (
        np.array([number.setdefault(item, len(number)) for item in items], dtype=np.int64)
        for items in (one, other)
    )
    surplus = 0
    while (abs(len(b) - len(a)) + surplus) * (surplus + 1) <= MOST_STEPS:
        fronts = _fronts(a, b, surplus)
        if fronts is not None:
            return _walk_back(fronts, len(a), len(b))
        surplus = 2 * surplus or 1
    return None


class _Front(NamedTuple):
    """The furthest items of the first sequence reached with so many edits.

    `reached[x]` belongs to diagonal `low` + x: the items of the second sequence that are passed
    less those of the first.
    """

    low: int
    reached: IntArray

    def at(self, low: int, high: int) -> IntArray:
        """What is reached on the diagonals from `low` to `high`; never, where nothing is."""
        found = np.full(high - low + 1, _NEVER, dtype=np.int64)
        first, last = max(low, self.low), min(high, self.low + len(self.reached) - 1)
        if first <= last:
            found[first - low : last - low + 1] = self.reached[
                first - self.low : last - self.low + 1
            ]
        return found


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
        if not edits:
            reached = np.zeros(1, dtype=np.int64)
        else:
            reached = _steps(fronts[-1], low, high).max(axis=0)
            reached = np.minimum(reached, np.minimum(len(a), len(b) - diagonal))
            # Below 0, or before the first item of the second sequence, nothing was reached.
            reached[(reached < 0) | (reached + diagonal < 0)] = _NEVER
        fronts.append(_Front(low, _slide(a, b, reached, diagonal)))
        if low <= goal <= high and fronts[-1].reached[goal - low] == len(a):
            return fronts
    return None


def _steps(front: _Front, low: int, high: int) -> IntArray:
    """int64 (3, diagonals): what one replacement, deletion, or insertion reaches."""
    around = front.at(low - 1, high + 1)
    return np.stack((around[1:-1] + 1, around[2:] + 1, around[:-2]))


def _slide(a: IntArray, b: IntArray, reached: IntArray, diagonal: IntArray) -> IntArray:
    """How far equal items lead from each point."""
    reached = reached.copy()
    stop = np.minimum(len(a), len(b) - diagonal)
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


def _walk_back(fronts: list[_Front], first: int, second: int) -> EditAlignment:
    """The alignment, found from the end backwards.

    Of equal ways a deletion comes first, then an insertion, and last a replacement, so that more
    items are equal.
    """
    same, replaced = (np.full(first, -1, dtype=np.int64) for _ in range(2))
    at, diagonal = first, second - first
    for front in reversed(fronts[:-1]):
        replacement, deletion, insertion = _steps(front, diagonal, diagonal)[:, 0].tolist()
        begin = min(max(replacement, deletion, insertion), at)
        same[begin:at] = np.arange(begin, at) + diagonal
        if deletion >= begin:
            at, diagonal = begin - 1, diagonal + 1
        elif insertion >= begin:
            at, diagonal = begin, diagonal - 1
        else:
            at = begin - 1
            replaced[at] = at + diagonal
    same[:at] = np.arange(at) + diagonal
    return EditAlignment(same, replaced)

"""Brackets in cells, over a whole file at once: where they stand, and which belong together.

A cell such as `(12|(3)|7)` is a row of pieces: `(12` opens, `7)` closes, `(3)` does both, and what
has no parenthesis is text. What an id may look like, and what else stands in a bracket, is a matter
of each format.
"""

from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, ByteArray, IntArray, mask_of, stretches

SINGLE, OPEN, CLOSE, TEXT = 0, 1, 2, 3
"""The kinds of pieces: both parentheses, the first, the second, none."""

_KINDS = np.array([TEXT, CLOSE, OPEN, SINGLE])
"""By whether a piece begins with '(' (two) and ends with ')' (one)."""
_LEFT, _RIGHT = b"()"


class CellText(NamedTuple):
    """The bytes of some cells, none of them empty, one cell after the other.

    Attributes:
        place: int64 (bytes,), where each stands in the file.
        byte: uint8 (bytes,), itself.
        head: bool (bytes,), whether it is the first of its cell.
        first: int64 (cells,), the number of the first byte of each cell.
    """

    place: IntArray
    byte: ByteArray
    head: BoolArray
    first: IntArray

    @classmethod
    def of(cls, buffer: ByteArray, start: IntArray, end: IntArray) -> "CellText":
        """The text of the cells buffer[start:end]."""
        length = end - start
        first = np.cumsum(length) - length
        place = stretches(start, length)
        return cls(place, buffer[place], mask_of(first, len(place)), first)

    @property
    def tail(self) -> BoolArray:
        """bool (bytes,): whether each is the last of its cell."""
        return np.append(self.head[1:], True)

    def cell_of(self, at: IntArray) -> IntArray:
        """The cell of each of these bytes, given by their numbers."""
        return np.searchsorted(self.first, at, side="right") - 1

    def before(self, mask: BoolArray) -> BoolArray:
        """Whether the mask is true of the byte before each one in its cell."""
        shifted = np.zeros_like(mask)
        shifted[1:] = mask[:-1] & ~self.head[1:]
        return shifted

    def after(self, mask: BoolArray) -> BoolArray:
        """Whether the mask is true of the byte after each one in its cell."""
        shifted = np.zeros_like(mask)
        shifted[:-1] = mask[1:] & ~self.head[1:]
        return shifted


class BracketPieces(NamedTuple):
    """The pieces of cells in the order of the file, int64 (pieces,).

    Attributes:
        cell: the number of its cell.
        kind: SINGLE, OPEN, CLOSE or TEXT.
        start, end: its bytes in the file, parentheses included.
        inner_start, inner_end: its bytes without the parentheses.
    """

    cell: IntArray
    kind: IntArray
    start: IntArray
    end: IntArray
    inner_start: IntArray
    inner_end: IntArray


def split_brackets(text: CellText, joint: BoolArray | None = None) -> BracketPieces:
    """The pieces of cells: each begins with '(', or ends with ')', or both, or stands between.

    Where `joint` (bytes,) is true, a byte separates pieces and belongs to none.

    >>> buffer = np.frombuffer(b"(a)(b- c)d", dtype=np.uint8)
    >>> pieces = split_brackets(CellText.of(buffer, np.array([0, 7]), np.array([6, 10])))
    >>> [buffer[a:b].tobytes() for a, b in zip(pieces.start, pieces.end)], pieces.kind.tolist()
    ([b'(a)', b'(b-', b'c)', b'd'], [0, 1, 2, 3])
    """
    left, right = text.byte == _LEFT, text.byte == _RIGHT
    begins = text.head | left
    begins[1:] |= right[:-1]
    if joint is not None and joint.any():
        begins[1:] |= joint[:-1]
        begins |= joint
    first = np.flatnonzero(begins)
    last = np.append(first[1:], len(begins)) - 1
    if joint is not None:
        pieces = ~joint[first]
        first, last = first[pieces], last[pieces]
    opened, closed = left[first], right[last]
    start, end = text.place[first], text.place[last] + 1
    return BracketPieces(
        cell=text.cell_of(first),
        kind=_KINDS[opened * 2 + closed],
        start=start,
        end=end,
        inner_start=start + opened,
        inner_end=end - closed,
    )


class BracketPairs(NamedTuple):
    """Brackets by their numbers: the first and the last of each pair, and those left over.

    `pending` are the openings and closings that pair up, by group.
    """

    first: IntArray
    last: IntArray
    pending: IntArray
    unopened: list[int]
    unclosed: list[int]


def pair_brackets(kind: IntArray, group: IntArray) -> BracketPairs:
    """Pair each closing with the opening of its group that was opened last.

    What is neither SINGLE nor OPEN nor CLOSE is not looked at.
    """
    pending = np.flatnonzero((kind == OPEN) | (kind == CLOSE))
    pending = pending[np.argsort(group[pending], kind="stable")]
    depth = open_after(kind[pending])
    ends = np.append(np.flatnonzero(np.diff(group[pending])), len(pending) - 1)
    unopened: list[int] = []
    unclosed: list[int] = []
    if len(pending) and (depth.min() < 0 or depth[ends].any()):
        opens, own = kind[pending] == OPEN, group[pending]
        surplus = _closes_nothing(opens, own)
        lacking = _closes_nothing(~opens[::-1], -own[::-1])[::-1]
        unopened, unclosed = (np.sort(pending[alone]).tolist() for alone in (surplus, lacking))
        pending = pending[~(surplus | lacking)]
        depth = open_after(kind[pending])
    level = np.where(kind[pending] == OPEN, depth, depth + 1)
    # On one level openings and closings alternate: each group has closed all before the next one.
    narrow = level.astype(np.min_scalar_type(level.max(initial=0)))  # sorted in linear time
    alternate = pending[np.argsort(narrow, kind="stable")]
    single = np.flatnonzero(kind == SINGLE)
    first = np.concatenate((single, alternate[0::2]))
    return BracketPairs(
        first, np.concatenate((single, alternate[1::2])), pending, unopened, unclosed
    )


def open_after(kind: IntArray) -> IntArray:
    """How many mentions are open after each bracket, all of one entity or all balanced."""
    return np.cumsum(np.where(kind == OPEN, 1, -1))


def _closes_nothing(opens: BoolArray, group: IntArray) -> BoolArray:
    """bool (brackets,): which close more than was opened in their group; groups stand in order.

    Read from the end, with openings for closings, it is which are never closed.
    """
    step = np.where(opens, 1, -1)
    depth = np.cumsum(step)
    begin = np.searchsorted(group, group)
    depth = depth - (depth - step)[begin]
    # Each time that the depth falls below zero, and lower than ever before in the group.
    lowest = np.minimum.accumulate(np.minimum(depth, 0) - begin * (len(group) + 1))
    surplus: BoolArray = (depth < 0) & (np.diff(lowest, prepend=1) < 0)
    return surplus

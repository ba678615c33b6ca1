"""Brackets in cells, for a whole file at once: their places, and which belong together.

A cell such as `(12|(3)|7)` is a sequence of pieces: `(12` opens, `7)` closes, `(3)` does both, and
a piece without a parenthesis is text. Each format decides what an id looks like and what else a
bracket may contain.

Columns of brackets such as `(NP*`, `*)` and `(PERSON)` become labelled `Spans`, for all tokens at
once. Parse bits, named entities and predicate arguments have the same form: labels open before the
star, brackets close after it, and no span crosses the end of a sentence.
"""

from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, ByteArray, IntArray, mask_of, stretches

SINGLE, OPEN, CLOSE, TEXT = 0, 1, 2, 3
"""The kinds of pieces: with both parentheses, only the first, only the second, none."""

_KINDS = np.array([TEXT, CLOSE, OPEN, SINGLE])
"""The kind of a piece, indexed by 2 if it begins with '(' plus 1 if it ends with ')'."""
_LEFT, _RIGHT = b"()"


class CellText(NamedTuple):
    """The bytes of some cells, none of them empty, one cell after the other.

    Attributes:
        place: int64 (bytes,), the place of each in the file.
        byte: uint8 (bytes,), its value.
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
        """bool (bytes,): whether the mask is true for the byte before each, in the same cell."""
        shifted = np.zeros_like(mask)
        shifted[1:] = mask[:-1] & ~self.head[1:]
        return shifted

    def after(self, mask: BoolArray) -> BoolArray:
        """bool (bytes,): whether the mask is true for the byte after each, in the same cell."""
        shifted = np.zeros_like(mask)
        shifted[:-1] = mask[1:] & ~self.head[1:]
        return shifted


class BracketPieces(NamedTuple):
    """The pieces of cells in the order of the file, int64 (pieces,).

    Attributes:
        cell: the number of its cell.
        kind: SINGLE, OPEN, CLOSE or TEXT.
        start, end: its bounds in the file, parentheses included.
        inner_start, inner_end: its bounds without parentheses.
    """

    cell: IntArray
    kind: IntArray
    start: IntArray
    end: IntArray
    inner_start: IntArray
    inner_end: IntArray


def split_brackets(text: CellText, joint: BoolArray | None = None) -> BracketPieces:
    """The pieces of cells: each begins with '(', or ends with ')', or both, or is text between.

    A byte at which `joint` (bytes,) is true separates pieces and belongs to none.

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
    """The numbers of brackets: the first and the last of each pair, and those without a partner.

    `pending` are the openings and closings that have a partner, by group.
    """

    first: IntArray
    last: IntArray
    pending: IntArray
    unopened: list[int]
    unclosed: list[int]


def pair_brackets(kind: IntArray, group: IntArray) -> BracketPairs:
    """Pair each closing with the opening of its group that was opened last.

    Pieces that are neither SINGLE nor OPEN nor CLOSE are ignored.
    """
    pending = np.flatnonzero((kind == OPEN) | (kind == CLOSE))
    pending = pending[np.argsort(group[pending], kind="stable")]
    depth = open_after(kind[pending])
    ends = np.append(np.flatnonzero(np.diff(group[pending])), len(pending) - 1)
    unopened: list[int] = []
    unclosed: list[int] = []
    if len(pending) and (depth.min() < 0 or depth[ends].any()):
        opens, groups = kind[pending] == OPEN, group[pending]
        surplus = _closes_nothing(opens, groups)
        lacking = _closes_nothing(~opens[::-1], -groups[::-1])[::-1]
        unopened, unclosed = (np.sort(pending[alone]).tolist() for alone in (surplus, lacking))
        pending = pending[~(surplus | lacking)]
        depth = open_after(kind[pending])
    level = np.where(kind[pending] == OPEN, depth, depth + 1)
    # On each level openings and closings alternate, since a group ends with all brackets closed.
    narrow = level.astype(np.min_scalar_type(level.max(initial=0)))  # sorted in linear time
    alternate = pending[np.argsort(narrow, kind="stable")]
    single = np.flatnonzero(kind == SINGLE)
    first = np.concatenate((single, alternate[0::2]))
    return BracketPairs(
        first, np.concatenate((single, alternate[1::2])), pending, unopened, unclosed
    )


def open_after(kind: IntArray) -> IntArray:
    """How many mentions are open after each bracket, if all are of one entity or all balanced."""
    return np.cumsum(np.where(kind == OPEN, 1, -1))


def _closes_nothing(opens: BoolArray, group: IntArray) -> BoolArray:
    """bool (brackets,): which close more than was opened in their group; groups are in order.

    Applied from the end, with openings as closings, it gives those that are never closed.
    """
    step = np.where(opens, 1, -1)
    depth = np.cumsum(step)
    begin = np.searchsorted(group, group)
    depth = depth - (depth - step)[begin]
    # These are the places where the depth falls below zero and to a new minimum of the group.
    lowest = np.minimum.accumulate(np.minimum(depth, 0) - begin * (len(group) + 1))
    surplus: BoolArray = (depth < 0) & (np.diff(lowest, prepend=1) < 0)
    return surplus

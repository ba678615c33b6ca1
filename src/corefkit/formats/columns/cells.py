"""The cells of rows: their places in a file.

Rows are split by tabs if they have any, else by runs of blanks.
"""

from functools import cached_property

import numpy as np

from corefkit.core.arrays import BoolArray, ByteArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.formats.columns.buffer import ByteTally, find_byte, strip

_TAB, _BLANK = b"\t "


@frozen(eq=False)
class CellTable:
    """The places of the cells of rows in a file.

    Attributes:
        buffer: the bytes of the file, uint8.
        begin, end: int64 (rows,), the bounds of each row.
        left, right: int64 (separators,), the first and the last byte of each separator.
        first, count: int64 (rows,), the number of its first separator, and how many cells it has.
    """

    buffer: ByteArray
    begin: IntArray
    end: IntArray
    left: IntArray
    right: IntArray
    first: IntArray
    count: IntArray

    @cached_property
    def tabbed(self) -> BoolArray:
        """bool (rows,): whether tabs split the row."""
        if not len(self.left):
            return np.zeros(len(self.count), dtype=bool)
        separator = self.buffer[self.left[np.minimum(self.first, len(self.left) - 1)]]
        tabbed: BoolArray = (self.count > 1) & (separator == _TAB)
        return tabbed

    def bounds(
        self, column: IntArray, rows: IntArray | slice = slice(None)
    ) -> tuple[IntArray, IntArray]:
        """The first byte and the end of a cell of each row; if a row lacks it, of its last cell."""
        begin, end = self.begin[rows], self.end[rows]
        if not len(self.left):
            return begin, end
        last = self.count[rows] - 1
        column = np.minimum(column, last)
        place = self.first[rows] + column
        begin = np.where(column > 0, self.right[np.maximum(place - 1, 0)] + 1, begin)
        return begin, np.where(column < last, self.left[np.minimum(place, len(self.left) - 1)], end)


def split_cells(buffer: ByteArray, begin: IntArray, end: IntArray) -> CellTable:
    """The cells of the rows buffer[begin:end], which are in order and not empty.

    >>> buffer = np.frombuffer(b"a\\tb c\\td\\n e  f\\n", dtype=np.uint8)
    >>> table = split_cells(buffer, np.array([0, 8]), np.array([7, 13]))
    >>> [buffer[a:b].tobytes() for a, b in zip(*table.bounds(np.array([1, 0])))]
    [b'b c', b'e']
    """
    low, high = (int(begin[0]), int(end[-1])) if len(begin) else (0, 0)
    left = right = find_byte(buffer[low:high], _TAB)
    left += low
    if len(left):
        tally = ByteTally.of(buffer[low:high], _TAB)
        first = tally.before(begin - low)
        separators = tally.before(end - low) - first
    else:
        first = separators = np.zeros(len(begin), dtype=np.int64)
    untabbed = np.flatnonzero(separators == 0)
    if len(untabbed):
        begin = begin.copy()
        begin[untabbed], _ = strip(buffer, begin[untabbed], end[untabbed], b" ")
        left, right = _with_blanks(buffer, left, begin[untabbed], end[untabbed])
        first = np.searchsorted(left, begin)
        separators = np.searchsorted(left, end) - first
    return CellTable(buffer, begin, end, left, right, first, separators + 1)


def _with_blanks(
    buffer: ByteArray, tab: IntArray, begin: IntArray, end: IntArray
) -> tuple[IntArray, IntArray]:
    """The first and the last byte of all tabs, and of the runs of blanks in these rows.

    The rows have no tabs. If the file has none at all, runs outside of rows are included, too: no
    row uses them.
    """
    low = int(begin[0])
    left, right = _blank_runs(buffer[low : int(end[-1])])
    left, right = left + low, right + low
    if not len(tab):
        return left, right
    inside = left < end[np.searchsorted(begin, left, side="right") - 1]
    left, right = np.concatenate((tab, left[inside])), np.concatenate((tab, right[inside]))
    return np.sort(left), np.sort(right)


def _blank_runs(buffer: ByteArray) -> tuple[IntArray, IntArray]:
    """The first and the last byte of each run of blanks."""
    blank = np.zeros(len(buffer) + 2, dtype=bool)
    np.equal(buffer, _BLANK, out=blank[1:-1])
    edge = np.flatnonzero(blank[1:] != blank[:-1])
    return edge[::2], edge[1::2] - 1

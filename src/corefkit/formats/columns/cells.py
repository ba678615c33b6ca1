"""The cells of rows: their places in a file, and the text of cells with brackets.

Rows are split by tabs if they have any, else by runs of blanks. Written cells are those of spans:
`(PERSON)`, `(ORG*` … `*)`, and `(12|(3)` … `12)`.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, ByteArray, IntArray, WordArray
from corefkit.core.carriers import frozen
from corefkit.core.source import NOTHING
from corefkit.formats.columns.buffer import ByteTally, find_byte, ones, strip

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


_WINDOW = 64
"""How many bytes of a row are processed together, one bit for each."""
_NOT, _ONE, _LAST = (np.uint64(n) for n in (0, 1, 63))
_AT_ONCE = 1 << 14
"""How many rows are processed together; their windows fit into the processor's cache."""


def inner_cells(
    buffer: ByteArray, begin: IntArray, end: IntArray, numbers: Sequence[int], separator: bytes
) -> list[tuple[IntArray, IntArray]]:
    """The bounds of the cells with these numbers in each of the rows buffer[begin:end].

    Rows are split by tabs or by runs of blanks. The end is −1 if no cell follows in the row. Much
    faster than `split_cells`, which finds all cells: rows are read only as far as necessary.

    >>> buffer = np.frombuffer(b"a 0  12 on -\\nb 0 1\\n", dtype=np.uint8)
    >>> bounds = inner_cells(buffer, np.array([0, 13]), np.array([12, 18]), [0, 2], b" ")
    >>> [(begin.tolist(), end.tolist()) for begin, end in bounds]
    [([0, 13], [1, 14]), ([5, 17], [7, -1])]
    """
    if len(buffer) < _WINDOW:
        buffer = np.concatenate((buffer, np.zeros(_WINDOW, dtype=np.uint8)))
    bounds = [(np.empty_like(begin), np.empty_like(begin)) for _ in numbers]
    for at in range(0, len(begin), _AT_ONCE):
        some = slice(at, at + _AT_ONCE)
        gaps = _find_gaps(buffer, begin[some], separator[0])
        windows = _RowWindows(begin[some], end[some], gaps)
        for number, (start, stop) in zip(numbers, bounds, strict=True):
            start[some], stop[some] = _walk_rows(buffer, windows, number, separator)
    for _, stop in bounds:
        stop[stop >= end] = -1
    return bounds


class _RowWindows(NamedTuple):
    """Where windows begin, where their rows end, and the separators: one bit for each byte."""

    place: IntArray
    end: IntArray
    gaps: WordArray


def _walk_rows(
    buffer: ByteArray, windows: _RowWindows, number: int, separator: bytes
) -> tuple[IntArray, IntArray]:
    """The start and end of a cell in each row, found window by window from the first ones on."""
    place, end, gaps = windows
    start, stop = np.empty_like(place), np.empty_like(place)
    rows: slice | IntArray = slice(None)
    ahead = np.array(number)  # how many cells precede it
    begun, joint = np.array(_NOT), np.array(_ONE)  # whether it has begun; whether a cell may, here
    while True:
        begins = gaps << _ONE | joint
        if separator[0] == _BLANK:
            begins &= ~gaps
        first = begins.copy()
        for passed in range(int(ahead.max())):
            first &= first - (ahead > passed)
        first |= begun
        first &= -first  # its lowest bit; none where the cell begins further on
        last = gaps & -first
        last &= -last
        start[rows] = np.where(begun, start[rows], place + _bits_before(first))
        stop[rows] = place + _bits_before(last)
        on = np.flatnonzero((last == 0) & (place + _WINDOW < end))
        if not len(on):
            return start, stop
        rows = on if isinstance(rows, slice) else rows[on]
        ahead = (ahead - ones(begins).astype(np.int64))[on]
        begun, joint = (begun | (first > 0))[on].astype(np.uint64), (gaps >> _LAST)[on]
        place, end = place[on] + _WINDOW, end[on]
        gaps = _find_gaps(buffer, place, separator[0])


def _find_gaps(buffer: ByteArray, place: IntArray, separator: int) -> WordArray:
    """uint64 (rows,): a bit for each of the 64 bytes from a place on that is a separator."""
    windows = np.ndarray(len(buffer) - _WINDOW + 1, f"V{_WINDOW}", buffer, 0, (1,))
    at = np.minimum(place, len(buffer) - _WINDOW)
    is_separator = windows[at].view(np.uint8) == separator
    gaps: WordArray = np.packbits(is_separator, bitorder="little").view("<u8")
    if not np.array_equal(at, place):  # the last windows reach beyond the end
        gaps = gaps >> (place - at).astype(np.uint64)
    return gaps.astype(np.uint64, copy=False)


def _bits_before(bit: WordArray) -> IntArray:
    """How many bits are lower than the only one of each word; 64 where there is none."""
    return ones(bit - _ONE).astype(np.int64)


_PIECE = re.compile(r"\([^()|*]*\*?\)|\([^()|*]*|[^()|*]*\)")

LabelledRange = tuple[int, int, str]
"""First and last token, both included, and the label."""


def star_cells(spans: Sequence[LabelledRange]) -> dict[int, str]:
    """Token → its cell in a column such as named entities, if a span begins or ends there.

    Spans are in text order, outer ones first.

    >>> star_cells([(0, 1, "ORG"), (3, 3, "GPE")])
    {0: '(ORG*', 1: '*)', 3: '(GPE)'}
    """
    opens: dict[int, str] = {}
    closes: dict[int, str] = {}
    for start, end, label in spans:
        opens[start] = opens.get(start, "") + f"({label}"
        closes[end] = closes.get(end, "") + ")"
    cells = {}
    for place in sorted(opens.keys() | closes.keys()):
        opened, closed = opens.get(place, ""), closes.get(place, "")
        alone = opened.count("(") == 1 and closed == ")"
        cells[place] = f"{opened}{'' if alone else '*'}{closed}"
    return cells


def coreference_cells(spans: Sequence[LabelledRange]) -> dict[int, str]:
    """Token → its cell in the coreference column: openings, one-token mentions, closings.

    >>> coreference_cells([(0, 2, "7"), (2, 2, "8")])
    {0: '(7', 2: '(8)|7)'}
    """
    long = [span for span in spans if span[0] < span[1]]
    brackets = [(start, f"({label}") for start, _, label in long]
    brackets += [(start, f"({label})") for start, end, label in spans if start == end]
    brackets += [(end, f"{label})") for _, end, label in reversed(long)]
    return join_brackets(brackets)


def join_brackets(brackets: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Token → its brackets, in the given order, joined by |."""
    cells: dict[int, list[str]] = {}
    for place, bracket in brackets:
        cells.setdefault(place, []).append(bracket)
    return {place: "|".join(cells[place]) for place in sorted(cells)}


def same_cells(one: str, other: str) -> bool:
    """Whether two cells mean the same, whatever the order and the spelling of their brackets.

    >>> same_cells("(ORG)", "(ORG*)"), same_cells("(4)(6", "(6|(4)"), same_cells("-", "*")
    (True, True, True)
    """
    return _pieces(one) == _pieces(other)


def _pieces(cell: str) -> list[str]:
    if cell in NOTHING:
        return []
    return sorted(piece.replace("*", "") for piece in _PIECE.findall(cell))

"""The lines of a CoNLL-U file as arrays: which are comments, which are nodes, of which sentence."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corefkit.data.arrays import ByteArray, IntArray, stretches
from corefkit.formats.conll.lines import find_byte, line_bounds
from corefkit.formats.conllu.tally import Tally

COLUMNS = 10
_TABS = COLUMNS - 1
_FEW = 4
"""Up to a fourth of the rows, the tabs are looked for in these alone."""
ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(COLUMNS)
_TAB, _HASH, _RETURN, _BLANK = b"\t#\r "


@dataclass(frozen=True, eq=False)
class Lines:
    """Where the lines of a file are and what each one is; lines count from 0.

    Attributes:
        data, buffer: the bytes, and as uint8.
        start, end: int64 (lines,), the text of each line without its line end.
        block: int64 (lines,), the number of the block of lines between blank lines that a line
            belongs to; for blank lines that of the block before (−1 at the beginning).
        comments: int64, the lines that begin with '#'.
        rows: int64 (rows,), the other lines that are not blank and have ten columns.
        odd: int64, the lines that have another number of columns.
        tally: how many tabs stand before any byte.
    """

    data: bytes
    buffer: ByteArray
    start: IntArray
    end: IntArray
    block: IntArray
    comments: IntArray
    rows: IntArray
    odd: IntArray
    tally: Tally

    @cached_property
    def tabs(self) -> IntArray:
        """int64 (rows, 9): where the tabs of all rows are."""
        tab = find_byte(self.buffer, _TAB)
        if len(tab) != _TABS * len(self.rows):
            first = self.tally.before(self.start[self.rows])
            tab = tab[first[:, None] + np.arange(_TABS)]
        return tab.reshape(-1, _TABS)

    def _tabs_of(self, rows: IntArray) -> IntArray:
        """int64 (rows, 9): where the tabs of some of the `rows` are."""
        if "tabs" in self.__dict__ or len(rows) > len(self.rows) // _FEW:
            tabs: IntArray = self.tabs[rows]
        else:
            first = self.start[self.rows[rows]]
            place = stretches(first, self.end[self.rows[rows]] - first)
            tabs = place[self.buffer[place] == _TAB].reshape(-1, _TABS)
        return tabs

    def text(self, line: int) -> str:
        """The text of a line."""
        return self.data[self.start[line] : self.end[line]].decode("utf-8", "replace")

    def field(self, row: int, column: int) -> bytes:
        """A column of one of the `rows`."""
        first = int(self.tabs[row, column - 1]) + 1 if column else int(self.start[self.rows[row]])
        last = self.tabs[row, column] if column < MISC else self.end[self.rows[row]]
        return self.data[first : int(last)]

    def bounds(self, column: int, rows: IntArray) -> tuple[IntArray, IntArray]:
        """Where a column of some of the `rows` begins and ends, in bytes."""
        line, tabs = self.rows[rows], self._tabs_of(rows)
        first = tabs[:, column - 1] + 1 if column else self.start[line]
        return first, tabs[:, column] if column < MISC else self.end[line]


def find_lines(data: bytes) -> Lines:
    """Split the bytes into lines and tell comments, rows of ten columns and blank lines apart."""
    data, buffer, start, breaks = line_bounds(data)
    end = np.maximum(breaks, start)
    if b"\r" in data:
        returned = np.flatnonzero(end > start)
        end[returned[buffer[end[returned] - 1] == _RETURN]] -= 1
    filled = end > start
    first = np.zeros(len(start), dtype=np.uint8)
    first[filled] = buffer[start[filled]]
    for line in np.flatnonzero((first == _BLANK) | (first == _TAB)).tolist():
        filled[line] = bool(data[start[line] : end[line]].strip())
    comment = filled & (first == _HASH)
    block = np.cumsum(filled & ~np.concatenate(([False], filled[:-1]))) - 1
    row = np.flatnonzero(filled & ~comment)
    tally = Tally.of(buffer, _TAB)
    tabs = np.diff(tally.before(np.append(start, len(data))))
    whole = tabs[row] == _TABS
    return Lines(
        data, buffer, start, end, block, np.flatnonzero(comment), row[whole], row[~whole], tally
    )

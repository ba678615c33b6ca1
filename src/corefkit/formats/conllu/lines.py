"""The lines of a CoNLL-U file as arrays: which are comments, which are nodes, of which sentence."""

from dataclasses import dataclass

import numpy as np

from corefkit.data.arrays import BoolArray, ByteArray, IntArray
from corefkit.formats.conll.lines import find_byte

COLUMNS = 10
ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(COLUMNS)
_BOM = b"\xef\xbb\xbf"
_NEWLINE, _TAB, _HASH, _RETURN, _BLANK = b"\n\t#\r "


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
        tabs: int64 (rows, 9), where their tabs are.
        odd: int64, the lines that have another number of columns.
    """

    data: bytes
    buffer: ByteArray
    start: IntArray
    end: IntArray
    block: IntArray
    comments: IntArray
    rows: IntArray
    tabs: IntArray
    odd: IntArray

    def text(self, line: int) -> str:
        """The text of a line."""
        return self.data[self.start[line] : self.end[line]].decode("utf-8", "replace")

    def field(self, row: int, column: int) -> bytes:
        """A column of one of the `rows`."""
        first = int(self.tabs[row, column - 1]) + 1 if column else int(self.start[self.rows[row]])
        last = self.tabs[row, column] if column < MISC else self.end[self.rows[row]]
        return self.data[first : int(last)]

    def bounds(self, column: int, rows: IntArray) -> tuple[IntArray, IntArray]:
        """The bytes from which to which a column of some of the `rows` reaches."""
        line = self.rows[rows]
        first = self.tabs[rows, column - 1] + 1 if column else self.start[line]
        return first, self.tabs[rows, column] if column < MISC else self.end[line]

    def line_of(self, byte: int) -> int:
        """The line that holds a byte."""
        return int(np.searchsorted(self.start, byte, side="right")) - 1


def find_lines(data: bytes) -> Lines:
    """Split the bytes into lines and tell comments, rows of ten columns and blank lines apart."""
    if b"\n" not in data and b"\r" in data:
        data = data.replace(b"\r", b"\n")
    buffer: ByteArray = np.frombuffer(data, dtype=np.uint8)
    breaks = find_byte(buffer, _NEWLINE)
    if not len(data) or buffer[-1] != _NEWLINE:
        breaks = np.append(breaks, len(data))
    start = np.concatenate(([len(_BOM) if data.startswith(_BOM) else 0], breaks[:-1] + 1))
    end = np.maximum(breaks, start)
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
    tabs, whole = _tabs(find_byte(buffer, _TAB), start[row], end[row])
    return Lines(
        data, buffer, start, end, block, np.flatnonzero(comment), row[whole], tabs, row[~whole]
    )


def _tabs(tab: IntArray, start: IntArray, end: IntArray) -> tuple[IntArray, BoolArray]:
    """The nine tabs of each row that has nine, and which rows those are."""
    wanted = COLUMNS - 1
    if len(tab) == wanted * len(start):
        table = tab.reshape(-1, wanted)
        # As many tabs as needed, and in every row the right ones: then no row has more or fewer.
        if ((table[:, 0] >= start) & (table[:, -1] < end)).all():
            return table, np.ones(len(start), dtype=bool)
    first = np.searchsorted(tab, start)
    whole = np.searchsorted(tab, end) - first == wanted
    return tab[first[whole][:, None] + np.arange(wanted)], whole

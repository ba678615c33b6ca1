"""Incidents of a file made of rows: they stand at a line or at a byte."""

import codecs
from collections.abc import Callable

from corefkit.core.arrays import IntArray
from corefkit.core.incidents import At, Collector, FilePlaces

_PIECE = 1 << 16


class RowIncidents(Collector):
    """Gathers the incidents of one file; lines count from 0 here, and from 1 in what is shown.

    `start` is where each line begins, int64 (lines,). With a `text` of lines, incidents show the
    line where they show nothing else.
    """

    def __init__(
        self, path: str, data: bytes, start: IntArray, text: Callable[[int], str] | None = None
    ) -> None:
        super().__init__(path)
        self._data, self._places = data, FilePlaces(data, start, text)

    def at_line(self, line: int) -> At:
        """The place of a line."""
        return self._places.line(line + 1)

    def at_byte(self, byte: int) -> At:
        """The place of a byte."""
        return self._places.byte(byte)

    def line_of(self, byte: int) -> int:
        """The line that holds a byte."""
        return self._places.line_of(byte) - 1

    def check_encoding(self) -> None:
        """Note the first byte that is not UTF-8, if there is one."""
        if (offset := _invalid_utf8(self._data)) is not None:
            found, line = f"byte 0x{self._data[offset]:02x}", self.at_line(self.line_of(offset))
            self.note("not-utf8", at=line, found=found, expected="UTF-8")


def _invalid_utf8(data: bytes) -> int | None:
    """The offset of the first byte that is not UTF-8, in pieces that fit into the cache."""
    if data.isascii():
        return None
    decoder = codecs.getincrementaldecoder("utf-8")()
    for at in range(0, len(data), _PIECE):
        piece = data[at : at + _PIECE]
        waiting = len(decoder.getstate()[0])
        if not waiting and piece.isascii():
            continue
        try:
            decoder.decode(piece, final=at + _PIECE >= len(data))
        except UnicodeDecodeError as error:
            return at - waiting + error.start
    return None

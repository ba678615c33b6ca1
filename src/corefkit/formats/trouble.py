"""Incidents of one file, by the line or the byte at which they stand."""

import codecs
from collections.abc import Callable
from typing import Any

from corefkit.data.arrays import IntArray
from corefkit.data.incidents import Collector
from corefkit.data.texts import shorten

_PIECE = 1 << 16


class Trouble:
    """Notes incidents; `details` go to `make_incident`. Lines count from 0.

    `start` is where each line begins, int64 (lines,). With a `text` of lines, incidents show the
    line where they show nothing else.
    """

    def __init__(
        self, path: str, data: bytes, start: IntArray, text: Callable[[int], str] | None = None
    ) -> None:
        self.found = Collector(path)
        self._data, self._start, self._line_text = data, start, text

    def line_of(self, byte: int) -> int:
        """The line that holds a byte."""
        return int(self._start.searchsorted(byte, side="right")) - 1

    def line(self, kind: str, line: int, variant: str = "", **details: Any) -> None:
        """An incident of a line; what was found there is shortened."""
        if not self.found.skip(kind):
            found = details.pop("found", None)
            if found is None and self._line_text is not None:
                found = self._line_text(line)
            details["found"] = shorten(found) if found else None
            self.found.note(kind, variant, line=line + 1, **details)

    def byte(self, kind: str, byte: int, variant: str = "", **details: Any) -> None:
        """An incident at a byte."""
        if not self.found.skip(kind):
            line = self.line_of(byte)
            before = self._data[int(self._start[line]) : byte]
            column = len(before.decode("utf-8", "replace")) + 1
            self.line(kind, line, variant, column=column, **details)

    def encoding(self) -> None:
        """An incident where the file has bytes that are not UTF-8."""
        if (offset := _invalid_utf8(self._data)) is not None:
            byte = f"byte 0x{self._data[offset]:02x}"
            self.line("not-utf8", self.line_of(offset), found=byte, expected="UTF-8")


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

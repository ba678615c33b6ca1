"""The incidents of files of rows: they are placed at a line or at a byte."""

import re
from collections.abc import Callable

from corefkit.core.arrays import IntArray
from corefkit.core.incidents import At, Collector, FilePlaces

_NAMED = re.compile(rb"^# *(?:begin document|newdoc)\b[^\r\n]*", re.MULTILINE)
"""A line that names a document."""
_PIECE = 1 << 16
"""UTF-8 is checked in pieces of about this many bytes, most of which are ASCII."""


class RowIncidents(Collector):
    """Collects the incidents of one file; lines count from 0 here, and from 1 in messages.

    `start`, int64 (lines,), is the first byte of each line, and `text` gives the text of a line,
    which incidents show if they have nothing else to show.
    """

    def __init__(self, path: str, data: bytes, start: IntArray, text: Callable[[int], str]) -> None:
        super().__init__(path)
        self._data, self._places = data, FilePlaces(data, start, text)

    def at_line(self, line: int) -> At:
        """The place of a line."""
        return self._places.line(line + 1)

    def at_byte(self, byte: int) -> At:
        """The place of a byte."""
        return self._places.byte(byte)

    def line_of(self, byte: int) -> int:
        """The line of a byte."""
        return self._places.line_of(byte) - 1

    def has(self, text: bytes) -> bool:
        """Whether this text occurs in the file."""
        return text in self._data

    def check_encoding(self) -> None:
        """Note the first byte that is not UTF-8, if possible one in the name of a document."""
        at, variant = find_invalid(self._data), ""
        if at is None:
            return
        for line in _NAMED.finditer(self._data):
            if (inside := find_invalid(line[0])) is not None:
                at, variant = line.start() + inside, "names"
                break
        found, place = f"byte 0x{self._data[at]:02x}", self.at_line(self.line_of(at))
        self.note("not-utf8", variant, at=place, found=found, expected="UTF-8")


def find_invalid(data: bytes) -> int | None:
    """The offset of the first byte that is not UTF-8; None if there is none.

    Pieces end with a line, so that no character is cut in two.

    >>> find_invalid(b"a\\xff")
    1
    """
    at = 0
    while at < len(data):
        stop = data.find(b"\n", at + _PIECE) + 1 or len(data)
        piece = data[at:stop]
        if not piece.isascii():
            try:
                piece.decode()
            except UnicodeDecodeError as error:
                return at + error.start
        at = stop
    return None

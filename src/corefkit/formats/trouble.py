"""Incidents of one file, by the line or the byte at which they stand."""

from typing import Any

from corefkit.data.arrays import IntArray
from corefkit.data.incidents import Collector
from corefkit.data.texts import shorten


class Trouble:
    """Notes incidents; `details` go to `make_incident`. Lines count from 0.

    `start` is where each line begins, int64 (lines,).
    """

    def __init__(self, path: str, data: bytes, start: IntArray) -> None:
        self.found = Collector(path)
        self._data, self._start = data, start

    def line_of(self, byte: int) -> int:
        """The line that holds a byte."""
        return int(self._start.searchsorted(byte, side="right")) - 1

    def line(self, kind: str, line: int, variant: str = "", **details: Any) -> None:
        """An incident of a line; what was found there is shortened."""
        if not self.found.skip(kind):
            found = details.pop("found", None) or None
            details["found"] = found and shorten(found)
            self.found.note(kind, variant, line=line + 1, **details)

    def byte(self, kind: str, byte: int, variant: str = "", **details: Any) -> None:
        """An incident at a byte."""
        if not self.found.skip(kind):
            line = self.line_of(byte)
            before = self._data[int(self._start[line]) : byte]
            column = len(before.decode("utf-8", "replace")) + 1
            self.line(kind, line, variant, column=column, **details)

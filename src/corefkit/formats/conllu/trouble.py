"""Incidents of one CorefUD file, told by the line or the byte they stand at."""

from typing import Any

from corefkit.data.incidents import Collector, make_incident
from corefkit.data.texts import shorten
from corefkit.formats.conllu.lines import Lines


class Trouble:
    """Collects incidents; `details` go to `make_incident`. Lines count from 0."""

    def __init__(self, path: str, lines: Lines) -> None:
        self.found = Collector(path)
        self._path, self._lines = path, lines

    @property
    def grave(self) -> bool:
        """Whether there is an error."""
        return any(incident.severity == "error" for incident in self.found)

    def file(self, kind: str) -> None:
        """An incident of the file as a whole."""
        self.found.add(make_incident(kind, file=self._path))

    def line(self, kind: str, line: int, variant: str = "", **details: Any) -> None:
        """An incident of a line; `found` is the line itself where nothing else is given."""
        if self.found.full(kind):
            self.found.count(kind)
            return
        found = details.pop("found", None)
        details["found"] = shorten(self._lines.text(line) if found is None else found)
        self.found.add(make_incident(kind, variant, file=self._path, line=line + 1, **details))

    def byte(self, kind: str, byte: int, variant: str = "", **details: Any) -> None:
        """An incident at a byte of the file."""
        if self.found.full(kind):
            self.found.count(kind)
            return
        line = self._lines.line_of(byte)
        before = self._lines.data[int(self._lines.start[line]) : byte]
        details["column"] = len(before.decode("utf-8", "replace")) + 1
        self.line(kind, line, variant, **details)

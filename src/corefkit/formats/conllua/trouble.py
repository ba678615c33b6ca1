"""Incidents of one CoNLL-UA file, by the byte or the line at which they stand."""

from typing import TYPE_CHECKING, Any

from corefkit.data.incidents import Collector, make_incident
from corefkit.data.texts import shorten

if TYPE_CHECKING:
    from corefkit.formats.conllua.rows import Rows


class Trouble:
    """Collects incidents; `details` go to `make_incident`. Lines count from 0."""

    def __init__(self, path: str, rows: "Rows") -> None:
        self.found = Collector(path)
        self._path, self._rows = path, rows

    @property
    def grave(self) -> bool:
        """Whether there is an error."""
        return any(incident.severity == "error" for incident in self.found)

    def file(self, kind: str, variant: str = "", **details: Any) -> None:
        """An incident of the file as a whole."""
        self.found.add(make_incident(kind, variant, file=self._path, **details))

    def byte(self, kind: str, byte: int, variant: str = "", **details: Any) -> None:
        """An incident at a byte."""
        if self.found.full(kind):
            self.found.count(kind)
            return
        line = self.line_of(byte) - 1
        before = self._rows.data[int(self._rows.start[line]) : byte]
        details["column"] = len(before.decode("utf-8", "replace")) + 1
        self.line(kind, line, variant, **details)

    def line_of(self, byte: int) -> int:
        """The line of a byte, from 1."""
        return int(self._rows.start.searchsorted(byte, side="right"))

    def line(self, kind: str, line: int, variant: str = "", **details: Any) -> None:
        """An incident of a line, counted from 0."""
        found = details.pop("found", "")
        details["found"] = shorten(found) if found else None
        self.found.add(make_incident(kind, variant, file=self._path, line=line + 1, **details))


class LayerTrouble:
    """Collects what is wrong in one column, told by the byte and the number of the document."""

    def __init__(self, trouble: Trouble, column: str, names: tuple[str, ...]) -> None:
        self._trouble, self._column, self._names = trouble, column, names

    def tell(self, kind: str, byte: int, document: int, variant: str = "", **details: Any) -> None:
        """An incident at a byte; the message may name the layer."""
        name = self._names[document]
        self._trouble.byte(kind, byte, variant, layer=self._column, document=name, **details)

    def stray(self, byte: int, document: int, text: str) -> None:
        """Text that belongs to no bracket."""
        self.tell("coreference-text", byte, document, "layer", found=text)

    def full(self, kind: str) -> bool:
        """Whether further incidents of this kind are only counted."""
        return self._trouble.found.full(kind)

    def count(self, kind: str, times: int) -> None:
        """Count further incidents of a kind that is full."""
        self._trouble.found.count(kind, times)

    def line_of(self, byte: int) -> int:
        """The line of a byte, from 1."""
        return self._trouble.line_of(byte)

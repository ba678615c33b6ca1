"""Incidents of one CoNLL-UA file; severity and advice are those of the catalogue."""

from typing import TYPE_CHECKING, TypedDict, Unpack

from corefkit.data.catalogue import KINDS
from corefkit.data.incidents import Collector, Incident, Severity
from corefkit.data.texts import shorten

if TYPE_CHECKING:
    from corefkit.formats.conllua.rows import Rows


class Details(TypedDict, total=False):
    """What else may be said of an incident."""

    column: int
    document: str
    found: str
    severity: Severity


class Trouble:
    """Collects incidents, told by the byte or the line (from 0) at which they stand."""

    def __init__(self, path: str, rows: "Rows") -> None:
        self.found = Collector(path)
        self._path, self._rows = path, rows

    @property
    def grave(self) -> bool:
        """Whether there is an error."""
        return any(incident.severity == "error" for incident in self.found)

    def file(self, kind: str, message: str) -> None:
        """An incident of the file as a whole."""
        known = KINDS[kind]
        self.found.add(Incident(kind, known.severity, message, file=self._path, hint=known.do))

    def byte(self, kind: str, byte: int, message: str, **details: Unpack[Details]) -> None:
        """An incident at a byte."""
        if self.found.full(kind):
            self.found.count(kind)
            return
        line = self.line_of(byte) - 1
        before = self._rows.data[int(self._rows.start[line]) : byte]
        details["column"] = len(before.decode("utf-8", "replace")) + 1
        self.line(kind, line, message, **details)

    def line_of(self, byte: int) -> int:
        """The line of a byte, from 1."""
        return int(self._rows.start.searchsorted(byte, side="right"))

    def line(self, kind: str, line: int, message: str, **details: Unpack[Details]) -> None:
        """An incident of a line, counted from 0."""
        known = KINDS[kind]
        self.found.add(
            Incident(
                kind,
                details.get("severity", known.severity),
                message,
                file=self._path,
                line=line + 1,
                column=details.get("column"),
                document=details.get("document"),
                found=shorten(found) if (found := details.get("found")) else None,
                hint=known.do,
            )
        )


class LayerTrouble:
    """Collects what is wrong in one column, told by the byte and the number of the document."""

    def __init__(self, trouble: Trouble, column: str, names: tuple[str, ...]) -> None:
        self._trouble, self._column, self._names = trouble, column, names

    def tell(self, kind: str, byte: int, document: int, message: str, found: str = "") -> None:
        """An incident at a byte."""
        self._trouble.byte(
            kind, byte, f"{self._column}: {message}", document=self._names[document], found=found
        )

    def stray(self, byte: int, document: int, text: str) -> None:
        """Text that belongs to no bracket."""
        message = f"text outside brackets in the column {self._column}"
        self.tell("coreference-text", byte, document, message, text)

    def full(self, kind: str) -> bool:
        """Whether further incidents of this kind are only counted."""
        return self._trouble.found.full(kind)

    def count(self, kind: str, times: int) -> None:
        """Count further incidents of a kind that is full."""
        self._trouble.found.count(kind, times)

    def line_of(self, byte: int) -> int:
        """The line of a byte, from 1."""
        return self._trouble.line_of(byte)

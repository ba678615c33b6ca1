"""A defect as data. Readers and checks collect incidents; only the command line prints them."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from corefkit.core.texts import visible

Severity = Literal["error", "warning"]

LISTED = 100
"""How many incidents of one kind in one file are listed one by one; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Incident:
    """One defect: its place, the text at fault, the form expected, and a remedy.

    `line` and `column` (in characters) count from 1 and are None where there is none.
    """

    id: str
    severity: Severity
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    document: str | None = None
    found: str | None = None
    expected: str | None = None
    hint: str | None = None
    count: int = 1
    """How many defects it stands for: more than one where many of a kind are grouped."""

    def to_dict(self) -> dict[str, str | int | None]:
        """The incident as it stands in the JSON output."""
        return {name: value for name, value in asdict(self).items() if name != "count"}

    def __str__(self) -> str:
        place = ":".join(str(p) for p in (self.file, self.line, self.column) if p is not None)
        lines = [f"{place + ': ' if place else ''}{self.severity}: {self.message} [{self.id}]"]
        for name in ("document", "found", "expected", "hint"):
            if value := getattr(self, name):
                lines.append(f"  {name + ':':<9} {value}")
        return "\n".join(map(visible, lines))


def make_incident(  # noqa: PLR0913 (an incident has many parts)
    kind: str,
    variant: str = "",
    *,
    severity: Severity | None = None,
    file: str | None = None,
    line: int | None = None,
    column: int | None = None,
    document: str | None = None,
    found: str | None = None,
    expected: str | None = None,
    count: int = 1,
    **values: object,
) -> Incident:
    """An incident whose message and hint are those of the catalogue, with `values` put into them.

    `variant` chooses among the messages of a kind that has several; the severity is that of the
    catalogue where none is given.

    >>> make_incident("column-missing", name="word").message
    "the file has no column 'word'"
    """
    from corefkit.core.catalogue import KINDS

    known = KINDS[kind]
    message, hint = (text.format(**values) for text in known.texts[variant])
    place = file, line, column, document, found, expected
    return Incident(kind, severity or known.severity, message, *place, hint, count)


def with_hint(incident: Incident, variant: str) -> Incident:
    """The incident with the hint that the catalogue has for another text of its kind."""
    from corefkit.core.catalogue import KINDS

    return replace(incident, hint=KINDS[incident.id].texts[variant][1])


class DataError(Exception):
    """The data cannot be scored. `incidents` says where and why; warnings may be among them."""

    def __init__(self, incidents: Iterable[Incident]) -> None:
        self.incidents: tuple[Incident, ...] = tuple(incidents)
        super().__init__(self.incidents)

    def __str__(self) -> str:
        return "\n".join(str(i) for i in self.incidents if i.severity == "error")


def data_error(kind: str, variant: str = "", **details: Any) -> DataError:
    """A DataError with one incident; `details` are those of `make_incident`."""
    return DataError([make_incident(kind, variant, **details)])


class Collector:
    """Gathers incidents of one file; of a kind that occurs thousands of times it lists some."""

    def __init__(self, file: str | None = None) -> None:
        self.file = file
        self._incidents: list[Incident] = []
        self._seen: dict[str, int] = {}

    def full(self, kind: str) -> bool:
        """Whether further incidents of this kind are only counted: no details are needed."""
        return self._seen.get(kind, 0) >= LISTED

    def skip(self, kind: str) -> bool:
        """Whether a kind is full: then the incident is counted here, and needs no details."""
        if full := self.full(kind):
            self.count(kind)
        return full

    def note(self, kind: str, variant: str = "", **details: Any) -> None:
        """Add an incident of this file; `details` are those of `make_incident`."""
        if not self.skip(kind):
            self.add(make_incident(kind, variant, **{"file": self.file} | details))

    def add(self, incident: Incident) -> None:
        """Keep the incident, or count it when there are enough of its kind."""
        if not self.full(incident.id):
            self._incidents.append(incident)
        self.count(incident.id)

    def count(self, kind: str, times: int = 1) -> None:
        """Count further occurrences of a kind that is full."""
        self._seen[kind] = self._seen.get(kind, 0) + times

    def escalate(self, kind: str, variant: str) -> None:
        """Make all incidents of a kind errors, because there are too many; see `with_hint`."""
        self._incidents = [
            replace(with_hint(i, variant), severity="error") if i.id == kind else i
            for i in self._incidents
        ]

    def check(self) -> None:
        """Raise DataError if there is any incident."""
        if self._incidents:
            raise DataError(self)

    def __iter__(self) -> Iterator[Incident]:
        last = {incident.id: incident for incident in self._incidents}
        for incident in self._incidents:
            yield incident
            more = self._seen[incident.id] - LISTED
            if incident is last[incident.id] and more > 0:
                yield Incident(
                    incident.id,
                    incident.severity,
                    f"… and {more:,} more of this kind in the same file",
                    file=self.file or incident.file,
                    count=more,
                )


def errors(incidents: Iterable[Incident]) -> list[Incident]:
    """The incidents that forbid scoring."""
    return [i for i in incidents if i.severity == "error"]

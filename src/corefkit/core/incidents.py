"""Incident: a defect of a file, as data. Readers and checks collect incidents; the command line
prints them.

Their texts are in the files incidents.toml of the packages, and in NAME.incidents.toml beside a
module; this package has those that no other owns. A file may add texts to a kind of another. The
code names the kind, the place, and the values of the message:

    collector.note("column-missing", "header", at=line, name="word")

`at` is a line number, a pair (line, column), a Place, or a function that returns a Place, such as
`partial(corpus.mention_place, row)` or `places.byte(offset)` of `FilePlaces`. Any other detail may
be a function, too. Functions are called only if the incident is listed: a file may have thousands
of incidents of one kind, of which only the first `LISTED` are. A loop over many incidents of one
kind is written `for row in collector.listed(kind, rows)`.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from corefkit.core.carriers import frozen
from corefkit.core.package import texts_of_package
from corefkit.core.texts import shorten, visible

if TYPE_CHECKING:
    from corefkit.core.arrays import IntArray

Item = TypeVar("Item")
Severity = Literal["error", "warning"]

LISTED = 100
"""The number of incidents of one kind in one file that are listed; the others are counted."""


@frozen
class Incident:
    """One defect: its place, what was found, what was expected, and a hint on what to do.

    `line` and `column` (in characters) count from 1; None if the incident has no such place.
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
    """The number of defects that it represents: more than one if many of a kind are grouped."""

    def to_dict(self) -> dict[str, str | int | None]:
        """The incident as in the JSON output."""
        return {name: value for name, value in asdict(self).items() if name != "count"}

    def __str__(self) -> str:
        place = ":".join(str(p) for p in (self.file, self.line, self.column) if p is not None)
        lines = [f"{place + ': ' if place else ''}{self.severity}: {self.message} [{self.id}]"]
        for name in ("document", "found", "expected", "hint"):
            if value := getattr(self, name):
                lines.append(f"  {name + ':':<9} {value}")
        return "\n".join(map(visible, lines))


@frozen
class Place:
    """A place in a file; what is not in a file has no line.

    `line` and `column` (in characters) count from 1. `found` is the text at the place, which an
    incident shows unless it is given another one.
    """

    file: str | None = None
    line: int | None = None
    column: int | None = None
    document: str | None = None
    found: str | None = None


At = int | tuple[int, int] | Place | Callable[[], Place] | None
"""A line, a line and a column, a place, a function that returns a place, or no place."""


def find_place(at: At) -> Place:
    """The place that a value of `at` denotes.

    >>> find_place((3, 7))
    Place(file=None, line=3, column=7, document=None, found=None)
    """
    if isinstance(at, Place):
        return at
    if callable(at):
        return at()
    line, column = at if isinstance(at, tuple) else (at, None)
    return Place(line=line, column=column)


class FilePlaces:
    """Places in one file, by byte or by line; they are computed when an incident is listed.

    `start`, int64 (lines,), is the byte at which each line begins. If `text` is given, a function
    from a line (from 0) to its text, places show the text of their line.
    """

    def __init__(
        self,
        data: bytes,
        start: "IntArray",
        text: Callable[[int], str] | None = None,
    ) -> None:
        self._data, self._start, self._text = data, start, text

    def line_of(self, byte: int) -> int:
        """The line, from 1, that contains a byte."""
        return int(self._start.searchsorted(byte, side="right"))

    def line(self, line: int) -> Callable[[], Place]:
        """A function that returns the place of a line, counted from 1."""
        return lambda: self._place(line)

    def byte(self, byte: int) -> Callable[[], Place]:
        """A function that returns the place of a byte."""

        def find() -> Place:
            line = self.line_of(byte)
            before = self._data[int(self._start[line - 1]) : byte]
            return self._place(line, len(before.decode("utf-8", "replace")) + 1)

        return find

    def _place(self, line: int, column: int | None = None) -> Place:
        shown = shorten(self._text(line - 1)) if self._text else None
        return Place(None, line, column, None, shown or None)


class IncidentKind(NamedTuple):
    """A kind of incident, as described in a file of texts.

    Attributes:
        severity: its severity under the profile `standard`.
        what: its meaning, for the documentation.
        do: what to do about it.
        texts: the message and hint of each variant; "" is the default variant.
    """

    severity: Severity
    what: str
    do: str
    texts: Mapping[str, tuple[str, str]]

    @property
    def messages(self) -> list[str]:
        """Its distinct messages, with … for the values."""
        import re

        plurals = (in_number(message, {}) for message, _ in self.texts.values())
        plain = (re.sub(r"\{.*?\}", "…", message) for message in plurals)
        return [message for message in dict.fromkeys(plain) if message.strip("…")]


@cache
def all_kinds() -> dict[str, IncidentKind]:
    """All kinds of incidents by id, those of `core` first."""
    return {name: find_kind(name) for name in _tables()}


@cache
def find_kind(name: str) -> IncidentKind:
    """One kind by its id; KeyError if there is none. Only its own tables are parsed."""
    import tomllib

    return _kind(tomllib.loads("".join(_tables()[name]))[name])


@cache
def _tables() -> dict[str, list[str]]:
    """The tables of all packages by the id of their kind, as TOML, those of `core` first."""
    files = texts_of_package("incidents.toml")
    tables: dict[str, list[str]] = {}
    for path in sorted(files, key=lambda path: (not path.startswith("core/"), path)):
        for table in f"\n{files[path]}\n".split("\n[")[1:]:
            name = table[: table.index("]")].partition(".")[0]
            tables.setdefault(name, []).append(f"[{table}\n")
    return tables


def _kind(table: dict[str, Any]) -> IncidentKind:
    """The kind that a table of texts describes."""
    joined = {name: " ".join(v.split()) for name, v in table.items() if isinstance(v, str)}
    texts = {}
    if "says" in joined:
        texts[""] = joined["says"], joined.get("hint", joined["do"])
    for variant, entry in table.items():
        if isinstance(entry, dict):
            says, hint = entry.get("says") or joined["says"], entry.get("hint") or joined["do"]
            texts[variant] = " ".join(says.split()), " ".join(hint.split())
    return IncidentKind(
        table["severity"],
        joined["what"],
        joined["do"].translate({ord("⟨"): None, ord("⟩"): None}),
        texts,
    )


def make_incident(  # noqa: PLR0913 (an incident has many parts)
    kind: str,
    variant: str = "",
    at: At = None,
    *,
    severity: Severity | None = None,
    file: str | None = None,
    document: str | None = None,
    found: str | None = None,
    expected: str | None = None,
    count: int = 1,
    **values: object,
) -> Incident:
    """An incident with the message and hint of its kind, into which `values` are inserted.

    `variant` chooses among the texts of the kind. The severity is that of the kind unless one is
    given. `file`, `document` and `found` take precedence over those of the place.

    >>> make_incident("column-missing", name="word").message
    "the file has no column 'word'"
    """
    known, place = find_kind(kind), find_place(at)
    texts = _fitting(known.texts[variant])
    hint = in_number(texts[1], values).format_map(values)
    if not _is_possible(hint):  # a value may name an option, too
        hint = ""
    return Incident(
        kind,
        severity or known.severity,
        in_number(texts[0], values).format_map(values),
        place.file if file is None else file,
        place.line,
        place.column,
        place.document if document is None else document,
        place.found if found is None else found,
        expected,
        hint or None,
        count,
    )


def in_number(text: str, values: Mapping[str, object]) -> str:
    """The text with singulars or plurals that agree with the preceding number.

    >>> in_number("{n:,} mention(s) (is|are) empty", {"n": 1})
    '{n:,} mention is empty'
    >>> in_number("{n:,} mention(s) (is|are) empty", {})
    '{n:,} mentions are empty'
    """
    if "(s)" not in text and "|" not in text:
        return text
    import re

    is_one = False
    pieces = []
    for part in re.split(r"(\{\w+.*?\}|\(s\)|\([^()|]*\|[^()|]*\))", text):
        piece = part
        if part.startswith("{"):
            value = values.get(re.findall(r"\w+", part)[0])
            is_one = value == 1 if hasattr(value, "__index__") else is_one
        elif part == "(s)" or (part.startswith("(") and "|" in part):
            singular, plural = ("", "s") if part == "(s)" else part[1:-1].split("|")
            piece = singular if is_one else plural
        pieces.append(piece)
    return "".join(pieces)


def with_hint(incident: Incident, variant: str) -> Incident:
    """The incident with the hint of another variant of its kind."""
    return replace(incident, hint=_fitting(find_kind(incident.id).texts[variant])[1] or None)


_options: frozenset[str] | None = None
"""The options that hints may name; None: all of them, as in Python."""

_given: frozenset[str] = frozenset()
"""What hints do not advise because it is given: "--read lenient=yes", "--lengths ignore"."""


@contextmanager
def options_in_hints(options: Iterable[str], given: Iterable[str] = ()) -> Iterator[None]:
    """A context in which hints name only these options, those of the running command.

    Hints do not advise what is already `given`, e.g. "--read lenient=yes" or "--lengths ignore".
    """
    global _given  # noqa: PLW0603 (see limit_hints)
    before, given_before = hint_options(), _given
    limit_hints(frozenset(options))
    _given = frozenset(given)
    try:
        yield
    finally:
        limit_hints(before)
        _given = given_before


def hint_options() -> frozenset[str] | None:
    """The options that hints may name, for `limit_hints` in another process."""
    return _options


def limit_hints(options: frozenset[str] | None) -> None:
    """From now on, let hints name only these options; None: all options."""
    global _options  # noqa: PLW0603 (hints are made wherever a defect is found)
    _options = options


def _fitting(texts: tuple[str, str]) -> tuple[str, str]:
    """Message and hint, without advice on options that the user cannot or need not give.

    Parts of the hint in ⟨⟩ are dropped one by one; otherwise the whole hint is dropped.
    """
    message, hint = texts
    if "⟨" in hint:
        import re

        hint = re.sub("⟨(.*?)⟩", lambda part: part[1] if _is_possible(part[1]) else "", hint)
    return message, hint if _is_possible(hint) else ""


def _is_possible(advice: str) -> bool:
    """Whether the running command has all options that are named, and none of them is given."""
    if "--" not in advice:
        return True
    import re

    # Options of other commands, given with their names, do not count.
    advice = re.sub(r"(?:corefkit|convert)(?: [a-z]+)* --[a-z-]+", "", advice)
    if any(re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", advice) for option in _given):
        return False
    named = re.findall(r"(?<![\w-])--[a-z][a-z-]*", advice)
    return _options is None or _options.issuperset(named)


class DataError(Exception):
    """The data cannot be scored; `incidents` says where and why, and may include warnings."""

    def __init__(self, incidents: Iterable[Incident]) -> None:
        self.incidents: tuple[Incident, ...] = tuple(incidents)
        super().__init__(self.incidents)

    def __str__(self) -> str:
        return "\n".join(str(i) for i in self.incidents if i.severity == "error")


class UnwrittenError(OSError):
    """A file that cannot be written; `filename` is its name."""

    @classmethod
    def of(cls, error: OSError, name: str) -> "UnwrittenError":
        """The error for a file of this name."""
        return cls(error.errno, error.strerror or str(error), name)


def data_error(kind: str, variant: str = "", at: At = None, **details: Any) -> DataError:
    """A DataError with one incident; `details` are those of `make_incident`."""
    return DataError([make_incident(kind, variant, at, **details)])


@contextmanager
def failure_as_incident(file: str | None) -> Iterator[None]:
    """A context in which unexpected exceptions, i.e. bugs of ours, become incidents of a file.

    They are raised as a DataError, so that other files can still be processed. DataError,
    UsageError and MemoryError pass through; if COREFKIT_DEBUG is set, everything does.
    """
    try:
        yield
    except (DataError, MemoryError):
        raise
    except Exception as error:
        from corefkit.core.options import UsageError

        if isinstance(error, UsageError) or os.environ.get("COREFKIT_DEBUG"):
            raise
        reason = shorten(" ".join(f"{type(error).__name__}: {error}".split()))
        raise data_error("internal-error", reason=reason, file=file) from error


class Collector:
    """Collects the incidents of one file; lists the first of each kind and counts the others."""

    def __init__(self, file: str | None = None) -> None:
        self.file = file
        self._incidents: list[Incident] = []
        self._seen: dict[str, int] = {}

    def note(
        self, kind: str, variant: str | Callable[[], str] = "", at: At = None, **details: Any
    ) -> None:
        """Add an incident of this file, or only count it if enough of its kind are listed.

        `details` are those of `make_incident`, or functions that return them.
        """
        if not self.full(kind):
            values = {name: v() if callable(v) else v for name, v in details.items()}
            place = find_place(at)
            values.setdefault("file", self.file if place.file is None else place.file)
            variant = variant() if callable(variant) else variant
            self._incidents.append(make_incident(kind, variant, place, **values))
        self._count(kind)

    def listed(self, kind: str, items: Sequence[Item]) -> Iterator[Item]:
        """The items whose incidents are to be noted one by one; the other items are counted."""
        room = max(LISTED - self._seen.get(kind, 0), 0)
        yield from items[:room]
        self._count(kind, max(len(items) - room, 0))

    def add(self, incident: Incident) -> None:
        """Add an existing incident, or only count it if enough of its kind are listed."""
        if not self.full(incident.id):
            self._incidents.append(incident)
        self._count(incident.id)

    def full(self, kind: str) -> bool:
        """Whether further incidents of this kind are only counted."""
        return self._seen.get(kind, 0) >= LISTED

    def _count(self, kind: str, times: int = 1) -> None:
        self._seen[kind] = self._seen.get(kind, 0) + times

    def escalate(self, kind: str, variant: str) -> None:
        """Turn all incidents of a kind into errors, with the hint of another variant."""
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
            unlisted = self._seen[incident.id] - LISTED
            if incident is last[incident.id] and unlisted > 0:
                yield Incident(
                    incident.id,
                    incident.severity,
                    f"… and {unlisted:,} more of this kind in the same file",
                    file=self.file or incident.file,
                    count=unlisted,
                )


def errors(incidents: Iterable[Incident]) -> list[Incident]:
    """The incidents that are errors, so that the data cannot be scored."""
    return [i for i in incidents if i.severity == "error"]

"""A defect as data. Readers and checks collect incidents; only the command line prints them.

What incidents say stands in incidents.toml. Code gives the kind, where it happened, and the values
of the message:

    collector.note("column-missing", "header", at=line, name="word")

`at` is a line number, a pair (line, column), a Place, or a function that returns one, such as
`partial(corpus.mention_place, row)` or `places.byte(offset)` of `FilePlaces`. Any other detail may
be such a function, too: it is called only where the incident is listed, because of thousands of
one kind in a file only the first `LISTED` are. A loop over many of one kind asks
`for row in collector.listed(kind, rows)`.
"""

import os
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from corefkit.core.carriers import frozen
from corefkit.core.texts import shorten, visible

if TYPE_CHECKING:
    from corefkit.core.arrays import IntArray

Item = TypeVar("Item")
Severity = Literal["error", "warning"]

LISTED = 100
"""How many incidents of one kind in one file are listed one by one; the rest is counted."""


@frozen
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


@frozen
class Place:
    """Where something stands; what is in no file has no line.

    `line` and `column` (in characters) count from 1. `found` is the text that stands there: an
    incident shows it where it is given no other.
    """

    file: str | None = None
    line: int | None = None
    column: int | None = None
    document: str | None = None
    found: str | None = None


At = int | tuple[int, int] | Place | Callable[[], Place] | None
"""A line, a line and a column, a place, a function that finds it, or nowhere in particular."""


def find_place(at: At) -> Place:
    """The place that `at` means.

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
    """Places in one file, by byte or by line; they are found when an incident is listed.

    `start` is where each line begins, int64 (lines,). With a `text` of lines (counted from 0),
    places show their line.
    """

    def __init__(
        self,
        data: bytes,
        start: "IntArray | Sequence[int]",
        text: Callable[[int], str] | None = None,
    ) -> None:
        self._data, self._start, self._text = data, start, text

    def line_of(self, byte: int) -> int:
        """The line that holds a byte, counted from 1."""
        return bisect_right(self._start, byte)

    def line(self, line: int) -> Callable[[], Place]:
        """The place of a line, counted from 1."""
        return lambda: self._place(line)

    def byte(self, byte: int) -> Callable[[], Place]:
        """The place of a byte."""

        def find() -> Place:
            line = self.line_of(byte)
            before = self._data[int(self._start[line - 1]) : byte]
            return self._place(line, len(before.decode("utf-8", "replace")) + 1)

        return find

    def _place(self, line: int, column: int | None = None) -> Place:
        shown = shorten(self._text(line - 1)) if self._text else None
        return Place(line=line, column=column, found=shown or None)


class IncidentKind(NamedTuple):
    """A kind of incident, as incidents.toml describes it.

    Attributes:
        severity: how grave it is under the profile `standard`.
        what: what it means, for the documentation.
        do: what to do about it.
        texts: message and hint of each of its variants; "" is the usual one.
    """

    severity: Severity
    what: str
    do: str
    texts: Mapping[str, tuple[str, str]]

    @property
    def messages(self) -> list[str]:
        """Its messages for a reader, each once, with … for the values."""
        import re

        several = (in_number(message, {}) for message, _ in self.texts.values())
        plain = (re.sub(r"\{.*?\}", "…", message) for message in several)
        return [message for message in dict.fromkeys(plain) if message.strip("…")]


@cache
def all_kinds() -> dict[str, IncidentKind]:
    """Every kind of incident by its id, in the order of incidents.toml."""
    import tomllib

    return {name: _kind(table) for name, table in tomllib.loads(_texts()).items()}


@cache
def find_kind(name: str) -> IncidentKind:
    """One kind, read by patterns: to load tomllib would take longer than to score a small file."""
    import re
    from ast import literal_eval

    id = re.escape(name)
    tables = re.search(rf"(?ms)^\[{id}\]$.*?(?=^\[(?!{id}\.)|\Z)", _texts())
    if tables is None:
        raise KeyError(name)
    kind: dict[str, Any] = {}
    table = kind
    entry = r'(?ms)^(?:\[[\w-]+\.([\w-]+)\]|(\w+) = ("""\n.*?"""|"[^\n]*"))$'
    for variant, key, text in re.findall(entry, tables[0]):
        if variant:
            table = kind[variant] = {}
        else:
            table[key] = literal_eval(text)  # our texts are the same in Python and in TOML
    return _kind(kind)


@cache
def _texts() -> str:
    # By the loader of this module: the package may be a wheel that was put on sys.path.
    path = __file__.removesuffix(".py") + ".toml"
    data: bytes = __loader__.get_data(path)  # type: ignore[name-defined]
    return data.decode()


def _kind(table: dict[str, Any]) -> IncidentKind:
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
    """An incident whose message and hint are those of its kind, with `values` put into them.

    `variant` chooses among the texts of a kind that has several; the severity is that of the kind
    where none is given. `file`, `document` and `found` take precedence over those of the place.

    >>> make_incident("column-missing", name="word").message
    "the file has no column 'word'"
    """
    known, place = find_kind(kind), find_place(at)
    texts = _fitting(known.texts[variant])
    message, hint = (in_number(text, values).format(**values) for text in texts)
    return Incident(
        kind,
        severity or known.severity,
        message,
        file=place.file if file is None else file,
        line=place.line,
        column=place.column,
        document=place.document if document is None else document,
        found=place.found if found is None else found,
        expected=expected,
        hint=hint or None,
        count=count,
    )


def in_number(text: str, values: Mapping[str, object]) -> str:
    """The text with singulars and plurals that agree with the number before them.

    >>> in_number("{n:,} mention(s) (is|are) empty", {"n": 1})
    '{n:,} mention is empty'
    >>> in_number("{n:,} mention(s) (is|are) empty", {})
    '{n:,} mentions are empty'
    """
    if "(s)" not in text and "|" not in text:
        return text
    import re

    one = False
    pieces = []
    for part in re.split(r"(\{\w+.*?\}|\(s\)|\([^()|]*\|[^()|]*\))", text):
        piece = part
        if part.startswith("{"):
            value = values.get(re.findall(r"\w+", part)[0])
            one = value == 1 if hasattr(value, "__index__") else one
        elif part == "(s)" or (part.startswith("(") and "|" in part):
            singular, plural = ("", "s") if part == "(s)" else part[1:-1].split("|")
            piece = singular if one else plural
        pieces.append(piece)
    return "".join(pieces)


def with_hint(incident: Incident, variant: str) -> Incident:
    """The incident with the hint of another text of its kind."""
    return replace(incident, hint=_fitting(find_kind(incident.id).texts[variant])[1] or None)


_options: frozenset[str] | None = None
"""The options that hints may name; None: all, as in Python."""


_given: frozenset[str] = frozenset()
"""What hints do not advise, because it is given: "--lenient", "--lengths ignore"."""


@contextmanager
def options_in_hints(options: Iterable[str], given: Iterable[str] = ()) -> Iterator[None]:
    """Inside, hints name these options only, e.g. "--ends": those of the command that runs.

    They do not advise what is `given` already, e.g. "--lenient" or "--lengths ignore".
    """
    global _given  # noqa: PLW0603 (as the options)
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
    """Let hints name these options only, from now on; None: all."""
    global _options  # noqa: PLW0603 (hints are made wherever a defect is found)
    _options = options


def _fitting(texts: tuple[str, str]) -> tuple[str, str]:
    """Message and hint; what the hint says of options that cannot be given is left out.

    Parts in ⟨⟩ go by themselves, so that the rest stays; otherwise nothing is left of it.
    """
    message, hint = texts
    if "⟨" not in hint and (_options is None or "--" not in hint):
        return texts
    import re

    def is_possible(text: str) -> bool:
        # Options of other commands, which it names, are left out.
        advice = re.sub(r"(?:corefkit|convert)(?: [a-z]+)* --[a-z-]+", "", text)
        if any(re.search(rf"(?<![\w-]){re.escape(one)}(?![\w-])", advice) for one in _given):
            return False
        named = re.findall(r"(?<![\w-])--[a-z][a-z-]*", advice)
        return _options is None or _options.issuperset(named)

    hint = re.sub("⟨(.*?)⟩", lambda part: part[1] if is_possible(part[1]) else "", hint)
    return message, hint if is_possible(hint) else ""


class DataError(Exception):
    """The data cannot be scored. `incidents` says where and why; warnings may be among them."""

    def __init__(self, incidents: Iterable[Incident]) -> None:
        self.incidents: tuple[Incident, ...] = tuple(incidents)
        super().__init__(self.incidents)

    def __str__(self) -> str:
        return "\n".join(str(i) for i in self.incidents if i.severity == "error")


def data_error(kind: str, variant: str = "", at: At = None, **details: Any) -> DataError:
    """A DataError with one incident; `details` are those of `make_incident`."""
    return DataError([make_incident(kind, variant, at, **details)])


@contextmanager
def failure_as_incident(file: str | None) -> Iterator[None]:
    """Whatever fails on a file inside, by a mistake of ours, becomes an incident of that file.

    It is raised as a DataError, which stops nobody but this file. What users are to be told
    anyway (DataError, UsageError) and a lack of memory pass; with COREFKIT_DEBUG everything does.
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
    """Gathers incidents of one file; of a kind that occurs thousands of times it lists some."""

    def __init__(self, file: str | None = None) -> None:
        self.file = file
        self._incidents: list[Incident] = []
        self._seen: dict[str, int] = {}

    def note(
        self, kind: str, variant: str | Callable[[], str] = "", at: At = None, **details: Any
    ) -> None:
        """Add an incident of this file, or count it when there are enough of its kind.

        `details` are those of `make_incident`, or functions that make them when they are needed.
        """
        if not self.full(kind):
            known = {name: v() if callable(v) else v for name, v in details.items()}
            place = find_place(at)
            known.setdefault("file", self.file if place.file is None else place.file)
            variant = variant() if callable(variant) else variant
            self._incidents.append(make_incident(kind, variant, place, **known))
        self._count(kind)

    def listed(self, kind: str, items: Sequence[Item]) -> Iterator[Item]:
        """The items whose incidents are listed: note each of them. The others are counted."""
        room = max(LISTED - self._seen.get(kind, 0), 0)
        yield from items[:room]
        self._count(kind, max(len(items) - room, 0))

    def add(self, incident: Incident) -> None:
        """Add an incident that is already made, or count it when there are enough of its kind."""
        if not self.full(incident.id):
            self._incidents.append(incident)
        self._count(incident.id)

    def full(self, kind: str) -> bool:
        """Whether further incidents of this kind are only counted."""
        return self._seen.get(kind, 0) >= LISTED

    def _count(self, kind: str, times: int = 1) -> None:
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

"""Reading a manifest: what must be there, what may be, and a sentence for everything else."""

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

from corefkit.data.incidents import DataError, Incident, make_incident
from corefkit.data.options import POLICIES, Options, UsageError
from corefkit.metrics import NAMES
from corefkit.profiles import make_options

T = TypeVar("T")

_NAME = re.compile(r"[^\W_][\w.+-]*")
_ADDRESS = re.compile(r"https?://[^\s<>\"'\\]+")


def is_name(name: str, *, dots: bool = True) -> bool:
    """Whether something may have this name: files are called after it.

    >>> is_name("GM-gold"), is_name("v1.2"), is_name("v1.2", dots=False), is_name("my sys")
    (True, True, False, False)
    """
    return bool(_NAME.fullmatch(name)) and (dots or "." not in name)


class ManifestReader:
    """Gathers all that is wrong with a manifest, so that it is reported at once."""

    def __init__(self, path: Path, text: str | None = None) -> None:
        self.path = path
        self.incidents: list[Incident] = []
        try:
            self.text = path.read_text(encoding="utf-8-sig") if text is None else text
            data = tomllib.loads(self.text)
        except OSError as error:
            self._refuse("manifest-unreadable", reason=error.strerror or str(error))
        except UnicodeDecodeError as error:
            self._refuse("manifest-unreadable", "utf8", reason=error.reason)
        except tomllib.TOMLDecodeError as error:
            self._refuse("manifest-syntax", "toml", reason=str(error))
        except ValueError as error:  # a number of thousands of digits, a NUL in the path
            self._refuse("manifest-syntax", reason=str(error))
        except RecursionError:
            self._refuse("manifest-syntax", "nested")
        self.top = _TomlTable(self, "", data)

    def _refuse(self, kind: str, variant: str = "", *, reason: str = "") -> None:
        found = make_incident(kind, variant, reason=reason, file=str(self.path))
        raise DataError([found]) from None

    def problem(self, variant: str, *, at: str = "", close: str = "", **details: Any) -> None:
        """Note an error: `at` is where in the text to look for it, `close` what may be meant."""
        path, line = str(self.path), self._line(at)
        found = make_incident("manifest-invalid", variant, file=path, line=line, **details)
        self.incidents.append(replace(found, hint=f"did you mean {close!r}?") if close else found)

    def _line(self, word: str) -> int | None:
        """The first line that has the word as a whole."""
        pattern = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
        lines = enumerate(self.text.splitlines(), 1)
        return next((n for n, line in lines if word and pattern.search(line)), None)

    def file_name(self, name: str, *, dots: bool = True) -> None:
        """Names are names of files, too; dots stand between language, track and setting."""
        if not is_name(name, dots=dots):
            expected = f"letters, digits, and {'. ' if dots else ''}+ - _ inside"
            self.problem("name", name=name, at=name, expected=expected)

    def tables_differ(self, tables: Iterable[tuple[str, str]]) -> None:
        """Tables are files; `tables` has the name of each and what it is of."""
        for name, one, other in _twice(tables):
            self.problem("tables", name=name, one=one, other=other)

    def distinct(self, what: str, values: Mapping[str, str]) -> None:
        """Values that must differ."""
        for _, one, other in _twice((value, name) for name, value in values.items()):
            self.problem("same", one=one, other=other, what=what, at=other)

    def place(self, text: str, known: Mapping[str, Collection[str]]) -> list[str]:
        """Language, track and setting of a response, or none where one of them was not named.

        `known` are the names of each, in this order.
        """
        parts = text.split("/")
        if len(parts) != len(known):
            expected = '"language/track/setting", e.g. "english/closed/NB"'
            self.problem("place", place=text, at=text, expected=expected)
            return []
        return parts if self._named(text, parts, known) else []

    def dataset(self, text: str, known: Mapping[str, Sequence[str]]) -> list[str]:
        """Dataset and track of a response, the first track where it says none; none as above."""
        dataset, _, track = text.partition("/")
        parts = [dataset, track or known["track"][0]]
        return parts if self._named(text, parts, known) else []

    def _named(self, text: str, parts: Sequence[str], known: Mapping[str, Collection[str]]) -> bool:
        """Whether all parts of a place are known; those that are not are noted."""
        wrong = [
            (kind, part)
            for (kind, names), part in zip(known.items(), parts, strict=True)
            if part not in names
        ]
        for kind, part in wrong:
            close = _suggest(part, known[kind])
            self.problem("undefined", what=kind, name=part, at=text, **close)
        return not wrong

    def options(self) -> Options:
        """How responses are scored: the default metrics of the profile and the ranking metric."""
        table = self.top.table("scoring")
        chosen = {name: table.text(name, "") for name in ("profile", *POLICIES)}
        policies = {name: value for name, value in chosen.items() if value}
        rank = self.top.text("rank", "conll")
        try:
            default = make_options(None, **policies).metrics
        except UsageError as error:
            self.problem("usage", reason=str(error), at="scoring")
            return Options()
        try:
            return make_options(list(dict.fromkeys((*default, rank))), **policies)
        except UsageError as error:
            close = _suggest(rank, NAMES)["close"]
            self.problem("usage", reason=str(error), at="rank", close=close)
            return Options()

    def finish(self) -> None:
        """Raise DataError if anything was wrong."""
        self.top.finish()
        if self.incidents:
            raise DataError(self.incidents)


class _TomlTable:
    """A table of the manifest; entries that are not known are errors."""

    def __init__(self, reader: ManifestReader, name: str, data: Mapping[str, Any]) -> None:
        self._reader, self._name, self._data = reader, name, data
        self._asked: set[str] = set()
        self._inner: dict[str, _TomlTable] = {}

    def _get(self, key: str, default: T, what: str, needed: bool = False) -> T:
        """The value, of the type of the default; the default where it is missing or wrong."""
        self._asked.add(key)
        if key not in self._data:
            if needed:
                variant, inside = "missing-in" if self._name else "missing", self._name
                self._reader.problem(
                    variant, key=key, table=inside, at=inside, expected=f"{key} = {what}"
                )
            return default
        value = self._data[key]
        if not isinstance(value, type(default)) or isinstance(value, bool):
            self._wrong("type", key, what=what)
            return default
        return value

    def _full(self, key: str) -> str:
        return f"{self._name}.{key}" if self._name else key

    def _wrong(self, variant: str, key: str, **details: Any) -> None:
        self._reader.problem(variant, **{"key": self._full(key), "at": key, **details})

    def has(self, key: str) -> bool:
        """Whether there is such an entry."""
        return key in self._data

    def text(self, key: str, default: str = "", *, needed: bool = False) -> str:
        return self._get(key, default, '"text"', needed)

    def choice(self, key: str, values: Iterable[str], default: str) -> str:
        value, known = self.text(key, default), list(values)
        if value not in known and known:
            self._wrong("choice", key, value=value, at=value, **_suggest(value, known))
            return known[0]
        return value

    def texts(self, key: str, default: Sequence[str] = ()) -> tuple[str, ...]:
        values = self._get(key, list(default), 'a list: ["text", "text"]')
        if not all(isinstance(value, str) for value in values):
            self._wrong("texts", key)
            return tuple(default)
        return tuple(dict.fromkeys(values))

    def path(self, key: str) -> str:
        """The name of a file, which cannot be empty: that would be the folder of the manifest."""
        name = self.text(key, needed=True)
        if not name.strip() and self._data.get(key) == name:
            self._wrong("path", key)
        return name

    def address(self, key: str) -> str:
        """An address of the web, which the page links to; empty where there is none."""
        value = self.text(key)
        if value and not _ADDRESS.fullmatch(value):
            self._wrong("address", key, expected='"https://…" or "http://…", without blanks')
            return ""
        return value

    def day(self, key: str) -> str:
        """A date of TOML, or any text."""
        value = self._data.get(key)
        if isinstance(value, date):
            self._asked.add(key)
            return value.isoformat()
        return self.text(key)

    def number(self, key: str, default: int, least: int = 1, most: int | None = None) -> int:
        value = self._get(key, default, "a whole number")
        if value < least:
            self._wrong("less", key, least=least)
        if most is not None and value > most:
            self._wrong("more", key, most=most)
            return default
        return value

    def share(self, key: str, default: float) -> float:
        value = self._get(key, default, "a number between 0 and 1")
        if not 0 < value < 1:
            self._wrong("share", key)
        return value

    def table(self, key: str) -> "_TomlTable":
        if key not in self._inner:
            nothing: dict[str, Any] = {}
            data = self._get(key, nothing, f"a table: [{key}]")
            self._inner[key] = _TomlTable(self._reader, self._full(key), data)
        return self._inner[key]

    def tables(self, key: str, *, needed: bool = False) -> Iterator[tuple[str, "_TomlTable"]]:
        """The tables inside a table, by name."""
        outer = self.table(key)
        if needed and not outer._data:
            self._reader.problem("none", key=key, expected=f"a table: [{key}.NAME]")
        for name, value in outer._data.items():
            outer._asked.add(name)
            if isinstance(value, dict):
                yield name, outer.table(name)
            else:
                self._reader.problem("table", key=f"{key}.{name}", at=name)

    def paths(self, key: str) -> Iterator[tuple[str, str]]:
        """The entries of a table of files."""
        inner = self.table(key)
        for name in inner._data:
            yield name, inner.path(name)

    def lines(self, key: str) -> list[str]:
        """A list of texts, or the name of a file that has one on each line."""
        if isinstance(self._data.get(key), list):
            return self._some(key, list(self.texts(key)))
        name = self.text(key, needed=True)
        try:
            text = (self._reader.path.parent / name).read_text(encoding="utf-8-sig")
        except (OSError, ValueError) as error:  # not UTF-8, or a NUL in the name
            reason = getattr(error, "strerror", None) or str(error)
            self._wrong("unreadable", key, name=name, reason=reason, at=name)
            return []
        lines = map(str.strip, text.splitlines())
        return self._some(key, [line for line in lines if line[:1] not in ("", "#")])

    def _some(self, key: str, lines: list[str]) -> list[str]:
        if not lines:
            self._wrong("empty", key, at=self._name.split(".")[-1])
        return lines

    def finish(self) -> None:
        """Whatever was not asked for does not belong here."""
        for key in self._data.keys() - self._asked:
            variant, known = "unknown-in" if self._name else "unknown", sorted(self._asked)
            self._reader.problem(variant, key=key, table=self._name, at=key, **_suggest(key, known))
        for table in self._inner.values():
            table.finish()


def _twice(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    """Of pairs of a value and its owner: values that two have, the first of them and the other."""
    owner: dict[str, str] = {}
    for value, name in pairs:
        if value in owner:
            yield value, owner[value], name
        owner.setdefault(value, name)


def _suggest(found: str, known: Iterable[str]) -> dict[str, str]:
    names = list(known)
    close = get_close_matches(found, names, 1)
    return {"expected": "one of " + ", ".join(names), "close": close[0] if close else ""}

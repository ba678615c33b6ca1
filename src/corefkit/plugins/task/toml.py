"""TOML tables: read with checks of the types of their entries, and written."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

_FLAG = "true or false"
_ADDRESS = re.compile(r"https?://[^\s<>\"'\\]+")


class TomlTable:
    """A TOML table that notes wrong entries, and in the end those that nobody has read."""

    def __init__(
        self, problem: Callable[..., None], folder: Path, name: str, data: Mapping[str, Any]
    ) -> None:
        """`problem` notes an error; names of files are relative to `folder`."""
        self._problem, self._folder = problem, folder
        self._name, self._data = name, data
        self._read: set[str] = set()
        self._inner: dict[str, TomlTable] = {}

    def _get(self, key: str, default: T, what: str, needed: bool = False) -> T:
        """The value if it has the type of the default; otherwise the default."""
        self._read.add(key)
        if key not in self._data:
            if needed:
                variant, inside = "missing-in" if self._name else "missing", self._name
                self._problem(variant, key=key, table=inside, at=inside, expected=f"{key} = {what}")
            return default
        value = self._data[key]
        if not isinstance(value, type(default)) or isinstance(value, bool) != (what == _FLAG):
            self._wrong("type", key, what=what)
            return default
        return value

    def _full(self, key: str) -> str:
        return f"{self._name}.{key}" if self._name else key

    def _wrong(self, variant: str, key: str, **details: Any) -> None:
        self._problem(variant, **{"key": self._full(key), "at": key, **details})

    def has(self, key: str) -> bool:
        """Whether the table has such an entry."""
        return key in self._data

    def text(self, key: str, default: str = "", *, needed: bool = False) -> str:
        """A text."""
        return self._get(key, default, '"text"', needed)

    def choice(self, key: str, values: Iterable[str], default: str) -> str:
        """One of the values; any other is an error, and read as the first of them."""
        value, known = self.text(key, default), list(values)
        if value not in known and known:
            self._wrong("choice", key, value=value, at=value, **suggest(value, known))
            return known[0]
        return value

    def texts(self, key: str, default: Sequence[str] = ()) -> tuple[str, ...]:
        """A list of texts, each once."""
        values = self._get(key, list(default), 'a list: ["text", "text"]')
        if not all(isinstance(value, str) for value in values):
            self._wrong("texts", key)
            return tuple(default)
        return tuple(dict.fromkeys(values))

    def path(self, key: str) -> str:
        """The name of a file; it must not be empty, which would mean the folder."""
        name = self.text(key, needed=True)
        if not name.strip() and self._data.get(key) == name:
            self._wrong("path", key)
        return name

    def address(self, key: str) -> str:
        """A web address, which the page links to; empty if there is none."""
        value = self.text(key)
        if value and not _ADDRESS.fullmatch(value):
            self._wrong("address", key, expected='"https://…" or "http://…", without blanks')
            return ""
        return value

    def day(self, key: str) -> str:
        """A date of TOML, or any text."""
        value = self._data.get(key)
        if isinstance(value, date):
            self._read.add(key)
            return value.isoformat()
        return self.text(key)

    def number(self, key: str, default: int, least: int = 1, most: int | None = None) -> int:
        """A whole number within bounds."""
        value = self._get(key, default, "a whole number")
        if value < least:
            self._wrong("less", key, least=least)
        if most is not None and value > most:
            self._wrong("more", key, most=most)
            return default
        return value

    def share(self, key: str, default: float) -> float:
        """A number between 0 and 1."""
        value = self._get(key, default, "a number between 0 and 1")
        if not 0 < value < 1:
            self._wrong("share", key)
        return value

    def flag(self, key: str) -> bool:
        """True or false; false if it is missing."""
        return self._get(key, False, _FLAG)

    def table(self, key: str) -> "TomlTable":
        """A table inside this one; empty if it is missing."""
        if key not in self._inner:
            empty: dict[str, Any] = {}
            data = self._get(key, empty, f"a table: [{key}]")
            self._inner[key] = TomlTable(self._problem, self._folder, self._full(key), data)
        return self._inner[key]

    def tables(self, key: str, *, needed: bool = False) -> Iterator[tuple[str, "TomlTable"]]:
        """Name and table for each table inside the table `key`."""
        outer = self.table(key)
        if needed and not outer._data:
            self._problem("none", key=key, expected=f"a table: [{key}.NAME]")
        for name, value in outer._data.items():
            outer._read.add(name)
            if isinstance(value, dict):
                yield name, outer.table(name)
            else:
                self._problem("table", key=f"{key}.{name}", at=name)

    def paths(self, key: str) -> Iterator[tuple[str, str]]:
        """Name and path for each entry of the table `key`."""
        inner = self.table(key)
        for name in inner._data:
            yield name, inner.path(name)

    def lines(self, key: str) -> list[str]:
        """A list of texts, or the name of a file with one text per line and # for comments."""
        if isinstance(self._data.get(key), list):
            listed = list(self.texts(key))
        else:
            name = self.text(key, needed=True)
            try:
                text = (self._folder / name).read_text(encoding="utf-8-sig")
            except (OSError, ValueError) as error:  # not UTF-8, or a NUL in the name
                reason = getattr(error, "strerror", None) or str(error)
                self._wrong("unreadable", key, name=name, reason=reason, at=name)
                return []
            lines = map(str.strip, text.splitlines())
            listed = [line for line in lines if line[:1] not in ("", "#")]
        if not listed:
            self._wrong("empty", key, at=self._name.split(".")[-1])
        return listed

    def finish(self) -> None:
        """Note the entries that were not read, here and in inner tables: they are unknown."""
        for key in (key for key in self._data if key not in self._read):
            variant, known = "unknown-in" if self._name else "unknown", sorted(self._read)
            self._problem(variant, key=key, table=self._name, at=key, **suggest(key, known))
        for table in self._inner.values():
            table.finish()


def suggest(value: str, known: Iterable[str]) -> dict[str, str]:
    """For the message on an unknown value: the `expected` ones, and the one that is `close`."""
    names = list(known)
    close = get_close_matches(value, names, 1)
    return {"expected": "one of " + ", ".join(names), "close": close[0] if close else ""}


def to_toml(data: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """The lines of a table, then those of the tables inside it.

    >>> print(*to_toml({"name": "Zwölf", "keys": {"a.b": {"tracks": ["open"]}}}), sep="", end="")
    name = "Zwölf"
    <BLANKLINE>
    [keys."a.b"]
    tracks = ["open"]
    """
    for name, value in data.items():
        if not isinstance(value, dict):
            yield f"{to_toml_key(name)} = {to_toml_value(value)}\n"
    for name, value in data.items():
        if isinstance(value, dict):
            inner = f"{path}.{to_toml_key(name)}".lstrip(".")
            if not value or not all(isinstance(inside, dict) for inside in value.values()):
                yield f"\n[{inner}]\n"
            yield from to_toml(value, inner)


def to_toml_key(name: str) -> str:
    """A name as a TOML key."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else to_toml_value(name)


def to_toml_value(value: Any) -> str:
    r"""A value as TOML: strings, numbers and lists as in JSON, but DEL has to be escaped.

    >>> print(to_toml_value("a \x7f"))
    "a \u007f"
    """
    if isinstance(value, date):
        return value.isoformat()
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")

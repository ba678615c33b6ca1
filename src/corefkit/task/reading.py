"""Reading a manifest: what must be there, what may be, and a sentence for everything else."""

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from corefkit.data.incidents import DataError, Incident, make_incident
from corefkit.data.options import POLICIES, Options, UsageError
from corefkit.metrics import NAMES
from corefkit.profiles import make_options
from corefkit.task.toml_table import TomlTable, suggest

_NAME = re.compile(r"[^\W_][\w.+-]*")


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
        self.top = TomlTable(self.problem, path.parent, "", data)

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
            close = suggest(part, known[kind])
            self.problem("undefined", what=kind, name=part, at=text, **close)
        return not wrong

    def options(self) -> Options:
        """How responses are scored: the default metrics of the profile and the ranking metric."""
        table = self.top.table("scoring")
        chosen = {name: table.text(name, "") for name in ("profile", *POLICIES)}
        policies = {name: value for name, value in chosen.items() if value}
        rank = self.top.text("rank", "conll")
        at, close = "scoring", ""
        try:
            default = make_options(None, **policies).metrics
            at, close = "rank", suggest(rank, NAMES)["close"]
            return make_options(list(dict.fromkeys((*default, rank))), **policies)
        except UsageError as error:
            self.problem("usage", reason=str(error), at=at, close=close)
            return Options()

    def finish(self) -> None:
        """Raise DataError if anything was wrong."""
        self.top.finish()
        if self.incidents:
            raise DataError(self.incidents)


def _twice(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    """Of pairs of a value and its owner: values that two have, the first of them and the other."""
    owner: dict[str, str] = {}
    for value, name in pairs:
        if value in owner:
            yield value, owner[value], name
        owner.setdefault(value, name)

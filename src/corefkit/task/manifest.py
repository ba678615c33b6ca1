"""The manifest of a shared task: a TOML file, described in docs/task.md.

ENTRIES declares what a manifest may hold, with types, defaults and bounds. Everything that is wrong
with a manifest is reported at once.
"""

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from corefkit.core.incidents import DataError, Incident, make_incident
from corefkit.core.options import POLICIES, Options, UsageError, refuse_levels
from corefkit.scorers import make_options, scorer_for
from corefkit.stats import MOST_SAMPLES
from corefkit.task.shared_task import (
    QUALITIES,
    SYNTAX,
    About,
    Entrant,
    Language,
    Setting,
    Slot,
    Subset,
    Task,
)
from corefkit.task.toml import TomlEntry, TomlTable, suggest

CODES = {
    "arabic": "ar", "chinese": "zh", "english": "en", "german": "de", "french": "fr",
    "spanish": "es", "dutch": "nl", "italian": "it", "catalan": "ca", "czech": "cs",
    "hebrew": "he", "japanese": "ja", "korean": "ko", "polish": "pl", "russian": "ru",
    "turkish": "tr", "hungarian": "hu", "lithuanian": "lt", "norwegian": "no", "persian": "fa",
}  # fmt: skip
"""BCP 47 codes of languages by name; the page needs them to show text rightly."""

_SCORING = ("profile", *POLICIES, "labels", "leave_out", "across", "topic")

ENTRIES: dict[str, dict[str, TomlEntry]] = {
    "task": {
        "name": TomlEntry("text", needed=True),
        "rank": TomlEntry("text", "conll"),
        "show_texts": TomlEntry("flag"),
    },
    "about": {
        "description": TomlEntry("text"),
        "organisers": TomlEntry("text"),
        "date": TomlEntry("day"),
        "licence": TomlEntry("text"),
        "url": TomlEntry("address"),
        "cite": TomlEntry("text"),
    },
    "languages": {
        "key": TomlEntry("path"),
        "letter": TomlEntry("text"),
        "code": TomlEntry("text"),
    },
    "settings": {
        "quality": TomlEntry("choice", "NB", values=QUALITIES),
        "train": TomlEntry("choice", "predicted", values=SYNTAX),
        "test": TomlEntry("choice", "predicted", values=SYNTAX),
    },
    "settings of datasets": {
        policy: TomlEntry("choice", "", values=POLICIES[policy])
        for policy in ("match", "singletons", "zeros")
    },
    "systems": {
        "training": TomlEntry("texts"),
        "description": TomlEntry("text"),
        "team": TomlEntry("text"),
        "paper": TomlEntry("address"),
        "code": TomlEntry("address"),
        "baseline": TomlEntry("flag"),
    },
    "scoring": {name: TomlEntry("text") for name in _SCORING},
    "significance": {
        "samples": TomlEntry("number", 10_000, most=MOST_SAMPLES),
        "seed": TomlEntry("number", 2012, least=0),
        "level": TomlEntry("share", 0.95),
    },
}
"""The entries of a manifest: those of the task as a whole and what it tells about itself, which
stand at the top, then those of its tables. Places of responses, and what refers to other tables
(`official`, `tracks`, subsets), `read_manifest` reads."""


def read_manifest(path: str | PathLike[str], text: str | None = None) -> Task:
    """The task that a manifest describes; DataError with all that is wrong with it.

    `text` is what is going to be at the path, if it is not there yet.
    """
    reader = ManifestReader(Path(path), text)
    top = reader.top
    kind: Literal["language", "dataset"] = "dataset" if top.has("datasets") else "language"
    of_datasets = kind == "dataset"
    languages = {
        name: _language(name, table, of_datasets)
        for name, table in top.tables(f"{kind}s", needed=True)
    }
    settings = _ways_to_score(reader) if of_datasets else _given(reader)
    usual = ("all",) if of_datasets else ("closed", "open")
    tracks = top.texts("tracks", usual) or usual[:1]
    for name in (*languages, *settings, *tracks):
        reader.file_name(name, dots=False)
    known = {"language": languages, "track": tracks, "setting": settings}
    systems: dict[str, Entrant] = {}
    responses: dict[Slot, str] = {}
    for name, table in top.tables("systems", needed=True):
        reader.file_name(name)
        systems[name] = Entrant(name, **table.read(ENTRIES["systems"]))
        for place, file in table.paths("responses"):
            if of_datasets:
                for dataset, track in reader.dataset(place, languages, tracks):
                    responses |= {Slot(name, dataset, track, s): file for s in settings}
            elif parts := reader.place(place, known):
                responses[Slot(name, *parts)] = file
    reader.distinct("letter", {n: language.letter for n, language in languages.items()})
    reader.distinct("setting", {n: " ".join(map(str, s.order)) for n, s in settings.items()})
    subsets = _subsets(reader, languages)
    significance = top.table("significance")
    task = Task(
        **top.read(ENTRIES["task"]),
        folder=reader.path.parent,
        official=top.choice("official", settings, next(iter(settings))),
        tracks=tracks,
        languages=languages,
        settings=settings,
        systems=systems,
        responses=responses,
        subsets=subsets,
        options=reader.options(),
        **significance.read(ENTRIES["significance"]),
        kind=kind,
        about=About(**top.read(ENTRIES["about"])),
        divisions=_divisions(reader),
        manifest=reader.path.name,
    )
    reader.tables_differ(_table_names(task))
    if subsets and task.options.across:
        reason = "across: subsets are of single documents; leave out across"
        reader.problem("usage", reason=reason, at=next(iter(subsets)))
    for name, setting in settings.items():
        if setting.scoring:
            reader.check_matching(task.options_of(name), name)
    reader.finish()
    return task


def _divisions(reader: "ManifestReader") -> dict[str, str]:
    """The tables of strata: `[tables.NAME]` with `by = "entity:size"`."""
    divisions: dict[str, str] = {}
    for name, table in reader.top.tables("tables"):
        reader.file_name(name)
        by = table.text("by", needed=True)
        try:
            if by:
                from corefkit.scoring.strata import with_strata

                with_strata(reader.options(), [by])
                divisions[name] = by
        except UsageError as error:
            reader.problem("usage", reason=str(error), at=by)
    return divisions


def _language(name: str, table: TomlTable, is_dataset: bool) -> Language:
    """A language, or a dataset; files of CorefUD begin with the code of the language."""
    if is_dataset:
        code = name.partition("_")[0] if "_" in name else CODES.get(name.lower(), "und")
        return Language(name, name, **table.read(ENTRIES["languages"], letter=name, code=code))
    title = name[:1].upper() + name[1:]
    defaults = {"letter": name[:1].lower(), "code": CODES.get(name.lower(), "und")}
    return Language(name, title, **table.read(ENTRIES["languages"], **defaults))


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
        incident = make_incident(kind, variant, reason=reason, file=str(self.path))
        raise DataError([incident]) from None

    def problem(self, variant: str, *, at: str = "", close: str = "", **details: Any) -> None:
        """Note an error: `at` is where in the text to look for it, `close` what may be meant."""
        path, line = str(self.path), self._line(at)
        incident = make_incident("manifest-invalid", variant, file=path, at=line, **details)
        if close:
            incident = replace(incident, hint=f"did you mean {close!r}?")
        self.incidents.append(incident)

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

    def dataset(
        self, text: str, datasets: Collection[str], tracks: Sequence[str]
    ) -> list[tuple[str, str]]:
        """Dataset and track of a response, the first track where it says none; none as above."""
        dataset, _, track = text.partition("/")
        parts = dataset, track or tracks[0]
        known = {"dataset": datasets, "track": tracks}
        return [parts] if self._named(text, parts, known) else []

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
        chosen = self.top.table("scoring").read(ENTRIES["scoring"])
        policies = {name: value for name, value in chosen.items() if value}
        rank = self.top.text("rank", "conll")
        at = "scoring"
        try:
            usual = make_options(None, **policies)
            refuse_levels(usual, "a task is ranked at one level", more_than=1)
            at = "rank"
            options = make_options(list(dict.fromkeys((*usual.metrics, rank))), **policies)
            self.check_matching(options, "match")
            return options
        except UsageError as error:
            self.problem("usage", reason=str(error), at=at)
            return Options()

    def check_matching(self, options: Options, at: str) -> None:
        """Note a rule of matching that the profile does not know."""
        try:
            scorer_for(options).check_matching()
        except UsageError as error:
            self.problem("usage", reason=str(error), at=at)

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


def _given(reader: ManifestReader) -> dict[str, Setting]:
    """The settings of a task of languages: what systems were given."""
    settings = {}
    for name, table in reader.top.tables("settings"):
        quality = {"quality": name} if name in QUALITIES else {}
        settings[name] = Setting(name, **table.read(ENTRIES["settings"], **quality))
    return settings or {"NB": Setting("NB")}


def _ways_to_score(reader: ManifestReader) -> dict[str, Setting]:
    """The settings of a task of datasets: policies that differ from those of the profile."""
    settings = {}
    for place, (name, table) in enumerate(reader.top.tables("settings")):
        policies = ENTRIES["settings of datasets"].items()
        scoring = table.read({policy: entry for policy, entry in policies if table.has(policy)})
        settings[name] = Setting(name, scoring=tuple(scoring.items()), place=place)
    return settings or {"official": Setting("official")}


def _subsets(reader: ManifestReader, languages: Iterable[str]) -> dict[str, Subset]:
    subsets = {}
    for name, table in reader.top.tables("subsets"):
        reader.file_name(name)
        language = table.choice("language", languages, next(iter(languages), ""))
        subsets[name] = Subset(name, language, frozenset(table.lines("documents")))
    return subsets


def _table_names(task: Task) -> Iterator[tuple[str, str]]:
    """The names of all tables that a run may write, and what each is of."""
    yield "problems", "the problems"
    yield "ranking", "the ranking"
    yield from ((f"overview-{setting}", f"setting {setting!r}") for setting in task.settings)
    for kind in ("genres", "system"):
        yield from ((f"{kind}-{system}", f"system {system!r}") for system in task.systems)
    for language in task.languages:
        yield f"by-genre-{language}", f"language {language!r}"
        for track in task.tracks:
            for kind in ("", "significance-", "pairs-"):
                yield f"{kind}{language}-{track}", f"language {language!r}, track {track!r}"
    for name in task.divisions:
        for language in task.languages:
            yield f"{name}-{language}", f"table {name!r}"
    for subset in task.subsets:
        for track in task.tracks:
            yield f"subset-{subset}-{track}", f"subset {subset!r}, track {track!r}"


_NAME = re.compile(r"[^\W_][\w.+-]*")


def is_name(name: str, *, dots: bool = True) -> bool:
    """Whether something may have this name: files are called after it.

    >>> is_name("GM-gold"), is_name("v1.2"), is_name("v1.2", dots=False), is_name("my sys")
    (True, True, False, False)
    """
    return bool(_NAME.fullmatch(name)) and (dots or "." not in name)

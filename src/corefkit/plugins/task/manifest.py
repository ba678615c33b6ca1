"""The manifest of a shared task: a TOML file, described in docs/task.md.

ENTRIES declares what a manifest may hold, with types, defaults and bounds. All problems of a
manifest are reported together.
"""

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from corefkit.core.incidents import DataError, Incident, make_incident
from corefkit.core.options import GONE, POLICIES, Options, UsageError, refuse_gone, refuse_levels
from corefkit.metrics import canonical
from corefkit.plugins.task.shared_task import (
    GIVEN,
    QUALITIES,
    About,
    Entrant,
    Language,
    Setting,
    Slot,
    Subset,
    Task,
)
from corefkit.plugins.task.toml import TomlEntry, TomlTable, suggest
from corefkit.scorers import make_options, scorer_for
from corefkit.stats import MOST_SAMPLES

CODES = {
    "arabic": "ar", "chinese": "zh", "english": "en", "german": "de", "french": "fr",
    "spanish": "es", "dutch": "nl", "italian": "it", "catalan": "ca", "czech": "cs",
    "hebrew": "he", "japanese": "ja", "korean": "ko", "polish": "pl", "russian": "ru",
    "turkish": "tr", "hungarian": "hu", "lithuanian": "lt", "norwegian": "no", "persian": "fa",
}  # fmt: skip
"""BCP 47 codes of languages by name; the page needs them to display texts correctly."""

_SCORING = ("profile", *POLICIES, "labels", "leave_out", "across", "topic")

ENTRIES: dict[str, dict[str, TomlEntry]] = {
    "task": {
        "name": TomlEntry("text", needed=True),
        "rank": TomlEntry("text", "conll"),
        "show_texts": TomlEntry("flag"),
        "outside": TomlEntry("flag"),
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
        name: TomlEntry("choice", next(iter(values)), values=values)
        for name, values in GIVEN.items()
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
    "scoring": {
        **{name: TomlEntry("text") for name in _SCORING},
        **{name: TomlEntry("flag") for name in ("strict", "lax")},
    },
    "significance": {
        "samples": TomlEntry("number", 10_000, most=MOST_SAMPLES),
        "seed": TomlEntry("number", 2012, least=0),
        "level": TomlEntry("share", 0.95),
    },
}
"""The entries of a manifest: those at its top (`task` and `about`), then those of its tables.

`read_manifest` itself reads the places of responses and what refers to other tables (`official`,
`tracks`, subsets).
"""


def read_manifest(path: str | PathLike[str], text: str | None = None) -> Task:
    """The task that a manifest describes; DataError with all its problems if it has any.

    `text` is the manifest if the file at `path` has not been written yet.
    """
    reader = ManifestReader(Path(path), text)
    top = reader.top
    kind: Literal["language", "dataset"] = "dataset" if top.has("datasets") else "language"
    of_datasets = kind == "dataset"
    languages = {
        name: _language(name, table, of_datasets)
        for name, table in top.tables(f"{kind}s", needed=True)
    }
    settings = _settings(reader, of_datasets)
    default_tracks = ("all",) if of_datasets else ("closed", "open")
    tracks = top.texts("tracks", default_tracks) or default_tracks[:1]
    for name in (*languages, *settings, *tracks):
        reader.file_name(name, dots=False)
    known = {"language": languages, "track": tracks, "setting": settings}
    systems: dict[str, Entrant] = {}
    responses: dict[Slot, str] = {}
    for name, table in top.tables("systems", needed=True):
        reader.file_name(name)
        systems[name] = Entrant(name, **table.read(ENTRIES["systems"]))
        for key, file in table.paths("responses"):
            if of_datasets:
                for dataset, track in reader.dataset(key, languages, tracks):
                    responses |= {Slot(name, dataset, track, s): file for s in settings}
            elif parts := reader.place(key, known):
                responses[Slot(name, *parts)] = file
    reader.distinct("letter", {n: language.letter for n, language in languages.items()})
    reader.distinct("setting", {n: " ".join(map(str, s.order)) for n, s in settings.items()})
    subsets = _subsets(reader, languages)
    significance = top.table("significance")
    about = top.read(ENTRIES["task"])
    task = Task(
        **about | {"rank": canonical(about["rank"])},
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
    if not task.outside:
        for file in task.files():
            if task.lies_outside(file):
                reader.problem("outside", name=file, at=file)
    reader.finish()
    return task


def _divisions(reader: "ManifestReader") -> dict[str, str]:
    """What each table of strata, by name, is split by: `[tables.NAME]`, `by = "entity:size"`."""
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
    """A language or a dataset; the names of CorefUD datasets begin with a language code."""
    if is_dataset:
        code = name.partition("_")[0] if "_" in name else CODES.get(name.lower(), "und")
        return Language(name, name, **table.read(ENTRIES["languages"], letter=name, code=code))
    title = name[:1].upper() + name[1:] if name.lower() in CODES else name
    defaults = {"letter": name[:1].lower(), "code": CODES.get(name.lower(), "und")}
    return Language(name, title, **table.read(ENTRIES["languages"], **defaults))


class ManifestReader:
    """Reads a manifest and gathers its problems, so that they are reported together."""

    def __init__(self, path: Path, text: str | None = None) -> None:
        self.path = path
        self.incidents: list[Incident] = []
        try:
            self.text = _read_text(path) if text is None else text
            if _DEEP.search(self.text):
                self._refuse("manifest-syntax", "deep", most=_DEEPEST)
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

    def _refuse(self, kind: str, variant: str = "", **details: Any) -> None:
        incident = make_incident(kind, variant, file=str(self.path), **details)
        raise DataError([incident]) from None

    def problem(self, variant: str, *, at: str = "", close: str = "", **details: Any) -> None:
        """Note an error: `at` is a word to find its line by, `close` the name that may be meant."""
        path, line = str(self.path), self._line(at)
        incident = make_incident("manifest-invalid", variant, file=path, at=line, **details)
        if close:
            incident = replace(incident, hint=f"Did you mean {close!r}?")
        self.incidents.append(incident)

    def _line(self, word: str) -> int | None:
        """The number of the first line that contains the whole word; None if there is none."""
        pattern = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
        within = [self._lines_of.get(part, ()) for part in _WORD.findall(word) or [""]]
        lines = min(within, key=len)
        return next((n for n, line in lines if pattern.search(line)), None)

    @cached_property
    def _lines_of(self) -> dict[str, list[tuple[int, str]]]:
        """Word → the numbers and texts of the lines that contain it; those of "" are all."""
        found = {"": [*enumerate(self.text.splitlines(), 1)]}
        for number, line in found[""]:
            for word in {*_WORD.findall(line)}:
                found.setdefault(word, []).append((number, line))
        return found

    def file_name(self, name: str, *, dots: bool = True) -> None:
        """Note a name that cannot be part of a file name.

        Languages, tracks and settings have no dots, because dots separate them.
        """
        if not is_name(name, dots=dots):
            expected = f"letters, digits, and {'. ' if dots else ''}+ - _ inside"
            self.problem("name", name=name, at=name, expected=expected)

    def tables_differ(self, tables: Iterable[tuple[str, str]]) -> None:
        """Note tables that would be the same file; `tables` has the name and content of each."""
        for name, first, second in _repeated(tables):
            self.problem("tables", name=name, one=first, other=second)

    def distinct(self, what: str, values: Mapping[str, str]) -> None:
        """Note names that have the same value; `what` says what the values are."""
        for _, first, second in _repeated((value, name) for name, value in values.items()):
            self.problem("same", one=first, other=second, what=what, at=second)

    def place(self, text: str, known: Mapping[str, Collection[str]]) -> list[str]:
        """Language, track and setting of a response; empty, and noted, if one is not known.

        `known` has the defined names of each, in this order.
        """
        parts = text.split("/")
        if len(parts) != len(known):
            expected = '"language/track/setting", e.g. "english/closed/NB"'
            self.problem("place", place=text, at=text, expected=expected)
            return []
        return parts if self._are_known(text, parts, known) else []

    def dataset(
        self, text: str, datasets: Collection[str], tracks: Sequence[str]
    ) -> list[tuple[str, str]]:
        """Dataset and track of a response, the first track unless named; empty if not known."""
        dataset, _, track = text.partition("/")
        parts = dataset, track or tracks[0]
        known = {"dataset": datasets, "track": tracks}
        return [parts] if self._are_known(text, parts, known) else []

    def _are_known(
        self, text: str, parts: Sequence[str], known: Mapping[str, Collection[str]]
    ) -> bool:
        """Whether all parts of a place are known; notes those that are not."""
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
        """The options of scoring, with the profile's default metrics and the ranking metric."""
        table = self.top.table("scoring")
        chosen = table.read(ENTRIES["scoring"])
        gone = {name: table.text(name) for name in GONE if table.has(name)}
        policies = {name: value for name, value in chosen.items() if value}
        rank = canonical(self.top.text("rank", "conll"))
        at = "scoring"
        try:
            refuse_gone("scoring", gone)
            default = make_options(None, **policies)
            refuse_levels(default, "a task is ranked at one level", more_than=1)
            at = "rank"
            options = make_options(list(dict.fromkeys((*default.metrics, rank))), **policies)
            self.check_matching(options, "match")
            return options
        except UsageError as error:
            self.problem("usage", reason=str(error), at=at)
            return Options()

    def check_matching(self, options: Options, at: str) -> None:
        """Note a matching rule that the profile does not support."""
        try:
            scorer_for(options).check_matching()
        except UsageError as error:
            self.problem("usage", reason=str(error), at=at)

    def finish(self) -> None:
        """Raise DataError if there were any problems, unknown entries included."""
        self.top.finish()
        if self.incidents:
            raise DataError(self.incidents)


_WORD = re.compile(r"[\w-]+")
_LARGEST = 4 << 20
"""The bytes of the largest manifest: names of many thousand responses."""
_DEEPEST = 50
_DEEP = re.compile(
    rf"""(?:(?:(?<![\w-])[\w-]++|"[^"\n]*"|'[^'\n]*')[ \t]*+\.[ \t]*+){{{_DEEPEST}}}"""
)
"""A name with more dots than any table needs: Python's TOML takes their square of memory."""


def _read_text(path: Path) -> str:
    """The text of a manifest; ValueError if it is too large for one."""
    with path.open("rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise ValueError(f"it has more than {_LARGEST:,} bytes")
    return data.decode("utf-8-sig")


def _repeated(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    """For pairs of value and owner: each repeated value, its first owner and the later one."""
    owners: dict[str, str] = {}
    for value, owner in pairs:
        if value in owners:
            yield value, owners[value], owner
        owners.setdefault(value, owner)


def _settings(reader: ManifestReader, of_datasets: bool) -> dict[str, Setting]:
    """The settings: what systems were given; for datasets, the policies of the profile they change.

    A setting that has the name of a mention quality has that quality.
    """
    settings = {}
    for number, (name, table) in enumerate(reader.top.tables("settings")):
        if of_datasets:
            policies = ENTRIES["settings of datasets"].items()
            changed = table.read({policy: entry for policy, entry in policies if table.has(policy)})
            settings[name] = Setting(name, changed, number)
        else:
            quality = {"quality": name} if name in QUALITIES else {}
            settings[name] = Setting(name, table.read(ENTRIES["settings"], **quality))
    default = Setting("official") if of_datasets else Setting.of("NB")
    return settings or {default.name: default}


def _subsets(reader: ManifestReader, languages: Iterable[str]) -> dict[str, Subset]:
    subsets = {}
    for name, table in reader.top.tables("subsets"):
        reader.file_name(name)
        language = table.choice("language", languages, next(iter(languages), ""))
        subsets[name] = Subset(name, language, frozenset(table.lines("documents")))
    return subsets


def _table_names(task: Task) -> Iterator[tuple[str, str]]:
    """The names of all tables that a run may write, and the content of each."""
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
    """Whether a name can be part of file names: a letter or digit, then also any of `.+-_`.

    >>> is_name("GM-gold"), is_name("v1.2"), is_name("v1.2", dots=False), is_name("my sys")
    (True, True, False, False)
    """
    return bool(_NAME.fullmatch(name)) and (dots or "." not in name)

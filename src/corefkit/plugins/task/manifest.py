"""The manifest of a shared task: a TOML file, described in docs/task.md.

All problems of a manifest are reported together.
"""

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
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
from corefkit.plugins.task.toml import TomlTable, suggest
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
_SCORED_BY = ("match", "singletons", "zeros")
"""The policies that a setting of datasets may change."""


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
    known: dict[str, Collection[str]] = {kind: languages, "track": tracks}
    if not of_datasets:  # there, settings are ways to score the same response
        known["setting"] = settings
    systems: dict[str, Entrant] = {}
    responses: dict[Slot, str] = {}
    for name, table in top.tables("systems", needed=True):
        reader.file_name(name)
        systems[name] = _entrant(name, table)
        for key, file in table.paths("responses"):
            if parts := reader.place(key, known):
                language, track, *given = parts
                responses |= {Slot(name, language, track, s): file for s in given or settings}
    reader.distinct("letter", {n: language.letter for n, language in languages.items()})
    reader.distinct("setting", {n: " ".join(map(str, s.order)) for n, s in settings.items()})
    subsets = _subsets(reader, languages)
    tests = top.table("significance")
    task = Task(
        name=top.text("name", needed=True),
        rank=canonical(top.text("rank", "conll")),
        show_texts=top.flag("show_texts"),
        outside=top.flag("outside"),
        folder=reader.path.parent,
        official=top.choice("official", settings, next(iter(settings))),
        tracks=tracks,
        languages=languages,
        settings=settings,
        systems=systems,
        responses=responses,
        subsets=subsets,
        options=reader.options(),
        samples=tests.number("samples", 10_000, most=MOST_SAMPLES),
        seed=tests.number("seed", 2012, least=0),
        level=tests.share("level", 0.95),
        kind=kind,
        about=_about(top),
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
    key, known = table.path("key"), CODES.get(name.lower(), "und")
    if is_dataset:
        code = name.partition("_")[0] if "_" in name else known
        return Language(name, name, key, table.text("letter", name), table.text("code", code))
    title = name[:1].upper() + name[1:] if name.lower() in CODES else name
    letter = table.text("letter", name[:1].lower())
    return Language(name, title, key, letter, table.text("code", known))


def _entrant(name: str, table: TomlTable) -> Entrant:
    return Entrant(
        name,
        training=table.texts("training"),
        description=table.text("description"),
        team=table.text("team"),
        paper=table.address("paper"),
        code=table.address("code"),
        baseline=table.flag("baseline"),
    )


def _about(top: TomlTable) -> About:
    return About(
        description=top.text("description"),
        organisers=top.text("organisers"),
        date=top.day("date"),
        licence=top.text("licence"),
        url=top.address("url"),
        cite=top.text("cite"),
    )


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
        """What a response is for: a name of each kind; empty, and noted, if one is not known.

        `known` has the defined names of each kind. Without settings, the track may be left out.
        """
        parts = text.split("/")
        if len(parts) == 1 and "setting" not in known:
            parts += [*known["track"]][:1]
        if len(parts) != len(known):
            example = "/".join(next(iter(names), "") for names in known.values())
            expected = f'"{"/".join(known)}", e.g. "{example}"'
            self.problem("place", place=text, at=text, expected=expected)
            return []
        wrong = [
            (kind, part) for kind, part in zip(known, parts, strict=True) if part not in known[kind]
        ]
        for kind, part in wrong:
            self.problem("undefined", what=kind, name=part, at=text, **suggest(part, known[kind]))
        return [] if wrong else parts

    def options(self) -> Options:
        """The options of scoring, with the profile's default metrics and the ranking metric."""
        table = self.top.table("scoring")
        chosen: dict[str, Any] = {name: table.text(name) for name in _SCORING}
        chosen |= {name: table.flag(name) for name in ("strict", "lax")}
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
            changed = filter(table.has, _SCORED_BY)
            policies = {policy: table.choice(policy, POLICIES[policy], "") for policy in changed}
            settings[name] = Setting(name, policies, number)
        else:
            usual = Setting.of(name, **({"quality": name} if name in QUALITIES else {})).conditions
            given = {what: table.choice(what, GIVEN[what], usual[what]) for what in GIVEN}
            settings[name] = Setting(name, given)
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

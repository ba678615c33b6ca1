"""The manifest of a shared task: who sent which file for which language, track and setting.

A task of CRAC has datasets instead of languages, and its settings are ways to score one and the
same response.

A TOML file, described in docs/task.md. Everything that is wrong with it is reported at once.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Literal

from corefkit.data.document_names import document_id
from corefkit.data.options import MOST_SAMPLES, POLICIES, Options
from corefkit.task.reading import ManifestReader

QUALITIES = {"NB": "no boundaries", "GB": "gold boundaries", "GM": "gold mentions"}
"""What a system is told about mentions: nothing, where some may be, or exactly which there are."""

SYNTAX = {"predicted": "A", "gold": "G"}
"""Where parses come from, with the letters of the CoNLL-2012 tables (automatic, gold)."""

CODES = {
    "arabic": "ar", "chinese": "zh", "english": "en", "german": "de", "french": "fr",
    "spanish": "es", "dutch": "nl", "italian": "it", "catalan": "ca", "czech": "cs",
    "hebrew": "he", "japanese": "ja", "korean": "ko", "polish": "pl", "russian": "ru",
    "turkish": "tr", "hungarian": "hu", "lithuanian": "lt", "norwegian": "no", "persian": "fa",
}  # fmt: skip
"""BCP 47 codes of languages by name; the page needs them to show text rightly."""


@dataclass(frozen=True)
class Language:
    """A language, or a dataset, and its key; `letter` begins the ids of its rows."""

    name: str
    key: str
    letter: str
    code: str
    is_dataset: bool = False

    @property
    def title(self) -> str:
        """The name as a heading; that of a dataset stands as it is."""
        return self.name if self.is_dataset else self.name[:1].upper() + self.name[1:]


@dataclass(frozen=True)
class Setting:
    """What systems were given: mention quality, and syntax in training and in test.

    In a task of datasets all were given the same; `scoring` then says how they are scored, and
    `place` is the order of the manifest.
    """

    name: str
    quality: str = "NB"
    train: str = "predicted"
    test: str = "predicted"
    scoring: tuple[tuple[str, str], ...] = ()
    place: int = 0

    @property
    def syntax(self) -> tuple[str, str]:
        """Where the parses came from, in training and in test."""
        return self.train, self.test

    @property
    def order(self) -> tuple[int, ...]:
        """The order of blocks in a table: by quality, then training, then test syntax."""
        kinds = list(SYNTAX)
        given = list(QUALITIES).index(self.quality), kinds.index(self.train), kinds.index(self.test)
        return (*given, self.place)

    @property
    def title(self) -> str:
        """What a heading says of it."""
        if self.scoring:
            return ", ".join(f"{policy} {value}" for policy, value in self.scoring)
        syntax = f"{self.train} syntax in training, {self.test} in test"
        return f"{QUALITIES[self.quality]} ({syntax})"


@dataclass(frozen=True)
class Entrant:
    """A participating system; `training` names what its final model was trained on.

    `paper` and `code` are addresses, `team` is who made it.
    """

    name: str
    training: tuple[str, ...] = ()
    description: str = ""
    team: str = ""
    paper: str = ""
    code: str = ""


@dataclass(frozen=True, order=True)
class Slot:
    """What one response is for."""

    system: str
    language: str
    track: str
    setting: str

    def __str__(self) -> str:
        return f"{self.system}: {self.language}/{self.track}/{self.setting}"


@dataclass(frozen=True)
class Subset:
    """Some documents of one language, by name; a name without its part means all parts."""

    name: str
    language: str
    documents: frozenset[str]

    def __contains__(self, document: object) -> bool:
        return bool(self.documents & {document, document_id(str(document))})


@dataclass(frozen=True)
class About:
    """What the page says of a task as a whole; `url` is an address, the others are texts."""

    description: str = ""
    organisers: str = ""
    date: str = ""
    licence: str = ""
    url: str = ""


@dataclass(frozen=True)
class Task:
    """A whole shared task.

    `folder` is where the manifest stands; paths are relative to it. The first of `tracks` and the
    setting named `official` make the ranking.
    """

    name: str
    folder: Path
    rank: str
    official: str
    tracks: tuple[str, ...]
    languages: Mapping[str, Language]
    settings: Mapping[str, Setting]
    systems: Mapping[str, Entrant]
    responses: Mapping[Slot, str]
    subsets: Mapping[str, Subset] = field(default_factory=dict)
    options: Options = field(default_factory=Options)
    samples: int = 10_000
    seed: int = 2012
    level: float = 0.95
    kind: Literal["language", "dataset"] = "language"
    about: About = field(default_factory=About)

    @property
    def of_datasets(self) -> bool:
        """Whether responses are for datasets, as at CRAC, and not for languages."""
        return self.kind == "dataset"

    @property
    def conditions(self) -> tuple[str, ...]:
        """What a response is for, as far as it varies: its dataset or language, track, setting."""
        if not self.of_datasets:
            return ("language", "track", "setting")
        return (self.kind, *(("track",) if len(self.tracks) > 1 else ()), "setting")

    def describe(self, slot: Slot) -> tuple[str, ...]:
        """The values of `conditions` for one response."""
        shown = {"language": slot.language, "dataset": slot.language}
        shown |= {"track": slot.track, "setting": slot.setting}
        return tuple(shown[name] for name in self.conditions)

    def where(self, language: str, track: str) -> str:
        """A heading for what was sent for a language or dataset in a track."""
        title = self.languages[language].title
        return title if "track" not in self.conditions else f"{title}, {track} track"

    def options_of(self, setting: str) -> Options:
        """How responses are scored in a setting."""
        return replace(self.options, **dict(self.settings[setting].scoring))  # type: ignore[arg-type]

    def path(self, name: str) -> str:
        """Where a file of the manifest is."""
        return str(self.folder / name)

    def settings_in_order(self) -> list[Setting]:
        """The settings as the tables list them: NB, GB, GM; predicted syntax before gold."""
        return sorted(self.settings.values(), key=lambda s: s.order)

    def slots(
        self,
        *,
        language: str | None = None,
        track: str | None = None,
        setting: str | None = None,
        system: str | None = None,
    ) -> list[Slot]:
        """The responses that there should be, as far as they fit."""
        wanted = {"language": language, "track": track, "setting": setting, "system": system}
        return [
            slot
            for slot in self.responses
            if all(v is None or getattr(slot, name) == v for name, v in wanted.items())
        ]

    def missing(self) -> list[Slot]:
        """What was not sent: languages that a system lacks in a track and setting it is in."""
        entered = dict.fromkeys((s.system, s.track, s.setting) for s in self.responses)
        return [
            slot
            for system, track, setting in entered
            for language in self.languages
            if (slot := Slot(system, language, track, setting)) not in self.responses
        ]


def read_manifest(path: str | PathLike[str], text: str | None = None) -> Task:
    """The task that a manifest describes; DataError with all that is wrong with it.

    `text` is what is going to be at the path, if it is not there yet.
    """
    reader = ManifestReader(Path(path), text)
    kind: Literal["language", "dataset"] = "dataset" if reader.top.has("datasets") else "language"
    languages = {
        name: Language(
            name,
            table.path("key"),
            table.text("letter", name if kind == "dataset" else name[:1].lower()),
            table.text("code", _code(name, kind)),
            kind == "dataset",
        )
        for name, table in reader.top.tables(f"{kind}s", needed=True)
    }
    settings = {
        name: Setting(
            name,
            table.choice("quality", QUALITIES, name if name in QUALITIES else "NB"),
            table.choice("train", SYNTAX, "predicted"),
            table.choice("test", SYNTAX, "predicted"),
        )
        for name, table in reader.top.tables("settings")
    } or {"NB": Setting("NB")}
    if kind == "dataset":
        settings = _ways_to_score(reader)
    tracks = reader.top.texts("tracks", ("closed", "open")) or ("closed",)
    if kind == "dataset":
        tracks = reader.top.texts("tracks", ("all",)) or ("all",)
    for name in (*languages, *settings, *tracks):
        reader.file_name(name, dots=False)
    systems: dict[str, Entrant] = {}
    responses: dict[Slot, str] = {}
    for name, table in reader.top.tables("systems", needed=True):
        reader.file_name(name)
        systems[name] = Entrant(
            name,
            table.texts("training"),
            *(table.text(key) for key in ("description", "team")),
            *(table.address(key) for key in ("paper", "code")),
        )
        for place, file in table.paths("responses"):
            if kind == "dataset":
                for parts in reader.places(place, languages, tracks, settings):
                    responses[Slot(name, *parts)] = file
            elif found := reader.place(place, (languages, tracks, settings)):
                responses[Slot(name, *found)] = file
    reader.distinct("letter", {n: language.letter for n, language in languages.items()})
    reader.distinct("setting", {n: " ".join(map(str, s.order)) for n, s in settings.items()})
    subsets = _subsets(reader, languages)
    reader.tables_differ(_table_names(languages, tracks, settings, systems, subsets))
    significance = reader.top.table("significance")
    task = Task(
        name=reader.top.text("name", needed=True),
        folder=reader.path.parent,
        rank=reader.top.text("rank", "conll"),
        official=reader.top.choice("official", settings, next(iter(settings))),
        tracks=tracks,
        languages=languages,
        settings=settings,
        systems=systems,
        responses=responses,
        subsets=subsets,
        options=reader.options(),
        samples=significance.number("samples", 10_000, most=MOST_SAMPLES),
        seed=significance.number("seed", 2012, least=0),
        level=significance.share("level", 0.95),
        kind=kind,
        about=About(
            description=reader.top.text("description"),
            organisers=reader.top.text("organisers"),
            date=reader.top.day("date"),
            licence=reader.top.text("licence"),
            url=reader.top.address("url"),
        ),
    )
    reader.finish()
    return task


def _ways_to_score(reader: ManifestReader) -> dict[str, Setting]:
    """The settings of a task of datasets: policies that differ from those of the profile."""
    found = {}
    for place, (name, table) in enumerate(reader.top.tables("settings")):
        scoring = tuple(
            (policy, table.choice(policy, POLICIES[policy], ""))
            for policy in ("match", "singletons", "zeros")
            if table.has(policy)
        )
        found[name] = Setting(name, scoring=scoring, place=place)
    return found or {"official": Setting("official")}


def _code(name: str, kind: str) -> str:
    """The code of a language; datasets of CorefUD begin with it."""
    if kind == "dataset" and "_" in name:
        return name.partition("_")[0]
    return CODES.get(name.lower(), "und")


def _subsets(reader: ManifestReader, languages: Iterable[str]) -> dict[str, Subset]:
    found = {}
    for name, table in reader.top.tables("subsets"):
        reader.file_name(name)
        language = table.choice("language", languages, next(iter(languages), ""))
        found[name] = Subset(name, language, frozenset(table.lines("documents")))
    return found


def _table_names(
    languages: Iterable[str],
    tracks: Collection[str],
    settings: Iterable[str],
    systems: Collection[str],
    subsets: Iterable[str],
) -> Iterator[tuple[str, str]]:
    """The names of all tables that a run may write, and what each is of."""
    yield "problems", "the problems"
    yield "ranking", "the ranking"
    yield from ((f"overview-{setting}", f"setting {setting!r}") for setting in settings)
    for kind in ("genres", "system"):
        yield from ((f"{kind}-{system}", f"system {system!r}") for system in systems)
    for language in languages:
        yield f"by-genre-{language}", f"language {language!r}"
        for track in tracks:
            for kind in ("", "significance-", "pairs-"):
                yield f"{kind}{language}-{track}", f"language {language!r}, track {track!r}"
    for subset in subsets:
        for track in tracks:
            yield f"subset-{subset}-{track}", f"subset {subset!r}, track {track!r}"

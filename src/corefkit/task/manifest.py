"""The manifest of a shared task: who sent which file for which language, track and setting.

A TOML file, described in docs/task.md. Everything that is wrong with it is told at once.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

from corefkit.data.document_names import document_id
from corefkit.data.options import MOST_SAMPLES, Options
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
    """A language and its key; `letter` begins the ids of its rows."""

    name: str
    key: str
    letter: str
    code: str

    @property
    def title(self) -> str:
        """The name as a heading."""
        return self.name[:1].upper() + self.name[1:]


@dataclass(frozen=True)
class Setting:
    """What systems were given: mention quality, and syntax in training and in test."""

    name: str
    quality: str = "NB"
    train: str = "predicted"
    test: str = "predicted"

    @property
    def syntax(self) -> tuple[str, str]:
        """Where the parses came from, in training and in test."""
        return self.train, self.test

    @property
    def order(self) -> tuple[int, int, int]:
        """The order of blocks in a table: by quality, then training, then test syntax."""
        kinds = list(SYNTAX)
        return list(QUALITIES).index(self.quality), kinds.index(self.train), kinds.index(self.test)


@dataclass(frozen=True)
class Entrant:
    """A participating system; `training` names what its final model was trained on."""

    name: str
    training: tuple[str, ...] = ()
    description: str = ""


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
    languages = {
        name: Language(
            name,
            table.path("key"),
            table.text("letter", name[:1].lower()),
            table.text("code", CODES.get(name.lower(), "und")),
        )
        for name, table in reader.top.tables("languages", needed=True)
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
    tracks = reader.top.texts("tracks", ("closed", "open")) or ("closed",)
    for name in (*languages, *settings, *tracks):
        reader.file_name(name, dots=False)
    systems: dict[str, Entrant] = {}
    responses: dict[Slot, str] = {}
    for name, table in reader.top.tables("systems", needed=True):
        reader.file_name(name)
        systems[name] = Entrant(name, table.texts("training"), table.text("description", ""))
        for place, file in table.paths("responses"):
            if parts := reader.place(place, (languages, tracks, settings)):
                responses[Slot(name, *parts)] = file
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
    )
    reader.finish()
    return task


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

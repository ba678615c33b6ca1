"""The manifest of a shared task: a TOML file, described in docs/task.md.

Everything that is wrong with it is reported at once.
"""

from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import Literal

from corefkit.data.options import MOST_SAMPLES, POLICIES
from corefkit.task.reading import ManifestReader
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

CODES = {
    "arabic": "ar", "chinese": "zh", "english": "en", "german": "de", "french": "fr",
    "spanish": "es", "dutch": "nl", "italian": "it", "catalan": "ca", "czech": "cs",
    "hebrew": "he", "japanese": "ja", "korean": "ko", "polish": "pl", "russian": "ru",
    "turkish": "tr", "hungarian": "hu", "lithuanian": "lt", "norwegian": "no", "persian": "fa",
}  # fmt: skip
"""BCP 47 codes of languages by name; the page needs them to show text rightly."""


def read_manifest(path: str | PathLike[str], text: str | None = None) -> Task:
    """The task that a manifest describes; DataError with all that is wrong with it.

    `text` is what is going to be at the path, if it is not there yet.
    """
    reader = ManifestReader(Path(path), text)
    kind: Literal["language", "dataset"] = "dataset" if reader.top.has("datasets") else "language"
    of_datasets = kind == "dataset"
    languages = {
        name: Language(
            name,
            name if of_datasets else name[:1].upper() + name[1:],
            table.path("key"),
            table.text("letter", name if of_datasets else name[:1].lower()),
            table.text("code", _code(name, kind)),
        )
        for name, table in reader.top.tables(f"{kind}s", needed=True)
    }
    settings = _ways_to_score(reader) if of_datasets else _given(reader)
    usual = ("all",) if of_datasets else ("closed", "open")
    tracks = reader.top.texts("tracks", usual) or usual[:1]
    for name in (*languages, *settings, *tracks):
        reader.file_name(name, dots=False)
    known = {"language": languages, "track": tracks, "setting": settings}
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
            if of_datasets:
                found = reader.dataset(place, {"dataset": [*languages], "track": tracks})
                responses |= {Slot(name, *(*found, s)): file for s in settings if found}
            elif found := reader.place(place, known):
                responses[Slot(name, *found)] = file
    reader.distinct("letter", {n: language.letter for n, language in languages.items()})
    reader.distinct("setting", {n: " ".join(map(str, s.order)) for n, s in settings.items()})
    subsets = _subsets(reader, languages)
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
    reader.tables_differ(_table_names(task))
    reader.finish()
    return task


def _given(reader: ManifestReader) -> dict[str, Setting]:
    """The settings of a task of languages: what systems were given."""
    found = {
        name: Setting(
            name,
            table.choice("quality", QUALITIES, name if name in QUALITIES else "NB"),
            table.choice("train", SYNTAX, "predicted"),
            table.choice("test", SYNTAX, "predicted"),
        )
        for name, table in reader.top.tables("settings")
    }
    return found or {"NB": Setting("NB")}


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
    for subset in task.subsets:
        for track in task.tracks:
            yield f"subset-{subset}-{track}", f"subset {subset!r}, track {track!r}"

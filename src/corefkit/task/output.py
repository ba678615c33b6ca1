"""Everything that a run of a task writes: tables, pictures, significance, one JSON and the page."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from corefkit._version import __version__
from corefkit.core.texts import to_json
from corefkit.render.pages.task import SystemSection, TaskPage, render_task_page
from corefkit.render.pages.task.passages import KeyExcerpt, passages
from corefkit.render.scores import system_dict
from corefkit.render.table import SUFFIXES, Table, render_table
from corefkit.scorers.signature import signature
from corefkit.scoring.hashes import NOTHING, hash_files
from corefkit.task import tables
from corefkit.task.figures import CAPTIONS
from corefkit.task.parts import leads_out, sweep, write_file
from corefkit.task.results import TaskRun
from corefkit.task.shared_task import Slot, Subset, Task

PARTS = "parts"
"""Where in the folder of a run the counts of each response are kept."""

_OURS = re.compile(r"(tables|significance|figures|reports)/[^/\0]+")
"""Files that a run may remove when a later one does not write them."""

_MOST_TOKENS = 150
"""So many tokens of each key are shown on the page; never a large part of a corpus."""


def write_run(
    run: TaskRun,
    folder: Path,
    pictures: Mapping[str, Mapping[str, bytes]],
    error_pages: Mapping[Slot, str],
) -> None:
    """Write all files below the folder, each complete or not at all, the page last.

    `error_pages` are the pages of errors that were written there.
    """
    shown = _tables(run)
    whole = task_dict(run)
    files: dict[str, str | bytes] = {
        f"tables/{table.name}.{suffix}": render_table(table, form)
        for table in shown.values()
        for form, suffix in SUFFIXES.items()
    }
    tested = whole["significance"]
    files |= {f"significance/{name}.json": to_json(data, None) for name, data in tested.items()}
    files |= {
        f"figures/{name}.{form}": picture
        for name, forms in pictures.items()
        for form, picture in forms.items()
    }
    old = _recorded(folder)
    sweep(folder / name for name in (*files, *old, "task.json", "index.html"))
    for name, content in files.items():
        write_file(folder / name, content)
    for name in old - files.keys() - set(error_pages.values()):
        (folder / name).unlink(missing_ok=True)
    listed = [*files, *error_pages.values()]
    write_file(folder / "task.json", to_json({**whole, "files": listed}, None))
    drawings = {name: forms["svg"].decode() for name, forms in pictures.items()}
    page = _page(run, shown, drawings, error_pages)
    write_file(folder / "index.html", render_task_page(page))


def render_alone(run: TaskRun) -> str:
    """The page of a run that no files stand beside; it shows nothing of the keys."""
    return render_task_page(_page(run, _tables(run), {}, None))


def _tables(run: TaskRun) -> dict[str, Table]:
    """All tables by name: the ranking, those of the paper, and those that only the page shows."""
    made = [tables.ranking_table(run), *tables.all_tables(run)]
    for (track, language), comparison in run.comparisons.items():
        made.append(tables.significance_table(run, track, language))
        if comparison.pairs:
            made.append(tables.pair_table(run, track, language))
    made += filter(None, (tables.genre_matrix(run, name) for name in run.task.languages))
    made += [tables.system_table(run, system) for system in run.task.systems]
    return {table.name: table for table in made}


def _page(
    run: TaskRun,
    shown: Mapping[str, Table],
    drawings: Mapping[str, str],
    error_pages: Mapping[Slot, str] | None,
) -> TaskPage:
    """What the page shows; `shown` are all tables by name.

    For None as `error_pages` the page stands alone: it links to no file and shows no key.
    """
    task, about = run.task, run.task.about
    facts = {"Organisers": about.organisers, "Date": about.date, "Licence": about.licence}
    some = partial(_existing, shown)
    overviews = [name for name in shown if name.startswith("overview-")]
    places = [f"{language}-{track}" for track, language in run.comparisons]
    track = f"{task.tracks[0]} track, " if "track" in task.conditions else ""
    return TaskPage(
        name=task.name,
        description=about.description,
        url=about.url,
        facts={name: value for name, value in facts.items() if value},
        summary=f"{len(task.systems)} systems, {len(task.responses)} responses, "
        f"{len(task.languages)} {task.kind}s. "
        f"Ranked by {task.rank}, {track}setting {task.official}.",
        setting=task.official,
        rank=task.rank,
        level=task.level,
        samples=task.samples,
        seed=task.seed,
        signature=signature(task.options),
        ranking=shown["ranking"],
        other_settings=some(name for name in overviews if name != f"overview-{task.official}"),
        details=some(f"{x}-{track}" for track in task.tracks for x in task.languages),
        comparisons={p: some((f"significance-{p}", f"pairs-{p}")) for p in places},
        genres=some(f"by-genre-{x}" for x in task.languages),
        subsets=some(name for name in shown if name.startswith("subset-")),
        systems=list(_system_sections(run, shown, error_pages or {})),
        problems=shown.get("problems"),
        pictures=drawings,
        captions=CAPTIONS,
        excerpts=[] if error_pages is None else _excerpts(run),
        files=error_pages is not None,
    )


def _system_sections(
    run: TaskRun, shown: Mapping[str, Table], error_pages: Mapping[Slot, str]
) -> Iterator[SystemSection]:
    """The systems as the page shows them, the best first."""
    task = run.task
    for place, standing in enumerate(run.standings(), 1):
        name = standing.system
        entrant = task.systems[name]
        parts = [f"{s.language}.{s.track}.{s.setting}" for s in task.slots(system=name)]
        yield SystemSection(
            name=name,
            place=place,
            official=standing.official,
            description=entrant.description,
            team=entrant.team,
            paper=entrant.paper,
            code=entrant.code,
            tables=_existing(shown, (f"system-{name}", f"genres-{name}")),
            reports=[
                (f"Errors: {task.where(slot.language, slot.track)}", path)
                for slot, path in error_pages.items()
                if slot.system == name
            ],
            parts=[(part, f"{PARTS}/{name}/{part}.json") for part in parts],
        )


def _excerpts(run: TaskRun) -> list[KeyExcerpt]:
    """The beginning of each key whose words can be shown."""
    excerpts = []
    for name, language in run.task.languages.items():
        if shown := tuple(passages(run.keys[name].scored, _MOST_TOKENS)):
            excerpts.append(KeyExcerpt(language.title, language.code, shown))
    return excerpts


def _existing(shown: Mapping[str, Table], names: Iterable[str]) -> list[Table]:
    """The tables of these names that there are."""
    return [shown[name] for name in names if name in shown]


def _recorded(folder: Path) -> set[str]:
    """The files that the last run into a folder says it wrote; names that lead elsewhere not."""
    try:
        names = json.loads((folder / "task.json").read_text(encoding="utf-8"))["files"]
        return {name for name in names if _OURS.fullmatch(name)}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return set()


def task_dict(run: TaskRun) -> dict[str, Any]:
    """The whole run as plain dicts and lists, nothing rounded, with the hashes of all files."""
    task = run.task
    significance = {f"{x}-{track}": c.to_dict() for (track, x), c in run.comparisons.items()}
    if run.official_comparison:
        significance["official"] = run.official_comparison.to_dict()
    return {
        "version": __version__,
        "signature": signature(task.options),
        "name": task.name,
        "manifest": {"path": task.manifest, **_hash(task, task.manifest)},
        "about": asdict(task.about),
        "rank": task.rank,
        "official": {"track": task.tracks[0], "setting": task.official},
        "tracks": list(task.tracks),
        f"{task.kind}s": {
            name: {
                "key": language.key,
                **_hash(task, language.key),
                **run.keys[name].size._asdict(),
            }
            for name, language in task.languages.items()
        },
        "settings": {
            s.name: dict(s.scoring) if task.of_datasets else s.given
            for s in task.settings_in_order()
        },
        "systems": {
            name: {k: v for k, v in asdict(entrant).items() if k != "name"}
            for name, entrant in task.systems.items()
        },
        "ranking": [
            {"system": s.system, "official": s.official, f"{task.kind}s": dict(s.figures)}
            for s in run.standings()
        ],
        "responses": [_response(run, slot) for slot in task.responses],
        "subsets": {name: _subset(run, subset) for name, subset in task.subsets.items()},
        "missing": [_described(task, slot) for slot in task.missing()],
        "significance": significance,
    }


def _hash(task: Task, name: str) -> dict[str, Any]:
    """The hash of a file of the manifest; none where a link leads out of the folder of the task."""
    found = NOTHING if leads_out(task.folder, name) else hash_files(task.path(name))
    return found.to_dict()


def _described(task: Task, slot: Slot) -> dict[str, str]:
    """What a response is for, in the words of the task."""
    return {"system": slot.system, **dict(zip(task.conditions, task.describe(slot), strict=True))}


def _response(run: TaskRun, slot: Slot) -> dict[str, Any]:
    result = run.results[slot]
    return {
        **_described(run.task, slot),
        "file": result.path,
        **_hash(run.task, run.task.responses[slot]),
        **system_dict(result, None if run.task.of_datasets else "genre"),
        "incidents": [incident.to_dict() for incident in result.incidents],
    }


def _subset(run: TaskRun, subset: Subset) -> dict[str, Any]:
    responses = [
        {**asdict(slot), "scores": tables.select(scores, subset).to_dict()}
        for slot in run.task.slots(language=subset.language)
        if (scores := run.results[slot].scores)
    ]
    documents = sorted(subset.documents)
    return {"language": subset.language, "documents": documents, "responses": responses}

"""Everything a task run writes: tables, pictures, significance, one JSON and the page."""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from corefkit._version import __version__
from corefkit.data.table import Table
from corefkit.data.texts import to_json
from corefkit.formats.files import write_atomically
from corefkit.profiles.signature import signature
from corefkit.render.tables import SUFFIXES, render_table
from corefkit.stats.significance import Comparison
from corefkit.task import views
from corefkit.task.figures import FORMATS, TITLES
from corefkit.task.manifest import Slot, Subset
from corefkit.task.run import Outcome
from corefkit.task.tables import all_tables, select, standings

PARTS = "parts"
"""Where in the folder of a run the counts of each response are kept."""


def write_report(
    outcome: Outcome, folder: Path, pictures: Mapping[str, Mapping[str, bytes]]
) -> None:
    """Write all files below the folder, each complete or not at all, the page last."""
    from corefkit.task.page import render_page

    compared = views.comparisons(outcome)
    tables = {table.name: table for table in (*all_tables(outcome), *_more(outcome, compared))}
    for table in tables.values():
        for form, suffix in SUFFIXES.items():
            _write(folder / "tables" / f"{table.name}.{suffix}", render_table(table, form))
    tested = {f"{language}-{track}": c.to_dict() for (track, language), c in compared.items()}
    for name, data in tested.items():
        _write_json(folder / "significance" / f"{name}.json", data)
    for name, forms in pictures.items():
        for form, picture in forms.items():
            _write(folder / "figures" / f"{name}.{form}", picture)
    files = [f"tables/{name}.{suffix}" for name in tables for suffix in SUFFIXES.values()]
    files += [f"significance/{name}.json" for name in tested]
    _remove_old(
        folder, {*files, *(f"figures/{n}.{f}" for n, forms in pictures.items() for f in forms)}
    )
    _write_json(folder / "task.json", {**task_dict(outcome, tested), "files": files})
    drawn = {name: forms["svg"].decode() for name, forms in pictures.items()}
    _write(folder / "index.html", render_page(outcome, tables, compared, drawn))


def _remove_old(folder: Path, written: Collection[str]) -> None:
    """Remove what an earlier run wrote and this one did not, and no file of anybody else."""
    try:
        old = json.loads((folder / "task.json").read_text(encoding="utf-8"))["files"]
        names = [name for name in old if re.fullmatch(r"(tables|significance)/[^/\0]+", name)]
    except (OSError, ValueError, KeyError, TypeError):
        names = []
    names += [f"figures/{name}.{form}" for name in TITLES for form in FORMATS]
    for name in set(names) - set(written):
        (folder / name).unlink(missing_ok=True)


def _more(outcome: Outcome, compared: Mapping[tuple[str, str], Comparison]) -> Iterator[Table]:
    """The tables that the page shows besides those of the paper."""
    for (track, language), found in compared.items():
        yield views.significance_table(outcome, track, language, found)
        if found.pairs:
            yield views.pair_table(outcome, track, language, found)
    for language in outcome.task.languages:
        if table := views.genre_matrix(outcome, language):
            yield table
    for system in outcome.task.systems:
        yield views.system_table(outcome, system)


def task_dict(outcome: Outcome, significance: Mapping[str, Any]) -> dict[str, Any]:
    """The whole run as plain dicts and lists, nothing rounded."""
    task = outcome.task
    return {
        "version": __version__,
        "signature": signature(task.options),
        "name": task.name,
        "rank": task.rank,
        "official": {"track": task.tracks[0], "setting": task.official},
        "tracks": list(task.tracks),
        "languages": {
            name: {
                "key": language.key,
                "documents": len(outcome.keys[name].scored.names),
                "mentions": outcome.keys[name].scored.mentions,
                "entities": outcome.keys[name].scored.entities,
            }
            for name, language in task.languages.items()
        },
        "settings": {
            s.name: {"quality": s.quality, "train": s.train, "test": s.test}
            for s in task.settings_in_order()
        },
        "systems": {
            name: {"training": list(entrant.training), "description": entrant.description}
            for name, entrant in task.systems.items()
        },
        "ranking": [
            {"system": s.system, "official": s.official, "languages": dict(s.figures)}
            for s in standings(outcome)
        ],
        "responses": [_response(outcome, slot) for slot in task.responses],
        "subsets": {name: _subset(outcome, subset) for name, subset in task.subsets.items()},
        "missing": [asdict(slot) for slot in task.missing()],
        "significance": significance,
    }


def _response(outcome: Outcome, slot: Slot) -> dict[str, Any]:
    result = outcome.results[slot]
    scores = result.scores
    groups = scores.by("genre") if scores else {}
    return {
        **asdict(slot),
        "file": result.file,
        "scores": scores.to_dict() if scores else None,
        "groups": {genre: {"scores": part.to_dict()} for genre, part in groups.items()},
        "documents": result.documents,
        "mentions": result.mentions,
        "entities": result.entities,
        "incidents": [incident.to_dict() for incident in result.incidents],
    }


def _subset(outcome: Outcome, subset: Subset) -> dict[str, Any]:
    responses = [
        {**asdict(slot), "scores": select(scores, subset).to_dict()}
        for slot in outcome.task.slots(language=subset.language)
        if (scores := outcome.results[slot].scores)
    ]
    documents = sorted(subset.documents)
    return {"language": subset.language, "documents": documents, "responses": responses}


def _write_json(path: Path, data: Mapping[str, Any]) -> None:
    # Without indentation: that is ten times as fast, and these files are for programs.
    _write(path, to_json(data, None))


def _write(path: Path, data: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(str(path), data.encode() if isinstance(data, str) else data)


def sweep(folder: Path) -> None:
    """Remove what a killed run was writing: hidden halves of files, never whole ones."""
    for inner in ("tables", "significance", "figures", f"{PARTS}/*"):
        for half in folder.glob(f"{inner}/.*.*"):
            half.unlink(missing_ok=True)
    for name in ("task.json", "index.html"):
        for half in folder.glob(f".{name}.*"):
            half.unlink(missing_ok=True)

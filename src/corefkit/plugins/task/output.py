"""Everything that a run of a task writes: tables, pictures, tests, task.json and the page."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from corefkit.core.results import result_json
from corefkit.plugins.task import tables
from corefkit.plugins.task.page import task_page
from corefkit.plugins.task.page_html import render_task_page
from corefkit.plugins.task.parts import sweep, write_file
from corefkit.plugins.task.results import OFFICIAL, TaskRun, day_of_run
from corefkit.plugins.task.shared_task import Slot, Subset, Task
from corefkit.render.table import Table, render_table
from corefkit.scorers.signature import signature
from corefkit.scoring.hashes import NOTHING, FileHash, hash_files

_OURS = re.compile(r"(tables|significance|figures|reports)/[^/\0]+")
"""Files of an earlier run that a later run removes if it does not write them itself."""


def write_run(
    run: TaskRun,
    folder: Path,
    pictures: Mapping[str, Mapping[str, bytes]],
    error_pages: Mapping[Slot, str],
) -> None:
    """Write all files below the folder, each complete or not at all, the page last.

    `error_pages` names the error pages that are already there.
    """
    tables_by_name = _tables(run)
    content = task_dict(run)
    files: dict[str, str | bytes] = {
        f"tables/{table.name}.{suffix}": render_table(table, form)
        for table in tables_by_name.values()
        for form, suffix in tables.SUFFIXES.items()
    }
    comparisons = content["significance"]
    files |= {
        f"significance/{name}.json": result_json("comparison", d, indent=None)
        for name, d in comparisons.items()
    }
    files |= {
        f"figures/{name}.{form}": picture
        for name, forms in pictures.items()
        for form, picture in forms.items()
    }
    old = _recorded(folder)
    sweep(folder / name for name in (*files, *old, "task.json", "index.html"))
    for name in old - files.keys() - set(error_pages.values()):
        (folder / name).unlink(missing_ok=True)
    listed = [*files, *error_pages.values()]
    files["task.json"] = result_json("task", {**content, "files": listed}, indent=None)
    files["index.html"] = render_task_page(task_page(run, tables_by_name, listed, error_pages))
    for name, data in files.items():
        write_file(folder / name, data)


def render_alone(run: TaskRun) -> str:
    """The page of a run as a single file: without links to other files and texts of keys."""
    return render_task_page(task_page(run, _tables(run), (), None))


def _tables(run: TaskRun) -> dict[str, Table]:
    """All tables by name: the ranking, those of the paper, and those that only the page shows."""
    all_tables = [tables.ranking_table(run), *tables.all_tables(run)]
    for (track, language), comparison in run.comparisons.items():
        all_tables.append(tables.significance_table(run, track, language))
        if comparison.pairs:
            all_tables.append(tables.pair_table(run, track, language))
    all_tables += filter(None, [tables.official_pairs(run)])
    all_tables += filter(None, (tables.genre_matrix(run, name) for name in run.task.languages))
    all_tables += [tables.system_table(run, system) for system in run.task.systems]
    return {table.name: table for table in all_tables}


def _recorded(folder: Path) -> set[str]:
    """The files that the last run recorded in task.json, if they are in one of our folders."""
    try:
        names = json.loads((folder / "task.json").read_text(encoding="utf-8"))["files"]
        return {name for name in names if _OURS.fullmatch(name)}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return set()


def task_dict(run: TaskRun) -> dict[str, Any]:
    """The whole run as plain dicts and lists, unrounded, with the hashes of all files."""
    task = run.task
    comparisons = {
        f"{language}-{track}": tests for (track, language), tests in run.comparisons.items()
    }
    if run.official_comparison:  # with one language this is the same object
        comparisons[OFFICIAL] = run.official_comparison
    distinct = {id(tests): tests for tests in comparisons.values()}
    dicts = {identity: tests.to_dict() for identity, tests in distinct.items()}
    return {
        "signature": signature(task.options),
        "name": task.name,
        "manifest": {"path": task.manifest, **_hash(task, task.manifest)},
        "about": asdict(task.about),
        "day": day_of_run(),
        "rank": task.rank,
        "official": {"track": task.tracks[0], "setting": task.official},
        "tracks": list(task.tracks),
        f"{task.kind}s": {
            name: {
                "key": language.key,
                **_hash(task, language.key, known=run.key_hashes.get(name)),
                **run.keys[name].size._asdict(),
            }
            for name, language in task.languages.items()
        },
        "settings": {
            setting.name: dict(setting.conditions) for setting in task.settings_in_order()
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
        "significance": {name: dicts[id(tests)] for name, tests in comparisons.items()},
    }


def _hash(task: Task, name: str, known: FileHash | None = None) -> dict[str, Any]:
    """The hash of a file that the manifest names, or no hash if it is reached through a link.

    `known` is the hash if it was computed when the file was read.
    """
    if task.leads_out(name):
        return NOTHING.to_dict()
    return (known or hash_files(task.path(name))).to_dict()


def _described(task: Task, slot: Slot) -> dict[str, str]:
    """What a response is for: system, language or dataset, track and setting."""
    track = {} if task.of_datasets and len(task.tracks) < 2 else {"track": slot.track}
    return {"system": slot.system, task.kind: slot.language, **track, "setting": slot.setting}


def _response(run: TaskRun, slot: Slot) -> dict[str, Any]:
    result = run.results[slot]
    return {
        **_described(run.task, slot),
        "file": result.path,
        **_hash(run.task, run.task.responses[slot], known=result.known_hash),
        **result.divided(None if run.task.of_datasets else "genre").to_dict(),
        "incidents": [run.task.publish(incident).to_dict() for incident in result.incidents],
    }


def _subset(run: TaskRun, subset: Subset) -> dict[str, Any]:
    responses = [
        {**asdict(slot), "scores": tables.select(scores, subset).to_dict()}
        for slot in run.task.slots(language=subset.language)
        if (scores := run.results[slot].scores)
    ]
    documents = sorted(subset.documents)
    return {"language": subset.language, "documents": documents, "responses": responses}

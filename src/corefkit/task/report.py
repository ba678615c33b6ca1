"""Everything a task run writes: tables, pictures, significance, one JSON and the page.

A page of errors for each response of the official setting: `task run --reports`.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from corefkit import metrics
from corefkit._version import __version__
from corefkit.core.incidents import DataError
from corefkit.core.names import Response
from corefkit.core.options import Options, UsageError
from corefkit.core.texts import to_json
from corefkit.metrics.base import OverlapMetric
from corefkit.render.scores import system_dict
from corefkit.render.table import SUFFIXES, Table, render_table
from corefkit.scorers.signature import signature
from corefkit.task import tables as views
from corefkit.task.page import render_page
from corefkit.task.parts import leads_out, sweep, write_file
from corefkit.task.run import Outcome, Progress
from corefkit.task.shared_task import Slot, Subset, Task
from corefkit.task.tables import all_tables, select, standings

_SHARED_OUT = "conll"
"""Whose lost points a page shares out where the metric that ranks is not one of entities."""


def report_name(task: Task, slot: Slot) -> str:
    """The file of a page: the system, and language (or dataset) and track where there are several.

    >>> from corefkit.task.manifest import read_manifest
    >>> task = read_manifest("examples/task/task.toml")
    >>> report_name(task, Slot("heron", "english", "closed", "NB"))
    'reports/heron.english.closed.html'
    """
    parts = [slot.system]
    parts += [slot.language] if len(task.languages) > 1 else []
    parts += [slot.track] if len(task.tracks) > 1 else []
    return f"reports/{'.'.join(parts)}.html"


def reported(outcome: Outcome) -> list[Slot]:
    """The responses that there are pages of: in the official setting, scored, and no links.

    A file that a link leads to is not published, and a page would show what is in it.
    """
    task = outcome.task
    return [
        slot
        for slot in task.slots(setting=task.official)
        if outcome.results[slot].scores and not leads_out(task.folder, task.responses[slot])
    ]


def make_reports(outcome: Outcome) -> Iterator[tuple[Slot, str]]:
    """The page of each response, one after another; UsageError where the options allow none."""
    from corefkit.render.pages.report import render_report
    from corefkit.scoring.errors import find_errors

    task = outcome.task
    options = _options(task)
    for slot in reported(outcome):
        key = outcome.keys[slot.language].corpus
        response = [Response(task.path(task.responses[slot]), slot.system)]
        try:
            yield slot, render_report(find_errors(key, response, options))
        except DataError:  # the file was changed while the task ran
            continue


def _options(task: Task) -> Options:
    parts = metrics.counted([task.rank])
    fits = all(isinstance(metrics.get(name), OverlapMetric) for name in parts)
    options = replace(task.options_of(task.official), metrics=(task.rank if fits else _SHARED_OUT,))
    from corefkit.scoring.errors import check_options

    try:
        check_options(options)
    except UsageError as error:
        raise UsageError(f"no reports: {error}") from None
    return options


PARTS = "parts"
"""Where in the folder of a run the counts of each response are kept."""

_OURS = re.compile(r"(tables|significance|figures|reports)/[^/\0]+")
"""Files that a run may remove when a later one does not write them."""


def write_report(
    outcome: Outcome,
    folder: Path,
    pictures: Mapping[str, Mapping[str, bytes]],
    reports: Mapping[Slot, str],
    tests: views.Tested,
) -> None:
    """Write all files below the folder, each complete or not at all, the page last.

    `reports` are pages of errors that were written there; `tests` is what `views.run_tests` found.
    """
    tables = _tables(outcome, tests)
    tested = {f"{language}-{track}": c.to_dict() for (track, language), c in tests.places.items()}
    if tests.official:
        tested["official"] = tests.official.to_dict()
    files: dict[str, str | bytes] = {
        f"tables/{table.name}.{suffix}": render_table(table, form)
        for table in tables.values()
        for form, suffix in SUFFIXES.items()
    }
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
    for name in old - files.keys() - set(reports.values()):
        (folder / name).unlink(missing_ok=True)
    whole = {**task_dict(outcome, tested), "files": [*files, *reports.values()]}
    write_file(folder / "task.json", to_json(whole, None))
    drawn = {name: forms["svg"].decode() for name, forms in pictures.items()}
    page = render_page(outcome, tables, tests.places, drawn, reports)
    write_file(folder / "index.html", page)


def render_alone(outcome: Outcome) -> str:
    """The page of a run that no files stand beside; it shows nothing of the keys."""
    tests = views.run_tests(outcome)
    return render_page(outcome, _tables(outcome, tests), tests.places, {}, None)


def _tables(outcome: Outcome, tests: views.Tested) -> dict[str, Table]:
    """All tables by name: the ranking, those of the paper, and those that only the page shows."""
    made = [views.ranking_table(outcome, tests.official), *all_tables(outcome)]
    for (track, language), found in tests.places.items():
        made.append(views.significance_table(outcome, track, language, found))
        if found.pairs:
            made.append(views.pair_table(outcome, track, language, found))
    made += filter(None, (views.genre_matrix(outcome, name) for name in outcome.task.languages))
    made += [views.system_table(outcome, system) for system in outcome.task.systems]
    return {table.name: table for table in made}


def write_reports(outcome: Outcome, folder: Path, progress: Progress) -> dict[Slot, str]:
    """Write the pages of errors below the folder, one at a time; their names."""
    written: dict[Slot, str] = {}
    total = len(reported(outcome))
    sweep(folder / report_name(outcome.task, slot) for slot in reported(outcome))
    for slot, page in make_reports(outcome):
        written[slot] = report_name(outcome.task, slot)
        write_file(folder / written[slot], page)
        progress(len(written), total)
    return written


def _recorded(folder: Path) -> set[str]:
    """The files that the last run into a folder says it wrote; names that lead elsewhere not."""
    try:
        names = json.loads((folder / "task.json").read_text(encoding="utf-8"))["files"]
        return {name for name in names if _OURS.fullmatch(name)}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return set()


def task_dict(outcome: Outcome, significance: Mapping[str, Any]) -> dict[str, Any]:
    """The whole run as plain dicts and lists, nothing rounded."""
    task = outcome.task
    return {
        "version": __version__,
        "signature": signature(task.options),
        "name": task.name,
        "about": asdict(task.about),
        "rank": task.rank,
        "official": {"track": task.tracks[0], "setting": task.official},
        "tracks": list(task.tracks),
        f"{task.kind}s": {
            name: {"key": language.key, **outcome.keys[name].size._asdict()}
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
            for s in standings(outcome)
        ],
        "responses": [_response(outcome, slot) for slot in task.responses],
        "subsets": {name: _subset(outcome, subset) for name, subset in task.subsets.items()},
        "missing": [_said(task, slot) for slot in task.missing()],
        "significance": significance,
    }


def _said(task: Task, slot: Slot) -> dict[str, str]:
    """What a response is for, in the words of the task."""
    return {"system": slot.system, **dict(zip(task.conditions, task.describe(slot), strict=True))}


def _response(outcome: Outcome, slot: Slot) -> dict[str, Any]:
    result = outcome.results[slot]
    return {
        **_said(outcome.task, slot),
        "file": result.path,
        **system_dict(result, None if outcome.task.of_datasets else "genre"),
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

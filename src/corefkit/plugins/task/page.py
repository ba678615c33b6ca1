"""The content of the page of a task: rankings, charts, tables, systems, problems, files.

There is one ranking per track and setting; the official one has intervals. As in all tables,
systems are in the order of `corefkit.plugins.task.results.ranking`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from corefkit.core.texts import count_of
from corefkit.metrics import title_of
from corefkit.plugins.task.figures import charts
from corefkit.plugins.task.page_html import KeyExcerpt, SystemSection, passages
from corefkit.plugins.task.page_layout import (
    RankedCell,
    RankedSystem,
    RankingView,
    group_lines,
    heat,
)
from corefkit.plugins.task.parts import PARTS
from corefkit.plugins.task.results import Standing, TaskRun, day_of_run, ranking
from corefkit.plugins.task.shared_task import Slot, Task
from corefkit.plugins.task.tables import problem_rows, sentences
from corefkit.render.table import Table, mark_best
from corefkit.scorers.signature import signature
from corefkit.stats.compare import Significance, significant
from corefkit.stats.resampling import smallest_p

_MOST_TOKENS = 150
"""How many tokens of each key the page shows: never a large part of a corpus."""


def task_page(
    run: TaskRun,
    shown: Mapping[str, Table],
    files: Iterable[str],
    error_pages: Mapping[Slot, str] | None,
) -> dict[str, Any]:
    """What the page of a run shows, under the names in its template.

    `shown` has all tables by name, `files` the paths of files beside it. If `error_pages` is None,
    the page stands alone: it links to no file and shows no key. `sections` are those that are not
    empty.
    """
    task, about = run.task, run.task.about
    facts = {
        "Organisers": about.organisers,
        "Date": about.date,
        "Licence": about.licence,
        "Scored on": day_of_run(),
    }
    existing, stands_alone = partial(_existing, shown), error_pages is None
    sections: dict[str, Any] = {
        "rankings": rankings(run),
        "charts": charts(run),
        "details": existing(f"{x}-{track}" for track in task.tracks for x in task.languages),
        "comparisons": {
            f"{language}-{track}": (
                intervals(run, track, language),
                existing([f"pairs-{language}-{track}"]),
            )
            for track, language in run.comparisons
        },
        "genres": existing(f"by-genre-{x}" for x in task.languages),
        "strata": existing(f"{name}-{x}" for name in task.divisions for x in task.languages),
        "subsets": existing(name for name in shown if name.startswith("subset-")),
        "systems": list(_system_sections(run, shown, error_pages or {})),
        "problems": shown.get("problems"),
        "excerpts": _excerpts(run) if task.show_texts and not stands_alone else [],
        "cite": True,
        "downloads": {} if stands_alone else _downloads(run, files),
    }
    return {
        **sections,
        "sections": [_ANCHORS.get(name, name) for name, content in sections.items() if content],
        "task": task,
        "facts": {name: value for name, value in facts.items() if value},
        "summary": _summary(run),
        "signature": signature(task.options),
        "official_pairs": shown.get("pairs-official"),
        "zeros": shown.get("overview-zero"),
        "problem_ids": [
            problem_id(task, slot)
            for block in problem_rows(task, run.incidents)
            for slot, _ in block
        ],
        "files": not stands_alone,
        "linked": {*files},
    }


_ANCHORS = {
    "rankings": "ranking",
    "charts": "pictures",
    "comparisons": "significance",
    "excerpts": "texts",
}
"""The ids of the sections, where they have other names."""


def _summary(run: TaskRun) -> str:
    """A sentence on the size of the task and one on how it is ranked."""
    task = run.task
    baselines = sum(entrant.baseline for entrant in task.systems.values())
    sizes = [count_of(len(task.systems), "system"), count_of(len(task.files()), "file") + " sent"]
    sizes[0] += f" ({count_of(baselines, 'baseline')})" if baselines else ""
    sizes += [count_of(len(task.languages), task.word)]
    sizes += [count_of(len(task.settings), "setting")] if len(task.settings) > 1 else []
    ranked = [f"Ranked by {title_of(task.rank)} F1"]
    ranked += [f"{task.tracks[0]} track"] if "track" in task.conditions else []
    title = task.setting_title(task.official)
    ranked += [title] if title else []
    return f"{', '.join(sizes)}. {', '.join(ranked)}."


def _system_sections(
    run: TaskRun, shown: Mapping[str, Table], error_pages: Mapping[Slot, str]
) -> Iterator[SystemSection]:
    """The sections on single systems, the best system first."""
    task = run.task
    for standing in run.standings():
        name = standing.system
        yield SystemSection(
            facts=task.systems[name],
            place=standing.place,
            official=standing.official,
            tables=_existing(shown, (f"system-{name}", f"genres-{name}")),
            reports=[
                (task.where(slot.language, slot.track), path)
                for slot, path in error_pages.items()
                if slot.system == name
            ],
        )


_KINDS = {
    "tables": "Tables",
    "figures": "Figures",
    "significance": "Intervals and tests",
    "reports": "Errors of each response",
    PARTS: "Counts by document",
}
"""Folders of downloads, and the title of each on the page."""


def _downloads(run: TaskRun, files: Iterable[str]) -> dict[str, dict[str, list[tuple[str, str]]]]:
    """All files of a run: by the titles of `_KINDS`, for each name its suffixes and addresses."""
    slots = run.task.responses
    parts = (f"{PARTS}/{s.system}/{s.language}.{s.track}.{s.setting}.json" for s in slots)
    by_kind: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for path in (*files, *parts):
        folder, _, file = path.partition("/")
        name, _, suffix = file.replace("/", ".").rpartition(".")
        by_kind.setdefault(folder, {}).setdefault(name, []).append((suffix, path))
    return {title: by_kind[folder] for folder, title in _KINDS.items() if folder in by_kind}


def _excerpts(run: TaskRun) -> list[KeyExcerpt]:
    """The beginning of each key whose words can be shown."""
    excerpts = []
    for name, language in run.task.languages.items():
        if shown := passages(run.keys[name].scored, _MOST_TOKENS):
            excerpts.append(KeyExcerpt(language.title, language.code, shown))
    return excerpts


def _existing(shown: Mapping[str, Table], names: Iterable[str]) -> list[Table]:
    """Those of the named tables that exist."""
    return [shown[name] for name in names if name in shown]


def rankings(run: TaskRun) -> list[RankingView]:
    """The official ranking with intervals and group lines, then those of other tracks, settings."""
    task = run.task
    used = {(slot.track, slot.setting) for slot in task.responses}
    settings = [setting.name for setting in task.settings_in_order()]
    lanes = [(track, setting) for track in task.tracks for setting in settings]
    official = task.tracks[0], task.official
    others = (lane for lane in lanes if lane in used and lane != official)
    return [_ranking(run, *lane) for lane in (official, *others)]


def intervals(run: TaskRun, track: str, language: str) -> RankingView:
    """The ranking of one language or dataset in a track, with intervals and without columns."""
    comparison, rank = run.comparisons[track, language], run.task.rank
    figures = {name: {language: found[rank].f1} for name, found in comparison.systems.items()}
    rows = _rows(run.task, ranking(figures, [language]), comparison)
    note = " ".join(_sentences(rows, comparison, rank))
    title = run.task.where(language, track)
    return RankingView(f"significance-{language}-{track}", title, title, (), rows, note)


def problem_id(task: Task, slot: Slot) -> str:
    """The HTML id of the row of a problem; a task of datasets has one row for all settings."""
    setting = task.official if task.of_datasets else slot.setting
    return f"problem-{slot.system}.{slot.language}.{slot.track}.{setting}"


def _ranking(run: TaskRun, track: str, setting: str) -> RankingView:
    """The ranking of a track and setting, by the mean over all languages; the official one has
    all systems and intervals, the others those that sent something.
    """
    task, name = run.task, ""
    official = (track, setting) == (task.tracks[0], task.official)
    comparison = run.official_comparison if official else None
    entered = {slot.system for slot in task.slots(track=track, setting=setting)}
    slots = {
        system: {name: Slot(system, name, track, setting) for name in task.languages}
        for system in task.systems
        if official or system in entered
    }
    figures = {
        system: {language: run.figure(slot) for language, slot in row.items()}
        for system, row in slots.items()
    }
    standings = ranking(figures, task.languages)
    columns = [_cells(run, [slots[s.system][name] for s in standings]) for name in task.languages]
    cells = zip(*columns, strict=True)
    rows = [
        replace(row, cells=cells_of_row)
        for row, cells_of_row in zip(_rows(task, standings, comparison), cells, strict=True)
    ]
    if official:
        name = "ranking"
    elif track == task.tracks[0] and task.settings[setting] in task.qualities():
        name = f"overview-{setting}"
    titles = (track if "track" in task.conditions else "", task.setting_title(setting))
    shown = [language.title for language in task.languages.values()]
    return RankingView(
        name,
        ", ".join(filter(None, (titles[0] and f"{track} track", titles[1]))),
        ", ".join(filter(None, (titles[0], titles[1] and setting))),
        shown,
        rows,
        " ".join((_note(task), *_sentences(rows, comparison, task.rank))),
    )


def _cells(run: TaskRun, slots: Sequence[Slot]) -> list[RankedCell]:
    """The cells of a column."""
    values = [run.figure(slot) for slot in slots]
    marked = zip(slots, values, mark_best(values), heat(values), strict=True)
    return [
        RankedCell(
            value,
            cell.best,
            warmth,
            broken=value is None and slot in run.task.responses,
            problem=problem_id(run.task, slot)
            if value is None or run.lacks_documents(slot)
            else "",
        )
        for slot, value, cell, warmth in marked
    ]


def _note(task: Task) -> str:
    """The note that says how a score is computed."""
    if len(task.languages) == 1:
        return f"The score is the F1 of {title_of(task.rank)}."
    keys = count_of(len(task.languages), task.word)
    return (
        f"The score is the mean F1 of {title_of(task.rank)} over {keys}, "
        f"0 for a {task.word} that was not sent or is broken."
    )


def _rows(
    task: Task, standings: Sequence[Standing], comparison: Significance | None
) -> list[RankedSystem]:
    """The rows of a ranking, with intervals and lines if the systems were compared."""
    names = [standing.system for standing in standings]
    groups = comparison.groups.get(task.rank, []) if comparison else []
    rows = []
    for standing, cell, lines in zip(
        standings,
        mark_best([s.official for s in standings]),
        group_lines(names, groups),
        strict=True,
    ):
        name = standing.system
        tested = comparison and comparison.systems.get(name)
        ends = tested[task.rank].interval if tested else None
        near = dict.fromkeys(n for group in groups if name in group for n in group if n != name)
        facts = task.systems[name]
        row = RankedSystem(
            standing.place, facts, standing.official, cell.best, ends, [*near], lines
        )
        rows.append(row)
    return rows


def _too_small(comparison: Significance, rank: str) -> int:
    """How many pairs share so few documents that no difference between them can be significant.

    0 if even all documents are too few: the notes of the comparison say so.
    """
    if comparison.smallest_p is None or not significant(comparison.smallest_p, comparison.level):
        return 0
    tests = [pair.metrics[rank] for pair in comparison.pairs]
    least = [smallest_p(t.wins + t.losses + t.ties, comparison.samples) for t in tests]
    return sum(not significant(p * len(tests), comparison.level) for p in least)


def _sentences(
    rows: Sequence[RankedSystem], comparison: Significance | None, rank: str
) -> Iterator[str]:
    """The sentences below a ranking on its intervals and lines."""
    if comparison is None:
        return
    if any(row.ends for row in rows):
        yield f"± half the width of its {100 * comparison.level:g} % confidence interval."
    if len(comparison.systems) > 1 and comparison.pairs:
        yield "A line joins systems that cannot be told apart on what both sent."
    if comparison.not_comparable:
        number = count_of(len(comparison.not_comparable), "pair")
        yield f"{number} of systems cannot be compared: they share too little."
    if few := _too_small(comparison, rank):
        pairs = f"{few:,} of {count_of(len(comparison.pairs), 'pair')}"
        yield f"{pairs} of systems share too few documents for any difference to be significant."
    yield from sentences(comparison.notes)

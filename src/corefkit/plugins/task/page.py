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
from corefkit.plugins.task.page_html import Downloads, KeyExcerpt, SystemSection, passages
from corefkit.plugins.task.page_layout import (
    RankedSystem,
    RankingView,
    column_of_cells,
    group_lines,
)
from corefkit.plugins.task.parts import PARTS
from corefkit.plugins.task.results import Standing, TaskRun, day_of_run, ranking
from corefkit.plugins.task.shared_task import Slot, Task
from corefkit.plugins.task.tables import problem_rows
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
        "downloads": () if stands_alone else _downloads(run, files),
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
        parts = [f"{s.language}.{s.track}.{s.setting}" for s in task.slots(system=name)]
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
            parts=[(part, f"{PARTS}/{name}/{part}.json") for part in parts],
        )


_KINDS = {
    "tables": "Tables",
    "figures": "Figures",
    "significance": "Intervals and tests",
    "reports": "Errors of each response",
}
"""Folders of downloads, and the title of each on the page."""


def _downloads(run: TaskRun, files: Iterable[str]) -> list[Downloads]:
    """All files of a run, in the groups of `_KINDS`, and the parts."""
    by_kind: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for path in files:
        folder, _, file = path.partition("/")
        name, _, suffix = file.rpartition(".")
        by_kind.setdefault(folder, {}).setdefault(name, []).append((suffix, path))
    downloads = [
        Downloads(title, by_kind[folder]) for folder, title in _KINDS.items() if folder in by_kind
    ]
    parts = {
        f"{s.system}.{s.language}.{s.track}.{s.setting}": [
            ("json", f"{PARTS}/{s.system}/{s.language}.{s.track}.{s.setting}.json")
        ]
        for s in run.task.responses
    }
    return [*downloads, Downloads("Counts by document", parts)]


def _excerpts(run: TaskRun) -> list[KeyExcerpt]:
    """The beginning of each key whose words can be shown."""
    excerpts = []
    for name, language in run.task.languages.items():
        if shown := tuple(passages(run.keys[name].scored, _MOST_TOKENS)):
            excerpts.append(KeyExcerpt(language.title, language.code, shown))
    return excerpts


def _existing(shown: Mapping[str, Table], names: Iterable[str]) -> list[Table]:
    """Those of the named tables that exist."""
    return [shown[name] for name in names if name in shown]


def rankings(run: TaskRun) -> list[RankingView]:
    """The official ranking with intervals and group lines, then those of other tracks, settings."""
    task = run.task
    used = {(slot.track, slot.setting) for slot in task.responses}
    tracks, settings = task.tracks, [setting.name for setting in task.settings_in_order()]
    official = tracks[0], task.official
    others = [(track, setting) for track in tracks for setting in settings]
    lanes = [official, *(lane for lane in others if lane in used and lane != official)]
    views = [_ranking(run, *lane) for lane in lanes]
    if comparison := run.official_comparison:
        views[0] = _with_intervals(views[0], comparison, task.rank)
    return views


def intervals(run: TaskRun, track: str, language: str) -> RankingView:
    """The ranking of one language or dataset in a track, with intervals and without columns."""
    comparison, rank = run.comparisons[track, language], run.task.rank
    systems = comparison.systems.items()
    figures = {system: {language: intervals[rank].f1} for system, intervals in systems}
    name, title = f"significance-{language}-{track}", run.task.where(language, track)
    view = RankingView(name, title, title, (), _rows(run.task, ranking(figures, [language])))
    return _with_intervals(view, comparison, rank)


def problem_id(task: Task, slot: Slot) -> str:
    """The HTML id of the row of a problem; a task of datasets has one row for all settings."""
    setting = task.official if task.of_datasets else slot.setting
    return f"problem-{slot.system}.{slot.language}.{slot.track}.{setting}"


def _ranking(run: TaskRun, track: str, setting: str) -> RankingView:
    """The ranking of a track and setting, by the mean over all languages; the official one has
    all systems, the others those that sent something.
    """
    task = run.task
    official = (track, setting) == (task.tracks[0], task.official)
    entered = {slot.system for slot in task.slots(track=track, setting=setting)}
    figures = {
        system: {name: run.figure(Slot(system, name, track, setting)) for name in task.languages}
        for system in task.systems
        if official or system in entered
    }
    rows = _rows(task, ranking(figures, task.languages))
    columns = []
    for language in task.languages:
        slots = [Slot(row.name, language, track, setting) for row in rows]
        sent = [slot in task.responses for slot in slots]
        problems = [
            problem_id(task, slot) if run.figure(slot) is None or run.lacks_documents(slot) else ""
            for slot in slots
        ]
        columns.append(column_of_cells([run.figure(slot) for slot in slots], sent, problems))
    lines = zip(*columns, strict=True)
    rows = [replace(row, cells=cells) for row, cells in zip(rows, lines, strict=True)]
    name = "ranking" if official else f"overview-{setting}" if track == task.tracks[0] else ""
    titles = (f"{track} track" if "track" in task.conditions else "", task.setting_title(setting))
    label = (track if "track" in task.conditions else "", setting if titles[1] else "")
    shown = [language.title for language in task.languages.values()]
    return RankingView(
        name if official or task.settings[setting] in task.qualities() else "",
        ", ".join(filter(None, titles)),
        ", ".join(filter(None, label)),
        shown,
        rows,
        _note(task),
    )


def _note(task: Task) -> str:
    """The note that says how a score is computed."""
    if len(task.languages) == 1:
        return f"The score is the F1 of {title_of(task.rank)}."
    keys = count_of(len(task.languages), task.word)
    return (
        f"The score is the mean F1 of {title_of(task.rank)} over {keys}, "
        f"0 for a {task.word} that was not sent or is broken."
    )


def _rows(task: Task, standings: Sequence[Standing]) -> list[RankedSystem]:
    """The rows of a ranking, with the manifest's entry for each system."""
    marked = mark_best([standing.official for standing in standings])
    return [
        RankedSystem(standing.place, task.systems[standing.system], standing.official, cell.best)
        for standing, cell in zip(standings, marked, strict=True)
    ]


def _with_intervals(view: RankingView, comparison: Significance, rank: str) -> RankingView:
    """The ranking with intervals, and with lines that join systems that cannot be told apart."""
    groups = comparison.groups.get(rank, [])
    lines = group_lines([row.name for row in view.rows], groups)
    rows = []
    for row, lines_of_row in zip(view.rows, lines, strict=True):
        tested = comparison.systems.get(row.name)
        near = [n for group in groups if row.name in group for n in group if n != row.name]
        ends = tested[rank].interval if tested else None
        rows.append(replace(row, ends=ends, lines=lines_of_row, near=list(dict.fromkeys(near))))
    view = replace(view, rows=rows)
    return replace(view, note=" ".join(_sentences(view, comparison, rank)))


def _too_small(comparison: Significance, rank: str) -> int:
    """How many pairs share so few documents that no difference between them can be significant.

    0 if even all documents are too few: the notes of the comparison say so.
    """
    if comparison.smallest_p is None or not significant(comparison.smallest_p, comparison.level):
        return 0
    tests = [pair.metrics[rank] for pair in comparison.pairs]
    least = [smallest_p(t.wins + t.losses + t.ties, comparison.samples) for t in tests]
    return sum(not significant(p * len(tests), comparison.level) for p in least)


def _sentences(view: RankingView, comparison: Significance, rank: str) -> Iterator[str]:
    """The sentences of the note below a ranking: on scores, intervals and lines."""
    if view.note:
        yield view.note
    if any(row.ends for row in view.rows):
        yield f"± half the width of its {100 * comparison.level:g} % confidence interval."
    if len(comparison.systems) > 1 and comparison.pairs:
        yield "A line joins systems that cannot be told apart on what both sent."
    if comparison.not_comparable:
        number = count_of(len(comparison.not_comparable), "pair")
        yield f"{number} of systems cannot be compared: they share too little."
    if few := _too_small(comparison, rank):
        pairs = f"{few:,} of {count_of(len(comparison.pairs), 'pair')}"
        yield f"{pairs} of systems share too few documents for any difference to be significant."
    for note in comparison.notes:
        yield f"{note[:1].upper()}{note[1:]}."

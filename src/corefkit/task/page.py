"""What the page of a task shows of its run: rankings, charts, tables, systems, problems, files."""

import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial

from corefkit.core.texts import count_of
from corefkit.render.pages.task import Downloads, SystemSection, TaskPage
from corefkit.render.pages.task.passages import KeyExcerpt, passages
from corefkit.render.scores import title_of
from corefkit.render.table import Table
from corefkit.scorers.signature import signature
from corefkit.task.charts import charts
from corefkit.task.leaderboards import intervals, problem_id, rankings
from corefkit.task.results import TaskRun
from corefkit.task.shared_task import Slot
from corefkit.task.tables import problem_rows

PARTS = "parts"
"""Where in the folder of a run the counts of each response are kept."""

_MOST_TOKENS = 150
"""So many tokens of each key are shown on the page; never a large part of a corpus."""


def day_of_run() -> str:
    """Today, in UTC, as 2026-11-16; SOURCE_DATE_EPOCH overrides it, for files that are the same."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = datetime.fromtimestamp(int(epoch), UTC) if epoch.isdecimal() else datetime.now(UTC)
    return moment.date().isoformat()


def task_page(
    run: TaskRun,
    shown: Mapping[str, Table],
    files: Iterable[str],
    error_pages: Mapping[Slot, str] | None,
) -> TaskPage:
    """The page; `shown` are all tables by name, `files` what stands beside it.

    For None as `error_pages` the page stands alone: it links to no file and shows no key.
    """
    task, about = run.task, run.task.about
    facts = {
        "Organisers": about.organisers,
        "Date": about.date,
        "Licence": about.licence,
        "Scored on": day_of_run(),
    }
    some, alone = partial(_existing, shown), error_pages is None
    noted = {slot: result.incidents for slot, result in run.results.items()}
    return TaskPage(
        name=task.name,
        description=about.description,
        url=about.url,
        cite=about.cite,
        facts={name: value for name, value in facts.items() if value},
        summary=_summary(run),
        level=task.level,
        samples=task.samples,
        seed=task.seed,
        signature=signature(task.options),
        rankings=rankings(run),
        details=some(f"{x}-{track}" for track in task.tracks for x in task.languages),
        official_pairs=shown.get("pairs-official"),
        comparisons={
            f"{language}-{track}": (
                intervals(run, track, language),
                some([f"pairs-{language}-{track}"]),
            )
            for track, language in run.comparisons
        },
        genres=some(f"by-genre-{x}" for x in task.languages),
        subsets=some(name for name in shown if name.startswith("subset-")),
        strata=some(f"{name}-{x}" for name in task.divisions for x in task.languages),
        zeros=shown.get("overview-zero"),
        systems=list(_system_sections(run, shown, error_pages or {})),
        problems=shown.get("problems"),
        problem_ids=[
            problem_id(task, slot) for block in problem_rows(task, noted) for slot, _ in block
        ],
        charts=charts(run),
        excerpts=_excerpts(run) if task.show_texts and not alone else [],
        downloads=() if alone else _downloads(run, files),
        files=not alone,
    )


def _summary(run: TaskRun) -> str:
    """How large the task is, and how it is ranked."""
    task = run.task
    baselines = sum(entrant.baseline for entrant in task.systems.values())
    sizes = [count_of(len(task.systems), "system"), count_of(len(task.files()), "file") + " sent"]
    sizes[0] += f" ({count_of(baselines, 'baseline')})" if baselines else ""
    sizes += [count_of(len(task.languages), task.kind)]
    sizes += [count_of(len(task.settings), "setting")] if len(task.settings) > 1 else []
    ranked = [f"Ranked by {title_of(task.rank)} F1"]
    ranked += [f"{task.tracks[0]} track"] if "track" in task.conditions else []
    title = task.setting_title(task.official)
    ranked += [title] if title else []
    return f"{', '.join(sizes)}. {', '.join(ranked)}."


def _system_sections(
    run: TaskRun, shown: Mapping[str, Table], error_pages: Mapping[Slot, str]
) -> Iterator[SystemSection]:
    """The systems as the page shows them, the best first."""
    task = run.task
    standings = run.standings()
    for standing in standings:
        name = standing.system
        entrant = task.systems[name]
        parts = [f"{s.language}.{s.track}.{s.setting}" for s in task.slots(system=name)]
        yield SystemSection(
            name=name,
            place=1 + sum(other.official > standing.official for other in standings),
            official=standing.official,
            description=entrant.description,
            team=entrant.team,
            paper=entrant.paper,
            code=entrant.code,
            baseline=entrant.baseline,
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
"""What the files of each folder are."""


def _downloads(run: TaskRun, files: Iterable[str]) -> list[Downloads]:
    """All files of a run, by what they are."""
    by_kind: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for path in files:
        folder, _, file = path.partition("/")
        name, _, ending = file.rpartition(".")
        by_kind.setdefault(folder, {}).setdefault(name, []).append((ending, path))
    downloads = [
        Downloads(title, by_kind[folder]) for folder, title in _KINDS.items() if folder in by_kind
    ]
    slots = run.task.responses
    parts = {
        f"{s.system}.{s.language}.{s.track}.{s.setting}": [
            ("json", f"{PARTS}/{s.system}/{s.language}.{s.track}.{s.setting}.json")
        ]
        for s in slots
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
    """The tables of these names that there are."""
    return [shown[name] for name in names if name in shown]

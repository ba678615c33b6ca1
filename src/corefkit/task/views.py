"""Tables that only the page has room for: significance, genres side by side, one system."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import Any

from corefkit.data.incidents import errors
from corefkit.data.table import Heading, Table, make_table, mark_best, plain_headings
from corefkit.data.texts import count_of
from corefkit.render.comparison import pairs_table
from corefkit.render.report import title_of
from corefkit.scoring.scores import Scores
from corefkit.stats.means import compare_means
from corefkit.stats.significance import Comparison, compare_scores
from corefkit.task.run import Outcome
from corefkit.task.shared_task import Slot, Task
from corefkit.task.tables import SYSTEM, overview, shown_metrics, standings, systems_in_order

_INTERVAL = (
    Heading("low", "from", kind="score"),
    Heading("high", "to", kind="score"),
    Heading("groups", "Group"),
)


def comparisons(outcome: Outcome) -> dict[tuple[str, str], Comparison]:
    """For each track and language the systems of the official setting, compared, best first."""
    task = outcome.task
    found = {}
    for track in task.tracks:
        for language in task.languages:
            slots = task.slots(language=language, track=track, setting=task.official)
            scored = [(slot.system, s) for slot in slots if (s := outcome.scores(slot))]
            scored.sort(key=lambda pair: (-pair[1][task.rank].f1, pair[0]))
            if scored:
                found[track, language] = compare_scores(dict(scored), **_plan(task))
    return found


def _plan(task: Task) -> dict[str, Any]:
    """How a task tests differences."""
    return {"samples": task.samples, "seed": task.seed, "level": task.level}


@dataclass(frozen=True)
class Tested:
    """All tests of a task: by track and language, and of the official scores if there are any."""

    places: Mapping[tuple[str, str], Comparison]
    official: Comparison | None


def run_tests(outcome: Outcome) -> Tested:
    """Test everything once."""
    places = comparisons(outcome)
    if len(outcome.task.languages) == 1:  # the official scores are those of the one language
        (language,) = outcome.task.languages
        return Tested(places, places.get((outcome.task.tracks[0], language)))
    return Tested(places, official_comparison(outcome))


def official_comparison(outcome: Outcome) -> Comparison | None:
    """The official scores, compared: means over languages or datasets; None without any.

    What was not sent, or could not be scored, is as good as an empty response.
    """
    task, official = outcome.task, outcome.task.official
    found: dict[str, list[Scores]] = {}
    for standing in standings(outcome):
        if any(value is not None for value in standing.figures.values()):
            slots = [Slot(standing.system, x, task.tracks[0], official) for x in task.languages]
            found[standing.system] = [
                outcome.scores(slot) or outcome.nothing(slot.language, official) for slot in slots
            ]
    return compare_means(found, task.rank, **_plan(task)) if found else None


def ranking_table(outcome: Outcome, found: Comparison | None) -> Table:
    """Place, system, official score with its interval and group, then all that made it."""
    task = outcome.task
    teams = {name: entrant.team for name, entrant in task.systems.items()}
    rows = overview(outcome, task.settings[task.official]).without("system")
    names, track = [heading.name for heading in rows.headings], f"{task.tracks[0]}."
    order = sorted(names, key=lambda name: (name != "official", not name.startswith(track)))
    rows = rows.pick([names.index(name) for name in order])
    official, *others = rows.headings
    headings = [Heading("place", "Place", kind="number"), SYSTEM, official, *_INTERVAL]
    headings += [Heading("team", "Team")] if any(teams.values()) else []
    headings += others
    lines = []
    best = standings(outcome)
    for standing, (score, *rest) in zip(best, rows.lines, strict=True):
        system = standing.system
        ends = found and system in found.systems and found.systems[system][task.rank].interval
        place = 1 + sum(other.official > standing.official for other in best)
        group = _letters(system, found.groups[task.rank]) if found else ""
        told = [group, teams[system]] if any(teams.values()) else [group]
        lines.append((place, system, score, *(ends or (None, None)), *told, *rest))
    note = f"{rows.note} From and to: its {100 * task.level:g} % confidence interval over documents"
    note += f"; systems that share a letter cannot be told apart. {_notes(found)}"
    return make_table("ranking", f"{task.name}: ranking", headings, [lines], note=note.rstrip())


def _notes(found: Comparison | None) -> str:
    """What to know of a comparison, as sentences."""
    return " ".join(f"{note[:1].upper()}{note[1:]}." for note in (found.notes if found else ()))


def significance_table(outcome: Outcome, track: str, language: str, found: Comparison) -> Table:
    """The systems with their intervals; those that share a letter cannot be told apart."""
    rank = outcome.task.rank
    headings = (SYSTEM, Heading("f1", "F1", kind="score"), *_INTERVAL)
    figures = {system: intervals[rank] for system, intervals in found.systems.items()}
    best = mark_best([figure.f1 for figure in figures.values()])
    lines = [
        (system, cell, *(figure.interval or (None, None)), _letters(system, found.groups[rank]))
        for (system, figure), cell in zip(figures.items(), best, strict=True)
    ]
    title = outcome.task.where(language, track)
    name = f"significance-{language}-{track}"
    return make_table(name, title, headings, [lines], note=_notes(found))


def pair_table(outcome: Outcome, track: str, language: str, found: Comparison) -> Table:
    """The pairs as `corefkit compare` shows them, in the metric that ranks."""
    table = pairs_table(found, [outcome.task.rank]).without("metric")  # the same everywhere
    title = f"{outcome.task.where(language, track)}: pairs"
    return replace(table, name=f"pairs-{language}-{track}", title=title)


def _letters(system: str, groups: list[list[str]]) -> str:
    """a, b, …, z, then numbers."""
    marks = [*ascii_lowercase, *map(str, range(1, len(groups) + 1))]
    return " ".join(marks[i] for i, group in enumerate(groups) if system in group)


def genre_matrix(outcome: Outcome, language: str) -> Table | None:
    """The ranking figure of every system in every genre, official track and setting."""
    task = outcome.task
    if task.of_datasets:
        return None
    found = {}
    for system in systems_in_order(outcome):
        if scores := outcome.scores(Slot(system, language, task.tracks[0], task.official)):
            parts = {**scores.by("genre"), "all": scores}
            found[system] = {genre: part[task.rank].f1 for genre, part in parts.items()}
    if not found:
        return None
    genres = [*sorted({g for row in found.values() for g in row} - {"all"}), "all"]
    columns = [mark_best([row.get(genre) for row in found.values()]) for genre in genres]
    headings = [SYSTEM, *plain_headings(*genres, kind="score")]
    title = f"{task.languages[language].title}, {task.tracks[0]} track by genre"
    lines = zip(found, *columns, strict=True)
    return make_table(f"by-genre-{language}", title, headings, [lines])


def system_table(outcome: Outcome, system: str) -> Table:
    """All responses of one system: F1 of every metric."""
    task = outcome.task
    shown = {Heading(f"{m}.f1", title_of(m), kind="score"): m for m in shown_metrics(task)}
    shown[Heading("official", title_of(task.rank), kind="score")] = task.rank
    rows = []
    for slot in task.slots(system=system):
        result = outcome.results[slot]
        warnings = count_of(len(result.incidents), "warning") if result.incidents else "ok"
        status = "broken" if errors(result.incidents) else warnings
        scores = result.scores
        figures = (scores[m].f1 if scores else None for m in shown.values())
        rows.append((*task.describe(slot), *figures, status))
    conditions = [Heading(n, n.capitalize()) for n in task.conditions]
    headings = (*conditions, *shown, Heading("status", "Status"))
    return make_table(f"system-{system}", f"{system}: all responses", headings, [rows])

"""The tables of a shared task, in the layouts of the CoNLL-2012 paper (its Tables 17 to 27).

The official score of a shared task, and the order it puts systems in.

>>> ranking({"a": {"x": 60.0, "y": 30.0}, "b": {"x": 70.0}}, ["x", "y"])
[Standing(system='a', figures={'x': 60.0, 'y': 30.0}, official=45.0),
 Standing(system='b', figures={'x': 70.0}, official=35.0)]

Tables that only the page has room for: significance, genres side by side, one system.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from string import ascii_lowercase
from typing import Any

import numpy as np

from corefkit.core.incidents import Incident, errors
from corefkit.core.nodes import is_zero
from corefkit.core.texts import count_of
from corefkit.render.scores import title_of
from corefkit.render.significance import pairs_table
from corefkit.render.table import Cell, Heading, Table, Value, make_table, mark_best, plain_headings
from corefkit.scoring.scores import Scores
from corefkit.stats.significance import Comparison, compare_means, compare_scores
from corefkit.task.run import Outcome
from corefkit.task.shared_task import QUALITIES, SYNTAX, Setting, Slot, Subset, Task


@dataclass(frozen=True)
class Standing:
    """A system, its figure for each language it attempted, and its official score."""

    system: str
    figures: Mapping[str, float | None]
    official: float


def official_score(figures: Mapping[str, float | None], languages: Collection[str]) -> float:
    """The mean over the languages of a task; one that was not attempted counts as 0."""
    return fsum(figures.get(language) or 0.0 for language in languages) / len(languages)


def ranking(
    figures: Mapping[str, Mapping[str, float | None]], languages: Collection[str]
) -> list[Standing]:
    """The systems by official score, the best first; equal ones by name."""
    standings = [Standing(s, f, official_score(f, languages)) for s, f in figures.items()]
    return sorted(standings, key=lambda standing: (-standing.official, standing.system))


METRICS = ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea")
"""The metrics of the detail tables: those of the CoNLL-2012 paper, and LEA beside them."""

_VALUES = {"recall": "R", "precision": "P", "f1": "F"}
_TOP = 4
"""So many of the best are underlined in the overview."""

_TRAINING = {"train": "Train", "development": "Dev"}
SYSTEM = Heading("system", "System")


def standings(outcome: Outcome) -> list[Standing]:
    """All systems in the order of their official scores."""
    return ranked(outcome, outcome.task.settings[outcome.task.official])


def systems_in_order(outcome: Outcome) -> list[str]:
    """The names of all systems, the best first."""
    return [standing.system for standing in standings(outcome)]


def overview(outcome: Outcome, setting: Setting) -> Table:
    """Tables 17 to 19: the ranking figure for each track and language, and the official score.

    Systems stand in the order of their official scores also where the setting is another.
    """
    task = outcome.task
    tracks = [*task.tracks[1:], task.tracks[0]]
    official = setting.name == task.official
    sent = {slot.system for slot in task.slots(setting=setting.name)}
    systems = [s for s in systems_in_order(outcome) if s in sent or official]
    columns: dict[Heading, Sequence[Cell | Value]] = {SYSTEM: systems}
    for track in tracks:
        for name, language in task.languages.items():
            group = track.capitalize() if "track" in task.conditions else ""
            slots = [Slot(s, name, track, setting.name) for s in systems]
            figures = mark_best([outcome.figure(slot) for slot in slots], _TOP)
            columns[Heading(f"{track}.{name}", language.title, group, "score")] = figures
    title = "Official score" if official else "Suppl. score"
    by_system = {s.system: s.official for s in ranked(outcome, setting)}
    official_scores = mark_best([by_system[s] for s in systems], _TOP)
    columns[Heading("official", title, kind="score")] = official_scores
    for name, title in _TRAINING.items() if not task.of_datasets else ():
        used = [name in task.systems[s].training for s in systems]
        columns[Heading(f"training.{name}", title, "Final model", "tick")] = used
    name, title = f"overview-{setting.name}", f"{task.name}: {setting.title or setting.name}"
    lines = zip(*columns.values(), strict=True)
    return make_table(name, title, columns, [lines], note=_mean_note(task))


def _mean_note(task: Task) -> str:
    track = f" of the {task.tracks[0]} track" if "track" in task.conditions else ""
    return (
        f"F1 of {task.rank}; the score is the mean over the {task.kind}s{track}, "
        f"0 for a {task.kind} not attempted."
    )


def zero_overview(outcome: Outcome) -> Table | None:
    """F1 of the zero score in the official setting, for datasets whose keys have zeros."""
    task = outcome.task
    if "zero" not in task.options.metrics:
        return None
    found = [x for n, x in task.languages.items() if is_zero(outcome.keys[n].corpus).any()]
    if not found:
        return None
    systems = systems_in_order(outcome)
    columns: dict[Heading, Sequence[Cell | Value]] = {SYSTEM: systems}
    for language in found:
        slots = [Slot(s, language.name, task.tracks[0], task.official) for s in systems]
        figures = [one["zero"].f1 if one else None for one in map(outcome.scores, slots)]
        columns[Heading(language.name, language.title, kind="score")] = mark_best(figures)
    title, note = f"{task.name}: zeros", "F1 of zero, where the key has zeros."
    lines = zip(*columns.values(), strict=True)
    return make_table("overview-zero", title, columns, [lines], note=note)


def ranked(outcome: Outcome, setting: Setting) -> list[Standing]:
    """The ranking that another setting of the official track would give."""
    task = outcome.task
    figures = {
        system: {
            language: outcome.figure(Slot(system, language, task.tracks[0], setting.name))
            for language in task.languages
        }
        for system in task.systems
    }
    return ranking(figures, task.languages)


def detail(outcome: Outcome, language: str, track: str, subset: Subset | None = None) -> Table:
    """Tables 20 to 22, 24 to 26 and 27: recall, precision and F of all metrics, by setting."""
    task = outcome.task
    figures = {
        Heading(f"{m}.{v}", title, title_of(m), "score"): (m, v)
        for m in shown_metrics(task)
        for v, title in _VALUES.items()
    }
    figures[Heading("official", title_of(task.rank), kind="score")] = task.rank, "f1"
    blocks: list[list[tuple[Cell | Value, ...]]] = []
    for setting in task.settings_in_order():
        slots = task.slots(language=language, track=track, setting=setting.name)
        scored = {slot.system: scores for slot in slots if (scores := outcome.scores(slot))}
        if subset:
            scored = {system: select(scores, subset) for system, scores in scored.items()}
        if not scored:
            continue
        systems = sorted(scored, key=lambda system: (-scored[system][task.rank].f1, system))
        shown = [[getattr(scored[s][m], v) for s in systems] for m, v in figures.values()]
        block = f"{task.languages[language].letter}{len(blocks)}"
        ids = [f"{block}.{place:02}" for place in range(len(systems))]
        given = _given(task, setting).values()
        rows = zip(ids, systems, *map(mark_best, shown), strict=True)
        blocks.append([(number, system, *given, *row) for number, system, *row in rows])
    part = f", subset {subset.name}" if subset else ""
    title = f"{task.where(language, track)}{part}: all systems and settings"
    name = f"subset-{subset.name}-{track}" if subset else f"{language}-{track}"
    first = (Heading("id", "ID"), SYSTEM, *_given(task, task.settings[task.official]))
    return make_table(
        name, title, (*first, *figures), blocks, note="" if task.of_datasets else _KEY
    )


def shown_metrics(task: Task) -> list[str]:
    """The metrics of the detail tables; tasks of datasets have those of CRAC, too."""
    listed = (*METRICS, "mor", "zero") if task.of_datasets else METRICS
    return [m for m in listed if m in task.options.metrics]


def genres(outcome: Outcome, system: str) -> Table:
    """Table 23: one system by genre, for each language and mention quality."""
    task = outcome.task
    figures = {Heading(f"{m}.f1", "F", title_of(m), "score"): m for m in shown_metrics(task)}
    figures[Heading("official", title_of(task.rank), kind="score")] = task.rank
    first = (Heading("language", "Language"), Heading("genre", "Genre"))
    headings = (*first, *_given(task, task.settings[task.official]), *figures)
    blocks: list[list[tuple[Value, ...]]] = []
    for language in task.languages.values():
        for setting in qualities(outcome):
            scores = outcome.scores(Slot(system, language.name, task.tracks[0], setting.name))
            if scores:
                given = _given(task, setting).values()
                parts = sorted(scores.by("genre").items(), key=lambda p: -p[1][task.rank].f1)
                rows = {genre: [part[m].f1 for m in figures.values()] for genre, part in parts}
                blocks.append([(language.title, g, *given, *row) for g, row in rows.items()])
    title = f"{system} by genre, {task.tracks[0]} track"
    return make_table(f"genres-{system}", title, headings, blocks, note=_KEY)


def problems_table(task: Task, found: Mapping[Slot, Sequence[Incident]]) -> Table:
    """One row for each response that is missing, broken or has warnings, the worst first."""
    names = ("system", *task.conditions, "status", "file", "line", "what")
    rows: dict[str, list[tuple[Value, ...]]] = {"broken": [], "missing": [], "warnings": []}
    for slot, incidents in found.items():
        bad = errors(incidents)
        if not incidents:
            continue
        first, *others = bad or incidents
        status = "broken" if bad else "warnings"
        more = f" (and {len(others):,} more)" if others else ""
        what = f"{first.message} [{first.id}]{more}"
        line = None if first.line is None else str(first.line)
        rows[status].append((slot.system, *task.describe(slot), status, first.file, line, what))
    for slot in task.missing():
        counts = slot.track == task.tracks[0] and slot.setting == task.official
        what = "not sent" + ("; counts as 0 in the official score" if counts else "")
        rows["missing"].append((slot.system, *task.describe(slot), "missing", None, None, what))
    headings = [Heading(name, name.capitalize()) for name in names]
    title = f"{task.name}: responses that are missing or broken"
    return make_table("problems", title, headings, [block for block in rows.values() if block])


def all_tables(outcome: Outcome) -> list[Table]:
    """Every table of a task that has rows, in the order of the paper."""
    task = outcome.task
    tables = [overview(outcome, setting) for setting in qualities(outcome)]
    for track in task.tracks:
        tables += [detail(outcome, language, track) for language in task.languages]
    if task.of_datasets:
        zeros = zero_overview(outcome)
        tables += [zeros] if zeros else []
    else:
        tables += [genres(outcome, system) for system in systems_in_order(outcome)]
    for subset in task.subsets.values():
        tables += [detail(outcome, subset.language, track, subset) for track in task.tracks]
    found = {slot: result.incidents for slot, result in outcome.results.items()}
    return [table for table in (*tables, problems_table(task, found)) if any(table.lines)]


_KEY = "Syntax: A automatic, G gold. NB no boundaries, GB gold boundaries, GM gold mentions."


def qualities(outcome: Outcome) -> list[Setting]:
    """The settings that differ from the official one in mention quality alone."""
    task = outcome.task
    train, test = task.settings[task.official].train, task.settings[task.official].test
    return [s for s in task.settings_in_order() if (s.train, s.test) == (train, test)]


def select(scores: Scores, subset: Subset) -> Scores:
    """The scores of the documents of a subset."""
    rows = [name in subset for name in scores.counts.documents]
    return Scores(scores.options, scores.counts.select(np.array(rows, dtype=bool)))


def _given(task: Task, setting: Setting) -> dict[Heading, Value]:
    """What a setting is, by column: in a task of languages what systems were given."""
    if task.of_datasets:
        return {Heading("setting", "Setting"): setting.name}
    own = {quality: quality for quality in QUALITIES}
    groups = (("train", "Train", SYNTAX), ("test", "Test", SYNTAX), ("quality", "Mentions", own))
    return {
        Heading(f"{what}.{kind}", title, group, "tick"): getattr(setting, what) == kind
        for what, group, titles in groups
        for kind, title in titles.items()
    }


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

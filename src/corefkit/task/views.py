"""Tables that only the page has room for: significance, genres side by side, one system."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from corefkit import metrics
from corefkit.data.incidents import errors
from corefkit.data.table import Heading, Table, make_table, mark_best
from corefkit.render.comparison import pairs_table
from corefkit.scoring.scores import Scores
from corefkit.stats.means import compare_means
from corefkit.stats.significance import Comparison, compare_scores
from corefkit.task.manifest import Slot
from corefkit.task.run import Outcome
from corefkit.task.tables import overview, rank_title, shown_metrics, standings

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def comparisons(outcome: Outcome) -> dict[tuple[str, str], Comparison]:
    """For each track and language the systems of the official setting, compared, best first."""
    task = outcome.task
    found = {}
    for track in task.tracks:
        for language in task.languages:
            slots = task.slots(language=language, track=track, setting=task.official)
            scored = {
                slot.system: scores for slot in slots if (scores := outcome.results[slot].scores)
            }
            order = sorted(scored, key=lambda s: (-scored[s][task.rank].f1, s))
            if scored:
                found[track, language] = compare_scores(
                    {system: scored[system] for system in order},
                    samples=task.samples,
                    seed=task.seed,
                    level=task.level,
                )
    return found


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
            found[standing.system] = [_scores(outcome, slot) for slot in slots]
    if not found:
        return None
    return compare_means(found, task.rank, samples=task.samples, seed=task.seed, level=task.level)


def _scores(outcome: Outcome, slot: Slot) -> Scores:
    result = outcome.results.get(slot)
    return (result and result.scores) or outcome.nothing(slot.language, slot.setting)


def ranking_table(outcome: Outcome, found: Comparison | None) -> Table:
    """Place, system, official score with its interval and group, then all that made it."""
    task = outcome.task
    teams = {name: entrant.team for name, entrant in task.systems.items()}
    rows = overview(outcome, task.settings[task.official])
    rest = [i for i, h in enumerate(rows.headings) if h.name not in ("system", "official")]
    rest.sort(key=lambda i: not rows.headings[i].name.startswith(f"{task.tracks[0]}."))
    column = [h.name for h in rows.headings].index("official")
    headings = [Heading("place", "Place", kind="number"), Heading("system", "System")]
    headings += [
        rows.headings[column]._replace(title="Official score"),
        Heading("low", "from", kind="score"),
        Heading("high", "to", kind="score"),
        Heading("groups", "Group"),
        *([Heading("team", "Team")] if any(teams.values()) else []),
        *(rows.headings[i] for i in rest),
    ]
    lines = []
    scores = [standing.official for standing in standings(outcome)]
    for line, score in zip(rows.lines, scores, strict=True):
        system = str(line[0].value)
        ends = found and system in found.systems and found.systems[system][task.rank].interval
        lines.append(
            (
                1 + sum(other > score for other in scores),
                system,
                line[column],
                *(ends or (None, None)),
                _letters(system, found.groups[task.rank]) if found else "",
                *([teams[system]] if any(teams.values()) else []),
                *(line[i] for i in rest),
            )
        )
    note = f"{rows.note} From and to: its {100 * task.level:g} % confidence interval over documents"
    note += "; systems that share a letter cannot be told apart."
    return make_table("ranking", f"{task.name}: ranking", headings, [lines], note=note)


def significance_table(outcome: Outcome, track: str, language: str, found: Comparison) -> Table:
    """The systems with their intervals; those that share a letter cannot be told apart."""
    rank = outcome.task.rank
    headings = (
        Heading("system", "System"),
        Heading("f1", "F1", kind="score"),
        Heading("low", "from", kind="score"),
        Heading("high", "to", kind="score"),
        Heading("groups", "Group"),
    )
    best = mark_best([intervals[rank].f1 for intervals in found.systems.values()])
    lines = [
        (
            system,
            cell,
            *(found.systems[system][rank].interval or (None, None)),
            _letters(system, found.groups[rank]),
        )
        for system, cell in zip(found.systems, best, strict=True)
    ]
    title = outcome.task.where(language, track)
    name, note = f"significance-{language}-{track}", " ".join(map(_sentence, found.notes))
    return make_table(name, title, headings, [lines], note=note)


def pair_table(outcome: Outcome, track: str, language: str, found: Comparison) -> Table:
    """The pairs as `corefkit compare` shows them, in the metric that ranks."""
    table = pairs_table(found, [outcome.task.rank]).without("metric")  # the same everywhere
    title = f"{outcome.task.where(language, track)}: pairs"
    return replace(table, name=f"pairs-{language}-{track}", title=title)


def _letters(system: str, groups: list[list[str]]) -> str:
    """a, b, …, z, then numbers."""
    marks = [*_LETTERS, *map(str, range(1, len(groups) + 1))]
    return " ".join(marks[i] for i, group in enumerate(groups) if system in group)


def _sentence(note: str) -> str:
    return f"{note[:1].upper()}{note[1:]}."


def genre_matrix(outcome: Outcome, language: str) -> Table | None:
    """The ranking figure of every system in every genre, official track and setting."""
    task = outcome.task
    if task.of_datasets:
        return None
    found = {}
    for standing in standings(outcome):
        result = outcome.results.get(Slot(standing.system, language, task.tracks[0], task.official))
        if result and result.scores:
            parts = result.scores.by("genre")
            found[standing.system] = {genre: part[task.rank].f1 for genre, part in parts.items()}
            found[standing.system]["all"] = result.scores[task.rank].f1
    if not found:
        return None
    genres = [*sorted({g for row in found.values() for g in row} - {"all"}), "all"]
    columns = [mark_best([row.get(genre) for row in found.values()]) for genre in genres]
    headings = [Heading("system", "System")]
    headings += [Heading(genre, genre, kind="score") for genre in genres]
    title = f"{task.languages[language].title}, {task.tracks[0]} track by genre"
    lines = zip(found, *columns, strict=True)
    return make_table(f"by-genre-{language}", title, headings, [lines])


def system_table(outcome: Outcome, system: str) -> Table:
    """All responses of one system: F1 of every metric."""
    task = outcome.task
    shown = shown_metrics(task)
    headings = [Heading(n, n.capitalize()) for n in task.conditions]
    headings += [Heading(f"{m}.f1", metrics.get(m).title, kind="score") for m in shown]
    headings.append(Heading("official", rank_title(task), kind="score"))
    headings.append(Heading("status", "Status"))
    rows = []
    for slot in task.slots(system=system):
        result = outcome.results[slot]
        bad = errors(result.incidents)
        told = "broken" if bad else f"{len(result.incidents)} warning" if result.incidents else "ok"
        status = told + "s" * (len(result.incidents) > 1 and not bad)
        scores = result.scores
        figures = (scores[m].f1 if scores else None for m in (*shown, task.rank))
        rows.append((*task.describe(slot), *figures, status))
    return make_table(f"system-{system}", f"{system}: all responses", headings, [rows])

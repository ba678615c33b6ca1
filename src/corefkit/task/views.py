"""Tables that only the page has room for: significance, genres side by side, one system."""

from corefkit.incidents import errors
from corefkit.render.grid import Cell, Column, Row, Table, figure, label, mark
from corefkit.significance import Comparison, compare
from corefkit.task.manifest import Slot
from corefkit.task.run import Outcome
from corefkit.task.tables import METRICS, standings

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def comparisons(outcome: Outcome) -> dict[tuple[str, str], Comparison]:
    """For each track and language the systems of the official setting, compared."""
    task = outcome.task
    found = {}
    for track in task.tracks:
        for language in task.languages:
            slots = task.slots(language=language, track=track, setting=task.official)
            scored = {
                slot.system: scores for slot in slots if (scores := outcome.results[slot].scores)
            }
            if scored:
                found[track, language] = compare(
                    scored, samples=task.samples, seed=task.seed, level=task.level
                )
    return found


def significance_table(outcome: Outcome, track: str, language: str, found: Comparison) -> Table:
    """The systems with their intervals; those that share a letter cannot be told apart."""
    rank = outcome.task.rank
    columns = (
        Column("system", "Participant", number=False),
        Column("f1", "F1"),
        Column("low", "from"),
        Column("high", "to"),
        Column("groups", "Group", number=False),
    )
    order = sorted(found.systems, key=lambda s: -found.systems[s][rank].f1)
    best = mark([found.systems[s][rank].f1 for s in order])
    rows = tuple(
        (
            label(system),
            cell,
            *map(figure, found.systems[system][rank].interval),
            label(_letters(system, found.groups[rank])),
        )
        for system, cell in zip(order, best, strict=True)
    )
    title = f"{outcome.task.languages[language].title}, {track} track"
    return Table(f"significance-{language}-{track}", title, columns, (rows,))


def pair_table(outcome: Outcome, track: str, language: str, found: Comparison) -> Table:
    """The pairs: difference, p-values, wins and losses by document."""
    rank = outcome.task.rank
    columns = [Column(n, n, number=False) for n in ("a", "b")]
    columns += [Column("difference", "a − b"), Column("p_bootstrap", "p bootstrap")]
    columns += [Column("p_randomization", "p randomised"), Column("p_holm", "p Holm")]
    columns += [Column(n, n) for n in ("wins", "losses", "ties")]
    rows: list[Row] = []
    for pair in found.pairs:
        d = pair.metrics[rank]
        p_values = (d.p_bootstrap, d.p_randomization, d.p_holm)
        rows.append(
            (
                label(pair.a),
                label(pair.b),
                Cell(d.difference, f"{100 * d.difference:+.2f}"),
                *(Cell(p, f"{p:.4f}", p is d.p_holm and p < 1 - found.level) for p in p_values),
                *(Cell(n, str(n)) for n in (d.wins, d.losses, d.ties)),
            )
        )
    title = f"{outcome.task.languages[language].title}, {track} track: pairs"
    best = f"significant at {1 - found.level:.2g} after Holm's correction"
    name = f"pairs-{language}-{track}"
    return Table(name, title, tuple(columns), (tuple(rows),), best=best)


def _letters(system: str, groups: list[list[str]]) -> str:
    """a, b, …, z, then numbers."""
    marks = [*_LETTERS, *map(str, range(1, len(groups) + 1))]
    return " ".join(marks[i] for i, group in enumerate(groups) if system in group)


def genre_matrix(outcome: Outcome, language: str) -> Table | None:
    """The ranking figure of every system in every genre, official track and setting."""
    task = outcome.task
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
    cells = [[label(system) for system in found]]
    cells += [mark([row.get(genre) for row in found.values()]) for genre in genres]
    columns = (
        Column("system", "Participant", number=False),
        *(Column(genre, genre) for genre in genres),
    )
    title = f"{task.languages[language].title}, {task.tracks[0]} track by genre"
    rows = tuple(zip(*cells, strict=True))
    return Table(f"by-genre-{language}", title, columns, (rows,))


def system_table(outcome: Outcome, system: str) -> Table:
    """All responses of one system: F1 of every metric."""
    task = outcome.task
    shown = [m for m in (*METRICS, "lea") if m in task.options.metrics]
    columns = [Column(n, n, number=False) for n in ("language", "track", "setting")]
    columns += [Column(f"{m}.f1", METRICS.get(m, m.upper())) for m in shown]
    columns += [Column("official", "Official"), Column("status", "Status", number=False)]
    rows = []
    for slot in task.slots(system=system):
        result = outcome.results[slot]
        bad = errors(result.incidents)
        told = "broken" if bad else f"{len(result.incidents)} warning" if result.incidents else "ok"
        status = told + "s" * (len(result.incidents) > 1 and not bad)
        scores = result.scores
        rows.append(
            (
                *map(label, (slot.language, slot.track, slot.setting)),
                *(figure(scores[m].f1 if scores else None) for m in (*shown, task.rank)),
                label(status),
            )
        )
    return Table(f"system-{system}", f"{system}: all responses", tuple(columns), (tuple(rows),))

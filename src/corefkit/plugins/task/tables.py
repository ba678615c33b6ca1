"""The tables of a shared task.

`all_tables` returns those of the CoNLL-2012 paper, in its layouts (Tables 17 to 27), and those of
strata and problems. The other functions make tables for the page: the ranking, intervals, pairs,
systems by genre, and single systems.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from string import ascii_lowercase

import numpy as np

from corefkit.core.incidents import Incident, errors
from corefkit.core.nodes import is_zero
from corefkit.core.texts import count_of
from corefkit.metrics import title_of
from corefkit.plugins.task.results import TaskRun
from corefkit.plugins.task.shared_task import (
    QUALITIES,
    SYNTAX,
    Language,
    Setting,
    Slot,
    Subset,
    Task,
    by_name,
)
from corefkit.render.significance import pairs_table
from corefkit.render.table import (
    TICK,
    Cell,
    CellValue,
    Heading,
    Table,
    make_table,
    mark_best,
    percent,
    plain_headings,
)
from corefkit.scoring.scores import Scores
from corefkit.stats.compare import Significance

SUFFIXES = {"text": "txt", "json": "json", "csv": "csv", "markdown": "md", "latex": "tex"}
"""The formats in which a task writes its tables, and the suffixes of the files."""

METRICS = ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea")
"""The metrics of the detail tables: those of the CoNLL-2012 paper, and LEA."""

_VALUES = {"recall": "R", "precision": "P", "f1": "F"}
_TOP = 4
"""How many of the best scores are marked in each column of the overview."""

_FINAL, _TRAINING = "Final model", {"train": "Train", "development": "Dev"}
SYSTEM = Heading("system", "System")


def overview(run: TaskRun, setting: Setting) -> Table:
    """Tables 17 to 19: the ranking score for each track and language, and the mean.

    Systems are ordered by their official scores in all settings.
    """
    task = run.task
    tracks = [*task.tracks[1:], task.tracks[0]]
    official = setting.name == task.official
    sent = {slot.system for slot in task.slots(setting=setting.name)}
    systems = [s for s in run.systems() if s in sent or official]
    columns: dict[Heading, Sequence[Cell | CellValue]] = {SYSTEM: systems}
    for track in tracks:
        for name, language in task.languages.items():
            group = track.capitalize() if "track" in task.conditions else ""
            slots = [Slot(s, name, track, setting.name) for s in systems]
            figures = mark_best([run.figure(slot) for slot in slots], _TOP)
            cells = [_with_mark(run, cell, slot) for cell, slot in zip(figures, slots, strict=True)]
            columns[Heading(f"{track}.{name}", language.title, group, "score")] = cells
    title = "Official score" if official else "Mean score"
    by_system = {s.system: s.official for s in run.standings(setting)}
    official_scores = mark_best([by_system[s] for s in systems], _TOP)
    columns[Heading("official", title, kind="score")] = official_scores
    for name, title in _TRAINING.items():
        if len({name in entrant.training for entrant in task.systems.values()}) > 1:
            used = [name in task.systems[s].training for s in systems]
            columns[Heading(f"training.{name}", title, _FINAL, "tick")] = used
    name = f"overview-{setting.name}"
    title = ": ".join(filter(None, (task.name, task.setting_title(setting.name))))
    lines = zip(*columns.values(), strict=True)
    note = _mean_note(task)
    if any(run.lacks_documents(slot) for slot in run.results if slot.setting == setting.name):
        note += f" {_LACKING}: documents are missing, and count as documents without mentions."
    if any(heading.group == _FINAL for heading in columns):
        note += f" {TICK}: used for training."
    return make_table(name, title, columns, [lines], note=note)


_LACKING = "°"


def _with_mark(run: TaskRun, cell: Cell, slot: Slot) -> Cell:
    """The cell, in texts with a mark: ✗ for a broken response, – for none, ° without documents."""
    if run.lacks_documents(slot) and isinstance(cell.value, float):
        return cell._replace(text=f"{percent(cell.value)}{_LACKING}")
    if cell.value is not None:
        return cell
    return cell._replace(text="✗" if slot in run.task.responses else "–")


def _mean_note(task: Task) -> str:
    track = f" of the {task.tracks[0]} track" if "track" in task.conditions else ""
    return (
        f"F1 of {title_of(task.rank)}; the score is the mean over the {task.word}s{track}, "
        f"0 for a {task.word} not attempted. –: no response; ✗: a broken one."
    )


def zero_overview(run: TaskRun) -> Table | None:
    """The F1 of `zero` in the official setting, for datasets whose keys have zeros."""
    task = run.task
    if "zero" not in task.options.metrics:
        return None
    with_zeros = _with_zeros(run)
    if not with_zeros:
        return None
    figures: dict[str, dict[str, float | None]] = {}
    for system in run.systems():
        slots = {x: Slot(system, x.name, task.tracks[0], task.official) for x in with_zeros}
        scored = ((x.title, run.scores(slot)) for x, slot in slots.items())
        figures[system] = {title: scores["zero"].f1 if scores else None for title, scores in scored}
    titles = [language.title for language in with_zeros]
    title, note = f"{task.name}: zeros", "F1 of zero, where the key has zeros."
    return _matrix("overview-zero", title, figures, titles, note)


def _matrix(
    name: str,
    title: str,
    figures: Mapping[str, Mapping[str, float | None]],
    labels: Sequence[str],
    note: str = "",
) -> Table:
    """One row per system and one column per label, with the best figure of each column marked."""
    columns = [mark_best([row.get(label) for row in figures.values()]) for label in labels]
    headings = [SYSTEM, *plain_headings(*labels, kind="score")]
    return make_table(name, title, headings, [zip(figures, *columns, strict=True)], note=note)


def detail(run: TaskRun, language: str, track: str, subset: Subset | None = None) -> Table:
    """Tables 20 to 22 and 24 to 27: recall, precision and F1 of all metrics, by setting."""
    task = run.task
    figures = {
        Heading(f"{m}.{v}", title, title_of(m), "score"): (m, v)
        for m in shown_metrics(run)
        for v, title in _VALUES.items()
    }
    figures[Heading("official", title_of(task.rank), kind="score")] = task.rank, "f1"
    blocks: list[list[tuple[Cell | CellValue, ...]]] = []
    for setting in task.settings_in_order():
        slots = task.slots(language=language, track=track, setting=setting.name)
        scored = {slot.system: scores for slot in slots if (scores := run.scores(slot))}
        if subset:
            scored = {system: select(scores, subset) for system, scores in scored.items()}
        if not scored:
            continue
        systems = sorted(scored, key=lambda system: (-scored[system][task.rank].f1, system))
        values = [[getattr(scored[s][m], v) for s in systems] for m, v in figures.values()]
        block = f"{task.languages[language].letter}{len(blocks)}"
        ids = [f"{block}.{index:02}" for index in range(len(systems))]
        given = _given(task, setting).values()
        rows = zip(ids, systems, *map(mark_best, values), strict=True)
        blocks.append([(number, system, *given, *row) for number, system, *row in rows])
    part = f", subset {subset.name}" if subset else ""
    content = "all systems and settings" if len(task.settings) > 1 else "all systems"
    title = f"{task.where(language, track)}{part}: {content}"
    name = f"subset-{subset.name}-{track}" if subset else f"{language}-{track}"
    first = (Heading("id", "ID"), SYSTEM, *_given(task, task.settings[task.official]))
    return make_table(name, title, (*first, *figures), blocks, note=_abbreviations(task))


def shown_metrics(run: TaskRun) -> list[str]:
    """The metrics of the detail tables, for tasks of datasets also those of CRAC.

    `zero` is among them only if a key has zeros.
    """
    crac = ("mor", *(("zero",) if _with_zeros(run) else ())) if run.task.of_datasets else ()
    return [m for m in (*METRICS, *crac) if m in run.task.options.metrics]


def _with_zeros(run: TaskRun) -> list[Language]:
    """The languages or datasets whose keys have zeros."""
    keys = run.keys
    return [x for name, x in run.task.languages.items() if is_zero(keys[name].corpus).any()]


def genres(run: TaskRun, system: str) -> Table | None:
    """Table 23: one system by genre, for each language and mention quality.

    None if it has fewer than two genres.
    """
    task = run.task
    figures = {Heading(f"{m}.f1", "F", title_of(m), "score"): m for m in shown_metrics(run)}
    figures[Heading("official", title_of(task.rank), kind="score")] = task.rank
    first = (Heading("language", "Language"), Heading("genre", "Genre"))
    headings = (*first, *_given(task, task.settings[task.official]), *figures)
    blocks: list[list[tuple[CellValue, ...]]] = []
    for language in task.languages.values():
        for setting in task.qualities():
            scores = run.scores(Slot(system, language.name, task.tracks[0], setting.name))
            if scores:
                given = _given(task, setting).values()
                parts = sorted(scores.groups("genre").items(), key=lambda p: -p[1][task.rank].f1)
                rows = {genre: [part[m].f1 for m in figures.values()] for genre, part in parts}
                blocks.append([(language.title, g, *given, *row) for g, row in rows.items()])
    if len({genre for block in blocks for _, genre, *_ in block}) < 2:
        return None
    title = f"{system} by genre"
    title += f", {task.tracks[0]} track" if "track" in task.conditions else ""
    note = _abbreviations(task)
    return make_table(f"genres-{system}", title, headings, blocks, note=note)


def problems_table(
    task: Task, incidents: Mapping[Slot, Sequence[Incident]], *, paths: bool = False
) -> Table:
    """One row per response that is broken, missing or has warnings, in this order.

    Files are shown by name, or, with `paths`, by their paths in the manifest.
    """
    conditions = _shown_conditions(task)
    names = ("system", *conditions, "status", "file", "line", "column", "what", "document", "hint")
    blocks = [[row for _, row in rows] for rows in problem_rows(task, incidents, paths=paths)]
    headings = [Heading(name, name.capitalize()) for name in names]
    title = f"{task.name}: responses that are missing or broken"
    return make_table("problems", title, headings, blocks)


def problem_rows(
    task: Task, incidents: Mapping[Slot, Sequence[Incident]], *, paths: bool = False
) -> list[list[tuple[Slot, tuple[CellValue, ...]]]]:
    """The blocks of `problems_table`: for each row the slot and its cells.

    In a task of datasets a file has one row, for the official setting.
    """
    rows: dict[str, list[tuple[Slot, tuple[CellValue, ...]]]] = {
        "broken": [],
        "missing": [],
        "warnings": [],
    }
    for slot, response_incidents in incidents.items():
        response_errors = errors(response_incidents)
        if not response_incidents or (task.of_datasets and slot.setting != task.official):
            continue
        first, *others = response_errors or response_incidents
        first = first if paths else by_name(first)
        status = "broken" if response_errors else "warnings"
        more = f" (and {len(others):,} more)" if others else ""
        message = f"{first.message} [{first.id}]{more}"
        position = (
            None if number is None else str(number) for number in (first.line, first.column)
        )
        conditions = _shown_conditions(task, slot)
        told = (message, first.document, first.hint)
        row = (slot.system, *conditions, status, first.file, *position, *told)
        rows[status].append((slot, row))
    for slot in task.missing():
        counts = slot.track == task.tracks[0] and slot.setting == task.official
        message = "not sent" + ("; counts as 0 in the official score" if counts else "")
        row = (
            slot.system,
            *_shown_conditions(task, slot),
            "missing",
            *[None] * 3,
            message,
            None,
            None,
        )
        rows["missing"].append((slot, row))
    return [block for block in rows.values() if block]


def _shown_conditions(task: Task, slot: Slot | None = None) -> list[str]:
    """The conditions of a response, or without a slot their names.

    In a task of datasets a file is shown once, without its settings.
    """
    values = task.describe(slot) if slot else task.conditions
    named = zip(task.conditions, values, strict=True)
    return [value for name, value in named if name != "setting" or not task.of_datasets]


def all_tables(run: TaskRun) -> list[Table]:
    """The tables of the paper, of strata and of problems, as far as they have rows."""
    task = run.task
    tables = [overview(run, setting) for setting in task.qualities()]
    for track in task.tracks:
        tables += [detail(run, language, track) for language in task.languages]
    if task.of_datasets:
        zeros = zero_overview(run)
        tables += [zeros] if zeros else []
    else:
        tables += filter(None, (genres(run, system) for system in run.systems()))
    for subset in task.subsets.values():
        tables += [detail(run, subset.language, track, subset) for track in task.tracks]
    for name in task.divisions:
        tables += [strata_table(run, name, language) for language in task.languages]
    tables.append(problems_table(task, run.incidents))
    return [table for table in tables if any(table.lines)]


def _abbreviations(task: Task) -> str:
    """A note that explains the abbreviations of settings."""
    syntax = "Syntax: A automatic, G gold." if task.varies("train") or task.varies("test") else ""
    qualities = {setting.conditions.get("quality") for setting in task.settings.values()}
    meanings = ", ".join(f"{q} {title}" for q, title in QUALITIES.items() if q in qualities)
    return f"{syntax} {meanings}.".strip() if task.varies("quality") else syntax


def select(scores: Scores, subset: Subset) -> Scores:
    """The scores on the documents of a subset."""
    rows = [name in subset for name in scores.counts.documents]
    return Scores(scores.options, scores.counts.select(np.array(rows, dtype=bool)))


def _given(task: Task, setting: Setting) -> dict[Heading, CellValue]:
    """The cells that describe a setting, by column: its name, or what systems were given."""
    if task.of_datasets:
        several = len(task.settings) > 1
        return {Heading("setting", "Setting"): setting.name} if several else {}
    groups = (
        ("train", "Train", SYNTAX),
        ("test", "Test", SYNTAX),
        ("quality", "Mentions", {quality: quality for quality in QUALITIES}),
    )
    return {
        Heading(f"{name}.{kind}", title, group, "tick"): setting.conditions[name] == kind
        for name, group, titles in groups
        if task.varies(name)
        for kind, title in titles.items()
    }


_INTERVAL = (
    Heading("low", "from", kind="score"),
    Heading("high", "to", kind="score"),
    Heading("groups", "Group"),
)


def ranking_table(run: TaskRun) -> Table:
    """Place, system, official score with interval and group, then the scores it is made of."""
    task, comparison = run.task, run.official_comparison
    teams = {name: entrant.team for name, entrant in task.systems.items()}
    rows = overview(run, task.settings[task.official]).without("system")
    names, track = [heading.name for heading in rows.headings], f"{task.tracks[0]}."
    order = sorted(names, key=lambda name: (name != "official", not name.startswith(track)))
    rows = rows.pick([names.index(name) for name in order])
    official, *others = rows.headings
    headings = [Heading("place", "Place", kind="number"), SYSTEM, official, *_INTERVAL]
    headings += [Heading("team", "Team")] if any(teams.values()) else []
    headings += others
    lines, partial = [], False
    for standing, (score, *cells) in zip(run.standings(), rows.lines, strict=True):
        system = standing.system
        tested = comparison and comparison.systems.get(system)
        ends = tested and tested[task.rank].interval
        letters = _letters(system, comparison.groups[task.rank]) if comparison else ""
        slots = (Slot(system, name, task.tracks[0], task.official) for name in task.languages)
        incomplete = bool(letters) and not all(map(run.scores, slots))
        partial = partial or incomplete
        group = Cell(letters, text=f"{letters}{_INCOMPLETE}" if incomplete else None)
        labels: list[CellValue | Cell] = [group, teams[system]] if any(teams.values()) else [group]
        lines.append((standing.place, system, score, *(ends or (None, None)), *labels, *cells))
    note = f"{rows.note} From and to: its {100 * task.level:g} % confidence interval over documents"
    note += "; systems that share a letter cannot be told apart"
    note += f" on the {task.word}s that both sent" if partial else ""
    note += f". {_INCOMPLETE}: tested on only some of the {task.word}s" if partial else ""
    note += f". {_notes(comparison)}"
    return make_table("ranking", f"{task.name}: ranking", headings, [lines], note=note.rstrip())


_INCOMPLETE = "†"
"""Marks the group of a system some of whose responses are missing or broken."""


def sentences(notes: Iterable[str]) -> Iterator[str]:
    """Notes as sentences."""
    return (f"{note[:1].upper()}{note[1:]}." for note in notes)


def _notes(comparison: Significance | None) -> str:
    """The notes of a comparison."""
    return " ".join(sentences(comparison.notes)) if comparison else ""


def significance_table(run: TaskRun, track: str, language: str) -> Table:
    """The systems with intervals and groups; those that share a letter cannot be told apart."""
    rank, comparison = run.task.rank, run.comparisons[track, language]
    groups = comparison.groups[rank]
    headings = (SYSTEM, Heading("f1", "F1", kind="score"), *_INTERVAL)
    figures = {system: intervals[rank] for system, intervals in comparison.systems.items()}
    best = mark_best([figure.f1 for figure in figures.values()])
    lines = [
        (
            system,
            cell,
            *(figure.interval or (None, None)),
            _letters(system, groups),
        )
        for (system, figure), cell in zip(figures.items(), best, strict=True)
    ]
    title = run.task.where(language, track)
    name = f"significance-{language}-{track}"
    return make_table(name, title, headings, [lines], note=_notes(comparison))


def official_pairs(run: TaskRun) -> Table | None:
    """The pairs of the official ranking, and the languages or datasets each is compared on."""
    task, comparison = run.task, run.official_comparison
    if comparison is None or len(task.languages) == 1 or len(comparison.systems) < 2:
        return None
    table = pairs_table(comparison, [task.rank]).without("metric")
    headings = (*table.headings, Heading("keys", "Compared on"))
    shared = {(pair.a, pair.b): pair.keys for pair in comparison.pairs}
    lines: list[tuple[Cell | CellValue, ...]] = [
        (*line, _shared(task, shared[str(line[0].value), str(line[1].value)]))
        for line in table.lines
    ]
    nothing = [None] * (len(table.headings) - 2)
    lines += [(a, b, *nothing, "not comparable") for a, b in comparison.not_comparable]
    title, note = "Official score: pairs", _notes(comparison)
    return make_table("pairs-official", title, headings, [lines], note=note, best=table.best)


def _shared(task: Task, keys: Sequence[str]) -> str:
    """The keys that two systems are compared on: all, all but a few, or a list."""
    titles = [language.title for language in task.languages.values()]
    if len(keys) == len(titles):
        return f"all {count_of(len(titles), task.word)}"
    excluded = [title for title in titles if title not in keys]
    if len(excluded) < len(keys):
        return f"all but {', '.join(excluded)}"
    return ", ".join(keys)


def pair_table(run: TaskRun, track: str, language: str) -> Table:
    """The pairs as `corefkit compare` shows them, for the ranking metric."""
    table = pairs_table(run.comparisons[track, language], [run.task.rank])
    table = table.without("metric")  # all rows have the same
    title = f"{run.task.where(language, track)}: pairs"
    return replace(table, name=f"pairs-{language}-{track}", title=title)


def _letters(system: str, groups: list[list[str]]) -> str:
    """The names of the groups that a system is in: a, b, …, z, then numbers."""
    marks = [*ascii_lowercase, *map(str, range(1, len(groups) + 1))]
    return " ".join(marks[i] for i, group in enumerate(groups) if system in group)


def genre_matrix(run: TaskRun, language: str) -> Table | None:
    """The ranking score of every system in every genre, in the official track and setting.

    None if there is only one genre, and for tasks of datasets.
    """
    task = run.task
    if task.of_datasets:
        return None
    figures = {}
    for system in run.systems():
        if scores := run.scores(Slot(system, language, task.tracks[0], task.official)):
            parts = {**scores.groups("genre"), "all": scores}
            figures[system] = {genre: part[task.rank].f1 for genre, part in parts.items()}
    genres = [*sorted({g for row in figures.values() for g in row} - {"all"}), "all"]
    if len(genres) < 3:
        return None
    title = f"{task.where(language, task.tracks[0])} by genre"
    return _matrix(f"by-genre-{language}", title, figures, genres)


def strata_table(run: TaskRun, name: str, language: str) -> Table:
    """The ranking score of every system in every stratum, in the official track and setting.

    `name` is that of a table in the manifest, which says what the scores are split by.
    """
    task, by = run.task, run.task.divisions[name]
    figures: dict[str, dict[str, float | None]] = {}
    for system in run.systems():
        slot = Slot(system, language, task.tracks[0], task.official)
        result = run.results.get(slot)
        if result and result.scores and by in result.strata:
            strata = result.strata[by].items()
            figures[system] = {label: part[task.rank].f1 for label, part in strata}
            figures[system]["all"] = result.scores[task.rank].f1
    longest = sorted(figures.values(), key=len, reverse=True)
    labels = [*dict.fromkeys(x for row in longest for x in row if x != "all"), "all"]
    title = f"{task.where(language, task.tracks[0])}: {title_of(task.rank)} by {by}"
    note = "Empty: a system has nothing there. Strata are parts of one comparison."
    return _matrix(f"{name}-{language}", title, figures, labels, note)


def system_table(run: TaskRun, system: str) -> Table:
    """All responses of one system, with the F1 of every metric and the status of the file."""
    task = run.task
    shown = {Heading(f"{m}.f1", title_of(m), kind="score"): m for m in shown_metrics(run)}
    shown[Heading("official", title_of(task.rank), kind="score")] = task.rank
    rows = []
    for slot in task.slots(system=system):
        result = run.results[slot]
        warnings = count_of(len(result.incidents), "warning") if result.incidents else "ok"
        status = "broken" if errors(result.incidents) else warnings
        scores = result.scores
        figures = (scores[m].f1 if scores else None for m in shown.values())
        rows.append((*task.describe(slot), *figures, status))
    conditions = [Heading(n, n.capitalize()) for n in task.conditions]
    headings = (*conditions, *shown, Heading("status", "Status"))
    return make_table(f"system-{system}", f"{system}: all responses", headings, [rows])

"""The tables of a shared task, in the layouts of the CoNLL-2012 paper (its Tables 17 to 27)."""

from collections.abc import Mapping, Sequence

import numpy as np

from corefkit.data.incidents import Incident, errors
from corefkit.data.matching.nodes import is_zero
from corefkit.data.table import Cell, Heading, Table, Value, make_table, mark_best
from corefkit.render.report import title_of
from corefkit.scoring.scores import Scores
from corefkit.task.ranking import Standing, ranking
from corefkit.task.run import Outcome
from corefkit.task.shared_task import QUALITIES, SYNTAX, Setting, Slot, Subset, Task

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

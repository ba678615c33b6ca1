"""The output of `corefkit compare`: intervals, tests and groups."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from textwrap import fill
from typing import Any

from corefkit import metrics
from corefkit._version import __version__
from corefkit.core.incidents import Incident
from corefkit.core.results import result_json
from corefkit.core.style import points
from corefkit.core.texts import count_of
from corefkit.render.parts import NOTHING
from corefkit.render.table import (
    DELIMITED,
    TERMINAL,
    Around,
    Cell,
    CellValue,
    Heading,
    Table,
    make_table,
    note_lines,
    percent,
    plain_headings,
    render_table,
    render_tables,
)
from corefkit.render.text import width_of
from corefkit.stats.compare import Significance, significant
from corefkit.stats.figures import Difference, Interval
from corefkit.stats.runs import RunDifference, RunFigures

_FOR_PROGRAMS = {"p_bootstrap"}
"""Columns of pairs that only programs get: this p-value is too small if documents are few."""


def render_comparison(
    comparison: Significance,
    form: str = "text",
    *,
    incidents: Sequence[Incident] = (),
    files: Mapping[str, Any] | None = None,
) -> str:
    """The comparison in one of the table formats; JSON has everything, unrounded.

    `files` has key and responses with their hashes, for JSON.
    """
    if form == "json":
        return result_json(comparison.kind, {**comparison.to_dict(), **(files or {})}, incidents)
    if form in DELIMITED:
        return render_table(flat_table(comparison), form)
    tables = _all_tables(comparison)
    if form == "text" and width_of(tables) > TERMINAL:  # numbers replace the names of systems
        numbers = {system: f"[{number}]" for number, system in enumerate(comparison.systems, 1)}
        tables = _all_tables(comparison, numbers)
    below = note_lines(comparison.notes, form)
    if sentence := advice(comparison):
        below.append(fill(sentence, TERMINAL) if form == "text" else sentence)
    around = Around(below=below, signature=comparison.signature)
    return render_tables(tables, form, around)


def advice(comparison: Significance) -> str:
    """A sentence that says what to report of the two best systems; empty if none was tested."""
    metric = next(iter((*metrics.averages(comparison.groups), *comparison.groups)))
    ranked = sorted(comparison.systems, key=lambda name: -comparison.systems[name][metric].f1)
    best = [
        (pair, test)
        for pair in comparison.pairs
        if {pair.a, pair.b} == {*ranked[:2]} and (test := pair.metrics[metric]).p_holm is not None
    ]
    if not best:
        return ""
    ((pair, test),) = best
    figures = [comparison.systems[name][metric] for name in (pair.a, pair.b)]
    shown = [
        f"{name} {percent(figure.f1)}{_between(figure.interval)}"
        for name, figure in zip((pair.a, pair.b), figures, strict=True)
    ]
    corrected = " after Holm's correction" if len(comparison.pairs) > 1 else ""
    p = Heading("p", "p", kind="p", digits=4).show(test.p_holm)
    documents = count_of(comparison.documents, "document")
    several = isinstance(test, RunDifference)
    test_name = "Student's t over runs and" if several else "approximate randomisation over"
    return (
        f"To report: {metrics.get(metric).title} {'mean ' if several else ''}F1 of "
        f"{' and '.join(shown)}, a difference of {points(test.difference, signed=True)}"
        f"{_between(test.interval)}, p {p if p.startswith('<') else f'= {p}'}{corrected} "
        f"({test_name} {documents}; {100 * comparison.level:g} % intervals, {comparison.interval}; "
        f"corefkit {__version__})."
    )


def _between(ends: tuple[float, float] | None) -> str:
    return f" [{points(ends[0])}, {points(ends[1])}]" if ends else ""


def _all_tables(comparison: Significance, names: Mapping[str, str] | None = None) -> list[Table]:
    """The tables for people: of whole documents, then of each window."""
    tables = comparison_tables(comparison, names)
    for window, in_window in comparison.windows.items():
        tables += [
            replace(table, title=f"window {window}, {table.title}")
            for table in comparison_tables(in_window, names)
        ]
    return tables


def comparison_tables(
    comparison: Significance, names: Mapping[str, str] | None = None
) -> list[Table]:
    """The tables for people; a single metric is in the titles and has no column.

    `names` has shorter names of systems, if needed.
    """
    names = names or {}
    if _has_runs(comparison):
        tables = [_means(comparison, names)]
        if comparison.pairs:
            tables.append(_run_pairs(comparison, names))
    else:
        tables = [_intervals(comparison, names)]
        if comparison.pairs:
            tables.append(pairs_table(comparison, names=names).without(*_FOR_PROGRAMS))
    if any(len(group) > 1 for groups in comparison.groups.values() for group in groups):
        tables.append(_groups(comparison, names))
    if len(comparison.groups) == 1:
        (metric,) = comparison.groups
        tables = [
            replace(table.without("metric"), title=f"{metric}: {_inner(table.title)}")
            for table in tables
        ]
    return tables + _strata_tables(comparison, names)


def _strata_tables(comparison: Significance, names: Mapping[str, str]) -> list[Table]:
    """For each division into strata the intervals of systems, and the differences of pairs."""
    listed = next(iter(comparison.strata.values()), ())
    tables = []
    for by in dict.fromkeys(stratum.by for stratum in listed):
        tables.append(_stratum_intervals(comparison, by, names))
        if comparison.pairs:
            tables.append(_stratum_pairs(comparison, by, names))
    if len(comparison.groups) == 1:
        (metric,) = comparison.groups
        return [replace(t.without("metric"), title=f"{metric} {_inner(t.title)}") for t in tables]
    return tables


def _stratum_intervals(comparison: Significance, by: str, names: Mapping[str, str]) -> Table:
    headings = [*plain_headings("metric"), Heading("stratum", by), *plain_headings("system")]
    headings += [Heading("documents", "docs", kind="number")]
    runs = _has_runs(comparison)
    columns = _SPREAD if runs else _ENDS
    headings += columns
    nothing: list[CellValue | Cell] = [
        Cell(None, text=NOTHING if heading.name == "f1" else None) for heading in columns
    ]
    blocks = []
    for metric in comparison.groups:
        lines: list[tuple[CellValue | Cell, ...]] = []
        for label in _labels(comparison, by):
            for system, strata in comparison.strata.items():
                for stratum in strata:
                    if (stratum.by, stratum.label) == (by, label) and metric in stratum.scores:
                        figure, name = stratum.scores[metric], names.get(system, system)
                        figures = (_spread if runs else _ends)(figure) if figure else nothing
                        lines.append((metric, label, name, stratum.documents, *figures))
        blocks.append(lines)
    title = f"{'Mean ' if runs else ''}F1 by {by}"
    return make_table("strata", title, headings, filter(None, blocks))


def _stratum_pairs(comparison: Significance, by: str, names: Mapping[str, str]) -> Table:
    headings = [
        *plain_headings("metric"),
        Heading("stratum", by),
        *plain_headings("a", "b"),
        Heading("documents", "docs", kind="number"),
    ]
    runs = _has_runs(comparison)
    columns = _TESTS if runs else _FIGURES
    shown = [place for place, h in enumerate(columns) if h.name not in _FOR_PROGRAMS]
    headings += [columns[place] for place in shown]
    blocks = []
    for metric in comparison.groups:
        lines: list[tuple[CellValue | Cell, ...]] = []
        for label in _labels(comparison, by):
            for pair in comparison.pairs:
                for stratum in pair.strata:
                    if (stratum.by, stratum.label) != (by, label) or metric not in stratum.scores:
                        continue
                    test, systems = stratum.scores[metric], (pair.a, pair.b)
                    a, b = (names.get(system, system) for system in systems)
                    figures: Sequence[CellValue | Cell] = [Cell(None, text=NOTHING)] * len(columns)
                    if test is not None:
                        figures = (_tests if runs else _figures)(test, comparison.level)
                    lines.append(
                        (metric, label, a, b, stratum.documents, *(figures[i] for i in shown))
                    )
        blocks.append(lines)
    best = f"significant at {1 - comparison.level:.2g} after Holm's correction, pairs × strata"
    title = f"Differences of {'mean ' if runs else ''}F1 by {by}"
    return make_table("strata-pairs", title, headings, filter(None, blocks), best=best)


def _labels(comparison: Significance, by: str) -> list[str]:
    """The labels of the strata of all systems, in order."""
    strata = comparison.strata.values()
    return list(
        dict.fromkeys(stratum.label for listed in strata for stratum in listed if stratum.by == by)
    )


def _has_runs(comparison: Significance) -> bool:
    return any(
        isinstance(f, RunFigures)
        for figures in comparison.systems.values()
        for f in figures.values()
    )


_ENDS = (
    Heading("f1", "F1", kind="score"),
    Heading("low", "from", kind="score"),
    Heading("high", "to", kind="score"),
)
_SPREAD = (
    Heading("runs", "runs", kind="number"),
    Heading("f1", "mean F1", kind="score"),
    Heading("sd", "± sd", kind="score"),
    Heading("low", "from", kind="score"),
    Heading("high", "to", kind="score"),
    Heading("se_documents", "docs", "std. error", "score"),
    Heading("se_runs", "runs", "std. error", "score"),
)
_TESTS = (
    Heading("difference", "a − b", kind="change"),
    Heading("low", "from", kind="change"),
    Heading("high", "to", kind="change"),
    Heading("p", "p", kind="p", digits=4),
    Heading("p_holm", "Holm", "p", "p", 4),
    Heading("p_documents", "docs", "p over", "p", 4),
    Heading("p_runs", "runs", "p over", "p", 4),
)


def _means(comparison: Significance, names: Mapping[str, str]) -> Table:
    """Means over runs with their intervals; `names` as in `comparison_tables`."""
    numbered = {system: f"{names[system]} {system}" for system in names}
    blocks = [
        [
            (metric, numbered.get(name, name), *_spread(figures[metric]))
            for name, figures in comparison.systems.items()
        ]
        for metric in comparison.groups
    ]
    title = f"Mean F1 over runs and {count_of(comparison.documents, 'document')}"
    title += f", {100 * comparison.level:g} % interval ({comparison.interval})"
    return make_table("intervals", title, [*plain_headings("metric", "system"), *_SPREAD], blocks)


def _ends(figure: Interval) -> tuple[CellValue, ...]:
    return figure.f1, *(figure.interval or (None, None))


def _spread(figure: Interval) -> tuple[CellValue, ...]:
    assert isinstance(figure, RunFigures)
    ends = figure.interval or (None, None)
    return figure.runs, figure.f1, figure.sd, *ends, figure.se_documents, figure.se_runs


def _run_pairs(comparison: Significance, names: Mapping[str, str]) -> Table:
    """The differences of means and their tests; `names` as in `comparison_tables`."""
    shown = {system: system for system in comparison.systems} | dict(names)
    blocks = [
        [
            (metric, shown[p.a], shown[p.b], *_tests(p.metrics[metric], comparison.level))
            for p in comparison.pairs
        ]
        for metric in comparison.groups
    ]
    best = f"significant at {1 - comparison.level:.2g} after Holm's correction"
    title = "Differences of mean F1, Student's t over documents and runs"
    return make_table("pairs", title, [*_WORDS, *_TESTS], blocks, best=best)


def _tests(d: Difference, level: float) -> tuple[CellValue | Cell, ...]:
    low, high = d.interval or (None, None)
    p_holm = Cell(d.p_holm, best=significant(d.p_holm, level))
    if isinstance(d, RunDifference):
        return d.difference, low, high, d.p, p_holm, d.p_documents, d.p_runs
    return d.difference, low, high, None, p_holm, d.p_randomization, None


def _inner(title: str) -> str:
    """A title inside a line, without its initial capital; F1 keeps it."""
    return title if title[1:2].isdigit() else title[:1].lower() + title[1:]


def _intervals(comparison: Significance, names: Mapping[str, str]) -> Table:
    """F1 with its interval by metric and system; `names` as in `comparison_tables`."""
    numbered = {system: f"{names[system]} {system}" for system in names}
    headings = [*plain_headings("metric", "system"), *_ENDS]
    blocks = [
        [(metric, numbered.get(name, name), *f1) for name, f1 in _estimates(comparison, metric)]
        for metric in comparison.groups
    ]
    title = f"F1 over {count_of(comparison.documents, 'document')}"
    if comparison.documents > 1:
        title += f", {100 * comparison.level:g} % interval ({comparison.interval})"
    return make_table("intervals", title, headings, blocks)


def _estimates(comparison: Significance, metric: str) -> list[tuple[str, list[float | None]]]:
    """Each system with its F1 and the ends of its interval."""
    figures = {system: by_metric[metric] for system, by_metric in comparison.systems.items()}
    return [(s, [figure.f1, *(figure.interval or (None, None))]) for s, figure in figures.items()]


_WORDS = plain_headings("metric", "a", "b")
_FIGURES = (
    Heading("difference", "a − b", kind="change"),
    Heading("low", "from", kind="change"),
    Heading("high", "to", kind="change"),
    Heading("p_bootstrap", "bootstrap", "p", "p", 4),
    Heading("p_randomization", "random", "p", "p", 4),
    Heading("p_holm", "Holm", "p", "p", 4),
    Heading("wins", "won", "docs", "number"),
    Heading("losses", "lost", "docs", "number"),
    Heading("ties", "tied", "docs", "number"),
)


def pairs_table(
    comparison: Significance, metrics: Sequence[str] = (), names: Mapping[str, str] | None = None
) -> Table:
    """The differences between systems and their p-values, for some metrics or all.

    `names` as in `comparison_tables`.
    """
    shown = {system: system for system in comparison.systems} | dict(names or {})
    blocks = [
        [
            (metric, shown[p.a], shown[p.b], *_figures(p.metrics[metric], comparison.level))
            for p in comparison.pairs
        ]
        for metric in metrics or comparison.groups
    ]
    best = f"significant at {1 - comparison.level:.2g} after Holm's correction"
    title = "Differences of F1, approximate randomisation over documents"
    return make_table("pairs", title, [*_WORDS, *_FIGURES], blocks, best=best)


def _figures(d: Difference, level: float) -> tuple[CellValue | Cell, ...]:
    low, high = d.interval or (None, None)
    p_holm = Cell(d.p_holm, best=significant(d.p_holm, level))
    tests = d.p_bootstrap, d.p_randomization, p_holm
    return d.difference, low, high, *tests, d.wins, d.losses, d.ties


def _groups(comparison: Significance, names: Mapping[str, str]) -> Table:
    """The groups of systems that cannot be told apart, without groups of one."""
    blocks = [
        [
            (metric, ", ".join(names.get(name, name) for name in group))
            for group in groups
            if len(group) > 1
        ]
        for metric, groups in comparison.groups.items()
    ]
    headings = plain_headings("metric", "systems")
    title = "Systems that cannot be told apart, best first"
    return make_table("groups", title, headings, filter(None, blocks))


def flat_table(comparison: Significance) -> Table:
    """For programs: one row per system (`b` and `difference` are empty), then one row per pair.

    The columns do not depend on the number of systems. With runs there are further columns. With
    windows there is a column `window`, which is empty in the rows of whole documents; these come
    first.
    """
    table = _flat(comparison)
    if not comparison.windows:
        return table
    parts = [("", table), *((window, _flat(part)) for window, part in comparison.windows.items())]
    lines = [[(Cell(window or None), *line) for line in part.lines] for window, part in parts]
    return make_table("comparison", "", [*plain_headings("window"), *table.headings], lines)


_RUN_FIELDS = ("runs", "sd", "min", "max", "se_documents", "se_runs", "df")
_RUN_TEST_FIELDS = ("t", "p", "p_documents", "p_runs", "smallest_p_runs")


def _flat(comparison: Significance) -> Table:
    blanks = [None] * (len(_FIGURES) - 3)
    fields = (*_RUN_FIELDS, *_RUN_TEST_FIELDS) if _has_runs(comparison) else ()
    blocks: list[list[tuple[CellValue | Cell, ...]]] = []
    for metric in comparison.groups:
        rows: list[tuple[CellValue | Cell, ...]] = []
        for name, (f1, *ends) in _estimates(comparison, metric):
            extra = [getattr(comparison.systems[name][metric], field, None) for field in fields]
            rows.append((metric, name, None, f1, None, *ends, *blanks, *extra))
        for pair in comparison.pairs:
            difference = pair.metrics[metric]
            extra = [getattr(difference, field, None) for field in fields]
            figures = _figures(difference, comparison.level)
            rows.append((metric, pair.a, pair.b, None, *figures, *extra))
        blocks.append(rows)
    headings = [*_WORDS, Heading("f1", "F1", kind="score"), *_FIGURES]
    headings += plain_headings(*fields, kind="number")
    if comparison.strata:
        return _flat_with_strata(comparison, headings, blocks, fields)
    return make_table("comparison", "", headings, blocks)


def _flat_with_strata(
    comparison: Significance,
    headings: list[Heading],
    blocks: list[list[tuple[CellValue | Cell, ...]]],
    fields: Sequence[str],
) -> Table:
    """The same with the rows of strata, a column `group`, and the number of their documents.

    `fields` are the columns that runs add.
    """
    with_group = plain_headings("group")
    with_group += [*headings, Heading("documents", "documents", kind="number")]
    blanks = [None] * (len(_FIGURES) - 3)
    lines = [[("all", *row, comparison.documents) for row in block] for block in blocks]
    for metric in comparison.groups:
        rows: list[tuple[CellValue | Cell, ...]] = []
        for system, strata in comparison.strata.items():
            for stratum in strata:
                if metric in stratum.scores:
                    figure, group = stratum.scores[metric], f"{stratum.by}:{stratum.label}"
                    ends = (figure and figure.interval) or (None, None)
                    f1 = figure.f1 if figure else None
                    extra = [getattr(figure, name, None) for name in fields]
                    row = (group, metric, system, None, f1, None, *ends, *blanks, *extra)
                    rows.append((*row, stratum.documents))
        for pair in comparison.pairs:
            for pair_stratum in pair.strata:
                if test := pair_stratum.scores.get(metric):
                    figures = _figures(test, comparison.level)
                    group = f"{pair_stratum.by}:{pair_stratum.label}"
                    extra = [getattr(test, name, None) for name in fields]
                    row = (group, metric, pair.a, pair.b, None, *figures, *extra)
                    rows.append((*row, pair_stratum.documents))
        lines.append(rows)
    return make_table("comparison", "", with_group, lines)

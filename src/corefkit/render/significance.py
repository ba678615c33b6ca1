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
from corefkit.metrics import title_of
from corefkit.render.table import (
    DELIMITED,
    TERMINAL,
    Around,
    Heading,
    Table,
    note_lines,
    percent,
    render_table,
    render_tables,
)
from corefkit.render.text import width_of
from corefkit.render.views import FigureRow, View, columns, flat, listing, pivot
from corefkit.scoring.parts import rows_of, under
from corefkit.stats.compare import Significance, significant
from corefkit.stats.runs import RunDifference, RunFigures


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
    """A sentence that says what to report of the two best systems, or of the only one.

    It is empty if there is no test of the two, or no interval of the one.
    """
    metric = next(iter((*metrics.averages(comparison.groups), *comparison.groups)))
    ranked = sorted(comparison.systems, key=lambda name: -comparison.systems[name][metric].f1)
    documents = count_of(comparison.documents, "document")
    if len(ranked) == 1:
        return _advice_on_one(comparison, metric, documents)
    best = [
        (pair, test)
        for pair in comparison.pairs
        if {pair.a, pair.b} == {*ranked[:2]} and (test := pair.metrics[metric]).p_holm is not None
    ]
    if not best:
        return ""
    ((pair, test),) = best
    shown = [_with_interval(comparison, name, metric) for name in (pair.a, pair.b)]
    corrected = " after Holm's correction" if len(comparison.pairs) > 1 else ""
    p = Heading("p", "p", kind="p", digits=4).show(test.p_holm)
    several = isinstance(test, RunDifference)
    test_name = "Student's t over runs and" if several else "approximate randomisation over"
    return (
        f"To report: {metrics.get(metric).title} {'mean ' if several else ''}F1 of "
        f"{' and '.join(shown)}, a difference of {points(test.difference, signed=True)}"
        f"{_between(test.interval)}, p {p if p.startswith('<') else f'= {p}'}{corrected} "
        f"({test_name} {documents}; {100 * comparison.level:g} % intervals, {comparison.interval}; "
        f"corefkit {__version__})."
    )


def _advice_on_one(comparison: Significance, metric: str, documents: str) -> str:
    """What to report of the only system: its F1, the interval, and what that is over."""
    ((name, figures),) = comparison.systems.items()
    figure = figures[metric]
    if figure.interval is None:
        return ""
    mean, over = "", documents
    if isinstance(figure, RunFigures):
        mean, over = "mean ", f"{count_of(figure.runs, 'run')} and {documents}"
    return (
        f"To report: {metrics.get(metric).title} {mean}F1 of "
        f"{_with_interval(comparison, name, metric)} ({100 * comparison.level:g} % interval, "
        f"{interval_method(comparison)}, {over}; corefkit {__version__})."
    )


def interval_method(comparison: Significance) -> str:
    """How the intervals of systems are computed, e.g. "percentile bootstrap"."""
    methods = {"jackknife": "jackknife"}
    if _has_runs(comparison):
        methods = {"jackknife": "Student's t", "percentile": "crossed bootstrap"}
    return methods.get(comparison.interval, f"{comparison.interval} bootstrap")


def _with_interval(comparison: Significance, name: str, metric: str) -> str:
    """The name of a system, its F1 and the ends of the interval."""
    figure = comparison.systems[name][metric]
    return f"{name} {percent(figure.f1)}{_between(figure.interval)}"


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
    names, mean = names or {}, "mean " if _has_runs(comparison) else ""
    rows = _rows(comparison, names)
    pairs = _rows_of_pairs(comparison, names)
    numbered = {system: f"{names[system]} {system}" for system in names}
    tables = [_intervals(comparison, _rows(comparison, numbered))]
    tables += [pairs_table(comparison, names=names, people=True)] if pairs else []
    if any(len(group) > 1 for groups in comparison.groups.values() for group in groups):
        tables.append(_groups(comparison, names))
    strata = []
    for by in dict.fromkeys(row["by"] for row in rows if row["by"]):
        title = f"{'Mean ' if mean else ''}F1 by {by}"
        strata.append(_intervals(comparison, rows, by, title))
        if pairs:
            strata.append(_pairs(comparison, pairs, by, f"Differences of {mean}F1 by {by}"))
    if len(comparison.groups) == 1:
        (metric,) = comparison.groups
        name = title_of(metric)
        titled = [(table, f"{name}:") for table in tables] + [(t, name) for t in strata]
        return [replace(t.without("metric"), title=f"{m} {_inner(t.title)}") for t, m in titled]
    return tables + strata


def _rows(comparison: Significance, names: Mapping[str, str]) -> list[FigureRow]:
    """The rows of systems in the whole and in strata, with other names if there are any."""
    return [
        row
        for name in comparison.systems
        for row in rows_of(under(comparison.parts_of(name)), system=names.get(name, name))
    ]


def _rows_of_pairs(comparison: Significance, names: Mapping[str, str]) -> list[FigureRow]:
    """The rows of pairs; of systems with one run each, the test over documents is the only one."""
    return [
        {"p_documents": row.get("p_randomization"), **row}
        for pair in comparison.pairs
        for row in rows_of(
            under(comparison.parts_of_pair(pair.a, pair.b)),
            a=names.get(pair.a, pair.a),
            b=names.get(pair.b, pair.b),
        )
    ]


def _has_runs(comparison: Significance) -> bool:
    return any(
        isinstance(f, RunFigures)
        for figures in comparison.systems.values()
        for f in figures.values()
    )


_ENDS = columns("f1 low high")
_SPREAD = columns("runs f1 sd low high se_documents se_runs", f1="mean F1")
_CHANGE = columns("difference low high", kind="change")
_FIGURES = _CHANGE + columns("p_bootstrap p_randomization p_holm wins losses ties")
_TESTS = _CHANGE + columns("p p_holm p_documents p_runs")


def _intervals(
    comparison: Significance, rows: Sequence[FigureRow], by: str = "", title: str = ""
) -> Table:
    """F1, or means over runs, with intervals by metric and system, in the whole or in strata."""
    runs, documents = _has_runs(comparison), count_of(comparison.documents, "document")
    if not by:
        title = f"Mean F1 over runs and {documents}" if runs else f"F1 over {documents}"
        if comparison.documents > 1 or runs:
            title += f", {100 * comparison.level:g} % interval ({comparison.interval})"
    view = View(
        "strata" if by else "intervals",
        title,
        columns("metric label system" if by else "metric system", label=by),
        _SPREAD if runs else _ENDS,
        columns("documents") if by else (),
        across="",
        block="metric",
    )
    return pivot([row for row in rows if row["by"] == by], view)


def pairs_table(
    comparison: Significance,
    metrics: Sequence[str] = (),
    names: Mapping[str, str] | None = None,
    *,
    people: bool = False,
) -> Table:
    """The differences between systems and their p-values, for some metrics or all.

    `names` as in `comparison_tables`. Only programs get p_bootstrap, not `people`: it is too small
    if documents are few.
    """
    test = "approximate randomisation over documents"
    title = f"Differences of F1, {test}"
    if _has_runs(comparison):
        title = "Differences of mean F1, Student's t over documents and runs"
    rows = _rows_of_pairs(comparison, names or {})
    chosen = [row for row in rows if not metrics or row["metric"] in metrics]
    return _pairs(comparison, chosen, "", title, people=people)


def _pairs(
    comparison: Significance, rows: Sequence[FigureRow], by: str, title: str, *, people: bool = True
) -> Table:
    """The differences of pairs of systems by metric, in the whole or in strata."""
    values = _TESTS if _has_runs(comparison) else _FIGURES
    best = f"significant at {1 - comparison.level:.2g} after Holm's correction"
    view = View(
        "strata-pairs" if by else "pairs",
        title,
        columns("metric label a b" if by else "metric a b", label=by),
        tuple(column for column in values if not (people and column.name == "p_bootstrap")),
        columns("documents") if by else (),
        across="",
        block="metric",
        marks={"p_holm": lambda row: significant(row.get("p_holm"), comparison.level)},
        legend=f"{best}, pairs × strata" if by else best,
    )
    return pivot([row for row in rows if row["by"] == by], view)


def _inner(title: str) -> str:
    """A title inside a line, without its initial capital; F1 keeps it."""
    return title if title[1:2].isdigit() else title[:1].lower() + title[1:]


def _groups(comparison: Significance, names: Mapping[str, str]) -> Table:
    """The groups of systems that cannot be told apart, without groups of one."""
    rows = [
        {"metric": metric, "systems": ", ".join(names.get(name, name) for name in group)}
        for metric, groups in comparison.groups.items()
        for group in groups
        if len(group) > 1
    ]
    title = "Systems that cannot be told apart, best first"
    headings = columns("metric systems")
    return listing("groups", title, rows, *headings, block="metric", headed=False)


def flat_table(comparison: Significance) -> Table:
    """For programs: one row per system and part (`b` and `difference` are empty), then per pair.

    The columns do not depend on the number of systems. With runs there are further columns. With
    windows there is a column `window`, which is empty in the rows of whole documents; with strata
    the column `group` names them, and `documents` is the number of those that have them. Rows are
    in the order of the metrics, those of strata after the others.
    """
    order = {metric: number for number, metric in enumerate(comparison.groups)}
    rows = [
        {"documents": part.documents, **row, "window": window or None}
        for window, part in {"": comparison, **comparison.windows}.items()
        for row in sorted(
            (*_rows(part, {}), *_rows_of_pairs(part, {})),
            key=lambda row: (bool(row["by"]), order.get(row["metric"], len(order))),
        )
    ]
    parts = [*(["window"] if comparison.windows else []), *(["group"] if comparison.strata else [])]
    fields = _RUN_FIELDS if _has_runs(comparison) else ()
    names = (*parts, "metric", "a", "b", "f1", *(column.name for column in _FIGURES), *fields)
    documents = ("documents",) if comparison.strata else ()
    listed = ({"a": row.get("system"), **row} for row in rows)
    return flat("comparison", listed, names + documents, group="part")


_RUN_FIELDS = (
    *("runs", "sd", "min", "max", "se_documents", "se_runs", "df"),
    *("t", "p", "p_documents", "p_runs", "smallest_p_runs"),
)

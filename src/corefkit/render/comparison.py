"""What `corefkit compare` prints: intervals, tests and groups."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import count
from textwrap import fill

from corefkit._version import __version__
from corefkit.data.incidents import Incident
from corefkit.render.grid import Cell, Column, Table, figure, label, render_grid
from corefkit.stats.significance import Comparison, Difference, Pair, significant

_WIDTH = 80
"""Of a terminal. Where names make the pairs wider, systems are numbered."""

_FOR_PROGRAMS = {"p_bootstrap"}
"""Columns of pairs that people are spared: this p-value is too small where documents are few."""


def render_comparison(
    comparison: Comparison,
    form: str,
    *,
    bold: bool = False,
    incidents: Sequence[Incident] = (),
) -> str:
    """The comparison in one of the formats of tables; JSON says all, unrounded."""
    if form == "json":
        whole = {"version": __version__, **comparison.to_dict()}
        whole["incidents"] = [incident.to_dict() for incident in incidents]
        return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"
    if form in ("csv", "tsv"):
        return render_grid(flat_table(comparison), form)
    tables = _tables(comparison, {system: system for system in comparison.systems})
    if form == "text" and any(len(line) > _WIDTH for t in tables for line in _lines(t)):
        numbers = {system: f"[{number}]" for number, system in zip(count(1), comparison.systems)}
        tables = _tables(comparison, numbers)
    shown = [render_grid(table, form, bold=bold) for table in tables]
    prefix = {"text": "signature: ", "latex": "% ", "markdown": "`"}[form]
    suffix = "`" if form == "markdown" else ""
    notes = [_note(note, form) for note in comparison.notes]
    return "\n".join([*shown, *notes, f"{prefix}{comparison.signature}{suffix}\n"])


def _tables(comparison: Comparison, names: Mapping[str, str]) -> list[Table]:
    """What people see; the metric has no column where there is only one."""
    tables = [intervals_table(comparison, names)]
    if comparison.pairs:
        tables.append(_without(pairs_table(comparison, names=names), _FOR_PROGRAMS))
    if any(len(group) > 1 for groups in comparison.groups.values() for group in groups):
        tables.append(groups_table(comparison, names))
    if len(comparison.groups) == 1:
        (metric,) = comparison.groups
        tables = [
            replace(_without(table, {"metric"}), title=f"{metric}: {_inner(table.title)}")
            for table in tables
        ]
    return tables


def _inner(title: str) -> str:
    """A title within a line: F1 keeps its capital."""
    return title if title[1:2].isdigit() else title[:1].lower() + title[1:]


def _lines(table: Table) -> list[str]:
    return render_grid(table, "text").split("\n")


def _without(table: Table, names: Collection[str]) -> Table:
    """The table without some of its columns."""
    kept = [i for i, column in enumerate(table.columns) if column.name not in names]
    return replace(
        table,
        columns=tuple(table.columns[i] for i in kept),
        blocks=tuple(tuple(tuple(row[i] for i in kept) for row in b) for b in table.blocks),
    )


def _note(text: str, form: str) -> str:
    if form == "text":
        return fill(f"note: {text}", _WIDTH, subsequent_indent="  ") + "\n"
    return f"% note: {text}" if form == "latex" else f"{text}\n"


def intervals_table(comparison: Comparison, names: Mapping[str, str] | None = None) -> Table:
    """F1 and its confidence interval, for each metric and system; `names` as in `pairs_table`."""
    columns = [Column("metric", "metric", number=False), Column("system", "system", number=False)]
    columns += [Column("f1", "F1"), Column("low", "from"), Column("high", "to")]
    blocks = [
        tuple(
            (
                label(metric),
                label(_numbered(system, names)),
                *map(figure, (found[metric].f1, *(found[metric].interval or (None, None)))),
            )
            for system, found in comparison.systems.items()
        )
        for metric in comparison.groups
    ]
    documents = "1 document" if comparison.documents == 1 else f"{comparison.documents:,} documents"
    title = f"F1 over {documents}" + (
        f", {100 * comparison.level:g} % interval ({comparison.interval})"
        if comparison.documents > 1
        else ""
    )
    return Table("intervals", title, tuple(columns), tuple(blocks))


def _numbered(system: str, names: Mapping[str, str] | None) -> str:
    short = (names or {}).get(system, system)
    return system if short == system else f"{short} {system}"


_NUMBERS = (
    Column("difference", "a − b"),
    Column("low", "from"),
    Column("high", "to"),
    Column("p_bootstrap", "bootstrap", "p"),
    Column("p_randomization", "random", "p"),
    Column("p_holm", "Holm", "p"),
    Column("wins", "won", "docs"),
    Column("losses", "lost", "docs"),
    Column("ties", "tied", "docs"),
)


def pairs_table(
    comparison: Comparison, metrics: Sequence[str] = (), names: Mapping[str, str] | None = None
) -> Table:
    """The differences between systems and their p-values, in some metrics or all.

    `names` says what systems are called here; without it by their names.
    """
    words = [Column(name, name, number=False) for name in ("metric", "a", "b")]
    called = names or {}
    blocks = []
    for metric in metrics or list(comparison.groups):
        rows = []
        for pair in comparison.pairs:
            sides = (called.get(side, side) for side in (pair.a, pair.b))
            found = _figures(pair.metrics[metric], comparison.level)
            rows.append((*map(label, (metric, *sides)), *found))
        blocks.append(tuple(rows))
    best = f"significant at {1 - comparison.level:.2g} after Holm's correction"
    title = "Differences of F1, approximate randomisation over documents"
    return Table("pairs", title, (*words, *_NUMBERS), tuple(blocks), best=best)


def _figures(d: Difference, level: float) -> tuple[Cell, ...]:
    return (
        *map(_signed, (d.difference, *(d.interval or (None, None)))),
        *map(_p, (d.p_bootstrap, d.p_randomization)),
        _p(d.p_holm, bold=significant(d.p_holm, level)),
        *(Cell(n, str(n)) for n in (d.wins, d.losses, d.ties)),
    )


def groups_table(comparison: Comparison, names: Mapping[str, str] | None = None) -> Table:
    """Which systems cannot be told apart; who can be told from all others is not listed."""
    called = names or {}
    columns = (
        Column("metric", "metric", number=False),
        Column("systems", "systems", number=False),
    )
    blocks = tuple(
        tuple(
            (label(metric), label(", ".join(called.get(name, name) for name in group)))
            for group in groups
            if len(group) > 1
        )
        for metric, groups in comparison.groups.items()
    )
    title = "Systems that cannot be told apart, best first"
    return Table("groups", title, columns, tuple(filter(None, blocks)))


def flat_table(comparison: Comparison) -> Table:
    """For programs: a row a system (`b` and `difference` are empty), then a row a pair.

    The columns are the same whatever the number of systems.
    """
    words = [Column(name, name, number=False) for name in ("metric", "a", "b")]
    blocks = [
        (*_systems(comparison, metric), *(_flat_pair(pair, metric) for pair in comparison.pairs))
        for metric in comparison.groups
    ]
    return Table("comparison", "", (*words, Column("f1", "F1"), *_NUMBERS), tuple(blocks))


def _systems(comparison: Comparison, metric: str) -> list[tuple[Cell, ...]]:
    empty = Cell(None, "")
    rows = []
    for system, found in comparison.systems.items():
        ends = found[metric].interval or (None, None)
        figures = [figure(found[metric].f1), empty, *map(figure, ends)]
        rest = [empty] * (1 + len(_NUMBERS) - len(figures))
        rows.append((label(metric), label(system), empty, *figures, *rest))
    return rows


def _flat_pair(pair: Pair, metric: str) -> tuple[Cell, ...]:
    words = map(label, (metric, pair.a, pair.b))
    return (*words, Cell(None, ""), *_figures(pair.metrics[metric], 0.5))


def _signed(value: float | None) -> Cell:
    return Cell(value, "" if value is None else f"{100 * value:+.2f}")


def _p(value: float | None, *, bold: bool = False) -> Cell:
    return Cell(value, "" if value is None else f"{value:.4f}", bold)

"""Errors for people: one screen that says what went wrong, how often, and what it costs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from corefkit.analysis.choice import common_errors
from corefkit.analysis.errors import Errors
from corefkit.analysis.links import Strategy
from corefkit.analysis.patterns import patterns
from corefkit.analysis.types import TYPES
from corefkit.data.table import (
    Cell,
    Heading,
    Table,
    Value,
    ValueKind,
    make_table,
    percent,
    plain_headings,
)
from corefkit.data.texts import shorten, to_json
from corefkit.mentions.kinds import KINDS
from corefkit.profiles.signature import signature
from corefkit.render.report import key_line
from corefkit.render.tables import Around, render_file, render_tables
from corefkit.scoring.errors import ErrorReport

DOCUMENTS = 5
"""So many of the documents that lose most are shown."""


def errors_text(errors: Errors) -> str:
    """What `print(errors)` shows."""
    above, tables = _system(errors, shares=True)
    text = render_tables(tables, "text", Around([above], signature=errors.signature))
    return text.removesuffix("\n")


def render_errors(
    report: ErrorReport, form: str, *, shares: bool, by: str | None, bold: bool = False
) -> str:
    """The figures in one of the formats of tables; as text of several responses side by side."""
    if form == "json":
        return _json(report, shares=shares, by=by)
    if form != "text":
        return delimited(_figures(report, shares=shares, by=by), form)
    above = [key_line(report.key.path, report.key.size)]
    if len(report.systems) == 1:
        line, tables = _system(report.systems[0], shares=shares)
        above.append(line)
    else:
        tables = _systems(report.systems, shares=shares)
    tables += [groups_table(errors, by) for errors in report.systems] if by else []
    around = Around(above, signature=signature(report.options))
    return render_tables(tables, "text", around, bold=bold)


def _system(errors: Errors, *, shares: bool) -> tuple[str, list[Table]]:
    """One response: a line that says how much it loses, and the tables of what."""
    f1, best = errors.f1(), errors.f1(repaired=TYPES)
    told = f"{errors.metric} {percent(f1)}, so {percent(best - f1)} points are lost"
    if best < 1:
        told += f"; the key itself scores {percent(best)}"
    tables = [types_table(errors, shares=shares), worst_documents(errors), pattern_table(errors)]
    return f"system: {errors.name}: {told}", [table for table in tables if table is not None]


def types_table(errors: Errors, *, shares: bool) -> Table:
    """A line for each type, and one for the sum."""
    repaired, counts, mentions = errors.repaired(), errors.counts, errors.mentions
    share = errors.shares() if shares else {}
    worst = max(share, key=lambda name: share[name], default=None)
    lines: list[list[Value | Cell]] = []
    for name in TYPES:
        kinds = [mentions[name][kind] for kind in KINDS]
        lines.append([name, counts[name], sum(kinds), *kinds, repaired[name]])
        lines[-1] += [Cell(share[name], best=name == worst)] if shares else []
    kinds = [sum(mentions[name][kind] for name in TYPES) for kind in KINDS]
    best = errors.f1(repaired=TYPES)
    lines.append(["all", len(errors), sum(kinds), *kinds, best, *([sum(share.values())] * shares)])
    headings = [*plain_headings("type"), *_numbers("errors", "mentions", *KINDS)]
    headings.append(Heading("repaired", "F1 if repaired", kind="score"))
    headings += plain_headings("share", kind="score") if shares else []
    note = f"The shares add up to {percent(best)} - {percent(errors.f1())} points."
    return make_table("errors", "", headings, [lines], note=note if shares else "")


_numbers = partial(plain_headings, kind="number")


def worst_documents(errors: Errors, most: int = DOCUMENTS) -> Table | None:
    """The documents that lose most; None where there is but one, or nothing is lost."""
    losses, documents = errors.losses(), errors.documents()
    worst = sorted((n for n in losses if losses[n] > 0), key=lambda n: (-losses[n], n))[:most]
    if len(losses) < 2 or not worst:
        return None
    headings = [Heading("document", "documents that lose most"), *_numbers("errors")]
    headings += plain_headings("costs", kind="score")
    lines = [(shorten(name), sum(documents[name].values()), losses[name]) for name in worst]
    return make_table("documents", "", headings, [lines])


def pattern_table(errors: Errors) -> Table | None:
    """The commonest patterns; None where there are no errors."""
    lines = [(str(one), one.number) for one in patterns(errors)]
    headings = [Heading("pattern", "commonest patterns"), *_numbers("errors")]
    return make_table("patterns", "", headings, [lines]) if lines else None


def _systems(systems: Sequence[Errors], *, shares: bool) -> list[Table]:
    """Several responses side by side, then what they have in common."""
    metric = systems[0].metric
    wanted: list[tuple[str, ValueKind, Callable[[Errors], Mapping[str, float]]]] = [
        ("errors", "number", lambda e: e.counts | {"all": len(e)}),
        (f"F1 if repaired ({metric})", "score", lambda e: e.repaired() | {"as it is": e.f1()}),
        (f"share ({metric})", "score", lambda e: e.shares() | {"lost": sum(e.shares().values())}),
    ]
    tables = [_beside(systems, *one) for one in (wanted if shares else wanted[:2])]
    return [*tables, common_table(systems)]


def _beside(
    systems: Sequence[Errors],
    title: str,
    kind: ValueKind,
    figures: Callable[[Errors], Mapping[str, float]],
) -> Table:
    """The figures of all types, a column for each system."""
    columns = [figures(errors) for errors in systems]
    headings = [Heading("type", title), *plain_headings(*(e.name for e in systems), kind=kind)]
    lines: list[tuple[Value, ...]] = [
        (row, *(column[row] for column in columns)) for row in columns[0]
    ]
    return make_table(title, "", headings, [lines])


def common_table(systems: Sequence[Errors]) -> Table:
    """The errors that all systems make, and those that only one makes."""
    common = common_errors(systems)
    names = ["all", *(errors.name for errors in systems)]
    titles = ["in all", *(f"only {errors.name}" for errors in systems)]
    headings = [Heading(n, t, kind="number") for n, t in zip(names, titles, strict=True)]
    lines: list[tuple[Value, ...]] = [(t, *row.values()) for t, row in common.items()]
    lines.append(("all", *(sum(row[name] for row in common.values()) for name in names)))
    return make_table("common", "", [Heading("type", "the same errors"), *headings], [lines])


def groups_table(errors: Errors, by: str) -> Table:
    """Errors of each type by group; by kind, the mentions that they concern."""
    title = f"mentions by {by}" if by == "kind" else f"errors by {by}"
    rows = errors.by(by)
    lines: list[tuple[Value, ...]] = [
        (shorten(label), *row.values(), sum(row.values())) for label, row in rows.items()
    ]
    headings = [Heading(by, f"{title}, {errors.name}"), *_numbers(*TYPES, "all")]
    return make_table(f"by {by}", "", headings, [lines])


def links_text(report: ErrorReport, strategy: Strategy) -> str:
    """Link errors by the kinds of their two ends."""
    tables = [links_table(errors, strategy) for errors in report.systems]
    below = f"anaphor -> antecedent, the antecedent by {strategy}"
    return render_tables(tables, "text", Around(below=[below]))


def links_table(errors: Errors, strategy: Strategy) -> Table:
    """How many links the response breaks, and how many it has too many, by kinds."""
    links = {side: found.by_kinds() for side, found in errors.links(strategy).items()}
    pairs = sorted({pair for found in links.values() for pair in found})
    lines: list[tuple[Value, ...]] = [(p, *(links[s].get(p, 0) for s in links)) for p in pairs]
    lines.append(("all", *(sum(found.values()) for found in links.values())))
    headings = [Heading("ends", f"link errors, {errors.name}"), *_numbers("recall", "precision")]
    return make_table("links", "", headings, [lines])


def _json(report: ErrorReport, *, shares: bool, by: str | None) -> str:
    """The whole report as one JSON object."""
    systems = []
    for errors in report.systems:
        systems.append(errors.to_dict(shares=shares))
        if by:
            systems[-1]["by"] = {by: errors.by(by)}
    found: dict[str, Any] = {
        "signature": signature(report.options),
        "key": report.key.path,
        "metric": report.options.metrics[0],
        "systems": systems,
    }
    if len(report.systems) > 1:
        found["common"] = common_errors(report.systems)
    return to_json(found)


def _figures(report: ErrorReport, *, shares: bool, by: str | None) -> list[dict[str, Any]]:
    """One flat row for each system and type, or system and group: what TSV and CSV hold."""
    rows: list[dict[str, Any]] = []
    for errors in report.systems:
        if by:
            rows += [{"system": errors.name, by: g, **row} for g, row in errors.by(by).items()]
            continue
        repaired = {metric: errors.repaired(metric) for metric in errors.metrics}
        shared = {m: errors.shares(m) for m in report.options.metrics} if shares else {}
        for name in TYPES:
            kinds = errors.mentions[name]
            row: dict[str, Any] = {"system": errors.name, "type": name}
            row |= {"errors": errors.counts[name], "mentions": sum(kinds.values()), **kinds}
            row |= {f"{metric}_repaired": column[name] for metric, column in repaired.items()}
            rows.append(row | {f"{m}_share": column[name] for m, column in shared.items()})
    return rows


def delimited(rows: Iterable[Mapping[str, Any]], form: str) -> str:
    """Rows of the same columns as a table in one of the formats; TSV and CSV do not round."""
    listed = list(rows)
    if not listed:
        return ""
    headings = [Heading(name, name, kind=_kind(value)) for name, value in listed[0].items()]
    lines = [[str(v).lower() if isinstance(v, bool) else v for v in r.values()] for r in listed]
    return render_file(make_table("errors", "", headings, [lines]), form)


def _kind(value: object) -> ValueKind:
    if isinstance(value, float):
        return "score"
    return "number" if isinstance(value, int) and not isinstance(value, bool) else "text"

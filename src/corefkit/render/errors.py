"""Errors for people: one screen that says what went wrong, how often, and what it costs."""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from typing import Any

from corefkit.analysis.choice import common_errors
from corefkit.analysis.errors import Errors
from corefkit.analysis.links import Strategy
from corefkit.analysis.patterns import patterns
from corefkit.analysis.types import TYPES
from corefkit.data.table import percent
from corefkit.data.texts import count_of, shorten
from corefkit.mentions.kinds import KINDS
from corefkit.profiles.signature import signature
from corefkit.render.text import align_columns
from corefkit.scoring.errors import ErrorReport

DOCUMENTS = 5
"""So many of the documents that lose most are shown."""

Rows = list[list[str]]


def errors_text(errors: Errors) -> str:
    """What `print(errors)` shows."""
    return "\n\n".join([*_system(errors, shares=True, bold=False), _signature(errors)])


def render_text(
    report: ErrorReport, *, shares: bool, by: str | None = None, bold: bool = False
) -> str:
    """The figures of one response on a screen; of several side by side."""
    key = report.key.scored
    parts = [
        f"key: {report.key.path} ({count_of(len(key.names), 'document')}, "
        f"{count_of(key.mentions, 'mention')}, {count_of(key.entities, 'entity', 'entities')})"
    ]
    if len(report.systems) == 1:
        parts += _system(report.systems[0], shares=shares, bold=bold)
    else:
        parts += _systems(report.systems, shares=shares)
    if by:
        parts += [_groups(errors, by) for errors in report.systems]
    parts.append(f"signature: {signature(report.options)}")
    return "\n\n".join(parts) + "\n"


def _signature(errors: Errors) -> str:
    return f"signature: {errors.signature}"


def _system(errors: Errors, *, shares: bool, bold: bool) -> list[str]:
    metric, f1 = errors.metric, errors.f1()
    parts = [
        f"system: {errors.name}: {metric} {percent(f1)}, so {percent(1 - f1)} points are lost",
        _types(errors, shares=shares, bold=bold),
    ]
    worst = _worst(errors)
    parts += [worst] if worst else []
    common = [[str(one), f"{one.number:,}"] for one in patterns(errors)]
    if common:
        parts.append(align_columns([["commonest patterns", "errors"], *common], left=1))
    return parts


def _types(errors: Errors, *, shares: bool, bold: bool) -> str:
    """A line for each type, and one for the sum."""
    repaired, counts, mentions = errors.repaired(), errors.counts, errors.mentions
    share = errors.shares() if shares else {}
    head = ["type", "errors", "mentions", *KINDS, "F1 if repaired"]
    lines = [head + (["share"] if shares else [])]
    for name in TYPES:
        kinds = [mentions[name][kind] for kind in KINDS]
        lines.append(
            [name, *(f"{n:,}" for n in (counts[name], sum(kinds), *kinds)), percent(repaired[name])]
        )
        lines[-1] += [percent(share[name])] if shares else []
    kinds = [sum(mentions[name][kind] for name in TYPES) for kind in KINDS]
    best = errors.f1(repaired=TYPES)
    total = [f"{n:,}" for n in (sum(counts.values()), sum(kinds), *kinds)]
    lines.append(["all", *total, percent(best), *([percent(sum(share.values()))] * shares)])
    strong = [set[int]()] * len(lines)
    if bold and share:
        strong[1 + max(range(len(TYPES)), key=lambda i: share[TYPES[i]])] = {0, len(head)}
    text = align_columns(lines, left=1, strong=strong)
    if shares:
        text += f"\nThe shares add up to {percent(best)} - {percent(errors.f1())} points."
    return text


def _worst(errors: Errors) -> str:
    """The documents that lose most."""
    losses = errors.losses()
    worst = sorted((n for n in losses if losses[n] > 0), key=lambda n: (-losses[n], n))[:DOCUMENTS]
    if len(losses) < 2 or not worst:
        return ""
    lines = [["documents that lose most", "errors", "costs"]]
    documents = errors.documents()
    for name in worst:
        number = sum(documents[name].values())
        lines.append([shorten(name), f"{number:,}", percent(losses[name])])
    return align_columns(lines, left=1)


def _systems(systems: Sequence[Errors], *, shares: bool) -> list[str]:
    """Several responses side by side, then what they have in common."""
    names = [errors.name for errors in systems]
    metric = systems[0].metric
    tables: list[tuple[str, Rows]] = [
        ("errors", [[f"{errors.counts[t]:,}" for errors in systems] for t in TYPES]),
        ("F1 if repaired", [[percent(e.repaired()[t]) for e in systems] for t in TYPES]),
    ]
    sums = [[f"{len(errors):,}" for errors in systems], [percent(e.f1()) for e in systems]]
    labels = ["all", "as it is"]
    if shares:
        tables.append(("share", [[percent(e.shares()[t]) for e in systems] for t in TYPES]))
        sums.append([percent(sum(e.shares().values())) for e in systems])
        labels.append("lost")
    parts = []
    for (title, rows), total, label in zip(tables, sums, labels, strict=True):
        shown = title if title == "errors" else f"{title} ({metric})"
        lines = [[shown, *names], *([t, *row] for t, row in zip(TYPES, rows, strict=True))]
        parts.append(align_columns([*lines, [label, *total]], left=1))
    common = common_errors(systems)
    lines = [["the same errors", "in all", *(f"only {name}" for name in names)]]
    lines += [[t, *(f"{n:,}" for n in row.values())] for t, row in common.items()]
    sums = [[f"{sum(row[name] for row in common.values()):,}" for name in ("all", *names)]]
    return [*parts, align_columns([*lines, ["all", *sums[0]]], left=1)]


def _groups(errors: Errors, by: str) -> str:
    """Errors of each type by group; by kind, the mentions that they concern."""
    title = f"mentions by {by}" if by == "kind" else f"errors by {by}"
    lines = [[f"{title}, {errors.name}", *TYPES, "all"]]
    for label, row in errors.by(by).items():
        lines.append([shorten(label), *(f"{n:,}" for n in row.values()), f"{sum(row.values()):,}"])
    return align_columns(lines, left=1)


def render_links(report: ErrorReport, strategy: Strategy) -> str:
    """Link errors by the kinds of their two ends."""
    parts = []
    for errors in report.systems:
        links = {side: found.by_kinds() for side, found in errors.links(strategy).items()}
        pairs = sorted({pair for found in links.values() for pair in found})
        lines = [[f"link errors, {errors.name}", "recall", "precision"]]
        lines += [[p, *(f"{links[s].get(p, 0):,}" for s in links)] for p in pairs]
        lines.append(["all", *(f"{sum(found.values()):,}" for found in links.values())])
        parts.append(align_columns(lines, left=1))
    parts.append(f"anaphor -> antecedent, the antecedent by {strategy}")
    return "\n\n".join(parts) + "\n"


def to_dict(report: ErrorReport, *, shares: bool, by: str | None) -> dict[str, Any]:
    """The whole report as the JSON output has it."""
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
    return found


def render_json(report: ErrorReport, *, shares: bool, by: str | None) -> str:
    """One JSON object."""
    return json.dumps(to_dict(report, shares=shares, by=by), indent=1, ensure_ascii=False) + "\n"


def figures(report: ErrorReport, *, shares: bool, by: str | None) -> list[dict[str, Any]]:
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
    """Rows of the same columns as TSV, CSV or a Markdown table; only the last one rounds."""
    listed = list(rows)
    if not listed:
        return ""
    show = _percentage if form == "markdown" else _cell
    cells = [list(listed[0]), *([show(v) for v in row.values()] for row in listed)]
    if form == "markdown":
        cells.insert(1, ["---"] * len(cells[0]))
        lines = [" | ".join(c.replace("|", "\\|") for c in row) for row in cells]
        return "".join(f"| {line} |\n" for line in lines)
    if form == "tsv":
        clean = [[" ".join(cell.split()) for cell in row] for row in cells]
        return "".join("\t".join(row) + "\n" for row in clean)
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerows(cells)
    return out.getvalue()


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def _percentage(value: object) -> str:
    return percent(value) if isinstance(value, float) else _cell(value)

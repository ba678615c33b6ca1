"""Errors in all formats: what went wrong, how often, what it costs, and each error in its context.

`render_errors` shows the figures, `render_error_list` each error, `render_links` errors as links
between mentions, and `losses_table` what detection and linking cost. `example` shows a mention in
context, for outcomes too.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from corefkit import metrics
from corefkit.analysis.error import Error, Placement
from corefkit.analysis.errors import ErrorChoice, Errors
from corefkit.analysis.link_errors import Link, Strategy
from corefkit.analysis.losses import LossFigures
from corefkit.analysis.types import FOUND_AS, STANDS_ALONE, TYPES
from corefkit.core.results import result_json
from corefkit.core.style import style
from corefkit.core.texts import count_of, shorten, to_json, visible
from corefkit.core.tokens import MentionContext, joined
from corefkit.features.features import KINDS, UNKNOWN_KIND
from corefkit.metrics import title_of
from corefkit.render.scores import key_lines
from corefkit.render.table import (
    DELIMITED,
    Around,
    CellValue,
    Colour,
    Heading,
    Table,
    ValueKind,
    make_table,
    percent,
    plain_headings,
    render_file,
    render_tables,
)
from corefkit.render.text import paint
from corefkit.render.views import F1, Columns, FigureRow, View, columns, listing, pivot
from corefkit.scoring.errors import ErrorReport

DOCUMENTS = 5
"""How many of the documents that lose most, and of the best single repairs, are shown."""


def tables_of_errors(errors: Errors) -> list[Table]:
    """The tables of the errors of one system."""
    return _system(errors, shares=True)[1]


def errors_text(errors: Errors) -> str:
    """The text that `print(errors)` shows."""
    lines, tables = _system(errors, shares=True)
    text = render_tables(tables, "text", Around(lines, signature=errors.signature))
    return text.removesuffix("\n")


def render_errors(report: ErrorReport, form: str) -> str:
    """The figures in one of the table formats; as text, several responses are side by side."""
    if form == "json":
        return result_json(Errors.kind, report.to_dict())
    if form == "latex" and report.with_shares and not report.by:
        from corefkit.render.error_costs import paper_tables

        around = Around(signature=report.signature)
        return render_tables(paper_tables(report), "latex", around)
    if form != "text":
        rows = report.rows()
        if form not in DELIMITED:
            rows = [{name: _or_dash(value) for name, value in row.items()} for row in rows]
        return delimited(rows, form)
    above = key_lines(report.key)
    if len(report.systems) == 1:
        lines, tables = _system(report.systems[0], shares=report.with_shares)
        above += lines
    else:
        tables = _systems(report)
        lacking = [errors for errors in report.systems if errors.missing]
        above += [f"system: {errors.name}: {missing_documents(errors)}" for errors in lacking]
    groups = [groups_table(report, errors) for errors in report.systems] if report.by else []
    tables += [table for table in groups if any(table.lines)]
    around = Around(above, signature=report.signature)
    return render_tables(tables, "text", around)


def missing_documents(errors: Errors) -> str:
    """How many documents of the key the response lacks, and what they cost; "" if it has all."""
    if not errors.missing:
        return ""
    number, documents = len(errors.missing), len(errors.joint.key.names)
    are, cost = ("is", "it costs") if number == 1 else ("are", "they cost")
    points = f"{percent(errors.cost_of_missing())} points"
    return f"{number:,} of {documents:,} documents of the key {are} missing: {cost} {points}"


def _system(errors: Errors, *, shares: bool) -> tuple[list[str], list[Table]]:
    """For one response: lines with its total loss and what it lacks, and the tables."""
    f1, best = errors.f1(), errors.f1(repaired=TYPES)
    loss = f"{title_of(errors.metric)} {percent(f1)}, so {percent(best - f1)} points are lost"
    if best < 1:
        loss += f"; the key itself scores {percent(best)}"
    tables = [
        types_table(errors, shares=shares),
        losses_table({errors.name: errors.corners.by_metric()}),
        worst_documents(errors),
        pattern_table(errors),
        repairs_table(errors),
    ]
    lines = [f"system: {errors.name}: {loss}"]
    lines += [missing_documents(errors)] if errors.missing else []
    return lines, [table for table in tables if any(table.lines)]


def types_table(errors: Errors, *, shares: bool) -> Table:
    """One row per type of error, the costliest first, and one for all of them."""
    by_type = errors.by_type(shares=shares)
    best, worst = by_type[-1]["repaired"], by_type[0]["type"]
    rows = [{name: _or_dash(value) for name, value in row.items()} for row in by_type]
    headings = [*plain_headings("type"), *_numbers("errors", "mentions", *KINDS)]
    headings.append(Heading("repaired", "F1 if repaired", kind="score"))
    headings += plain_headings("share", kind="score") if shares else []
    note = f"The shares add up to {percent(best)} - {percent(errors.f1())} points."
    notes = [note] * shares + kinds_note(errors)
    marks = {"share": lambda row: row["type"] == worst}
    return listing("errors", "", rows, *headings, marks=marks, note=" ".join(notes))


def _or_dash(value: CellValue) -> CellValue:
    return UNKNOWN_KIND if value is None else value


def kinds_note(errors: Errors) -> list[str]:
    """A note if kinds of mentions are not known, and on what that means for the figures."""
    sources = errors.joint.sources
    if sources.pronouns == "none":
        return [
            f"{UNKNOWN_KIND}: neither tags nor a language with a list of pronouns; the first "
            "mention leads an entity, so the numbers of all types except span may change once "
            "pronouns are known."
        ]
    if sources.names == "none":
        return [f"{UNKNOWN_KIND}: names are counted among the nominals."]
    return []


_numbers = partial(plain_headings, kind="number")


def worst_documents(errors: Errors) -> Table:
    """The documents that lose most, if there are several."""
    worst = errors.worst_documents(DOCUMENTS) if len(errors.joint.key.names) > 1 else []
    rows = [{"document": shorten(name), "errors": n, "costs": cost} for name, n, cost in worst]
    headings = [Heading("document", "documents that lose most"), *_numbers("errors")]
    return listing("documents", "", rows, *headings, *plain_headings("costs", kind="score"))


def pattern_table(errors: Errors) -> Table:
    """The patterns of errors that cost most."""
    rows = [
        {"pattern": str(p), "errors": p.number, "gains": p.gain, "words": p.common_words}
        for p in errors.patterns()
    ]
    headings = [Heading("pattern", "patterns that cost most"), *_numbers("errors")]
    headings += [*plain_headings("gains", kind="score"), Heading("words", "frequent words")]
    return listing("patterns", "", rows, *headings)


def headline(errors: Errors) -> str:
    """What a response loses, and by what, in a sentence or two."""
    lost, corners = errors.f1(repaired=TYPES) - errors.f1(), errors.corners[errors.metric]
    if not len(errors):
        return f"{errors.name} makes no error."
    in_finding = corners.detection >= corners.linking
    least, most = sorted((corners.detection, corners.linking))
    share = "practically all" if least < 0 else percent(most)  # the other even gains points
    where = "finding" if in_finding else "linking"
    says = (
        f"{errors.name} loses {percent(lost)} points of {metrics.get(errors.metric).title}, "
        f"{share} of them in {where} mentions."
    )
    if worst := errors.patterns(most=1):
        (pattern,) = worst
        number = f"{pattern.number:,} error{'s' * (pattern.number != 1)}"
        says += f" Most is lost by {pattern.subject}: {number}, {percent(pattern.gain)} points."
    return says


def repairs_table(errors: Errors) -> Table:
    """The single repairs that gain most."""
    rows = []
    for error in errors.best_repairs(DOCUMENTS):
        if error.gain > 0:
            first, should = shorten(error.first.text, 20), error.should.mention
            repair = f"with {shorten(should.text, 20)}" if should else should_be(error.should)
            row = {"repair": shorten(error.id), "mention": first, "should": repair}
            rows.append(row | {"gain": points(error.gain)})
    headings = plain_headings("repair", "mention", "should", "gain")
    titles = ["single repairs that gain most", "mention", "should be", "gain"]
    shown = (h._replace(title=title) for h, title in zip(headings, titles, strict=True))
    return listing("repairs", "", rows, *shown)


def _systems(report: ErrorReport) -> list[Table]:
    """The tables of several responses: figures side by side, losses, and common errors.

    Types are in the order of the first response.
    """
    rows = [row for e in report.systems for row in e.by_type(shares=report.with_shares)]
    metric = title_of(report.systems[0].metric)
    tables = [
        _side_by_side(rows, "errors", "errors", "number"),
        _side_by_side(
            [
                row if row["type"] != "all" else {**row, "type": "as it is", "repaired": row["f1"]}
                for row in rows
            ],
            "repaired",
            f"F1 if repaired ({metric})",
        ),
    ]
    if report.with_shares:
        named = [row if row["type"] != "all" else {**row, "type": "lost"} for row in rows]
        tables.append(_side_by_side(named, "share", f"share ({metric})"))
    return [*tables, losses_table(report.losses), common_table(report)]


def _side_by_side(
    rows: Iterable[FigureRow], value: str, title: str, kind: ValueKind = "score"
) -> Table:
    """A figure of all types, with one column per system."""
    lines = columns("type", type=title)
    return pivot(rows, View(title, "", lines, columns(value, kind=kind), across="system"))


def common_table(report: ErrorReport) -> Table:
    """By type: how many errors all systems make, and how many only one makes."""
    rows = [
        {"type": kind, "of": "in all" if name == "all" else f"only {name}", "errors": number}
        for kind, row in report.common.items()
        for name, number in row.items()
    ]
    return _summed("common", columns("type", type="the same errors"), rows)


def _summed(name: str, lines: Columns, rows: Sequence[FigureRow]) -> Table:
    """Numbers of errors by the field of the lines and by `of`, with their sums in the last line."""
    sums = Counter[str]()
    for row in rows:
        sums[row["of"]] += row["errors"]
    total = [{lines[0].name: "all", "of": of, "errors": number} for of, number in sums.items()]
    view = View(name, "", lines, columns("errors", kind="number"), across="of")
    return pivot([*rows, *total], view)


def groups_table(report: ErrorReport, errors: Errors) -> Table:
    """The number of errors of each type by group; by kind, the number of mentions concerned."""
    by = report.by or ""
    title = f"mentions by {by}" if by == "kind" else f"errors by {by}"
    rows = [
        {"label": shorten(label), "type": name, "errors": number}
        for label, row in report.groups(errors).items()
        for name, number in (*row.items(), ("all", sum(row.values())))
    ]
    lines = columns("label", label=f"{title}, {errors.name}")
    return pivot(rows, View(f"by {by}", "", lines, columns("errors", kind="number"), across="type"))


def links_text(report: ErrorReport, strategy: Strategy) -> str:
    """Link errors by the kinds of their two ends."""
    tables = [links_table(errors, strategy) for errors in report.systems]
    below = f"anaphor -> antecedent, the antecedent by {strategy}"
    return render_tables(tables, "text", Around(below=[below]))


def links_table(errors: Errors, strategy: Strategy) -> Table:
    """The numbers of missing (recall) and wrong (precision) links, by the kinds of their ends."""
    links = {side: numbers.by_kinds() for side, numbers in errors.links(strategy).items()}
    pairs = sorted({pair for numbers in links.values() for pair in numbers})
    rows = [
        {"ends": pair, "of": side, "errors": numbers.get(pair, 0)}
        for pair in pairs
        for side, numbers in links.items()
    ]
    return _summed("links", columns("ends", ends=f"link errors, {errors.name}"), rows)


def delimited(rows: Iterable[Mapping[str, Any]], form: str) -> str:
    """Rows with the same columns as a table in one of the formats; TSV and CSV do not round."""
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


WIDTH = 60
"""How many characters are shown of a mention, and of the text on each side of it."""

_COLOURS: dict[str, Colour] = {"key": "red", "response": "magenta", "both": "yellow"}
"""The colour of a wrong mention, by the sides that have it."""


def in_context(context: MentionContext, side: str) -> str:
    """A mention in brackets, in the colour of its side, with the words around it.

    >>> in_context(MentionContext("They told", "him", "so ."), "both")
    'They told [him] so .'
    """
    short = context.shortened(WIDTH)
    before, after = (shorten(text, 2 * WIDTH) for text in (short.before, short.behind))
    mention = f"[{shorten(short.text, WIDTH)}]"
    return joined([before, paint(mention, _COLOURS[side]), after])


def example(label: str, score: str, mention: Mapping[str, Any], side: str) -> Iterator[str]:
    """The lines of a mention in a list of examples: its place, its context, its antecedents.

    `mention` is its description by a listing; its entry `found` has, under the name to be shown,
    the antecedent in each response.
    """
    context = MentionContext(mention["before"], mention["text"], mention["behind"])
    yield f"  {visible(label)}  {visible(mention['document'])}, sentence {mention['sentence']}:"
    yield "    " + in_context(context, side)
    if mention["expected"] or any(mention["found"].values()):
        term = "anchor" if score.startswith("anchor") else "antecedent"
        texts = {f"{term} expected": mention["expected"], **mention["found"]}
        yield "    " + "; ".join(f"{visible(n)}: {shorten(t or 'none')}" for n, t in texts.items())


_SIGNS = {"same_text": "the entity has this text elsewhere", "nested": "inside another mention"}
_MOST = 6
"""How many mentions of an error are shown."""

_ErrorOrLink = TypeVar("_ErrorOrLink", Error, Link)


def render_error_list(report: ErrorReport, choice: ErrorChoice, form: str) -> str:
    """The chosen errors: as text in three lines each, otherwise as a row or JSON object each."""
    if form != "text":
        errors_of = [(e.name, e[row]) for e in report.systems for row in choice.select(e)]
        return _rows(report, errors_of, Error.to_row, form)
    several = len(report.systems) > 1
    parts = []
    for errors in report.systems:
        rows = choice.select(errors)
        for error in (errors[row] for row in rows):
            parts.append("\n".join(_lines(error, errors.name if several else "")))
        if several or not rows:
            parts.append(f"{visible(errors.name)}: {len(rows):,} of {len(errors):,} errors")
    return "\n".join(parts) + "\n"


def _lines(error: Error, system: str) -> Iterator[str]:
    first = error.first
    place = f"{first.file}:{first.line}" if first.line else f"tokens {first.start} to {first.end}"
    title, place = visible(joined([system, error.id])), visible(place)
    heading = f"{title}  {place}"
    yield paint(heading, "dim")
    yield "  " + in_context(error.context, first.side)
    yield f"    {_summary(error)}"


def _summary(error: Error) -> str:
    """The kind of an error, its other mentions, its place in the key and its place in the response.

    Signs of its cause and the gain of its repair follow.
    """
    kind = error.first.kind
    if error.type != "span" and len(error.mentions) > 1:
        texts = [shorten(m.text, 20) for m in error.mentions[1:_MOST]]
        more = len(error.mentions) - 1 - len(texts)
        kind += f" (with {', '.join([*texts, *([f'{more} more'] if more else [])])})"
    signs = [text for name, text in _SIGNS.items() if error.evidence.get(name)]
    placed = f"{should_be(error.should)} · {what_was(error.was)}"
    return "; ".join([f"{kind}: {placed}", *signs, f"gain {points(error.gain)}"])


def points(gain: float) -> str:
    """A gain in points, with a sign and one more decimal than scores: single repairs gain little.

    >>> points(0.00123), points(-0.0001), points(0.0)
    ('+0.123', '-0.010', '+0.000')
    """
    return f"{100 * gain:+.{style().digits + 1}f}"


def should_be(placement: Placement) -> str:
    """What should have been, in a few words: the placement in the key."""
    if placement.relation == STANDS_ALONE:
        return "should stand alone"
    return joined([placement.relation, _named(placement)])


def what_was(placement: Placement) -> str:
    """What was, in a few words: the placement in the response."""
    if placement.relation == STANDS_ALONE:
        return STANDS_ALONE
    return joined([f"was {placement.relation}", _named(placement)])


def _named(placement: Placement) -> str:
    """The mention of a placement and how far away it is; empty if it has no mention.

    A mention with wrong boundaries is in quotation marks, without a distance.
    """
    if placement.mention is None:
        return ""
    text = shorten(placement.mention.text, WIDTH)
    if placement.relation == FOUND_AS:
        return f'"{text}"'
    return f"{text} ({distance_text(placement.sentences, placement.tokens or 0)})"


def distance_text(sentences: int | None, tokens: int) -> str:
    """How far away a mention is: in sentences if they are known, otherwise in tokens.

    >>> distance_text(0, 5), distance_text(-2, -31), distance_text(None, 1)
    ('same sentence', '2 sentences later', '1 token before')
    """
    if sentences == 0:
        return "same sentence"
    number, unit = (tokens, "token") if sentences is None else (sentences, "sentence")
    return f"{count_of(abs(number), unit)} {'later' if number < 0 else 'before'}"


def render_links(report: ErrorReport, strategy: Strategy, form: str) -> str:
    """Link errors: as text by the kinds of their ends, otherwise as a row or JSON object each."""
    if form == "text":
        return links_text(report, strategy)
    links_of = [(e.name, link) for e in report.systems for link in e.listed_links(strategy)]
    return _rows(report, links_of, _link_row, form)


def _link_row(link: Link) -> dict[str, object]:
    ends = {
        f"{end}_{name}": getattr(getattr(link, end), name)
        for end in ("anaphor", "antecedent")
        for name in ("sentence", "start", "end", "line", "text", "kind")
    }
    distance = {name: getattr(link, name) for name in ("mentions", "sentences", "tokens")}
    same = {"same_text": link.same_text, "same_head": link.same_head}
    return {"id": link.id, "side": link.side, "document": link.document, **ends, **distance, **same}


def _rows(
    report: ErrorReport,
    listed: Sequence[tuple[str, _ErrorOrLink]],
    row: Callable[[_ErrorOrLink], dict[str, Any]],
    form: str,
) -> str:
    """Errors or links for programs, with their systems; JSON names these only if several."""
    if form not in ("json", "jsonl"):
        return delimited([{"system": name, **row(item)} for name, item in listed], form)
    several = len(report.systems) > 1
    objects = [({"system": name} if several else {}) | item.to_dict() for name, item in listed]
    if form == "json":
        return result_json("list", {"listed": objects})
    return "".join(to_json(item, None) for item in objects)


_LOSS_HEADINGS = (
    *columns("detection linking", group="lost by", kind="score"),
    *columns(
        "perfect_mentions perfect_linking",
        group="with perfect",
        kind="score",
        perfect_mentions="mentions",
        perfect_linking="linking",
    ),
)
_LOSSES_NOTE = "The two losses add up. With perfect mentions: what this linking would reach."


def losses_table(systems: Mapping[str, Mapping[str, LossFigures]]) -> Table:
    """One row per metric: F1, the two losses and the two ceilings; one block per system."""
    rows = [
        {"system": system, "metric": metric, "f1": loss.f1, **loss.lost._asdict()}
        for system, losses in systems.items()
        for metric, loss in losses.items()
    ]
    lines, values = columns("metric"), (*F1, *_LOSS_HEADINGS)
    view = View("losses", "Detection or linking", lines, values, across="", block="system")
    return pivot(rows, view._replace(note=_LOSSES_NOTE))

"""The errors themselves: each with its place and its mentions in context."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from corefkit.analysis.choice import Choice
from corefkit.analysis.error import Error
from corefkit.analysis.link_details import Link, list_links
from corefkit.analysis.links import Strategy
from corefkit.data.texts import shorten, to_json, visible
from corefkit.mentions.context import joined
from corefkit.render.context import WIDTH, in_context
from corefkit.render.errors import delimited, links_text
from corefkit.render.text import PLAIN
from corefkit.scoring.errors import ErrorReport

_DIM = "\x1b[2m"
_SIGNS = {"same_text": "the entity has this text elsewhere", "nested": "inside another mention"}
_MOST = 6
"""So many mentions of an error are named."""

_Told = TypeVar("_Told", Error, Link)


def render_list(report: ErrorReport, choice: Choice, form: str, *, colour: bool) -> str:
    """For people three lines an error; for programs one row or one JSON object."""
    if form != "text":
        found = [(e.name, e[row]) for e in report.systems for row in choice.of(e)]
        return _rows(report, found, Error.to_row, form)
    several = len(report.systems) > 1
    parts = []
    for errors in report.systems:
        rows = choice.of(errors)
        for error in (errors[row] for row in rows):
            parts.append("\n".join(_lines(error, errors.name if several else "", colour)))
        if several or not rows:
            parts.append(f"{visible(errors.name)}: {len(rows):,} of {len(errors):,} errors")
    return "\n".join(parts) + "\n"


def _lines(error: Error, system: str, colour: bool) -> Iterator[str]:
    first = error.first
    place = f"{first.file}:{first.line}" if first.line else f"tokens {first.start} to {first.end}"
    title, place = visible(joined([system, error.id])), visible(place)
    yield f"{_DIM}{title}  {place}{PLAIN}" if colour else f"{title}  {place}"
    yield "  " + in_context(error.context, first.side, colour=colour)
    if told := _told(error):
        yield f"    {told}"


def _told(error: Error) -> str:
    """What there is to say about an error in one line."""
    told = error.evidence
    if error.type == "span":
        return f"found: {shorten(told['found'], WIDTH)}"
    parts = [error.first.kind]
    if len(error.mentions) > 1:
        texts = [shorten(m.text, 20) for m in error.mentions[1:_MOST]]
        more = len(error.mentions) - 1 - len(texts)
        parts.append("with " + ", ".join([*texts, *([f"{more} more"] if more else [])]))
    if "rest" in told:
        rest = ", ".join(f"{n} {kind}" for kind, n in told["rest"].items() if n)
        parts.append(f"{'joined to' if error.type == 'conflated' else 'cut off from'}: {rest}")
    parts += [text for name, text in _SIGNS.items() if told.get(name)]
    return "; ".join(parts)


def render_links(report: ErrorReport, strategy: Strategy, form: str) -> str:
    """Link errors: for people by the kinds of their ends, else one row or one JSON object each."""
    if form == "text":
        return links_text(report, strategy)
    found = [
        (errors.name, link)
        for errors in report.systems
        for side, links in errors.links(strategy).items()
        for link in list_links(errors.details, side, links)
    ]
    return _rows(report, found, _row, form)


def _row(link: Link) -> dict[str, object]:
    ends = {
        f"{end}_{name}": getattr(getattr(link, end), name)
        for end in ("anaphor", "antecedent")
        for name in ("sentence", "start", "end", "line", "text", "kind")
    }
    distance = {name: getattr(link, name) for name in ("mentions", "sentences", "tokens")}
    told = {"same_text": link.same_text, "same_head": link.same_head}
    return {"id": link.id, "side": link.side, "document": link.document, **ends, **distance, **told}


def _rows(
    report: ErrorReport,
    found: Sequence[tuple[str, _Told]],
    row: Callable[[_Told], dict[str, Any]],
    form: str,
) -> str:
    """What was found for programs; where there are several systems it is said whose it is."""
    if form not in ("json", "jsonl"):
        return delimited([{"system": name, **row(one)} for name, one in found], form)
    several = len(report.systems) > 1
    listed = [({"system": name} if several else {}) | one.to_dict() for name, one in found]
    return to_json(listed) if form == "json" else "".join(to_json(one, None) for one in listed)

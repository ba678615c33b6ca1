"""The errors themselves: each with its place and its mentions in context."""

from collections.abc import Iterator, Sequence

from corefkit.analysis.choice import Choice
from corefkit.analysis.error import Error
from corefkit.analysis.errors import Errors
from corefkit.analysis.link_details import Link, list_links
from corefkit.analysis.links import Strategy
from corefkit.data.texts import shorten, to_json, visible
from corefkit.mentions.context import joined
from corefkit.render.context import PLAIN, WIDTH, in_context
from corefkit.render.errors import delimited
from corefkit.scoring.errors import ErrorReport

_DIM = "\x1b[2m"
_MOST = 6
"""So many mentions of an error are named."""


def render_list(report: ErrorReport, choice: Choice, *, colour: bool) -> str:
    """For people: three lines an error."""
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
    parts += [
        what
        for name, what in (
            ("same_text", "the entity has this text elsewhere"),
            ("nested", "inside another mention"),
        )
        if told.get(name)
    ]
    return "; ".join(parts)


def render_rows(report: ErrorReport, choice: Choice, form: str) -> str:
    """For programs: one row or one JSON object an error; several systems are told apart."""
    several = len(report.systems) > 1
    if form in ("json", "jsonl"):
        found = [
            ({"system": errors.name} if several else {}) | errors[row].to_dict()
            for errors in report.systems
            for row in choice.of(errors)
        ]
        return _as_json(found, form)
    rows = [
        {"system": errors.name, **errors[row].to_row()}
        for errors in report.systems
        for row in choice.of(errors)
    ]
    return delimited(rows, form)


def render_link_rows(report: ErrorReport, strategy: Strategy, form: str) -> str:
    """Link errors, one row or one JSON object each."""
    several = len(report.systems) > 1
    links = [(errors, link) for errors in report.systems for link in _links(errors, strategy)]
    if form in ("json", "jsonl"):
        system = [{"system": errors.name} if several else {} for errors, _ in links]
        listed = [one | link.to_dict() for one, (_, link) in zip(system, links, strict=True)]
        return _as_json(listed, form)
    return delimited([{"system": errors.name, **_row(link)} for errors, link in links], form)


def _links(errors: Errors, strategy: Strategy) -> Iterator[Link]:
    for side, found in errors.links(strategy).items():
        yield from list_links(errors.details, side, found)


def _row(link: Link) -> dict[str, object]:
    ends = {
        f"{end}_{name}": getattr(getattr(link, end), name)
        for end in ("anaphor", "antecedent")
        for name in ("sentence", "start", "end", "line", "text", "kind")
    }
    distance = {name: getattr(link, name) for name in ("mentions", "sentences", "tokens")}
    told = {"same_text": link.same_text, "same_head": link.same_head}
    return {"id": link.id, "side": link.side, "document": link.document, **ends, **distance, **told}


def _as_json(found: Sequence[dict[str, object]], form: str) -> str:
    if form == "json":
        return to_json(found)
    return "".join(to_json(one, None) for one in found)

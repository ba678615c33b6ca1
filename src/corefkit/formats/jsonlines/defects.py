"""What can be wrong with JSON documents, as incidents."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from corefkit.data.incidents import Incident, make_incident
from corefkit.data.texts import quote, shorten
from corefkit.formats.jsonlines.layout import ShapeError

if TYPE_CHECKING:
    from corefkit.formats.jsonlines.reader import Document


def shape(path: str | None, line: int, error: ShapeError) -> Incident:
    """A part of a document is not what it should be."""
    return make_incident(
        "json-shape",
        path=error.path,
        file=path,
        line=line,
        found=shorten(json.dumps(error.found, ensure_ascii=False, default=str)),
        expected=error.expected,
    )


def clusters_missing(
    path: str | None, line: int, fields: Sequence[str], row: dict[str, Any]
) -> Incident:
    """A document has no field with clusters."""
    return make_incident(
        "clusters-missing",
        file=path,
        line=line,
        found=shorten(f"the fields {', '.join(row)}", 80),
        expected=f"one of {', '.join(fields)}",
    )


def span_kind(document: "Document", mention: int) -> str:
    """Whether a span that cannot be is empty or outside of its document."""
    start, end = int(document.spans.start[mention]), int(document.spans.end[mention])
    return "span-empty" if end < start < document.layout.units else "span-outside"


def span(
    path: str | None, document: "Document", field: str, mention: int, *, exclusive: bool
) -> Incident:
    """A span that is outside of its document, or empty."""
    spans, units = document.spans, document.layout.units
    cluster, place = spans.path(mention)
    numbers = spans.numbers[mention].tolist()
    what = "characters" if document.layout.text is not None else "tokens"
    if document.layout.pieces is not None:
        units, what = len(document.layout.pieces), "sub-tokens"
    return make_incident(
        span_kind(document, mention),
        _ends(document, exclusive=exclusive),
        file=path,
        line=document.line,
        document=document.name,
        found=f"{numbers} at $.{field}[{cluster}][{place}]",
        expected=f"spans within {units:,} {what}, counted from 0, "
        + ("the end not included" if exclusive else "the end included"),
    )


def _ends(document: "Document", *, exclusive: bool) -> str:
    """How the ends look, as the catalogue names it: inclusive, exclusive, or `text` if unknown."""
    one, other = document.spans.numbers[:, -2], document.spans.numbers[:, -1]
    same = bool((one == other).any())
    if exclusive:
        return "inclusive" if same else "text"
    at_end = bool((other == document.layout.units).any())
    beyond = bool((other > document.layout.units).any())
    if at_end and not beyond and not same:
        return "exclusive"
    return "text"


def ends_unsure(path: str | None, line: int, field: str) -> Incident:
    """A field whose ends may or may not be included: it is unknown."""
    return make_incident(
        "ends-unsure",
        field=field,
        file=path,
        line=line,
    )


def text_differs(
    path: str | None, document: "Document", mention: int, said: str, text: str
) -> Incident:
    """A mention whose text the file repeats, and it is another one."""
    numbers = document.spans.numbers[mention].tolist()
    place = document.spans.path(mention)
    return make_incident(
        "mention-text-differs",
        file=path,
        line=document.line,
        document=document.name,
        found=f"{numbers} reads {quote(text)}",
        expected=f"{quote(said)}, mention {place[1]} of cluster {place[0]}",
    )

"""What can be wrong with JSON documents, as incidents."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from corefkit.data.incidents import Incident, make_incident
from corefkit.data.texts import shorten
from corefkit.formats.jsonlines.layout import ShapeError

if TYPE_CHECKING:
    from corefkit.formats.jsonlines.reader import Document


def shape(path: str | None, line: int, error: ShapeError) -> Incident:
    """A part of a document is not what it should be."""
    return Incident(
        "json-shape",
        "error",
        f"{error.path} is not what it should be",
        file=path,
        line=line,
        found=shorten(repr(error.found)),
        expected=error.expected,
        hint="null stands where a system lost a mention; leave it out",
    )


def clusters_missing(
    path: str | None, line: int, fields: Sequence[str], row: dict[str, Any]
) -> Incident:
    """A document has no field with clusters."""
    return make_incident(
        "clusters-missing",
        "the document has no clusters; it looks like input for prediction",
        file=path,
        line=line,
        found=shorten(f"the fields {', '.join(row)}", 80),
        expected=f"one of {', '.join(fields)}",
    )


def span(
    path: str | None, document: "Document", field: str, mention: int, *, exclusive: bool
) -> Incident:
    """A span that is outside of its document, or empty."""
    spans, units = document.spans, document.layout.units
    cluster, place = spans.path(mention)
    numbers = spans.numbers[mention].tolist()
    empty = bool(spans.end[mention] < spans.start[mention]) and spans.start[mention] < units
    what = "characters" if document.layout.text is not None else "tokens"
    if document.layout.pieces is not None:
        units, what = len(document.layout.pieces), "sub-tokens"
    return Incident(
        "span-empty" if empty else "span-outside",
        "error",
        "a span ends before it begins" if empty else "a span reaches beyond the document",
        file=path,
        line=document.line,
        document=document.name,
        found=f"{numbers} at $.{field}[{cluster}][{place}]",
        expected=f"spans within {units:,} {what}, counted from 0, "
        + ("the end not included" if exclusive else "the end included"),
        hint=_ends(document, exclusive=exclusive),
    )


def _ends(document: "Document", *, exclusive: bool) -> str:
    """Two facts tell how the ends of a file are meant; otherwise it is unknown."""
    one, other = document.spans.numbers[:, -2], document.spans.numbers[:, -1]
    same = bool((one == other).any())
    if exclusive:
        return "the ends look inclusive: read with --ends inclusive" if same else "correct it"
    at_end = bool((other == document.layout.units).any())
    beyond = bool((other > document.layout.units).any())
    if at_end and not beyond and not same:
        return "the ends look exclusive: read with --ends exclusive"
    return "correct the span, or check that the text belongs to it"


def ends_unsure(path: str | None, line: int, field: str) -> Incident:
    """A field whose ends may or may not be included: it is unknown."""
    return make_incident(
        "ends-unsure",
        f"nothing tells whether the ends of spans in {field!r} are included",
        file=path,
        line=line,
    )


def text_differs(
    path: str | None, document: "Document", mention: int, said: str, text: str
) -> Incident:
    """A mention whose text the file repeats, and it is another one."""
    numbers = document.spans.numbers[mention].tolist()
    place = document.spans.path(mention)
    return Incident(
        "mention-text-differs",
        "warning",
        "the text at a mention's place is not the one that the file repeats",
        file=path,
        line=document.line,
        document=document.name,
        found=f"{numbers} reads {shorten(text)!r}",
        expected=f"{shorten(said)!r}, mention {place[1]} of cluster {place[0]}",
        hint="the offsets stand; perhaps the text was changed afterwards",
    )

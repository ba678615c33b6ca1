"""What can be wrong with JSON documents."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from corefkit.data.incidents import Collector
from corefkit.data.texts import quote, shorten
from corefkit.formats.jsonlines.layout import ShapeError

if TYPE_CHECKING:
    from corefkit.formats.jsonlines.documents import Document


def tell_shape(found: Collector, line: int, error: ShapeError) -> None:
    """Report a part of a document that is not what it should be."""
    shown = shorten(json.dumps(error.found, ensure_ascii=False, default=str))
    found.note("json-shape", path=error.path, line=line, found=shown, expected=error.expected)


def tell_no_clusters(
    found: Collector, line: int, fields: Sequence[str], row: dict[str, Any]
) -> None:
    """Report a document that has no field with clusters."""
    shown, expected = shorten(f"the fields {', '.join(row)}", 80), f"one of {', '.join(fields)}"
    found.note("clusters-missing", line=line, found=shown, expected=expected)


def tell_span(
    found: Collector, document: "Document", field: str, mention: int, *, exclusive: bool
) -> None:
    """Report a span that is outside of its document, or empty."""
    spans, units = document.spans, document.layout.units
    start, end = int(spans.start[mention]), int(spans.end[mention])
    kind = "span-empty" if end < start < units else "span-outside"
    if found.skip(kind):
        return
    cluster, place = spans.path(mention)
    numbers = spans.numbers[mention].tolist()
    what = "characters" if document.layout.text is not None else "tokens"
    if document.layout.pieces is not None:
        units, what = len(document.layout.pieces), "sub-tokens"
    found.note(
        kind,
        _ends(document, exclusive=exclusive),
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
    at_end = int(other.max()) == document.layout.units
    return "exclusive" if at_end and not same else "text"


def tell_text(found: Collector, document: "Document", mention: int, said: str, text: str) -> None:
    """Report a mention whose text is not what the file says."""
    cluster, place = document.spans.path(mention)
    found.note(
        "mention-text-differs",
        line=document.line,
        document=document.name,
        found=f"{document.spans.numbers[mention].tolist()} reads {quote(text)}",
        expected=f"{quote(said)}, mention {place} of cluster {cluster}",
    )

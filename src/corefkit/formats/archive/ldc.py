"""What LDC's XML formats share: two layers, and offsets into a source text with their texts."""

from html import unescape
from typing import NamedTuple

from corefkit.core.incidents import Collector
from corefkit.formats.kit.building import note_no_coreference, same_text, whole_number
from corefkit.formats.kit.draft import Draft, Run

ENTITIES, EVENTS = "entities", "events"
"""The layers of such a file, of which one is read."""


class OffsetMention(NamedTuple):
    """A mention: its entity, its span and that of its head as the file gives them, its text."""

    line: int
    entity: str
    span: Run | None
    text: str
    head: Run | None
    labels: dict[str, str]


def span_of(first: str | None, second: str | None) -> Run | None:
    """The two numbers of a place; None if one is missing."""
    begin, end = whole_number(first), whole_number(second)
    return None if begin is None or end is None else (begin, end)


def agrees(text: str, given: str) -> bool:
    """Whether a text is the one given in the file, literally or with `&amp;` and so on decoded."""
    return same_text(text, given) or (
        "&" in text + given and same_text(unescape(text), unescape(given))
    )


def add_mention(draft: Draft, mention: OffsetMention, collector: Collector) -> None:
    """Add a mention with its head as minimum span; one without a place is reported."""
    line, entity, span, text, head, labels = mention
    if span is None:
        expected = "an offset and an end or a length"
        collector.note("place-bad", at=line, found=text[:40], expected=expected)
    else:
        draft.mention(None, [span], line, entity=entity, text=text, minimum=head, labels=labels)


def note_no_mention(layer: str, collector: Collector) -> None:
    """Report a file without mentions in the layer that is read."""
    expected = f"mentions of the layer {layer}; --layer chooses {ENTITIES} or {EVENTS}"
    note_no_coreference(collector, "none", expected)


def note_other_layers(number: int, collector: Collector) -> None:
    """Report relations and other annotations that are not read."""
    if number:
        collector.note("layer-dropped", "relations", number=number, count=number)

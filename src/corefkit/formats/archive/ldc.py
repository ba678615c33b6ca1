"""What LDC's XML formats share: two layers, and offsets into a source text with their texts."""

from collections.abc import Collection, Iterator, Sequence
from html import unescape
from typing import NamedTuple
from xml.etree.ElementTree import Element

from corefkit.core.incidents import Collector
from corefkit.formats.kit.building import note_no_coreference, same_text, whole_number
from corefkit.formats.kit.draft import Draft, Run
from corefkit.formats.kit.tree import XmlTree, attribute

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


def add_mention(draft: Draft, mention: OffsetMention) -> None:
    """Add a mention with its head as minimum span; one without a place is reported."""
    line, entity, span, text, head, labels = mention
    if span is None:
        draft.refuse(None, line, "place-bad", text[:40], "an offset and an end or a length")
    else:
        draft.mention(None, [span], line, entity=entity, text=text, minimum=head, labels=labels)


def mentions_in(tree: XmlTree, group: str, kind: str) -> Iterator[tuple[str, Element, Element]]:
    """The entities of a file, which are called `group`, with each of their mentions; by name."""
    for line, entity in tree:
        if entity.tag == group:
            name = attribute(entity, "ID") or attribute(entity, "id") or f"{group} {line}"
            for mention in entity.iter(kind):
                yield name, entity, mention


def note_rest(
    tree: XmlTree,
    mentions: Sequence[OffsetMention],
    layer: str,
    others: Collection[str],
    collector: Collector,
) -> None:
    """Refuse a file without mentions in the layer that is read; report the `others`, not read."""
    if not mentions:
        expected = f"mentions of the layer {layer}; --layer chooses {ENTITIES} or {EVENTS}"
        raise note_no_coreference(collector, "none", expected)
    if number := sum(e.tag in others for e in tree.elements):
        collector.note("layer-dropped", "relations", number=number, count=number)

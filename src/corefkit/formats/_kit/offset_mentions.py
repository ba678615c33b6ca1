"""Mentions of LDC's XML: offsets into a source that may stand beside the file, and their texts."""

from collections.abc import Sequence
from html import unescape
from typing import NamedTuple

from corefkit.core.incidents import Collector
from corefkit.formats._kit import building
from corefkit.formats._kit.building import RawDocument, RawMention

ENTITIES, EVENTS = "entities", "events"
"""The layers of such a file."""


class OffsetMention(NamedTuple):
    """A mention: its span and its head, ends not included, its text and its labels.

    The span is None where the file gives no whole numbers.
    """

    entity: str
    span: tuple[int, int] | None
    text: str
    line: int
    type: str = ""
    realis: str = ""
    head: tuple[int, int] | None = None


def spans_of(
    first: Sequence[str | None], last: Sequence[str | None], *, length: bool = False
) -> list[tuple[int, int] | None]:
    """The spans that two columns of attributes say, as `span_of` does."""
    pairs = zip(building.whole_numbers(first), building.whole_numbers(last), strict=True)
    return [None if a is None or b is None else (a, a + b if length else b + 1) for a, b in pairs]


def span_of(first: str | None, last: str | None, *, length: bool = False) -> tuple[int, int] | None:
    """The span that two attributes say: both ends included, or an offset and a length."""
    begin, other = building.whole_number(first), building.whole_number(last)
    if begin is None or other is None:
        return None
    return (begin, begin + other) if length else (begin, other + 1)


def differing(mentions: Sequence[OffsetMention], text: str) -> int:
    """How many mentions have another text at their places."""
    return sum(
        mention.span is not None and not agrees(text[slice(*mention.span)], mention.text)
        for mention in mentions
    )


def agrees(text: str, said: str) -> bool:
    """Whether a text is what a file says, as it stands or with `&amp;` and the like decoded."""
    return building.same_text(text, said) or (
        "&" in text + said and building.same_text(unescape(text), unescape(said))
    )


def raw_document(
    name: str,
    mentions: Sequence[OffsetMention],
    text: str | None,
    found: Collector,
    *,
    realis: bool = False,
) -> RawDocument:
    """The document; spans outside of the text are reported, and texts that differ."""
    kept, wrong = [], 0
    for mention in mentions:
        if not _is_inside(mention, text, found):
            continue
        kept.append(mention)
        if text is not None and mention.span is not None:
            there = text[slice(*mention.span)]
            if not agrees(there, mention.text):
                wrong += building.note_difference(found, mention.line, there, mention.text)
    building.judge_texts(wrong, len(mentions), found)
    labels = {"type": [mention.type for mention in kept]}
    if realis:
        labels["realis"] = [mention.realis for mention in kept]
    rows = [
        RawMention(
            mention.span[0],
            mention.span[1] - 1,
            mention.entity,
            mention.line,
            minimum=None if mention.head is None else (mention.head[0], mention.head[1] - 1),
        )
        for mention in kept
        if mention.span is not None
    ]
    return RawDocument(name, rows, text=text, labels=labels)


def _is_inside(mention: OffsetMention, text: str | None, found: Collector) -> bool:
    """Whether a mention has a place; what is wrong with it is reported."""
    if mention.span is None:
        expected = "an offset and an end or a length"
        found.note("place-bad", at=mention.line, found=mention.text[:40], expected=expected)
        return False
    begin, end = mention.span
    shown = f"{begin} to {end}"
    if end <= begin:
        found.note("span-empty", "text", at=mention.line, found=shown, expected="begin < end")
        return False
    if text is not None and end > len(text):
        building.note_outside(found, mention.line, shown, len(text), "characters")
        return False
    return True


def note_no_mention(layer: str, found: Collector) -> None:
    """Report a file without mentions of the layer that is read."""
    expected = f"mentions of the layer {layer}; --layer chooses {ENTITIES} or {EVENTS}"
    building.note_no_coreference(found, "none", expected)


def note_unread(number: int, found: Collector) -> None:
    """Report relations and the like, which are not read."""
    if number:
        found.note("layer-dropped", "relations", number=number, count=number)

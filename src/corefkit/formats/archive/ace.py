"""ACE APF: entities or events, beside the `.sgm` file, whose characters are counted without tags.

X.apf.xml:
    <source_file><document DOCID="x"><entity ID="x-E1" TYPE="PER" SUBTYPE="Individual">
    <entity_mention ID="x-E1-2"><extent><charseq START="4" END="12">the mayor</charseq></extent>
    <head><charseq START="8" END="12">mayor</charseq></head></entity_mention></entity>
    <event ID="x-EV1" TYPE="Life" SUBTYPE="Die"><event_mention ID="x-EV1-1">
    <anchor><charseq START="14" END="17">died</charseq></anchor></event_mention></event>
    </document></source_file>
X.sgm:
    <DOC>Yes the mayor died</DOC>

Both ends of a span are included. Releases differ in whether `&amp;` counts as five characters or as
one: the way of counting is chosen in which the texts of mentions agree.

It was never tried on a file of a corpus (see `formats.archive`).
"""

import re
from collections.abc import Iterator, Sequence
from html import unescape
from xml.etree.ElementTree import Element

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.formats.archive.ldc import (
    ENTITIES,
    EVENTS,
    OffsetMention,
    add_mention,
    agrees,
    mentions_in,
    note_rest,
    span_of,
)
from corefkit.formats.format import IN_TEXT, Companions, Format, Look
from corefkit.formats.kit.building import judge_texts, reader, stem, text_beside
from corefkit.formats.kit.draft import Draft, Run, corpus_of
from corefkit.formats.kit.tree import XmlTree, read_tree, text_of
from corefkit.formats.options import LAYER, ReadOption

EXTENT = ReadOption(
    "extent",
    "whether to read whole mentions or their heads.  [default: full]",
    "head",
    values=("full", "head"),
    formats="ACE",
)

_SUFFIX = ".apf.xml"
_TAG = re.compile(r"<[^>]*>")
_LAYERS = {
    ENTITIES: ("entity", "entity_mention", "extent"),
    EVENTS: ("event", "event_mention", "anchor"),
}
"""The elements of an entity, of a mention and of its place in each layer."""
_READ: dict[str, dict[str, tuple[str, ...] | None]] = {
    ENTITIES: {"entity": ("ID", "TYPE"), "entity_mention": ("ID",), "event_mention": None},
    EVENTS: {
        "event": ("ID", "TYPE", "SUBTYPE"),
        "event_mention": ("ID",),
        "event_mention_argument": None,
        "entity_mention": None,
    },
}
"""The attributes that are read of the elements of each layer; None for elements not read."""


@reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The document of one file."""
    tree = read_tree(data, collector)
    source = text_beside(path, _SUFFIX, ".sgm", collector)
    layer = reading.get("layer") or ENTITIES
    mentions = [*_mentions(tree, layer)]
    note_rest(tree, mentions, layer, ("relation", "value", "timex2"), collector)
    names = [e.get("DOCID", "") for e in tree.elements if e.tag == "document"]
    name = "".join(names[-1:]) or stem(path, _SUFFIX)
    text = _text(source.decode("utf-8-sig", "replace"), mentions)
    draft = Draft(name, collector, text=text, inclusive=True, same=agrees)
    for mention in mentions:
        add_mention(draft, mention)
    if reading.get("extent") == "head" and layer == ENTITIES:
        judge_texts(draft.differing, len(draft), collector)
        draft = Draft(name, collector, text=text, inclusive=True)
        for line, entity, span, _, head, labels in mentions:
            if element := head or span:
                draft.mention(None, [element], line, entity=entity, labels=labels)
    draft.unread.update(tree.unread(_READ[layer]))
    return corpus_of("ace", data, [draft], collector)


def _mentions(tree: XmlTree, layer: str) -> Iterator[OffsetMention]:
    """The mentions of a layer, each with the span of its head."""
    group, kind, extent = _LAYERS.get(layer, ("", "", ""))
    for name, entity, e in mentions_in(tree, group, kind):
        extent_element, head = (e.find(f"{part}/charseq") for part in (extent, "head"))
        type, subtype = entity.get("TYPE", ""), entity.get("SUBTYPE", "")
        if layer == EVENTS:
            head, type = None, "_".join(filter(None, (type, subtype)))
        span, text = _span(extent_element), text_of(extent_element)
        yield OffsetMention(tree.line[e], name, span, text, _span(head), {"type": type})


def _span(element: Element | None) -> Run | None:
    return None if element is None else span_of(element.get("START"), element.get("END"))


def _text(source: str, mentions: Sequence[OffsetMention]) -> str:
    """The text that offsets refer to: the reading of the source with which most mentions agree."""

    def differing(text: str) -> int:
        return sum(
            m.span is not None and not agrees(text[m.span[0] : m.span[1] + 1], m.text)
            for m in mentions
        )

    raw = _TAG.sub("", source.replace("\r\n", "\n"))
    return min([raw, unescape(raw)], key=differing) if "&" in raw else raw


FORMAT = Format(
    name="ace",
    title="ACE APF",
    parse=parse,
    unit="character",
    holds=IN_TEXT | {"crossing", "minimum", "type"},
    options=(LAYER, EXTENT),
    looks=(Look(begins=rb"<", near=rb"<source_file\b", has=(b"DOCID=",)),),
    companions=(Companions(_SUFFIX, ("{}.sgm",)),),
    suffixes=(_SUFFIX,),
    untried=True,
)

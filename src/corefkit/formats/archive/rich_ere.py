"""Rich ERE: entities, or event hoppers, with offsets into the source file, tags included.

X.rich_ere.xml:
    <deft_ere doc_id="x"><entities><entity id="ent-1" type="PER">
    <entity_mention id="m-1" noun_type="NOM" source="x" offset="3" length="9">
    <mention_text>the mayor</mention_text>
    <nom_head source="x" offset="7" length="5">mayor</nom_head>
    </entity_mention></entity></entities><hoppers><hopper id="h-1">
    <event_mention id="em-1" type="life" subtype="die" realis="actual">
    <trigger source="x" offset="13" length="4">died</trigger></event_mention></hopper></hoppers>
    </deft_ere>
X.txt:
    <p>the mayor died</p>

It was never tried on a file of a corpus (see `formats.archive`).
"""

from collections.abc import Iterator
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
from corefkit.formats.format import Companions, Format, Look
from corefkit.formats.kit import files
from corefkit.formats.kit.building import reader, stem
from corefkit.formats.kit.draft import Draft, Run, corpus_of
from corefkit.formats.kit.tree import XmlTree, read_tree, text_of
from corefkit.formats.options import LAYER

_SUFFIX = ".rich_ere.xml"
_SOURCES = (".txt", ".xml.txt", ".cmp.txt")
_LAYERS = {ENTITIES: ("entity", "entity_mention"), EVENTS: ("hopper", "event_mention")}
"""The elements of an entity and of a mention in each layer."""
_READ: dict[str, dict[str, tuple[str, ...] | None]] = {
    ENTITIES: {
        "entity": ("id", "type"),
        "entity_mention": ("id", "source", "offset", "length"),
        "event_mention": None,
    },
    EVENTS: {
        "hopper": ("id",),
        "event_mention": ("id", "type", "subtype", "realis"),
        "em_arg": None,
        "entity_mention": None,
    },
}
"""The attributes that are read of the elements of each layer; None for elements not read."""


@reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The document of one file."""
    tree = read_tree(data, collector)
    layer = reading.get("layer") or ENTITIES
    mentions = [*_mentions(tree, layer)]
    note_rest(tree, mentions, layer, ("filler", "relation"), collector)
    name = tree.root.get("doc_id") or stem(path, _SUFFIX)
    draft = Draft(name, collector, text=_source(path), unit="character", same=agrees)
    for mention in mentions:
        add_mention(draft, mention)
    draft.unread.update(tree.unread(_READ[layer]))
    return corpus_of("rich-ere", data, [draft], collector)


def _mentions(tree: XmlTree, layer: str) -> Iterator[OffsetMention]:
    """The mentions of a layer that are in an entity or a hopper."""
    for name, entity, e in mentions_in(tree, *_LAYERS.get(layer, ("", ""))):
        element: Element | None = e
        text = text_of(e.find("mention_text"))
        labels = {"type": entity.get("type", "")}
        if layer == EVENTS:
            element = e.find("trigger")
            text, type = text_of(element), f"{e.get('type', '')}_{e.get('subtype', '')}"
            labels = {"type": type, "realis": e.get("realis", "")}
        head = _span(e.find("nom_head"))
        yield OffsetMention(tree.line[e], name, _span(element), text, head, labels)


def _span(element: Element | None) -> Run | None:
    """The characters of an element with an offset and a length, the end excluded."""
    span = None if element is None else span_of(element.get("offset"), element.get("length"))
    return None if span is None else (span[0], sum(span))


def _source(path: str) -> str | None:
    """The source text, including its tags; None if there is no such file."""
    base = path.removesuffix(".gz").removesuffix(_SUFFIX)
    _, data = files.load_first([f"{base}{ending}" for ending in _SOURCES])
    return None if data is None else data.decode("utf-8", "replace")


FORMAT = Format(
    name="rich-ere",
    title="Rich ERE",
    parse=parse,
    unit="character",
    holds=frozenset({"singletons", "text", "names", "crossing", "minimum", "type", "realis"}),
    options=(LAYER,),
    looks=(Look(begins=rb"<", near=rb"<deft_ere\b"),),
    companions=(Companions(_SUFFIX, ("{}.txt", "{}.xml.txt", "{}.cmp.txt")),),
    suffixes=(_SUFFIX,),
    untried=True,
)

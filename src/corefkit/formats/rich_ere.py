"""Rich ERE: entities, or event hoppers, with offsets into the source file, tags included."""

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.formats.kit import building, files
from corefkit.formats.kit.building import RawDocument
from corefkit.formats.kit.byte_columns import UnfitError
from corefkit.formats.kit.offset_mentions import (
    ENTITIES,
    EVENTS,
    OffsetColumns,
    OffsetMention,
    note_no_mention,
    note_unread,
    raw_document,
    spans_of,
)
from corefkit.formats.kit.xml import count_attributes
from corefkit.formats.kit.xml.record_reader import read_records
from corefkit.formats.kit.xml.record_tables import RecordKind, Records
from corefkit.formats.registry import Format

_SUFFIX = ".rich_ere.xml"
_SOURCES = (".txt", ".xml.txt", ".cmp.txt")


_ENTITY = RecordKind(("@offset", "@length", "mention_text", "nom_head@offset", "nom_head@length"))
_EVENT = RecordKind(("trigger@offset", "trigger@length", "trigger", "@type", "@subtype", "@realis"))
_KINDS = {ENTITIES: ("entity_mention", _ENTITY), EVENTS: ("event_mention", _EVENT)}
"""The element of a mention in each layer, and the fields that are read."""
_GROUPS = {ENTITIES: "entity", EVENTS: "hopper"}
_UNREAD = ("filler", "relation")


def _mentions(records: Records, layer: str) -> list[OffsetMention]:
    """The mentions of a layer that are in an entity or a hopper."""
    table = records.tables[_KINDS[layer][0]]
    offset, length, text, *more = table.columns
    spans = spans_of(offset, length, length=True)
    if layer == ENTITIES:
        heads = spans_of(*more, length=True)
        types, realis = [""] * len(spans), [""] * len(spans)
    else:
        heads = [None] * len(spans)
        types = [f"{type or ''}_{subtype or ''}" for type, subtype in zip(*more[:2], strict=True)]
        realis = [value or "" for value in more[2]]
    entities = [
        (s.attributes.get("id") or f"{s.name} {s.line}", s.attributes.get("type", ""))
        for s in records.scopes
    ]
    mentions = []
    columns = zip(table.scope, spans, text, table.lines, types, realis, heads, strict=True)
    for scope, span, given, line, type, kind_of_event, head in columns:
        if scope >= 0 and records.scopes[scope].name == _GROUPS[layer]:
            entity, entity_type = entities[scope]
            label = type or entity_type
            mentions.append(
                OffsetMention(entity, span, given or "", line, label, kind_of_event, head)
            )
    return mentions


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one file."""
    collector = Collector(path)
    layer = reading.get("layer") or ENTITIES
    kinds = dict([_KINDS[layer]]) if layer in _KINDS else {}
    scopes = ("deft_ere", _GROUPS.get(layer, ""), *_UNREAD)
    records = read_records(data, kinds, scopes, collector)
    if records is None:
        return building.nothing(collector)
    try:
        document = _document(records, path, layer)
    except UnfitError:
        return _parse_mentions(data, records, layer, collector)
    note_unread(sum(scope.name in _UNREAD for scope in records.scopes), collector)
    return building.make_corpus("rich-ere", data, [document], collector, "character")


def _document(records: Records, path: str, layer: str) -> RawDocument:
    """The document, read in columns; UnfitError if anything is unusual."""
    if layer != ENTITIES:
        raise UnfitError
    mentions = OffsetColumns.of(
        records, "entity_mention", _GROUPS[ENTITIES], ("id", "type"), length=True
    )
    text = _source(path)
    if not mentions.agrees(text):
        raise UnfitError
    return mentions.document(_name(records, path), text)


def _name(records: Records, path: str) -> str:
    """The name of the document."""
    names = [s.attributes.get("doc_id", "") for s in records.scopes if s.name == "deft_ere"]
    return "".join(names[:1]) or building.stem(path, _SUFFIX)


def _parse_mentions(data: bytes, records: Records, layer: str, collector: Collector) -> Corpus:
    """The document of any file, read mention by mention."""
    path = str(collector.file)
    mentions = _mentions(records, layer) if layer in _KINDS else []
    if not mentions:
        note_no_mention(layer, collector)
        return building.nothing(collector)
    note_unread(sum(scope.name in _UNREAD for scope in records.scopes), collector)
    document = raw_document(
        _name(records, path), mentions, _source(path), collector, realis=layer == EVENTS
    )
    return building.make_corpus("rich-ere", data, [document], collector, "character")


def _source(path: str) -> str | None:
    """The source text, including its tags; None if there is no such file."""
    for ending in _SOURCES:
        _, data = files.companion(path, _SUFFIX, ending)
        if data is not None:
            return data.decode("utf-8", "replace")
    return None


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


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many attributes, arguments and mentions of the other layer are not read."""
    del path
    return count_attributes(data, _READ[reading.get("layer") or ENTITIES])


FORMAT = Format(
    name="rich-ere",
    title="Rich ERE",
    parse=parse,
    unit="character",
    holds=frozenset({"singletons", "text", "names", "crossing", "minimum", "type", "realis"}),
    options=("layer",),
    suffixes=(_SUFFIX,),
    count_unread=count_unread,
)

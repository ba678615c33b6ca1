"""ACE APF: entities or events, beside the `.sgm` file, whose characters are counted without tags.

Both ends of a span are included. Releases differ in whether `&amp;` counts as five characters or as
one: the way of counting is chosen in which the texts of mentions agree.
"""

import re
from html import unescape

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
    differing,
    note_no_mention,
    note_unread,
    raw_document,
    spans_of,
)
from corefkit.formats.kit.xml import count_attributes
from corefkit.formats.kit.xml.record_reader import read_records
from corefkit.formats.kit.xml.record_tables import RecordKind, Records
from corefkit.formats.registry import IN_TEXT, Format

_SUFFIX = ".apf.xml"
_TAG = re.compile(r"<[^>]*>")
_UNREAD = frozenset({"relation", "value", "timex2"})


def _place(element: str) -> tuple[str, str]:
    return f"{element}/charseq@START", f"{element}/charseq@END"


_KINDS = {
    ENTITIES: (
        "entity_mention",
        RecordKind((*_place("extent"), "extent/charseq", *_place("head"))),
    ),
    EVENTS: ("event_mention", RecordKind((*_place("anchor"), "anchor/charseq"))),
}
"""The element of a mention in each layer, and the fields that are read."""
_GROUPS = {ENTITIES: "entity", EVENTS: "event"}


def _mentions(records: Records, layer: str) -> list[OffsetMention]:
    """The mentions of a layer, each with the span of its head."""
    table = records.tables[_KINDS[layer][0]]
    start, end, text, *head = table.columns
    spans = spans_of(start, end)
    heads = spans_of(*head) if head else [None] * len(spans)
    groups = []
    for scope in records.scopes:
        named = [scope.attributes.get("TYPE", "")]
        if layer == EVENTS:
            named.append(scope.attributes.get("SUBTYPE", ""))
        id = scope.attributes.get("ID") or f"{scope.name} {scope.line}"
        groups.append((id, "_".join(filter(None, named))))
    return [
        OffsetMention(groups[at][0], span, given or "", line, groups[at][1], head=own_head)
        for at, span, given, line, own_head in zip(
            table.scope, spans, text, table.lines, heads, strict=True
        )
        if at >= 0 and records.scopes[at].name == _GROUPS[layer]
    ]


def _heads(mentions: list[OffsetMention]) -> list[OffsetMention]:
    """The mentions with their heads as spans, if they have one; their texts do not change."""
    return [
        mention if mention.head is None else mention._replace(span=mention.head)
        for mention in mentions
    ]


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one file."""
    collector = Collector(path)
    layer = reading.get("layer") or ENTITIES
    kinds = dict([_KINDS[layer]]) if layer in _KINDS else {}
    scopes = ("document", _GROUPS.get(layer, ""), *_UNREAD)
    records = read_records(data, kinds, scopes, collector)
    if records is None:
        return building.nothing(collector)
    beside, source = files.companion(path, _SUFFIX, ".sgm")
    if source is None:
        collector.note("text-missing", expected=f"{beside} beside it")
        return building.nothing(collector)
    try:
        document = _document(records, source, path, reading)
    except UnfitError:
        return _parse_mentions(data, records, source, reading, collector)
    note_unread(sum(scope.name in _UNREAD for scope in records.scopes), collector)
    return building.make_corpus("ace", data, [document], collector, "character")


def _document(records: Records, source: bytes, path: str, reading: Reading) -> RawDocument:
    """The document, read in columns; UnfitError if anything is unusual."""
    if (reading.get("layer") or ENTITIES) != ENTITIES or reading.get("extent") == "head":
        raise UnfitError
    mentions = OffsetColumns.of(
        records, "entity_mention", _GROUPS[ENTITIES], ("ID", "TYPE"), length=False
    )
    for text in _readings(source.decode("utf-8-sig", "replace")):
        if mentions.agrees(text):
            return mentions.document(_name(records, path), text)
    raise UnfitError


def _name(records: Records, path: str) -> str:
    """The name of the document."""
    names = [s.attributes.get("DOCID", "") for s in records.scopes if s.name == "document"]
    return "".join(names[-1:]) or building.stem(path, _SUFFIX)


def _parse_mentions(
    data: bytes, records: Records, source: bytes, reading: Reading, collector: Collector
) -> Corpus:
    """The document of any file, read mention by mention."""
    path, layer = str(collector.file), reading.get("layer") or ENTITIES
    mentions = _mentions(records, layer) if layer in _KINDS else []
    if not mentions:
        note_no_mention(layer, collector)
        return building.nothing(collector)
    note_unread(sum(scope.name in _UNREAD for scope in records.scopes), collector)
    text = _text(source.decode("utf-8-sig", "replace"), mentions)
    if reading.get("extent") == "head" and layer == ENTITIES:
        raw_document("", mentions, text, collector)  # compares the texts of whole mentions
        mentions = [
            mention._replace(text=text[slice(*mention.span)], head=None)
            for mention in _heads(mentions)
            if mention.span is not None
        ]
    document = raw_document(_name(records, path), mentions, text, collector)
    return building.make_corpus("ace", data, [document], collector, "character")


def _text(source: str, mentions: list[OffsetMention]) -> str:
    """The text that offsets refer to: the reading with which most mentions agree."""
    return min(_readings(source), key=lambda text: differing(mentions, text))


def _readings(source: str) -> list[str]:
    """The text without tags, literally and, if that differs, with `&amp;` and so on decoded."""
    raw = _TAG.sub("", source.replace("\r\n", "\n"))
    return [raw, unescape(raw)] if "&" in raw else [raw]


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


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many attributes, arguments and mentions of the other layer are not read."""
    del path
    return count_attributes(data, _READ[reading.get("layer") or ENTITIES])


FORMAT = Format(
    name="ace",
    title="ACE APF",
    parse=parse,
    unit="character",
    holds=IN_TEXT | {"crossing", "minimum", "type"},
    options=("layer", "extent"),
    suffixes=(_SUFFIX,),
    count_unread=count_unread,
)

"""Rich ERE: entities, or hoppers of events, with offsets into the source file and its tags."""

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.formats._kit import building, files
from corefkit.formats._kit.offset_mentions import (
    ENTITIES,
    EVENTS,
    OffsetMention,
    note_no_mention,
    note_unread,
    raw_document,
    span_of,
)
from corefkit.formats._kit.xml import ElementListener, count_attributes, walk
from corefkit.formats.registry import Format

_SUFFIX = ".rich_ere.xml"
_SOURCES = (".txt", ".xml.txt", ".cmp.txt")


class _EreReader(ElementListener):
    """Gathers the mentions of both layers."""

    def __init__(self) -> None:
        self.name = ""
        self.mentions: dict[str, list[OffsetMention]] = {ENTITIES: [], EVENTS: []}
        self.unread = 0
        self._entity, self._type = "", ""
        self._mention: dict[str, str] = {}
        self._span: tuple[int, int] | None = None
        self._head: tuple[int, int] | None = None
        self._text, self._line = "", 1

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        kind = path[-1]
        if kind == "deft_ere":
            self.name = attributes.get("doc_id", "")
        elif kind in ("entity", "hopper"):
            self._entity = attributes.get("id") or f"{kind} {self.line}"
            self._type = attributes.get("type", "")
        elif kind in ("entity_mention", "event_mention"):
            self._mention, self._line = attributes, self.line
            self._span = _place(attributes) if kind == "entity_mention" else None
            self._head, self._text = None, ""
        elif kind == "trigger":
            self._span = _place(attributes)
        elif kind == "nom_head":
            self._head = _place(attributes)
        elif kind in ("filler", "relation"):
            self.unread += 1

    def end(self, path: list[str], text: str) -> None:
        kind = path[-1]
        if kind in ("mention_text", "trigger"):
            self._text = text
        elif kind == "entity_mention" and "entity" in path:
            self._add(ENTITIES, self._type)
        elif kind == "event_mention" and "hopper" in path:
            type = f"{self._mention.get('type', '')}_{self._mention.get('subtype', '')}"
            self._add(EVENTS, type)

    def _add(self, layer: str, type: str) -> None:
        realis = self._mention.get("realis", "")
        self.mentions[layer].append(
            OffsetMention(
                self._entity, self._span, self._text, self._line, type, realis, self._head
            )
        )


def _place(attributes: dict[str, str]) -> tuple[int, int] | None:
    return span_of(attributes.get("offset"), attributes.get("length"), length=True)


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one file."""
    found = Collector(path)
    reader = _EreReader()
    if not walk(data, reader, found):
        return building.nothing(found)
    layer = reading.layer or ENTITIES
    mentions = reader.mentions.get(layer, [])
    if not mentions:
        note_no_mention(layer, found)
        return building.nothing(found)
    note_unread(reader.unread, found)
    name = reader.name or building.stem(path, _SUFFIX)
    document = raw_document(name, mentions, _source(path), found, realis=layer == EVENTS)
    return building.make_corpus("rich-ere", data, [document], found, "character")


def _source(path: str) -> str | None:
    """The source of the annotation, where it is there; characters count, tags and all."""
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
"""What is read of the elements of each layer; None where nothing is."""


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many attributes, arguments and mentions of the other layer are not read."""
    del path
    return count_attributes(data, _READ[reading.layer or ENTITIES])


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

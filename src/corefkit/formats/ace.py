"""ACE APF: entities, or events, beside the `.sgm` file, whose characters are counted without tags.

Both ends of a span are included. Releases differ in whether `&amp;` counts five characters or one:
the reading is taken in which all texts agree.
"""

import re
from html import unescape

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.formats._kit import building, files
from corefkit.formats._kit.offset_mentions import (
    ENTITIES,
    EVENTS,
    OffsetMention,
    differing,
    note_no_mention,
    note_unread,
    raw_document,
    span_of,
)
from corefkit.formats._kit.xml import ElementListener, count_attributes, walk
from corefkit.formats.registry import IN_TEXT, Format

_SUFFIX = ".apf.xml"
_TAG = re.compile(r"<[^>]*>")
_UNREAD = frozenset({"relation", "value", "timex2"})


class _ApfReader(ElementListener):
    """Gathers the mentions of both layers, each with the span of its head."""

    def __init__(self) -> None:
        self.name = ""
        self.mentions: dict[str, list[OffsetMention]] = {ENTITIES: [], EVENTS: []}
        self.unread = 0
        self._entity, self._type, self._line = "", "", 1
        self._spans: dict[str, tuple[tuple[int, int] | None, str]] = {}
        self._place: tuple[int, int] | None = None

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        kind = path[-1]
        if kind == "document":
            self.name = attributes.get("DOCID", "")
        elif kind in ("entity", "event"):
            self._entity = attributes.get("ID") or f"{kind} {self.line}"
            types = [attributes.get("TYPE", "")]
            if kind == "event":
                types.append(attributes.get("SUBTYPE", ""))
            self._type = "_".join(filter(None, types))
        elif kind in ("entity_mention", "event_mention"):
            self._line, self._spans = self.line, {}
        elif kind == "charseq":
            self._place = span_of(attributes.get("START"), attributes.get("END"))
        elif kind in _UNREAD:
            self.unread += 1

    def end(self, path: list[str], text: str) -> None:
        kind = path[-1]
        if kind == "charseq" and len(path) > 1:
            self._spans[path[-2]] = self._place, text
        elif kind == "entity_mention" and "entity" in path:
            self._add(ENTITIES, "extent")
        elif kind == "event_mention" and "event" in path:
            self._add(EVENTS, "anchor")

    def _add(self, layer: str, extent: str) -> None:
        span, text = self._spans.get(extent, (None, ""))
        head = self._spans.get("head", (None, ""))[0]
        self.mentions[layer].append(
            OffsetMention(self._entity, span, text, self._line, self._type, head=head)
        )

    def heads(self) -> list[OffsetMention]:
        """The mentions of entities, each as its head where it has one; texts are not known."""
        return [
            mention if mention.head is None else mention._replace(span=mention.head)
            for mention in self.mentions[ENTITIES]
        ]


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one file."""
    found = Collector(path)
    reader = _ApfReader()
    if not walk(data, reader, found):
        return building.nothing(found)
    beside, source = files.companion(path, _SUFFIX, ".sgm")
    if source is None:
        found.note("text-missing", expected=f"{beside} beside it")
        return building.nothing(found)
    layer = reading.layer or ENTITIES
    mentions = reader.mentions.get(layer, [])
    if not mentions:
        note_no_mention(layer, found)
        return building.nothing(found)
    note_unread(reader.unread, found)
    text = _text(source.decode("utf-8-sig", "replace"), mentions)
    if reading.extent == "head" and layer == ENTITIES:
        raw_document("", mentions, text, found)  # texts are compared as they stand in the file
        mentions = [
            mention._replace(text=text[slice(*mention.span)], head=None)
            for mention in reader.heads()
            if mention.span is not None
        ]
    name = reader.name or building.stem(path, _SUFFIX)
    document = raw_document(name, mentions, text, found)
    return building.make_corpus("ace", data, [document], found, "character")


def _text(source: str, mentions: list[OffsetMention]) -> str:
    """The characters that offsets count, with `&amp;` and the like as they stand, or decoded."""
    raw = _TAG.sub("", source.replace("\r\n", "\n"))
    decoded = unescape(raw) if "&" in raw else raw
    return min((raw, decoded), key=lambda text: differing(mentions, text))


_READ: dict[str, dict[str, tuple[str, ...] | None]] = {
    ENTITIES: {"entity": ("ID", "TYPE"), "entity_mention": ("ID",), "event_mention": None},
    EVENTS: {
        "event": ("ID", "TYPE", "SUBTYPE"),
        "event_mention": ("ID",),
        "event_mention_argument": None,
        "entity_mention": None,
    },
}
"""What is read of the elements of each layer; None where nothing is."""


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many attributes, arguments and mentions of the other layer are not read."""
    del path
    return count_attributes(data, _READ[reading.layer or ENTITIES])


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

"""Reading CorefAnnotator files: all mentions at once if the file is sound, else one by one."""

from collections import Counter
from dataclasses import dataclass, field

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.texts import shorten
from corefkit.formats.corefannotator.column_reader import (
    FLAG_JOINT,
    NAMELESS,
    NAMESPACE,
    MentionTable,
    note_changed,
)
from corefkit.formats.kit import building
from corefkit.formats.kit.building import RawDocument, RawMention, mention_of_runs
from corefkit.formats.kit.byte_columns import UnfitError
from corefkit.formats.kit.utf16 import UTF16, Segments, Utf16Offsets
from corefkit.formats.kit.xml import ElementListener, walk

_ID = "http://www.omg.org/XMI}id"
_ENTITIES = frozenset({"Entity", "EntityGroup"})
_UNREAD = frozenset({"Comment", "CommentAnchor", "Segment", "Line"})


def read_document(data: bytes, path: str) -> Corpus:
    """The document of one file."""
    collector = Collector(path)
    try:
        document = MentionTable(data).document(building.file_name(path), collector)
    except UnfitError:
        return parse_elements(data, collector)
    return building.make_corpus("corefannotator", data, [document], collector, "character")


@dataclass
class _XmiElement:
    """An element: its attributes, its line, and the flags inside it."""

    attributes: dict[str, str]
    line: int
    flags: list[str] = field(default_factory=list)

    def listed(self, name: str) -> list[str]:
        """The ids that an attribute lists."""
        return self.attributes.get(name, "").split()


class _AnnotatorReader(ElementListener):
    """Collects elements by their ids, texts, and the ids that Views list."""

    def __init__(self, collector: Collector) -> None:
        self.collector = collector
        self.mentions: dict[str, _XmiElement] = {}
        self.entities: dict[str, _XmiElement] = {}
        self.parts: dict[str, _XmiElement] = {}
        self.flags: dict[str, str] = {}
        self.texts: dict[str, str] = {}
        self.indexed: set[str] = set()
        self.segments = Segments()
        self._mention: _XmiElement | None = None
        self._kinds = {
            "Mention": self.mentions,
            "Entity": self.entities,
            "EntityGroup": self.entities,
            "DetachedMentionPart": self.parts,
            "MentionSurface": self.parts,
        }

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        kind = path[-1]
        if NAMESPACE in self.namespace:
            self._add(kind, attributes)
        elif kind == "Sofa":
            self.texts[attributes.get(_ID, "")] = attributes.get("sofaString", "")
        elif kind == "View":
            self.indexed.update(attributes.get("members", "").split())
        else:
            self.segments.add(kind, self.namespace, attributes)

    def _add(self, kind: str, attributes: dict[str, str]) -> None:
        id = attributes.get(_ID, "")
        if kind == "Flag":
            label = attributes.get("Label", "")
            self.flags |= {id: label, attributes.get("Key", id): label}
        elements = self._kinds.get(kind)
        if elements is None:
            return
        if id in elements:
            building.note_id_twice(self.collector, self.line, id, elements[id].line)
        elements[id] = self._mention = _XmiElement(attributes, self.line)

    def end(self, path: list[str], text: str) -> None:
        if path[-1] == "Flags" and self._mention is not None:
            self._mention.flags.append(text.strip())
        elif path[-1] in self._kinds:
            self._mention = None


def parse_elements(data: bytes, collector: Collector) -> Corpus:
    """The document of any file, read element by element."""
    reader = _AnnotatorReader(collector)
    if not walk(data, reader, collector):
        return building.nothing(collector)
    if not reader.texts:
        collector.note("text-missing", expected="a Sofa with its text")
        return building.nothing(collector)
    mentions = {id: e for id, e in reader.mentions.items() if id in reader.indexed}
    if not mentions and (reader.entities or reader.mentions):
        instead = f"{len(reader.entities)} entities, {len(reader.mentions)} mentions outside Views"
        building.note_no_coreference(collector, instead, "mentions that a View lists")
    document = _AnnotatorDocument(reader, collector).read(mentions)
    return building.make_corpus("corefannotator", data, [document], collector, "character")


class _AnnotatorDocument:
    """Builds the document from the elements of a file, resolving references."""

    def __init__(self, reader: _AnnotatorReader, collector: Collector) -> None:
        self._reader, self._collector = reader, collector
        self._sofa, self._text = next(iter(reader.texts.items()))
        self._offsets = Utf16Offsets(self._text)
        self._incidents: Counter[str] = Counter()

    def read(self, elements: dict[str, _XmiElement]) -> RawDocument:
        """The document of these mentions."""
        rows: dict[tuple[str, tuple[tuple[int, int], ...]], tuple[RawMention, set[str]]] = {}
        for id, element in elements.items():
            entity = self._entity(id, element)
            runs = self._runs(id, element)
            if entity is None or runs is None:
                continue
            if not runs:
                self._incidents["span-empty"] += 1
                continue
            flags = {self._reader.flags.get(name, name) for name in _flags(element)}
            if (entity, runs) in rows:
                self._incidents["span-twice"] += 1
                rows[entity, runs][1].update(flags)
            else:
                mention = mention_of_runs(runs, entity, element.line)
                rows[entity, runs] = mention, flags
        note_changed(self._collector, self._incidents)
        labels = [FLAG_JOINT.join(sorted(flags)) for _, flags in rows.values()]
        groups = [
            (id, member)
            for id, entity in self._reader.entities.items()
            for member in dict.fromkeys(entity.listed("Members"))
        ]
        return RawDocument(
            building.file_name(str(self._collector.file)),
            [mention for mention, _ in rows.values()],
            text=self._text,
            labels={"flags": labels} if any(labels) else {},
            groups=groups,
            segments=self._reader.segments.placed(self._text),
        )

    def _entity(self, id: str, element: _XmiElement) -> str | None:
        """The entity of a mention: a new one if it refers to none; None if it does not exist."""
        name = element.attributes.get("Entity")
        if name is None:
            self._incidents["mention-without-entity"] += 1
            return f"{NAMELESS}{id}"
        if name not in self._reader.entities:
            self._unknown(id, element, f"Entity {name}")
            return None
        return name

    def _runs(self, id: str, element: _XmiElement) -> tuple[tuple[int, int], ...] | None:
        """The runs of characters of a mention, in order; () if it is empty, None if broken."""
        attributes = element.attributes
        has_parts = "Discontinuous" in attributes or "Surface" in attributes
        if not has_parts and attributes.get("sofa") == self._sofa:
            begin = building.whole_number(attributes.get("begin"))
            end = building.whole_number(attributes.get("end"))
            span = None if begin is None or end is None else self._offsets.span(begin, end)
            if span is not None and span[0] < span[1]:  # nearly all mentions
                return ((span[0], span[1] - 1),)
        pieces = [element] if "Surface" not in element.attributes else []
        for name in (*element.listed("Surface"), *element.listed("Discontinuous")):
            part = self._reader.parts.get(name)
            if part is None:
                kind = "Surface" if "Surface" in element.attributes else "Discontinuous"
                self._unknown(id, element, f"{kind} {name}")
                return None
            pieces.append(part)
        spans = []
        for piece in pieces:
            begin, end = (building.whole_number(piece.attributes.get(x)) for x in ("begin", "end"))
            if piece is element and "begin" not in piece.attributes:
                continue  # v2: a mention without any surface
            span = None if begin is None or end is None else self._offsets.span(begin, end)
            if span is None:
                self._outside(id, element, piece)
                return None
            if piece.attributes.get("sofa", self._sofa) != self._sofa:
                expected = f"places in Sofa {self._sofa}, whose text is read"
                other = f"Sofa {piece.attributes['sofa']}"
                self._collector.note(
                    "sofa-differs", at=element.line, found=other, expected=expected
                )
                return None
            spans.append(span)
        return tuple(building.joined_runs((a, b - 1) for a, b in spans if a < b))

    def _unknown(self, id: str, element: _XmiElement, name: str) -> None:
        expected = "the xmi:id of such an element in the file"
        self._collector.note(
            "mention-unknown",
            "element",
            at=element.line,
            found=f"{shorten(name)} of mention {id}",
            expected=expected,
        )

    def _outside(self, id: str, element: _XmiElement, piece: _XmiElement) -> None:
        begin, end = (piece.attributes.get(name, "nothing") for name in ("begin", "end"))
        inside = [
            text
            for text in (begin, end)
            if (offset := building.whole_number(text)) is not None
            and offset <= self._offsets.units
            and self._offsets.character(offset) is None
        ]
        reason = f"; {inside[0]} is inside a character of two units" if inside else ""
        where = f"{shorten(begin)} to {shorten(end)}, mention {id}{reason}"
        building.note_outside(self._collector, element.line, where, self._offsets.units, UTF16)


def _flags(element: _XmiElement) -> list[str]:
    """The keys or ids of the flags of a mention."""
    if not element.flags and "Flags" not in element.attributes:
        return []
    return [name for name in (*element.flags, *element.listed("Flags")) if name]


class _AnnotatorCounter(ElementListener):
    """Counts attributes and elements that are not read."""

    def __init__(self) -> None:
        self.numbers: Counter[str] = Counter()

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        kind = path[-1]
        if kind in _ENTITIES:
            self.numbers.update(name for name in ("Label", "Key") if attributes.get(name))
            self.numbers["Hidden"] += attributes.get("Hidden") == "true"
            self.numbers["flags of entities"] += len(attributes.get("Flags", "").split())
        elif kind in _UNREAD and NAMESPACE in self.namespace:
            self.numbers[kind] += 1
        elif kind == "Flags" and path[-2] in _ENTITIES:
            self.numbers["flags of entities"] += 1


def count_elements(data: bytes, path: str) -> dict[str, int]:
    """How many labels, keys and flags of entities, comments, segments and lines a file has."""
    counter = _AnnotatorCounter()
    walk(data, counter, Collector(path))
    return dict(+counter.numbers)

"""CorefAnnotator XMI: mentions that name their entity, in three versions of a type system.

An element belongs to the version that its namespace names: `api`, `api/v1` or `api/v2`. Up to v1 a
mention has a place of its own and perhaps one more part; in v2 it names its surfaces. Only what a
View lists counts: a mention that was deleted in the tool stays in the file as long as something
refers to it. Offsets count UTF-16 units. Written is v1, which all published corpora have and the
tool converts.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from corefkit.core.arrays import distinct, ranks_of, tuples
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector, make_incident
from corefkit.core.links import KINDS
from corefkit.core.options import Reading
from corefkit.core.source import Column
from corefkit.core.texts import shorten
from corefkit.formats._kit import building
from corefkit.formats._kit.building import (
    MentionColumns,
    RawDocument,
    RawMention,
    mention_of_runs,
)
from corefkit.formats._kit.byte_columns import UnfitError, find_pieces, is_repeated
from corefkit.formats._kit.content import RunningText, TextMention, running_texts
from corefkit.formats._kit.utf16 import UTF16, Segments, Utf16Offsets
from corefkit.formats._kit.xml import ElementListener, walk
from corefkit.formats._kit.xml_records import FieldColumn, RecordKind, RecordPieces, find_records
from corefkit.formats.registry import IN_TEXT, Format, WrittenFiles

NAMESPACE = "/ims/coref/annotator/api"
_ID = "http://www.omg.org/XMI}id"
_ENTITIES = frozenset({"Entity", "EntityGroup"})
_UNREAD = frozenset({"Comment", "CommentAnchor", "Segment", "Line"})
JOINT = "|"
"""Between the flags of a mention, as one label."""


@dataclass
class _XmiElement:
    """An element: its attributes, its line, and the flags that stand in it."""

    attributes: dict[str, str]
    line: int
    flags: list[str] = field(default_factory=list)

    def listed(self, name: str) -> list[str]:
        """The ids that an attribute lists."""
        return self.attributes.get(name, "").split()


class _AnnotatorReader(ElementListener):
    """Gathers what the file has: elements by their ids, texts, and the ids of the Views."""

    def __init__(self, found: Collector) -> None:
        self.found = found
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
            building.note_id_twice(self.found, self.line, id, elements[id].line)
        elements[id] = self._mention = _XmiElement(attributes, self.line)

    def end(self, path: list[str], text: str) -> None:
        if path[-1] == "Flags" and self._mention is not None:
            self._mention.flags.append(text.strip())


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one file."""
    found = Collector(path)
    try:
        document = _document(data, path)
    except UnfitError:
        return _parse_elements(data, found)
    return building.make_corpus("corefannotator", data, [document], found, "character")


_PARTS_OF = ("EntityGroup", "DetachedMentionPart", "MentionSurface", "Token", "Sentence")
_KINDS = {
    "Mention": RecordKind(
        ("@id", "@sofa", "@begin", "@end", "@Entity", "@Discontinuous", "@Surface", "@Flags"),
        {"Flags": ("",)},
    ),
    "Entity": RecordKind(("@id", "@Members")),
    "Sofa": RecordKind(("@id", "@sofaString")),
    "View": RecordKind(("@members",)),
    **{name: RecordKind(("@id",)) for name in _PARTS_OF},
}


def _document(data: bytes, path: str) -> RawDocument:
    """The document, in columns; UnfitError where mentions have parts or flags, or are broken."""
    if data.count(b'id="') != data.count(b' xmi:id="'):  # an id in another namespace
        raise UnfitError
    tables = {n: t.pieces for n, t in find_records(data, _KINDS, ()).tables.items()}
    mentions, entities, sofa, view = (
        tables[name] for name in ("Mention", "Entity", "Sofa", "View")
    )
    own = {*mentions.namespaces, *entities.namespaces}
    of_uima = {*sofa.namespaces, *view.namespaces}
    simple = not any(len(tables[name].line) for name in _PARTS_OF) and len(sofa.line) == 1
    simple &= all(NAMESPACE in one for one in own) and not any(NAMESPACE in one for one in of_uima)
    if not simple or any((c.start >= 0).any() for c in _unusual(mentions, entities)):
        raise UnfitError
    (sofa_id,), (text,) = (column.values() for column in sofa.fields.values())
    id = mentions.fields["@id"].sound()
    members, _ = view.fields["@members"].sound().split(ord(" "))
    rows = np.flatnonzero(find_pieces(id, members, some=True) >= 0)
    names = entities.fields["@id"].sound()
    find_pieces(id.take(slice(0)), id)  # an id twice
    entity = find_pieces(mentions.fields["@Entity"].sound().take(rows), names)
    offsets = Utf16Offsets(text or "")
    start, end = (
        offsets.characters(mentions.fields[name].sound().take(rows).numbers())
        for name in ("@begin", "@end")
    )
    if mentions.fields["@sofa"].sound().take(rows).column().values != (sofa_id,):
        raise UnfitError
    if text is None or (start < 0).any() or (end <= start).any() or is_repeated(end, start, entity):
        raise UnfitError
    number = distinct(entity)
    order = np.argsort(number.first)
    ids = names.take(number.values[order]).texts()
    column = Column(ranks_of(order)[number.inverse], tuple(ids))
    columns = MentionColumns(start, end - 1, column, mentions.line[rows])
    return RawDocument(building.file_name(path), (), text=text, columns=columns)


def _unusual(mentions: RecordPieces, entities: RecordPieces) -> list[FieldColumn]:
    """What few mentions and entities have: parts, flags and members."""
    fields = [mentions.fields[name] for name in ("@Discontinuous", "@Surface", "@Flags")]
    return [*fields, mentions.lists["Flags"][1][""], entities.fields["@Members"]]


def _parse_elements(data: bytes, found: Collector) -> Corpus:
    """The document of any file, element by element."""
    reader = _AnnotatorReader(found)
    if not walk(data, reader, found):
        return building.nothing(found)
    if not reader.texts:
        found.note("text-missing", expected="a Sofa with its text")
        return building.nothing(found)
    mentions = {id: e for id, e in reader.mentions.items() if id in reader.indexed}
    if not mentions and (reader.entities or reader.mentions):
        instead = f"{len(reader.entities)} entities, {len(reader.mentions)} mentions outside Views"
        building.note_no_coreference(found, instead, "mentions that a View lists")
    document = _AnnotatorDocument(reader, found).read(mentions)
    return building.make_corpus("corefannotator", data, [document], found, "character")


class _AnnotatorCounter(ElementListener):
    """Counts what elements of the tool say that is not read."""

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


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many labels, keys and flags entities have; comments, segments and lines."""
    del reading
    counter = _AnnotatorCounter()
    walk(data, counter, Collector(path))
    return dict(+counter.numbers)


class _AnnotatorDocument:
    """The mentions of a file, with what they name resolved."""

    def __init__(self, reader: _AnnotatorReader, found: Collector) -> None:
        self._reader, self._found = reader, found
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
        self._report()
        labels = [JOINT.join(sorted(own)) for _, own in rows.values()]
        groups = [
            (id, member)
            for id, entity in self._reader.entities.items()
            for member in dict.fromkeys(entity.listed("Members"))
        ]
        return RawDocument(
            building.file_name(str(self._found.file)),
            [mention for mention, _ in rows.values()],
            text=self._text,
            labels={"flags": labels} if any(labels) else {},
            groups=groups,
            segments=self._reader.segments.placed(self._text),
        )

    def _entity(self, id: str, element: _XmiElement) -> str | None:
        """The entity of a mention: a new one where it names none, None where it is unknown."""
        name = element.attributes.get("Entity")
        if name is None:
            self._incidents["mention-without-entity"] += 1
            return f"mention {id}"
        if name not in self._reader.entities:
            self._unknown(id, element, f"Entity {name}")
            return None
        return name

    def _runs(self, id: str, element: _XmiElement) -> tuple[tuple[int, int], ...] | None:
        """The characters of a mention, sorted and joined; () for an empty one, None if broken."""
        own = element.attributes
        if "Discontinuous" not in own and "Surface" not in own and own.get("sofa") == self._sofa:
            begin, end = (
                building.whole_number(own.get("begin")),
                building.whole_number(own.get("end")),
            )
            span = None if begin is None or end is None else self._offsets.span(begin, end)
            if span is not None and span[0] < span[1]:  # as nearly all are
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
                self._found.note("sofa-differs", at=element.line, found=other, expected=expected)
                return None
            spans.append(span)
        return tuple(building.joined_runs((a, b - 1) for a, b in spans if a < b))

    def _unknown(self, id: str, element: _XmiElement, name: str) -> None:
        expected = "the xmi:id of such an element in the file"
        self._found.note(
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
        more = f"; {inside[0]} is inside a character of two units" if inside else ""
        where = f"{shorten(begin)} to {shorten(end)}, mention {id}{more}"
        building.note_outside(self._found, element.line, where, self._offsets.units, UTF16)

    def _report(self) -> None:
        """One warning for all mentions of a kind that were changed or left out."""
        variants = {
            "span-empty": "dropped",
            "span-twice": "united",
            "mention-without-entity": "none",
        }
        for kind, number in self._incidents.items():
            self._found.note(kind, variants[kind], severity="warning", number=number, count=number)


def _flags(element: _XmiElement) -> list[str]:
    """The flags of a mention, by their keys or ids."""
    if not element.flags and "Flags" not in element.attributes:
        return []
    return [name for name in (*element.flags, *element.listed("Flags")) if name]


_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmlns:cas="http:///uima/cas.ecore" xmlns:xmi="http://www.omg.org/XMI" \
xmlns:api="http:///de/unistuttgart/ims/coref/annotator/api.ecore" \
xmlns:v1="http:///de/unistuttgart/ims/coref/annotator/api/v1.ecore" xmi:version="2.0">
<cas:NULL xmi:id="0"/>
<api:Meta xmi:id="1" TypeSystemVersion="v1"/>
"""
_CLASS = "de.unistuttgart.ims.coref.annotator.api.v1.Mention"
_PARTS = 2
"""How many parts a mention of v1 has at most."""


def write(corpus: Corpus, path: str) -> WrittenFiles:
    """One file for each document, in a folder where there are several."""
    from corefkit.formats._kit.convert import links_dropped, reduce

    plain, incidents = reduce(corpus, FORMAT.holds | {"characters"})
    incidents += links_dropped(plain, ("split",))
    places = building.file_places(path, plain.names, (".gz", ".xmi"))
    written, joined = {}, 0
    for place, document in zip(places, running_texts(plain), strict=True):
        writer = _AnnotatorWriter(plain, document)
        written[place] = writer.written().encode("utf-8", "replace")
        joined += writer.joined
    if joined:
        incidents.append(make_incident("mention-discontinuous", "joined", number=joined))
    return WrittenFiles(written, incidents)


class _AnnotatorWriter:
    """Writes one document; `joined` is how many mentions had more parts than v1 has room for."""

    def __init__(self, corpus: Corpus, document: RunningText) -> None:
        self._corpus, self._document = corpus, document
        self._offsets = Utf16Offsets(document.text)
        self._lines: list[str] = []
        self._last = 1
        self.joined = 0

    def written(self) -> str:
        """The file."""
        flags = self._write_flags()
        entities = self._write_entities()
        for mention in self._document.mentions:
            self._write_mention(mention, entities[mention.entity], flags)
        sofa = self._next()
        members = " ".join(str(id) for id in range(1, sofa))
        lines = "".join(self._lines).replace("{sofa}", str(sofa))
        text = quoteattr(_without_controls(self._document.text), _BREAKS)
        return (
            f'{_HEAD}{lines}<cas:Sofa xmi:id="{sofa}" sofaNum="1" sofaID="_InitialView" '
            f'mimeType="text" sofaString={text}/>\n<cas:View sofa="{sofa}" members="{members}"/>\n'
            "</xmi:XMI>\n"
        )

    def _next(self) -> int:
        self._last += 1
        return self._last

    def _write_flags(self) -> dict[int, list[str]]:
        """The flags, each once; the keys of those that each mention has, by its row."""
        labels = self._corpus.mention_labels
        if labels is None or "flags" not in labels.columns:
            return {}
        column = labels.columns["flags"]
        of_row = {}
        for mention in self._document.mentions:
            text = column.values[int(column.code[mention.row])]
            of_row[mention.row] = [name for name in text.split(JOINT) if name]
        for name in sorted({name for names in of_row.values() for name in names}):
            label = quoteattr(_without_controls(name))
            self._lines.append(
                f'<v1:Flag xmi:id="{self._next()}" Label={label} Key={label} '
                f'TargetClass="{_CLASS}"/>\n'
            )
        return of_row

    def _write_entities(self) -> dict[int, int]:
        """The entities, named by their first mentions; the id of each."""
        first: dict[int, list[tuple[int, int]]] = {}
        for mention in self._document.mentions:
            first.setdefault(mention.entity, mention.parts)
        id = {entity: self._next() for entity in first}
        members: dict[int, list[int]] = {}
        links = self._corpus.links
        if links is not None:
            split = links.kind == KINDS.index("split")
            for group, member in tuples(links.source[split], links.target[split]):
                if group in id and member in id:
                    members.setdefault(group, []).append(id[member])
        for entity, parts in first.items():
            text = " ".join(self._document.text[a:b] for a, b in parts)
            label = quoteattr(_without_controls(" ".join(text.split())))
            kind, more = "Entity", ""
            if entity in members:
                kind, more = "EntityGroup", f' Members="{" ".join(map(str, members[entity]))}"'
            self._lines.append(
                f'<v1:{kind} xmi:id="{id[entity]}" Label={label} Color="0" Flags="" '
                f'Hidden="false"{more}/>\n'
            )
        return id

    def _write_mention(
        self, mention: TextMention, entity: int, flags: dict[int, list[str]]
    ) -> None:
        parts = mention.parts
        if len(parts) > _PARTS:
            self.joined += 1
            parts = [parts[0], (parts[1][0], parts[-1][1])]
        id = self._next()
        more = f' Discontinuous="{id + 1}"' if len(parts) > 1 else ""
        inside = "".join(
            f"<Flags>{escape(_without_controls(name))}</Flags>"
            for name in flags.get(mention.row, ())
        )
        close = f">{inside}</v1:Mention>" if inside else "/>"
        place = self._place(parts[0])
        self._lines.append(f'<v1:Mention xmi:id="{id}" {place} Entity="{entity}"{more}{close}\n')
        for part in parts[1:]:
            place = self._place(part)
            self._lines.append(
                f'<v1:DetachedMentionPart xmi:id="{self._next()}" {place} Mention="{id}"/>\n'
            )

    def _place(self, part: tuple[int, int]) -> str:
        begin, end = map(self._offsets.unit, part)
        return f'sofa="{{sofa}}" begin="{begin}" end="{end}"'


_BREAKS = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
"""What a parser would turn into a blank in an attribute."""


def _without_controls(text: str) -> str:
    """The text with characters that XML cannot hold replaced."""
    return _CONTROLS.sub("\ufffd", text)


_CONTROLS = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

FORMAT = Format(
    name="corefannotator",
    title="CorefAnnotator XMI",
    parse=parse,
    write=write,
    unit="character",
    holds=IN_TEXT | {"crossing", "parts", "links", "flags"},
    suffixes=(".xmi", ".ca2"),
    count_unread=count_unread,
)

"""CorefAnnotator XMI: mentions that refer to their entity, in three versions of a type system.

<v1:Flag xmi:id="2" Key="g" Label="Generic"/>  <v1:Entity xmi:id="3" Label="Ada"/>
<v1:EntityGroup xmi:id="4" Label="they" Members="3 9"/>
<v1:Mention xmi:id="5" sofa="1" begin="0" end="3" Entity="3" Discontinuous="6">
<Flags>g</Flags></v1:Mention>
<v1:DetachedMentionPart xmi:id="6" sofa="1" begin="9" end="12" Mention="5"/>
<cas:Sofa xmi:id="1" sofaString="Ada said her say"/>  <cas:View sofa="1" members="5"/>

The namespace of an element shows its version: `api`, `api/v1` or `api/v2`. Up to v1 a mention has a
span and perhaps one more part; in v2 it refers to its surfaces. Only elements that a View lists
count: a mention that was deleted in the tool stays in the file as long as something refers to it.
Offsets count UTF-16 units. We write v1, the version of all published corpora, which the tool
converts.
"""

import re
from collections import Counter
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

from corefkit.core.arrays import tuples
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector, make_incident
from corefkit.core.links import KINDS
from corefkit.core.options import Reading
from corefkit.core.texts import shorten
from corefkit.formats.format import IN_TEXT, Format, Look, WrittenFiles
from corefkit.formats.kit import building
from corefkit.formats.kit.content import RunningText, TextMention, running_texts
from corefkit.formats.kit.draft import Draft, Run, corpus_of
from corefkit.formats.kit.tree import XmlTree, read_tree
from corefkit.formats.kit.utf16 import Segments, Utf16Offsets

_NAMESPACE = "/ims/coref/annotator/api"
_ID = "{http://www.omg.org/XMI}id"
_JOINT = "|"
"""Separates the flags of a mention in its label."""
_ENTITIES = frozenset({"Entity", "EntityGroup"})
_UNREAD = frozenset({"Comment", "CommentAnchor", "Segment", "Line"})
_TABLES = {
    "Mention": "mentions",
    "Entity": "entities",
    "EntityGroup": "entities",
    "DetachedMentionPart": "parts",
    "MentionSurface": "parts",
}
_CHANGED = {"span-empty": "dropped", "span-twice": "united", "mention-without-entity": "none"}
"""The variants of warnings about mentions that are changed or left out."""

_Elements = dict[str, tuple[int, Element]]
"""The line and the element of each id."""


class _Content:
    """The elements of a file by their ids; `indexed` are the ids that Views list."""

    def __init__(self, tree: XmlTree, collector: Collector) -> None:
        self.mentions: _Elements = {}
        self.entities: _Elements = {}
        self.parts: _Elements = {}
        self.flags: dict[str, str] = {}
        self.texts: dict[str, str] = {}
        self.indexed: set[str] = set()
        self.unread: Counter[str] = Counter()
        self.segments = Segments()
        for (line, e), namespace in zip(tree, tree.namespaces, strict=True):
            if _NAMESPACE in namespace:
                self._add(e, line, collector)
            elif e.tag == "Sofa":
                self.texts[e.get(_ID, "")] = e.get("sofaString", "")
            elif e.tag == "View":
                self.indexed.update(e.get("members", "").split())
            elif e.tag in ("Token", "Sentence"):
                self.segments.add(e.tag, namespace, e.attrib)

    def _add(self, e: Element, line: int, collector: Collector) -> None:
        id = e.get(_ID, "")
        if e.tag == "Flag":
            label = e.get("Label", "")
            self.flags |= {id: label, e.get("Key", id): label}
        elif e.tag in _TABLES:
            elements: _Elements = getattr(self, _TABLES[e.tag])
            if id in elements:
                building.note_id_twice(collector, line, id, elements[id][0])
            elements[id] = line, e
        if e.tag in _ENTITIES:
            self.unread.update(name for name in ("Label", "Key") if e.get(name))
            self.unread["Hidden"] += e.get("Hidden") == "true"
            self.unread["flags of entities"] += len(_listed(e, "Flags")) + len(e.findall("Flags"))
        elif e.tag in _UNREAD:
            self.unread[e.tag] += 1


def _listed(e: Element, name: str) -> list[str]:
    """The ids that an attribute lists."""
    return e.get(name, "").split()


@building.reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The document of one file."""
    tree = read_tree(data, collector)
    content = _Content(tree, collector)
    if not content.texts:
        raise building.refused(collector, "text-missing", expected="a Sofa with its text")
    mentions = {id: found for id, found in content.mentions.items() if id in content.indexed}
    if not mentions and (content.entities or content.mentions):
        instead = (
            f"{len(content.entities)} entities, {len(content.mentions)} mentions outside Views"
        )
        building.note_no_coreference(collector, instead, "mentions that a View lists")
    text = next(iter(content.texts.values()))
    draft = Draft(building.file_name(path), collector, text=text, utf16=True)
    draft.segments = content.segments.placed(text)
    draft.unread = content.unread
    _add_mentions(draft, content, mentions, collector)
    for id, (_, e) in content.entities.items():
        for member in _listed(e, "Members"):
            draft.group(id, member)
    return corpus_of("corefannotator", data, [draft], collector)


def _add_mentions(
    draft: Draft, content: _Content, mentions: _Elements, collector: Collector
) -> None:
    """Add the mentions; copies of a span within an entity are one, with the flags of all."""
    changed: Counter[str] = Counter()
    flags: dict[tuple[str, tuple[Run, ...]], set[str]] = {}
    first: dict[tuple[str, tuple[Run, ...]], tuple[str, int, str]] = {}
    for id, (line, e) in mentions.items():
        entity = e.get("Entity")
        if entity is None:
            changed["mention-without-entity"] += 1
            entity = f"mention {id}"
        elif entity not in content.entities:
            _note_unknown(collector, line, id, f"Entity {entity}")
            continue
        pieces = _pieces(id, line, e, content, collector)
        if pieces is None:
            continue
        runs, shown = _runs(pieces)
        if not runs:
            changed["span-empty"] += 1
            continue
        changed["span-twice"] += (entity, runs) in flags
        first.setdefault((entity, runs), (id, line, f"{shown}, mention {id}"))
        names = (*((inner.text or "").strip() for inner in e), *_listed(e, "Flags"))
        own = {content.flags.get(name, name) for name in names if name}
        flags.setdefault((entity, runs), set()).update(own)
    labelled = any(flags.values())
    for (entity, runs), (id, line, shown) in first.items():
        labels = {"flags": _JOINT.join(sorted(flags[entity, runs]))} if labelled else {}
        draft.mention(id, runs, line, entity=entity, shown=shown, labels=labels)
    for kind, number in (+changed).items():
        collector.note(kind, _CHANGED[kind], severity="warning", number=number, count=number)


def _pieces(
    id: str, line: int, e: Element, content: _Content, collector: Collector
) -> list[Element] | None:
    """The elements with the places of a mention; None, and an incident, if one is missing."""
    kind = "Discontinuous" if e.get("Surface") is None else "Surface"
    names = [*_listed(e, "Surface"), *_listed(e, "Discontinuous")]
    pieces = [e] if kind == "Discontinuous" and e.get("begin") is not None else []
    for name in names:
        if name not in content.parts:
            _note_unknown(collector, line, id, f"{kind} {name}")
            return None
        pieces.append(content.parts[name][1])
    sofa = next(iter(content.texts))
    other = next((s for piece in pieces if (s := piece.get("sofa", sofa)) != sofa), None)
    if other is not None:
        expected = f"places in Sofa {sofa}, whose text is read"
        collector.note("sofa-differs", at=line, found=f"Sofa {other}", expected=expected)
        return None
    return pieces


def _runs(pieces: list[Element]) -> tuple[tuple[Run, ...], str]:
    """The runs of these elements without empty ones, and how they are written."""
    ends = [[piece.get(end, "nothing") for end in ("begin", "end")] for piece in pieces]
    runs = []
    for pair in ends:
        begin, end = (building.whole_number(text) for text in pair)
        if begin is None or end is None:
            runs.append((-1, -1))
        elif begin != end:
            runs.append((begin, end))
    shown = ", ".join(f"{shorten(begin)} to {shorten(end)}" for begin, end in ends)
    return tuple(sorted(runs)), shown


def _note_unknown(collector: Collector, line: int, id: str, name: str) -> None:
    found, expected = (
        f"{shorten(name)} of mention {id}",
        "the xmi:id of such an element in the file",
    )
    collector.note("mention-unknown", "element", at=line, found=found, expected=expected)


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
_SOFA = "\0"
"""Stands for the id of the Sofa, the last one, while lines are made; no text has it."""


def write(corpus: Corpus, path: str) -> WrittenFiles:
    """One file per document; several files are put into a folder."""
    from corefkit.formats.kit.convert import links_dropped, reduce

    reduced, incidents = reduce(corpus, FORMAT.holds | {"characters"})
    incidents += links_dropped(reduced, ("split",))
    places = building.file_places(path, reduced.names, (".gz", ".xmi"))
    written, joined = {}, 0
    for place, document in zip(places, running_texts(reduced), strict=True):
        writer = _AnnotatorWriter(reduced, document)
        written[place] = writer.written().encode("utf-8", "replace")
        joined += writer.joined
    if joined:
        incidents.append(make_incident("mention-discontinuous", "joined", number=joined))
    return WrittenFiles(written, incidents)


class _AnnotatorWriter:
    """Writes one document; `joined` is how many mentions had more parts than v1 allows."""

    def __init__(self, corpus: Corpus, document: RunningText) -> None:
        self._corpus, self._document = corpus, document
        self._offsets = Utf16Offsets(document.text)
        self._lines: list[str] = []
        self._last = 1
        self.joined = 0

    def written(self) -> str:
        """The text of the file."""
        flags = self._write_flags()
        entities = self._write_entities()
        for mention in self._document.mentions:
            self._write_mention(mention, entities[mention.entity], flags)
        sofa = self._next()
        members = " ".join(str(id) for id in range(1, sofa))
        lines = "".join(self._lines).replace(_SOFA, str(sofa))
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
        """Write each flag once; return row → the flags of the mention."""
        labels = self._corpus.mention_labels
        if labels is None or "flags" not in labels.columns:
            return {}
        column = labels.columns["flags"]
        flags = {}
        for mention in self._document.mentions:
            text = column.values[int(column.code[mention.row])]
            flags[mention.row] = [name for name in text.split(_JOINT) if name]
        for name in sorted({name for names in flags.values() for name in names}):
            label = quoteattr(_without_controls(name))
            self._lines.append(
                f'<v1:Flag xmi:id="{self._next()}" Label={label} Key={label} '
                f'TargetClass="{_CLASS}"/>\n'
            )
        return flags

    def _write_entities(self) -> dict[int, int]:
        """Write the entities, named after their first mentions; return the id of each."""
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
            kind, listed = "Entity", ""
            if entity in members:
                kind, listed = "EntityGroup", f' Members="{" ".join(map(str, members[entity]))}"'
            self._lines.append(
                f'<v1:{kind} xmi:id="{id[entity]}" Label={label} Color="0" Flags="" '
                f'Hidden="false"{listed}/>\n'
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
        second = f' Discontinuous="{id + 1}"' if len(parts) > 1 else ""
        inside = "".join(
            f"<Flags>{escape(_without_controls(name))}</Flags>"
            for name in flags.get(mention.row, ())
        )
        close = f">{inside}</v1:Mention>" if inside else "/>"
        place = self._place(parts[0])
        self._lines.append(f'<v1:Mention xmi:id="{id}" {place} Entity="{entity}"{second}{close}\n')
        for part in parts[1:]:
            place = self._place(part)
            self._lines.append(
                f'<v1:DetachedMentionPart xmi:id="{self._next()}" {place} Mention="{id}"/>\n'
            )

    def _place(self, part: tuple[int, int]) -> str:
        begin, end = map(self._offsets.unit, part)
        return f'sofa="{_SOFA}" begin="{begin}" end="{end}"'


_BREAKS = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
"""Characters of an attribute that a parser would turn into blanks."""


def _without_controls(text: str) -> str:
    """The text with characters that XML forbids replaced."""
    return _CONTROLS.sub("\ufffd", text)


_CONTROLS = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


_DECLARED = rb'xmlns:[\w.-]+\s*=\s*["\'][^"\']*/ims/coref/annotator/api(?:/v[12])?\.ecore["\']'

FORMAT = Format(
    name="corefannotator",
    title="CorefAnnotator XMI",
    parse=parse,
    write=write,
    unit="character",
    holds=IN_TEXT | {"crossing", "parts", "links", "flags"},
    looks=(
        Look(begins=rb"<", near=_DECLARED, has=(b":Mention ",)),
        Look(begins=rb"<", near=_DECLARED, has=(b":Meta",)),
    ),
    suffixes=(".xmi", ".ca2"),
)

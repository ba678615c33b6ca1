"""CorefAnnotator XMI: mentions that refer to their entity, in three versions of a type system.

X.xmi:
    <xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore"
     xmlns:v1="http:///de/unistuttgart/ims/coref/annotator/api/v1.ecore">
    <v1:Flag xmi:id="2" Key="g" Label="Generic"/>  <v1:Entity xmi:id="3" Label="Ada"/>
    <v1:EntityGroup xmi:id="4" Label="they" Members="3 9"/>
    <v1:Mention xmi:id="5" sofa="1" begin="0" end="3" Entity="3" Discontinuous="6">
    <Flags>g</Flags></v1:Mention>
    <v1:DetachedMentionPart xmi:id="6" sofa="1" begin="9" end="12" Mention="5"/>
    <cas:Sofa xmi:id="1" sofaString="Ada said her say"/>  <cas:View sofa="1" members="5"/>
    </xmi:XMI>

The namespace of an element shows its version: `api`, `api/v1` or `api/v2`. Up to v1 a mention has a
span and perhaps one more part; in v2 it refers to its surfaces. Only elements that a View lists
count: a mention that was deleted in the tool stays in the file as long as something refers to it.
Offsets count UTF-16 units. We write v1, the version of all published corpora, which the tool
converts.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import count
from typing import NamedTuple
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector, make_incident
from corefkit.core.options import Reading
from corefkit.core.texts import shorten
from corefkit.formats.format import IN_TEXT, Format, Look, WrittenFiles
from corefkit.formats.kit import building
from corefkit.formats.kit.content import RunningText, running_texts, split_members
from corefkit.formats.kit.draft import Draft, Run, corpus_of
from corefkit.formats.kit.tree import XmlTree, read_tree
from corefkit.formats.kit.utf16 import Segments, Utf16Offsets, note_sofa

_NAMESPACE = "/ims/coref/annotator/api"
_ID = "{http://www.omg.org/XMI}id"
_JOINT = "|"
"""Separates the flags of a mention in its label."""
_ENTITIES = frozenset({"Entity", "EntityGroup"})
_UNREAD = frozenset({"Comment", "CommentAnchor", "Segment", "Line"})
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
        self._tables = {"Mention": self.mentions}
        self._tables |= dict.fromkeys(_ENTITIES, self.entities)
        self._tables |= dict.fromkeys(("DetachedMentionPart", "MentionSurface"), self.parts)
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
        elif (elements := self._tables.get(e.tag)) is not None:
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


class _Mention(NamedTuple):
    """A mention: its id, its line, its place as it is written, and its flags."""

    id: str
    line: int
    shown: str
    flags: set[str]


def _add_mentions(
    draft: Draft, content: _Content, mentions: _Elements, collector: Collector
) -> None:
    """Add the mentions; copies of a span within an entity are one, with the flags of all."""
    changed: Counter[str] = Counter()
    found: dict[tuple[str, tuple[Run, ...]], _Mention] = {}
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
        changed["span-twice"] += (entity, runs) in found
        made = _Mention(id, line, f"{shown}, mention {id}", set())
        names = (*((inner.text or "").strip() for inner in e), *_listed(e, "Flags"))
        own = {content.flags.get(name, name) for name in names if name}
        found.setdefault((entity, runs), made).flags.update(own)
    labelled = any(mention.flags for mention in found.values())
    for (entity, runs), (id, line, shown, flags) in found.items():
        labels = {"flags": _JOINT.join(sorted(flags))} if labelled else {}
        draft.mention(id, runs, line, entity=entity, shown=shown, labels=labels)
    for kind, number in (+changed).items():
        collector.note(kind, _CHANGED[kind], severity="warning", number=number, count=number)


def _pieces(
    id: str, line: int, e: Element, content: _Content, collector: Collector
) -> list[Element] | None:
    """The elements with the places of a mention; None, and an incident, if one is missing."""
    kind = "Discontinuous" if e.get("Surface") is None else "Surface"
    pieces = [e] if kind == "Discontinuous" and e.get("begin") is not None else []
    for name in (*_listed(e, "Surface"), *_listed(e, "Discontinuous")):
        if name not in content.parts:
            _note_unknown(collector, line, id, f"{kind} {name}")
            return None
        pieces.append(content.parts[name][1])
    sofa = next(iter(content.texts))
    other = next((s for piece in pieces if (s := piece.get("sofa", sofa)) != sofa), None)
    if other is not None:
        note_sofa(collector, line, other, sofa)
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
    found, expected = f"{shorten(name)} of mention {id}", "the xmi:id of such an element"
    collector.note("mention-unknown", "element", at=line, found=found, expected=expected)


_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmlns:cas="http:///uima/cas.ecore" xmlns:xmi="http://www.omg.org/XMI" \
xmlns:api="http:///de/unistuttgart/ims/coref/annotator/api.ecore" \
xmlns:v1="http:///de/unistuttgart/ims/coref/annotator/api/v1.ecore" xmi:version="2.0">
<cas:NULL xmi:id="0"/>
<api:Meta xmi:id="1" TypeSystemVersion="v1"/>
"""
_TARGET = {"TargetClass": "de.unistuttgart.ims.coref.annotator.api.v1.Mention"}
_PARTS = 2
"""How many parts a mention of v1 has at most."""
_BREAKS = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
"""Characters of an attribute that a parser would turn into blanks."""
_CONTROLS = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML forbids."""


def write(corpus: Corpus, path: str) -> WrittenFiles:
    """One file per document; several files are put into a folder."""
    from corefkit.formats.kit.convert import links_dropped

    incidents = links_dropped(corpus, ("split",))
    paths = building.file_places(path, corpus.names, (".gz", ".xmi"))
    written, joined = {}, 0
    for file, document in zip(paths, running_texts(corpus), strict=True):
        written[file] = "".join(_written(corpus, document)).encode("utf-8", "replace")
        joined += sum(len(mention.parts) > _PARTS for mention in document.mentions)
    if joined:
        incidents.append(make_incident("mention-discontinuous", "joined", number=joined))
    return WrittenFiles(written, incidents)


def _written(corpus: Corpus, document: RunningText) -> Iterator[str]:
    """The text of a file: flags, entities named after their first mentions, mentions, the text."""
    mentions, offsets, ids = document.mentions, Utf16Offsets(document.text), count(2)
    flags = _flags(corpus)
    names = sorted({name for mention in mentions for name in flags.get(mention.row, ())})
    first: dict[int, list[Run]] = {}
    for mention in mentions:
        first.setdefault(mention.entity, mention.parts)
    yield _HEAD
    for name in names:
        yield _tag("v1:Flag", {"xmi:id": next(ids), "Label": name, "Key": name, **_TARGET})
    id = {entity: next(ids) for entity in first}
    members = _members(corpus, id)
    for entity, parts in first.items():
        label = " ".join(" ".join(document.text[a:b] for a, b in parts).split())
        named = {"xmi:id": id[entity], "Label": label, "Color": 0, "Flags": "", "Hidden": "false"}
        listed = {"Members": members[entity]} if entity in members else {}
        yield _tag("v1:EntityGroup" if listed else "v1:Entity", named | listed)
    sofa = 2 + len(names) + len(id) + sum(1 + (len(m.parts) > 1) for m in mentions)
    for mention in mentions:
        begins = [offsets.unit(a) for a, _ in mention.parts]
        ends = [offsets.unit(b) for _, b in mention.parts]
        own = next(ids)
        attributes = {"xmi:id": own, "sofa": sofa, "begin": begins[0], "end": ends[0]}
        attributes["Entity"] = id[mention.entity]
        texts = map(_without_controls, flags.get(mention.row, ()))
        inside = "".join(f"<Flags>{escape(text)}</Flags>" for text in texts)
        if len(begins) == 1:
            yield _tag("v1:Mention", attributes, inside)
            continue
        part = next(ids)
        yield _tag("v1:Mention", attributes | {"Discontinuous": part}, inside)
        fields = {"xmi:id": part, "sofa": sofa, "begin": begins[1], "end": ends[-1]}
        yield _tag("v1:DetachedMentionPart", fields | {"Mention": own})
    held = {"sofaNum": 1, "sofaID": "_InitialView", "mimeType": "text"}
    yield _tag("cas:Sofa", {"xmi:id": sofa, **held, "sofaString": document.text})
    yield _tag("cas:View", {"sofa": sofa, "members": " ".join(map(str, range(1, sofa)))})
    yield "</xmi:XMI>\n"


def _flags(corpus: Corpus) -> dict[int, list[str]]:
    """The flags of each mention, by its row."""
    labels = corpus.mention_labels
    if labels is None or "flags" not in labels.columns:
        return {}
    listed = enumerate(labels.columns["flags"].to_list())
    return {row: [name for name in text.split(_JOINT) if name] for row, text in listed}


def _members(corpus: Corpus, id: Mapping[int, int]) -> dict[int, str]:
    """The ids of the members of each entity that is a group."""
    members: dict[int, list[str]] = {}
    for group, member in split_members(corpus):
        if group in id and member in id:
            members.setdefault(group, []).append(str(id[member]))
    return {group: " ".join(ids) for group, ids in members.items()}


def _tag(name: str, attributes: Mapping[str, object], inside: str = "") -> str:
    """An element on a line."""
    listed = "".join(
        f" {attribute}={quoteattr(_without_controls(str(value)), _BREAKS)}"
        for attribute, value in attributes.items()
    )
    return f"<{name}{listed}>{inside}</{name}>\n" if inside else f"<{name}{listed}/>\n"


def _without_controls(text: str) -> str:
    """The text with characters that XML forbids replaced."""
    return _CONTROLS.sub("\ufffd", text)


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

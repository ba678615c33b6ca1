"""CorefAnnotator XMI: mentions that name their entity, in three versions of a type system.

An element belongs to the version that its namespace names: `api`, `api/v1` or `api/v2`. Up to v1 a
mention has a place of its own and perhaps one more part; in v2 it names its surfaces. Only what a
View lists counts: a mention that was deleted in the tool stays in the file as long as something
refers to it. Offsets count UTF-16 units. Written is v1, which all published corpora have and the
tool converts.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from corefkit.core.arrays import EMPTY, IntArray, distinct, ranks_of, tuples
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
from corefkit.formats._kit.byte_columns import ByteColumn, UnfitError
from corefkit.formats._kit.content import RunningText, TextMention, running_texts
from corefkit.formats._kit.utf16 import UTF16, Segments, Utf16Offsets
from corefkit.formats._kit.xml import ElementListener, walk
from corefkit.formats._kit.xml_records import RecordKind, RecordPieces, find_records
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
        elif path[-1] in self._kinds:
            self._mention = None


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one file."""
    found = Collector(path)
    try:
        document = _AnnotatorTable(data).document(building.file_name(path), found)
    except UnfitError:
        return _parse_elements(data, found)
    return building.make_corpus("corefannotator", data, [document], found, "character")


_ENTITY = RecordKind(("@id", "@Members"), table="entity")
_PART = RecordKind(("@id", "@sofa", "@begin", "@end"), table="part")
_SEGMENT = RecordKind((), lined=False, table="segment")
_KINDS = {
    "Mention": RecordKind(
        ("@id", "@sofa", "@begin", "@end", "@Entity", "@Discontinuous", "@Surface", "@Flags"),
        {"Flags": ("",)},
        table="mention",
    ),
    "Entity": _ENTITY,
    "EntityGroup": _ENTITY,
    "DetachedMentionPart": _PART,
    "MentionSurface": _PART,
    "Flag": RecordKind(("@id", "@Label", "@Key"), lined=False),
    "Sofa": RecordKind(("@id", "@sofaString")),
    "View": RecordKind(("@members",)),
    "Token": _SEGMENT,
    "Sentence": _SEGMENT,
}
_DECLARED = b' xmlns:xmi="http://www.omg.org/XMI"'
_ID_BEFORE = b' xmi:id="'


class _AnnotatorTable:
    """The mentions of a file in which all that they name is there, in columns.

    Places, flags and copies are found for all mentions at once; only mentions of several parts and
    those that have flags are looked at one by one. UnfitError where anything is broken, and where
    the file has tokens.
    """

    def __init__(self, data: bytes) -> None:
        tables = {n: t.pieces for n, t in find_records(data, _KINDS, ()).tables.items()}
        self._mentions, self._entities, self._parts = (
            tables[name] for name in ("mention", "entity", "part")
        )
        self._flags, sofa, view = (tables[name] for name in ("Flag", "Sofa", "View"))
        own = {*self._mentions.namespaces, *self._entities.namespaces, *self._parts.namespaces}
        others = {*sofa.namespaces, *view.namespaces}
        if not all(NAMESPACE in name for name in own) or any(NAMESPACE in name for name in others):
            raise UnfitError
        if _DECLARED not in data or len(tables["segment"].namespaces) or len(sofa.line) != 1:
            raise UnfitError
        (id,), (text,) = (column.values() for column in sofa.fields.values())
        if text is None:
            raise UnfitError
        self._sofa, self.text = id, text
        ids = _IdTable(self._mentions)
        members, _ = view.fields["@members"].sound().split(ord(" "))
        self._rows = ids.among(members)
        if not len(self._rows):
            raise UnfitError
        self._ids = ids.texts.take(self._rows)
        self._fields = {n: c.take(self._rows) for n, c in self._mentions.fields.items()}
        self._find_entities()
        self._find_places()

    def _find_entities(self) -> None:
        """The entity of each mention; those that name none have numbers of their own."""
        named = self._fields["@Entity"]
        self._names = _IdTable(self._entities)
        self._alone = named.start < 0
        self._entity = len(self._names) + np.arange(len(named))
        rows = np.flatnonzero(~self._alone)
        self._entity[rows] = self._names.find(named.take(rows).sound())

    def _find_places(self) -> None:
        """The first and last character of each mention, and the runs of those with several."""
        surface = self._fields["@Surface"]
        whole = np.flatnonzero((surface.start < 0) & (self._fields["@begin"].start >= 0))
        ids, parts = _IdTable(self._parts), [EMPTY]
        mention = [whole]
        for column in (surface, self._fields["@Discontinuous"]):
            rows = np.flatnonzero(column.length)
            if len(rows):
                names, row = column.take(rows).sound().split(ord(" "))
                given = np.flatnonzero(names.length)
                parts.append(ids.find(names.take(given)))
                mention.append(rows[row[given]])
        part = np.concatenate(parts)
        row, offsets = np.concatenate(mention), Utf16Offsets(self.text)
        start, end = (
            offsets.characters(
                np.concatenate(
                    (
                        self._fields[name].take(whole).sound().numbers(),
                        self._parts.fields[name].take(part).sound().numbers(),
                    )
                )
            )
            for name in ("@begin", "@end")
        )
        if (start < 0).any() or (end < start).any():
            raise UnfitError
        for sofa in (self._fields["@sofa"].take(whole), self._parts.fields["@sofa"].take(part)):
            told = sofa.take(sofa.start >= 0).sound()
            if len(told) and told.column().values != (self._sofa,):
                raise UnfitError
        filled = np.flatnonzero(end > start)
        row, start, end = row[filled], start[filled], end[filled] - 1
        pieces = np.bincount(row, minlength=len(self._rows))
        self._filled = pieces > 0
        self._start, self._end = np.zeros_like(self._entity), np.zeros_like(self._entity)
        self._start[row], self._end[row] = start, end
        self._runs: dict[int, list[tuple[int, int]]] = {}
        spans: dict[int, list[tuple[int, int]]] = {}
        several = np.flatnonzero(pieces[row] > 1)
        for one, *span in tuples(row[several], start[several], end[several]):
            spans.setdefault(one, []).append((span[0], span[1]))
        for one, own in spans.items():
            runs = building.joined_runs(own)
            self._start[one], self._end[one] = runs[0][0], runs[-1][1]
            if len(runs) > 1:
                self._runs[one] = runs

    def document(self, name: str, found: Collector) -> RawDocument:
        """The document; mentions that are left out or changed are reported."""
        flags = self._flags_of()
        first = self._first_copies()
        for row, original in first.items():
            if row in flags:
                flags.setdefault(original, set()).update(flags.pop(row))
        kept = self._filled.copy()
        kept[[*first]] = False
        rows = np.flatnonzero(kept)
        incidents = {
            "mention-without-entity": np.flatnonzero(self._alone),
            "span-empty": np.flatnonzero(~self._filled),
            "span-twice": np.array([*first], dtype=np.int64),
        }
        reported = [kind for kind, own in incidents.items() if len(own)]
        reported.sort(key=lambda kind: int(incidents[kind][0]))
        _note_changed(found, {kind: len(incidents[kind]) for kind in reported})
        row_of = {row: place for place, row in enumerate(rows.tolist())} if flags else {}
        labels = [""] * len(rows)
        for row, own in flags.items():
            if row in row_of:
                labels[row_of[row]] = JOINT.join(sorted(own))
        line = self._mentions.line[self._rows[rows]]
        nodes = [
            (int(np.searchsorted(rows, row)), mention_of_runs(self._runs[row], "").nodes)
            for row in sorted(self._runs)
            if kept[row]
        ]
        columns = MentionColumns(
            self._start[rows], self._end[rows], self._entity_names(rows), line, nodes=nodes
        )
        return RawDocument(
            name,
            (),
            text=self.text,
            labels={"flags": labels} if any(labels) else {},
            groups=self._groups(),
            columns=columns,
        )

    def _flags_of(self) -> dict[int, set[str]]:
        """The labels of the flags of mentions that have some, by the number of the mention."""
        label = self._flag_labels()
        flags: dict[int, set[str]] = {}
        bounds, values = self._mentions.lists["Flags"]
        names = values[""].values()
        begin, end = bounds[self._rows], bounds[self._rows + 1]
        rows = np.flatnonzero(end > begin)
        for row, first, last in tuples(rows, begin[rows], end[rows]):
            flags[row] = {(name or "").strip() for name in names[first:last]}
        listed = self._fields["@Flags"]
        rows = np.flatnonzero(listed.length)
        for row, text in zip(rows.tolist(), listed.take(rows).values(), strict=True):
            flags.setdefault(row, set()).update((text or "").split())
        return {row: {label.get(name, name) for name in own if name} for row, own in flags.items()}

    def _flag_labels(self) -> dict[str, str]:
        """The label of each flag, by its id and by its key."""
        id, label, key = (column.values() for column in self._flags.fields.values())
        given = self._flags.fields["@id"]
        _refuse_other_ids(given.take(given.start >= 0))
        labels: dict[str, str] = {}
        for row, namespace in enumerate(self._flags.namespaces):
            if NAMESPACE in namespace:
                own, name = id[row] or "", key[row]
                labels |= {own: label[row] or "", own if name is None else name: label[row] or ""}
        return labels

    def _first_copies(self) -> dict[int, int]:
        """The mentions that repeat a span of their entity, ascending, and the first that has it."""
        rows = np.flatnonzero(self._filled)
        columns = [column[rows] for column in (self._end, self._start, self._entity)]
        order = np.lexsort(columns)
        same = np.ones(max(len(order) - 1, 0), dtype=bool)
        for column in columns:
            same &= column[order[1:]] == column[order[:-1]]
        again = np.flatnonzero(same)
        some = np.sort(rows[order[distinct(np.concatenate((again, again + 1))).values]])
        first: dict[tuple[Any, ...], int] = {}
        copies: dict[int, int] = {}
        places = tuples(some, self._entity[some], self._start[some], self._end[some])
        for row, *place in places:
            original = first.setdefault((*place, *self._runs.get(row, ())), row)
            if original != row:
                copies[row] = original
        return copies

    def _entity_names(self, rows: IntArray) -> Column:
        """The entities of these mentions, by their ids."""
        number = distinct(self._entity[rows])
        order = np.argsort(number.first)
        known = number.values[order]
        ids = self._names.texts.take(known[known < len(self._names)]).texts()
        if self._alone.any():
            own, given = self._ids.texts(), iter(ids)
            ids = [
                next(given) if n < len(self._names) else _NAMELESS + own[n - len(self._names)]
                for n in known.tolist()
            ]
        return Column(ranks_of(order)[number.inverse], tuple(ids))

    def _groups(self) -> list[tuple[str, str]]:
        """The entities that have members, each with each of its members."""
        listed = self._entities.fields["@Members"]
        rows = np.flatnonzero(listed.length)
        ids, members = self._names.texts.take(rows).texts(), listed.take(rows).values()
        return [
            (id, member)
            for id, text in zip(ids, members, strict=True)
            for member in dict.fromkeys((text or "").split())
        ]


_NAMELESS = "mention "
"""How the name of an entity begins that no element stands for, before the id of its mention."""


class _IdTable:
    """The ids of elements, which are numbers; UnfitError where one has none, or that of another."""

    def __init__(self, elements: RecordPieces) -> None:
        self.texts = elements.fields["@id"].sound()
        _refuse_other_ids(self.texts)
        self._ids = _numbers(self.texts)
        self._order = np.argsort(self._ids, kind="stable")
        self._ordered = self._ids[self._order]
        if (self._ordered[1:] == self._ordered[:-1]).any():
            raise UnfitError

    def __len__(self) -> int:
        return len(self.texts)

    def find(self, names: ByteColumn) -> IntArray:
        """int64 (names,): the element that each name is the id of; UnfitError where it is none."""
        if not len(names):
            return EMPTY
        ids = _numbers(names)
        row = self._order.take(np.searchsorted(self._ordered, ids), mode="clip")
        if not len(self) or (self._ids[row] != ids).any():
            raise UnfitError
        return row

    def among(self, names: ByteColumn) -> IntArray:
        """The elements whose ids are among these names, in their order."""
        ids = np.sort(_numbers(names.take(names.length > 0)))
        at = np.searchsorted(ids, self._ids)
        return np.flatnonzero(ids.take(at, mode="clip") == self._ids) if len(ids) else EMPTY


def _numbers(names: ByteColumn) -> IntArray:
    """int64 (names,): ids as numbers; UnfitError where one is not written as numbers are."""
    zero = names.buffer.take(names.start, mode="clip") == ord("0")
    if (zero & (names.length > 1)).any():
        raise UnfitError
    return names.numbers()


def _refuse_other_ids(ids: ByteColumn) -> None:
    """UnfitError where an attribute `id` is not that of XMI."""
    before = ids.start - len(_ID_BEFORE)
    if not ByteColumn(ids.buffer, before, ids.start).has_at(before, _ID_BEFORE).all():
        raise UnfitError


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
        _note_changed(self._found, self._incidents)
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
            return f"{_NAMELESS}{id}"
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


def _note_changed(found: Collector, numbers: Mapping[str, int]) -> None:
    """One warning for all mentions of a kind that were changed or left out."""
    variants = {"span-empty": "dropped", "span-twice": "united", "mention-without-entity": "none"}
    for kind, number in numbers.items():
        found.note(kind, variants[kind], severity="warning", number=number, count=number)


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

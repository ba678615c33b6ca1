"""Glozz: units, relations and schemas in an `.aa` file, beside the text in an `.ac` file.

Chains are schemas and relations of identity, or else units with equal features REF. Mentions are
all units of the types that occur in chains. Offsets count UTF-16 units.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import count
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import EMPTY, IntArray, distinct, stretches
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.links import components, connected
from corefkit.core.options import Reading
from corefkit.core.source import Column
from corefkit.formats.kit import building, files
from corefkit.formats.kit.building import MentionColumns, RawDocument, RawMention, bridging_pairs
from corefkit.formats.kit.byte_columns import UnfitError, find_pieces, map_values, renumber
from corefkit.formats.kit.utf16 import UTF16, Utf16Offsets
from corefkit.formats.kit.xml.finder import find_records
from corefkit.formats.kit.xml.record_reader import read_records
from corefkit.formats.kit.xml.record_tables import (
    FieldColumn,
    ListPieces,
    RecordKind,
    Records,
    RecordTable,
)
from corefkit.formats.registry import IN_TEXT, Format

_IDENTITY = frozenset({"DIRECTE", "INDIRECTE", "ANAPHORE"})
_BRIDGING = frozenset({"ASSOC", "ASSOC_PRONOM"})
_REFERENCES = ("REF", "REFNAME")
_NO_MENTIONS = frozenset({"paragraph", "turn"})


_UNIT = RecordKind(
    (
        "@id",
        "author",
        "creation-date",
        "type",
        "start/singlePosition@index",
        "end/singlePosition@index",
    ),
    {"feature": ("@name", "")},
)
_RELATION = RecordKind(("type",), {"term": ("@id",), "feature": ("@name", "")})
_SCHEMA = RecordKind(("type",), {"embedded-unit": ("@id",), "feature": ("@name", "")})
_KINDS = {"unit": _UNIT, "relation": _RELATION, "schema": _SCHEMA}
_WITHOUT_FEATURES = {
    name: kind._replace(lists={n: f for n, f in kind.lists.items() if n != "feature"})
    for name, kind in _KINDS.items()
}


class _GlozzUnits:
    """The units that may be mentions, as columns."""

    def __init__(self, table: RecordTable) -> None:
        id, author, created, type, begin, end, *features = table.columns
        types = [(name or "").strip() for name in type]
        kept = [n for n, name in enumerate(types) if name.lower() not in _NO_MENTIONS]
        self.id = [id[n] or "" for n in kept]
        self.type = [types[n] for n in kept]
        self.begin, self.end = ([column[n] for n in kept] for column in (begin, end))
        self.line = [table.lines[n] for n in kept]
        self._names = [author[n] for n in kept], [created[n] for n in kept]
        self._features = [features[0][n] for n in kept] if features else [[]] * len(kept)
        self._number = {name: place for place, name in enumerate(self.id)}
        self._others: dict[str, int] | None = None

    def find(self, name: str) -> int | None:
        """The number of a unit, by its id or by the one that the tool really compares."""
        if name in self._number:
            return self._number[name]
        if self._others is None:
            self._others = _made_ids(*self._names)
        return self._others.get(name)

    def references(self) -> list[str | None]:
        """The value of the feature that names the entity of each unit; None if it has none."""
        references = []
        for features in self._features:
            texts = {name: (text or "").strip() for name, text in features}
            references.append(next((texts[name] for name in _REFERENCES if name in texts), None))
        return references


def _made_ids(authors: Sequence[str | None], created: Sequence[str | None]) -> dict[str, int]:
    """The numbers of units by the ids that the tool gives them: author and date of creation."""
    stripped = ([(text or "").strip() for text in texts] for texts in (authors, created))
    return dict(zip(map("_".join, zip(*stripped, strict=True)), count()))


class _GlozzLink(NamedTuple):
    """A relation or a schema: its type, the ids that it joins, and its line."""

    type: str
    ends: list[str]
    line: int


def _links(table: RecordTable) -> list[_GlozzLink]:
    return [
        _GlozzLink((type or "").strip(), [id or "" for (id,) in ends], line)
        for (type, ends, *_), line in zip(table.rows, table.lines, strict=True)
    ]


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one `.aa` file."""
    del reading
    collector = Collector(path)
    records = _records(data, collector)
    if records is None:
        return building.nothing(collector)
    beside, raw = files.companion(path, ".aa", ".ac")
    if raw is None:
        collector.note("text-missing", expected=f"{beside} beside it")
        return building.nothing(collector)
    text, name = raw.decode("utf-8-sig", "replace"), building.stem(path, ".aa")
    try:
        document: RawDocument | None = _GlozzTable(records).document(name, text)
    except UnfitError:
        document = _document(records, text, name, collector)
    if document is None:
        return building.nothing(collector)
    return building.make_corpus("glozz", data, [document], collector, "character")


def _records(data: bytes, collector: Collector) -> Records | None:
    """The annotations; without features, which is faster, if none of these names an entity."""
    if b'name="REF' not in data:
        try:
            return find_records(data, _WITHOUT_FEATURES, ())
        except UnfitError:
            pass
    return read_records(data, _KINDS, (), collector)


class _GlozzTable:
    """The units that schemas and relations of identity join, as columns."""

    def __init__(self, records: Records) -> None:
        units = records.tables["unit"].pieces
        type = map_values(units.fields["type"].sound().column(), str.strip)
        mention = np.array([name.lower() not in _NO_MENTIONS for name in type.values], dtype=bool)
        kept = np.flatnonzero(mention[type.code]) if len(type.code) else EMPTY
        self.type = renumber(type, kept)
        self.line = units.line[kept]
        self.begin, self.end = (
            units.fields[name].sound().take(kept).numbers() for name in _UNIT.fields[4:]
        )
        self._id = units.fields["@id"].sound().take(kept)
        self._made = [units.fields[name].take(kept) for name in ("author", "creation-date")]
        relations, schemas = (records.tables[kind].pieces for kind in ("relation", "schema"))
        type = map_values(relations.fields["type"].sound().column(), str.strip)
        identity, bridging = (
            np.flatnonzero(type.is_any(*types)) for types in (_IDENTITY, _BRIDGING)
        )
        joined = [
            self._links(relations.lists["term"], identity),
            self._links(schemas.lists["embedded-unit"], np.arange(len(schemas.line))),
        ]
        self.links = tuple(
            np.concatenate(ends)
            for ends in zip(*((unit[first], unit) for unit, first in joined), strict=True)
        )
        self._bridges = self._links(relations.lists["term"], bridging)

    def _links(self, members: ListPieces, chosen: IntArray) -> tuple[IntArray, IntArray]:
        """The units of the chosen links, and for each the index of the first of its link."""
        length = np.diff(members.first)[chosen]
        places = stretches(members.first[chosen], length)
        first = np.repeat(np.cumsum(length) - length, length)
        return self._find(members.fields["@id"].take(places)), first

    def _find(self, names: FieldColumn) -> IntArray:
        """int64 (names,): the unit of each id, see `_made_ids`; UnfitError if there is none."""
        if not len(names):
            return EMPTY
        unit = find_pieces(names.sound(), self._id, some=True)
        missing = np.flatnonzero(unit < 0)
        if len(missing):
            author, created = (column.values() for column in self._made)
            number = _made_ids(author, created)
            unit[missing] = [number.get(name, -1) for name in names.take(missing).texts()]
        if (unit < 0).any():
            raise UnfitError
        return unit

    def document(self, name: str, text: str) -> RawDocument:
        """The document; UnfitError if there are no links or a place is malformed."""
        source, target = self.links
        if not len(source):
            raise UnfitError
        linked = np.zeros(len(self.type.values), dtype=bool)
        linked[self.type.code[target]] = True
        chosen = np.flatnonzero(linked[self.type.code])
        offsets = Utf16Offsets(text)
        start, end = (offsets.characters(column[chosen]) for column in (self.begin, self.end))
        if (start < 0).any() or (end <= start).any():
            raise UnfitError
        top = distinct(connected(len(self.begin), source, target)[chosen])
        entity = Column(top.inverse, tuple(map(str, range(len(top.values)))))
        columns = MentionColumns(start, end - 1, entity, self.line[chosen])
        row = np.full(len(self.begin), -1)
        row[chosen] = np.arange(len(chosen))
        unit, first = self._bridges
        bridging = bridging_pairs(row[unit], first)
        return RawDocument(name, (), text=text, bridging=bridging, columns=columns)


def _document(records: Records, text: str, name: str, collector: Collector) -> RawDocument | None:
    """The document; None, and an incident, if nothing in the file is coreference."""
    units = _GlozzUnits(records.tables["unit"])
    relations, schemas = (_links(records.tables[kind]) for kind in ("relation", "schema"))
    identity = [link for link in relations if link.type in _IDENTITY and link.ends]
    identity = sorted([*identity, *(s for s in schemas if s.ends)], key=lambda link: link.line)
    links = [(ends[0], end) for ends in _known(identity, units, collector) for end in ends]
    if identity:
        linked = {units.type[place] for link in links for place in link}
        chosen = [place for place, type in enumerate(units.type) if type in linked]
    else:
        references = units.references()
        named = {t for t, name in zip(units.type, references, strict=True) if name is not None}
        chosen = [place for place, type in enumerate(units.type) if type in named]
        links = _by_reference(references, chosen)
        if not chosen:
            types = ", ".join(sorted(set(units.type)))
            expected = "schemas, relations DIRECTE, INDIRECTE or ANAPHORE, or features REF"
            building.note_no_coreference(collector, f"units of the types {types}", expected)
            return None
    entity = components(chosen, links)
    rows = _mentions(units, chosen, entity, text, collector)
    bridges = _known([link for link in relations if link.type in _BRIDGING], units, collector)
    row = {place: at for at, place in enumerate(rows)}
    bridging = [
        (row[ends[0]], row[ends[1]]) for ends in bridges if len(ends) > 1 and row.keys() >= {*ends}
    ]
    return RawDocument(name, list(rows.values()), text=text, bridging=bridging)


def _known(
    links: Iterable[_GlozzLink], units: _GlozzUnits, collector: Collector
) -> list[list[int]]:
    """The units that each link joins; missing ones are reported."""
    known = []
    for link in links:
        places = [units.find(end) for end in link.ends]
        for end, place in zip(link.ends, places, strict=True):
            if place is None:
                building.note_unknown(collector, link.line, end)
        if ends := [place for place in places if place is not None]:
            known.append(ends)
    return known


def _by_reference(references: list[str | None], chosen: list[int]) -> list[tuple[int, int]]:
    """Links between units with the same reference, which is not empty."""
    first: dict[str, int] = {}
    return [
        (first.setdefault(reference, place), place)
        for place in chosen
        if (reference := references[place])
    ]


def _mentions(
    units: _GlozzUnits, chosen: list[int], entity: dict[int, int], text: str, collector: Collector
) -> dict[int, RawMention]:
    """The mentions by the numbers of their units; those without a place are reported."""
    offsets = Utf16Offsets(text)
    begins, ends = map(building.whole_numbers, (units.begin, units.end))
    rows: dict[int, RawMention] = {}
    for place in chosen:
        begin, end = begins[place], ends[place]
        span = None if begin is None or end is None else offsets.span(begin, end)
        line = units.line[place]
        if span is None:
            shown = f"{begin} to {end}, unit {units.id[place]}"
            building.note_outside(collector, line, shown, offsets.units, UTF16)
        elif span[0] == span[1]:
            shown = f"{begin} to {end}, unit {units.id[place]}"
            collector.note("span-empty", "text", at=line, found=shown, expected="begin < end")
        else:
            rows[place] = RawMention(span[0], span[1] - 1, str(entity[place]), line)
    return rows


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many features of annotations, and relations of other types, a file has."""
    del reading
    records = read_records(data, _KINDS, (), Collector(path))
    numbers: Counter[str] = Counter()
    for table in records.tables.values() if records is not None else ():
        for *_, features in table.rows:
            texts = {name or "": (text or "").strip() for name, text in features}
            numbers.update(n for n, text in texts.items() if text and n not in _REFERENCES)
    if records is not None:
        types = [link.type for link in _links(records.tables["relation"])]
        numbers["relation"] += sum(type not in _IDENTITY | _BRIDGING for type in types)
    return dict(+numbers)


FORMAT = Format(
    name="glozz",
    title="Glozz",
    parse=parse,
    unit="character",
    holds=IN_TEXT | {"crossing", "links"},
    suffixes=(".aa",),
    count_unread=count_unread,
)

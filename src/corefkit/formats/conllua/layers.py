"""Markables: openings that are closed, those of one name put together as fragments of one.

The entities of a layer, those that are non-referring, and those that are made of others.
"""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray
from corefkit.core.texts import quote
from corefkit.formats.conllua.brackets import Openings
from corefkit.formats.conllua.texts import Cells, LayerTrouble, Names, TextReader, Texts

Fragment = tuple[int, int]
"""The first and the last token."""


@dataclass(frozen=True, eq=False)
class Markables:
    """The markables of a layer that are whole, by their first openings.

    Attributes:
        opening: int64 (markables,), the first opening of each.
        document, start, end: int64 (markables,), its document, first and last token.
        zero: int64 (markables,), 0, or the number of the zero that it stands on.
        fragments: of those that were opened several times, by their row: the tokens, ascending.
        row: int64 (openings,), the markable of each opening, −1 where it is of none.
        names: the MarkableIDs of all openings, by their documents.
    """

    opening: IntArray
    document: IntArray
    start: IntArray
    end: IntArray
    zero: IntArray
    fragments: dict[int, list[Fragment]]
    row: IntArray
    names: Names


class MarkableReader:
    """Makes markables of openings; those that make none are reported."""

    def __init__(
        self, reader: TextReader, cells: Cells, openings: Openings, trouble: LayerTrouble
    ) -> None:
        self._reader, self._cells, self._trouble = reader, cells, trouble
        self._openings = openings
        self._document = cells.document[openings.cell]
        self._names = Names(reader, self._document, openings.features["markable"])

    def read(self) -> Markables:
        """The markables."""
        cells, openings = self._cells, self._openings
        sound = self._closed() & self._with_entity()
        groups = self._repeated()
        first = sound.copy()
        for group in groups:
            first[group] = False
            first[group[0]] = sound[group].all() and not self._has_zero(group)
        opening = np.flatnonzero(first)
        row = np.where(first, np.cumsum(first) - 1, -1)
        start = cells.token[openings.cell[opening]]
        end = cells.token[openings.last[opening]]
        fragments = {}
        for group in groups:
            markable = row[group] = row[group[0]]
            if markable >= 0:
                bounds = openings.cell[group], openings.last[group]
                tokens = zip(*(cells.token[one].tolist() for one in bounds), strict=True)
                own = fragments[int(markable)] = sorted(tokens)
                start[markable], end[markable] = own[0][0], max(last for _, last in own)
        zero, document = cells.zero[openings.cell[opening]], self._document[opening]
        return Markables(opening, document, start, end, zero, fragments, row, self._names)

    def _closed(self) -> BoolArray:
        """The openings that are closed; on the same row if that is a zero."""
        cells, openings = self._cells, self._openings
        closed = openings.last >= 0
        for one in np.flatnonzero(~closed).tolist():
            begin, name = int(openings.cell[one]), self._text("markable", one)
            if cells.zero[begin]:
                self._tell("zero-in-mention", one, "starts", zero=self._zero(begin))
            else:
                variant = "named" if name else "nameless"
                self._tell("bracket-unclosed", one, variant, name=quote(name))
        if cells.zero.any():
            zero = (cells.zero[openings.cell] > 0) | (cells.zero[openings.last] > 0)
            for one in np.flatnonzero(closed & zero & (openings.cell != openings.last)).tolist():
                begin, end = int(openings.cell[one]), int(openings.last[one])
                where, verb = (begin, "starts") if cells.zero[begin] else (end, "ends")
                byte, document = int(cells.text.begin[where]), int(cells.document[where])
                zero_id = self._zero(where)
                self._trouble.tell("zero-in-mention", byte, document, verb, zero=zero_id)
                closed[one] = False
        return closed

    def _with_entity(self) -> BoolArray:
        entity = self._openings.features["entity"]
        found: BoolArray = entity.end > entity.begin
        for one in np.flatnonzero(~found).tolist():
            text = self._reader.one(self._openings.text, one)
            self._tell("feature-missing", one, found=text)
        return found

    def _repeated(self) -> list[list[int]]:
        """The openings of one MarkableID and one entity, where there are several."""
        groups = []
        for openings in self._names.repeated():
            if not self._text("markable", openings[0]):
                continue
            group = openings[:1]
            for one in openings[1:]:
                if self._text("entity", group[0]) != self._text("entity", one):
                    self._in_two(group[0], one)
                    groups.append(group)
                    group = []
                group.append(one)
            groups.append(group)
        return [group for group in groups if len(group) > 1]

    def _in_two(self, known: int, one: int) -> None:
        line = self._trouble.line_of(int(self._openings.byte[known]))
        name, first, second = (
            quote(self._text(*which))
            for which in (("markable", known), ("entity", known), ("entity", one))
        )
        self._tell(
            "markable-in-two-entities", one, name=name, first=first, first_line=line, second=second
        )

    def _has_zero(self, group: list[int]) -> bool:
        """Whether a fragment is a zero, which is reported."""
        cells, openings = self._cells, self._openings
        zeros = [one for one in group if cells.zero[openings.cell[one]]]
        for one in zeros:
            zero = self._zero(int(openings.cell[one]))
            name = quote(self._text("markable", one))
            self._tell("zero-in-mention", one, "fragment", name=name, zero=zero)
        return bool(zeros)

    def _zero(self, cell: int) -> str:
        """The id of the zero of a cell."""
        return self._reader.rows.text(int(self._cells.row[cell]), 0)

    def _text(self, feature: str, opening: int) -> str:
        return self._reader.one(self._openings.features[feature], opening)

    def _tell(self, kind: str, opening: int, variant: str = "", **details: Any) -> None:
        byte, document = int(self._openings.byte[opening]), int(self._document[opening])
        self._trouble.tell(kind, byte, document, variant, **details)


_PSEUDO = b"-Pseudo"
PSEUDO = re.compile(r"[-_]pseudo\Z", re.IGNORECASE)

Link = tuple[int, int]
"""A plural and one of its elements, both numbers of entities."""


@dataclass(frozen=True, eq=False)
class Entities:
    """The entities by their first openings.

    Attributes:
        of_markable: int64 (markables,), the entity of each.
        document: int64 (entities,), the document of each.
        labels: the EntityIDs.
        pseudo: bool (entities,), those whose ids end in `-Pseudo`, exactly so.
        odd: int64, other entities whose ids end in the same letter.
    """

    of_markable: IntArray
    document: IntArray
    labels: list[str]
    pseudo: BoolArray
    odd: IntArray


def find_entities(reader: TextReader, openings: Openings, markables: Markables) -> Entities:
    """The entities of the markables."""
    texts = openings.features["entity"].take(markables.opening)
    number = reader.number(markables.document, texts)
    # Numbers are given by first occurrence: a new one is larger than all before it.
    before = np.maximum.accumulate(np.append(-1, number))[:-1]
    first = np.flatnonzero(number > before)
    texts = texts.take(first)
    ends = Texts(np.maximum(texts.end - len(_PSEUDO), texts.begin), texts.end)
    pseudo = reader.eight(ends) == np.uint64(int.from_bytes(_PSEUDO, "little"))
    last = reader.rows.buffer[texts.end - 1]
    odd = np.flatnonzero(~pseudo & ((last == _PSEUDO[-1]) | (last == _PSEUDO.upper()[-1])))
    return Entities(number, markables.document[first], reader.strings(texts), pseudo, odd)


def find_referring(entities: Entities, byte: IntArray, trouble: LayerTrouble) -> BoolArray:
    """bool (markables,): False for those of -Pseudo entities; odd uses of these are reported."""
    labels, number = entities.labels, entities.of_markable
    pseudo, misspelt = entities.pseudo.copy(), np.zeros(len(labels), dtype=bool)
    for entity in entities.odd.tolist():
        if found := PSEUDO.search(labels[entity]):
            pseudo[entity], misspelt[entity] = True, found[0][0] == "_"
    later = np.append(-1, np.maximum.accumulate(number))[:-1] >= number
    for row in np.flatnonzero(pseudo[number] & (later | misspelt[number])).tolist():
        entity = int(number[row])
        label, document = labels[entity], int(entities.document[entity])
        if misspelt[entity]:
            values = {"label": quote(label), "spelling": quote(_spelt_right(label))}
            trouble.tell("pseudo-misspelt", int(byte[row]), document, **values)
        else:
            trouble.tell("pseudo-shared", int(byte[row]), document, label=quote(label))
    return ~pseudo[number]


def _spelt_right(label: str) -> str:
    return PSEUDO.sub(lambda found: "-" + found[0][1:], label)


def find_elements(
    reader: TextReader,
    openings: Openings,
    markables: Markables,
    entities: Entities,
    trouble: LayerTrouble,
) -> list[Link]:
    """The plurals and their elements, by ElementOf; unknown plurals and circles are reported."""
    values = openings.features["elementof"]
    row = markables.row
    opened = np.flatnonzero((values.end > values.begin) & (row >= 0))
    if not len(opened):
        return []
    said = [
        [name.strip() for name in value.split(",")] for value in reader.strings(values.take(opened))
    ]
    wanted = {name for names in said for name in names}
    known = {
        (int(entities.document[number]), label): number
        for number, label in enumerate(entities.labels)
        if label in wanted
    }
    first: dict[Link, int] = {}
    for opening, markable, names in zip(opened.tolist(), row[opened].tolist(), said, strict=True):
        document, byte = int(markables.document[markable]), int(openings.byte[opening])
        for name in filter(None, names):
            plural = known.get((document, name))
            if plural is not None:
                first.setdefault((plural, int(entities.of_markable[markable])), byte)
            else:
                trouble.tell("element-unknown", byte, document, entity=quote(name))
    _check_circles(first, entities, trouble)
    return list(first)


def _check_circles(first: dict[Link, int], entities: Entities, trouble: LayerTrouble) -> None:
    """Report, once a document, an entity that is an element of itself."""
    elements: dict[int, list[int]] = {}
    for plural, element in first:
        elements.setdefault(plural, []).append(element)
    if not any(element in elements for _, element in first):
        return
    circular = _circular(elements)
    told = set()
    for (plural, element), byte in first.items():
        document = int(entities.document[plural])
        if document in told or not {plural, element} <= circular:
            continue
        if path := _way(elements, element, plural):
            told.add(document)
            labels = [quote(entities.labels[one]) for one in reversed(path)]
            values = {"entity": labels[-1], "chain": ", which is an element of ".join(labels)}
            variant = "" if len(path) > 1 else "itself"
            trouble.tell("element-cycle", byte, document, variant, **values)


def _circular(elements: dict[int, list[int]]) -> set[int]:
    """The entities that are on a circle, or between two: what is left when the others are gone."""
    left = {*elements, *(one for own in elements.values() for one in own)}
    wholes: dict[int, list[int]] = {}
    for plural, own in elements.items():
        for one in own:
            wholes.setdefault(one, []).append(plural)
    for one_way, other in ((elements, wholes), (wholes, elements)):
        count = {one: sum(x in left for x in one_way.get(one, ())) for one in left}
        free = [one for one, number in count.items() if not number]
        for one in free:
            left.discard(one)
            for next_one in other.get(one, ()):
                if next_one in left:
                    count[next_one] -= 1
                    if not count[next_one]:
                        free.append(next_one)
    return left


def _way(elements: dict[int, list[int]], start: int, goal: int) -> list[int]:
    """Entities from `start` to `goal`, each an element of the one before; [] where none leads."""
    came: dict[int, int] = {start: -1}
    waiting = [start]
    for one in waiting:
        if one == goal:
            path = [one]
            while came[path[-1]] >= 0:
                path.append(came[path[-1]])
            return path[::-1]
        for element in elements.get(one, ()):
            if element not in came:
                came[element] = one
                waiting.append(element)
    return []

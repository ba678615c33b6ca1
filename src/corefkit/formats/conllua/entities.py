"""The entities of a layer, those that are non-referring, and those that are made of others."""

import re
from dataclasses import dataclass

import numpy as np

from corefkit.data.arrays import BoolArray, IntArray
from corefkit.data.texts import quote
from corefkit.formats.conllua.brackets import Openings
from corefkit.formats.conllua.markables import Markables
from corefkit.formats.conllua.texts import TextReader, Texts
from corefkit.formats.conllua.trouble import LayerTrouble

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

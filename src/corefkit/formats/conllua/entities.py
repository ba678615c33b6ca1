"""The entities of a layer, which are non-referring, which are elements of others, and bridging.

BRIDGING is a column of pairs, each of an anaphor and its anchor, both markables of IDENTITY.
"""

import re
from collections.abc import Iterator
from functools import partial
from itertools import compress

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray, as_word, starts_of_runs
from corefkit.core.carriers import frozen
from corefkit.core.texts import quote, shorten
from corefkit.formats.columns.buffer import find_byte
from corefkit.formats.columns.interning import number_by_occurrence
from corefkit.formats.conllua.bracket_features import FeatureMarks, TextReader
from corefkit.formats.conllua.markables import FEATURES, LayerIncidents, Markables, Openings
from corefkit.formats.conllua.rows import DocumentRows, TextBounds, find_cells

_PSEUDO = b"-Pseudo"
PSEUDO = re.compile(r"[-_]pseudo\Z", re.IGNORECASE)
_BRIDGING = {
    "anaphor": FEATURES["markable"],
    "anchor": ("mentionanchor",),
    "relation": ("rel",),
}
"""The features of BRIDGING, and their spellings in lower case."""
_START, _BAR, _EQUALS, _JOINT = b"\0|=@"

ElementPair = tuple[int, int]
"""A plural entity and one of its elements, both given by number."""


@frozen(eq=False)
class LayerEntities:
    """The entities, in the order of their first openings.

    Attributes:
        of_markable: int64 (markables,), the entity of each.
        document: int64 (entities,), the document of each.
        labels: the EntityIDs.
        pseudo: bool (entities,), whether the id ends in exactly `-Pseudo`.
        odd: int64, other entities whose ids end in the same letter, and may be misspelt.
    """

    of_markable: IntArray
    document: IntArray
    labels: list[str]
    pseudo: BoolArray
    odd: IntArray


def find_entities(reader: TextReader, openings: Openings, markables: Markables) -> LayerEntities:
    """The entities of the markables."""
    texts = openings.features["entity"].take(markables.opening)
    buffer, document = reader.rows.buffer, markables.document
    number = number_by_occurrence(buffer, texts.begin, texts.length, document)
    # Numbers follow the order of first occurrence: a new one is larger than all before it.
    before = np.maximum.accumulate(np.append(-1, number))[:-1]
    first = np.flatnonzero(number > before)
    texts = texts.take(first)
    ends = TextBounds(np.maximum(texts.end - len(_PSEUDO), texts.begin), texts.end)
    pseudo = reader.first_eight(ends) == as_word(_PSEUDO)
    last = buffer[texts.end - 1]
    odd = np.flatnonzero(~pseudo & ((last == _PSEUDO[-1]) | (last == _PSEUDO.upper()[-1])))
    return LayerEntities(number, document[first], reader.decode(texts), pseudo, odd)


def find_referring(entities: LayerEntities, byte: IntArray, incidents: LayerIncidents) -> BoolArray:
    """bool (markables,): False for those of -Pseudo entities; misuse of these is reported."""
    labels, number = entities.labels, entities.of_markable
    pseudo, misspelt = entities.pseudo.copy(), np.zeros(len(labels), dtype=bool)
    for entity in entities.odd.tolist():
        if ending := PSEUDO.search(labels[entity]):
            pseudo[entity], misspelt[entity] = True, ending[0][0] == "_"
    later = np.append(-1, np.maximum.accumulate(number))[:-1] >= number
    for row in np.flatnonzero(pseudo[number] & (later | misspelt[number])).tolist():
        entity = int(number[row])
        label, document = labels[entity], int(entities.document[entity])
        if misspelt[entity]:
            values = {"label": quote(label), "spelling": quote(_with_hyphen(label))}
            incidents.note("pseudo-misspelt", byte=int(byte[row]), document=document, **values)
        else:
            incidents.note(
                "pseudo-shared", byte=int(byte[row]), document=document, label=quote(label)
            )
    return ~pseudo[number]


def _with_hyphen(label: str) -> str:
    """The label of a pseudo entity with the usual hyphen."""
    return PSEUDO.sub(lambda ending: "-" + ending[0][1:], label)


def find_elements(
    reader: TextReader,
    openings: Openings,
    markables: Markables,
    entities: LayerEntities,
    incidents: LayerIncidents,
) -> list[ElementPair]:
    """The plurals and their elements, from ElementOf; unknown plurals and cycles are reported."""
    values = openings.features["elementof"]
    row = markables.row
    opened = np.flatnonzero((values.end > values.begin) & (row >= 0))
    if not len(opened):
        return []
    plurals = [
        [name.strip() for name in value.split(",")] for value in reader.decode(values.take(opened))
    ]
    wanted = {name for names in plurals for name in names}
    named = compress(range(len(entities.labels)), map(wanted.__contains__, entities.labels))
    known = {(int(entities.document[number]), entities.labels[number]): number for number in named}
    first: dict[ElementPair, int] = {}
    for opening, markable, names in zip(
        opened.tolist(), row[opened].tolist(), plurals, strict=True
    ):
        document, byte = int(markables.document[markable]), int(openings.byte[opening])
        for name in filter(None, names):
            plural = known.get((document, name))
            if plural is not None:
                first.setdefault((plural, int(entities.of_markable[markable])), byte)
            else:
                incidents.note("element-unknown", byte=byte, document=document, entity=quote(name))
    _check_cycles(first, entities, incidents)
    return list(first)


def _check_cycles(
    first: dict[ElementPair, int], entities: LayerEntities, incidents: LayerIncidents
) -> None:
    """Report, once per document, an entity that is an element of itself."""
    elements: dict[int, list[int]] = {}
    for plural, element in first:
        elements.setdefault(plural, []).append(element)
    if not any(element in elements for _, element in first):
        return
    cyclic = _cyclic(elements)
    reported = set()
    for (plural, element), byte in first.items():
        document = int(entities.document[plural])
        if document in reported or not {plural, element} <= cyclic:
            continue
        if path := _path(elements, element, plural):
            reported.add(document)
            labels = [quote(entities.labels[entity]) for entity in reversed(path)]
            values = {"entity": labels[-1], "chain": ", which is an element of ".join(labels)}
            variant = "" if len(path) > 1 else "itself"
            incidents.note("element-cycle", variant, byte=byte, document=document, **values)


def _cyclic(elements: dict[int, list[int]]) -> set[int]:
    """The entities that are in a cycle, or on a path between two cycles.

    They remain when entities without elements, and then those without plurals, are removed
    repeatedly.
    """
    remaining = {*elements, *(element for listed in elements.values() for element in listed)}
    plurals: dict[int, list[int]] = {}
    for plural, listed in elements.items():
        for element in listed:
            plurals.setdefault(element, []).append(plural)
    for forward, backward in ((elements, plurals), (plurals, elements)):
        count = {e: sum(x in remaining for x in forward.get(e, ())) for e in remaining}
        free = [entity for entity, number in count.items() if not number]
        for entity in free:
            remaining.discard(entity)
            for neighbour in backward.get(entity, ()):
                if neighbour in remaining:
                    count[neighbour] -= 1
                    if not count[neighbour]:
                        free.append(neighbour)
    return remaining


def _path(elements: dict[int, list[int]], start: int, goal: int) -> list[int]:
    """Entities from `start` to `goal`, each an element of the one before; [] if there are none."""
    came_from: dict[int, int] = {start: -1}
    waiting = [start]
    for entity in waiting:
        if entity == goal:
            path = [entity]
            while came_from[path[-1]] >= 0:
                path.append(came_from[path[-1]])
            return path[::-1]
        for element in elements.get(entity, ()):
            if element not in came_from:
                came_from[element] = entity
                waiting.append(element)
    return []


Bridges = tuple[IntArray, IntArray, list[str]]
"""The rows of the anaphors and of their anchors, both int64 (bridges,), and the relations."""


def read_bridging(
    reader: TextReader, documents: DocumentRows, markables: Markables, incidents: LayerIncidents
) -> Bridges:
    """The bridging pairs; if an anaphor, or its words, have several, the last one counts."""
    cells = find_cells(reader.rows, documents, "BRIDGING")
    marks = _marks(reader, cells.text)
    opens = (marks.byte != _BAR) & (marks.byte != _EQUALS)
    features = reader.features(marks, cells.text, opens, _BRIDGING)
    # Text without `=` is not an entry.
    entry = np.cumsum(opens)[marks.byte == _EQUALS] - 1
    entry = entry[starts_of_runs(entry)]
    cell = marks.text[opens][entry]
    anaphor, anchor, relation = (features[name].take(entry) for name in _BRIDGING)
    rows = _rows(markables, cells.document[cell], anaphor, anchor)
    known = (rows[0] >= 0) & (rows[1] >= 0)
    for at in np.flatnonzero(~known).tolist():
        names = reader.decode_one(anaphor, at), reader.decode_one(anchor, at)
        problem = "anaphor" if rows[0][at] < 0 else "anchor" if names[1] else "no-anchor"
        byte, document = int(cells.text.begin[cell[at]]), int(cells.document[cell[at]])
        values = {"anaphor": quote(names[0]), "anchor": quote(names[1])}
        text = reader.decode_one(cells.text, int(cell[at]))
        incidents.note(
            "bridge-unknown",
            problem,
            byte=byte,
            document=document,
            found=partial(shorten, text),
            **values,
        )
    pairs = np.flatnonzero(known)
    last = {words: at for at, words in enumerate(_words(markables, rows[0][pairs]))}
    kept = pairs[sorted(last.values())]
    return rows[0][kept], rows[1][kept], reader.decode(relation.take(kept))


def _marks(reader: TextReader, texts: TextBounds) -> FeatureMarks:
    """The marks of the cells; the beginnings of cells and `@` count as marks, too."""
    marks = reader.find_marks(texts)
    numbers, begin = np.arange(len(texts.begin)), texts.begin - 1
    every = [marks, FeatureMarks(numbers, begin, np.full(len(begin), _START, dtype=np.uint8))]
    if b"@" in reader.rows.data:
        place = find_byte(reader.rows.buffer, _JOINT)
        text = np.searchsorted(texts.begin, place, side="right") - 1
        inside = np.flatnonzero((text >= 0) & (place < np.append(texts.end, 0)[text]))
        byte = np.full(len(inside), _JOINT, dtype=np.uint8)
        every.append(FeatureMarks(text[inside], place[inside], byte))
    joined = FeatureMarks(*map(np.concatenate, zip(*every, strict=True)))
    return joined.take(np.argsort(joined.place))


def _rows(
    markables: Markables, document: IntArray, anaphor: TextBounds, anchor: TextBounds
) -> tuple[IntArray, IntArray]:
    """The markables with these names; −1 if there is none."""
    both = TextBounds(np.append(anaphor.begin, anchor.begin), np.append(anaphor.end, anchor.end))
    opening = markables.names.find(np.append(document, document), both)
    known = (opening >= 0) & (both.length > 0)
    rows = np.where(known, np.append(markables.row, -1)[opening], -1)
    return rows[: len(document)], rows[len(document) :]


def _words(markables: Markables, rows: IntArray) -> Iterator[object]:
    """For each of these markables a value that is equal for those with the same words."""
    columns = markables.document, markables.start, markables.end, markables.zero
    places = zip(*(column[rows].tolist() for column in columns), strict=True)
    if not markables.fragments:
        return places
    return zip(places, (_gaps(markables, row) for row in rows.tolist()), strict=True)


def _gaps(markables: Markables, row: int) -> frozenset[int]:
    """The tokens between the first and the last of a markable that are not part of it."""
    if row not in markables.fragments:
        return frozenset()
    within = range(int(markables.start[row]), int(markables.end[row]) + 1)
    return frozenset(within).difference(*(range(a, b + 1) for a, b in markables.fragments[row]))

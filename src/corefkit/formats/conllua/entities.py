"""The entities of a layer, which are non-referring, which are elements of others, and bridging.

BRIDGING is a column of pairs, each of an anaphor and its anchor, both markables of IDENTITY:

    (MarkableID=m3|Rel=part|MentionAnchor=m1)
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from corefkit.core.carriers import frozen
from corefkit.core.texts import quote, shorten
from corefkit.formats.conllua.markables import LayerIncidents, Opening, features_of
from corefkit.formats.conllua.rows import Rows

_PSEUDO = re.compile(r"[-_]pseudo\Z", re.IGNORECASE)
"""The end of the ids of entities that do not refer, `-Pseudo`, and its misspellings."""

ElementPair = tuple[int, int]
"""A plural entity and one of its elements, both given by number."""

Bridge = tuple[int, int, str]
"""The markables of an anaphor and of its anchor, and the relation."""


@frozen(eq=False)
class LayerEntities:
    """The entities, in the order of their first openings.

    Attributes:
        of_markable: the entity of each markable.
        labels: the EntityIDs.
        number: document and EntityID → the number of the entity.
    """

    of_markable: list[int]
    labels: list[str]
    number: dict[tuple[int, str], int]


def find_entities(markables: Iterable[Sequence[Opening]]) -> LayerEntities:
    """The entities of the markables."""
    number: dict[tuple[int, str], int] = {}
    of_markable = [
        number.setdefault((parts[0].document, parts[0].entity), len(number)) for parts in markables
    ]
    return LayerEntities(of_markable, [label for _, label in number], number)


def find_referring(
    markables: Iterable[Sequence[Opening]], entities: LayerEntities, incidents: LayerIncidents
) -> list[bool]:
    """Whether each markable refers: not those of -Pseudo entities, whose misuse is reported."""
    endings = [_PSEUDO.search(label) for label in entities.labels]
    seen, referring = set[int](), list[bool]()
    for parts, entity in zip(markables, entities.of_markable, strict=True):
        first, ending, label = parts[0], endings[entity], entities.labels[entity]
        if ending and ending[0][0] == "_":
            spelling = quote(label[: ending.start()] + "-" + ending[0][1:])
            values = {"label": quote(label), "spelling": spelling}
            incidents.note_opening("pseudo-misspelt", first, **values)
        elif ending and entity in seen:
            incidents.note_opening("pseudo-shared", first, label=quote(label))
        seen.add(entity)
        referring.append(ending is None)
    return referring


def find_elements(
    openings: Iterable[Opening], entities: LayerEntities, incidents: LayerIncidents
) -> list[ElementPair]:
    """The plurals and their elements, from ElementOf; unknown plurals and cycles are reported."""
    first: dict[ElementPair, Opening] = {}
    for opening in openings:
        names = opening.values.get("elementof", "") if opening.markable >= 0 else ""
        for name in filter(None, map(str.strip, names.split(","))) if names else ():
            plural = entities.number.get((opening.document, name))
            if plural is None:
                incidents.note_opening("element-unknown", opening, entity=quote(name))
            else:
                first.setdefault((plural, entities.of_markable[opening.markable]), opening)
    _check_cycles(first, entities, incidents)
    return [*first]


def _check_cycles(
    first: dict[ElementPair, Opening], entities: LayerEntities, incidents: LayerIncidents
) -> None:
    """Report, once per document, entities that are elements of themselves."""
    documents = defaultdict[int, dict[int, list[int]]](lambda: defaultdict(list))
    for (plural, element), opening in first.items():
        documents[opening.document][plural].append(element)
    order = {pair: number for number, pair in enumerate(first)}
    for elements in documents.values():
        try:
            TopologicalSorter(elements).prepare()
        except CycleError as error:
            cycle: list[int] = error.args[1]  # each is an element of the next one
            pairs = [(plural, element) for element, plural in pairwise(cycle)]
            at = min(range(len(pairs)), key=lambda place: order[pairs[place]])
            labels = [quote(entities.labels[plural]) for plural, _ in (*pairs[at:], *pairs[:at])]
            values = {"entity": labels[-1], "chain": ", which is an element of ".join(labels)}
            variant = "" if len(pairs) > 1 else "itself"
            incidents.note_opening("element-cycle", first[pairs[at]], variant, **values)


def read_bridging(
    rows: Rows,
    openings: Iterable[Opening],
    markables: Sequence[Sequence[Opening]],
    words: Sequence[Sequence[int]],
    incidents: LayerIncidents,
) -> list[Bridge]:
    """The bridging pairs; if an anaphor, or its words, have several, the last one counts.

    `words` are the tokens of each markable.
    """
    cells = rows.filled("BRIDGING")
    named: dict[tuple[int, str], int] = {}
    for opening in openings if cells else ():
        named.setdefault((opening.document, opening.name), opening.markable)
    found: dict[object, Bridge] = {}
    for node, byte, cell in cells:
        document = int(rows.document[node])
        for part in re.split(r"[()@]", cell):
            if "=" not in part:
                continue
            values, _, name = features_of(part)
            names = name, values.get("mentionanchor", "")
            anaphor, anchor = (named.get((document, n), -1) if n else -1 for n in names)
            if anaphor < 0 or anchor < 0:
                problem = "anaphor" if anaphor < 0 else "anchor" if names[1] else "no-anchor"
                details = {"anaphor": quote(names[0]), "anchor": quote(names[1])}
                shown = shorten(cell)
                incidents.note("bridge-unknown", node, byte, problem, found=shown, **details)
                continue
            same = document, int(rows.zero[markables[anaphor][0].node]), words[anaphor]
            found.pop(same, None)  # pairs are in the order of those that count
            found[same] = anaphor, anchor, values.get("rel", "")
    return [*found.values()]

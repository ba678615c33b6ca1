"""Bridge and SplitAnte: relations between entities other than identity."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from corefkit.core.arrays import IntArray, among, tuples
from corefkit.core.links import KINDS, Links
from corefkit.core.texts import shorten
from corefkit.formats.columns.incidents import RowIncidents
from corefkit.formats.conllu.brackets import MiscValues
from corefkit.formats.conllu.mentions import EntityMentions
from corefkit.formats.conllu.nodes import Nodes
from corefkit.formats.conllu.tokens import ConlluLayout

BRIDGE, SPLIT = RELATIONS = (b"Bridge", b"SplitAnte")
_SPLIT, _BRIDGING = KINDS.index("split"), KINDS.index("bridging-entity")
_FORBIDDEN = frozenset("()|-[]<>:,= \t")

EntityRelation = tuple[int, int, int, str]
NoteHere = Callable[..., None]
"""Notes an incident of one attribute: its kind and its details."""


def read_relations(
    layout: ConlluLayout,
    mentions: EntityMentions,
    attributes: Sequence[MiscValues],
    incidents: RowIncidents,
) -> Links | None:
    """The relations of a file; `attributes` are the values of both attributes.

    What is wrong with them is reported.
    """
    if not any(len(values.row) for values in attributes):
        return None
    lines, nodes = layout.lines, layout.nodes
    reader = _RelationReader(nodes, mentions, np.concatenate([values.row for values in attributes]))
    for name, values in zip(RELATIONS, attributes, strict=True):
        seen: set[int] = set()
        for row, start, end in tuples(values.row, values.start, values.end):
            node = int(nodes.of_row[row])
            text = lines.data[start:end].decode("utf-8", "replace")
            place = start - len(name) - 1
            note = partial(_note, incidents, place, f"{name.decode()}={text}")
            if node < 0:
                note("entity-on-token-range", "line")
                continue
            if row in seen:
                note("attribute-twice", name=name.decode())
            seen.add(row)
            reader.read(name, node, text, note)
    return reader.links()


def _note(
    incidents: RowIncidents, place: int, found: str, kind: str, variant: str = "", **values: Any
) -> None:
    incidents.note(
        kind, variant, at=incidents.at_byte(place), found=partial(shorten, found), **values
    )


class _RelationReader:
    def __init__(self, nodes: Nodes, mentions: EntityMentions, rows: IntArray) -> None:
        """`rows` are those in which relations stand."""
        self._nodes = nodes
        concerned = nodes.of_row[rows]
        concerned = concerned[concerned >= 0]
        document = np.zeros(len(mentions.labels), dtype=np.int64)
        document[mentions.entity] = nodes.document[mentions.first]
        entities = np.flatnonzero(among(document, nodes.document[concerned]))
        names = tuples(document[entities], entities)
        self._entity = {(number, mentions.labels[e]): e for number, e in names}
        # Of several mentions of an entity that begin at one node, the first one counts.
        begins = np.flatnonzero(among(mentions.first, concerned))
        begins = begins[np.argsort(mentions.bracket[begins])[::-1]]
        places = tuples(mentions.first[begins], mentions.entity[begins])
        self._begins = dict(zip(places, begins.tolist(), strict=True))
        self._links: list[EntityRelation] = []

    def read(self, name: bytes, node: int, text: str, note: NoteHere) -> None:
        """The relations of one cell."""
        pairs: set[tuple[str, str]] = set()
        antecedents: dict[str, int] = {}
        for piece in text.split(","):
            antecedent, sign, rest = piece.partition("<")
            anaphor, colon, relation = rest.partition(":")
            if name == SPLIT and colon:
                anaphor = ""
            if not sign or not _is_id(antecedent) or not _is_id(anaphor):
                note("relation-bad", name=name.decode(), piece=piece)
                continue
            antecedents[anaphor] = antecedents.get(anaphor, 0) + 1
            if (antecedent, anaphor) in pairs:
                note("relation-twice", antecedent=antecedent, anaphor=anaphor)
                antecedents[anaphor] -= 1
                continue
            pairs.add((antecedent, anaphor))
            if link := self._relate(node, antecedent, anaphor, note):
                row, source, target = link
                self._links.append(
                    (_SPLIT, source, target, "")
                    if name == SPLIT
                    else (_BRIDGING, row, target, relation)
                )
        for anaphor, number in antecedents.items() if name == SPLIT else ():
            if number == 1:
                note("antecedent-alone", anaphor=anaphor)

    def _relate(
        self, node: int, antecedent: str, anaphor: str, note: NoteHere
    ) -> tuple[int, int, int] | None:
        """The mention and the entity of the anaphor, and the entity of the antecedent."""
        document = int(self._nodes.document[node])
        source = self._entity.get((document, anaphor))
        target = self._entity.get((document, antecedent))
        row = None if source is None else self._begins.get((node, source))
        if antecedent == anaphor:
            note("relation-to-itself", entity=anaphor)
        elif source is None or row is None:
            note("relation-misplaced", entity=anaphor)
        elif target is None:
            note("relation-unknown", entity=antecedent)
        else:
            return row, source, target
        return None

    def links(self) -> Links | None:
        """All relations as columns."""
        if not self._links:
            return None
        kind, source, target = np.array([x[:3] for x in self._links], dtype=np.int64).T
        return Links(kind, source, target, tuple(label for *_, label in self._links))


def _is_id(text: str) -> bool:
    return bool(text) and not _FORBIDDEN & set(text)

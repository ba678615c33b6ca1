"""CorefUD 1.x files: CoNLL-U whose MISC column holds `Entity=`, `Bridge=` and `SplitAnte=`."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from corefkit.core.arrays import IntArray, among, starts_of_runs, stretches, tuples
from corefkit.core.corpus import Corpus
from corefkit.core.links import KINDS, Links
from corefkit.core.mention_columns import Ragged
from corefkit.core.texts import shorten
from corefkit.formats.conllu.brackets import EntityBracket, MiscValues, find_brackets, find_values
from corefkit.formats.conllu.dependency_trees import read_dependencies
from corefkit.formats.conllu.incidents import check_file, check_structure
from corefkit.formats.conllu.lines import DEFAULT, find_headers, find_lines
from corefkit.formats.conllu.mentions import EntityMentions, MentionReader
from corefkit.formats.conllu.nodes import Nodes, find_nodes
from corefkit.formats.conllu.source import ConlluLayout, ConlluSource
from corefkit.formats.kit.row_incidents import RowIncidents


def parse(data: bytes, path: str) -> Corpus:
    """The corpus in the bytes of one file; its incidents are all problems of the file.

    If there are errors, the corpus holds what could be read; it must not be scored.
    """
    layout, incidents = find_layout(data, path)
    lines, headers, nodes = layout.lines, layout.headers, layout.nodes
    values, *relations = find_values(lines, b"Entity", *RELATIONS)
    _check_values(layout, values, incidents)
    brackets = find_brackets(lines.data, values, max(headers.declaration.entity, 0))
    mentions = MentionReader(lines, nodes, headers, brackets, incidents).read()
    dependencies = read_dependencies(lines, nodes, mentions, incidents)
    links = read_relations(layout, mentions, relations, incidents)
    check_file(layout, len(mentions.first), incidents)
    source = ConlluSource(path, lines.data, 0, len(headers.names))
    source.cache["layout"] = layout
    corpus = _corpus(layout, brackets, mentions)
    return replace(
        corpus,
        sources=(source,),
        dependencies=dependencies,
        links=links,
        incidents=tuple(incidents),
    )


def find_layout(data: bytes, path: str) -> tuple[ConlluLayout, RowIncidents]:
    """The lines, documents and nodes of a file, and their incidents."""
    lines = find_lines(data)
    incidents = RowIncidents(path, lines.data, lines.start, lines.text)
    headers = find_headers(lines, incidents)
    nodes = find_nodes(lines, headers.block_document, len(headers.names))
    layout = ConlluLayout(lines, headers, nodes)
    check_structure(layout, incidents)
    return layout, incidents


def _corpus(
    layout: ConlluLayout, brackets: Sequence[EntityBracket], mentions: EntityMentions
) -> Corpus:
    nodes, lines = layout.nodes, layout.lines
    opening = [brackets[at] for at in mentions.bracket.tolist()]
    first, last = mentions.first, mentions.last
    empties = nodes.empties_before[last + 1] - nodes.empties_before[first]
    alone = (mentions.size == 1) & (empties == 1)
    zero = np.where(alone, nodes.zero[first], 0)
    return Corpus(
        names=layout.headers.names,
        tokens=np.diff(nodes.document_word),
        document=nodes.document[first],
        start=nodes.token[first],
        end=nodes.token[last],
        entity=mentions.entity,
        labels=mentions.labels,
        document_byte=lines.start[layout.headers.begin],
        byte=np.array([bracket.place for bracket in opening], np.int64),
        line=lines.rows[np.array([bracket.row for bracket in opening], np.int64)] + 1,
        zero=zero if alone.any() else None,
        head=nodes.token[mentions.head],
        head_zero=nodes.zero[mentions.head],
        parts=_parts(nodes, mentions, np.flatnonzero((empties > 0) & ~alone)),
    )


def _parts(nodes: Nodes, mentions: EntityMentions, mixed: IntArray) -> Ragged | None:
    """The nodes of discontinuous mentions, and of those `mixed` from words and empty nodes."""
    listed = np.zeros(len(mentions.first), dtype=bool)
    listed[mentions.parts[:, 0]] = True
    hulls = mixed[~listed[mixed]]
    whole = np.stack((hulls, mentions.first[hulls], mentions.last[hulls]), axis=1)
    parts = np.concatenate((mentions.parts, whole))
    if not len(parts):
        return None
    parts = parts[np.argsort(parts[:, 0], kind="stable")]
    ragged = _listed(nodes, parts)
    # Parts on both sides of an empty node that is not in the mention may be one run of words.
    begin, last = ragged.first[:-1], ragged.first[1:] - 1
    words = np.add.reduceat(ragged.zero == 0, begin, dtype=np.int64)
    run = (words == last - begin + 1) & (ragged.token[last] - ragged.token[begin] == last - begin)
    if not run.any():
        return ragged
    listed[ragged.row[~run]], listed[ragged.row[run]] = True, False
    return None if run.all() else _listed(nodes, parts[listed[parts[:, 0]]])


def _listed(nodes: Nodes, parts: IntArray) -> Ragged:
    """The nodes of parts (mention, first node, last node), which are sorted by mention."""
    mention, first, last = parts.T
    length = last - first + 1
    node = stretches(first, length)
    starts = starts_of_runs(mention)
    begin = np.append((np.cumsum(length) - length)[starts], len(node))
    return Ragged(mention[starts], begin, nodes.token[node], nodes.zero[node])


def _check_values(layout: ConlluLayout, values: MiscValues, incidents: RowIncidents) -> None:
    """Report problems of the values of Entity that do not concern their brackets."""
    lines, nodes, declaration = layout.lines, layout.nodes, layout.headers.declaration
    if len(values.row):
        first = int(lines.rows[values.row[0]])
        if declaration.line < 0 or declaration.line > first:
            expected = f"# global.Entity = {DEFAULT} before the first sentence"
            incidents.note("declaration-missing", at=incidents.at_line(first), expected=expected)
    else:
        for old in find_values(lines, b"ClusterId", b"MentionSpan"):
            if len(old.row):
                line = int(lines.rows[old.row[0]])
                incidents.note(
                    "format-old", at=incidents.at_line(line), expected="Entity= of CorefUD 1.x"
                )
                break
    is_range = np.zeros(len(lines.rows), dtype=bool)
    is_range[nodes.ranges] = True
    expected = "Entity on words and empty nodes only"
    for i in np.flatnonzero(is_range[values.row]).tolist():
        incidents.note(
            "entity-on-token-range", at=incidents.at_byte(int(values.start[i])), expected=expected
        )
    for i in np.flatnonzero(values.end == values.start).tolist():
        incidents.note("entity-bad", "nothing", at=incidents.at_byte(int(values.start[i])))
    again = np.flatnonzero(values.row[1:] == values.row[:-1]) + 1
    for i in again.tolist():
        incidents.note("attribute-twice", at=incidents.at_byte(int(values.start[i])), name="Entity")


BRIDGE, SPLIT = RELATIONS = (b"Bridge", b"SplitAnte")
_SPLIT, _BRIDGING = KINDS.index("split"), KINDS.index("bridging-entity")
_FORBIDDEN = frozenset("()|-[]<>:,= \t")

EntityRelation = tuple[int, int, int, str]
NoteHere = Callable[..., None]
"""Notes an incident at one attribute, given its kind and details."""


def read_relations(
    layout: ConlluLayout,
    mentions: EntityMentions,
    attributes: Sequence[MiscValues],
    incidents: RowIncidents,
) -> Links | None:
    """The relations of a file; `attributes` are the values of RELATIONS, in this order.

    Problems are reported.
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
    """Reads relations; `rows` are those that have any."""

    def __init__(self, nodes: Nodes, mentions: EntityMentions, rows: IntArray) -> None:
        self._nodes = nodes
        concerned = nodes.of_row[rows]
        concerned = concerned[concerned >= 0]
        document = np.zeros(len(mentions.labels), dtype=np.int64)
        document[mentions.entity] = nodes.document[mentions.first]
        entities = np.flatnonzero(among(document, nodes.document[concerned]))
        names = tuples(document[entities], entities)
        self._entity = {(number, mentions.labels[e]): e for number, e in names}
        # If several mentions of an entity begin at one node, the first one counts.
        begins = np.flatnonzero(among(mentions.first, concerned))
        begins = begins[np.argsort(mentions.bracket[begins])[::-1]]
        places = tuples(mentions.first[begins], mentions.entity[begins])
        self._begins = dict(zip(places, begins.tolist(), strict=True))
        self._links: list[EntityRelation] = []

    def read(self, name: bytes, node: int, text: str, note: NoteHere) -> None:
        """Read the relations of one cell."""
        pairs: set[tuple[str, str]] = set()
        antecedents: dict[str, int] = {}
        for piece in text.split(","):
            antecedent, sign, after = piece.partition("<")
            anaphor, colon, relation = after.partition(":")
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
        """The mention and the entity of the anaphor, and the entity of the antecedent.

        None, and an incident, if the relation is wrong.
        """
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
        """All relations as columns; None if there are none."""
        if not self._links:
            return None
        kind, source, target = np.array([x[:3] for x in self._links], dtype=np.int64).T
        return Links(kind, source, target, tuple(label for *_, label in self._links))


def _is_id(text: str) -> bool:
    return bool(text) and not _FORBIDDEN & set(text)

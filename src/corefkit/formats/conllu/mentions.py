"""From brackets to mentions: pairs, parts, heads and entities."""

from collections.abc import Callable
from functools import partial
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray, distinct, ranks_of, tuples
from corefkit.core.carriers import frozen
from corefkit.core.texts import shorten
from corefkit.formats.columns.brackets import CLOSE, TEXT, BracketPairs, pair_brackets
from corefkit.formats.columns.buffer import RowIncidents
from corefkit.formats.columns.interning import intern
from corefkit.formats.conllu.brackets import EntityBrackets, EntityIds, read_heads, read_ids
from corefkit.formats.conllu.incidents import (
    ETYPES,
    find_crossing,
    find_second_types,
    find_unknown_types,
)
from corefkit.formats.conllu.lines import ConlluLines, Headers
from corefkit.formats.conllu.nodes import Nodes

_EXPECTED = {
    "entity-bad": "(e1, e1) or (e1)",
    "id-of-entity-bad": "an id without any of ( ) | - [ ] < > : , = and blanks; "
    "parts as [1/2], [2/2]",
    "bracket-unopened": "an opening bracket with the same id before it in the sentence",
    "bracket-unclosed": "a closing bracket with the same id after it in the sentence",
    "head-bad": "1, 2, 3 …",
    "parts-overlap": "parts in order",
    "entity-in-two-documents": "ids that are unique in the file",
    "mentions-cross": "mentions of one entity apart or one inside the other",
    "etype-unknown": ", ".join(sorted(etype.decode() for etype in ETYPES if etype)),
    "etype-differs": "one type for all mentions of an entity",
}
"""The `expected` of incidents for which it is always the same."""


@frozen(eq=False)
class EntityMentions:
    """The mentions of a file in the order in which they end.

    Attributes:
        first, last: int64 (mentions,), the first and last node.
        size: int64 (mentions,), the number of nodes.
        head: int64 (mentions,), the node that is the head.
        bracket: int64 (mentions,), the number of its (first) opening bracket.
        entity: int64 (mentions,), numbered by first bracket.
        labels: the id of each entity.
        parts: int64 (parts, 3), the parts of discontinuous mentions, in order: the mention, the
            first and the last node of each.
    """

    first: IntArray
    last: IntArray
    size: IntArray
    head: IntArray
    bracket: IntArray
    entity: IntArray
    labels: tuple[str, ...]
    parts: IntArray


NoteAt = Callable[..., None]
"""Notes an incident, given its kind, the number of a bracket, and details."""


class MentionPart(NamedTuple):
    """A part of a mention: its number among all spans, brackets, nodes, head, other values."""

    span: int
    opening: int
    closing: int
    first: int
    last: int
    head: int
    attributes: bytes


class MentionReader:
    """Turns the brackets of one file into mentions."""

    def __init__(
        self,
        lines: ConlluLines,
        nodes: Nodes,
        headers: Headers,
        brackets: EntityBrackets,
        incidents: RowIncidents,
    ) -> None:
        self._lines, self._nodes, self._headers = lines, nodes, headers
        self._brackets, self._incidents = brackets, incidents
        self._ids = read_ids(brackets.ids)
        self._node = nodes.of_row[brackets.row]

    def read(self) -> EntityMentions:
        """The mentions; all problems are reported."""
        block = self._lines.block[self._lines.rows[self._brackets.row]]
        spans = pair_in_sentences(self._brackets, self._usable(), block)
        for number in spans.unopened:
            self._note("bracket-unopened", number, "sentence")
        for number in spans.unclosed:
            self._note("bracket-unclosed", number, "sentence")
        head = self._heads(spans.first)
        part = self._ids.part[self._brackets.id[spans.first]]
        plain = np.flatnonzero(part == 0)
        first, last = self._node[spans.first], self._node[spans.last]
        joined = self._joined(spans, np.flatnonzero(part), head)
        columns = (first, last, last - first + 1, head, spans.first, spans.last)
        whole = np.stack([column[plain] for column in columns], axis=1)
        table = np.array([_columns(parts) for parts in joined], dtype=np.int64).reshape(-1, 6)
        rows = np.concatenate((whole, table))
        order = np.argsort(rows[:, 5], kind="stable")
        parts = np.zeros((0, 3), dtype=np.int64)
        if joined:
            row = np.argsort(order)[len(plain) :]
            ends = [(part.first, part.last) for mention in joined for part in mention]
            length = [len(mention) for mention in joined]
            parts = np.concatenate((np.repeat(row, length)[:, None], ends), axis=1)
            parts = parts[np.argsort(parts[:, 0], kind="stable")]
        return self._made(rows[order], parts)

    def _made(self, columns: IntArray, parts: IntArray) -> EntityMentions:
        first, last, size, head, bracket, _ = columns.T
        entity, labels = self._entities(bracket)
        for row in np.flatnonzero(head > size).tolist():
            at, number, nodes = int(bracket[row]), int(head[row]), int(size[row])
            expected = f"a number from 1 to {nodes}"
            self._note("head-out-of-range", at, head=number, nodes=nodes, expected=expected)
        place = np.minimum(head, size) - 1
        node = first + place
        if len(parts):
            row, begin, end = parts.T
            length = end - begin + 1
            before = np.cumsum(length) - length
            offset = place[row] - (before - before[np.searchsorted(row, row)])
            with_head = np.flatnonzero((offset >= 0) & (offset < length))
            node[row[with_head]] = (begin + offset)[with_head]
        mentions = EntityMentions(first, last, size, node, bracket, entity, labels, parts)
        # Of two crossing mentions of an entity, at least one has parts.
        for row in find_crossing(mentions, self._nodes.block):
            self._note("mentions-cross", int(bracket[row]))
        self._types(mentions)
        return mentions

    def _usable(self) -> BoolArray:
        """Which brackets can be paired; those that cannot be read are reported."""
        brackets = self._brackets
        usable = self._node >= 0
        for number in np.flatnonzero(usable & (brackets.kind == TEXT)).tolist():
            self._note("entity-bad", number)
        usable &= brackets.kind != TEXT
        malformed = self._ids.base[brackets.id] < 0
        for number in np.flatnonzero(usable & malformed).tolist():
            self._note("id-of-entity-bad", number)
        usable &= ~malformed
        names = self._headers.declaration.names
        most = np.where(brackets.kind == CLOSE, 0, len(names) - 1)
        for number in np.flatnonzero(usable & (brackets.values > most)).tolist():
            closing = brackets.kind[number] == CLOSE
            variant = "closing" if closing else ""
            expected = "the id alone" if closing else f"{'-'.join(names)}, as declared"
            given = int(brackets.values[number]) + 1
            self._note("attributes-too-many", number, variant, given=given, expected=expected)
        return usable

    def _heads(self, opening: IntArray) -> IntArray:
        """The head number of each opening bracket."""
        place = self._headers.declaration.head
        if place < 0:
            return np.ones(len(opening), dtype=np.int64)
        number, bad = read_heads(self._lines.buffer, *self._brackets.bounds(place, opening))
        for i in np.flatnonzero(bad).tolist():
            self._note("head-bad", int(opening[i]))
        return number

    def _joined(
        self, spans: BracketPairs, which: IntArray, head: IntArray
    ) -> list[list[MentionPart]]:
        """The parts of each discontinuous mention, in the order in which mentions end."""
        if not len(which):
            return []
        opening, closing = spans.first[which], spans.last[which]
        places = (which, opening, closing, self._node[opening], self._node[closing], head[which])
        parts = map(MentionPart, *(column.tolist() for column in places), self._attributes(opening))
        block = self._lines.block[self._lines.rows[self._brackets.row[opening]]]
        return join_parts(list(parts), block, self._brackets, self._ids, self._note)

    def _attributes(self, opening: IntArray) -> list[bytes]:
        """The text after the first hyphen of each opening bracket, that hyphen included."""
        brackets, data = self._brackets, self._lines.data
        start, stop = brackets.stop[opening], brackets.stop[opening].tolist()
        filled = np.flatnonzero(brackets.values[opening])
        start[filled] = brackets.hyphen[brackets.first[opening[filled]]]
        bounds = zip(start.tolist(), stop, strict=True)
        return [data[begin:end].rstrip(b")").rstrip(b"-") for begin, end in bounds]

    def _entities(self, bracket: IntArray) -> tuple[IntArray, tuple[str, ...]]:
        """The entity of each mention, numbered by first bracket, and the label of each entity.

        The same id in another document is another entity.
        """
        ids, brackets = self._ids, self._brackets
        document = self._nodes.document[self._node[bracket]]
        base = ids.base[brackets.id[bracket]]
        code = document * (len(ids.labels) + 1) + base
        opened = np.argsort(bracket)
        numbered = distinct(code[opened])
        order = np.argsort(numbered.first)
        entity = np.empty_like(bracket)
        entity[opened] = ranks_of(order)[numbered.inverse]
        first = opened[numbered.first[order]]
        labels = tuple(map(ids.labels.__getitem__, base[first].tolist()))
        if not self._headers.declaration.local and len(set(labels)) < len(labels):
            seen: set[str] = set()
            for label, row in zip(labels, first.tolist(), strict=True):
                if label in seen:
                    self._note("entity-in-two-documents", int(bracket[row]), entity=label)
                seen.add(label)
        return entity, labels

    def _types(self, mentions: EntityMentions) -> None:
        """Report unknown types, and entities with several types."""
        place = self._headers.declaration.etype
        if place < 0 or not len(mentions.bracket):
            return
        start, end = self._brackets.bounds(place, mentions.bracket)
        code, values = intern(self._lines.buffer, start, end - start)
        for row in find_unknown_types(code, values):
            etype = values[int(code[row])].decode("utf-8", "replace")
            self._note("etype-unknown", int(mentions.bracket[row]), type=etype)
        for row in find_second_types(mentions, code, values):
            entity = mentions.labels[int(mentions.entity[row])]
            self._note("etype-differs", int(mentions.bracket[row]), entity=entity)

    def _note(self, kind: str, number: int, variant: str = "", **details: Any) -> None:
        """Note an incident at a bracket."""
        place, stop = int(self._brackets.place[number]), int(self._brackets.stop[number])
        if (node := int(self._node[number])) >= 0:
            details["document"] = self._headers.names[int(self._nodes.document[node])]
        details.setdefault("expected", _EXPECTED.get(kind))
        found = self._lines.data[place:stop].decode("utf-8", "replace")
        self._incidents.note(
            kind,
            variant,
            at=self._incidents.at_byte(place),
            **details,
            found=partial(shorten, found),
        )


def pair_in_sentences(brackets: EntityBrackets, usable: BoolArray, block: IntArray) -> BracketPairs:
    """The brackets paired by id within their sentences, in the order of their first brackets.

    `block` is the sentence of each bracket; brackets that are not usable are ignored.
    """
    group = block * (len(brackets.ids) + 1) + brackets.id
    paired = pair_brackets(np.where(usable, brackets.kind, TEXT), group)
    order = np.argsort(paired.first)
    return paired._replace(first=paired.first[order], last=paired.last[order])


def join_parts(
    parts: list[MentionPart],
    block: IntArray,
    brackets: EntityBrackets,
    ids: EntityIds,
    note: NoteAt,
) -> list[list[MentionPart]]:
    """The parts of each mention, in the order in which mentions end.

    `block` is the sentence of each part. A part continues the mention with the same entity,
    sentence and number of parts that has exactly the parts before it; if there are several, the one
    opened last.
    """
    unfinished: dict[tuple[int, int, int, int], list[tuple[int, list[MentionPart]]]] = {}
    name = brackets.id[[part.opening for part in parts]]
    keys = tuples(block, ids.base[name], ids.part[name], ids.parts[name])
    complete: list[list[MentionPart]] = []
    for part, (sentence, base, number, total) in zip(parts, keys, strict=True):
        if number == 1:
            opened, mention = -part.span, [part]
        elif waiting := unfinished.get((sentence, base, total, number - 1)):
            opened, mention = heappop(waiting)
            mention.append(part)
            if part.attributes != mention[0].attributes:
                values = mention[0].attributes.decode("utf-8", "replace") or "none"
                note("part-differs", part.opening, expected=f"{values}, as the first part")
        else:
            expected = f"part {number - 1} of {total} before it in the sentence"
            note("part-unexpected", part.opening, part=number, parts=total, expected=expected)
            continue
        if number < total:
            heappush(unfinished.setdefault((sentence, base, total, number), []), (opened, mention))
        elif all(after.first > before.last for before, after in pairwise(mention)):
            complete.append(mention)
        else:
            note("parts-overlap", mention[0].opening)
    for (_, _, total, so_far), waiting in unfinished.items():
        expected = f"part {so_far + 1} of {total} in the same sentence"
        for _, (first, *_) in sorted(waiting, reverse=True):
            note("part-missing", first.opening, parts=total, first=so_far, expected=expected)
    return complete


def _columns(parts: list[MentionPart]) -> tuple[int, int, int, int, int, int]:
    """First and last node, size, number of the head, first and last bracket of a mention."""
    first, last = parts[0], parts[-1]
    size = sum(part.last - part.first + 1 for part in parts)
    return first.first, last.last, size, last.head, first.opening, last.closing

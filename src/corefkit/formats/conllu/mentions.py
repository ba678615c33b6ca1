"""From brackets to mentions: pairs, parts, heads and entities."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.carriers import frozen
from corefkit.core.texts import shorten
from corefkit.formats.conllu.brackets import EntityBracket, EntityId
from corefkit.formats.conllu.incidents import (
    ETYPES,
    find_crossing,
    find_second_types,
)
from corefkit.formats.conllu.lines import ConlluLines, Headers
from corefkit.formats.conllu.nodes import Nodes
from corefkit.formats.kit.row_incidents import RowIncidents

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
    """A mention, or a part of one: its id, sentence, brackets, nodes, head and other values."""

    id: EntityId
    block: int
    opening: int
    closing: int
    first: int
    last: int
    head: int
    attributes: bytes


_NUMBER = re.compile(rb"\d{1,6}")
"""The number of a head; 0 is none."""


class MentionReader:
    """Turns the brackets of one file into mentions."""

    def __init__(
        self,
        lines: ConlluLines,
        nodes: Nodes,
        headers: Headers,
        brackets: Sequence[EntityBracket],
        incidents: RowIncidents,
    ) -> None:
        self._lines, self._nodes, self._headers = lines, nodes, headers
        self._brackets, self._incidents = brackets, incidents

    def read(self) -> EntityMentions:
        """The mentions; all problems are reported."""
        pairs, unopened, unclosed = self._pairs(self._usable())
        for number in unopened:
            self._note("bracket-unopened", number, "sentence")
        for number in unclosed:
            self._note("bracket-unclosed", number, "sentence")
        spans = [self._part(*pair) for pair in pairs]
        joined = join_parts([span for span in spans if span.id.part], self._note)
        mentions = [[span] for span in spans if not span.id.part] + joined
        mentions.sort(key=lambda parts: parts[-1].closing)
        return self._made(mentions)

    def _node(self, bracket: EntityBracket) -> int:
        """The node of a bracket; −1 for multiword tokens and malformed rows."""
        return int(self._nodes.of_row[bracket.row])

    def _usable(self) -> list[EntityBracket]:
        """The brackets that can be paired; those that cannot be read are reported."""
        names = self._headers.declaration.names
        placed = [bracket for bracket in self._brackets if self._node(bracket) >= 0]
        for bracket in placed:
            if not bracket.opens and not bracket.closes:
                self._note("entity-bad", bracket.number)
        placed = [bracket for bracket in placed if bracket.opens or bracket.closes]
        for bracket in placed:
            if bracket.id is None:
                self._note("id-of-entity-bad", bracket.number)
        usable = [bracket for bracket in placed if bracket.id is not None]
        for bracket in usable:
            given = len(bracket.values)
            if given > (len(names) if bracket.opens else 1):
                variant = "" if bracket.opens else "closing"
                expected = f"{'-'.join(names)}, as declared" if bracket.opens else "the id alone"
                values = {"given": given, "expected": expected}
                self._note("attributes-too-many", bracket.number, variant, **values)
        return usable

    def _pairs(
        self, usable: Iterable[EntityBracket]
    ) -> tuple[list[tuple[EntityBracket, EntityBracket]], list[int], list[int]]:
        """The brackets paired by id within their sentences, in the order of their first brackets.

        Also the numbers of those that close nothing, and of those that are never closed.
        """
        pairs: list[tuple[EntityBracket, EntityBracket]] = []
        unopened: list[int] = []
        waiting = defaultdict[tuple[int, bytes], list[EntityBracket]](list)
        for bracket in usable:
            stack = waiting[self._block(bracket), bracket.id.text if bracket.id else b""]
            if bracket.opens and bracket.closes:
                pairs.append((bracket, bracket))
            elif bracket.opens:
                stack.append(bracket)
            elif stack:
                pairs.append((stack.pop(), bracket))
            else:
                unopened.append(bracket.number)
        unclosed = sorted(bracket.number for stack in waiting.values() for bracket in stack)
        return sorted(pairs, key=lambda pair: pair[0].number), unopened, unclosed

    def _block(self, bracket: EntityBracket) -> int:
        return int(self._nodes.block[self._node(bracket)])

    def _part(self, opening: EntityBracket, closing: EntityBracket) -> MentionPart:
        """The mention, or the part of one, between two brackets."""
        assert opening.id is not None
        head = opening.value(self._headers.declaration.head)
        number = int(head) if _NUMBER.fullmatch(head) else 0
        if head and not number:
            self._note("head-bad", opening.number)
        return MentionPart(
            opening.id,
            self._block(opening),
            opening.number,
            closing.number,
            self._node(opening),
            self._node(closing),
            number or 1,
            opening.others,
        )

    def _made(self, mentions: list[list[MentionPart]]) -> EntityMentions:
        columns = [_columns(parts) for parts in mentions]
        first, last, size, head, bracket = np.array(columns, np.int64).reshape(-1, 5).T
        entity, labels = self._entities(bracket)
        nodes = []
        for parts, number, nodes_here in zip(mentions, head.tolist(), size.tolist(), strict=True):
            if number > nodes_here:
                expected = f"a number from 1 to {nodes_here}"
                values = {"head": number, "nodes": nodes_here, "expected": expected}
                self._note("head-out-of-range", parts[0].opening, **values)
            nodes.append(_node_at(parts, min(number, nodes_here) - 1))
        listed = [
            (row, part.first, part.last)
            for row, parts in enumerate(mentions)
            for part in parts
            if len(parts) > 1
        ]
        parts_of_mentions = np.array(listed, np.int64).reshape(-1, 3)
        head_node = np.array(nodes, np.int64)
        made = EntityMentions(
            first, last, size, head_node, bracket, entity, labels, parts_of_mentions
        )
        # Of two crossing mentions of an entity, at least one has parts.
        for row in find_crossing(made, self._nodes.block):
            self._note("mentions-cross", int(bracket[row]))
        self._types(made)
        return made

    def _entities(self, bracket: IntArray) -> tuple[IntArray, tuple[str, ...]]:
        """The entity of each mention, numbered by first bracket, and the label of each entity.

        The same id in another document is another entity.
        """
        number: dict[tuple[int, str], int] = {}
        first: list[int] = []
        opened = sorted(bracket.tolist())
        of_bracket: dict[int, int] = {}
        for at in opened:
            own = self._brackets[at]
            assert own.id is not None
            key = int(self._nodes.document[self._node(own)]), own.id.label
            if key not in number:
                number[key] = len(number)
                first.append(at)
            of_bracket[at] = number[key]
        labels = tuple(label for _, label in number)
        if not self._headers.declaration.local and len(set(labels)) < len(labels):
            seen: set[str] = set()
            for label, at in zip(labels, first, strict=True):
                if label in seen:
                    self._note("entity-in-two-documents", at, entity=label)
                seen.add(label)
        entity = [of_bracket[at] for at in bracket.tolist()]
        return np.array(entity, dtype=np.int64), labels

    def _types(self, mentions: EntityMentions) -> None:
        """Report unknown types, and entities with several types."""
        place = self._headers.declaration.etype
        if place < 0 or not len(mentions.bracket):
            return
        types = [self._brackets[at].value(place) for at in mentions.bracket.tolist()]
        for row, etype in enumerate(types):
            if etype not in ETYPES:
                shown = etype.decode("utf-8", "replace")
                self._note("etype-unknown", int(mentions.bracket[row]), type=shown)
        for row in find_second_types(mentions, types):
            entity = mentions.labels[int(mentions.entity[row])]
            self._note("etype-differs", int(mentions.bracket[row]), entity=entity)

    def _note(self, kind: str, number: int, variant: str = "", **details: Any) -> None:
        """Note an incident at a bracket."""
        bracket = self._brackets[number]
        if (node := self._node(bracket)) >= 0:
            details["document"] = self._headers.names[int(self._nodes.document[node])]
        details.setdefault("expected", _EXPECTED.get(kind))
        found = self._lines.data[bracket.place : bracket.stop].decode("utf-8", "replace")
        self._incidents.note(
            kind,
            variant,
            at=self._incidents.at_byte(bracket.place),
            **details,
            found=partial(shorten, found),
        )


def join_parts(parts: Sequence[MentionPart], note: NoteAt) -> list[list[MentionPart]]:
    """The parts of each mention, in the order in which mentions end.

    A part continues the mention with the same entity, sentence and number of parts that has exactly
    the parts before it; if there are several, the one opened last.
    """
    unfinished: dict[tuple[int, str, int, int], list[tuple[int, list[MentionPart]]]] = {}
    complete: list[list[MentionPart]] = []
    for part in parts:
        number, total = part.id.part, part.id.parts
        if number == 1:
            opened, mention = -part.opening, [part]
        elif waiting := unfinished.get((part.block, part.id.label, total, number - 1)):
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
            key = part.block, part.id.label, total, number
            heappush(unfinished.setdefault(key, []), (opened, mention))
        elif all(after.first > before.last for before, after in pairwise(mention)):
            complete.append(mention)
        else:
            note("parts-overlap", mention[0].opening)
    for (_, _, total, so_far), waiting in unfinished.items():
        expected = f"part {so_far + 1} of {total} in the same sentence"
        for _, (first, *_) in sorted(waiting, reverse=True):
            note("part-missing", first.opening, parts=total, first=so_far, expected=expected)
    return complete


def _columns(parts: Sequence[MentionPart]) -> tuple[int, int, int, int, int]:
    """First and last node, size, number of the head, first bracket of a mention."""
    first, last = parts[0], parts[-1]
    size = sum(part.last - part.first + 1 for part in parts)
    return first.first, last.last, size, last.head, first.opening


def _node_at(parts: Iterable[MentionPart], place: int) -> int:
    """The node at a place, from 0, among those of a mention."""
    for part in parts:
        size = part.last - part.first + 1
        if place < size:
            return part.first + place
        place -= size
    raise IndexError(place)

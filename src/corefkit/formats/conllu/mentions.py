"""The values of Entity: brackets, which become mentions with parts, heads and entities.

    Entity=(e1-person-2-(e2[1/2]--1)e3)

A bracket holds values joined by hyphens, in the order of the declaration. One of them is the id of
the entity, which may mark part 1 of 2 of a mention, as in `(e5[1/2]-person-1-`.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import chain, islice, pairwise
from typing import Any, NamedTuple

from corefkit.core.texts import shorten
from corefkit.formats.conllu.rows import DEFAULT, MISC, NO_NODE, ConlluFile, ConlluRow

ETYPES = frozenset(
    [
        "person",
        "place",
        "organization",
        "animal",
        "plant",
        "object",
        "substance",
        "time",
        "number",
        "abstract",
        "event",
        "other",
    ]
) | {""}
"""The entity types; an empty one is allowed."""

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
    "etype-unknown": ", ".join(sorted(ETYPES - {""})),
    "etype-differs": "one type for all mentions of an entity",
}
"""The `expected` of incidents for which it is always the same."""

_PIECE = re.compile(r"(\()?([^()]*)(\))?")
_ID = re.compile(r"([^()|\s\[\]<>:,=-]+)(?:\[([1-9]\d{0,5})/([1-9]\d{0,5})\])?", re.ASCII)
_OLD = ("ClusterId", "MentionSpan")
"""Attributes of CorefUD 0.x."""
_NOBODY = -1
_NUMBER = re.compile(r"[0-9]{1,6}")
"""The number of a head; 0 is none."""

Runs = Sequence[tuple[int, int]]
"""The first and the last node of each run of nodes of a mention, in order."""


class EntityId(NamedTuple):
    """The id of an entity as written, without its `[part/parts]`, and these; 0 for ids without."""

    text: str
    label: str
    part: int
    parts: int


def read_id(text: str) -> EntityId | None:
    """An id; None if it is malformed.

    >>> read_id("e1[2/3]")
    EntityId(text='e1[2/3]', label='e1', part=2, parts=3)
    >>> read_id("e<")
    """
    match = _ID.fullmatch(text)
    if match is None:
        return None
    part, parts = (int(match[2]), int(match[3])) if match[2] else (0, 0)
    return None if match[2] and not part <= parts > 1 else EntityId(text, match[1], part, parts)


class Bracket(NamedTuple):
    """A bracket, or text between brackets, which has neither parenthesis.

    Attributes:
        number: its number in the file.
        row, column: its row, and its place in the line.
        text: all of it.
        opens, closes: whether it begins with "(" and ends with ")".
        values: the values between the parentheses, which hyphens separate.
        id: the id, which is the first value of a closing bracket; None if it is malformed.
    """

    number: int
    row: ConlluRow
    column: int
    text: str
    opens: bool
    closes: bool
    values: list[str]
    id: EntityId | None

    def value(self, place: int) -> str:
        """The value at a place of the declaration; empty if it is left out."""
        return self.values[place] if 0 <= place < len(self.values) else ""


class MentionPart(NamedTuple):
    """A mention, or a part of one: its id, brackets and the number of its head in the mention."""

    id: EntityId
    opening: Bracket
    closing: Bracket
    head: int

    @property
    def first(self) -> int:
        """The first node."""
        return self.opening.row.node

    @property
    def last(self) -> int:
        """The last node."""
        return self.closing.row.node


@dataclass(eq=False, slots=True)
class EntityMention:
    """A mention: its parts, the number of its entity, and the node that is its head."""

    parts: list[MentionPart]
    entity: int = -1
    head: int = -1

    @property
    def opening(self) -> Bracket:
        """Its first bracket."""
        return self.parts[0].opening

    @property
    def runs(self) -> list[tuple[int, int]]:
        """The first and last node of each part."""
        return [(part.first, part.last) for part in self.parts]


def values_of(file: ConlluFile, name: str) -> Iterator[tuple[ConlluRow, str, int]]:
    """Each value of an attribute in MISC, with its row and its place in the line."""
    for row in [row for row in file.rows if name in row.cells[MISC]]:
        place = sum(map(len, row.cells[:MISC])) + MISC
        for item in row.cells[MISC].split("|"):
            if item.startswith(name + "="):
                yield row, item[len(name) + 1 :], place + len(name) + 1
            place += len(item) + 1


class MentionReader:
    """Reads the mentions of a file; all problems are reported.

    Attributes:
        mentions: all of them, in the order in which they end.
        labels: the id of each entity, in the order of their first brackets.
    """

    def __init__(self, file: ConlluFile) -> None:
        self._file, self._declaration = file, file.declaration
        pairs = self._paired(self._usable(self._brackets()))
        parts = [self._part(*pair) for pair in pairs]
        joined = self._joined([part for part in parts if part.id.part])
        self.mentions = [EntityMention([part]) for part in parts if not part.id.part] + joined
        self.mentions.sort(key=lambda mention: mention.parts[-1].closing.number)
        self.labels: list[str] = []
        self._find_entities()
        for mention in self.mentions:
            self._find_head(mention)
        self._check_crossing()
        self._check_types()

    def _brackets(self) -> list[Bracket]:
        """The brackets of words and empty nodes, and the texts between them."""
        brackets: list[Bracket] = []
        ids: dict[str, EntityId | None] = {}
        place_of_id = max(self._declaration.entity, 0)
        for row, value, place in self._values():
            for match in _PIECE.finditer(value) if row.node != NO_NODE else ():
                text, opens, closes = match[0], bool(match[1]), bool(match[3])
                if not text:
                    continue
                values, column = match[2].split("-"), place + match.start()
                at = place_of_id if opens else 0
                name = values[at] if at < len(values) else ""
                if name not in ids:
                    ids[name] = read_id(name)
                number = len(brackets)
                brackets.append(
                    Bracket(number, row, column, text, opens, closes, values, ids[name])
                )
        return brackets

    def _values(self) -> list[tuple[ConlluRow, str, int]]:
        """The values of Entity, with their rows and their places in these."""
        file = self._file
        found = [*values_of(file, "Entity")]
        if not found:
            for row, *_ in islice(chain(*(values_of(file, name) for name in _OLD)), 1):
                file.note("format-old", row.line, expected="Entity= of CorefUD 1.x")
        elif not 0 <= self._declaration.line <= found[0][0].line:
            expected = f"# global.Entity = {DEFAULT} before the first sentence"
            file.note("declaration-missing", found[0][0].line, expected=expected)
        before = None
        for row, value, place in found:
            if row.is_range:
                expected = "Entity on words and empty nodes only"
                file.note("entity-on-token-range", row.line, column=place, expected=expected)
            if not value:
                file.note("entity-bad", row.line, "nothing", place)
            if row is before:
                file.note("attribute-twice", row.line, column=place, name="Entity")
            before = row
        return found

    def _usable(self, brackets: Sequence[Bracket]) -> Iterator[Bracket]:
        """The brackets that can be paired; those that cannot be read are reported."""
        names = self._declaration.names
        for bracket in brackets:
            if not bracket.opens and not bracket.closes:
                self._note("entity-bad", bracket)
                continue
            if bracket.id is None:
                self._note("id-of-entity-bad", bracket)
                continue
            if len(bracket.values) > (len(names) if bracket.opens else 1):
                variant = "" if bracket.opens else "closing"
                expected = f"{'-'.join(names)}, as declared" if bracket.opens else "the id alone"
                given = len(bracket.values)
                self._note("attributes-too-many", bracket, variant, given=given, expected=expected)
            yield bracket

    def _paired(self, usable: Iterator[Bracket]) -> list[tuple[Bracket, Bracket]]:
        """The brackets paired by id within their sentences, in the order of their first ones."""
        pairs: list[tuple[Bracket, Bracket]] = []
        unopened: list[Bracket] = []
        waiting = defaultdict[tuple[int, str], list[Bracket]](list)
        for bracket in usable:
            stack = waiting[bracket.row.sentence, bracket.id.text if bracket.id else ""]
            if bracket.opens and bracket.closes:
                pairs.append((bracket, bracket))
            elif bracket.opens:
                stack.append(bracket)
            elif stack:
                pairs.append((stack.pop(), bracket))
            else:
                unopened.append(bracket)
        for bracket in unopened:
            self._note("bracket-unopened", bracket, "sentence")
        for bracket in sorted(bracket for stack in waiting.values() for bracket in stack):
            self._note("bracket-unclosed", bracket, "sentence")
        return sorted(pairs)

    def _part(self, opening: Bracket, closing: Bracket) -> MentionPart:
        """The mention, or the part of one, between two brackets."""
        assert opening.id is not None
        head = opening.value(self._declaration.head)
        number = int(head) if _NUMBER.fullmatch(head) else 0
        if head and not number:
            self._note("head-bad", opening)
        return MentionPart(opening.id, opening, closing, number or 1)

    def _joined(self, parts: Sequence[MentionPart]) -> list[EntityMention]:
        """The mentions with several parts.

        A part continues the mention with the same entity, sentence and number of parts that has
        exactly the parts before it; if there are several, the one opened last.
        """
        unfinished: dict[tuple[int, str, int, int], list[tuple[int, list[MentionPart]]]] = {}
        complete: list[EntityMention] = []
        for part in parts:
            number, total = part.id.part, part.id.parts
            of = part.opening.row.sentence, part.id.label, total
            if number == 1:
                opened, mention = -part.opening.number, [part]
            elif waiting := unfinished.get((*of, number - 1)):
                opened, mention = heappop(waiting)
                mention.append(part)
                before = _others(mention[0].opening)
                if _others(part.opening) != before:
                    expected = f"{before or 'none'}, as the first part"
                    self._note("part-differs", part.opening, expected=expected)
            else:
                expected = f"part {number - 1} of {total} before it in the sentence"
                self._note(
                    "part-unexpected", part.opening, part=number, parts=total, expected=expected
                )
                continue
            if number < total:
                heappush(unfinished.setdefault((*of, number), []), (opened, mention))
            elif all(after.first > before.last for before, after in pairwise(mention)):
                complete.append(EntityMention(mention))
            else:
                self._note("parts-overlap", mention[0].opening)
        for (_, _, total, so_far), waiting in unfinished.items():
            expected = f"part {so_far + 1} of {total} in the same sentence"
            for opened_part in sorted(waiting, reverse=True):
                opening = opened_part[1][0].opening
                self._note("part-missing", opening, parts=total, first=so_far, expected=expected)
        return complete

    def _find_entities(self) -> None:
        """Number the entities; the same id in another document is another entity."""
        number: dict[tuple[int, str], int] = {}
        seen: set[str] = set()
        for mention in self._as_opened():
            key = mention.opening.row.document, mention.parts[0].id.label
            if key not in number:
                number[key] = len(number)
                if key[1] in seen and not self._declaration.local:
                    self._note("entity-in-two-documents", mention.opening, entity=key[1])
                seen.add(key[1])
            mention.entity = number[key]
        self.labels = [label for _, label in number]

    def _as_opened(self) -> list[EntityMention]:
        """The mentions in the order of their first brackets."""
        return sorted(self.mentions, key=lambda mention: mention.opening.number)

    def _find_head(self, mention: EntityMention) -> None:
        """Find the head, whose number is that of the last part."""
        head, size = mention.parts[-1].head, size_of(mention.runs)
        if head > size:
            expected = f"a number from 1 to {size}"
            values: dict[str, Any] = {"head": head, "nodes": size, "expected": expected}
            self._note("head-out-of-range", mention.opening, **values)
        place = min(head, size) - 1
        for first, last in mention.runs:
            if place <= last - first:
                mention.head = first + place
                return
            place -= last - first + 1

    def _check_crossing(self) -> None:
        """Report mentions that cross another of their entity.

        Brackets nest, so one of two crossing mentions has parts.
        """
        groups = defaultdict[tuple[int, int], list[EntityMention]](list)
        for mention in self._as_opened():
            groups[mention.entity, mention.opening.row.sentence].append(mention)
        for group in groups.values():
            if len(group) > 1 and any(len(mention.parts) > 1 for mention in group):
                runs = {number: mention.runs for number, mention in enumerate(group)}
                for number in crossing(runs):
                    self._note("mentions-cross", group[number].opening)

    def _check_types(self) -> None:
        """Report unknown types, and the first mention of an entity with another type."""
        place = self._declaration.etype
        first: dict[int, str] = {}
        reported: set[int] = set()
        for mention in self._as_opened() if place >= 0 else ():
            opening, entity = mention.opening, mention.entity
            etype = opening.value(place)
            if etype not in ETYPES:
                self._note("etype-unknown", opening, type=etype)
            if etype and first.setdefault(entity, etype) != etype and entity not in reported:
                reported.add(entity)
                self._note("etype-differs", opening, entity=self.labels[entity])

    def _note(self, kind: str, bracket: Bracket, variant: str = "", **details: Any) -> None:
        """Note an incident at a bracket."""
        details.setdefault("expected", _EXPECTED.get(kind))
        document, found = self._file.names[bracket.row.document], shorten(bracket.text)
        place = bracket.row.line, variant, bracket.column
        self._file.note(kind, *place, document=document, found=found, **details)


def _others(opening: Bracket) -> str:
    """The values after the first one, without empty values at the end."""
    return "".join("-" + value for value in opening.values[1:]).rstrip("-")


def size_of(runs: Runs) -> int:
    """How many nodes there are in these runs."""
    return sum(last - first + 1 for first, last in runs)


def crossing(mentions: Mapping[int, Runs]) -> list[int]:
    """The mentions that share nodes with an earlier one although neither is inside the other.

    They are given as mention → runs, and found in this order. Where several cross each other, at
    least one of them is found. Mentions are processed from large to small, and each paints its
    nodes: one that finds several colours crosses the mention that was painted last among these.

    >>> crossing({7: [(1, 1), (3, 3)], 8: [(2, 4)], 9: [(1, 1)]})
    [8]
    """
    rank = {row: number for number, row in enumerate(mentions)}
    painted: dict[int, int] = {_NOBODY: -1}
    colours = _Colours()
    later = set()
    for row in sorted(mentions, key=lambda row: -size_of(mentions[row])):
        under = {
            colour for first, last in mentions[row] for colour in colours.paint(first, last, row)
        }
        if len(under) > 1:
            other = max(under, key=painted.__getitem__)
            later.add(max(row, other, key=rank.__getitem__))
        painted[row] = len(painted)
    return sorted(later, key=rank.__getitem__)


class _Colours:
    """The colour of every node, as runs: a run extends to the beginning of the next."""

    def __init__(self) -> None:
        self._begin = [-1]
        self._colour = [_NOBODY]

    def paint(self, first: int, last: int, colour: int) -> list[int]:
        """Paint nodes; return the colours that they had before."""
        begin, colours = self._begin, self._colour
        start = bisect_right(begin, first) - 1
        stop = bisect_left(begin, last + 1)
        before = colours[start:stop]
        head = [] if begin[start] == first else [start]
        ends = stop < len(begin) and begin[stop] == last + 1
        begin[start:stop] = [*(begin[x] for x in head), first, *([] if ends else [last + 1])]
        colours[start:stop] = [*(colours[x] for x in head), colour, *([] if ends else before[-1:])]
        return before

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
from functools import cached_property, lru_cache
from heapq import heappop, heappush
from itertools import chain, count, islice, pairwise
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.texts import shorten
from corefkit.formats.conllu.rows import DEFAULT, MISC, NO_NODE, ConlluFile, ConlluRow
from corefkit.formats.kit.files import AS_THEY_ARE

ETYPES = frozenset(
    [
        *("person", "place", "organization", "animal", "plant", "object", "substance", "time"),
        *("number", "abstract", "event", "other", ""),
    ]
)
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
    """The id of an entity as written, without its `[part/parts]`, and these; 0 for ids without.

    The label of a malformed id is empty.
    """

    text: str
    label: str
    part: int
    parts: int


@lru_cache(1 << 12)  # most ids stand in several brackets
def read_id(text: str) -> EntityId:
    """An id.

    >>> read_id("e1[2/3]"), read_id("e<").label
    (EntityId(text='e1[2/3]', label='e1', part=2, parts=3), '')
    """
    match = _ID.fullmatch(text)
    if match is None:
        return EntityId(text, "", 0, 0)
    part, parts = (int(match[2]), int(match[3])) if match[2] else (0, 0)
    sound = not match[2] or part <= parts > 1
    return EntityId(text, match[1] if sound else "", part, parts)


_Read = tuple[int, tuple[str, bool, bool, list[str], EntityId]]
"""A bracket in a value: its first byte there, and the fields of Bracket from `text` on."""


@lru_cache(1 << 12)
def read_value(value: str, entity: int) -> list[_Read]:
    """The brackets of a value; `entity` is the place of the id in those that open.

    >>> [(byte, text, id.label) for byte, (text, *_, id) in read_value("e1)(é)(e2-place)", 0)]
    [(0, 'e1)', 'e1'), (3, '(é)', 'é'), (7, '(e2-place)', 'e2')]
    """
    brackets: list[_Read] = []
    byte = 0
    for left, inner, right in _PIECE.findall(value):
        if text := left + inner + right:
            values, at = inner.split("-"), entity if left else 0
            id = read_id(values[at] if at < len(values) else "")
            brackets.append((byte, (text, bool(left), bool(right), values, id)))
            byte += len(text) if text.isascii() else len(text.encode("utf-8", AS_THEY_ARE))
    return brackets


class Bracket(NamedTuple):
    """A bracket, or text between brackets, which has neither parenthesis.

    Attributes:
        number: its number in the file.
        row, byte: its row, and its first byte in the file.
        text: all of it.
        opens, closes: whether it begins with "(" and ends with ")".
        values: the values between the parentheses, which hyphens separate.
        id: the id, which is the first value of a closing bracket.
    """

    number: int
    row: ConlluRow
    byte: int
    text: str
    opens: bool
    closes: bool
    values: list[str]
    id: EntityId

    def value(self, place: int) -> str:
        """The value at a place of the declaration; empty if it is left out."""
        return self.values[place] if 0 <= place < len(self.values) else ""


MentionPart = tuple[Bracket, Bracket]
"""The brackets at which a mention, or a part of one, begins and ends."""


@dataclass(eq=False, slots=True)
class EntityMention:
    """A mention: its parts, the number of its entity, and the node that is its head."""

    parts: list[MentionPart]
    entity: int = -1
    head: int = -1

    @property
    def opening(self) -> Bracket:
        """Its first bracket."""
        return self.parts[0][0]

    @property
    def runs(self) -> list[tuple[int, int]]:
        """The first and last node of each part."""
        return [(opening.row.node, closing.row.node) for opening, closing in self.parts]


def values_of(file: ConlluFile, name: str) -> Iterator[tuple[ConlluRow, str, int]]:
    """Each value of an attribute in MISC, with its row and its first byte in the file."""
    data, sign = file.data, f"{name}=".encode()
    found = np.array([*_places(data, sign)], np.int64) + len(sign)
    begin, end = file.bounds(MISC)
    if not len(found) or not len(begin):
        return
    row = np.searchsorted(begin, found, "right") - 1
    inside = (row >= 0) & (found - len(sign) >= begin[row]) & (found <= end[row])
    found, row = found[inside], row[inside]
    bounds = zip(file.rows_at(row), found.tolist(), end[row].tolist(), strict=True)
    for of_row, first, last in bounds:
        stop = data.find(b"|", first, last)
        value = data[first : last if stop < 0 else stop]
        yield of_row, value.decode("utf-8", AS_THEY_ARE), first


def _places(data: bytes, sign: bytes) -> Iterator[int]:
    """Where this begins an item of a cell."""
    place = data.find(sign)
    while place >= 0:
        if data[place - 1 : place] in (b"\t", b"|"):
            yield place
        place = data.find(sign, place + 1)


class MentionReader:
    """Reads the mentions of a file; all problems are reported.

    Attributes:
        mentions: all of them, in the order in which they end.
        labels: the id of each entity, in the order of their first brackets.
    """

    def __init__(self, file: ConlluFile) -> None:
        self._file, self._declaration = file, file.declaration
        parts = self._paired()
        for opening, _ in parts:
            if opening.value(self._declaration.head) and not self._written_head(opening):
                self._note("head-bad", opening)
        joined = self._joined([part for part in parts if part[0].id.part])
        self.mentions = [EntityMention([part]) for part in parts if not part[0].id.part] + joined
        self.mentions.sort(key=lambda mention: mention.parts[-1][1].number)
        self.labels: list[str] = []
        self._find_entities()
        for mention in self.mentions:
            self._find_head(mention)
        self._check_crossing()
        self._check_types()

    def _written_head(self, opening: Bracket) -> int:
        """The number of the head in a bracket; 0 if it is left out or malformed."""
        return _read_head(opening.value(self._declaration.head))

    def _brackets(self) -> Iterator[Bracket]:
        """The brackets of words and empty nodes; those that cannot be read are reported."""
        number, entity = count(), self._declaration.entity
        for row, value, first in self._values():
            for offset, read in read_value(value, entity) if row.node != NO_NODE else ():
                bracket = Bracket(next(number), row, first + offset, *read)
                if self._is_readable(bracket):
                    yield bracket

    def _is_readable(self, bracket: Bracket) -> bool:
        """Whether a bracket can be paired; too many values are only reported."""
        names = self._declaration.names
        if not bracket.opens and not bracket.closes:
            self._note("entity-bad", bracket)
        elif not bracket.id.label:
            self._note("id-of-entity-bad", bracket)
        elif len(bracket.values) > (len(names) if bracket.opens else 1):
            variant = "" if bracket.opens else "closing"
            expected = f"{'-'.join(names)}, as declared" if bracket.opens else "the id alone"
            given = len(bracket.values)
            self._note("attributes-too-many", bracket, variant, given=given, expected=expected)
        return (bracket.opens or bracket.closes) and bool(bracket.id.label)

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
                file.note("entity-on-token-range", row.line, byte=place, expected=expected)
            if not value:
                file.note("entity-bad", row.line, "nothing", place)
            if row == before:
                file.note("attribute-twice", row.line, byte=place, name="Entity")
            before = row
        return found

    def _paired(self) -> list[MentionPart]:
        """The brackets paired by id within their sentences, in the order of their first ones."""
        pairs: list[MentionPart] = []
        waiting = defaultdict[tuple[int, str], list[Bracket]](list)
        for bracket in self._brackets():
            stack = waiting[bracket.row.sentence, bracket.id.text]
            if bracket.opens and bracket.closes:
                pairs.append((bracket, bracket))
            elif bracket.opens:
                stack.append(bracket)
            elif stack:
                pairs.append((stack.pop(), bracket))
            else:
                self._note("bracket-unopened", bracket, "sentence")
        for bracket in sorted(bracket for stack in waiting.values() for bracket in stack):
            self._note("bracket-unclosed", bracket, "sentence")
        return sorted(pairs)

    def _joined(self, parts: Sequence[MentionPart]) -> list[EntityMention]:
        """The mentions with several parts.

        A part continues the mention with the same entity, sentence and number of parts that has
        exactly the parts before it; if there are several, the one opened last.
        """
        unfinished: dict[tuple[int, str, int, int], list[tuple[int, EntityMention]]] = {}
        complete: list[EntityMention] = []
        for part in parts:
            opening, (_, label, number, total) = part[0], part[0].id
            of = opening.row.sentence, label, total
            if number == 1:
                opened, mention = -opening.number, EntityMention([part])
            elif waiting := unfinished.get((*of, number - 1)):
                opened, mention = heappop(waiting)
                mention.parts.append(part)
                before = _others(mention.opening)
                if _others(opening) != before:
                    expected = f"{before or 'none'}, as the first part"
                    self._note("part-differs", opening, expected=expected)
            else:
                expected = f"part {number - 1} of {total} before it in the sentence"
                self._note("part-unexpected", opening, part=number, parts=total, expected=expected)
                continue
            if number < total:
                heappush(unfinished.setdefault((*of, number), []), (opened, mention))
            elif all(first > last for (_, last), (first, _) in pairwise(mention.runs)):
                complete.append(mention)
            else:
                self._note("parts-overlap", mention.opening)
        for (_, _, total, so_far), waiting in unfinished.items():
            values: dict[str, Any] = {"parts": total, "first": so_far}
            expected = f"part {so_far + 1} of {total} in the same sentence"
            for _, mention in sorted(waiting, key=lambda opened: -opened[0]):
                self._note("part-missing", mention.opening, expected=expected, **values)
        return complete

    def _find_entities(self) -> None:
        """Number the entities; the same id in another document is another entity."""
        number: dict[tuple[int, str], int] = {}
        seen: set[str] = set()
        for mention in self.as_opened:
            key = mention.opening.row.document, mention.opening.id.label
            if key not in number:
                number[key] = len(number)
                if key[1] in seen and not self._declaration.local:
                    self._note("entity-in-two-documents", mention.opening, entity=key[1])
                seen.add(key[1])
            mention.entity = number[key]
        self.labels = [label for _, label in number]

    @cached_property
    def as_opened(self) -> list[EntityMention]:
        """The mentions in the order of their first brackets."""
        return sorted(self.mentions, key=lambda mention: mention.opening.number)

    def _find_head(self, mention: EntityMention) -> None:
        """Find the head, whose number is that of the last part."""
        runs = mention.runs
        head, size = self._written_head(mention.parts[-1][0]) or 1, size_of(runs)
        if head > size:
            expected = f"a number from 1 to {size}"
            values: dict[str, Any] = {"head": head, "nodes": size, "expected": expected}
            self._note("head-out-of-range", mention.opening, **values)
        place = min(head, size) - 1
        for first, last in runs:
            if place <= last - first:
                mention.head = first + place
                return
            place -= last - first + 1

    def _check_crossing(self) -> None:
        """Report mentions that cross another of their entity.

        Brackets nest, so one of two crossing mentions has parts.
        """
        groups = defaultdict[tuple[int, int], list[EntityMention]](list)
        for mention in self.as_opened:
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
        for mention in self.as_opened if place >= 0 else ():
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
        place = bracket.row.line, variant, bracket.byte
        self._file.note(kind, *place, document=document, found=found, **details)


@lru_cache(1 << 10)
def _read_head(text: str) -> int:
    """The number of a head; 0 if it is left out or malformed."""
    return int(text) if _NUMBER.fullmatch(text) else 0


def _others(opening: Bracket) -> str:
    """The values after the first one, without empty values at the end."""
    return "".join("-" + value for value in opening.values[1:]).rstrip("-")


def size_of(runs: Runs) -> int:
    """How many nodes there are in these runs."""
    return sum([last - first + 1 for first, last in runs])


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

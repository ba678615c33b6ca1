"""The values of Entity: brackets, which become mentions with parts, heads and entities.

    Entity=(e1-person-2-(e2[1/2]--1)e3)

A bracket holds values joined by hyphens, in the order of the declaration. One of them is the id of
the entity, which may mark part 1 of 2 of a mention, as in `(e5[1/2]-person-1-`.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import chain, islice, pairwise
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.texts import shorten
from corefkit.formats.conllu.rows import DEFAULT, MISC, NO_NODE, ConlluFile, cut
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

_PIECE = re.compile(rb"\([^()]*\)?|[^()]+\)?|\)")
"""A bracket, or text between brackets."""
_ID = re.compile(r"([^()|\s\[\]<>:,=-]+)(?:\[([1-9]\d{0,5})/([1-9]\d{0,5})\])?", re.ASCII)
_OLD = ("ClusterId", "MentionSpan")
"""Attributes of CorefUD 0.x."""
_NOBODY = -1
_NUMBER = re.compile(r"[0-9]{1,6}")
"""The number of a head; 0 is none."""

Runs = Sequence[tuple[int, int]]
"""The first and the last node of each run of nodes of a mention, in order."""


class Bracket(NamedTuple):
    """A bracket, or text between brackets, which has neither parenthesis.

    Attributes:
        text: all of it.
        opens, closes: whether it begins with "(" and ends with ")".
        values: the values between the parentheses, which hyphens separate.
        name: the id as written, which is the first value of a closing bracket.
        entity: the id without `[part/parts]`; empty if it is malformed or has no parenthesis.
        part, parts: the numbers in the id; 0 for ids without.
        head: the written head; 0 if it is left out, −1 if it is malformed.
    """

    text: str
    opens: bool
    closes: bool
    values: list[str]
    name: str
    entity: str
    part: int
    parts: int
    head: int

    def value(self, place: int) -> str:
        """The value at a place of the declaration; empty if it is left out."""
        return self.values[place] if 0 <= place < len(self.values) else ""

    def others(self) -> str:
        """The values after the first one, without empty values at the end."""
        return "".join("-" + value for value in self.values[1:]).rstrip("-")


@lru_cache(1 << 14)  # a response has most brackets of its key
def read_bracket(piece: bytes, entity: int, head: int) -> Bracket:
    """A bracket; `entity` and `head` are the places of the id and the head in those that open.

    >>> read_bracket(b"(e1[1/2]-place-2", 0, 2)[4:]
    ('e1[1/2]', 'e1', 1, 2, 2)
    """
    text = piece.decode("utf-8", AS_THEY_ARE)
    opens, closes = text[0] == "(", text[-1] == ")"
    values = text[opens : len(text) - closes].split("-")
    place = entity if opens else 0
    name = values[place] if place < len(values) else ""
    label, part, parts = "", 0, 0
    if (opens or closes) and (match := _ID.fullmatch(name)):
        part, parts = int(match[2] or 0), int(match[3] or 0)
        label = match[1] if not part or part <= parts > 1 else ""
    written = values[head] if 0 <= head < len(values) else ""
    number = int(written) if _NUMBER.fullmatch(written) else 0
    number = number or (-1 if written else 0)
    return Bracket(text, opens, closes, values, name, label, part, parts, number)


class MiscValue(NamedTuple):
    """The value of an attribute in MISC: its row, its first byte in the file, and its text."""

    row: int
    byte: int
    text: bytes


def values_of(file: ConlluFile, name: str) -> list[MiscValue]:
    """Each value of an attribute in MISC, in order."""
    sign, data = f"{name}=".encode(), file.data
    bounds = [match.span() for match in re.finditer(sign + rb"[^|\t\n]*", data)]
    start, stop = np.array(bounds, np.int64).reshape(-1, 2).T
    begin, end = (np.append(bound, len(data)) for bound in file.bounds(MISC))
    row = np.searchsorted(begin, start, "right") - 1
    before = np.frombuffer(data, np.uint8).take(start - 1, mode="clip")
    inside = (row >= 0) & (start < end[row]) & ((before == ord("\t")) | (before == ord("|")))
    first, stop = (start + len(sign))[inside], np.minimum(stop, end[row])[inside]
    columns = row[inside].tolist(), first.tolist(), cut(data, first, stop)
    return [*map(MiscValue, *columns)]


PlacedBracket = tuple[int, int, Bracket]
"""The row and the first byte of a bracket, and the bracket."""

_Part = tuple[int, int, int]
"""A mention, or a part of one: the byte at which it closes, the number of its opening bracket, and
its last node."""


class MentionReader:
    """Reads the mentions of a file, in the order in which they end; all problems are reported.

    Attributes:
        opening: the first bracket of each mention.
        row, byte: int64 (mentions,), where this bracket is.
        first, last, head: int64 (mentions,), the first and the last node of each, and its head.
        runs: those of the mentions that have several parts.
        entity: int64 (mentions,), the number of each mention's entity.
        labels: the id of each entity, in the order of their first brackets.
        as_opened: the mentions in the order of their first brackets.
    """

    def __init__(self, file: ConlluFile) -> None:
        self._file, self._declaration = file, file.declaration
        self._brackets: list[PlacedBracket] = []
        whole, parts = self._paired()
        for _, number, _ in sorted([*whole, *parts], key=itemgetter(1)):
            if self._brackets[number][2].head < 0:
                self._note("head-bad", self._brackets[number])
        mentions = sorted([*([part] for part in whole), *self._joined(parts)], key=itemgetter(-1))
        first, last = (
            np.array([mention[at] for mention in mentions], np.int64).reshape(-1, 3).T
            for at in (0, -1)
        )
        self._placed = [self._brackets[number] for number in first[1].tolist()]
        self.opening = [bracket for *_, bracket in self._placed]
        self.row, self.byte = _numbers(place[:2] for place in self._placed).reshape(-1, 2).T.copy()
        self.first, self.last = file.columns.node[self.row], last[2].copy()
        self.runs = {n: self._runs(parts) for n, parts in enumerate(mentions) if len(parts) > 1}
        self.as_opened: list[int] = np.argsort(first[1]).tolist()
        self.labels: list[str] = []
        self.entity = self._find_entities()
        self.head = self._find_heads([self._brackets[number][2] for number in last[1].tolist()])
        self._check_crossing()
        self._check_types()

    def _values(self) -> list[MiscValue]:
        """The values of Entity."""
        file = self._file
        line, node = file.columns.line, file.columns.node
        found = values_of(file, "Entity")
        if not found:
            for value in chain(*(values_of(file, name)[:1] for name in _OLD)):
                file.note("format-old", int(line[value.row]), expected="Entity= of CorefUD 1.x")
                break
        elif not 0 <= self._declaration.line <= line[found[0].row]:
            expected = f"# global.Entity = {DEFAULT} before the first sentence"
            file.note("declaration-missing", int(line[found[0].row]), expected=expected)
        before = -1
        for row, byte, text in found:
            if file.is_range[row]:
                expected = "Entity on words and empty nodes only"
                file.note("entity-on-token-range", int(line[row]), byte=byte, expected=expected)
            if not text:
                file.note("entity-bad", int(line[row]), "nothing", byte)
            if row == before:
                file.note("attribute-twice", int(line[row]), byte=byte, name="Entity")
            before = row
        return [value for value in found if node[value.row] != NO_NODE]

    def _paired(self) -> tuple[list[_Part], list[_Part]]:
        """The brackets paired by id within their sentences, in the order in which they close.

        First mentions of one part, then parts of others. Those that cannot be read or paired are
        reported.
        """
        whole, parts, unclosed = list[_Part](), list[_Part](), list[int]()
        waiting = defaultdict[str, list[int]](list)
        entity, head = self._declaration.entity, self._declaration.head
        most = len(self._declaration.names)
        nodes, sentences = self._file.columns.node.tolist(), self._file.columns.sentence.tolist()
        brackets, sentence = self._brackets, -1
        for row, byte, text in self._values():
            if sentences[row] != sentence:
                unclosed += chain.from_iterable(waiting.values())
                waiting.clear()
                sentence = sentences[row]
            for piece in _PIECE.findall(text):
                bracket = read_bracket(piece, entity, head)
                _, opens, closes, values, name, label, part, *_ = bracket
                placed = row, byte, bracket
                byte += len(piece)  # noqa: PLW2901 (where the next one begins)
                if not label or len(values) > (most if opens else 1):
                    self._report(placed)
                    if not label:
                        continue
                if opens:
                    waiting[name].append(len(brackets))
                    brackets.append(placed)
                if closes and (stack := waiting[name]):
                    (parts if part else whole).append((byte, stack.pop(), nodes[row]))
                elif closes:
                    self._note("bracket-unopened", placed, "sentence")
        for number in sorted(chain(unclosed, *waiting.values())):
            self._note("bracket-unclosed", self._brackets[number], "sentence")
        return whole, parts

    def _report(self, placed: PlacedBracket) -> None:
        """Report a bracket that cannot be read, or has too many values."""
        bracket, names = placed[2], self._declaration.names
        if not bracket.opens and not bracket.closes:
            self._note("entity-bad", placed)
        elif not bracket.entity:
            self._note("id-of-entity-bad", placed)
        else:
            variant = "" if bracket.opens else "closing"
            expected = f"{'-'.join(names)}, as declared" if bracket.opens else "the id alone"
            given = len(bracket.values)
            self._note("attributes-too-many", placed, variant, given=given, expected=expected)

    def _joined(self, parts: list[_Part]) -> list[list[_Part]]:
        """The mentions with several parts.

        A part continues the mention with the same entity, sentence and number of parts that has
        exactly the parts before it; if there are several, the one opened last.
        """
        unfinished: dict[tuple[int, str, int, int], list[tuple[int, list[_Part]]]] = {}
        complete: list[list[_Part]] = []
        for part in sorted(parts, key=itemgetter(1)):
            placed = self._brackets[part[1]]
            row, _, bracket = placed
            number, total = bracket.part, bracket.parts
            of = int(self._file.columns.sentence[row]), bracket.entity, total
            if number == 1:
                opened, mention = -part[1], [part]
            elif waiting := unfinished.get((*of, number - 1)):
                opened, mention = heappop(waiting)
                before = self._brackets[mention[0][1]][2].others()
                mention.append(part)
                if bracket.others() != before:
                    expected = f"{before or 'none'}, as the first part"
                    self._note("part-differs", placed, expected=expected)
            else:
                expected = f"part {number - 1} of {total} before it in the sentence"
                self._note("part-unexpected", placed, part=number, parts=total, expected=expected)
                continue
            if number < total:
                heappush(unfinished.setdefault((*of, number), []), (opened, mention))
            elif all(first > last for (_, last), (first, _) in pairwise(self._runs(mention))):
                complete.append(mention)
            else:
                self._note("parts-overlap", self._brackets[mention[0][1]])
        for (_, _, total, so_far), waiting in unfinished.items():
            values: dict[str, Any] = {"parts": total, "first": so_far}
            expected = f"part {so_far + 1} of {total} in the same sentence"
            for opened, _ in sorted(waiting, reverse=True):
                self._note("part-missing", self._brackets[-opened], expected=expected, **values)
        return complete

    def _runs(self, parts: Sequence[_Part]) -> Runs:
        """The first and the last node of each part."""
        node = self._file.columns.node
        return [(int(node[self._brackets[opening][0]]), last) for _, opening, last in parts]

    def runs_of(self, mention: int) -> Runs:
        """The runs of nodes of a mention."""
        return self.runs.get(mention) or [(int(self.first[mention]), int(self.last[mention]))]

    def _find_entities(self) -> IntArray:
        """The entities of the mentions; the same id in another document is another entity."""
        number: dict[tuple[int, str], int] = {}
        seen: set[str] = set()
        entity = [0] * len(self.opening)
        documents = self._file.columns.document[self.row].tolist()
        for mention in self.as_opened:
            label = self.opening[mention].entity
            key = documents[mention], label
            if key not in number:
                number[key] = len(number)
                if label in seen and not self._declaration.local:
                    self._note("entity-in-two-documents", self._placed[mention], entity=label)
                seen.add(label)
            entity[mention] = number[key]
        self.labels = [label for _, label in number]
        return _numbers(entity)

    def _find_heads(self, last: Sequence[Bracket]) -> IntArray:
        """The heads of the mentions, whose numbers are those of their last parts."""
        written = np.maximum(_numbers(bracket.head for bracket in last), 1)
        size = self.last - self.first + 1
        for mention, runs in self.runs.items():
            size[mention] = size_of(runs)
        for mention in np.flatnonzero(written > size).tolist():
            nodes, placed = int(size[mention]), self._placed[mention]
            expected = f"a number from 1 to {nodes}"
            at = int(written[mention])
            self._note("head-out-of-range", placed, head=at, nodes=nodes, expected=expected)
        place = np.minimum(written, size) - 1
        head: IntArray = self.first + place
        for mention, runs in self.runs.items():
            listed = chain.from_iterable(range(first, last + 1) for first, last in runs)
            head[mention] = next(islice(listed, int(place[mention]), None))
        return head

    def _check_crossing(self) -> None:
        """Report mentions that cross another of their entity.

        Brackets nest, so one of two crossing mentions has parts.
        """
        sentences = self._file.columns.sentence[self.row].tolist()
        keys = [*zip(self.entity.tolist(), sentences, strict=True)]
        with_parts = {keys[mention] for mention in self.runs}
        groups = defaultdict[tuple[int, int], list[int]](list)
        for mention in self.as_opened if with_parts else ():
            if keys[mention] in with_parts:
                groups[keys[mention]].append(mention)
        for group in groups.values():
            for mention in crossing({mention: self.runs_of(mention) for mention in group}):
                self._note("mentions-cross", self._placed[mention])

    def _check_types(self) -> None:
        """Report unknown types, and the first mention of an entity with another type."""
        place = self._declaration.etype
        entities = self.entity.tolist()
        first: dict[int, str] = {}
        reported: set[int] = set()
        for mention in self.as_opened if place >= 0 else ():
            etype, entity = self.opening[mention].value(place), entities[mention]
            if etype not in ETYPES:
                self._note("etype-unknown", self._placed[mention], type=etype)
            if etype and first.setdefault(entity, etype) != etype and entity not in reported:
                reported.add(entity)
                self._note("etype-differs", self._placed[mention], entity=self.labels[entity])

    def _note(self, kind: str, placed: PlacedBracket, variant: str = "", **details: Any) -> None:
        """Note an incident at a bracket."""
        row, byte, bracket = placed
        details.setdefault("expected", _EXPECTED.get(kind))
        columns, names = self._file.columns, self._file.names
        document, found = names[columns.document[row]], shorten(bracket.text)
        place = int(columns.line[row]), variant, byte
        self._file.note(kind, *place, document=document, found=found, **details)


def _numbers(values: Iterable[object]) -> IntArray:
    return np.array([*values], dtype=np.int64)


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

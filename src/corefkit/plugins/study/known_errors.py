"""The errors of one document: what each operation of `degrade` does to its entities."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from itertools import chain
from typing import NamedTuple

from corefkit.core.carriers import frozen
from corefkit.core.nodes import Node

OPERATIONS = {
    "split": "cut entities in two",
    "merge": "join entities to earlier ones",
    "drop": "remove mentions",
    "span": "move one end of mentions by one token",
    "invent": "add mentions of one token that the key does not have",
}
"""The operations on a key, in the order in which they are applied, with descriptions."""


class KnownError(NamedTuple):
    """One error that was made.

    Attributes:
        operation: one of `OPERATIONS`.
        document: the name of the document.
        start, end: the first and last token, from 0, of the affected mention, or of the first
            mention of the affected entity; a zero has the number of the word before it, "." and
            its own number.
        became: the result, in words.
    """

    operation: str
    document: str
    start: str
    end: str
    became: str


@dataclass(eq=False, slots=True)
class MovableMention:
    """A mention that errors may change.

    Attributes:
        row: its row in the corpus, or `INVENTED` or `DROPPED`.
        first, last: its first and last node.
        name: the span that it has in the key, tab-separated; it identifies the mention in hashes.
        movable: whether it is one run of tokens.
        nodes: all of its nodes, if it is neither one run of tokens nor one empty node.
    """

    row: int
    first: Node
    last: Node
    name: str
    movable: bool = True
    nodes: frozenset[Node] | None = None

    @property
    def place(self) -> tuple[Node, Node]:
        """The sort key of text order: by first node, longer mentions first."""
        return self.first, (-self.last[0], -self.last[1])

    @property
    def shown(self) -> str:
        """The span that it has in the key, to be shown."""
        return self.name.replace("\t", "-")


class KeptEntity(NamedTuple):
    """An entity after errors.

    Attributes:
        mentions: its mentions in text order.
        origin: the entity of the key whose id it has; −1: it needs a new id.
        kind: the entity of the key whose type it has; −1: it has none.
    """

    mentions: list[MovableMention]
    origin: int
    kind: int


@frozen(eq=False)
class KeyDocument:
    """One document of the key.

    Attributes:
        number, name: its number in the corpus, and its name.
        tokens: its length.
        mentions: its mentions in text order.
        entities: its entities, by first mention.
        sentence: gives the sentence of a token; moved spans stay within a sentence.
    """

    number: int
    name: str
    tokens: int
    mentions: list[MovableMention]
    entities: list[KeptEntity]
    sentence: Callable[[int], int]


_RANGE = 1 << 64


class _Draw(NamedTuple):
    """Two independent random numbers below 2⁶⁴, from the hash of an affected mention."""

    first: int
    second: int

    def choice(self, number: int) -> int:
        """A number from 0 to `number` − 1."""
        return self.first * number >> 64

    def second_choice(self, number: int) -> int:
        """A number from 0 to `number` − 1, independent of `choice`."""
        return self.second * number >> 64


class DegradedDocument:
    """A document after errors, which are made one operation after another.

    Attributes:
        document: the document of the key.
        entities: the entities after the errors.
        errors: the errors, in order.
    """

    def __init__(self, document: KeyDocument, rates: dict[str, Fraction], seed: int) -> None:
        self.document = document
        self.entities = document.entities
        self.errors: list[KnownError] = []
        self._key = {(m.first, m.last) for m in document.mentions if m.movable}
        self._made: set[tuple[Node, Node]] = set()
        for operation, rate in rates.items():
            if rate:
                self._limit = rate.numerator * _RANGE, rate.denominator
                self._prefix = f"{seed}\t{document.name}\t{operation}\t".encode(
                    "utf-8", "surrogateescape"
                )
                getattr(self, f"_{operation}")()
                self.entities.sort(key=lambda entity: entity.mentions[0].place)

    def _hit(self, mention: MovableMention) -> _Draw | None:
        """Random numbers for a mention that the operation affects; None for others."""
        digest = sha256(self._prefix + mention.name.encode()).digest()
        bound, size = self._limit
        if int.from_bytes(digest[:8]) * size >= bound:
            return None
        return _Draw(int.from_bytes(digest[8:16]), int.from_bytes(digest[16:24]))

    def _hits(self, mentions: Sequence[MovableMention]) -> Iterator[tuple[MovableMention, _Draw]]:
        return ((mention, draw) for mention in mentions if (draw := self._hit(mention)))

    def _note(self, operation: str, mention: MovableMention, became: str) -> None:
        start, end = mention.name.split("\t")
        self.errors.append(KnownError(operation, self.document.name, start, end, became))

    def _split(self) -> None:
        entities: list[KeptEntity] = []
        for entity in self.entities:
            mentions = entity.mentions
            draw = self._hit(mentions[0]) if len(mentions) > 1 else None
            if draw is None:
                entities.append(entity)
                continue
            cut = 1 + draw.choice(len(mentions) - 1)
            second = KeptEntity(mentions[cut:], -1, entity.kind)
            entities += [entity._replace(mentions=mentions[:cut]), second]
            self._note("split", mentions[0], f"cut before {mentions[cut].shown}")
        self.entities = entities

    def _merge(self) -> None:
        group = list(range(len(self.entities)))
        members = {number: entity.mentions for number, entity in enumerate(self.entities)}
        for number, entity in enumerate(self.entities):
            first = entity.mentions[0]
            draw = self._hit(first) if number else None
            if draw is None:
                continue
            target = group[draw.choice(number)]
            if _cross(entity.mentions, members[target]):
                continue
            group[number] = target
            joined = self.entities[target].mentions[0].shown
            members[target] = sorted([*members[target], *members.pop(number)], key=_place)
            self._note("merge", first, f"joined the entity of {joined}")
        self.entities = [self.entities[n]._replace(mentions=kept) for n, kept in members.items()]

    def _drop(self) -> None:
        for mention, _ in self._hits(self.document.mentions):
            mention.row = DROPPED
            self._note("drop", mention, "dropped")
        entities = [
            e._replace(mentions=[m for m in e.mentions if m.row != DROPPED]) for e in self.entities
        ]
        self.entities = [entity for entity in entities if entity.mentions]

    def _span(self) -> None:
        mentions_of = {
            id(mention): entity.mentions for entity in self.entities for mention in entity[0]
        }
        for mention, draw in self._hits(
            [m for m in self.document.mentions if id(m) in mentions_of]
        ):
            spans = self._free_spans(mention, mentions_of[id(mention)]) if mention.movable else []
            if not spans:
                continue
            start, end = spans[draw.choice(len(spans))]
            mention.first, mention.last = (start, 0), (end, 0)
            self._made.add((mention.first, mention.last))
            self._note("span", mention, f"{start}-{end}")
        for entity in self.entities:
            entity.mentions.sort(key=_place)

    def _free_spans(
        self, mention: MovableMention, entity: list[MovableMention]
    ) -> list[tuple[int, int]]:
        """The spans, with one end moved by one token, that the mention may get."""
        (start, _), (end, _) = mention.first, mention.last
        sentence = self.document.sentence
        spans = ((start - 1, end), (start, end + 1), (start + 1, end), (start, end - 1))
        free = [
            (first, last)
            for first, last in spans
            if 0 <= first <= last < self.document.tokens
            and not self._taken(first, last)
            and sentence(first) == sentence(start) == sentence(last)
        ]
        return [
            span
            for span in free
            if not any(_crosses(span, other) for other in entity if other is not mention)
        ]

    def _invent(self) -> None:
        singletons: list[KeptEntity] = []
        tokens, number = self.document.tokens, len(self.entities)
        for mention, draw in self._hits(self.document.mentions):
            token = self._free_token(draw.choice(tokens), tokens)
            if token is None:
                break
            new = MovableMention(INVENTED, (token, 0), (token, 0), f"{token}\t{token}")
            self._made.add((new.first, new.last))
            chosen = draw.second_choice(number + 1)
            if chosen == number:
                singletons.append(KeptEntity([new], -1, -1))
                self._note("invent", mention, f"{new.shown}, a singleton")
            else:
                others = self.entities[chosen].mentions
                self._note("invent", mention, f"{new.shown}, in the entity of {others[0].shown}")
                others.append(new)
        for entity in self.entities:
            entity.mentions.sort(key=_place)
        self.entities += singletons

    def _free_token(self, token: int, tokens: int) -> int | None:
        """The first token from this one on, cyclically, that is not a mention; None: no token."""
        for candidate in chain(range(token, tokens), range(token)):
            if not self._taken(candidate, candidate):
                return candidate
        return None

    def _taken(self, start: int, end: int) -> bool:
        """Whether this is the span of a mention of the key, or of a moved or invented one."""
        span = (start, 0), (end, 0)
        return span in self._key or span in self._made


INVENTED, DROPPED = -1, -2


def _place(mention: MovableMention) -> tuple[Node, Node]:
    return mention.place


def _crosses(span: tuple[int, int], other: MovableMention) -> bool:
    """Whether a span of tokens overlaps a mention without one being inside the other."""
    first, last = (span[0], 0), (span[1], 0)
    if other.nodes is not None:
        return _overlap({(token, 0) for token in range(span[0], span[1] + 1)}, other.nodes)
    return first < other.first <= last < other.last or other.first < first <= other.last < last


def _overlap(left: AbstractSet[Node], right: AbstractSet[Node]) -> bool:
    """Whether two sets of nodes share some, and each has others."""
    return not left.isdisjoint(right) and not left <= right and not right <= left


def _cross(mentions: Sequence[MovableMention], others: Sequence[MovableMention]) -> bool:
    """Whether any of the mentions crosses any of the others."""
    plain, other_plain = ([m for m in side if m.nodes is None] for side in (mentions, others))
    if _end_inside(plain, other_plain) or _end_inside(other_plain, plain):
        return True
    listed = [(m, others) for m in mentions if m.nodes is not None]
    listed += [(m, mentions) for m in others if m.nodes is not None]
    return any(_overlap(_nodes(m), _nodes(o)) for m, side in listed for o in side)


def _nodes(mention: MovableMention) -> AbstractSet[Node]:
    if mention.nodes is not None:
        return mention.nodes
    (start, zero), (end, _) = mention.first, mention.last
    return {mention.first} if zero else {(token, 0) for token in range(start, end + 1)}


def _end_inside(mentions: Sequence[MovableMention], others: Sequence[MovableMention]) -> bool:
    """Whether any of the mentions begins before one of the others and ends inside it."""
    starts = [other.first for other in others]
    for mention in mentions:
        if mention.first < mention.last:
            inside = range(bisect_right(starts, mention.first), bisect_right(starts, mention.last))
            if any(others[index].last > mention.last for index in inside):
                return True
    return False

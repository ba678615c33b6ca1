"""CorefUD files and scores from their definitions: line by line, sets of nodes, exact fractions.

Nothing here is meant to be fast, and nothing broken is noticed.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from tests.oracle import metrics

Node: TypeAlias = tuple[int, int, int]
"""Sentence, word, and which empty node after it; 0 for the word itself."""

Arc: TypeAlias = tuple[tuple[int, int], str]
"""A parent, (0, 0) for none, and the relation."""

BRACKET = re.compile(r"\(([^()]*)\)|\(([^()]*)|([^()]*)\)")


@dataclass(frozen=True)
class Mention:
    """A mention; `opened` is its place among all opening brackets."""

    nodes: tuple[Node, ...]
    head: Node
    arcs: frozenset[Arc] = frozenset()
    opened: int = 0

    @property
    def zero(self) -> bool:
        return self.head[2] > 0

    @property
    def order(self) -> tuple[object, ...]:
        return self.nodes[0], self.nodes[-1], len(self.nodes), self.nodes, self.head


@dataclass
class Document:
    """One document: its sentences as numbers of words, and its entities by id."""

    name: str
    sentences: list[int] = field(default_factory=list)
    entities: dict[str, list[Mention]] = field(default_factory=dict)


@dataclass
class _Open:
    eid: str
    part: tuple[int, int]
    head: int
    nodes: list[Node] = field(default_factory=list)
    opened: int = 0


def read(text: str) -> list[Document]:
    """The documents of a CorefUD file."""
    documents: list[Document] = []
    names: list[str] = []
    brackets = 0
    for block in re.split(r"\n(?:[ \t]*\n)+", text.removeprefix("\ufeff").replace("\r", "")):
        lines = block.strip("\n").split("\n")
        for line in lines:
            if declared := re.match(r"# global\.Entity = (.*)", line):
                names = declared[1].strip().split("-")
            if begun := re.match(r"# newdoc(?: id = (.*))?$", line):
                documents.append(Document((begun[1] or "").strip() or str(len(documents) + 1)))
        rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
        if rows:
            brackets = _read_sentence(documents[-1], rows, names, brackets)
    return documents


def _read_sentence(
    document: Document, rows: list[list[str]], names: list[str], brackets: int
) -> int:
    sentence = len(document.sentences)
    document.sentences.append(sum(row[0].isdigit() for row in rows))
    arcs: dict[Node, frozenset[Arc]] = {}
    running: list[_Open] = []
    unfinished: list[_Open] = []
    for row in (row for row in rows if "-" not in row[0]):
        word, _, minor = row[0].partition(".")
        node = sentence, int(word), int(minor or 0)
        arcs[node] = _arcs(row[8])
        misc = dict(part.partition("=")[::2] for part in row[9].split("|"))
        closed: list[_Open] = []
        opened: list[_Open] = []
        for bracket in BRACKET.finditer(misc.get("Entity", "")):
            single, opening, closing = bracket.groups()
            if closing is None:
                new = _opening(single if single is not None else opening, names, brackets)
                brackets += 1
                opened.append(new)
                running.append(new)
            eid = closing if closing is not None else None
            if single is not None:
                closed.append(running.pop())
            elif eid is not None:
                last = max(i for i, one in enumerate(running) if _label(one) == eid)
                closed.append(running.pop(last))
        for one in {id(one): one for one in (*running, *closed)}.values():
            one.nodes.append(node)
        for one in closed:
            _close(document, one, unfinished, arcs)
    return brackets


def _label(one: _Open) -> str:
    return one.eid if one.part == (1, 1) else f"{one.eid}[{one.part[0]}/{one.part[1]}]"


def _opening(text: str, names: list[str], number: int) -> _Open:
    values = dict(zip(names, text.split("-"), strict=False))
    eid = values.get("eid") or values["GRP"]
    part = (1, 1)
    if split := re.fullmatch(r"(.*)\[(\d+)/(\d+)\]", eid):
        eid, part = split[1], (int(split[2]), int(split[3]))
    return _Open(eid, part, int(values.get("head") or 1), [], number)


def _close(
    document: Document, one: _Open, unfinished: list[_Open], arcs: Mapping[Node, frozenset[Arc]]
) -> None:
    if one.part[0] > 1:
        at = max(
            i
            for i, other in enumerate(unfinished)
            if other.eid == one.eid and other.part == (one.part[0] - 1, one.part[1])
        )
        before = unfinished.pop(at)
        one = _Open(one.eid, one.part, one.head, before.nodes + one.nodes, before.opened)
    if one.part[0] < one.part[1]:
        unfinished.append(one)
        return
    nodes = tuple(sorted(one.nodes))
    head = nodes[one.head - 1]
    mention = Mention(nodes, head, arcs[head], one.opened)
    document.entities.setdefault(one.eid, []).append(mention)


def _arcs(deps: str) -> frozenset[Arc]:
    if deps == "_":
        return frozenset()
    found = []
    for arc in deps.split("|"):
        parent, _, relation = arc.partition(":")
        word, _, minor = parent.partition(".")
        found.append(((int(word), int(minor or 0)), relation))
    return frozenset(found)


# What is scored

Entities: TypeAlias = list[list[Mention]]
Pairs: TypeAlias = dict[Mention, Mention]


def prepare(document: Document, singletons: str, zeros: str) -> Entities:
    """The entities of `standard`: zeros out, one copy of each span, singletons out."""
    entities = [sorted(listed, key=lambda m: m.opened) for listed in document.entities.values()]
    if zeros == "drop":
        entities = [[m for m in listed if not m.zero] for listed in entities]
    entities = [_distinct(listed) for listed in entities]
    kept: Entities = []
    seen: set[tuple[Node, ...]] = set()
    for listed in sorted(entities, key=lambda e: sorted(map(_longer_first, e))):
        left = [m for m in listed if m.nodes not in seen]
        seen.update(m.nodes for m in left)
        kept.append(left)
    smallest = 2 if singletons == "drop" else 1
    return [listed for listed in kept if len(listed) >= smallest]


def _distinct(mentions: Iterable[Mention]) -> list[Mention]:
    found: dict[tuple[Node, ...], Mention] = {}
    for mention in mentions:
        found.setdefault(mention.nodes, mention)
    return list(found.values())


def _longer_first(mention: Mention) -> tuple[object, ...]:
    last = tuple(-number for number in mention.nodes[-1])
    return mention.nodes[0], last, -len(mention.nodes), mention.nodes


# Matching

Score: TypeAlias = Callable[[Mention, Mention], Fraction]


def dependency_score(one: Mention, other: Mention) -> Fraction:
    """10·F(D, D′) + F(P, P′) for two zeros of one sentence."""
    if not (one.zero and other.zero and one.head[0] == other.head[0]):
        return Fraction(0)
    parents = [{parent for parent, _ in mention.arcs} for mention in (one, other)]
    return 10 * harmonic(one.arcs, other.arcs) + harmonic(*parents)


def harmonic(one: frozenset[Arc] | set[tuple[int, int]], other: object) -> Fraction:
    """The harmonic mean of what each has of the other."""
    assert isinstance(other, (set, frozenset))
    if not one or not other:
        return Fraction(0)
    common = len(one & other)
    return metrics.f1(Fraction(common, len(one)), Fraction(common, len(other)))


def fits(match: str, key: Mention, response: Mention) -> bool:
    """Whether the share counts."""
    if match == "head":
        return key.head == response.head
    return set(response.nodes) <= set(key.nodes) and key.head in response.nodes


def share(match: str) -> Score:
    """|K ∩ R| / |K| if the two fit, else 0."""

    def score(key: Mention, response: Mention) -> Fraction:
        common = len(set(key.nodes) & set(response.nodes))
        return Fraction(common, len(key.nodes)) if fits(match, key, response) else Fraction(0)

    return score


def match_mentions(
    key: Sequence[Mention], response: Sequence[Mention], match: str, zeros: str
) -> Pairs:
    """The three stages; ties by text order."""
    pairs: Pairs = {}
    ours, theirs = (sorted(side, key=lambda m: m.order) for side in (key, response))
    if zeros == "dependent":
        pairs |= assign(
            [m for m in ours if m.zero], [m for m in theirs if m.zero], dependency_score
        )
    ours, theirs = _left(ours, theirs, pairs)
    for mention in ours:
        for other in theirs:
            same = mention.nodes == other.nodes and (match != "head" or mention.head == other.head)
            if same:
                pairs[mention] = other
    if match == "exact":
        return pairs
    return pairs | assign(*_left(ours, theirs, pairs), share(match))


def _left(
    ours: list[Mention], theirs: list[Mention], pairs: Pairs
) -> tuple[list[Mention], list[Mention]]:
    taken = set(pairs.values())
    return [m for m in ours if m not in pairs], [m for m in theirs if m not in taken]


def assign(key: list[Mention], response: list[Mention], score: Score) -> Pairs:
    """The best one-to-one pairing, both sides in text order, ties as documented.

    Every pairing of each group that hangs together is tried, key mentions in text order, their
    partners in text order, none at all last; so the first of the best is the one wanted.
    """
    scores = {(k, r): value for k in key for r in response if (value := score(k, r))}
    pairs: Pairs = {}
    for group in _groups(key, scores):
        _, found = _best(group, response, scores)
        pairs |= found
    return pairs


def _groups(
    key: list[Mention], scores: Mapping[tuple[Mention, Mention], Fraction]
) -> Iterable[list[Mention]]:
    left = [k for k in key if any(pair[0] == k for pair in scores)]
    while left:
        group = {left[0]}
        while True:
            responses = {r for k, r in scores if k in group}
            reached = group | {k for k, r in scores if r in responses}
            if reached == group:
                break
            group = reached
        yield [k for k in left if k in group]
        left = [k for k in left if k not in group]


def _best(
    key: list[Mention],
    response: list[Mention],
    scores: Mapping[tuple[Mention, Mention], Fraction],
) -> tuple[Fraction, Pairs]:
    if not key:
        return Fraction(0), {}
    best: tuple[Fraction, Pairs] | None = None
    for other in (*(r for r in response if (key[0], r) in scores), None):
        rest = [r for r in response if r != other]
        total, pairs = _best(key[1:], rest, scores)
        if other is not None:
            total, pairs = total + scores[key[0], other], {key[0]: other, **pairs}
        if best is None or total > best[0]:
            best = total, pairs
    assert best
    return best


# Scores


@dataclass(frozen=True)
class Scored:
    """One document of key and response, as `standard` scores it."""

    key: Entities
    response: Entities
    pairs: Pairs

    @cached_property
    def partitions(self) -> metrics.Document:
        """Both sides with matched mentions called alike."""
        name = {other: mention for mention, other in self.pairs.items()}
        ours = [frozenset(("k", m) for m in entity) for entity in self.key]
        theirs = [
            frozenset(("k", name[m]) if m in name else ("r", m) for m in entity)
            for entity in self.response
        ]
        return ours, theirs


def score_document(
    key: Document, response: Document, match: str, singletons: str, zeros: str
) -> Scored:
    """Both sides prepared and matched."""
    ours, theirs = (prepare(side, singletons, zeros) for side in (key, response))
    mentions, others = ([m for entity in side for m in entity] for side in (ours, theirs))
    return Scored(ours, theirs, match_mentions(mentions, others, match, zeros))


def overlap_ratio(document: Scored) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """mor: the best total of common nodes, of those of all key and of all response mentions."""
    ours, theirs = (
        sorted((m for entity in side for m in entity), key=lambda m: m.order)
        for side in (document.key, document.response)
    )

    def common(one: Mention, other: Mention) -> Fraction:
        return Fraction(len(set(one.nodes) & set(other.nodes)))

    found = sum((common(k, r) for k, r in assign(ours, theirs, common).items()), Fraction(0))
    sizes = [Fraction(sum(len(m.nodes) for m in side)) for side in (ours, theirs)]
    return found, sizes[0], found, sizes[1]


def zero_outcomes(document: Scored) -> tuple[int, int, int, int]:
    """zero: tp, wl, fn and fp of the anaphors that are zeros."""
    ours, theirs = (
        [sorted(entity, key=lambda m: m.order) for entity in side]
        for side in (document.key, document.response)
    )
    entity_of = {m: entity for entity in theirs for m in entity}
    tp = wl = fn = 0
    partners = set()
    for entity in ours:
        for place, mention in enumerate(entity):
            if not (place and mention.zero):
                continue
            partner = document.pairs.get(mention)
            partners.add(partner)
            if partner is None or entity_of[partner][0] == partner:
                fn += 1
            elif any(document.pairs.get(m) in entity_of[partner] for m in entity[:place]):
                tp += 1
            else:
                wl += 1
    fp = sum(m.zero and m not in partners for entity in theirs for m in entity[1:])
    return tp, wl, fn, fp

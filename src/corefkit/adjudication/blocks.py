"""Blocks: the units that are certainly one entity, the disputed pairs of them, and decided links.

Units that every annotator has in the same entities are a class. Classes are joined where more of
those who have both link them than separate them, by complete linkage: one annotator's extra mention
never joins what two dispute, and a majority that goes round in a circle stays open. What a curator
decides about two blocks is a link; `DecidedLinks` knows what links imply, and by which chain.
"""

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from corefkit.adjudication.units import Certainty

EntityOf = Mapping[int, int]
"""For each annotator who has a unit the number of its entity."""


class DisputedBlocks(NamedTuple):
    """Two blocks, by number, that some link; who links them, and who keeps them apart.

    `kind` is "conflict" where a sure link between them was refused, "link" where those who link are
    at least as many as the others, "outvoted" where they are fewer.
    """

    left: int
    right: int
    kind: str
    linking: tuple[int, ...]
    separating: tuple[int, ...]


class Blocks(NamedTuple):
    """The blocks, each the numbers of its units in order, by first unit; and the disputes.

    Disputes come by the first unit of the later block, then of the earlier.
    """

    blocks: tuple[tuple[int, ...], ...]
    disputes: tuple[DisputedBlocks, ...]


def make_blocks(units: Mapping[int, EntityOf], rule: Certainty) -> Blocks:
    """The blocks of these units; numbers of units are their text order.

    >>> two = {0: {0: 1, 1: 1}, 1: {0: 1, 1: 1}, 2: {0: 1, 1: 2}}
    >>> made = make_blocks(two, Certainty())
    >>> made.blocks
    ((0, 1), (2,))
    >>> made.disputes
    (DisputedBlocks(left=0, right=1, kind='link', linking=(0,), separating=(1,)),)
    """
    classes: dict[tuple[tuple[int, int], ...], list[int]] = {}
    for number in sorted(units):
        classes.setdefault(tuple(sorted(units[number].items())), []).append(number)
    members = [*classes.values()]
    known = [dict(signature) for signature in classes]
    home, refused = _join(known, rule)
    groups: dict[int, list[int]] = {}
    for number, units_of_block in enumerate(members):
        groups.setdefault(home[number], []).extend(units_of_block)
    order = sorted(groups, key=lambda group: min(groups[group]))
    place = {group: number for number, group in enumerate(order)}
    blocks = tuple(tuple(sorted(groups[group])) for group in order)
    pairs = {tuple(sorted((place[home[a]], place[home[b]]))) for a, b in refused}
    return Blocks(blocks, tuple(_disputes(blocks, units, pairs, rule)))


def _join(known: Sequence[EntityOf], rule: Certainty) -> tuple[list[int], list[tuple[int, int]]]:
    """The group of each class, named by one of them, and the sure links that were refused."""
    sure: dict[tuple[int, int], tuple[int, int]] = {}
    for one, other in _sharing(known):
        linking, separating = _count(known[one], known[other])
        if _is_sure(linking, separating, rule):
            sure[one, other] = linking - separating, linking
    home = [*range(len(known))]
    group = {number: [number] for number in home}
    refused = []
    for one, other in sorted(sure, key=lambda pair: (-sure[pair][0], -sure[pair][1], pair)):
        a, b = home[one], home[other]
        if a == b:
            continue
        if all(_fits(known[i], known[j], rule) for i in group[a] for j in group[b]):
            group[a] += group.pop(b)
            for number in group[a]:
                home[number] = a
        else:
            refused.append((one, other))
    return home, refused


def _sharing(known: Sequence[EntityOf]) -> Iterable[tuple[int, int]]:
    """The pairs of classes that some annotator has in one entity, the earlier class first."""
    of_entity: dict[tuple[int, int], list[int]] = {}
    for number, entities in enumerate(known):
        for entity in entities.items():
            of_entity.setdefault(entity, []).append(number)
    return {pair for numbers in of_entity.values() for pair in combinations(numbers, 2)}


def _count(one: EntityOf, other: EntityOf) -> tuple[int, int]:
    """How many of those who have both link them, and how many separate them."""
    linking = separating = 0
    for annotator, entity in one.items():
        if annotator in other:
            if other[annotator] == entity:
                linking += 1
            else:
                separating += 1
    return linking, separating


def _is_sure(linking: int, separating: int, rule: Certainty) -> bool:
    return separating == 0 if rule.certain == "all" else linking > separating


def _fits(one: EntityOf, other: EntityOf, rule: Certainty) -> bool:
    """Whether nothing is known of two classes, or they are surely linked."""
    linking, separating = _count(one, other)
    return linking + separating == 0 or _is_sure(linking, separating, rule)


def _disputes(
    blocks: Sequence[Sequence[int]],
    units: Mapping[int, EntityOf],
    refused: Iterable[tuple[int, ...]],
    rule: Certainty,
) -> Iterator[DisputedBlocks]:
    counted = [_tally(entity for u in block for entity in units[u].items()) for block in blocks]
    had = [_tally(annotator for u in block for annotator in units[u]) for block in blocks]
    of_entity: dict[tuple[int, int], list[int]] = {}
    for number, count in enumerate(counted):
        for entity in count:
            of_entity.setdefault(entity, []).append(number)
    pairs = {pair for numbers in of_entity.values() for pair in combinations(numbers, 2)}
    conflicts = {*refused}
    for left, right in sorted(pairs, key=lambda pair: (pair[1], pair[0])):
        linking, separating = _votes(counted[left], counted[right], had[left], had[right])
        asked = rule.certain == "all" or len(linking) >= len(separating)
        if (left, right) in conflicts:
            yield DisputedBlocks(left, right, "conflict", linking, separating)
        elif linking:
            yield DisputedBlocks(left, right, "link" if asked else "outvoted", linking, separating)


def _tally(values: Iterable[Hashable]) -> dict[Any, int]:
    """How often each value occurs; quicker than a Counter for the few of a block."""
    counts: dict[Any, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return counts


def _votes(
    one: Mapping[tuple[int, int], int],
    other: Mapping[tuple[int, int], int],
    had: Mapping[int, int],
    had_too: Mapping[int, int],
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Who links two blocks by more pairs of units than not, and who separates them so."""
    balance = {a: -number * had_too[a] for a, number in had.items() if a in had_too}
    for entity, number in one.items():
        if entity in other:
            balance[entity[0]] += 2 * number * other[entity]
    linking = [a for a, more in balance.items() if more > 0]
    separating = [a for a, more in balance.items() if more < 0]
    return tuple(sorted(linking)), tuple(sorted(separating))


YES, NO = "yes", "no"


class DecidedLink(NamedTuple):
    """A decided link: its id, the two blocks, and yes or no."""

    id: str
    left: int
    right: int
    choice: str


class DecidedLinks:
    """Blocks, by number, with the links decided between them.

    >>> graph = DecidedLinks([DecidedLink("a", 0, 1, YES), DecidedLink("b", 1, 2, NO)])
    >>> graph.implies(0, 2), graph.chain(0, 2, NO), graph.implies(0, 3)
    ('no', ('a', 'b'), None)
    """

    def __init__(self, links: Iterable[DecidedLink]) -> None:
        self.links = tuple(sorted(links))
        self._neighbours: dict[int, list[DecidedLink]] = {}
        self._home: dict[int, int] = {}
        for link in self.links:
            for end in (link.left, link.right):
                self._neighbours.setdefault(end, []).append(link)
            if link.choice == YES:
                self._join(link.left, link.right)
        self._apart = {
            frozenset((self.group(link.left), self.group(link.right)))
            for link in self.links
            if link.choice == NO
        }

    def group(self, block: int) -> int:
        """The number that all blocks joined with this one share."""
        home = block
        while (parent := self._home.get(home, home)) != home:
            home = parent
        while (parent := self._home.get(block, block)) != home:
            self._home[block], block = home, parent
        return home

    def _join(self, one: int, other: int) -> None:
        a, b = self.group(one), self.group(other)
        self._home[max(a, b)] = min(a, b)

    def implies(self, left: int, right: int) -> str | None:
        """Yes where the yeses join two blocks, no where a no keeps apart what they would join."""
        groups = frozenset((self.group(left), self.group(right)))
        if len(groups) == 1:
            return YES
        return NO if groups in self._apart else None

    def contradictions(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The noes between blocks that yeses join, and the chain of these yeses."""
        for link in self.links:
            if link.choice == NO and self.group(link.left) == self.group(link.right):
                yield link.id, self.chain(link.left, link.right, YES)

    def chain(self, left: int, right: int, choice: str) -> tuple[str, ...]:
        """The fewest links from one block to another; with one no among them for "no".

        Of equally long chains the one whose list of ids sorts first.
        """
        distance = self._distances(right)
        place, noes = left, int(choice == NO)
        listed = list[str]()
        while distance[place, noes]:
            for link in self._neighbours[place]:  # by id
                after = self._other(link, place), noes - (link.choice == NO)
                if distance.get(after) == distance[place, noes] - 1:
                    listed.append(link.id)
                    place, noes = after
                    break
        return tuple(listed)

    def _distances(self, target: int) -> dict[tuple[int, int], int]:
        """How many links lead from a block to the target with no or with one no among them."""
        distance = {(target, 0): 0}
        waiting = deque(distance)
        while waiting:
            block, noes = waiting.popleft()
            for link in self._neighbours.get(block, ()):
                before = self._other(link, block), noes + (link.choice == NO)
                if before[1] < 2 and before not in distance:
                    distance[before] = distance[block, noes] + 1
                    waiting.append(before)
        return distance

    @staticmethod
    def _other(link: DecidedLink, block: int) -> int:
        return link.right if link.left == block else link.left

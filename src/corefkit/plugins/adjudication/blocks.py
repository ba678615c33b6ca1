"""Blocks (units that are certainly one entity), disputed pairs of blocks, and decided links.

Units form a class if the same annotators have them, each of these in one entity. Two classes are
surely linked if, of the annotators who have both, more link them than separate them (with
`certain="all"`: if none separates them). Classes are joined into blocks by complete linkage, so one
annotator's extra mention never joins what two others dispute, and a cyclic majority stays open. A
link is what a curator decides about two blocks; `DecidedLinks` derives what links imply, and by
which chain.
"""

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from corefkit.plugins.adjudication.units import Certainty, link_completely

EntityOf = Mapping[int, int]
"""Annotator → number of the entity in which this annotator has a unit."""


class DisputedBlocks(NamedTuple):
    """Two blocks, by number, about which the annotators disagree.

    Attributes:
        left, right: the blocks; `left` begins first.
        kind: "conflict" if a sure link between them was refused by complete linkage; "outvoted" if
            fewer annotators link than separate them and the majority is certain; otherwise "link".
        linking, separating: the annotators who link the blocks, and those who separate them.
    """

    left: int
    right: int
    kind: str
    linking: tuple[int, ...]
    separating: tuple[int, ...]


class Blocks(NamedTuple):
    """The blocks of a document and the disputes between them.

    Attributes:
        blocks: the numbers of the units of each block, ascending; blocks are ordered by first unit.
        disputes: ordered by the right block, then by the left one.
    """

    blocks: tuple[tuple[int, ...], ...]
    disputes: tuple[DisputedBlocks, ...]


def make_blocks(units: Mapping[int, EntityOf], rule: Certainty) -> Blocks:
    """The blocks of these units, which are numbered in text order.

    >>> units = {0: {0: 1, 1: 1}, 1: {0: 1, 1: 1}, 2: {0: 1, 1: 2}}
    >>> blocks = make_blocks(units, Certainty())
    >>> blocks.blocks
    ((0, 1), (2,))
    >>> blocks.disputes
    (DisputedBlocks(left=0, right=1, kind='link', linking=(0,), separating=(1,)),)
    """
    classes: dict[tuple[tuple[int, int], ...], list[int]] = {}
    for number in sorted(units):
        classes.setdefault(tuple(sorted(units[number].items())), []).append(number)
    members = [*classes.values()]
    home, refused = _join([dict(signature) for signature in classes], rule)
    groups: dict[int, list[int]] = {}
    for number, units_of_block in enumerate(members):
        groups.setdefault(home[number], []).extend(units_of_block)
    order = sorted(groups, key=lambda group: min(groups[group]))
    number_of = {group: number for number, group in enumerate(order)}
    blocks = tuple(tuple(sorted(groups[group])) for group in order)
    pairs = {tuple(sorted((number_of[home[a]], number_of[home[b]]))) for a, b in refused}
    return Blocks(blocks, tuple(_disputes(blocks, units, pairs, rule)))


def _join(classes: Sequence[EntityOf], rule: Certainty) -> tuple[list[int], list[tuple[int, int]]]:
    """The group of each class, named by a member, and the sure links that were refused."""
    sure: dict[tuple[int, int], tuple[int, int]] = {}
    for left, right in _sharing(entities.items() for entities in classes):
        linking, separating = _count_votes(classes[left], classes[right])
        if _is_sure(linking, separating, rule):
            sure[left, right] = linking - separating, linking
    order = sorted(sure, key=lambda pair: (-sure[pair][0], -sure[pair][1], pair))
    return link_completely(len(classes), order, lambda i, j: _fits(classes[i], classes[j], rule))


def _sharing(entities_of: Iterable[Iterable[tuple[int, int]]]) -> set[tuple[int, int]]:
    """The pairs, by number, that some annotator has in one entity, the earlier number first.

    Each is given by its entities, (annotator, number).
    """
    of_entity: dict[tuple[int, int], list[int]] = {}
    for number, entities in enumerate(entities_of):
        for entity in entities:
            of_entity.setdefault(entity, []).append(number)
    return {pair for numbers in of_entity.values() for pair in combinations(numbers, 2)}


def _count_votes(left: EntityOf, right: EntityOf) -> tuple[int, int]:
    """How many of the annotators who have both classes link them, and how many separate them."""
    linking = separating = 0
    for annotator, entity in left.items():
        if annotator in right:
            if right[annotator] == entity:
                linking += 1
            else:
                separating += 1
    return linking, separating


def _is_sure(linking: int, separating: int, rule: Certainty) -> bool:
    return separating == 0 if rule.certain == "all" else linking > separating


def _fits(left: EntityOf, right: EntityOf, rule: Certainty) -> bool:
    """Whether two classes are surely linked, or no annotator has both."""
    linking, separating = _count_votes(left, right)
    return linking + separating == 0 or _is_sure(linking, separating, rule)


def _disputes(
    blocks: Sequence[Sequence[int]],
    units: Mapping[int, EntityOf],
    refused: Iterable[tuple[int, ...]],
    rule: Certainty,
) -> Iterator[DisputedBlocks]:
    """The pairs of blocks that someone links, or whose sure link was refused, in order."""
    in_entity = [_tally(entity for u in block for entity in units[u].items()) for block in blocks]
    marked = [_tally(annotator for u in block for annotator in units[u]) for block in blocks]
    conflicts = {*refused}
    for left, right in sorted(_sharing(in_entity), key=lambda pair: (pair[1], pair[0])):
        linking, separating = _votes(in_entity[left], in_entity[right], marked[left], marked[right])
        asked = rule.certain == "all" or len(linking) >= len(separating)
        if (left, right) in conflicts:
            yield DisputedBlocks(left, right, "conflict", linking, separating)
        elif linking:
            yield DisputedBlocks(left, right, "link" if asked else "outvoted", linking, separating)


def _tally(values: Iterable[Hashable]) -> dict[Any, int]:
    """How often each value occurs; faster than a Counter for the few values of a block."""
    counts: dict[Any, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return counts


def _votes(
    left_in_entity: Mapping[tuple[int, int], int],
    right_in_entity: Mapping[tuple[int, int], int],
    left_marked: Mapping[int, int],
    right_marked: Mapping[int, int],
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The annotators who link two blocks, and those who separate them.

    Each pair of units, one from either block, that an annotator has marked is a link if she has
    both in one entity. An annotator links the blocks if more than half of her pairs are links, and
    separates them if fewer are; with exactly half she does neither. The arguments count, for each
    block, the units in each entity of each annotator, and all units each annotator has marked.
    """
    balance = {
        annotator: -number * right_marked[annotator]
        for annotator, number in left_marked.items()
        if annotator in right_marked
    }
    for entity, number in left_in_entity.items():
        if entity in right_in_entity:
            balance[entity[0]] += 2 * number * right_in_entity[entity]
    linking = [annotator for annotator, surplus in balance.items() if surplus > 0]
    separating = [annotator for annotator, surplus in balance.items() if surplus < 0]
    return tuple(sorted(linking)), tuple(sorted(separating))


YES, NO = "yes", "no"


class DecidedLink(NamedTuple):
    """A decision about two blocks: its id, the blocks by number, and yes or no."""

    id: str
    left: int
    right: int
    choice: str


class DecidedLinks:
    """A graph of blocks, by number, and the links decided between them.

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
        """The number shared by all blocks that are joined with this one."""
        home = block
        while (parent := self._home.get(home, home)) != home:
            home = parent
        while (parent := self._home.get(block, block)) != home:
            self._home[block], block = home, parent
        return home

    def _join(self, left: int, right: int) -> None:
        a, b = self.group(left), self.group(right)
        self._home[max(a, b)] = min(a, b)

    def implies(self, left: int, right: int) -> str | None:
        """What the decided links imply about two blocks; None where they imply nothing.

        Yes: a chain of yeses joins the blocks. No: a no separates their groups.
        """
        groups = frozenset((self.group(left), self.group(right)))
        if len(groups) == 1:
            return YES
        return NO if groups in self._apart else None

    def contradictions(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The id of each no between blocks that yeses join, and the chain of these yeses."""
        for link in self.links:
            if link.choice == NO and self.group(link.left) == self.group(link.right):
                yield link.id, self.chain(link.left, link.right, YES)

    def chain(self, left: int, right: int, choice: str) -> tuple[str, ...]:
        """The ids along a shortest chain of links between two blocks, from left to right.

        All links are yeses; if `choice` is no, exactly one of them is a no. Where several chains
        are shortest, it is the one whose list of ids sorts first.
        """
        distance = self._distances(right)
        block, noes = left, int(choice == NO)
        ids = list[str]()
        while distance[block, noes]:
            for link in self._neighbours[block]:  # sorted by id
                step = self._other(link, block), noes - (link.choice == NO)
                if distance.get(step) == distance[block, noes] - 1:
                    ids.append(link.id)
                    block, noes = step
                    break
        return tuple(ids)

    def _distances(self, target: int) -> dict[tuple[int, int], int]:
        """(block, noes) → links on the shortest chain to the target with zero or one no in it."""
        distance = {(target, 0): 0}
        waiting = deque(distance)
        while waiting:
            block, noes = waiting.popleft()
            for link in self._neighbours.get(block, ()):
                step = self._other(link, block), noes + (link.choice == NO)
                if step[1] < 2 and step not in distance:
                    distance[step] = distance[block, noes] + 1
                    waiting.append(step)
        return distance

    @staticmethod
    def _other(link: DecidedLink, block: int) -> int:
        return link.right if link.left == block else link.left

"""Decided links between blocks: what they join, and the chain of links that shows it."""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

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

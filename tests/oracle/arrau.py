"""The ARRAU files of CRAC 2018 and what CoVal counts in them, mention by mention."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import NamedTuple, TypeAlias


class Mention(NamedTuple):
    """First and last token, from 1, and those of its minimum, or None."""

    start: int
    end: int
    minimum: tuple[int, int] | None = None


Side: TypeAlias = Sequence[Sequence[Mention]]
Ratio: TypeAlias = tuple[Fraction, Fraction]
Agree: TypeAlias = Callable[[Mention, Mention], bool]
"""A mention of the side that is looked at, one of the other side: are they the same?"""


def agree(key: Mention, response: Mention) -> bool:
    """Whether a response mention keeps the minimum of a key mention and stays within it."""
    if key.minimum is None:
        return key[:2] == response[:2]
    first, last = key.minimum
    return key.start <= response.start <= first and last <= response.end <= key.end


def place(mention: Mention, other: Side, same: Agree) -> int | None:
    """The number of the first entity with a mention that agrees."""
    for number, entity in enumerate(other):
        if any(same(mention, candidate) for candidate in entity):
            return number
    return None


def muc(side: Side, other: Side, same: Agree) -> Ratio:
    """Links that need not be added."""
    found = 0
    for entity in side:
        places = [place(mention, other, same) for mention in entity]
        known = [p for p in places if p is not None]
        found += len(known) - len(set(known))
    return Fraction(found), Fraction(sum(len(entity) - 1 for entity in side))


def bcub(side: Side, other: Side, same: Agree) -> Ratio:
    """Squares of what falls to each entity."""
    total = Fraction(0)
    for entity in side:
        places = [place(mention, other, same) for mention in entity]
        for number in {p for p in places if p is not None}:
            total += Fraction(places.count(number) ** 2, len(entity))
    return total, Fraction(sum(map(len, side)))


def lea(side: Side, other: Side, same: Agree) -> Ratio:
    """Links within an entity; a singleton is found in a singleton."""
    total = Fraction(0)
    for entity in side:
        places = [place(mention, other, same) for mention in entity]
        if len(entity) == 1:
            total += places[0] is not None and len(other[places[0]]) == 1
            continue
        links = list(combinations(places, 2))
        total += len(entity) * Fraction(sum(a == b and a is not None for a, b in links), len(links))
    return total, Fraction(sum(map(len, side)))


def ceafe(key: Side, response: Side) -> Fraction:
    """The best alignment of all."""
    likeness = [
        [
            Fraction(
                2 * sum(any(agree(k, r) for r in other) for k in entity), len(entity) + len(other)
            )
            for other in response
        ]
        for entity in key
    ]
    if not key or not response:
        return Fraction(0)
    if len(key) > len(response):
        likeness = [list(column) for column in zip(*likeness, strict=True)]
    orders = permutations(range(len(likeness[0])), len(likeness))
    return max(sum((likeness[i][j] for i, j in enumerate(o)), Fraction(0)) for o in orders)

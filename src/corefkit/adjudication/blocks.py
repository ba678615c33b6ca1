"""Blocks: the units that are certainly one entity, and the pairs of blocks that are disputed.

Units that every annotator has in the same entities are a class. Classes are joined where more of
those who have both link them than separate them, by complete linkage: one annotator's extra mention
never joins what two dispute, and a majority that goes round in a circle stays open.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

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
    for number, own in enumerate(members):
        groups.setdefault(home[number], []).extend(own)
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
    counted = [Counter(entity for u in block for entity in units[u].items()) for block in blocks]
    had = [Counter(annotator for u in block for annotator in units[u]) for block in blocks]
    of_entity: dict[tuple[int, int], list[int]] = {}
    for number, count in enumerate(counted):
        for entity in count:
            of_entity.setdefault(entity, []).append(number)
    pairs = {pair for numbers in of_entity.values() for pair in combinations(numbers, 2)}
    conflicts = {*refused}
    for left, right in sorted(pairs, key=lambda pair: (pair[1], pair[0])):
        one, other = counted[left], counted[right]
        links = Counter[int]()
        for entity in one.keys() & other.keys():
            links[entity[0]] += one[entity] * other[entity]
        balance = {a: 2 * links[a] - had[left][a] * had[right][a] for a in had[left]}
        linking = tuple(sorted(a for a, more in balance.items() if more > 0))
        separating = tuple(sorted(a for a, more in balance.items() if more < 0))
        asked = rule.certain == "all" or len(linking) >= len(separating)
        if (left, right) in conflicts:
            yield DisputedBlocks(left, right, "conflict", linking, separating)
        elif linking:
            yield DisputedBlocks(left, right, "link" if asked else "outvoted", linking, separating)

"""Metrics of entity resolution and of clustering, from their definitions; one document at a time.

Where a metric needs partitions of the same mentions, one that a side lacks is alone there.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations
from math import factorial, log2
from statistics import harmonic_mean

from .metrics import Document, Entities, Entity, coreference_links, mentions

Partition = frozenset[Entity]


def completed(document: Document) -> tuple[Partition, Partition]:
    """Both sides as partitions of all mentions of either."""
    key, response = document
    alone = [frozenset({m}) for m in mentions(key) ^ mentions(response)]
    missing = [{*alone} - {frozenset({m}) for m in mentions(side)} for side in document]
    return frozenset(key) | missing[0], frozenset(response) | missing[1]


def inverse_purity(key: Entities, response: Entities) -> int:
    """Mentions of the response entity that has most of each key entity."""
    return sum(max((len(own & other) for other in response), default=0) for own in key)


def equal_entities(key: Entities, response: Entities) -> int:
    return len(set(key) & set(response))


# The adjusted Rand index: the mean over all ways to shuffle the mentions


def expected_links(document: Document) -> Fraction:
    """Links on both sides, the mean over all permutations of the mentions of the response."""
    key, response = completed(document)
    ours = coreference_links([*key])
    everything = sorted(mentions([*key]), key=repr)
    total = 0
    for order in permutations(everything):
        new = dict(zip(everything, order, strict=True))
        shuffled = coreference_links([frozenset(new[m] for m in own) for own in response])
        total += len(ours & shuffled)
    return Fraction(total, factorial(len(everything)))


# Entropies, in bits


def entropy(partition: Partition) -> float:
    size = len(mentions([*partition]))
    return -sum(len(own) / size * log2(len(own) / size) for own in partition)


def joint(one: Partition, other: Partition) -> Partition:
    """The partition into what is together on both sides."""
    return frozenset(a & b for a in one for b in other if a & b)


def information(document: Document) -> dict[str, float]:
    """Completeness, homogeneity, the V-measure and the variation of information."""
    key, response = completed(document)
    if not key:
        return {"completeness": 0, "homogeneity": 0, "v": 0, "vi": 0}
    both, ours, theirs = entropy(joint(key, response)), entropy(key), entropy(response)
    completeness = 1 - (both - ours) / theirs if theirs else 1.0
    homogeneity = 1 - (both - theirs) / ours if ours else 1.0
    mean = harmonic_mean((max(completeness, 0), max(homogeneity, 0)))
    vi = 2 * both - ours - theirs
    return {"completeness": completeness, "homogeneity": homogeneity, "v": mean, "vi": vi}


# The merge distance: the shortest way, by trying all


def steps(partition: Partition, key: Partition) -> Iterator[Partition]:
    """All partitions one step away: any split, and merges of what belongs to one key entity."""
    for entity in partition:
        first, *others = sorted(entity, key=repr)
        for number in range(len(others)):
            for some in combinations(others, number):
                part = frozenset({first, *some})
                yield (partition - {entity}) | {part, entity - part}
    for one, other in combinations(partition, 2):
        if any(one | other <= own for own in key):
            yield (partition - {one, other}) | {one | other}


def merge_distance(document: Document) -> int:
    """The least number of such steps from the response to the key."""
    key, response = completed(document)
    reached, distance = {response}, 0
    seen = set(reached)
    while key not in reached:
        distance += 1
        reached = {new for one in reached for new in steps(one, key)} - seen
        seen |= reached
    return distance

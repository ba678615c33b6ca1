"""The links that the reference scorer counts for BLANC, where spans may stand in two entities."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, product

import numpy as np

from corefkit.profiles.conll801_documents import Chain, Document, listing

_FEW = 8
"""Spans that stand in more entities, both sides together, are looked at one by one."""

Entities = tuple[int, ...]
"""The entities of one side that list a span."""


def count_links(document: Document) -> tuple[int, ...]:
    """Links in both, in the key and in the response; coreferent, then not coreferent.

    Links are sets of pairs of numbers: coreferent within, others across entities. So a span in two
    entities is also linked to itself, and a pair may be of both kinds.
    """
    sides = [listing(side) for side in (document.key, document.response)]
    of = {m: tuple(tuple(s.get(m, ())) for s in sides) for m in (sides[0] | sides[1])}
    many = {m for m, listed in of.items() if sum(map(len, listed)) > _FEW}
    few = Counter(listed for m, listed in of.items() if m not in many)
    twice = [_twice(side) for side in (document.key, document.response)]
    themselves = [len(spans) for spans in (twice[0] & twice[1], *twice)]
    within = [_within(few), themselves]
    if many:
        within.append(_within_one_by_one(document, of, many))
    return *map(sum, zip(*within, strict=True)), *_across(Counter(of.values()))


def _twice(entities: Iterable[Chain]) -> set[int]:
    """The spans that an entity lists twice."""
    return {m for e in entities for m, times in Counter(e).items() if times > 1}


def _within(spans: Mapping[tuple[Entities, ...], int]) -> list[int]:
    """Pairs of spans with a common entity: in both sides, in the key, in the response.

    By inclusion and exclusion, so that a pair with two common entities counts once: pairs that
    have one, less pairs that have two, and so on.
    """
    sizes = [Counter[tuple[Entities, ...]]() for _ in range(3)]
    for (ours, theirs), number in spans.items():
        chosen = list(_subsets(ours)), list(_subsets(theirs))
        for pair in product(*chosen):
            sizes[0][pair] += number
        for side in (0, 1):
            for some in chosen[side]:
                sizes[side + 1][(some,)] += number
    return [sum(_sign(s) * n * (n - 1) // 2 for s, n in counter.items()) for counter in sizes]


def _subsets(entities: Entities) -> Iterator[Entities]:
    """All choices of at least one."""
    return (s for size in range(1, len(entities) + 1) for s in combinations(entities, size))


def _sign(chosen: tuple[Entities, ...]) -> int:
    return -1 if sum(len(some) - 1 for some in chosen) % 2 else 1


def _within_one_by_one(
    document: Document, of: Mapping[int, tuple[Entities, ...]], spans: Iterable[int]
) -> list[int]:
    """The same pairs, of these spans with all: of two of them from the first only."""
    counts = np.zeros(3, dtype=np.int64)
    place = {span: number for number, span in enumerate(of)}
    chains = document.key, document.response
    sides = [[np.array([place[span] for span in chain]) for chain in side] for side in chains]
    left = np.ones(len(of), dtype=bool)
    for one in spans:
        left[place[one]] = False
        together = np.zeros((2, len(of)), dtype=bool)
        for found, side, entities in zip(together, sides, of[one], strict=True):
            for entity in entities:
                found[side[entity]] = True
        key, response = together & left
        counts += (key & response).sum(), key.sum(), response.sum()
    found_pairs: list[int] = counts.tolist()
    return found_pairs


def _across(spans: Mapping[tuple[Entities, ...], int]) -> list[int]:
    """Pairs of spans, one perhaps with itself, that stand in different entities.

    All pairs do that, less those of spans with the same entity and no other. A span in two
    entities makes such a pair with itself.
    """
    found = []
    for sides in ((0, 1), (0,), (1,)):
        here = {s: n for s, n in spans.items() if all(s[side] for side in sides)}
        total = sum(here.values())
        links = total * (total - 1) // 2
        for size in range(1, len(sides) + 1):
            for some in combinations(sides, size):
                alone = Counter[tuple[Entities, ...]]()
                for listed, number in here.items():
                    if all(len(listed[side]) == 1 for side in some):
                        alone[tuple(listed[side] for side in some)] += number
                pairs = sum(n * (n - 1) // 2 for n in alone.values())
                links += pairs if size == 2 else -pairs
        links += sum(n for s, n in here.items() if all(len(s[side]) > 1 for side in sides))
        found.append(links)
    return found

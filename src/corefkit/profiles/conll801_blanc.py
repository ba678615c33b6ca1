"""The links that the reference scorer counts for BLANC, where spans may stand in two entities."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

import numpy as np

from corefkit.data.arrays import BoolArray, IntArray
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
    within, across = _within(few), _across(few)
    twice = [_twice(side) - many for side in (document.key, document.response)]
    for place, spans in enumerate((twice[0] & twice[1], *twice)):
        within[place] += len(spans)
    counts = np.array((*within, *across), dtype=np.int64)
    return tuple((counts + _one_by_one(document, sorted(many))).tolist())


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


def _one_by_one(document: Document, spans: Sequence[int]) -> IntArray:
    """The links that touch one of these spans: from each of them to all spans at once."""
    counts = np.zeros(6, dtype=np.int64)
    if not spans:
        return counts
    chains = (document.key, document.response)
    place = {m: i for i, m in enumerate(sorted({m for s in chains for e in s for m in e}))}
    sides = [_Links([[place[m] for m in e] for e in side], len(place)) for side in chains]
    # The link of two such spans counts once: from the later one it is not looked at again.
    still = np.ones(len(place), dtype=bool)
    for one in (place[m] for m in spans):
        for first, kind in ((0, _Links.within), (3, _Links.across)):
            key, response = (kind(side, one) & still for side in sides)
            counts[first : first + 3] += (key & response).sum(), key.sum(), response.sum()
        still[one] = False
    return counts


class _Links:
    """The links of one side, from one span to all; spans are numbered without gaps."""

    def __init__(self, entities: list[Chain], spans: int) -> None:
        self._entities = [np.array(e, dtype=np.int64) for e in entities]
        self._listing = listing(entities)
        self._twice = _twice(entities)
        self._times = np.zeros(spans, dtype=np.int64)
        self._first = np.full(spans, -1)
        for span, listed in self._listing.items():
            self._times[span], self._first[span] = len(listed), listed[0]

    def within(self, one: int) -> BoolArray:
        """The spans that stand in an entity with this one; itself if an entity has it twice."""
        found = np.zeros(len(self._times), dtype=bool)
        for entity in self._listing.get(one, ()):
            found[self._entities[entity]] = True
        found[one] = one in self._twice
        return found

    def across(self, one: int) -> BoolArray:
        """The spans that stand in another entity than this one does, perhaps beside it too."""
        found: BoolArray = (self._times > 0) & (self._times[one] > 0)
        if self._times[one] == 1:
            found &= (self._times > 1) | (self._first != self._first[one])
        return found

"""The links that the reference scorer counts for BLANC, where spans may stand in two entities."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from corefkit.data.arrays import BoolArray
from corefkit.metrics.base import Number
from corefkit.profiles.conll801_documents import Chain, Document, listing


def count_links(documents: Sequence[Document]) -> list[tuple[Number, ...]]:
    """Links are sets of pairs of numbers: coreferent within, others across entities.

    So a span in two entities is also linked to itself, and a pair may be of both kinds.
    """
    return [tuple(map(sum, zip(_plain(d), _touched(d), strict=True))) for d in documents]


def _repeated(document: Document) -> set[int]:
    """The spans that occur more than once on a side."""
    sides = (Counter(m for e in side for m in e) for side in (document.key, document.response))
    return {m for side in sides for m, times in side.items() if times > 1}


def _plain(document: Document) -> tuple[int, ...]:
    """The links between spans that occur once on each side, from counts."""
    repeated = _repeated(document)
    sides = [
        {m: e for e, entity in enumerate(side) for m in entity if m not in repeated}
        for side in (document.key, document.response)
    ]
    both = [m for m in sides[0] if m in sides[1]]
    within = [_pairs(Counter(side.values())) for side in sides]
    total = [_pairs({0: len(side)}) for side in sides]
    common = _pairs({0: len(both)})
    same = _pairs(Counter((sides[0][m], sides[1][m]) for m in both))
    coreferent = [_pairs(Counter(side[m] for m in both)) for side in sides]
    neither = common - coreferent[0] - coreferent[1] + same
    return (
        *(same, within[0], within[1]),
        *(neither, total[0] - within[0], total[1] - within[1]),
    )


def _pairs(sizes: Mapping[object, int]) -> int:
    return sum(n * (n - 1) // 2 for n in sizes.values())


def _touched(document: Document) -> tuple[int, ...]:
    """The links that touch a repeated span: from each of them to all spans at once."""
    repeated = sorted(_repeated(document))
    if not repeated:
        return (0,) * 6
    chains = (document.key, document.response)
    place = {m: i for i, m in enumerate(sorted({m for s in chains for e in s for m in e}))}
    sides = [_Links([[place[m] for m in e] for e in side], len(place)) for side in chains]
    counts = np.zeros(6, dtype=np.int64)
    # The link of two repeated spans counts once: from the later one it is not looked at again.
    still = np.ones(len(place), dtype=bool)
    for one in (place[m] for m in repeated):
        for first, kind in ((0, _Links.within), (3, _Links.across)):
            key, response = (kind(side, one) & still for side in sides)
            counts[first : first + 3] += (key & response).sum(), key.sum(), response.sum()
        still[one] = False
    return tuple(counts.tolist())


class _Links:
    """The links of one side, from one span to all; spans are numbered without gaps."""

    def __init__(self, entities: list[Chain], spans: int) -> None:
        self._entities = [np.array(e, dtype=np.int64) for e in entities]
        self._listing = listing(entities)
        self._twice = {m for e in entities for m, times in Counter(e).items() if times > 1}
        self._times = np.zeros(spans, dtype=np.int64)
        self._only = np.full(spans, -1)
        for span, listed in self._listing.items():
            self._times[span] = len(listed)
            if len(listed) == 1:
                self._only[span] = listed[0]

    def within(self, one: int) -> BoolArray:
        """The spans that stand in an entity with this one; itself if an entity has it twice."""
        found = np.zeros(len(self._times), dtype=bool)
        for entity in self._listing.get(one, ()):
            found[self._entities[entity]] = True
        found[one] = one in self._twice
        return found

    def across(self, one: int) -> BoolArray:
        """The spans that stand in another entity than this one does, perhaps beside it too."""
        if self._times[one] == 0:
            return np.zeros(len(self._times), dtype=bool)
        listed = self._times > 0
        return listed if self._times[one] > 1 else listed & (self._only != self._only[one])

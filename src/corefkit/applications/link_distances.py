"""Distances of links: how far apart the two mentions of a coreference link stand.

`--by link:tokens` splits links by the tokens between their first tokens, `link:sentences` by the
sentences, `link:mentions` by the mentions of that side in the text. Links are counted from sorted
places, never one by one: an entity of 100,000 mentions has five thousand million of them.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from corefkit.applications.chains import Chains, sentence_of_mentions
from corefkit.applications.features import parse_bounds
from corefkit.core.arrays import IntArray, ranks_of, starts_of_runs, sum_by
from corefkit.core.carriers import frozen
from corefkit.core.nodes import reading_order
from corefkit.core.options import UsageError

PREFIX = "link:"
"""What distances of links begin with on the command line."""

BOUNDS = {
    "tokens": (0, 10, 50, 200, 1000, 5000),
    "sentences": (0, 1, 2, 5, 20, 100),
    "mentions": (1, 2, 5, 20, 100, 1000),
}
"""The least values of the bands of each distance."""


@frozen
class LinkDistance:
    """What links are broken down by: `unit` is one of BOUNDS, `bounds` the least of each band."""

    unit: str
    bounds: tuple[int, ...]

    @property
    def name(self) -> str:
        """What it is called."""
        return PREFIX + self.unit

    @property
    def signature(self) -> str:
        """How it stands in a signature: bounds are always written."""
        return f"{self.name}={','.join(map(str, self.bounds))}"

    def places(self, chains: Chains) -> IntArray:
        """The place of each mention, int64 (mentions,), rows as in the corpus of the chains."""
        if self.unit == "mentions":
            # Documents, or windows, follow each other in this order, and links never cross them.
            order, window = reading_order(chains.corpus), np.empty(len(chains), dtype=np.int64)
            window[chains.row] = chains.window
            return ranks_of(order[np.argsort(window[order], kind="stable")])
        if self.unit == "tokens":
            return chains.corpus.start
        sentence = np.empty(len(chains), dtype=np.int64)
        sentence[chains.row] = sentence_of_mentions(chains)
        return sentence


def find_distance(by: str) -> LinkDistance:
    """The distance that is meant by `link:UNIT` or `link:UNIT=BOUNDS`; UsageError if none is.

    >>> find_distance("link:sentences").signature
    'link:sentences=0,1,2,5,20,100'
    """
    unit, equals, text = by.removeprefix(PREFIX).partition("=")
    if unit not in BOUNDS:
        raise _wrong(by, "there is no such distance")
    if not equals:
        return LinkDistance(unit, BOUNDS[unit])
    try:
        return LinkDistance(unit, parse_bounds(text))
    except ValueError as error:
        raise _wrong(by, str(error)) from None


def _wrong(by: str, why: str) -> UsageError:
    known = ", ".join(f"{unit}={','.join(map(str, own))}" for unit, own in BOUNDS.items())
    return UsageError(f"by: {by!r:.60}: {why}; there are {PREFIX} {known}")


def count_bands(
    document: IntArray, group: IntArray, place: IntArray, bounds: Sequence[int], documents: int
) -> IntArray:
    """Links within groups by document and band, int64 (documents, bands); the first is below all.

    `document`, `group` and `place` are those of mentions: any two of one group are a link, whose
    distance is the difference of their places.

    >>> zero, place = np.array([0, 0, 0]), np.array([3, 8, 40])
    >>> count_bands(zero, zero, place, (0, 10), 1).tolist()
    [[0, 1, 2]]
    """
    low = int(place.min(initial=0))
    width = int(place.max(initial=0)) - low + 1
    code = group * width + (place - low)
    order = np.argsort(code, kind="stable")
    code, document = code[order], document[order]
    number = np.arange(len(code))
    starts = starts_of_runs(group[order])
    first = np.repeat(starts, np.diff(starts, append=len(code)))

    def nearer(bound: int) -> IntArray:
        """How many links of each document are shorter than the bound."""
        nearest = np.searchsorted(code, code - min(bound, width) + 1)
        nearest = np.clip(nearest, first, number)
        return sum_by(document, number - nearest, documents)

    within = [nearer(bound) for bound in bounds]
    every = sum_by(document, number - first, documents)
    shorter = [np.zeros_like(every), *within, every]
    return np.stack([more - less for less, more in pairwise(shorter)], axis=1)

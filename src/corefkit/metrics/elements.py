"""Split antecedents in exact fractions: the similarity of two, and sums with weighted mentions.

Each function of ELEMENTS takes the elements of a key plural and of a response plural, in which
matched mentions have the same number, and returns Ratios as fractions. It counts what the metric of
the same name counts (docs/anaphora.md), except that in muc an element with a single mention counts
as a link, which is found if the other side has the same singleton. Sums are rounded once, at the
end.
"""

from collections.abc import Callable, Iterable, Sequence, Sized
from fractions import Fraction
from functools import wraps
from math import comb

import numpy as np

from corefkit.core.arrays import FloatArray, IntArray, sum_by, tuples
from corefkit.core.counts import PerDocument
from corefkit.core.overlap import Overlap
from corefkit.core.pairing import first_best_pairing
from corefkit.metrics import blanc
from corefkit.metrics.base import Counted


class Element:
    """The mentions of an element of a plural, as numbers.

    Attributes:
        copies: the numbers as listed, copies included; they determine the length of the element.
        mentions: the distinct numbers.
    """

    __slots__ = ("copies", "mentions")

    def __init__(self, numbers: Iterable[int]) -> None:
        self.copies = tuple(numbers)
        self.mentions = frozenset(self.copies)

    def __len__(self) -> int:
        return len(self.copies)

    def shared(self, other: "Element") -> int:
        """The number of mentions, copies included, that the other element has, too."""
        if len(self.mentions) == len(self.copies):
            return len(self.mentions & other.mentions)
        return sum(mention in other.mentions for mention in self.copies)


Partition = Sequence[Element]
Ratios = tuple[Fraction, Fraction, Fraction, Fraction]
"""The numerator and denominator of recall, then of precision."""

_Exact = int | Fraction


def _on_both_sides(
    count: Callable[[Partition, Partition], tuple[_Exact, _Exact]],
) -> Callable[[Partition, Partition], Ratios]:
    """Turn a function that counts recall into one that also counts precision."""

    @wraps(count)
    def both(key: Partition, response: Partition) -> Ratios:
        recalled, needed = count(key, response)
        right, made = count(response, key)
        return Fraction(recalled), Fraction(needed), Fraction(right), Fraction(made)

    return both


@_on_both_sides
def muc(key: Partition, response: Partition) -> tuple[_Exact, _Exact]:
    """Links that hold the elements together."""
    links = 0
    for entity in key:
        shares = [entity.shared(other) for other in response]
        if len(entity) == 1:
            links += any(n and len(other) == 1 for n, other in zip(shares, response, strict=True))
        else:
            links += sum(n - 1 for n in shares if n)
    return links, sum(max(len(entity) - 1, 1) for entity in key)


@_on_both_sides
def bcub(key: Partition, response: Partition) -> tuple[_Exact, _Exact]:
    """The share of its element that was found, for each mention."""
    shares = (
        Fraction(entity.shared(other) ** 2, len(entity)) for entity in key for other in response
    )
    return sum(shares, Fraction()), _mentions(key)


@_on_both_sides
def lea(key: Partition, response: Partition) -> tuple[_Exact, _Exact]:
    """Links found in each element, weighted by its size."""
    resolved = Fraction()
    for entity in key:
        if len(entity) == 1:
            resolved += any(len(other) == 1 and entity.shared(other) for other in response)
        else:
            links = sum(comb(entity.shared(other), 2) for other in response)
            resolved += Fraction(2 * links, len(entity) - 1)
    return resolved, _mentions(key)


def ceafm(key: Partition, response: Partition) -> Ratios:
    """Mentions in elements that are aligned one to one."""
    shares = [[entity.shared(other) for other in response] for entity in key]
    return aligned_mentions(shares, key, response)


def aligned_mentions(
    shares: list[list[int]], key: Sequence[Sized], response: Sequence[Sized]
) -> Ratios:
    """Like `ceafm`, from the number of mentions that each key element shares with each other."""
    best = _best([[Fraction(n) for n in row] for row in shares])
    return best, Fraction(sum(map(len, key))), best, Fraction(sum(map(len, response)))


def ceafe(key: Partition, response: Partition) -> Ratios:
    """The similarity of elements that are aligned one to one."""
    shares = [[entity.shared(other) for other in response] for entity in key]
    return aligned_elements(shares, key, response)


def aligned_elements(
    shares: list[list[int]], key: Sequence[Sized], response: Sequence[Sized]
) -> Ratios:
    """Like `ceafe`, from the number of mentions that each key element shares with each other."""
    table = [
        [Fraction(2 * n, len(entity) + len(other)) for n, other in zip(row, response, strict=True)]
        for row, entity in zip(shares, key, strict=True)
    ]
    best = _best(table)
    return best, Fraction(len(key)), best, Fraction(len(response))


def linked(key: Partition, response: Partition) -> Ratios:
    """The coreference links of blanc."""
    both = sum(comb(entity.shared(other), 2) for entity in key for other in response)
    return _halves(both, _links(key), _links(response))


def apart(key: Partition, response: Partition) -> Ratios:
    """The non-coreference links of blanc."""
    shares = [[entity.shared(other) for other in response] for entity in key]
    common = sum(map(sum, shares))
    same_key = sum(comb(sum(row), 2) for row in shares)
    same_response = sum(comb(sum(column), 2) for column in zip(*shares, strict=True))
    both = sum(comb(n, 2) for row in shares for n in row)
    neither = comb(common, 2) - same_key - same_response + both
    sides = (comb(_mentions(side), 2) - _links(side) for side in (key, response))
    return _halves(neither, *sides)


def _halves(both: int, key: int, response: int) -> Ratios:
    return Fraction(both), Fraction(key), Fraction(both), Fraction(response)


def _mentions(side: Partition) -> int:
    return sum(map(len, side))


def _links(side: Partition) -> int:
    return sum(comb(len(entity), 2) for entity in side)


def _best(table: list[list[Fraction]]) -> Fraction:
    """The largest sum of a one-to-one alignment."""
    weights = [dict(enumerate(row)) for row in table]
    partner = first_best_pairing(weights)
    return sum((table[r][c] for r, c in enumerate(partner) if c >= 0), Fraction())


ELEMENTS = {
    "muc": (muc,),
    "bcub": (bcub,),
    "ceafm": (ceafm,),
    "ceafe": (ceafe,),
    "lea": (lea,),
    "blanc": (linked, apart),
}
"""The metrics that support split antecedents, and how they score elements; blanc in two halves."""


EntityWeights = list[tuple[int, Fraction]]
"""Key entities, each with a number that is added to the sum of its document."""


def sum_weighted(
    overlap: Overlap, numerator: IntArray, denominator: IntArray, weights: EntityWeights
) -> FloatArray:
    """Like `overlap.sum_ratios`, plus these weights; each sum is rounded once."""
    sums = overlap.sum_ratios(numerator, denominator)
    for document, weight in by_document(overlap, weights).items():
        here = np.flatnonzero(overlap.document == document)
        tops: dict[int, int] = {}
        for n, d in tuples(numerator[here], denominator[here]):
            tops[d] = tops.get(d, 0) + n
        sums[document] = float(sum((Fraction(n, d) for d, n in tops.items()), weight))
    return sums


def by_document(overlap: Overlap, weights: EntityWeights) -> dict[int, Fraction]:
    """The sum of the weights of each document that has any."""
    sums: dict[int, Fraction] = {}
    for entity, weight in weights:
        document = int(overlap.key.document[entity])
        sums[document] = sums.get(document, 0) + weight
    return sums


def count_blanc(linked: Overlap, unlinked: Overlap) -> Counted:
    """Like `blanc.count`, from two overlaps: split antecedents have different weights for the two
    kinds of links.
    """
    both, key, response, _, not_key, not_response = blanc.count(linked)
    neither = blanc.count(unlinked)[3]
    added = [(cell.key_entity, cell.recall * cell.shared) for cell in linked.weighted]
    both, neither = _plus(linked, both, added), _plus(unlinked, neither, _apart(unlinked))
    return both, key, response, neither, not_key, not_response


def _plus(overlap: Overlap, sums: PerDocument, added: EntityWeights) -> PerDocument:
    """The integer sums by document, plus the fractions that belong to these key entities."""
    totals = sums.astype(np.float64)
    for document, weight in by_document(overlap, added).items():
        totals[document] = float(int(sums[document]) + weight)
    return totals


def _apart(overlap: Overlap) -> EntityWeights:
    """The links of virtual mentions that are non-coreferent on both sides, by key entity."""
    weights = []
    in_key = sum_by(overlap.key_entity, overlap.count, len(overlap.key.size))
    in_response = sum_by(overlap.response_entity, overlap.count, len(overlap.response.size))
    common = overlap.sum_cells(overlap.count)
    document = overlap.key.document
    for place, (key, response, count, weight, _) in enumerate(overlap.weighted):
        others = int(common[document[key]] - in_key[key] - in_response[response]) + count
        weights.append((key, weight * others))
        for earlier in overlap.weighted[:place]:
            same_document = document[earlier.key_entity] == document[key]
            if same_document and earlier.key_entity != key and earlier.response_entity != response:
                weights.append((key, weight * earlier.recall))
    return weights

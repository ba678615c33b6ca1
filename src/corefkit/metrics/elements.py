"""How alike two split antecedents are: their elements as two small partitions, scored exactly.

Each function takes the elements of a plural of the key and of one of the response, as sets of
mentions in which matched mentions are equal, and returns RATIOS as fractions. It is what the
metric of the same name counts (docs/anaphora.md); only muc differs: an element with a single
mention counts as a link, which is found if the other side has that mention alone, too.
"""

from collections.abc import Callable, Sequence, Sized
from fractions import Fraction
from functools import wraps
from math import comb, lcm

from corefkit.data.matching.ties import first_best_pairing

Partition = Sequence[frozenset[int]]
Ratios = tuple[Fraction, Fraction, Fraction, Fraction]
"""Numerator and denominator of recall, then of precision."""

_Number = int | Fraction


def _on_both_sides(
    count: Callable[[Partition, Partition], tuple[_Number, _Number]],
) -> Callable[[Partition, Partition], Ratios]:
    """Recall as the function counts it, and precision with the sides exchanged."""

    @wraps(count)
    def both(key: Partition, response: Partition) -> Ratios:
        found, needed = count(key, response)
        right, made = count(response, key)
        return Fraction(found), Fraction(needed), Fraction(right), Fraction(made)

    return both


@_on_both_sides
def muc(key: Partition, response: Partition) -> tuple[_Number, _Number]:
    """Links that hold the elements together."""
    found = 0
    for own in key:
        shares = [len(own & other) for other in response]
        if len(own) == 1:
            found += any(n and len(other) == 1 for n, other in zip(shares, response, strict=True))
        else:
            found += sum(n - 1 for n in shares if n)
    return found, sum(max(len(own) - 1, 1) for own in key)


@_on_both_sides
def bcub(key: Partition, response: Partition) -> tuple[_Number, _Number]:
    """For each mention the share of its element that was found."""
    shares = (Fraction(len(own & other) ** 2, len(own)) for own in key for other in response)
    return sum(shares, Fraction()), _mentions(key)


@_on_both_sides
def lea(key: Partition, response: Partition) -> tuple[_Number, _Number]:
    """Links found in each element, weighted by its size."""
    found = Fraction()
    for own in key:
        if len(own) == 1:
            found += own in response
        else:
            links = sum(comb(len(own & other), 2) for other in response)
            found += Fraction(2 * links, len(own) - 1)
    return found, _mentions(key)


def ceafm(key: Partition, response: Partition) -> Ratios:
    """Mentions in elements that are aligned one to one."""
    shares = [[len(own & other) for other in response] for own in key]
    return aligned_mentions(shares, key, response)


def aligned_mentions(
    shares: list[list[int]], key: Sequence[Sized], response: Sequence[Sized]
) -> Ratios:
    """The same from how many mentions each element of the key shares with each of the response."""
    best = _best([[Fraction(n) for n in row] for row in shares])
    return best, Fraction(sum(map(len, key))), best, Fraction(sum(map(len, response)))


def ceafe(key: Partition, response: Partition) -> Ratios:
    """The likeness of elements that are aligned one to one."""
    shares = [[len(own & other) for other in response] for own in key]
    return aligned_elements(shares, key, response)


def aligned_elements(
    shares: list[list[int]], key: Sequence[Sized], response: Sequence[Sized]
) -> Ratios:
    """The same from how many mentions each element of the key shares with each of the response."""
    table = [
        [Fraction(2 * n, len(own) + len(other)) for n, other in zip(row, response, strict=True)]
        for row, own in zip(shares, key, strict=True)
    ]
    best = _best(table)
    return best, Fraction(len(key)), best, Fraction(len(response))


def linked(key: Partition, response: Partition) -> Ratios:
    """The coreference links of blanc."""
    both = sum(comb(len(own & other), 2) for own in key for other in response)
    return _halves(both, _links(key), _links(response))


def apart(key: Partition, response: Partition) -> Ratios:
    """The non-coreference links of blanc."""
    shares = [[len(own & other) for other in response] for own in key]
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
    return sum(comb(len(own), 2) for own in side)


def _best(table: list[list[Fraction]]) -> Fraction:
    """The greatest sum of a one-to-one alignment."""
    scale = lcm(*(value.denominator for row in table for value in row), 1)
    weights = [{c: int(v * scale) for c, v in enumerate(row) if v} for row in table]
    partner, _ = first_best_pairing(weights, max(map(len, table), default=0))
    return sum((table[r][c] for r, c in enumerate(partner) if c >= 0), Fraction())


ELEMENTS = {
    "muc": (muc,),
    "bcub": (bcub,),
    "ceafm": (ceafm,),
    "ceafe": (ceafe,),
    "lea": (lea,),
    "blanc": (linked, apart),
}
"""The metrics that know split antecedents, and what they count of elements; blanc in halves."""

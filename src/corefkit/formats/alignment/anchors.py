"""Anchors: long pieces that two texts have in common, each once, in the same order."""

from typing import NamedTuple

import numpy as np

from corefkit.data.arrays import IntArray, ranks_of

_BASE = np.uint64(0x9E3779B97F4A7C15)


class Block(NamedTuple):
    """A piece that both texts have: where it begins in each, and how long it is."""

    one: int
    other: int
    size: int


def common_blocks(one: IntArray, other: IntArray, width: int) -> list[Block]:
    """Blocks in the order of both texts (as code points), made of pieces that each has once.

    Of all such chains it is one with the most pieces. `width`, a power of 2, is the length of a
    piece. Blocks of different places may overlap by less than that.
    """
    if min(len(one), len(other)) < width:
        return []
    ours, first = _unique(_hashes(one, width))
    theirs, second = _unique(_hashes(other, width))
    _, left, right = np.intersect1d(ours, theirs, assume_unique=True, return_indices=True)
    order = np.argsort(first[left])
    a, b = first[left][order], second[right][order]
    if not len(a):
        return []
    breaks = np.flatnonzero((np.diff(a) != 1) | (np.diff(b) != 1)) + 1
    begin = np.concatenate(([0], breaks))
    count = np.diff(np.concatenate((begin, [len(a)])))
    chain = _heaviest(b[begin], count)
    blocks = [Block(int(a[begin[i]]), int(b[begin[i]]), int(count[i]) + width - 1) for i in chain]
    return [
        block
        for block in blocks
        if np.array_equal(
            one[block.one : block.one + block.size], other[block.other : block.other + block.size]
        )
    ]


def _hashes(codes: IntArray, width: int) -> "np.ndarray[tuple[int], np.dtype[np.uint64]]":
    """A number for each piece of so many characters; those of equal pieces are equal."""
    found = codes.astype(np.uint64)
    base, size = _BASE, 1
    with np.errstate(over="ignore"):
        while size < width:
            found = found[:-size] * base + found[size:]
            base, size = base * base, 2 * size
    return found


def _unique(
    values: "np.ndarray[tuple[int], np.dtype[np.uint64]]",
) -> "tuple[np.ndarray[tuple[int], np.dtype[np.uint64]], IntArray]":
    """The values that occur once, and where."""
    distinct, first, count = np.unique(values, return_index=True, return_counts=True)
    return distinct[count == 1], first[count == 1]


def _heaviest(places: IntArray, weights: IntArray) -> list[int]:
    """The heaviest increasing subsequence of distinct places, as indices."""
    size = len(places)
    rank = ranks_of(np.argsort(places)) + 1
    total = [0] * size
    before = [-1] * size
    best = [-1] * (size + 1)  # a Fenwick tree: the best end among some of the lower ranks
    for i, (own, weight) in enumerate(zip(rank.tolist(), weights.tolist(), strict=True)):
        at, last = own - 1, -1
        while at:
            if best[at] >= 0 and (last < 0 or total[best[at]] > total[last]):
                last = best[at]
            at &= at - 1
        before[i] = last
        total[i] = weight + (total[last] if last >= 0 else 0)
        at = own
        while at <= size:
            if best[at] < 0 or total[i] > total[best[at]]:
                best[at] = i
            at += at & -at
    end = max(range(size), key=total.__getitem__)
    chain = []
    while end >= 0:
        chain.append(end)
        end = before[end]
    return chain[::-1]

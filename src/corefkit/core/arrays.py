"""Array types, and a few array operations that work on a whole corpus at once."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

IntArray: TypeAlias = npt.NDArray[np.int64]
FloatArray: TypeAlias = npt.NDArray[np.float64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
ByteArray: TypeAlias = npt.NDArray[np.uint8]
WordArray: TypeAlias = npt.NDArray[np.uint64]

EMPTY: IntArray = np.zeros(0, dtype=np.int64)


def tuples(*columns: IntArray | BoolArray) -> "Iterator[tuple[Any, ...]]":
    """The rows of columns, as tuples of Python numbers.

    >>> list(tuples(np.array([1, 2]), np.array([3, 4])))
    [(1, 3), (2, 4)]
    """
    return zip(*(column.tolist() for column in columns), strict=True)


def mask_of(rows: IntArray, size: int) -> BoolArray:
    """bool (size,): True in these rows.

    >>> mask_of(np.array([2, 0]), 4).tolist()
    [True, False, True, False]
    """
    mask = np.zeros(size, dtype=bool)
    mask[rows] = True
    return mask


def among_names(names: Iterable[str], chosen: Collection[str] | None) -> BoolArray:
    """bool (names,): whether each name is chosen; all are if `chosen` is None.

    >>> among_names(["a", "b"], {"b"}).tolist()
    [False, True]
    """
    return np.array([chosen is None or name in chosen for name in names], dtype=bool)


def byte_table(chosen: bytes) -> BoolArray:
    """bool (256,): True for these bytes.

    >>> byte_table(b" \\t")[list(b"a b")].tolist()
    [False, True, False]
    """
    return mask_of(np.array(list(chosen), dtype=np.int64), 256)


def links_among(n: IntArray) -> IntArray:
    """The number of links among n mentions, i.e. of unordered pairs: n(n−1)/2."""
    return n * (n - 1) >> 1  # shifting takes half the time of dividing


def sum_by(group: IntArray, values: IntArray, groups: int) -> IntArray:
    """Exact sums of integer `values` (n,) by `group` (n,), as int64 (groups,).

    >>> sum_by(np.array([0, 2, 0]), np.array([5, 7, 1]), 3).tolist()
    [6, 0, 7]
    """
    totals = np.zeros(groups, dtype=np.int64)
    np.add.at(totals, group, values)
    return totals


class Distinct(NamedTuple):
    """The sorted distinct values of an array; the first index and the count of each; the inverse.

    `inverse` has one index into `values` for each item of the array.
    """

    values: IntArray
    first: IntArray
    counts: IntArray
    inverse: IntArray


def distinct(values: IntArray) -> Distinct:
    """Like `np.unique` with all its results, but without loading masked arrays (8 ms).

    >>> distinct(np.array([7, 3, 7])).inverse.tolist()
    [1, 0, 1]
    """
    order = np.argsort(values)  # in any order among equals, which takes a fifth of the time
    ordered = values[order]
    starts = starts_of_runs(ordered)
    count = np.diff(starts, append=len(values))
    inverse = np.empty(len(values), dtype=np.int64)
    inverse[order] = np.repeat(np.arange(len(starts)), count)
    first = np.minimum.reduceat(order, starts) if len(starts) else starts
    return Distinct(ordered[starts], first, count, inverse)


def number_together(*arrays: IntArray) -> tuple[list[IntArray], int]:
    """The arrays with their values renumbered from 0 without gaps, and the number of values.

    >>> [numbered.tolist() for numbered in number_together(np.array([7, 3]), np.array([9, 7]))[0]]
    [[1, 0], [2, 1]]
    """
    values = distinct(np.concatenate(arrays))
    return np.split(values.inverse, np.cumsum([len(a) for a in arrays])[:-1]), len(values.values)


def lexical_order(*columns: IntArray) -> IntArray:
    """Like `np.lexsort(columns)`, whose last column is the primary key; faster if ranges are small.

    >>> lexical_order(np.array([2, 1, 0]), np.array([-7, -7, 70000])).tolist()
    [1, 0, 2]
    """
    order = np.arange(len(columns[0]))
    for column in columns:
        for digit in _digits(column):
            order = order[np.argsort(digit[order], kind="stable")]
    return order


def _digits(column: IntArray) -> list[npt.NDArray[Any]]:
    """Columns that sort the rows as this one does, the last being the primary key.

    numpy has a radix sort for 16 bits; numbers in a range of 32 bits have two such digits.
    """
    low, high = int(column.min(initial=0)), int(column.max(initial=0))
    if high - low >= 1 << 32:
        return [column]
    shifted = column - low
    digits = [shifted] if high - low < 1 << 16 else [shifted, shifted >> 16]
    return [digit.astype(np.uint16) for digit in digits]


def ranks_of(order: IntArray) -> IntArray:
    """The inverse of a permutation: the position of each of the numbers 0, 1, … in `order`.

    >>> ranks_of(np.array([2, 0, 1])).tolist()
    [1, 2, 0]
    """
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return rank


def starts_of_runs(sorted_values: IntArray) -> IntArray:
    """The position at which each run of equal values begins in a sorted array."""
    if not len(sorted_values):
        return EMPTY
    return np.concatenate(([0], np.flatnonzero(sorted_values[1:] != sorted_values[:-1]) + 1))


def stretches(first: IntArray, length: IntArray) -> IntArray:
    """The numbers first, first + 1, … (`length` of them) of each row, concatenated.

    >>> stretches(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    filled = length > 0
    first, length = first[filled], length[filled]
    if not len(length):
        return EMPTY
    # All steps are 1, except from the end of a stretch to the beginning of the next.
    end = np.cumsum(length)
    steps = np.ones(int(end[-1]), dtype=np.int64)
    steps[0] = first[0]
    steps[end[:-1]] = first[1:] - (first + length)[:-1] + 1
    return np.cumsum(steps, out=steps)


def join(left: IntArray, right: IntArray) -> tuple[IntArray, IntArray]:
    """All pairs of positions at which the two arrays have the same number.

    >>> [places.tolist() for places in join(np.array([5, 7, 5]), np.array([5, 9, 5]))]
    [[0, 0, 2, 2], [0, 2, 0, 2]]
    """
    order = np.argsort(right, kind="stable")
    sorted_codes = right[order]
    low = np.searchsorted(sorted_codes, left, side="left")
    number = np.searchsorted(sorted_codes, left, side="right") - low
    rows = np.arange(len(left), dtype=np.int64)
    return np.repeat(rows, number), order[stretches(low, number)]


def connected(nodes: int, source: IntArray, target: IntArray) -> IntArray:
    """int64 (nodes,): the first node of the component of each node, given the ends of links.

    >>> connected(4, np.array([2, 3]), np.array([0, 2])).tolist()
    [0, 1, 0, 0]
    """
    top = np.arange(nodes)
    while True:
        low = np.minimum(top[source], top[target])
        before = top.copy()
        np.minimum.at(top, before[source], low)
        np.minimum.at(top, before[target], low)
        while not np.array_equal(top, above := top[top]):
            top = above
        if np.array_equal(top, before):
            return top


def among(values: IntArray, chosen: IntArray) -> BoolArray:
    """Like `np.isin(values, chosen)` for non-negative integers, but without sorting.

    >>> among(np.array([3, 0, 3, 1]), np.array([1, 3, 9])).tolist()
    [True, False, True, True]
    """
    most = max(int(values.max(initial=-1)), int(chosen.max(initial=-1)))
    return mask_of(chosen, most + 1).take(values)


def sum_of_ratios(
    group: IntArray, numerator: IntArray, denominator: IntArray, groups: int
) -> FloatArray:
    """float64 (groups,): Σ numerator/denominator by group, the float nearest to the exact sum.

    The result therefore depends neither on the order of the ratios nor on how they add up to the
    sum. Quotients are not rounded before they are added: they are written with three digits to the
    base 2³¹ after the point, and each digit is summed as an integer. A remainder shifted by one
    digit must fit into 64 bits, so for denominators above 2³² (at most 2³⁴) there are four digits
    to the base 2²⁹.

    >>> sum_of_ratios(np.array([0, 0, 1]), np.array([1, 1, 4]), np.array([3, 3, 8]), 2).tolist()
    [0.6666666666666666, 0.5]
    """
    bits, digits_left = (31, 3) if denominator.max(initial=1) <= 1 << 32 else (29, 4)
    digits = []
    for _ in range(digits_left + 1):
        digit, remainder = np.divmod(numerator, denominator)
        digits.append(sum_by(group, digit, groups))
        left = np.flatnonzero(remainder)
        numerator, denominator, group = remainder[left] << bits, denominator[left], group[left]
    for number in range(digits_left, 0, -1):
        digits[number - 1] += digits[number] >> bits
        digits[number] &= (1 << bits) - 1
    whole, first, *further = digits
    # Above 2⁵³ not every integer is a float: `error` is the difference between `whole` and `near`.
    upper = whole >> 32 << 32
    near = upper.astype(np.float64) + (whole - upper)
    error = (whole - upper) - (near - upper)
    high: FloatArray = near + first * 2.0**-bits
    small = sum(digit * 2.0 ** (-bits * number) for number, digit in enumerate(further, 2))
    low: FloatArray = (near - high) + first * 2.0**-bits + small + error
    return high + low


def count_no_smaller_before(values: IntArray) -> IntArray:
    """int64 (n,): for each value, the number of earlier values that are no smaller; O(n log² n).

    >>> count_no_smaller_before(np.array([5, 3, 5, 4])).tolist()
    [0, 1, 1, 2]
    """
    size = len(values)
    # Ranks from 0; among equal values the earlier one has the higher rank.
    rank = ranks_of(np.lexsort((-np.arange(size), values)))
    counts = np.zeros(size, dtype=np.int64)
    # At the highest bit in which two ranks differ, the larger has 1; all bits above are equal.
    for bit in range(max(size - 1, 0).bit_length()):
        order = np.argsort(rank >> (bit + 1), kind="stable")
        ones = rank[order] >> bit & 1
        before = np.cumsum(ones) - ones
        group = rank[order] >> (bit + 1)
        first = np.searchsorted(group, group)
        counts[order] += np.where(ones == 0, before - before[first], 0)
    return counts

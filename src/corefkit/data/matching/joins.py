"""Joins: which rows of one array meet which of another."""

import numpy as np

from corefkit.data.arrays import IntArray


def join(ours: IntArray, theirs: IntArray) -> tuple[IntArray, IntArray]:
    """All pairs of places at which the two arrays have the same number.

    >>> [places.tolist() for places in join(np.array([5, 7, 5]), np.array([5, 9, 5]))]
    [[0, 0, 2, 2], [0, 2, 0, 2]]
    """
    order = np.argsort(theirs, kind="stable")
    sorted_codes = theirs[order]
    low = np.searchsorted(sorted_codes, ours, side="left")
    number = np.searchsorted(sorted_codes, ours, side="right") - low
    left = np.repeat(np.arange(len(ours)), number)
    return left, order[ranges(low, number)]


def ranges(first: IntArray, length: IntArray) -> IntArray:
    """first, first + 1, … for each row, so many as its length says, one row after the other.

    >>> ranges(np.array([7, 0]), np.array([2, 3])).tolist()
    [7, 8, 0, 1, 2]
    """
    ends = np.cumsum(length)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(first - (ends - length), length) + np.arange(total)

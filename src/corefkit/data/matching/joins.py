"""Joins: which rows of one array meet which of another."""

import numpy as np

from corefkit.data.arrays import IntArray, stretches


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
    return left, order[stretches(low, number)]

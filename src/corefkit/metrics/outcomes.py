"""Scores from what was found, missed and made up: tp, fn and fp."""

from collections.abc import Sequence

from corefkit.data.arrays import FloatArray
from corefkit.metrics.base import Number, Score, divide, divide_arrays

COLUMNS = ("tp", "fn", "fp")


def score(sums: Sequence[Number]) -> Score:
    """R = tp/(tp+fn), P = tp/(tp+fp); 0/0 is 0.

    >>> score((1, 2, 0)).precision
    1.0
    """
    tp, fn, fp = sums
    f1 = divide(2 * tp, 2 * tp + fn + fp)
    counts = dict(zip(COLUMNS, sums, strict=True))
    return Score(f1, divide(tp, tp + fn), divide(tp, tp + fp), counts)


def f1(sums: FloatArray) -> FloatArray:
    """Like `score`, F1 only, of many sums at once: float64 (…, 3, samples) → (…, samples)."""
    tp, fn, fp = (sums[..., i, :] for i in range(3))
    return divide_arrays(2 * tp, 2 * tp + fn + fp)

"""Scores from what was found, missed and made up: tp, fn and fp."""

from collections.abc import Mapping

import numpy as np

from corefkit.data.arrays import FloatArray
from corefkit.data.corpus import Corpus
from corefkit.data.counts import Number
from corefkit.data.matching.pairs import Pairs
from corefkit.metrics.base import Counted, Score, Sums, divide, divide_arrays

COLUMNS = ("tp", "fn", "fp")


def count(key: Corpus, response: Corpus, pairs: Pairs) -> Counted:
    """tp, fn and fp: key mentions in some pair, the others, and response mentions in none."""
    documents = len(key.names)
    found, known = (np.zeros(side.mentions, dtype=bool) for side in (key, response))
    found[pairs.key], known[pairs.response] = True, True
    return (
        np.bincount(key.document[found], minlength=documents),
        np.bincount(key.document[~found], minlength=documents),
        np.bincount(response.document[~known], minlength=documents),
    )


def rates(tp: Number, missed: Number, spurious: Number, counts: Mapping[str, Number]) -> Score:
    """R = tp/(tp+missed), P = tp/(tp+spurious), and these counts; 0/0 is 0."""
    f1 = divide(2 * tp, 2 * tp + missed + spurious)
    return Score(f1, divide(tp, tp + missed), divide(tp, tp + spurious), counts)


def rates_f1(tp: FloatArray, missed: FloatArray, spurious: FloatArray) -> FloatArray:
    """Like `rates`, F1 only, of many sums at once."""
    return divide_arrays(2 * tp, 2 * tp + missed + spurious)


def score(sums: Sums) -> Score:
    """R = tp/(tp+fn), P = tp/(tp+fp).

    >>> score((1, 2, 0)).precision
    1.0
    """
    tp, fn, fp = sums
    return rates(tp, fn, fp, dict(zip(COLUMNS, sums, strict=True)))


def f1(sums: FloatArray) -> FloatArray:
    """Like `score`, F1 only, of many sums at once: float64 (…, 3, samples) → (…, samples)."""
    return rates_f1(*(sums[..., i, :] for i in range(3)))

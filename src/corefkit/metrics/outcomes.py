"""Scores from what was found, missed and made up: tp, fn and fp."""

from collections.abc import Sequence

import numpy as np

from corefkit.data.arrays import FloatArray
from corefkit.data.corpus import Corpus
from corefkit.data.matching.pairs import Pairs
from corefkit.metrics.base import Number, PerDocument, Score, divide, divide_arrays

COLUMNS = ("tp", "fn", "fp")


def count(key: Corpus, response: Corpus, pairs: Pairs) -> tuple[PerDocument, ...]:
    """tp, fn and fp: key mentions in some pair, the others, and response mentions in none."""
    documents = len(key.names)
    found, known = (np.zeros(side.mentions, dtype=bool) for side in (key, response))
    found[pairs.key], known[pairs.response] = True, True
    return (
        np.bincount(key.document[found], minlength=documents),
        np.bincount(key.document[~found], minlength=documents),
        np.bincount(response.document[~known], minlength=documents),
    )


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

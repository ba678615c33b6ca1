"""Do probabilities of links mean what they say? Adaptive bins, the calibration error, Brier.

Nguyen and O'Connor (2015), Posterior calibration and exploratory analysis for natural language
processing models. Links are sorted by probability and put into bins of about the same size; links
with the same probability never fall apart, so that the order of rows does not matter.
"""

from collections.abc import Sequence
from dataclasses import asdict
from math import fsum, sqrt
from typing import Any

import numpy as np

from corefkit.core.arrays import BoolArray, FloatArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.stats.resampling import LEVEL, Ends, draws, sample_sums

LEAST_BIN = 50
"""A bin has at least so many links where nothing else is said, and a twentieth of all."""
LOW = 0.2
"""A list without a probability below says nothing of the links that were left out."""


@frozen
class Bin:
    """Links of similar probability.

    Attributes:
        size: how many there are.
        predicted: their mean probability.
        observed: the share of them that are right.
        interval: of `observed`, by the bootstrap over documents; None where there is no more than
            one document.
    """

    size: int
    predicted: float
    observed: float
    interval: Ends | None


@frozen
class Calibration:
    """How well the probabilities of links are calibrated.

    Attributes:
        links: how many links were judged.
        bin_size: the least size of a bin.
        error: the root of the mean squared difference between predicted and observed, over bins.
        interval: of the error, by the bootstrap over documents.
        brier: the mean squared difference between probability and outcome.
        least: the lowest probability.
        bins: from the lowest probability to the highest.
    """

    links: int
    bin_size: int
    error: float
    interval: Ends | None
    brier: float
    least: float
    bins: tuple[Bin, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts and lists, nothing rounded."""
        return asdict(self)


def calibrate(  # noqa: PLR0913 (columns of links, and how to judge them)
    probability: FloatArray,
    right: BoolArray,
    document: IntArray,
    *,
    bin_size: int | None = None,
    samples: int = 10_000,
    seed: int = 2012,
) -> Calibration | None:
    """The calibration of links: (links,) their probabilities, whether they are right, and the
    document of each, from 0. None where there is no link.

    >>> one = calibrate(np.array([0.9, 0.6, 0.8]), np.array([True, False, True]), np.zeros(3, int))
    >>> round(one.error, 6), round(one.brier, 6), len(one.bins)
    (0.1, 0.136667, 1)
    """
    size = len(probability)
    if not size:
        return None
    least = bin_size or max(LEAST_BIN, -(-size // 20))
    order = np.argsort(probability, kind="stable")
    q, y, documents = probability[order], right[order].astype(np.float64), document[order]
    first = bin_starts(q, least)
    ends = [*first[1:], size]
    sums = [
        (end - begin, fsum(q[begin:end]), fsum(y[begin:end]))
        for begin, end in zip(first, ends, strict=True)
    ]
    error = sqrt(fsum((p - o) ** 2 / n for n, p, o in sums) / size)
    of_bin = np.repeat(np.arange(len(first)), np.diff([*first, size]))
    figures = np.stack((np.ones(size), q, y))
    drawn = _bootstrap(of_bin, figures, documents, samples, seed)
    whole, single = drawn if drawn else (None, [None] * len(sums))
    bins = (Bin(n, p / n, o / n, e) for (n, p, o), e in zip(sums, single, strict=True))
    return Calibration(
        size, least, error, whole, fsum((q - y) ** 2) / size, float(q[0]), tuple(bins)
    )


def bin_starts(q: FloatArray, least: int) -> list[int]:
    """Where bins of sorted values begin: each has `least` or more, equal values stay together.

    A last bin that is too small joins the one before it.

    >>> bin_starts(np.array([0.1, 0.2, 0.2, 0.2, 0.3, 0.4, 0.5]), 2)
    [0, 4]
    """
    starts = [0]
    while True:
        end = starts[-1] + least
        if end >= len(q):
            break
        end = int(np.searchsorted(q, q[end - 1], side="right"))
        if end >= len(q):
            return starts
        starts.append(end)
    if len(starts) > 1 and len(q) - starts[-1] < least:
        starts.pop()
    return starts


def _bootstrap(
    of_bin: IntArray, figures: FloatArray, document: IntArray, samples: int, seed: int
) -> tuple[Ends, Sequence[Ends | None]] | None:
    """Intervals of the error and of each bin; samples of documents, bins of the whole.

    `figures` (3, links): ones, probabilities, and whether links are right.
    """
    documents = int(document.max()) + 1
    if len(np.unique(document)) < 2:
        return None
    bins = int(of_bin.max()) + 1
    table = np.zeros((3, bins, documents))
    for row, values in enumerate(figures):
        np.add.at(table[row], (of_bin, document), values)
    rng = np.random.default_rng(seed)
    weights = draws(documents, samples, rng)
    sums = sample_sums(table.reshape(3 * bins, documents), weights).reshape(3, bins, -1)
    number, predicted, observed = sums
    filled, whole = number > 0, number.sum(axis=0)
    squares = np.divide(
        (predicted - observed) ** 2, number, out=np.zeros_like(number), where=filled
    )
    errors = np.sqrt(squares.sum(axis=0)[whole > 0] / whole[whole > 0])
    shares = [observed[b, filled[b]] / number[b, filled[b]] for b in range(bins)]
    return _ends(errors), [_ends(share) if len(share) else None for share in shares]


def _ends(drawn: FloatArray) -> Ends:
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).tolist()
    return low, high

"""The calibration of the probabilities of links: adaptive bins, calibration error, Brier score.

Nguyen and O'Connor (2015), Posterior calibration and exploratory analysis for natural language
processing models. Links are sorted by probability and put into bins of about the same size; links
with the same probability are never separated, so that the order of rows does not matter.
"""

from collections.abc import Sequence
from dataclasses import asdict
from math import fsum, sqrt
from typing import Any

import numpy as np

from corefkit.core.arrays import BoolArray, FloatArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.stats.resampling import LEVEL, Ends, draws, ends_of, quantiles, sample_sums

LEAST_BIN = 50
"""By default a bin has at least this many links, and at least a twentieth of all."""
LOW = 0.2
"""Where no probability is below this, the links that were left out are unknown."""


@frozen
class Bin:
    """Links of similar probability.

    Attributes:
        size: how many there are.
        predicted: their mean probability.
        observed: the share of correct links.
        interval: of `observed`, by the bootstrap over documents; None with a single document.
    """

    size: int
    predicted: float
    observed: float
    interval: Ends | None


@frozen
class Calibration:
    """How well the probabilities of links are calibrated.

    Attributes:
        links: how many links there are.
        bin_size: the minimum size of a bin.
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


def calibrate(  # noqa: PLR0913 (columns of links, and options)
    probability: FloatArray,
    right: BoolArray,
    document: IntArray,
    *,
    bin_size: int | None = None,
    samples: int = 10_000,
    seed: int = 2012,
) -> Calibration | None:
    """The calibration of links; None where there are none.

    `probability`, `right` and `document`, each (links,), are their probabilities, whether they are
    correct, and the numbers of their documents, from 0.

    >>> probability, right = np.array([0.9, 0.6, 0.8]), np.array([True, False, True])
    >>> calibration = calibrate(probability, right, np.zeros(3, int))
    >>> round(calibration.error, 6), round(calibration.brier, 6), len(calibration.bins)
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
    intervals = _bootstrap(of_bin, figures, documents, samples, seed)
    of_error, of_bins = intervals if intervals else (None, [None] * len(sums))
    bins = (Bin(n, p / n, o / n, e) for (n, p, o), e in zip(sums, of_bins, strict=True))
    return Calibration(
        size, least, error, of_error, fsum((q - y) ** 2) / size, float(q[0]), tuple(bins)
    )


def bin_starts(q: FloatArray, least: int) -> list[int]:
    """The starts of bins of sorted values: each has `least` or more, equal values stay together.

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
    """Intervals of the error and of each bin; None with a single document.

    Documents are drawn; the bins remain those of all links. `figures`, float64 (3, links), are
    ones, probabilities, and whether links are correct.
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
    ends = ends_of(LEVEL)
    return quantiles(errors, ends), [quantiles(s, ends) if len(s) else None for s in shares]

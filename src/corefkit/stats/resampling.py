"""Sampling of documents: draws and exchanges, the intervals and p-values that follow.

Everything that is resampled is a sum over documents, so a sample is a weighted sum: how often each
document was drawn, times a table of numbers by document. Counts add, so nothing is scored again:
all samples are one product of two matrices, samples × documents and documents × counts. Exchanging
documents between two systems is a sum of the same kind, and so is leaving one document out.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from corefkit.core.arrays import FloatArray
from corefkit.core.carriers import frozen
from corefkit.core.progress import at
from corefkit.stats import Method

SAMPLES, SEED, LEVEL = 10_000, 2012, 0.95

FEW = 20
"""With fewer documents, intervals are too narrow and p_bootstrap too small (bench/coverage.py)."""

_AT_ONCE = 1 << 20
"""How many weights, samples × documents, are made and multiplied at once (8 MB)."""

_GRAIN = 2.0**-24
"""Fractions are rounded to multiples of this. Every sum below 2²⁹ is then exact, so results do
not depend on the order in which a linear-algebra library adds, nor on the number of cores."""

EQUAL = 1e-12
"""Figures that differ by no more than this are equal; real differences are much larger."""

_FEW_EXCHANGES = 1 << 12
"""Up to this many exchanges are all made, even where fewer samples are asked for."""

Ends = tuple[float, float]
"""The lower and the upper end of an interval."""


@frozen
class Plan:
    """How to resample: the number of samples, the seed, and the level and method of intervals."""

    samples: int = SAMPLES
    seed: int = SEED
    level: float = LEVEL
    interval: Method = "percentile"


def p_value(figures: FloatArray, least: float, *, every: bool = False) -> float:
    """The share of samples whose figure is at least `least`; those without one (NaN) are left out.

    The observation counts as one more, so that no p-value is 0; with `every` possible sample, it is
    already among them.

    >>> p_value(np.array([0.3, 0.1, np.nan, 0.2]), 0.3)
    0.5
    """
    defined = figures[~np.isnan(figures)]
    added = 0 if every and len(defined) else 1
    return float((int((defined >= least).sum()) + added) / (len(defined) + added))


def holm(p: FloatArray) -> FloatArray:
    """The p-values (n,) after Holm's correction (1979), in the same order.

    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p, kind="stable")
    scaled = p[order] * np.arange(len(p), 0, -1)
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    return corrected


def smallest_p(documents: int, samples: int) -> float:
    """The smallest p-value that randomisation can give.

    At least two of the 2ⁿ exchanges give the observed difference, that of no and that of all
    documents; where exchanges are drawn, only the observation itself counts.

    >>> smallest_p(5, 10_000), smallest_p(6, 10_000), smallest_p(342, 9_999)
    (0.0625, 0.03125, 0.0001)
    """
    every = exchanges(documents, samples)
    return 2 / every if every else 1 / (samples + 1)


def exchanges(documents: int, samples: int) -> int | None:
    """The number of ways to exchange documents, 2ⁿ; None where these are too many to make all.

    >>> exchanges(5, 1000), exchanges(50, 1000)
    (32, None)
    """
    most = max(samples, _FEW_EXCHANGES)
    return 1 << documents if documents < most.bit_length() else None


def tosses(documents: int, samples: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Weights 1 or 0, with equal chance, of documents in samples; all ways where these are few."""
    if every := exchanges(documents, samples):
        yield (np.arange(every)[:, None] >> np.arange(documents) & 1).astype(np.float64)
        return
    for rows in portions(samples, documents):
        coins = np.frombuffer(rng.bytes(-(-rows * documents // 8)), dtype=np.uint8)
        bits = np.unpackbits(coins, count=rows * documents)
        yield bits.reshape(rows, documents).astype(np.float64)


def grained(table: FloatArray) -> FloatArray:
    """The table with fractions rounded so that its sums are exact in any order."""
    return np.round(table / _GRAIN) * _GRAIN


def draws(documents: int, samples: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """How often each document is in each sample, in portions of (some samples, documents)."""
    for rows in portions(samples, documents):
        drawn = rng.integers(0, documents, (rows, documents), dtype=np.int32)
        cells = drawn + (np.arange(rows, dtype=np.int64) * documents)[:, None]
        times = np.bincount(cells.ravel(), minlength=rows * documents)
        yield times.reshape(rows, documents).astype(np.float64)


def sample_sums(table: FloatArray, weights: Iterable[FloatArray]) -> FloatArray:
    """The sums (rows, samples) of a table (rows, documents) over samples of its documents.

    `weights`, in portions of (some samples, documents), is how often each sample has a document.
    """
    return np.concatenate([table @ portion.T for portion in weights], axis=-1)


def portions(rows: int, width: int) -> Iterator[int]:
    """The sizes of portions that add up to `rows`, each of at most _AT_ONCE cells."""
    most = max(1, _AT_ONCE // max(width, 1))
    for first in range(0, rows, most):
        at("samples", first, rows)
        yield min(most, rows - first)


def ends_of(level: float) -> Ends:
    """The shares of samples below and not above an interval of this level."""
    return (1 - level) / 2, (1 + level) / 2


def quantiles(drawn: FloatArray, shares: Ends) -> Ends:
    """Two quantiles of figures (samples,)."""
    low, high = np.quantile(drawn, shares).tolist()
    return low, high


def interval(
    observed: float,
    drawn: FloatArray,
    without: FloatArray,
    level: float = LEVEL,
    method: Method = "percentile",
) -> Ends:
    """The lower and the upper end of the confidence interval of a figure.

    percentile: percentiles of the bootstrap figures `drawn` (samples,).
    bca: percentiles corrected for bias and skewness (Efron 1987), by the figures `without`
        (documents,) each document.
    jackknife: Student's t times the standard error of the jackknife, from `without` (Tukey 1958).

    bench/coverage.py measures how often each contains the true value; docs/significance.md has the
    table.
    """
    if method == "jackknife":
        reach = _reach_of_jackknife(without, level)
        return observed - reach, observed + reach
    ends = ends_of(level)
    if method == "bca":
        ends = _bca(observed, drawn, without, ends)
    return quantiles(drawn, ends)


def _reach_of_jackknife(without: FloatArray, level: float) -> float:
    from scipy.special import stdtrit

    documents = len(without)
    squares = ((without - without.mean()) ** 2).sum()
    error = np.sqrt((documents - 1) / documents * squares)
    return float(stdtrit(documents - 1, (1 + level) / 2) * error)


def _bca(observed: float, drawn: FloatArray, without: FloatArray, ends: Ends) -> Ends:
    """The percentiles that BCa uses instead of `ends`."""
    from scipy.special import ndtr, ndtri

    samples, deviation = len(drawn), drawn - observed
    # A sample equal to the observed figure counts as half below it.
    below = (deviation < -EQUAL).sum() + 0.5 * (np.abs(deviation) <= EQUAL).sum()
    bias = ndtri(np.clip(below / samples, 0.5 / samples, 1 - 0.5 / samples))
    influence = without.mean() - without
    spread = 6 * (influence**2).sum() ** 1.5
    skew = (influence**3).sum() / spread if spread > 0 else 0.0
    shifted = bias + ndtri(np.array(ends))
    low, high = ndtr(bias + shifted / (1 - skew * shifted)).tolist()
    return low, high

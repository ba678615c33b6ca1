"""The bootstrap: samples of documents, drawn with replacement, and intervals made of them.

Everything that is resampled is a sum over documents, so a sample is a weighted sum: how often each
document was drawn, times a table of numbers by document. Whoever makes such a table sorts it by
the names of the documents (`Counts.by_name`): a seed then draws the same whatever their order in
a file.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from corefkit.data.arrays import FloatArray
from corefkit.data.options import Method

LEVEL = 0.95

FEW = 20
"""With fewer documents, intervals and p_bootstrap are too bold (measured by bench/coverage.py)."""

_AT_ONCE = 1 << 22
"""How many weights are multiplied at once: 32 MB. Small products waste time between threads."""
_IN_CACHE = 1 << 18
"""How many random numbers are counted at once."""

_GRAIN = 2.0**-24
"""Fractions are rounded to multiples of this. Every sum below 2²⁹ is then exact, so results do
not depend on the order in which a linear-algebra library adds, nor on how many cores it has."""

EQUAL = 1e-12
"""Figures this close are the same; the counts are far from being so fine."""


def interval_notes(documents: Iterable[int]) -> tuple[str, ...]:
    """What to know of percentile intervals, each over one of these numbers of documents.

    >>> interval_notes([1, 30, 5, 8])  # doctest: +NORMALIZE_WHITESPACE
    ('intervals of the metrics need two documents or more',
     'only 5 documents: percentile intervals are too short (docs/significance.md says how much)')
    """
    numbers = sorted(documents)
    found = []
    if 1 in numbers:
        found.append("intervals of the metrics need two documents or more")
    if few := [number for number in numbers if 1 < number < FEW]:
        found.append(
            f"only {few[0]} documents: percentile intervals are too short "
            "(docs/significance.md says how much)"
        )
    return tuple(found)


def grained(table: FloatArray) -> FloatArray:
    """The table with fractions rounded so that its sums are exact in any order."""
    return np.round(table / _GRAIN) * _GRAIN


def draws(documents: int, samples: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """How often each sample has each document, (some samples, documents) at a time."""
    for rows in portions(samples, documents):
        weights = np.empty((rows, documents))
        first = 0
        for some in portions(rows, documents, _IN_CACHE):
            drawn = rng.integers(0, documents, (some, documents), dtype=np.int32)
            cells = drawn + (np.arange(some, dtype=np.int64) * documents)[:, None]
            times = np.bincount(cells.ravel(), minlength=some * documents)
            weights[first : first + some] = times.reshape(some, documents)
            first += some
        yield weights


def sample_sums(table: FloatArray, weights: Iterable[FloatArray]) -> FloatArray:
    """The sums (rows, samples) of a table (rows, documents) over samples of its documents.

    `weights` (some samples, documents) at a time say how often each sample has each document.
    """
    return np.concatenate([table @ some.T for some in weights], axis=-1)


def portions(rows: int, width: int, cells: int = _AT_ONCE) -> Iterator[int]:
    """Numbers of rows that add up to all, none with more cells than allowed."""
    most = max(1, cells // max(width, 1))
    for first in range(0, rows, most):
        yield min(most, rows - first)


def interval(
    observed: FloatArray,
    drawn: FloatArray,
    without: FloatArray,
    level: float = LEVEL,
    method: Method = "percentile",
) -> tuple[FloatArray, FloatArray]:
    """The ends (…,) of confidence intervals of figures `observed` (…,).

    percentile: percentiles of the bootstrap figures `drawn` (…, samples).
    bca: percentiles moved for bias and skewness (Efron 1987), with the figures `without`
        (…, documents) each one document.
    jackknife: Student's t times the standard error of the jackknife, from `without` (Tukey 1958).

    bench/coverage.py measures how often each holds the truth; docs/significance.md has the table.
    """
    if method == "jackknife":
        return _jackknife(observed, without, level)
    ends = np.array([(1 - level) / 2, (1 + level) / 2])
    if method == "percentile":
        low, high = np.quantile(drawn, ends, axis=-1)
        return low, high
    shares = _corrected(observed, drawn, without, ends)
    rows = zip(drawn.reshape(-1, drawn.shape[-1]), shares.reshape(-1, 2), strict=True)
    found = [np.quantile(row, share) for row, share in rows]
    low, high = np.array(found).reshape(*observed.shape, 2).transpose(-1, *range(observed.ndim))
    return low, high


def _jackknife(
    observed: FloatArray, without: FloatArray, level: float
) -> tuple[FloatArray, FloatArray]:
    from scipy.special import stdtrit

    documents = without.shape[-1]
    squares = ((without - without.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1)
    reach = stdtrit(documents - 1, (1 + level) / 2) * np.sqrt((documents - 1) / documents * squares)
    return observed - reach, observed + reach


def _corrected(
    observed: FloatArray, drawn: FloatArray, without: FloatArray, ends: FloatArray
) -> FloatArray:
    """The percentiles (…, 2) that BCa takes instead of `ends`."""
    from scipy.special import ndtr, ndtri

    samples = drawn.shape[-1]
    apart = drawn - observed[..., None]
    # A sample with the very figure observed is half below it.
    below = (apart < -EQUAL).sum(axis=-1) + 0.5 * (np.abs(apart) <= EQUAL).sum(axis=-1)
    bias = ndtri(np.clip(below / samples, 0.5 / samples, 1 - 0.5 / samples))[..., None]
    lack = without.mean(axis=-1, keepdims=True) - without
    spread = 6 * (lack**2).sum(axis=-1) ** 1.5
    skew = np.divide((lack**3).sum(axis=-1), spread, out=np.zeros_like(spread), where=spread > 0)
    moved = bias + ndtri(ends)
    shares: FloatArray = ndtr(bias + moved / (1 - skew[..., None] * moved))
    return shares

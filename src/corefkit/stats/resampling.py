"""The bootstrap: samples of documents, drawn with replacement, and the figures of these samples.

Everything that is resampled is a sum over documents, so a sample is a weighted sum: how often each
document was drawn, times a table of numbers by document. Counts add, so nothing is scored again:
all samples are one product of two matrices, samples × documents and documents × counts. Exchanging
documents between two systems is a sum of the same kind, and so is leaving one document out.

`Evidence` computes intervals, differences and p-values of systems from one `KeyFigures` per key,
which has their figures and those of samples. After these come draws, sums and intervals. Tables are
sorted by the names of the documents (`Counts.by_name`), so that a seed draws the same documents
whatever their order in a file.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count
from math import fsum
from typing import TYPE_CHECKING

import numpy as np

from corefkit import metrics
from corefkit.core.arrays import BoolArray, FloatArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.scoring.scores import Scores
from corefkit.stats import Method

if TYPE_CHECKING:
    from corefkit.analysis.losses import RepairCorners

SAMPLES, SEED, LEVEL = 10_000, 2012, 0.95

FEW = 20
"""With fewer documents, intervals are too narrow and p_bootstrap too small (bench/coverage.py)."""

_AT_ONCE = 1 << 22
"""How many weights are multiplied at once (32 MB); small products waste time between threads."""
_IN_CACHE = 1 << 18
"""How many random numbers are counted at once."""

_GRAIN = 2.0**-24
"""Fractions are rounded to multiples of this. Every sum below 2²⁹ is then exact, so results do
not depend on the order in which a linear-algebra library adds, nor on the number of cores."""

EQUAL = 1e-12
"""Figures that differ by no more than this are equal; real differences are much larger."""

MOST_MISSING = 0.05
"""Where a larger share of the samples has no figure, because there is nothing to divide by, there
is no interval."""

_FEW_EXCHANGES = 1 << 12
"""Up to this many exchanges are all made, even where fewer samples are asked for."""

Ends = tuple[float, float]
"""The lower and the upper end of an interval."""
_Test = tuple[Ends | None, float | None, float | None]
"""The interval of a difference, the p-value of the bootstrap, and that of randomisation."""
_KeyRows = tuple["KeyFigures", int, int]
"""The figures of a key, and the rows of two systems in them."""


@frozen
class Interval:
    """A system's F1 and its confidence interval; None with a single document."""

    f1: float
    interval: Ends | None


@frozen
class Difference:
    """F1 of a minus F1 of b, and how likely such a difference would be by chance.

    With a single document there is nothing to resample: interval and p-values are None.

    Attributes:
        difference, interval: the difference, and its interval from paired samples.
        p_bootstrap: how often a bootstrap difference, centred on 0, is at least as large.
        p_randomization: how often it is when documents are exchanged between a and b at random.
        p_holm: p_randomization after Holm's correction over all pairs of systems.
        wins, losses, ties: the number of documents on which a scores higher, lower, the same.
    """

    difference: float
    interval: Ends | None
    p_bootstrap: float | None
    p_randomization: float | None
    p_holm: float | None
    wins: int
    losses: int
    ties: int

    @property
    def judged_by(self) -> float | None:
        """The p-value that decides on significance, before its correction."""
        return self.p_randomization


@frozen
class Plan:
    """How to resample: the number of samples, the seed, and the level and method of intervals."""

    samples: int = SAMPLES
    seed: int = SEED
    level: float = LEVEL
    interval: Method = "percentile"


class Evidence:
    """The means of systems over one or several keys, with their intervals and tests.

    Documents are drawn and exchanged within each key. With several keys, intervals are percentiles.
    A system without scores for a key counts as 0 there in its mean and in all samples; two systems
    are compared by their means over the keys that both have scores for.

    Attributes:
        plan: how to resample.
        metrics: the names of the metrics.
        observed: float64 (systems, metrics), the means of F1.
        sizes: the number of documents of each key.
        resampled: whether a key has more than one document.
    """

    def __init__(
        self, keys: Sequence[Sequence[Scores | None]], plan: Plan, share: float = 1.0
    ) -> None:
        """`keys` has, for each key, the scores of all systems over the same documents.

        `share` is the share of these among all keys, where no system has scores for some.
        """
        root, only = np.random.SeedSequence(plan.seed), len(keys) == 1
        seeds = [root] if only else root.spawn(len(keys))
        self.plan = plan
        present = [[scores for scores in key if scores is not None] for key in keys]
        self.metrics = present[0][0].options.metrics
        self._by_key = [
            KeyFigures(scores, plan.samples, seed, only)
            for scores, seed in zip(present, seeds, strict=True)
        ]
        # The row of each system in the figures of a key, -1 where it has no scores for it.
        self._rows, self._share = [_rows(key) for key in keys], share
        self.observed = self._mean_of_all([s.observed for s in self._by_key])
        self.sizes = [s.documents for s in self._by_key]
        self.resampled = max(self.sizes) > 1

    def common(self, a: int, b: int) -> list[int]:
        """The keys that two systems both have scores for; none where they cannot be resampled."""
        keys = [place for place, rows in enumerate(self._rows) if min(rows[a], rows[b]) >= 0]
        many = any(self.sizes[place] > 1 for place in keys)
        return keys if many or not self.resampled else []

    def _mean_of_all(self, by_key: Sequence[FloatArray]) -> FloatArray:
        """The means (systems, …) over all keys, from the figures of the systems that each has.

        A system without scores for a key counts as 0 there.
        """
        if self._share == 1 and all(min(rows) >= 0 for rows in self._rows):
            return _mean(by_key)
        of_all_systems = []
        for rows, figures in zip(self._rows, by_key, strict=True):
            filled = np.zeros((len(rows), *figures.shape[1:]))
            filled[[row >= 0 for row in rows]] = figures
            of_all_systems.append(filled)
        return self._share * _mean(of_all_systems)

    def intervals(self) -> list[dict[str, Interval]]:
        """For each system, metric → F1 and interval."""
        ends: Sequence[Sequence[Ends | None]] = [[None] * len(self.metrics)] * len(self.observed)
        if self.resampled:
            drawn = self._mean_of_all([s.drawn for s in self._by_key])
            ends = self._ends(self.observed, drawn, self._without, least=0.0)
        return [
            {
                name: Interval(f1, bounds)
                for name, f1, bounds in zip(self.metrics, *row, strict=True)
            }
            for row in zip(self.observed.tolist(), ends, strict=True)
        ]

    @cached_property
    def _without(self) -> FloatArray:
        """F1 (systems, metrics, documents) without each document, where intervals need it."""
        if self.plan.interval == "percentile":
            return np.zeros((*self.observed.shape, 0))
        return self._by_key[0].leave_one_out()

    def _ends(
        self, observed: FloatArray, drawn: FloatArray, without: FloatArray, least: float
    ) -> list[list[Ends]]:
        """Intervals (systems, metrics), clipped to the range of the figure, from `least` to 1."""
        low, high = interval(observed, drawn, without, self.plan.level, self.plan.interval)
        ends = zip(np.maximum(low, least).tolist(), np.minimum(high, 1.0).tolist(), strict=True)
        return [list(zip(*row, strict=True)) for row in ends]

    def differences(self, a: int, b: int) -> list[Difference]:
        """The tests of two systems, one Difference per metric, not yet corrected.

        They are compared over the keys that both have scores for; there must be at least one.
        """
        keys = [(self._by_key[k], self._rows[k][a], self._rows[k][b]) for k in self.common(a, b)]
        observed = _mean([s.observed[i] - s.observed[j] for s, i, j in keys])
        by_document = np.concatenate(
            [s.by_document[i] - s.by_document[j] for s, i, j in keys], axis=1
        )
        wins, losses = (by_document > EQUAL).sum(axis=1), (by_document < -EQUAL).sum(axis=1)
        counts = np.stack((wins, losses, by_document.shape[1] - wins - losses), axis=1).tolist()
        without = self._without[a] - self._without[b]
        tests = zip(observed.tolist(), self._tests(keys, observed, without), counts, strict=True)
        return [
            Difference(difference, ends, p_bootstrap, p, p, *documents)
            for difference, (ends, p_bootstrap, p), documents in tests
        ]

    def _tests(
        self, keys: "Sequence[_KeyRows]", observed: FloatArray, without: FloatArray
    ) -> Sequence[_Test]:
        """For each metric the interval, the p-value of the bootstrap and that of randomisation."""
        sizes, samples = [s.documents for s, _, _ in keys], self.plan.samples
        if max(sizes) < 2:
            return [(None, None, None)] * len(observed)
        drawn = _mean([s.drawn[i] - s.drawn[j] for s, i, j in keys])
        (ends,) = self._ends(observed[None], drawn[None], without[None], least=-1.0)
        measured = _mean([s.measured[i] - s.measured[j] for s, i, j in keys])[:, None]
        least = np.abs(measured) - EQUAL
        p_bootstrap = p_value(np.abs(drawn - measured) >= least)
        exchanged = _mean([s.exchanged(i, j) for s, i, j in keys])
        every = len(self._by_key) == 1 and exchanges(sizes[0], samples) is not None
        # With several keys we sample even if all exchanges could be enumerated, so p can fall below
        # its exact minimum: clamp it.
        p = p_value(np.abs(exchanged) >= least, every=every)
        p = np.maximum(p, smallest_p(sum(sizes), samples))
        return list(zip(ends, p_bootstrap.tolist(), p.tolist(), strict=True))


def _rows(scores: Sequence[Scores | None]) -> list[int]:
    """The number of each among those that are not None; -1 for None."""
    places = count()
    return [-1 if score is None else next(places) for score in scores]


def _mean(arrays: Sequence[FloatArray]) -> FloatArray:
    """The mean of arrays of the same shape."""
    return np.mean(arrays, axis=0) if len(arrays) > 1 else arrays[0]


class KeyFigures:
    """The systems on one key: their figures, and those of samples of its documents.

    Attributes:
        table: float64 (systems, columns, documents), the counts; with `average documents` F1, one
            column per metric. Documents are sorted by name.
        documents: how many there are.
        observed: F1 (systems, metrics).
        measured: F1 (systems, metrics) from the rounded counts that samples are made of. Samples
            are compared with these, so that one that changes nothing is as extreme.
        by_document: F1 (systems, metrics, documents).
    """

    def __init__(
        self, scores: Sequence[Scores], samples: int, seeds: "np.random.SeedSequence", only: bool
    ) -> None:
        """All scores are over the same documents; `only` says whether there is no other key."""
        self._options = scores[0].options
        self._counted = metrics.counted(self._options.metrics)
        counts = [s.counts.by_name().tables for s in scores]
        table = [[column for name in self._counted for column in c[name]] for c in counts]
        self._exact = np.array(table, dtype=np.float64)
        self.table = grained(self._exact)
        self.documents = self.table.shape[2]
        self.by_document = self._divided(self.table)
        self._of_means = self._options.average == "documents"
        if self._of_means:
            self._exact = self._divided(self._exact)
            self.table = grained(self.by_document)
        self._whole = self.table.sum(axis=2)[..., None]
        self.observed = np.array([[score.f1 for score in s.values()] for s in scores])
        self.measured = self.f1(self._whole)[..., 0]
        self._samples, self._only = samples, only
        self._drawing, self._tossing = (np.random.default_rng(s) for s in seeds.spawn(2))

    def f1(self, sums: FloatArray, documents: int | None = None) -> FloatArray:
        """F1 (…, metrics, samples) of sums (…, columns, samples) over `documents`, or over all."""
        return sums / (documents or self.documents) if self._of_means else self._divided(sums)

    def _divided(self, sums: FloatArray) -> FloatArray:
        """F1 (…, metrics, samples) of summed counts (…, columns, samples)."""
        by_metric: dict[str, FloatArray] = {}
        first = 0
        for name in self._counted:
            metric = metrics.countable(name, self._options)
            end = first + len(metric.columns)
            by_metric[name] = metric.f1(sums[..., first:end, :])
            first = end
        parts_of = (metrics.get(name).parts or (name,) for name in self._options.metrics)
        return np.stack([_mean([by_metric[part] for part in parts]) for parts in parts_of], axis=-2)

    def leave_one_out(self) -> FloatArray:
        """F1 (systems, metrics, documents) without each document."""
        return self.f1(np.maximum(self._whole - self.table, 0.0), self.documents - 1)

    def leave_one_out_exactly(self) -> FloatArray:
        """Like `leave_one_out`, from counts that are not rounded, added by `fsum`."""
        whole = np.apply_along_axis(fsum, -1, self._exact)[..., None]
        return self.f1(np.maximum(whole - self._exact, 0.0), self.documents - 1)

    @cached_property
    def drawn(self) -> FloatArray:
        """F1 (systems, metrics, samples) of bootstrap samples; a single document is not drawn."""
        if self.documents < 2:
            return np.repeat(self.observed[..., None], self._samples, axis=-1)
        columns, place = self._distinct
        sums = sample_sums(columns, draws(self.documents, self._samples, self._drawing))
        return np.stack([self.f1(sums[columns_of_system]) for columns_of_system in place])

    def exchanged(self, a: int, b: int) -> FloatArray:
        """F1 of a minus F1 of b (metrics, samples), with documents exchanged between them."""
        given, (_, place) = self._given, self._distinct
        moved = given[place[b]]
        moved -= given[place[a]]
        difference = self.f1(self._whole[a] + moved)
        np.subtract(self._whole[b], moved, out=moved)
        difference -= self.f1(moved)
        return difference

    @cached_property
    def _given(self) -> FloatArray:
        """Counts (distinct columns, samples) of documents chosen by tossing coins.

        Where there are few ways to choose (`exchanges`), each of them occurs once.
        """
        columns, _ = self._distinct
        given = sample_sums(columns, _tosses(self.documents, self._samples, self._tossing))
        if self._only or given.shape[-1] == self._samples:
            return given
        # These are all ways: draw among them, so that all keys have the same number of samples.
        return given[..., self._tossing.integers(0, given.shape[-1], self._samples)]

    @cached_property
    def _distinct(self) -> tuple[FloatArray, IntArray]:
        """The distinct columns (distinct, documents), and the index of each (systems, columns).

        More than half of the columns are repeated: all systems have the same key, and many metrics
        the same denominators.
        """
        systems, width, documents = self.table.shape
        number: dict[bytes, int] = {}
        flat = self.table.reshape(systems * width, documents)
        place = np.array([number.setdefault(row.tobytes(), len(number)) for row in flat])
        _, first = np.unique(place, return_index=True)
        return flat[first], place.reshape(systems, width)


def crossed(drawn: FloatArray, rng: "np.random.Generator") -> FloatArray:
    """Means (metrics, samples) over runs, which are drawn with replacement for each sample.

    `drawn` (runs, metrics, samples) has the figures of all runs over drawn documents: documents and
    runs are drawn independently (Owen 2007, the pigeonhole bootstrap).
    """
    runs, _, samples = drawn.shape
    chosen = rng.integers(0, runs, (runs, samples))
    means: FloatArray = np.take_along_axis(drawn, chosen[:, None, :], axis=0).mean(axis=0)
    return means


def p_value(extreme: BoolArray, *, every: bool = False) -> FloatArray:
    """The share of extreme samples; the observation counts as one, so that it is never 0.

    With `every` possible sample, the observation is already among them.
    """
    added = 0 if every else 1
    share: FloatArray = (extreme.sum(axis=-1) + added) / (extreme.shape[-1] + added)
    return share


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


def _tosses(documents: int, samples: int, rng: "np.random.Generator") -> Iterator[FloatArray]:
    """Weights 1 or 0, with equal chance, of documents in samples; all ways where these are few."""
    if every := exchanges(documents, samples):
        yield (np.arange(every)[:, None] >> np.arange(documents) & 1).astype(np.float64)
        return
    for rows in portions(samples, documents):
        coins = np.frombuffer(rng.bytes(-(-rows * documents // 8)), dtype=np.uint8)
        bits = np.unpackbits(coins, count=rows * documents)
        yield bits.reshape(rows, documents).astype(np.float64)


def interval_notes(documents: Iterable[int]) -> tuple[str, ...]:
    """Notes about percentile intervals, each over one of these numbers of documents.

    >>> interval_notes([1, 30, 5, 8])  # doctest: +NORMALIZE_WHITESPACE
    ('intervals of the metrics need at least two documents',
     'only 5 documents: percentile intervals are too narrow')
    """
    numbers = sorted(documents)
    notes = []
    if 1 in numbers:
        notes.append("intervals of the metrics need at least two documents")
    if few := [number for number in numbers if 1 < number < FEW]:
        notes.append(f"only {few[0]} documents: percentile intervals are too narrow")
    return tuple(notes)


def grained(table: FloatArray) -> FloatArray:
    """The table with fractions rounded so that its sums are exact in any order."""
    return np.round(table / _GRAIN) * _GRAIN


def draws(documents: int, samples: int, rng: "np.random.Generator") -> Iterator[FloatArray]:
    """How often each document is in each sample, in portions of (some samples, documents)."""
    for rows in portions(samples, documents):
        weights = np.empty((rows, documents))
        first = 0
        for size in portions(rows, documents, _IN_CACHE):
            drawn = rng.integers(0, documents, (size, documents), dtype=np.int32)
            cells = drawn + (np.arange(size, dtype=np.int64) * documents)[:, None]
            times = np.bincount(cells.ravel(), minlength=size * documents)
            weights[first : first + size] = times.reshape(size, documents)
            first += size
        yield weights


def sample_sums(table: FloatArray, weights: Iterable[FloatArray]) -> FloatArray:
    """The sums (rows, samples) of a table (rows, documents) over samples of its documents.

    `weights`, in portions of (some samples, documents), is how often each sample has a document.
    """
    return np.concatenate([table @ portion.T for portion in weights], axis=-1)


def portions(rows: int, width: int, cells: int = _AT_ONCE) -> Iterator[int]:
    """The sizes of portions that add up to `rows`, each of at most so many cells."""
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
    """The lower and upper ends (…,) of confidence intervals of figures `observed` (…,).

    percentile: percentiles of the bootstrap figures `drawn` (…, samples).
    bca: percentiles corrected for bias and skewness (Efron 1987), by the figures `without`
        (…, documents) each document.
    jackknife: Student's t times the standard error of the jackknife, from `without` (Tukey 1958).

    bench/coverage.py measures how often each contains the true value; docs/significance.md has the
    table.
    """
    if method == "jackknife":
        return _jackknife(observed, without, level)
    ends = np.array([(1 - level) / 2, (1 + level) / 2])
    if method == "percentile":
        low, high = quantiles(drawn, ends.tolist())
        return low, high
    shares = _corrected(observed, drawn, without, ends)
    rows = zip(drawn.reshape(-1, drawn.shape[-1]), shares.reshape(-1, 2), strict=True)
    ends_of_rows = [np.quantile(row, share) for row, share in rows]
    low, high = (
        np.array(ends_of_rows).reshape(*observed.shape, 2).transpose(-1, *range(observed.ndim))
    )
    return low, high


def quantiles(drawn: FloatArray, shares: Sequence[float]) -> list[FloatArray]:
    """The quantiles (…,) of figures (…, samples), identical to those of `np.quantile`.

    numpy partitions at one index six times as fast as at several, and `np.quantile` partitions at
    both neighbours of each quantile. Here the upper one is the minimum above the lower one.

    >>> [float(quantile) for quantile in quantiles(np.array([4.0, 1.0, 3.0, 2.0]), [0.0, 0.5, 1.0])]
    [1.0, 2.5, 4.0]
    """
    figures, last = drawn.copy(), drawn.shape[-1] - 1
    between = []
    for share in shares:
        place = share * last
        below = int(place)
        figures.partition(below, axis=-1)
        low = figures[..., below]
        high = figures[..., below + 1 :].min(axis=-1) if below < last else low
        gap, step = high - low, place - below
        between.append(low + gap * step if step < 0.5 else high - gap * (1 - step))
    return between


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
    """The percentiles (…, 2) that BCa uses instead of `ends`."""
    from scipy.special import ndtr, ndtri

    samples = drawn.shape[-1]
    deviation = drawn - observed[..., None]
    # A sample equal to the observed figure counts as half below it.
    below = (deviation < -EQUAL).sum(axis=-1) + 0.5 * (np.abs(deviation) <= EQUAL).sum(axis=-1)
    bias = ndtri(np.clip(below / samples, 0.5 / samples, 1 - 0.5 / samples))[..., None]
    influence = without.mean(axis=-1, keepdims=True) - without
    spread = 6 * (influence**2).sum(axis=-1) ** 1.5
    cubes = (influence**3).sum(axis=-1)
    skew = np.divide(cubes, spread, out=np.zeros_like(spread), where=spread > 0)
    shifted = bias + ndtri(ends)
    shares: FloatArray = ndtr(bias + shifted / (1 - skew[..., None] * shifted))
    return shares


def loss_intervals(
    losses: "RepairCorners", plan: Plan | None = None
) -> Mapping[str, dict[str, Ends]]:
    """Metric → figure of its LostPoints → percentile interval over documents.

    The losses are computed from four corners, which are resampled like four systems. The result is
    empty with a single document.
    """
    from corefkit.analysis.losses import LostPoints, share_loss

    plan = plan or Plan()
    scores = [Scores(losses.options, counts) for counts in losses.corners]
    figures = KeyFigures(scores, plan.samples, np.random.SeedSequence(plan.seed), only=True)
    if figures.documents < 2:
        return {}
    ends = [(1 - plan.level) / 2, (1 + plan.level) / 2]
    intervals: dict[str, dict[str, Ends]] = {}
    for place, metric in enumerate(losses.options.metrics):
        drawn = share_loss(figures.drawn[:, place])
        both_ends = (np.quantile(figure, ends).tolist() for figure in drawn)
        intervals[metric] = dict(zip(LostPoints._fields, map(tuple, both_ends), strict=True))
    return intervals

"""What tests look at: the figures of systems, and of samples of the documents they are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corefkit.data.arrays import BoolArray, FloatArray
from corefkit.data.options import Method
from corefkit.scoring.scores import Scores
from corefkit.stats.bootstrap import EQUAL, LEVEL, interval
from corefkit.stats.resampling import Columns, exchanges

SAMPLES, SEED = 10_000, 2012

Ends = tuple[float, float]


@dataclass(frozen=True)
class Interval:
    """A system's F1 and its confidence interval; None where there is only one document."""

    f1: float
    interval: Ends | None


@dataclass(frozen=True)
class Difference:
    """F1 of a minus F1 of b, and how likely so large a difference would be by luck.

    Where there is only one document nothing can be resampled: interval and p-values are None.

    Attributes:
        difference, interval: with the interval of the paired samples.
        p_bootstrap: how often a bootstrap difference, centred on 0, is at least as large.
        p_randomization: how often it is when documents are exchanged between a and b by chance.
        p_holm: p_randomization after Holm's correction over all pairs of systems.
        wins, losses, ties: on how many documents a scores more, less, the same.
    """

    difference: float
    interval: Ends | None
    p_bootstrap: float | None
    p_randomization: float | None
    p_holm: float | None
    wins: int
    losses: int
    ties: int


@dataclass(frozen=True)
class Plan:
    """How to resample: how many samples, from which seed, and which intervals to make of them."""

    samples: int = SAMPLES
    seed: int = SEED
    level: float = LEVEL
    interval: Method = "percentile"


class Stratum:
    """The systems on one key: their figures, and those of samples of its documents.

    Attributes:
        columns: the counts that samples are made of.
        observed: F1 (systems, metrics).
        measured: F1 (systems, metrics) from the rounded counts that samples are made of: only with
            these can a sample that changes nothing be seen to be as extreme as what was observed.
        by_document: F1 (systems, metrics, documents).
    """

    def __init__(
        self, scores: Sequence[Scores], samples: int, seeds: np.random.SeedSequence, only: bool
    ) -> None:
        """`only` says whether there is no other key."""
        metrics = scores[0].options.metrics
        self.columns = Columns.of([s.counts for s in scores], metrics, scores[0].options)
        self.observed = np.array([[s[m].f1 for m in metrics] for s in scores])
        self.measured = self.columns.total()
        self.by_document = self.columns.f1(self.columns.table)
        self._samples, self._only = samples, only
        self._drawing, self._tossing = (np.random.default_rng(s) for s in seeds.spawn(2))

    @cached_property
    def drawn(self) -> FloatArray:
        """F1 (systems, metrics, samples) of bootstrap samples; one document stays as it is."""
        if self.columns.documents < 2:
            return np.repeat(self.observed[..., None], self._samples, axis=-1)
        return self.columns.bootstrap(self._samples, self._drawing)

    @cached_property
    def _given(self) -> FloatArray:
        """Counts (systems, columns, samples) of documents that may be exchanged."""
        given = self.columns.swaps(self._samples, self._tossing)
        if self._only or given.shape[-1] == self._samples:
            return given
        # All ways there are: some of them by chance, so that the samples of all keys fit.
        return given[..., self._tossing.integers(0, given.shape[-1], self._samples)]

    def exchanged(self, a: int, b: int) -> FloatArray:
        """F1 of a minus F1 of b (metrics, samples), documents exchanged by chance."""
        return self.columns.swapped_difference(self._given, a, b)


class Evidence:
    """All that the tests look at: the means of systems over one key or several.

    Documents are drawn and exchanged within each key. With several keys intervals are percentiles.
    """

    def __init__(self, keys: Sequence[Sequence[Scores]], plan: Plan) -> None:
        """`keys` has, for each key, the scores of all systems, of the same documents."""
        root = np.random.SeedSequence(plan.seed)
        seeds = [root] if len(keys) == 1 else root.spawn(len(keys))
        only = len(keys) == 1
        self.plan = plan
        self.metrics = keys[0][0].options.metrics
        self._strata = [
            Stratum(scores, plan.samples, seed, only)
            for scores, seed in zip(keys, seeds, strict=True)
        ]
        self.observed = _mean([s.observed for s in self._strata])
        self.sizes = [s.columns.documents for s in self._strata]
        self.resampled = max(self.sizes) > 1

    def intervals(self) -> list[dict[str, Interval]]:
        """For each system its F1 and interval in each metric."""
        ends: Sequence[Sequence[Ends | None]] = [[None] * len(self.metrics)] * len(self.observed)
        if self.resampled:
            drawn = _mean([s.drawn for s in self._strata])
            ends = self._ends(self.observed, drawn, self._without, least=0.0)
        return [
            {name: Interval(*both) for name, *both in zip(self.metrics, row, of_row, strict=True)}
            for row, of_row in zip(self.observed.tolist(), ends, strict=True)
        ]

    @cached_property
    def _without(self) -> FloatArray:
        """F1 (systems, metrics, documents) of all documents but one, where it is needed."""
        if self.plan.interval == "percentile":
            return np.zeros((*self.observed.shape, 0))
        return self._strata[0].columns.leave_one_out()

    def _ends(
        self, observed: FloatArray, drawn: FloatArray, without: FloatArray, least: float
    ) -> list[list[Ends]]:
        """Intervals (systems, metrics), no wider than what the figure can be."""
        low, high = interval(observed, drawn, without, self.plan.level, self.plan.interval)
        ends = zip(np.maximum(low, least).tolist(), np.minimum(high, 1.0).tolist(), strict=True)
        return [list(zip(*row, strict=True)) for row in ends]

    def differences(self, a: int, b: int) -> list[Difference]:
        """The tests of one pair, a Difference for each metric, not yet corrected."""
        observed = _mean([s.observed[a] - s.observed[b] for s in self._strata])
        apart = (s.by_document[a] - s.by_document[b] for s in self._strata)
        wins = np.sum([[count_wins(row) for row in key] for key in apart], axis=0).tolist()
        tests = zip(observed.tolist(), self._tests(a, b, observed), wins, strict=True)
        return [
            Difference(difference, ends, p_bootstrap, p, p, *counts)
            for difference, (ends, p_bootstrap, p), counts in tests
        ]

    def _tests(
        self, a: int, b: int, observed: FloatArray
    ) -> Sequence[tuple[Ends, float, float]] | Sequence[tuple[None, None, None]]:
        """For each metric the interval, the p-value of the bootstrap and of randomisation."""
        if not self.resampled:
            return [(None, None, None)] * len(observed)
        strata, samples = self._strata, self.plan.samples
        drawn = _mean([s.drawn[a] - s.drawn[b] for s in strata])
        without = self._without[a] - self._without[b]
        (ends,) = self._ends(observed[None], drawn[None], without[None], least=-1.0)
        measured = _mean([s.measured[a] - s.measured[b] for s in strata])[:, None]
        least = np.abs(measured) - EQUAL
        p_bootstrap = p_value(np.abs(drawn - measured) >= least)
        exchanged = _mean([s.exchanged(a, b) for s in strata])
        every = len(strata) == 1 and exchanges(self.sizes[0], samples) is not None
        # With several keys exchanges are tossed even where they are few: by chance they may be
        # too seldom extreme.
        p = p_value(np.abs(exchanged) >= least, every=every)
        p = np.maximum(p, smallest_p(sum(self.sizes), samples))
        return list(zip(ends, p_bootstrap.tolist(), p.tolist(), strict=True))


def _mean(arrays: Sequence[FloatArray]) -> FloatArray:
    """The mean of arrays of the same shape."""
    return np.mean(arrays, axis=0) if len(arrays) > 1 else arrays[0]


def count_wins(differences: FloatArray) -> tuple[int, int, int]:
    """On how many documents the first of two systems scores more, less, and the same.

    >>> count_wins(np.array([0.25, -0.5, 0.0, 0.75]))
    (2, 1, 1)
    """
    wins, losses = int((differences > EQUAL).sum()), int((differences < -EQUAL).sum())
    return wins, losses, len(differences) - wins - losses


def p_value(extreme: BoolArray, *, every: bool = False) -> FloatArray:
    """The share of samples that are extreme; what was observed counts as one, so it is never 0.

    Where `every` sample that there is was made, it is among them already.
    """
    one = 0 if every else 1
    share: FloatArray = (extreme.sum(axis=-1) + one) / (extreme.shape[-1] + one)
    return share


def smallest_p(documents: int, samples: int) -> float:
    """The smallest p-value that randomisation can give: of 2ⁿ exchanges at least two, none and
    all, make the observed difference; where only some are drawn, what was observed counts as one.

    >>> smallest_p(5, 10_000), smallest_p(6, 10_000), smallest_p(342, 9_999)
    (0.0625, 0.03125, 0.0001)
    """
    every = exchanges(documents, samples)
    return 2 / every if every else 1 / (samples + 1)

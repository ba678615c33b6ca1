"""What tests look at: the figures of systems, and of samples of the documents they are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corefkit.data.arrays import BoolArray, FloatArray
from corefkit.data.options import Method
from corefkit.scoring.scores import Scores
from corefkit.stats.bootstrap import EQUAL, LEVEL, interval
from corefkit.stats.resampling import Stratum, exchanges

SAMPLES, SEED = 10_000, 2012

Ends = tuple[float, float]
_Test = tuple[Ends | None, float | None, float | None]


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


class Evidence:
    """All that the tests look at: the means of systems over one key or several.

    Documents are drawn and exchanged within each key. With several keys intervals are percentiles.
    """

    def __init__(self, keys: Sequence[Sequence[Scores]], plan: Plan) -> None:
        """`keys` has, for each key, the scores of all systems, of the same documents."""
        root, only = np.random.SeedSequence(plan.seed), len(keys) == 1
        seeds = [root] if only else root.spawn(len(keys))
        self.plan = plan
        self.metrics = keys[0][0].options.metrics
        self._strata = [
            Stratum(scores, plan.samples, seed, only)
            for scores, seed in zip(keys, seeds, strict=True)
        ]
        self.observed = _mean([s.observed for s in self._strata])
        self.sizes = [s.documents for s in self._strata]
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
        return self._strata[0].leave_one_out()

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
        apart = np.concatenate([s.by_document[a] - s.by_document[b] for s in self._strata], axis=1)
        wins, losses = (apart > EQUAL).sum(axis=1), (apart < -EQUAL).sum(axis=1)
        counts = np.stack((wins, losses, apart.shape[1] - wins - losses), axis=1).tolist()
        tests = zip(observed.tolist(), self._tests(a, b, observed), counts, strict=True)
        return [
            Difference(difference, ends, p_bootstrap, p, p, *documents)
            for difference, (ends, p_bootstrap, p), documents in tests
        ]

    def _tests(self, a: int, b: int, observed: FloatArray) -> Sequence[_Test]:
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

"""What tests look at: the figures of systems, and of samples of the documents they are made of."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from corefkit.data.arrays import BoolArray, FloatArray
from corefkit.data.options import Method
from corefkit.scoring.scores import Scores
from corefkit.stats.bootstrap import EQUAL, LEVEL, interval
from corefkit.stats.resampling import (
    Columns,
    bootstrap,
    exchanges,
    leave_one_out,
    swapped_difference,
    swaps,
    total,
)

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


def gather(scores: Sequence[Scores], plan: Plan) -> "Evidence":
    """Resample scores of the same documents, of which there is one or more."""
    metrics = scores[0].options.metrics
    columns = Columns.of([s.counts for s in scores], metrics, scores[0].options)
    observed = np.array([[s[m].f1 for m in metrics] for s in scores])
    by_document = columns.f1(columns.table)
    if columns.documents == 1:
        return Evidence(columns, observed, by_document, None, plan)
    drawing, tossing = (
        np.random.default_rng(s) for s in np.random.SeedSequence(plan.seed).spawn(2)
    )
    resampled = _Resampled(
        total(columns),
        bootstrap(columns, plan.samples, drawing),
        leave_one_out(columns) if plan.interval != "percentile" else np.zeros((*observed.shape, 0)),
        swaps(columns, plan.samples, tossing) if len(scores) > 1 else np.zeros(0),
        exchanges(columns.documents, plan.samples) is not None,
    )
    return Evidence(columns, observed, by_document, resampled, plan)


@dataclass(frozen=True, eq=False)
class _Resampled:
    """What was made of samples of two documents or more.

    Attributes:
        measured: F1 (systems, metrics) from the rounded counts that samples are made of: only with
            these can a sample that changes nothing be seen to be as extreme as what was observed.
        drawn: F1 (systems, metrics, samples) of bootstrap samples.
        without: F1 (systems, metrics, documents) of all documents but one, where it is needed.
        given: counts (systems, columns, samples) of documents that may be exchanged.
        every: whether these are all exchanges that there are.
    """

    measured: FloatArray
    drawn: FloatArray
    without: FloatArray
    given: FloatArray
    every: bool


@dataclass(frozen=True, eq=False)
class Evidence:
    """All that the tests look at: F1 observed (systems, metrics), by document (…, documents)."""

    columns: Columns
    observed: FloatArray
    by_document: FloatArray
    resampled: _Resampled | None
    plan: Plan

    def intervals(self) -> list[dict[str, Interval]]:
        """For each system its F1 and interval in each metric."""
        names, found = self.columns.names, self.resampled
        ends: Sequence[Sequence[Ends | None]] = [[None] * len(names)] * len(self.observed)
        if found:
            low, high = self._interval(self.observed, found.drawn, found.without)
            ends = _ends(low, high, least=0.0)
        return [
            {name: Interval(*both) for name, *both in zip(names, row, of_row, strict=True)}
            for row, of_row in zip(self.observed.tolist(), ends, strict=True)
        ]

    def _interval(
        self, observed: FloatArray, drawn: FloatArray, without: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        return interval(observed, drawn, without, self.plan.level, self.plan.interval)

    def differences(self, a: int, b: int) -> list[Difference]:
        """The tests of one pair, a Difference for each metric, not yet corrected."""
        documents = map(count_wins, self.by_document[a] - self.by_document[b])
        observed = self.observed[a] - self.observed[b]
        tests = self._tests(a, b, observed)
        return [
            Difference(d, ends, p_bootstrap, p, p, *counts)
            for d, (ends, p_bootstrap, p), counts in zip(
                observed.tolist(), tests, documents, strict=True
            )
        ]

    def _tests(
        self, a: int, b: int, observed: FloatArray
    ) -> Sequence[tuple[Ends, float, float]] | Sequence[tuple[None, None, None]]:
        """For each metric the interval, the p-value of the bootstrap and of randomisation."""
        found = self.resampled
        if found is None:
            return [(None, None, None)] * len(observed)
        drawn = found.drawn[a] - found.drawn[b]
        without = found.without[a] - found.without[b]
        low, high = self._interval(observed, drawn, without)
        measured = (found.measured[a] - found.measured[b])[:, None]
        least = np.abs(measured) - EQUAL
        p_bootstrap = p_value(np.abs(drawn - measured) >= least)
        exchanged = swapped_difference(self.columns, found.given, a, b)
        p = p_value(np.abs(exchanged) >= least, every=found.every)
        ends = _ends(low[None], high[None], least=-1.0)[0]
        return list(zip(ends, p_bootstrap.tolist(), p.tolist(), strict=True))


def _ends(low: FloatArray, high: FloatArray, least: float) -> list[list[Ends]]:
    """Intervals (systems, metrics), no wider than what the figure can be."""
    low, high = np.maximum(low, least), np.minimum(high, 1.0)
    return [list(zip(*row, strict=True)) for row in zip(low.tolist(), high.tolist(), strict=True)]


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

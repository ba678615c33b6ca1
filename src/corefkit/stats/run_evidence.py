"""Several runs of one system: means, intervals over documents and runs, tests of differences.

The estimated quantity is the mean F1 over documents like these *and* runs like these. Runs and
documents are crossed: every run has been scored on every document. `RunEvidence` takes the scores
of all runs of all systems; the variation over documents and that over runs are kept apart, so that
one sees what more documents, and what more runs, would bring.

>>> import corefkit
>>> key = "examples/key.conll"
>>> runs = [corefkit.score(key, f"examples/{n}.conll", "muc") for n in ("careful", "hasty")]
>>> (figures,) = RunEvidence([runs]).figures()
>>> round(100 * figures["muc"].f1, 2), round(100 * figures["muc"].sd, 2), figures["muc"].runs
(78.33, 18.12, 2)
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import combinations
from math import comb, fsum, sqrt

import numpy as np

from corefkit import metrics
from corefkit.core.arrays import FloatArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.core.counts import Counts
from corefkit.metrics.base import Score
from corefkit.scoring.scores import Scores
from corefkit.stats.resampling import (
    EQUAL,
    MOST_MISSING,
    Difference,
    Ends,
    Evidence,
    Interval,
    KeyFigures,
    Plan,
    crossed,
    interval,
    p_value,
)

MOST_DEALS = 10_000
"""Up to this many ways to deal runs to two systems are all made; of more ways, this many are
drawn."""


@frozen
class RunFigures(Interval):
    """The mean F1 of a system over its runs, and its uncertainty.

    Attributes:
        f1: the mean of F1 over the runs, never F1 of pooled counts.
        interval: mean ± t · √(se_documents² + se_runs²), or percentiles of the crossed bootstrap.
        runs: how many there are.
        recall, precision: the means over the runs; None where the metric has none.
        sd: the standard deviation of F1 over runs (n − 1); None with one run.
        min, max: the extremes of F1 over the runs.
        se_documents: the jackknife's standard error over documents; None with one document.
        se_runs: sd / √runs; None with one run.
        df: Satterthwaite's degrees of freedom; None where there is no error.
    """

    runs: int
    recall: float | None
    precision: float | None
    sd: float | None
    min: float
    max: float
    se_documents: float | None
    se_runs: float | None
    df: float | None


@frozen
class RunDifference(Difference):
    """Mean F1 of a minus mean F1 of b, where one of them has several runs.

    Attributes:
        p: the two-sided p-value of Student's t. `p_holm` is its correction; `p_bootstrap` and
            `p_randomization` are None.
        t, df: the statistic, difference / standard error, and Satterthwaite's degrees of freedom;
            None where the error is 0.
        se_documents, se_runs: the standard errors of the difference over documents and over runs.
        p_documents: the p-value of exchanging documents between the averaged counts of both, with
            these runs given.
        p_runs: the p-value of dealing the runs to both at random, with these documents given.
        smallest_p_runs: the smallest `p_runs` that these numbers of runs can give.
    """

    p: float
    t: float | None
    df: float | None
    se_documents: float | None
    se_runs: float
    p_documents: float | None
    p_runs: float
    smallest_p_runs: float

    @property
    def judged_by(self) -> float | None:
        """The p-value that decides on significance, before its correction: that of Student's t."""
        return self.p


@frozen
class Variance:
    """A component of the square of a standard error, and its degrees of freedom."""

    square: float
    df: int


def satterthwaite(parts: Sequence[Variance]) -> tuple[float, float | None]:
    """The standard error from independent components, and its degrees of freedom.

    >>> satterthwaite([Variance(9.0, 4), Variance(16.0, 2)])
    (5.0, 4.2158516020236085)
    """
    if len(parts) == 1:
        return sqrt(parts[0].square), float(parts[0].df) if parts[0].square > 0 else None
    square = fsum(part.square for part in parts)
    below = fsum(part.square**2 / part.df for part in parts)
    return sqrt(square), square**2 / below if below > 0 else None


class RunEvidence:
    """Means, intervals and tests of systems with runs, all scored on the same documents.

    Attributes:
        plan: how to resample.
        metrics: the names of the metrics.
        luck: the variation over documents and over runs.
        documents: how many documents there are.
    """

    def __init__(self, systems: Sequence[Sequence[Scores]], plan: Plan | None = None) -> None:
        """`systems` has the scores of the runs of each system."""
        self.plan = plan or Plan(interval="jackknife")
        self._systems = systems
        every = [scores for runs in systems for scores in runs]
        self.metrics = every[0].options.metrics
        draws, deals = np.random.SeedSequence(self.plan.seed).spawn(2)
        key = KeyFigures(every, self.plan.samples, draws, only=True)
        self.luck = RunLuck(key, [len(runs) for runs in systems], self.plan, deals)
        self.documents = key.documents

    def figures(self) -> list[dict[str, RunFigures]]:
        """For each system, metric → figures."""
        return [
            {
                name: self.luck.figure(system, place, [run[name] for run in runs])
                for place, name in enumerate(self.metrics)
            }
            for system, runs in enumerate(self._systems)
        ]

    def differences(self, a: int, b: int) -> list[Difference]:
        """The tests of two systems, one per metric, not yet corrected.

        Where neither has several runs, they are tests over documents alone.
        """
        pair = [average_runs(self._systems[system]) for system in (a, b)]
        averaged = Evidence([pair], self.plan).differences(0, 1)
        return [self.luck.difference(a, b, m, plain) for m, plain in enumerate(averaged)]


class RunLuck:
    """The variation of figures, such as F1 in each metric, over documents and over runs.

    `key` has the runs of all systems, one after another; its figures may be NaN where there is
    nothing to divide by. The jackknife uses only those documents without which there is a figure.
    """

    def __init__(
        self,
        key: KeyFigures,
        runs: Sequence[int],
        plan: Plan,
        deals: np.random.SeedSequence,
    ) -> None:
        """`runs` is how many each system has, `deals` the seed for dealing and drawing them."""
        ends = np.cumsum(runs).tolist()
        self._rows = [slice(a, b) for a, b in zip([0, *ends], ends, strict=False)]
        self._key, self._plan, self._deals = key, plan, deals
        self._f1 = [key.observed[rows] for rows in self._rows]
        without = key.leave_one_out_exactly() if key.documents > 1 else key.observed[..., None]
        self._without = [without[rows].mean(axis=0) for rows in self._rows]

    def known(self, system: int, place: int) -> bool:
        """Whether all runs of a system have the figure at this place."""
        return not np.isnan(self._f1[system][:, place]).any()

    def figure(self, system: int, place: int, scores: Sequence[Score]) -> RunFigures:
        """The mean of one figure of a system; `scores` are those of its runs."""
        f1 = self._f1[system][:, place]
        documents, runs = self._of_documents(self._without[system][place]), _of_runs([f1])
        mean = fsum(f1) / len(f1)
        error, df = satterthwaite([*documents, *runs])
        ends = None
        if self._plan.interval == "percentile":
            ends = self._percentiles(self._drawn[system][place], least=0.0)
        elif df is not None:
            ends = self._around(mean, error, df, least=0.0)
        return RunFigures(
            mean,
            ends,
            len(f1),
            _mean([score.recall for score in scores]),
            _mean([score.precision for score in scores]),
            float(f1.std(ddof=1)) if runs else None,
            float(f1.min()),
            float(f1.max()),
            sqrt(documents[0].square) if documents else None,
            sqrt(runs[0].square) if runs else None,
            df,
        )

    def difference(self, a: int, b: int, place: int, averaged: Difference) -> Difference:
        """The test of one figure of two systems, given that of their averaged counts.

        Where neither has several runs, the latter is returned.
        """
        if len(self._f1[a]) == len(self._f1[b]) == 1:
            return averaged
        ours, theirs = self._f1[a][:, place], self._f1[b][:, place]
        difference = fsum(ours) / len(ours) - fsum(theirs) / len(theirs)
        documents = self._of_documents(self._without[a][place] - self._without[b][place])
        runs = _of_runs([ours, theirs])
        error, df = satterthwaite([*documents, *runs])
        t = difference / error if error > EQUAL and df is not None else None
        ends = None
        if self._plan.interval == "percentile":
            ends = self._percentiles(self._drawn[a][place] - self._drawn[b][place], least=-1.0)
        elif t is not None and df is not None:
            ends = self._around(difference, error, df, least=-1.0)
        return RunDifference(
            difference,
            ends,
            None,
            None,
            None,
            averaged.wins,
            averaged.losses,
            averaged.ties,
            p=float(abs(difference) <= EQUAL) if t is None or df is None else _student(t, df),
            t=t,
            df=df if t is not None else None,
            se_documents=sqrt(documents[0].square) if documents else None,
            se_runs=sqrt(fsum(part.square for part in runs)),
            p_documents=averaged.p_randomization,
            p_runs=self._deal(ours, theirs, difference),
            smallest_p_runs=smallest_p_runs(len(ours), len(theirs)),
        )

    def _of_documents(self, without: FloatArray) -> list[Variance]:
        """The jackknife's variance of a figure, from its values `without` each document; none
        where fewer than two have one.
        """
        without = without[~np.isnan(without)]
        n = len(without)
        if n < 2:
            return []
        return [Variance((n - 1) / n * fsum((without - without.mean()) ** 2), n - 1)]

    def _around(self, figure: float, error: float, df: float, least: float) -> Ends:
        """The interval of a figure by Student's t, clipped to its range, from `least` to 1."""
        from scipy.special import stdtrit

        reach = float(stdtrit(df, (1 + self._plan.level) / 2)) * error
        return max(figure - reach, least), min(figure + reach, 1.0)

    def _percentiles(self, drawn: FloatArray, least: float) -> Ends | None:
        """Percentiles of the samples that have a figure; None where too many have none."""
        defined = drawn[~np.isnan(drawn)]
        if len(drawn) - len(defined) > MOST_MISSING * len(drawn):
            return None
        low, high = interval(np.zeros(()), defined, np.zeros(0), self._plan.level)
        return max(float(low), least), min(float(high), 1.0)

    @cached_property
    def _drawn(self) -> list[FloatArray]:
        """For each system the means (metrics, samples) of drawn runs over drawn documents."""
        rng = np.random.default_rng(self._deals)
        return [crossed(self._key.drawn[rows], rng) for rows in self._rows]

    def _deal(self, ours: FloatArray, theirs: FloatArray, difference: float) -> float:
        """p_runs: how often runs that are dealt at random differ at least as much."""
        runs = np.concatenate((ours, theirs))
        deals, drawn = _deals(len(ours), len(theirs), self._deals)
        sums = runs[deals].sum(axis=1)
        dealt_to_b = (runs.sum() - sums) / len(theirs)
        extreme = np.abs(sums / len(ours) - dealt_to_b) >= abs(difference) - EQUAL
        return float(p_value(extreme, every=not drawn))


def smallest_p_runs(ours: int, theirs: int) -> float:
    """The smallest p-value that these numbers of runs of two systems can give.

    One of all ways to deal the runs gives the observed difference, or two where both systems have
    the same number.

    >>> smallest_p_runs(3, 3), smallest_p_runs(3, 1)
    (0.1, 0.25)
    """
    deals = comb(ours + theirs, ours)
    if deals > MOST_DEALS:
        return 1 / (MOST_DEALS + 1)
    return (2 if ours == theirs else 1) / deals


FEW_DOCUMENTS = 10
"""With fewer documents, intervals over documents and runs are a hint at best."""


def run_notes(runs: Mapping[str, int], documents: int) -> tuple[str, ...]:
    """Notes about the means of systems, by their numbers of runs and the number of documents.

    >>> run_notes({"a": 3, "b": 1}, 100)
    ('b has one run: its interval says nothing about other runs',)
    """
    notes = []
    if alone := [name for name, number in runs.items() if number == 1]:
        have, its = (
            ("have", "their intervals say") if len(alone) > 1 else ("has", "its interval says")
        )
        notes.append(f"{', '.join(alone)} {have} one run: {its} nothing about other runs")
    two = [name for name, number in runs.items() if number == 2 and documents > 1]
    if two:
        have, its = ("have", "their intervals are") if len(two) > 1 else ("has", "its interval is")
        notes.append(
            f"{', '.join(two)} {have} two runs: {its} too narrow where runs vary more than "
            "documents do (`corefkit help runs` says how much)"
        )
    if documents == 1:
        notes.append("one document: intervals say nothing about other documents")
    elif 0 < documents < FEW_DOCUMENTS:
        notes.append(
            f"only {documents} documents: treat intervals and p-values over documents and runs "
            "as a hint"
        )
    return tuple(notes)


def _deals(ours: int, theirs: int, seed: np.random.SeedSequence) -> tuple[IntArray, bool]:
    """The runs that the first system gets, int64 (ways, ours), and whether the ways were drawn."""
    if comb(ours + theirs, ours) <= MOST_DEALS:
        return np.array(list(combinations(range(ours + theirs), ours)), dtype=np.int64), False
    rng = np.random.default_rng(seed)
    dealt = rng.permuted(np.tile(np.arange(ours + theirs), (MOST_DEALS, 1)), axis=1)
    return dealt[:, :ours], True


def _of_runs(systems: Sequence[FloatArray]) -> list[Variance]:
    """The variances of the means of systems over their runs; given are F1 (runs,) of each.

    Where one of two systems has a single run, the variance of the other is used for both, in one
    component.
    """
    several = [f1 for f1 in systems if len(f1) > 1]
    if len(several) == 1 and len(systems) == 2:
        (f1,) = several
        return [Variance(float(f1.var(ddof=1)) * (1 + 1 / len(f1)), len(f1) - 1)]
    return [Variance(float(f1.var(ddof=1)) / len(f1), len(f1) - 1) for f1 in several]


def _student(t: float, df: float) -> float:
    """The two-sided p-value of Student's t."""
    from scipy.special import stdtr

    return float(2 * stdtr(df, -abs(t)))


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fsum(known) / len(known) if len(known) == len(values) else None


def average_runs(runs: Sequence[Scores]) -> Scores:
    """The scores of a system whose counts are the means over all runs, document by document."""
    counts = [run.counts.by_name() for run in runs]
    tables = {
        name: tuple(
            np.sum(columns, axis=0, dtype=np.float64) / np.full(len(counts[0]), len(runs))
            for columns in zip(*(count.tables[name] for count in counts), strict=True)
        )
        for name in metrics.counted(runs[0].options.metrics)
    }
    return Scores(runs[0].options, Counts(counts[0].documents, tables))

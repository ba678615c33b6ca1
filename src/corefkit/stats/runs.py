"""Several runs of one system: means, intervals over documents and runs, tests of differences.

The estimated quantity is the mean F1 over documents like these *and* runs like these. Runs and
documents are crossed: every run has been scored on every document. The variation over documents and
that over runs are kept apart, so that one sees what more documents, and what more runs, would
bring.

>>> import corefkit
>>> from corefkit.stats.figures import parts_of
>>> key = "examples/key.conll"
>>> runs = [corefkit.score(key, f"examples/{n}.conll", "muc") for n in ("careful", "hasty")]
>>> (figure,) = RunEvidence([[parts_of(run) for run in runs]]).intervals(0)
>>> round(100 * figure.f1, 2), round(100 * figure.sd, 2), figure.runs
(78.33, 18.12, 2)
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from math import comb, fsum, sqrt

import numpy as np

from corefkit.core.arrays import FloatArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.core.counts import Counts
from corefkit.scoring.scores import Scores
from corefkit.stats.figures import (
    Difference,
    Figures,
    Interval,
    KeyFigures,
    PartName,
    PartScores,
    interval_in_range,
    list_rows,
)
from corefkit.stats.resampling import EQUAL, Ends, Plan, p_value

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
    """Means, intervals and tests of systems with several runs, all scored on the same documents.

    Its methods are those of `Figures`. A part in which one run has nothing to divide by has no
    mean: a mean of the other runs could not be compared with those of other parts. The jackknife
    uses only those documents without which there is a figure.

    Attributes:
        plan: how to resample.
        rows: the part and the metric of each row of figures.
        sizes: the number of documents of the key.
        resampled: True, even for a single document: runs are.
        undefined: the parts where too many samples have no figure, as far as they were asked for.
    """

    def __init__(self, systems: Sequence[Sequence[PartScores]], plan: Plan | None = None) -> None:
        """`systems` has the whole and the parts of each run of each system."""
        self.plan = plan or Plan(interval="jackknife")
        self._systems = systems
        every = [parts for runs in systems for parts in runs]
        draws, self._deals = np.random.SeedSequence(self.plan.seed).spawn(2)
        self.rows = list_rows(every)
        self._key = KeyFigures(every, self.rows, self.plan, draws)
        self.sizes, self.resampled = [self._key.documents], True
        ends = np.cumsum([len(runs) for runs in systems]).tolist()
        self._runs = [slice(a, b) for a, b in zip([0, *ends], ends, strict=False)]
        self._f1 = [self._key.observed[runs] for runs in self._runs]
        self.observed = np.array([[fsum(row) / len(row) for row in f1.T] for f1 in self._f1])
        self.undefined: dict[PartName, None] = {}

    @cached_property
    def _without(self) -> list[FloatArray]:
        """For each system the means (rows, documents) of its runs without each document."""
        if self._key.documents < 2:
            return [np.zeros((len(self.rows), 0)) for _ in self._runs]
        without = self._key.without_exactly()
        return [without[runs].mean(axis=0) for runs in self._runs]

    @cached_property
    def _drawn(self) -> list[FloatArray]:
        """For each system the means (rows, samples) of drawn runs over drawn documents."""
        rng = np.random.default_rng(self._deals)
        return [crossed(self._key.drawn[runs], rng) for runs in self._runs]

    @cached_property
    def _averaged(self) -> Figures:
        """The figures of systems whose counts are the means over their runs."""
        return Figures([[average_runs(runs) for runs in self._systems]], self.plan)

    def common(self, a: int, b: int) -> list[int]:
        """The keys that two systems both have scores for: there is one key."""
        return [0]

    def documents(self, part: PartName, *systems: int) -> int:
        """The number of documents in which a run of these systems, or the key, has a part."""
        present = [self._key.present[part][self._runs[system]] for system in systems]
        return int(np.concatenate(present).any(axis=0).sum())

    def intervals(self, system: int) -> list[Interval | None]:
        """The means of a system; None where a run has no figure."""
        return [
            None if np.isnan(mean) else self._figure(system, row, mean)
            for row, mean in enumerate(self.observed[system].tolist())
        ]

    def _figure(self, system: int, row: int, mean: float) -> "RunFigures":
        f1 = self._f1[system][:, row]
        documents, runs = _of_documents(self._without[system][row]), _of_runs([f1])
        error, df = satterthwaite([*documents, *runs])
        ends = None
        if self.plan.interval == "percentile":
            ends = self._percentiles(row, mean, self._drawn[system][row], least=0.0)
        elif df is not None:
            ends = self._around(mean, error, df, least=0.0)
        part, metric = self.rows[row]
        scores = [parts[part][metric] for parts in self._systems[system]]
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

    def differences(self, a: int, b: int) -> list[Difference | None]:
        """The tests of two systems in each row, not yet corrected; None where one has no figure.

        Where neither has several runs, they are tests over documents alone.
        """
        rows = {row: number for number, row in enumerate(self._averaged.rows)}
        averaged = self._averaged.differences(a, b)
        in_order = [averaged[rows[row]] for row in self.rows]
        if len(self._f1[a]) == len(self._f1[b]) == 1:
            return in_order
        return [
            None if plain is None or np.isnan(difference) else self._test(a, b, row, plain)
            for row, (plain, difference) in enumerate(
                zip(in_order, self.observed[a] - self.observed[b], strict=True)
            )
        ]

    def _test(self, a: int, b: int, row: int, averaged: Difference) -> "RunDifference":
        """The test of one figure of two systems, given that of their averaged counts."""
        of_a, of_b = self._f1[a][:, row], self._f1[b][:, row]
        difference = float(self.observed[a, row] - self.observed[b, row])
        documents = _of_documents(self._without[a][row] - self._without[b][row])
        runs = _of_runs([of_a, of_b])
        error, df = satterthwaite([*documents, *runs])
        t = difference / error if error > EQUAL and df is not None else None
        ends = None
        if self.plan.interval == "percentile":
            drawn = self._drawn[a][row] - self._drawn[b][row]
            ends = self._percentiles(row, difference, drawn, least=-1.0)
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
            p_runs=self._deal(of_a, of_b, difference),
            smallest_p_runs=smallest_p_runs(len(of_a), len(of_b)),
        )

    def _around(self, figure: float, error: float, df: float, least: float) -> Ends:
        """The interval of a figure by Student's t, clipped to its range, from `least` to 1."""
        from scipy.special import stdtrit

        reach = float(stdtrit(df, (1 + self.plan.level) / 2)) * error
        return max(figure - reach, least), min(figure + reach, 1.0)

    def _percentiles(self, row: int, figure: float, drawn: FloatArray, least: float) -> Ends | None:
        """Percentiles of the samples that have a figure; None where too many have none."""
        ends = interval_in_range(figure, drawn, np.zeros(0), self.plan, least)
        if ends is None:
            self.undefined[self.rows[row][0]] = None
        return ends

    def _deal(self, of_a: FloatArray, of_b: FloatArray, difference: float) -> float:
        """p_runs: how often runs that are dealt at random differ at least as much."""
        runs = np.concatenate((of_a, of_b))
        deals, drawn = _ways_to_deal(len(of_a), len(of_b), self._deals)
        sums = runs[deals].sum(axis=1)
        dealt = np.abs(sums / len(of_a) - (runs.sum() - sums) / len(of_b))
        return p_value(dealt, abs(difference) - EQUAL, every=not drawn)


def crossed(drawn: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Means (rows, samples) over runs, which are drawn with replacement for each sample.

    `drawn` (runs, rows, samples) has the figures of all runs over drawn documents: documents and
    runs are drawn independently (Owen 2007, the pigeonhole bootstrap).
    """
    runs, _, samples = drawn.shape
    chosen = rng.integers(0, runs, (runs, samples))
    means: FloatArray = np.take_along_axis(drawn, chosen[:, None, :], axis=0).mean(axis=0)
    return means


def average_runs(runs: Sequence[PartScores]) -> PartScores:
    """The whole and the parts of a system whose counts are the means over all its runs."""
    return {
        part: _average([parts[part] for parts in runs if part in parts], len(runs))
        for part in dict.fromkeys(part for parts in runs for part in parts)
    }


def _average(scores: Sequence[Scores], runs: int) -> Scores:
    """Scores whose counts are the sums of these, document by document, divided by `runs`."""
    names = sorted({name for run in scores for name in run.counts.documents})
    column = {name: number for number, name in enumerate(names)}
    tables = {}
    for metric, columns in scores[0].counts.tables.items():
        sums = np.zeros((len(columns), len(names)))
        for run in scores:
            at = [column[name] for name in run.counts.documents]
            sums[:, at] += np.array(run.counts.table(metric), dtype=np.float64)
        tables[metric] = tuple(sums / runs)
    return replace(scores[0], counts=Counts(tuple(names), tables))


def _of_documents(without: FloatArray) -> list[Variance]:
    """The jackknife's variance of a figure, from its values `without` each document; none where
    fewer than two have one.
    """
    without = without[~np.isnan(without)]
    n = len(without)
    if n < 2:
        return []
    return [Variance((n - 1) / n * fsum((without - without.mean()) ** 2), n - 1)]


def smallest_p_runs(a: int, b: int) -> float:
    """The smallest p-value that these numbers of runs of two systems can give.

    One of all ways to deal the runs gives the observed difference, or two where both systems have
    the same number.

    >>> smallest_p_runs(3, 3), smallest_p_runs(3, 1)
    (0.1, 0.25)
    """
    deals = comb(a + b, a)
    if deals > MOST_DEALS:
        return 1 / (MOST_DEALS + 1)
    return (2 if a == b else 1) / deals


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
        figures = "intervals and p-values" if len(runs) > 1 else "the interval"
        notes.append(
            f"only {documents} documents: treat {figures} over documents and runs as a hint"
        )
    return tuple(notes)


def _ways_to_deal(a: int, b: int, seed: np.random.SeedSequence) -> tuple[IntArray, bool]:
    """The runs that the first system gets, int64 (ways, a), and whether the ways were drawn."""
    if comb(a + b, a) <= MOST_DEALS:
        return np.array(list(combinations(range(a + b), a)), dtype=np.int64), False
    rng = np.random.default_rng(seed)
    dealt = rng.permuted(np.tile(np.arange(a + b), (MOST_DEALS, 1)), axis=1)
    return dealt[:, :a], True


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

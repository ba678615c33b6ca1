"""Intervals and tests for each stratum, with the same draws and exchanges as for the whole.

The counts of each document and stratum are further rows of the table that is resampled. A stratum
whose F1 is None is not tested; a sample in which it is None is left out of its percentiles.

Systems with several runs have means over their runs, and intervals over documents and runs
(`RunStrata`). A stratum in which one run has nothing to divide by has no mean: a mean of the other
runs could not be compared with those of other strata.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations

import numpy as np

from corefkit import metrics
from corefkit.core.arrays import BoolArray, FloatArray
from corefkit.core.carriers import frozen
from corefkit.core.counts import Counts, PerDocument
from corefkit.features.divisions import find_division
from corefkit.scoring.scores import Scores
from corefkit.scoring.stratum import Stratum, columns_of, stratum_f1
from corefkit.stats.resampling import (
    EQUAL,
    MOST_MISSING,
    Difference,
    Ends,
    Interval,
    KeyFigures,
    Plan,
    exchanges,
    grained,
    holm,
    interval,
    smallest_p,
)
from corefkit.stats.run_evidence import RunFigures, RunLuck


@frozen
class StratumIntervals:
    """One stratum of one system: F1 and interval in each metric; None where it has no F1.

    `documents` is the number of those in which the key or the response has the stratum.
    """

    by: str
    label: str
    documents: int
    metrics: Mapping[str, Interval | None]


@frozen
class StratumDifferences:
    """One stratum of two systems: their difference in each metric; None where one has no F1.

    `documents` is the number of those in which the key or one of the two responses has the
    stratum; `smallest_p` is the smallest p-value that randomisation can give with so many.
    """

    by: str
    label: str
    documents: int
    smallest_p: float | None
    metrics: Mapping[str, Difference | None]


@frozen(eq=False)
class StrataTests:
    """Intervals and tests for the strata of one division.

    Attributes:
        systems: for each system its strata, in order.
        pairs: for each pair of systems, in the order of `itertools.combinations`, its strata.
        notes: notes about them.
    """

    systems: Sequence[tuple[StratumIntervals, ...]]
    pairs: Sequence[tuple[StratumDifferences, ...]]
    notes: tuple[str, ...] = ()


def compare_strata(scores: Sequence[Scores], by: str, plan: Plan) -> StrataTests:
    """Intervals of all systems and tests of all pairs in each stratum, corrected by Holm.

    The correction is over pairs × strata, one metric at a time.
    """
    strata = [system.split(by) for system in scores]
    documents = sorted(scores[0].counts.documents)
    return StrataEvidence(strata, find_division(by).name, documents, plan).tests()


class StrataFigures(KeyFigures):
    """The figures of the strata of systems on one key: one row per stratum and metric.

    A figure that does not exist is NaN.

    Attributes:
        labels: the labels of the strata, in order.
        metrics: the names of the metrics.
        present: bool (systems, strata, documents), the documents that have the stratum.
    """

    def __init__(
        self,
        strata: Sequence[Mapping[str, Stratum]],
        documents: Sequence[str],
        plan: Plan,
        seeds: np.random.SeedSequence | None = None,
    ) -> None:
        """`documents` are sorted by name; `seeds` are by default those of the plan."""
        self.labels = _in_order(strata)
        first = next(stratum for by_label in strata for stratum in by_label.values())
        self._options, self._counted = first.options, metrics.counted(first.options.metrics)
        self.metrics = first.options.metrics
        self._of_means = False
        place = {name: number for number, name in enumerate(documents)}
        width = sum(len(first.counts.tables[name]) for name in self._counted)
        table = np.zeros((len(strata), len(self.labels) * width, len(documents)))
        self.present = np.zeros((len(strata), len(self.labels), len(documents)), dtype=bool)
        for system, by_label in enumerate(strata):
            for number, label in enumerate(self.labels):
                if label not in by_label:
                    continue
                counts = by_label[label].counts
                at = np.array([place[name] for name in counts.documents], dtype=np.int64)
                columns = [c for name in self._counted for c in counts.tables[name]]
                table[system, number * width : (number + 1) * width, at] = np.array(columns).T
                self.present[system, number, at] = True
        self._exact, self.table = table, grained(table)
        self.documents = len(documents)
        self.by_document = self._divided(self.table)
        self._whole = self.table.sum(axis=2)[..., None]
        self.measured = self.f1(self._whole)[..., 0]
        self.observed = np.array(
            [
                [_figure(by_label.get(label), m) for label in self.labels for m in self.metrics]
                for by_label in strata
            ]
        )
        self._samples, self._only = plan.samples, True
        children = (seeds or np.random.SeedSequence(plan.seed)).spawn(2)
        self._drawing, self._tossing = (np.random.default_rng(seed) for seed in children)

    def rows(self, number: int) -> Iterable[tuple[int, str]]:
        """The row of each metric of one stratum, and the metric."""
        first = number * len(self.metrics)
        return zip(range(first, first + len(self.metrics)), self.metrics, strict=True)

    def _divided(self, sums: FloatArray) -> FloatArray:
        """F1 (…, strata × metrics, samples) of summed counts (…, columns, samples)."""
        rows: list[FloatArray] = []
        first = 0
        for _ in self.labels:
            by_metric: dict[str, FloatArray] = {}
            for name in self._counted:
                end = first + columns_of(name)
                by_metric[name] = stratum_f1(name, sums[..., first:end, :], self._options)
                first = end
            for name in self.metrics:
                parts = metrics.get(name).parts or (name,)
                rows.append(np.mean([by_metric[part] for part in parts], axis=0))
        return np.stack(rows, axis=-2)


def _in_order(strata: Iterable[Mapping[str, Stratum]]) -> list[str]:
    """The labels of all systems, in the order of `order_labels`."""
    longest = sorted(strata, key=len, reverse=True)
    return list(dict.fromkeys(label for labels in longest for label in labels))


def _figure(stratum: Stratum | None, metric: str) -> float:
    f1 = None if stratum is None else stratum[metric].f1
    return np.nan if f1 is None else f1


class StrataEvidence:
    """Computes intervals and tests for the strata of one division."""

    def __init__(
        self,
        strata: Sequence[Mapping[str, Stratum]],
        by: str,
        documents: Sequence[str],
        plan: Plan,
    ) -> None:
        """`strata` has the strata of each system by the division `by`."""
        self._plan, self._by = plan, by
        self._systems = len(strata)
        self._notes: dict[str, None] = {}
        self._figures = StrataFigures(strata, documents, plan) if any(strata) else None
        self._resampled = len(documents) > 1

    def tests(self) -> StrataTests:
        """The intervals of all systems, and the tests of all pairs, corrected."""
        figures, systems = self._figures, range(self._systems)
        pairs = list(combinations(systems, 2))
        if figures is None:
            return StrataTests([()] * self._systems, [()] * len(pairs))
        intervals = [self._intervals(figures, system) for system in systems]
        tested = [self._differences(figures, a, b) for a, b in pairs]
        return StrataTests(intervals, correct_strata(tested), tuple(self._notes))

    def _intervals(self, figures: StrataFigures, system: int) -> tuple[StratumIntervals, ...]:
        intervals = []
        for number, label in enumerate(figures.labels):
            by_metric: dict[str, Interval | None] = {}
            for place, metric in figures.rows(number):
                observed = figures.observed[system, place]
                if np.isnan(observed):
                    by_metric[metric] = None
                    continue
                ends = None
                if self._resampled:
                    drawn = figures.drawn[system, place]
                    without = self._without[system, place]
                    ends = self._ends(observed, drawn, without, 0.0, label)
                by_metric[metric] = Interval(float(observed), ends)
            documents = int(figures.present[system, number].sum())
            intervals.append(StratumIntervals(self._by, label, documents, by_metric))
        return tuple(intervals)

    @cached_property
    def _without(self) -> FloatArray:
        """F1 (systems, rows, documents) without each document, where intervals need it."""
        assert self._figures is not None
        if self._plan.interval == "percentile":
            return np.zeros((*self._figures.observed.shape, 0))
        return self._figures.leave_one_out()

    def _ends(
        self, observed: float, drawn: FloatArray, without: FloatArray, least: float, label: str
    ) -> Ends | None:
        """The interval of one figure; None, with a note, where too many samples have no figure."""
        defined = drawn[~np.isnan(drawn)]
        if len(drawn) - len(defined) > MOST_MISSING * len(drawn):
            self._notes[
                f"{self._by} {label}: no interval, because more than one sample in twenty has "
                "nothing there"
            ] = None
            return None
        level, method = self._plan.level, self._plan.interval
        low, high = interval(
            np.array(observed), defined, without[~np.isnan(without)], level, method
        )
        return max(float(low), least), min(float(high), 1.0)

    def _differences(
        self, figures: StrataFigures, a: int, b: int
    ) -> tuple[StratumDifferences, ...]:
        nothing = np.zeros((len(figures.observed[a]), 0))
        exchanged = figures.exchanged(a, b) if self._resampled else nothing
        differences = []
        for number, label in enumerate(figures.labels):
            present = figures.present[a, number] | figures.present[b, number]
            documents = int(present.sum())
            smallest = smallest_p(documents, self._plan.samples) if documents else None
            tests: dict[str, Difference | None] = {}
            for place, metric in figures.rows(number):
                observed = figures.observed[a, place] - figures.observed[b, place]
                tests[metric] = None
                if not np.isnan(observed):
                    tests[metric] = self._test((a, b), place, exchanged[place], present, label)
            differences.append(StratumDifferences(self._by, label, documents, smallest, tests))
        return tuple(differences)

    def _test(
        self,
        pair: tuple[int, int],
        place: int,
        exchanged: FloatArray,
        present: BoolArray,
        label: str,
    ) -> Difference:
        """The test of one figure of two systems; `present` are the documents with the stratum."""
        figures = self._figures
        assert figures is not None
        a, b = pair
        observed = float(figures.observed[a, place] - figures.observed[b, place])
        differences = (figures.by_document[a, place] - figures.by_document[b, place])[present]
        wins, losses = int((differences > EQUAL).sum()), int((differences < -EQUAL).sum())
        documents = wins, losses, int(present.sum()) - wins - losses
        if not self._resampled:
            return Difference(observed, None, None, None, None, *documents)
        drawn = figures.drawn[a, place] - figures.drawn[b, place]
        without = self._without[a, place] - self._without[b, place]
        ends = self._ends(observed, drawn, without, -1.0, label)
        measured = figures.measured[a, place] - figures.measured[b, place]
        least = abs(measured) - EQUAL
        samples = self._plan.samples
        p_bootstrap = _share(np.abs(drawn - measured), least, every=False)
        every = exchanges(figures.documents, samples) is not None
        p = _share(np.abs(exchanged), least, every=every)
        p = max(p, smallest_p(sum(documents), samples))
        return Difference(observed, ends, p_bootstrap, p, p, *documents)


def _share(figures: FloatArray, least: float, *, every: bool) -> float:
    """The p-value from the samples that have a figure: the share of those that reach `least`."""
    defined = figures[~np.isnan(figures)]
    added = 0 if every and len(defined) else 1
    return float((int((defined >= least).sum()) + added) / (len(defined) + added))


def correct_strata(
    tested: Sequence[tuple[StratumDifferences, ...]],
) -> list[tuple[StratumDifferences, ...]]:
    """The tests with Holm's correction over pairs × strata, one metric at a time."""
    names = list(
        dict.fromkeys(m for strata in tested for stratum in strata for m in stratum.metrics)
    )
    corrected: dict[tuple[int, int, str], float] = {}
    for name in names:
        places = [
            (pair, number, difference.judged_by)
            for pair, strata in enumerate(tested)
            for number, stratum in enumerate(strata)
            if (difference := stratum.metrics[name]) and difference.judged_by is not None
        ]
        values = holm(np.array([p for _, _, p in places])).tolist() if places else []
        for (pair, number, _), p in zip(places, values, strict=True):
            corrected[pair, number, name] = p
    return [
        tuple(
            replace(
                stratum,
                metrics={
                    name: difference
                    and replace(difference, p_holm=corrected.get((pair, number, name)))
                    for name, difference in stratum.metrics.items()
                },
            )
            for number, stratum in enumerate(strata)
        )
        for pair, strata in enumerate(tested)
    ]


class RunStrata:
    """Computes intervals and tests for the strata of systems with several runs, by one division."""

    def __init__(
        self, systems: Sequence[Sequence[Scores]], by: str, plan: Plan | None = None
    ) -> None:
        """`systems` has the scores of the runs of each system."""
        self._plan = plan or Plan(interval="jackknife")
        self._by = find_division(by).name
        self._strata = [[run.split(by) for run in runs] for runs in systems]
        self._documents = sorted(systems[0][0].counts.documents)

    @cached_property
    def _figures(self) -> StrataFigures | None:
        of_all_runs = [strata for runs in self._strata for strata in runs]
        if not any(of_all_runs):
            return None
        draws, _ = np.random.SeedSequence(self._plan.seed).spawn(2)
        return StrataFigures(of_all_runs, self._documents, self._plan, draws)

    @cached_property
    def _luck(self) -> RunLuck:
        assert self._figures is not None
        _, deals = np.random.SeedSequence(self._plan.seed).spawn(2)
        return RunLuck(self._figures, [len(runs) for runs in self._strata], self._plan, deals)

    def figures(self) -> list[tuple[StratumIntervals, ...]]:
        """For each system its strata, in order, with the means of each metric."""
        return [self._means(system) for system in range(len(self._strata))]

    def _means(self, system: int) -> tuple[StratumIntervals, ...]:
        runs, means = self._strata[system], []
        for number, label in enumerate(self._figures.labels if self._figures else ()):
            assert self._figures is not None
            of_runs = [strata.get(label) for strata in runs]
            by_metric: dict[str, RunFigures | None] = {
                metric: self._luck.figure(system, place, [part[metric] for part in of_runs if part])
                if self._luck.known(system, place)
                else None
                for place, metric in self._figures.rows(number)
            }
            documents = {
                name for stratum in of_runs if stratum for name in stratum.counts.documents
            }
            means.append(StratumIntervals(self._by, label, len(documents), by_metric))
        return tuple(means)

    def tests(self) -> StrataTests:
        """The means, and the tests of all pairs of systems, corrected over pairs × strata."""
        averaged = [average_strata(runs) for runs in self._strata]
        over_documents = StrataEvidence(averaged, self._by, self._documents, self._plan).tests()
        pairs = combinations(range(len(self._strata)), 2)
        tested = [
            tuple(self._differences(a, b, stratum) for stratum in strata)
            for (a, b), strata in zip(pairs, over_documents.pairs, strict=True)
        ]
        notes = over_documents.notes if self._plan.interval == "percentile" else ()
        return StrataTests(self.figures(), correct_strata(tested), notes)

    def _differences(self, a: int, b: int, averaged: StratumDifferences) -> StratumDifferences:
        """The tests of one stratum, given those of the averaged counts."""
        assert self._figures is not None
        tests: dict[str, Difference | None] = {}
        for place, metric in self._figures.rows(self._figures.labels.index(averaged.label)):
            plain = averaged.metrics[metric]
            known = self._luck.known(a, place) and self._luck.known(b, place)
            tests[metric] = self._luck.difference(a, b, place, plain) if known and plain else None
        smallest = averaged.smallest_p
        return StratumDifferences(self._by, averaged.label, averaged.documents, smallest, tests)


def average_strata(runs: Sequence[Mapping[str, Stratum]]) -> dict[str, Stratum]:
    """The strata of a system whose counts are the means over all runs, document by document."""
    averaged = {}
    for label in dict.fromkeys(label for strata in runs for label in strata):
        of_runs = [strata[label] for strata in runs if label in strata]
        documents = sorted({name for stratum in of_runs for name in stratum.counts.documents})
        place = {name: number for number, name in enumerate(documents)}
        tables: dict[str, tuple[PerDocument, ...]] = {}
        for name, columns in of_runs[0].counts.tables.items():
            sums = np.zeros((len(columns), len(documents)))
            for stratum in of_runs:
                at = [place[document] for document in stratum.counts.documents]
                sums[:, at] += np.array(stratum.counts.tables[name], dtype=np.float64)
            tables[name] = tuple(sums / len(runs))
        first = of_runs[0]
        counts = Counts(tuple(documents), tables)
        averaged[label] = type(first)(first.options, counts, by_mention=first.by_mention)
    return averaged

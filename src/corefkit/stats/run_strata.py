"""Strata of systems with several runs: means over runs, and the luck of documents and of runs.

A stratum in which one run has nothing to divide by has no mean: the mean of the others would be
about other runs than that of the next stratum.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import combinations

import numpy as np

from corefkit.applications.divisions import find_division
from corefkit.core.counts import Counts, PerDocument
from corefkit.scoring.scores import Scores
from corefkit.scoring.stratum import Stratum
from corefkit.stats.by_stratum import (
    StrataEvidence,
    StrataFigures,
    StrataTests,
    StratumDifferences,
    StratumIntervals,
    correct_strata,
)
from corefkit.stats.resampling import Difference, Plan
from corefkit.stats.runs import RunFigures, RunLuck


class RunStrata:
    """The strata of all runs of some systems by one label or feature."""

    def __init__(
        self, systems: Sequence[Sequence[Scores]], by: str, plan: Plan | None = None
    ) -> None:
        """`systems` has the scores of the runs of each."""
        self._plan = plan or Plan(interval="jackknife")
        self._by = find_division(by).name
        self._strata = [[run.split(by) for run in runs] for runs in systems]
        self._documents = sorted(systems[0][0].counts.documents)

    @cached_property
    def _figures(self) -> StrataFigures | None:
        every = [strata for runs in self._strata for strata in runs]
        if not any(every):
            return None
        draws, _ = np.random.SeedSequence(self._plan.seed).spawn(2)
        return StrataFigures(every, self._documents, self._plan, draws)

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
            own = [strata.get(label) for strata in runs]
            by_metric: dict[str, RunFigures | None] = {
                metric: self._luck.figure(system, place, [one[metric] for one in own if one])
                if self._luck.known(system, place)
                else None
                for place, metric in self._figures.rows(number)
            }
            documents = {name for one in own if one for name in one.counts.documents}
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
    """The strata with the counts of all runs, averaged for each document."""
    averaged = {}
    for label in dict.fromkeys(label for strata in runs for label in strata):
        own = [strata[label] for strata in runs if label in strata]
        documents = sorted({name for stratum in own for name in stratum.counts.documents})
        place = {name: number for number, name in enumerate(documents)}
        tables: dict[str, tuple[PerDocument, ...]] = {}
        for name, columns in own[0].counts.tables.items():
            sums = np.zeros((len(columns), len(documents)))
            for stratum in own:
                at = [place[document] for document in stratum.counts.documents]
                sums[:, at] += np.array(stratum.counts.tables[name], dtype=np.float64)
            tables[name] = tuple(sums / len(runs))
        first = own[0]
        counts = Counts(tuple(documents), tables)
        averaged[label] = type(first)(first.options, counts, by_mention=first.by_mention)
    return averaged

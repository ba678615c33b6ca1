"""Figures: F1 of systems in the whole and its parts, with intervals and tests over documents.

A figure is F1 of a system in one metric and one part of the comparison: the whole, or a stratum of
a division. All figures of all systems are functions of the same table of counts by document, which
is resampled once: what belongs together is drawn together, and nothing is scored again. `Figures`
has those of one or several keys; a system is anything that has counts, so the corners of losses go
the same way. `stats.runs` has the means over several runs.

Tables are sorted by the names of the documents, so that a seed draws the same documents whatever
their order in a file. A figure with nothing to divide by is NaN; where too many samples have none,
there is no interval.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from math import fsum
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit import metrics
from corefkit.core.arrays import FloatArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.features.divisions import find_division
from corefkit.metrics.base import f1_of_part
from corefkit.scoring.scores import Scores
from corefkit.stats.resampling import (
    EQUAL,
    FEW,
    Ends,
    Plan,
    draws,
    ends_of,
    exchanges,
    grained,
    interval,
    p_value,
    quantiles,
    sample_sums,
    smallest_p,
    tosses,
)

if TYPE_CHECKING:
    from corefkit.analysis.losses import LossFigures, RepairCorners

MOST_MISSING = 0.05
"""Where a larger share of the samples has no figure, because there is nothing to divide by, there
is no interval."""

PartName = tuple[str, str]
"""A part of a comparison: a division and a label."""
WHOLE: PartName = ("", "")
PartScores = Mapping[PartName, Scores]
"""The scores of one system, of the whole and in each part."""
FigureName = tuple[PartName, str]
"""A part and a metric: each row of figures is of one of them."""


@frozen
class Interval:
    """A system's F1 and its confidence interval; None with a single document."""

    f1: float
    interval: Ends | None

    def to_dict(self) -> dict[str, Any]:
        """The figure as it appears in the JSON output."""
        return asdict(self)


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

    def to_dict(self) -> dict[str, Any]:
        """The difference as it appears in the JSON output."""
        return asdict(self)


def parts_of(scores: Scores) -> PartScores:
    """The whole, and all strata of the divisions that the options name."""
    strata: dict[PartName, Scores] = {
        (by, label): stratum.scores
        for by in scores.options.by
        for label, stratum in scores.split(by).items()
    }
    return {WHOLE: scores, **strata}


def list_rows(systems: Iterable[PartScores]) -> list[FigureName]:
    """The rows of all systems, by division; the order of labels is that of the longest."""
    rows: dict[FigureName, None] = {}
    listed = list(systems)
    for division in dict.fromkeys(by for parts in listed for by, _ in parts):
        of_division = [[part for part in parts if part[0] == division] for parts in listed]
        longest = sorted(zip(of_division, listed, strict=True), key=lambda both: -len(both[0]))
        for own, parts in longest:
            rows |= dict.fromkeys((part, m) for part in own for m in parts[part].options.metrics)
    return list(rows)


class KeyFigures:
    """The figures of systems on one key, and those of samples of its documents.

    Attributes:
        documents: how many there are.
        exact: float64 (systems, columns, documents), the counts of all parts; with `average
            documents` F1, one column per metric. Documents are sorted by name.
        table: the same, rounded so that sums are exact.
        present: part → bool (systems, documents), the documents that have it.
        observed: F1 (systems, rows).
        measured: F1 (systems, rows) from the rounded counts that samples are made of. Samples are
            compared with these, so that one that changes nothing is as extreme.
        by_document: F1 (systems, rows, documents).
        of_means: whether figures are means over documents (`average documents`).
    """

    exact: FloatArray

    def __init__(
        self,
        systems: Sequence[PartScores | None],
        rows: Sequence[FigureName],
        plan: Plan,
        seeds: np.random.SeedSequence,
        *,
        only: bool = True,
    ) -> None:
        """None is a system without scores; `only` says whether there is no other key."""
        scored = [parts for parts in systems if parts]
        self._rows, self._plan, self._only = rows, plan, only
        self._absent = [not parts for parts in systems]
        self._options = scored[0][WHOLE].options
        names = sorted(scored[0][WHOLE].counts.documents)
        self.documents = len(names)
        self._set_columns(scored)
        self._fill(systems, names)
        self.table = grained(self.exact)
        self.by_document = self._divided(self.table)
        self.of_means = self._options.average == "documents"
        if self.of_means:
            self.exact = self._divided(self.exact)
            self.table = grained(self.by_document)
        self._whole = self.table.sum(axis=2)[..., None]
        self.measured = self.f1(self._whole)[..., 0]
        self._drawing, self._tossing = (np.random.default_rng(seed) for seed in seeds.spawn(2))

    def _set_columns(self, scored: Sequence[PartScores]) -> None:
        """For each part and counted metric its columns, and whether the part is a stratum."""
        self._columns: dict[FigureName, tuple[slice, bool]] = {}
        width = 0
        for part in dict.fromkeys(part for part, _ in self._rows):
            scores = next(parts[part] for parts in scored if part in parts)
            for name in metrics.counted(scores.options.metrics):
                end = width + len(scores.counts.tables[name])
                self._columns[part, name] = slice(width, end), scores.divided
                width = end
        self._width = width

    def _fill(self, systems: Sequence[PartScores | None], names: Sequence[str]) -> None:
        row_of = {name: number for number, name in enumerate(names)}
        self.exact = np.zeros((len(systems), self._width, len(names)))
        self.observed = np.full((len(systems), len(self._rows)), np.nan)
        self.observed[self._absent] = 0.0
        self.present = {
            part: np.zeros((len(systems), len(names)), dtype=bool) for part, _ in self._rows
        }
        for system, parts in enumerate(systems):
            for part, scores in (parts or {}).items():
                at = np.array([row_of[name] for name in scores.counts.documents], dtype=np.int64)
                self.present[part][system, at] = True
                for name in metrics.counted(scores.options.metrics):
                    columns, _ = self._columns[part, name]
                    self.exact[system, columns, at] = np.array(scores.counts.tables[name]).T
            for row, (part, metric) in enumerate(self._rows):
                if parts and part in parts:
                    f1: float | None = parts[part][metric].f1
                    self.observed[system, row] = np.nan if f1 is None else f1

    def f1(self, sums: FloatArray, documents: int | None = None) -> FloatArray:
        """F1 (…, rows, samples) of sums (…, columns, samples) over `documents`, or over all."""
        return sums / (documents or self.documents) if self.of_means else self._divided(sums)

    def _divided(self, sums: FloatArray) -> FloatArray:
        """F1 (…, rows, samples) of summed counts (…, columns, samples)."""
        counted = {}
        for (part, name), (columns, divided) in self._columns.items():
            f1 = metrics.countable(name, self._options).f1(sums[..., columns, :])
            counted[part, name] = f1_of_part(f1, sums[..., columns, :]) if divided else f1
        averaged = ((part, metrics.get(name).parts or (name,)) for part, name in self._rows)
        return np.stack(
            [mean([counted[part, name] for name in names]) for part, names in averaged], axis=-2
        )

    @cached_property
    def without(self) -> FloatArray:
        """F1 (systems, rows, documents) without each document."""
        return self.f1(np.maximum(self._whole - self.table, 0.0), self.documents - 1)

    def without_exactly(self) -> FloatArray:
        """Like `without`, from counts that are not rounded, added by `fsum`."""
        whole = np.apply_along_axis(fsum, -1, self.exact)[..., None]
        return self.f1(np.maximum(whole - self.exact, 0.0), self.documents - 1)

    @cached_property
    def drawn(self) -> FloatArray:
        """F1 (systems, rows, samples) of bootstrap samples; a single document is not drawn."""
        if self.documents < 2:
            return np.repeat(self.observed[..., None], self._plan.samples, axis=-1)
        columns, distinct = self._distinct
        weights = draws(self.documents, self._plan.samples, self._drawing)
        sums = sample_sums(columns, weights)
        return np.stack([self.f1(sums[columns_of_system]) for columns_of_system in distinct])

    def exchanged(self, a: int, b: int) -> FloatArray:
        """F1 of a minus F1 of b (rows, samples), with documents exchanged between them."""
        _, distinct = self._distinct
        moved = self._given[distinct[b]] - self._given[distinct[a]]
        return self.f1(self._whole[a] + moved) - self.f1(self._whole[b] - moved)

    @cached_property
    def _given(self) -> FloatArray:
        """Counts (distinct columns, samples) of documents chosen by tossing coins.

        Where there are few ways to choose (`exchanges`), each of them occurs once.
        """
        columns, _ = self._distinct
        samples = self._plan.samples
        given = sample_sums(columns, tosses(self.documents, samples, self._tossing))
        if self._only or given.shape[-1] == samples:
            return given
        # These are all ways: draw among them, so that all keys have the same number of samples.
        return given[..., self._tossing.integers(0, given.shape[-1], samples)]

    @cached_property
    def _distinct(self) -> tuple[FloatArray, IntArray]:
        """The distinct columns (distinct, documents), and the index of each (systems, columns).

        More than half of the columns are repeated: all systems have the same key, and many metrics
        the same denominators.
        """
        flat = self.table.reshape(-1, self.documents)
        number: dict[bytes, int] = {}
        numbers = np.array([number.setdefault(row.tobytes(), len(number)) for row in flat])
        _, first = np.unique(numbers, return_index=True)
        return flat[first], numbers.reshape(self.table.shape[:2])


class Figures:
    """The figures of systems over one or several keys, with their intervals and tests.

    With several keys, figures are means over the keys; documents are drawn and exchanged within
    each, and intervals are percentiles. A system without scores for a key counts as 0 there in its
    mean and in all samples; two systems are compared over the keys that both have scores for.

    Attributes:
        plan: how to resample.
        rows: the part and the metric of each row of figures.
        observed: float64 (systems, rows), F1 or its means over the keys.
        sizes: the number of documents of each key.
        resampled: whether a key has more than one document.
        undefined: the parts where too many samples have no figure, as far as they were asked for.
    """

    def __init__(
        self, keys: Sequence[Sequence[PartScores | None]], plan: Plan, share: float = 1.0
    ) -> None:
        """`keys` has, for each key, the scores of all systems over the same documents.

        `share` is the share of these among all keys, where no system has scores for some.
        """
        root, self.plan, self._share = np.random.SeedSequence(plan.seed), plan, share
        only = len(keys) == 1
        seeds = [root] if only else root.spawn(len(keys))
        self.rows = list_rows(parts for systems in keys for parts in systems if parts)
        self._keys = [
            KeyFigures(systems, self.rows, plan, seed, only=only)
            for systems, seed in zip(keys, seeds, strict=True)
        ]
        self._has_scores = np.array([[bool(parts) for parts in systems] for systems in keys])
        self.observed = share * mean([key.observed for key in self._keys])
        self.sizes = [key.documents for key in self._keys]
        self.resampled = max(self.sizes) > 1
        self.undefined: dict[PartName, None] = {}

    def common(self, a: int, b: int) -> list[int]:
        """The keys that two systems both have scores for; none where they cannot be resampled."""
        keys: list[int] = np.flatnonzero(self._has_scores[:, a] & self._has_scores[:, b]).tolist()
        many = any(self.sizes[key] > 1 for key in keys)
        return keys if many or not self.resampled else []

    def documents(self, part: PartName, *systems: int) -> int:
        """The number of documents in which one of these systems, or the key, has a part."""
        return sum(int(key.present[part][[*systems]].any(axis=0).sum()) for key in self._keys)

    @cached_property
    def _drawn(self) -> FloatArray:
        return self._share * mean([key.drawn for key in self._keys])

    def _without(self, system: int) -> FloatArray:
        """F1 (rows, documents) without each document, where intervals need it."""
        if self.plan.interval == "percentile":
            return np.zeros((len(self.rows), 0))
        without: FloatArray = self._keys[0].without[system]
        return without

    def intervals(self, system: int) -> list[Interval | None]:
        """Each figure of a system with its interval; None where it does not exist."""
        observed = self.observed[system].tolist()
        ends: Sequence[Ends | None] = [None] * len(self.rows)
        if self.resampled:
            ends = self._ends(observed, self._drawn[system], self._without(system), 0.0)
        return [
            None if np.isnan(f1) else Interval(f1, bounds)
            for f1, bounds in zip(observed, ends, strict=True)
        ]

    def _ends(
        self, observed: Sequence[float], drawn: FloatArray, without: FloatArray, least: float
    ) -> list[Ends | None]:
        """The interval of each row, clipped to the range of the figure, from `least` to 1."""
        ends: list[Ends | None] = []
        for (part, _), f1, samples, others in zip(self.rows, observed, drawn, without, strict=True):
            ends.append(None)
            if np.isnan(f1):
                continue
            ends[-1] = interval_in_range(f1, samples, others, self.plan, least)
            if ends[-1] is None:
                self.undefined[part] = None
        return ends

    def differences(self, a: int, b: int) -> list[Difference | None]:
        """The tests of two systems in each row, not yet corrected; None where one has no figure.

        They are compared over the keys that both have scores for; there must be at least one.
        """
        keys = [self._keys[number] for number in self.common(a, b)]
        observed = mean([key.observed[a] - key.observed[b] for key in keys]).tolist()
        by_key = [(key, key.by_document[a] - key.by_document[b]) for key in keys]
        counts = []
        for row, (part, _) in enumerate(self.rows):
            of_part = (each[row, key.present[part][[a, b]].any(axis=0)] for key, each in by_key)
            counts.append(_won_and_lost(np.concatenate([*of_part])))
        tests: Iterable[_Test] = [(None, None, None)] * len(observed)
        if max(key.documents for key in keys) > 1:
            tests = self._tests(keys, (a, b), observed, [sum(count) for count in counts])
        return [
            None if np.isnan(difference) else Difference(difference, *test, test[-1], *count)
            for difference, test, count in zip(observed, tests, counts, strict=True)
        ]

    def _tests(
        self,
        keys: Sequence[KeyFigures],
        pair: tuple[int, int],
        observed: Sequence[float],
        documents: Sequence[int],
    ) -> "Iterator[_Test]":
        """For each row the interval, the p-value of the bootstrap and that of randomisation."""
        a, b = pair
        drawn = mean([key.drawn[a] - key.drawn[b] for key in keys])
        exchanged = mean([key.exchanged(a, b) for key in keys])
        measured = mean([key.measured[a] - key.measured[b] for key in keys])
        ends = self._ends(observed, drawn, self._without(a) - self._without(b), -1.0)
        samples = self.plan.samples
        every = len(self._keys) == 1 and exchanges(keys[0].documents, samples) is not None
        for row, figure in enumerate(measured.tolist()):
            least = abs(figure) - EQUAL
            p_bootstrap = p_value(np.abs(drawn[row] - figure), least)
            p = p_value(np.abs(exchanged[row]), least, every=every)
            # With several keys we sample even if all exchanges could be enumerated, and in a part
            # some exchanges change nothing, so p can fall below its exact minimum: clamp it.
            yield ends[row], p_bootstrap, max(p, smallest_p(documents[row], samples))


_Test = tuple[Ends | None, float | None, float | None]


def _won_and_lost(differences: FloatArray) -> tuple[int, int, int]:
    """The numbers of documents with a positive, a negative and no difference."""
    wins, losses = int((differences > EQUAL).sum()), int((differences < -EQUAL).sum())
    return wins, losses, len(differences) - wins - losses


def interval_in_range(
    figure: float, drawn: FloatArray, without: FloatArray, plan: Plan, least: float
) -> Ends | None:
    """The interval of a figure, clipped to its range from `least` to 1.

    None where too many of the samples `drawn` have no figure.
    """
    defined, known = (values[~np.isnan(values)] for values in (drawn, without))
    if len(drawn) - len(defined) > MOST_MISSING * len(drawn):
        return None
    low, high = interval(figure, defined, known, plan.level, plan.interval)
    return max(low, least), min(high, 1.0)


def by_part(rows: Sequence[FigureName], values: Sequence[Any]) -> dict[PartName, dict[str, Any]]:
    """Part → metric → the value of the row."""
    parts: dict[PartName, dict[str, Any]] = {}
    for (part, metric), value in zip(rows, values, strict=True):
        parts.setdefault(part, {})[metric] = value
    return parts


def mean(arrays: Sequence[FloatArray]) -> FloatArray:
    """The mean of arrays of the same shape."""
    return np.mean(arrays, axis=0) if len(arrays) > 1 else arrays[0]


def notes_of_parts(undefined: Iterable[PartName]) -> tuple[str, ...]:
    """Notes about parts that have no interval."""
    return tuple(
        f"{find_division(by).name} {label}: no interval, because more than one sample in twenty "
        "has nothing there"
        for by, label in undefined
    )


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


def sampled_losses(
    losses: "RepairCorners", plan: Plan | None = None
) -> "Mapping[str, LossFigures]":
    """The losses in each metric, with percentile intervals over documents if there are several.

    They are computed from four corners, which are resampled like four systems.
    """
    from corefkit.analysis.losses import LostPoints, share_loss

    plan, found = plan or Plan(), losses.by_metric()
    corners = [{WHOLE: Scores(losses.options, counts)} for counts in losses.corners]
    seeds, rows = np.random.SeedSequence(plan.seed), list_rows(corners)
    figures = KeyFigures(corners, rows, plan, seeds)
    for row, (_, metric) in enumerate(rows) if figures.documents > 1 else ():
        drawn: Iterable[Any] = share_loss(figures.drawn[:, row])
        ends = [quantiles(samples, ends_of(plan.level)) for samples in drawn]
        intervals = dict(zip(LostPoints._fields, ends, strict=True))
        found[metric] = found[metric]._replace(intervals=intervals)
    return found

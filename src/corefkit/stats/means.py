"""The mean over several keys, as shared tasks rank by it: its interval, and tests of differences.

Documents are drawn and exchanged within each key; the keys themselves are given, not a sample.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from corefkit.data.arrays import FloatArray
from corefkit.data.options import UsageError
from corefkit.scoring.scores import Scores
from corefkit.stats.bootstrap import EQUAL, LEVEL
from corefkit.stats.evidence import (
    SAMPLES,
    SEED,
    Difference,
    Ends,
    Interval,
    Plan,
    count_wins,
    p_value,
)
from corefkit.stats.resampling import Columns, bootstrap, swapped_difference, swaps, total
from corefkit.stats.significance import (
    Comparison,
    SystemPair,
    compare_scores,
    comparison_notes,
    groups,
    holm,
    smallest_p,
)


def compare_means(
    systems: Mapping[str, Sequence[Scores]],
    metric: str,
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> Comparison:
    """Compare the means of F1 over several keys; each system has scores for the same keys.

    With one key this is `compare_scores`. With several, intervals are percentiles and the p-values
    those of randomisation; a key of one document cannot be resampled and stands as it is.
    """
    if not systems or not all(systems.values()):
        raise UsageError("there is nothing to compare: no system or no key")
    plain = {name: [_only(s, metric) for s in scores] for name, scores in systems.items()}
    if len({len(scores) for scores in plain.values()}) > 1:
        raise UsageError("each system needs scores for each key")
    if len(next(iter(plain.values()))) == 1:
        one = {name: scores[0] for name, scores in plain.items()}
        return compare_scores(one, samples=samples, seed=seed, level=level)
    by_key = list(zip(*plain.values(), strict=True))
    seeds = np.random.SeedSequence(seed).spawn(len(by_key))
    strata = [_Stratum(*one, metric, samples) for one in zip(by_key, seeds, strict=True)]
    means = np.mean([s.observed for s in strata], axis=0).tolist()
    observed = dict(zip(plain, means, strict=True))
    resampled = any(s.columns.documents > 1 for s in strata)
    ends: list[Ends | None] = [None] * len(plain)
    if resampled:
        ends = [_ends(row, level) for row in np.mean([s.drawn for s in strata], axis=0)]
    pairs = _pairs(list(plain), metric, strata, level) if resampled else ()
    sizes = [s.columns.documents for s in strata]
    smallest = min(1.0, len(pairs) * smallest_p(sum(sizes), samples)) if pairs else None
    figures = zip(plain, map(Interval, means, ends), strict=True)
    return Comparison(
        seed,
        samples,
        level,
        "percentile",
        f"{by_key[0][0].signature}|samples:{samples}|seed:{seed}",
        sum(sizes),
        {name: {metric: interval} for name, interval in figures},
        pairs,
        {metric: groups(observed, pairs, metric, level) if resampled else []},
        smallest,
        comparison_notes(sizes, len(pairs), Plan(samples, seed, level), smallest),
    )


def _only(scores: Scores, metric: str) -> Scores:
    """The scores with one metric, which is all that is resampled."""
    return replace(scores, options=replace(scores.options, metrics=(metric,)))


class _Stratum:
    """The systems on one key: F1 observed (systems,), drawn (systems, samples), and exchanges."""

    def __init__(
        self, scores: Sequence[Scores], random: np.random.SeedSequence, metric: str, samples: int
    ) -> None:
        drawing, tossing = (np.random.default_rng(s) for s in random.spawn(2))
        self.columns = Columns.of([s.counts for s in scores], (metric,), scores[0].options)
        self.observed = np.array([s[metric].f1 for s in scores])
        self.by_document = self.columns.f1(self.columns.table)[:, 0]
        self.measured = total(self.columns)[:, 0]
        self.drawn = np.repeat(self.observed[:, None], samples, axis=1)
        if self.columns.documents > 1:
            self.drawn = bootstrap(self.columns, samples, drawing)[:, 0]
        given = swaps(self.columns, samples, tossing)
        if given.shape[-1] != samples:  # all ways there are: some of them by chance
            given = given[..., tossing.integers(0, given.shape[-1], samples)]
        self._given = given

    def exchanged(self, a: int, b: int) -> FloatArray:
        """F1 of a minus F1 of b (samples,), documents exchanged by chance."""
        difference: FloatArray = swapped_difference(self.columns, self._given, a, b)[0]
        return difference


def _ends(drawn: FloatArray, level: float) -> Ends:
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return low, high


def _pairs(
    names: Sequence[str], metric: str, strata: Sequence[_Stratum], level: float
) -> tuple[SystemPair, ...]:
    both = list(combinations(range(len(names)), 2))
    found = [_difference(a, b, strata, level) for a, b in both]
    corrected = holm(np.array([d.p_randomization for d in found])) if found else np.zeros(0)
    return tuple(
        SystemPair(names[a], names[b], {metric: replace(d, p_holm=p)})
        for (a, b), d, p in zip(both, found, corrected.tolist(), strict=True)
    )


def _difference(a: int, b: int, strata: Sequence[_Stratum], level: float) -> Difference:
    """The tests of one pair over all keys, not yet corrected."""
    drawn = np.mean([s.drawn[a] - s.drawn[b] for s in strata], axis=0)
    measured = float(np.mean([s.measured[a] - s.measured[b] for s in strata]))
    exchanged = np.mean([s.exchanged(a, b) for s in strata], axis=0)
    extreme = np.abs([drawn - measured, exchanged]) >= abs(measured) - EQUAL
    p_bootstrap, p = p_value(extreme).tolist()
    # Exchanges are tossed here even where they are few: by chance they may be too seldom extreme.
    p = max(p, smallest_p(sum(s.columns.documents for s in strata), extreme.shape[-1]))
    documents = np.concatenate([s.by_document[a] - s.by_document[b] for s in strata])
    observed = float(np.mean([s.observed[a] - s.observed[b] for s in strata]))
    return Difference(observed, _ends(drawn, level), p_bootstrap, p, p, *count_wins(documents))

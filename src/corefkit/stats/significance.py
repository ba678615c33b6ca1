"""Is a difference between systems more than luck? Intervals and paired tests over documents.

Everything is computed from Counts: each sample of documents is a weighted sum of their rows.

>>> import corefkit
>>> from corefkit.stats.significance import compare
>>> key = "examples/key.conll"
>>> systems = {n: corefkit.score(key, f"examples/{n}.conll") for n in ("careful", "hasty")}
>>> comparison = compare(systems, samples=1000, seed=1)
>>> difference = comparison.pairs[0].metrics["conll"]
>>> round(100 * difference.difference, 2), difference.p_randomization < 0.05
(27.31, True)
>>> comparison.groups["conll"]
[['careful'], ['hasty']]
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from corefkit.data.arrays import FloatArray
from corefkit.scoring.scores import Scores
from corefkit.stats.resampling import Columns, bootstrap, swapped_difference, swaps

SAMPLES, SEED, LEVEL = 10_000, 2012, 0.95

_EQUAL = 1e-12
"""Differences this small are none; the counts are far from being so fine."""


@dataclass(frozen=True)
class Interval:
    """A system's F1 and its confidence interval (percentiles of the bootstrap)."""

    f1: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class Difference:
    """F1 of a minus F1 of b, and how likely so large a difference would be by luck.

    Attributes:
        difference, interval: with the percentiles of the paired bootstrap.
        p_bootstrap: how often a bootstrap difference, centred on 0, is at least as large.
        p_randomization: how often it is when documents are exchanged between a and b by chance.
        p_holm: p_randomization after Holm's correction over all pairs of systems.
        wins, losses, ties: on how many documents a scores more, less, the same.
    """

    difference: float
    interval: tuple[float, float]
    p_bootstrap: float
    p_randomization: float
    p_holm: float
    wins: int
    losses: int
    ties: int


@dataclass(frozen=True)
class Pair:
    """Two systems and how they differ in each metric."""

    a: str
    b: str
    metrics: Mapping[str, Difference]


@dataclass(frozen=True)
class Comparison:
    """All systems with their intervals, all pairs with their tests.

    `groups` has for each metric the largest sets of systems of which no two differ
    significantly (`p_holm` is at least 1 − level); a system can be in several.
    """

    seed: int
    samples: int
    level: float
    signature: str
    documents: int
    systems: Mapping[str, Mapping[str, Interval]]
    pairs: tuple[Pair, ...]
    groups: Mapping[str, list[list[str]]]

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts and lists, nothing rounded: the JSON of `corefkit compare`."""
        return asdict(self)


def compare(
    systems: Mapping[str, Scores],
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> Comparison:
    """Compare systems that were scored with the same options against the same key."""
    scores = list(systems.values())
    if not scores:
        raise ValueError("there is nothing to compare")
    if len({(s.options, frozenset(s.counts.documents)) for s in scores}) > 1:
        raise ValueError("only scores of the same key with the same options can be compared")
    metrics = scores[0].options.metrics
    columns = Columns.of([s.counts for s in scores], metrics)
    drawing, tossing = (np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(2))
    drawn = bootstrap(columns, samples, drawing)
    observed = np.array([[s[m].f1 for m in metrics] for s in scores])
    low, high = _percentiles(drawn, level)
    intervals = {
        name: {
            m: Interval(float(observed[i, j]), (float(low[i, j]), float(high[i, j])))
            for j, m in enumerate(metrics)
        }
        for i, name in enumerate(systems)
    }
    given = swaps(columns, samples, tossing)
    by_document = columns.f1(columns.table)
    measured = columns.f1(columns.table.sum(axis=2)[..., None])[..., 0]
    pairs = _pairs(
        list(systems), _Evidence(columns, observed, measured, drawn, given, by_document, level)
    )
    return Comparison(
        seed,
        samples,
        level,
        f"{scores[0].signature}|samples:{samples}|seed:{seed}",
        columns.documents,
        intervals,
        pairs,
        {m: groups({n: s[m].f1 for n, s in systems.items()}, pairs, m, level) for m in metrics},
    )


@dataclass(frozen=True, eq=False)
class _Evidence:
    """All that the tests look at.

    Attributes:
        observed: float64 (systems, metrics), F1.
        measured: the same from the rounded counts that samples are made of: only with these can
            a sample that changes nothing be seen to be as extreme as what was observed.
        drawn: F1 (systems, metrics, samples) of bootstrap samples.
        given: counts (systems, columns, samples) of documents that may be exchanged.
        by_document: F1 (systems, metrics, documents).
    """

    columns: Columns
    observed: FloatArray
    measured: FloatArray
    drawn: FloatArray
    given: FloatArray
    by_document: FloatArray
    level: float

    def differences(self, a: int, b: int) -> list[Difference]:
        """The tests of one pair, a Difference for each metric, not yet corrected."""
        measured = (self.measured[a] - self.measured[b])[:, None]
        least = np.abs(measured) - _EQUAL
        resampled = self.drawn[a] - self.drawn[b]
        low, high = _percentiles(resampled, self.level)
        p_bootstrap = _share(np.abs(resampled - measured) >= least)
        exchanged = swapped_difference(self.columns, self.given, a, b)
        p_randomization = _share(np.abs(exchanged) >= least)
        here = self.by_document[a] - self.by_document[b]
        wins, losses = (here > _EQUAL).sum(axis=1), (here < -_EQUAL).sum(axis=1)
        ties = self.columns.documents - wins - losses
        found = self.observed[a] - self.observed[b]
        columns = (found, low, high, p_bootstrap, p_randomization, wins, losses, ties)
        return [
            Difference(d, (lo, hi), pb, pr, pr, w, lost, t)
            for d, lo, hi, pb, pr, w, lost, t in zip(*(c.tolist() for c in columns), strict=True)
        ]


def _pairs(names: Sequence[str], evidence: _Evidence) -> tuple[Pair, ...]:
    both = list(combinations(range(len(names)), 2))
    found = [evidence.differences(a, b) for a, b in both]
    for metric in range(len(evidence.columns.names)):
        corrected = holm(np.array([pair[metric].p_randomization for pair in found]))
        for pair, p in zip(found, corrected.tolist(), strict=True):
            pair[metric] = replace(pair[metric], p_holm=p)
    return tuple(
        Pair(names[a], names[b], dict(zip(evidence.columns.names, pair, strict=True)))
        for (a, b), pair in zip(both, found, strict=True)
    )


def _percentiles(samples: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
    """The percentile interval of the last axis."""
    low, high = np.quantile(samples, [(1 - level) / 2, (1 + level) / 2], axis=-1)
    return low, high


def _share(extreme: np.ndarray[Any, np.dtype[np.bool_]]) -> FloatArray:
    """The p-value; what was observed counts as one of the samples, so it is never 0."""
    share: FloatArray = (extreme.sum(axis=-1) + 1) / (extreme.shape[-1] + 1)
    return share


def holm(p: FloatArray) -> FloatArray:
    """Holm's correction (1979) of p-values (n,), in their order.

    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p, kind="stable")
    scaled = p[order] * np.arange(len(p), 0, -1)
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    return corrected


def groups(
    f1: Mapping[str, float], pairs: Sequence[Pair], metric: str, level: float
) -> list[list[str]]:
    """The largest sets of systems of which no two can be told apart, the best system first.

    Start with one set of all; each significant pair splits the sets that hold both of its
    systems in two; sets inside other sets go (Piepho 2004, the letters of a compact display).
    """
    order = sorted(f1, key=lambda name: -f1[name])
    sets = [frozenset(order)]
    for pair in pairs:
        if pair.metrics[metric].p_holm >= 1 - level - _EQUAL:
            continue
        split = [s - {x} for s in sets if {pair.a, pair.b} <= s for x in (pair.b, pair.a)]
        sets = [s for s in sets if not {pair.a, pair.b} <= s]
        for candidate in split:
            if not any(candidate <= s for s in sets):
                sets = [s for s in sets if not s < candidate] + [candidate]
    place = {name: i for i, name in enumerate(order)}
    listed = [sorted(s, key=place.__getitem__) for s in sets]
    return sorted(listed, key=lambda s: [place[name] for name in s])

"""Means over runs: intervals, and tests against full enumeration."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, product
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit import Corpus, Scores, UsageError, score
from corefkit.core.counts import Counts
from corefkit.core.options import Options
from corefkit.stats.compare import compare_scores
from corefkit.stats.figures import WHOLE, PartScores
from corefkit.stats.resampling import Plan
from corefkit.stats.runs import (
    RunDifference,
    RunEvidence,
    RunFigures,
    Variance,
    crossed,
    run_notes,
    satterthwaite,
    smallest_p_runs,
)
from tests.strategies import examples

Table = list[tuple[int, int, int, int]]
"""muc of each document: found and all in the key, found and all in the response."""

counts = st.tuples(st.integers(0, 4), st.integers(4, 6), st.integers(0, 4), st.integers(4, 6))


def scored(table: Table) -> Scores:
    columns = tuple(np.array(column, dtype=np.int64) for column in zip(*table, strict=True))
    names = tuple(f"d{number}" for number in range(len(table)))
    return Scores(Options(metrics=("muc",)), Counts(names, {"muc": columns}))


def of(runs: Iterable[Scores]) -> list[PartScores]:
    return [{WHOLE: run} for run in runs]


def means(runs: Iterable[Scores]) -> RunFigures:
    """The means of one system in muc."""
    (figure,) = RunEvidence([of(runs)]).intervals(0)
    assert isinstance(figure, RunFigures)
    return figure


def f1(table: "list[tuple[Fraction, ...]] | Table") -> Fraction:
    a, b, c, d = (
        sum((Fraction(x) for x in column), Fraction()) for column in zip(*table, strict=True)
    )
    below = a * d + c * b
    return 2 * a * c / below if below else Fraction()


def averaged(runs: list[Table]) -> list[tuple[Fraction, ...]]:
    return [
        tuple(Fraction(sum(column), len(runs)) for column in zip(*rows, strict=True))
        for rows in zip(*runs, strict=True)
    ]


def enumerated(a: list[Table], b: list[Table]) -> tuple[float, float]:
    """p_documents and p_runs by trying everything, in fractions."""
    ours, theirs = averaged(a), averaged(b)
    observed = abs(f1(ours) - f1(theirs))
    reached = 0
    for swaps in product((False, True), repeat=len(ours)):
        one = [y if s else x for x, y, s in zip(ours, theirs, swaps, strict=True)]
        other = [x if s else y for x, y, s in zip(ours, theirs, swaps, strict=True)]
        reached += abs(f1(one) - f1(other)) >= observed
    figures = [f1(run) for run in (*a, *b)]
    means = (Fraction(sum(own), len(own)) for own in (figures[: len(a)], figures[len(a) :]))
    least = abs(next(means) - next(means))
    ways = list(combinations(range(len(figures)), len(a)))
    dealt = 0
    for way in ways:
        mine = sum((figures[i] for i in way), Fraction()) / len(a)
        rest = sum((f for i, f in enumerate(figures) if i not in way), Fraction()) / len(b)
        dealt += abs(mine - rest) >= least
    return reached / 2 ** len(ours), dealt / len(ways)


@examples(25)
@given(st.data(), st.integers(1, 3), st.integers(2, 3), st.integers(2, 5))
def test_exchanges_are_all_made(
    data: st.DataObject, ours: int, theirs: int, documents: int
) -> None:
    table = st.lists(counts, min_size=documents, max_size=documents)
    a, b = (data.draw(st.lists(table, min_size=n, max_size=n)) for n in (ours, theirs))
    (found,) = RunEvidence([of(map(scored, a)), of(map(scored, b))]).differences(0, 1)
    assert isinstance(found, RunDifference)
    p_documents, p_runs = enumerated(a, b)
    assert found.p_documents == pytest.approx(p_documents, abs=1e-12)
    assert found.p_runs == pytest.approx(p_runs, abs=1e-12)


RUNS: list[Table] = [
    [(3, 5, 3, 4), (2, 5, 2, 5), (4, 6, 4, 5)],
    [(4, 5, 4, 4), (1, 5, 1, 5), (4, 6, 4, 6)],
]


def test_a_mean_of_rates_is_no_rate_of_pooled_counts() -> None:
    figures = means(map(scored, RUNS))
    rates = [f1(run) for run in RUNS]
    pooled = f1([row for run in RUNS for row in run])
    mean = float(sum(rates) / 2)
    assert figures.f1 == pytest.approx(mean, abs=1e-15)
    assert mean != pytest.approx(float(pooled), abs=1e-6)
    assert figures.sd == pytest.approx(abs(float(rates[0] - rates[1])) / sqrt(2))
    assert figures.se_runs == pytest.approx(abs(float(rates[0] - rates[1])) / 2)
    recall = [sum(row[0] for row in run) / sum(row[1] for row in run) for run in RUNS]
    assert figures.recall == pytest.approx(sum(recall) / 2)


def test_the_jackknife_is_over_means() -> None:
    figures = means(map(scored, RUNS))
    without = [float(sum(f1([*run[:d], *run[d + 1 :]]) for run in RUNS) / 2) for d in range(3)]
    square = 2 / 3 * sum((x - sum(without) / 3) ** 2 for x in without)
    assert figures.se_documents == pytest.approx(sqrt(square), abs=1e-14)


def test_one_run_has_documents_only_and_one_document_has_runs_only() -> None:
    one = means([scored(RUNS[0])])
    assert (one.sd, one.se_runs, one.df) == (None, None, 2.0)
    single = means(scored(run[:1]) for run in RUNS)
    assert single.se_documents is None
    assert single.df == 1.0
    assert single.interval is not None
    neither = means([scored(RUNS[0][:1])])
    assert (neither.interval, neither.df) == (None, None)


def test_two_systems_of_one_run_each_are_tested_as_ever() -> None:
    one, other, third = scored(RUNS[0]), scored(RUNS[1]), scored(RUNS[0][::-1])
    plain = compare_scores({"a": one, "b": other}, interval="jackknife")
    runs = compare_scores({"a": [one], "b": [other], "c": [one, third]})
    tested = [found.pairs[0].metrics["muc"].p_randomization for found in (plain, runs)]
    assert tested[0] == tested[1] is not None
    assert isinstance(runs.pairs[1].metrics["muc"], RunDifference)
    told = " ".join(runs.notes)
    assert "a, b have one run" in told
    assert "how much runs vary is taken from c" in told


def test_equal_runs_have_no_error() -> None:
    same = scored(RUNS[0])
    (equal,) = RunEvidence([of([same] * 3)] * 2).differences(0, 1)
    assert isinstance(equal, RunDifference)
    assert (equal.p, equal.t, equal.df, equal.p_documents, equal.p_runs) == (1.0, None, None, 1, 1)
    single, nothing = scored(RUNS[0][:1]), scored([(0, 5, 0, 4)])
    (apart,) = RunEvidence([of([single] * 2), of([nothing] * 2)]).differences(0, 1)
    assert isinstance(apart, RunDifference)
    assert (apart.p, apart.p_documents) == (0.0, None)


def test_many_runs_are_dealt_by_chance() -> None:
    rng = np.random.default_rng(1)
    most = [9] * 9 + [8] * 9
    tables = [[(int(n), 9, int(n), 9) for n in rng.integers(0, m, 4)] for m in most]
    runs = [scored(table) for table in tables]
    found = [
        RunEvidence([of(runs[:9]), of(runs[9:])], Plan(seed=seed)).differences(0, 1)[0]
        for seed in (1, 1, 2)
    ]
    p = [d.p_runs for d in found if isinstance(d, RunDifference)]
    assert p[0] == p[1] != p[2]
    assert smallest_p_runs(9, 9) == pytest.approx(1 / 10_001)


def test_a_crossed_sample_draws_runs_too() -> None:
    """Runs of which one is always 0 and the other always 1: their means are 0, ½ and 1."""
    drawn = np.stack((np.zeros((1, 4000)), np.ones((1, 4000))))
    means = crossed(drawn, np.random.default_rng(3))
    values, times = np.unique(means, return_counts=True)
    assert values.tolist() == [0, 0.5, 1]
    assert times == pytest.approx([1000, 2000, 1000], rel=0.1)


def test_intervals_of_percentiles() -> None:
    systems = {"a": [scored(run) for run in RUNS], "b": [scored(RUNS[0][::-1])]}
    found = compare_scores(systems, interval="percentile", samples=200)
    assert found.interval == "percentile"
    assert "|interval" not in found.signature
    assert all(figure["muc"].interval for figure in found.systems.values())
    with pytest.raises(UsageError, match="jackknife and percentile"):
        compare_scores(systems, interval="bca")


def test_misuse() -> None:
    with pytest.raises(UsageError, match="a has no run"):
        compare_scores({"a": [], "b": [scored(RUNS[0])]})
    with pytest.raises(UsageError, match="same documents"):
        compare_scores({"a": [scored(RUNS[0]), scored(RUNS[0][:2])]})
    with pytest.raises(TypeError, match="systems have Scores"):
        compare_scores({"a": "b.conll"})  # type: ignore[dict-item]


def test_parts_of_an_error() -> None:
    assert satterthwaite([]) == (0.0, None)
    assert satterthwaite([Variance(4.0, 3)]) == (2.0, 3.0)
    assert run_notes({"a": 2}, 1) == ("one document: intervals say nothing about other documents",)
    assert run_notes({"a": 3}, 9)[0].startswith("only 9 documents")
    assert run_notes({"a": 3}, 10) == ()
    assert run_notes({"a": 2, "b": 2}, 10)[0].startswith("a, b have two runs: their intervals are")


def test_means_over_documents() -> None:
    """With `average documents` F1 of a run is the mean over documents, and so is that of means."""
    sides = [Corpus.from_clusters({d: [[(0, 0), (1, 1)], [(2, 2), (3, 3)]] for d in "ab"})]
    sides += [Corpus.from_clusters({"a": [[(0, 0), (1, 1)]], "b": [[(2, 2), (3, 3), (4, 4)]]})]
    runs = [score(sides[0], side, "muc", average="documents") for side in sides]
    figures = means(runs)
    assert figures.f1 == pytest.approx((runs[0]["muc"].f1 + runs[1]["muc"].f1) / 2)

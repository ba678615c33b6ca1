"""Means over several keys: against all exchanges that there are, made one by one."""

from itertools import product

import numpy as np
import pytest

import corefkit
from corefkit.core.counts import Counts
from corefkit.core.options import UsageError
from corefkit.scoring.scores import Scores
from corefkit.stats.compare import compare_means, compare_scores
from tests.support import EXAMPLES

TASK = EXAMPLES / "task"
LANGUAGES = ("english", "chinese")


def scores(system: str) -> list[Scores]:
    return [
        corefkit.score(
            TASK / "keys" / f"{language}.conll",
            TASK / "responses" / system / f"{language}.closed.NB.conll",
        )
        for language in LANGUAGES
    ]


def exchanged(a: Scores, b: Scores, chosen: tuple[bool, ...]) -> float:
    """The difference of the CoNLL averages with some documents exchanged."""
    order = dict(zip(sorted(a.counts.documents), chosen, strict=True))

    def mixed(one: Scores, other: Scores) -> float:
        there = [other.counts.documents.index(name) for name in one.counts.documents]
        take = np.array([order[name] for name in one.counts.documents])
        tables = {
            name: tuple(
                np.where(take, theirs[there], ours)
                for ours, theirs in zip(columns, other.counts.tables[name], strict=True)
            )
            for name, columns in one.counts.tables.items()
        }
        return Scores(one.options, Counts(one.counts.documents, tables)).conll

    return mixed(a, b) - mixed(b, a)


def test_p_is_the_share_of_exchanges() -> None:
    systems = {name: scores(name) for name in ("ibis", "kestrel")}
    found = compare_means(systems, "conll", samples=20_000, seed=7)
    difference = found.pairs[0].metrics["conll"]
    by_key = [
        [exchanged(a, b, bits) for bits in product((False, True), repeat=len(a.counts.documents))]
        for a, b in zip(*systems.values(), strict=True)
    ]
    observed = sum(values[0] for values in by_key) / 2
    assert difference.difference == pytest.approx(observed)
    every = np.abs([sum(both) / 2 for both in product(*by_key)])
    exact = float((every >= abs(observed) - 1e-9).mean())
    assert difference.p_randomization == pytest.approx(exact, abs=0.015)
    mean = sum(s.conll for s in systems["ibis"]) / 2
    assert found.systems["ibis"]["conll"].f1 == pytest.approx(mean)


def test_the_interval_is_that_of_independent_samples() -> None:
    """The variance of a mean of independent figures is the mean of theirs, divided by how many."""
    ibis = scores("ibis")
    found = compare_means({"ibis": ibis}, "conll", samples=20_000, level=0.6827)
    low, high = found.systems["ibis"]["conll"].interval or (0, 0)
    widths = []
    for one in ibis:
        ends = compare_scores({"ibis": one}, samples=20_000, level=0.6827).systems["ibis"]["conll"]
        assert ends.interval
        widths.append(ends.interval[1] - ends.interval[0])
    assert high - low == pytest.approx((widths[0] ** 2 + widths[1] ** 2) ** 0.5 / 2, rel=0.12)


def test_one_key_is_compare() -> None:
    systems = {name: scores(name)[:1] for name in ("heron", "ibis")}
    found = compare_means(systems, "conll", samples=1000)
    plain = compare_scores({n: s[0] for n, s in systems.items()}, samples=1000)
    assert found.systems["heron"]["conll"] == plain.systems["heron"]["conll"]
    assert found.pairs[0].metrics["conll"] == plain.pairs[0].metrics["conll"]


def test_every_system_needs_every_key() -> None:
    with pytest.raises(UsageError, match="each system needs scores, or None"):
        compare_means({"a": scores("heron"), "b": scores("ibis")[:1]}, "conll")
    with pytest.raises(UsageError, match="nothing to compare"):
        compare_means({}, "conll")


def test_few_documents_are_told_and_bound_the_p_value() -> None:
    """Two keys of two documents: sixteen exchanges, of which two are as extreme in any case."""

    def evaluated(right: int) -> list[Scores]:
        found = []
        for _ in range(2):
            evaluator = corefkit.Evaluator("lea")
            for _ in range(2):
                evaluator.update([[0, 1, 2, 3]], [[*range(right)]])
            found.append(evaluator.scores())
        return found

    for seed in range(3):
        systems = {"one": evaluated(4), "other": evaluated(2)}
        found = compare_means(systems, "lea", samples=50, seed=seed)
        assert found.smallest_p == 0.125
        assert (found.pairs[0].metrics["lea"].p_randomization or 0) >= 0.125
        few, never = found.notes
        assert few.startswith("only 2 documents in one of the keys: percentile intervals are too")
        assert never.startswith("with 4 documents no difference can reach 0.05")


def evaluated(right: int, documents: int) -> Scores:
    """Documents with one entity of eight mentions, of which so many were found."""
    evaluator = corefkit.Evaluator("lea")
    for _ in range(documents):
        evaluator.update([[*range(8)]], [[*range(right)]])
    return evaluator.scores()


def test_what_was_not_sent_is_0_and_is_not_exchanged() -> None:
    """Exchanged as an empty response, the one document of the first key would hide everything."""
    systems: dict[str, list[Scores | None]] = {
        "all": [evaluated(8, 1), evaluated(7, 12)],
        "some": [None, evaluated(6, 12)],
        "other": [evaluated(8, 1), None],
    }
    found = compare_means(systems, "lea", keys=["short", "long"], samples=1000)
    long = {n: s[1] for n, s in systems.items() if s[1]}
    alone = compare_scores(long, samples=1000).pairs[0].metrics["lea"]
    whole, half = (found.systems[name]["lea"] for name in ("all", "some"))
    assert whole.f1 == pytest.approx((1 + long["all"]["lea"].f1) / 2)
    assert half.f1 == pytest.approx(long["some"]["lea"].f1 / 2)
    assert half.interval == pytest.approx((half.f1, half.f1))
    pairs = {(pair.a, pair.b): pair for pair in found.pairs}
    assert pairs["all", "some"].keys == ("long",)
    tested = pairs["all", "some"].metrics["lea"]
    assert tested.difference == pytest.approx(alone.difference)
    assert tested.p_randomization == pytest.approx(alone.p_randomization, abs=0.01)
    assert tested.p_holm is not None and tested.p_holm < 0.05
    # One document shows nothing, and two of the systems share no key.
    assert found.not_comparable == (("all", "other"), ("some", "other"))
    assert found.groups["lea"] == [["all"], ["other"], ["some"]]
    told = found.to_dict()
    assert told["not_comparable"] == found.not_comparable
    assert [pair["keys"] for pair in told["pairs"]] == [("long",)]


def test_a_key_that_nobody_has_scores_for() -> None:
    """It is 0 in every mean, and nothing else: intervals shrink with the mean."""
    scored = {"a": [evaluated(7, 12), evaluated(5, 6)], "b": [evaluated(6, 12), evaluated(5, 6)]}
    two = compare_means(scored, "lea", samples=500)
    three = compare_means({n: [*s, None] for n, s in scored.items()}, "lea", samples=500)
    for name in scored:
        assert three.systems[name]["lea"].f1 == pytest.approx(two.systems[name]["lea"].f1 * 2 / 3)
    assert three.pairs[0].metrics == two.pairs[0].metrics
    assert three.pairs[0].keys == ("1", "2")


def test_a_system_without_scores_is_refused() -> None:
    with pytest.raises(UsageError, match="b has no scores"):
        compare_means({"a": scores("heron"), "b": [None, None]}, "conll")

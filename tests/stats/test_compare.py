"""Intervals and tests against slow computations that share no code with them."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product
from math import factorial, prod
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import corefkit
from corefkit import Scores, metrics
from corefkit.core.counts import Counts, add
from corefkit.core.options import Options, UsageError
from corefkit.formats.kit.reading import read
from corefkit.render.significance import pairs_table
from corefkit.stats import INTERVALS
from corefkit.stats.compare import (
    Significance,
    SystemPair,
    compare_scores,
    groups,
    significant,
)
from corefkit.stats.figures import WHOLE, Difference, KeyFigures, list_rows
from corefkit.stats.resampling import Plan, holm, interval
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance, run

NAMES = ("careful", "hasty", "baseline")


@pytest.fixture(scope="module")
def systems() -> dict[str, Scores]:
    key = corefkit.read(EXAMPLES / "key.conll")
    return {name: corefkit.score(key, EXAMPLES / f"{name}.conll") for name in NAMES}


@pytest.fixture(scope="module")
def comparison(systems: dict[str, Scores]) -> Significance:
    return compare_scores(systems, samples=20_000, seed=7)


def rescored(scores: Scores, rows: list[int]) -> Scores:
    """The scores of some documents, each as often as it is listed."""
    return Scores(scores.options, scores.counts.select(np.array(rows, dtype=np.int64)))


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, parts - 1):
            yield first, *rest


def test_intervals_are_those_of_all_samples(
    systems: dict[str, Scores], comparison: Significance
) -> None:
    """Eight documents make 6,435 different samples: score each, weigh it by its chance."""
    scores = systems["hasty"]
    size = len(scores.counts)
    found: dict[str, list[tuple[float, float]]] = {"muc": [], "blanc": [], "conll": []}
    small = Scores(Options(("muc", "blanc", "conll")), scores.counts)
    for times in compositions(size, size):
        chance = factorial(size) / prod(map(factorial, times)) / size**size
        sample = rescored(small, [row for row, n in enumerate(times) for _ in range(n)])
        for name, values in found.items():
            values.append((sample[name].f1, chance))
    for name, values in found.items():
        values.sort()
        f1, chance = (np.array(column) for column in zip(*values, strict=True))
        reached = np.cumsum(chance)
        ends = comparison.systems["hasty"][name].interval or ()
        for bound, level in zip(ends, (0.025, 0.975), strict=True):
            # The share of all samples below our bound is the level, but for the luck of drawing.
            below = reached[np.searchsorted(f1, bound, side="right") - 1]
            assert below == pytest.approx(level, abs=0.006)


def test_randomisation_is_that_of_all_swaps(
    systems: dict[str, Scores], comparison: Significance
) -> None:
    """Eight documents can be swapped in 256 ways."""
    a, b = systems["hasty"], systems["baseline"]
    pair = next(p for p in comparison.pairs if (p.a, p.b) == ("hasty", "baseline"))
    size = len(a.counts)
    for name in ("muc", "ceafe", "blanc", "conll"):
        observed = abs(a[name].f1 - b[name].f1)
        extreme = 0
        for swapped in product((False, True), repeat=size):
            mask = np.array(swapped)
            one = add([a.counts.select(~mask), b.counts.select(mask)])
            other = add([b.counts.select(~mask), a.counts.select(mask)])
            difference = Scores(a.options, one)[name].f1 - Scores(a.options, other)[name].f1
            extreme += abs(difference) >= observed - 1e-12
        assert pair.metrics[name].p_randomization == extreme / 2**size


def test_ties_in_fractions_are_ties() -> None:
    """3/7 − 5/9 before and after the exchange of a document; in floats the two are not equal."""
    documents = [
        ([[1], [3], [2], [0]], [[3], [1, 4], [0]], [[0, 2], [3], [1]]),
        ([[3], [0, 2, 4]], [[0, 1, 2, 3, 4]], [[0, 2], [3, 4]]),
    ]
    one, other = corefkit.Evaluator("blanc"), corefkit.Evaluator("blanc")
    for key, response, another in documents:
        one.update(key, response)
        other.update(key, another)
    found = compare_scores({"one": one.scores(), "other": other.scores()}).pairs[0]
    assert found.metrics["blanc"].difference == pytest.approx(-8 / 63)
    assert found.metrics["blanc"].p_randomization == 1.0


def test_drawn_exchanges_are_close_to_all(
    systems: dict[str, Scores], comparison: Significance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More documents than eight are exchanged by tosses; the p-value of all is known here."""
    for module in ("resampling", "figures"):
        monkeypatch.setattr(f"corefkit.stats.{module}.exchanges", lambda *_: None)
    drawn = compare_scores(systems, samples=20_000, seed=7)
    for all_of, some_of in zip(comparison.pairs, drawn.pairs, strict=True):
        for name, found in some_of.metrics.items():
            expected = all_of.metrics[name].p_randomization
            assert expected is not None
            assert found.p_randomization == pytest.approx(expected, abs=0.006)
            assert found.p_randomization != expected  # 20,001 is odd: they were drawn


def test_no_p_is_smaller_than_the_documents_allow() -> None:
    """Five documents can be swapped in 32 ways, of which two make the observed difference."""
    folder = EXAMPLES / "task"
    key = corefkit.read(folder / "keys" / "english.conll")
    names = ("heron", "ibis", "kestrel", "wren", "plover", "dunlin")
    files = {name: folder / "responses" / name / "english.closed.NB.conll" for name in names}
    found = compare_scores({n: corefkit.score(key, f) for n, f in files.items()}, samples=20)
    all_p = [d.p_randomization for pair in found.pairs for d in pair.metrics.values()]
    assert min(p for p in all_p if p is not None) == 2 / 32
    assert found.smallest_p == 15 * 2 / 32
    assert found.notes[1] == (
        "with 5 documents and 15 pairs of systems no difference can reach 0.05: the smallest p "
        "after Holm's correction is 0.9375"
    )


@pytest.mark.parametrize(("documents", "told"), [(4, True), (5, True), (6, False), (8, False)])
def test_what_cannot_be_significant_is_said(
    systems: dict[str, Scores], documents: int, told: bool
) -> None:
    some = {n: rescored(systems[n], list(range(documents))) for n in ("careful", "hasty")}
    found = compare_scores(some, samples=100)
    assert found.smallest_p == 2 ** (1 - documents)
    assert any("no difference can reach 0.05" in note for note in found.notes) == told
    # At another level other numbers of documents are too few.
    strict = compare_scores(some, samples=100, level=0.99)
    assert any("no difference can reach 0.01" in n for n in strict.notes) == (documents < 8)


def many(scores: Scores, times: int) -> Scores:
    """The scores of more documents: the same ones under other names."""
    counts = scores.counts.select(np.tile(np.arange(len(scores.counts)), times))
    names = tuple(f"{i:03}" for i in range(len(counts)))
    return Scores(scores.options, Counts(names, counts.tables))


def test_few_samples_cannot_be_significant(systems: dict[str, Scores]) -> None:
    large = {n: many(systems[n], 3) for n in ("careful", "hasty")}
    found = compare_scores(large, samples=10)
    assert found.smallest_p == 1 / 11
    assert found.notes == (
        "with 10 samples no difference can reach 0.05: the smallest p after Holm's correction "
        "is 0.09091",
    )
    assert compare_scores(large, samples=19).notes == ()


def test_few_documents_are_said(systems: dict[str, Scores]) -> None:
    for times, told in ((2, True), (3, False)):  # 16 and 24 documents
        notes = compare_scores({"a": many(systems["hasty"], times)}, samples=10).notes
        remedy = "percentile intervals are too narrow (those of --interval jackknife are not)"
        assert [note.endswith(remedy) for note in notes] == [True] * told, "no test, no p-value"
    assert compare_scores({"a": systems["hasty"]}, samples=10, interval="jackknife").notes == ()
    few = {name: systems[name] for name in ("careful", "hasty")}
    (note,) = compare_scores(few, samples=10, interval="jackknife").notes
    assert "too narrow" not in note
    assert note.startswith("only 8 documents: the p-value of the bootstrap is too small")
    single = {"a": rescored(systems["hasty"], [2])}
    assert compare_scores(single, samples=10).notes == (
        "one document: there is nothing to resample, so no interval",
    )


def test_one_document_has_no_interval_and_no_p(systems: dict[str, Scores]) -> None:
    one = compare_scores({name: rescored(systems[name], [2]) for name in NAMES}, samples=50)
    for of_system in one.systems.values():
        assert all(found.interval is None for found in of_system.values())
    assert [(pair.a, pair.b) for pair in one.pairs] == list(combinations(NAMES, 2))
    for pair in one.pairs:
        for d in pair.metrics.values():
            assert (d.interval, d.p_bootstrap, d.p_randomization, d.p_holm) == (None,) * 4
            assert d.wins + d.losses + d.ties == 1
    assert set(map(len, one.groups.values())) == {0}
    assert one.smallest_p is None
    assert one.notes == (
        "one document: there is nothing to resample, so no interval and no p-value",
    )


def test_nothing_to_compare(systems: dict[str, Scores]) -> None:
    with pytest.raises(UsageError, match="no document"):
        compare_scores({"a": corefkit.Evaluator("muc").scores()})
    with pytest.raises(UsageError, match="no system"):
        compare_scores({})
    with pytest.raises(UsageError, match="samples"):
        compare_scores(systems, samples=0)
    with pytest.raises(UsageError, match="level"):
        compare_scores(systems, level=95)
    with pytest.raises(UsageError, match="choose from percentile, bca, jackknife"):
        compare_scores(systems, interval="t")  # type: ignore[arg-type]


def made(name: str, f1: list[tuple[int, int]]) -> Scores:
    """Scores with so many of so many mentions found in each document, precision the same."""
    found, all_of = (np.array(column) for column in zip(*f1, strict=True))
    tables = {"mentions": (found, all_of, found, all_of)}
    names = tuple(f"{name}{i}" for i in range(len(f1)))
    return Scores(Options(("mentions",)), Counts(names, tables))


def test_p_bootstrap_by_hand() -> None:
    """Two documents, differences 0.1 and 0.3: of four samples, two change nothing (0.2), one has
    0.1 and one 0.3. Centred these are 0, 0, −0.1 and 0.1, all below 0.2: only what was observed
    counts, so p is 1/(samples + 1). With differences 0 and 0.4 the centred ones are 0, 0, ±0.2:
    half of the samples are as extreme as what was observed, which counts as one more.
    """
    a, b = made("d", [(5, 10), (7, 10)]), made("d", [(4, 10), (4, 10)])
    (found,) = compare_scores({"a": a, "b": b}, samples=999).pairs
    assert found.metrics["mentions"].p_bootstrap == 1 / 1000
    a, b = made("d", [(4, 10), (8, 10)]), made("d", [(4, 10), (4, 10)])
    (found,) = compare_scores({"a": a, "b": b}, samples=9_999).pairs
    p = found.metrics["mentions"].p_bootstrap
    assert p == pytest.approx(0.5, abs=0.02)
    assert p is not None
    assert (p * 10_000) % 1 == pytest.approx(0, abs=1e-6)


def test_ties_of_randomisation_count_as_extreme() -> None:
    """One of three documents differs: each exchange makes +d or −d, so every one is extreme."""
    a = made("d", [(1, 3), (2, 3), (3, 7)])
    b = made("d", [(1, 3), (2, 3), (1, 7)])
    (found,) = compare_scores({"a": a, "b": b}, samples=100).pairs
    assert found.metrics["mentions"].p_randomization == 1


@pytest.mark.parametrize("documents", [3, 15])
def test_ties_are_seen_through_rounding(documents: int) -> None:
    """Differences of ±1/3 that add up to 1/3: no exchange makes a smaller one, few or many."""
    size = np.full(documents, 7)
    thirds = np.full(documents, 1 / 3)
    more = np.where(np.arange(documents) % 2, 2 / 3, 0)  # one document more has less than 1/3
    names = tuple(map(str, range(documents)))
    a, b = (
        Scores(Options(("bcub",)), Counts(names, {"bcub": (x, size, x, size)}))
        for x in (thirds, more)
    )
    (found,) = compare_scores({"a": a, "b": b}, samples=500).pairs
    assert found.metrics["bcub"].p_randomization == 1


def test_significance_is_decided_once(systems: dict[str, Scores]) -> None:
    """At p = 1 − level exactly a difference is significant, in groups and in tables."""
    for level in (0.95, 0.9, 0.99, 0.8):
        assert significant(1 - level, level)
        assert significant(round(1 - level, 2), level)
        assert not significant(round(1 - level, 2) + 1e-6, level)
    assert not significant(None)
    d = Difference(0.1, (0, 0.2), 0.05, 0.05, 0.05, 1, 0, 0)
    assert groups({"a": 0.6, "b": 0.5}, [SystemPair("a", "b", {"muc": d})], "muc", 0.95) == [
        ["a"],
        ["b"],
    ]
    comparison = compare_scores({n: systems[n] for n in ("careful", "hasty")}, samples=50)
    pair = SystemPair("careful", "hasty", dict.fromkeys(comparison.groups, d))
    table = pairs_table(replace(comparison, pairs=(pair,)), ["conll"])
    holm_column = [c.name for c in table.headings].index("p_holm")
    assert next(table.lines)[holm_column].best


def test_bca_is_that_of_scipy() -> None:
    """The same samples of a skewed figure, to the last digits; the percentiles are elsewhere."""
    values = np.random.default_rng(8).lognormal(0, 1.2, 12)
    drawn = stats.bootstrap((values,), np.mean, n_resamples=2000, random_state=5, method="bca")
    without = (values.sum() - values) / (len(values) - 1)
    found = drawn.bootstrap_distribution
    ours = interval(values.mean(), found, without, 0.95, "bca")
    theirs = drawn.confidence_interval
    assert ours == pytest.approx((theirs.low, theirs.high), abs=1e-9)
    plain = interval(values.mean(), found, without, 0.95, "percentile")
    assert plain == pytest.approx(np.quantile(found, [0.025, 0.975]), abs=1e-12)
    assert abs(ours[1] - plain[1]) > 0.05


def test_bca_of_systems_and_pairs(systems: dict[str, Scores]) -> None:
    """Figures of systems and of pairs go to the right places; twins have no spread at all."""
    three = {n: systems[n] for n in ("careful", "hasty")} | {"twin": systems["hasty"]}
    for method in INTERVALS:
        found = compare_scores(three, samples=2000, interval=method)
        for name, scores in three.items():
            for metric, of_metric in found.systems[name].items():
                low, high = of_metric.interval or (1, 0)
                assert low < scores[metric].f1 < high
        same = found.pairs[2].metrics["conll"]
        assert (same.difference, same.interval) == (0, (0, 0))
        low, high = found.pairs[0].metrics["conll"].interval or (1, 0)
        assert low < found.pairs[0].metrics["conll"].difference < high


def test_jackknife_interval_of_a_mean_is_that_of_the_t_test() -> None:
    """F1 of equally large documents is a mean: its jackknife interval is Student's."""
    values = [3, 8, 9, 5, 7]
    found = compare_scores(
        {"a": made("d", [(v, 10) for v in values])}, interval="jackknife", samples=9
    )
    shares = np.array(values) / 10
    expected = stats.t.interval(0.95, 4, shares.mean(), stats.sem(shares))
    assert found.systems["a"]["mentions"].interval == pytest.approx(expected, abs=1e-6)
    assert found.signature.endswith("|interval:jackknife")
    wide = compare_scores({"a": made("d", [(0, 10), (10, 10)])}, interval="jackknife", samples=9)
    assert wide.systems["a"]["mentions"].interval == (0, 1)


@needs_conformance
def test_scipy_agrees() -> None:
    folder = CONFORMANCE / "ontonotes-dev"
    key = read(folder / "key.conll.gz")
    good, fair = (
        corefkit.score(key, folder / f"response-{name}.conll.gz", metrics="bcub,conll")
        for name in ("good", "fair")
    )
    ours = compare_scores({"good": good, "fair": fair})
    table = [np.stack(s.counts.tables["bcub"], axis=-1) for s in (good, fair)]

    def f1(rows: np.ndarray, axis: int = -1) -> float:
        del axis
        recall, key, precision, response = rows.sum(axis=0)
        r, p = recall / key, precision / response
        return float(2 * r * p / (r + p))

    def difference(rows: np.ndarray, axis: int = -1) -> float:
        chosen = rows.astype(int)
        return f1(table[0][chosen], axis) - f1(table[1][chosen], axis)

    theirs = stats.bootstrap(
        (np.arange(len(key.names)),),
        difference,
        n_resamples=4000,
        vectorized=False,
        method="percentile",
        random_state=np.random.default_rng(5),
    ).confidence_interval
    found = ours.pairs[0].metrics["bcub"]
    width = theirs.high - theirs.low
    assert found.interval == pytest.approx((theirs.low, theirs.high), abs=0.06 * width)
    assert found.difference == pytest.approx(f1(table[0]) - f1(table[1]), abs=1e-12)


def test_same_system(systems: dict[str, Scores]) -> None:
    twins = compare_scores({"a": systems["hasty"], "b": systems["hasty"]}, samples=500)
    for found in twins.pairs[0].metrics.values():
        assert (found.difference, found.interval) == (0, (0, 0))
        assert (found.p_bootstrap, found.p_randomization, found.p_holm) == (1, 1, 1)
        assert (found.wins, found.losses, found.ties) == (0, 0, 8)
    assert all(group == [["a", "b"]] for group in twins.groups.values())


def test_order_of_documents_and_seed(systems: dict[str, Scores]) -> None:
    turned = {
        name: Scores(s.options, s.counts.select(np.arange(len(s.counts))[::-1]))
        for name, s in systems.items()
    }
    one, other = (compare_scores(s, samples=300, seed=3).to_dict() for s in (systems, turned))
    assert one == other
    assert one != compare_scores(systems, samples=300, seed=4).to_dict()
    assert one["signature"].endswith("|samples:300|seed:3")


def test_exchanged_pair(systems: dict[str, Scores]) -> None:
    there = compare_scores({n: systems[n] for n in ("hasty", "baseline")}, samples=400)
    back = compare_scores({n: systems[n] for n in ("baseline", "hasty")}, samples=400)
    for name, found in there.pairs[0].metrics.items():
        other = back.pairs[0].metrics[name]
        assert found.difference == -other.difference
        assert found.p_bootstrap == other.p_bootstrap
        assert found.p_randomization == other.p_randomization
        assert (found.wins, found.losses) == (other.losses, other.wins)


def test_one_system_has_intervals(systems: dict[str, Scores]) -> None:
    alone = compare_scores({"hasty": systems["hasty"]}, samples=100)
    assert alone.pairs == ()
    low, high = alone.systems["hasty"]["conll"].interval or (1, 0)
    assert low < systems["hasty"].conll < high


def test_different_keys_are_refused(systems: dict[str, Scores]) -> None:
    with pytest.raises(ValueError, match="same documents"):
        compare_scores({"a": systems["hasty"], "b": rescored(systems["hasty"], [0, 1])})


widest = max(len(metrics.get(name).columns) for name in metrics.NAMES)
numbers = st.lists(st.sampled_from([0, 1, 2, 5, 40]), min_size=widest, max_size=widest)


@given(st.lists(numbers, min_size=1, max_size=5))
def test_divided_as_the_metrics_do(rows: list[list[int]]) -> None:
    names = tuple(name for name in metrics.NAMES if not metrics.get(name).parts)
    tables = {
        name: tuple(
            np.array([row[i] for row in rows]) for i in range(len(metrics.get(name).columns))
        )
        for name in names
    }
    scores = Scores(Options(metrics=names), Counts(tuple(map(str, range(len(rows)))), tables))
    parts = [{WHOLE: scores}]
    figures = KeyFigures(parts, list_rows(parts), Plan(1), np.random.SeedSequence(0))
    (found,) = figures.by_document
    for i, name in enumerate(names):
        for j, row in enumerate(rows):
            expected = metrics.countable(name).score(row[: len(tables[name])]).f1
            assert found[i, j] == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm(p: list[float]) -> None:
    corrected = holm(np.array(p))
    order = sorted(range(len(p)), key=lambda i: p[i])
    for place, i in enumerate(order):
        steps = [(len(p) - k) * p[j] for k, j in enumerate(order[: place + 1])]
        assert corrected[i] == pytest.approx(min(1.0, max(steps)))


@given(st.sets(st.sampled_from(list(combinations("ABCDEF", 2)))))
def test_groups_are_the_largest_sets_without_a_significant_pair(
    significant: set[tuple[str, str]],
) -> None:
    pairs = [
        SystemPair(
            a,
            b,
            {"muc": Difference(0.0, (0, 0), 0, 0, 0.01 if (a, b) in significant else 1, 0, 0, 0)},
        )
        for a, b in combinations("ABCDEF", 2)
    ]
    free = [
        set(chosen)
        for size in range(1, 7)
        for chosen in combinations("ABCDEF", size)
        if not any(pair in significant for pair in combinations(chosen, 2))
    ]
    largest = sorted(sorted(s) for s in free if not any(s < other for other in free))
    found = groups({name: -ord(name) for name in "ABCDEF"}, pairs, "muc", 0.95)
    assert found == largest


def test_documents_are_chosen_as_for_scores(tmp_path: Path) -> None:
    """The same documents as `score` takes, whatever the way to name them."""
    key, *responses = EXAMPLES / "key.conll", EXAMPLES / "careful.conll", EXAMPLES / "hasty.conll"
    names = corefkit.read(key).names[:3]
    (tmp_path / "names").write_text("\n".join(names))
    for chosen in (names, tmp_path / "names"):
        compared = corefkit.compare(key, *responses, documents=chosen, samples=100)
        assert compared.documents == 3
        scored = corefkit.score(key, responses[0], documents=chosen)
        assert compared.systems["careful"]["conll"].f1 == scored.conll


def test_common_documents_are_those_of_all(tmp_path: Path) -> None:
    """Each response lacks another document: both are scored on the documents that both have."""
    texts = [(EXAMPLES / f"{name}.conll").read_text() for name in ("careful", "hasty")]
    documents = corefkit.read(EXAMPLES / "key.conll").names
    lacking = "wb/orchard/00/orchard_0002", "lt/clock/00/clock_0001"
    paths = [tmp_path / name for name in ("careful.conll", "hasty.conll")]
    ends = "#end document\n"
    for path, text, name in zip(paths, texts, (lacking[1], lacking[0]), strict=True):
        kept = [part for part in text.split(ends) if f"({name})" not in part]
        path.write_text(ends.join(kept))
    common = [name for name in documents if not any(f"({other})" in name for other in lacking)]
    assert len(common) == 6
    sides = [str(EXAMPLES / "key.conll"), *map(str, paths)]
    found = corefkit.compare(*sides, documents="common", metrics="conll")
    listed = corefkit.compare(*sides, documents=common, metrics="conll")
    assert found.documents == 6
    assert (found.systems, found.pairs) == (listed.systems, listed.pairs)
    told = run("compare", *sides, "--documents", "common", "-f", "json", "-o", tmp_path / "c.json")
    assert "2 of 8 documents of the key" in told.err
    assert run("verify", tmp_path / "c.json").status == 0
    as_runs = corefkit.compare(sides[0], runs={"both": sides[1:]}, documents="common")
    assert as_runs.documents == 6

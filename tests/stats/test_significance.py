"""Intervals and tests against slow computations that share no code with them."""

from collections.abc import Iterator
from itertools import combinations, product
from math import factorial, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import corefkit
from corefkit import Scores, metrics
from corefkit.data.counts import Counts, add
from corefkit.data.options import Options
from corefkit.formats import read
from corefkit.stats.resampling import Columns
from corefkit.stats.significance import Comparison, Difference, Pair, compare, groups, holm
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance

NAMES = ("careful", "hasty", "baseline")


@pytest.fixture(scope="module")
def systems() -> dict[str, Scores]:
    key = corefkit.read(EXAMPLES / "key.conll")
    return {name: corefkit.score(key, EXAMPLES / f"{name}.conll") for name in NAMES}


@pytest.fixture(scope="module")
def comparison(systems: dict[str, Scores]) -> Comparison:
    return compare(systems, samples=20_000, seed=7)


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
    systems: dict[str, Scores], comparison: Comparison
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
        for bound, level in zip(
            comparison.systems["hasty"][name].interval, (0.025, 0.975), strict=True
        ):
            # The share of all samples below our bound is the level, but for the luck of drawing.
            below = reached[np.searchsorted(f1, bound, side="right") - 1]
            assert below == pytest.approx(level, abs=0.006)


def test_randomisation_is_that_of_all_swaps(
    systems: dict[str, Scores], comparison: Comparison
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
        assert pair.metrics[name].p_randomization == pytest.approx(extreme / 2**size, abs=0.006)


def test_no_p_is_smaller_than_the_documents_allow() -> None:
    """Five documents can be swapped in 32 ways, of which two make the observed difference."""
    folder = EXAMPLES / "task"
    key = corefkit.read(folder / "keys" / "english.conll")
    names = ("heron", "ibis", "kestrel", "wren", "plover", "dunlin")
    files = {name: folder / "responses" / name / "english.closed.NB.conll" for name in names}
    found = compare({n: corefkit.score(key, f) for n, f in files.items()}, samples=2000)
    least = min(d.p_randomization for pair in found.pairs for d in pair.metrics.values())
    assert least == pytest.approx(2 / 32, abs=0.02)


@needs_conformance
def test_scipy_agrees() -> None:
    folder = CONFORMANCE / "ontonotes-dev"
    key = read(folder / "key.conll.gz")
    good, fair = (
        corefkit.score(key, folder / f"response-{name}.conll.gz", metrics="bcub,conll")
        for name in ("good", "fair")
    )
    ours = compare({"good": good, "fair": fair})
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
    twins = compare({"a": systems["hasty"], "b": systems["hasty"]}, samples=500)
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
    one, other = (compare(s, samples=300, seed=3).to_dict() for s in (systems, turned))
    assert one == other
    assert one != compare(systems, samples=300, seed=4).to_dict()
    assert one["signature"].endswith("|samples:300|seed:3")


def test_exchanged_pair(systems: dict[str, Scores]) -> None:
    there = compare({n: systems[n] for n in ("hasty", "baseline")}, samples=400)
    back = compare({n: systems[n] for n in ("baseline", "hasty")}, samples=400)
    for name, found in there.pairs[0].metrics.items():
        other = back.pairs[0].metrics[name]
        assert found.difference == -other.difference
        assert found.p_bootstrap == other.p_bootstrap
        assert found.p_randomization == other.p_randomization
        assert (found.wins, found.losses) == (other.losses, other.wins)


def test_one_system_has_intervals(systems: dict[str, Scores]) -> None:
    alone = compare({"hasty": systems["hasty"]}, samples=100)
    assert alone.pairs == ()
    low, high = alone.systems["hasty"]["conll"].interval
    assert low < systems["hasty"].conll < high


def test_different_keys_are_refused(systems: dict[str, Scores]) -> None:
    with pytest.raises(ValueError, match="same key"):
        compare({"a": systems["hasty"], "b": rescored(systems["hasty"], [0, 1])})


numbers = st.lists(st.sampled_from([0, 1, 2, 5, 40]), min_size=8, max_size=8)


@given(st.lists(numbers, min_size=1, max_size=5))
def test_divided_as_the_metrics_do(rows: list[list[int]]) -> None:
    names = tuple(name for name in metrics.NAMES if name != "conll")
    tables = {
        name: tuple(
            np.array([row[i] for row in rows]) for i in range(len(metrics.get(name).columns))
        )
        for name in names
    }
    columns = Columns.of([Counts(tuple(map(str, range(len(rows)))), tables)], names)
    found = columns.f1(columns.table[0])
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
        Pair(
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

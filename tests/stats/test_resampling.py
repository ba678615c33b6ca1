"""Resampling at its thresholds: samples that tie with what was observed, the last number of
documents of which all exchanges are made."""

from itertools import product
from math import comb

import numpy as np
import pytest
from scipy import stats

import corefkit
from corefkit import Scores
from corefkit.core.arrays import FloatArray
from corefkit.core.counts import Counts
from corefkit.core.options import Options
from corefkit.stats.compare import Significance, compare_scores
from corefkit.stats.resampling import interval, quantiles
from tests.support import EXAMPLES


@pytest.mark.parametrize(
    "values",
    [
        [0, 0, 0, 0, 0, 0, 1, 1],  # two samples in seven tie with the mean
        [0, 1, 1, 1, 1, 1, 1, 1],
        [0, 0, 0, 0, 1, 1, 2, 8],
    ],
)
def test_bca_of_figures_that_tie_is_that_of_scipy(values: list[int]) -> None:
    """Means of eight whole numbers are exact, so that many samples have the very mean."""
    figures = np.array(values, dtype=np.float64)
    drawn = stats.bootstrap((figures,), np.mean, n_resamples=999, random_state=3, method="bca")
    found = drawn.bootstrap_distribution
    tied = (found == figures.mean()).mean()
    assert 0.05 < tied < 0.5
    without = (figures.sum() - figures) / (len(figures) - 1)
    ours = interval(figures.mean(), found, without, 0.9, "bca")
    again = stats.bootstrap(
        (figures,),
        np.mean,
        n_resamples=0,
        bootstrap_result=drawn,
        confidence_level=0.9,
        method="bca",
    )
    theirs = again.confidence_interval
    assert ours == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@pytest.mark.parametrize("samples", [1, 2, 3, 8, 40, 999, 1000])
@pytest.mark.parametrize("ties", [False, True])
def test_quantiles_are_those_of_numpy_to_the_last_digit(samples: int, ties: bool) -> None:
    """At the ends, at a figure, halfway between two, and nearer to either."""
    for drawn in np.random.default_rng(samples).normal(size=(6, samples)):
        figures = np.round(drawn) / 3 if ties else drawn
        before = figures.copy()
        for shares in ((0.025, 0.975), (0.005, 0.995), (0.5, 0.0), (1.0, 1 / 3), (0.9, 0.1)):
            assert quantiles(figures, shares) == tuple(np.quantile(figures, shares))
        assert np.array_equal(figures, before)


def compared(differences: list[int], samples: int) -> Significance:
    """Two systems whose numbers of found mentions, of 100 in each document, differ by these."""
    size = np.full(len(differences), 100)
    names = tuple(f"d{place:02}" for place in range(len(differences)))
    systems = {}
    for name, found in (("a", 50 + np.array(differences)), ("b", np.full(len(differences), 50))):
        counts = Counts(names, {"mentions": (found, size, found, size)})
        systems[name] = Scores(Options(("mentions",)), counts)
    return compare_scores(systems, samples=samples)


def p_of(comparison: Significance) -> float:
    p = comparison.pairs[0].metrics["mentions"].p_randomization
    assert p is not None
    return p


def at_least(documents: int, others: int) -> float:
    """The share of exchanges as extreme as a difference of 1 in all documents but some `others`,
    in which it is −1: of the sums of so many signs."""
    wings = sum(comb(documents, k) for k in range(others + 1))
    return wings / 2.0 ** (documents - 1)


@pytest.mark.parametrize(
    ("documents", "samples", "every"),
    [
        (12, 10, True),  # up to 4,096 exchanges are always made
        (12, 4_095, True),
        (13, 10, False),
        (13, 8_191, False),
        (13, 8_192, True),
        (13, 10_000, True),
        (14, 10_000, False),  # 16,384 exchanges
        (14, 16_383, False),
        (14, 16_384, True),
        (15, 16_384, False),
    ],
)
def test_all_exchanges_are_made_where_samples_are_not_fewer(
    documents: int, samples: int, every: bool
) -> None:
    found = compared([1] * (documents - 3) + [-1] * 3, samples)
    p = p_of(found)
    if every:
        assert p == at_least(documents, 3)
        assert found.smallest_p == 2 / 2**documents
    else:
        # What was observed is one more sample than were drawn.
        assert round(p * (samples + 1), 6) % 1 == 0
        assert found.smallest_p == 1 / (samples + 1)
        if samples > 1000:
            assert p == pytest.approx(at_least(documents, 3), rel=0.25)


@pytest.mark.parametrize(("documents", "few"), [(2, True), (19, True), (20, False)])
def test_fewer_than_twenty_documents_are_few(documents: int, few: bool) -> None:
    notes = compared([1] * documents, 100).notes
    assert any(f"only {documents} documents" in note for note in notes) is few


@pytest.fixture(scope="module")
def means() -> tuple[dict[str, Scores], FloatArray]:
    """Two systems, by means over documents, and their conll in each document."""
    systems = {
        name: corefkit.score(
            EXAMPLES / "key.conll", EXAMPLES / f"{name}.conll", average="documents"
        )
        for name in ("careful", "baseline")
    }
    each = [[s["conll"].f1 for s in scores.by("document").values()] for scores in systems.values()]
    return systems, np.array(each)


def test_all_exchanges_of_means(means: tuple[dict[str, Scores], FloatArray]) -> None:
    """With eight documents each of the 256 exchanges is made: signs of the differences."""
    systems, each = means
    difference = each[0] - each[1]
    signs = np.array(list(product((-1, 1), repeat=len(difference))))
    exchanged = (signs * difference).mean(axis=1)
    p = (np.abs(exchanged) >= abs(difference.mean()) - 1e-9).mean()
    found = compare_scores(systems).pairs[0].metrics["conll"]
    assert found.difference == pytest.approx(difference.mean(), abs=1e-12)
    assert found.p_randomization == p
    assert (found.wins, found.losses) == ((difference > 0).sum(), (difference < 0).sum())


def test_the_jackknife_of_a_mean_is_students_interval(
    means: tuple[dict[str, Scores], FloatArray],
) -> None:
    systems, each = means
    found = compare_scores(systems, interval="jackknife", level=0.9)
    for row, name in zip(each, systems, strict=True):
        mean, error = row.mean(), row.std(ddof=1) / np.sqrt(len(row))
        ends = stats.t.interval(0.9, len(row) - 1, mean, error)
        assert found.systems[name]["conll"].interval == pytest.approx(ends, abs=1e-6)


def test_the_bootstrap_of_means(means: tuple[dict[str, Scores], FloatArray]) -> None:
    """As wide as scipy's, to what two seeds differ by."""
    systems, each = means
    found = compare_scores(systems, samples=20_000).systems["careful"]["conll"].interval
    theirs = stats.bootstrap(
        (each[0],), np.mean, n_resamples=20_000, random_state=1, method="percentile"
    ).confidence_interval
    assert found == pytest.approx((theirs.low, theirs.high), abs=2e-3)

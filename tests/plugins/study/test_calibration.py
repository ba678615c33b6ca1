"""Calibration: bins that never split ties, the error and Brier from their definitions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.plugins.study.calibration import bin_starts, calibrate
from tests.strategies import examples

LINK = st.tuples(st.sampled_from([0, 1, 2, 5, 7, 8]), st.booleans(), st.integers(0, 3))
LINKS = st.lists(LINK, min_size=1, max_size=30)


def slow_bins(links: list[tuple[int, bool, int]], least: int) -> list[list[tuple[int, bool, int]]]:
    """The definition: a bin takes links until it has enough and the next is another value."""
    bins: list[list[tuple[int, bool, int]]] = [[]]
    for link in sorted(links):
        if len(bins[-1]) >= least and bins[-1][-1][0] != link[0]:
            bins.append([])
        bins[-1].append(link)
    if len(bins) > 1 and len(bins[-1]) < least:
        last = bins.pop()
        bins[-1] += last
    return bins


@examples(100)
@given(LINKS, st.integers(1, 8))
def test_by_definition(links: list[tuple[int, bool, int]], least: int) -> None:
    q, y, d = (np.array(column) for column in zip(*links, strict=True))
    found = calibrate(q / 8, y, d, bin_size=least, samples=20)
    assert found is not None
    bins = slow_bins(links, least)
    assert [one.size for one in found.bins] == [len(own) for own in bins]
    squares = brier = Fraction(0)
    for own, one in zip(bins, found.bins, strict=True):
        predicted = Fraction(sum(q for q, _, _ in own), 8 * len(own))
        observed = Fraction(sum(y for _, y, _ in own), len(own))
        assert (one.predicted, one.observed) == pytest.approx((float(predicted), float(observed)))
        squares += len(own) * (predicted - observed) ** 2
        brier += sum((Fraction(q, 8) - y) ** 2 for q, y, _ in own)
        if one.interval:
            assert 0 <= one.interval[0] <= one.interval[1] <= 1
    assert found.error == pytest.approx(float(squares / len(links)) ** 0.5, abs=1e-12)
    assert found.brier == pytest.approx(float(brier / len(links)), abs=1e-12)
    assert (found.interval is None) == (len({*d.tolist()}) < 2)


@examples(40)
@given(LINKS, st.permutations(range(30)))
def test_the_order_of_links_does_not_matter(
    links: list[tuple[int, bool, int]], order: list[int]
) -> None:
    q, y, d = (np.array(column) for column in zip(*links, strict=True))
    moved = np.array([place for place in order if place < len(links)])
    one, other = (
        calibrate(q[rows] / 8, y[rows], d[rows], bin_size=3, samples=20)
        for rows in (np.arange(len(links)), moved)
    )
    assert one == other


def test_bins() -> None:
    assert bin_starts(np.array([0.5] * 7), 2) == [0]
    assert bin_starts(np.array([0.1, 0.2, 0.3, 0.4]), 2) == [0, 2]
    assert bin_starts(np.array([0.1, 0.2, 0.3]), 2) == [0]
    assert bin_starts(np.array([0.1]), 5) == [0]


def test_no_link() -> None:
    assert calibrate(np.zeros(0), np.zeros(0, dtype=bool), np.zeros(0, dtype=np.int64)) is None


def test_size_of_bins() -> None:
    """At least 50, or a twentieth of all."""
    for links, wanted in ((10, 50), (1000, 50), (1001, 51), (6657, 333)):
        q = np.linspace(0, 1, links)
        found = calibrate(q, q > 0.5, np.zeros(links, dtype=np.int64), samples=1)
        assert found is not None
        assert found.bin_size == wanted

"""F1 of many sums at once, which intervals are made of, is the F1 of each by its definition."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit import Corpus
from corefkit.core.options import BlancPolicy
from corefkit.metrics import NAMES, countable, get
from corefkit.metrics.base import RATIOS, f1_of_part, score_of_part
from corefkit.scorers import make_options
from corefkit.scoring.run import score_systems
from corefkit.stats.compare import compare_scores

COUNTED = [name for name in NAMES if get(name).columns]
"""All metrics but averages and those that count by classes."""


def sums_of(columns: int) -> st.SearchStrategy[list[list[int]]]:
    """Some samples of so many numbers, many of them 0."""
    number = st.integers(0, 4)
    return st.lists(st.lists(number, min_size=columns, max_size=columns), min_size=1, max_size=5)


@pytest.mark.parametrize("name", COUNTED)
@given(st.data())
def test_many_sums_are_scored_as_one(name: str, data: st.DataObject) -> None:
    metric = countable(name)
    samples = data.draw(sums_of(len(metric.columns)))
    if metric.columns == RATIOS:
        for sums in samples:
            sums[0], sums[2] = min(sums[:2]), min(sums[2:])
    found = metric.f1(np.array(samples, dtype=np.float64).T)
    assert found.tolist() == pytest.approx([metric.score(sums).f1 for sums in samples], abs=1e-15)


@pytest.mark.parametrize("name", ["muc", "blanc"])
@given(st.data())
def test_f1_of_a_part_is_unknown_where_a_side_has_nothing(name: str, data: st.DataObject) -> None:
    metric = countable(name)
    samples = data.draw(sums_of(len(metric.columns)))
    sums = np.array(samples, dtype=np.float64).T
    found = np.isnan(f1_of_part(metric.f1(sums), sums)).tolist()
    assert found == [not any(sums[1::4]) or not any(sums[3::4]) for sums in samples]
    parts = [score_of_part(metric.score(sums), sums).f1 for sums in samples]
    assert found == [f1 is None for f1 in parts]


def blanc_f1(sums: Sequence[int], blanc: str) -> Fraction:
    """The mean of F_c and F_n over the kinds of which the key, or either side, has a link."""
    figures = []
    for both, key, _, response in (sums[:4], sums[4:]):
        if key or (response and blanc == "either"):
            # With recall both/key and precision both/response, F is 2·both / (key + response).
            figures.append(Fraction(2 * both, key + response))
    return sum(figures, Fraction()) / max(len(figures), 1)


@pytest.mark.parametrize("blanc", ["key", "either"])
@given(sums_of(8))
def test_blanc_where_a_side_lacks_a_kind_of_link(
    blanc: BlancPolicy, samples: list[list[int]]
) -> None:
    """No side has fewer links than both have in common; often one has none of a kind."""
    for sums in samples:
        sums[0] = sums[2] = min(sums[:4])
        sums[4] = sums[6] = min(sums[4:])
    metric = countable("blanc", replace(make_options("blanc"), blanc=blanc))
    wanted = [float(blanc_f1(sums, blanc)) for sums in samples]
    assert [metric.score(sums).f1 for sums in samples] == pytest.approx(wanted, abs=1e-15)
    found = metric.f1(np.array(samples, dtype=np.float64).T)
    assert found.tolist() == pytest.approx(wanted, abs=1e-15)


@pytest.mark.parametrize(
    ("key", "response", "wanted"),
    [
        ("ab", "a b", {"key": 0, "either": 0}),  # one coreference link, never found
        ("a b", "ab", {"key": 0, "either": 0}),
        ("a b c", "ab c", {"key": 4 / 5, "either": 2 / 5}),  # 2 of 3 and 2 of 2; nothing of ab
        ("abc", "ab c", {"key": 1 / 2, "either": 1 / 4}),  # 1 of 3 and 1 of 1; ac, bc are apart
    ],
)
def test_intervals_of_blanc_surround_its_score(
    key: str, response: str, wanted: dict[BlancPolicy, float]
) -> None:
    """Documents that are all alike: whichever are drawn, the score is the same, by hand."""
    ours, theirs = (
        Corpus.from_clusters(
            {n: [[(ord(c), ord(c)) for c in own] for own in side.split()] for n in "123"}
        )
        for side in (key, response)
    )
    for blanc, f1 in wanted.items():
        scores = (
            score_systems(ours, [theirs], replace(make_options("blanc"), blanc=blanc))
            .systems[0]
            .scores
        )
        assert scores is not None
        found = compare_scores({"a": scores}, samples=20).systems["a"]["blanc"]
        assert found.f1 == pytest.approx(f1, abs=1e-12)
        assert found.interval == pytest.approx((f1, f1), abs=1e-12)

"""Mentions with other boundaries, against all pairs."""

from hypothesis import given
from hypothesis import strategies as st

from corefkit.core.corpus import Span
from corefkit.corpora.disagreements import shifted_spans

spans = st.tuples(st.integers(0, 5), st.integers(0, 5)).map(lambda s: (s[0], s[0] + s[1]))


@given(st.sets(spans, max_size=12), st.sets(spans, max_size=12))
def test_boundaries_against_all_pairs(a: set[Span], b: set[Span]) -> None:
    """The most alike first, among all pairs that begin or end together."""
    only_a, only_b = sorted(a - b), sorted(b - a)
    candidates = sorted(
        (-(min(x[1], y[1]) - max(x[0], y[0]) + 1) / (max(x[1], y[1]) - min(x[0], y[0]) + 1), x, y)
        for x in only_a
        for y in only_b
        if x[0] == y[0] or x[1] == y[1]
    )
    expected: dict[Span, Span] = {}
    for _, x, y in candidates:
        if x not in expected and y not in expected.values():
            expected[x] = y
    assert shifted_spans(only_a, only_b) == expected

"""Sums and codes over whole corpora: exact, and the same in whatever order things come."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit import Corpus, score
from corefkit.core.arrays import FloatArray, distinct, lexical_order, sum_of_ratios, tuples
from corefkit.core.corpus import BEFORE_SENTENCE
from corefkit.core.counts import Counts
from corefkit.core.nodes import mention_codes
from corefkit.matching.exact import match
from tests.strategies import examples

ratios = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 50), st.integers(1, 30)), min_size=1, max_size=30
)


def by_group(rows: list[tuple[int, int, int]]) -> FloatArray:
    group, numerator, denominator = np.array(rows).T
    return sum_of_ratios(group, numerator, denominator, 3)


@given(ratios, st.randoms(use_true_random=False))
@examples(50)
def test_sum_of_ratios_is_the_number_nearest_to_the_exact_sum(
    rows: list[tuple[int, int, int]], random: object
) -> None:
    given_order = by_group(rows)
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert by_group(shuffled).tolist() == given_order.tolist()
    for group in range(3):
        exact = sum((Fraction(n, d) for g, n, d in rows if g == group), Fraction(0))
        assert given_order[group] == float(exact)


@pytest.mark.parametrize("size", [10**3, 10**6, 10**9])
def test_sum_of_ratios_of_large_numbers(size: int) -> None:
    """The part before the point may need most of the digits of a floating-point number."""
    rng = np.random.default_rng(size)
    group = np.arange(3000) % 100
    numerator, denominator = rng.integers(0, size**2, 3000), rng.integers(1, size, 3000)
    sums = sum_of_ratios(group, numerator, denominator, 100)
    for which, found in enumerate(sums.tolist()):
        rows = tuples(numerator[group == which], denominator[group == which])
        assert found == float(sum((Fraction(n, d) for n, d in rows), Fraction(0)))


def test_sum_of_ratios_where_plain_sums_differ() -> None:
    """Sums of these thirds, sevenths and tenths depend on their order, added one by one."""
    rng = np.random.default_rng(6)
    numerator, denominator = rng.integers(1, 50, 200), rng.integers(3, 60, 200)
    orders = [rng.permutation(200) for _ in range(20)]
    group = np.zeros(200, dtype=np.int64)
    plain = {float(np.cumsum((numerator / denominator)[o])[-1]) for o in orders}
    ours = {float(sum_of_ratios(group, numerator[o], denominator[o], 1)[0]) for o in orders}
    assert len(plain) > 1
    assert len(ours) == 1


_WIDE = (1 << 16, 1 << 32, (1 << 63) - 1)


@given(st.lists(st.tuples(*[st.sampled_from([0, 1, -1, *_WIDE])] * 2), max_size=20))
def test_lexical_order(rows: list[tuple[int, int]]) -> None:
    columns = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    expected = sorted(range(len(rows)), key=lambda row: rows[row][::-1])
    assert lexical_order(*columns).tolist() == expected


def test_totals_do_not_depend_on_the_order_of_documents() -> None:
    rng = np.random.default_rng(7)
    column = rng.random(500)
    orders = [rng.permutation(500) for _ in range(20)]
    names = tuple(map(str, range(500)))
    totals = {Counts(names, {"muc": (column[o],)}).total("muc") for o in orders}
    assert len({float(np.cumsum(column[o])[-1]) for o in orders}) > 1
    assert len(totals) == 1


NUMBERS = [0, 1, 2, 2**31 - 1, 2**31, 2**36 - 1, 2**61, 2**62 - 2, 2**62 - 1]
spans = st.tuples(st.sampled_from(NUMBERS), st.sampled_from(NUMBERS)).map(
    lambda pair: (min(pair), max(pair))
)
corpora = st.lists(st.sets(spans, max_size=6), min_size=2, max_size=3)


@given(corpora, corpora)
@examples(50)
def test_codes_of_huge_offsets_do_not_collide(
    one: list[set[tuple[int, int]]], other: list[set[tuple[int, int]]]
) -> None:
    """Codes are equal where document and span are, also where their product is past 2⁶³."""
    length = max(len(one), len(other))
    sides = [
        Corpus.from_clusters(
            {str(i): [[s] for s in sorted(side[i] if i < len(side) else ())] for i in range(length)}
        )
        for side in (one, other)
    ]
    codes = np.concatenate(mention_codes(*sides)).tolist()
    told = [
        (int(document), int(start), int(end))
        for side in sides
        for document, start, end in zip(side.document, side.start, side.end, strict=True)
    ]
    assert len(set(zip(codes, told, strict=True))) == len(set(codes)) == len(set(told))
    shared = sum(len(a & b) for a, b in zip(one, other, strict=False))
    assert len(match(sides[0], sides[1]).key) == shared


@pytest.mark.parametrize("bits", [30, 31, 32, 36, 40, 61, 62])
def test_codes_where_the_product_wraps_to_nothing(bits: int) -> None:
    """Starts and ends below a power of two: 2ᵇ · 2ᵇ is 0 in 64 bits, so documents would be lost."""
    last = 2**bits - 1
    listed = [
        [(0, 0)],
        [(0, last)],
        [(last, last)],
        [(4, 4)],
        [(8, last)],
        [(2 ** (bits - 2), last)],
        [(BEFORE_SENTENCE - 1, BEFORE_SENTENCE - 1)],  # or a gap is closed and 2ᵇ is less
    ]
    corpus = Corpus.from_clusters(dict.fromkeys("abcde", listed))
    (codes,) = mention_codes(corpus)
    assert len(set(codes.tolist())) == 5 * len(listed)


def test_huge_offsets_are_scored() -> None:
    last = 2**62 - 1
    key = Corpus.from_clusters({"a": [[(0, last), (last, last)]], "b": [[(last, last), (1, 1)]]})
    response = Corpus.from_clusters({"a": [[(0, last), (last, last)]], "b": [[(0, 0), (1, 1)]]})
    assert score(key, key).conll == 1
    assert score(key, response, "mentions")["mentions"].counts["recall"] == [3, 4]


@given(st.lists(st.one_of(st.integers(-3, 3), st.integers(-(2**63), 2**63 - 1)), max_size=60))
def test_distinct_is_unique_of_numpy(values: list[int]) -> None:
    array = np.array(values * 3, dtype=np.int64)
    wanted = np.unique(array, return_index=True, return_inverse=True, return_counts=True)
    found = distinct(array)
    assert found.values.tolist() == wanted[0].tolist()
    assert found.first.tolist() == wanted[1].tolist()
    assert found.inverse.tolist() == wanted[2].tolist()
    assert found.counts.tolist() == wanted[3].tolist()

"""Spans of positions: how they are written and read."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.core.options import UsageError
from corefkit.plugins.adjudication.units import (
    Certainty,
    Positions,
    common,
    make_units,
    positions_in,
    runs_of_positions,
    size,
    text_order,
)

PLAIN = Positions(30)
ZEROS = Positions(6, ("1:1", "1:1.1", "1:2", "1:3", "2:0.1", "2:1"), frozenset({1, 4}))
SPANS = st.sets(st.integers(0, 29), min_size=1).map(runs_of_positions)


@given(SPANS)
def test_what_is_written_is_read(runs: tuple[tuple[int, int], ...]) -> None:
    assert PLAIN.parse(PLAIN.write(runs)) == runs


@given(st.sets(st.integers(0, 5), min_size=1).map(runs_of_positions))
def test_empty_nodes_are_runs_of_their_own(runs: tuple[tuple[int, int], ...]) -> None:
    assert ZEROS.parse(ZEROS.write(runs)) == runs


def test_how_spans_are_written() -> None:
    assert ZEROS.write(((0, 0), (2, 3))) == "1:1-1:3"
    assert ZEROS.write(((0, 3),)) == "1:1,1:1.1,1:2-1:3"
    assert ZEROS.write(((3, 5),)) == "1:3,2:0.1,2:1"
    assert ZEROS.write(((3, 3), (5, 5))) == "1:3-2:1"


def test_what_is_not_a_span() -> None:
    for text in ("", "30", "2-1", "1,1", "2,1", "a", "1-2-3", "-1", "1-", "²", "1" * 5000, "1.1"):
        assert PLAIN.parse(text) is None, text
    assert ZEROS.parse("1:4") is None
    assert Positions(None).parse("4000") == ((4000, 4000),)


def test_pieces_that_touch_are_one_run() -> None:
    assert PLAIN.parse("1,2-3") == ((1, 3),)
    assert PLAIN.write(((1, 3),)) == "1-3"


@pytest.mark.parametrize("number", [0, -1, True, 1.0, "2"])
def test_ask_mentions_is_a_positive_whole_number(number: Any) -> None:
    with pytest.raises(UsageError, match="ask_mentions must be a positive whole number"):
        Certainty("majority", number)


@given(SPANS, SPANS)
def test_common_positions_and_order(
    one: tuple[tuple[int, int], ...], other: tuple[tuple[int, int], ...]
) -> None:
    a, b = positions_in(one), positions_in(other)
    assert common(one, other) == len({*a} & {*b})
    assert size(one) == len(a)
    assert (text_order(one) < text_order(other)) == ((a[0], -len(a), a) < (b[0], -len(b), b))


def test_the_most_similar_spans_are_variants_first() -> None:
    spans = [((0, 5),), ((2, 7),), ((4, 8),)]
    units = make_units([{span: 0} for span in spans], Certainty())
    assert [[v.runs for v in unit.variants] for unit in units] == [spans[:1], spans[1:]]

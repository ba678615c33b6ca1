from typing import Any

import pytest

import corefkit
from corefkit import UsageError
from corefkit.testing import assert_score_at_least
from tests.support import EXAMPLES

PAIR = EXAMPLES / "key.conll", EXAMPLES / "careful.conll"


def test_a_score_that_is_reached_is_returned() -> None:
    scores = assert_score_at_least(*PAIR, conll=88.9, lea=85)
    assert list(scores) == ["muc", "bcub", "ceafe", "lea", "conll"]
    assert scores.conll == corefkit.score(*PAIR).conll


def test_a_score_that_fell_is_told_with_all_of_them() -> None:
    with pytest.raises(AssertionError, match=r"conll is 88\.98, at least 89 is required") as told:
        assert_score_at_least(*PAIR, conll=89, lea=85)
    assert "lea is" not in str(told.value)
    assert "signature: " in str(told.value)


def test_options_are_those_of_score() -> None:
    with pytest.raises(AssertionError, match=r"conll is 80\.42"):
        assert_score_at_least(*PAIR, options={"profile": "e2e"}, conll=85)


@pytest.mark.parametrize("least", [{}, {"conll": 101}, {"b4": 50}])
def test_what_makes_no_sense(least: dict[str, Any]) -> None:
    with pytest.raises(corefkit.UsageError):
        assert_score_at_least(*PAIR, **least)


def test_a_fraction_is_not_a_percentage() -> None:
    with pytest.raises(UsageError, match=r"conll=0\.9 is a fraction; in percent: conll=90"):
        assert_score_at_least(*PAIR, conll=0.9)

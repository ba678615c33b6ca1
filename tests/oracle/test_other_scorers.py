"""The re-implemented scorers coval and e2e, pinned to hand-made cases."""

from fractions import Fraction
from itertools import chain
from typing import Any

import pytest

from . import metrics
from .metrics import Counts, Entity, Ratio
from .other_scorers import (
    blocks,
    coval_conll,
    coval_counts,
    coval_entities,
    e2e_conll,
    e2e_count,
    e2e_counts,
)
from .test_reference import document


def ratio_lists(counts: Counts) -> list[list[Fraction]]:
    """Numerator and denominator of recall and of precision."""
    return [list(counts["recall"]), list(counts["precision"])]


def ratio(numerator: int, denominator: int) -> Ratio:
    return Fraction(numerator), Fraction(denominator)


def lists(words: str) -> list[list[Any]]:
    """Each word is an entity, each letter a mention, perhaps repeated."""
    return [list(word) for word in words.split()]


def entities(words: str) -> list[Entity]:
    """Each word is an entity, each letter a mention."""
    return [frozenset(word) for word in words.split()]


@pytest.mark.parametrize(
    ("metric", "numbers"),
    [
        ("mentions", "5 5 5 6"),
        ("muc", "1 2 1 2"),  # abc falls into ab, c; ab, and f, e
        # abc: ab has 2 * 2 / 3, c falls to a singleton; d and e are skipped.
        # ab: 2 * 2 / 2; ef: e falls to a singleton; c and d are skipped.
        ("bcub", "4/3 3 2 4"),
        # abc with ab: 4/5, e with ef: 2/3; of abc, d, e and of ab, ef.
        ("ceafe", "22/15 3 22/15 2"),
        ("lea", "1 3 2 4"),  # abc: ab of ab, ac, bc; ab: all; ef: nothing
    ],
)
def test_e2e_by_hand(metric: str, numbers: str) -> None:
    counts = e2e_count(metric, [(lists("abc d e"), lists("ab c d ef"))])
    wanted = [Fraction(number) for number in numbers.split()]
    assert list(chain(*ratio_lists(counts))) == wanted


def test_e2e_without_singletons_is_the_standard() -> None:
    texts = [("abc defg", "ab cd fghi"), ("ab", "")]
    listed = [(lists(key), lists(response)) for key, response in texts]
    plain = [(entities(key), entities(response)) for key, response in texts]
    for metric in ("mentions", "muc", "bcub", "ceafe", "lea"):
        for singletons in (False, True):
            counts = e2e_count(metric, listed, singletons=singletons)
            assert counts == metrics.count_plain(metric, plain)


def test_e2e_singletons_is_the_standard_but_for_lea() -> None:
    listed = [(lists("abc d e"), lists("ab c d ef"))]
    plain = [(entities("abc d e"), entities("ab c d ef"))]
    for metric in ("mentions", "muc", "bcub", "ceafe"):
        counts = e2e_count(metric, listed, singletons=True)
        assert counts == metrics.count_plain(metric, plain)
    assert e2e_count("lea", listed, singletons=True) == e2e_count("lea", listed)


def test_e2e_keeps_copies() -> None:
    """Every copy counts, and a mention belongs to the last entity."""
    pair = [(lists("aab c"), lists("a abc"))]
    # aab in abc, twice a: 9/3; c is skipped. abc: a, b in aab 4/3, c in a singleton; a is skipped.
    assert e2e_count("bcub", pair) == Counts(
        recall=ratio(3, 3), precision=(Fraction(4, 3), Fraction(3))
    )
    # All pairs of a, a, b belong to abc.
    assert e2e_count("lea", pair)["recall"] == ratio(3, 3)
    # aab with abc: 2 * 3 / 6.
    assert e2e_count("ceafe", pair) == Counts(recall=ratio(1, 2), precision=ratio(1, 1))
    # A pair of copies that falls to a singleton: no share in bcub, a link in lea.
    pair = [(lists("aa"), lists("a"))]
    assert e2e_count("bcub", pair)["recall"] == ratio(0, 2)
    assert e2e_count("lea", pair)["recall"] == ratio(2, 2)


def test_coval_orders_entities_by_their_first_complete_mention() -> None:
    # 1 is seen first but complete last; on the second token 3 comes before the closings.
    (block,) = blocks(document("(1|(2", "2)|1)|(3)|(1)"))
    assert coval_entities(block) == [[(1, 1)], [(1, 1), (0, 1)], [(0, 1)]]


def test_coval_keeps_copies() -> None:
    """The example of the specification, and what every metric makes of it."""
    key, response = document("(1)", "(1)", "(2)", "(2)"), document("(1)|(2)", "(1)", "(2)", "(2)")
    counts = coval_counts(key, response)
    assert coval_conll(counts) == 73.77
    # a b | c d against a b | a c d: a belongs to the second.
    assert counts["mentions"]["precision"] == ratio(4, 4)
    assert counts["muc"] == Counts(recall=ratio(1, 2), precision=ratio(2, 3))
    assert counts["bcub"]["recall"] == ratio(3, 4)
    assert counts["bcub"]["precision"] == (2 + Fraction(5, 3), Fraction(5))
    assert counts["ceafe"]["recall"] == (1 + Fraction(4, 5), Fraction(2))
    assert counts["lea"]["recall"] == ratio(2, 4)
    assert counts["lea"]["precision"] == ratio(3, 5)


def test_repeated_mentions() -> None:
    key = document("(1)", "(1)", "(1)")
    response = document("(9", "9)|(7)|(9)", "(7)")
    # 9 = (1,1) (0,1), 7 = (1,1) (2,2). On the second token both are complete, 7 before 9, so for
    # both (1,1) belongs to 9.
    assert coval_counts(key, response)["muc"]["recall"] == ratio(0, 2)
    assert e2e_counts(key, response)["muc"]["recall"] == ratio(0, 2)


def test_documents() -> None:
    """Those that the response lacks are empty, those that the key lacks are ignored."""
    key = document("(a)", "(a)", name="1") + document("(a)", "(a)", name="2")
    response = document("(b)", "(b)", name="2") + document("(b)", "(b)", name="3")
    for counts in (coval_counts(key, response), e2e_counts(key, response)):
        assert counts["muc"] == Counts(recall=ratio(1, 2), precision=ratio(1, 1))
    # muc, bcub and ceafe each have recall 1/2, precision 1, F1 2/3.
    assert coval_conll(coval_counts(key, response)) == 66.67
    assert e2e_conll(e2e_counts(key, response)) == Fraction(2, 3)

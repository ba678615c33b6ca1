"""The example of Pradhan et al. 2014, exactly; K = {abc}{defg}, R = {ab}{cd}{fghi}."""

from fractions import Fraction

import pytest

from corefkit import Evaluator

SCORES = Evaluator().update(["abc", "defg"], ["ab", "cd", "fghi"]).scores()


def exact(numerator: float, denominator: int) -> Fraction:
    return Fraction(numerator).limit_denominator(1000) / denominator


@pytest.mark.parametrize(
    ("metric", "recall", "precision", "f1"),
    [
        ("mentions", "6/7", "6/8", "4/5"),
        ("muc", "2/5", "2/5", "2/5"),
        ("bcub", "35/84", "4/8", "5/11"),
        ("ceafm", "4/7", "4/8", "8/15"),
        ("ceafe", "13/20", "13/30", "13/25"),
        ("lea", "5/21", "1/3", "5/18"),
    ],
)
def test_ratios(metric: str, recall: str, precision: str, f1: str) -> None:
    score = SCORES[metric]
    assert exact(*score.counts["recall"]) == Fraction(recall)
    assert exact(*score.counts["precision"]) == Fraction(precision)
    assert score.f1 == pytest.approx(float(Fraction(f1)), abs=1e-15)


def test_blanc() -> None:
    score = SCORES["blanc"]
    assert score.counts == {
        "coreference": {"recall": [2, 9], "precision": [2, 8]},
        "noncoreference": {"recall": [8, 12], "precision": [8, 20]},
    }
    assert score.f1 == pytest.approx(25 / 68, abs=1e-15)


def test_conll() -> None:
    assert SCORES.conll == pytest.approx((2 / 5 + 5 / 11 + 13 / 25) / 3, abs=1e-15)

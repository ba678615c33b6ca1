"""score --at-least: bounds in percent, compared unrounded."""

from pathlib import Path

import pytest

from corefkit import Evaluator, UsageError
from corefkit.scoring.report import Bound, bound_failures, parse_bounds
from tests.support import EXAMPLES, run

KEY, CAREFUL, HASTY = (EXAMPLES / f"{name}.conll" for name in ("key", "careful", "hasty"))


def test_bounds_are_compared_unrounded() -> None:
    """26,999 of 30,000 links are 89.99666… %, which rounds to 90.00."""
    chain = [*range(30_001)]
    scores = Evaluator("muc,conll").update([chain], [chain[:-3001], chain[-3001:]]).scores()
    exact = 100 * scores["muc"].recall  # type: ignore[operator]
    assert exact == pytest.approx(99.99666, abs=1e-4)
    assert bound_failures([Bound("muc", "recall", 100)], {"a": [scores]}) == [
        "a: muc.recall 99.997 is below 100"
    ]
    assert bound_failures([Bound("muc", "recall", exact)], {"a": [scores]}) == []
    assert bound_failures([Bound("muc", "recall", 99.99)], {"a": [scores]}) == []


def test_a_value_that_a_metric_lacks_fails() -> None:
    scores = Evaluator("ari").update([["a", "b"]], [["a", "b"]]).scores()
    bounds = parse_bounds(["ari.recall=60", "ari=60"], ["ari"])
    assert bound_failures(bounds, {"a": [scores]}) == [
        "a: ari.recall has no value to compare with 60"
    ]


@pytest.mark.parametrize(
    ("options", "status", "lines"),
    [
        (["--at-least", "conll=88.97"], 0, []),
        (["--at-least", "conll=88.99"], 3, ["careful: conll 88.98 is below 88.99"]),
        (["--at-least", "conll=88.98"], 3, ["careful: conll 88.979 is below 88.98"]),
        (["--at-least", "lea.recall=60", "--at-least", "b3.precision=99"], 3, None),
        (["--at-least", "conll=0", "--by", "document"], 0, []),
        (["--at-least", "conll=88", "--by", "document"], 0, []),  # groups never count
    ],
)
def test_status(options: list[str], status: int, lines: list[str] | None) -> None:
    done = run("score", KEY, CAREFUL, *options)
    assert done.status == status
    assert "conll" in done.out  # the normal output comes first
    if lines is not None:
        assert done.err.splitlines() == lines
    else:
        assert done.err.startswith("careful: bcub.precision ")


def test_every_system_must_pass(tmp_path: Path) -> None:
    done = run("score", KEY, CAREFUL, HASTY, "-m", "conll", "--at-least", "conll=70")
    assert done.status == 3
    assert "hasty: conll 61.67 is below 70" in done.err and "careful: conll" not in done.err
    bad = run("score", KEY, HASTY, tmp_path / "nowhere", "-m", "conll", "--at-least", "conll=70")
    assert bad.status == 1  # wins over 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("conll", "not of the form METRIC=PERCENT"),
        ("conll=0.9", "the bound is a percentage, not a fraction: write conll=90"),
        ("muc.recall=1", "the bound is a percentage, not a fraction: write muc.recall=100"),
        ("lea=60", "at-least: metric: unknown value 'lea'; choose from muc, conll"),
        ("conll.recall=60", "conll is an average of F1 and has no recall"),
        ("muc.f2=60", "value of muc: unknown value 'f2'"),
        ("muc=101", "a percentage from 0 to 100"),
        ("muc=-1", "a percentage from 0 to 100"),
        ("muc=nan", "a percentage from 0 to 100"),
        ("muc=high", "a percentage from 0 to 100"),
    ],
)
def test_what_is_not_a_bound(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_bounds([text], ["muc", "conll"])
    done = run("score", KEY, CAREFUL, "-m", "muc,conll", "--at-least", text)
    assert (done.status, done.out) == (2, "")

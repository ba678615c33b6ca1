"""The names of the package: what a program or a notebook sees."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit import UsageError
from corefkit.metrics.base import Average, PartitionMetric
from corefkit.metrics.partition import LEA, MUC
from tests.support import EXAMPLES, run

KEY, CAREFUL, HASTY, BASELINE = (
    str(EXAMPLES / f"{name}.conll") for name in ("key", "careful", "hasty", "baseline")
)


@pytest.fixture(scope="module")
def scores() -> corefkit.Scores:
    return corefkit.score(KEY, CAREFUL)


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = (
        "import corefkit, sys; print([m for m in ('numpy', 'click', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_every_name_is_there() -> None:
    assert sorted(corefkit.__all__) == sorted({*dir(corefkit), "__version__"})
    for name in corefkit.__all__:
        assert getattr(corefkit, name) is not None


def test_flat(scores: corefkit.Scores) -> None:
    flat = scores.flat()
    assert flat["muc/recall"] == scores["muc"].recall
    assert flat["conll/f1"] == scores.conll
    assert "conll/recall" not in flat
    assert {type(value) for value in flat.values()} == {float}
    assert scores.flat("dev/") == {f"dev/{name}": value for name, value in flat.items()}


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_to_frame(scores: corefkit.Scores, package: str) -> None:
    pytest.importorskip(package)
    frame = scores.to_frame(package)
    assert type(frame).__module__.startswith(package)
    rows = scores.rows()
    assert list(frame.columns) == list(rows[0])
    assert list(frame["metric"]) == [row["metric"] for row in rows]
    assert list(frame["f1"]) == [row["f1"] for row in rows]


def test_frames_of_whatever_is_installed(
    scores: corefkit.Scores, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("polars")
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert type(scores.to_frame()).__module__.startswith("polars")
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(corefkit.UsageError, match="pandas or polars: pip install pandas"):
        scores.to_frame()


def test_compare() -> None:
    comparison = corefkit.compare(KEY, CAREFUL, HASTY, metrics="conll", samples=500, seed=3)
    told = run("compare", KEY, CAREFUL, HASTY, "-m", "conll", "--samples", "500", "--seed", "3")
    assert str(comparison) == told.out
    same = {"careful": CAREFUL, "hasty": HASTY}
    scored = {name: corefkit.score(KEY, file, "conll") for name, file in same.items()}
    assert corefkit.compare(scored, samples=500, seed=3) == comparison
    assert repr(comparison) == "Significance(careful, hasty: 8 documents, 500 samples)"
    html = comparison._repr_html_()
    assert "<td>careful</td>" in html
    assert comparison.signature in html


def test_compare_refuses() -> None:
    with pytest.raises(corefkit.UsageError, match="at least one response"):
        corefkit.compare(KEY)
    with pytest.raises(corefkit.UsageError, match="nothing but scores"):
        corefkit.compare({"a": corefkit.score(KEY, CAREFUL)}, CAREFUL)
    with pytest.raises(corefkit.DataError, match="document-missing"):
        corefkit.compare(KEY, CAREFUL, HASTY, strict=True)


def test_agree() -> None:
    agreement = corefkit.agree(KEY, CAREFUL, adjudicated=BASELINE, metrics="muc")
    told = run("agree", KEY, CAREFUL, "--adjudicated", BASELINE, "-m", "muc")
    assert str(agreement) == told.out
    assert repr(agreement).startswith("Agreement(key, careful: 8 documents, alpha 0.85")
    assert "Krippendorff" in agreement._repr_html_() or "α" in agreement._repr_html_()


def test_statistics() -> None:
    statistics = corefkit.statistics(KEY, "key")
    assert str(statistics) == run("stats", KEY).out
    assert repr(statistics) == (
        "Statistics(key: 7 documents, 888 tokens, 265 mentions, 108 entities)"
    )
    assert "<table>" in statistics._repr_html_()


def test_explain_and_check() -> None:
    explanation = corefkit.explain(KEY, CAREFUL, "standard", "e2e", metrics="conll")
    assert explanation.metrics == ("conll",)
    assert [incident.id for incident in corefkit.check(HASTY, against=KEY)] == ["document-missing"]


def test_how_files_are_read_is_said_by_keywords(tmp_path: Path) -> None:
    """In every function that reads, in one way."""
    named = tmp_path / "named"
    named.write_bytes(Path(KEY).read_bytes())
    assert corefkit.check(named, format="conll") == corefkit.check(named) == []
    assert corefkit.check(CAREFUL, against=KEY, response_format="conll") == []
    found = corefkit.check(named, format="preco")
    assert found[0].severity == "error"
    explained = corefkit.explain(named, CAREFUL, "standard", "e2e", "conll", key_format="conll")
    assert explained.scores[0] == corefkit.score(KEY, CAREFUL, "conll")
    for function in (corefkit.check, corefkit.align):
        with pytest.raises(UsageError, match="unknown keyword"):
            function(KEY, KEY, formats="conll")  # type: ignore[call-arg]


def test_errors_without_metrics_are_of_conll() -> None:
    assert corefkit.errors(KEY, CAREFUL, metrics=None).metric == "conll"


def average(name: str, *parts: str) -> Average:
    return Average(name=name, help="", citation="", formula="", example="", parts=parts)


def test_metrics_as_values() -> None:
    found = corefkit.score(KEY, CAREFUL, [MUC, "bcub", LEA])
    assert found == corefkit.score(KEY, CAREFUL, "muc,bcub,lea")
    assert corefkit.Evaluator(LEA).update(["ab"], ["ab"]).scores()["lea"].f1 == 1
    mine = average("half_and_half", "muc", "lea")
    scores = corefkit.score(KEY, CAREFUL, ["muc", "lea", mine])
    assert scores["half_and_half"].f1 == (scores["muc"].f1 + scores["lea"].f1) / 2
    with pytest.raises(corefkit.UsageError, match="another one called 'muc'"):
        corefkit.score(KEY, CAREFUL, average("muc", "lea"))
    for name in ("half.half", "half,half", "", "half half", "-half"):
        with pytest.raises(corefkit.UsageError, match=f"'{name}' is not a valid name; use letters"):
            corefkit.score(KEY, CAREFUL, average(name, "muc", "lea"))
    for name in ("B3", "Bcub", "b3"):
        with pytest.raises(corefkit.UsageError, match=f"'{name}' is another name of bcub"):
            corefkit.score(KEY, CAREFUL, average(name, "muc", "lea"))
    halves = corefkit.score(KEY, CAREFUL, average("2-halves", "muc", "lea"))
    assert halves["2-halves"].f1 == scores["half_and_half"].f1
    with pytest.raises(TypeError, match="a name or a list of names"):
        corefkit.score(KEY, CAREFUL, [3])  # type: ignore[list-item]
    assert isinstance(MUC, PartitionMetric)


_KEY, _CAREFUL = str(EXAMPLES / "key.conll"), str(EXAMPLES / "careful.conll")
_NONE: Any = 0


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: corefkit.read(_KEY, max_size=-1), ValueError),
        (lambda: corefkit.read(_KEY, max_size=0), ValueError),
        (lambda: corefkit.score(_KEY, _KEY, max_size=True), TypeError),
        (lambda: corefkit.read(_KEY, word_column=-1), ValueError),
        (lambda: corefkit.read(_KEY, word_column=0), ValueError),
        (lambda: corefkit.read(_KEY, word_column=True), TypeError),
        (lambda: corefkit.compare(_KEY, _KEY, _CAREFUL, samples=True), ValueError),
        (lambda: corefkit.compare(_KEY, _KEY, _CAREFUL, seed=False), ValueError),
        (lambda: corefkit.explain(_KEY, _CAREFUL, "standard", "coval", metrics=_NONE), TypeError),
        (lambda: corefkit.Corpus.from_clusters({"d": [[(True, True), (2, 3)]]}), TypeError),
        (lambda: corefkit.Corpus.from_clusters({"d": [[(0, True)]]}), TypeError),
    ],
)
def test_values_that_only_look_like_numbers(
    call: Callable[[], object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        call()

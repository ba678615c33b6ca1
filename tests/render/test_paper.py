"""The table of a paper says what score and compare say of the same files."""

import re

import pytest

import corefkit
from corefkit.render.paper import _lopsided
from corefkit.stats.compare import compare_scores
from corefkit.stats.figures import Interval
from tests.support import EXAMPLES, run

KEY = EXAMPLES / "key.conll"
NAMES = ("hasty", "careful", "baseline")
FILES = [EXAMPLES / f"{name}.conll" for name in NAMES]


def paper(*more: str) -> str:
    result = run("compare", KEY, *FILES, "--paper", *more)
    assert result.status == 0, result.err
    return result.out


def test_figures_are_those_of_score_and_compare() -> None:
    scores = {name: corefkit.score(KEY, file) for name, file in zip(NAMES, FILES, strict=True)}
    compared = compare_scores(scores)
    rows = {line.split()[0]: line.split()[1:] for line in paper().splitlines() if line}
    for name in NAMES:
        expected = [
            f"{100 * getattr(scores[name][metric], part):.2f}"
            for metric in ("muc", "bcub", "ceafe")
            for part in ("recall", "precision", "f1")
        ]
        low, high = compared.systems[name]["conll"].interval or (0, 0)
        average = [f"{100 * scores[name].conll:.2f}", "±", f"{50 * (high - low):.2f}"]
        if name == "hasty":
            average[1:] = [f"[{100 * low:.2f},", f"{100 * high:.2f}]"]
        marks = [] if name == "hasty" else ["†"]
        assert rows[name] == [*expected, *average, *marks]
    by_pair = {(p.a, p.b): p.metrics["conll"].p_holm or 0 for p in compared.pairs}
    assert max(by_pair["hasty", "careful"], by_pair["hasty", "baseline"]) <= 0.05


def test_what_the_caption_says() -> None:
    text = paper("--samples", "500", "--level", "0.9", "--interval", "bca")
    caption = " ".join(text.split("\n\n")[1].split())
    for words in (
        "8 documents",
        "90 % confidence interval (bca",
        "the first system, hasty",
        "approximate randomisation over documents, 500 samples, p ≤ 0.1 after Holm's correction",
        "profile:standard",
        "samples:500|seed:2012",
    ):
        assert words in caption
    assert max(map(len, text.splitlines()[:-1])) <= 100, "a signature stays in one piece"


def test_marks() -> None:
    def of_average(text: str) -> dict[str, str]:
        lines = [line.split() for line in text.split("\n\n", maxsplit=1)[0].splitlines()[2:]]
        return {words[0]: " ".join(words[13:]) for words in lines}

    assert of_average(paper("--marks", "best")) == {"hasty": "†", "careful": "", "baseline": "†"}
    letters = of_average(paper("--marks", "letters"))
    assert letters == {"hasty": "b", "careful": "a", "baseline": "c"}
    few = of_average(paper("--marks", "letters", "--level", "0.9999"))
    assert set(few.values()) == {"a"}, "nobody can be told apart: one letter"


def test_latex_has_rules_below_the_metrics_and_a_caption() -> None:
    text = paper("-f", "latex")
    assert "\\cmidrule(lr){2-4}\\cmidrule(lr){5-7}\\cmidrule(lr){8-10}\\cmidrule(lr){11-11}" in text
    assert text.startswith("\\begin{table*}") and text.endswith("\\end{table*}\n")
    assert "\\textbf{88.98 $\\pm$ 1.21 $\\dagger$}" in text
    assert text.count("{") == text.count("}")
    assert re.search(r"\\caption\{.*Holm's correction.*profile:standard", text)


def test_one_system_has_an_interval_and_no_mark() -> None:
    result = run("compare", KEY, FILES[0], "--paper", "-f", "markdown")
    assert result.status == 0
    assert "†" not in result.out
    assert "61.67 \\[49.81, 67.39]" in result.out


def test_without_an_average_every_metric_has_interval_and_marks() -> None:
    text = paper("-m", "lea,mentions", "--marks", "best")
    assert text.split()[:2] == ["LEA", "mentions"]
    assert text.splitlines()[1].split() == ["system", *("R", "P", "F1") * 2]
    rows = {line.split()[0]: line for line in text.splitlines()[2:5]}
    assert [rows[name].count("†") for name in NAMES] == [2, 0, 2]
    assert rows["careful"].count("±") == 2
    lea = corefkit.score(KEY, FILES[1], "lea")["lea"]
    figures = [f"{100 * (value or 0):.2f}" for value in (lea.recall, lea.precision, lea.f1)]
    assert rows["careful"].split()[1:4] == figures


def caption(text: str) -> str:
    return " ".join(text.split("\n\n")[1].split())


def test_only_marks_of_the_table_are_explained() -> None:
    result = run("compare", KEY, FILES[1], FILES[2], "--paper", "--level", "0.999")
    assert result.status == 0, result.err
    assert "†" not in result.out
    words = "No system differs significantly from the first system, careful (approximate"
    assert words in caption(result.out)


def test_bold_figures_are_explained_where_there_are_any() -> None:
    told = "Bold: the highest figure of each column."
    assert all(told in paper("-f", form) for form in ("markdown", "latex"))
    assert "Bold" not in paper(), "text has none"
    alone = run("compare", KEY, FILES[0], "--paper", "-f", "markdown")
    assert "Bold" not in alone.out and "**" not in alone.out


def test_a_clipped_interval_is_shown_by_its_ends() -> None:
    runs = (f"a@1={FILES[0]}", f"a@2={FILES[1]}", f"b={FILES[2]}")
    result = run("compare", KEY, *runs, "--paper", "-m", "muc")
    compared = corefkit.compare(KEY, FILES[2], runs={"a": [FILES[0], FILES[1]]}, metrics="muc")
    low, high = compared.systems["a"]["muc"].interval or (0.5, 0.5)
    assert (low, high) == (0, 1), "two runs that differ so much say nothing"
    assert "[0.00, 100.00]" in result.out


@pytest.mark.parametrize(
    ("runs", "means"),
    [
        ((f"a@1={FILES[0]}", f"a@2={FILES[2]}", f"b={FILES[1]}"), "Means of runs (a: 2, b: 1)."),
        (
            (f"a@1={FILES[0]}", f"a@2={FILES[2]}", f"b@1={FILES[1]}", f"b@2={FILES[0]}"),
            "Means of 2 runs.",
        ),
    ],
)
def test_the_caption_names_runs_and_their_test(runs: tuple[str, ...], means: str) -> None:
    text = caption(run("compare", KEY, *runs, "--paper").out)
    assert means in text
    assert "interval (Student's t over documents and runs)" in text
    assert "(Student's t over documents and runs, p ≤ 0.05 after Holm's correction)" in text
    assert "randomisation" not in text and "resampled" not in text


def test_systems_with_one_run_beside_others_have_the_test_of_documents() -> None:
    runs = (f"a@1={FILES[0]}", f"a@2={FILES[2]}", f"b={FILES[1]}", f"c={FILES[0]}")
    text = caption(run("compare", KEY, *runs, "--paper").out)
    tests = "Student's t over documents and runs or approximate randomisation over documents"
    assert tests in text


def test_runs() -> None:
    result = run("compare", KEY, f"a@1={FILES[0]}", f"a@2={FILES[2]}", f"b={FILES[1]}", "--paper")
    assert result.status == 0, result.err
    mean = (corefkit.score(KEY, FILES[0]).conll + corefkit.score(KEY, FILES[2]).conll) / 2
    assert f"{100 * mean:.2f} [" in result.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--marks", "best"], "--marks needs --paper"),
        (["--paper", "-f", "json"], "--paper needs -f text or -f markdown or -f latex"),
        (
            ["--paper", "--by", "entity:size"],
            "--paper cannot be combined with --by: that table",
        ),
    ],
)
def test_what_does_not_go_together(options: list[str], message: str) -> None:
    result = run("compare", KEY, *FILES, *options)
    assert result.status == 2
    assert message in result.err


@pytest.mark.parametrize(
    ("f1", "low", "high", "lopsided"),
    [
        (0.5, 0.25, 0.75, False),
        (0.5, 0.25, 0.875, False),
        (0.5, 0.25, 0.9, True),
        (0.25, 0.0, 0.5, True),
        (0.75, 0.5, 1.0, True),
        (1.0, 1.0, 1.0, False),
    ],
)
def test_intervals_that_plus_or_minus_would_hide(
    f1: float, low: float, high: float, lopsided: bool
) -> None:
    """One side is more than half as long again as the other, or the end is that of the scale."""
    assert _lopsided(Interval(f1, (low, high))) == lopsided

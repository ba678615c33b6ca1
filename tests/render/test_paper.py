"""The table of a paper says what score and compare say of the same files."""

import re

import pytest

import corefkit
from corefkit.stats.significance import compare_scores
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
            for part in ("precision", "recall", "f1")
        ]
        low, high = compared.systems[name]["conll"].interval or (0, 0)
        average = [f"{100 * scores[name].conll:.2f}", "±", f"{50 * (high - low):.2f}"]
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
    assert "61.67 ± 8.79" in result.out


def test_other_metrics_and_runs() -> None:
    lea = paper("-m", "lea,mentions")
    assert lea.split()[0] == "LEA"
    result = run(
        *("compare", KEY, f"a@1={FILES[0]}", f"a@2={FILES[2]}", f"b={FILES[1]}", "--paper")
    )
    assert result.status == 0, result.err
    mean = (corefkit.score(KEY, FILES[0]).conll + corefkit.score(KEY, FILES[2]).conll) / 2
    assert f"{100 * mean:.2f} ± " in result.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--marks", "best"], "--marks needs --paper"),
        (["--paper", "-f", "json"], "--paper needs -f text, markdown or latex"),
        (["--paper", "--by", "entity:size"], "--paper has no strata"),
    ],
)
def test_what_does_not_go_together(options: list[str], message: str) -> None:
    result = run("compare", KEY, *FILES, *options)
    assert result.status == 2
    assert message in result.err

"""One style for all that is shown: --digits and --quiet in every command and format."""

import json
import re
from pathlib import Path

import pytest

from corefkit import Corpus, write
from corefkit.core.style import styled
from corefkit.stats.error_pages import report
from tests.support import EXAMPLES, run

KEY, CAREFUL, HASTY = (str(EXAMPLES / f"{name}.conll") for name in ("key", "careful", "hasty"))
SCORE = r"(?<![\d.,:])\d{2}\.(\d+)(?![\d.])"
"""A score as it is shown, in percent."""

SHOWN = {
    "score": [],
    "score -m conll --by genre": [],
    "score -m lea --by entity:size": [],
    "score -m lea --window 100": [],
    "score --losses": [],
    "compare -m conll": [HASTY],
    "compare --paper": [HASTY],
    "errors": [],
}


FORMS = ("text", "markdown", "latex", "html")
PAPER = ("text", "markdown", "latex")


@pytest.mark.parametrize(
    ("command", "form"),
    [(c, form) for c in SHOWN for form in (PAPER if "--paper" in c else FORMS)],
)
def test_scores_have_the_digits_that_are_asked_for(command: str, form: str) -> None:
    name, *options = command.split()
    words = [name, KEY, CAREFUL, *SHOWN[command], *options, "-f", form, "--digits", "1"]
    words += ["--samples", "100"] if name == "compare" else []
    shown = run(*words, "--quiet").out
    shown = re.sub(r"(?s)<style>.*?</style>|signature.*|0\.05", "", shown)
    digits = {len(digits) for digits in re.findall(SCORE, shown)}
    assert digits == {1}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("score", KEY, CAREFUL, "-m", "conll", "--at-least", "conll=99"), "conll 89.0 is below"),
        (("score", KEY, CAREFUL, "-m", "conll", "-f", "model-index"), "value: 89.0\n"),
        (("explain", KEY, CAREFUL, "--profile", "standard", "--profile", "e2e"), "  89.1 "),
        (("report", KEY, CAREFUL, "-o", "-"), "const DIGITS = 1;"),
        (("errors", KEY, CAREFUL, "--list", "--most", "1"), "gain +0.10"),
    ],
)
def test_messages_cards_and_pages_follow(words: tuple[str, ...], told: str) -> None:
    done = run(*words, "--digits", "1")
    assert told in done.out + done.err


def test_notes_follow(tmp_path: Path) -> None:
    """What singletons cost, where the key has none."""
    key = {"a": [[(n, n), (n + 50, n + 50)] for n in range(9)]}
    more = {"a": [*key["a"], *([(n, n)] for n in range(20, 40))]}
    for name, clusters in (("key", key), ("more", more)):
        write(Corpus.from_clusters(clusters), tmp_path / f"{name}.jsonl", "e2e")
    files = tmp_path / "key.jsonl", tmp_path / "more.jsonl"
    for digits, cost in (("0", r"cost \d+ points"), ("3", r"cost \d+\.\d{3} points")):
        assert re.search(cost, run("score", *files, "--digits", digits).err)


def test_data_for_programs_is_not_rounded() -> None:
    plain, rounded = (
        run("score", KEY, CAREFUL, "-f", "json", *digits).out for digits in ([], ["--digits", "0"])
    )
    assert json.loads(plain) == json.loads(rounded)


def test_pages_and_plots_follow(tmp_path: Path) -> None:
    with styled(digits=3):
        assert "const DIGITS = 3;" in report(KEY, CAREFUL)
    pytest.importorskip("matplotlib")
    file = tmp_path / "plot.svg"
    run("score", KEY, CAREFUL, "-m", "conll", "--plot", str(file), "--digits", "3", "--quiet")
    assert re.search(r">\s*88\.979\s*<|<!-- 88\.979 -->", file.read_text(encoding="utf-8"))


def test_quiet_leaves_results_and_errors() -> None:
    noisy = run("score", KEY, HASTY)
    quiet = run("score", KEY, HASTY, "--quiet")
    assert noisy.err
    assert quiet.err == ""
    assert quiet.out == noisy.out
    failed = run("score", KEY, "nowhere.conll", "--quiet")
    assert failed.status == 1
    assert "error" in failed.err

"""One style for all that is shown: --digits and --quiet in every command and format."""

import json
import re
from pathlib import Path

import pytest

from corefkit.core.style import styled
from corefkit.render.pages.report import report
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

"""What the original scorers print and count on corpora of ours, in tests/data/originals.

The files were written for the project or made by program, so these tests run everywhere: no figure
needs ../shared. Scorers: v8.01 of CoNLL, CoVal, corefud-scorer 1.2, Universal Anaphora scorer 1.
"""

import json
from pathlib import Path
from typing import Any

import pytest

import corefkit
from tests.conformance.test_profiles import same_as_coval
from tests.conformance.test_standard import check
from tests.support import run_corefud_scorer, run_scorer, run_ua_scorer

ORIGINALS = Path(__file__).parents[1] / "data" / "originals"


def figures(folder: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ORIGINALS / folder / "expected.json").read_text())
    return found


CONLL = figures("conll")
PRINTED_METRICS = ("muc", "bcub", "ceafm", "ceafe")


def texts(folder: str) -> list[Any]:
    """Each text of an original: the response, the words of its command line, and the text."""
    expected = figures(folder)
    return [
        pytest.param(
            expected["key"], name, expected["settings"][setting], text, id=f"{name} {setting}"
        )
        for name, by_setting in expected["texts"].items()
        for setting, text in by_setting.items()
    ]


def pair(name: str) -> tuple[Path, Path]:
    folder = ORIGINALS / "conll"
    return folder / CONLL[name]["key"], folder / name


@pytest.mark.parametrize("name", CONLL)
def test_counts_of_v8_01(name: str) -> None:
    check(corefkit.score(*pair(name), profile="conll-8.01"), CONLL[name]["v8.01"])


@pytest.mark.parametrize("name", CONLL)
def test_percentages_of_v8_01(name: str) -> None:
    printed = run_scorer("all", *pair(name), "none").out
    for metric in PRINTED_METRICS:
        recall, precision, f1 = CONLL[name]["v8.01"][metric]["printed"]
        of_metric = printed.partition(f"METRIC {metric}")[2].partition("Coreference: ")[2]
        (line, *_) = of_metric.splitlines()
        assert f"{recall:.4g}%" in line and f"{precision:.4g}%" in line
        assert line.endswith(f"F1: {f1:.4g}%")


@pytest.mark.parametrize("name", CONLL)
def test_percentages_of_coval(name: str) -> None:
    same_as_coval(corefkit.score(*pair(name), profile="coval"), CONLL[name]["coval"])


@pytest.mark.parametrize("name", [n for n in CONLL if "coval, no singletons" in CONLL[n]])
def test_percentages_of_coval_without_singletons(name: str) -> None:
    scores = corefkit.score(*pair(name), profile="coval", singletons="drop")
    same_as_coval(scores, CONLL[name]["coval, no singletons"])


@pytest.mark.parametrize(("key", "response", "options", "text"), texts("corefud"))
def test_text_of_corefud_scorer(key: str, response: str, options: list[str], text: str) -> None:
    folder = ORIGINALS / "corefud"
    done = run_corefud_scorer(folder / key, folder / response, *options)
    assert done.out.rstrip("\n") == text.rstrip("\n")


@pytest.mark.parametrize(("key", "response", "words", "text"), texts("ua"))
def test_text_of_the_ua_scorer(key: str, response: str, words: list[str], text: str) -> None:
    folder = ORIGINALS / "ua"
    done = run_ua_scorer(folder / key, folder / response, "all", *words)
    assert done.out.rstrip("\n") == text.rstrip("\n")

"""corefkit-corefud-scorer: its arguments; tests/conformance compares its texts."""

import pytest

from corefkit.cli.corefud_scorer import repeat_option
from tests.support import EXAMPLES, run, run_corefud_scorer

FILES = EXAMPLES / "drawer.conllu", EXAMPLES / "drawer-system.conllu"


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ([], []),
        (["-m", "all"], []),
        (["-m", "muc", "bcub", "-s"], ["-m", "muc,bcub", "--singletons", "keep"]),
        (["--metrics", "lea", "-x"], ["-m", "lea", "--match", "exact"]),
        (["-a", "partial", "-x"], ["--match", "exact"]),
        (["-z", "linear", "-a", "partial"], ["--zeros", "linear", "--match", "partial"]),
        (["-m", "muc", "-m", "lea"], ["-m", "muc,lea"]),
    ],
)
def test_arguments(arguments: list[str], options: list[str]) -> None:
    done = run_corefud_scorer(*FILES, *arguments)
    assert (done.status, done.err) == (0, "")
    assert done.out == run("score", *FILES, "-f", "corefud", *options).out


def test_metrics_before_the_files() -> None:
    done = run_corefud_scorer("-m", "ceafe", "lea", "--", *FILES)
    assert done.out == run_corefud_scorer(*FILES, "-m", "ceafe", "lea").out
    assert repeat_option(["-s", "-m", "-x"], ("-m",)) == ["-s", "-m", "-x"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["-m", "mela"],
        ["-m"],
        ["-q"],
        ["--np-only"],
        ["-a", "mina"],
        ["-z", "drop"],
        ["third.conllu"],
    ],
)
def test_arguments_that_the_original_lacks(arguments: list[str]) -> None:
    done = run_corefud_scorer(*FILES, *arguments)
    assert (done.status, done.out) == (2, "")


def test_bad_data() -> None:
    done = run_corefud_scorer(FILES[0], EXAMPLES / "nowhere.conllu")
    assert (done.status, done.out) == (1, "")
    assert "nowhere.conllu" in done.err and "Traceback" not in done.err

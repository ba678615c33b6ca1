"""corefkit metrics and the help texts."""

import re

import pytest

import corefkit
from corefkit.metrics import NAMES, get
from tests.support import EXAMPLES, run


def test_list() -> None:
    lines = run("metrics").out.splitlines()
    assert [line.split()[0] for line in lines[: len(NAMES)]] == list(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_explanations(name: str) -> None:
    result = run("metrics", name)
    metric = get(name)
    assert result.status == 0
    for text in (metric.help, metric.citation, *metric.formula.splitlines()):
        assert text in result.out
    assert "corefkit: " in result.out
    assert str(metric) == name


def test_worked_example() -> None:
    assert "corefkit: R 65.00 P 43.33 F1 52.00" in run("metrics", "ceafe").out


@pytest.mark.parametrize("name", NAMES)
def test_examples_are_worked_out_by_hand(name: str) -> None:
    """The last fractions that the text of an example names are what is computed."""
    fractions = re.findall(r"\b([RP]) = (\d+)/(\d+)", get(name).example)
    by_hand = {side: 100 * int(above) / int(below) for side, above, below in fractions}
    shown = re.search(r"corefkit: R ([\d.]+) P ([\d.]+)", run("metrics", name).out)
    if name in ("mor", "bridging", "nonreferring", "zero", "gap"):
        assert len(by_hand) == 2
    if by_hand:
        assert shown
        computed = dict(zip("RP", shown.groups(), strict=True))
        assert {side: f"{value:.2f}" for side, value in by_hand.items()}.items() <= computed.items()


def test_levels_of_the_example_of_bridging() -> None:
    """The anchor is another mention of the right entity."""
    out = run("metrics", "bridging").out
    assert "anaphor R 100.00 P 100.00" in out
    assert "mention R 0.00 P 0.00" in out
    assert "entity R 100.00 P 100.00" in out


def test_unknown_metric() -> None:
    result = run("metrics", "mucc")
    assert result.status == 2
    assert "unknown metric 'mucc'" in result.err


@pytest.mark.parametrize("command", [(), ("score",), ("metrics",)])
def test_help(command: tuple[str, ...]) -> None:
    result = run(*command, "--help")
    assert result.status == 0
    assert "Usage: " in result.out


def test_version() -> None:
    assert run("--version").out.startswith("corefkit 0.")


@pytest.mark.parametrize(
    ("said", "name"),
    [
        *(("b3", "bcub"), ("B-cubed", "bcub"), ("B³", "bcub"), ("bcubed", "bcub"), ("MUC", "muc")),
        *(("CoNLL-F1", "conll"), ("avg", "conll"), ("CEAF_e", "ceafe"), ("MD", "mentions")),
    ],
)
def test_names_that_are_in_use_are_known_everywhere(said: str, name: str) -> None:
    key, response = EXAMPLES / "key.conll", EXAMPLES / "careful.conll"
    plain, scores = run("score", key, response, "-m", name).out, corefkit.score(key, response)
    assert run("score", key, response, "-m", said).out == plain
    assert scores[said] == scores[name]
    assert run("metrics", said).out == run("metrics", name).out
    assert run("score", key, response, "-m", name, "--at-least", f"{said}=99.9").status == 3

"""corefkit metrics and the help texts."""

import pytest

from corefkit.metrics import NAMES, get
from tests.support import run


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

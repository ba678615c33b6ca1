"""corefkit explain --shrink: the smallest part of files on which two scorers differ."""

import json
from pathlib import Path

import pytest

from tests.support import EXAMPLES, run

KEY, HASTY = EXAMPLES / "key.conll", EXAMPLES / "hasty.conll"
BOTH = ("--profile", "standard", "--profile", "e2e")


def test_text_files_and_json(tmp_path: Path) -> None:
    done = run("explain", KEY, HASTY, *BOTH, "--shrink", "-m", "bcub", "-o", tmp_path / "small")
    assert done.status == 0, done.err
    assert "no single step makes it smaller" in done.out
    assert "\nsingletons\n  keep: " in done.out
    files = [tmp_path / f"small.{side}.conll" for side in ("key", "response")]
    scored = run("explain", *files, *BOTH, "-m", "bcub", "-f", "json")
    one, other = (p["scores"]["bcub"]["f1"] for p in json.loads(scored.out)["profiles"])
    assert abs(one - other) >= 0.001
    again = run("explain", KEY, HASTY, *BOTH, "--shrink", "-m", "bcub", "-o", tmp_path / "small")
    assert again.status == 2
    found = json.loads(run("explain", KEY, HASTY, *BOTH, "--shrink", "-f", "json").out)
    assert found["minimal"]
    assert found["rules"] == ["singletons"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*BOTH, "--least", "1"), "needs --shrink"),
        (("--profile", "e2e", "--shrink"), "give --profile twice"),
        (("--profile", "standard", "--profile", "coval", "--shrink"), "points at most"),
    ],
)
def test_command_lines_that_are_wrong(arguments: tuple[str, ...], message: str) -> None:
    done = run("explain", KEY, HASTY, *arguments)
    assert done.status == 2
    assert message in done.err

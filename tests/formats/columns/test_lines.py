"""Where the words of files with few columns are."""

from pathlib import Path

import pytest

import corefkit
from corefkit import DataError

HEADER = "#begin document (a); part 000\n"


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("0\tShe\t(1)\n1\tran\t-\n2\t7\t-\n", ["She", "ran", "7"]),  # GUM
        ("1 She (1)\n2 ran -\n\n1 It -\n", ["She", "ran", "It"]),
        ("She\t(1)\nran\t-\n", ["She", "ran"]),
        ("She\tX\t(1)\nran\tY\t-\n", ["She", "ran"]),
    ],
)
def test_found_by_content(tmp_path: Path, lines: str, words: list[str]) -> None:
    path = tmp_path / "a.conll"
    path.write_text(f"{HEADER}{lines}#end document\n")
    assert corefkit.read(path).column("word") == words


@pytest.mark.parametrize(
    "lines",
    ["a\t(1)\na\t-\na\t-\n", "a\t0\t(1)\na\t1\t-\n", "0\t(1)\n1\t-\n", "7\tx\t(1)\n3\ty\t-\n"],
)
def test_not_guessed(tmp_path: Path, lines: str) -> None:
    path = tmp_path / "a.conll"
    path.write_text(f"{HEADER}{lines}#end document\n")
    with pytest.raises(DataError, match="column-missing"):
        corefkit.read(path).column("word")

"""The texts of other scorers to the letter."""

from pathlib import Path

import pytest

from tests.support import run


def write(path: Path, tokens: range, words: int) -> Path:
    """A document in which each of these tokens is a mention of one entity."""
    rows = [f"a\t0\t{i}\tw\t{'(1)' if i in tokens else '-'}" for i in range(words)]
    path.write_text("\n".join(["#begin document (a); part 000", *rows, "", "#end document", ""]))
    return path


@pytest.mark.parametrize(("shared", "f1"), [(160, "33.13"), (142, "29.37")])
def test_f1_at_half_a_unit_of_the_last_digit(tmp_path: Path, shared: int, f1: str) -> None:
    """493 mentions, 469 mentions: muc (shared − 1) / 492 and / 468. The original has F1 from the
    floating-point quotients, so that 33.125 and 29.375 fall as these do."""
    key = write(tmp_path / "key.conll", range(493), 1000)
    response = write(tmp_path / "response.conll", range(493 - shared, 493 - shared + 469), 1000)
    done = run("score", key, response, "-f", "corefud", "-m", "muc,blanc")
    assert done.status == 0, done.err
    lines = done.out.splitlines()
    assert lines[lines.index("muc") + 1].endswith(f"F1: {f1}")

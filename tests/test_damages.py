"""No damage of a file changes figures in silence: a sample of the table of tests/damage_table.py.

The whole table: `python -m tests.damage_table`.
"""

import random

import pytest

from tests import damage_table
from tests.damage_table import CALLS, COMMANDS, PYTHON, VERDICTS, Damaged, call, inputs, judge


def test_the_table_is_as_large_as_it_says() -> None:
    files = [damaged[:2] for damaged in inputs()]
    assert len(files) == len({*files}) >= 372
    assert len(PYTHON) * len(CALLS) >= 122


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_silent(seed: int) -> None:
    rng = random.Random(seed)
    rows = list(damage_table.table(lambda _: rng.random() < 0.02))
    assert len(rows) > 20
    assert {row.verdict for row in rows} <= {*VERDICTS}
    assert [row for row in rows if row.verdict == "silent"] == []


def test_what_was_silent_once(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    """The 18 names of the prediction's field, documents without it, marks, lost columns, shifts."""
    monkeypatch.chdir(str(tmp_path))
    once = ("the gold and", "null pred", "for none", "the mark", "a column more in", "later by one")
    found = [row for row in inputs() if any(words in row.damage for words in once)]
    assert len(found) > 30
    rows = [judge(damaged, "score") for damaged in found]
    assert {row.verdict for row in rows} <= {"refused", "warned"}


def test_a_silent_change_is_called_silent(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.chdir(str(tmp_path))
    less = next(row for row in inputs() if row.damage == "an entity less")
    assert judge(less, "score").verdict == "says"
    assert {judge(Damaged(*less[:3]), command).verdict for command in COMMANDS} == {
        "silent",
        "same",
    }


@pytest.mark.parametrize("name", PYTHON)
def test_calls_in_another_shape(name: str) -> None:
    verdicts = {damage: call(name, damage).verdict for damage in CALLS}
    assert "silent" not in verdicts.values()
    assert verdicts["nothing"] == "same"

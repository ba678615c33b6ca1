"""Scores for model cards: YAML whose values are JSON."""

import json
import shutil
from pathlib import Path

import pytest

import corefkit
from tests.support import EXAMPLES, run

NAMES = ("careful", "hasty")
PLAIN = ("score", "key.conll", "careful.conll", "hasty.conll")


def test_model_index(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    done = run(*PLAIN, "-m", "conll,lea", "-f", "model-index")
    lines = done.out.splitlines()
    assert lines[:3] == ["model-index:", '- name: "careful"', "  results:"]
    assert '      type: "coreference-resolution"' in lines
    assert lines.count('      name: "key.conll"') == 2  # the data set of each model
    values = [line.strip() for line in lines if "value:" in line]
    scores = [corefkit.score("key.conll", f"{name}.conll") for name in NAMES]
    exact = [round(100 * one[metric].f1, 2) for one in scores for metric in ("conll", "lea")]
    assert values == [f"value: {value}" for value in exact]
    names = [json.loads(line.partition(":")[2]) for line in lines if line.startswith("      name")]
    assert names[1:3] == ["CoNLL F1", "LEA F1"]
    for line in lines[1:]:
        assert line.startswith(" ") or line.startswith("- ")
        value = line.partition(": ")[2]
        assert not value or json.loads(value) is not None
    for refused in (("--by", "genre"), ("--window", "100")):
        assert run(*PLAIN, "-f", "model-index", *refused).status == 2


def test_a_card_names_no_folder(tmp_path: Path) -> None:
    for name in ("key", "careful"):
        shutil.copy(EXAMPLES / f"{name}.conll", tmp_path)
    done = run("score", tmp_path / "key.conll", tmp_path / "careful.conll", "-f", "model-index")
    assert '      name: "key.conll"' in done.out
    assert str(tmp_path) not in done.out

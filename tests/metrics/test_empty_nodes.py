"""Empty nodes: what each level compares, and what cannot be read. The figures: conformance."""

from pathlib import Path

import pytest

import corefkit
from corefkit import DataError
from corefkit.metrics.empty_nodes import EMPTY_NODES, LEVELS

HEAD = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
WORD = "1\tLlueve\tllover\tVERB\t_\t_\t0\troot\t_\tEntity=(e1--1)\n"


def file(folder: Path, name: str, *nodes: str) -> Path:
    path = folder / name
    lines = sorted([WORD, *nodes], key=lambda line: float(line.partition("\t")[0]))
    path.write_text(f"{HEAD}{''.join(lines)}\n")
    return path


def node(id: str = "1.1", form: str = "_", deps: str = "1:nsubj") -> str:
    return f"{id}\t{form}\t_\tPRON\t_\t_\t_\t_\t{deps}\t_\n"


def levels(key: Path, response: Path) -> dict[str, float]:
    score = corefkit.score(key, response, "empty-nodes")["empty-nodes"]
    assert score.levels is not None
    return {name: level.f1 for name, level in score.levels.items()}


def test_levels(tmp_path: Path) -> None:
    key = file(tmp_path, "key.conllu", node())
    assert levels(key, key) == dict.fromkeys(LEVELS, 1.0)
    other = levels(key, file(tmp_path, "a.conllu", node(form="él")))
    assert {name for name, f1 in other.items() if not f1} == {"form", "all"}
    other = levels(key, file(tmp_path, "b.conllu", node(deps="1:obj|1:nsubj")))
    assert {name for name, f1 in other.items() if not f1} == {"dep", "dep_wo", "all"}
    other = levels(key, file(tmp_path, "c.conllu", node(id="0.1")))
    assert {name for name, f1 in other.items() if not f1} == {"wo", "dep_wo", "all"}


def test_multisets(tmp_path: Path) -> None:
    key = file(tmp_path, "key.conllu", node(), node("1.2"))
    one = file(tmp_path, "one.conllu", node())
    assert levels(key, one)["arc"] == pytest.approx(2 / 3)


def test_dependencies_that_are_missing(tmp_path: Path) -> None:
    bad = file(tmp_path, "bad.conllu", node(deps="_"))
    with pytest.raises(DataError) as error:
        corefkit.score(bad, bad, "empty-nodes")
    assert "deps-bad" in {i.id for i in error.value.incidents}


def test_the_example() -> None:
    score = corefkit.score(*EMPTY_NODES.sample(), "empty-nodes")["empty-nodes"]
    assert (score.recall, score.precision) == (1 / 2, 1)

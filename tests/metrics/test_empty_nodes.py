"""Empty nodes: what each level compares, and what cannot be read. The figures: conformance."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import DataError
from corefkit.core.options import PLAIN
from corefkit.formats.registry import parse
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


Sentences = list[list[tuple[str, str, str, str]]]
"""Of each sentence its empty nodes: the word before, the form, the parent and the relation."""
NODES = st.tuples(*map(st.sampled_from, ("01", ["_", "él", "ella"], "01", ["nsubj", "obj"])))
FILES = st.lists(st.lists(st.lists(NODES, max_size=4), min_size=2, max_size=2), max_size=3)


def written(documents: list[Sentences]) -> bytes:
    """Documents of the same words, each with its empty nodes."""
    lines = ["# global.Entity = eid-etype-head-other"]
    bare: Sentences = [[]]
    for number, sentences in enumerate([*documents, bare]):
        lines.append(f"# newdoc id = {number}")
        for nodes in sentences:
            rows = {"0": list[str](), "1": [WORD.strip()]}
            for before, form, parent, relation in nodes:
                place = len(rows[before]) + (before == "0")
                deps = f"{parent}:{relation}|1:extra"
                rows[before].append(node(f"{before}.{place}", form, deps).strip())
            lines += [*rows["0"], *rows["1"], ""]
    return "\n".join([*lines, ""]).encode()


def tuples(documents: list[Sentences], level: str) -> Counter[object]:
    """The nodes as the definition has them."""
    return Counter(
        (number, sentence, parent)
        + ((relation,) if level in ("dep", "dep_wo", "all") else ())
        + ((before,) if level in ("wo", "dep_wo", "all") else ())
        + ((form,) if level in ("form", "all") else ())
        for number, sentences in enumerate(documents)
        for sentence, nodes in enumerate(sentences)
        for before, form, parent, relation in nodes
    )


@given(FILES, st.data())
def test_against_the_definition(ours: list[Sentences], data: st.DataObject) -> None:
    theirs = data.draw(st.lists(FILES.map(lambda d: (d or [[[], []]])[0]), min_size=len(ours)))
    theirs = theirs[: len(ours)]
    key_corpus = parse(written(ours), "key", PLAIN)
    response_corpus = parse(written(theirs), "response", PLAIN)
    sums = corefkit.score(key_corpus, response_corpus, "empty-nodes").counts.tables["empty-nodes"]
    for place, level in enumerate(LEVELS):
        key, response = tuples(ours, level), tuples(theirs, level)
        wanted = [(key & response).total(), (key - response).total(), (response - key).total()]
        assert [int(column.sum()) for column in sums[3 * place : 3 * place + 3]] == wanted


def test_documents_that_are_not_scored(tmp_path: Path) -> None:
    """Their empty nodes are neither counted nor checked."""
    key = file(tmp_path, "key.conllu", node())
    response = file(tmp_path, "response.conllu", node())
    more = f"# newdoc id = e\n{WORD}{node(deps='_')}\n"
    response.write_text(response.read_text() + more)
    score = corefkit.score(key, response, "empty-nodes")["empty-nodes"]
    assert score.counts == {"tp": 1, "fn": 0, "fp": 0}

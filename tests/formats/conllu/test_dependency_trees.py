"""Heads from trees: the figures of the conformance data, and one small tree for each rule."""

import json

import pytest

from corefkit.formats.conllu.dependency_trees import (
    count_moved_heads,
    count_several_nodes,
    tree_heads,
)
from corefkit.formats.conllu.reader import parse
from tests.strategies import some_of
from tests.support import CONFORMANCE, needs_conformance

FOLDER = CONFORMANCE / "corefud"
TOP = "# newdoc id = tale\n# global.Entity = eid-etype-head-other\n"


@needs_conformance
@pytest.mark.more
def test_figures() -> None:
    from corefkit.formats.kit.reading import read

    figures = json.loads((FOLDER / "heads.json").read_text())
    for name, expected in some_of([*figures.items()]):
        corpus = read(FOLDER / name)
        after = tree_heads(corpus)
        assert count_several_nodes(corpus) == expected["several_nodes"], name
        assert count_moved_heads(corpus, after) == expected["moved"], name
        assert count_moved_heads(after, tree_heads(after)) == 0


def head(*rows: tuple[str, str, str], first: str, last: str, written: int = 1) -> str:
    """The id of the head of one mention of a sentence whose rows are (id, HEAD, DEPS)."""
    text = TOP
    ids = [row[0] for row in rows]
    for number, parent, deps in rows:
        misc = {first: f"Entity=(e1--{written}", last: "Entity=e1)"}.get(number, "_")
        text += f"{number}\tw\t_\t_\t_\t_\t{parent}\t_\t{deps}\t{misc}\n"
    corpus = parse(text.encode(), "tale")
    assert corpus.incidents == ()
    after = tree_heads(corpus)
    assert after.head is not None
    assert after.head_zero is not None
    token, zero = int(after.head[0]), int(after.head_zero[0])
    found = f"{token + 1}.{zero}" if zero else str(token + 1)
    assert found in ids
    return found


def test_one_top() -> None:
    rows = ("1", "2", "_"), ("2", "3", "_"), ("3", "0", "_")
    assert head(*rows, first="1", last="2") == "2"


def test_one_top_that_has_no_parent_inside() -> None:
    rows = ("1", "0", "0:root"), ("2", "4", "3:dep"), ("3", "4", "4:dep"), ("4", "1", "1:dep")
    assert head(*rows, first="2", last="3") == "3"


def test_words_that_meet_in_one_of_them() -> None:
    # 2 and 4 are free; their common ancestor is 4, by way of 3, which is outside.
    rows = ("1", "0", "_"), ("2", "5", "_"), ("3", "4", "_"), ("4", "1", "_"), ("5", "4", "_")
    assert head(*rows, first="2", last="4") == "4"


@pytest.mark.parametrize(("written", "expected"), [(2, "3"), (1, "2")])
def test_the_written_head_where_words_meet_outside(written: int, expected: str) -> None:
    rows = ("1", "0", "_"), ("2", "1", "_"), ("3", "1", "_")
    assert head(*rows, first="2", last="3", written=written) == expected


def test_the_written_head_where_nothing_is_free() -> None:
    rows = ("1", "3", "2:dep"), ("2", "3", "1:dep"), ("3", "0", "_")
    assert head(*rows, first="1", last="2", written=2) == "2"


def test_an_empty_node_may_be_head() -> None:
    rows = ("1", "0", "_"), ("1.1", "_", "1:nsubj"), ("2", "1", "1.1:amod")
    assert head(*rows, first="1.1", last="2", written=2) == "1.1"

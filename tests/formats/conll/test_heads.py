"""Heads of constituents against the oracle: on random trees, and on real ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.core.brackets import find_spans
from corefkit.core.columns import Column
from corefkit.formats.conll.heads import RULES, HeadedTrees
from tests.oracle.errors import Tree, head_of_tree, trees_over

TAGS = [
    "NN",
    "NNP",
    "NNS",
    "POS",
    "JJ",
    "JJR",
    "CD",
    "DT",
    "IN",
    "TO",
    "VB",
    "VBD",
    "RB",
    "PRP",
    "WP",
    "$",
    ",",
    "CC",
    "QP",
    "NP",
]
LABELS = [*RULES, "TOP", "NP-SBJ", "S=2", "ZZ"]


def trees(leaves: int) -> st.SearchStrategy[Tree]:
    """Trees of labels and tags; the numbers of the tokens are put in by `numbered`."""
    leaf = st.tuples(st.sampled_from(TAGS), st.just(0))
    return st.recursive(
        leaf,
        lambda inner: st.tuples(st.sampled_from(LABELS), st.lists(inner, min_size=1, max_size=5)),
        max_leaves=leaves,
    )


def numbered(tree: Tree, tags: list[str], bits: list[str]) -> Tree:
    """The tree with its tokens numbered; appends their tags and parse bits."""
    label, inside = tree
    if isinstance(inside, int):
        tags.append(label)
        bits[-1] += "*"
        bits.append("")
        return label, len(tags) - 1
    bits[-1] += f"({label}"
    children = [numbered(child, tags, bits) for child in inside]
    bits[-2] += ")"
    return label, children


@given(st.lists(trees(12), min_size=1, max_size=3))
def test_random_trees(sentences: list[Tree]) -> None:
    tags: list[str] = []
    bits = [""]
    done: list[Tree] = []
    sentence: list[int] = []
    for number, tree in enumerate(sentences):
        done.append(numbered(tree, tags, bits))
        sentence += [number] * (len(tags) - len(sentence))
    spans, defects = find_spans(Column.of(bits[:-1]), np.array(sentence, dtype=np.int64))
    assert not defects
    expected = {
        span: head_of_tree(node)[0] for tree in done for span, node in trees_over(tree).items()
    }
    every = [(a, b) for a in range(len(tags)) for b in range(a, len(tags))]
    first, last = np.array(every, dtype=np.int64).T
    found = HeadedTrees(spans, Column.of(tags)).heads(first, last).tolist()
    assert found == [expected.get(span, -1) for span in every]


@pytest.mark.parametrize(
    ("bits", "tags", "head"),
    [
        (["(NP*", "*)"], ["NNP", "POS"], 1),
        (["(NP(NP*", "*)", "*)"], ["NNP", "POS", "NN"], 2),
        (["(NP(NP*)", "*", "(NP*))"], ["NNP", "CC", "NNP"], 2),
        (["(NP(NP*)", "(PP*", "(NP*)))"], ["NN", "IN", "NN"], 0),
        (["(NP-SBJ*", "*", "*)"], ["DT", "CD", "JJ"], 1),
        (["(VP*", "(VP*", "(NP*)))"], ["MD", "VB", "PRP"], 0),
    ],
)
def test_by_hand(bits: list[str], tags: list[str], head: int) -> None:
    spans, _ = find_spans(Column.of(bits), np.zeros(len(bits), dtype=np.int64))
    ends = np.array([0]), np.array([len(bits) - 1])
    assert HeadedTrees(spans, Column.of(tags)).heads(*ends).tolist() == [head]

"""Bracket strings, parse bits and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.corpora.trees import Leaf, Tree, make_tree, parse_trees, prune

words = st.text(st.characters(exclude_categories=["Z", "C"], exclude_characters="()*"), min_size=1)
leaves = st.builds(Leaf, words, words)
trees = st.recursive(
    st.builds(Tree, words, st.lists(leaves, min_size=1, max_size=3).map(tuple)),
    lambda inner: st.builds(
        Tree, words, st.lists(inner | leaves, min_size=1, max_size=3).map(tuple)
    ),
    max_leaves=12,
)


@given(trees)
def test_bracket_strings(tree: Tree) -> None:
    assert list(parse_trees(f"{tree}\n\n( {tree} )")) == [tree, tree]


@given(trees)
def test_bits_are_the_string_broken_before_each_leaf(tree: Tree) -> None:
    bits, own = tree.bits(), tree.leaves()
    joined = "".join(b.replace("*", str(leaf)) for b, leaf in zip(bits, own, strict=True))
    assert next(parse_trees(joined)) == tree
    assert make_tree(tree.constituents(), own) == tree


def test_ontonotes_layout() -> None:
    text = """
(TOP (S (NP-SBJ (PRP We))
        (EDITED (VP (VBP go)))
        (VP (VBP see)
            (NP (-NONE- *T*-1))
            (NP-TMP (NN today)))
        (. .)))

(TOP (NP (-NONE- *)))
"""
    first, second = parse_trees(text)
    kept = prune(first)
    assert kept is not None
    assert [leaf.word for leaf in kept.leaves()] == ["We", "go", "see", "today", "."]
    fluent = prune(first, "EDITED")
    assert fluent is not None
    assert str(fluent) == "(TOP (S (NP-SBJ (PRP We)) (VP (VBP see) (NP-TMP (NN today))) (. .)))"
    assert prune(second) is None


@pytest.mark.parametrize(
    ("text", "line"),
    [("(S (NN a)", 1), ("(S\n(NN a b))", 2), ("(S (NN a)))", 1), ("a", 1), ("(S ())", 1)],
)
def test_broken(text: str, line: int) -> None:
    with pytest.raises(ValueError, match=f"line {line}"):
        list(parse_trees(text))


def test_deep() -> None:
    text = "(S " * 5000 + "(NN a)" + ")" * 5000
    (tree,) = parse_trees(text)
    assert tree.bits() == ["(S" * 5000 + "*" + ")" * 5000]

"""Matching at the edges of its rules: the first token, unknown heads, hulls that are equal."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

import corefkit
from corefkit import Corpus
from corefkit.core.mention_columns import Ragged
from corefkit.core.nodes import node_order
from corefkit.matching import match
from tests.corefud import to_corpus
from tests.oracle.corefud import Document, Mention


def one_mention(start: int, end: int) -> Corpus:
    """A document with one mention, and another entity, {8, 9}, that all of them have."""
    return Corpus.from_clusters({"d": [[(start, end)], [(8, 8), (9, 9)]]})


def pairs(key: Corpus, response: Corpus, rule: str) -> set[tuple[int, int]]:
    found = match(key, response, rule)
    return set(zip(found.key.tolist(), found.response.tolist(), strict=True))


COMMON = {(1, 1), (2, 2)}
"""The pairs of the two mentions that all sides have."""


@pytest.mark.parametrize("minimum", [(0, 0), (0, 1)])
def test_a_minimum_may_begin_at_the_first_token(minimum: tuple[int, int]) -> None:
    """R ⊆ K and Min(K) ⊆ R, wherever the document begins."""
    minima = np.array([minimum, (-1, -1), (-1, -1)])
    key = replace(one_mention(0, 3), minimum=minima)
    assert pairs(key, one_mention(0, 2), "partial") == COMMON | {(0, 0)}
    assert pairs(key, one_mention(1, 3), "partial") == COMMON  # token 0 is not in it


def with_heads(side: Corpus, *heads: int) -> Corpus:
    return replace(side, head=np.array(heads), head_zero=np.zeros(len(heads), dtype=np.int64))


@pytest.mark.parametrize(
    ("ours", "theirs", "matched"),
    [
        (1, 1, True),
        (0, 0, True),  # the first token is a head like any other
        (1, 2, False),
        (-2, 1, False),
        (1, -2, False),
        (-2, -2, False),  # two heads of which nothing is known are not the same node
    ],
)
def test_heads_match_where_they_are_known(ours: int, theirs: int, matched: bool) -> None:
    key = with_heads(one_mention(0, 3), ours, 8, 9)
    response = with_heads(one_mention(0, 2), theirs, 8, 9)
    assert pairs(key, response, "head") == COMMON | ({(0, 0)} if matched else set())


def test_a_mention_without_a_known_head_matches_its_equal() -> None:
    key = with_heads(one_mention(0, 3), -2, 8, 9)
    assert pairs(key, key, "head") == COMMON | {(0, 0)}
    assert pairs(key, with_heads(one_mention(0, 3), 1, 8, 9), "head") == COMMON


Shape = tuple[tuple[int, ...], int]
"""The tokens of a mention and its head."""


def of_shapes(shapes: list[Shape]) -> Corpus:
    """One entity of discontinuous mentions, in this order."""
    side = Corpus.from_clusters({"d": [[(tokens[0], tokens[-1]) for tokens, _ in shapes]]})
    listed = [
        (row, [(token, 0) for token in tokens])
        for row, (tokens, _) in enumerate(shapes)
        if len(tokens) != tokens[-1] - tokens[0] + 1
    ]
    heads = [head for _, head in shapes]
    return replace(with_heads(side, *heads), nodes=Ragged.of(listed))


@pytest.mark.parametrize("seed", range(20))
def test_text_order_is_that_of_its_definition(seed: int) -> None:
    """By first node, last node, number of nodes, list of nodes, head (COREFUD.md, section 1)."""
    rng = Random(seed)
    shapes: list[Shape] = []
    for _ in range(12):
        begin = rng.randrange(2)
        inner = rng.sample(range(begin + 1, 5), rng.randrange(4 - begin))
        tokens = (begin, *sorted(inner), 5)
        shapes.append((tokens, rng.choice(tokens)))
    expected = sorted(
        range(len(shapes)),
        key=lambda row: (
            shapes[row][0][0],
            shapes[row][0][-1],
            len(shapes[row][0]),
            shapes[row][0],
            shapes[row][1],
            row,
        ),
    )
    assert node_order(of_shapes(shapes)).tolist() == expected


@pytest.mark.parametrize("rule", ["partial", "head"])
def test_ties_between_equal_hulls_are_settled_by_their_nodes(rule: str) -> None:
    """Two key mentions that fit a response mention as well as each other, with one hull: the
    first is the one with the earlier nodes, in whichever order they are listed."""
    response = with_heads(Corpus.from_clusters({"d": [[(2, 2), (8, 8)]]}), 2, 8)
    early, late = ((0, 1, 2, 5), 2), ((0, 2, 3, 5), 2)
    for shapes in ([early, late], [late, early]):
        key = of_shapes([*shapes, ((8,), 8)])
        assert pairs(key, response, rule) == {(shapes.index(early), 0), (2, 1)}


@pytest.mark.parametrize("rule", ["exact", "partial", "head", "craft"])
def test_zeros_of_one_side_only(rule: str) -> None:
    """The other side has no dependencies to compare; the word that both have still matches."""
    word = Mention(((0, 1, 0),), (0, 1, 0))
    zero = Mention(((0, 2, 1),), (0, 2, 1), frozenset({((1, 0), "s")}), 1)
    some = to_corpus([Document("d", [4], {"e": [word, zero]})])
    none = to_corpus([Document("d", [4], {"e": [word]})])
    assert pairs(some, some, rule) == {(0, 0), (1, 1)}
    assert pairs(some, none, rule) == pairs(none, some, rule) == {(0, 0)}


@pytest.mark.parametrize(
    ("tokens", "matched"),
    [
        ((1, 2, 3, 5), True),  # the gap is outside of the minimum
        ((0, 1, 2, 3, 5), True),
        ((1, 3, 4), False),  # with its first and its last token, but not with token 2
        ((1, 2, 4), False),
        ((2, 3, 5), False),
        ((1, 2, 3, 6), False),  # not within the mention of the key
    ],
)
def test_all_of_the_minimum_is_in_a_mention_with_gaps(
    tokens: tuple[int, ...], matched: bool
) -> None:
    """R ⊆ K and Min(K) ⊆ R, with K = 0–5 and Min = 1–3."""
    key = Corpus.from_clusters({"d": [[(0, 5), (8, 8)]]})
    key = replace(key, minimum=np.array([(1, 3), (-1, -1)]))
    response = of_shapes([(tokens, tokens[0]), ((8,), 8)])
    assert pairs(key, response, "partial") == {(1, 1)} | ({(0, 0)} if matched else set())


def test_an_empty_node_without_a_known_head_is_a_zero() -> None:
    """By hand: with zeros dropped, {5} is left on both sides; with them, the zero matches."""
    side = with_heads(Corpus.from_clusters({"d": [[(3, 3), (5, 5)]]}), -2, 5)
    side = replace(side, zero=np.array([1, 0]))
    kept, dropped = (
        corefkit.score(side, side, "mentions", zeros=zeros)["mentions"].counts["recall"]
        for zeros in ("linear", "drop")
    )
    assert (kept, dropped) == ([2, 2], [1, 1])

"""Craft matching against its definition, written out slowly (ANAPHORA 3)."""

from dataclasses import replace
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from corefkit import Corpus
from corefkit.core.mention_columns import Ragged, runs_of
from corefkit.matching import match
from tests.strategies import examples

Tokens = tuple[int, ...]
"""A mention: its tokens in order. A zero is one token below 0, the token before it as −1 − t."""

Side = list[list[Tokens]]
"""The mentions of each document, no two of them equal."""


def to_corpus(side: Side) -> Corpus:
    rows = [(number, mention) for number, listed in enumerate(side) for mention in listed]
    hulls = [(m[0], m[-1]) if m[0] >= 0 else (-1 - m[0], -1 - m[0]) for _, m in rows]
    columns = np.array(hulls, dtype=np.int64).reshape(-1, 2)
    gaps = [
        (row, [(token, 0) for token in mention])
        for row, (_, mention) in enumerate(rows)
        if mention[0] >= 0 and len(runs_of(mention)) > 1
    ]
    return Corpus(
        names=tuple(str(number) for number in range(len(side))),
        tokens=np.full(len(side), 30),
        document=np.array([number for number, _ in rows], dtype=np.int64),
        start=columns[:, 0],
        end=columns[:, 1],
        entity=np.arange(len(rows)),
        labels=tuple(map(str, range(len(rows)))),
        zero=np.array([int(mention[0] < 0) for _, mention in rows], dtype=np.int64),
        nodes=Ragged.of(gaps),
    )


def fragments(mention: Tokens) -> list[set[int]]:
    return [set(range(first, last + 1)) for first, last in runs_of(mention)]


def by_definition(key: Side, response: Side) -> set[tuple[int, Tokens, Tokens]]:
    """Exact pairs first; the other response mentions, in text order, each look for the first
    other key mention, in text order, whose first fragment contains one of theirs, and take it if
    it is free. Zeros take part in exact pairs only."""
    pairs: set[tuple[int, Tokens, Tokens]] = set()
    for number, (ours, theirs) in enumerate(zip(key, response, strict=True)):
        equal = set(ours) & set(theirs)
        pairs |= {(number, mention, mention) for mention in equal}
        keys, others = (
            sorted(
                (m for m in side if m not in equal and m[0] >= 0),
                key=lambda m: (m[0], m[-1], len(m), m),
            )
            for side in (ours, theirs)
        )
        taken: set[Tokens] = set()
        for mention in others:
            around = [
                one for one in keys if any(f <= fragments(one)[0] for f in fragments(mention))
            ]
            if around and around[0] not in taken:
                taken.add(around[0])
                pairs.add((number, around[0], mention))
    return pairs


def found(key: Side, response: Side) -> set[tuple[int, Tokens, Tokens]]:
    pairs = match(to_corpus(key), to_corpus(response), "craft", {"zeros": "linear"})
    ours, theirs = (
        [(number, mention) for number, listed in enumerate(side) for mention in listed]
        for side in (key, response)
    )
    return {
        (*ours[k], theirs[r][1])
        for k, r in zip(pairs.key.tolist(), pairs.response.tolist(), strict=True)
    }


@st.composite
def both_sides(draw: st.DrawFn) -> tuple[Side, Side]:
    """By a seed: many mentions on few tokens, so that most fit several."""
    rng = Random(draw(st.integers(0, 2**32)))

    def mention() -> Tokens:
        if rng.random() < 0.15:
            return (-1 - rng.randrange(6),)
        first = rng.randrange(8)
        tokens = list(range(first, first + rng.randint(1, 6)))
        if rng.random() < 0.4:
            tokens = sorted(rng.sample(tokens, rng.randint(1, len(tokens))))
        return tuple(tokens)

    def side(documents: int) -> Side:
        return [list({mention(): None for _ in range(rng.randrange(7))}) for _ in range(documents)]

    documents = rng.randint(1, 3)
    return side(documents), side(documents)


@given(both_sides())
@examples(60)
def test_as_defined(sides: tuple[Side, Side]) -> None:
    assert found(*sides) == by_definition(*sides)


def test_the_edges() -> None:
    """A part may be the whole first fragment, begin or end with it; the second one is no use."""
    key: Side = [[(2, 3, 4, 8, 9)]]
    for response, fits in (
        ((2, 3), True),
        ((3, 4), True),
        ((2, 3, 4), True),
        ((1, 2), False),
        ((4, 5), False),
        ((8, 9), False),
        ((0, 3), True),  # its second part
        ((3, 9), True),
        ((0, 9), False),
    ):
        assert bool(found(key, [[response]])) is fits, response
        assert bool(by_definition(key, [[response]])) is fits, response


def test_an_empty_node_within_a_mention_parts_nothing() -> None:
    """Tokens 2 and 3 with an empty node between them are one part, which 2 alone does not hold."""
    key = Corpus.from_clusters({"d": [[(2, 2), (9, 9)]]})
    response = Corpus.from_clusters({"d": [[(2, 3), (9, 9)]]})
    response = replace(response, nodes=Ragged.of([(0, [(2, 0), (2, 1), (3, 0)])]))
    assert match(key, response, "craft").key.tolist() == [1]
    wider = Corpus.from_clusters({"d": [[(2, 4), (9, 9)]]})
    assert sorted(match(wider, response, "craft").key.tolist()) == [0, 1]

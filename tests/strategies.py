"""Random documents: partitions of a few mentions on two sides, biased towards the odd cases."""

import os
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeVar

from hypothesis import settings
from hypothesis import strategies as st

T = TypeVar("T")
Side = list[list[int]]
Document = tuple[Side, Side]
TIMES = int(os.environ.get("COREFKIT_EXAMPLES") or 1)
"""The examples tried, in multiples of those of `make test`; `make oracles` tries twice as many."""


def examples(number: int) -> settings:
    """So many examples in `make oracles`, half as many in `make test`."""
    return settings(max_examples=number * TIMES // 2, deadline=None)


def some_of(values: Sequence[T], every: int = 2) -> Sequence[T]:
    """One in so many of the values; all of them where COREFKIT_EXAMPLES is above 1.

    A test that says so is marked `more`, so that `make oracles` runs it with all.
    """
    return values[::every] if TIMES == 1 else values


def choice(*values: T) -> st.SearchStrategy[T]:
    """One of the values. To make the strategy takes longer than a draw, so it is made once."""
    made: st.SearchStrategy[T] = _choice(*values)
    return made


@lru_cache(maxsize=None, typed=True)
def _choice(*values: Any) -> st.SearchStrategy[Any]:
    return st.sampled_from(values)


def clusters(assignment: Sequence[int | None]) -> Side:
    """Entities from the entity of each mention; None: the side lacks the mention."""
    entities: dict[int, list[int]] = {}
    for mention, entity in enumerate(assignment):
        if entity is not None:
            entities.setdefault(entity, []).append(mention)
    return list(entities.values())


@st.composite
def sides(draw: st.DrawFn, mentions: int) -> Side:
    """A partition of some of the mentions; at times none, all alone, or all together."""
    kind = draw(choice("any", "any", "any", "empty", "singletons", "giant"))
    if kind == "empty":
        return []
    if kind == "singletons":
        return [[mention] for mention in range(mentions)]
    if kind == "giant":
        return [list(range(mentions))] if mentions else []
    entity = st.none() | st.integers(0, max(mentions // 2, 1))
    return clusters(draw(st.lists(entity, min_size=mentions, max_size=mentions)))


@st.composite
def documents(draw: st.DrawFn, most: int = 12) -> Document:
    """One document: a key and a response over the same possible mentions."""
    mentions = draw(st.integers(0, most))
    return draw(sides(mentions)), draw(sides(mentions))


def corpora(most_documents: int = 4) -> st.SearchStrategy[list[Document]]:
    """Several documents."""
    return st.lists(documents(), max_size=most_documents)

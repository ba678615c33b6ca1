"""RuCoCo's LEA against its definition, spelt out."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Corpus
from corefkit.core.links import KINDS, Links
from corefkit.metrics.rucoco import RUCOCO
from tests.strategies import examples

Side = tuple[list[list[int]], dict[int, list[int]]]


@st.composite
def sides(draw: st.DrawFn) -> Side:
    """A partition of some of eight mentions, and which entities include which."""
    owner = draw(st.lists(st.integers(-1, 4), min_size=8, max_size=8))
    entities = [[m for m, of in enumerate(owner) if of == n] for n in range(5)]
    entities = [entity for entity in entities if entity]
    numbers = st.integers(0, max(len(entities) - 1, 0))
    lists = st.lists(numbers, min_size=1, max_size=3, unique=True)
    includes = draw(st.dictionaries(numbers, lists))
    return entities, includes if entities else {}


def corpus(side: Side) -> Corpus:
    entities, includes = side
    made = Corpus.from_clusters({"d": [[(m, m) for m in entity] for entity in entities]})
    pairs = [(group, member) for group, members in includes.items() for member in members]
    if not pairs:
        return made
    source, target = np.array(pairs, dtype=np.int64).T
    kind = np.full(len(pairs), KINDS.index("split"))
    return replace(made, links=Links(kind, source, target, ("",) * len(pairs)))


def members(side: Side, entity: int) -> set[int]:
    entities, includes = side
    found, waiting, seen = {*includes.get(entity, [])}, [*includes.get(entity, [])], {entity}
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        if includes.get(one):
            waiting += includes[one]
        else:
            found.add(one)
    return {m for one in found for m in entities[one]}


def recall(key: Side, response: Side) -> tuple[Fraction, int]:
    total, weights = Fraction(0), 0
    for number, entity in enumerate(key[0]):
        if len(entity) > 1:
            links = list(combinations(entity, 2))
            right = sum(any({*link} <= {*other} for other in response[0]) for link in links)
            total += len(entity) * Fraction(right, len(links))
            weights += len(entity)
        if own := members(key, number):
            pairs = [(m, c) for m in entity for c in own]
            right = sum(
                any(m in other and c in members(response, n) for n, other in enumerate(response[0]))
                for m, c in pairs
            )
            total += len(own) * Fraction(right, len(pairs))
            weights += len(own)
    return total, weights


@given(key=sides(), response=sides())
@examples(60)
def test_as_defined(key: Side, response: Side) -> None:
    counts = corefkit.score(corpus(key), corpus(response), "rucoco")["rucoco"].counts
    for side, expected in (("recall", recall(key, response)), ("precision", recall(response, key))):
        assert counts[side] == [float(expected[0]), expected[1]]


def test_without_groups_it_is_lea_without_singletons() -> None:
    key = Corpus.from_clusters({"d": [[(0, 0), (1, 1), (2, 2)], [(3, 3), (4, 4)]]})
    response = Corpus.from_clusters({"d": [[(0, 0), (1, 1)], [(2, 2), (3, 3), (4, 4)]]})
    scores = corefkit.score(key, response, "rucoco,lea")
    assert scores["rucoco"].counts == scores["lea"].counts


def test_the_example() -> None:
    score = corefkit.score(*RUCOCO.sample(), "rucoco")["rucoco"]
    assert (score.recall, score.precision) == pytest.approx((3 / 4, 5 / 12))

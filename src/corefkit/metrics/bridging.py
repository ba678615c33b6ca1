"""Bridging: is the anaphor found, and linked to the right mention, or to the right entity?

Pairs of an anaphor and its anchor are compared by their words, whatever the matching rule. An
anaphor that only one side has is an error on all three levels.
"""

from dataclasses import replace

import numpy as np

from corefkit.core.arrays import FloatArray, IntArray, tuples
from corefkit.core.corpus import Corpus
from corefkit.core.links import KINDS, Links
from corefkit.core.nodes import mention_codes
from corefkit.metrics.base import (
    OUTCOMES,
    Counted,
    MatchedMetric,
    MatchedSides,
    Score,
    Sums,
    outcomes_f1,
    score_levels,
)

LEVELS = ("anaphor", "mention", "entity")


def count(matched: MatchedSides) -> Counted:
    """tp, fn and fp by document, on each level."""
    return count_bridges(*matched.whole, entities=matched.whole[0])


def count_bridges(key: Corpus, response: Corpus, entities: Corpus) -> Counted:
    """Like `count`, from two sides; `entities` is the key whose entities the anchors belong to."""
    key_code, response_code, codes = mention_codes(key, response, entities)
    key_bridges, response_bridges = _bridges(key, key_code), _bridges(response, response_code)
    member = _members(entities, codes)
    columns = np.zeros((len(LEVELS), 3, len(key.names)), dtype=np.int64)
    for anaphor, (document, anchor) in key_bridges.items():
        if anaphor not in response_bridges:
            columns[:, 1, document] += 1
            continue
        _, other = response_bridges[anaphor]
        same = anchor == other
        shared = member.get(anchor, set()) & member.get(other, set())
        for level, right in enumerate((True, same, same or bool(shared))):
            if right:
                columns[level, 0, document] += 1
            else:
                columns[level, 1:, document] += 1
    for anaphor, (document, _) in response_bridges.items():
        if anaphor not in key_bridges:
            columns[:, 2, document] += 1
    return tuple(columns.reshape(3 * len(LEVELS), len(key.names)))


def _bridges(corpus: Corpus, code: IntArray) -> dict[int, tuple[int, int]]:
    """Anaphor → its document and anchor; mentions are given by `code`, int64 (mentions,)."""
    if corpus.links is None:
        return {}
    rows = np.flatnonzero(corpus.links.kind == KINDS.index("bridging"))
    anaphor, anchor = corpus.links.source[rows], corpus.links.target[rows]
    columns = code[anaphor], corpus.document[anaphor], code[anchor]
    return {words: (document, other) for words, document, other in tuples(*columns)}


def _members(corpus: Corpus, code: IntArray) -> dict[int, set[int]]:
    """The entities of each mention, by its code; non-referring expressions have none."""
    entities: dict[int, set[int]] = {}
    referring = slice(None) if corpus.referring is None else corpus.referring
    for words, entity in tuples(code[referring], corpus.entity[referring]):
        entities.setdefault(words, set()).add(entity)
    return entities


def score(sums: Sums) -> Score:
    """The score of the entity level, by which the shared tasks rank, with all three levels."""
    return score_levels(sums, LEVELS, "entity")


def f1(sums: FloatArray) -> FloatArray:
    """F1 of the entity level: float64 (…, 9, samples) → (…, samples)."""
    return outcomes_f1(sums[..., 6:, :])


def _sample() -> tuple[Corpus, Corpus]:
    """K = {ab}{c}, c → a; the response has c → b."""
    sides = []
    for anchor in (0, 1):
        corpus = Corpus.from_clusters({"example": [[(0, 0), (1, 1)], [(2, 2)]]})
        kind = np.array([KINDS.index("bridging")])
        sides.append(replace(corpus, links=Links(kind, np.array([2]), np.array([anchor]), ("",))))
    return sides[0], sides[1]


BRIDGING = MatchedMetric(
    name="bridging",
    title="Bridging",
    help="bridging anaphors, found and linked to the right mention or to the right entity",
    citation="Yu et al. 2022, The Universal Anaphora Scorer (LREC)",
    formula="""\
R = tp / (tp + fn), P = tp / (tp + fp), on three levels: the anaphor is found; its anchor has the
same words; its anchor is a mention of the right key entity. The last is what is reported.""",
    example="""\
K = {ab}{c} with c → a, the response has c → b: the anaphor is found, the anchor is another mention
of the right entity. anaphor 1/1, mention 0/1, entity 1/1: R = 1/1, P = 1/1.""",
    columns=tuple(f"{level}_{name}" for level in LEVELS for name in OUTCOMES),
    sample=_sample,
    count=count,
    score=score,
    f1=f1,
)

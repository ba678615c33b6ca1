"""Bridging: is the anaphor found, and linked to the right mention, or to the right entity?

Pairs of an anaphor and its anchor are compared by their words, whatever the matching rule. An
anaphor that only one side has is an error on all three levels.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from corefkit.core.arrays import BoolArray, FloatArray, IntArray, tuples
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

BridgeRows = tuple[int, int, int]
"""A number for the words of the anaphor, and the rows of the anaphor and of its anchor."""


def count(matched: MatchedSides) -> Counted:
    """tp, fn and fp by document, on each level."""
    return count_bridges(*matched.whole, entities=matched.whole[0])


def count_bridges(key: Corpus, response: Corpus, entities: Corpus) -> Counted:
    """Like `count`, from two sides; `entities` is the key whose entities the anchors belong to."""
    key_code, response_code, codes = mention_codes(key, response, entities)
    member = members(entities, codes, entities.referring)

    def judge(anchor: int, other: int) -> tuple[bool, bool]:
        right, found = int(key_code[anchor]), int(response_code[other])
        return right == found, bool(member.get(right, set()) & member.get(found, set()))

    found = {bridge[0]: bridge for bridge in bridges(key, key_code)}
    return judge_bridges(found.values(), bridges(response, response_code), judge, key, response)


def judge_bridges(
    key_bridges: Iterable[BridgeRows],
    response_bridges: Iterable[BridgeRows],
    judge: Callable[[int, int], tuple[bool, bool]],
    key: Corpus,
    response: Corpus,
) -> Counted:
    """tp, fn and fp by document, on each level.

    `judge` says of the anchors of the same anaphor, rows of key and response, whether they are the
    same mention and whether they are of one entity.
    """
    columns = np.zeros((len(LEVELS), 3, len(key.names)), dtype=np.int64)
    anchor_of = {words: (anaphor, anchor) for words, anaphor, anchor in response_bridges}
    seen = set()
    for words, anaphor, anchor in key_bridges:
        document = int(key.document[anaphor])
        if words not in anchor_of:
            columns[:, 1, document] += 1
            continue
        seen.add(words)
        mention, entity = judge(anchor, anchor_of[words][1])
        for level, right in enumerate((True, mention, mention or entity)):
            columns[level, 0 if right else slice(1, 3), document] += 1
    for words in anchor_of.keys() - seen:
        columns[:, 2, int(response.document[anchor_of[words][0]])] += 1
    return tuple(column for level in columns for column in level)


def bridges(corpus: Corpus, code: IntArray) -> list[BridgeRows]:
    """The bridges of a corpus; anaphors have the same words if they have the same `code`."""
    if corpus.links is None:
        return []
    rows = np.flatnonzero(corpus.links.kind == KINDS.index("bridging"))
    anaphor, anchor = corpus.links.source[rows], corpus.links.target[rows]
    return list(tuples(code[anaphor], anaphor, anchor))


def members(corpus: Corpus, code: IntArray, chosen: BoolArray | None = None) -> dict[int, set[int]]:
    """The entities of each mention, by its code; if some mentions are `chosen`, of these only."""
    entities: dict[int, set[int]] = {}
    rows = slice(None) if chosen is None else chosen
    for words, entity in tuples(code[rows], corpus.entity[rows]):
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

"""The zero score: are zeros, i.e. unpronounced pronouns, linked to the right entity?

The head of a zero is an empty node. The first mention of an entity is not judged. Any other key
zero is fn if it has no partner or its partner is the first mention of an entity, tp if an earlier
mention of its key entity is matched with a mention of the partner's entity, and otherwise wl (wrong
link). A response zero that is judged is fp unless it is the partner of a key zero that is judged.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, FloatArray, IntArray, ranks_of, starts_of_runs
from corefkit.core.corpus import Corpus
from corefkit.core.nodes import is_zero, node_order
from corefkit.metrics.base import Counted, MatchedMetric, MatchedSides, Score, Sums, rates, rates_f1

COLUMNS = ("tp", "wl", "fn", "fp")


class Zeros(NamedTuple):
    """The mentions of a side, by entity and in text order within each.

    Attributes:
        row: int64 (mentions,), the row of each.
        entity, document: int64 (mentions,).
        first: bool (mentions,), the first mention of each entity.
        zero: bool (mentions,), the mentions whose head is an empty node.
    """

    row: IntArray
    entity: IntArray
    document: IntArray
    first: BoolArray
    zero: BoolArray


def count(matched: MatchedSides) -> Counted:
    """tp, wl, fn and fp by document."""
    key, response = (in_order(side, node_order(side)) for side in (matched.key, matched.response))
    return count_zeros(key, response, matched.partner, len(matched.key.names))


def in_order(corpus: Corpus, order: IntArray) -> Zeros:
    """The mentions of a corpus by entity, in the order of `order` (all rows) within each."""
    order = order[np.argsort(corpus.entity[order], kind="stable")]
    entity = corpus.entity[order]
    first = np.zeros(len(order), dtype=bool)
    first[starts_of_runs(entity)] = True
    return Zeros(order, entity, corpus.document[order], first, is_zero(corpus)[order])


def count_zeros(
    key: Zeros,
    response: Zeros,
    partner: IntArray,
    documents: int,
    value: IntArray | None = None,
) -> Counted:
    """tp, wl, fn and fp by document; `partner` has the response row of each key row, −1 for none.

    Response rows with the same `value`, int64 (mentions,) from 0, are copies of one mention, which
    is first in an entity, or a partner, if one of its copies is.
    """
    of_mention = response.row if value is None else value[response.row]
    leading = _anywhere(response.first, of_mention)
    rank = np.append(ranks_of(response.row), -1)
    partner = rank[partner[key.row]]
    anaphor = key.zero & ~key.first
    absent = (partner < 0) | np.append(leading, True)[partner]
    response_entity = np.append(response.entity, -1)[partner]
    covered = _seen_before(key.entity, response_entity)
    outcomes = (anaphor & ~absent & covered, anaphor & ~absent & ~covered, anaphor & absent)
    is_partner = np.zeros(len(response.row), dtype=bool)
    is_partner[partner[anaphor & (partner >= 0)]] = True
    spurious = response.zero & ~leading & ~_anywhere(is_partner, of_mention)
    return (
        *(np.bincount(key.document[chosen], minlength=documents) for chosen in outcomes),
        np.bincount(response.document[spurious], minlength=documents),
    )


def _anywhere(chosen: BoolArray, value: IntArray) -> BoolArray:
    """bool (rows,): whether any row with the same value is chosen."""
    holds = np.zeros(int(value.max(initial=-1)) + 1, dtype=bool)
    holds[value[chosen]] = True
    return holds[value]


def _seen_before(key_entity: IntArray, response_entity: IntArray) -> BoolArray:
    """bool (rows,): whether an earlier row has the same two; never if the response has −1."""
    order = np.lexsort((response_entity, key_entity))
    same = np.zeros(len(order), dtype=bool)
    same[1:] = (np.diff(key_entity[order]) == 0) & (np.diff(response_entity[order]) == 0)
    seen = np.zeros(len(order), dtype=bool)
    seen[order] = same
    return seen & (response_entity >= 0)


def score(sums: Sums) -> Score:
    """The score with R = tp/(tp+wl+fn), P = tp/(tp+wl+fp) and the counts.

    >>> score((1, 2, 1, 1)).recall
    0.25
    """
    tp, wl, fn, fp = sums
    return rates(tp, wl + fn, wl + fp, dict(zip(COLUMNS, sums, strict=True)))


def f1(sums: FloatArray) -> FloatArray:
    """The F1 of `score` for many sums at once: float64 (…, 4, samples) → (…, samples)."""
    tp, wl, fn, fp = (sums[..., i, :] for i in range(4))
    return rates_f1(tp, wl + fn, wl + fp)


def _sample() -> tuple[Corpus, Corpus]:
    """Two words with a zero after each; the response links both zeros to the first word."""
    words, zeros = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    sides = []
    for entity in (np.array([0, 0, 1, 1]), np.array([0, 0, 1, 0])):
        nothing = np.zeros(4, dtype=np.int64)
        side = Corpus(
            names=("example",),
            tokens=np.array([2]),
            document=nothing,
            start=words,
            end=words,
            entity=entity,
            labels=("1", "2"),
        )
        sides.append(replace(side, zero=zeros, head=words, head_zero=zeros))
    return sides[0], sides[1]


ZERO = MatchedMetric(
    name="zero",
    title="Zero",
    help="zeros that are linked to the right entity (anaphor-decomposable)",
    citation="Žabokrtský et al. 2022, Findings of the Shared Task on Multilingual Coreference "
    "Resolution (CRAC); Tuggener 2014",
    formula="""\
R = tp / (tp + wl + fn), P = tp / (tp + wl + fp), over zeros that are not first in their entity
fn: no partner, or one that is first in its entity; tp: a mention before it has a partner in the
partner's entity; wl: none has; fp: a response zero that is nobody's partner.""",
    example="""\
Text a 0 b 0 (zeros written 0), key {a 0₁} {b 0₂}, response {a 0₁ 0₂} {b}.
0₁ has a before it, which the response has in the same entity: tp. 0₂ has b, which it has
elsewhere: wl.  R = 1/2, P = 1/2.""",
    columns=COLUMNS,
    sample=_sample,
    count=count,
    score=score,
    f1=f1,
)

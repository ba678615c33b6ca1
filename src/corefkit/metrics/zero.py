"""The zero score: are zeros, the pronouns that are not said, linked to the right entity?

The head of a zero is an empty node. Zeros that begin their entity are not judged. Any other key
zero is fn if it lacks a partner or its partner begins an entity, tp if an earlier mention of its
key entity is matched with one in the partner's entity, and wl otherwise. A response zero that
is judged is fp unless it is the partner of a key zero that is judged.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, FloatArray, IntArray, ranks_of, starts_of_runs
from corefkit.core.corpus import Corpus
from corefkit.core.nodes import is_zero, text_order
from corefkit.metrics.base import Counted, MatchedMetric, MatchedSides, Score, Sums, rates, rates_f1

COLUMNS = ("tp", "wl", "fn", "fp")


class Zeros(NamedTuple):
    """The mentions of one side, by entity and in the order of the text.

    Attributes:
        row: int64 (mentions,), their rows.
        entity, document: int64 (mentions,).
        first: bool (mentions,), the first of their entity.
        zero: bool (mentions,), those whose head is an empty node.
    """

    row: IntArray
    entity: IntArray
    document: IntArray
    first: BoolArray
    zero: BoolArray


def count(matched: MatchedSides) -> Counted:
    """tp, wl, fn and fp by document."""
    key, response = (in_order(side, text_order(side)) for side in (matched.key, matched.response))
    return count_zeros(key, response, matched.partner, len(matched.key.names))


def in_order(corpus: Corpus, order: IntArray) -> Zeros:
    """The mentions of each entity in this order of rows."""
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
    """The outcomes, given the row of the response for each row of the key; −1 for none.

    Rows of the response with the same `value`, int64 (mentions,) from 0 on, are copies of one
    mention, which begins an entity or is a partner wherever one of them does or is.
    """
    of_mention = response.row if value is None else value[response.row]
    leading = _anywhere(response.first, of_mention)
    place = np.append(ranks_of(response.row), -1)
    partner = place[partner[key.row]]
    anaphor = key.zero & ~key.first
    absent = (partner < 0) | np.append(leading, True)[partner]
    there = np.append(response.entity, -1)[partner]
    covered = _seen_before(key.entity, there)
    outcomes = (anaphor & ~absent & covered, anaphor & ~absent & ~covered, anaphor & absent)
    known = np.zeros(len(response.row), dtype=bool)
    known[partner[anaphor & (partner >= 0)]] = True
    spurious = response.zero & ~leading & ~_anywhere(known, of_mention)
    return (
        *(np.bincount(key.document[chosen], minlength=documents) for chosen in outcomes),
        np.bincount(response.document[spurious], minlength=documents),
    )


def _anywhere(chosen: BoolArray, value: IntArray) -> BoolArray:
    """Whether this holds of any row with the same value."""
    holds = np.zeros(int(value.max(initial=-1)) + 1, dtype=bool)
    holds[value[chosen]] = True
    return holds[value]


def _seen_before(entity: IntArray, there: IntArray) -> BoolArray:
    """Whether an earlier row of the same entity has the same number `there`, not −1."""
    order = np.lexsort((there, entity))
    same = np.zeros(len(order), dtype=bool)
    same[1:] = (np.diff(entity[order]) == 0) & (np.diff(there[order]) == 0)
    seen = np.zeros(len(order), dtype=bool)
    seen[order] = same
    return seen & (there >= 0)


def score(sums: Sums) -> Score:
    """R = tp/(tp+wl+fn), P = tp/(tp+wl+fp), and the counts.

    >>> score((1, 2, 1, 1)).recall
    0.25
    """
    tp, wl, fn, fp = sums
    return rates(tp, wl + fn, wl + fp, dict(zip(COLUMNS, sums, strict=True)))


def f1(sums: FloatArray) -> FloatArray:
    """Like `score`, F1 only, of many sums at once: float64 (…, 4, samples) → (…, samples)."""
    tp, wl, fn, fp = (sums[..., i, :] for i in range(4))
    return rates_f1(tp, wl + fn, wl + fp)


def _sample() -> tuple[Corpus, Corpus]:
    """Two words, a zero after each; the response has both zeros with the first word."""
    words, zeros = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    sides = []
    for entity in (np.array([0, 0, 1, 1]), np.array([0, 0, 1, 0])):
        nothing = np.zeros(4, dtype=np.int64)
        side = Corpus(("example",), np.array([2]), nothing, words, words, entity, ("1", "2"))
        sides.append(replace(side, zero=zeros, head=words, _head_zero=zeros))
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

"""Non-referring expressions that were found, compared by their words.

They belong to no entity. If the response puts one into an entity, the other metrics count a
spurious mention, and this one a false negative.
"""

from dataclasses import replace

import numpy as np

from corefkit.core.arrays import distinct
from corefkit.core.corpus import Corpus
from corefkit.core.nodes import mention_codes
from corefkit.matching.exact import common_codes
from corefkit.metrics.base import (
    OUTCOMES,
    Counted,
    MatchedMetric,
    MatchedSides,
    count_outcomes,
    outcomes_f1,
    score_outcomes,
)


def count(matched: MatchedSides) -> Counted:
    """tp, fn and fp by document: expressions with the same words, whatever the matching rule.

    Several expressions with the same words count once.
    """
    key, response = (_nonreferring(side) for side in matched.whole)
    codes = mention_codes(key, response)
    first = [distinct(code).first for code in codes]
    pairs = common_codes(*(code[rows] for code, rows in zip(codes, first, strict=True)))
    return count_outcomes(key.take(first[0]), response.take(first[1]), pairs)


def _nonreferring(corpus: Corpus) -> Corpus:
    """The corpus with only its non-referring expressions."""
    if corpus.referring is None:
        return corpus.take(np.zeros(corpus.mentions, dtype=bool))
    return corpus.take(~corpus.referring)


def _sample() -> tuple[Corpus, Corpus]:
    """It rained, there was thunder: both words are non-referring; the response has only "it"."""
    key = Corpus.from_clusters({"example": [[(0, 0)], [(3, 3)]]})
    response = Corpus.from_clusters({"example": [[(0, 0)]]})
    return (
        replace(key, referring=np.zeros(2, dtype=bool)),
        replace(response, referring=np.zeros(1, dtype=bool)),
    )


NONREFERRING = MatchedMetric(
    name="nonreferring",
    title="Non-referring",
    help="expletives and other non-referring expressions that were found, by their words",
    citation="Yu et al. 2022, The Universal Anaphora Scorer (LREC)",
    formula="R = tp / (tp + fn), P = tp / (tp + fp), over non-referring expressions",
    example="""\
It rained, there was thunder: key "it" and "there", response "it".  R = 1/2, P = 1/1.""",
    columns=OUTCOMES,
    sample=_sample,
    count=count,
    score=score_outcomes,
    f1=outcomes_f1,
)

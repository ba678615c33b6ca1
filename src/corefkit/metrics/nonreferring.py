"""Non-referring expressions: which of them were found, by their words.

No entity holds them. If the response puts one into an entity, the other metrics see a spurious
mention, and this one a miss.
"""

from dataclasses import replace

import numpy as np

from corefkit.data.corpus import Corpus
from corefkit.data.matched import Matched
from corefkit.data.matching.exact import mention_codes
from corefkit.metrics.base import MatchedMetric, PerDocument
from corefkit.metrics.outcomes import COLUMNS, f1, score


def count(matched: Matched) -> tuple[PerDocument, ...]:
    """tp, fn and fp by document: the same words on both sides, whatever the rule of matching."""
    key, response = (_silent(side) for side in matched.whole)
    return outcomes(key, response)


def outcomes(key: Corpus, response: Corpus) -> tuple[PerDocument, ...]:
    """tp, fn and fp of the mentions of two sides, each by its words."""
    documents = len(key.names)
    ours, theirs = mention_codes(key, response)
    first = np.unique(ours, return_index=True)[1], np.unique(theirs, return_index=True)[1]
    found = np.isin(ours[first[0]], theirs)
    spurious = ~np.isin(theirs[first[1]], ours)
    of_key, of_response = key.document[first[0]], response.document[first[1]]
    return (
        np.bincount(of_key[found], minlength=documents),
        np.bincount(of_key[~found], minlength=documents),
        np.bincount(of_response[spurious], minlength=documents),
    )


def _silent(corpus: Corpus) -> Corpus:
    if corpus.referring is None:
        return corpus.take(np.zeros(corpus.mentions, dtype=bool))
    return corpus.take(~corpus.referring)


def _sample() -> tuple[Corpus, Corpus]:
    """It rained; there was thunder: the response takes "there" for an entity."""
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
    columns=COLUMNS,
    sample=_sample,
    count=count,
    score=score,
    f1=f1,
)

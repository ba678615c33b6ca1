"""MOR, the mention overlap ratio: how much of the mentions was found, whatever their entities.

The mentions of a document are paired one to one so that they have as many common nodes as possible;
recall divides these by the nodes of all key mentions, precision by those of all response mentions.
The matching for the other metrics is ignored.

>>> from corefkit import Corpus, score
>>> key = Corpus.from_clusters({"tale": [[(1, 3), (2, 3)], [(5, 5)]]})
>>> response = Corpus.from_clusters({"tale": [[(2, 3)], [(3, 4)]]})
>>> score(key, response, metrics="mor")["mor"].counts
{'recall': [3, 6], 'precision': [3, 4]}
"""

import numpy as np

from corefkit.core.arrays import IntArray, stretches, sum_by
from corefkit.core.corpus import Corpus
from corefkit.core.nodes import common_nodes, ends_of, number_rows, sizes
from corefkit.core.pairing import best_alignment
from corefkit.metrics.base import Counted, MatchedMetric, MatchedSides


def count(matched: MatchedSides) -> Counted:
    """Common nodes, and nodes of key mentions; common nodes, and nodes of response mentions."""
    return count_nodes(matched.key, matched.response)


def count_nodes(key: Corpus, response: Corpus) -> Counted:
    """Like `count`, from the two sides; repeated mentions count repeatedly."""
    key_row, response_row = _overlapping(key, response)
    weight = common_nodes(key, response, key_row, response_row)
    shares = weight > 0
    key_row, response_row, weight = key_row[shares], response_row[shares], weight[shares]
    chosen = best_alignment(key_row, response_row, weight.astype(np.float64))
    documents = len(key.names)
    common = sum_by(key.document[key_row[chosen]], weight[chosen], documents)
    total, other = (sum_by(side.document, sizes(side), documents) for side in (key, response))
    return common, total, common, other


def _overlapping(key: Corpus, response: Corpus) -> tuple[IntArray, IntArray]:
    """Rows of mentions of the same document whose hulls overlap: of the key, of the response.

    If two hulls overlap, one begins within the other. The mentions that begin within a hull are
    found by two searches among the sorted beginnings.
    """
    first, last = _hulls(key, response)
    pairs = []
    for outer, inner, strictly in ((0, 1, False), (1, 0, True)):
        order = np.argsort(first[inner], kind="stable")
        begins = first[inner][order]
        low = np.searchsorted(begins, first[outer], side="right" if strictly else "left")
        high = np.searchsorted(begins, last[outer], side="right")
        number = np.maximum(high - low, 0)
        left, right = np.repeat(np.arange(len(number)), number), order[stretches(low, number)]
        pairs.append((left, right) if outer == 0 else (right, left))
    return (
        np.concatenate([key_rows for key_rows, _ in pairs]),
        np.concatenate([response_rows for _, response_rows in pairs]),
    )


def _hulls(key: Corpus, response: Corpus) -> tuple[list[IntArray], list[IntArray]]:
    """The first nodes and the last nodes of both sides, as numbers in text order."""
    columns: list[list[IntArray]] = []
    for corpus in (key, response):
        token, zero, last, last_zero = ends_of(corpus)
        columns += [[corpus.document, token, zero], [corpus.document, last, last_zero]]
    joined = [np.concatenate(column) for column in zip(*columns, strict=True)]
    bounds = np.cumsum([key.mentions, key.mentions, response.mentions])
    key_first, key_last, response_first, response_last = np.split(number_rows(joined), bounds)
    return [key_first, response_first], [key_last, response_last]


def _sample() -> tuple[Corpus, Corpus]:
    key = Corpus.from_clusters({"example": [[(1, 3), (2, 3)], [(5, 5)]]})
    return key, Corpus.from_clusters({"example": [[(2, 3)], [(3, 4)]]})


MOR = MatchedMetric(
    name="mor",
    title="MOR",
    help="mention overlap ratio: nodes of mentions that were found, whatever their entity",
    citation="Žabokrtský et al. 2022, Findings of the Shared Task on Multilingual Coreference "
    "Resolution (CRAC)",
    formula="""\
R = Σ |K ∩ R| over the one-to-one pairing of mentions with the highest total / Σ |K|
K and R are mentions of key and response as sets of nodes; entities are ignored.""",
    example="""\
Key mentions 1–3, 2–3, 5, response mentions 2–3, 3–4: 1–3 with 3–4 (1) and 2–3 with 2–3 (2).
R = 3/6, P = 3/4.""",
    sample=_sample,
    count=count,
)

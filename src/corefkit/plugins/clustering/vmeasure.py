"""V-measure: homogeneity and completeness, from entropies.

Completeness, the recall, is 1 − H(R|K) / H(R): how much of the uncertainty about the response
entity of a mention is removed if its key entity is known. Homogeneity, the precision, is
1 − H(K|R) / H(K). The V-measure is their harmonic mean (Rosenberg and Hirschberg 2007), which
equals the mutual information of key and response divided by the mean of their entropies.

A mention that one side lacks is a singleton there. Entropies are computed within documents and
weighted by the number of mentions, so that separating documents earns nothing. If an entropy is 0,
there is no uncertainty, and the ratio counts as 1.

>>> from corefkit import Evaluator
>>> score = Evaluator("vmeasure").update(["ab", "cd"], ["a", "b", "cd"]).scores()["vmeasure"]
>>> score.precision, round(score.recall, 4), round(score.f1, 4)
(1.0, 0.6667, 0.8)
"""

from itertools import pairwise
from math import fsum

import numpy as np

from corefkit.core.arrays import FloatArray, IntArray, starts_of_runs
from corefkit.core.directed import Both, Directed, all_mentions
from corefkit.metrics.base import Counted, PartitionMetric, Score, Sums

COLUMNS = ("response_given_key", "response", "key_given_response", "key", "mentions", "most")
"""Four entropies in nats, multiplied by the number of mentions of either side; that number; and the
largest possible such product, reached if all mentions are singletons."""


def count(both: Both) -> Counted:
    """COLUMNS by document."""
    key, response = both
    mentions = all_mentions(key, response)
    documents = np.arange(key.documents)
    return (
        _given(key),
        _entropy(response, mentions),
        _given(response),
        _entropy(key, mentions),
        mentions,
        sum_logs(key.documents, documents, mentions, np.ones_like(mentions), mentions),
    )


def _given(table: Directed) -> FloatArray:
    """Σ n · log(|K|/n) by document: H(R|K) times the number of mentions.

    Mentions that the response lacks are parts with n = 1.
    """
    document, size, n = table.document[table.row], table.row_size, table.n
    return sum_logs(
        table.documents,
        np.concatenate((document, table.document, document)),
        np.concatenate((size, table.size, size)),
        np.concatenate((n, np.ones_like(table.size), np.ones_like(size))),
        np.concatenate((n, table.size, -n)),
    )


def _entropy(table: Directed, mentions: IntArray) -> FloatArray:
    """Σ |K| · log(N/|K|) by document: H(K) times N, the number of mentions of either side."""
    return sum_logs(
        table.documents,
        np.concatenate((table.document, np.arange(table.documents))),
        np.concatenate((mentions[table.document], mentions)),
        np.concatenate((table.size, np.ones_like(mentions))),
        np.concatenate((table.size, mentions - table.mentions)),
    )


def sum_logs(
    documents: int, document: IntArray, whole: IntArray, part: IntArray, times: IntArray
) -> FloatArray:
    """Σ times · log(whole/part) by document.

    Equal terms are first counted as integers, so that the sum depends neither on their order nor
    on how they were grouped. No term is negative, so nothing cancels out.
    """
    order = np.lexsort((part, whole, document))
    columns = np.stack((document[order], whole[order], part[order]))
    change = np.any(columns[:, 1:] != columns[:, :-1], axis=0)
    first = np.flatnonzero(np.concatenate((np.ones(min(len(order), 1), dtype=bool), change)))
    counted = np.add.reduceat(times[order], first) if len(first) else times[:0]
    differing = (counted > 0) & (columns[1, first] > columns[2, first])
    row, wholes, parts = columns[:, first[differing]]
    terms = (counted[differing] * np.log1p((wholes - parts) / parts)).tolist()
    sums = np.zeros(documents)
    starts = starts_of_runs(row)
    ends = pairwise([*starts.tolist(), len(terms)])
    sums[row[starts]] = [fsum(terms[start:end]) for start, end in ends]
    return sums


def score(sums: Sums) -> Score:
    """Completeness, homogeneity and the V-measure; 0 if there are no mentions."""
    response_open, response, key_open, key, mentions, _ = sums
    counts = {"recall": [response - response_open, response], "precision": [key - key_open, key]}
    if not mentions:
        return Score(0.0, 0.0, 0.0, counts)
    recall = (response - response_open) / response if response else 1.0
    precision = (key - key_open) / key if key else 1.0
    both = recall + precision
    return Score(2 * recall * precision / both if both else 0.0, recall, precision, counts)


def f1(sums: FloatArray) -> FloatArray:
    """The F1 of `score` for many sums at once: float64 (…, 6, samples) → (…, samples)."""
    response_open, response, key_open, key, mentions = (sums[..., i, :] for i in range(5))
    known = [
        np.divide(whole - left, whole, out=np.ones(whole.shape), where=whole > 0)
        for left, whole in ((response_open, response), (key_open, key))
    ]
    both = known[0] + known[1]
    mean: FloatArray = np.zeros(both.shape)
    np.divide(2 * known[0] * known[1], both, out=mean, where=(both != 0) & (mentions > 0))
    return mean


VMEASURE = PartitionMetric(
    name="vmeasure",
    title="V",
    help="V-measure: completeness (R) and homogeneity (P), from entropies",
    citation="Rosenberg and Hirschberg 2007, V-Measure (EMNLP)",
    formula="""\
R = 1 − H(R|K) / H(R) (completeness), P = 1 − H(K|R) / H(K) (homogeneity); 1 where H is 0
A mention that one side lacks is alone there. H is summed over documents, by mentions.""",
    example="""\
9 mentions: the key is {abc} {defg} {h} {i}, the response {ab} {cd} {e} {fghi}. In bits,
9·H(R) = 2·log 9/2 + 2·log 9/2 + log 9 + 4·log 9/4 = 16.53,
9·H(R|K) = (2·log 3/2 + log 3) + (log 4 + log 4 + 2·log 4/2) = 8.75.  R = 1 − 8.75/16.53 = 0.47.
9·H(K) = 15.77, 9·H(K|R) = 2·log 2 + (2·log 4/2 + log 4 + log 4) = 8.  P = 1 − 8/15.77 = 0.49.""",
    columns=COLUMNS,
    count=count,
    score=score,
    f1=f1,
)

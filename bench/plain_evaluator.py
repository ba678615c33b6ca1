"""The evaluator most projects have: a dict from mentions to clusters, and loops.

It is here for comparison: to be outrun, and to agree with. One document at a time; MUC and B³
walk over the mentions, CEAFe fills a dense matrix for scipy's assignment solver.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

Mention = tuple[int, int]
Cluster = Sequence[Mention]
Ratio = tuple[float, float]
"""A numerator and a denominator."""


class PlainEvaluator:
    """Adds up MUC, B³ and CEAFe over documents."""

    def __init__(self) -> None:
        self._sums = {name: Sums() for name in ("muc", "bcub", "ceafe")}

    def update(self, key: Sequence[Cluster], response: Sequence[Cluster]) -> None:
        """Add one document; each side has each mention once."""
        in_key = {mention: number for number, cluster in enumerate(key) for mention in cluster}
        in_response = {
            mention: number for number, cluster in enumerate(response) for mention in cluster
        }
        self._sums["muc"].add(muc(key, in_response), muc(response, in_key))
        self._sums["bcub"].add(b_cubed(key, in_response), b_cubed(response, in_key))
        self._sums["ceafe"].add(*ceaf_e(key, response))

    def f1(self) -> dict[str, float]:
        """The F1 of each metric over all documents."""
        return {name: sums.f1() for name, sums in self._sums.items()}


class Sums:
    """Numerators and denominators of recall and precision, summed over documents."""

    def __init__(self) -> None:
        self._recall = self._precision = (0.0, 0.0)

    def add(self, recall: Ratio, precision: Ratio) -> None:
        """Add one document."""
        self._recall = self._recall[0] + recall[0], self._recall[1] + recall[1]
        self._precision = self._precision[0] + precision[0], self._precision[1] + precision[1]

    def f1(self) -> float:
        """The harmonic mean of recall and precision."""
        recall, precision = (n / d if d else 0.0 for n, d in (self._recall, self._precision))
        return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def muc(clusters: Sequence[Cluster], other: Mapping[Mention, int]) -> Ratio:
    """Links found and links needed; `other` is the cluster of each mention on the other side."""
    found = needed = 0
    for cluster in clusters:
        parts = set()
        alone = 0
        for mention in cluster:
            if mention in other:
                parts.add(other[mention])
            else:
                alone += 1
        found += len(cluster) - len(parts) - alone
        needed += len(cluster) - 1
    return found, needed


def b_cubed(clusters: Sequence[Cluster], other: Mapping[Mention, int]) -> Ratio:
    """The summed recall of the mentions, and how many there are."""
    found, mentions = 0.0, 0
    for cluster in clusters:
        shares: dict[int, int] = {}
        for mention in cluster:
            if mention in other:
                shares[other[mention]] = shares.get(other[mention], 0) + 1
        found += sum(share * share for share in shares.values()) / len(cluster)
        mentions += len(cluster)
    return found, mentions


def ceaf_e(key: Sequence[Cluster], response: Sequence[Cluster]) -> tuple[Ratio, Ratio]:
    """The likeness of the best alignment over the key entities, and over the response entities."""
    key_sets, response_sets = list(map(set, key)), list(map(set, response))
    likeness = np.zeros((len(key), len(response)))
    for row, ours in enumerate(key_sets):
        for column, theirs in enumerate(response_sets):
            likeness[row, column] = 2 * len(ours & theirs) / (len(ours) + len(theirs))
    rows, columns = linear_sum_assignment(likeness, maximize=True)
    best = float(likeness[rows, columns].sum())
    return (best, len(key)), (best, len(response))

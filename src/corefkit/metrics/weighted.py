"""Sums with the virtual mentions of split antecedents, in fractions that are rounded once."""

from fractions import Fraction

import numpy as np

from corefkit.data.arrays import FloatArray, IntArray, sum_by, tuples
from corefkit.data.counts import PerDocument
from corefkit.data.overlap import Overlap
from corefkit.metrics import blanc
from corefkit.metrics.base import Counted

Weights = list[tuple[int, Fraction]]
"""Key entities, and what is added to the sums of their documents."""


def sum_weighted(
    overlap: Overlap, numerator: IntArray, denominator: IntArray, weights: Weights
) -> FloatArray:
    """Like `overlap.sum_ratios`, with these weights."""
    sums = overlap.sum_ratios(numerator, denominator)
    for document, weight in by_document(overlap, weights).items():
        here = np.flatnonzero(overlap.document == document)
        tops: dict[int, int] = {}
        for n, d in tuples(numerator[here], denominator[here]):
            tops[d] = tops.get(d, 0) + n
        sums[document] = float(sum((Fraction(n, d) for d, n in tops.items()), weight))
    return sums


def by_document(overlap: Overlap, weights: Weights) -> dict[int, Fraction]:
    """The sum of the weights in each document that has any."""
    found: dict[int, Fraction] = {}
    for entity, weight in weights:
        document = int(overlap.key.document[entity])
        found[document] = found.get(document, 0) + weight
    return found


def count_blanc(linked: Overlap, apart: Overlap) -> Counted:
    """Like `blanc.count`; the weights of split antecedents differ in the two kinds of links."""
    both, key, response, _, not_key, not_response = blanc.count(linked)
    neither = blanc.count(apart)[3]
    added = [(cell.key_entity, cell.recall * cell.shared) for cell in linked.weighted]
    both, neither = _plus(linked, both, added), _plus(apart, neither, _apart(apart))
    return both, key, response, neither, not_key, not_response


def _plus(overlap: Overlap, sums: PerDocument, added: Weights) -> PerDocument:
    """Sums by document with the fractions that belong to these key entities."""
    more = by_document(overlap, added)
    whole = sums.astype(np.float64)
    for document, weight in more.items():
        whole[document] = float(int(sums[document]) + weight)
    return whole


def _apart(overlap: Overlap) -> Weights:
    """Links of virtual mentions that are non-coreferent on both sides, by their key entities."""
    found = []
    in_key = sum_by(overlap.key_entity, overlap.count, len(overlap.key.size))
    in_response = sum_by(overlap.response_entity, overlap.count, len(overlap.response.size))
    common = overlap.sum_cells(overlap.count)
    document = overlap.key.document
    for place, (key, response, count, weight, _) in enumerate(overlap.weighted):
        others = int(common[document[key]] - in_key[key] - in_response[response]) + count
        found.append((key, weight * others))
        for one, other, _, recall, _ in overlap.weighted[:place]:
            if document[one] == document[key] and one != key and other != response:
                found.append((key, weight * recall))
    return found

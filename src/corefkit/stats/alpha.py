"""Krippendorff's α for chains (Passonneau 2004): agreement of any number of annotators.

Units are all mentions marked by at least one annotator. The value that an annotator gives to a unit
is the chain it is in, as a set of mentions; an annotator who did not mark it is treated as having
made it a singleton. Two chains are at distance 0 if they are equal, 1/3 if one is part of the
other, 2/3 if they overlap, 1 if they are disjoint.

α = 1 − D_o / D_e. With n values in all, O the sum of distances within units (over each unit's
ordered pairs, divided by the number of its values minus one) and S the sum of 1 − distance over all
ordered pairs of values, D_o = O / n and D_e = (n² − S) / (n (n − 1)). Chains of different documents
are disjoint, so O, n and S are sums over documents, and samples of documents are weighted sums.
Distances are counted in thirds, as integers, so that no figure depends on the order of documents or
ids.

Because an unmarked mention is a singleton, a singleton that one annotator adds agrees with all who
have not marked it, and α rises. `marked_by_all` keeps only the mentions that all of them marked.
"""

from collections.abc import Sequence
from itertools import combinations
from math import fsum

import numpy as np

from corefkit.core.arrays import BoolArray, FloatArray, IntArray, distinct, sum_by
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.counts import by_name
from corefkit.core.nodes import mention_codes
from corefkit.metrics.base import divide, divide_arrays
from corefkit.stats.resampling import LEVEL, draws, ends_of, grained, quantiles, sample_sums

SAMPLES, SEED = 1000, 0


@frozen(eq=False)
class AlphaCounts:
    """The sums that α is computed from, by document.

    Attributes:
        documents: their names.
        disagreement: float64 (documents,), O.
        values: int64 (documents,), n.
        similarity: int64 (documents,), 3 S.
        unit_disagreement, unit_values: (units,), O and n of each unit, for samples of units.
    """

    documents: tuple[str, ...]
    disagreement: FloatArray
    values: IntArray
    similarity: IntArray
    unit_disagreement: FloatArray
    unit_values: IntArray

    def alpha(self, documents: BoolArray | IntArray | None = None) -> float | None:
        """α over all documents, or over these; None where there is nothing to compare."""
        chosen = slice(None) if documents is None else documents
        n = int(self.values[chosen].sum())
        expected = 3 * n * n - int(self.similarity[chosen].sum())
        disagreement = fsum(self.disagreement[chosen].tolist())
        return 1 - divide(3 * disagreement * (n - 1), expected) if n > 1 else None

    def interval(
        self, samples: int = SAMPLES, seed: int = SEED, level: float = LEVEL
    ) -> tuple[float, float] | None:
        """A bootstrap interval over documents, or, with a single document, over its mentions.

        In the latter case the expected disagreement is kept as observed, as by Krippendorff.
        """
        if self.alpha() is None:
            return None
        rng = np.random.default_rng(seed)
        order = by_name(self.documents)
        used = order[self.values[order] > 0]
        if len(used) > 1:
            table = grained(np.stack((self.disagreement, self.values, self.similarity)))[:, used]
            drawn = _alphas(sample_sums(table, draws(len(used), samples, rng)))
        else:
            drawn = self._unit_samples(samples, rng)
        return quantiles(drawn, ends_of(level))

    def _unit_samples(self, samples: int, rng: np.random.Generator) -> FloatArray:
        n = int(self.values.sum())
        expected = (3 * n * n - int(self.similarity.sum())) / (3 * n * (n - 1))
        table = grained(np.stack((self.unit_disagreement, self.unit_values)))
        disagreement, values = sample_sums(table, draws(table.shape[1], samples, rng))
        return 1 - divide_arrays(disagreement / values, np.array(expected))


def _alphas(sums: FloatArray) -> FloatArray:
    """α of samples, from O, n and 3 S, float64 (3, samples); n must be at least 2."""
    disagreement, n, similarity = sums
    return 1 - divide_arrays(3 * disagreement * (n - 1), 3 * n * n - similarity)


def marked_by_all(corpora: Sequence[Corpus], present: BoolArray) -> list[Corpus]:
    """The corpora with only the mentions that every annotator of their document marked.

    `present`, bool (annotators, documents), tells who annotated which document.

    >>> a = Corpus.from_clusters({"tale": [[(0, 0), (2, 2)], [(4, 4)]]})
    >>> b = Corpus.from_clusters({"tale": [[(0, 0), (2, 2)], [(6, 6)]]})
    >>> [c.mentions for c in marked_by_all([a, b], np.ones((2, 1), dtype=bool))]
    [2, 2]
    """
    codes = mention_codes(*corpora)
    mentions = distinct(np.concatenate(codes))
    document = np.concatenate([c.document for c in corpora])[mentions.first]
    by_all = mentions.counts == present.sum(axis=0)[document]
    kept = np.split(by_all[mentions.inverse], np.cumsum([c.mentions for c in corpora])[:-1])
    return [corpus.take(rows) for corpus, rows in zip(corpora, kept, strict=True)]


def count_alpha(corpora: Sequence[Corpus], present: BoolArray) -> AlphaCounts:
    """The counts of α for corpora with the same documents, in which no span is repeated.

    `present`, bool (annotators, documents), tells who annotated which document; a document that
    only one annotator has is left out.

    >>> a = Corpus.from_clusters({"tale": [[(0, 0), (2, 2), (4, 4)]]})
    >>> b = Corpus.from_clusters({"tale": [[(0, 0), (2, 2)]]})
    >>> present = np.ones((2, 1), dtype=bool)
    >>> count_alpha([a, a], present).alpha(), round(count_alpha([a, b], present).alpha(), 4)
    (1.0, 0.0)
    """
    documents = present.shape[1]
    unit, unit_document = _units(corpora, present)
    value = _values(corpora, unit, len(unit_document))
    value[~present[:, unit_document]] = -1
    each = present.sum(axis=0)
    chains = _ChainValues(value, unit_document)
    thirds = np.zeros(len(unit_document), dtype=np.int64)
    meetings = []
    for a, b in combinations(range(len(corpora)), 2):
        both = np.flatnonzero((value[a] >= 0) & (value[b] >= 0))
        code, inverse, distance = chains.distances(value[a][both], value[b][both])
        thirds[both] += 2 * distance[inverse]
        meetings.append((code, distance))
    code, distance = np.concatenate(meetings, axis=1)
    similarity = chains.similarity(code, distance, documents)
    pairs = 3 * np.maximum(each - 1, 1)
    return AlphaCounts(
        corpora[0].names,
        sum_by(unit_document, thirds, documents) / pairs,
        sum_by(unit_document, each[unit_document], documents),
        similarity,
        thirds / pairs[unit_document],
        each[unit_document],
    )


class _ChainValues:
    """The distinct chains of all annotators, with their sizes and how often each is a value."""

    def __init__(self, value: IntArray, unit_document: IntArray) -> None:
        given = value >= 0
        self._number = int(value.max(initial=0)) + 1
        counts = [np.bincount(row[row >= 0], minlength=self._number) for row in value]
        self._size = np.max(counts, axis=0)
        self._weight = np.sum(counts, axis=0)
        self._document = np.zeros(self._number, dtype=np.int64)
        self._document[value[given]] = np.broadcast_to(unit_document, value.shape)[given]

    def distances(self, a: IntArray, b: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """The pairs of chains that two annotators give to one unit, with distances in thirds.

        Returns the code of each distinct pair, the index of each unit's pair, and the distance of
        each pair. `a` and `b`, int64 (units,), are the values of the two.
        """
        first, second = np.minimum(a, b), np.maximum(a, b)
        pairs = distinct(first * self._number + second)
        code, shared = pairs.values, pairs.counts
        left, right = code // self._number, code % self._number
        smaller = np.minimum(self._size[left], self._size[right])
        part = np.where(shared == smaller, 1, 2)
        return code, pairs.inverse, np.where(left == right, 0, part)

    def similarity(self, code: IntArray, distance: IntArray, documents: int) -> IntArray:
        """3 S by document, from pairs of chains that meet in a unit; some may be listed twice."""
        pairs = distinct(code)
        left, right = pairs.values // self._number, pairs.values % self._number
        distances_of_pairs = distance[pairs.first]
        # A chain is at distance 0 from itself, also where it meets no other chain.
        likeness = (
            2
            * (3 - distances_of_pairs)
            * (distances_of_pairs > 0)
            * self._weight[left]
            * self._weight[right]
        )
        squares = sum_by(self._document, 3 * self._weight**2, documents)
        return squares + sum_by(self._document[left], likeness, documents)


def _units(corpora: Sequence[Corpus], present: BoolArray) -> tuple[list[IntArray], IntArray]:
    """The unit of each mention of each annotator, and the document of each unit.

    The unit is −1 where no other annotator has the document.
    """
    codes = mention_codes(*corpora)
    shared = present.sum(axis=0) > 1
    code, first = np.unique(np.concatenate(codes), return_index=True)
    document = np.concatenate([c.document for c in corpora])[first]
    number = np.where(shared[document], np.cumsum(shared[document], dtype=np.int64) - 1, -1)
    units = [number[np.searchsorted(code, mention)] for mention in codes]
    return units, document[shared[document]]


def _values(corpora: Sequence[Corpus], unit: Sequence[IntArray], units: int) -> IntArray:
    """int64 (annotators, units): the number of the chain; that of a singleton is its unit."""
    value = np.tile(np.arange(units, dtype=np.int64), (len(corpora), 1))
    known: dict[bytes, int] = {}
    for annotator, (corpus, positions) in enumerate(zip(corpora, unit, strict=True)):
        order = np.lexsort((positions, corpus.entity))
        bounds = np.searchsorted(corpus.entity[order], np.arange(corpus.entities + 1)).tolist()
        for entity in range(corpus.entities):
            members = positions[order[bounds[entity] : bounds[entity + 1]]]
            if len(members) > 1 and members[0] >= 0:
                chain = known.setdefault(members.tobytes(), units + len(known))
                value[annotator, members] = chain
    return value

"""Krippendorff's α for chains (Passonneau 2004): agreement of any number of annotators.

Units are the mentions that anyone marked. The value an annotator gives to a unit is the chain it
is in, as a set of mentions; who has not marked it made it a singleton. Two chains are at distance 0
if they are equal, 1/3 if one is part of the other, 2/3 if they overlap, 1 if they are disjoint.

α = 1 − D_o / D_e. With n values in all, O the sum of distances within units (each unit's ordered
pairs, divided by its values less one) and S the sum of 1 − distance over all ordered pairs of
values, D_o = O / n and D_e = (n² − S) / (n (n − 1)). Chains of different documents are disjoint,
so O, n and S are sums over documents: they add, and samples of documents cost nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from corefkit.data.arrays import BoolArray, FloatArray, IntArray, sum_by
from corefkit.data.corpus import Corpus
from corefkit.data.matching.exact import mention_codes


@dataclass(frozen=True, eq=False)
class AlphaCounts:
    """What α is made of, by document.

    Attributes:
        disagreement: float64 (documents,), O.
        values: int64 (documents,), n.
        similarity: float64 (documents,), S.
        unit_disagreement, unit_values: O and n of each unit, for samples of units.
    """

    disagreement: FloatArray
    values: IntArray
    similarity: FloatArray
    unit_disagreement: FloatArray
    unit_values: IntArray

    def alpha(self, documents: BoolArray | IntArray | None = None) -> float | None:
        """α over all documents, or over some of them; None where there is nothing to compare."""
        chosen = slice(None) if documents is None else documents
        return _alpha(
            float(self.disagreement[chosen].sum()),
            int(self.values[chosen].sum()),
            float(self.similarity[chosen].sum()),
        )

    def interval(
        self, samples: int = 1000, seed: int = 0, level: float = 0.95
    ) -> tuple[float, float] | None:
        """A bootstrap interval: over documents, or over mentions where there is one document.

        In the latter case the expected disagreement stays as observed, as Krippendorff has it.
        """
        rng = np.random.default_rng(seed)
        used = np.flatnonzero(self.values)
        if self.alpha() is None:
            return None
        if len(used) > 1:
            weight = rng.multinomial(len(used), np.full(len(used), 1 / len(used)), samples)
            table = np.stack((self.disagreement, self.values, self.similarity))[:, used]
            sums = weight @ table.T
            found = [_alpha(o, round(n), s) for o, n, s in sums.tolist()]
        else:
            found = self._unit_samples(rng, samples)
        known = np.array([value for value in found if value is not None])
        low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2]).tolist()
        return low, high

    def _unit_samples(self, rng: np.random.Generator, samples: int) -> list[float | None]:
        n, s = int(self.values.sum()), float(self.similarity.sum())
        expected = (n * n - s) / (n * (n - 1)) if n > 1 else 0.0
        units = len(self.unit_values)
        found: list[float | None] = []
        for _ in range(samples):
            drawn = rng.integers(0, units, units)
            observed = self.unit_disagreement[drawn].sum() / self.unit_values[drawn].sum()
            found.append(1 - float(observed) / expected if expected else 1.0)
        return found


def _alpha(disagreement: float, values: int, similarity: float) -> float | None:
    expected = values * values - similarity
    if values < 2:
        return None
    if expected <= 0:
        return 1.0
    return 1 - disagreement * (values - 1) / expected


def count_alpha(corpora: Sequence[Corpus], present: BoolArray) -> AlphaCounts:
    """The counts of α for annotators with the same documents, no span twice in any of them.

    `present` (annotators, documents) says who annotated what; a document that only one of them
    has is left out.

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
    each = present.sum(axis=0)[unit_document]
    chains = _Chains(value, unit_document)
    apart = np.zeros(len(unit_document))
    similar = chains.squares(documents)
    seen = np.zeros(0, dtype=np.int64)
    for one, other in combinations(range(len(corpora)), 2):
        both = np.flatnonzero((value[one] >= 0) & (value[other] >= 0))
        code, place, distance = chains.compare(value[one][both], value[other][both])
        np.add.at(apart, both, 2 * distance[place] / (each[both] - 1))
        # Two chains may meet in several pairs of annotators, but are two chains only once.
        new = ~np.isin(code, seen) & (distance > 0)
        seen = np.concatenate((seen, code[new]))
        chains.add_similarity(similar, code[new], distance[new])
    return AlphaCounts(
        _sums(unit_document, apart, documents),
        sum_by(unit_document, each, documents),
        similar,
        apart,
        each,
    )


class _Chains:
    """The distinct chains of all annotators: sizes, and how often each is a value."""

    def __init__(self, value: IntArray, unit_document: IntArray) -> None:
        given = value >= 0
        self._number = int(value.max(initial=0)) + 1
        counts = [np.bincount(row[row >= 0], minlength=self._number) for row in value]
        self._size = np.max(counts, axis=0)
        self._weight = np.sum(counts, axis=0).astype(np.float64)
        self._document = np.zeros(self._number, dtype=np.int64)
        self._document[value[given]] = np.broadcast_to(unit_document, value.shape)[given]

    def squares(self, documents: int) -> FloatArray:
        """Σ w² by document: every chain is at distance 0 from itself."""
        return _sums(self._document, self._weight**2, documents)

    def compare(self, one: IntArray, other: IntArray) -> tuple[IntArray, IntArray, FloatArray]:
        """The pairs of chains that meet in a unit: a code, where it is needed, the distance."""
        first, second = np.minimum(one, other), np.maximum(one, other)
        code, place, shared = np.unique(
            first * self._number + second, return_inverse=True, return_counts=True
        )
        left, right = code // self._number, code % self._number
        smaller = np.minimum(self._size[left], self._size[right])
        part = np.where(shared == smaller, 1 / 3, 2 / 3)
        return code, place, np.where(left == right, 0.0, part)

    def add_similarity(self, similar: FloatArray, code: IntArray, distance: FloatArray) -> None:
        left, right = code // self._number, code % self._number
        likeness = 2 * (1 - distance) * self._weight[left] * self._weight[right]
        np.add.at(similar, self._document[left], likeness)


def _sums(group: IntArray, values: FloatArray, groups: int) -> FloatArray:
    totals = np.zeros(groups)
    np.add.at(totals, group, values)
    return totals


def _units(corpora: Sequence[Corpus], present: BoolArray) -> tuple[list[IntArray], IntArray]:
    """The unit of each mention of each annotator (−1: nobody else saw it); each unit's document."""
    codes = mention_codes(*corpora)
    shared = present.sum(axis=0) > 1
    code, first = np.unique(np.concatenate(codes), return_index=True)
    document = np.concatenate([c.document for c in corpora])[first]
    number = np.where(shared[document], np.cumsum(shared[document]) - 1, -1)
    return [number[np.searchsorted(code, own)] for own in codes], document[shared[document]]


def _values(corpora: Sequence[Corpus], unit: Sequence[IntArray], units: int) -> IntArray:
    """int64 (annotators, units): a number for each distinct chain; singletons have their unit's."""
    value = np.tile(np.arange(units), (len(corpora), 1))
    known: dict[bytes, int] = {}
    for annotator, (corpus, own) in enumerate(zip(corpora, unit, strict=True)):
        order = np.lexsort((own, corpus.entity))
        bounds = np.searchsorted(corpus.entity[order], np.arange(corpus.entities + 1)).tolist()
        for entity in range(corpus.entities):
            members = own[order[bounds[entity] : bounds[entity + 1]]]
            if len(members) > 1 and members[0] >= 0:
                chain = known.setdefault(members.tobytes(), units + len(known))
                value[annotator, members] = chain
    return value

"""What errors cost: scores of repaired responses, and the lost points shared out over the types.

Counts add over documents, and a document without an error of a type is the same whether that
type is repaired or not. So each document is counted once for each set of *its own* types, and
all these variants of documents are counted together as if they were the documents of one corpus.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import factorial, fsum

import numpy as np

from corefkit import metrics
from corefkit.analysis.repairs import ALL
from corefkit.analysis.types import TYPES, Found
from corefkit.analysis.variants import Variants
from corefkit.data.arrays import BoolArray, IntArray
from corefkit.data.counts import Counts, add
from corefkit.data.options import Options
from corefkit.metrics.base import Average

SETS = ALL + 1
CUMULATIVE = (
    "span",
    "conflated",
    "extra-mention",
    "extra-entity",
    "divided",
    "missing-mention",
    "missing-entity",
)
"""The order in which the types are repaired one after the other."""

_ROWS = 1 << 20
"""So many mentions are counted at once: what they need takes some dozens of megabytes."""


class Repaired:
    """The scores of a response with some types of its errors repaired.

    Sets of types are numbers, as in corefkit.analysis.repairs.
    """

    def __init__(self, found: Found, options: Options) -> None:
        """`options` name the metrics, which are all over partitions."""
        self._found = found
        self._options = options
        self._variants = Variants(found)
        self._own = (found.counts > 0) @ (1 << np.arange(len(TYPES)))
        documents = len(found.joint.key.names)
        self._place = np.full((SETS, documents), -1, dtype=np.int64)
        self._counts: Counts | None = None

    def f1(self, types: int, metric: str) -> float:
        """F1 when the types of this set are repaired."""
        one = metrics.get(metric)
        if isinstance(one, Average):
            return sum(self.f1(types, part) for part in one.parts) / len(one.parts)
        return metrics.countable(metric).score(self.counts(types).total(metric)).f1

    def figures(self, sets: Sequence[int], metric: str) -> list[float]:
        """F1 when the types of each of these sets are repaired."""
        self.count(sets)
        return [self.f1(types, metric) for types in sets]

    def counts(self, types: int) -> Counts:
        """The counts of all documents when the types of this set are repaired."""
        self.count([types])
        assert self._counts is not None
        return self._counts.select(self._place[types & self._own, np.arange(len(self._own))])

    def count(self, sets: Iterable[int]) -> None:
        """Count the variants of documents that these sets need and that are not counted yet."""
        needed = np.zeros(self._place.shape, dtype=bool)
        documents = np.arange(len(self._own))
        for types in set(sets):
            needed[types & self._own, documents] = True
        needed &= self._place < 0
        if self._counts is not None and not needed.any():
            return
        parts = [self._counts] if self._counts is not None else []
        before = len(parts[0]) if parts else 0
        for some in _chunks(needed, self._variants.sizes):
            parts.append(self._variants.count(some, self._options))
            self._place[some] = before + np.arange(len(parts[-1]))
            before += len(parts[-1])
        if not parts:  # a key without documents
            parts.append(self._variants.count(needed, self._options))
        self._counts = add(parts)


def _chunks(needed: BoolArray, sizes: IntArray) -> Iterator[BoolArray]:
    """The variants (sets, documents) in portions of some _ROWS mentions."""
    place = np.flatnonzero(needed)
    portion = np.cumsum(sizes[place % max(needed.shape[1], 1)]) // _ROWS
    for number in np.unique(portion).tolist():
        some = np.zeros(needed.size, dtype=bool)
        some[place[portion == number]] = True
        yield some.reshape(needed.shape)


def shapley(value: Sequence[float], place: int) -> float:
    """The Shapley value of one of n players; `value` holds what each of the 2ⁿ sets is worth.

    >>> shapley([0.0, 1.0, 2.0, 5.0], 0), shapley([0.0, 1.0, 2.0, 5.0], 1)
    (2.0, 3.0)
    """
    players = len(value).bit_length() - 1
    terms = []
    for others in range(len(value)):
        if not others >> place & 1:
            size = others.bit_count()
            weight = factorial(size) * factorial(players - size - 1)
            terms.append(weight * (value[others | 1 << place] - value[others]))
    return fsum(terms) / factorial(players)

"""Resampled scores from Counts: a matrix product, no re-scoring.

Counts add, so the counts of a bootstrap sample are the counts of its documents, each as often as
it was drawn: samples × documents times documents × counts. Swapping documents between two systems
is a sum of the same kind, and so is leaving one document out.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np

from corefkit import metrics
from corefkit.data.arrays import FloatArray, IntArray
from corefkit.scoring.scores import Scores
from corefkit.stats.bootstrap import draws, grained, portions, sample_sums


class Stratum:
    """The systems on one key: their figures, and those of samples of its documents.

    Attributes:
        table: float64 (systems, columns, documents), what was counted; documents sorted by name.
        documents: how many there are.
        observed: F1 (systems, metrics).
        measured: F1 (systems, metrics) from the rounded counts that samples are made of: only with
            these can a sample that changes nothing be seen to be as extreme as what was observed.
        by_document: F1 (systems, metrics, documents).
    """

    def __init__(
        self, scores: Sequence[Scores], samples: int, seeds: np.random.SeedSequence, only: bool
    ) -> None:
        """All have scores of the same documents; `only` says whether there is no other key."""
        self._options = scores[0].options
        self._counted = metrics.counted(self._options.metrics)
        counts = [s.counts.by_name().tables for s in scores]
        table = [[column for name in self._counted for column in c[name]] for c in counts]
        self.table = grained(np.array(table, dtype=np.float64))
        self.documents = self.table.shape[2]
        self._whole = self.table.sum(axis=2)[..., None]
        self.observed = np.array([[score.f1 for score in s.values()] for s in scores])
        self.measured = self.f1(self._whole)[..., 0]
        self.by_document = self.f1(self.table)
        self._samples, self._only = samples, only
        self._drawing, self._tossing = (np.random.default_rng(s) for s in seeds.spawn(2))

    def f1(self, sums: FloatArray) -> FloatArray:
        """F1 (…, metrics, samples) of summed counts (…, columns, samples)."""
        found: dict[str, FloatArray] = {}
        first = 0
        for name in self._counted:
            metric = metrics.countable(name, self._options)
            end = first + len(metric.columns)
            found[name] = metric.f1(sums[..., first:end, :])
            first = end
        parts = (metrics.get(name).parts or (name,) for name in self._options.metrics)
        return np.stack([np.mean([found[p] for p in some], axis=0) for some in parts], axis=-2)

    def leave_one_out(self) -> FloatArray:
        """F1 (systems, metrics, documents) of all documents but one."""
        return self.f1(np.maximum(self._whole - self.table, 0.0))

    @cached_property
    def drawn(self) -> FloatArray:
        """F1 (systems, metrics, samples) of bootstrap samples; one document stays as it is."""
        if self.documents < 2:
            return np.repeat(self.observed[..., None], self._samples, axis=-1)
        return self.f1(self._sums(draws(self.documents, self._samples, self._drawing)))

    def exchanged(self, a: int, b: int) -> FloatArray:
        """F1 of a minus F1 of b (metrics, samples), some documents exchanged between them."""
        moved = self._given[b] - self._given[a]
        return self.f1(self._whole[a] + moved) - self.f1(self._whole[b] - moved)

    @cached_property
    def _given(self) -> FloatArray:
        """Counts (systems, columns, samples) of documents chosen by the toss of a coin.

        Where there are few ways to choose (`exchanges`), each of them is made once.
        """
        given = self._sums(_tosses(self.documents, self._samples, self._tossing))
        if self._only or given.shape[-1] == self._samples:
            return given
        # All ways there are: some of them by chance, so that the samples of all keys fit.
        return given[..., self._tossing.integers(0, given.shape[-1], self._samples)]

    def _sums(self, weights: Iterable[FloatArray]) -> FloatArray:
        """Counts (systems, columns, samples) of samples with these weights."""
        columns, place = self._distinct
        return sample_sums(columns, weights)[place]

    @cached_property
    def _distinct(self) -> tuple[FloatArray, IntArray]:
        """Each column once (distinct, documents), and which one each is (systems, columns).

        More than half of them occur several times: all systems have the same key, and many
        metrics the same denominators.
        """
        systems, width, documents = self.table.shape
        number: dict[bytes, int] = {}
        flat = self.table.reshape(systems * width, documents)
        place = np.array([number.setdefault(row.tobytes(), len(number)) for row in flat])
        _, first = np.unique(place, return_index=True)
        return flat[first], place.reshape(systems, width)


_FEW_EXCHANGES = 1 << 12
"""So many exchanges are all made even where fewer samples are asked for: they cost nothing."""


def exchanges(documents: int, samples: int) -> int | None:
    """How many ways there are to exchange documents, 2ⁿ, where they are few enough to make all.

    >>> exchanges(5, 1000), exchanges(50, 1000)
    (32, None)
    """
    most = max(samples, _FEW_EXCHANGES)
    return 1 << documents if documents < most.bit_length() else None


def _tosses(documents: int, samples: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Which documents each sample takes: 1 or 0 with equal chance; all ways if they are few."""
    if every := exchanges(documents, samples):
        yield (np.arange(every)[:, None] >> np.arange(documents) & 1).astype(np.float64)
        return
    for rows in portions(samples, documents):
        coins = np.frombuffer(rng.bytes(-(-rows * documents // 8)), dtype=np.uint8)
        bits = np.unpackbits(coins, count=rows * documents)
        yield bits.reshape(rows, documents).astype(np.float64)

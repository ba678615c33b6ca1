"""Resampled scores from Counts: a matrix product, no re-scoring.

Counts add, so the counts of a bootstrap sample are the counts of its documents, each as often as
it was drawn: samples × documents times documents × counts. Swapping documents between two systems
is a sum of the same kind, and so is leaving one document out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corefkit import metrics
from corefkit.data.arrays import FloatArray, IntArray
from corefkit.data.counts import Counts
from corefkit.data.options import Options
from corefkit.metrics.base import RATIOS, Average, ratio_f1
from corefkit.stats.bootstrap import by_name, draws, grained, portions


@dataclass(frozen=True, eq=False)
class Columns:
    """The counts of several systems side by side, ready to be multiplied.

    Attributes:
        names: the metrics, averages included.
        counted: those that count something, in the order of their columns.
        table: float64 (systems, columns, documents), documents sorted by name.
        options: which may change how sums become a score.
    """

    names: tuple[str, ...]
    counted: tuple[str, ...]
    table: FloatArray
    options: Options | None = None

    @classmethod
    def of(
        cls, systems: Sequence[Counts], names: Sequence[str], options: Options | None = None
    ) -> "Columns":
        """The columns of these metrics, as the options define them.

        All systems have counts of the same documents.
        """
        parts = metrics.counted(names)
        # Plain ratios first: they lie together and are divided together.
        counted = sorted(parts, key=lambda n: not _is_plain(n))
        table = np.array(
            [
                [column for name in counted for column in counts.tables[name]]
                for counts in (c.select(by_name(c.documents)) for c in systems)
            ],
            dtype=np.float64,
        )
        return cls(tuple(names), tuple(counted), grained(table), options)

    @cached_property
    def distinct(self) -> tuple[FloatArray, IntArray]:
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

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return int(self.table.shape[2])

    @cached_property
    def _plain(self) -> list[str]:
        """The metrics whose recall and precision are plain ratios; their columns come first."""
        return [name for name in self.counted if _is_plain(name)]

    def f1(self, sums: FloatArray) -> FloatArray:
        """F1 (…, metrics, samples) of summed counts (…, columns, samples)."""
        plain = self._plain
        width, shape = 4 * len(plain), sums.shape
        values = ratio_f1(sums[..., :width, :].reshape(*shape[:-2], -1, 4, shape[-1]))
        found = {name: values[..., i, :] for i, name in enumerate(plain)}
        for name in self.counted[len(plain) :]:
            metric = metrics.countable(name, self.options)
            end = width + len(metric.columns)
            found[name] = metric.f1(sums[..., width:end, :])
            width = end
        return np.stack([_average(found, name) for name in self.names], axis=-2)

    def total(self) -> FloatArray:
        """F1 (systems, metrics) of all documents, from the rounded counts that samples have."""
        return self.f1(self.table.sum(axis=2)[..., None])[..., 0]

    def leave_one_out(self) -> FloatArray:
        """F1 (systems, metrics, documents) of all documents but one."""
        rest = self.table.sum(axis=2)[..., None] - self.table
        return self.f1(np.maximum(rest, 0.0))

    def bootstrap(self, samples: int, rng: np.random.Generator) -> FloatArray:
        """F1 (systems, metrics, samples) of samples of documents, drawn with replacement."""
        weights = draws(self.documents, samples, rng)
        return np.concatenate([self.f1(self._product(w)) for w in weights], axis=-1)

    def swaps(self, samples: int, rng: np.random.Generator) -> FloatArray:
        """Counts (systems, columns, samples) of documents chosen by the toss of a coin.

        Where there are few ways to choose (`exchanges`), each of them is made once.
        """
        chosen = _tosses(self.documents, samples, rng)
        return np.concatenate([self._product(w) for w in chosen], axis=-1)

    def swapped_difference(self, given: FloatArray, a: int, b: int) -> FloatArray:
        """F1 of a minus F1 of b (metrics, samples), the chosen documents exchanged between them."""
        total = self.table[[a, b]].sum(axis=2)[..., None]
        exchanged = given[b] - given[a]
        one, other = self.f1(total[0] + exchanged), self.f1(total[1] - exchanged)
        return one - other

    def _product(self, weights: FloatArray) -> FloatArray:
        distinct, place = self.distinct
        return (distinct @ weights.T)[place]


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


def _average(found: dict[str, FloatArray], name: str) -> FloatArray:
    metric = metrics.get(name)
    if not isinstance(metric, Average):
        return found[name]
    total: FloatArray = np.add.reduce([found[part] for part in metric.parts])
    return total / len(metric.parts)


def _is_plain(name: str) -> bool:
    """Whether F1 is that of plain ratios: then many metrics are computed at once."""
    return metrics.countable(name).columns == RATIOS

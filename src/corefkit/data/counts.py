"""Counts: what each metric counted in each document. Counts add up; ratios are computed last."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.data.arrays import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    from corefkit.data.cells import Cells


SPLIT = ".split"
"""Behind the name of a metric: its columns for split antecedents alone."""

PerDocument = IntArray | FloatArray
"""One number a document."""
Number = int | float


class Size(NamedTuple):
    """How large a side is, as it is scored."""

    documents: int
    mentions: int
    entities: int


@dataclass(frozen=True, eq=False)
class Counts:
    """For each metric its columns, one row a document.

    Attributes:
        documents: the names of the rows.
        tables: metric → its columns, int64 or float64 (documents,).
        cells: application score → the same columns by class, sparse.

    Two are equal where they have the same documents, in whatever order, with the same numbers.
    Adding two puts their documents together. Sums are exact whatever the order of the documents:
    integers are integers, and floats are added by `math.fsum`, which rounds once.
    """

    documents: tuple[str, ...]
    tables: Mapping[str, tuple[PerDocument, ...]]
    cells: "Mapping[str, Cells]" = field(default_factory=dict)

    def __add__(self, other: "Counts") -> "Counts":
        if _metrics(self) != _metrics(other):
            raise ValueError("only counts of the same metrics can be added")
        return add([self, other])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counts):
            return NotImplemented
        if self.documents != other.documents:
            if sorted(self.documents) != sorted(other.documents):
                return False
            return self.by_name() == other.by_name()
        return (
            self.tables.keys() == other.tables.keys()
            and all(
                len(table) == len(other.tables[name])
                and all(map(np.array_equal, table, other.tables[name]))
                for name, table in self.tables.items()
            )
            and self.cells == other.cells
        )

    __hash__ = None  # type: ignore[assignment]

    def by_name(self) -> "Counts":
        """The same with documents sorted by name."""
        return self.select(by_name(self.documents))

    def __len__(self) -> int:
        return len(self.documents)

    def select(self, rows: IntArray | BoolArray) -> "Counts":
        """The counts of some of the documents."""
        chosen = np.arange(len(self))[rows]
        tables = {m: tuple(column[rows] for column in t) for m, t in self.tables.items()}
        cells = {m: c.select(chosen) for m, c in self.cells.items()}
        return Counts(tuple(self.documents[i] for i in chosen.tolist()), tables, cells)

    def table(self, metric: str) -> tuple[PerDocument, ...]:
        """The columns of a metric; zeros for split antecedents of which there are none."""
        if metric in self.tables or not metric.endswith(SPLIT):
            return self.tables[metric]
        return tuple(np.zeros(len(self)) for _ in self.tables[metric.removesuffix(SPLIT)])

    def total(self, metric: str) -> tuple[Number, ...]:
        """The sum of each column of a metric."""
        return tuple(_sum(column) for column in self.tables[metric])


def by_name(names: Sequence[str]) -> IntArray:
    """Which documents come first when they are sorted by name.

    >>> by_name(["b", "c", "a"]).tolist()
    [2, 0, 1]
    """
    return np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)


def add(counts: Iterable[Counts]) -> Counts:
    """Many counts of the same metrics as one, rows in order.

    Where only some have split antecedents, the others have none of them to count.
    """
    parts = list(counts)
    metrics = dict.fromkeys(metric for part in parts for metric in part.tables)
    tables = {
        metric: tuple(
            np.concatenate(columns)
            for columns in zip(*(part.table(metric) for part in parts), strict=True)
        )
        for metric in metrics
    }
    return Counts(tuple(name for p in parts for name in p.documents), tables, _add_cells(parts))


def _metrics(counts: Counts) -> set[str]:
    return {metric for metric in counts.tables if not metric.endswith(SPLIT)}


def _add_cells(parts: list[Counts]) -> "dict[str, Cells]":
    if not parts[0].cells:
        return {}
    from corefkit.data.cells import add_cells

    sizes = [len(part) for part in parts]
    return {m: add_cells([part.cells[m] for part in parts], sizes) for m in parts[0].cells}


def _sum(column: PerDocument) -> Number:
    if column.dtype == np.int64:
        return int(column.sum())
    return fsum(column.tolist())

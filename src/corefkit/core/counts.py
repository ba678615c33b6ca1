"""Counts: what each metric counted in each document. Counts add up; ratios are computed last.

`Cells` are counts by document and by label, of a break-down or a class; only those other than zero.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from math import fsum
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, FloatArray, IntArray, stretches, tuples
from corefkit.core.carriers import frozen

SPLIT = ".split"
"""Behind the name of a metric: its columns for split antecedents alone."""

PerDocument = IntArray | FloatArray
"""One number per document."""
Number = int | float


class Size(NamedTuple):
    """How large a side is, as it is scored."""

    documents: int
    mentions: int
    entities: int


@frozen(eq=False)
class Counts:
    """For each metric its columns, one row per document.

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

    sizes = [len(part) for part in parts]
    return {m: add_cells([part.cells[m] for part in parts], sizes) for m in parts[0].cells}


def _sum(column: PerDocument) -> Number:
    if column.dtype == np.int64:
        return int(column.sum())
    return fsum(column.tolist())


def exact_sum(column: PerDocument) -> list[Number]:
    """Numbers that add up to exactly what the column does: one, or some floats without digits
    in common. So sums of parts are put together without rounding.

    >>> exact_sum(np.array([1e16, 1.0, 1e16])), exact_sum(np.array([2, 3]))
    ([2e+16, 1.0], [5])
    """
    if column.dtype == np.int64:
        return [int(column.sum())]
    rest: list[float] = column.tolist()
    parts: list[Number] = [fsum(rest)]
    while left := fsum([*rest, *(-part for part in parts)]):
        parts.append(left)
    return parts


@frozen(eq=False)
class Cells:
    """A sparse table: of the many labels a corpus has, few occur in any one document.

    Attributes:
        labels: the names of the labels.
        columns: how many columns there are.
        document, label, column, number: int64 (cells,), sorted by document. Cells add: there may
            be several for one place. Two tables are equal where all places have the same sums.
    """

    labels: tuple[str, ...]
    columns: int
    document: IntArray
    label: IntArray
    column: IntArray
    number: IntArray

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cells):
            return NotImplemented
        return self._sums() == other._sums()

    __hash__ = None  # type: ignore[assignment]

    def _sums(self) -> dict[tuple[int, str, int], int]:
        """Document, label and column → number, where it is not 0."""
        sums: dict[tuple[int, str, int], int] = {}
        cells = tuples(self.document, self.label, self.column, self.number)
        for document, label, column, number in cells:
            place = (document, self.labels[label], column)
            sums[place] = sums.get(place, 0) + number
        return {place: number for place, number in sums.items() if number}

    def select(self, rows: IntArray) -> "Cells":
        """The cells of some documents (numbers of rows, also repeated), which count from 0 then."""
        first = np.searchsorted(self.document, rows)
        many = np.searchsorted(self.document, rows, side="right") - first
        at = stretches(first, many)
        document = np.repeat(np.arange(len(rows)), many)
        columns = (self.label[at], self.column[at], self.number[at])
        return Cells(self.labels, self.columns, document, *columns)

    def totals(self) -> dict[str, list[int]]:
        """The sum of each column for each label that has any, sorted by label.

        >>> one = np.array([0])
        >>> Cells(("NOUN", "PRP"), 2, one, one + 1, one, one + 5).totals()
        {'PRP': [5, 0]}
        """
        sums = np.zeros((len(self.labels), self.columns), dtype=np.int64)
        np.add.at(sums, (self.label, self.column), self.number)
        some = np.flatnonzero(sums.any(axis=1)).tolist()
        return {self.labels[i]: sums[i].tolist() for i in sorted(some, key=self.labels.__getitem__)}


def make_cells(
    labels: tuple[str, ...], columns: int, arrays: Sequence[tuple[IntArray, ...]]
) -> Cells:
    """One table from pieces, each of which has the columns document, label, column and number."""
    pieces = [np.concatenate(parts) for parts in zip(*arrays, strict=True)]
    order = np.argsort(pieces[0], kind="stable")
    return Cells(labels, columns, *(piece[order] for piece in pieces))


def add_cells(parts: Sequence[Cells], documents: Sequence[int]) -> Cells:
    """Several tables, each given with its number of documents, as one; documents stay in order."""
    labels = {name: i for i, name in enumerate(dict.fromkeys(n for p in parts for n in p.labels))}
    moved = []
    for part, first in zip(parts, np.cumsum([0, *documents]).tolist(), strict=False):
        to = np.array([labels[name] for name in part.labels], dtype=np.int64)
        moved.append((part.document + first, to[part.label], part.column, part.number))
    return make_cells(tuple(labels), parts[0].columns, moved)

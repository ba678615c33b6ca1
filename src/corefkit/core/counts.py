"""Counts: what each metric counted in each document. Counts add up; ratios are computed last.

`Cells` are sparse counts by document and label, for breakdowns and classes.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from math import fsum
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, FloatArray, IntArray, stretches, tuples
from corefkit.core.carriers import frozen

SPLIT = ".split"
"""Appended to the name of a metric, it names the columns for split antecedents alone."""

PerDocument = IntArray | FloatArray
"""One number per document."""
Number = int | float


class Size(NamedTuple):
    """The size of a side as it is scored."""

    documents: int
    mentions: int
    entities: int


@frozen(eq=False)
class Counts:
    """The columns of each metric, with one row per document.

    Attributes:
        documents: the names of the documents.
        tables: metric → its columns, int64 or float64 (documents,).
        by_class: application score → the same columns by class, sparse.

    Two Counts are equal if they have the same numbers for the same documents, in any order. Their
    sum has the documents of both. Totals do not depend on the order of the documents: integers are
    added exactly, and floats by `math.fsum`, which rounds once.
    """

    documents: tuple[str, ...]
    tables: Mapping[str, tuple[PerDocument, ...]]
    by_class: "Mapping[str, Cells]" = field(default_factory=dict)

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
            and self.by_class == other.by_class
        )

    __hash__ = None  # type: ignore[assignment]

    def by_name(self) -> "Counts":
        """The same counts with documents sorted by name."""
        return self.select(by_name(self.documents))

    def __len__(self) -> int:
        return len(self.documents)

    def select(self, rows: IntArray | BoolArray) -> "Counts":
        """The counts of these documents, given by number or as a mask."""
        chosen = np.arange(len(self))[rows]
        tables = {m: tuple(column[rows] for column in t) for m, t in self.tables.items()}
        by_class = {m: c.select(chosen) for m, c in self.by_class.items()}
        return Counts(tuple(self.documents[i] for i in chosen.tolist()), tables, by_class)

    def table(self, metric: str) -> tuple[PerDocument, ...]:
        """The columns of a metric; zeros for the split antecedents of a metric that has none."""
        if metric in self.tables or not metric.endswith(SPLIT):
            return self.tables[metric]
        return tuple(np.zeros(len(self)) for _ in self.tables[metric.removesuffix(SPLIT)])

    def total(self, metric: str) -> tuple[Number, ...]:
        """The sum of each column of a metric."""
        return tuple(_sum(column) for column in self.tables[metric])


def by_name(names: Sequence[str]) -> IntArray:
    """int64 (documents,): the numbers of the documents in the order of their names.

    >>> by_name(["b", "c", "a"]).tolist()
    [2, 0, 1]
    """
    return np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)


def add(counts: Iterable[Counts]) -> Counts:
    """Several counts of the same metrics as one, with the documents in this order.

    If only some have columns for split antecedents, those of the others are zeros.
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
    if not parts[0].by_class:
        return {}

    sizes = [len(part) for part in parts]
    return {m: add_cells([part.by_class[m] for part in parts], sizes) for m in parts[0].by_class}


def _sum(column: PerDocument) -> Number:
    if column.dtype.kind == "i":
        return int(column.sum())
    return fsum(column.tolist())


def exact_sum(numbers: Sequence[Number]) -> list[Number]:
    """The sum, rounded once, followed by what rounding lost: sums of parts so add up exactly.

    >>> exact_sum([1e16, 1.0, 1e16]), exact_sum([2, 3])
    ([2e+16, 1.0], [5])
    """
    if all(isinstance(number, int) for number in numbers):
        return [sum(numbers)]
    parts: list[Number] = [fsum(numbers)]
    while remainder := fsum([*numbers, *(-part for part in parts)]):
        parts.append(remainder)
    return parts


@frozen(eq=False)
class Cells:
    """A sparse table of counts: few of the labels of a corpus occur in any one document.

    Attributes:
        labels: the names of the labels.
        columns: the number of columns.
        document, label, column, number: int64 (cells,), sorted by document. Several cells may have
            the same document, label and column: their numbers add. Two tables are equal if all
            these sums are.
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
        """(document, label, column) → number, without zeros."""
        sums: dict[tuple[int, str, int], int] = {}
        cells = tuples(self.document, self.label, self.column, self.number)
        for document, label, column, number in cells:
            cell = (document, self.labels[label], column)
            sums[cell] = sums.get(cell, 0) + number
        return {cell: number for cell, number in sums.items() if number}

    def select(self, rows: IntArray) -> "Cells":
        """The cells of these documents (numbers, perhaps repeated), renumbered from 0."""
        first = np.searchsorted(self.document, rows)
        size = np.searchsorted(self.document, rows, side="right") - first
        at = stretches(first, size)
        document = np.repeat(np.arange(len(rows)), size)
        columns = (self.label[at], self.column[at], self.number[at])
        return Cells(self.labels, self.columns, document, *columns)

    def totals(self) -> dict[str, list[int]]:
        """The sum of each column, by label; sorted by label, without labels that have only zeros.

        >>> zero = np.array([0])
        >>> Cells(("NOUN", "PRP"), 2, zero, zero + 1, zero, zero + 5).totals()
        {'PRP': [5, 0]}
        """
        sums = np.zeros((len(self.labels), self.columns), dtype=np.int64)
        np.add.at(sums, (self.label, self.column), self.number)
        used = np.flatnonzero(sums.any(axis=1)).tolist()
        return {self.labels[i]: sums[i].tolist() for i in sorted(used, key=self.labels.__getitem__)}


def make_cells(
    labels: tuple[str, ...], columns: int, arrays: Sequence[tuple[IntArray, ...]]
) -> Cells:
    """A table from pieces, each of which has the arrays document, label, column and number."""
    pieces = [np.concatenate(parts) for parts in zip(*arrays, strict=True)]
    order = np.argsort(pieces[0], kind="stable")
    return Cells(labels, columns, *(piece[order] for piece in pieces))


def add_cells(parts: Sequence[Cells], documents: Sequence[int]) -> Cells:
    """Several tables as one, documents in order; `documents` is the number of each table's."""
    labels = {name: i for i, name in enumerate(dict.fromkeys(n for p in parts for n in p.labels))}
    moved = []
    for part, first in zip(parts, np.cumsum([0, *documents]).tolist(), strict=False):
        number_of = np.array([labels[name] for name in part.labels], dtype=np.int64)
        moved.append((part.document + first, number_of[part.label], part.column, part.number))
    return make_cells(tuple(labels), parts[0].columns, moved)

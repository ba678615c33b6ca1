"""Counts: what each metric counted in each document. Counts add up; ratios are computed last.

`Cells` are sparse counts by document and label, for breakdowns and classes. `RunningCounts` grow
document by document; their sums are exact at any time (`ExactSum`).
"""

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from math import fsum
from typing import Any, NamedTuple

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
        cells: application score → the same columns by class, sparse.

    Two Counts are equal if they have the same numbers for the same documents, in any order. Their
    sum has the documents of both. Totals do not depend on the order of the documents: integers are
    added exactly, and floats by `math.fsum`, which rounds once.
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
        """The same counts with documents sorted by name."""
        return self.select(by_name(self.documents))

    def __len__(self) -> int:
        return len(self.documents)

    def select(self, rows: IntArray | BoolArray) -> "Counts":
        """The counts of these documents, given by number or as a mask."""
        chosen = np.arange(len(self))[rows]
        tables = {m: tuple(column[rows] for column in t) for m, t in self.tables.items()}
        cells = {m: c.select(chosen) for m, c in self.cells.items()}
        return Counts(tuple(self.documents[i] for i in chosen.tolist()), tables, cells)

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
    if not parts[0].cells:
        return {}

    sizes = [len(part) for part in parts]
    return {m: add_cells([part.cells[m] for part in parts], sizes) for m in parts[0].cells}


def _sum(column: PerDocument) -> Number:
    if column.dtype == np.int64:
        return int(column.sum())
    return fsum(column.tolist())


def exact_sum(column: PerDocument) -> list[Number]:
    """Numbers whose sum is exactly that of the column: one integer, or a few floats that do not
    overlap. Sums of parts can so be combined without rounding.

    >>> exact_sum(np.array([1e16, 1.0, 1e16])), exact_sum(np.array([2, 3]))
    ([2e+16, 1.0], [5])
    """
    if column.dtype == np.int64:
        return [int(column.sum())]
    numbers: list[float] = column.tolist()
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
            place = (document, self.labels[label], column)
            sums[place] = sums.get(place, 0) + number
        return {place: number for place, number in sums.items() if number}

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


class RunningCounts:
    """Counts to which documents are added, one at a time or many together.

    An Evaluator that is asked for its scores after every document must not add up all documents
    again, and an engine must not fetch them. A snapshot therefore takes constant time: the sums
    are kept up to date, and columns are made only when they are needed.
    """

    def __init__(self) -> None:
        self.documents: list[str] = []
        # The first document as long as it is the only one: most Evaluators see just one.
        self._only: Mapping[str, Sequence[Number]] | None = None
        # These lists and arrays only ever grow at their ends: a snapshot remembers its length.
        self._columns: dict[str, tuple[array[Any], ...]] = {}
        self._sums: dict[str, tuple[ExactSum, ...]] = {}

    @property
    def metrics(self) -> Collection[str]:
        """The names of the metrics."""
        return (self._only or self._columns).keys()

    def add_document(self, name: str, rows: Mapping[str, Sequence[Number]]) -> None:
        """Add a document: metric → its columns."""
        before = len(self.documents)
        if not before and not self._columns:
            self._only = rows
            self.documents.append(name)
            return
        self._keep_only()
        self.documents.append(name)
        self._append(before, rows)

    def _keep_only(self) -> None:
        """Put the first document, if it was the only one so far, into the columns."""
        rows, self._only = self._only, None
        if rows is not None:
            self._append(0, rows)

    def _append(self, before: int, rows: Mapping[str, Sequence[Number]]) -> None:
        """Add a document to the columns, which have `before` rows."""
        for metric in rows.keys() - self._columns.keys():
            self._columns[metric] = tuple(array("q", bytes(8 * before)) for _ in rows[metric])
            self._sums[metric] = tuple(ExactSum() for _ in rows[metric])
        for metric, columns in self._columns.items():
            row = rows.get(metric) or (0,) * len(columns)
            for place, (number, total) in enumerate(zip(row, self._sums[metric], strict=True)):
                self._column(metric, place, isinstance(number, float)).append(number)
                total.add_number(number)

    def add(self, counts: Counts) -> None:
        """Add documents that were counted together."""
        self._keep_only()
        before = len(self.documents)
        self.documents += counts.documents
        for metric in counts.tables.keys() - self._columns.keys():
            table = counts.tables[metric]
            self._columns[metric] = tuple(array("q", bytes(8 * before)) for _ in table)
            self._sums[metric] = tuple(ExactSum() for _ in table)
        for metric in self._columns:
            for place, column in enumerate(counts.table(metric)):
                target = self._column(metric, place, column.dtype != np.int64)
                target.frombytes(column.astype(target.typecode).tobytes())
                self._sums[metric][place].add(column)

    def _column(self, metric: str, place: int, has_fractions: bool) -> "array[Any]":
        """A column; if it is to hold fractions, a column of integers becomes one of floats."""
        columns = self._columns[metric]
        if has_fractions and columns[place].typecode == "q":
            floats = array("d", columns[place])
            self._columns[metric] = (*columns[:place], floats, *columns[place + 1 :])
        return self._columns[metric][place]

    def snapshot(self) -> Counts:
        """The counts of the documents so far."""
        if self._only is not None:
            return _Snapshot(self.documents, _OneDocument(self._only), self._only)
        totals = {m: tuple([total.value for total in sums]) for m, sums in self._sums.items()}
        return _Snapshot(
            self.documents, _ColumnTables(dict(self._columns), len(self.documents)), totals
        )


class _ColumnTables(Mapping[str, tuple[PerDocument, ...]]):
    """Metric → its columns up to a number of documents, made when they are needed."""

    def __init__(self, columns: "dict[str, tuple[array[Any], ...]]", documents: int) -> None:
        self._columns, self.documents = columns, documents

    def __getitem__(self, metric: str) -> tuple[PerDocument, ...]:
        return tuple(np.array(column[: self.documents]) for column in self._columns[metric])

    def __contains__(self, metric: object) -> bool:
        return metric in self._columns

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


class _OneDocument(Mapping[str, tuple[PerDocument, ...]]):
    """Metric → its columns, for a single document."""

    documents = 1

    def __init__(self, rows: Mapping[str, Sequence[Number]]) -> None:
        self._rows = rows

    def __getitem__(self, metric: str) -> tuple[PerDocument, ...]:
        return tuple(np.array([number]) for number in self._rows[metric])

    def __contains__(self, metric: object) -> bool:
        return metric in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


class _Snapshot(Counts):
    """The state of running counts at one moment."""

    tables: "_ColumnTables | _OneDocument"

    def __init__(
        self, names: list[str], tables: "_ColumnTables | _OneDocument", totals: Mapping[str, Any]
    ) -> None:
        self.__dict__.update(tables=tables, cells={}, _names=names, _totals=totals)

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """The names of the documents."""
        names: list[str] = self.__dict__["_names"]
        return tuple(names[: len(self)])

    def __len__(self) -> int:
        return self.tables.documents

    def total(self, metric: str) -> tuple[Number, ...]:
        """The sum of each column of a metric."""
        totals: Mapping[str, Sequence[Number]] = self.__dict__["_totals"]
        return tuple(totals[metric])

    def __reduce__(self) -> tuple[type[Counts], tuple[object, ...]]:
        return Counts, (self.documents, dict(self.tables))


class ExactSum:
    """An exact running sum; like `Counts.total`, it is rounded only when its value is read."""

    def __init__(self) -> None:
        self._whole = 0
        # Floats that do not overlap, with the sum of all floats so far; None: no float so far.
        self._parts: list[float] | None = None

    def add(self, column: PerDocument) -> None:
        """Add the numbers of an array."""
        if column.dtype == np.int64:
            self._whole += sum(column.tolist())
            return
        values = [*(self._parts or ()), *column.tolist()]
        self._parts = []
        while remainder := fsum([*values, *(-part for part in self._parts)]):
            self._parts.append(remainder)

    def add_number(self, number: Number) -> None:
        """Add one number."""
        if isinstance(number, int):
            self._whole += number
            return
        remainders: list[float] = []
        for part in self._parts or ():
            large, small = (number, part) if abs(number) > abs(part) else (part, number)
            number = large + small
            if lost := small - (number - large):
                remainders.append(lost)
        self._parts = [*remainders, number]

    @property
    def value(self) -> Number:
        """The sum, rounded once."""
        return self._whole if self._parts is None else fsum((*self._parts, self._whole))

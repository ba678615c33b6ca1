"""Counts that grow: documents are added, and the sums are known at any time.

An Evaluator that is asked for its scores after every document must not add up all documents anew,
and an engine must not fetch them.
"""

from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from math import fsum
from typing import Any

import numpy as np

from corefkit.core.counts import Counts, Number, PerDocument


class RunningCounts:
    """Counts to which documents are added, one by one or many at a time.

    What they are at a time is a snapshot, which takes as long for many documents as for few: sums
    are kept, and columns are made when they are asked for.
    """

    def __init__(self) -> None:
        self.documents: list[str] = []
        # The first document, as long as it is the only one: most Evaluators see no other.
        self._only: Mapping[str, Sequence[Number]] | None = None
        # Nothing but the ends of these lists and arrays ever changes: snapshots know their length.
        self._columns: dict[str, tuple[array[Any], ...]] = {}
        self._sums: dict[str, tuple[ExactSum, ...]] = {}

    @property
    def metrics(self) -> Collection[str]:
        """What is counted."""
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
        """Make columns of the document that was the only one."""
        rows, self._only = self._only, None
        if rows is not None:
            self._append(0, rows)

    def _append(self, before: int, rows: Mapping[str, Sequence[Number]]) -> None:
        """Add a document to the columns, which have so many rows."""
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
                whole = column.dtype == np.int64
                known = self._column(metric, place, not whole)
                known.frombytes(column.astype(known.typecode).tobytes())
                self._sums[metric][place].add(column)

    def _column(self, metric: str, place: int, has_fractions: bool) -> "array[Any]":
        """A column that can hold the next numbers: one of integers becomes one of floats."""
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
        return _Snapshot(self.documents, _Tables(dict(self._columns), len(self.documents)), totals)


class _Tables(Mapping[str, tuple[PerDocument, ...]]):
    """Metric → the beginnings of its columns, which are made when they are asked for."""

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
    """Metric → its columns, of one document."""

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
    """What running counts were at a time."""

    tables: "_Tables | _OneDocument"

    def __init__(
        self, names: list[str], tables: "_Tables | _OneDocument", totals: Mapping[str, Any]
    ) -> None:
        self.__dict__.update(tables=tables, cells={}, _names=names, _totals=totals)

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """The names of the rows."""
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
    """A sum that is never rounded until it is asked for, like that of `Counts.total`."""

    def __init__(self) -> None:
        self._whole = 0
        # Floats that do not overlap: their sum is that of all floats so far. None: there was none.
        self._parts: list[float] | None = None

    def add(self, column: PerDocument) -> None:
        """Add the numbers of an array."""
        if column.dtype == np.int64:
            self._whole += sum(column.tolist())
            return
        values = [*(self._parts or ()), *column.tolist()]
        self._parts = []
        while rest := fsum([*values, *(-part for part in self._parts)]):
            self._parts.append(rest)

    def add_number(self, number: Number) -> None:
        """Add one number."""
        if isinstance(number, int):
            self._whole += number
            return
        rest: list[float] = []
        for part in self._parts or ():
            large, small = (number, part) if abs(number) > abs(part) else (part, number)
            number = large + small
            if lost := small - (number - large):
                rest.append(lost)
        self._parts = [*rest, number]

    @property
    def value(self) -> Number:
        """The sum, rounded once."""
        return self._whole if self._parts is None else fsum((*self._parts, self._whole))

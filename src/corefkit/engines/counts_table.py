"""Counts by document as a table on an engine; its numbers are fetched when they are asked for."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

import numpy as np

from corefkit.core.counts import Counts, ExactSum, Number, PerDocument
from corefkit.engines.base import Engine

AT_ONCE = 100_000
"""This many documents are counted, or written to a file, at once."""


def portions(documents: int) -> list[tuple[int, int]]:
    """Where each portion of documents begins, and how many there are in it.

    >>> portions(250_000)
    [(0, 100000), (100000, 100000), (200000, 50000)]
    """
    return [(first, min(AT_ONCE, documents - first)) for first in range(0, documents, AT_ONCE)]


class CountsTable(Mapping[str, tuple[PerDocument, ...]]):
    """Metric → its columns, which are a table on an engine.

    The table has one row per document and the columns `muc_0`, `muc_1`, ….
    `corefkit_documents` has the names of the documents, numbered like the rows. Nothing can be
    fetched any more once the engine is closed.
    """

    def __init__(self, engine: Engine, name: str) -> None:
        """A table without rows."""
        self.documents = 0
        self.sums: dict[str, tuple[ExactSum, ...]] = {}
        self._engine, self._name = engine, name

    def append(self, documents: int, tables: Mapping[str, tuple[PerDocument, ...]]) -> None:
        """Add what was counted in the next documents."""
        rows: dict[str, PerDocument] = {"number": self.documents + np.arange(documents)}
        for metric, columns in tables.items():
            sums = self.sums.setdefault(metric, tuple(ExactSum() for _ in columns))
            for place, (column, total) in enumerate(zip(columns, sums, strict=True)):
                rows[f"{metric}_{place}"] = column
                total.add(column)
        self._engine.append(self._name, rows)
        self.documents += documents

    def __getitem__(self, metric: str) -> tuple[PerDocument, ...]:
        return self._columns([metric])[metric]

    def __contains__(self, metric: object) -> bool:
        return metric in self.sums

    def __iter__(self) -> Iterator[str]:
        return iter(self.sums)

    def __len__(self) -> int:
        return len(self.sums)

    def names(self, where: str = "") -> tuple[str, ...]:
        """The names of all documents, or of some, in order."""
        query = f"SELECT document FROM corefkit_documents {where} ORDER BY number"
        return tuple(map(str, self._engine.rows(query)["document"].tolist()))

    def parts(self) -> Iterator[Counts]:
        """The counts of some documents at a time, in order."""
        for first, some in portions(self.documents):
            where = f"WHERE number >= {first} AND number < {first + some}"
            yield Counts(self.names(where), self._columns(self, where))

    def fetch(self) -> Counts:
        """The counts of all documents."""
        return Counts(self.names(), self._columns(self))

    def _columns(
        self, metrics: Iterable[str], where: str = ""
    ) -> dict[str, tuple[PerDocument, ...]]:
        wanted = {m: [f"{m}_{place}" for place in range(len(self.sums[m]))] for m in metrics}
        listed = ", ".join(column for columns in wanted.values() for column in columns)
        rows = self._engine.rows(f"SELECT {listed} FROM {self._name} {where} ORDER BY number")
        return {m: tuple(np.asarray(rows[c]) for c in columns) for m, columns in wanted.items()}


class EngineCounts(Counts):
    """Counts that are on an engine: sums are known, all else is fetched when it is asked for."""

    tables: CountsTable

    def __init__(self, tables: CountsTable) -> None:
        """The counts of a table to which nothing is appended any more."""
        object.__setattr__(self, "tables", tables)
        object.__setattr__(self, "cells", {})

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """The names of the rows."""
        return self.tables.names()

    def __len__(self) -> int:
        return self.tables.documents

    def total(self, metric: str) -> tuple[Number, ...]:
        """The sum of each column of a metric."""
        return tuple(total.value for total in self.tables.sums[metric])

    def __reduce__(self) -> tuple[type[Counts], tuple[object, ...]]:
        fetched = self.tables.fetch()
        return Counts, (fetched.documents, fetched.tables)

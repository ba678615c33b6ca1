"""Counts: what each metric counted in each document. They add; ratios come at the very end."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import fsum
from typing import TYPE_CHECKING

import numpy as np

from corefkit import metrics
from corefkit.data.arrays import BoolArray, IntArray
from corefkit.metrics.base import Column, Number
from corefkit.data.options import Options
from corefkit.data.overlap import Overlap

if TYPE_CHECKING:
    from corefkit.mentions.pair import Pair
    from corefkit.data.cells import Cells


@dataclass(frozen=True, eq=False)
class Counts:
    """For each metric its columns, one row a document.

    Attributes:
        documents: the names of the rows.
        tables: metric → its columns, int64 or float64 (documents,).
        cells: application score → the same columns by class, sparse.

    Adding two puts their documents together. Sums are exact whatever the order of the documents:
    integers are integers, and floats are added by `math.fsum`, which rounds once.
    """

    documents: tuple[str, ...]
    tables: Mapping[str, tuple[Column, ...]]
    cells: "Mapping[str, Cells]" = field(default_factory=dict)

    def __add__(self, other: "Counts") -> "Counts":
        if self.tables.keys() != other.tables.keys():
            raise ValueError("only counts of the same metrics can be added")
        return add([self, other])

    def __len__(self) -> int:
        return len(self.documents)

    def select(self, rows: IntArray | BoolArray) -> "Counts":
        """The counts of some of the documents."""
        chosen = np.arange(len(self))[rows]
        tables = {m: tuple(column[rows] for column in t) for m, t in self.tables.items()}
        cells = {m: c.select(chosen) for m, c in self.cells.items()}
        return Counts(tuple(self.documents[i] for i in chosen.tolist()), tables, cells)

    def total(self, metric: str) -> tuple[Number, ...]:
        """The sum of each column of a metric."""
        return tuple(_sum(column) for column in self.tables[metric])


def add(counts: Iterable[Counts]) -> Counts:
    """Many counts of the same metrics as one, rows in order."""
    parts = list(counts)
    tables = {
        metric: tuple(
            np.concatenate(columns)
            for columns in zip(*(p.tables[metric] for p in parts), strict=True)
        )
        for metric in parts[0].tables
    }
    return Counts(tuple(name for p in parts for name in p.documents), tables, _add_cells(parts))


def _add_cells(parts: list[Counts]) -> "dict[str, Cells]":
    if not parts[0].cells:
        return {}
    from corefkit.data.cells import add_cells

    sizes = [len(part) for part in parts]
    return {m: add_cells([part.cells[m] for part in parts], sizes) for m in parts[0].cells}


def count(overlap: Overlap, options: Options, documents: Iterable[str]) -> Counts:
    """Count the metrics of the options, in the way of their policies.

    Application scores are not a matter of the overlap: see `count_applications`.
    """
    own = _own_counting(options)
    plain = [name for name in counted(options.metrics) if name not in metrics.VARIANTS]
    tables = {name: own.get(name, metrics.get(name).count)(overlap) for name in plain}
    return Counts(tuple(documents), tables)


def count_own(overlap: Overlap, options: Options) -> dict[str, tuple[Column, ...]]:
    """Only those metrics of the options that a policy counts in its own way."""
    own = _own_counting(options)
    return {name: own[name](overlap) for name in counted(options.metrics) if name in own}


def count_applications(counts: Counts, pair: "Pair", variants: Mapping[str, str]) -> Counts:
    """The counts with those of application scores, each in its variant."""
    from corefkit.mentions import tally

    found = {m: tally.count(pair, metrics.get(m), variant) for m, variant in variants.items()}
    tables = {m: columns for m, (columns, _) in found.items()}
    cells = {m: cells for m, (_, cells) in found.items()}
    return Counts(counts.documents, {**counts.tables, **tables}, {**counts.cells, **cells})


def counted(names: Iterable[str]) -> list[str]:
    """What is counted for the metrics of these names: for an average, the metrics it is made of."""
    parts = (part for name in names for part in metrics.get(name).parts or (name,))
    return list(dict.fromkeys(parts))


def _own_counting(options: Options) -> Mapping[str, Callable[[Overlap], tuple[Column, ...]]]:
    """The metrics that a policy counts in its own way."""
    if options.singletons == "e2e":
        from corefkit.profiles import e2e

        return e2e.COUNT
    return {}


def _sum(column: Column) -> Number:
    if column.dtype == np.int64:
        return int(column.sum())
    return fsum(column.tolist())

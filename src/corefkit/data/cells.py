"""Cells: whole numbers by document, label and column, where they are not zero."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from corefkit.data.arrays import IntArray, stretches, tuples


@dataclass(frozen=True, eq=False)
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

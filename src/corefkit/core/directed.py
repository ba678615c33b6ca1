"""Directed: one direction of a comparison, which is all that the counting of a metric sees.

For the entities of one side it has their sizes and, in cells, how many of their mentions are found
in which entities of the other side. For the standard rules the two directions are one table read
both ways; for scorers that look mentions up they are two tables.

>>> a = np.array
>>> key = Directed(1, a([0, 0]), a([3, 4]), a([0, 0, 0]), a([2, 2, 4]),
...                a([0, 0, 1, 1]), a([0, 1, 1, 2]), a([2, 1, 1, 2]))
>>> key.row_size.tolist(), key.column_size.tolist(), key.read_back().row_size.tolist()
([3, 3, 4, 4], [2, 2, 2, 4], [2, 2, 2, 4])
"""

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from corefkit.core.arrays import IntArray, distinct, ranks_of, sum_by

if TYPE_CHECKING:
    from corefkit.core.corpus import Corpus

Numbers: TypeAlias = npt.NDArray[Any]
"""Integers, int64; with split antecedents integers and Fractions, object."""


class Pairs(NamedTuple):
    """Matched mentions: rows of key and response, int64 (pairs,); a row occurs at most once."""

    key: IntArray
    response: IntArray

    def and_also(self, key: IntArray, response: IntArray) -> "Pairs":
        """These pairs, followed by others."""
        return Pairs(np.concatenate((self.key, key)), np.concatenate((self.response, response)))


class Directed(NamedTuple):
    """One direction of a comparison, all documents at once.

    Attributes:
        documents: the number of documents (or windows, or topics).
        document, size: int64 (entities,), of this side. Sizes include virtual mentions.
        other_document, other: int64 (entities of the other side,), their documents and sizes.
        row, column: int64 (cells,), the entity of this side and that of the other.
        n: int64 (cells,), the mentions of the entity that are found in the other.
        weight: 0, or (cells,), the weights of the virtual mentions of split antecedents: Fractions.
    """

    documents: int
    document: IntArray
    size: IntArray
    other_document: IntArray
    other: IntArray
    row: IntArray
    column: IntArray
    n: IntArray
    weight: Any = 0

    @property
    def m(self) -> Numbers:
        """(cells,): the mentions that are found, virtual ones included."""
        total: Numbers = self.n + self.weight
        return total

    @property
    def row_size(self) -> IntArray:
        """int64 (cells,): the size of the entity of this side."""
        return self.size[self.row]

    @property
    def column_size(self) -> IntArray:
        """int64 (cells,): the size of the entity of the other side."""
        return self.other[self.column]

    @property
    def strangers(self) -> Numbers:
        """(cells,): the mentions that are found elsewhere, in another entity on both sides."""
        found = add_by(self.row, self.m, len(self.size))
        there = add_by(self.column, self.m, len(self.other))
        everywhere = add_by(self.document, found, self.documents)[self.document[self.row]]
        total: Numbers = everywhere - found[self.row] - there[self.column] + self.m
        return total

    @property
    def others(self) -> IntArray:
        """int64 (entities,): the mentions of the document outside the entity."""
        return self.mentions[self.document] - self.size

    @property
    def mentions(self) -> IntArray:
        """int64 (documents,): the mentions of this side."""
        return sum_by(self.document, self.size, self.documents)

    @property
    def entities(self) -> IntArray:
        """int64 (documents,): the entities of this side."""
        return np.bincount(self.document, minlength=self.documents)

    def sum(self, values: IntArray) -> IntArray:
        """int64 (documents,): the sums of values, int64 (cells,)."""
        return sum_by(self.document[self.row], values, self.documents)

    def cells_at(self, rows: IntArray, columns: IntArray) -> IntArray:
        """int64 (n,): the cell of each pair of a row and a column; −1 where there is none."""
        width = max(len(self.other), 1)
        code, wanted = self.row * width + self.column, rows * width + columns
        order = np.argsort(code)
        cell = np.append(order, -1)[np.searchsorted(code, wanted, sorter=order)]
        return np.where((columns >= 0) & (np.append(code, -1)[cell] == wanted), cell, -1)

    def take(self, cells: IntArray) -> "Directed":
        """The same entities with only these cells."""
        weight = self.weight[cells] if np.ndim(self.weight) else 0
        return self._replace(
            row=self.row[cells], column=self.column[cells], n=self.n[cells], weight=weight
        )

    def without_singletons(self, rows: bool, columns: bool) -> "Directed":
        """The same entities without cells of singletons of this side, of the other, or of both."""
        kept = np.ones(len(self.n), dtype=bool)
        if rows:
            kept &= self.row_size > 1
        if columns:
            kept &= self.column_size > 1
        return self.take(np.flatnonzero(kept))

    def read_back(self) -> "Directed":
        """The same cells, read in the other direction."""
        return Directed(
            self.documents,
            self.other_document,
            self.other,
            self.document,
            self.size,
            self.column,
            self.row,
            self.n,
            self.weight,
        )


def all_mentions(key: Directed, response: Directed) -> IntArray:
    """int64 (documents,): the mentions of either side; common ones count once."""
    return key.mentions + response.mentions - key.sum(key.n)


Both: TypeAlias = tuple[Directed, Directed]
"""The two directions: the key's, for recall, and the response's, for precision."""


def both_ways(table: Directed) -> Both:
    """One table of the key, read in both directions."""
    return table, table.read_back()


class Seeing(Protocol):
    """A metric, which sees one pair of tables."""

    @property
    def table(self) -> str:
        """The name of the pair: an attribute of Lookups."""


class Lookups(NamedTuple):
    """All that counting sees of a scorer: four pairs of tables, the same for the standard rules.

    Attributes:
        sides: mentions by the entity of the other side in which they are found.
        listed: for CEAF.
        linked: for BLANC and links.
        mentions: for mention detection.
        found: the entity of the other side in which each mention of the key, and each mention of
            the response, is found, −1 for none; None if single mentions are not known.
    """

    sides: Both
    listed: Both
    linked: Both
    mentions: Both
    found: tuple[IntArray, IntArray] | None = None

    def tables(self, metric: Seeing, share: int) -> Both:
        """The pair that a metric sees, for any of its shares."""
        del share
        both: Both = getattr(self, metric.table)
        return both


def same_for_all(table: Directed) -> Lookups:
    """Lookups in which all metrics see one table of the key, read in both directions."""
    both = both_ways(table)
    return Lookups(both, both, both, both)


Entities: TypeAlias = tuple[IntArray, IntArray]
"""The document and the size of each entity of a side, int64 (entities,)."""


def tabulate(
    documents: int,
    side: Entities,
    other: Entities,
    rows: IntArray,
    columns: IntArray,
) -> Directed:
    """One direction, from the two entities of each mention that is found, int64 (n,) each."""
    width = max(len(other[1]), 1)
    cells, _, n, _ = distinct(rows * width + columns)
    return Directed(documents, *side, *other, cells // width, cells % width, n)


def found_in(side: "Corpus", other: "Corpus", entity: IntArray) -> Directed:
    """One direction, from the entity of the other side in which each mention is found.

    `entity`, int64 (mentions,), is −1 for a mention that is found nowhere.
    """
    rows = np.flatnonzero(entity >= 0)
    return table_of(side, side.entity[rows], other, entity[rows])


def table_of(side: "Corpus", rows: IntArray, other: "Corpus", columns: IntArray) -> Directed:
    """One direction, from the entities of two corpora with the same documents."""
    return tabulate(
        len(side.names),
        (side.entity_document, side.entity_size),
        (other.entity_document, other.entity_size),
        rows,
        columns,
    )


def add_by(group: IntArray, values: Numbers, groups: int) -> Numbers:
    """(groups,): exact sums of integers or Fractions (n,) by group."""
    if values.dtype != object:
        return sum_by(group, values, groups)
    totals: Numbers = np.zeros(groups, dtype=object)
    np.add.at(totals, group, values)
    return totals


def lookups_of_pairs(key: "Corpus", response: "Corpus", pairs: Pairs) -> Lookups:
    """The lookups of the standard rules: a mention is found in the entity of its partner."""
    in_response = np.full(key.mentions, -1, dtype=np.int64)
    in_response[pairs.key] = response.entity[pairs.response]
    in_key = np.full(response.mentions, -1, dtype=np.int64)
    in_key[pairs.response] = key.entity[pairs.key]
    lookups = same_for_all(table_of_pairs(key, response, pairs))
    return lookups._replace(found=(in_response, in_key))


def table_of_pairs(key: "Corpus", response: "Corpus", pairs: Pairs) -> Directed:
    """The table of the key, from matched mentions."""
    return table_of(key, key.entity[pairs.key], response, response.entity[pairs.response])


def entity_ranks(corpus: "Corpus") -> IntArray:
    """int64 (entities,): the rank of each entity in the order of their first mentions.

    So neither ids nor the order of brackets decide between equally good alignments.
    """
    first = np.zeros(corpus.entities, dtype=np.int64)
    first[corpus.entity[corpus.text_order][::-1]] = np.arange(corpus.mentions)[::-1]
    return ranks_of(np.argsort(first))

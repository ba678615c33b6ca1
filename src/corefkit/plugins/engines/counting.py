"""Count metrics from the tables of two sides; only histograms are fetched from the engine.

The overlap is a join and a group-by. Metrics need to know how often each combination of a key
size, a response size and a number of common mentions occurs. These integers make an Overlap whose
cells and entities each stand for many equal ones, so that the figures are exactly those of memory.
The counts are stored on the engine: `CountsTable`, one row per document.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from corefkit import metrics
from corefkit.core.arrays import IntArray
from corefkit.core.counts import Counts, Number, PerDocument, Size, exact_sum
from corefkit.core.incidents import data_error
from corefkit.plugins.engines.base import SIDES, Engine, integers, single_row
from corefkit.plugins.engines.entity_alignment import (
    WEIGHTS,
    AlignedEdges,
    NamedDocuments,
    align_entities,
)
from corefkit.plugins.engines.overlap import (
    EntityRows,
    Overlap,
    aligned_entities,
    aligned_mentions,
    count_overlap,
)
from corefkit.plugins.engines.sides import document_column, same

AT_ONCE = 100_000
"""This many documents are counted, or written to a file, at once."""

MOST_MENTIONS = 3_037_000_499
"""With more mentions in one document, the number of their pairs does not fit into 64 bits."""

MOST_PAIRS = 2**63 - 1
"""A larger number of pairs, in all documents together, does not fit into 64 bits."""

_FITTING = (
    f"at most {MOST_MENTIONS:,} mentions in a document and {MOST_PAIRS:,} pairs in all, "
    "so that they fit into 64 bits"
)
StageProgress = Callable[[str], None]
_COUNTED = {"ceafm": aligned_mentions, "ceafe": aligned_entities}

HISTOGRAM = ("what", "document", "key_size", "response_size", "n", "times")
"""The columns of the histogram: the kind of row, the document, the sizes of the two entities, the
number of mentions (of an entity, or in common), and how often this combination occurs."""

_CELLS = 6
"""The kind of cells in the histogram. Before them come the sizes of entities (0, 1), the numbers of
mentions that entities share in all (2, 3), and with the entity that shares most (4, 5), each for
key and response."""
_ALIGNED = {"ceafm": 7, "ceafe": 8}
"""The kinds of aligned edges."""

_OF_ENTITIES = (
    "SELECT {what} AS what, document, 0 AS key_size, 0 AS response_size, size AS n, "
    "count(*) AS times FROM corefkit_{side}_entities GROUP BY document, size"
)
_OF_COMMONS = (
    "SELECT {what} AS what, document, 0 AS key_size, 0 AS response_size, common AS n, "
    "count(*) AS times FROM (SELECT min(document) AS document, CAST(sum(n) AS BIGINT) AS common "
    "FROM corefkit_edges GROUP BY {side}) AS shared GROUP BY document, common"
)
_OF_BESTS = _OF_COMMONS.replace("CAST(sum(n) AS BIGINT)", "max(n)")
_OF_CELLS = (
    f"SELECT {_CELLS} AS what, document, key_size, response_size, n, count(*) AS times "
    "FROM corefkit_edges GROUP BY document, key_size, response_size, n"
)


_SEEING_COMMONS, _SEEING_BESTS = "blanc", "purity"
"""The metrics that depend on more than the sizes of entities and cells."""


def _histogram(engine: Engine, names: Sequence[str], aligned: dict[str, AlignedEdges]) -> str:
    """A query for the part of the histogram that these metrics need."""
    queries = [_OF_ENTITIES.format(what=what, side=side) for what, side in enumerate(SIDES)]
    if _SEEING_COMMONS in names:
        shared = _shared_sides(engine)
        for what, side in enumerate(SIDES, 2):
            kind = _OF_ENTITIES if side in shared else _OF_COMMONS
            queries.append(kind.format(what=what, side=side))
    if _SEEING_BESTS in names:
        queries += [_OF_BESTS.format(what=what, side=side) for what, side in enumerate(SIDES, 4)]
    queries.append(_OF_CELLS)
    for name, edges in aligned.items():
        queries += [
            f"SELECT {_ALIGNED[name]} AS what, document, key_size, response_size, n, times "
            f"FROM {table}"
            for table in edges.tables
        ]
    return " UNION ALL ".join(queries)


def _shared_sides(engine: Engine) -> list[str]:
    """The sides all of whose mentions the other has: their entities share all of their mentions.

    This is usual in entity resolution, which clusters the same records on both sides. The shared
    mentions of an entity are then its size, and need not be summed from its edges.
    """
    sums = ["(SELECT sum(n) FROM corefkit_edges) AS common"]
    sums += [f"(SELECT sum(size) FROM corefkit_{side}_entities) AS {side}" for side in SIDES]
    row = single_row(engine, f"SELECT {', '.join(sums)}")
    return [side for side in SIDES if row[side] == row["common"]]


def make_edges(engine: Engine, named: bool, *, last: bool, progress: StageProgress) -> None:
    """Make `corefkit_edges`: the overlap of key and response, as edges between numbered entities.

    For the `last` response, the mentions of the key are dropped.
    """
    progress("overlap")
    cells = (
        f"SELECT {'k.document, ' * named}k.entity AS key_entity, r.entity AS response_entity, "
        "count(*) AS n FROM corefkit_key k JOIN corefkit_response r "
        f"ON {same(named, 'k', 'r', 'mention')} "
        f"GROUP BY {'k.document, ' * named}k.entity, r.entity"
    )
    engine.table("corefkit_cells", cells)
    engine.drop("corefkit_response", *(["corefkit_key"] if last else []))
    document = "k.document = c.document AND " if named else ""
    engine.table(
        "corefkit_edges",
        f"SELECT {document_column(named, of='k.')}, k.number AS key, r.number AS response, "
        "k.size AS key_size, r.size AS response_size, c.n FROM corefkit_cells c "
        f"JOIN corefkit_key_entities k ON {document}k.entity = c.key_entity "
        f"JOIN corefkit_response_entities r ON {document.replace('k.', 'r.', 1)}"
        "r.entity = c.response_entity",
    )
    engine.drop("corefkit_cells")


def measure(engine: Engine, side: str) -> Size:
    """The size of a side; DataError where the number of pairs does not fit into 64 bits."""
    row = single_row(
        engine,
        "SELECT count(*) AS documents, CAST(coalesce(sum(entities), 0) AS BIGINT) AS entities, "
        "CAST(coalesce(sum(mentions), 0) AS BIGINT) AS mentions, "
        "coalesce(max(mentions), 0) AS largest, "
        f"CAST(coalesce(sum({wide('mentions')} * {wide('mentions - 1')}), 0) AS STRING) "
        "AS twice_pairs FROM (SELECT document, count(*) AS entities, "
        f"CAST(sum(size) AS BIGINT) AS mentions FROM corefkit_{side}_entities "
        "GROUP BY document) AS s",
    )
    largest, pairs = int(row["largest"]), int(row["twice_pairs"]) // 2
    if largest > MOST_MENTIONS:
        raise data_error("too-many-mentions", side=side, number=largest, expected=_FITTING)
    if pairs > MOST_PAIRS:
        raise data_error("too-many-mentions", "pairs", side=side, number=pairs, expected=_FITTING)
    return Size(*(int(row[name]) for name in ("documents", "mentions", "entities")))


def wide(value: str) -> str:
    """SQL for an integer that is wide enough for sums of products without overflow."""
    return f"CAST({value} AS DECIMAL(19, 0))"


def count_edges(
    engine: Engine,
    names: Iterable[str],
    counts: "CountsTable",
    documents: int,
    progress: StageProgress,
) -> None:
    """Count metrics from the histogram, some documents at a time, and append them to `counts`."""
    # Mentions are always counted, as in memory, so that the size of any group is known.
    wanted = list(dict.fromkeys((*metrics.counted(names), "mentions")))
    aligned: dict[str, AlignedEdges] = {}
    if matched := [name for name in wanted if name in WEIGHTS]:
        progress(f"alignment for {' and '.join(matched)}")
        aligned = align_entities(engine, matched, NamedDocuments(documents, counts.name_of))
    progress("counting")
    histogram = _histogram(engine, wanted, aligned)
    plain = [name for name in wanted if name not in WEIGHTS]
    if len(portions(documents)) > 1:
        engine.table("corefkit_histogram", histogram, by="document")
        histogram = "SELECT * FROM corefkit_histogram"
        engine.drop("corefkit_edges", "corefkit_response_entities", *_tables(aligned))
    for first, some in portions(documents):
        kinds = _read_histogram(engine, histogram, first, some)
        overlap = _overlap(kinds, some)
        tables = count_overlap(overlap, plain)
        for name, edges in aligned.items():
            rounds = kinds.only(_ALIGNED[name])
            chosen = _joined(rounds, edges.between(first, some))
            tables[name] = _COUNTED[name](overlap, _aligned_overlap(chosen, some))
        counts.append(some, {name: tables[name] for name in wanted})
    engine.drop(
        "corefkit_histogram",
        "corefkit_edges",
        "corefkit_response_entities",
        *_tables(aligned),
    )


def _tables(aligned: dict[str, AlignedEdges]) -> list[str]:
    return [table for edges in aligned.values() for table in edges.tables]


class _Kinds(NamedTuple):
    """Rows of the histogram, int64 (rows,) each; documents are numbered from 0."""

    what: IntArray
    document: IntArray
    key_size: IntArray
    response_size: IntArray
    n: IntArray
    times: IntArray

    def only(self, what: int) -> tuple[IntArray, ...]:
        """The columns of rows of one kind, without `what`."""
        chosen = self.what == what
        return tuple(column[chosen] for column in self[1:])


def _read_histogram(engine: Engine, histogram: str, first: int, documents: int) -> _Kinds:
    """The histogram of some documents."""
    where = f"WHERE document >= {first} AND document < {first + documents}"
    rows = engine.rows(f"SELECT {', '.join(HISTOGRAM)} FROM ({histogram}) AS h {where}")
    what, document, *others = integers(rows, *HISTOGRAM)
    return _Kinds(what, document - first, *others)


def _overlap(kinds: _Kinds, documents: int) -> Overlap:
    """The overlap of some documents, in which a row may stand for many equal ones."""
    sizes = []
    for what in range(_CELLS):
        document, _, _, size, times = kinds.only(what)
        sizes.append((document, size, times))
    document, key_size, response_size, n, times = kinds.only(_CELLS)
    at, none = np.arange(len(n)), np.zeros(len(n), dtype=np.int64)
    # The entities of the cells come after those that are counted, with multiplicity 0.
    key, response = (
        EntityRows(*map(np.concatenate, zip(counted, (document, own, none), strict=True)))
        for counted, own in zip(sizes[:2], (key_size, response_size), strict=True)
    )
    places = [len(counted[0]) + at for counted in sizes[:2]]
    commons, bests = ((EntityRows(*sizes[i]), EntityRows(*sizes[i + 1])) for i in (2, 4))
    return Overlap(documents, key, response, places[0], places[1], n, times, commons, bests)


def _joined(one: Sequence[IntArray], other: Sequence[IntArray]) -> list[IntArray]:
    return [np.concatenate(both) for both in zip(one, other, strict=True)]


def _aligned_overlap(edges: Sequence[IntArray], documents: int) -> Overlap:
    """The overlap with only the aligned cells."""
    document, key_size, response_size, n, times = edges
    at = np.arange(len(document))
    key, response = EntityRows(document, key_size), EntityRows(document, response_size)
    return Overlap(documents, key, response, at, at, n, times)


def portions(documents: int) -> list[tuple[int, int]]:
    """The first document of each portion, and how many it has.

    >>> portions(250_000)
    [(0, 100000), (100000, 100000), (200000, 50000)]
    """
    return [(first, min(AT_ONCE, documents - first)) for first in range(0, documents, AT_ONCE)]


class CountsTable(Mapping[str, tuple[PerDocument, ...]]):
    """Metric → its columns, which are in a table on an engine.

    The table has one row per document and the columns `muc_0`, `muc_1`, …. `corefkit_documents`
    has the names of the documents, numbered like the rows, unless they are groups, whose names are
    given. Nothing can be fetched once the engine is closed.

    Attributes:
        documents: how many rows there are.
        sums: metric → the `exact_sum` of each column.
    """

    def __init__(self, engine: Engine, name: str, groups: tuple[str, ...] | None = None) -> None:
        """`name` is that of the table, which is made with its first rows."""
        self.documents = 0
        self.sums: dict[str, list[list[Number]]] = {}
        self._engine, self._name, self._groups = engine, name, groups

    def append(self, documents: int, tables: Mapping[str, tuple[PerDocument, ...]]) -> None:
        """Add the counts of the next documents."""
        rows: dict[str, PerDocument] = {"number": self.documents + np.arange(documents)}
        for metric, columns in tables.items():
            sums = self.sums.setdefault(metric, [[] for _ in columns])
            for number, column in enumerate(columns):
                rows[f"{metric}_{number}"] = column
                sums[number] = exact_sum([*sums[number], *column.tolist()])
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

    def names(self) -> tuple[str, ...]:
        """The names of all documents, in order."""
        if self._groups is not None:
            return self._groups
        rows = self._engine.rows("SELECT document FROM corefkit_documents ORDER BY number")
        return tuple(map(str, rows["document"].tolist()))

    def name_of(self, number: int) -> str:
        """The name of one document."""
        if self._groups is not None:
            return self._groups[number]
        rows = self._engine.rows(f"SELECT document FROM corefkit_documents WHERE number = {number}")
        return str(rows["document"][0])

    def parts(self) -> Iterator[Counts]:
        """The counts in portions of documents, in order."""
        if self._groups is not None:  # there are few
            yield self.fetch()
            return
        columns = [column for metric in self for column in self._names_of(metric)]
        query = (
            f"SELECT d.number, d.document, {', '.join(columns)} FROM corefkit_documents d "
            f"JOIN {self._name} c ON d.number = c.number"
        )
        for rows in self._engine.portions(query, AT_ONCE, self.documents):
            names = tuple(map(str, rows["document"].tolist()))
            yield Counts(
                names, {m: tuple(np.asarray(rows[c]) for c in self._names_of(m)) for m in self}
            )

    def fetch(self) -> Counts:
        """The counts of all documents."""
        return Counts(self.names(), self._columns(self))

    def _names_of(self, metric: str) -> list[str]:
        """The names of a metric's columns in the table."""
        return [f"{metric}_{place}" for place in range(len(self.sums[metric]))]

    def _columns(self, metrics: Iterable[str]) -> dict[str, tuple[PerDocument, ...]]:
        names = {metric: self._names_of(metric) for metric in metrics}
        listed = ", ".join(column for columns in names.values() for column in columns)
        rows = self._engine.rows(f"SELECT {listed} FROM {self._name} ORDER BY number")
        return {m: tuple(np.asarray(rows[c]) for c in columns) for m, columns in names.items()}


class EngineCounts(Counts):
    """Counts on an engine: sums are known, everything else is fetched when it is needed."""

    tables: CountsTable

    def __init__(self, tables: CountsTable) -> None:
        """The counts of a complete table."""
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
        return tuple(total[0] for total in self.tables.sums[metric])

    def __reduce__(self) -> tuple[type[Counts], tuple[object, ...]]:
        fetched = self.tables.fetch()
        return Counts, (fetched.documents, fetched.tables)

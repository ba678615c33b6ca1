"""Count metrics from the tables of two sides, some documents at a time.

An engine joins and groups: it finds which mentions two entities have in common. What metrics see,
`Directed`, is then fetched, and counted by the same code as in memory; so any metric of entities
works on an engine. The counts are stored there: `CountsTable`, one row per document.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.counts import Counts, Number, PerDocument, Size, exact_sum
from corefkit.core.directed import Directed
from corefkit.core.incidents import data_error
from corefkit.core.options import Options
from corefkit.plugins.engines.base import Engine, count_rows, integers, single_row
from corefkit.plugins.engines.sides import document_column, same
from corefkit.scorers.counting import count_table

AT_ONCE = 100_000
"""This many documents are counted, or written to a file, at once."""

MOST_EDGES = 50_000_000
"""At most this many pairs of entities are fetched at once; counting takes some 200 bytes each."""

MOST_MENTIONS = 3_037_000_499
"""With more mentions in one document, the number of their pairs does not fit into 64 bits."""

MOST_PAIRS = 2**63 - 1
"""A larger number of pairs, in all documents together, does not fit into 64 bits."""

_FITTING = (
    f"at most {MOST_MENTIONS:,} mentions in a document and {MOST_PAIRS:,} pairs in all, "
    "so that they fit into 64 bits"
)
StageProgress = Callable[[str], None]


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
        f"SELECT {document_column(named, of='k.')}, k.number AS key, r.number AS response, c.n "
        "FROM corefkit_cells c "
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
    options: Options,
    counts: "CountsTable",
    documents: int,
    progress: StageProgress,
) -> None:
    """Count the metrics of the options, some documents at a time, and append them to `counts`."""
    progress("counting")
    if documents > AT_ONCE:
        engine.table("corefkit_edges", "SELECT * FROM corefkit_edges", by="document")
    for first, stop in _fetched_at_once(engine, 0, documents, counts.name_of):
        table = _table(engine, first, stop)
        counts.append(stop - first, count_table(options, table).tables)
    engine.drop("corefkit_edges", "corefkit_response_entities")


def _fetched_at_once(
    engine: Engine, first: int, stop: int, name_of: Callable[[int], str]
) -> Iterator[tuple[int, int]]:
    """Ranges of documents with at most AT_ONCE documents and MOST_EDGES edges, in order."""
    if stop - first <= AT_ONCE:
        edges = count_rows(engine, f"corefkit_edges WHERE {_between(first, stop)}")
        if edges <= MOST_EDGES:
            yield first, stop
            return
        if stop - first == 1:
            raise data_error(
                "document-too-large",
                document=name_of(first),
                number=edges,
                expected=f"at most {MOST_EDGES:,} of them in a document",
            )
    middle = (first + stop) // 2
    yield from _fetched_at_once(engine, first, middle, name_of)
    yield from _fetched_at_once(engine, middle, stop, name_of)


def _between(first: int, stop: int) -> str:
    return f"document >= {first} AND document < {stop}"


def _table(engine: Engine, first: int, stop: int) -> Directed:
    """The table of the key of some documents, which are numbered from 0; its order is memory's."""
    where = f"WHERE {_between(first, stop)} ORDER BY"
    begin, *key = _entities(engine, "key", where)
    other_begin, *response = _entities(engine, "response", where)
    rows = engine.rows(f"SELECT key, response, n FROM corefkit_edges {where} key, response")
    row, column, n = integers(rows, "key", "response", "n")
    row, column = row - begin, column - other_begin
    of_key, of_response = key[0] - first, response[0] - first
    return Directed(stop - first, of_key, key[1], of_response, response[1], row, column, n)


def _entities(engine: Engine, side: str, where: str) -> tuple[int, IntArray, IntArray]:
    """The number of the first entity, then the document and the size of each."""
    columns = "number, document, size"
    rows = engine.rows(f"SELECT {columns} FROM corefkit_{side}_entities {where} number")
    number, document, size = integers(rows, "number", "document", "size")
    return int(number[:1].sum()), document, size


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

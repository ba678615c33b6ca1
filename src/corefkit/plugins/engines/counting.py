"""Count metrics from the tables of two sides, some documents at a time.

An engine joins and groups: it finds which mentions two entities have in common. What metrics see,
`Directed`, is then fetched, and counted by the same code as in memory; so any metric of entities
works on an engine.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from corefkit.core import progress
from corefkit.core.arrays import IntArray
from corefkit.core.counts import Counts, Size
from corefkit.core.directed import Directed
from corefkit.core.incidents import data_error
from corefkit.core.options import Options
from corefkit.plugins.engines.base import Engine, count_rows, integers, single_row
from corefkit.plugins.engines.sides import document_column, same
from corefkit.scorers.counting import count_table

AT_ONCE = 100_000
"""This many documents are counted at once."""

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


def make_edges(
    engine: Engine, named: bool, *, last: bool, noticed: Callable[[], None] = lambda: None
) -> None:
    """Make `corefkit_edges`: the overlap of key and response, as edges between numbered entities.

    `noticed` is called while the mentions are still there. For the `last` response, those of the
    key are dropped.
    """
    progress.at("overlap")
    cells = (
        f"SELECT {'k.document, ' * named}k.entity AS key_entity, r.entity AS response_entity, "
        "count(*) AS n FROM corefkit_key k JOIN corefkit_response r "
        f"ON {same(named, 'k', 'r', 'mention')} "
        f"GROUP BY {'k.document, ' * named}k.entity, r.entity"
    )
    engine.table("corefkit_cells", cells)
    noticed()
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


def count_edges(engine: Engine, options: Options, names: Sequence[str]) -> Counts:
    """Count the metrics of the options in the documents of these names, some at a time."""
    progress.at("counting")
    if len(names) > AT_ONCE:
        engine.table("corefkit_edges", "SELECT * FROM corefkit_edges", by="document")
    parts = [
        count_table(options, _table(engine, first, stop)).tables
        for first, stop in _fetched_at_once(engine, 0, len(names), names)
    ]
    engine.drop("corefkit_edges", "corefkit_response_entities")
    tables = {
        metric: tuple(map(np.concatenate, zip(*(part[metric] for part in parts), strict=True)))
        for metric in parts[0]
    }
    return Counts(tuple(names), tables)


def _fetched_at_once(
    engine: Engine, first: int, stop: int, names: Sequence[str]
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
                document=names[first],
                number=edges,
                expected=f"at most {MOST_EDGES:,} of them in a document",
            )
    middle = (first + stop) // 2
    yield from _fetched_at_once(engine, first, middle, names)
    yield from _fetched_at_once(engine, middle, stop, names)


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

"""Count metrics from the tables of two sides, some documents at a time.

An engine joins and groups: it finds which mentions two entities have in common. What metrics see,
`Directed`, is then fetched, and counted by the same code as in memory; so any metric of entities
works on an engine.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from corefkit.core import progress
from corefkit.core.arrays import IntArray
from corefkit.core.counts import Counts, Size
from corefkit.core.directed import Directed
from corefkit.core.incidents import data_error
from corefkit.core.options import Options
from corefkit.plugins.engines.base import Engine, integers, single_row
from corefkit.plugins.engines.sides import same
from corefkit.scorers.counting import count_table

AT_ONCE = 5_000_000
"""So many entities, and pairs of them, are fetched at once; counting takes some 200 bytes each."""

MOST_EDGES = 50_000_000
"""A document has at most this many pairs of entities with a common mention."""

MOST_MENTIONS = 3_037_000_499
"""With more mentions in one document, the number of their pairs does not fit into 64 bits."""

MOST_PAIRS = 2**63 - 1
"""A larger number of pairs, in all documents together, does not fit into 64 bits."""

_FITTING = (
    f"at most {MOST_MENTIONS:,} mentions in a document and {MOST_PAIRS:,} pairs in all, "
    "so that they fit into 64 bits"
)


def make_edges(engine: Engine, *, last: bool, noticed: Callable[[], None] = lambda: None) -> None:
    """Make `corefkit_edges`: the overlap of key and response, as edges between numbered entities.

    `noticed` is called while the mentions are still there. For the `last` response, those of the
    key are dropped.
    """
    progress.at("overlap")
    engine.table(
        "corefkit_cells",
        "SELECT k.document, k.entity AS key_entity, r.entity AS response_entity, count(*) AS n "
        f"FROM corefkit_key k JOIN corefkit_response r ON {same('k', 'r', 'mention')} "
        "GROUP BY k.document, k.entity, r.entity",
    )
    noticed()
    engine.drop("corefkit_response", *(["corefkit_key"] if last else []))
    engine.table(
        "corefkit_edges",
        "SELECT c.document, k.number AS key, r.number AS response, c.n FROM corefkit_cells c "
        "JOIN corefkit_key_entities k "
        "ON k.document = c.document AND k.entity = c.key_entity "
        "JOIN corefkit_response_entities r "
        "ON r.document = c.document AND r.entity = c.response_entity",
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
    parts = [
        count_table(options, _table(engine, first, stop)).tables
        for first, stop in pairwise(_bounds(engine, names))
    ]
    engine.drop("corefkit_edges", "corefkit_response_entities")
    tables = {
        metric: tuple(map(np.concatenate, zip(*(part[metric] for part in parts), strict=True)))
        for metric in parts[0]
    }
    return Counts(tuple(names), tables)


def _bounds(engine: Engine, names: Sequence[str]) -> list[int]:
    """The first document of each range that is fetched at once, and the end of the last one."""
    rows = np.zeros(len(names), dtype=np.int64)
    for table in ("edges", "key_entities", "response_entities"):
        found = engine.rows(
            f"SELECT document, count(*) AS n FROM corefkit_{table} GROUP BY document"
        )
        document, number = integers(found, "document", "n")
        if table == "edges" and number.max(initial=0) > MOST_EDGES:
            raise data_error(
                "document-too-large",
                document=names[document[number.argmax()]],
                number=int(number.max()),
                expected=f"at most {MOST_EDGES:,} of them in a document",
            )
        rows[document] += number
    sums = np.concatenate(([0], np.cumsum(rows)))
    bounds = [0]
    while len(bounds) < 2 or bounds[-1] < len(names):
        first = bounds[-1]
        stop = int(np.searchsorted(sums, sums[first] + AT_ONCE, side="right")) - 1
        bounds.append(min(max(stop, first + 1), len(names)))
    return bounds


def _table(engine: Engine, first: int, stop: int) -> Directed:
    """The table of the key of some documents, which are numbered from 0; its order is memory's."""
    where = f"WHERE document >= {first} AND document < {stop} ORDER BY"
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

"""CEAF on an engine: edges that decide themselves, round by round; the rest in memory.

The rule is that of corefkit.metrics.assignment: an edge that is the heaviest at both its ends, and
weighs at least as much as the next-best edges there together, belongs to a best alignment. Of
equal edges the one to the entity with the smaller first mention comes first.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.overlap import Entities, Overlap
from corefkit.engines.base import Engine, integers, single
from corefkit.metrics.assignment import best_alignment

WEIGHTS = {
    "ceafm": "CAST(n AS DOUBLE)",
    "ceafe": "CAST(2 * n AS DOUBLE) / CAST(key_size + response_size AS DOUBLE)",
}
"""The weight of an edge, as SQL: the same floating-point operations as in memory."""

ENOUGH = 500_000
"""At most this many undecided edges are fetched and solved in memory."""

WORTH = 50
"""Rounds go on while each decides one edge in this many; on long paths they decide hardly any."""


HISTOGRAM = ("document", "key_size", "response_size", "n", "times")
"""How many chosen edges of a document have these sizes and so many common mentions."""


@dataclass(frozen=True, eq=False)
class Aligned:
    """The chosen edges as histograms: those of the rounds on the engine, the others here.

    Attributes:
        tables: the tables of the rounds, with the columns of HISTOGRAM.
        solved: the columns of HISTOGRAM, int64 (rows,) each.
    """

    tables: tuple[str, ...]
    solved: list[IntArray]

    def between(self, engine: Engine, first: int, documents: int) -> Overlap:
        """The chosen cells of some documents, which count from 0 then."""
        some = (self.solved[0] >= first) & (self.solved[0] < first + documents)
        columns = [column[some] for column in self.solved]
        if self.tables:
            rows = engine.rows(
                " UNION ALL ".join(
                    f"SELECT {', '.join(HISTOGRAM)} FROM {table} "
                    f"WHERE document >= {first} AND document < {first + documents}"
                    for table in self.tables
                )
            )
            fetched = integers(rows, *HISTOGRAM)
            columns = [np.concatenate(both) for both in zip(columns, fetched, strict=True)]
        document, key_size, response_size, n, times = columns
        document = document - first
        at = np.arange(len(document))
        key, response = Entities(document, key_size), Entities(document, response_size)
        return Overlap(documents, key, response, at, at, n, times)


def align(engine: Engine, names: Sequence[str]) -> dict[str, Aligned]:
    """The best alignment of all documents, for each of some metrics."""
    left = _count(engine, "corefkit_edges")
    if left <= ENOUGH:
        rest = _fetch(engine, "corefkit_edges")
        return {name: Aligned((), _solve(rest, name)) for name in names}
    return {name: _in_rounds(engine, name, left) for name in names}


def _in_rounds(engine: Engine, name: str, left: int) -> Aligned:
    """Rounds on the engine while there are many edges and rounds are worth it; then memory."""
    undecided, still = "corefkit_undecided", "corefkit_still"
    engine.table(undecided, f"SELECT *, {WEIGHTS[name]} AS weight FROM corefkit_edges")
    tables: list[str] = []
    while left > ENOUGH:
        tables.append(f"corefkit_{name}_round_{len(tables)}")
        taken = _round(engine, undecided, still, tables[-1])
        undecided, still = still, undecided
        if taken * WORTH < left:
            break
        left = _count(engine, undecided)
    solved = _solve(_fetch(engine, undecided), name)
    engine.drop(undecided)
    return Aligned(tuple(tables), solved)


def _round(engine: Engine, undecided: str, still: str, chosen: str) -> int:
    """Take the edges that decide themselves, and return how many they are.

    `chosen` becomes their histogram; `still` gets all edges that do not touch them.
    """
    key = "PARTITION BY document, key_first ORDER BY weight DESC, response_first"
    response = "PARTITION BY document, response_first ORDER BY weight DESC, key_first"
    engine.table(
        "corefkit_wins",
        "SELECT document, key_first, response_first, key_size, response_size, n FROM "
        f"(SELECT *, row_number() OVER ({key}) AS key_place, lead(weight) OVER ({key}) AS "
        f"key_next, row_number() OVER ({response}) AS response_place, "
        f"lead(weight) OVER ({response}) AS response_next FROM {undecided}) AS ranked "
        "WHERE key_place = 1 AND response_place = 1 "
        "AND weight >= coalesce(key_next, 0) + coalesce(response_next, 0)",
    )
    engine.table(
        still,
        f"SELECT * FROM {undecided} u WHERE NOT EXISTS (SELECT 1 FROM corefkit_wins w WHERE "
        "w.document = u.document AND w.key_first = u.key_first) AND NOT EXISTS (SELECT 1 FROM "
        "corefkit_wins w WHERE w.document = u.document AND w.response_first = u.response_first)",
    )
    engine.table(
        chosen,
        "SELECT document, key_size, response_size, n, count(*) AS times FROM corefkit_wins "
        "GROUP BY document, key_size, response_size, n",
    )
    taken = _count(engine, "corefkit_wins")
    engine.drop("corefkit_wins", undecided)
    return taken


def _count(engine: Engine, table: str) -> int:
    return int(single(engine, f"SELECT count(*) AS n FROM {table}")["n"])


def _fetch(engine: Engine, table: str) -> list[IntArray]:
    """Edges in the order in which memory has them.

    The numbers of the two entities, the document, the sizes of both and their common mentions.
    """
    rows = engine.rows(
        "SELECT dense_rank() OVER (ORDER BY document, key_first) - 1 AS k, "
        "dense_rank() OVER (ORDER BY document, response_first) - 1 AS r, "
        f"document, key_size, response_size, n FROM {table}"
    )
    columns = integers(rows, "k", "r", "document", "key_size", "response_size", "n")
    order = np.lexsort((columns[1], columns[0]))
    return [column[order] for column in columns]


def _solve(rest: list[IntArray], name: str) -> list[IntArray]:
    """The edges that a best alignment chooses, as the columns of HISTOGRAM."""
    key, response, document, key_size, response_size, n = rest
    weight = n.astype(np.float64) if name == "ceafm" else 2 * n / (key_size + response_size)
    chosen = best_alignment(key, response, weight)
    columns = (document, key_size, response_size, n)
    return [*(column[chosen] for column in columns), np.ones(len(chosen), dtype=np.int64)]

"""CEAF on an engine: edges that decide themselves, round by round; the rest in memory.

The rule is that of corefkit.metrics.assignment: an edge that is the heaviest at both its ends, and
weighs at least as much as the next-best edges there together, belongs to a best alignment. Of
equal edges the one to the entity with the smaller first mention comes first.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from corefkit.data.arrays import EMPTY, IntArray
from corefkit.data.overlap import Entities, Overlap
from corefkit.engines.base import Engine, integers, single
from corefkit.metrics.assignment import best_alignment

WEIGHTS = {
    "ceafm": "CAST(n AS DOUBLE)",
    "ceafe": "CAST(2 * n AS DOUBLE) / CAST(key_size + response_size AS DOUBLE)",
}
"""The weight of an edge, as SQL: the same floating-point operations as in memory."""

ENOUGH = 500_000
"""So few undecided edges are fetched and solved in memory."""

WORTH = 50
"""A round goes on if it decided one edge in so many; on long paths rounds decide next to none."""


@dataclass(frozen=True, eq=False)
class Aligned:
    """The chosen edges as a histogram: int64 (rows,) each."""

    document: IntArray
    key_size: IntArray
    response_size: IntArray
    n: IntArray
    times: IntArray

    def between(self, first: int, documents: int) -> Overlap:
        """The chosen cells of some documents, which count from 0 then."""
        some = (self.document >= first) & (self.document < first + documents)
        document = self.document[some] - first
        at = np.arange(len(document))
        return Overlap(
            documents,
            Entities(document, self.key_size[some]),
            Entities(document, self.response_size[some]),
            at,
            at,
            self.n[some],
            self.times[some],
        )


def align(engine: Engine, names: Sequence[str]) -> dict[str, Aligned]:
    """The best alignment of all documents, for each of some metrics."""
    left = _count(engine, "corefkit_edges")
    if left <= ENOUGH:
        rest = _fetch(engine, "corefkit_edges")
        return {name: Aligned(*_solve(rest, name)) for name in names}
    return {name: _in_rounds(engine, name, left) for name in names}


def _in_rounds(engine: Engine, name: str, left: int) -> Aligned:
    """Rounds on the engine as long as there are many edges and a round is worth it."""
    undecided, still = "corefkit_undecided", "corefkit_still"
    engine.table(undecided, f"SELECT *, {WEIGHTS[name]} AS weight FROM corefkit_edges")
    found: list[list[IntArray]] = []
    while left > ENOUGH:
        taken = _round(engine, undecided, still)
        undecided, still = still, undecided
        found.append(taken)
        if int(taken[-1].sum()) * WORTH < left:
            break
        left = _count(engine, undecided)
    found.append(_solve(_fetch(engine, undecided), name))
    engine.drop(undecided)
    return Aligned(*(np.concatenate([EMPTY, *column]) for column in zip(*found, strict=True)))


def _round(engine: Engine, undecided: str, still: str) -> list[IntArray]:
    """Take the edges that decide themselves; `still` gets all that do not touch them."""
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
    rows = engine.rows(
        "SELECT document, key_size, response_size, n, count(*) AS times FROM corefkit_wins "
        "GROUP BY document, key_size, response_size, n"
    )
    engine.drop("corefkit_wins", undecided)
    return integers(rows, "document", "key_size", "response_size", "n", "times")


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
    """The edges that a best alignment chooses, as the columns of Aligned."""
    key, response, document, key_size, response_size, n = rest
    weight = n.astype(np.float64) if name == "ceafm" else 2 * n / (key_size + response_size)
    chosen = best_alignment(key, response, weight)
    columns = (document, key_size, response_size, n)
    return [*(column[chosen] for column in columns), np.ones(len(chosen), dtype=np.int64)]

"""CEAF's alignment of entities, round by round: what decides itself on the engine, the rest here.

The rule is that of corefkit.core.assignment: an edge that is the heaviest at both its ends, and
weighs at least as much as the next-best edges there together, belongs to a best alignment. Of equal
edges the one to the entity with the smaller number comes first. A round asks for the two heaviest
edges of each entity only, which an engine finds without bringing all edges of an entity together.

What rounds leave is solved in memory, whole documents at a time: edges of different documents never
touch. A document of which more is left than memory is for is refused.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from corefkit.core.arrays import IntArray, mask_of
from corefkit.core.assignment import best_alignment
from corefkit.core.carriers import frozen
from corefkit.core.incidents import data_error
from corefkit.engines.base import Engine, count_rows, integers, single_row

WEIGHTS = {
    "ceafm": "CAST(n AS DOUBLE)",
    "ceafe": "CAST(2 * n AS DOUBLE) / CAST(key_size + response_size AS DOUBLE)",
}
"""The weight of an edge, as SQL: the same floating-point operations as in memory."""

ENOUGH = 2_000_000
"""At most this many undecided edges are fetched and solved in memory before a round is tried."""

MOST_FETCHED = 50_000_000
"""More undecided edges are never fetched at once: they take some 180 bytes each."""

WORTH = 50
"""Rounds go on while each decides one edge in this many; on long paths they decide hardly any."""

_PATIENCE = 1000
"""The same while more edges are left than can be fetched at once."""

_SAMPLE = 64
"""One key entity in this many is looked at to see whether rounds are worth it at all."""


@frozen(eq=False)
class AlignedEdges:
    """The chosen edges as a histogram: those of the rounds on the engine, the others here.

    Attributes:
        tables: the tables of the rounds: document, key_size, response_size, n, times.
        solved: the same columns, int64 (rows,) each, sorted by document.
    """

    tables: tuple[str, ...]
    solved: list[IntArray]

    def between(self, first: int, documents: int) -> list[IntArray]:
        """What was solved of some documents, which count from 0 then."""
        begin, end = np.searchsorted(self.solved[0], (first, first + documents))
        document, *others = (column[begin:end] for column in self.solved)
        return [document - first, *others]


def align_entities(engine: Engine, names: Sequence[str], documents: int) -> dict[str, AlignedEdges]:
    """The best alignment of all documents, for each of some metrics."""
    row = single_row(
        engine,
        "SELECT count(*) AS n, min(key_size + response_size) AS least, "
        "max(key_size + response_size) AS most FROM corefkit_edges",
    )
    left = int(row["n"])
    # Where entities are all alike, the weights of all metrics are multiples of each other.
    different = names[:1] if row["least"] == row["most"] else names
    if left <= ENOUGH:
        edges = _fetch(engine, "corefkit_edges")
        aligned = {name: AlignedEdges((), _solve(edges, name)) for name in different}
    else:
        aligned = {name: _in_rounds(engine, name, left, documents) for name in different}
    return {name: aligned.get(name, aligned[names[0]]) for name in names}


def _in_rounds(engine: Engine, name: str, left: int, documents: int) -> AlignedEdges:
    """Rounds while there are many edges and rounds are worth it; then memory."""
    weighted = f"SELECT *, {WEIGHTS[name]} AS weight FROM corefkit_edges"
    if left <= MOST_FETCHED and _decided_of_sample(engine, weighted) * WORTH < left:
        return AlignedEdges((), _solve(_fetch(engine, "corefkit_edges"), name))
    undecided, still = "corefkit_undecided", "corefkit_still"
    engine.table(undecided, weighted)
    tables: list[str] = []
    going = True
    while going and left > ENOUGH:
        tables.append(f"corefkit_{name}_round_{len(tables)}")
        taken = _round(engine, undecided, still, tables[-1])
        undecided, still = still, undecided
        going = taken * _worth(left) >= left
        left = count_rows(engine, undecided)
    solved = _solve_by_documents(engine, undecided, name, left, documents)
    engine.drop(undecided)
    return AlignedEdges(tuple(tables), solved)


def _worth(left: int) -> int:
    return WORTH if left <= MOST_FETCHED else _PATIENCE


def _heaviest(side: str, other: str, edges: str, also: Sequence[str] = ()) -> str:
    """A query for the heaviest edge at each entity of a side, and the weight of the next.

    Engines cut down the rows of a rank before they bring those of an entity together.
    """
    columns = "".join(f", {name}" for name in also)
    firsts = "".join(f", max(CASE WHEN place = 1 THEN {name} END) AS {name}" for name in also)
    return (
        f"SELECT {side}, max(CASE WHEN place = 1 THEN {other} END) AS {other}{firsts}, "
        "max(weight) AS weight, coalesce(max(CASE WHEN place = 2 THEN weight END), 0) AS next "
        f"FROM (SELECT {side}, {other}, weight{columns}, row_number() OVER (PARTITION BY {side} "
        f"ORDER BY weight DESC, {other}) AS place FROM {edges}) AS ranked "
        f"WHERE place <= 2 GROUP BY {side}"
    )


_SIZES = ("document", "key_size", "response_size", "n")


def _wins(of_key: str, of_response: str) -> str:
    """A query for the edges that decide themselves."""
    return (
        f"SELECT k.key, k.response, {', '.join('k.' + name for name in _SIZES)} "
        f"FROM ({of_key}) AS k JOIN ({of_response}) AS r "
        "ON k.key = r.key AND k.response = r.response WHERE k.weight >= k.next + r.next"
    )


def _decided_of_sample(engine: Engine, weighted: str) -> int:
    """How many edges a round would decide, estimated from some of the key entities."""
    sample = f"(SELECT * FROM ({weighted}) AS w WHERE key % {_SAMPLE} = 0) AS sample"
    engine.table("corefkit_sample", _heaviest("key", "response", sample, _SIZES))
    touched = (
        f"(SELECT * FROM ({weighted}) AS w "
        "WHERE response IN (SELECT response FROM corefkit_sample)) AS touched"
    )
    wins = _wins("SELECT * FROM corefkit_sample", _heaviest("response", "key", touched))
    decided = int(single_row(engine, f"SELECT count(*) AS n FROM ({wins}) AS w")["n"])
    engine.drop("corefkit_sample")
    return decided * _SAMPLE


def _round(engine: Engine, undecided: str, still: str, chosen: str) -> int:
    """Take the edges that decide themselves, and return how many they are.

    `chosen` becomes their histogram; `still` gets all edges that do not touch them.
    """
    of_key = _heaviest("key", "response", undecided, _SIZES)
    engine.table("corefkit_wins", _wins(of_key, _heaviest("response", "key", undecided)))
    engine.table(
        still,
        f"SELECT * FROM {undecided} u WHERE NOT EXISTS (SELECT 1 FROM corefkit_wins w WHERE "
        "w.key = u.key) AND NOT EXISTS (SELECT 1 FROM corefkit_wins w WHERE "
        "w.response = u.response)",
    )
    engine.table(
        chosen,
        "SELECT document, key_size, response_size, n, count(*) AS times FROM corefkit_wins "
        "GROUP BY document, key_size, response_size, n",
    )
    taken = count_rows(engine, "corefkit_wins")
    engine.drop("corefkit_wins", undecided)
    return taken


def _solve_by_documents(
    engine: Engine, table: str, name: str, left: int, documents: int
) -> list[IntArray]:
    """What a best alignment chooses of these edges, as the columns of `AlignedEdges.solved`."""
    if left <= MOST_FETCHED:
        return _solve(_fetch(engine, table), name)
    parts = [
        _solve(_fetch(engine, table, where), name) for where in _parts(engine, table, 0, documents)
    ]
    return [np.concatenate(columns) for columns in zip(*parts, strict=True)]


def _parts(engine: Engine, table: str, first: int, stop: int) -> Iterator[str]:
    """Conditions for documents whose edges can be fetched at once, in order of the documents."""
    where = f"WHERE document >= {first} AND document < {stop}"
    left = count_rows(engine, f"{table} {where}")
    if left <= MOST_FETCHED:
        yield where
        return
    if stop - first == 1:
        found = engine.rows(f"SELECT document FROM corefkit_documents WHERE number = {first}")
        raise data_error(
            "alignment-too-large",
            document=str(found["document"][0]),
            number=left,
            expected=f"at most {MOST_FETCHED:,} of them in a document",
        )
    middle = (first + stop) // 2
    yield from _parts(engine, table, first, middle)
    yield from _parts(engine, table, middle, stop)


_FETCHED = ("key", "response", "document", "key_size", "response_size", "n")


def _fetch(engine: Engine, table: str, where: str = "") -> list[IntArray]:
    """Edges in the order in which memory has them: both ends, document, sizes, common mentions."""
    columns = integers(engine.rows(f"SELECT {', '.join(_FETCHED)} FROM {table} {where}"), *_FETCHED)
    if not len(columns[0]):
        return columns
    # Entities that have no edge left are not counted.
    key, response = ((np.cumsum(mask_of(end, int(end.max()) + 1)) - 1)[end] for end in columns[:2])
    order = np.argsort(key * (int(response.max()) + 1) + response)
    return [column[order] for column in (key, response, *columns[2:])]


def _solve(edges: list[IntArray], name: str) -> list[IntArray]:
    """The edges that a best alignment chooses, as the columns of `AlignedEdges.solved`."""
    key, response, document, key_size, response_size, n = edges
    weight = n.astype(np.float64) if name == "ceafm" else 2 * n / (key_size + response_size)
    chosen = best_alignment(key, response, weight)
    columns = (document, key_size, response_size, n)
    return [*(column[chosen] for column in columns), np.ones(len(chosen), dtype=np.int64)]

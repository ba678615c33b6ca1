"""CEAF's alignment of entities: dominant edges in rounds on the engine, the others in memory.

The rule is that of corefkit.core.pairing: an edge that is the heaviest at both its ends, and
weighs at least as much as the next-best edges there together, is dominant and belongs to a best
alignment. Among equal edges, the one to the entity with the smaller number comes first. A round
needs only the two heaviest edges of each entity, which an engine finds without collecting all edges
of an entity.

The edges that rounds leave are solved in memory, whole documents at a time: edges of different
documents never touch. A document that has too many of them left for memory is refused.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray, distinct, mask_of
from corefkit.core.carriers import frozen
from corefkit.core.incidents import data_error
from corefkit.core.nodes import number_rows
from corefkit.core.pairing import best_alignment
from corefkit.plugins.engines.base import Engine, count_rows, integers, single_row

WEIGHTS = {
    "ceafm": "CAST(n AS DOUBLE)",
    "ceafe": "CAST(2 * n AS DOUBLE) / CAST(key_size + response_size AS DOUBLE)",
}
"""SQL for the weight of an edge: the same floating-point operations as in memory."""

ENOUGH = 2_000_000
"""At most this many undecided edges are fetched and solved in memory before a round is tried."""

MOST_FETCHED = 50_000_000
"""At most this many undecided edges are fetched at once; they take some 180 bytes each."""

WORTH = 50
"""Rounds go on while each decides at least one edge in this many; on long paths few are decided."""

_PATIENCE = 1000
"""The same where more edges are left than can be fetched at once."""

_SAMPLE = 64
"""One key entity in this many is sampled to see whether rounds are worthwhile."""


@frozen(eq=False)
class AlignedEdges:
    """The aligned edges as a histogram: those of the rounds on the engine, the others in memory.

    Attributes:
        tables: the tables of the rounds: document, key_size, response_size, n, times.
        solved: the same columns, int64 (rows,) each, sorted by document.
    """

    tables: tuple[str, ...]
    solved: list[IntArray]

    def between(self, first: int, documents: int) -> list[IntArray]:
        """The solved edges of some documents, which are numbered from 0."""
        begin, end = np.searchsorted(self.solved[0], (first, first + documents))
        document, *others = (column[begin:end] for column in self.solved)
        return [document - first, *others]


NameOf = Callable[[int], str]
"""The number of a document → its name."""


class NamedDocuments(NamedTuple):
    """How many documents there are, and what they are called."""

    number: int
    name_of: NameOf


def align_entities(
    engine: Engine, names: Sequence[str], documents: NamedDocuments
) -> dict[str, AlignedEdges]:
    """Metric → the best alignment of all documents."""
    bounds = ", ".join(f"min({name}) AS least_{name}, max({name}) AS most_{name}" for name in _EDGE)
    row = single_row(
        engine,
        "SELECT count(*) AS n, min(key_size + response_size) AS least, "
        f"max(key_size + response_size) AS most, {bounds} FROM corefkit_edges",
    )
    left = int(row["n"])
    # Where all sums of sizes are equal, the weights of the metrics are proportional.
    different = names[:1] if row["least"] == row["most"] else names
    words = EdgeWords(
        {name: (int(row[f"least_{name}"]), int(row[f"most_{name}"])) for name in _EDGE}
        if left
        else dict.fromkeys(_EDGE, (0, 0))
    )
    if left <= ENOUGH:
        edges = _fetch(engine, "corefkit_edges", words)
        aligned = {name: AlignedEdges((), _solve(edges, name)) for name in different}
    else:
        aligned = {name: _in_rounds(engine, name, left, documents, words) for name in different}
    return {name: aligned.get(name, aligned[names[0]]) for name in names}


def _in_rounds(
    engine: Engine, name: str, left: int, documents: NamedDocuments, words: "EdgeWords"
) -> AlignedEdges:
    """The alignment by rounds, while there are many edges and rounds are worthwhile; then in
    memory.
    """
    weighted = f"SELECT *, {WEIGHTS[name]} AS weight FROM corefkit_edges"
    if left <= MOST_FETCHED and _decided_of_sample(engine, weighted) * WORTH < left:
        return AlignedEdges((), _solve(_fetch(engine, "corefkit_edges", words), name))
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
    if left <= MOST_FETCHED:
        solved = _solve(_fetch(engine, undecided, words), name)
    else:
        parts = [
            _solve(_fetch(engine, f"{undecided} {where}", words), name)
            for where in _parts(engine, undecided, 0, *documents)
        ]
        solved = [np.concatenate(columns) for columns in zip(*parts, strict=True)]
    engine.drop(undecided)
    return AlignedEdges(tuple(tables), solved)


def _worth(left: int) -> int:
    return WORTH if left <= MOST_FETCHED else _PATIENCE


def _heaviest(side: str, other: str, edges: str, also: Sequence[str] = ()) -> str:
    """A query for the heaviest edge at each entity of a side, and the weight of the next one.

    Engines apply the limit of the rank before they collect the rows of an entity.
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
    """A query for the dominant edges."""
    return (
        f"SELECT k.key, k.response, {', '.join('k.' + name for name in _SIZES)} "
        f"FROM ({of_key}) AS k JOIN ({of_response}) AS r "
        "ON k.key = r.key AND k.response = r.response WHERE k.weight >= k.next + r.next"
    )


def _decided_of_sample(engine: Engine, weighted: str) -> int:
    """How many edges a round would decide, estimated from a sample of the key entities."""
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
    """Take the dominant edges, and return how many there are.

    The table `chosen` becomes their histogram; `still` gets all edges that do not touch them.
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


def _parts(engine: Engine, table: str, first: int, stop: int, name_of: NameOf) -> Iterator[str]:
    """Conditions for ranges of documents whose edges can be fetched at once, in order."""
    where = f"WHERE document >= {first} AND document < {stop}"
    left = count_rows(engine, f"{table} {where}")
    if left <= MOST_FETCHED:
        yield where
        return
    if stop - first == 1:
        raise data_error(
            "alignment-too-large",
            document=name_of(first),
            number=left,
            expected=f"at most {MOST_FETCHED:,} of them in a document",
        )
    middle = (first + stop) // 2
    yield from _parts(engine, table, first, middle, name_of)
    yield from _parts(engine, table, middle, stop, name_of)


_EDGE = ("key", "response", *_SIZES)
"""The columns of an edge, its ends first."""

_BITS = 63
"""The bits of an integer of the engines, without its sign."""


class EdgeWords:
    """The columns of edges, packed by the engine into as few numbers of 63 bits as possible.

    A column with a single value takes no bits, others as many as their range needs. Where one
    number is enough, as with entities of one size, edges are fetched and sorted as single numbers.
    """

    def __init__(self, bounds: Mapping[str, tuple[int, int]]) -> None:
        """`bounds` are the smallest and the largest value of each column, in sorting order."""
        self._least = {name: least for name, (least, _) in bounds.items()}
        self._bits = {name: (most - least).bit_length() for name, (least, most) in bounds.items()}
        self._words: list[list[str]] = [[]]
        for name, bits in self._bits.items():
            if bits + sum(self._bits[other] for other in self._words[-1]) > _BITS:
                self._words.append([])
            self._words[-1].append(name)

    def query(self, table: str) -> str:
        """A query for the words of a table."""
        words = []
        for number, names in enumerate(self._words):
            digits = (f"({n} - {self._least[n]}) * {1 << s}" for n, s in self._shifts(names))
            words.append(f"{' + '.join(digits)} AS word_{number}")
        return f"SELECT {', '.join(words)} FROM {table}"

    def unpack(self, rows: Mapping[str, Any]) -> list[IntArray]:
        """The columns of fetched words, int64 (edges,) each, sorted."""
        words = integers(rows, *(f"word_{number}" for number in range(len(self._words))))
        if len(words) == 1:
            words[0].sort()
        else:  # no two edges have the same ends, the first two columns
            both = len(self._words[0]) > 1
            order = np.argsort(words[0]) if both else np.lexsort(words[::-1])
            words = [word[order] for word in words]
        columns = {}
        for names, word in zip(self._words, words, strict=True):
            for name, shift in self._shifts(names):
                least, bits = self._least[name], self._bits[name]
                if bits:
                    columns[name] = (word >> shift & (1 << bits) - 1) + least
                else:
                    columns[name] = np.broadcast_to(np.int64(least), word.shape)
        return [columns[name] for name in self._bits]

    def _shifts(self, names: Sequence[str]) -> Iterator[tuple[str, int]]:
        """The lowest bit of each column of a word; the first column has the highest bits."""
        shift = sum(self._bits[name] for name in names)
        for name in names:
            shift -= self._bits[name]
            yield name, shift


def _fetch(engine: Engine, table: str, words: EdgeWords) -> list[IntArray]:
    """Edges in the same order as in memory: both ends, document, sizes, common mentions."""
    key, response, *others = words.unpack(engine.rows(words.query(table)))
    return [_without_gaps(key), _without_gaps(response), *others]


def _without_gaps(end: IntArray) -> IntArray:
    """The entities renumbered, without those that have no edge left."""
    present = mask_of(end, int(end.max(initial=-1)) + 1)
    return end if present.all() else (np.cumsum(present) - 1)[end]


def _solve(edges: list[IntArray], name: str) -> list[IntArray]:
    """The edges of a best alignment, as the columns of `AlignedEdges.solved`."""
    key, response, document, key_size, response_size, n = edges
    weight = n.astype(np.float64) if name == "ceafm" else 2 * n / (key_size + response_size)
    chosen = best_alignment(key, response, weight)
    columns = [column[chosen] for column in (document, key_size, response_size, n)]
    alike = distinct(number_rows(columns))
    return [*(column[alike.first] for column in columns), alike.counts]

"""Count metrics from two tables of mentions; only histograms are fetched from the engine.

The overlap is a join and a group-by. Metrics need to know how often each combination of a key
size, a response size and a number of common mentions occurs. These integers make an Overlap whose
cells and entities each stand for many alike, so the digits are those of memory.

CEAF aligns entities round by round: edges that decide themselves on the engine, the rest in memory.
The rule is that of corefkit.core.assignment: an edge that is the heaviest at both its ends,
and weighs at least as much as the next-best edges there together, belongs to a best alignment. Of
equal edges the one to the entity with the smaller first mention comes first.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import product

import numpy as np

from corefkit import metrics
from corefkit.core.arrays import IntArray
from corefkit.core.assignment import best_alignment
from corefkit.core.carriers import frozen
from corefkit.core.counts import Size
from corefkit.core.incidents import data_error
from corefkit.core.overlap import Entities, Overlap
from corefkit.engines.base import SIDES, Engine, integers, single_row
from corefkit.engines.counts_table import CountsTable, portions
from corefkit.metrics import ceaf
from corefkit.scorers.counting import count_overlap

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


MOST_MENTIONS = 3_037_000_499
"""Pairs of more mentions in one document do not fit into 64 bits."""

MOST_PAIRS = 2**63 - 1
"""More pairs of mentions in all documents together do not fit into 64 bits."""

_FITTING = (
    f"at most {MOST_MENTIONS:,} mentions in a document and {MOST_PAIRS:,} pairs in all, "
    "so that they fit into 64 bits"
)
StageProgress = Callable[[str], None]
_COUNTED = {"ceafm": ceaf.aligned_mentions, "ceafe": ceaf.aligned_entities}


TABLES = (
    *("corefkit_key_listed", "corefkit_response_listed", "corefkit_edges"),
    *("corefkit_key_entities", "corefkit_response_entities"),
    *("corefkit_sizes", "corefkit_cell_sizes"),
)
"""What `make_tables` and `count_tables` leave, apart from documents and counts."""

_CELLS = (
    "SELECT document, key_size, response_size, n, count(*) AS times FROM corefkit_edges "
    "GROUP BY document, key_size, response_size, n"
)
_OF_ENTITIES = (
    "SELECT {what} AS what, document, size, count(*) AS times FROM corefkit_{side}_entities "
    "GROUP BY document, size"
)
_OF_COMMONS = (
    "SELECT {what} AS what, document, common AS size, count(*) AS times FROM "
    "(SELECT document, {side}_first, CAST(sum(n) AS BIGINT) AS common FROM corefkit_edges "
    "GROUP BY document, {side}_first) AS shared GROUP BY document, common"
)
_OF_BESTS = _OF_COMMONS.replace("CAST(sum(n) AS BIGINT)", "max(n)")


def _sizes(bests: bool) -> str:
    """How often each size of an entity occurs, and each number of mentions in common: key,
    response, key, response; with `bests` also how many the entity has that shares most, of both.
    """
    histograms = (_OF_ENTITIES, _OF_COMMONS, *([_OF_BESTS] if bests else []))
    return " UNION ALL ".join(
        histogram.format(what=what, side=side)
        for what, (histogram, side) in enumerate(product(histograms, SIDES))
    )


def make_tables(engine: Engine, progress: StageProgress) -> tuple[Size, Size]:
    """Entities and overlap as tables; returns how large key and response are.

    The tables of both sides and `corefkit_key_listed` (the documents of the key) are there;
    `corefkit_documents` numbers them in the order of their names. A document that the response
    lacks has no response entities; one that the key lacks is left out.
    """
    progress("documents")
    engine.table(
        "corefkit_documents",
        "SELECT document, row_number() OVER (ORDER BY document) - 1 AS number "
        "FROM corefkit_key_listed",
    )
    for side in SIDES:
        progress(f"entities of the {side}")
        engine.table(
            f"corefkit_{side}_entities",
            f"SELECT d.number AS document, s.entity, count(*) AS size, min(s.mention) AS first "
            f"FROM corefkit_{side} s JOIN corefkit_documents d ON s.document = d.document "
            "GROUP BY d.number, s.entity",
        )
    key, response = _measure(engine)
    progress("overlap")
    engine.table(
        "corefkit_cells",
        "SELECT d.number AS document, k.entity AS key_entity, r.entity AS response_entity, "
        "count(*) AS n FROM corefkit_key k JOIN corefkit_response r ON k.document = r.document "
        "AND k.mention = r.mention JOIN corefkit_documents d ON k.document = d.document "
        "GROUP BY d.number, k.entity, r.entity",
    )
    engine.drop("corefkit_key", "corefkit_response")
    engine.table(
        "corefkit_edges",
        "SELECT c.document, k.first AS key_first, r.first AS response_first, "
        "k.size AS key_size, r.size AS response_size, c.n FROM corefkit_cells c "
        "JOIN corefkit_key_entities k ON k.document = c.document AND k.entity = c.key_entity "
        "JOIN corefkit_response_entities r "
        "ON r.document = c.document AND r.entity = c.response_entity",
    )
    engine.drop("corefkit_cells")
    documents = int(single_row(engine, "SELECT count(*) AS n FROM corefkit_documents")["n"])
    return key._replace(documents=documents), response


def _measure(engine: Engine) -> list[Size]:
    """How large key and response are; DataError where pairs would not fit into 64 bits."""
    rows = engine.rows(
        " UNION ALL ".join(
            f"SELECT {place} AS side, count(*) AS documents, CAST(coalesce(sum(entities), 0) AS "
            "BIGINT) AS entities, CAST(coalesce(sum(mentions), 0) AS BIGINT) AS mentions, "
            "coalesce(max(mentions), 0) AS largest, coalesce(sum(CAST(mentions AS DOUBLE) * "
            "CAST(mentions - 1 AS DOUBLE) / 2), 0) AS pairs FROM (SELECT document, "
            "count(*) AS entities, "
            f"CAST(sum(size) AS BIGINT) AS mentions FROM corefkit_{side}_entities "
            "GROUP BY document) AS s"
            for place, side in enumerate(SIDES)
        )
    )
    *sizes, largest_documents = integers(rows, "documents", "mentions", "entities", "largest")
    order = np.argsort(rows["side"])
    largest_of, pairs_of = largest_documents[order].tolist(), rows["pairs"][order].tolist()
    for side, largest, pairs in zip(SIDES, largest_of, pairs_of, strict=True):
        if largest > MOST_MENTIONS:
            raise data_error("too-many-mentions", side=side, number=largest, expected=_FITTING)
        if pairs > MOST_PAIRS:
            number = int(pairs)
            raise data_error(
                "too-many-mentions", "pairs", side=side, number=number, expected=_FITTING
            )
    return [Size(*(int(column[place]) for column in sizes)) for place in order]


def count_tables(
    engine: Engine,
    names: Iterable[str],
    counts: CountsTable,
    documents: int,
    progress: StageProgress,
) -> None:
    """Count metrics from the histograms, some documents at a time, and append them to `counts`."""
    # Mentions always, as in memory: so that any group can say its size.
    wanted = list(dict.fromkeys((*metrics.counted(names), "mentions")))
    aligned: dict[str, AlignedEdges] = {}
    if matched := [name for name in wanted if name in WEIGHTS]:
        progress(f"alignment for {' and '.join(matched)}")
        aligned = align_entities(engine, matched)
    progress("counting")
    histograms = _sizes("purity" in wanted), _CELLS
    if len(portions(documents)) > 1:
        engine.table("corefkit_sizes", histograms[0])
        engine.table("corefkit_cell_sizes", _CELLS)
        histograms = "SELECT * FROM corefkit_sizes", "SELECT * FROM corefkit_cell_sizes"
        engine.drop("corefkit_edges", "corefkit_key_entities", "corefkit_response_entities")
    for first, some in portions(documents):
        overlap = read_overlap(engine, histograms, first, some)
        plain = [name for name in wanted if name not in WEIGHTS]
        tables = count_overlap(overlap, plain)
        for name, chosen in aligned.items():
            tables[name] = _COUNTED[name](overlap, chosen.between(engine, first, some))
        counts.append(some, {name: tables[name] for name in wanted})
    engine.drop(*(table for chosen in aligned.values() for table in chosen.tables))


def read_overlap(
    engine: Engine, histograms: tuple[str, str], first: int, documents: int
) -> Overlap:
    """The condensed overlap of some documents, numbered from `first`.

    `histograms` are two queries: for sizes, and for cells.
    """
    where = f"WHERE document >= {first} AND document < {first + documents}"
    rows = engine.rows(f"SELECT what, document, size, times FROM ({histograms[0]}) AS h {where}")
    document, size, times = integers(rows, "document", "size", "times")
    columns = (document - first, size, times)
    sizes = [[column[rows["what"] == what] for column in columns] for what in range(6)]
    rows = engine.rows(f"SELECT {', '.join(HISTOGRAM)} FROM ({histograms[1]}) AS h {where}")
    document, key_size, response_size, n, times = integers(rows, *HISTOGRAM)
    at, none = np.arange(len(n)), np.zeros(len(n), dtype=np.int64)
    # The entities of the cells are put after those that are counted, with multiplicity 0.
    key, response = (
        Entities(*map(np.concatenate, zip(counted, (document - first, own, none), strict=True)))
        for counted, own in zip(sizes[:2], (key_size, response_size), strict=True)
    )
    places = [len(counted[0]) + at for counted in sizes[:2]]
    commons, bests = ((Entities(*sizes[i]), Entities(*sizes[i + 1])) for i in (2, 4))
    return Overlap(documents, key, response, places[0], places[1], n, times, commons, bests)


@frozen(eq=False)
class AlignedEdges:
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


def align_entities(engine: Engine, names: Sequence[str]) -> dict[str, AlignedEdges]:
    """The best alignment of all documents, for each of some metrics."""
    left = _count(engine, "corefkit_edges")
    if left <= ENOUGH:
        rest = _fetch(engine, "corefkit_edges")
        return {name: AlignedEdges((), _solve(rest, name)) for name in names}
    return {name: _in_rounds(engine, name, left) for name in names}


def _in_rounds(engine: Engine, name: str, left: int) -> AlignedEdges:
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
    return AlignedEdges(tuple(tables), solved)


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
    return int(single_row(engine, f"SELECT count(*) AS n FROM {table}")["n"])


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

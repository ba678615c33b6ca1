"""Two tables of mentions → Counts, with nothing fetched from the engine but histograms.

The overlap is a join and a group-by. What the metrics need of it is how often each pair of sizes
with so many common mentions occurs; these integers make an Overlap whose cells and entities stand
for many alike, so that the digits are those of memory.
"""

from collections.abc import Callable, Iterable

import numpy as np

from corefkit import metrics
from corefkit.data.arrays import IntArray
from corefkit.data.counts import Counts, add
from corefkit.data.incidents import DataError, Incident, make_incident
from corefkit.data.overlap import Entities, Overlap
from corefkit.engines.alignment import WEIGHTS, align
from corefkit.engines.base import Engine, integers, single
from corefkit.metrics import ceaf
from corefkit.profiles.counting import count_overlap

AT_ONCE = 100_000
"""So many documents are counted at once: their histograms must fit into memory."""

MOST_MENTIONS = 3_037_000_499
"""Pairs of more mentions in one document do not fit into 64 bits."""

Progress = Callable[[str], None]
_COUNTED = {"ceafm": ceaf.aligned_mentions, "ceafe": ceaf.aligned_entities}


TABLES = (
    *("listed", "documents", "edges", "cell_sizes", "key_entities", "response_entities"),
    *("key_sizes", "response_sizes", "key_commons", "response_commons"),
)
"""What `make_tables` leaves behind."""


def make_tables(engine: Engine, progress: Progress) -> list[str]:
    """Entities, overlap and histograms as tables; returns the names of the documents, sorted.

    The tables `key`, `response` and `listed` (the documents of the key) are there. A document
    that the response lacks has no response entities; one that the key lacks is left out.
    """
    progress("documents")
    engine.table(
        "documents",
        "SELECT document, row_number() OVER (ORDER BY document) - 1 AS number FROM listed",
    )
    for side in ("key", "response"):
        progress(f"entities of the {side}")
        engine.table(
            f"{side}_entities",
            f"SELECT d.number AS document, s.entity, count(*) AS size, min(s.mention) AS first "
            f"FROM {side} s JOIN documents d ON s.document = d.document "
            "GROUP BY d.number, s.entity",
        )
    _check_size(engine)
    progress("overlap")
    engine.table(
        "cells",
        "SELECT d.number AS document, k.entity AS key_entity, r.entity AS response_entity, "
        "count(*) AS n FROM key k JOIN response r ON k.document = r.document "
        "AND k.mention = r.mention JOIN documents d ON k.document = d.document "
        "GROUP BY d.number, k.entity, r.entity",
    )
    engine.drop("key", "response")
    engine.table(
        "edges",
        "SELECT c.document, k.first AS key_first, r.first AS response_first, "
        "k.size AS key_size, r.size AS response_size, c.n FROM cells c "
        "JOIN key_entities k ON k.document = c.document AND k.entity = c.key_entity "
        "JOIN response_entities r ON r.document = c.document AND r.entity = c.response_entity",
    )
    engine.drop("cells")
    progress("histograms")
    _histograms(engine)
    names = engine.rows("SELECT document FROM documents ORDER BY number")["document"].tolist()
    return [str(name) for name in names]


def _histograms(engine: Engine) -> None:
    engine.table(
        "cell_sizes",
        "SELECT document, key_size, response_size, n, count(*) AS times FROM edges "
        "GROUP BY document, key_size, response_size, n",
    )
    for side in ("key", "response"):
        engine.table(
            f"{side}_sizes",
            f"SELECT document, size, count(*) AS times FROM {side}_entities "
            "GROUP BY document, size",
        )
        engine.table(
            f"{side}_commons",
            "SELECT document, common AS size, count(*) AS times FROM "
            f"(SELECT document, {side}_first, CAST(sum(n) AS BIGINT) AS common FROM edges "
            f"GROUP BY document, {side}_first) AS shared GROUP BY document, common",
        )


def _check_size(engine: Engine) -> None:
    """Refuse what would not fit into 64 bits."""
    for side in ("key", "response"):
        largest = single(
            engine,
            "SELECT coalesce(max(mentions), 0) AS n FROM (SELECT CAST(sum(size) AS BIGINT) "
            f"AS mentions FROM {side}_entities GROUP BY document) AS sums",
        )
        if int(largest["n"]) > MOST_MENTIONS:
            raise DataError([_too_large(side, int(largest["n"]))])


def count_tables(
    engine: Engine, names: Iterable[str], documents: list[str], progress: Progress
) -> Counts:
    """Count metrics from the histograms, some documents at a time."""
    wanted = metrics.counted(names)
    aligned = {}
    for name in wanted:
        if name in WEIGHTS:
            progress(f"alignment for {name}")
            aligned[name] = align(engine, name)
    progress("counting")
    parts = []
    for first in range(0, max(len(documents), 1), AT_ONCE):
        some = documents[first : first + AT_ONCE]
        overlap = read_overlap(engine, first, len(some))
        plain = [name for name in wanted if name not in WEIGHTS]
        tables = count_overlap(overlap, plain)
        for name, chosen in aligned.items():
            tables[name] = _COUNTED[name](overlap, chosen.between(first, len(some)))
        parts.append(Counts(tuple(some), {name: tables[name] for name in wanted}))
    return add(parts)


def read_overlap(engine: Engine, first: int, documents: int) -> Overlap:
    """The condensed overlap of some documents, numbered from `first`."""
    where = f"WHERE document >= {first} AND document < {first + documents}"
    sides = []
    for table in ("key_sizes", "response_sizes", "key_commons", "response_commons"):
        rows = engine.rows(f"SELECT document, size, times FROM {table} {where}")
        document, size, times = integers(rows, "document", "size", "times")
        sides.append(Entities(document - first, size, times))
    rows = engine.rows(
        f"SELECT document, key_size, response_size, n, times FROM cell_sizes {where}"
    )
    columns = integers(rows, "document", "key_size", "response_size", "n", "times")
    return condensed(documents, columns[0] - first, columns[1:], (sides[0], sides[1]), sides[2:])


def condensed(
    documents: int,
    document: IntArray,
    cells: list[IntArray],
    sides: tuple[Entities, Entities],
    commons: list[Entities],
) -> Overlap:
    """An overlap of cells that stand for many: key size, response size, common, times.

    The entities of the cells are put behind those that are counted, with multiplicity 0.
    """
    key_size, response_size, n, times = cells
    none = np.zeros(len(n), dtype=np.int64)
    joined = [
        Entities(
            np.concatenate((side.document, document)),
            np.concatenate((side.size, size)),
            np.concatenate((side.times if side.times is not None else none, none)),
        )
        for side, size in zip(sides, (key_size, response_size), strict=True)
    ]
    at = np.arange(len(n))
    return Overlap(
        documents,
        joined[0],
        joined[1],
        len(sides[0].size) + at,
        len(sides[1].size) + at,
        n,
        times,
        (commons[0], commons[1]) if commons else None,
    )


def _too_large(side: str, mentions: int) -> Incident:
    return make_incident(
        "too-many-mentions",
        side=side,
        number=mentions,
        expected=f"at most {MOST_MENTIONS:,}, so that pairs of them fit into 64 bits",
    )

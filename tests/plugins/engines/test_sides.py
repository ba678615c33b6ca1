"""Spans in tables: their order where they are repeated, offsets that are not whole."""

from itertools import permutations
from math import comb, isqrt
from typing import Any
from unittest.mock import patch

import duckdb
import pyarrow as pa
import pytest

import corefkit
from corefkit import Corpus, DataError
from corefkit.core.table_columns import LARGEST_OFFSET
from corefkit.plugins.engines import counting, sides
from corefkit.plugins.engines.duckdb import DuckDB
from tests.plugins.engines.support import numbers

Clusters = list[list[tuple[int, int]]]


def table(clusters: Clusters) -> pa.Table:
    rows = [(s, e, n) for n, cluster in enumerate(clusters) for s, e in cluster]
    start, end, entity = zip(*rows, strict=True)
    return pa.table({"start": start, "end": end, "entity": entity})


@pytest.mark.parametrize(
    ("key", "keeps"),
    [
        # (7, 7) is in both entities; the one that begins with the longer span comes first.
        ([[(0, 2), (7, 7)], [(0, 5), (7, 7)]], [[(0, 5), (7, 7)], [(0, 2)]]),
        # An earlier start comes first, however short.
        ([[(1, 9), (7, 7)], [(0, 0), (7, 7)]], [[(0, 0), (7, 7)], [(1, 9)]]),
        # A list that begins another comes before it.
        ([[(0, 5), (3, 3), (7, 7)], [(0, 5), (3, 3)]], [[(0, 5), (3, 3)], [(7, 7)]]),
        # The second spans decide: again the longer is first.
        ([[(0, 5), (3, 3), (9, 9)], [(0, 5), (3, 4)]], [[(0, 5), (3, 4)], [(3, 3), (9, 9)]]),
    ],
)
def test_a_repeated_span_stays_in_the_first_entity_of_the_text(
    key: Clusters, keeps: Clusters
) -> None:
    """Entities are compared by their spans in text order: by start, then the longer first."""
    exact = Corpus.from_clusters({"": keeps})
    expected = numbers(corefkit.score(exact, exact))
    with duckdb.connect() as connection:
        for order in permutations(key):
            found = corefkit.score(table(list(order)), table(keeps), engine=connection)
            assert numbers(found) == expected
            back = corefkit.score(table(keeps), table(list(order)), engine=connection)
            assert numbers(back) == expected


@pytest.mark.parametrize(
    ("start", "end"), [([0, 3], [0.5, 3.0]), ([0.5, 3.0], [1, 3]), ([0.0, 3.5], [0.0, 3.5])]
)
def test_both_offsets_are_whole(start: list[float], end: list[float]) -> None:
    rows = pa.table({"start": start, "end": end, "entity": [0, 0]})
    good = table([[(0, 0), (3, 3)]])
    with duckdb.connect() as connection:
        for key, response in ((rows, good), (good, rows)):
            with pytest.raises(DataError, match=r"1 row whose start and end do not form a span"):
                corefkit.score(key, response, engine=connection)


@pytest.mark.parametrize(
    ("span", "good"),
    [
        ((0, 0), True),
        ((0, LARGEST_OFFSET), True),
        ((LARGEST_OFFSET, LARGEST_OFFSET), True),
        ((0, LARGEST_OFFSET + 1), False),
        ((LARGEST_OFFSET + 1, LARGEST_OFFSET + 1), False),
        ((-1, 0), False),
        ((-1, -1), False),
        ((4, 3), False),
    ],
)
def test_the_first_and_the_last_offset(span: tuple[int, int], good: bool) -> None:
    clusters = [[span, (7, 7)], [(8, 8)]]
    with duckdb.connect() as connection:
        if good:
            found = corefkit.score(table(clusters), table(clusters), engine=connection)
            assert found["mentions"].counts == {"recall": [3, 3], "precision": [3, 3]}
            return
        with pytest.raises(DataError, match=r"1 row whose start and end do not form a span"):
            corefkit.score(table(clusters), table(clusters), engine=connection)


@pytest.mark.parametrize(
    ("module", "name", "most"),
    [
        (counting, "MOST_MENTIONS", 4),  # 4 mentions in the document
        (counting, "MOST_PAIRS", 6),  # 6 pairs of them
        (sides, "MOST_SETTLED", 5),  # 5 rows of entities with a repeated mention
    ],
)
def test_as_many_as_are_allowed(module: Any, name: str, most: int) -> None:
    rows = table([[(0, 0), (1, 1), (2, 2)], [(2, 2), (3, 3)]])
    with duckdb.connect() as connection:
        with patch.object(module, name, most):
            assert corefkit.score(rows, rows, engine=connection).conll == 1
        with patch.object(module, name, most - 1), pytest.raises(DataError):
            corefkit.score(rows, rows, engine=connection)


@pytest.mark.parametrize("more", [0, 1])
def test_the_largest_sides_that_are_counted(more: int) -> None:
    """The real bounds: tables of sizes, as no test can have so many mentions."""
    most = [counting.MOST_MENTIONS] * 2
    while left := counting.MOST_PAIRS - sum(comb(size, 2) for size in most):
        most.append((1 + isqrt(1 + 8 * left)) // 2)
    for sizes, message in (
        ([counting.MOST_MENTIONS + more], "a document"),
        ([*most, 1 + more], ""),
    ):
        with duckdb.connect() as connection:
            engine = DuckDB(connection)
            given = pa.table({"document": range(len(sizes)), "size": sizes})
            connection.register("given", given)
            engine.table("corefkit_key_entities", "SELECT * FROM given")
            if not more:
                assert counting.measure(engine, "key") == (len(sizes), sum(sizes), len(sizes))
                continue
            with pytest.raises(DataError, match=message or f"have {2**63:,} pairs"):
                counting.measure(engine, "key")

"""Mentions that are values of any type: memory and DuckDB agree, and so does a count by hand."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import corefkit
from corefkit.core.columns import Column
from corefkit.core.nodes import kept_copies, repeated_spans
from corefkit.formats.kit.mention_values import corpus_of_values, place_values
from tests import engine_tables
from tests.strategies import TIMES


def write(path: Path, mention: pa.Array, entity: Any) -> Path:
    pq.write_table(pa.table({"mention": mention, "entity": entity}), path)
    return path


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize(
    ("key", "response"),
    [
        (pa.array([5, 6]), pa.array([5, 6, -1])),
        (pa.array([5, 6]), pa.array([5, 6, 2**62])),
        (pa.array([5, 6], pa.int8()), pa.array([5, 6, 2**64 - 1], pa.uint64())),
        (pa.array([-5, 2**62], pa.int64()), pa.array([-5.0, 2.0**62, 0.5])),
        (pa.array([0.0, 1.5]), pa.array([-0.0, 1.5, 2.5])),
        (pa.array([0.0, -0.0, 1.5]), pa.array([-0.0, 1.5, 7.0])),
        (
            pa.array([Decimal("5.0"), Decimal("-6.1")], pa.decimal128(5, 1)),
            pa.array([Decimal("5.00"), Decimal("-6.10"), Decimal("0.07")], pa.decimal128(9, 2)),
        ),
    ],
)
def test_the_same_number_is_the_same_mention(
    tmp_path: Path, engine: Any, key: pa.Array, response: pa.Array
) -> None:
    """Two mentions of one entity; the response has one more. Two of three are right: F1 0.8."""
    ours = write(tmp_path / "key.parquet", key, [1] * len(key))
    theirs = write(tmp_path / "response.parquet", response, [1] * len(response))
    scores = corefkit.score(ours, theirs, "mentions,muc", engine=engine)
    assert scores["mentions"].counts == {"recall": [2, 2], "precision": [2, 3]}
    assert scores["muc"].counts == {"recall": [1, 1], "precision": [1, 2]}


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_entities_that_are_zero(tmp_path: Path, engine: Any) -> None:
    path = write(tmp_path / "a.parquet", pa.array([1, 2, 3]), pa.array([0.0, -0.0, 1.0]))
    score = corefkit.score(path, path, "muc", engine=engine)["muc"]
    assert score.counts == {"recall": [1, 1], "precision": [1, 1]}


NUMBERS: list[Any] = [0, 1, 8, 2**48, 2**53, 2**62 - 1]
TEXTS: list[Any] = ["Q", "Q1", "Q12345678", "Q12345678a", "Q12345679", "Q2", "a", "ab", "ä", "中"]
OTHERS: list[Any] = [-(2**70), -2, -2.5, -300, 1e-300, 0.5, 2**62, 2**64, Decimal("0.07"), True]


@pytest.mark.parametrize("values", [NUMBERS, TEXTS, OTHERS])
def test_the_order_of_values(values: Sequence[Any]) -> None:
    """Each value is in an entity with the one that all share: the first keeps that.

    Tokens stand in numeric order, identifiers by code point; the one in common is the last of all,
    so that entities stand in the order of their own values. Of others, each is a value of its own.
    """
    assert values is OTHERS or sorted(values) == list(values)
    *own, last = values
    for first, second in pairwise(own):
        for one, other in ((first, second), (second, first)):
            mentions = [one, last, other, last]
            column = Column.of(["a"] * 4)
            corpus = corpus_of_values(column, place_values(mentions), Column.of([*"1122"]))
            kept = kept_copies(corpus, repeated_spans(corpus)).tolist()
            expected = [True, one == first, True, one == second]
            assert sum(kept) == 3 if values is OTHERS else kept == expected, (one, other)


@pytest.mark.parametrize("kind", engine_tables.KINDS)
def test_memory_and_duckdb(tmp_path: Path, kind: str) -> None:
    """Random tables with repeated mentions."""
    random = Random(kind)
    made, draw = engine_tables.KINDS[kind]
    for _ in range(3):
        paths = []
        for side in ("key", "response"):
            size = random.randint(4, 30)
            columns = {
                "document": [random.choice("ab") for _ in range(size)],
                "mention": pa.array([draw(random) for _ in range(size)], made),
                "entity": [random.randint(-2, 3) for _ in range(size)],
            }
            paths.append(tmp_path / f"{side}.parquet")
            pq.write_table(pa.table(columns), paths[-1])
        connection = duckdb.connect()
        ours, theirs = paths
        engines: list[Any] = ["memory", connection]
        found = [corefkit.score(ours, theirs, engine=engine) for engine in engines]
        for metric in found[0]:
            assert found[0][metric].counts == found[1][metric].counts, (kind, metric)


@pytest.mark.more
def test_random_tables(tmp_path: Path) -> None:
    """A portion of `python -m tests.engine_tables`."""
    engines: list[Any] = ["memory", duckdb.connect()]
    assert len([*engine_tables.compare(23, 4 * TIMES, engines, tmp_path)]) == 4 * TIMES

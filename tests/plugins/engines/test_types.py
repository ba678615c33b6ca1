"""Calls that mypy must accept, and some that it must refuse: `make types` is the test.

`calls` runs nowhere. An ignored error that is none is an error under mypy's strict rules, so the
wrong calls fail when they are accepted. Where pyspark is not installed its part says nothing.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa
import pytest

import corefkit
from corefkit import UsageError
from corefkit.plugins import engines
from corefkit.plugins.engines import Setup

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    def calls(
        relation: duckdb.DuckDBPyRelation,
        connection: duckdb.DuckDBPyConnection,
        frame: DataFrame,
        session: SparkSession,
    ) -> None:
        corefkit.score(relation, relation, engine=connection)
        corefkit.score(relation, pa.table({}), engine=connection, columns={"entity": "cluster"})
        corefkit.score(frame, frame)
        corefkit.score(frame, frame, engine=session)
        corefkit.score("key.parquet", "run.parquet", engine="duckdb")
        corefkit.score("key.parquet", "run.parquet", engine=Setup("duckdb", memory="4GB"))
        corefkit.score(7, "run.conll")  # type: ignore[arg-type]
        corefkit.score("key.parquet", "run.parquet", engine=7)  # type: ignore[arg-type]


TABLE = pa.table({"mention": [0, 1], "entity": [0, 0]})


def test_tables_find_an_engine() -> None:
    """Without a word they are counted on DuckDB; a relation needs its own connection."""
    assert corefkit.score(TABLE, TABLE).conll == 1
    connection = duckdb.connect()
    relation = connection.sql("SELECT i AS mention, 0 AS entity FROM range(2) t(i)")
    assert relation is not None
    assert corefkit.score(relation, TABLE, engine=connection).conll == 1
    with pytest.raises(UsageError, match="relation of another connection"):
        corefkit.score(relation, relation)


def test_tables_are_not_for_memory() -> None:
    with pytest.raises(UsageError, match="tables need an engine"):
        corefkit.score(TABLE, TABLE, engine="memory")


def test_limits_of_a_setup() -> None:
    setup = Setup("duckdb", columns={"entity": "cluster"}, memory="200MB", threads=1)
    named = TABLE.rename_columns(["mention", "cluster"])
    assert corefkit.score(named, named, engine=setup).conll == 1
    with pytest.raises(UsageError, match="'much' is not a size"):
        corefkit.score(TABLE, TABLE, engine=Setup("duckdb", memory="much"))


def test_a_stream_is_read_once() -> None:
    assert corefkit.score(TABLE.to_reader(), TABLE.to_reader(), engine="duckdb").conll == 1


def test_limits_that_are_none_leave_no_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'much' is not a size"):
        corefkit.score(TABLE, TABLE, engine=Setup("duckdb", memory="much", spill=str(tmp_path)))
    assert list(tmp_path.iterdir()) == []


def test_setup_is_public() -> None:
    assert "Setup" in dir(engines)

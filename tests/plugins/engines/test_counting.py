"""What an engine joined is fetched and counted some documents at a time, as in memory."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import pyarrow.parquet as pq
import pytest
from bench.engines import SHAPES, write_parquet

import corefkit
from corefkit import DataError
from corefkit.plugins.engines import counting
from corefkit.plugins.engines.run import ON_ENGINES
from tests.plugins.engines.support import Rows, corpus, table
from tests.support import run


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as made:
        yield made


@pytest.mark.parametrize("shape", SHAPES)
def test_skewed_data(shape: str, tmp_path: Path) -> None:
    """What bench measures at 10⁷ mentions: all digits are those of memory, also by document."""
    files = write_parquet(3000, tmp_path, shape)
    with patch.object(counting, "AT_ONCE", 100):
        found = corefkit.score(*files, ON_ENGINES, engine="duckdb")
    assert found == corefkit.score(*files, ON_ENGINES)


def rings(documents: int, pairs: int) -> tuple[Rows, Rows]:
    """Pairs of mentions, and the same shifted by one: a ring has twice as many edges as pairs."""
    key: Rows = []
    response: Rows = []
    for number in range(documents):
        for mention in range(2 * pairs):
            key.append((f"d{number}", mention, f"k{mention // 2}"))
            shifted = (mention + 1) % (2 * pairs)
            response.append((f"d{number}", mention, f"r{shifted // 2}"))
    return key, response


@pytest.mark.parametrize("most", [12, 23, 95, 96])
def test_edges_are_fetched_by_documents(connection: duckdb.DuckDBPyConnection, most: int) -> None:
    """Eight rings of six edges and six entities each: never more than `most` of them at once."""
    key, response = rings(8, 3)
    fetched, original = [], counting._table

    def fetch(*given: Any) -> Any:
        made = original(*given)
        fetched.append(len(made.n) + len(made.size) + len(made.other))
        return made

    with (
        patch.object(counting, "AT_ONCE", most),
        patch.object(counting, "_table", fetch),
    ):
        found = corefkit.score(table(key), table(response), "ceafm,ceafe", engine=connection)
    assert sum(fetched) == 96
    assert max(fetched) <= most
    assert len(fetched) == -(-8 // (most // 12))
    assert found == corefkit.score(corpus(key), corpus(response), "ceafm,ceafe")


def test_a_document_that_is_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "MOST_EDGES", 5)
    files = tmp_path / "key.parquet", tmp_path / "response.parquet"
    for file, rows in zip(files, rings(2, 3), strict=True):
        pq.write_table(table(rows), file)
    done = run("score", *files, "--engine", "duckdb", "-m", "ceafe")
    assert done.status == 1
    assert "has 6 pairs of entities with a common mention, too many to count" in done.err
    assert "[document-too-large]" in done.err
    assert "Traceback" not in done.err
    with pytest.raises(DataError, match="at most 5 of them in a document"):
        corefkit.score(*files, "ceafe", engine="duckdb")

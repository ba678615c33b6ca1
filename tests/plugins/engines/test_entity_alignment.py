"""The alignment of entities on an engine: rounds, parts by document, refusals, and skewed data."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from bench.engines import SHAPES, write_parquet

import corefkit
from corefkit import DataError
from corefkit.plugins.engines import counting, entity_alignment
from corefkit.plugins.engines.base import Setup, arrow_columns
from corefkit.plugins.engines.run import ON_ENGINES, EngineCounter, open_engine
from corefkit.scorers import make_options
from tests.plugins.engines.support import Rows, corpus, numbers, table
from tests.support import run


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as made:
        yield made


@pytest.mark.parametrize("enough", [0, 100, 2_000_000])
@pytest.mark.parametrize("shape", SHAPES)
def test_skewed_data(shape: str, enough: int, tmp_path: Path) -> None:
    """What bench measures at 10⁷ mentions: all digits are those of memory, also by document."""
    files = write_parquet(3000, tmp_path, shape)
    with (
        patch.object(entity_alignment, "ENOUGH", enough),
        patch.object(counting, "AT_ONCE", 100),
    ):
        found = corefkit.score(*files, ON_ENGINES, engine="duckdb")
    assert found == corefkit.score(*files, ON_ENGINES)


def cycles(documents: int, pairs: int) -> tuple[Rows, Rows]:
    """Pairs of mentions, and the same shifted by one: no edge of such a ring decides itself."""
    key: Rows = []
    response: Rows = []
    for number in range(documents):
        for mention in range(2 * pairs):
            key.append((f"d{number}", mention, f"k{mention // 2}"))
            shifted = (mention + 1) % (2 * pairs)
            response.append((f"d{number}", mention, f"r{shifted // 2}"))
    return key, response


@pytest.mark.parametrize("most", [6, 11, 47, 48])
def test_what_is_left_is_fetched_by_documents(
    connection: duckdb.DuckDBPyConnection, most: int
) -> None:
    """Eight rings of six edges each: never more than `most` of them at once."""
    key, response = cycles(8, 3)
    fetched = []
    original = entity_alignment._fetch

    def fetch(*arguments: Any) -> Any:
        fetched.append(len((edges := original(*arguments))[0]))
        return edges

    with (
        patch.object(entity_alignment, "ENOUGH", 0),
        patch.object(entity_alignment, "MOST_FETCHED", most),
        patch.object(entity_alignment, "_fetch", fetch),
    ):
        found = corefkit.score(table(key), table(response), "ceafm,ceafe", engine=connection)
    assert sum(fetched) == 48
    assert max(fetched) <= most
    assert found == corefkit.score(corpus(key), corpus(response), "ceafm,ceafe")


def test_a_document_with_too_much_left_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow.parquet as pq

    monkeypatch.setattr(entity_alignment, "ENOUGH", 0)
    monkeypatch.setattr(entity_alignment, "MOST_FETCHED", 5)
    files = tmp_path / "key.parquet", tmp_path / "response.parquet"
    for file, rows in zip(files, cycles(2, 3), strict=True):
        pq.write_table(table(rows), file)
    done = run("score", *files, "--engine", "duckdb", "-m", "ceafe")
    assert done.status == 1
    assert "CEAF leaves 6 pairs of entities to be aligned in memory" in done.err
    assert "[alignment-too-large]" in done.err
    assert "Traceback" not in done.err
    assert run("score", *files, "--engine", "duckdb", "-m", "muc").status == 0
    with pytest.raises(DataError, match="at most 5 of them in a document"):
        corefkit.score(*files, "ceafe", engine="duckdb")


def test_entities_of_one_size_are_aligned_once(connection: duckdb.DuckDBPyConnection) -> None:
    """The weights of CEAFe are those of CEAFm, halved."""
    key, response = cycles(2, 4)
    original, solved = entity_alignment._solve, []

    def solve(*arguments: Any) -> Any:
        solved.append(arguments[1])
        return original(*arguments)

    with patch.object(entity_alignment, "_solve", solve):
        found = corefkit.score(table(key), table(response), "ceafm,ceafe", engine=connection)
    assert solved == ["ceafm"]
    assert found == corefkit.score(corpus(key), corpus(response), "ceafm,ceafe")


@pytest.mark.parametrize(("shift", "rounds"), [(0, True), (1, False)])
def test_rounds_are_tried_on_a_sample_first(
    connection: duckdb.DuckDBPyConnection, shift: int, rounds: bool
) -> None:
    """Where the sides agree, everything decides itself; in a ring, nothing."""
    key, response = cycles(1, 400)
    response = response if shift else [(d, m, e.replace("k", "r")) for d, m, e in key]
    original, made = entity_alignment._round, []

    def one_round(*arguments: Any) -> int:
        made.append(arguments[-1])
        return original(*arguments)

    with (
        patch.object(entity_alignment, "ENOUGH", 10),
        patch.object(entity_alignment, "_round", one_round),
    ):
        found = corefkit.score(table(key), table(response), "ceafe", engine=connection)
    assert bool(made) is rounds
    assert found == corefkit.score(corpus(key), corpus(response), "ceafe")


@pytest.mark.parametrize(
    "largest",
    [
        {"key": 9, "response": 5, "n": 1},  # one word, most columns the same everywhere
        {"key": 2**30, "response": 2**20, "document": 7, "key_size": 2**30, "response_size": 2**32},
        {"key": 2**40, "response": 2**40, "n": 2**31, "document": 2**20},  # ends in two words
    ],
)
def test_edges_are_packed_and_unpacked(largest: dict[str, int]) -> None:
    """Whatever the engine has packed comes back, in the order of both ends."""
    rng = np.random.default_rng(5)
    columns = {
        name: rng.integers(3, largest.get(name, 0) + 3, 200, endpoint=True)
        for name in entity_alignment._EDGE
    }
    ends = {(k, r): row for row, (k, r) in enumerate(zip(*list(columns.values())[:2], strict=True))}
    rows = sorted(ends.values())
    table = pa.table({name: column[rows] for name, column in columns.items()})
    expected = sorted(zip(*table.to_pydict().values(), strict=True))
    words = entity_alignment.EdgeWords(
        {name: (int(column.min()), int(column.max())) for name, column in columns.items()}
    )
    with duckdb.connect() as connection:
        connection.register("some_edges", table)
        found = words.unpack(
            arrow_columns(connection.sql(words.query("some_edges")).to_arrow_table())
        )
    assert list(zip(*(column.tolist() for column in found), strict=True)) == expected


def test_the_key_is_read_once_for_all_responses() -> None:
    """Whatever goes wrong with one of them; each is counted as if it were alone."""
    rng = np.random.default_rng(4)
    key: Rows = [(f"d{i % 7}", i, f"e{rng.integers(0, 9)}") for i in range(300)]
    key.append(("d0", 0, "copy"))
    extra: Rows = [*key[5:200], ("other", 1, "x"), ("other", 1, "y")]
    nulls = table(key).set_column(2, "entity", [[None] * len(key)])
    responses = [table(key[:250]), nulls, table(extra), table(key)]
    stages: list[str] = []
    options = make_options("conll", singletons="drop")
    with open_engine(Setup("duckdb")) as engine:
        counter = EngineCounter(engine, options, progress=stages.append)
        size, counted = counter.count(table(key), responses)
        together = [c.counts.tables.fetch() if c.counts else None for c in counted]
    assert stages.count("reading the key") == 1
    assert stages.count("reading the response") == 4
    assert together[1] is None
    for response, one in zip(responses, together, strict=True):
        with open_engine(Setup("duckdb")) as engine:
            alone_size, (alone,) = EngineCounter(engine, options).count(table(key), [response])
            assert alone_size == size
            if one is None:
                assert alone.counts is None
            else:
                assert alone.counts is not None
                assert numbers_of(alone.counts.tables.fetch()) == numbers_of(one)
    expected = corefkit.score(corpus(key), corpus(extra), "conll", singletons="drop")
    with duckdb.connect() as connection:
        found = corefkit.score(
            table(key), table(extra), "conll", engine=connection, singletons="drop"
        )
    assert numbers(found) == numbers(expected)


def numbers_of(counts: Any) -> dict[str, list[list[float]]]:
    return {name: [c.tolist() for c in columns] for name, columns in counts.tables.items()}

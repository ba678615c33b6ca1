"""Counting on an engine: what is reported, what is taken out, and its limits."""

from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from corefkit import DataError, UsageError, score
from corefkit.core.incidents import Incident
from corefkit.core.options import Options
from corefkit.plugins.engines.base import Setup
from corefkit.plugins.engines.run import CountedResponse, EngineCounter, check_options, open_engine
from corefkit.scorers import make_options
from tests.plugins.engines.support import Rows, corpus, table

KEY: Rows = [("a", 0, "x"), ("a", 1, "x"), ("b", 0, "y"), ("b", 1, "y"), ("b", 2, "z")]


def count(*responses: Rows, key: Rows = KEY, **policies: Any) -> tuple[Any, list[CountedResponse]]:
    with open_engine(Setup("duckdb")) as engine:
        size, counted = EngineCounter(engine, make_options("muc", **policies)).count(
            table(key), [table(rows) for rows in responses]
        )
        for one in counted:
            assert one.counts is None or one.counts.total("muc")
        return size, counted


def found(incidents: tuple[Incident, ...]) -> list[tuple[str, str, str | None]]:
    return [(i.id, i.severity, i.document) for i in incidents]


def test_incidents_of_the_key_are_reported_once() -> None:
    repeated: Rows = [*KEY, ("a", 0, "w")]
    _, (first, second) = count(KEY, KEY, key=repeated)
    assert [i[0] for i in found(first.incidents)] == ["span-in-two-entities"]
    assert found(second.incidents) == []


@pytest.mark.parametrize("strict", [False, True])
def test_documents_of_one_side(strict: bool) -> None:
    """The example is the first by name."""
    key: Rows = [*KEY, ("k2", 0, "v"), ("k1", 0, "v")]
    response: Rows = [*KEY, ("r2", 0, "v"), ("r1", 0, "v"), ("r3", 0, "v")]
    _, (counted,) = count(response, key=key, strict=strict)
    assert found(counted.incidents) == [
        ("document-missing", "error" if strict else "warning", "k1"),
        ("document-extra", "error" if strict else "warning", "r1"),
    ]
    assert ["2" in counted.incidents[0].message, "3" in counted.incidents[1].message] == [True] * 2
    assert (counted.counts is None) is strict


def test_singletons_go_on_both_sides() -> None:
    """A document that has lost all its mentions is still one of the response."""
    response: Rows = [("a", 0, "x"), ("a", 1, "x"), ("b", 0, "y"), ("b", 1, "w")]
    size, (counted,) = count(response, singletons="drop")
    assert (size.mentions, size.entities) == (4, 2)
    assert counted.size == (2, 2, 1)
    metrics = "mentions,muc,bcub,ceafm,ceafe,blanc,lea"
    memory = score(corpus(KEY), corpus(response), metrics, singletons="drop")
    engine = score(table(KEY), table(response), metrics, engine="duckdb", singletons="drop")
    assert engine.to_dict() == memory.to_dict()


@pytest.mark.parametrize(
    "options",
    [
        {"match": "head"},
        {"duplicates": "listed"},
        {"singletons": "e2e"},
        {"profile": "arrau"},
        {"profile": "coval"},
        {"labels": "type"},
        {"leave_out": "nested"},
    ],
)
def test_what_only_memory_can_do(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="--engine memory"):
        check_options(make_options("muc", **options), "duckdb")
    check_options(Options(metrics=("muc",)), "duckdb")


def test_limits_of_an_engine_that_we_start(tmp_path: Path) -> None:
    spill = tmp_path / "it's here"
    setup = Setup("duckdb", memory="123MB", threads=3, spill=str(spill))
    with open_engine(setup) as engine:
        settings = engine.rows(
            "SELECT current_setting('memory_limit') AS memory, "
            "current_setting('threads') AS threads, "
            "current_setting('temp_directory') AS folder"
        )
        assert settings["memory"][0].startswith("123.")  # MiB
        assert int(settings["threads"][0]) == 3
        assert Path(settings["folder"][0]).parent == spill
        assert len(list(spill.iterdir())) == 1
    assert list(spill.iterdir()) == []
    with (
        pytest.raises(UsageError, match="memory"),
        open_engine(Setup("duckdb", memory="much", spill=str(spill))),
    ):
        pass
    assert list(spill.iterdir()) == []


def test_an_engine_that_is_handed_in_keeps_its_limits() -> None:
    with duckdb.connect() as connection:
        limit = "SELECT current_setting('threads')"
        before = connection.execute(limit).fetchone()
        with open_engine(Setup(connection, threads=7, memory="123MB")):
            assert connection.execute(limit).fetchone() == before
        assert connection.execute(limit).fetchone() == before  # and stays open


@pytest.mark.parametrize("name", ["it's", "a*b", "[ab]", "what?", 'say "x"'])
def test_files_and_columns_of_any_name(name: str, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    rows = table(KEY).rename_columns(["document", "mention", name])
    pq.write_table(rows, tmp_path / f"{name}.parquet")
    other = [(document, mention, "all") for document, mention, _ in KEY]
    pq.write_table(
        table(other).rename_columns(["document", "mention", name]), tmp_path / "a.parquet"
    )
    path = tmp_path / f"{name}.parquet"
    scores = score(path, path, "muc", engine="duckdb", columns={"entity": name})
    assert scores["muc"].counts == {"recall": [2, 2], "precision": [2, 2]}


def test_an_engine_that_fails_says_why() -> None:
    with open_engine(Setup("duckdb")) as engine, pytest.raises(DataError, match="engine-failed"):
        engine.rows("SELECT nothing FROM nowhere")


@pytest.mark.parametrize("last", [2**31 - 1, 2**31])
def test_offsets_have_31_bits(last: int) -> None:
    """Start and end are packed into one integer, so one more bit would make two spans one."""
    spans = pa.table({"start": [0, 1, 2], "end": [last, 1, last], "entity": ["x", "x", "y"]})
    if last == 2**31:
        with pytest.raises(DataError):
            score(spans, spans, "muc", engine="duckdb")
    else:
        assert score(spans, spans, "mentions,muc", engine="duckdb")["mentions"].counts == {
            "recall": [3, 3],
            "precision": [3, 3],
        }

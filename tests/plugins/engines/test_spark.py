"""The same digits on Spark as in memory. `make spark` runs this; one session serves all.

Spark Connect cannot be in a process with a classic session: its test has a process of its own, in
which a local server is started.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from bench.engines import write_parquet

import corefkit
from corefkit import DataError
from corefkit.plugins.engines import counting, spark
from corefkit.plugins.engines.base import Setup
from corefkit.plugins.engines.run import ON_ENGINES, EngineCounter, open_engine
from corefkit.scorers import make_options
from tests.plugins.engines.support import CONFORMING, Rows, converted, corpus, numbers, table
from tests.plugins.engines.test_duckdb import shapes
from tests.support import CONFORMANCE, ROOT, needs_conformance, run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.adaptive.enabled": "false",  # the data is tiny: plans cost the most
    "spark.sql.codegen.wholeStage": "false",
    "spark.driver.host": "localhost",
    "spark.log.level": "ERROR",
}


@pytest.fixture(scope="module")
def session() -> "Iterator[SparkSession]":
    from pyspark.sql import SparkSession

    made = for_tiny_data(SparkSession.builder.master("local[2]")).getOrCreate()
    yield made
    made.stop()


def for_tiny_data(builder: Any) -> Any:
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    return builder


def documents(copies: bool) -> tuple[Rows, Rows]:
    """All shapes and twenty random documents, two of them on one side only."""
    rng = np.random.default_rng(3)
    sides: tuple[Rows, Rows] = ([], [])
    for name, entities in shapes().items():
        for rows, listed in zip(sides, entities, strict=True):
            rows += [(name, mention, f"{e:04}") for mention, e in enumerate(listed[:60])]
    for number in range(20):
        for place, rows in enumerate(sides):
            if number == place:
                continue
            kept = np.flatnonzero(rng.random(30) < 0.8).tolist()
            rows += [(f"r{number}", m, f"e{rng.integers(0, 9)}") for m in kept]
            if copies and kept:
                rows += [(f"r{number}", m, "it's \\4") for m in kept[:2]]
    return sides


def test_equal_to_memory(session: Any) -> None:
    """Repeated mentions are settled; documents are counted in two portions."""
    key, response = documents(copies=True)
    with patch.object(counting, "AT_ONCE", 13):
        found = corefkit.score(table(key), table(response), ON_ENGINES, engine=session)
    expected = corefkit.score(corpus(key), corpus(response), ON_ENGINES)
    assert numbers(found) == numbers(expected)
    assert found == expected  # in each document, too


def test_tables_in_a_shared_folder(session: Any, tmp_path: Path) -> None:
    """Several responses in one job; no row is left to an executor, and no file remains."""
    key, response = documents(copies=True)
    options = make_options("conll")
    spill = tmp_path / "shared"
    with (
        patch.object(counting, "AT_ONCE", 13),
        open_engine(Setup(session, spill=str(spill))) as engine,
    ):
        frames = [table(response), table(key)]
        _, counted = EngineCounter(engine, options).count(table(key), frames)
        found = [one.counts for one in counted if one.counts]
        left = {int(file.parent.name) for file in spill.glob("corefkit-*/*/*.parquet")}
        written = engine._shared._written  # type: ignore[attr-defined]
        assert written > 30  # so many tables; those of no more use are gone
        assert len(left) < 10
    assert list(spill.iterdir()) == []
    for counts, other in zip(found, (response, key), strict=True):
        expected = corefkit.score(corpus(key), corpus(other), "conll").counts
        assert by_name(counts, expected) == by_name(expected, expected)


SKEWS = ("half", "one", "pairs")


@pytest.mark.parametrize("shape", SKEWS)
def test_skewed_data(session: Any, shape: str, tmp_path: Path) -> None:
    """What bench measures at 10⁷ mentions, in portions: all digits of memory."""
    files = write_parquet(900, tmp_path, shape)
    with patch.object(counting, "AT_ONCE", 40):
        found = corefkit.score(*files, ON_ENGINES, engine=session)
    assert found == corefkit.score(*files, ON_ENGINES)


def by_name(counts: Any, known: Any) -> dict[str, tuple[Any, ...]]:
    """What was counted in each document, in the metrics of `known`."""
    columns = [column.tolist() for metric in known.tables for column in counts.tables[metric]]
    return dict(zip(counts.documents, zip(*columns, strict=True), strict=True))


def test_rows_are_numbered_without_one_task_for_all(session: Any) -> None:
    """In the order of names, over several partitions; and no statement has a window over all."""
    rows = np.random.default_rng(1).permutation(1000)
    session.createDataFrame(pa.table({"x": rows})).repartition(7).createOrReplaceTempView(
        "unsorted"
    )
    engine = spark.Spark(session)
    with patch.object(type(session), "sql", autospec=True, side_effect=type(session).sql) as sent:
        engine.number("corefkit_numbered", "x", "SELECT x, -x AS y FROM unsorted", "y")
        found = session.table("corefkit_numbered").toArrow()
        key, response = documents(copies=True)
        corefkit.score(table(key), table(response), "muc", engine=session)
    assert sorted(zip(*(found.column(n).to_pylist() for n in ("x", "number")), strict=True)) == [
        (x, 999 - x) for x in range(1000)
    ]
    assert [c.args[1] for c in sent.call_args_list if "OVER (ORDER BY" in c.args[1]] == []
    engine.close()


@needs_conformance
def test_cross_document_data(session: Any, tmp_path: Path) -> None:
    key, response = CONFORMING[0]
    files = converted((key, response), tmp_path)
    expected = corefkit.score(CONFORMANCE / key, CONFORMANCE / response)
    assert numbers(corefkit.score(*files, engine=session)) == numbers(expected)


CONNECTED = """
import json, sys
from pyspark.sql import SparkSession
import corefkit
from tests.plugins.engines.support import numbers, table
from tests.plugins.engines.test_spark import for_tiny_data, documents

session = for_tiny_data(SparkSession.builder.remote("local[2]")).getOrCreate()
assert "connect" in type(session).__module__
key, response = documents(copies=False)
frames = [session.createDataFrame(table(side)) for side in (key, response)]
json.dump(numbers(corefkit.score(*frames, engine="auto")), sys.stdout)
session.stop()
"""


def test_connect() -> None:
    """Frames of a Connect session find it."""
    pytest.importorskip("grpc", reason="pyspark[connect] is not installed")
    told = subprocess.run(
        [sys.executable, "-c", CONNECTED], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr[-2000:]
    key, response = documents(copies=False)
    expected = numbers(corefkit.score(corpus(key), corpus(response)))
    assert json.loads(told.stdout) == json.loads(json.dumps(expected))


def test_frames_and_singletons(session: Any) -> None:
    """DataFrames find their session; singletons are dropped on both sides."""
    key, response = documents(copies=False)
    frames = [session.createDataFrame(table(side)) for side in (key, response)]
    found = corefkit.score(frames[0], frames[1], "conll,blanc", engine="auto", singletons="drop")
    expected = corefkit.score(corpus(key), corpus(response), "conll,blanc", singletons="drop")
    assert numbers(found) == numbers(expected)


def test_nulls(session: Any) -> None:
    frame = session.createDataFrame(
        [("a", 1, "x"), ("a", None, "y")], "document string, mention long, entity string"
    )
    with pytest.raises(DataError, match=r"1 row without a value in the mention column"):
        corefkit.score(frame, frame, engine=session)


def write_numbers(file: Path) -> Path:
    """300,000 random mentions: shuffled, they need files of more than a MiB, even compressed."""
    column = pa.array(np.random.default_rng(1).integers(0, 2**62, 300_000))
    pq.write_table(pa.table({"mention": column, "entity": column}), file)
    return file


def test_a_full_disk(session: Any, tmp_path: Path) -> None:
    """Java may write no file of more than a MiB: a full disk, but for the words of the system."""
    key = write_numbers(tmp_path / "key.parquet")
    java = session.sparkContext._gateway.proc.pid
    soft, hard = resource.prlimit(java, resource.RLIMIT_FSIZE)
    resource.prlimit(java, resource.RLIMIT_FSIZE, (1 << 20, hard))
    try:
        done = run("score", key, key, "--engine", "spark")
    finally:
        resource.prlimit(java, resource.RLIMIT_FSIZE, (soft, hard))
    assert done.status == 1
    assert done.err == (
        "error: the engine spark stopped: IOException: File too large [engine-failed]\n"
        "  hint:     The disk is full: free some space or name another folder with --engine "
        "…:spill=FOLDER\n"
    )


def test_a_killed_run_leaves_its_spill_folder_only(tmp_path: Path) -> None:
    """Java is killed as well, and the next run removes the folder."""
    key, spill = write_numbers(tmp_path / "key.parquet"), tmp_path / "spill"
    (tmp_path / "tmp").mkdir()
    with subprocess.Popen(
        [
            sys.executable,
            "-m",
            "corefkit",
            "score",
            key,
            key,
            "--engine",
            f"spark:spill={spill}",
        ],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path / "tmp")},
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        while not any(spill.glob("*/blockmgr*/*/*")):
            assert process.poll() is None
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
    left = list(spill.iterdir())
    assert len(left) == 1 and any(left[0].glob("blockmgr*"))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["key.parquet", "spill", "tmp"]
    assert list((tmp_path / "tmp").iterdir()) == []
    next_run = run("score", key, key, "--engine", f"duckdb:spill={spill}", "-m", "muc")
    assert (next_run.status, list(spill.iterdir())) == (0, [])


@pytest.mark.parametrize("mark", [",", "\t"])
def test_tables_of_text(mark: str, session: "SparkSession", tmp_path: Path) -> None:
    rows = 'tale,0,1,"e1"\n tale ,7,7,e1\n,,,\ntale,9,9,\nfable,3,3,e1\n'
    files = [tmp_path / name for name in ("key.csv", "response.csv")]
    files[0].write_text(f"doc_id,start,end,cluster\n{rows}")
    text = f"doc_id,start,end,cluster\n{rows}tale,7,7,e2\n".replace('"', "")
    files[1].write_text(text.replace(",", mark))
    found = [corefkit.score(files[0], files[1], engine=engine) for engine in ("memory", session)]
    assert numbers(found[0]) == numbers(found[1])
    assert {i.id for i in found[0].incidents} == {i.id for i in found[1].incidents}

"""Counts by document: files, groups and intervals are made from them."""

import json
from math import fsum
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit.core.counts import exact_sum
from corefkit.plugins.engines import counting
from corefkit.plugins.engines.run import ON_ENGINES
from tests.plugins.engines.support import Rows, corpus, table
from tests.support import run

FLOATS = st.floats(0, 1e12, allow_nan=False)


@given(parts=st.lists(st.lists(FLOATS, max_size=6), max_size=5))
def test_sums_in_portions_are_those_of_all(parts: list[list[float]]) -> None:
    total = exact_sum([])
    for part in parts:
        total = exact_sum([*total, *part])
    assert total[0] == fsum(value for part in parts for value in part)


def test_sums_of_integers_go_beyond_64_bits() -> None:
    assert exact_sum([2 * 2**62, *np.full(4, 2**62).tolist()]) == [6 * 2**62]


DOCUMENTS: Rows = [
    (f"{genre}/{number}", mention, f"{mention // 2 % (number + 1)}")
    for genre in ("nw", "bc")
    for number in range(4)
    for mention in range(9)
]


def files(folder: Path) -> tuple[str, str]:
    names = str(folder / "key.parquet"), str(folder / "run.parquet")
    for name, rows in zip(names, (DOCUMENTS, DOCUMENTS[5:-1:2]), strict=True):
        pq.write_table(table(rows), name)
    return names


@pytest.mark.parametrize("by", ["document", "genre", "re:^([a-z]+)/"])
def test_groups_equal_those_of_memory(by: str, tmp_path: Path) -> None:
    names = files(tmp_path)
    for metrics in ("conll", "muc,blanc,mentions"):
        command = "score", *names, "--by", by, "-m", metrics
        shown = [run(*command, "--engine", engine) for engine in ("memory", "duckdb")]
        assert shown[1].status == 0, shown[1].err
        assert shown[0].out == shown[1].out


def test_intervals_equal_those_of_memory(tmp_path: Path) -> None:
    """Of Scores, and of files of counts."""
    names, file = files(tmp_path), str(tmp_path / "counts.parquet")
    with patch.object(counting, "AT_ONCE", 3):
        assert run("score", *names, "--engine", "duckdb", "--counts", file).status == 0
    memory = corefkit.score(corpus(DOCUMENTS), corpus(DOCUMENTS[5:-1:2]))
    assert corefkit.score(*names, engine="duckdb") == memory
    found = []
    for paths in (names, (file, file)):
        done = run("compare", *paths, "--samples", "50", "-f", "json")
        assert done.status == 0, done.err
        found.append(json.loads(done.out)["systems"][0])
    assert found[0] == found[1]


def test_a_file_that_cannot_be_written_stays(tmp_path: Path) -> None:
    names, file = files(tmp_path), tmp_path / "counts.parquet"
    file.write_text("before")
    stop = OSError(28, "No space left on device")
    with patch("corefkit.formats.kit.writing._target", side_effect=stop):
        done = run("score", *names, "--engine", "duckdb", "--counts", file)
    assert (done.status, "No space left on device" in done.err) == (1, True)
    assert file.read_text() == "before"
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "counts.parquet",
        "key.parquet",
        "run.parquet",
    ]


@pytest.mark.parametrize("metric", ON_ENGINES)
def test_a_metric_alone_sees_what_it_needs(metric: str) -> None:
    """Only what the metrics see is asked of the engine; all that memory gives is found so, too."""
    for response in (DOCUMENTS[5:-1:2], [(d, m, f"{m % 3}") for d, m, _ in DOCUMENTS]):
        found = corefkit.score(table(DOCUMENTS), table(response), metric, engine="duckdb")
        assert found == corefkit.score(corpus(DOCUMENTS), corpus(response), metric)

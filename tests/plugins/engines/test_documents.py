"""Documents without mentions in Parquet files: they are kept, in memory and on every engine."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import corefkit
from corefkit import Corpus
from tests.plugins.engines.support import Rows, table
from tests.support import run

ENGINES = ["memory", "duckdb", pytest.param("spark", marks=pytest.mark.spark)]


def corpus(*clusters: list[list[tuple[int, int]]]) -> Corpus:
    return Corpus.from_clusters(dict(zip("abcd", clusters, strict=False)))


PAIR = [[(0, 0), (2, 3)]]


@pytest.mark.parametrize("engine", ENGINES)
def test_documents_without_mentions(tmp_path: Path, engine: Any) -> None:
    """The response has found nothing in b, and something in c, where there is nothing."""
    key, response = corpus(PAIR, PAIR, [], []), corpus(PAIR, [], PAIR, [])
    paths = tmp_path / "key.parquet", tmp_path / "response.parquet"
    for side, path in zip((key, response), paths, strict=True):
        corefkit.write(side, path)
        assert corefkit.read(path).names == ("a", "b", "c", "d")
    scores = corefkit.score(*paths, "muc,mentions", engine=engine)
    assert scores["muc"].counts == {"recall": [1, 2], "precision": [1, 2]}
    assert scores["mentions"].counts == {"recall": [2, 4], "precision": [2, 4]}
    assert scores.incidents == ()


def test_convert_keeps_them(tmp_path: Path) -> None:
    """A pair of files that scores 66.67 scores as much when it is converted."""
    tokens = np.array([4, 4])
    key, response = (
        replace(side, tokens=tokens) for side in (corpus(PAIR, []), corpus(PAIR, PAIR))
    )
    scores = []
    for ending in (".jsonlines", ".parquet"):
        paths = tmp_path / f"key{ending}", tmp_path / f"response{ending}"
        for side, path in zip((key, response), paths, strict=True):
            corefkit.write(side, path)
        scores.append(round(corefkit.score(*paths, "muc")["muc"].f1, 4))
    assert scores == [0.6667, 0.6667]


@pytest.mark.parametrize("engine", ENGINES[:2])
def test_a_null_in_a_document_or_mention(tmp_path: Path, engine: str) -> None:
    whole = table([("a", 1, "x"), ("a", 2, "x")])
    for name in ("document", "mention"):
        nulls = whole.slice(0, 1).to_pydict() | {name: [None]}
        bad = type(whole).from_pydict(nulls, whole.schema)
        pq.write_table(bad, tmp_path / "bad.parquet")
        pq.write_table(whole, tmp_path / "key.parquet")
        done = run("score", tmp_path / "key.parquet", tmp_path / "bad.parquet", "--engine", engine)
        assert done.status == 1
        assert "[value-missing]" in done.err


@pytest.mark.parametrize("engine", ENGINES[:2])
def test_documents_that_lose_all_their_mentions(tmp_path: Path, engine: str) -> None:
    """b has a singleton in the response, which is dropped; c is not there, d only there."""
    key: Rows = [("a", 1, "x"), ("a", 2, "x"), ("b", 1, "x"), ("c", 1, "x"), ("c", 2, "x")]
    response: Rows = [("a", 1, "x"), ("a", 2, "x"), ("b", 1, "x"), ("d", 1, "x")]
    paths = tmp_path / "key.parquet", tmp_path / "response.parquet"
    for rows, path in zip((key, response), paths, strict=True):
        pq.write_table(table(rows), path)
    options = ("--engine", engine, "--singletons", "drop", "-m", "muc", "-f", "json")
    report = json.loads(run("score", *paths, *options).out)
    sizes = [[s[n] for n in ("documents", "mentions")] for s in (report["key"], *report["systems"])]
    assert sizes == [[3, 4], [2, 2]]

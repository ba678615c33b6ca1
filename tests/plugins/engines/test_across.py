"""Levels across documents on an engine: those of memory, to the last digit."""

from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pyarrow.parquet as pq
import pytest

import corefkit
from corefkit import DataError, Scores
from corefkit.plugins.engines import counting
from corefkit.plugins.engines.run import ON_ENGINES
from corefkit.scoring.level_scores import reach_part
from tests import damages
from tests.plugins.engines.support import Rows, numbers, table
from tests.support import run


def write(folder: Path, seed: int = 8, ids: str = "p") -> tuple[str, str]:
    """Key and response of fifteen documents in three topics; each lacks a document of the other."""
    rng = np.random.default_rng(seed)
    files = []
    for place, (side, entities) in enumerate((("key", 30), ("response", 40))):
        rows: Rows = []
        for number, name in enumerate(f"{t}{n}" for t in "xyz" for n in range(5)):
            kept = [] if number == place else np.flatnonzero(rng.random(12) < 0.8).tolist()
            rows += [(name, m, f"{ids}{rng.integers(5, entities)}") for m in kept]
            # In two entities of its document, of which one has another mention, too.
            rows += [(name, kept[0], "p4"), (name, 20 + number, "p4")] if kept else []
        pq.write_table(table(rows), folder / f"{side}.parquet")
        files.append(str(folder / f"{side}.parquet"))
    return files[0], files[1]


def everything(scores: Scores) -> list[Any]:
    levels = [(r.label, r.key, r.response, numbers(r.scores)) for r in scores.levels]
    names = [sorted(row.scores.counts.documents) for row in scores.levels]
    return [numbers(scores), levels, names, [row.to_dict() for row in scores.reaches]]


def check_equal(folder: Path, engine: Any, singletons: Any) -> None:
    files = write(folder)
    expected, found = (
        corefkit.score(
            *files, ON_ENGINES, engine=e, singletons=singletons, across="all", topic="^(.)"
        )
        for e in ("memory", engine)
    )
    assert [row.label for row in found.levels] == ["none", "topic", "corpus"]
    assert everything(found) == everything(expected)


@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_equal_to_memory(singletons: str, tmp_path: Path) -> None:
    check_equal(tmp_path, "duckdb", singletons)
    with patch.object(counting, "AT_ONCE", 2):
        check_equal(tmp_path, "duckdb", singletons)


@pytest.mark.spark
@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_equal_to_memory_on_spark(singletons: str, tmp_path: Path) -> None:
    check_equal(tmp_path, "spark", singletons)


@pytest.mark.parametrize("across", ["topic", "none,corpus", "corpus"])
def test_some_levels_of_several_responses(across: str, tmp_path: Path) -> None:
    """One job: the text is that of memory for each of them."""
    key, response = write(tmp_path)
    outputs = [
        run(
            *("score", key, response, key, "--engine", engine, "--across", across),
            *("--topic", "^(.)", "-m", "conll,pairs"),
        )
        for engine in ("memory", "duckdb")
    ]
    assert outputs[0].status == outputs[1].status == 0
    assert outputs[0].out == outputs[1].out


def test_counts_of_topics_can_be_written(tmp_path: Path) -> None:
    key, response = write(tmp_path)
    counts = tmp_path / "counts.parquet"
    options = ("--across", "topic", "--topic", "^(.)", "-m", "muc", "--engine", "duckdb")
    done = run("score", key, response, *options, "--counts", counts)
    assert done.status == 0, done.err
    assert sorted(set(pq.read_table(counts)["document"].to_pylist())) == ["x", "y", "z"]


def test_what_is_wrong_with_topics_and_ids(tmp_path: Path) -> None:
    key, response = write(tmp_path)
    for across, topic in (("topic", ""), ("all", "^[xy]")):
        with pytest.raises(DataError, match="topics-unknown"):
            corefkit.score(key, response, engine="duckdb", across=across, topic=topic)
    with (
        patch.object(counting, "MOST_EDGES", 3),
        pytest.raises(DataError, match=r"(?s)document-too-large.*document: corpus"),
    ):
        corefkit.score(key, response, "ceafe", engine="duckdb", across="corpus")
    rows = [(name, m, str(m // 2)) for name in "abc" for m in range(6)]
    pq.write_table(table(rows), tmp_path / "own.parquet")
    pq.write_table(table(rows[:-1]), tmp_path / "other.parquet")
    for engine in ("memory", "duckdb"):
        files = tmp_path / "own.parquet", tmp_path / "other.parquet"
        scores = corefkit.score(*files, engine=engine, across="corpus")
        assert [i.id for i in scores.incidents] == ["ids-local", "ids-local"]


def test_a_table_without_documents_is_one(tmp_path: Path) -> None:
    file = tmp_path / "one.parquet"
    pq.write_table(table([("", m, "ab"[m % 2]) for m in range(6)]).drop_columns("document"), file)
    found = corefkit.score(file, file, "pairs", engine="duckdb", across="none,corpus")
    assert [numbers(row.scores) for row in found.levels] == [numbers(found)] * 2
    assert [row.to_dict() for row in found.reaches] == [
        reach_part("document", 6, 6, 6).to_dict(),
        reach_part("corpus", 0, 0, 0).to_dict(),
    ]


SHIFTED = [((1, 1), damages.NAMES), ((1, 1), ("doc1",)), ((2, 2), ("doc1",))]
"""By how much the mentions of some documents are moved."""


@pytest.mark.parametrize(("shift", "documents"), SHIFTED)
@pytest.mark.parametrize("across", ["topic", "none,topic,corpus", "corpus"])
def test_warnings_are_those_of_memory(
    tmp_path: Path, across: str, shift: tuple[int, int], documents: tuple[str, ...]
) -> None:
    check_warnings(tmp_path, "duckdb", across, shift, documents)


@pytest.mark.spark
@pytest.mark.parametrize(("shift", "documents"), SHIFTED)
def test_warnings_are_those_of_memory_on_spark(
    tmp_path: Path, shift: tuple[int, int], documents: tuple[str, ...]
) -> None:
    check_warnings(tmp_path, "spark", "none,topic,corpus", shift, documents)


def check_warnings(
    folder: Path, engine: Any, across: str, shift: tuple[int, int], documents: tuple[str, ...]
) -> None:
    """About repeated rows, and about shifted and unmatched documents."""
    response = {
        name: [
            [(a + shift[0], b + shift[1]) if name in documents else (a, b) for a, b in spans]
            for spans in entities
        ]
        for name, entities in damages.response().items()
    }
    for name, corpus in (("k", damages.key()), ("r", response)):
        text = damages.table(corpus)
        (folder / f"{name}.csv").write_text(text + text.splitlines()[-1] + "\n")
    files = folder / "k.csv", folder / "r.csv"
    expected, found = (
        corefkit.score(*files, "conll", engine=e, across=across, topic="^(...)")
        for e in ("memory", engine)
    )
    assert everything(found) == everything(expected)
    told = [scores.incidents for scores in (expected, found)]
    assert {i.id for i in told[0]} == {i.id for i in told[1]} > {"ids-local", "span-twice"}
    words = [{(i.message, i.document) for i in all if i.id[:8] == "mentions"} for all in told]
    assert words[0] == words[1] != set()

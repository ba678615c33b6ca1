"""The same digits on DuckDB as in memory."""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from bench.engines import write_parquet
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import DataError, UsageError
from corefkit.core.table_columns import LARGEST_OFFSET
from corefkit.plugins.engines import counting, sides
from corefkit.plugins.engines.run import ON_ENGINES
from tests.plugins.engines.support import CONFORMING, Rows, converted, corpus, numbers, table
from tests.plugins.engines.support import sides as random_sides
from tests.strategies import TIMES, examples
from tests.support import CONFORMANCE, needs_conformance, run


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as made:
        yield made


def outcome(key: Any, response: Any, **options: Any) -> dict[str, Any] | set[str]:
    """The scores, or the ids of what forbids scoring."""
    try:
        return numbers(corefkit.score(key, response, **options))
    except DataError as error:
        return {incident.id for incident in error.incidents if incident.severity == "error"}


@examples(20)
@given(both=random_sides())
def test_equal_to_memory(connection: duckdb.DuckDBPyConnection, both: tuple[Rows, Rows]) -> None:
    key, response = both
    if not key:
        return
    with patch.object(counting, "AT_ONCE", 2):
        found = outcome(table(key), table(response), engine=connection, metrics=ON_ENGINES)
    assert found == outcome(corpus(key), corpus(response), metrics=ON_ENGINES)


@examples(10)
@given(both=random_sides(copies=True), singletons=st.sampled_from(["keep", "drop"]))
def test_policies(
    connection: duckdb.DuckDBPyConnection, both: tuple[Rows, Rows], singletons: Any
) -> None:
    """Repeated mentions are settled and singletons dropped as in memory."""
    key, response = both
    if not key:
        return
    found = outcome(table(key), table(response), engine=connection, singletons=singletons)
    assert found == outcome(corpus(key), corpus(response), singletons=singletons)


def shapes() -> dict[str, tuple[list[int], list[int]]]:
    """Key and response entities of mentions 0, 1, …: ties, stars, chains, dense components."""
    rng = np.random.default_rng(5)
    at = np.arange(600)
    return {
        "ties": ((at // 2).tolist(), ((at + 1) // 2).tolist()),
        "star": ([0] * 600, (at // 3).tolist()),
        "chain": ((at // 5).tolist(), ((at + 2) // 5).tolist()),
        "dense": (rng.integers(0, 12, 600).tolist(), rng.integers(0, 9, 600).tolist()),
        "singletons": (at.tolist(), at.tolist()),
        "pairs": ((rng.permutation(600) // 2).tolist(), (rng.permutation(600) // 2).tolist()),
    }


def test_shapes(connection: duckdb.DuckDBPyConnection) -> None:
    """Each is a document."""
    key, response = (
        [
            (shape, mention, f"{entity:04}")
            for shape, sides in shapes().items()
            for mention, entity in enumerate(sides[side])
        ]
        for side in (0, 1)
    )
    found = corefkit.score(table(key), table(response), engine=connection).by("document")
    expected = corefkit.score(corpus(key), corpus(response)).by("document")
    assert set(found) == set(shapes())
    for shape, scores in found.items():
        assert numbers(scores) == numbers(expected[shape]), shape


def as_texts(rows: Rows, form: str) -> pa.Table:
    """The same rows with another name for each mention."""
    listed = [(d, form.format(m, m + 2, m + 7), e) for d, m, e in rows]
    names = "document", "mention", "entity"
    return pa.table(dict(zip(names, zip(*listed, strict=True), strict=True)))


@pytest.mark.parametrize(
    "form", ["{0}", "{0}-{1}", "{0}.1", "{0},{2}", "x{0}", "an identifier that is long {0}"]
)
@examples(3)
@given(both=random_sides(copies=True))
def test_mentions_of_any_type(form: str, both: tuple[Rows, Rows]) -> None:
    """Files with mentions of one column, in memory and on DuckDB: numbers, nodes, identifiers."""
    if not all(both):
        return
    with TemporaryDirectory() as folder:
        files = [f"{folder}/key.parquet", f"{folder}/response.parquet"]
        for file, rows in zip(files, both, strict=True):
            pq.write_table(table(rows) if form == "{0}" else as_texts(rows, form), file)
        in_memory = outcome(*files)
        assert in_memory == outcome(*files, engine="duckdb")
    if form == "{0}":
        assert in_memory == outcome(corpus(both[0]), corpus(both[1]))


@needs_conformance
@pytest.mark.parametrize(("key", "response"), CONFORMING)
def test_conformance_data(key: str, response: str, tmp_path: Path) -> None:
    """Of files that `convert` makes of them."""
    files = converted((key, response), tmp_path)
    expected = corefkit.score(CONFORMANCE / key, CONFORMANCE / response)
    assert numbers(corefkit.score(*files, engine="duckdb")) == numbers(expected)


@pytest.mark.more
def test_many_mentions(tmp_path: Path) -> None:
    """What the benchmark makes: entities of all sizes, some of thousands of mentions."""
    key, response = write_parquet(250_000 * TIMES, tmp_path)
    found = corefkit.score(key, response, engine="duckdb")
    assert found["mentions"].counts["recall"][1] > 225_000 * TIMES
    assert numbers(found) == numbers(corefkit.score(key, response))


def test_no_documents_and_spans(connection: duckdb.DuckDBPyConnection) -> None:
    """Without a column of documents all is one; start and end make a mention."""
    clusters = [[(0, 3), (5, 5), (0, 1)], [(2, 2)]]
    rows = [(s, e, n) for n, cluster in enumerate(clusters) for s, e in cluster]
    start, end, entity = (pa.array(column) for column in zip(*rows, strict=True))
    key = pa.table({"start": start, "end": end, "cluster": entity})
    found = corefkit.score(key, key.slice(1), engine=connection, columns={"entity": "cluster"})
    whole = corefkit.Corpus.from_clusters({"": clusters})
    less = corefkit.Corpus.from_clusters({"": [clusters[0][1:], clusters[1]]})
    assert numbers(found) == numbers(corefkit.score(whole, less))


KEY: Rows = [("a", 0, "x"), ("a", 1, "x"), ("b", 0, "y"), ("b", 1, "y")]


def refusal(key: pa.Table, response: pa.Table, **options: Any) -> str:
    with duckdb.connect() as made, pytest.raises(DataError) as error:
        corefkit.score(key, response, engine=made, **options)
    return str(error.value)


def test_nulls_are_counted() -> None:
    broken = pa.table({"document": ["a", "a"], "mention": [0, None], "entity": ["x", "y"]})
    text = refusal(table(KEY), broken)
    assert "the response has 1 row without a value in the mention column" in text
    assert "entity y" in text


def test_repeated_mentions_can_be_refused() -> None:
    repeated = [*KEY, ("b", 1, "z")]
    text = refusal(table(KEY), table(repeated), duplicates="error")
    assert "1 mention of the response occurs in several entities" in text
    with patch.object(sides, "MOST_SETTLED", 1):
        assert "several entities" in refusal(table(KEY), table(repeated))


def test_spans_that_are_none() -> None:
    wrong = pa.table({"start": [3, 0], "end": [1, LARGEST_OFFSET + 1], "entity": [0, 1]})
    assert "2 rows whose start and end do not form a span" in refusal(wrong, wrong)


@pytest.mark.parametrize(
    ("offsets", "message"),
    [
        ([0.0, 1.5], "1 row whose start and end do not form a span"),
        ([0.0, float("nan")], "1 row without a value in the start column"),
        ([0.0, float("inf")], "1 row whose start and end do not form a span"),
        (["0", "1"], "the values of start in the key are of type VARCHAR, not whole numbers"),
        ([False, True], "the values of start in the key are of type BOOLEAN, not whole numbers"),
    ],
)
def test_offsets_are_whole_numbers(offsets: list[Any], message: str, tmp_path: Path) -> None:
    """On an engine, and in memory, which says the same of a file."""
    rows = pa.table({"start": offsets, "end": offsets, "entity": [0, 0]})
    assert message in refusal(rows, rows)
    pq.write_table(rows, tmp_path / "key.parquet")
    with pytest.raises(DataError, match=r"do not form a span|not whole numbers|no value"):
        corefkit.score(tmp_path / "key.parquet", tmp_path / "key.parquet")


def test_whole_floats_are_offsets(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    rows = pa.table({"start": [0.0, 3.0], "end": [0.0, 4.0], "entity": [0, 0]})
    pq.write_table(rows, tmp_path / "key.parquet")
    key = str(tmp_path / "key.parquet")
    assert corefkit.score(rows, rows, engine=connection).conll == 1
    assert corefkit.score(key, key).conll == 1


DAY = date(2026, 11, 15)


@pytest.mark.parametrize(
    "values",
    [
        [b"\xff", b"a", b"it's"],
        [DAY, DAY + timedelta(1), DAY + timedelta(2)],
        [Decimal("1.5"), Decimal("2.5"), Decimal("10.5")],
        [[1, 2], [3], []],
        [{"a": 1}, {"a": 2}, {"a": 10}],
        [0.5, 1.5, float("nan")],
        [False, True, True],
    ],
)
def test_copies_of_mentions_of_odd_types(values: list[Any], tmp_path: Path) -> None:
    """The first mention is in two entities, which are of such a type as well."""
    place, entity = [0, 0, 1, 2, 1], [0, 1, 1, 1, 2]
    rows = {"mention": [values[p] for p in place], "entity": [values[e] for e in entity]}
    file = tmp_path / "key.parquet"
    pq.write_table(pa.table(rows), file)
    assert outcome(file, file, engine="duckdb") == outcome(file, file)


def test_mentions_that_cannot_be_compared() -> None:
    numbers = pa.table({"mention": [0, 1], "entity": [0, 0]})
    texts = pa.table({"mention": ["0", "1"], "entity": [0, 0]})
    spans = pa.table({"start": [0, 1], "end": [0, 1], "entity": [0, 0]})
    for key, response, message in (
        (
            numbers,
            texts,
            "mentions are given differently: BIGINT in the key, VARCHAR in the response",
        ),
        (
            spans,
            numbers,
            "mentions are given differently: start and end in the key, BIGINT in the response",
        ),
        (
            texts,
            spans,
            "mentions are given differently: VARCHAR in the key, start and end in the response",
        ),
    ):
        assert message in refusal(key, response)
    small = numbers.cast(pa.schema({"mention": pa.int8(), "entity": pa.int8()}))
    assert corefkit.score(small, numbers).conll == 1


def test_columns_of_any_name(tmp_path: Path) -> None:
    names = {"mention": 'men"tion', "entity": "entité, `x`", "document": "it's; --"}
    rows = table(KEY).rename_columns(["it's; --", 'men"tion', "entité, `x`"])
    assert corefkit.score(rows, rows, engine="duckdb", columns=names).conll == 1
    pq.write_table(rows.rename_columns(["d d", "m.m", "€"]), tmp_path / "it's.parquet")
    file = tmp_path / "it's.parquet"
    done = run(
        *("score", file, file, "--engine", "duckdb"),
        *("--columns", "document=d d,mention=m.m,entity=€", "-f", "json"),
    )
    assert (done.status, json.loads(done.out)["systems"][0]["scores"]["conll"]["f1"]) == (0, 1)


def test_documents_of_one_side() -> None:
    assert " of the key is not in the response" in refusal(table(KEY), table(KEY[:2]), strict=True)
    assert " of the response is not in the key" in refusal(table(KEY[:2]), table(KEY), strict=True)
    assert "only the key has a column 'document'" in refusal(
        table(KEY), table(KEY).drop_columns(["document"])
    )


def test_pairs_that_overflow() -> None:
    with patch.object(counting, "MOST_MENTIONS", 1):
        assert "a document of the key has 2 mentions" in refusal(table(KEY), table(KEY))
    with patch.object(counting, "MOST_PAIRS", 1):
        assert "the documents of the key have 2 pairs" in refusal(table(KEY), table(KEY))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"profile": "conll-8.01"}, "works in memory only|needs the mentions themselves"),
        ({"profile": "e2e"}, "works in memory only|needs the mentions themselves"),
        ({"average": "documents"}, "average documents needs"),
        ({"split": "only"}, "split only needs the mentions themselves"),
        ({"metrics": "gap"}, "gap works in memory only"),
        ({"metrics": "immediate"}, "immediate works in memory only"),
        ({"columns": {"word": "x"}}, "unknown name 'word'"),
        ({"columns": {"mention": "nowhere"}}, "no column 'nowhere'"),
        ({"engine": 7}, "int is neither"),
    ],
)
def test_usage(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        corefkit.score(table(KEY), table(KEY), **{"engine": duckdb.connect(), **options})


def write(path: Path, rows: Rows) -> str:
    pq.write_table(table(rows), path)
    return str(path)


def test_command_line(tmp_path: Path) -> None:
    key = write(tmp_path / "key.parquet", KEY)
    response = write(tmp_path / "run.parquet", [*KEY[:3], ("b", 1, "z")])
    counts = str(tmp_path / "counts.parquet")
    done = run("score", key, response, "--engine", "duckdb", "--counts", counts, "-f", "json")
    assert done.status == 0, done.err
    assert '"mentions": 4' in done.out
    rows = pq.read_table(counts)
    assert rows.num_rows == 2
    again = str(tmp_path / "again.parquet")
    assert run("score", key, key, "--engine", "duckdb", "--counts", again).status == 0
    compared = run("compare", counts, again, "-m", "muc", "-f", "json", "--samples", "50")
    assert compared.status == 0, compared.err
    difference = json.loads(compared.out)["pairs"][0]["scores"]["muc"]["difference"]
    assert difference == pytest.approx(2 / 3 - 1)
    refused = run("compare", counts, again, "-m", "bcub_sys")
    assert (refused.status, "no counts of bcub_sys" in refused.err) == (2, True)
    assert rows.column("muc.0").to_pylist() == [1, 0]


@pytest.mark.parametrize("engine", ["auto", "duckdb"])
@pytest.mark.parametrize("place", [".", "*.parquet"])
def test_a_table_in_several_files(engine: str, place: str, tmp_path: Path) -> None:
    """A folder or a glob; documents and entities go on from file to file."""
    (tmp_path / "parts").mkdir()
    for part, rows in enumerate((KEY[:1], KEY[1:3], KEY[3:])):
        write(tmp_path / "parts" / f"part-{part}.parquet", rows)
    whole = write(tmp_path / "whole.parquet", KEY)
    where = str(tmp_path / "parts" / place)
    done = run("score", where, whole, "--engine", engine, "-m", "muc,mentions", "-f", "json")
    assert done.status == 0, done.err
    found = json.loads(done.out)["systems"][0]["scores"]
    assert found["mentions"]["counts"]["precision"] == [4, 4]
    assert found["muc"]["f1"] == 1


def test_documents_that_are_folders(tmp_path: Path) -> None:
    rows = [(name, mention, "x") for name in ("007", "it's a/b") for mention in range(2)]
    key = write(tmp_path / "key.parquet", rows)
    copy = f"COPY (FROM '{key}') TO '{tmp_path}/parts' (FORMAT parquet, PARTITION_BY (document))"
    duckdb.sql(copy)
    assert len(list((tmp_path / "parts").glob("document=*"))) == 2
    for engine in ("memory", "duckdb"):
        done = run("score", tmp_path / "parts", key, "--engine", engine, "-m", "muc", "-f", "json")
        assert done.status == 0, done.err
        found = json.loads(done.out)["systems"][0]["scores"]["muc"]
        assert found["counts"] == {"recall": [2, 2], "precision": [2, 2]}


def test_a_file_that_is_no_parquet(tmp_path: Path) -> None:
    (tmp_path / "key.parquet").write_text("hello")
    name = str(tmp_path / "key.parquet")
    done = run("score", name, name, "--engine", "duckdb")
    assert done.status == 1
    assert "[engine-failed]" in done.err


def test_our_tables_are_dropped() -> None:
    with duckdb.connect() as connection:
        corefkit.score(table(KEY), table(KEY), engine=connection)
        assert connection.execute("SHOW ALL TABLES").fetchall() == []


@pytest.mark.parametrize("kind", ["TEMP TABLE", "TEMP VIEW", "TABLE"])
@pytest.mark.parametrize("names", [("key", "response"), ("documents", "edges")])
def test_tables_of_the_user_stay(kind: str, names: tuple[str, str], tmp_path: Path) -> None:
    path = write(tmp_path / "key.parquet", KEY)
    with duckdb.connect() as connection:
        for name in names:
            connection.execute(f"CREATE {kind} {name} AS SELECT * FROM '{path}'")
        key, response = map(connection.table, names)
        assert corefkit.score(key, response, engine=connection).conll == 1
        left = {row[2]: row[0] for row in connection.execute("SHOW ALL TABLES").fetchall()}
        assert set(left) == set(names)


def test_copies_in_entities_and_documents_of_any_name(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    key: Rows = []
    for name in ("a\\b", "it's", "a\\", "\\'", "\\\\n"):
        key += [(name, 0, name), (name, 1, name), (name, 1, "e"), (name, 2, "e"), (name, 3, "e")]
    response = [row for at, row in enumerate(key) if at % 5 < 2]
    found = outcome(table(key), table(response), engine=connection)
    assert found == outcome(corpus(key), corpus(response))


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    with duckdb.connect() as connection:
        for setting in (
            f"temp_directory = '{tmp_path}'",
            "max_temp_directory_size = '1MB'",
            "memory_limit = '40MB'",
            "threads = 1",
        ):
            connection.execute(f"SET {setting}")
        many: Any = connection.sql("SELECT i AS mention, i // 3 AS entity FROM range(3000000) t(i)")
        with pytest.raises(DataError, match="The disk is full") as error:
            corefkit.score(many, many, engine=connection)
    assert error.value.incidents[0].id == "engine-failed"


def test_a_killed_run_leaves_its_spill_folder_only(tmp_path: Path) -> None:
    """And the next run removes it."""
    rows: Any = duckdb.sql("SELECT i AS mention, i // 3 AS entity FROM range(2000000) t(i)")
    rows.write_parquet(str(tmp_path / "big.parquet"))
    spill = tmp_path / "spill"
    big = str(tmp_path / "big.parquet")
    command = [sys.executable, "-m", "corefkit", "score", big, big]
    process = subprocess.Popen([*command, "--engine", f"duckdb:spill={spill}"], cwd=tmp_path)
    while not any(spill.glob("corefkit-spill-*")):
        assert process.poll() is None
    process.kill()
    process.wait()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["big.parquet", "spill"]
    small = write(tmp_path / "small.parquet", KEY)
    assert run("score", small, small, "--engine", f"duckdb:spill={spill}").status == 0
    assert list(spill.iterdir()) == []


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("--counts x.pq", "--counts needs an engine"),
        ("--engine auto:spill=x", "spill needs an engine"),
        ("--engine memory:memory=4GB", "memory needs an engine"),
        ("--engine duckdb:threads=many", "threads: 'many' is not a positive whole number"),
        ("--engine duckdb:thread=2", "unknown limit 'thread'. Did you mean threads?"),
        ("--engine duckdb:memory=", "memory has no value; write e.g. duckdb:memory=4GB"),
        ("--engine duck", "engine: unknown value 'duck'; choose from auto, memory, duckdb"),
        ("--memory 4GB", "it is said with the engine: NAME:memory=4GB"),
    ],
)
def test_options_of_engines_are_not_ignored(given: str, told: str, tmp_path: Path) -> None:
    key = write(tmp_path / "key.parquet", KEY)
    done = run("score", key, key, *given.split())
    assert done.status == 2
    assert told in " ".join(done.err.split())


def test_some_documents_are_for_memory(tmp_path: Path) -> None:
    key = write(tmp_path / "key.parquet", KEY)
    name = str(KEY[0][0])
    listed = tmp_path / "list.txt"
    listed.write_text(f"{name}\n")
    done = run("score", key, key, "--engine", "duckdb", "--documents", listed)
    assert (done.status, "an engine counts whole documents" in done.err) == (2, True)
    given: list[tuple[Any, Any]] = [(key, "duckdb"), (table(KEY), None)]
    for source, engine in given:
        with pytest.raises(UsageError, match="documents"):
            corefkit.score(source, source, engine=engine, documents=[name])
    with patch("corefkit.plugins.engines.report.LARGE", 0):
        scores = corefkit.score(key, key, engine="auto", documents=[name])
    assert scores.counts.documents == (name,)


def test_files_of_other_formats_are_for_memory(tmp_path: Path) -> None:
    examples = Path("examples")
    key = tmp_path / "key.parquet"
    assert run("convert", examples / "key.conll", key, "--to", "parquet").status == 0
    done = run("score", key, examples / "careful.conll", "--engine", "duckdb")
    assert (done.status, "engines read tables only" in done.err) == (2, True)
    with patch("corefkit.plugins.engines.report.LARGE", 0):
        assert run("score", key, examples / "careful.conll").status == 0
    with pytest.raises(UsageError, match="a Corpus is in memory"):
        corefkit.score(corpus(KEY), corpus(KEY), engine="duckdb")


def test_each_stage_is_told() -> None:
    """A command shows them where the work takes long; Python shows nothing."""
    with patch("corefkit.core.progress.at") as told:
        corefkit.score(table(KEY), table(KEY))
    stages = [call.args[0] for call in told.call_args_list]
    assert stages == ["reading the key", "reading the response", "overlap", "counting"]


def test_a_folder_without_tables(tmp_path: Path) -> None:
    done = run("score", tmp_path, tmp_path, "--engine", "duckdb")
    assert (done.status, "there is no table in this folder" in done.err) == (2, True)


@pytest.mark.parametrize(("level", "group"), [("topic", "document[1]"), ("corpus", "'corpus'")])
def test_entities_over_documents(level: str, group: str, tmp_path: Path) -> None:
    """Groups as documents, and documents as a part of mentions, give what --across gives."""
    rng = np.random.default_rng(8)
    files = []
    for side, entities in (("key", 30), ("response", 40)):
        names = [f"{topic}{number}" for topic in "xyz" for number in range(5) for _ in range(12)]
        rows = [(d, m % 12, f"p{rng.integers(5, entities)}") for m, d in enumerate(names)]
        pq.write_table(table(rows), tmp_path / f"{side}.parquet")
        files.append(tmp_path / f"{side}.parquet")
    expected = corefkit.score(files[0], files[1], ON_ENGINES, across=level, topic="^(.)")
    with duckdb.connect() as connection:
        key, response = (
            connection.sql(
                f"SELECT {group} AS document, document || ' ' || mention AS mention, entity "
                f"FROM '{file}'"
            )
            for file in files
        )
        found = corefkit.score(key, response, ON_ENGINES, engine=connection)
    assert numbers(found) == numbers(expected)


def test_a_frame_without_entities_is_refused(tmp_path: Path) -> None:
    key = write(tmp_path / "key.parquet", KEY)
    frame = corefkit.read(key).to_frame().rename(columns={"entity": "chain"})
    with pytest.raises(corefkit.DataError, match="which mention belongs to which entity"):
        corefkit.score(frame, frame, "pairs")


@pytest.mark.parametrize(("size", "status"), [("1e9", 2), ("much", 2), ("4GB", 0), ("1G", 0)])
def test_a_limit_of_memory_is_a_size(size: str, status: int, tmp_path: Path) -> None:
    key = write(tmp_path / "key.parquet", KEY)
    done = run("score", key, key, "--engine", f"duckdb:memory={size}", "-m", "pairs")
    assert done.status == status, done.err
    assert (f"memory: '{size}' is not a size; write bytes, or e.g. 512M or 4GB" in done.err) == (
        status == 2
    )

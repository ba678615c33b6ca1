"""Parquet files with one row per mention, read into memory."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Corpus, DataError
from corefkit.core.mention_columns import Ragged
from corefkit.core.nodes import mention_codes
from corefkit.formats import parquet
from corefkit.formats.parquet import from_table, to_table, write
from tests.support import EXAMPLES, run

SPANS = st.tuples(st.integers(0, 40), st.integers(0, 5)).map(lambda s: (s[0], s[0] + s[1]))


@given(st.lists(st.lists(SPANS, min_size=1, max_size=5), max_size=5))
def test_round_trip(listed: list[list[tuple[int, int]]]) -> None:
    corpus = Corpus.from_clusters({"a": listed, "b": [[(0, 0)]]})
    again = from_table(to_table(corpus))
    assert {n: sorted(map(sorted, c)) for n, c in again.clusters().items()} == {
        n: sorted(map(sorted, c)) for n, c in corpus.clusters().items()
    }


@pytest.mark.parametrize(
    "mentions",
    [
        [[1, 2], [3, 4], [1, 4]],
        [[1, 2], [3], [3, 4, 5]],
        [b"a", b"b", b"\xff"],
        [{"start": 1, "end": 2}, {"start": 1, "end": 3}, {"start": 2, "end": 3}],
        [1.0, 2.5, -1.0],
        [True, False, True],
    ],
    ids=["lists", "lists of any length", "bytes", "structs", "floats", "truth values"],
)
def test_a_mention_may_be_any_value(mentions: list[Any]) -> None:
    columns = {"document": ["d"] * 3, "mention": mentions, "entity": ["a", "a", "b"]}
    corpus = from_table(pa.table(columns))
    assert corpus.start.shape == (3,)
    different = len({repr(mention) for mention in mentions})
    assert len(set(mention_codes(corpus)[0].tolist())) == different


def test_files(tmp_path: Path) -> None:
    corpus = Corpus.from_clusters({"a": [[(0, 1), (3, 3)], [(5, 5)]]})
    for path, data in write(corpus, str(tmp_path / "key.parquet")).files.items():
        Path(path).write_bytes(data)
    assert corefkit.score(tmp_path / "key.parquet", corpus).conll == 1.0


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"start": [0], "end": [1]}, "does not show which mention"),
        ({"start": [0, None], "end": [1, 1], "entity": [0, 0]}, "1 row.* no value in .*'start'"),
        ({"start": [2], "end": [1], "entity": [0]}, "that do not form a span"),
    ],
)
def test_what_is_refused(tmp_path: Path, table: dict[str, list[int]], message: str) -> None:
    pq.write_table(pa.table(table), tmp_path / "x.parquet")
    with pytest.raises(DataError, match=message) as error:
        corefkit.read(tmp_path / "x.parquet")
    assert error.value.incidents[0].file == str(tmp_path / "x.parquet")


@pytest.mark.parametrize("kind", [pa.decimal128(20, 0), pa.float64(), pa.uint8()])
def test_offsets_are_whole_numbers_of_any_type(tmp_path: Path, kind: Any) -> None:
    columns = {name: pa.array([0, 2]).cast(kind) for name in ("start", "end")}
    pq.write_table(pa.table({**columns, "entity": [7, 7]}), tmp_path / "x.parquet")
    assert corefkit.read(tmp_path / "x.parquet").start.tolist() == [0, 2]


def test_options_of_other_files(tmp_path: Path) -> None:
    table = pa.table({"start": [0], "end": [0], "entity": [7]})
    pq.write_table(table, tmp_path / "x.parquet")
    found = corefkit.read(tmp_path / "x.parquet", clusters="mine", layer="deixis").incidents
    assert [i.id for i in found] == ["option-unused"] * 2
    assert [i.message.partition(" ")[0] for i in found] == ["--read", "--read"]


def test_a_damaged_file(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_bytes(b"PAR1 but nothing more")
    with pytest.raises(DataError, match="cannot be read"):
        corefkit.read(tmp_path / "x.parquet")


def test_empty_nodes_and_gaps_come_back() -> None:
    corpus = replace(
        Corpus.from_clusters({"a": [[(2, 4), (7, 7)], [(1, 9)]]}),
        zero=np.array([0, 1, 0]),
        nodes=Ragged.of([(2, [(1, 0), (9, 0)])]),
    )
    again = from_table(to_table(corpus))
    assert (mention_codes(corpus)[0] == mention_codes(again)[0]).all()
    assert mention_codes(corpus, again)[0].tolist() == mention_codes(corpus, again)[1].tolist()


TEXTS = st.text().filter(str.strip)


@pytest.mark.long
@given(TEXTS, TEXTS)
def test_different_values_are_different_mentions(one: str, other: str) -> None:
    """In whatever files they stand."""
    codes = mention_codes(*(from_table(values([value])) for value in (one, other)))
    assert (codes[0].tolist() == codes[1].tolist()) == (one == other)


def values(mentions: list[str]) -> pa.Table:
    return pa.table({"mention": mentions, "entity": [0] * len(mentions)})


def _with_text(data: bytes) -> Any:
    """A column of one text whose bytes need not be UTF-8."""
    offsets = np.array([0, len(data)], dtype=np.int32)
    buffers = [None, pa.py_buffer(offsets.tobytes()), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.string(), 1, buffers)


def _incidents(tmp_path: Path, **columns: Any) -> list[str]:
    pq.write_table(pa.table(columns), tmp_path / "x.parquet")
    return [i.id for i in corefkit.check(tmp_path / "x.parquet")]


def test_what_arrow_cannot_say_in_python(tmp_path: Path) -> None:
    span = {"start": [0], "end": [0]}
    bad = _with_text(b"\xff")
    assert _incidents(tmp_path, document=bad, entity=["a"], **span) == ["file-unreadable"]
    assert _incidents(tmp_path, document=["f"], entity=["a"], mention=bad) == ["file-unreadable"]
    assert _incidents(tmp_path, document=["f"], entity=["a"], **span) == []
    data = (tmp_path / "x.parquet").read_bytes().replace(b"entity", b"ent\xffty")
    (tmp_path / "x.parquet").write_bytes(data)
    assert [i.id for i in corefkit.check(tmp_path / "x.parquet")] == ["file-unreadable"]


@pytest.mark.parametrize("type", ["uint64", "decimal"])
def test_numbers_over_64_bits(type: str, tmp_path: Path) -> None:
    large = pa.array([1 << 63], pa.uint64() if type == "uint64" else pa.decimal128(38, 0))
    found = _incidents(tmp_path, document=["f"], start=large, end=large, entity=["a"])
    assert found == ["span-outside"]


@pytest.mark.parametrize("name", ["document", "mention", "other"])
def test_the_limit_of_sizes(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = 20_000
    columns = {"document": ["a"] * rows, "mention": [f"{n}-{n}" for n in range(rows)]}
    columns |= {name: [f"{n} {'x' * 1000}" for n in range(rows)], "entity": ["a"] * rows}
    pq.write_table(pa.table(columns), tmp_path / "x.parquet", compression="zstd")
    assert (tmp_path / "x.parquet").stat().st_size < 1 << 20
    assert corefkit.read(tmp_path / "x.parquet").mentions == rows
    monkeypatch.setenv("COREFKIT_MAX_SIZE", "10M")
    ids = [i.id for i in corefkit.check(tmp_path / "x.parquet")]
    assert ids == ([] if name == "other" else ["file-too-large"])


@pytest.mark.parametrize("kind", ["text", "fixed", "struct"])
def test_the_limit_of_rows_that_are_documents(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A word that repeats takes nothing in the file, and as often as it stands there in memory."""
    number, word = 20_000, "w" * 1000
    words: Any = pa.array([[[word] * number]], pa.list_(pa.list_(pa.string())))
    more = {}
    if kind == "fixed":
        more = {"more": pa.array([[word.encode()] * number], pa.list_(pa.binary(1000)))}
        words = pa.array([[["w"] * number]], pa.list_(pa.list_(pa.string())))
    elif kind == "struct":
        more = {"more": pa.array([[{"x": word}] * number])}
        words = pa.array([[["w"] * number]], pa.list_(pa.list_(pa.string())))
    clusters = pa.array([[[[0, 0], [1, 1]]]])
    table = pa.table({"sentences": words, "clusters": clusters, **more})
    pq.write_table(table, tmp_path / "x.parquet", compression="zstd")
    assert (tmp_path / "x.parquet").stat().st_size < 1 << 14
    assert corefkit.read(tmp_path / "x.parquet").mentions == 2
    monkeypatch.setenv("COREFKIT_MAX_SIZE", "10M")
    (incident,) = corefkit.check(tmp_path / "x.parquet")
    assert incident.id == "file-too-large"
    assert int((incident.found or "").split()[0].replace(",", "")) >= number * 1000


@pytest.mark.parametrize("kind", ["ArrowNotImplementedError", "ArrowKeyError", "ArrowIndexError"])
@pytest.mark.parametrize("where", ["_read_table", "_parse_table"])
def test_whatever_arrow_cannot_read(
    kind: str, where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as "Integers with less than 8 bits not implemented", which fuzzing met."""

    def fail(*arguments: object) -> None:
        raise getattr(pa, kind)("not implemented")

    table = pa.table({"start": [0], "end": [0], "entity": ["a"]})
    pq.write_table(table, tmp_path / "x.parquet")
    monkeypatch.setattr(parquet, where, fail)
    (incident,) = corefkit.check(tmp_path / "x.parquet")
    assert incident.id == "file-unreadable"
    assert "not implemented" in incident.message


@pytest.mark.long
def test_texts_that_repeat_take_no_memory(tmp_path: Path) -> None:
    """In a process of its own: tracemalloc and the threads of Arrow in one crash Python 3.11."""
    rows = 3000
    columns: dict[str, Any] = {"document": ["d" * 100_000] * rows, "entity": ["e" * 100_000] * rows}
    columns |= {"start": list(range(rows)), "end": list(range(rows))}
    pq.write_table(pa.table(columns), tmp_path / "x.parquet", compression="zstd")
    code = """
import os, sys, tracemalloc
import pyarrow, corefkit
pool = pyarrow.default_memory_pool()
corefkit.read(sys.argv[1])  # loads all modules
tracemalloc.start()
corpus = corefkit.read(sys.argv[2], max_size=10 << 20)
print(corpus.mentions, tracemalloc.get_traced_memory()[1], pool.max_memory(), flush=True)
os._exit(0)
"""
    small = {name: values[:1] for name, values in columns.items()}
    pq.write_table(pa.table(small), tmp_path / "small.parquet")
    files = [str(tmp_path / name) for name in ("small.parquet", "x.parquet")]
    command = [sys.executable, "-c", code, *files]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    mentions, in_python, in_arrow = map(int, output.split())
    assert mentions == rows
    assert in_python < 10 << 20
    assert in_arrow < 100 << 20


def test_codes_beyond_the_values_of_a_damaged_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Arrow reads such a file (fuzzing found it) and only fails, or not, where a value is used."""
    beyond = pa.DictionaryArray.from_arrays(pa.array([0, 5]), pa.array(["a"]), safe=False)
    table = pa.table({"start": [0, 2], "end": [1, 3], "entity": beyond})
    monkeypatch.setattr("corefkit.formats.parquet._read_table", lambda *_: table)
    pq.write_table(pa.table({"start": [0], "end": [1], "entity": ["a"]}), tmp_path / "x.parquet")
    with pytest.raises(corefkit.DataError, match="file-unreadable"):
        corefkit.read(tmp_path / "x.parquet")


def _score_values(tmp_path: Path, key: list[Any], response: list[Any]) -> corefkit.Scores:
    for name, mentions in (("key", key), ("response", response)):
        table = pa.table({"mention": mentions, "entity": ["a"] * len(mentions)})
        pq.write_table(table, tmp_path / f"{name}.parquet")
    return corefkit.score(tmp_path / "key.parquet", tmp_path / "response.parquet", "mentions")


LONG = "an identifier of many letters"


@pytest.mark.parametrize(
    ("key", "response"), [([1, 2], ["1", "2"]), (["1", LONG], [1, 2]), ([1.5], [LONG])]
)
def test_numbers_against_texts_are_refused(
    tmp_path: Path, key: list[Any], response: list[Any]
) -> None:
    with pytest.raises(DataError, match=r"numbers in the key, texts|texts in the key, numbers"):
        _score_values(tmp_path, key, response)


@pytest.mark.parametrize(
    ("key", "response"),
    [([1, 2], [3, 4]), (["a"], ["b"]), ([1], [1 << 50]), ([1], [-1])],
)
def test_values_of_one_type_that_do_not_match_are_a_warning(
    tmp_path: Path, key: list[Any], response: list[Any]
) -> None:
    scores = _score_values(tmp_path, key, response)
    assert [incident.id for incident in scores.incidents] == ["mentions-unmatched"]
    assert scores["mentions"].f1 == 0


def test_one_match_is_enough(tmp_path: Path) -> None:
    assert _score_values(tmp_path, ["x", "y"], ["z", "y"]).incidents == ()


def test_tables_without_lengths_are_scored_in_memory(tmp_path: Path) -> None:
    """Nobody knows how many tokens they have, nor any word: nothing is compared but mentions."""
    corpus = Corpus.from_clusters({"a": [[(0, 0), (3, 3)]], "b": [[(1, 1), (2, 2)]]})
    corefkit.write(corpus, tmp_path / "key.parquet")
    done = run("score", tmp_path / "key.parquet", tmp_path / "key.parquet", "-m", "pairs")
    assert (done.status, "100.00" in done.out) == (0, True), done.err


def test_the_command_scores_tables_without_tokens(tmp_path: Path) -> None:
    """It counts words that differ, for a note; tables have none."""
    _score_values(tmp_path, [1, 2], [2, 3])
    files = tmp_path / "key.parquet", tmp_path / "response.parquet"
    done = run("score", *files, "-m", "mentions", "--engine", "memory")
    assert (done.status, done.err) == (0, "")
    assert "mentions   50.00      50.00  50.00" in done.out


def test_a_table_of_documents_knows_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    rows = [{"doc_key": "a", "sentences": [["Once"]], "clusters": [[[0, 0]]]}]
    pq.write_table(pa.Table.from_pylist(rows), path)
    (source,) = corefkit.read(path).sources
    assert source.data == path.read_bytes()  # of which a result has the hash


FLIPS = """
import sys
from corefkit.formats.kit.reading import read_all

data = open(sys.argv[1], "rb").read()
size = int.from_bytes(data[-8:-4], "little")
for at in range(len(data) - 8 - size, len(data) - 4):
    for bit in (0, 3, 6):
        damaged = bytearray(data)
        damaged[at] ^= 1 << bit
        read_all("x.parquet", loaded={"x.parquet": bytes(damaged)})
print("survived")
"""


def test_damaged_metadata_are_an_error(tmp_path: Path) -> None:
    """Whichever byte is wrong: pyarrow 26 ends the process where it is asked for some of them."""
    file = tmp_path / "a.parquet"
    corefkit.write(corefkit.read(EXAMPLES / "careful.conll"), file)
    done = subprocess.run(
        [sys.executable, "-c", FLIPS, file],
        env={**os.environ, "COREFKIT_DEBUG": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("survived\n", "")

"""CSV and TSV files on an engine: the same figures and the same warnings as in memory."""

import gzip
import json
import re
import shutil
from pathlib import Path

import pyarrow.parquet
import pytest
from hypothesis import given, settings

import corefkit
from corefkit import DataError
from corefkit.plugins.engines import report
from corefkit.plugins.engines.base import separator
from tests import damages
from tests.plugins.engines.support import Rows, numbers, sides, table
from tests.support import run

HEADER = "Doc_ID,begin,end,cluster"


def text(rows: Rows) -> str:
    lines = [f'"{document}",{mention},{mention + 1},{entity}' for document, mention, entity in rows]
    return "\n".join([HEADER, *lines]) + "\n"


def assert_same(key: Path, response: Path) -> tuple[str, ...]:
    """Memory and engine agree; the kinds of their warnings."""
    ids: list[tuple[object, set[str]]] = []
    for engine in ("memory", "duckdb"):
        try:
            found = corefkit.score(key, response, "muc,bcub,ceafe,mentions", engine=engine)
        except DataError as error:
            ids.append((None, {i.id for i in error.incidents}))
        else:
            ids.append((numbers(found), {i.id for i in found.incidents}))
    assert ids[0] == ids[1]
    return tuple(sorted(ids[0][1]))


@settings(max_examples=15, deadline=None)
@given(found=sides(copies=True))
def test_figures_and_warnings_are_those_of_memory(
    found: tuple[Rows, Rows], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("texts")
    for name, rows in zip(("key", "response"), found, strict=True):
        if not rows:
            return
        (folder / f"{name}.csv").write_text(text(rows))
    assert_same(folder / "key.csv", folder / "response.csv")


ROWS = "tale,0,1,e1\ntale,7,7,e1\nfable,3,3,e1\n"
KEY = f"document,start,end,entity\n{ROWS}"


@pytest.mark.parametrize(
    ("response", "ids"),
    [
        (KEY.replace(",", "\t"), ()),
        (KEY.replace("tale,0", ' "tale" , 0 ').replace('"', ""), ()),
        (KEY + "\n,,,\n", ()),
        (f"\ufeff{KEY}", ()),
        (KEY.replace("tale,7", '"tale","7"'), ()),
        (KEY + "tale,7,7,e1\n", ("span-twice",)),
        (KEY + "tale,7,7,e2\n", ("span-in-two-entities",)),
        (KEY + "tale,9,9,\n", ("mention-without-entity",)),
        (KEY + "tale,9,9,NA\n", ("id-like-none",)),
        (KEY + "tale,9,9,\\N\n", ("id-like-none",)),
        (KEY + "poem,,,\n", ("document-extra",)),
        (KEY.replace("tale,7", "tale,07"), ("span-outside",)),
        (KEY.replace("tale,7", "tale,x"), ("span-outside",)),
        (KEY.replace("tale,7", "tale,"), ("value-missing",)),
        (KEY.replace("document", "docname"), ("column-missing",)),
    ],
)
def test_texts(response: str, ids: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "key.csv").write_text(KEY)
    (tmp_path / "response.csv").write_text(response)
    assert assert_same(tmp_path / "key.csv", tmp_path / "response.csv") == ids


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize(
    "option", ["missing=NA,e9", "missing=0,NA", "missing=none", "ends=exclusive"]
)
def test_options_of_reading(kind: str, option: str, tmp_path: Path) -> None:
    """What an engine does not know is told, as in memory; texts that mean none have no effect."""
    for name, rows in (("key", KEY), ("response", KEY.replace("tale,7,7,e1", "tale,7,7,NA"))):
        text = f"{rows}tale,9,9,NA\ntale,11,11,NA\ntale,13,13,e9\ntale,14,14,e9\n"
        (tmp_path / f"{name}.csv").write_text(text)
        assert run("convert", tmp_path / f"{name}.csv", tmp_path / f"{name}.parquet").status == 0
    files = [tmp_path / f"{name}.{kind}" for name in ("key", "response")]
    command: list[str | Path] = ["score", *files, "--read", option, "-f", "json"]
    found = [run(*command, "--engine", engine) for engine in ("memory", "duckdb")]
    shown = [json.loads(done.out) for done in found]
    assert shown[0]["systems"][0]["scores"] == shown[1]["systems"][0]["scores"]
    told = [set(re.findall(r"\[([a-z-]+)\]", done.err)) for done in found]
    assert told[0] == told[1] > set()


def test_only_tables_are_read(tmp_path: Path) -> None:
    (tmp_path / "key.csv").write_text(KEY)
    command = ("score", tmp_path / "key.csv", tmp_path / "key.csv", "--engine", "duckdb")
    done = run(*command, "--key-format", "conll")
    assert (done.status, "a --format that is no table" in done.err) == (2, True)


def test_mentions_are_places(tmp_path: Path) -> None:
    (tmp_path / "key.csv").write_text("mention,entity\n7,a\n9-10,a\nx,a\n")
    (tmp_path / "response.csv").write_text("mention,entity\n7-7,a\n9-10,a\ny,a\n")
    assert assert_same(tmp_path / "key.csv", tmp_path / "response.csv") == ()
    scores = corefkit.score(tmp_path / "key.csv", tmp_path / "response.csv", engine="duckdb")
    assert (scores["muc"].recall, scores["muc"].precision) == (1 / 2, 1 / 2)


def test_the_text_of_a_mention_is_no_place(tmp_path: Path) -> None:
    (tmp_path / "key.csv").write_text("start,end,entity,mention\n0,1,a,the king\n3,3,a,he\n")
    (tmp_path / "response.csv").write_text("start,end,entity\n0,1,a\n3,3,a\n")
    assert assert_same(tmp_path / "key.csv", tmp_path / "response.csv") == ()


def test_packed_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "key.csv").write_text(KEY)
    first, second = KEY.splitlines()[:3], KEY.splitlines()[::3]
    for name, lines in (("a.csv.gz", first), ("b.tsv.gz", second)):
        data = "\n".join(lines).replace(",", "\t" if "tsv" in name else ",").encode()
        (tmp_path / "parts" / name).write_bytes(gzip.compress(data))
    scores = corefkit.score(tmp_path / "key.csv", tmp_path / "parts", engine="duckdb")
    assert scores.conll == 1
    assert separator(str(tmp_path / "parts" / "b.tsv.gz")) == "\t"


def test_the_same_file_is_a_warning(tmp_path: Path) -> None:
    rows = [("a", mention, "e") for mention in range(20)]
    pyarrow.parquet.write_table(table(rows), tmp_path / "key.parquet")
    shutil.copy(tmp_path / "key.parquet", tmp_path / "copy.parquet")
    pyarrow.parquet.write_table(table(rows[:9]), tmp_path / "few.parquet")
    for one, other, ids in (
        ("key", "key", ("same-file",)),
        ("key", "copy", ("same-file",)),
        ("key", "few", ()),
    ):
        assert assert_same(tmp_path / f"{one}.parquet", tmp_path / f"{other}.parquet") == ids


@pytest.mark.parametrize(
    ("name", "move", "documents", "ids"),
    [
        ("r", (0, 0), (), ()),
        ("gold", (0, 0), (), ("sides-exchanged",)),
        ("r", (1, 1), damages.NAMES, ("mentions-shifted", "mentions-unmatched")),
        ("r", (0, 1), damages.NAMES, ("mentions-shifted", "mentions-unmatched")),
        ("r", (1, 1), ("doc1",), ("mentions-shifted",)),
        ("r", (2, 2), ("doc1",), ("mentions-unmatched",)),
    ],
)
def test_what_looks_like_a_mistake(
    tmp_path: Path,
    name: str,
    move: tuple[int, int],
    documents: tuple[str, ...],
    ids: tuple[str, ...],
) -> None:
    """Spans that are counted in another way, in the same words as in memory."""
    key, path = tmp_path / "k.csv", tmp_path / f"{name}.csv"
    key.write_text(damages.table(damages.key()))
    response = {
        document: [
            [
                (a + move[0] * (document in documents), b + move[1] * (document in documents))
                for a, b in spans
            ]
            for spans in entities
        ]
        for document, entities in damages.response().items()
    }
    path.write_text(damages.table(response))
    assert assert_same(key, path) == ids
    told = [corefkit.score(key, path, engine=engine).incidents for engine in ("memory", "duckdb")]
    assert [i.message for i in told[0]] == [i.message for i in told[1]]


def test_singletons_in_the_key_alone(tmp_path: Path) -> None:
    key, path = tmp_path / "k.csv", tmp_path / "r.csv"
    alone = "".join(f"doc0,{at},{at},s{at}\n" for at in range(60, 80))
    key.write_text(damages.table(damages.key()) + alone)
    path.write_text(damages.table(damages.response()))
    assert assert_same(key, path) == ("sides-exchanged",)


def test_blanks_around_names_of_documents_do_not_count(tmp_path: Path) -> None:
    for name, document in (("key", "a"), ("response", "a ")):
        rows: Rows = [(document, mention, "e") for mention in range(3)]
        pyarrow.parquet.write_table(table(rows), tmp_path / f"{name}.parquet")
    assert assert_same(tmp_path / "key.parquet", tmp_path / "response.parquet") == ()
    assert corefkit.read(tmp_path / "response.parquet").names == ("a",)


def test_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "key.csv").write_text(KEY.replace("entity", "chain"))
    done = run(
        *("score", tmp_path / "key.csv", tmp_path / "key.csv", "--engine", "duckdb:memory=1G"),
        *("--columns", "entity=chain"),
    )
    assert (done.status, "[same-file]" in done.err) == (0, True), done.err


def test_what_cannot_be_read_stops_no_other_response(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [("a", mention, "e") for mention in range(3)]
    for name in ("key", "good", "broken"):
        pyarrow.parquet.write_table(table(rows), tmp_path / f"{name}.parquet")
    (tmp_path / "folder").mkdir()

    def refuse(name: str) -> None:
        if "broken" in name:
            raise DataError(corefkit.check(tmp_path / "nothing"))

    def walk(name: str) -> list[str]:
        raise DataError(corefkit.check(tmp_path / "nothing"))

    monkeypatch.setattr(report, "check_readable", refuse)
    monkeypatch.setattr(report, "walk", walk)
    files = [tmp_path / "broken.parquet", tmp_path / "folder", tmp_path / "good.parquet"]
    done = run("score", tmp_path / "key.parquet", *files, "--engine", "duckdb", "-m", "muc")
    assert done.status == 1
    assert done.err.count("[file-unreadable]") == 2
    assert "MUC  100.00     100.00  100.00" in done.out
    # Nor does the choice of an engine fail on it.
    done = run("score", tmp_path / "key.parquet", *files, "-m", "muc")
    assert "100.00" in done.out

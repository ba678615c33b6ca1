"""Converting between the flavours of CoNLL."""

import gzip
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit import DataError
from corefkit.core.tokens import read_columns
from corefkit.formats.conll.lines import count_columns, token_lines
from corefkit.formats.conll.reader import parse
from corefkit.formats.conll.writer import rewrite_columns
from tests.strategies import TIMES
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance, run

EXAMPLE_NAMES = ("key", "careful", "hasty", "baseline")


def rows(data: bytes) -> list[tuple[bool, list[str]]]:
    return [(line.begins_sentence, line.fields) for line in token_lines(data)]


def same_annotation(one: bytes, other: bytes) -> bool:
    a, b = parse(one, "-"), parse(other, "-")
    return a.names == b.names and a.labels == b.labels and a.clusters() == b.clusters()


@pytest.mark.parametrize("name", EXAMPLE_NAMES)
def test_there_and_back(name: str) -> None:
    data = (EXAMPLES / f"{name}.conll").read_bytes()
    own, other = ("tab", "blank") if b"\t" in data else ("blank", "tab")
    changed = rewrite_columns(data, separator=other)
    assert changed != data
    assert rows(changed) == rows(data)
    assert rewrite_columns(changed, separator=own) == data, "our alignment is that of the examples"
    assert rewrite_columns(data, separator=own) == rewrite_columns(data) == data


@pytest.mark.parametrize("name", EXAMPLE_NAMES)
def test_columns(name: str) -> None:
    data = (EXAMPLES / f"{name}.conll").read_bytes()
    few, many = rewrite_columns(data, columns="minimal"), rewrite_columns(data, columns="full")
    assert {len(fields) for _, fields in rows(few)} == {5}
    assert min(len(fields) for _, fields in rows(many)) >= 12
    assert same_annotation(few, data)
    assert same_annotation(many, data)
    assert rows(rewrite_columns(many, columns="minimal")) == rows(few)
    assert b"".join(line.split(b" ")[0] for line in few.splitlines() if b"#" in line) == b"".join(
        line.split(b" ")[0] for line in data.splitlines() if b"#" in line
    )


@needs_conformance
@pytest.mark.parametrize(
    "path",
    [
        "annotators/Emilia_Act1.IV.conll.gz",
        "cross-document/key_ecbp.conll.gz",
        "reference/TC-A.key",
    ],
)
def test_other_corpora(path: str) -> None:
    file = CONFORMANCE / path
    data = file.read_bytes()
    data = gzip.decompress(data) if path.endswith(".gz") else data
    blanks = rewrite_columns(data, separator="blank")
    assert same_annotation(blanks, data)
    assert rows(rewrite_columns(blanks, separator="tab")) == rows(data)
    assert same_annotation(rewrite_columns(data, columns="full"), data)


@needs_conformance
def test_empty_cells_of_litbank() -> None:
    data = gzip.decompress((CONFORMANCE / "litbank" / "key.conll.gz").read_bytes())
    data = data[: data.index(b"#begin", 100)]
    blanks = rewrite_columns(data, separator="blank")
    assert same_annotation(blanks, data)
    assert {fields[-1] for _, fields in rows(blanks)} == {
        fields[-1] or "-" for _, fields in rows(data)
    }


@needs_conformance
@pytest.mark.more
def test_ontonotes_read_write_read() -> None:
    data = gzip.decompress((CONFORMANCE / "ontonotes-dev" / "key.conll.gz").read_bytes())
    if TIMES == 1:
        data = data[: data.index(b"#begin document", len(data) // 4)]
    corpus = parse(data, "-")
    tabs = rewrite_columns(data, separator="tab")
    assert same_annotation(tabs, data)
    again = parse(tabs, "-")
    assert np.array_equal(count_columns(again), count_columns(corpus))
    wanted = (*range(11), -1)
    columns = (read_columns(one, *wanted) for one in (again, corpus))
    for one, other in zip(*columns, strict=True):
        assert one.values == other.values
        assert np.array_equal(one.code, other.code)


@given(st.lists(st.text("ab(é|", min_size=1, max_size=4), min_size=1, max_size=5))
def test_comments_and_line_ends_stay(words: list[str]) -> None:
    lines = [f"a\t0\t{i}\t{w}\t-" for i, w in enumerate(words)]
    text = "\r\n".join(["# a comment", "#begin document a", *lines[:1], "# aside", *lines[1:], ""])
    blanks = rewrite_columns(text.encode(), separator="blank")
    assert rewrite_columns(blanks, separator="tab") == text.encode()


@pytest.mark.parametrize("cell", ["two words", "", "#"])
def test_what_blanks_cannot_say(cell: str) -> None:
    first, word = (cell, "w") if cell == "#" else ("a", cell)
    data = f"#begin document a\nb\t0\t0\tw\t-\n{first}\t0\t1\t{word}\t-\n".encode()
    with pytest.raises(DataError, match="cell-needs-tabs") as caught:
        rewrite_columns(data, "a.conll", separator="blank")
    assert caught.value.incidents[0].line == 3


def test_command(tmp_path: Path) -> None:
    out = tmp_path / "out.conll.gz"
    assert run("convert", EXAMPLES / "key.conll", out, "--separator", "tab").status == 0
    assert run("convert", out, "-", "--separator", "blank").out == (
        EXAMPLES / "key.conll"
    ).read_text(encoding="utf-8")
    folder = tmp_path / "some"
    folder.mkdir()
    for path in EXAMPLES.glob("*.conll"):
        shutil.copy(path, folder)
    result = run("convert", folder, tmp_path / "all", "--shape", "minimal")
    assert "4 files written" in result.err
    assert {f.name for f in (tmp_path / "all").iterdir()} == {f"{n}.conll" for n in EXAMPLE_NAMES}
    broken = tmp_path / "broken.conll"
    broken.write_text("#begin document a\na 0 0 w (1\n")
    assert run("convert", broken, tmp_path / "x.conll").status == 1
    assert not (tmp_path / "x.conll").exists()
    assert run("convert", broken, tmp_path / "x.conll", "--separator", "comma").status == 2
    assert run("convert", EXAMPLES / "key.conll", tmp_path / "no" / "x.conll").status == 1


@pytest.mark.parametrize("lacks", [4, 1])
def test_lines_of_other_widths(tmp_path: Path, lacks: int) -> None:
    first = ["a", "0", "0", "w", "NN", "(TOP*", "-", "-", "-", "-", "*", "(V*)", "-"]
    second = ["a", "0", "1", "w", "NN", "*)", *["-"] * (7 - lacks)]
    path, out = tmp_path / "a.conll", tmp_path / "b.conll"
    path.write_text("#begin document a\n" + "\n".join(map("\t".join, (first, second))) + "\n")
    for columns in ("full", "minimal"):
        done = run("convert", path, out, "--shape", columns)
        assert (done.status, out.exists()) == (1, False)
        assert f"{path}:3: error" in done.err
        assert "[columns-differ]" in done.err
    done = run("convert", path, out)
    assert (done.status, out.read_bytes()) == (0, path.read_bytes())
    assert f"{path}:3: warning" in done.err
    assert "[columns-vary]" in done.err


def test_one_long_word_does_not_widen_every_line() -> None:
    rows = [f"a\t0\t{i}\t{'w' * 100_000 if i == 7 else 'w'}\t-" for i in range(500)]
    data = ("#begin document a\n" + "\n".join(rows) + "\n").encode()
    assert len(rewrite_columns(data, separator="blank")) < 3 * len(data)

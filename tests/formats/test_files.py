"""From names to bytes: files, packed files, directories, globs, standard input."""

import gzip
import shutil
from pathlib import Path

import pytest

import corefkit
from corefkit import DataError
from tests.support import EXAMPLES, run

DOCUMENT = "#begin document ({name})\nx 0 0 w (1)\n#end document\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.conll").write_text(DOCUMENT.format(name="a"))
    (tmp_path / "sub" / "b.v4_gold_conll.gz").write_bytes(
        gzip.compress(DOCUMENT.format(name="b").encode())
    )
    (tmp_path / "notes.txt").write_text("not a corpus")
    (tmp_path / ".hidden.conll").write_text("not a corpus")
    return tmp_path


def test_directory(folder: Path) -> None:
    assert corefkit.read(folder).names == ("(a)", "(b)")


def test_directory_without_conll_names(tmp_path: Path) -> None:
    (tmp_path / "x.key").write_text(DOCUMENT.format(name="x"))
    assert corefkit.read(tmp_path).names == ("(x)",)


def test_globs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert corefkit.read(str(folder / "**" / "*conll*")).names == ("(a)", "(b)")
    monkeypatch.chdir(folder)
    assert corefkit.read("sub/*").names == ("(b)",)


def test_a_file_with_glob_characters_in_its_name(tmp_path: Path) -> None:
    (tmp_path / "a[1].conll").write_text(DOCUMENT.format(name="x"))
    assert corefkit.read(tmp_path / "a[1].conll").names == ("(x)",)


def test_same_document_in_two_files(folder: Path) -> None:
    shutil.copy(folder / "a.conll", folder / "c.conll")
    with pytest.raises(DataError) as error:
        corefkit.read(folder)
    (incident,) = error.value.incidents
    assert (incident.id, incident.document) == ("document-twice", "(a)")
    assert str(incident.file).endswith("c.conll")
    assert "a.conll" in str(incident.found)


@pytest.mark.parametrize("name", ["nothing.conll", "nothing/*.conll", "empty", "a\0b"])
def test_unreadable(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError) as error:
        corefkit.read(str(tmp_path / name))
    assert [i.id for i in error.value.incidents] == ["file-unreadable"]
    assert error.value.incidents[0].file == str(tmp_path / name)


def test_damaged_gzip(tmp_path: Path) -> None:
    whole = gzip.compress(b"#begin document a\n" * 100)
    for name, data in (("cut", whole[:-10]), ("wrong", whole[:20] + b"\xff\xff" + whole[22:])):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(DataError, match="damaged gzip data"):
            corefkit.read(tmp_path / name)


def test_standard_input() -> None:
    key = EXAMPLES / "key.conll"
    result = run("score", key, "-", "-m", "conll", stdin=key.read_bytes())
    assert result.status == 0
    assert "100.00" in result.out
    assert run("score", "-", "-").status == 2

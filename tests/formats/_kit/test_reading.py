"""From the names of files to a corpus: archives that are folders of files."""

import gzip
import zipfile
from pathlib import Path

import pytest

import corefkit
from corefkit import DataError
from tests.support import EXAMPLES, run

KEY, CAREFUL = EXAMPLES / "key.conll", EXAMPLES / "careful.conll"


def upload(folder: Path, files: dict[str, bytes]) -> Path:
    path = folder / "upload.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def test_an_archive_of_files_is_read_as_a_folder(tmp_path: Path) -> None:
    """As task organisers ask for it, with what the Finder adds and a file of notes."""
    first, begin, rest = CAREFUL.read_bytes().partition(b"#end document\n")
    files = {
        "mine/1.conll": first + begin,
        "mine/2.conll.gz": gzip.compress(rest),
        "mine/notes.txt": b"Run 3.",
        "__MACOSX/mine/._1.conll": b"\0\5\x16\7",
    }
    path = upload(tmp_path, files)
    assert corefkit.score(KEY, path).to_dict() == corefkit.score(KEY, CAREFUL).to_dict()
    assert corefkit.check(path, against=KEY) == []
    done = run("check", path, "--against", KEY)
    assert (done.status, done.out) == (0, "no errors, no warnings\n")


def test_a_document_without_a_name_has_that_of_its_file_in_the_archive(tmp_path: Path) -> None:
    path = upload(tmp_path, {"a.md": b"[Ada](#1) saw [her](#1).", "b.md": b"[Bo](#1) ran."})
    assert corefkit.read(path).names == ("a", "b")


def test_an_archive_may_not_unpack_to_more_than_the_limit(tmp_path: Path) -> None:
    files = dict.fromkeys(("a.md", "b.md"), b"[Ada](#1)" + b" " * 1000)
    path = upload(tmp_path, files)
    assert corefkit.read(path, max_size=2018).mentions == 2
    with pytest.raises(DataError, match="unpacks to more than 2,017 bytes"):
        corefkit.read(path, max_size=2017)


def test_an_archive_without_annotations_is_refused(tmp_path: Path) -> None:
    path = upload(tmp_path, {"a.txt": b"Run 3.", "b.png": b"\x89PNG\r\n\x1a\n\0\0"})
    with pytest.raises(DataError, match="no annotation that corefkit can read"):
        corefkit.read(path)

"""Files are written whole or not at all, several together, and never over what is read."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import corefkit
from corefkit.core.incidents import UnwrittenError
from corefkit.core.options import UsageError
from corefkit.formats.kit.writing import staged, write_atomically, write_together
from corefkit.plugins.task.parts import sweep, write_file
from tests.support import EXAMPLES, run


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A copy of a key, which could be destroyed."""
    path = tmp_path / "key.conll"
    path.write_bytes((EXAMPLES / "key.conll").read_bytes())
    return path


def test_no_writer_of_python_destroys_what_it_reads(key: Path) -> None:
    before, response = key.read_bytes(), EXAMPLES / "careful.conll"
    corpus = corefkit.read(key)
    (key.parent / "link.conll").symlink_to(key)
    os.link(key, key.parent / "hard.conll")
    for name in (key, str(key), key.parent / "link.conll", key.parent / "hard.conll"):
        for call in (
            lambda name=name: corefkit.report(key, response, output=name),
            lambda name=name: corefkit.report(corpus, response, output=name),
            lambda name=name: corefkit.report(response, key, output=name),
            lambda name=name: corefkit.write(corpus, name),
        ):
            with pytest.raises(UsageError, match="is read and would be overwritten"):
                call()
    assert key.read_bytes() == before
    corefkit.write(corpus, key.parent / "copy.conll")
    assert corefkit.read(key.parent / "copy.conll").mentions == corpus.mentions


def test_a_file_of_a_folder_that_is_read_is_not_overwritten(key: Path) -> None:
    with pytest.raises(UsageError, match="would be overwritten"):
        corefkit.report(key.parent, EXAMPLES / "careful.conll", output=key)


def test_the_file_that_is_standard_input_is_not_overwritten(key: Path) -> None:
    before = key.read_bytes()
    for arguments in (["stats", "-"], ["score", "-", str(EXAMPLES / "careful.conll")]):
        with key.open("rb") as stream:
            ended = subprocess.run(
                [sys.executable, "-m", "corefkit", *arguments, "-o", str(key), "-f", "text"],
                stdin=stream,
                capture_output=True,
                text=True,
                check=False,
            )
        assert ended.returncode == 2, ended.stderr
        assert "is read and would be overwritten" in ended.stderr
        assert key.read_bytes() == before


def test_several_files_are_all_or_nothing(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"old")
    (tmp_path / "folder").mkdir()
    for bad in ("folder", "x" * 300, "old/below"):
        with pytest.raises(OSError, match=bad[:20]):
            write_together({str(tmp_path / n): b"new" for n in ("old", "new/deep/a", bad, "last")})
        assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["old"]
        assert (tmp_path / "old").read_bytes() == b"old"


def test_split_with_a_folder_in_the_way_writes_nothing(tmp_path: Path) -> None:
    ids = tmp_path / "ids"
    ids.write_text("nw/wsj/00/wsj_0001\nnw/wsj/23/wsj_2300\n")
    lists = tmp_path / "lists"
    (lists / "test.id").mkdir(parents=True)
    (lists / "train.id").write_text("old")
    ended = run("corpus", "split", ids, "-o", lists, "--force")
    assert ended.status == 1
    assert "test.id" in ended.err
    assert (lists / "train.id").read_text() == "old"
    assert sorted(path.name for path in lists.iterdir()) == ["test.id", "train.id"]


def _documents(path: Path, *names: str) -> None:
    body = "{0}\t0\t0\tI\t(1)\n{0}\t0\t1\tsaw\t-\n{0}\t0\t2\tme\t(1)\n"
    path.write_text(
        "".join(
            f"#begin document ({name}); part 000\n{body.format('d')}\n#end document\n"
            for name in names
        )
    )


def test_documents_with_names_that_no_file_can_have(tmp_path: Path) -> None:
    _documents(tmp_path / "in.conll", "a", "b" * 300, "c")
    ended = run("convert", tmp_path / "in.conll", tmp_path / "out", "--to", "brat")
    assert ended.status == 1
    assert "bbbb" in ended.err
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["in.conll"]


@pytest.mark.parametrize("size", [240, 246, 250, 255])
def test_names_as_long_as_the_system_allows(tmp_path: Path, size: int) -> None:
    for letter in ("x", "ä"):
        name = (letter * 255).encode()[: size - 5].decode(errors="ignore") + ".conl"
        write_atomically(str(tmp_path / name), b"new")
        write_together({str(tmp_path / name): b"newer"})
        assert (tmp_path / name).read_bytes() == b"newer"
    ended = run(
        "score", *[EXAMPLES / "key.conll"] * 2, "-o", tmp_path / ("s" * (size - 4) + ".csv")
    )
    assert ended.status == 0, ended.err


def test_what_is_replaced_keeps_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "secret.csv"
    file.write_text("old")
    file.chmod(0o600)
    assert run("score", *[EXAMPLES / "key.conll"] * 2, "-o", file).status == 0
    assert file.stat().st_mode & 0o777 == 0o600
    write_together({str(file): b"new"})
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (b"new", 0o600)
    mask = os.umask(0)
    os.umask(mask)
    write_atomically(str(tmp_path / "fresh"), b"")
    assert (tmp_path / "fresh").stat().st_mode & 0o777 == 0o666 & ~mask


def test_parts_that_are_links_are_not_written_through(tmp_path: Path) -> None:
    outside, lists = tmp_path / "outside", tmp_path / "lists"
    outside.write_text("mine")
    lists.mkdir()
    (lists / "train.id").symlink_to(outside)
    (tmp_path / "ids").write_text("nw/wsj/02/wsj_0200\n")
    assert run("corpus", "split", tmp_path / "ids", "-o", lists, "--force").status == 0
    assert outside.read_text() == "mine"
    assert (lists / "train.id").read_text() == "nw/wsj/02/wsj_0200\n"
    part = tmp_path / "part.json"
    part.symlink_to(outside)
    write_file(part, "{}")
    assert (outside.read_text(), part.read_text()) == ("mine", "{}")
    _documents(tmp_path / "in.conll", "a", "b")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a_0.ann").symlink_to(outside)
    assert run("convert", tmp_path / "in.conll", tmp_path / "out", "--to", "brat", "--force")
    assert outside.read_text() == "mine"


def test_a_link_that_the_user_names_stays_one(tmp_path: Path) -> None:
    target, link = tmp_path / "target.csv", tmp_path / "link.csv"
    target.write_text("old")
    link.symlink_to(target)
    assert run("score", *[EXAMPLES / "key.conll"] * 2, "-o", link).status == 0
    assert link.is_symlink()
    assert target.read_text().startswith("system,")


def test_no_file_is_made_where_a_block_fails(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), staged(folders=True) as write:
        write(str(tmp_path / "a" / "b" / "c"), b"x")
        raise RuntimeError
    assert not any(path.is_file() for path in tmp_path.rglob("*"))


def test_half_files_with_long_names_are_swept(tmp_path: Path) -> None:
    name = "x" * 250
    half = tmp_path / f".{'x' * 240}.abcdefgh"
    half.write_text("half")
    sweep([tmp_path / name])
    assert not half.exists()


def test_an_error_names_the_link_that_was_given(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    link = tmp_path / "link"
    link.symlink_to("folder")
    with pytest.raises(UnwrittenError, match="Is a directory") as error:
        write_atomically(str(link), b"")
    assert error.value.filename == str(link)
    with pytest.raises(UnwrittenError, match="Is a directory") as error:
        write_together({str(link): b"", str(tmp_path / "other"): b""}, str(link))
    assert error.value.filename == str(link)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "link"]

"""From names to bytes: files, packed files, directories, globs, standard input."""

import gzip
import os
import shutil
import sys
from contextlib import nullcontext
from glob import glob
from pathlib import Path
from threading import Thread

import pytest

import corefkit
from corefkit import Corpus, DataError
from corefkit.core.options import Reading
from corefkit.formats import registry
from corefkit.formats.kit import files
from corefkit.formats.kit.files import parse_size
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


@pytest.mark.parametrize("name", ["nothing.conll", "nothing/*.conll", "empty", "a\0b", "a\0*"])
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


def test_hidden_folders_loops_and_pipes_are_left_out(folder: Path) -> None:
    (folder / ".git").mkdir()
    (folder / ".git" / "c.conll").write_text(DOCUMENT.format(name="c"))
    (folder / "sub" / "up").symlink_to(folder)
    (folder / "sub" / "again").symlink_to(folder / "sub")
    (folder / "sub" / "more").symlink_to(folder / "sub")
    os.mkfifo(folder / "pipe.conll")
    assert corefkit.read(folder).names == ("(a)", "(b)")
    assert corefkit.read(folder / "**" / "*conll*").names == ("(a)", "(b)")
    assert run("convert", folder, folder / "out").status == 0
    written = sorted(f.name for f in (folder / "out").rglob("*") if f.is_file())
    assert written == ["a.conll", "b.v4_gold_conll.gz"]


@pytest.mark.parametrize(
    "pattern", ["**", "**/*", "**/*gz", "s*/**", "./**/*.conll", "**/**/b*", "*/**/b*", "no/**/x"]
)
def test_stars_without_loops_name_what_glob_names(
    folder: Path, monkeypatch: pytest.MonkeyPatch, pattern: str
) -> None:
    monkeypatch.chdir(folder)
    for text in (pattern, f"{folder}/{pattern}"):
        named = glob(text, recursive=True)  # noqa: PTH207 (Path has other rules)
        expected = sorted({f for f in named if Path(f).is_file()})
        try:
            assert files.expand(text) == expected
        except DataError:
            assert not expected


def test_a_folder_behind_a_link_is_read(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    (other / "c.conll").write_text(DOCUMENT.format(name="c"))
    (folder / "link").symlink_to(other)
    assert corefkit.read(folder).names == ("(a)", "(c)", "(b)")


def test_an_empty_name_is_no_file(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(DataError, match="its name is empty"):
        corefkit.read("")
    assert run("score", "", "a.conll").status == 1


def test_brackets_alone_are_no_pattern(tmp_path: Path) -> None:
    (tmp_path / "run1.conll").write_text(DOCUMENT.format(name="x"))
    with pytest.raises(DataError) as error:
        corefkit.read(tmp_path / "run[1].conll")
    assert error.value.incidents[0].file == str(tmp_path / "run[1].conll")
    assert corefkit.read(str(tmp_path / "run[12]*")).names == ("(x)",)


def test_brackets_of_an_existing_folder_are_no_pattern(tmp_path: Path) -> None:
    for name in ("runs[1]", "runs1"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.conll").write_text(DOCUMENT.format(name=name))
    assert corefkit.read(str(tmp_path / "runs[1]" / "*")).names == ("(runs[1])",)


@pytest.mark.parametrize(
    ("text", "size"),
    [("10", 10), ("1G", 1 << 30), ("1GB", 1 << 30), ("1 GiB", 1 << 30), ("1.5k", 1536)],
)
def test_sizes(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "G", "-1", "1GG", "1e3", "much", "1.G"])
def test_other_texts_are_no_sizes(text: str) -> None:
    with pytest.raises(corefkit.UsageError, match="is not a size"):
        parse_size(text)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no devices in folders")
def test_a_device_is_read_up_to_the_limit() -> None:
    with pytest.raises(DataError, match="file-too-large"):
        corefkit.read("/dev/zero", max_size=1000)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes have no names")
def test_a_pipe_is_read_up_to_the_limit(tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")
    text = DOCUMENT.format(name="a").encode()
    for most, read in ((len(text), True), (len(text) - 1, False)):
        writer = Thread(target=pipe.write_bytes, args=(text,))
        writer.start()
        with nullcontext() if read else pytest.raises(DataError, match="file-too-large"):
            assert corefkit.read(pipe, max_size=most).names == ("(a)",)
        writer.join()


def test_max_size_of_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COREFKIT_MAX_SIZE", "")  # so that what the command sets is undone
    file = tmp_path / "a.conll.gz"
    file.write_bytes(gzip.compress(DOCUMENT.format(name="a").encode(), mtime=0))
    plain = tmp_path / "b.conll"
    plain.write_text(DOCUMENT.format(name="a"))
    done = run("--max-size", "20", "score", plain, file, plain, "-m", "lea")
    assert done.status == 1
    assert "[file-too-large]" in done.err
    assert "compressed files, pipes and devices have at most 20 bytes" in done.err
    assert "100.00" in done.out
    assert run("--max-size", "1K", "score", plain, file).status == 0
    assert run("--max-size", "many", "score", plain, file).status == 2


def test_no_memory_for_one_file_is_an_incident_of_that_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.conll").write_text(DOCUMENT.format(name="x"))
    parse = registry.parse

    def fail(data: bytes, path: str, reading: Reading) -> Corpus:
        if path.endswith("b.conll"):
            raise MemoryError
        return parse(data, path, reading)

    monkeypatch.setattr(registry, "parse", fail)
    good, bad = tmp_path / "a.conll", tmp_path / "b.conll"
    done = run("score", good, bad, good, "-m", "lea")
    assert done.status == 1
    assert f"{bad}: error: the text needs more memory than is free" in done.err
    assert "100.00" in done.out


def test_a_text_that_does_not_fit_into_memory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it is read, packed or not; and not where the system does not say what is free."""
    text = (EXAMPLES / "key.conll").read_bytes()
    (tmp_path / "key.conll.gz").write_bytes(gzip.compress(text))
    for name in (EXAMPLES / "key.conll", tmp_path / "key.conll.gz"):
        monkeypatch.setattr(files, "ALWAYS_FREE", 0)
        monkeypatch.setattr(files, "free_memory", lambda: 2 * len(text) - 1)
        done = run("score", name, EXAMPLES / "careful.conll")
        assert done.status == 1
        assert f"found:    {2 * len(text):,} bytes of memory, at the least" in done.err
        assert "--engine duckdb" in done.err
        hint = " ".join(run("check", name).out.split())
        assert "Split the file" in hint and "corefkit convert" in hint and "--engine" not in hint
        for free in (2 * len(text), None):
            monkeypatch.setattr(files, "free_memory", lambda free=free: free)
            assert run("score", name, EXAMPLES / "careful.conll", "-m", "muc").status == 0

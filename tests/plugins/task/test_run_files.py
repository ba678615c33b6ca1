"""Files of responses: unpacked only where they are scored, and nothing that changed is missed."""

import gzip
import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from shutil import copytree

import pytest

from corefkit.formats.kit import files
from corefkit.plugins.task import Slot, read_manifest, score_task
from corefkit.plugins.task.output import task_dict
from corefkit.plugins.task.run import ResponseFiles
from tests.plugins.task.support import KEY, MANIFEST, write_task
from tests.support import run

SLOT = Slot("one", "english", "closed", "NB")


def _packed_task(folder: Path) -> Path:
    manifest = write_task(folder, MANIFEST.replace("one.conll", "one.conll.gz"))
    (folder / "one.conll.gz").write_bytes(gzip.compress(KEY.encode()))
    return manifest


def test_second_run_unpacks_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = read_manifest(_packed_task(tmp_path))
    first = task_dict(score_task(task, tmp_path / "parts", jobs=1))

    def fail(data: bytes, most: int) -> bytes:
        raise AssertionError("unpacked")

    monkeypatch.setattr(files, "unpack", fail)
    again = task_dict(score_task(task, tmp_path / "parts", jobs=1))
    assert again == first
    (response,) = again["responses"]
    assert response["sha256"] == sha256(KEY.encode()).hexdigest()
    assert response["bytes"] == len(KEY)


def test_file_that_may_no_longer_be_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = read_manifest(_packed_task(tmp_path))
    assert score_task(task, tmp_path / "parts", jobs=1).figure(SLOT) == 1
    monkeypatch.setenv(files.MAX_SIZE_VARIABLE, "10")
    assert score_task(task, tmp_path / "parts", jobs=1).figure(SLOT) is None
    monkeypatch.delenv(files.MAX_SIZE_VARIABLE)
    assert score_task(task, tmp_path / "parts", jobs=1).figure(SLOT) == 1


def test_why_a_response_cannot_be_read_is_never_kept(tmp_path: Path) -> None:
    manifest, out = _packed_task(tmp_path), tmp_path / "out"
    response = tmp_path / "one.conll.gz"
    response.write_bytes(response.read_bytes()[:20])
    damaged = run("task", "run", manifest, "-o", out, "--no-plots")
    page = (out / "index.html").read_bytes()
    response.unlink()
    absent = run("task", "run", manifest, "-o", out, "--no-plots")
    assert (damaged.status, absent.status) == (1, 1)
    assert "damaged gzip data" in page.decode()
    assert "damaged gzip data" not in (out / "index.html").read_text(encoding="utf-8")


def test_text_beside_a_key_counts(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.mkdir()
    marks = "T1\tMention 0 3\tAnn\nT2\tMention 8 11\ther\nR1\tCoref Arg1:T2 Arg2:T1\n"
    (key / "a.ann").write_text(marks)
    (key / "a.txt").write_text("Ann saw her dog.")
    copytree(key, tmp_path / "sent")
    text = MANIFEST.replace("key.conll", "key").replace("one.conll", "sent")
    task = read_manifest(write_task(tmp_path, text))
    assert score_task(task, tmp_path / "parts", jobs=1).figure(SLOT) == 1
    (key / "a.txt").write_text("Ann saw her cat, and many other animals that were there.")
    assert score_task(task, tmp_path / "parts", jobs=1).figure(SLOT) != 1


def test_file_that_becomes_a_link(tmp_path: Path) -> None:
    task = read_manifest(write_task(tmp_path))
    score_task(task, tmp_path / "parts", jobs=1)
    part = tmp_path / "parts" / "one" / "english.closed.NB.json"
    digest = sha256(KEY.encode()).hexdigest()
    assert json.loads(part.read_text())["file"] == {"sha256": digest, "bytes": len(KEY)}
    (tmp_path / "one.conll").rename(tmp_path / "secret")
    (tmp_path / "one.conll").symlink_to(tmp_path / "secret")
    run = score_task(task, tmp_path / "parts", jobs=1)
    assert json.loads(part.read_text())["file"] is None
    assert task_dict(run)["responses"][0]["sha256"] is None


def test_digest(tmp_path: Path) -> None:
    folder = tmp_path / "sent"
    folder.mkdir()
    (folder / "a.ann").write_text("T1\tx 0 1\ta\n")
    (folder / "a.txt").write_text("a b")

    def digest() -> str:
        return ResponseFiles(str(folder), tmp_path).digest

    before = digest()
    assert digest() == before
    (folder / "a.txt").write_text("a c")  # read along with it
    text = digest()
    (folder / "a.ann").rename(folder / "b.ann")
    (folder / "a.txt").rename(folder / "b.txt")
    names = digest()
    assert len({before, text, names}) == 3
    assert not ResponseFiles(str(tmp_path / "none"), tmp_path).digest


def test_annotator_of_a_file(tmp_path: Path) -> None:
    """A name with # is that of a file, too, and of someone who annotated it."""
    (tmp_path / "project.zip").write_bytes(b"one")
    name = str(tmp_path / "project.zip#anna")
    before = ResponseFiles(name, tmp_path)
    assert before.digest
    assert before.loaded is None
    assert before.hash is not None
    assert before.hash.sha256 == sha256(b"one").hexdigest()
    (tmp_path / "project.zip").write_bytes(b"two")
    assert ResponseFiles(name, tmp_path).digest not in ("", before.digest)


def _changes(folder: Path) -> dict[str, Callable[[], object]]:
    """What makes files of a run out of date, or is not as the run has left it."""
    out = folder / "out"

    def add(path: Path, text: str) -> None:
        path.write_text(path.read_text() + text)

    def link(path: Path) -> None:
        path.rename(folder / "elsewhere")
        path.symlink_to(folder / "elsewhere")

    return {
        "nothing": lambda: None,
        "manifest": lambda: add(folder / "task.toml", "# a remark\n"),
        "key": lambda: add(folder / "key.conll", "\n"),
        "key is a link": lambda: link(folder / "key.conll"),
        "response": lambda: add(folder / "one.conll", "\n"),
        "page": lambda: add(out / "index.html", "<!-- -->"),
        "page is lost": (out / "index.html").unlink,
        "page is a link": lambda: link(out / "index.html"),
        "table": lambda: add(next((out / "tables").iterdir()), "x"),
    }


def _files(folder: Path) -> dict[str, tuple[bytes, int]]:
    """The content of each file, and when it was written."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.lstat().st_mtime_ns)
        for path in paths
    }


@pytest.mark.parametrize("change", list(_changes(Path())))
def test_a_run_leaves_what_one_into_a_new_folder_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    """Files whose content would be the same are not written again."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")
    manifest, out = write_task(tmp_path), tmp_path / "out"

    def written(folder: Path) -> dict[str, tuple[bytes, int]]:
        done = run("task", "run", manifest, "-o", folder, "--no-plots")
        assert done.status == 0, done.err
        return _files(folder)

    before = written(out)
    _changes(tmp_path)[change]()
    again, anew = written(out), written(tmp_path / "new")
    assert {name: data for name, (data, _) in again.items()} == {
        name: data for name, (data, _) in anew.items()
    }
    unlike = {name for name, (data, _) in again.items() if before[name][0] != data}
    touched = {name for name, (_, when) in again.items() if before[name][1] != when}
    assert unlike <= touched <= {*unlike, "index.html", *(n for n in again if "tables/" in n)}
    if change == "nothing":
        assert touched == set()

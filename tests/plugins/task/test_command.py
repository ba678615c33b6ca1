"""corefkit task: what it prints of the names of files cannot steer a terminal."""

from pathlib import Path

import pytest

from tests.plugins.task.support import KEY, MANIFEST, write_task
from tests.support import run

HOSTILE = "a\x1b[31m\rb"
SHOWN = "a\\x1b[31m\\rb"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / HOSTILE
    made.mkdir()
    return made


def harmless(text: str) -> bool:
    return SHOWN in text and all(line.isprintable() for line in text.split("\n"))


def test_init(folder: Path) -> None:
    (folder / "keys").mkdir()
    (folder / "keys" / "english.conll").write_text(KEY)
    (folder / "responses" / "one").mkdir(parents=True)
    (folder / "responses" / "one" / "english.conll").write_text(KEY)
    done = run("task", "init", folder)
    assert done.status == 0, done.err
    assert harmless(done.out)


def test_run(folder: Path) -> None:
    manifest = write_task(folder, MANIFEST)
    done = run("task", "run", manifest, "-o", folder / "out", "--no-plots")
    assert done.status == 0, done.err
    assert harmless(done.out)


def test_bundle(folder: Path) -> None:
    manifest = write_task(folder, MANIFEST)
    target = folder / "bundle.zip"
    done = run("task", "bundle", manifest, "-o", target)
    assert done.status == 0, done.err
    assert harmless(done.out)
    again = run("task", "bundle", manifest, "-o", target)
    assert again.status == 2
    assert harmless(again.err)
    assert "--force replaces it" in again.err

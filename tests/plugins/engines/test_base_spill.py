"""Spill folders: those of runs that are gone go, those of anybody who may be alive stay."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from corefkit.core.options import UsageError
from corefkit.plugins.engines.base import SpillFolder

HOLD = """
import sys
from corefkit.plugins.engines.base import SpillFolder
folder = SpillFolder(sys.argv[1])
print(folder.path.name, flush=True)
sys.stdin.read()
"""


@contextmanager
def other_run(place: Path) -> Iterator[tuple[Path, "subprocess.Popen[str]"]]:
    """A process with a spill folder, which it neither fills nor removes."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(place)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout
        yield place / process.stdout.readline().strip(), process
    finally:
        process.kill()
        process.communicate()


def test_a_folder_goes_with_its_run(tmp_path: Path) -> None:
    folder = SpillFolder(str(tmp_path / "new"))
    assert str(os.getpid()) in folder.path.name
    (folder.path / "data").write_text("…")
    folder.remove()
    folder.remove()
    assert list((tmp_path / "new").iterdir()) == []


def test_the_folder_of_a_killed_run_is_removed_by_the_next(tmp_path: Path) -> None:
    with other_run(tmp_path) as (theirs, process):
        ours = SpillFolder(str(tmp_path))
        assert theirs.is_dir(), "its run is alive"
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert theirs.is_dir()
        next_one = SpillFolder(str(tmp_path))
        assert sorted(tmp_path.iterdir()) == sorted([ours.path, next_one.path])


def test_a_process_number_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders of another host or container stay, whatever their process number, locked or not."""
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(socket, "gethostname", lambda: "node-2")
        elsewhere.setattr(os, "getpid", lambda: 999_999_999)
        theirs = SpillFolder(str(tmp_path))
    assert "node_2-999999999-" in theirs.path.name
    os.close(theirs._lock or -1)
    theirs._lock = None
    ours = SpillFolder(str(tmp_path))
    assert sorted(tmp_path.iterdir()) == sorted([ours.path, theirs.path])


def test_folders_without_a_lock_stay(tmp_path: Path) -> None:
    """Those that others made, and those of a system that has no locks."""
    host = SpillFolder(str(tmp_path)).path.name.split("-")[2]
    names = ["corefkit-spill-of-somebody", f"corefkit-spill-{host}-1-20260101T000000Z-abc"]
    for name in names:
        (tmp_path / name).mkdir()
    SpillFolder(str(tmp_path))
    assert all((tmp_path / name).is_dir() for name in names)


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match=r"spill: .*file"):
        SpillFolder(str(tmp_path / "file"))

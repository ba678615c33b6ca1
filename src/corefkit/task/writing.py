"""Who may write into the folder of a run, and what a killed run left there."""

import os
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from corefkit.formats.writing import write_atomically

LOCK = ".corefkit-lock"
"""A file that is locked while a run writes beside it."""
PATIENCE = 3.0
"""How many seconds to wait for it: the processes of a killed run need a moment to end."""

_HALF = re.compile(r"\.(.+)\.[a-z0-9_]{8}")
"""What `write_atomically` calls a file that it has not finished."""


class FolderInUseError(OSError):
    """Another run is writing into the folder."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other runs out of a folder; FolderInUseError where one is at work there.

    The lock belongs to the process, so that a killed run leaves none behind.
    """
    try:
        import fcntl
    except ImportError:  # not a POSIX system
        yield
        return
    path = folder / LOCK
    last = time.monotonic() + PATIENCE
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if path.exists() and os.path.samestat(os.fstat(handle), path.stat()):
                break
        except BlockingIOError:
            if time.monotonic() > last:
                os.close(handle)
                raise FolderInUseError(f"{folder}: another run is writing there") from None
            time.sleep(0.02)
        os.close(handle)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(handle)


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file, and its folder if there is none; it is complete or not there at all.

    A text is written as UTF-8; a name of a file that is not UTF-8 has its bytes as escapes.
    """
    if isinstance(content, str):
        content = content.encode("utf-8", "backslashreplace")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(str(path), content)


def sweep(files: Iterable[Path]) -> None:
    """Remove what a killed run had begun to write of these files, and no other file."""
    names: dict[Path, set[str]] = {}
    for file in files:
        names.setdefault(file.parent, set()).add(file.name)
    for folder, known in names.items():
        if folder.is_dir():
            for entry in folder.iterdir():
                if (half := _HALF.fullmatch(entry.name)) and half[1] in known:
                    entry.unlink(missing_ok=True)

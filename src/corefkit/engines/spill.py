"""Spill folders: where an engine keeps what does not fit into memory, one folder per run.

A run that is killed leaves its folder behind, and the next one removes it. Several machines or
containers may share the place in which they stand, so a process number says nothing about who is
alive. A folder therefore bears the host, the process and the time of its start in its name, and
holds a file that its run keeps locked; the operating system frees the lock when the process ends.
Only folders of the same host whose lock is free are removed.
"""

import os
import re
import shutil
import socket
import time
from contextlib import suppress
from pathlib import Path
from tempfile import gettempdir, mkdtemp

from corefkit.core.options import UsageError

try:
    import fcntl
except ImportError:  # not a POSIX system: there nobody removes the folders of others
    fcntl = None  # type: ignore[assignment]

_PREFIX = "corefkit-spill-"
_LOCK = "lock"


class SpillFolder:
    """A new folder of this run, locked until it is removed."""

    def __init__(self, parent: str | None) -> None:
        """Make it in `parent` or in the system's folder for such files, and clear up before."""
        base = Path(parent or gettempdir())
        try:
            base.mkdir(parents=True, exist_ok=True)
            _remove_abandoned(base)
            self.path, self._lock = _make_locked(base)
        except OSError as error:
            raise UsageError(f"spill: {base}: {error.strerror or error}") from None

    def remove(self) -> None:
        """Remove the folder with all that is in it, then let go of the lock."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _make_locked(base: Path) -> tuple[Path, int | None]:
    """A folder that has its name only once it is locked, so that nobody takes it for abandoned."""
    made = Path(mkdtemp(prefix="corefkit-new-", dir=base))
    lock = None
    if fcntl is not None:
        lock = os.open(made / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        with suppress(OSError):  # a file system without locks: the folder stays if we are killed
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    started = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    unique = made.name.rpartition("-")[2]
    path = base / f"{_PREFIX}{_host()}-{os.getpid()}-{started}-{unique}"
    return made.rename(path), lock


def _remove_abandoned(base: Path) -> None:
    if fcntl is None:
        return
    for folder in base.glob(f"{_PREFIX}{_host()}-*-*-*"):
        try:
            lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        except OSError:  # its run is alive, or nobody can tell
            continue
        finally:
            os.close(lock)


def _host() -> str:
    """The name of this machine or container, as a part of a file name without a hyphen."""
    return re.sub(r"[^A-Za-z0-9.]", "_", socket.gethostname()) or "host"

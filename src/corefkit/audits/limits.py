"""Limits of foreign processes, and how one is ended: the process group, first gently."""

import os
import signal
import subprocess
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

MEMORY = 16 << 30
FILE_SIZE = 256 << 20
PROCESSES = 512
"""How much memory, how large a file and how many more processes a scorer may have."""

GRACE = 2.0
"""Seconds between the request to end and the end."""


def limit_resources() -> None:
    """Limit this process and its children, where the system can; lower limits stay."""
    try:
        import resource
    except ImportError:  # Windows
        return
    limits = [("RLIMIT_AS", MEMORY), ("RLIMIT_FSIZE", FILE_SIZE), ("RLIMIT_CORE", 0)]
    if (running := own_tasks()) is not None:
        limits.append(("RLIMIT_NPROC", running + PROCESSES))
    for name, wanted in limits:
        kind = getattr(resource, name, None)
        if kind is not None:
            with suppress(ValueError, OSError):
                soft, hard = resource.getrlimit(kind)
                bounds = [n for n in (wanted, soft, hard) if n != resource.RLIM_INFINITY]
                resource.setrlimit(kind, (min(bounds), hard))


@cache
def own_tasks() -> int | None:
    """How many threads this user runs, which is what the limit counts; None where unknown.

    Counted once: children that are forked from here know it already.
    """
    try:
        processes = [path for path in Path("/proc").iterdir() if path.name.isdigit()]
    except OSError:
        return None
    return sum(map(_threads, processes))


def _threads(process: Path) -> int:
    """The threads of a process of this user; 0 of others, and of those that have ended."""
    try:
        if process.stat().st_uid != os.getuid():
            return 0
        return sum(1 for _ in (process / "task").iterdir())
    except OSError:
        return 0


def has_ended(process: "subprocess.Popen[bytes]") -> bool:
    """Whether a process has ended; it is not reaped, so its group keeps its number."""
    if process.returncode is not None:
        return True
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
    return os.waitid(os.P_PID, process.pid, flags) is not None


def end_group(process: "subprocess.Popen[bytes]", *, gently: bool) -> None:
    """End a process that leads a group of its own, and all of its group.

    A process that has called `setsid` itself is not in the group any more.
    """
    if gently and not has_ended(process):
        _signal_group(process, signal.SIGTERM)
        patience = time.monotonic() + GRACE
        while not has_ended(process) and time.monotonic() < patience:
            time.sleep(0.02)
    _signal_group(process, signal.SIGKILL)
    process.wait()


def _signal_group(process: "subprocess.Popen[bytes]", number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)

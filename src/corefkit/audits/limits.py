"""Limits of foreign processes, and how one is ended: the process group, first gently."""

import os
import signal
import subprocess
import time
from contextlib import suppress

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
    if (running := _own_tasks()) is not None:
        limits.append(("RLIMIT_NPROC", running + PROCESSES))
    for name, wanted in limits:
        kind = getattr(resource, name, None)
        if kind is not None:
            with suppress(ValueError, OSError):
                soft, hard = resource.getrlimit(kind)
                bounds = [n for n in (wanted, soft, hard) if n != resource.RLIM_INFINITY]
                resource.setrlimit(kind, (min(bounds), hard))


def _own_tasks() -> int | None:
    """How many threads this user runs, which is what the limit counts; None where unknown."""
    try:
        return sum(
            len(os.listdir(f"/proc/{name}/task"))
            for name in os.listdir("/proc")
            if name.isdigit() and _is_own(f"/proc/{name}")
        )
    except OSError:
        return None


def _is_own(path: str) -> bool:
    try:
        return os.stat(path).st_uid == os.getuid()
    except OSError:
        return False


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

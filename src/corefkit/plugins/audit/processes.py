"""Foreign processes: their limits, how to end them, and the child that calls foreign Python code.

One child, `python -P -m corefkit.plugins.audit.processes`, serves a whole battery. Messages are
lines of JSON on copies of standard input and output, whose places the foreign code gets empty. The
modules of corefkit are imported before the folder of the foreign code is put on the path.
"""

import importlib
import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TextIO

from corefkit.plugins.audit.styles import call_style

MEMORY = 16 << 30
FILE_SIZE = 256 << 20
PROCESSES = 512
"""Limits of a scorer: bytes of memory, bytes per file, and threads besides the user's others."""

GRACE = 2.0
"""Seconds that a process has between SIGTERM and SIGKILL."""


def limit_resources() -> None:
    """Limit this process and its children, where the system supports it; lower limits stay."""
    try:
        import resource
    except ImportError:  # Windows
        return
    limits = [("RLIMIT_AS", MEMORY), ("RLIMIT_FSIZE", FILE_SIZE), ("RLIMIT_CORE", 0)]
    if (running := own_tasks()) is not None:
        limits.append(("RLIMIT_NPROC", running + PROCESSES))
    for name, limit in limits:
        kind = getattr(resource, name, None)
        if kind is not None:
            with suppress(ValueError, OSError):
                soft, hard = resource.getrlimit(kind)
                bounds = [n for n in (limit, soft, hard) if n != resource.RLIM_INFINITY]
                resource.setrlimit(kind, (min(bounds), hard))


@cache
def own_tasks() -> int | None:
    """The number of threads that this user runs, which the limit counts; None where unknown.

    They are counted once; forked children inherit the number.
    """
    try:
        processes = [path for path in Path("/proc").iterdir() if path.name.isdigit()]
    except OSError:
        return None
    return sum(map(_threads, processes))


def _threads(process: Path) -> int:
    """The number of threads of a process; 0 if it is another user's, or has ended."""
    try:
        if process.stat().st_uid != os.getuid():
            return 0
        return sum(1 for _ in (process / "task").iterdir())
    except OSError:
        return 0


def has_ended(process: "subprocess.Popen[bytes]") -> bool:
    """Whether a process has ended. It is not reaped, so that its group keeps its number."""
    if process.returncode is not None:
        return True
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
    return os.waitid(os.P_PID, process.pid, flags) is not None


def terminate(process: "subprocess.Popen[bytes]") -> None:
    """Ask the group that a process leads to end, and give it `GRACE` seconds."""
    if not has_ended(process):
        _signal_group(process, "SIGTERM")
        deadline = time.monotonic() + GRACE
        while not has_ended(process) and time.monotonic() < deadline:
            time.sleep(0.02)


def end_group(process: "subprocess.Popen[bytes]") -> None:
    """End a process that leads a group, and the whole group.

    A descendant that has called `setsid` is no longer in the group.
    """
    _signal_group(process, "SIGKILL")
    process.wait()


def _signal_group(process: "subprocess.Popen[bytes]", name: str) -> None:
    """Send a signal to a group; where there are no groups (Windows), end the process."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, getattr(signal, name))
        else:
            process.terminate()


def main() -> None:
    """Answer requests until the other side closes its end."""
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    setup = json.loads(requests.readline())
    limit_resources()
    try:
        module = _load(setup["module"], setup["paths"])
        home, target = _attribute(module, setup["name"])
    except BaseException as error:  # Also SystemExit, if the module ends the interpreter.
        _reply(replies, {"broken": last_line(error)})
        return
    _reply(replies, {"ready": True})
    process, folder = os.getpid(), Path.cwd()
    for line in requests:
        request = json.loads(line)
        documents = [(_side(key), _side(response)) for key, response in request["documents"]]
        try:
            message = {"found": call_style(setup["style"], target, home, documents)}
        except BaseException as error:
            message = {"error": last_line(error)}
        if os.getpid() != process:  # The scorer has forked, and this is the copy.
            os._exit(0)
        os.chdir(folder)
        _reply(replies, message)


def _load(name: str, paths: list[str]) -> Any:
    sys.path[:0] = paths
    if not name.endswith(".py"):
        return importlib.import_module(name)
    path = Path(name).resolve()
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{name} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _attribute(module: Any, name: str) -> tuple[Any, Any]:
    """The module or object that has the last part of a dotted name, and the object it names."""
    home = target = module
    for part in name.split("."):
        home, target = target, getattr(target, part)
    return home, target


def _side(entities: list[list[list[int]]]) -> Any:
    return tuple(tuple(tuple(mention) for mention in entity) for entity in entities)


def last_line(error: BaseException) -> str:
    """An exception and the last line of its text."""
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[-1]}"[:500] if text else type(error).__name__


def _reply(replies: TextIO, message: dict[str, Any]) -> None:
    replies.write(json.dumps(message) + "\n")
    replies.flush()


if __name__ == "__main__":
    main()

"""Foreign processes: their limits, how one is ended, and the child that calls foreign Python code.

The child, one for a whole battery, is started as `python -P -m corefkit.audits.processes`. It
speaks JSON, one line per message, on two descriptors of its own: standard output belongs to the
foreign code. Our modules are imported before its folder is put on the path.
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

from corefkit.audits.rule_counts import ProbeDocument
from corefkit.audits.styles import call_style

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


def main() -> None:
    """Answer requests until the other side closes its end."""
    requests = os.fdopen(int(sys.argv[1]), "r", encoding="utf-8")
    replies = os.fdopen(int(sys.argv[2]), "w", encoding="utf-8")
    os.set_inheritable(requests.fileno(), False)
    os.set_inheritable(replies.fileno(), False)
    setup = json.loads(requests.readline())
    limit_resources()
    try:
        module = _load(setup["module"], setup["paths"])
        home, target = _attribute(module, setup["name"])
    except BaseException as error:  # SystemExit too: the module ends the interpreter
        _reply(replies, {"broken": _last_line(error)})
        return
    _reply(replies, {"ready": True})
    process, folder = os.getpid(), Path.cwd()
    for line in requests:
        request = json.loads(line)
        documents = [
            ProbeDocument(_side(key), _side(response)) for key, response in request["documents"]
        ]
        try:
            message = {"found": call_style(setup["style"], target, home, documents)}
        except BaseException as error:
            message = {"error": _last_line(error)}
        if os.getpid() != process:  # the scorer has forked and came back twice
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
    """What a dotted name means, and the module or object that has it."""
    home = target = module
    for part in name.split("."):
        home, target = target, getattr(target, part)
    return home, target


def _side(entities: list[list[list[int]]]) -> Any:
    return tuple(tuple(tuple(mention) for mention in entity) for entity in entities)


def _last_line(error: BaseException) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[-1]}"[:500] if text else type(error).__name__


def _reply(replies: TextIO, message: dict[str, Any]) -> None:
    replies.write(json.dumps(message) + "\n")
    replies.flush()


if __name__ == "__main__":
    main()

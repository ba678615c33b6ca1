"""Time and memory, of functions and of whole processes."""

import gc
import os
import resource
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

Task = Callable[[], object]
Clock = Callable[[], float]
"""What tells seconds: of the wall, or of the processor."""


def fastest(
    tasks: Mapping[str, Task],
    rounds: int,
    *,
    at_least: float = 0.0,
    clock: Clock = perf_counter,
) -> dict[str, float]:
    """The shortest time of each task in seconds, by this clock.

    In every round each task runs once, beginning with another one each time, so that a busy
    spell of the machine hits them all alike. With `at_least` a quick task runs again until it
    has had so many seconds: a huge one before it leaves the caches cold.
    """
    names = list(tasks)
    times: dict[str, list[float]] = {name: [] for name in names}
    for number in range(rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            gc.collect()
            since = clock()
            while True:
                begin = clock()
                tasks[name]()
                end = clock()
                times[name].append(end - begin)
                if end - since >= at_least:
                    break
    return {name: min(measured) for name, measured in times.items()}


def processor_time() -> float:
    """Seconds of the processor that ended processes have taken: a busy machine shows less in it."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def python(code: str) -> list[str]:
    """The command line that runs this code in a new interpreter."""
    return [sys.executable, "-c", code]


def corefkit(*arguments: str | Path) -> list[str]:
    """The command line `corefkit ARGUMENTS…`, by the script that was installed."""
    script = shutil.which("corefkit", path=sysconfig.get_path("scripts"))
    start = [script] if script else [sys.executable, "-m", "corefkit"]
    return [*start, *map(str, arguments)]


def corefkit_scorer() -> list[str]:
    """The command `corefkit-scorer` of this checkout."""
    return python("from corefkit.__main__ import scorer; scorer()")


def environment(scratch: Path) -> dict[str, str]:
    """Ours, but compiled modules are kept, in the scratch folder.

    An installed package is compiled; a checkout may not be, e.g. where someone has set
    PYTHONDONTWRITEBYTECODE, and would then be compiled anew at every start.
    """
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(scratch / "compiled")}


def process(command: Sequence[str], env: Mapping[str, str]) -> Task:
    """A task that runs the command to its end; RuntimeError if it fails."""

    def run() -> None:
        done = subprocess.run(command, env=env, capture_output=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{command} failed: {done.stderr.decode(errors='replace')}")

    return run


@dataclass(frozen=True)
class Usage:
    """What one process took; `finished` is False if it was stopped at the time limit.

    `processor` is the seconds that it had of all processors together.
    """

    seconds: float
    peak_bytes: int
    finished: bool
    processor: float


# A child's peak is never below the memory its parent had when it started it (Linux keeps the
# larger of the two over exec), so a bare interpreter starts it, not this process full of corpora.
_LAUNCHER = """
import resource, subprocess, sys, time
begin = time.perf_counter()
try:
    status = subprocess.run(
        sys.argv[2:], stdout=subprocess.DEVNULL, timeout=float(sys.argv[1])
    ).returncode
except subprocess.TimeoutExpired:
    status = "late"
seconds = time.perf_counter() - begin
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(status, seconds, used.ru_maxrss, used.ru_utime + used.ru_stime)
"""


def usage(command: Sequence[str], env: Mapping[str, str], timeout: float) -> Usage:
    """Time and peak memory of the command; RuntimeError if it fails."""
    launcher = [sys.executable, "-I", "-S", "-c", _LAUNCHER, str(timeout), *command]
    done = subprocess.run(launcher, env=env, capture_output=True, text=True, check=True)
    status, seconds, peak, processor = done.stdout.split()
    if status not in ("0", "late"):
        raise RuntimeError(f"{command} failed: {done.stderr}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Usage(float(seconds), int(peak) * unit, status == "0", float(processor))

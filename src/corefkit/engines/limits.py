"""What an engine that corefkit starts may use, its spill folder, and what is said if it fails."""

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from tempfile import gettempdir, mkdtemp

from corefkit.data.incidents import Incident, make_incident
from corefkit.data.options import UsageError

_PREFIX = "corefkit-spill-"
_FULL = (
    *("No space left on device", "Disk quota exceeded", "File too large"),
    "max_temp_directory_size",
)
"""What a full disk is called: by the system, and by DuckDB."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Limits of an engine that corefkit starts; one that is handed in has its own.

    Attributes:
        memory: the most memory, such as "4GB".
        threads: how many threads.
        spill: the folder in which it makes its spill folder, for what does not fit into memory.
    """

    memory: str | None = None
    threads: int | None = None
    spill: str | None = None


def make_spill_folder(parent: str | None) -> Path:
    """Make a spill folder for this process, after removing those of processes that are gone."""
    base = Path(parent or gettempdir())
    try:
        base.mkdir(parents=True, exist_ok=True)
        for old in base.glob(f"{_PREFIX}*-*"):
            number = old.name.removeprefix(_PREFIX).partition("-")[0]
            if number.isdigit() and not _is_running(int(number)):
                shutil.rmtree(old, ignore_errors=True)
        return Path(mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=base))
    except OSError as error:
        raise UsageError(f"spill: {base}: {error.strerror or error}") from None


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def failed(engine: str, error: Exception) -> Incident:
    """What an engine said when it stopped, and whether the disk was full."""
    kind = "disk" if any(words in str(error) for words in _FULL) else engine
    return make_incident("engine-failed", kind, engine=engine, reason=cause(error))


def cause(error: Exception) -> str:
    """What went wrong first, in one line: the last cause that Java names, or the first line."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    caused = [line for line in lines if line.startswith((": ", "Caused by: "))]
    line = caused[-1].partition(": ")[2] if caused else lines[0]
    return re.sub(r"^([\w$]+\.)+", "", line)[:300]

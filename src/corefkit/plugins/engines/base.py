"""What all engines have in common: the Setup, the methods of an Engine, the columns of a source.

An Engine has the few methods that let the same SQL run on DuckDB and on Spark. After it come the
conversion from Arrow to numpy, the incident of an engine that
fails, and the spill folder of a run.
"""

import gzip
import os
import re
import shutil
import socket
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.incidents import Incident, make_incident
from corefkit.core.options import UsageError
from corefkit.core.table_columns import FoundColumns
from corefkit.formats.kit.files import parse_size
from corefkit.scoring.engines import Setup as Setup  # noqa: PLC0414 (users import it here)

try:
    import fcntl
except ImportError:  # not a POSIX system: there abandoned folders are not removed
    fcntl = None  # type: ignore[assignment]

SIDES = ("key", "response")


class OpenedSource(NamedTuple):
    """A source as an engine reads it: the view `corefkit_SIDE_given`.

    Attributes:
        columns: the names of its columns.
        ignored: those of them that are also names of folders; the folders are ignored.
    """

    columns: Sequence[str]
    ignored: Sequence[str] = ()


class SourceReading(NamedTuple):
    """What the columns of a source are called, and which texts mean none, except in documents."""

    columns: Mapping[str, str] = MappingProxyType({})
    missing: Sequence[str] = ()


def memory_limit(setup: Setup) -> int:
    """How many bytes of memory a setup allows; UsageError for a text that is not a size.

    >>> memory_limit(Setup(memory="4GB"))
    4294967296
    """
    try:
        return parse_size(setup.memory or "")
    except UsageError as error:
        raise UsageError(f"memory: {error}") from None


class Engine(Protocol):
    """A database that speaks SQL.

    It may belong to the user, whose tables are left alone: the names of ours begin with
    `corefkit_`.
    """

    name: str

    def define(self, side: str, source: Any) -> OpenedSource:
        """Make the view `corefkit_SIDE_given` over files, a relation, a frame or an Arrow table."""

    def quote(self, column: str) -> str:
        """The name of a column, quoted for SQL."""

    def decode(self, column: str) -> str:
        """SQL for the bytes of a column as text: UTF-8, or if they are not, `\\xE9` for each."""

    def pair(self, one: str, other: str) -> str:
        """Two columns as one value, which is compared by the first and then by the other."""

    def table(self, name: str, sql: str) -> None:
        """Store the result of a query as a table, in place of any of the same name."""

    def number(self, name: str, columns: str, sql: str, order: str) -> None:
        """Store columns of a query as a table, with the column `number`: 0, 1, … in an order.

        No two rows may be equal in the columns of the order.
        """

    def load(self, name: str, rows: Mapping[str, IntArray]) -> None:
        """Make a table of rows, given as one array per column."""

    def rows(self, sql: str) -> dict[str, Any]:
        """The result of a query: column → array."""

    def drop(self, *names: str) -> None:
        """Drop tables; those that do not exist are ignored."""

    def close(self) -> None:
        """Drop our tables; close the connection or session unless it was passed in."""


TEXTS = (".csv", ".tsv", ".csv.gz", ".tsv.gz")
"""The endings of tables of text."""


def are_texts(source: Any) -> bool:
    """Whether a source is a list of CSV or TSV files."""
    is_list = isinstance(source, Sequence) and not isinstance(source, str)
    return is_list and all(str(path).lower().endswith(TEXTS) for path in source)


def separator(path: str) -> str:
    """What separates the cells of a table of text: tabs if its first line has one, else commas."""
    if "://" in path:
        return "\t" if ".tsv" in path.lower()[-7:] else ","
    with gzip.open(path) if path.endswith(".gz") else Path(path).open("rb") as file:
        first = next((line for line in file if line.strip()), b"")
    return "\t" if b"\t" in first else ","


def text_rows(engine: Engine, columns: FoundColumns, table: str) -> str:
    """A query for a table of text as memory reads it.

    Blanks around cells do not count, nor do rows of blanks. Offsets are numbers, −1 for other
    texts; a mention that is a whole number is the token with that number.
    """
    cells, names = [], [engine.quote(column) for column in columns.present.values()]
    for name, column in zip(columns.present, names, strict=True):
        text = f"nullif(trim({column}), '')"
        whole = f"nullif(regexp_extract(trim({column}), '^(0|[1-9][0-9]{{0,17}})$', 1), '')"
        if name in ("start", "end"):
            number = f"coalesce(CAST({whole} AS BIGINT), -1)"
            text = f"CASE WHEN {text} IS NOT NULL THEN {number} END"
        elif name == "mention":
            text = f"coalesce({whole} || '-' || {whole}, {text})"
        cells.append(f"{text} AS {column}")
    blank = " AND ".join(f"nullif(trim({column}), '') IS NULL" for column in names)
    return f"SELECT {', '.join(cells)} FROM {table} WHERE NOT ({blank})"


def folder_columns(paths: Sequence[str]) -> list[str]:
    """The columns in names of folders, such as `document=a`, as Hive, Spark and DuckDB write them.

    They count only where the files have no column of that name.

    >>> folder_columns(["run/lang=en/document=a/0.parquet", "run/lang=de/document=b/0.parquet"])
    ['lang', 'document']
    """
    return list(dict.fromkeys(name for path in paths for name in _FOLDER.findall(path)))


_FOLDER = re.compile(r"(?:(?<=/)|^)([^/=]+)=[^/]*(?=/)")


def folder_pattern(column: str) -> str:
    """A regular expression, for SQL, that finds the value of a column in the names of folders."""
    return f"(?:^|/){re.escape(column)}=([^/]*)/".replace("'", "''")


def arrow_columns(table: Any) -> dict[str, Any]:
    """The columns of an Arrow table: numbers as numbers, everything else as Python objects."""
    columns = {}
    for name, column in zip(table.column_names, table.columns, strict=True):
        if dtype := _NUMERIC.get(str(column.type)):
            columns[name] = _numbers(column, dtype)
        else:
            columns[name] = np.empty(len(column), dtype=object)
            columns[name][:] = column.to_pylist()
    return columns


_NUMERIC = {
    **{f"{sign}int{bits}": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    **{"float": "float32", "double": "float64"},
}
"""The types of numbers: Arrow's → numpy's."""


def _numbers(column: Any, dtype: str) -> Any:
    """A column of numbers, from its bytes: Arrow's own conversion would load pandas."""
    if column.null_count:
        return np.asarray(column.to_numpy())
    chunks = [
        np.frombuffer(chunk.buffers()[1], dtype)[chunk.offset : chunk.offset + len(chunk)]
        for chunk in column.chunks
        if len(chunk)
    ]
    return np.concatenate(chunks) if chunks else np.empty(0, dtype)


def integers(rows: Mapping[str, Any], *names: str) -> list[IntArray]:
    """Some columns of a result as int64."""
    return [rows[name].astype("int64", copy=False) for name in names]


def single_row(engine: Engine, sql: str) -> dict[str, Any]:
    """The only row of a result."""
    return {name: values[0] for name, values in engine.rows(sql).items()}


def count_rows(engine: Engine, table: str) -> int:
    """How many rows a table has."""
    return int(single_row(engine, f"SELECT count(*) AS n FROM {table}")["n"])


_FULL = (
    "No space left on device",
    "Disk quota exceeded",
    "File too large",
    "max_temp_directory_size",
)
"""How messages of the system, and of DuckDB, describe a full disk."""


def engine_failure(engine: str, error: Exception) -> Incident:
    """The incident of an engine that failed: the reason, and whether the disk was full."""
    kind = "disk" if any(words in str(error) for words in _FULL) else engine
    return make_incident("engine-failed", kind, engine=engine, reason=first_cause(error))


def first_cause(error: Exception) -> str:
    """The root cause in one line: the last one that Java lists, else the first line."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    caused = [line for line in lines if line.startswith((": ", "Caused by: "))]
    line = caused[-1].partition(": ")[2] if caused else lines[0]
    return re.sub(r"^([\w$]+\.)+", "", line)[:300]


_PREFIX = "corefkit-spill-"
_LOCK = "lock"


class SpillFolder:
    """A new folder for data that does not fit into memory, locked until it is removed.

    A run that is killed leaves its folder behind, and the next run removes it. Several machines or
    containers may share the parent folder, so a process number does not show whether its run is
    alive. Therefore the name of a folder has the host, the process and the time of its start, and
    the folder holds a file that its run keeps locked; the operating system frees the lock when the
    process ends. Only folders of the same host whose lock is free are removed.
    """

    def __init__(self, parent: str | None) -> None:
        """Make it in `parent`, or in the system's temporary folder; remove abandoned ones there."""
        base = Path(parent or gettempdir())
        try:
            base.mkdir(parents=True, exist_ok=True)
            _remove_abandoned(base)
            self.path, self._lock = _make_locked(base)
        except OSError as error:
            raise UsageError(f"spill: {base}: {error.strerror or error}") from None

    def remove(self) -> None:
        """Remove the folder and everything in it, then release the lock."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _make_locked(base: Path) -> tuple[Path, int | None]:
    """A new folder and its lock; it is locked before it is named, so that no run removes it."""
    made = Path(mkdtemp(prefix="corefkit-new-", dir=base))
    lock = None
    if fcntl is not None:
        lock = os.open(made / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        with suppress(OSError):  # without locks on this file system, it stays if we are killed
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
        except OSError:  # its run is alive, or that cannot be known
            continue
        finally:
            os.close(lock)


def _host() -> str:
    """The name of this machine or container, as a part of a file name without a hyphen."""
    return re.sub(r"[^A-Za-z0-9.]", "_", socket.gethostname()) or "host"

"""DuckDB: embedded, out of core on one machine. The extra is `corefkit[duckdb]`."""

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from typing import TYPE_CHECKING, Any

from corefkit.data.incidents import DataError, Incident, make_incident
from corefkit.data.options import UsageError
from corefkit.engines.base import Columns

if TYPE_CHECKING:
    import duckdb

_PREFIX = "corefkit-spill-"


class DuckDB:
    """A connection, our own or one that was handed in."""

    name = "duckdb"

    def __init__(
        self,
        connection: "duckdb.DuckDBPyConnection | None" = None,
        *,
        memory: str | None = None,
        threads: int | None = None,
        spill: str | None = None,
    ) -> None:
        """`memory` such as "4GB" is the most it takes, `spill` the folder it overflows into."""
        try:
            import duckdb
        except ImportError:
            raise UsageError(
                "the engine duckdb is not installed: pip install 'corefkit[duckdb]'"
            ) from None
        self._errors = duckdb.Error
        self._folder: Path | None = None
        self._own = connection is None
        self._made: set[str] = set()
        if connection is None:
            connection = duckdb.connect()
            self._folder = make_spill_folder(spill)
            settings: dict[str, Any] = {
                "temp_directory": str(self._folder),
                "preserve_insertion_order": False,
                "enable_progress_bar": False,
            }
            settings |= {"memory_limit": memory} if memory else {}
            settings |= {"threads": threads} if threads else {}
            for setting, value in settings.items():
                self._set(connection, setting, value)
        self._connection = connection

    def _set(self, connection: "duckdb.DuckDBPyConnection", setting: str, value: object) -> None:
        text = str(value).replace("'", "''")
        try:
            connection.execute(f"SET {setting} = '{text}'")
        except self._errors as error:
            raise UsageError(f"{setting}: {_first_line(error)}") from None

    def define(self, name: str, source: Any, renamed: Mapping[str, str]) -> Columns:
        """A view over Parquet files (a list of paths), a relation or an Arrow table."""
        if isinstance(source, Sequence) and not isinstance(source, str):
            listed = ", ".join("'" + str(path).replace("'", "''") + "'" for path in source)
            what = f"read_parquet([{listed}])"
        elif hasattr(source, "create_view"):
            source.create_view(f"{name}_given", replace=True)
            what = f"{name}_given"
        else:
            self._connection.register(f"{name}_given", source)
            what = f"{name}_given"
        self._made.add(f"{name}_given")
        described = self._run(f"DESCRIBE SELECT * FROM {what}").fetchall()
        columns = Columns.found([str(row[0]) for row in described], renamed, f"the {name}")
        self._run(f"CREATE OR REPLACE TEMP VIEW {name}_source AS SELECT * FROM {what}")
        self._made.add(f"{name}_source")
        return columns

    def quote(self, column: str) -> str:
        """The column in double quotes."""
        return '"' + column.replace('"', '""') + '"'

    def table(self, name: str, sql: str) -> None:
        """Create a temporary table."""
        self._run(f"CREATE OR REPLACE TEMP TABLE {name} AS {sql}")
        self._made.add(name)

    def rows(self, sql: str) -> dict[str, Any]:
        """The result as numpy arrays."""
        return dict(self._run(sql).fetchnumpy())

    def drop(self, *names: str) -> None:
        """Drop temporary tables."""
        for name in names:
            self._run(f"DROP TABLE IF EXISTS {name}")
            self._made.discard(name)

    def close(self) -> None:
        """Drop our tables or the whole connection, and remove the spill folder."""
        if self._own:
            self._connection.close()
        else:
            for name in self._made:
                for kind in ("TABLE", "VIEW"):
                    try:
                        self._connection.execute(f"DROP {kind} IF EXISTS {name}")
                    except self._errors:
                        continue
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, sql: str) -> "duckdb.DuckDBPyConnection":
        try:
            return self._connection.execute(sql)
        except self._errors as error:
            raise DataError([_failed(error)]) from None


def make_spill_folder(parent: str | None) -> Path:
    """A folder of this process; those of processes that are gone are removed first."""
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


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__


def _failed(error: Exception) -> Incident:
    full = any(word in str(error) for word in ("No space left", "max_temp_directory_size"))
    why = "disk" if full else "memory"
    return make_incident("engine-failed", why, reason=_first_line(error))

"""DuckDB: an embedded database, out of core on one machine. The extra is `corefkit[duckdb]`."""

from collections.abc import Mapping, Sequence
from glob import escape
from typing import TYPE_CHECKING, Any

from corefkit.core.arrays import IntArray
from corefkit.core.incidents import DataError
from corefkit.core.options import UsageError
from corefkit.plugins.engines.base import (
    OpenedSource,
    Setup,
    SpillFolder,
    are_texts,
    arrow_columns,
    engine_failure,
    first_cause,
    folder_columns,
    folder_pattern,
    memory_limit,
    separator,
)

if TYPE_CHECKING:
    import duckdb


class DuckDB:
    """A connection, our own or one that was passed in."""

    name = "duckdb"

    def __init__(
        self,
        connection: "duckdb.DuckDBPyConnection | None" = None,
        setup: Setup = Setup(),  # noqa: B008 (it is frozen)
    ) -> None:
        """Without a connection, one is made with the limits of the setup."""
        try:
            import duckdb
        except ImportError:
            raise UsageError(
                "the engine duckdb is not installed: pip install 'corefkit[duckdb]'"
            ) from None
        self._errors = duckdb.Error
        self._folder: SpillFolder | None = None
        self._own = connection is None
        self._made: set[str] = set()
        if connection is None:
            limits = {"memory_limit": f"{memory_limit(setup)}B"} if setup.memory else {}
            connection = duckdb.connect()
            self._folder = SpillFolder(setup.spill)
            settings: dict[str, Any] = {
                "temp_directory": str(self._folder.path),
                "preserve_insertion_order": False,
                "enable_progress_bar": False,
            }
            settings |= limits
            settings |= {"threads": setup.threads} if setup.threads else {}
            try:
                for setting, value in settings.items():
                    self._set(connection, setting, value)
            except UsageError:
                self._folder.remove()
                raise
        self._connection = connection

    def _set(self, connection: "duckdb.DuckDBPyConnection", setting: str, value: object) -> None:
        text = str(value).replace("'", "''")
        try:
            connection.execute(f"SET {setting} = '{text}'")
        except self._errors as error:
            raise UsageError(f"{setting}: {first_cause(error)}") from None

    def decode(self, column: str) -> str:
        """SQL for the bytes of a column as text."""
        shown = f"regexp_replace(hex({column}), '(..)', '\\\\x\\1', 'g')"
        return f"coalesce(TRY(decode({column})), {shown})"

    def define(self, side: str, source: Any) -> OpenedSource:
        """Make a view over files (a list of paths), a relation or an Arrow table."""
        ignored: list[str] = []
        view = f"corefkit_{side}_given"
        if isinstance(source, Sequence) and not isinstance(source, str):
            paths = list(map(str, source))
            if are_texts(source):
                files = self._texts(paths)
            else:
                files, ignored = self._files(paths)
            self._run(f"CREATE OR REPLACE TEMP VIEW {view} AS SELECT * FROM {files}")
        elif hasattr(source, "create_view"):
            self._view_of(source, view, side)
        else:
            self._connection.register(view, source)
        self._made.add(view)
        described = self._run(f"DESCRIBE {view}").fetchall()
        return OpenedSource([str(row[0]) for row in described], ignored)

    def _texts(self, paths: list[str]) -> str:
        """SQL that reads CSV or TSV files, each cell as a text."""
        tables = []
        for path in paths:
            name = (path if "://" in path else escape(path)).replace("'", "''")
            mark, quote = separator(path), "" if separator(path) == "\t" else '"'
            tables.append(
                f"SELECT * FROM read_csv('{name}', delim = '{mark}', quote = '{quote}', "
                f"escape = '{quote}', header = true, all_varchar = true, null_padding = true, "
                "strict_mode = false, hive_partitioning = false)"
            )
        return f"({' UNION ALL BY NAME '.join(tables)})"

    def _files(self, paths: list[str]) -> tuple[str, list[str]]:
        """SQL that reads these files, and the names of folders that the files have as columns."""
        names = [path if "://" in path else escape(path) for path in paths]
        listed = ", ".join("'" + name.replace("'", "''") + "'" for name in names)
        # Documents in names of folders, such as `document=007`, remain texts.
        usual = f"read_parquet([{listed}], hive_types_autocast = false)"
        folders = folder_columns(paths)
        if not folders:
            return usual, []
        plain = f"read_parquet([{listed}], hive_partitioning = false"
        described = self._run(f"DESCRIBE SELECT * FROM {plain})").fetchall()
        present = {str(row[0]) for row in described}
        ignored = [column for column in folders if column in present]
        if not ignored:
            return usual, []
        others = "".join(
            f", url_decode(regexp_extract(corefkit_path, '{folder_pattern(column)}', 1)) "
            f"AS {self.quote(column)}"
            for column in folders
            if column not in present
        )
        return f"(SELECT *{others} FROM {plain}, filename = 'corefkit_path'))", ignored

    def _view_of(self, relation: Any, view: str, side: str) -> None:
        """Make a view over a relation, which must be of the same connection."""
        relation.create_view(view, replace=True)
        try:
            self._connection.execute(f"DESCRIBE {view}")
        except self._errors:
            self._connection.execute(f"DROP VIEW IF EXISTS {view}")
            raise UsageError(
                f"the {side} is a relation of another connection: pass that one, engine=connection"
            ) from None

    def quote(self, column: str) -> str:
        """The column in double quotes."""
        return '"' + column.replace('"', '""') + '"'

    def pair(self, one: str, other: str) -> str:
        """A structure."""
        return f"row({one}, {other})"

    def table(self, name: str, sql: str) -> None:
        """Create a temporary table."""
        self._run(f"CREATE OR REPLACE TEMP TABLE {name} AS {sql}")
        self._made.add(name)

    def number(self, name: str, columns: str, sql: str, order: str) -> None:
        """Number rows by a window over all rows, which DuckDB sorts on all threads, out of core."""
        number = f"row_number() OVER (ORDER BY {order}) - 1 AS number"
        self.table(name, f"SELECT {columns}, {number} FROM ({sql}) AS unnumbered")

    def load(self, name: str, rows: Mapping[str, IntArray]) -> None:
        """Create a temporary table from arrays."""
        self._connection.register("corefkit_rows", dict(rows))
        self._made.add("corefkit_rows")
        self.table(name, "SELECT * FROM corefkit_rows")
        self._connection.unregister("corefkit_rows")

    def rows(self, sql: str) -> dict[str, Any]:
        """The result of a query, through Arrow."""
        try:
            return arrow_columns(self._connection.sql(sql).to_arrow_table())
        except self._errors as error:
            raise DataError([engine_failure("duckdb", error)]) from None

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
            self._folder.remove()

    def _run(self, sql: str) -> "duckdb.DuckDBPyConnection":
        try:
            return self._connection.execute(sql)
        except self._errors as error:
            raise DataError([engine_failure("duckdb", error)]) from None

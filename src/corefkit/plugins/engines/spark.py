"""Spark, classic or Connect: for data on a cluster. The extra is `corefkit[spark]`."""

import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

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
    from pyspark.sql import DataFrame, SparkSession

_PARTITIONS = 8
"""How many partitions shuffled data has per thread of a local session."""


class Spark:
    """A session, our own (local) or one that was passed in."""

    name = "spark"

    def __init__(
        self,
        session: "SparkSession | None" = None,
        setup: Setup = Setup(),  # noqa: B008 (it is frozen)
    ) -> None:
        """Without a session the active one is used, or one is made with the limits of the setup."""
        try:
            from pyspark.sql import SparkSession
        except ImportError:
            raise UsageError(
                "the engine spark is not installed: pip install 'corefkit[spark]'"
            ) from None
        self._folder: SpillFolder | None = None
        self._shared: _SharedFolder | None = None
        session = session or SparkSession.getActiveSession()
        if session is None:
            settings = _settings(setup)
            self._folder = SpillFolder(setup.spill)
            session = _start(settings, self._folder)
        elif setup.spill:
            self._shared = _SharedFolder(session, setup.spill)
        self._session = session
        self._frames: dict[str, DataFrame | None] = {}

    def define(self, side: str, source: Any) -> OpenedSource:
        """Make a view over files (a list of paths), a DataFrame or an Arrow table."""
        ignored: list[str] = []
        with _failures():
            if are_texts(source):
                frame = _texts(self._session, list(map(str, source)))
            elif isinstance(source, Sequence) and not isinstance(source, str):
                frame, ignored = _files(self._session, list(map(str, source)))
            elif hasattr(source, "createOrReplaceTempView"):
                frame = source
            else:
                frame = self._session.createDataFrame(source)
        view = f"corefkit_{side}_given"
        frame.createOrReplaceTempView(view)
        self._frames[view] = None  # not ours: never released
        return OpenedSource(frame.columns, ignored)

    def decode(self, column: str) -> str:
        """SQL for the bytes of a column as text."""
        text = f"CAST({column} AS STRING)"
        shown = f"regexp_replace(hex({column}), '(..)', concat(chr(92), chr(92), 'x$1'))"
        return f"CASE WHEN is_valid_utf8({text}) THEN {text} ELSE {shown} END"

    def quote(self, column: str) -> str:
        """The column in backticks."""
        return "`" + column.replace("`", "``") + "`"

    def pair(self, one: str, other: str) -> str:
        """A structure."""
        return f"struct({one}, {other})"

    def table(self, name: str, sql: str) -> None:
        """Compute a query now and cut its lineage, so that plans do not grow from step to step."""
        with _failures():
            self._put(name, self._store(self._session.sql(sql)))

    def number(self, name: str, columns: str, sql: str, order: str) -> None:
        """Sort, count the rows of each partition, and number its rows from its first number on.

        A window over all rows would be a single task. Spark itself numbers the rows of each
        partition from a multiple of 2³³.
        """
        with _failures():
            # It is kept: a new sort, after a partition was lost, could give other numbers.
            ordered = self._session.sql(f"SELECT * FROM ({sql}) AS s ORDER BY {order}").persist()
            parts = ordered.selectExpr("spark_partition_id() AS part").groupBy("part").count()
            sizes = arrow_columns(parts.toArrow())
            sizes_of = dict(zip(sizes["part"].tolist(), sizes["count"].tolist(), strict=True))
            starts, first = [], 0
            for part in range(max(sizes_of, default=-1) + 1):
                starts.append(f"{first}L")
                first += sizes_of.get(part, 0)
            start = f"array({', '.join(starts)})[spark_partition_id()]" if starts else "0L"
            row = f"(monotonically_increasing_id() & {2**33 - 1}L)"
            numbered = ordered.selectExpr(*columns.split(", "), f"{start} + {row} AS number")
            self._put(name, self._store(numbered))
            ordered.unpersist()

    def _store(self, frame: "DataFrame") -> "DataFrame":
        """The same rows, computed and stored: in a shared folder, or on the executors."""
        if self._shared is not None:
            return self._shared.write(self._session, frame)
        return frame.localCheckpoint(eager=True)

    def _put(self, name: str, frame: "DataFrame") -> None:
        """Give a frame a name, and release the one that had it."""
        old = self._frames.pop(name, None)
        frame.createOrReplaceTempView(name)
        self._frames[name] = frame
        self._release(old)

    def _release(self, frame: "DataFrame | None") -> None:
        """Free the memory or the files of a frame of ours."""
        if frame is not None:
            frame.unpersist()
            if self._shared is not None:
                self._shared.remove(frame)

    def load(self, name: str, rows: Mapping[str, IntArray]) -> None:
        """Store the arrays."""
        import pyarrow

        with _failures():
            frame = self._session.createDataFrame(pyarrow.table(dict(rows)))
            self._put(name, self._store(frame))

    def rows(self, sql: str) -> dict[str, Any]:
        """The result of a query, through Arrow."""
        with _failures():
            return arrow_columns(self._session.sql(sql).toArrow())

    def drop(self, *names: str) -> None:
        """Drop tables and free what they hold."""
        for name in names:
            if name in self._frames:
                self._session.catalog.dropTempView(name)
                self._release(self._frames.pop(name))

    def close(self) -> None:
        """Drop our tables; stop the session if it is our own."""
        self.drop(*list(self._frames))
        if self._shared is not None:
            self._shared.close()
        if self._folder:
            self._session.stop()
            self._folder.remove()


@contextmanager
def _failures() -> Iterator[None]:
    """Turn exceptions of Spark into a DataError with an incident."""
    try:
        yield
    except ImportError:
        raise UsageError("the engine spark needs pyarrow: pip install 'corefkit[spark]'") from None
    except Exception as error:
        raise DataError([engine_failure("spark", error)]) from None


class _SharedFolder:
    """Tables as Parquet files in a folder that all executors see.

    They are not lost with an executor. Hadoop removes the files, since it can access the folder.
    """

    def __init__(self, session: "SparkSession", parent: str) -> None:
        """Make a folder in `parent`, which is a path or a URL."""
        if not hasattr(session, "_jvm"):
            raise UsageError(
                "spill: with Spark Connect tables stay on the executors: leave it out, or hand "
                "over a classic session"
            )
        self._folder = f"{parent.rstrip('/')}/corefkit-{uuid4().hex}"
        self._jvm: Any = session._jvm
        self._hadoop = session._jsc.hadoopConfiguration()
        self._paths: dict[int, str] = {}
        self._written = 0
        try:
            self._files().mkdirs(self._path(self._folder))
        except Exception as error:
            raise UsageError(f"spill: {parent}: {first_cause(error)}") from None

    def write(self, session: "SparkSession", frame: "DataFrame") -> "DataFrame":
        """The rows of a frame, written and read again."""
        path = f"{self._folder}/{self._written}"
        self._written += 1
        frame.write.parquet(path)
        written = session.read.schema(frame.schema).parquet(path)
        self._paths[id(written)] = path
        return written

    def remove(self, frame: "DataFrame") -> None:
        """Remove the files of a frame."""
        if path := self._paths.pop(id(frame), None):
            self._files().delete(self._path(path), True)

    def close(self) -> None:
        """Remove everything."""
        self._files().delete(self._path(self._folder), True)

    def _files(self) -> Any:
        return self._path(self._folder).getFileSystem(self._hadoop)

    def _path(self, name: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(name)


def _texts(session: "SparkSession", paths: list[str]) -> "DataFrame":
    """The rows of CSV or TSV files, each cell as a text."""
    frames = []
    for path in paths:
        mark = separator(path)
        how = {"header": "true", "sep": mark, "quote": "" if mark == "\t" else '"', "escape": '"'}
        name = path if "://" in path else _GLOB.sub(r"\\\g<0>", path)
        frames.append(session.read.options(**how).csv(name))
    return reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), frames)


def _files(session: "SparkSession", paths: list[str]) -> "tuple[DataFrame, list[str]]":
    """The rows of these files, and the names of folders that the files have as columns."""
    from pyspark.sql.functions import expr

    names = [path if "://" in path else _GLOB.sub(r"\\\g<0>", path) for path in paths]
    folders = folder_columns(paths)
    frame = session.read.option("recursiveFileLookup", "true").parquet(*names)
    ignored = [column for column in folders if column in frame.columns]
    for column in folders:
        if column not in ignored:
            pattern = folder_pattern(column).replace("\\", "\\\\")
            # The path is a URL, which encodes the folder, itself encoded, a second time. Spark
            # itself would decode each byte of "%C3%A9" as a letter.
            path = _DECODED.format("_metadata.file_path")
            frame = frame.withColumn(
                column, expr(_DECODED.format(f"regexp_extract({path}, '{pattern}', 1)"))
            )
    return frame, ignored


_DECODED = "coalesce(try_url_decode(replace({0}, '+', '%2B')), {0})"
"""SQL that decodes "%" only; a text that is not validly encoded is not changed."""


_GLOB = re.compile(r"[\\*?\[\]{},^]")
"""The characters that are special in Hadoop's patterns of file names."""


def _settings(setup: Setup) -> dict[str, str]:
    """The settings of a session on this machine; UsageError for an invalid size."""
    threads = setup.threads or os.cpu_count() or 1
    settings = {
        "spark.master": f"local[{threads}]",
        "spark.app.name": "corefkit",
        "spark.driver.host": "localhost",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.log.level": "OFF",
        # The default, 200, is for clusters.
        "spark.sql.shuffle.partitions": str(_PARTITIONS * threads),
        "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    if setup.memory:
        settings["spark.driver.memory"] = f"{memory_limit(setup)}b"
    return settings


def _start(settings: Mapping[str, str], spill: SpillFolder) -> "SparkSession":
    """A session that writes only to this folder, and no log at all."""
    folder = spill.path
    from pyspark.logger import PySparkLogger
    from pyspark.sql import SparkSession

    # Failures are reported as incidents.
    PySparkLogger.getLogger("SQLQueryContextLogger").setLevel("CRITICAL")
    java = f'"-Djava.io.tmpdir={folder}" "-Dlog4j2.configurationFile={_silence(folder)}"'
    builder = SparkSession.builder.config("spark.local.dir", str(folder))
    builder = builder.config("spark.driver.extraJavaOptions", f"{java} -XX:-UsePerfData")
    for name, value in settings.items():
        builder = builder.config(name, value)
    try:
        with _temporary_files_in(folder):
            return builder.getOrCreate()
    except Exception as error:
        spill.remove()
        raise UsageError(
            f"the engine spark does not start; it needs Java 17 or later: {first_cause(error)}"
        ) from None


_LOG = """\
appender.none.type = Null
appender.none.name = none
rootLogger.level = off
rootLogger.appenderRef.none.ref = none
"""


def _silence(folder: Path) -> Path:
    """A new file that turns Java's log off."""
    file = folder / "log4j2.properties"
    file.write_text(_LOG, encoding="utf-8")
    return file


@contextmanager
def _temporary_files_in(folder: Path) -> Iterator[None]:
    """Make Python put its temporary files into a folder; starting Java needs some."""
    before = tempfile.tempdir
    tempfile.tempdir = str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before

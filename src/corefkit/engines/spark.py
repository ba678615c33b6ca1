"""Spark, classic or Connect: for what lives on a cluster. The extra is `corefkit[spark]`."""

import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corefkit.core.counts import PerDocument
from corefkit.core.incidents import DataError
from corefkit.core.options import UsageError
from corefkit.engines.base import (
    Columns,
    Setup,
    arrow_columns,
    engine_failure,
    first_cause,
    folder_columns,
    folder_pattern,
)
from corefkit.engines.spill import SpillFolder

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_PARTITIONS = 8
"""How many partitions shuffled data has for each thread of a local session."""


_PIECES = 20
"""A table is put together each time that this many pieces were appended."""


class Spark:
    """A session, our own (local) or one that was handed in."""

    name = "spark"

    def __init__(
        self,
        session: "SparkSession | None" = None,
        setup: Setup = Setup(),  # noqa: B008 (it is frozen)
    ) -> None:
        """Without a session the active one is used, or one is made that keeps to the setup."""
        try:
            from pyspark.sql import SparkSession
        except ImportError:
            raise UsageError(
                "the engine spark is not installed: pip install 'corefkit[spark]'"
            ) from None
        self._folder: SpillFolder | None = None
        session = session or SparkSession.getActiveSession()
        if session is None:
            settings = _settings(setup)
            self._folder = SpillFolder(setup.spill)
            session = _start(settings, self._folder)
        self._session = session
        self._frames: dict[str, DataFrame | None] = {}
        self._pieces: dict[str, int] = {}

    def define(self, name: str, source: Any, renamed: Mapping[str, str]) -> Columns:
        """A view over Parquet files (a list of paths), a DataFrame or an Arrow table."""
        ignored: list[str] = []
        try:
            if isinstance(source, Sequence) and not isinstance(source, str):
                frame, ignored = _files(self._session, list(map(str, source)))
            elif hasattr(source, "createOrReplaceTempView"):
                frame = source
            else:
                frame = self._session.createDataFrame(source)
        except Exception as error:
            raise DataError([engine_failure("spark", error)]) from None
        frame.createOrReplaceTempView(f"corefkit_{name}_source")
        self._frames[f"corefkit_{name}_source"] = None  # not ours: it stays cached if it is
        return Columns.of_source(frame.columns, renamed, f"the {name}", ignored)

    def decode(self, column: str) -> str:
        """The bytes of a column as text."""
        text = f"CAST({column} AS STRING)"
        shown = f"regexp_replace(hex({column}), '(..)', concat(chr(92), chr(92), 'x$1'))"
        return f"CASE WHEN is_valid_utf8({text}) THEN {text} ELSE {shown} END"

    def quote(self, column: str) -> str:
        """The column in backticks."""
        return "`" + column.replace("`", "``") + "`"

    def table(self, name: str, sql: str) -> None:
        """Compute a query now and cut its lineage, so that plans do not grow from step to step."""
        old = self._frames.pop(name, None)
        try:
            frame = self._session.sql(sql).localCheckpoint(eager=True)
        except Exception as error:
            raise DataError([engine_failure("spark", error)]) from None
        frame.createOrReplaceTempView(name)
        self._frames[name] = frame
        if old is not None:
            old.unpersist()

    def append(self, name: str, rows: Mapping[str, PerDocument]) -> None:
        """Put the arrays after the rows that are there; pieces are put together now and then."""
        import pyarrow

        old = self._frames.get(name)
        self._pieces[name] = self._pieces.get(name, 0) + 1
        try:
            frame = self._session.createDataFrame(pyarrow.table(dict(rows)))
            frame = frame.localCheckpoint(eager=True)
            if old is not None:
                frame = old.union(frame)
            if self._pieces[name] % _PIECES == 0:
                frame = frame.localCheckpoint(eager=True)
        except Exception as error:
            raise DataError([engine_failure("spark", error)]) from None
        frame.createOrReplaceTempView(name)
        self._frames[name] = frame

    def rows(self, sql: str) -> dict[str, Any]:
        """The result, through Arrow."""
        try:
            return arrow_columns(self._session.sql(sql).toArrow())
        except ImportError:
            raise UsageError(
                "the engine spark needs pyarrow: pip install 'corefkit[spark]'"
            ) from None
        except Exception as error:
            raise DataError([engine_failure("spark", error)]) from None

    def drop(self, *names: str) -> None:
        """Forget tables and what they hold."""
        for name in names:
            if name in self._frames:
                self._session.catalog.dropTempView(name)
                if (frame := self._frames.pop(name)) is not None:
                    frame.unpersist()

    def close(self) -> None:
        """Drop our tables; stop the session if it is our own."""
        self.drop(*list(self._frames))
        if self._folder:
            self._session.stop()
            self._folder.remove()


def _files(session: "SparkSession", paths: list[str]) -> "tuple[DataFrame, list[str]]":
    """The rows of these files, and the folders that are not columns: the files have them."""
    from pyspark.sql.functions import expr

    names = [path if "://" in path else _GLOB.sub(r"\\\g<0>", path) for path in paths]
    folders = folder_columns(paths)
    frame = session.read.option("recursiveFileLookup", "true").parquet(*names)
    ignored = [column for column in folders if column in frame.columns]
    for column in folders:
        if column not in ignored:
            pattern = folder_pattern(column).replace("\\", "\\\\")
            # The path is a URL, in which what the folder has encoded is encoded again. Spark itself
            # would take each byte of "%C3%A9" for a letter.
            path = _DECODED.format("_metadata.file_path")
            frame = frame.withColumn(
                column, expr(_DECODED.format(f"regexp_extract({path}, '{pattern}', 1)"))
            )
    return frame, ignored


_DECODED = "coalesce(try_url_decode(replace({0}, '+', '%2B')), {0})"
"""What is encoded by "%" only; what is not well encoded stays as it is."""


_GLOB = re.compile(r"[\\*?\[\]{},^]")
"""What has a meaning in names of files for Hadoop."""


def _settings(setup: Setup) -> dict[str, str]:
    """The settings of a session on this machine; UsageError for a size that cannot be read."""
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
        size = re.fullmatch(r"(\d+) ?([kmgt])(i?b)?", setup.memory.lower())
        if not size:
            raise UsageError(f"memory: {setup.memory!r} is not a size; write 4GB or 500MB")
        settings["spark.driver.memory"] = f"{size[1]}{size[2]}"
    return settings


def _start(settings: Mapping[str, str], spill: SpillFolder) -> "SparkSession":
    """A session that writes to this folder and to no other place, and no log at all."""
    folder = spill.path
    from pyspark.logger import PySparkLogger
    from pyspark.sql import SparkSession

    # What goes wrong is reported by an incident.
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
    """A file that turns Java's log off."""
    file = folder / "log4j2.properties"
    file.write_text(_LOG, encoding="utf-8")
    return file


@contextmanager
def _temporary_files_in(folder: Path) -> Iterator[None]:
    """Let Python make its temporary files in a folder; starting Java takes some."""
    before = tempfile.tempdir
    tempfile.tempdir = str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before

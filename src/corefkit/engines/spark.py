"""Spark, classic or Connect: for what lives on a cluster. The extra is `corefkit[spark]`."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.data.incidents import DataError, Incident, make_incident
from corefkit.data.options import UsageError
from corefkit.engines.base import Columns

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Spark:
    """A session, our own (local) or one that was handed in."""

    name = "spark"

    def __init__(
        self,
        session: "SparkSession | None" = None,
        *,
        memory: str | None = None,
        threads: int | None = None,
        spill: str | None = None,
    ) -> None:
        """Without a session one is made on this machine, with `memory` such as "4g"."""
        try:
            from pyspark.sql import SparkSession
        except ImportError:
            raise UsageError(
                "the engine spark is not installed: pip install 'corefkit[spark]'"
            ) from None
        self._own = session is None
        if session is None:
            builder = SparkSession.builder.master(f"local[{threads or '*'}]").appName("corefkit")
            builder = builder.config("spark.ui.enabled", "false")
            builder = builder.config("spark.ui.showConsoleProgress", "false")
            builder = builder.config("spark.log.level", "ERROR")
            if memory:
                builder = builder.config("spark.driver.memory", memory.lower().replace("gb", "g"))
            if spill:
                builder = builder.config("spark.local.dir", spill)
            session = builder.getOrCreate()
        self._session = session
        self._frames: dict[str, DataFrame] = {}

    def define(self, name: str, source: Any, renamed: Mapping[str, str]) -> Columns:
        """A view over Parquet files (a list of paths), a DataFrame or an Arrow table."""
        if isinstance(source, Sequence) and not isinstance(source, str):
            frame = self._session.read.parquet(*map(str, source))
        elif hasattr(source, "createOrReplaceTempView"):
            frame = source
        else:
            frame = self._session.createDataFrame(source)
        frame.createOrReplaceTempView(f"{name}_source")
        self._frames[f"{name}_source"] = frame
        return Columns.found(frame.columns, renamed, f"the {name}")

    def quote(self, column: str) -> str:
        """The column in backticks."""
        return "`" + column.replace("`", "``") + "`"

    def table(self, name: str, sql: str) -> None:
        """Compute a query now and cut its lineage, so that plans do not grow from step to step."""
        old = self._frames.pop(name, None)
        try:
            frame = self._session.sql(sql).localCheckpoint(eager=True)
        except Exception as error:
            raise DataError([_failed(error)]) from None
        frame.createOrReplaceTempView(name)
        self._frames[name] = frame
        if old is not None:
            old.unpersist()

    def rows(self, sql: str) -> dict[str, Any]:
        """The result through Arrow as numpy arrays."""
        try:
            found = self._session.sql(sql).toArrow()
        except ImportError:
            raise UsageError(
                "the engine spark needs pyarrow: pip install 'corefkit[spark]'"
            ) from None
        except Exception as error:
            raise DataError([_failed(error)]) from None
        return {
            name: np.asarray(found.column(name).to_numpy(zero_copy_only=False))
            for name in found.column_names
        }

    def drop(self, *names: str) -> None:
        """Forget tables and what they hold."""
        for name in names:
            frame = self._frames.pop(name, None)
            if frame is not None:
                self._session.catalog.dropTempView(name)
                frame.unpersist()

    def close(self) -> None:
        """Drop our tables; stop the session if it is our own."""
        self.drop(*list(self._frames))
        if self._own:
            self._session.stop()


def _failed(error: Exception) -> Incident:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return make_incident("engine-failed", "spark", reason=lines[0][:300])

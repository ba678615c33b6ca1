"""What an engine takes besides files, as types of what the objects can do: no library is imported.

A DuckDB relation, a Spark DataFrame (classic or Connect) and an Arrow table are an EngineTable; a
DuckDB connection and a Spark session are a Database.
"""

from typing import Any, Literal, Protocol

EngineName = Literal["auto", "memory", "duckdb", "spark"]


class Relation(Protocol):
    """A DuckDB relation."""

    def create_view(self, view_name: str, replace: bool = ...) -> Any:
        """Give it a name."""


class Frame(Protocol):
    """A Spark DataFrame."""

    def createOrReplaceTempView(self, name: str, /) -> Any:  # noqa: N802 (Spark's name)
        """Give it a name."""


class ArrowTable(Protocol):
    """An Arrow table, or what can be handed over as one."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The table, by the rules of Arrow's C interface."""


class Connection(Protocol):
    """A DuckDB connection."""

    def execute(self, query: Any, parameters: Any = ...) -> Any:
        """Run a statement."""

    def register(self, view_name: str, python_object: Any) -> Any:
        """Give a table a name."""


class Session(Protocol):
    """A Spark session."""

    @property
    def catalog(self) -> Any:
        """Its tables and views."""

    def sql(self, sqlQuery: str, /, *args: Any, **kwargs: Any) -> Any:  # noqa: N803 (Spark's name)
        """The result of a query, as a DataFrame."""


EngineTable = Relation | Frame | ArrowTable
Database = Connection | Session

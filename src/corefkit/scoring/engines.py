"""Engines, which count elsewhere than in memory: what a plug-in must bring, and which one is asked.

A plug-in names its engines in the entry points `corefkit.engines`; each leads to an EnginePlugin.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import field, replace
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.entry_points import find, ours
from corefkit.core.options import PLAIN_SIDES, Options, Readings, UsageError, did_you_mean

if TYPE_CHECKING:
    from corefkit.scorers.documents import Documents
    from corefkit.scoring.report import Report


@frozen
class Setup:
    """The engine, and its limits.

    The limits are for an engine that corefkit starts; one that is passed in has its own, except for
    `spill` with a Spark session.

    Attributes:
        engine: "auto", "memory", the name of an engine, a DuckDB connection or a Spark session.
        columns: the names of the columns of the sources, e.g. {"mention": "token_id"}.
        counts: a Parquet file to which the counts of each document are written.
        memory: the memory limit, such as "4GB".
        threads: the number of threads.
        spill: the folder in which the spill folder is made, for data that does not fit into
            memory. With a Spark session that is passed in: a path or URL that all executors see,
            in which all tables of the run are stored, so that none is lost with an executor.
        readings: how the two sides are read; an engine knows the options `columns` and `missing`.
    """

    engine: "str | Database" = "auto"
    columns: Mapping[str, str] = field(default_factory=dict)
    counts: str | None = field(default=None, kw_only=True)
    memory: str | None = field(default=None, kw_only=True)
    threads: int | None = field(default=None, kw_only=True)
    spill: str | None = field(default=None, kw_only=True)
    readings: Readings = field(default=PLAIN_SIDES, kw_only=True)

    @property
    def limits(self) -> tuple[str, ...]:
        """The names of the limits that were given."""
        return tuple(name for name in LIMITS if getattr(self, name) is not None)


FORMATS = ("parquet", "mention-table")
"""The formats that engines read."""

LIMITS = ("memory", "threads", "spill")
"""What can be said about an engine that corefkit starts."""


def parse_engine(text: str) -> Setup:
    """The setup that a text such as "duckdb:memory=4GB,threads=4,spill=DIR" means.

    >>> parse_engine("duckdb:threads=4,spill=/tmp/a,b").spill
    '/tmp/a,b'

    Raises UsageError for what is not one.
    """
    name, colon, said = text.partition(":")
    limits: dict[str, Any] = {}
    for part in re.split(r",(?=[a-z]+=)", said) if colon else ():
        limit, _, value = part.partition("=")
        if limit not in LIMITS:
            near = did_you_mean(limit, LIMITS) or f"; choose from {', '.join(LIMITS)}"
            raise UsageError(f"engine: unknown limit {limit!r:.60}{near}")
        if not value:
            raise UsageError(f"engine: {limit} has no value; write e.g. {name}:memory=4GB")
        if limit == "threads" and not (value.isascii() and value.isdigit() and int(value)):
            raise UsageError(f"engine: threads: {value!r:.60} is not a positive whole number")
        limits[limit] = int(value) if limit == "threads" else value
    return Setup(name, **limits)


class Relation(Protocol):
    """A DuckDB relation."""

    def create_view(self, view_name: str, replace: bool = ...) -> Any:
        """Give it a name."""


class Frame(Protocol):
    """A Spark DataFrame."""

    def createOrReplaceTempView(self, name: str, /) -> Any:  # noqa: N802 (Spark's name)
        """Give it a name."""


class ArrowTable(Protocol):
    """An Arrow table, or anything with Arrow's C interface."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The table, as a stream of Arrow's C interface."""


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
"""What an engine takes besides files; these are protocols, so that no library is imported."""

Database = Connection | Session
"""An engine that is passed in."""


class EnginePlugin(NamedTuple):
    """What an entry point of an engine leads to.

    Attributes:
        is_for: a setup, the sources (the key first), the options and the documents → whether it
            counts them; UsageError for what it would have to count but cannot.
        open: a setup and the sources → the engine, which is closed at the end.
        score: the engine, the key, the responses, the options and the setup → the report.
    """

    is_for: "Callable[[Setup, Sequence[Any], Options, Documents], bool]"
    open: Callable[[Setup, Sequence[Any]], AbstractContextManager[Any]]
    score: "Callable[[Any, Any, Sequence[Any], Options, Setup], Report]"


def engine_for(
    setup: Setup, sources: Sequence[Any], options: Options, documents: "Documents" = "all"
) -> EnginePlugin | None:
    """The engine that counts these sources: the named one, or one that is for them; None for none.

    UsageError where there is no engine of this name.
    """
    name = setup.engine
    if name == "memory":
        return None
    if isinstance(name, str) and name != "auto":
        named = find("engines", name)
        if named is None:
            known = ", ".join(("auto", "memory", *ours("engines")))
            raise UsageError(f"engine: unknown value {name!r}; choose from {known}")
        engines = [named]
    else:
        engines = [find("engines", known) for known in ours("engines")]
    return next((e for e in engines if e.is_for(setup, sources, options, documents)), None)


def is_table(source: Any) -> bool:
    """Whether a source is a table (a relation, a DataFrame, …) and not a path or a corpus."""
    return not isinstance(source, str | PathLike | Corpus)


def make_setup(
    engine: Any, columns: Mapping[str, str] | None = None, readings: Readings = PLAIN_SIDES
) -> Setup:
    """The setup of a text (`parse_engine`), a connection, a session, a Setup, or None: "auto"."""
    if engine is None or isinstance(engine, str):
        engine = parse_engine(engine or "auto")
    setup = engine if isinstance(engine, Setup) else Setup(engine)
    return replace(setup, columns={**setup.columns, **(columns or {})}, readings=readings)


def report_of_engine(
    sources: tuple[Any, Any], options: Options, setup: Setup, documents: "Documents" = "all"
) -> "Report | None":
    """The report of a run on an engine; None where the sides are to be scored in memory."""
    if setup.columns:
        named = ",".join(f"{name}={column}" for name, column in setup.columns.items())
        options = replace(options, read=(f"columns={named}",))
    if found := engine_for(setup, sources, options, documents):
        with found.open(setup, sources) as opened:
            return found.score(opened, sources[0], [sources[1]], options, setup)
    if setup.limits or setup.counts:
        raise UsageError(f"limits need an engine: engine={_one_of_ours()}")
    if any(map(is_table, sources)):
        raise UsageError(f"tables need an engine: engine={_one_of_ours()}")
    return None


def _one_of_ours() -> str:
    return " or ".join(f'"{name}"' for name in ours("engines"))

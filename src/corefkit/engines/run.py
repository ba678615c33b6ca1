"""Counting on an engine: from sources to counts by document."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from time import perf_counter
from typing import Any, cast

from corefkit import metrics
from corefkit.core.carriers import frozen
from corefkit.core.counts import Size
from corefkit.core.incidents import DataError, Incident, errors, failure_as_incident, make_incident
from corefkit.core.options import Options, UsageError
from corefkit.engines.base import ENGINES, Engine, single_row
from corefkit.engines.base import Setup as Setup  # noqa: PLC0414 (users import it here)
from corefkit.engines.counting import TABLES, StageProgress, count_tables, make_tables
from corefkit.engines.counts_table import CountsTable, EngineCounts
from corefkit.engines.sides import EngineSide, check_alike, drop_singletons, load_side

_NEEDED = {
    "match": ("exact",),
    "duplicates": ("first", "error"),
    "singletons": ("keep", "drop"),
    "missing": ("empty", "error"),
    "average": ("micro",),
    "split": ("keep", "drop"),
    "cross": ("split",),
}
"""The policies that an engine knows; others are for memory."""


@frozen
class CountedResponse:
    """One response on an engine; `counts` is None where it could not be counted."""

    counts: EngineCounts | None
    size: Size
    incidents: tuple[Incident, ...]


@frozen
class EngineCounter:
    """Counts responses on one engine, with one set of options."""

    engine: Engine
    options: Options
    columns: Mapping[str, str] = field(default_factory=dict)
    progress: StageProgress = lambda stage: None

    def count(self, key: Any, responses: Sequence[Any]) -> tuple[Size, list[CountedResponse]]:
        """The counts of several responses against one key, and the key's size.

        Raises DataError where the key cannot be counted.
        """
        check_options(self.options, self.engine.name)
        size = Size(0, 0, 0)
        results: list[CountedResponse] = []
        for response in responses:
            key_side = self._load("key", key)
            try:
                table = CountsTable(self.engine, f"corefkit_counts_{len(results)}")
                with failure_as_incident(_file_of(response)):
                    size, counted = self._count_one(response, key_side, table)
            except DataError as error:
                counted = CountedResponse(None, Size(0, 0, 0), error.incidents)
            if not results:
                incidents = (*key_side.incidents, *counted.incidents)
                counted = replace(counted, incidents=incidents)
            results.append(counted)
        return size, results

    def _load(self, side: str, source: Any) -> EngineSide:
        """Make the table of a side."""
        self.progress(f"reading the {side}")
        return load_side(self.engine, side, source, self.options, self.columns)

    def _count_one(
        self, response: Any, key: EngineSide, table: CountsTable
    ) -> tuple[Size, CountedResponse]:
        response_side = self._load("response", response)
        check_alike(key, response_side)
        common, unpaired = _pair_documents(self.engine, self.options)
        incidents = [*response_side.incidents, *unpaired]
        if errors(incidents):
            raise DataError(incidents)
        if self.options.singletons == "drop":
            for side in ("key", "response"):
                drop_singletons(self.engine, side)
        key_size, size = make_tables(self.engine, self.progress)
        count_tables(self.engine, self.options.metrics, table, key_size.documents, self.progress)
        self.engine.drop(*TABLES)
        # A document that has lost all its mentions is still one of the response.
        size = size._replace(documents=common)
        return key_size, CountedResponse(EngineCounts(table), size, tuple(incidents))


def check_options(options: Options, engine: str) -> None:
    """Raise UsageError for what only memory can do."""
    for policy, known in _NEEDED.items():
        value = getattr(options, policy)
        if value not in known:
            raise UsageError(
                f"{policy} {value} needs the mentions themselves, not only counts: score in "
                f"memory (--engine memory); the engine {engine} knows {', '.join(known)}"
            )
    if options.profile != "standard":
        raise UsageError(f"the profile {options.profile} works in memory only: use --engine memory")
    for name in metrics.counted(options.metrics):
        if name not in ON_ENGINES:
            raise UsageError(
                f"{name} works in memory only: use --engine memory; engines know "
                f"{', '.join(ON_ENGINES)} and conll"
            )


ON_ENGINES = (
    *("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea", "links", "pairs"),
    *("clusters", "purity", "ari", "vmeasure", "vi", "gmd"),
    *("pairs_sample", "bcub_sample", "clusters_sample"),
)
"""What engines count: metrics that see sizes of entities and numbers of common mentions only."""


@contextmanager
def open_engine(setup: Setup) -> Iterator[Engine]:
    """The engine of a setup, closed at the end."""
    engine = make_engine(setup)
    try:
        yield engine
    finally:
        engine.close()


def make_engine(setup: Setup) -> Engine:
    """An engine by its name, or around a connection or session that was handed in."""
    named, given = isinstance(setup.engine, str), cast(Any, setup.engine)
    if given == "spark" or (hasattr(given, "catalog") and hasattr(given, "sql")):
        from corefkit.engines.spark import Spark

        return Spark(None if named else given, setup)
    if named or (hasattr(given, "execute") and hasattr(given, "register")):
        from corefkit.engines.duckdb import DuckDB

        return DuckDB(None if named else given, setup)
    raise UsageError(
        f"engine: {type(given).__name__} is neither one of {', '.join(ENGINES)} nor a DuckDB "
        "connection nor a Spark session"
    )


def _pair_documents(engine: Engine, options: Options) -> tuple[int, list[Incident]]:
    """How many documents both sides have, and incidents about those of one side only.

    Their severity is as the policies say; no document in common is an error.
    """
    row = single_row(
        engine,
        "SELECT count(k.document) AS of_key, count(r.document) AS of_response, "
        "count(CASE WHEN k.document = r.document THEN 1 END) AS common, "
        "min(CASE WHEN r.document IS NULL THEN k.document END) AS key_example, "
        "min(CASE WHEN k.document IS NULL THEN r.document END) AS response_example "
        "FROM corefkit_key_listed k FULL OUTER JOIN corefkit_response_listed r "
        "ON k.document = r.document",
    )
    common = int(row["common"])
    if not common:
        expected = "the documents of the key, under the same names"
        return 0, [make_incident("no-common-document", expected=expected)]
    incidents = []
    for kind, side, policy in (
        ("document-missing", "key", options.missing),
        ("document-extra", "response", options.extra),
    ):
        if number := int(row[f"of_{side}"]) - common:
            incidents.append(
                make_incident(
                    kind,
                    "counted",
                    severity="error" if policy == "error" else "warning",
                    number=number,
                    document=str(row[f"{side}_example"]),
                )
            )
    return common, incidents


def _file_of(source: Any) -> str | None:
    """The file of a side; a table or relation has none."""
    return os.fspath(source) if isinstance(source, str | os.PathLike) else None


class StageLines:
    """Prints a line for each stage and how long it took, on a terminal only."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._shown = sys.stderr.isatty()

    def __call__(self, stage: str) -> None:
        """A stage begins, and the one before is over."""
        self.end()
        if self._shown:
            self._since = perf_counter()
            sys.stderr.write(f"{stage} …")
            sys.stderr.flush()

    def end(self) -> None:
        """The stage is over."""
        if self._since is not None:
            sys.stderr.write(f" {perf_counter() - self._since:.1f} s\n")
            self._since = None

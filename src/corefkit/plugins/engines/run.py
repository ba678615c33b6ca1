"""Counting on an engine: from sources to counts by document."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from typing import Any, NamedTuple, cast

from corefkit import metrics
from corefkit.core.carriers import frozen
from corefkit.core.counts import Size
from corefkit.core.entry_points import ours
from corefkit.core.incidents import DataError, Incident, failure_as_incident
from corefkit.core.options import Options, UsageError
from corefkit.metrics.base import PartitionMetric
from corefkit.plugins.engines.across import (
    EngineLevels,
    check_ids,
    count_reaches,
    find_levels,
    group_side,
)
from corefkit.plugins.engines.base import SIDES, Engine
from corefkit.plugins.engines.base import Setup as Setup  # noqa: PLC0414 (users import it here)
from corefkit.plugins.engines.counting import (
    CountsTable,
    EngineCounts,
    StageProgress,
    count_edges,
    make_edges,
    measure,
)
from corefkit.plugins.engines.sides import EngineSide, load_key, load_response, settled_table
from corefkit.scoring.parts import Part

_NEEDED = {
    "match": ("exact",),
    "duplicates": ("first", "error"),
    "singletons": ("keep", "drop"),
    "average": ("micro",),
    "split": ("keep", "drop"),
    "ids": ("any",),
    "align": ("auto", "characters"),
}
"""Policy → the values that engines support; others need memory."""

_OF_MENTIONS = {"labels": "labels", "leave_out": "leave-out"}
"""Options that depend on attributes of single mentions → their names in messages."""


class CountedLevel(NamedTuple):
    """A response at one level across documents, and the sizes of both sides there."""

    level: str
    key: Size
    response: Size
    counts: EngineCounts


@frozen
class CountedResponse:
    """One response on an engine; `counts` is None where it could not be counted.

    Across documents they are those of the last of the `levels`, and `reaches` are links.
    """

    counts: EngineCounts | None
    size: Size
    incidents: tuple[Incident, ...]
    levels: tuple[CountedLevel, ...] = ()
    reaches: tuple[Part[Any], ...] = ()


@frozen
class EngineCounter:
    """Counts responses on one engine, with one set of options.

    Attributes:
        engine: the engine.
        options: metrics and policies.
        columns: the names of the columns of the sources.
        progress: called with the name of each stage when it begins.
        find: a source → the files, relation, frame or table that the engine reads.
    """

    engine: Engine
    options: Options
    columns: Mapping[str, str] = field(default_factory=dict)
    progress: StageProgress = lambda stage: None
    find: Callable[[Any], Any] = lambda source: source

    def count(self, key: Any, responses: Sequence[Any]) -> tuple[Size, list[CountedResponse]]:
        """The counts of several responses against one key, and the key's size.

        The key is loaded once. Raises DataError where it cannot be counted.
        """
        check_options(self.options, self.engine.name)
        self.progress("reading the key")
        key_side = load_key(self.engine, self.find(key), self.options, self.columns)
        levels = None
        if self.options.across:
            levels, noticed = self._find_levels(_file_of(key), key_side.documents)
            key_side.incidents.extend(noticed)
        size = measure(self.engine, "key")._replace(documents=key_side.documents)
        results: list[CountedResponse] = []
        for response in responses:
            last = len(results) == len(responses) - 1
            name = f"corefkit_counts_{len(results)}"
            try:
                with failure_as_incident(_file_of(response)):
                    if levels is not None:
                        counted = self._count_levels(response, key_side, name, levels)
                    else:
                        counted = self._count_one(response, key_side, name, last=last)
            except DataError as error:
                counted = CountedResponse(None, Size(0, 0, 0), error.incidents)
            if not results:
                incidents = (*key_side.incidents, *counted.incidents)
                counted = replace(counted, incidents=incidents)
            results.append(counted)
        self.engine.drop("corefkit_key", "corefkit_key_entities", "corefkit_topics")
        self.engine.drop(*(settled_table(side) for side in SIDES))
        return size, results

    def _count_one(
        self, response: Any, key: EngineSide, name: str, *, last: bool
    ) -> CountedResponse:
        engine, table = self.engine, CountsTable(self.engine, name)
        self.progress("reading the response")
        side = load_response(engine, self.find(response), key, self.options, self.columns)
        # Documents that have lost all their mentions still count.
        size = measure(engine, "response")._replace(documents=side.documents)
        make_edges(engine, key.named, last=last, progress=self.progress)
        count_edges(engine, self.options, table, key.documents, self.progress)
        return CountedResponse(EngineCounts(table), size, tuple(side.incidents))

    def _find_levels(self, file: str | None, documents: int) -> tuple[EngineLevels, list[Incident]]:
        """The levels; the key is made ready for the widest, which says how large it is."""
        names = CountsTable(self.engine, "").names() if documents else ()
        levels = find_levels(self.engine, self.options, names)
        group_side(self.engine, "key", levels.scored[-1], self.options)
        return levels, check_ids(self.engine, "key", file)

    def _count_levels(
        self, response: Any, key: EngineSide, name: str, levels: EngineLevels
    ) -> CountedResponse:
        engine, options = self.engine, self.options
        self.progress("reading the response")
        side = load_response(engine, self.find(response), key, options, self.columns)
        incidents = (*side.incidents, *check_ids(engine, "response", _file_of(response)))
        rows = []
        for level in levels.scored:
            for one in SIDES:
                group_side(engine, one, level, options)
            groups = key.documents if level.groups is None else len(level.groups)
            ours, theirs = (measure(engine, one)._replace(documents=groups) for one in SIDES)
            make_edges(engine, True, last=True, progress=self.progress)
            table = CountsTable(engine, f"{name}_{level.name}", level.groups)
            count_edges(engine, options, table, groups, self.progress)
            rows.append(CountedLevel(level.name, ours, theirs, EngineCounts(table)))
        self.progress("links")
        reaches = count_reaches(engine, levels)
        widest = rows[-1]
        size = widest.response._replace(documents=side.documents)
        return CountedResponse(widest.counts, size, incidents, tuple(rows), reaches)


def check_options(options: Options, engine: str) -> None:
    """Raise UsageError for options that engines do not support."""
    for policy, known in _NEEDED.items():
        value = getattr(options, policy)
        if value not in known:
            raise UsageError(
                f"{policy} {value} needs the mentions themselves, not only counts: score in "
                f"memory (--engine memory); the engine {engine} supports {', '.join(known)}"
            )
    for option, name in _OF_MENTIONS.items():
        if getattr(options, option):
            raise UsageError(
                f"{name}: engines do not read attributes of mentions: use --engine memory"
            )
    if options.profile != "standard":
        raise UsageError(f"the profile {options.profile} works in memory only: use --engine memory")
    for name in metrics.counted(options.metrics):
        if not isinstance(metrics.get(name), PartitionMetric):
            raise UsageError(
                f"{name} works in memory only: use --engine memory; engines support metrics of "
                f"entities, such as {', '.join(_COREFERENCE)} and conll"
            )


_COREFERENCE = ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea", "links")
ON_ENGINES = (*_COREFERENCE, *metrics.OLD_VARIANTS, *ours("metrics"))
"""Our metrics of entities, which engines count like those of other packages."""


@contextmanager
def open_engine(setup: Setup) -> Iterator[Engine]:
    """The engine of a setup, closed at the end."""
    engine = make_engine(setup)
    try:
        yield engine
    finally:
        engine.close()


def make_engine(setup: Setup) -> Engine:
    """An engine by its name, or for a connection or session that was passed in."""
    named, given = isinstance(setup.engine, str), cast(Any, setup.engine)
    if given == "spark" or (hasattr(given, "catalog") and hasattr(given, "sql")):
        from corefkit.plugins.engines.spark import Spark

        return Spark(None if named else given, setup)
    if named or (hasattr(given, "execute") and hasattr(given, "register")):
        from corefkit.plugins.engines.duckdb import DuckDB

        return DuckDB(None if named else given, setup)
    raise UsageError(
        f"engine: {type(given).__name__} is neither one of auto, memory, duckdb, spark nor a "
        "DuckDB connection nor a Spark session"
    )


def _file_of(source: Any) -> str | None:
    """The file of a side; a table or relation has none."""
    return os.fspath(source) if isinstance(source, str | os.PathLike) else None

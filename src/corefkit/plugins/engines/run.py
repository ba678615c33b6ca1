"""Counting on an engine: from sources to counts by document."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, cast

from corefkit import metrics
from corefkit.core import progress
from corefkit.core.carriers import frozen
from corefkit.core.counts import Counts, Size
from corefkit.core.entry_points import ours
from corefkit.core.incidents import DataError, Incident, failure_as_incident
from corefkit.core.options import Options, UsageError
from corefkit.metrics.base import PartitionMetric
from corefkit.plugins.engines.across import (
    DOCUMENTS,
    EngineLevels,
    check_ids,
    count_reaches,
    find_levels,
    group_side,
)
from corefkit.plugins.engines.base import SIDES, Engine, SourceReading
from corefkit.plugins.engines.base import Setup as Setup  # noqa: PLC0414 (users import it here)
from corefkit.plugins.engines.counting import count_edges, make_edges, measure
from corefkit.plugins.engines.mistakes import likely_mistakes
from corefkit.plugins.engines.sides import EngineSide, load_key, load_response, settled_table
from corefkit.scoring.parts import ACROSS, Part, PartSize
from corefkit.scoring.scores import Scores

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


@frozen
class CountedResponse:
    """One response on an engine; `counts` is None where it could not be counted.

    Across documents they are those of the last of the `levels`, and `reaches` are links.
    """

    counts: Counts | None
    size: Size
    incidents: tuple[Incident, ...]
    levels: tuple[Part[Scores], ...] = ()
    reaches: tuple[Part[Any], ...] = ()


@frozen
class EngineCounter:
    """Counts responses on one engine, with one set of options.

    Attributes:
        engine: the engine.
        options: metrics and policies.
        of_key, of_response: how the cells of the sources are read.
        find: a source → the files, relation, frame or table that the engine reads.
    """

    engine: Engine
    options: Options
    of_key: SourceReading = SourceReading()
    of_response: SourceReading = SourceReading()
    find: Callable[[Any], Any] = lambda source: source

    def count(self, key: Any, responses: Sequence[Any]) -> tuple[Size, list[CountedResponse]]:
        """The counts of several responses against one key, and the key's size.

        The key is loaded once. Raises DataError where it cannot be counted.
        """
        check_options(self.options, self.engine.name)
        progress.at("reading the key")
        engine, options = self.engine, self.options
        key_side = load_key(engine, self.find(key), options, self.of_key)
        listed = engine.rows("SELECT document FROM corefkit_documents ORDER BY number")
        names = tuple(map(str, listed["document"].tolist()))
        levels = None
        if options.across:
            levels = find_levels(engine, options, names)
            group_side(engine, "key", levels.scored[-1], options)  # of which the size is told
            key_side.incidents.extend(check_ids(engine, "key", _file_of(key)))
        size = measure(engine, "key")._replace(documents=len(names))
        results: list[CountedResponse] = []
        for response in responses:
            last = len(results) == len(responses) - 1
            try:
                with failure_as_incident(_file_of(response)):
                    side = self._load(response, key_side)
                    files = _file_of(key) or "", _file_of(response) or ""
                    if levels is not None:
                        counted = self._count_levels(files, side, names, levels)
                    else:
                        counted = self._count_one(side, names, files, last=last)
            except DataError as error:
                counted = CountedResponse(None, Size(0, 0, 0), error.incidents)
            if not results:
                incidents = (*key_side.incidents, *counted.incidents)
                counted = replace(counted, incidents=incidents)
            results.append(counted)
        engine.drop("corefkit_key", "corefkit_key_entities", "corefkit_topics")
        engine.drop(*(settled_table(side) for side in SIDES))
        return size, results

    def _load(self, response: Any, key: EngineSide) -> EngineSide:
        progress.at("reading the response")
        return load_response(self.engine, self.find(response), key, self.options, self.of_response)

    def _count_one(
        self, side: EngineSide, names: tuple[str, ...], files: tuple[str, str], *, last: bool
    ) -> CountedResponse:
        # Documents that have lost all their mentions still count.
        size = measure(self.engine, "response")._replace(documents=side.documents)
        mistakes: list[Incident] = []

        def notice() -> None:
            mistakes.extend(likely_mistakes(self.engine, side, names, files))

        make_edges(self.engine, last=last, noticed=notice)
        counts = count_edges(self.engine, self.options, names)
        return CountedResponse(counts, size, (*side.incidents, *mistakes))

    def _count_levels(
        self,
        files: tuple[str, str],
        side: EngineSide,
        names: tuple[str, ...],
        levels: EngineLevels,
    ) -> CountedResponse:
        engine, options = self.engine, self.options
        incidents = (*side.incidents, *check_ids(engine, "response", files[1] or None))
        for one in SIDES:
            group_side(engine, one, DOCUMENTS, options)
        mistakes: list[Incident] = []

        def notice() -> None:
            mistakes.extend(likely_mistakes(engine, side, names, files))

        make_edges(engine, last=True, noticed=notice)
        parts = []
        for level in levels.scored:
            groups = names if level.groups is None else level.groups
            for one in SIDES:
                group_side(engine, one, level, options)
            key_sides, response_sides = (
                measure(engine, one)._replace(documents=len(groups)) for one in SIDES
            )
            make_edges(engine, last=True)
            scores = Scores(options, count_edges(engine, options, groups))
            sizes = PartSize.of(key_sides), PartSize.of(response_sides)
            parts.append(Part(((ACROSS, level.name),), scores, *sizes))
        progress.at("links")
        reaches = count_reaches(engine, levels)
        widest = response_sides._replace(documents=side.documents)
        told = (*incidents, *mistakes)
        return CountedResponse(parts[-1].scores.counts, widest, told, tuple(parts), reaches)


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
def open_engine(setup: Setup, sources: Sequence[Any] = ()) -> Iterator[Engine]:
    """The engine of a setup, closed at the end; `auto` is the session of DataFrames of Spark."""
    if setup.engine == "auto" and sources and hasattr(sources[0], "sparkSession"):
        setup = replace(setup, engine=sources[0].sparkSession)
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

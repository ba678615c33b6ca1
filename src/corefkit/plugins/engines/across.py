"""Levels across documents on an engine: groups of documents take the place of documents.

Repeated mentions are settled in their documents before (`corefkit_SIDE_settled`). At each level the
document of a mention is its group, and its own document is a part of the mention; everything else
is counted as ever. The topics of documents are found by the same code as in memory, from the names
of the key's documents.
"""

from typing import Any, NamedTuple

import numpy as np

from corefkit.core.columns import Column
from corefkit.core.incidents import Incident, make_incident
from corefkit.core.options import Options
from corefkit.plugins.engines.base import SIDES, Engine, single_row
from corefkit.plugins.engines.counting import wide
from corefkit.plugins.engines.sides import number_entities, settled_table
from corefkit.scorers.levels import CORPUS, MANY, topics_of_names
from corefkit.scoring.level_scores import reach_part
from corefkit.scoring.parts import Part

_TOPICS = "corefkit_topics"


class EngineLevel(NamedTuple):
    """A level: the group of a document as SQL, and the names of the groups; None for documents."""

    name: str
    group: str
    groups: tuple[str, ...] | None


DOCUMENTS = EngineLevel("none", "document", None)


class EngineLevels(NamedTuple):
    """The levels that are scored, the widest last; and those by which links are told apart."""

    scored: tuple[EngineLevel, ...]
    reaches: tuple[EngineLevel, ...]


def find_levels(engine: Engine, options: Options, names: tuple[str, ...]) -> EngineLevels:
    """The levels of the options, given the names of the key's documents; DataError as in memory."""
    known = {"none": DOCUMENTS}
    topics = topics_of_names(options, names, None, None)
    reaches = [known["none"]]
    if topics is not None:
        column = Column.of(topics)
        engine.load(_TOPICS, {"number": np.arange(len(names)), "topic": column.code})
        known["topic"] = EngineLevel("topic", "topic", column.values)
        if len(column.values) > 1 or "topic" in options.across:
            reaches.append(known["topic"])
    known[CORPUS] = EngineLevel(CORPUS, "CAST(0 AS BIGINT)", (CORPUS,))
    if CORPUS in options.across:
        reaches.append(known[CORPUS])
    return EngineLevels(tuple(known[name] for name in options.across), tuple(reaches))


def _joined(table: str, level: EngineLevel) -> str:
    """A table whose rows have documents, with their topics where the level wants them."""
    return (
        f"{table} s JOIN {_TOPICS} t ON s.document = t.number" if level.name == "topic" else table
    )


def group_side(engine: Engine, side: str, level: EngineLevel, options: Options) -> None:
    """Make `corefkit_SIDE` and its entities of a level."""
    mention = "mention" if level.name == "none" else engine.pair("document", "mention")
    engine.table(
        f"corefkit_{side}",
        f"SELECT {level.group} AS document, {mention} AS mention, entity "
        f"FROM {_joined(settled_table(side), level)}",
    )
    number_entities(engine, side, options)


def count_reaches(engine: Engine, levels: EngineLevels) -> tuple[Part[Any], ...]:
    """How many links of each reach there are; those of the narrower ones are taken off."""
    for side in SIDES:
        engine.table(
            f"corefkit_{side}_pieces",
            f"SELECT document, entity, count(*) AS n FROM {settled_table(side)} "
            "GROUP BY document, entity",
        )
    engine.table(
        "corefkit_common_pieces",
        "SELECT k.document, k.entity AS entity, r.entity AS other, count(*) AS n "
        f"FROM {settled_table('key')} k JOIN {settled_table('response')} r "
        "ON k.document = r.document AND k.mention = r.mention "
        "GROUP BY k.document, k.entity, r.entity",
    )
    reaches, narrower = [], np.zeros(3, dtype=object)
    for level in levels.reaches:
        within = np.array(
            [
                _links_within(engine, level, f"corefkit_{what}_pieces", whole)
                for what, whole in (
                    *((side, "entity") for side in SIDES),
                    ("common", "entity, other"),
                )
            ],
            dtype=object,
        )
        reach = "document" if level.name == "none" else level.name
        reaches.append(reach_part(reach, *(within - narrower).tolist()))
        narrower = within
    engine.drop(*(f"corefkit_{what}_pieces" for what in (*SIDES, "common")))
    return tuple(reaches)


def _links_within(engine: Engine, level: EngineLevel, pieces: str, whole: str) -> int:
    """How many links wholes have within groups."""
    row = single_row(
        engine,
        f"SELECT CAST(coalesce(sum({wide('size')} * {wide('size - 1')}), 0) AS STRING) AS twice "
        f"FROM (SELECT CAST(sum(n) AS BIGINT) AS size FROM (SELECT {level.group} AS part, {whole}, "
        f"n FROM {_joined(pieces, level)}) AS p GROUP BY part, {whole}) AS sizes",
    )
    return int(row["twice"]) // 2


def check_ids(engine: Engine, side: str, file: str | None) -> list[Incident]:
    """A warning where most documents of a side seem to number their own entities, as in memory."""
    digits = "regexp_extract(CAST(entity AS STRING), '^[^0-9]*([0-9]{1,18})$', 1)"
    begins = ", ".join(
        f"count(CASE WHEN lowest = {first} THEN 1 END) AS begins_{first}, "
        f"count(CASE WHEN lowest = {first} AND highest - lowest + 1 = n THEN 1 END) AS all_{first}"
        for first in (0, 1)
    )
    row = single_row(
        engine,
        f"SELECT count(*) AS documents, coalesce(sum(others), 0) AS others, {begins} FROM ("
        "SELECT document, count(*) AS n, min(label) AS lowest, max(label) AS highest, "
        "count(CASE WHEN label IS NULL THEN 1 END) AS others FROM ("
        f"SELECT DISTINCT document, CAST(nullif({digits}, '') AS BIGINT) AS label, entity "
        f"FROM {settled_table(side)}) AS labels GROUP BY document) AS numbered",
    )
    documents = int(row["documents"])
    if int(row["others"]):
        return []
    for first in (0, 1):
        number = int(row[f"begins_{first}"])
        number = number if number >= MANY else int(row[f"all_{first}"])
        if number > 1 and 2 * number >= documents:
            return [
                make_incident("ids-local", file=file, number=number, all=documents, first=first)
            ]
    return []

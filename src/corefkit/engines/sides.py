"""The two sides as tables: nulls refused, repeated mentions settled, policies applied."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.incidents import DataError, Incident, data_error, make_incident
from corefkit.core.nodes import first_copies, repeated_spans
from corefkit.core.options import Options
from corefkit.core.source import Column
from corefkit.engines.base import LARGEST_OFFSET, Columns, Engine, single_row
from corefkit.formats import corpus_of_values, place_values

MOST_SETTLED = 5_000_000
"""Copies are settled where the entities that have any hold at most this many mentions."""


class EngineSide(NamedTuple):
    """A side that is a table.

    `named` says whether its source has documents; `mentions` is what a mention is there: "start
    and end", or the type of the column.
    """

    named: bool
    mentions: str
    incidents: list[Incident]


_BYTES = ("blob", "binary")
"""What DuckDB and Spark call columns of bytes."""


def load_side(
    engine: Engine, side: str, source: Any, options: Options, renamed: Mapping[str, str]
) -> EngineSide:
    """Make the table of a side: document, mention, entity, each mention once.

    `corefkit_SIDE_listed` becomes the table of its documents, those without mentions included.
    """
    columns = engine.define(side, source, renamed)
    types, without = _check(engine, side, columns)

    def value(name: str) -> str:
        """A column in which −0.0 is 0.0: databases group them apart and join them."""
        column = engine.quote(getattr(columns, name))
        if types[name].lower() not in _FRACTIONS:
            return column
        return f"CASE WHEN {column} = 0 THEN 0 ELSE {column} END"

    document = "''"
    if columns.document:
        is_bytes = types["document"].lower() in _BYTES
        shown = engine.decode(value("document")) if is_bytes else value("document")
        document = f"CAST({shown} AS STRING)"
    mention = value("mention") if columns.mention else _span(engine, columns)
    empty = _empty(engine, columns)
    engine.table(
        f"corefkit_{side}",
        f"SELECT {document} AS document, {mention} AS mention, "
        f"{value('entity')} AS entity FROM corefkit_{side}_source WHERE NOT {empty}",
    )
    listed = f"SELECT DISTINCT document FROM corefkit_{side}"
    if without:
        listed += f" UNION SELECT {document} FROM corefkit_{side}_source WHERE {empty}"
    engine.table(f"corefkit_{side}_listed", listed)
    incidents = [
        make_incident("folder-ignored", "side", severity="warning", side=side, name=name)
        for name in columns.ignored
    ]
    incidents += _settle(engine, side, options)
    return EngineSide(columns.document is not None, types.get("mention", _OFFSETS), incidents)


def check_alike(key: EngineSide, response: EngineSide) -> None:
    """DataError where documents or mentions of the two sides cannot be compared."""
    if key.named != response.named:
        raise data_error(
            "column-missing",
            "one-side",
            side="key" if key.named else "response",
            expected="documents on both sides, or on neither",
        )
    if {_kind(key.mentions), _kind(response.mentions)} in _UNLIKE:
        raise data_error(
            "column-missing",
            "unlike",
            key=key.mentions,
            response=response.mentions,
            expected="start and end on both sides, or values of the same type",
        )


def _span(engine: Engine, columns: Columns) -> str:
    """A span as one number."""
    start, end = (f"CAST({engine.quote(str(c))} AS BIGINT)" for c in (columns.start, columns.end))
    # In the order of the text: by start, then the longer first.
    return f"{start} * {LARGEST_OFFSET + 1} + ({LARGEST_OFFSET} - {end})"


def _empty(engine: Engine, columns: Columns) -> str:
    """Whether a row is a document without mentions: all is null in it but the document."""
    if not columns.document:
        return "(1 = 0)"
    others = (columns.entity, columns.mention, columns.start, columns.end)
    nulls = [f"{engine.quote(column)} IS NULL" for column in others if column]
    return f"({' AND '.join(nulls)} AND {engine.quote(columns.document)} IS NOT NULL)"


def _check(engine: Engine, side: str, columns: Columns) -> tuple[dict[str, str], int]:
    """The types of the columns, by NAMES, "" where there are no rows; and how many rows are
    documents without mentions.

    Raises DataError for nulls and for offsets that cannot be, with their number.
    """
    names = {name: getattr(columns, name) for name in ("mention", "start", "end")}
    names |= {"entity": columns.entity, "document": columns.document}
    present = {name: engine.quote(column) for name, column in names.items() if column}
    empty = _empty(engine, columns)
    counts = single_row(
        engine,
        f"SELECT count(*) AS total, count(CASE WHEN {empty} THEN 1 END) AS without, "
        + ", ".join(f"count({column}) AS n_{name}" for name, column in present.items())
        + "".join(f", min(typeof({column})) AS t_{name}" for name, column in present.items())
        + f" FROM corefkit_{side}_source",
    )
    without = int(counts["without"])
    for name, column in present.items():
        missing = int(counts["total"]) - int(counts[f"n_{name}"])
        missing -= 0 if name == "document" else without
        if missing:
            shown = ", ".join(f"CAST({c} AS STRING) AS x_{other}" for other, c in present.items())
            example = engine.rows(
                f"SELECT {shown} FROM corefkit_{side}_source WHERE {column} IS NULL "
                f"AND NOT {empty} LIMIT 1"
            )
            cells = {key.removeprefix("x_"): value[0] for key, value in example.items()}
            shown = ", ".join(f"{k} {'null' if v is None else v}" for k, v in cells.items())
            raise data_error(
                "value-missing",
                "side",
                side=side,
                number=missing,
                name=name,
                found=shown,
                expected="a value in every row",
            )
    types = {name: str(counts[f"t_{name}"] or "") for name in present}
    if columns.mention:
        return types, without
    for name in ("start", "end"):
        if types[name] and _kind(types[name]) != "number":
            raise data_error("span-outside", "type", side=side, name=name, type=types[name])
    start, end = present["start"], present["end"]
    wrong = single_row(
        engine,
        f"SELECT count(*) AS n FROM corefkit_{side}_source WHERE {start} < 0 OR {end} < {start} "
        f"OR {end} > {LARGEST_OFFSET} OR {start} % 1 <> 0 OR {end} % 1 <> 0",
    )
    if number := int(wrong["n"]):
        expected = f"whole numbers, 0 ≤ start ≤ end ≤ {LARGEST_OFFSET:,}"
        raise data_error("span-outside", "side", side=side, number=number, expected=expected)
    return types, without


_FRACTIONS = ("float", "double", "real")
"""The types of SQL that have two zeros."""

_OFFSETS = "start and end"
_UNLIKE = ({"number", "text"}, {_OFFSETS, "number"}, {_OFFSETS, "text"})
_NUMBER = re.compile(r"u?(tiny|small|big|huge)?int(eger)?|float|double|real|decimal\(.*\)")


def _kind(name: str) -> str:
    """What a type of SQL, or "start and end", holds; "" where nothing is known of it."""
    if name == _OFFSETS:
        return name
    if _NUMBER.fullmatch(name.lower()):
        return "number"
    return "text" if name.lower().startswith(("varchar", "string", "char", "enum")) else ""


def _settle(engine: Engine, side: str, options: Options) -> list[Incident]:
    """Leave one copy of each repeated mention, as the policy says."""
    repeated = (
        f"SELECT document, mention FROM corefkit_{side} "
        "GROUP BY document, mention HAVING count(*) > 1"
    )
    mentions = int(single_row(engine, f"SELECT count(*) AS n FROM ({repeated}) AS r")["n"])
    if not mentions:
        return []
    if options.duplicates == "error":
        raise DataError([_repeated(side, mentions, refused=True)])
    engine.table(f"corefkit_{side}_repeated", repeated)
    engine.table(
        f"corefkit_{side}_concerned",
        f"SELECT DISTINCT document, entity FROM corefkit_{side} s WHERE EXISTS (SELECT 1 FROM "
        f"corefkit_{side}_repeated r WHERE r.document = s.document AND r.mention = s.mention)",
    )
    engine.table(
        f"corefkit_{side}_numbered",
        "SELECT *, row_number() OVER (ORDER BY document, entity, mention) - 1 AS number FROM "
        f"(SELECT DISTINCT document, entity, mention FROM corefkit_{side} s "
        f"WHERE EXISTS (SELECT 1 FROM corefkit_{side}_concerned c WHERE c.document = s.document "
        f"AND c.entity = s.entity)) AS copies",
    )
    rows = engine.rows(
        "SELECT document, CAST(entity AS STRING) AS entity, mention "
        f"FROM corefkit_{side}_numbered ORDER BY number LIMIT {MOST_SETTLED + 1}"
    )
    if len(rows["mention"]) > MOST_SETTLED:
        raise DataError([_repeated(side, mentions, refused=True)])
    _remove_copies(engine, side, rows)
    names = ("repeated", "concerned", "numbered", "dropped", "distinct")
    engine.drop(*(f"corefkit_{side}_{name}" for name in names))
    return [_repeated(side, mentions, refused=False)]


def _remove_copies(engine: Engine, side: str, rows: Mapping[str, Any]) -> None:
    """Each mention once, in the entity that the rule of memory chooses among numbered rows."""
    document, label = (Column.of(rows[name].tolist()) for name in ("document", "entity"))
    corpus = corpus_of_values(document, place_values(rows["mention"].tolist()), label)
    kept = first_copies(corpus, repeated_spans(corpus))
    engine.append(f"corefkit_{side}_dropped", {"number": np.flatnonzero(~kept)})
    engine.table(
        f"corefkit_{side}_distinct",
        f"SELECT DISTINCT document, mention, entity FROM corefkit_{side}",
    )
    engine.table(
        f"corefkit_{side}",
        f"SELECT * FROM corefkit_{side}_distinct s WHERE NOT EXISTS (SELECT 1 FROM "
        f"corefkit_{side}_numbered n JOIN corefkit_{side}_dropped d ON n.number = d.number "
        "WHERE n.document = s.document AND n.entity = s.entity AND n.mention = s.mention)",
    )


def drop_singletons(engine: Engine, side: str) -> None:
    """Remove the entities of one mention."""
    engine.table(
        f"corefkit_{side}_large",
        f"SELECT document, entity FROM corefkit_{side} "
        "GROUP BY document, entity HAVING count(*) > 1",
    )
    engine.table(
        f"corefkit_{side}_kept",
        f"SELECT s.document, s.mention, s.entity FROM corefkit_{side} s "
        f"JOIN corefkit_{side}_large l "
        "ON s.document = l.document AND s.entity = l.entity",
    )
    engine.table(f"corefkit_{side}", f"SELECT * FROM corefkit_{side}_kept")
    engine.drop(f"corefkit_{side}_large", f"corefkit_{side}_kept")


def _repeated(side: str, mentions: int, *, refused: bool) -> Incident:
    return make_incident(
        "span-in-two-entities",
        "refused" if refused else "settled",
        severity="error" if refused else "warning",
        side=side,
        number=mentions,
        most=MOST_SETTLED,
        expected="each mention once",
    )

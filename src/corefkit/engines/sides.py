"""The two sides as tables: nulls refused, repeated mentions settled, policies applied."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from corefkit.data.columns import Column
from corefkit.data.incidents import DataError, Incident, make_incident
from corefkit.data.options import Options
from corefkit.data.spans import first_copies, repeated_spans
from corefkit.engines.base import LARGEST_OFFSET, Columns, Engine, single
from corefkit.formats.mention_values import place_values
from corefkit.formats.parquet import make_corpus

MOST_SETTLED = 5_000_000
"""Of so many mentions at most, in entities with repeated mentions, the copies are settled."""


def load_side(
    engine: Engine, side: str, source: Any, options: Options, renamed: Mapping[str, str]
) -> tuple[bool, list[Incident]]:
    """Make the table of a side: document, mention, entity, each mention once.

    Returns whether the source has documents, and what was noticed.
    """
    columns = engine.define(side, source, renamed)
    _check(engine, side, columns)
    document = f"CAST({engine.quote(columns.document)} AS STRING)" if columns.document else "''"
    engine.table(
        f"corefkit_{side}",
        f"SELECT {document} AS document, {_mention(engine, columns)} AS mention, "
        f"{engine.quote(columns.entity)} AS entity FROM corefkit_{side}_source",
    )
    incidents = _settle(engine, side, options)
    return columns.document is not None, incidents


def _mention(engine: Engine, columns: Columns) -> str:
    if columns.mention:
        return engine.quote(columns.mention)
    start, end = (engine.quote(str(name)) for name in (columns.start, columns.end))
    # In the order of the text: by start, then the longer first.
    return f"CAST({start} AS BIGINT) * {LARGEST_OFFSET + 1} + ({LARGEST_OFFSET} - {end})"


def _check(engine: Engine, side: str, columns: Columns) -> None:
    """Refuse nulls and offsets that cannot be packed, with their number and an example."""
    found = {"mention": columns.mention, "start": columns.start, "end": columns.end}
    found |= {"entity": columns.entity, "document": columns.document}
    present = {name: engine.quote(column) for name, column in found.items() if column}
    counts = single(
        engine,
        "SELECT count(*) AS total, "
        + ", ".join(f"count({column}) AS n_{name}" for name, column in present.items())
        + f" FROM corefkit_{side}_source",
    )
    for name, column in present.items():
        missing = int(counts["total"]) - int(counts[f"n_{name}"])
        if missing:
            shown = ", ".join(f"CAST({c} AS STRING) AS x_{other}" for other, c in present.items())
            example = engine.rows(
                f"SELECT {shown} FROM corefkit_{side}_source WHERE {column} IS NULL LIMIT 1"
            )
            values = {key.removeprefix("x_"): value[0] for key, value in example.items()}
            raise DataError([_null(side, name, missing, values)])
    if columns.start:
        start, end = present["start"], present["end"]
        wrong = single(
            engine,
            f"SELECT count(*) AS n FROM corefkit_{side}_source "
            f"WHERE {start} < 0 OR {end} < {start} OR {end} > {LARGEST_OFFSET}",
        )
        if int(wrong["n"]):
            raise DataError([_bad_span(side, int(wrong["n"]))])


def _settle(engine: Engine, side: str, options: Options) -> list[Incident]:
    """Leave one copy of each repeated mention, as the policy says."""
    repeated = (
        f"SELECT document, mention FROM corefkit_{side} "
        "GROUP BY document, mention HAVING count(*) > 1"
    )
    mentions = int(single(engine, f"SELECT count(*) AS n FROM ({repeated}) AS r")["n"])
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
    rows = engine.rows(
        "SELECT DISTINCT document, CAST(entity AS STRING) AS entity, mention "
        f"FROM corefkit_{side} s "
        f"WHERE EXISTS (SELECT 1 FROM corefkit_{side}_concerned c WHERE c.document = s.document "
        f"AND c.entity = s.entity) ORDER BY document, entity, mention LIMIT {MOST_SETTLED + 1}"
    )
    if len(rows["mention"]) > MOST_SETTLED:
        raise DataError([_repeated(side, mentions, refused=True)])
    _remove_copies(engine, side, rows)
    engine.drop(f"corefkit_{side}_repeated", f"corefkit_{side}_concerned")
    return [_repeated(side, mentions, refused=False)]


def _remove_copies(engine: Engine, side: str, rows: Mapping[str, Any]) -> None:
    """Each mention once, in the entity that the rule of memory chooses."""
    document, label = (Column.of(rows[name].tolist()) for name in ("document", "entity"))
    mentions = rows["mention"].tolist()
    corpus = make_corpus(document, place_values(mentions), label)
    kept = first_copies(corpus, repeated_spans(corpus))
    dropped = np.flatnonzero(~kept).tolist()
    values = ", ".join(
        f"({engine.text(corpus.names[int(corpus.document[row])])}, "
        f"{engine.text(corpus.labels[int(corpus.entity[row])])}, "
        f"{_literal(engine, mentions[row])})"
        for row in dropped
    )
    engine.table(
        f"corefkit_{side}_distinct",
        f"SELECT DISTINCT document, mention, entity FROM corefkit_{side}",
    )
    if values:
        engine.table(
            f"corefkit_{side}_dropped",
            f"SELECT * FROM (VALUES {values}) AS copies(document, entity, mention)",
        )
        engine.table(
            f"corefkit_{side}",
            f"SELECT * FROM corefkit_{side}_distinct s "
            f"WHERE NOT EXISTS (SELECT 1 FROM corefkit_{side}_dropped d "
            "WHERE d.document = s.document AND d.entity = CAST(s.entity AS STRING) "
            "AND d.mention = s.mention)",
        )
    else:
        engine.table(f"corefkit_{side}", f"SELECT * FROM corefkit_{side}_distinct")
    engine.drop(f"corefkit_{side}_distinct", f"corefkit_{side}_dropped")


def _literal(engine: Engine, value: Any) -> str:
    return str(value) if isinstance(value, int) else engine.text(str(value))


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


def _null(side: str, name: str, missing: int, values: Mapping[str, Any]) -> Incident:
    shown = ", ".join(f"{key} {value}" for key, value in values.items())
    return make_incident(
        "value-missing",
        "side",
        side=side,
        number=missing,
        name=name,
        found=shown,
        expected="a value in every row",
    )


def _bad_span(side: str, number: int) -> Incident:
    return make_incident(
        "span-outside",
        "side",
        side=side,
        number=number,
        expected=f"0 ≤ start ≤ end ≤ {LARGEST_OFFSET:,}",
    )


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

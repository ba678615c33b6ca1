"""The two sides as tables: nulls are refused, documents numbered, copies of mentions removed.

`corefkit_documents` numbers the documents of the key in the order of their names, from 0; from then
on documents are numbers. A source without a column of documents is a single one, whose name is
empty. `corefkit_SIDE` has one row per mention: the document, and the mention and the entity as in
the source. `corefkit_SIDE_entities` numbers the entities by document and first mention, as in
memory, with their sizes. The tables of the key are made once, however many responses there are.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.columns import MARKS, Column, none_in
from corefkit.core.incidents import DataError, Incident, data_error, errors, make_incident
from corefkit.core.nodes import kept_copies, repeated_spans
from corefkit.core.options import Options
from corefkit.core.table_columns import LARGEST_OFFSET, FoundColumns, find_mention_columns
from corefkit.formats.kit.mention_values import corpus_of_values, place_values
from corefkit.plugins.engines.base import (
    Engine,
    SourceReading,
    are_texts,
    count_rows,
    single_row,
    text_rows,
)

MOST_SETTLED = 5_000_000
"""Copies are removed only where the entities that have any have at most this many mentions."""


class EngineSide(NamedTuple):
    """A side that is a table.

    Attributes:
        named: whether its source has a column of documents.
        mentions: "start and end", or the type of the column of mentions.
        documents: how many documents it has; for a response only those that the key has, too.
        incidents: those of the side.
    """

    named: bool
    mentions: str
    documents: int
    incidents: list[Incident]


_BYTES = ("blob", "binary")
"""The types of columns of bytes in DuckDB and Spark."""


def load_key(engine: Engine, source: Any, options: Options, cells: SourceReading) -> EngineSide:
    """Make the tables of the key, and `corefkit_documents`; DataError where its data is invalid."""
    rows = _SourceRows.of_source(engine, "key", source, cells)
    rows.load()
    engine.number("corefkit_documents", "document", rows.listed, "document")
    documents = count_rows(engine, "corefkit_documents")
    rows.number_documents("corefkit_documents")
    incidents = rows.incidents + _settle(engine, "key", options)
    _finish(engine, "key", options)
    return EngineSide(rows.named, rows.mentions, documents, incidents)


def load_response(
    engine: Engine, source: Any, key: EngineSide, options: Options, cells: SourceReading
) -> EngineSide:
    """Make the tables of a response; documents that the key lacks are left out.

    Raises DataError where it cannot be compared with the key.
    """
    rows = _SourceRows.of_source(engine, "response", source, cells)
    check_alike(key, EngineSide(rows.named, rows.mentions, 0, []))
    rows.load()
    engine.table("corefkit_response_listed", rows.listed)
    common, extra, unpaired = _pair_documents(engine, key.documents, options)
    numbers = _number_extra(engine, key.documents) if extra else "corefkit_documents"
    rows.number_documents(numbers)
    incidents = rows.incidents + _settle(engine, "response", options) + unpaired
    if errors(incidents):
        raise DataError(incidents)
    if extra:
        engine.table(
            "corefkit_response",
            f"SELECT * FROM corefkit_response WHERE document < {key.documents}",
        )
    engine.drop("corefkit_response_listed", "corefkit_numbers", "corefkit_extra")
    _finish(engine, "response", options)
    return EngineSide(rows.named, rows.mentions, common, incidents)


class _SourceRows(NamedTuple):
    """The rows of a source that has passed the checks.

    Attributes:
        engine, side: the engine, and "key" or "response".
        named: whether the source has a column of documents.
        source: SQL for its rows, under our names of the columns; null where a value means none.
        columns: SQL for document, mention and entity.
        without: how many rows are documents without mentions.
        empty: SQL for the condition that a row is such a document.
        mentions: "start and end", or the type of the column of mentions.
        incidents: warnings about the source.
    """

    engine: Engine
    side: str
    named: bool
    source: str
    columns: Mapping[str, str]
    without: int
    empty: str
    mentions: str
    incidents: list[Incident]

    @classmethod
    def of_source(
        cls,
        engine: Engine,
        side: str,
        source: Any,
        read: SourceReading,
    ) -> "_SourceRows":
        """Check a source; DataError where a value is missing or invalid."""
        defined, texts = engine.define(side, source), are_texts(source)
        columns = find_mention_columns(
            defined.columns, read.columns, f"the {side}", mention_is_text=texts
        )
        given = f"corefkit_{side}_given"
        if texts:
            given = f"({text_rows(engine, columns, given)}) AS t"
        types = _types(engine, given, columns)
        cells = ", ".join(
            f"{_cell(engine, name, column, types[name], read.missing)} AS x_{name}"
            for name, column in columns.present.items()
        )
        rows = f"(SELECT {cells} FROM {given}) AS r"
        without, alone, marked = _check(engine, side, rows, types)
        named = "document" in types
        mention = "x_mention" if "mention" in types else _SPAN
        entity = "x_entity"
        incidents = [
            make_incident("folder-ignored", "side", severity="warning", side=side, name=name)
            for name in defined.ignored
            if name in columns.present.values()
        ]
        if marked:
            incidents += _marks(engine, side, rows, types)
        if alone:  # each is an entity of its own
            name = f"concat('without entity: ', CAST({mention} AS STRING))"
            entity = f"coalesce(CAST(x_entity AS STRING), {name})"
            incidents.append(
                make_incident("mention-without-entity", "side", side=side, number=alone)
            )
        document = "x_document" if named else "''"
        selected = {"document": document, "mention": mention, "entity": entity}
        mentions = types.get("mention", _OFFSETS)
        return cls(engine, side, named, rows, selected, without, _empty(types), mentions, incidents)

    @property
    def table(self) -> str:
        """The table into which they are loaded, while documents have names."""
        return f"corefkit_{self.side}_named"

    @property
    def listed(self) -> str:
        """A query for the names of the documents, including those without mentions."""
        listed = f"SELECT DISTINCT document FROM {self.table}"
        if not self.without:
            return listed
        return f"{listed} UNION SELECT x_document FROM {self.source} WHERE {self.empty}"

    def load(self) -> None:
        """Make the table of the rows that are mentions."""
        columns = ", ".join(f"{value} AS {name}" for name, value in self.columns.items())
        self.engine.table(self.table, f"SELECT {columns} FROM {self.source} WHERE NOT {self.empty}")

    def number_documents(self, numbers: str) -> None:
        """Replace the names of documents by their numbers; names are compared only here."""
        self.engine.table(
            f"corefkit_{self.side}",
            f"SELECT d.number AS document, s.mention, s.entity FROM {self.table} s "
            f"JOIN {numbers} d ON s.document = d.document",
        )
        self.engine.drop(self.table)


def same(one: str, other: str, column: str) -> str:
    """SQL for the condition that two rows have the same document and the same value in a column.

    >>> same("k", "r", "mention")
    'k.document = r.document AND k.mention = r.mention'
    """
    return f"{one}.document = {other}.document AND {one}.{column} = {other}.{column}"


def _finish(engine: Engine, side: str, options: Options) -> None:
    """Number the entities; where they go over documents, that comes later, at each level."""
    if options.across:
        columns = "document, mention, entity"
        engine.table(settled_table(side), f"SELECT {columns} FROM corefkit_{side}")
        engine.drop(f"corefkit_{side}")
    else:
        number_entities(engine, side, options)


def settled_table(side: str) -> str:
    """The mentions of a side by their documents, of which the levels are made."""
    return f"corefkit_{side}_settled"


def number_entities(engine: Engine, side: str, options: Options) -> None:
    """Apply the policy for singletons, and number the entities."""
    entities = f"FROM corefkit_{side} GROUP BY document, entity"
    if options.singletons == "drop":
        engine.table(
            f"corefkit_{side}",
            f"SELECT s.* FROM corefkit_{side} s JOIN (SELECT document, entity {entities} "
            f"HAVING count(*) > 1) AS l ON {same('s', 'l', 'entity')}",
        )
    engine.number(
        f"corefkit_{side}_entities",
        "document, entity, size",
        f"SELECT document, entity, count(*) AS size, min(mention) AS first {entities}",
        "document, first",
    )


def _pair_documents(
    engine: Engine, documents: int, options: Options
) -> tuple[int, int, list[Incident]]:
    """How many documents both sides have, how many only the response has, and incidents for
    documents of one side only.

    The policies decide their severity; having no document in common is an error.
    """
    row = single_row(
        engine,
        "SELECT count(r.document) AS of_response, count(CASE WHEN k.document = r.document THEN 1 "
        "END) AS common, "
        "min(CASE WHEN r.document IS NULL THEN k.document END) AS key_example, "
        "min(CASE WHEN k.document IS NULL THEN r.document END) AS response_example "
        "FROM corefkit_documents k FULL OUTER JOIN corefkit_response_listed r "
        "ON k.document = r.document",
    )
    common = int(row["common"])
    extra = int(row["of_response"]) - common
    incidents = []
    if not common:
        expected = "the documents of the key, under the same names"
        incidents.append(make_incident("no-common-document", expected=expected))
    incidents += [
        make_incident(
            kind,
            "counted",
            severity="error" if options.refuses(defect) else "warning",
            number=number,
            document=str(row[f"{side}_example"]),
        )
        for kind, side, defect, number in (
            ("document-missing", "key", "missing", documents - common),
            ("document-extra", "response", "extra", extra),
        )
        if number
    ]
    return common, extra, incidents


def _number_extra(engine: Engine, documents: int) -> str:
    """The table that numbers documents where the response has extra ones, which come last."""
    engine.number(
        "corefkit_extra",
        "document",
        "SELECT document FROM corefkit_response_listed r WHERE NOT EXISTS "
        "(SELECT 1 FROM corefkit_documents d WHERE d.document = r.document)",
        "document",
    )
    engine.table(
        "corefkit_numbers",
        "SELECT document, number FROM corefkit_documents UNION ALL "
        f"SELECT document, number + {documents} AS number FROM corefkit_extra",
    )
    return "corefkit_numbers"


def check_alike(key: EngineSide, response: EngineSide) -> None:
    """Raise DataError where documents or mentions of the two sides cannot be compared."""
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


_START, _END = (f"CAST(x_{name} AS BIGINT)" for name in ("start", "end"))
_SPAN = f"{_START} * {LARGEST_OFFSET + 1} + ({LARGEST_OFFSET} - {_END})"
"""SQL for a span as one number, in text order: by start, then the longer first."""


def moved_mention(mentions: str, start: int, end: int) -> str | None:
    """SQL for a mention whose start and end are moved; None where mentions are no such numbers.

    `mentions` are those of an `EngineSide`; a single number is the start and the end of a token.

    >>> moved_mention("start and end", 0, 1), moved_mention("bigint", 1, 1)
    ('mention + (-1)', 'mention + (1)')
    """
    if mentions == _OFFSETS:
        return f"mention + ({start * (LARGEST_OFFSET + 1) - end})"
    return f"mention + ({start})" if _kind(mentions) == "number" and start == end else None


def _types(engine: Engine, given: str, columns: FoundColumns) -> dict[str, str]:
    """The types of the columns, by our names; "" where the source has no rows."""
    types = ", ".join(
        f"typeof({engine.quote(column)}) AS t_{name}" for name, column in columns.present.items()
    )
    found = engine.rows(f"SELECT {types} FROM {given} LIMIT 1")
    return {n[2:]: str(values[0]) if len(values) else "" for n, values in found.items()}


def _cell(engine: Engine, name: str, column: str, type: str, missing: Sequence[str]) -> str:
    """SQL for the value of a column, as it is compared; null where it means none.

    NaN, blank texts and those in `missing` mean none. -0.0 is 0.0: databases join the two, but
    group them separately. Names of documents are texts, without blanks around them.
    """
    value, kind = engine.quote(column), type.lower()
    if kind in _FRACTIONS:
        # By the statistics of a Parquet file, DuckDB takes isnan for false.
        none = f"lower(CAST({value} AS STRING)) = 'nan'"
        value = f"CASE WHEN {none} THEN NULL WHEN {value} = 0 THEN 0 ELSE {value} END"
    if name == "document":
        shown = engine.decode(value) if kind in _BYTES else value
        return f"nullif(trim(CAST({shown} AS STRING)), '')"
    if missing := none_in(name, missing):
        marks = ", ".join(map(_literal, missing))
        value = f"CASE WHEN CAST({value} AS STRING) NOT IN ({marks}) THEN {value} END"
    if _kind(type) == "text":
        return f"CASE WHEN trim(CAST({value} AS STRING)) <> '' THEN {value} END"
    return value


def _literal(text: str) -> str:
    """SQL for a text; some databases take a backslash for an escape.

    >>> _literal("NA"), _literal("O'H")
    ("'NA'", "'O''H'")
    """
    return "'" + text.replace("'", "''").replace("\\", "' || chr(92) || '") + "'"


def _empty(names: Collection[str]) -> str:
    """SQL for the condition that a row is a document without mentions: all else is null."""
    if "document" not in names:
        return "(1 = 0)"
    nulls = [f"x_{name} IS NULL" for name in names if name != "document"]
    return f"({' AND '.join(nulls)} AND x_document IS NOT NULL)"


class _Checked(NamedTuple):
    """How many rows are documents without mentions, lack an entity, or have a mark of none."""

    without: int
    alone: int
    marked: int


def _check(engine: Engine, side: str, rows: str, types: Mapping[str, str]) -> _Checked:
    """Count what is missing; DataError for nulls other than entities, and for invalid offsets."""
    empty = _empty(types)
    counts = single_row(
        engine,
        f"SELECT count(*) AS total, count(CASE WHEN {empty} THEN 1 END) AS without, "
        f"count(CASE WHEN {_is_mark(types)} THEN 1 END) AS marked, "
        + ", ".join(f"count(x_{name}) AS n_{name}" for name in types)
        + f" FROM {rows}",
    )
    without, marked = int(counts["without"]), int(counts["marked"])
    lacking = {name: int(counts["total"]) - int(counts[f"n_{name}"]) for name in types}
    for name, number in lacking.items():
        missing = number - (0 if name == "document" else without)
        if missing and name != "entity":
            shown = ", ".join(f"CAST(x_{n} AS STRING) AS {engine.quote(n)}" for n in types)
            example = engine.rows(
                f"SELECT {shown} FROM {rows} WHERE x_{name} IS NULL AND NOT {empty} LIMIT 1"
            )
            cells = ((n, "none" if v[0] is None else v[0]) for n, v in example.items())
            shown = ", ".join(f"{n} {value}" for n, value in cells)
            raise data_error(
                "value-missing",
                "side",
                side=side,
                number=missing,
                name=name,
                found=shown,
                expected="a value in every row",
            )
    checked = _Checked(without, lacking["entity"] - without, marked)
    if "mention" in types:
        return checked
    for name in ("start", "end"):
        if types[name] and _kind(types[name]) != "number":
            raise data_error("span-outside", "type", side=side, name=name, type=types[name])
    wrong = single_row(
        engine,
        f"SELECT count(*) AS n FROM {rows} WHERE x_start < 0 OR x_end < x_start "
        f"OR x_end > {LARGEST_OFFSET} OR x_start % 1 <> 0 OR x_end % 1 <> 0",
    )
    if number := int(wrong["n"]):
        expected = f"whole numbers, 0 ≤ start ≤ end ≤ {LARGEST_OFFSET:,}"
        raise data_error("span-outside", "side", side=side, number=number, expected=expected)
    return checked


def _is_mark(types: Mapping[str, str]) -> str:
    """SQL for the condition that an entity looks like a mark of none, as `means_none` says."""
    if _kind(types["entity"]) == "number" and types["entity"].lower().endswith(("int", "integer")):
        return "x_entity = -1"
    marks = ", ".join(map(_literal, sorted(MARKS)))
    return f"lower(trim(CAST(x_entity AS STRING))) IN ({marks})"


def _marks(engine: Engine, side: str, rows: str, types: Mapping[str, str]) -> list[Incident]:
    """A warning for each entity that looks like a mark of none."""
    found = engine.rows(
        f"SELECT CAST(x_entity AS STRING) AS mark, count(*) AS n FROM {rows} "
        f"WHERE {_is_mark(types)} GROUP BY CAST(x_entity AS STRING) ORDER BY mark"
    )
    return [
        make_incident("id-like-none", "side", side=side, mark=mark, number=int(number))
        for mark, number in zip(found["mark"], found["n"], strict=True)
    ]


_FRACTIONS = ("float", "double", "real")
"""The types of SQL that have NaN, and both 0.0 and −0.0."""

_OFFSETS = "start and end"
_UNLIKE = ({"number", "text"}, {_OFFSETS, "number"}, {_OFFSETS, "text"})
_NUMBER = re.compile(r"u?(tiny|small|big|huge)?int(eger)?|float|double|real|decimal\(.*\)")


def _kind(name: str) -> str:
    """The kind of a type of SQL: "number", "text" or "start and end"; "" where it is unknown."""
    if name == _OFFSETS:
        return name
    if _NUMBER.fullmatch(name.lower()):
        return "number"
    return "text" if name.lower().startswith(("varchar", "string", "char", "enum")) else ""


def _settle(engine: Engine, side: str, options: Options) -> list[Incident]:
    """Keep one copy of each repeated mention, or refuse them, by the policy for duplicates."""
    mentions, rows_of = f"corefkit_{side}", "document, entity, mention"
    twice = f"FROM {mentions} GROUP BY document, mention HAVING count(*) > 1"
    if not single_row(engine, f"SELECT count(*) AS n FROM (SELECT document {twice}) AS r")["n"]:
        return []
    repeated = (
        "SELECT document, mention, count(*) AS n, count(DISTINCT entity) AS entities " + twice
    )
    copies = single_row(
        engine,
        "SELECT count(CASE WHEN n > entities THEN 1 END) AS twice, "
        f"count(CASE WHEN entities > 1 THEN 1 END) AS in_several FROM ({repeated}) AS r",
    )
    if options.refuses("copies"):
        raise DataError(_repeated(side, copies, refused=True))
    engine.table(f"{mentions}_repeated", repeated)
    engine.table(
        f"{mentions}_concerned",
        f"SELECT DISTINCT document, entity FROM {mentions} s WHERE EXISTS "
        f"(SELECT 1 FROM {mentions}_repeated r WHERE {same('r', 's', 'mention')})",
    )
    concerned = (
        f"SELECT DISTINCT {rows_of} FROM {mentions} s WHERE EXISTS "
        f"(SELECT 1 FROM {mentions}_concerned c WHERE {same('c', 's', 'entity')})"
    )
    engine.number(f"{mentions}_numbered", rows_of, concerned, rows_of)
    if count_rows(engine, f"{mentions}_numbered") > MOST_SETTLED:
        raise DataError(_repeated(side, copies, refused=True))
    rows = engine.rows(
        "SELECT document, CAST(entity AS STRING) AS entity, mention "
        f"FROM {mentions}_numbered ORDER BY number"
    )
    _remove_copies(engine, mentions, rows)
    names = ("repeated", "concerned", "numbered", "dropped", "distinct")
    engine.drop(*(f"{mentions}_{name}" for name in names))
    return _repeated(side, copies, refused=False)


def _remove_copies(engine: Engine, mentions: str, rows: Mapping[str, Any]) -> None:
    """Keep each mention once, in the entity that memory would choose; `rows` are the numbered."""
    document = Column.of(list(map(str, rows["document"].tolist())))
    label = Column.of(rows["entity"].tolist())
    corpus = corpus_of_values(document, place_values(rows["mention"].tolist()), label)
    kept = kept_copies(corpus, repeated_spans(corpus))
    engine.load(f"{mentions}_dropped", {"number": np.flatnonzero(~kept)})
    engine.table(
        f"{mentions}_distinct", f"SELECT DISTINCT document, mention, entity FROM {mentions}"
    )
    engine.table(
        mentions,
        f"SELECT * FROM {mentions}_distinct s WHERE NOT EXISTS (SELECT 1 FROM "
        f"{mentions}_numbered n JOIN {mentions}_dropped d ON n.number = d.number "
        f"WHERE {same('n', 's', 'entity')} AND n.mention = s.mention)",
    )


def _repeated(side: str, copies: Mapping[str, Any], *, refused: bool) -> list[Incident]:
    """The incidents of mentions that entities have twice, and of those that several have."""
    return [
        make_incident(
            kind,
            "refused" if refused else "settled",
            severity="error" if refused else "warning",
            side=side,
            number=number,
            most=MOST_SETTLED,
            expected="each mention once",
        )
        for kind, number in (
            ("span-twice", int(copies["twice"])),
            ("span-in-two-entities", int(copies["in_several"])),
        )
        if number
    ]

"""The two sides as tables: nulls are refused, documents numbered, copies of mentions removed.

`corefkit_documents` numbers the documents of the key in the order of their names, from 0; from then
on documents are numbers. `corefkit_SIDE` has one row per mention: the mention and the entity, as in
the source, and the document, unless the source has a single one without a name.
`corefkit_SIDE_entities` numbers the entities by document and first mention, as in memory, with
their sizes. The tables of the key are made once, however many responses there are.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.columns import Column
from corefkit.core.incidents import DataError, Incident, data_error, errors, make_incident
from corefkit.core.nodes import kept_copies, repeated_spans
from corefkit.core.options import Options
from corefkit.formats import corpus_of_values, place_values
from corefkit.plugins.engines.base import LARGEST_OFFSET, Columns, Engine, count_rows, single_row

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


def load_key(
    engine: Engine, source: Any, options: Options, renamed: Mapping[str, str]
) -> EngineSide:
    """Make the tables of the key, and `corefkit_documents`; DataError where its data is invalid."""
    rows = _SourceRows.of_source(engine, "key", source, renamed)
    rows.load()
    engine.number("corefkit_documents", "document", rows.listed, "document")
    documents = count_rows(engine, "corefkit_documents")
    rows.number_documents("corefkit_documents")
    incidents = rows.ignored_folders + _settle(engine, "key", rows.named, options)
    _finish(engine, "key", rows.named, options)
    return EngineSide(rows.named, rows.mentions, documents, incidents)


def load_response(
    engine: Engine, source: Any, key: EngineSide, options: Options, renamed: Mapping[str, str]
) -> EngineSide:
    """Make the tables of a response; documents that the key lacks are left out.

    Raises DataError where it cannot be compared with the key.
    """
    rows = _SourceRows.of_source(engine, "response", source, renamed)
    check_alike(key, EngineSide(rows.named, rows.mentions, 0, []))
    rows.load()
    engine.table("corefkit_response_listed", rows.listed)
    common, extra, unpaired = _pair_documents(engine, key.documents, options)
    numbers = _number_extra(engine, key.documents) if extra else "corefkit_documents"
    rows.number_documents(numbers)
    incidents = rows.ignored_folders + _settle(engine, "response", rows.named, options) + unpaired
    if errors(incidents):
        raise DataError(incidents)
    if extra:
        engine.table(
            "corefkit_response",
            f"SELECT * FROM corefkit_response WHERE document < {key.documents}",
        )
    engine.drop("corefkit_response_listed", "corefkit_numbers", "corefkit_extra")
    _finish(engine, "response", rows.named, options)
    return EngineSide(rows.named, rows.mentions, common, incidents)


class _SourceRows(NamedTuple):
    """The rows of a source that has passed the checks.

    Attributes:
        engine, side: the engine, and "key" or "response".
        named: whether the source has a column of documents.
        columns: SQL for document, mention and entity.
        without: how many rows are documents without mentions.
        empty: SQL for the condition that a row is such a document.
        mentions: "start and end", or the type of the column of mentions.
        ignored_folders: an incident for each folder name that the files have as a column.
    """

    engine: Engine
    side: str
    named: bool
    columns: Mapping[str, str]
    without: int
    empty: str
    mentions: str
    ignored_folders: list[Incident]

    @classmethod
    def of_source(
        cls, engine: Engine, side: str, source: Any, renamed: Mapping[str, str]
    ) -> "_SourceRows":
        """Check a source; DataError where a value is missing or invalid."""
        columns = engine.define(side, source, renamed)
        types, without = _check(engine, side, columns)

        def value(name: str) -> str:
            """A column in which −0.0 is 0.0: databases join the two, but group them separately."""
            column = engine.quote(getattr(columns, name))
            if types[name].lower() not in _FRACTIONS:
                return column
            return f"CASE WHEN {column} = 0 THEN 0 ELSE {column} END"

        selected = {"document": "''"}
        if columns.document:
            is_bytes = types["document"].lower() in _BYTES
            shown = engine.decode(value("document")) if is_bytes else value("document")
            selected["document"] = f"CAST({shown} AS STRING)"
        selected["mention"] = value("mention") if columns.mention else _span(engine, columns)
        selected["entity"] = value("entity")
        ignored = [
            make_incident("folder-ignored", "side", severity="warning", side=side, name=name)
            for name in columns.ignored
        ]
        named, empty = columns.document is not None, _empty(engine, columns)
        mentions = types.get("mention", _OFFSETS)
        return cls(engine, side, named, selected, without, empty, mentions, ignored)

    @property
    def table(self) -> str:
        """The table into which they are loaded; a temporary one while documents have names."""
        return f"corefkit_{self.side}_named" if self.named else f"corefkit_{self.side}"

    @property
    def listed(self) -> str:
        """A query for the names of the documents, including those without mentions."""
        if not self.named:
            return f"SELECT DISTINCT '' AS document FROM (SELECT 1 FROM {self.table} LIMIT 1) AS r"
        listed = f"SELECT DISTINCT document FROM {self.table}"
        if not self.without:
            return listed
        document = self.columns["document"]
        source = f"corefkit_{self.side}_source"
        return f"{listed} UNION SELECT {document} AS document FROM {source} WHERE {self.empty}"

    def load(self) -> None:
        """Make the table of the rows that are mentions."""
        shown = ("document", "mention", "entity") if self.named else ("mention", "entity")
        self.engine.table(
            self.table,
            f"SELECT {', '.join(f'{self.columns[name]} AS {name}' for name in shown)} "
            f"FROM corefkit_{self.side}_source WHERE NOT {self.empty}",
        )

    def number_documents(self, numbers: str) -> None:
        """Replace the names of documents by their numbers; names are compared only here."""
        if self.named:
            self.engine.table(
                f"corefkit_{self.side}",
                f"SELECT d.number AS document, s.mention, s.entity FROM {self.table} s "
                f"JOIN {numbers} d ON s.document = d.document",
            )
            self.engine.drop(self.table)


def by_document(named: bool, *columns: str) -> str:
    """SQL for columns that identify something, with its document.

    >>> by_document(True, "mention"), by_document(False, "mention")
    ('document, mention', 'mention')
    """
    return ", ".join(("document", *columns) if named else columns)


def document_column(named: bool, of: str = "") -> str:
    """SQL for the number of the document; 0 where there is a single one without a name.

    >>> document_column(True, of="k."), document_column(False)
    ('k.document', 'CAST(0 AS BIGINT) AS document')
    """
    return f"{of}document" if named else "CAST(0 AS BIGINT) AS document"


def same(named: bool, one: str, other: str, column: str) -> str:
    """SQL for the condition that two rows have the same document and the same value in a column.

    >>> same(True, "k", "r", "mention")
    'k.document = r.document AND k.mention = r.mention'
    """
    document = f"{one}.document = {other}.document AND " if named else ""
    return f"{document}{one}.{column} = {other}.{column}"


def _finish(engine: Engine, side: str, named: bool, options: Options) -> None:
    """Number the entities; where they go over documents, that comes later, at each level."""
    if options.across:
        columns = f"{document_column(named)}, mention, entity"
        engine.table(settled_table(side), f"SELECT {columns} FROM corefkit_{side}")
        engine.drop(f"corefkit_{side}")
    else:
        number_entities(engine, side, named, options)


def settled_table(side: str) -> str:
    """The mentions of a side by their documents, of which the levels are made."""
    return f"corefkit_{side}_settled"


def number_entities(engine: Engine, side: str, named: bool, options: Options) -> None:
    """Apply the policy for singletons, and number the entities."""
    if options.singletons == "drop":
        drop_singletons(engine, side, named)
    entity = by_document(named, "entity")
    engine.number(
        f"corefkit_{side}_entities",
        f"{document_column(named)}, entity, size",
        f"SELECT {entity}, count(*) AS size, min(mention) AS first "
        f"FROM corefkit_{side} GROUP BY {entity}",
        by_document(named, "first"),
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
    if not common:
        expected = "the documents of the key, under the same names"
        return 0, 0, [make_incident("no-common-document", expected=expected)]
    extra = int(row["of_response"]) - common
    incidents = [
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


def _span(engine: Engine, columns: Columns) -> str:
    """SQL for a span as one number, in text order: by start, then the longer first."""
    start, end = (f"CAST({engine.quote(str(c))} AS BIGINT)" for c in (columns.start, columns.end))
    return f"{start} * {LARGEST_OFFSET + 1} + ({LARGEST_OFFSET} - {end})"


def _empty(engine: Engine, columns: Columns) -> str:
    """SQL for the condition that a row is a document without mentions: all else is null."""
    if not columns.document:
        return "(1 = 0)"
    others = (columns.entity, columns.mention, columns.start, columns.end)
    nulls = [f"{engine.quote(column)} IS NULL" for column in others if column]
    return f"({' AND '.join(nulls)} AND {engine.quote(columns.document)} IS NOT NULL)"


def _check(engine: Engine, side: str, columns: Columns) -> tuple[dict[str, str], int]:
    """The types of the columns, by name ("" where there are no rows), and how many rows are
    documents without mentions.

    Raises DataError, with their number, for nulls and for invalid offsets.
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
"""The types of SQL that have both 0.0 and −0.0."""

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


def _settle(engine: Engine, side: str, named: bool, options: Options) -> list[Incident]:
    """Keep one copy of each repeated mention, or refuse them, by the policy for duplicates."""
    mention = by_document(named, "mention")
    # If there are as many distinct hashes as rows, no mention is repeated.
    row = single_row(
        engine,
        f"SELECT count(*) AS n, count(DISTINCT {engine.hash(mention)}) AS hashes "
        f"FROM corefkit_{side}",
    )
    if row["n"] == row["hashes"]:
        return []
    repeated = f"SELECT {mention} FROM corefkit_{side} GROUP BY {mention} HAVING count(*) > 1"
    mentions = int(single_row(engine, f"SELECT count(*) AS n FROM ({repeated}) AS r")["n"])
    if not mentions:
        return []
    if options.refuses("copies"):
        raise DataError([_repeated(side, mentions, refused=True)])
    engine.table(f"corefkit_{side}_repeated", repeated)
    engine.table(
        f"corefkit_{side}_concerned",
        f"SELECT DISTINCT {by_document(named, 'entity')} FROM corefkit_{side} s WHERE EXISTS "
        f"(SELECT 1 FROM corefkit_{side}_repeated r WHERE {same(named, 'r', 's', 'mention')})",
    )
    row_of = by_document(named, "entity", "mention")
    concerned = (
        f"SELECT DISTINCT {row_of} FROM corefkit_{side} s WHERE EXISTS (SELECT 1 FROM "
        f"corefkit_{side}_concerned c WHERE {same(named, 'c', 's', 'entity')})"
    )
    engine.number(f"corefkit_{side}_numbered", row_of, concerned, row_of)
    if count_rows(engine, f"corefkit_{side}_numbered") > MOST_SETTLED:
        raise DataError([_repeated(side, mentions, refused=True)])
    rows = engine.rows(
        f"SELECT {document_column(named)}, CAST(entity AS STRING) AS entity, mention "
        f"FROM corefkit_{side}_numbered ORDER BY number"
    )
    _remove_copies(engine, side, named, rows)
    names = ("repeated", "concerned", "numbered", "dropped", "distinct")
    engine.drop(*(f"corefkit_{side}_{name}" for name in names))
    return [_repeated(side, mentions, refused=False)]


def _remove_copies(engine: Engine, side: str, named: bool, rows: Mapping[str, Any]) -> None:
    """Keep each mention once, in the entity that memory would choose; `rows` are the numbered."""
    document = Column.of(list(map(str, rows["document"].tolist())))
    label = Column.of(rows["entity"].tolist())
    corpus = corpus_of_values(document, place_values(rows["mention"].tolist()), label)
    kept = kept_copies(corpus, repeated_spans(corpus))
    engine.append(f"corefkit_{side}_dropped", {"number": np.flatnonzero(~kept)})
    engine.table(
        f"corefkit_{side}_distinct",
        f"SELECT DISTINCT {by_document(named, 'mention', 'entity')} FROM corefkit_{side}",
    )
    engine.table(
        f"corefkit_{side}",
        f"SELECT * FROM corefkit_{side}_distinct s WHERE NOT EXISTS (SELECT 1 FROM "
        f"corefkit_{side}_numbered n JOIN corefkit_{side}_dropped d ON n.number = d.number "
        f"WHERE {same(named, 'n', 's', 'entity')} AND n.mention = s.mention)",
    )


def drop_singletons(engine: Engine, side: str, named: bool) -> None:
    """Remove the entities of one mention."""
    entity = by_document(named, "entity")
    engine.table(
        f"corefkit_{side}",
        f"SELECT s.* FROM corefkit_{side} s JOIN (SELECT {entity} FROM corefkit_{side} "
        f"GROUP BY {entity} HAVING count(*) > 1) AS l ON {same(named, 's', 'l', 'entity')}",
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

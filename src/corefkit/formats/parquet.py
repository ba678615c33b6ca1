"""Parquet: one row a mention (document, start and end or mention, entity). An extra.

Engines read the same files (corefkit.engines); here they are read into memory. Files without a
column of entities hold one row a document, in a dialect of JSON, as Hugging Face stores them.
"""

from typing import Any

import numpy as np

from corefkit.data.columns import Column
from corefkit.data.corpus import Corpus
from corefkit.data.incidents import DataError, Incident, make_incident
from corefkit.data.options import UsageError
from corefkit.data.source import Source
from corefkit.formats.registry import Format, Reading, Written


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The corpus in a Parquet file."""
    arrow, parquet = _pyarrow()
    try:
        table = parquet.read_table(arrow.BufferReader(data))
    except (OSError, ValueError) as error:
        return _empty(path, data, _broken(path, str(error).splitlines()[0]))
    if "entity" not in table.column_names and table.num_rows:
        from corefkit.formats.detection import dialect_of
        from corefkit.formats.records import parse_records

        if name := dialect_of(table.slice(0, 1).to_pylist()[0]):
            return parse_records(table.to_pylist(), path, reading, name)
    try:
        corpus = from_table(table)
    except DataError as error:
        return _empty(path, data, *(_at(path, incident) for incident in error.incidents))
    source = Source(path, data, 0, len(corpus.names))
    return Corpus(
        corpus.names,
        corpus.tokens,
        corpus.document,
        corpus.start,
        corpus.end,
        corpus.entity,
        corpus.labels,
        (source,),
        begin=np.zeros(len(corpus.names), dtype=np.int64),
    )


def from_table(table: Any) -> Corpus:
    """A corpus from an Arrow table with one row a mention.

    A mention of any type is numbered in the order of its values. Raises DataError for columns or
    values that are missing.
    """
    names = set(table.column_names)
    spans = {"start", "end"} <= names
    if "entity" not in names or not (spans or "mention" in names):
        raise DataError([_no_columns(sorted(names))])
    wanted = ["entity", *(["start", "end"] if "mention" not in names else ["mention"])]
    wanted += ["document"] if "document" in names else []
    for name in wanted:
        if missing := table.column(name).null_count:
            raise DataError([_nulls(name, missing)])
    size = table.num_rows
    documents = Column.of(
        [str(name) for name in table.column("document").to_pylist()]
        if "document" in names
        else [""] * size
    )
    if "mention" in names:
        values = table.column("mention").to_pylist()
        order = {value: place for place, value in enumerate(sorted(set(values)))}
        start = end = np.array([order[value] for value in values], dtype=np.int64)
    else:
        start, end = (table.column(name).to_numpy().astype(np.int64) for name in ("start", "end"))
        if ((start < 0) | (end < start)).any():
            raise DataError([_spans(int(((start < 0) | (end < start)).sum()))])
    entities = Column.of(
        [
            f"{document}\0{entity}"
            for document, entity in zip(
                documents.code.tolist(), table.column("entity").to_pylist(), strict=True
            )
        ]
    )
    labels = tuple(value.partition("\0")[2] for value in entities.values)
    tokens = np.full(len(documents.values), -1, dtype=np.int64)
    return Corpus(documents.values, tokens, documents.code, start, end, entities.code, labels)


def to_table(corpus: Corpus) -> Any:
    """The corpus as an Arrow table with one row a mention: `start` and `end`, or, where there are
    empty nodes or gaps, `mention`, a text such as `3-5`, `7.1` or `1,4-5`.
    """
    arrow, _ = _pyarrow()
    columns: dict[str, Any] = {"document": [corpus.names[i] for i in corpus.document.tolist()]}
    if corpus.plain:
        columns |= {"start": corpus.start, "end": corpus.end}
    else:
        columns["mention"] = [_nodes(corpus, row) for row in range(corpus.mentions)]
    columns["entity"] = [corpus.labels[i] for i in corpus.entity.tolist()]
    return arrow.table(columns)


def _nodes(corpus: Corpus, row: int) -> str:
    """The nodes of a mention as text."""
    nodes = corpus.parts.nodes(row) if corpus.parts else None
    if nodes is None:
        zero = int(corpus.zero[row]) if corpus.zero is not None else 0
        start, end = int(corpus.start[row]), int(corpus.end[row])
        return f"{start}.{zero}" if zero else f"{start}-{end}"
    return ",".join(f"{token}.{zero}" if zero else str(token) for token, zero in nodes)


def write(corpus: Corpus, path: str) -> Written:
    """The corpus as a Parquet file, one row a mention."""
    arrow, parquet = _pyarrow()
    sink = arrow.BufferOutputStream()
    parquet.write_table(to_table(corpus), sink)
    return Written({path: sink.getvalue().to_pybytes()}, [])


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UsageError("Parquet files need pyarrow: pip install 'corefkit[parquet]'") from None
    return pyarrow, pyarrow.parquet


def _empty(path: str, data: bytes, *incidents: Incident) -> Corpus:
    nothing = np.zeros(0, dtype=np.int64)
    columns = (nothing, nothing, nothing, nothing, nothing)
    return Corpus((), *columns, (), (Source(path, data, 0, 0),), incidents=incidents)


def _at(path: str, incident: Incident) -> Incident:
    from dataclasses import replace

    return replace(incident, file=path)


def _broken(path: str, reason: str) -> Incident:
    return make_incident(
        "file-unreadable",
        "parquet",
        reason=reason,
        file=path,
    )


def _no_columns(names: list[str]) -> Incident:
    return make_incident(
        "column-missing",
        "table",
        found=f"the columns {', '.join(names)}",
        expected="entity, and start and end or mention; document where there are several",
    )


def _nulls(name: str, missing: int) -> Incident:
    return make_incident(
        "value-missing",
        number=missing,
        name=name,
        expected="a value in every row",
    )


def _spans(number: int) -> Incident:
    return make_incident(
        "span-outside",
        "rows",
        number=number,
        expected="0 ≤ start ≤ end",
    )


FORMAT = Format(
    name="parquet",
    title="Parquet, one row a mention",
    parse=parse,
    write=write,
    holds=frozenset({"singletons", "crossing", "names", "zeros", "parts"}),
    suffixes=(".parquet",),
)

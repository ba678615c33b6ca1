"""Parquet (an extra): one row per mention, with document, start and end or mention, and entity.

Engines read the same files; here they are read into memory. Files without an entity
column hold one row per document, in a JSON dialect, as Hugging Face stores them.

A document without mentions is a row in which everything but its name is null.

Mentions may be single values: see `kit.mention_values`. 0.0 and −0.0 are the same value.
"""

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.columns import Column
from corefkit.core.corpus import Corpus
from corefkit.core.frames import find_columns, like_document, renamed_columns
from corefkit.core.incidents import Collector, DataError, Incident, data_error, make_incident
from corefkit.core.options import Reading, UsageError
from corefkit.core.source import Source
from corefkit.formats.format import Format, Look, WrittenFiles, are_written
from corefkit.formats.kit.files import TooLargeError, max_size, too_large
from corefkit.formats.kit.mention_values import (
    TOKENS,
    PlacedValues,
    corpus_of_values,
    place_values,
    value_of,
)
from corefkit.formats.options import OPTIONS
from corefkit.formats.registry import unused_options

if TYPE_CHECKING:
    from corefkit.formats.kit.link_lists import LinkList

_FOLDER = re.compile(r"(?:(?<=/)|^)(document|mention|start|end|entity)=([^/]*)(?=/)")
"""A column as a folder, written by Hive, Spark and DuckDB; a column of the file overrides it."""


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The corpus in a Parquet file."""
    try:
        table = _read_table(data, max_size(reading.max_size), path, reading)
    except TooLargeError as error:
        return _empty(path, data, *too_large(path, str(error), reading.max_size).incidents)
    except DataError as error:
        return _empty(path, data, *error.incidents)
    except (UsageError, MemoryError):
        raise
    except (OSError, ValueError, _pyarrow()[0].ArrowException) as error:
        return _unreadable(path, data, error)
    try:
        return _parse_table(table, data, path, reading)
    except MemoryError:
        raise
    except (UnicodeDecodeError, OverflowError, _pyarrow()[0].ArrowException) as error:
        return _unreadable(path, data, error)  # Arrow checks values only when they are used


def _unreadable(path: str, data: bytes, error: Exception) -> Corpus:
    reason = (str(error) or type(error).__name__).splitlines()[0]
    return _empty(path, data, make_incident("file-unreadable", "parquet", reason=reason))


def _parse_table(table: Any, data: bytes, path: str, reading: Reading) -> Corpus:
    arrow, _ = _pyarrow()
    for column in table.columns:
        if str(column.type).startswith("dictionary"):
            column.validate(full=True)  # codes of a damaged file may be out of range
    if _lists_links(table):
        from corefkit.formats.links import links_of_records

        collector = Collector(path)
        listed = links_of_records(table.to_pylist(), reading, collector)
        corpus = listed.cut(data, reading, collector, "parquet")
        return replace(corpus, byte=np.zeros_like(corpus.line))
    if "entity" not in table.column_names and table.num_rows:
        from corefkit.formats.kit.detection import dialect_of
        from corefkit.formats.kit.records import parse_records

        if name := dialect_of(table.slice(0, 1).to_pylist()[0]):
            return parse_records(table.to_pylist(), path, reading, name)
    ignored = []
    for folder in _FOLDER.finditer(path):
        name, value = folder[1], folder[2]
        if name in table.column_names:
            shown = f"{name}={value}"
            ignored.append(make_incident("folder-ignored", file=path, name=name, folder=shown))
            continue
        from urllib.parse import unquote

        values = arrow.array([unquote(value)] * table.num_rows, arrow.string())
        table = table.append_column(name, values)
    try:
        corpus = from_table(table)
    except DataError as error:
        return _empty(path, data, *error.incidents)
    # The options of this format do not apply to rows that are mentions; `parse` of the registry
    # reports the others.
    others = {*OPTIONS} - {*FORMAT.options}
    return replace(
        corpus,
        sources=(Source(path, data, 0, len(corpus.names), "parquet"),),
        document_byte=np.zeros(len(corpus.names), dtype=np.int64),
        incidents=(*unused_options(reading, others, FORMAT.title, path), *ignored),
    )


def _lists_links(table: Any) -> bool:
    """Whether the columns are those of a link list."""
    from corefkit.formats.kit.tables import is_link

    names: list[str] = table.column_names
    return "entity" not in names and "tokens" not in names and is_link(dict.fromkeys(names))


def find_links(data: bytes, path: str, reading: Reading) -> "LinkList | None":
    """The links of a file with their scores; None if it is not a link list."""
    from corefkit.formats.links import links_of_records

    table = _read_table(data, max_size(reading.max_size), path, reading)
    if not _lists_links(table):
        return None
    return links_of_records(table.to_pylist(), reading, Collector(path))


def _read_table(data: bytes, most: int, path: str, reading: Reading) -> Any:
    """The table of a file, without columns that are not needed; TooLargeError if it is too large.

    Its size in memory is known before anything is unpacked: that of its columns, or eight bytes
    per value, or more for values of a fixed length. Repeated texts stay codes of a dictionary; if
    rows are documents, the size of their texts is checked before they are decoded.
    """
    arrow, parquet = _pyarrow()
    file = parquet.ParquetFile(arrow.BufferReader(data))
    names = file.schema_arrow.names
    length = [max(8, file.schema.column(at).length) for at in range(len(file.schema))]
    columns_by_name = find_columns(names, renamed_columns(reading.listed("columns")), path)
    if columns_by_name["entity"] and (unknown := like_document(names, columns_by_name)):
        raise data_error("column-missing", "document", name=unknown, file=path)
    names_by_column = {c: name for name, c in columns_by_name.items() if c is not None}
    listed = [*names_by_column] if columns_by_name["entity"] is not None else None
    groups = [file.metadata.row_group(number) for number in range(file.num_row_groups)]
    columns = [(group.column(at), at) for group in groups for at in range(group.num_columns)]
    size = sum(
        max(column.total_uncompressed_size, length[at] * column.num_values)
        for column, at in columns
        if listed is None or column.path_in_schema.split(".")[0] in listed
    )
    if size > most:
        raise TooLargeError(f"{size:,} bytes")
    if listed is None:
        paths = {c.path_in_schema for c, _ in columns if c.physical_type == "BYTE_ARRAY"}
        table = parquet.ParquetFile(arrow.BufferReader(data), read_dictionary=[*paths]).read()
        chunks = [chunk for column in table.columns for chunk in column.chunks]
        if (size := sum(map(_unpacked_size, chunks))) > most:
            raise TooLargeError(f"{size:,} bytes")
        return table
    texts = [
        field.name
        for field in file.schema_arrow
        if field.name in listed and str(field.type).removeprefix("large_") in ("string", "binary")
    ]
    table = parquet.ParquetFile(arrow.BufferReader(data), read_dictionary=texts).read(listed)
    return table.rename_columns([names_by_column[column] for column in table.column_names])


def _unpacked_size(array: Any) -> int:
    """How many bytes the texts of an Arrow array have without a dictionary."""
    from pyarrow import compute, types

    if types.is_dictionary(array.type):
        lengths = compute.binary_length(array.dictionary)
        return compute.sum(lengths.take(array.indices)).as_py() or 0
    if types.is_struct(array.type):
        return sum(map(_unpacked_size, array.flatten()))
    if types.is_map(array.type):
        return _unpacked_size(array.keys) + _unpacked_size(array.items)
    if types.is_list(array.type) or types.is_large_list(array.type):
        return _unpacked_size(array.flatten())
    return 0


def from_table(table: Any) -> Corpus:
    """A corpus from an Arrow table with one row per mention.

    Raises DataError for missing columns or values.
    """
    names = set(table.column_names)
    place = ["mention"] if "mention" in names else ["start", "end"]
    if not names >= {"entity", *place}:
        raise data_error(
            "column-missing",
            "table",
            found=f"the columns {', '.join(sorted(names))}",
            expected="entity, and start and end or mention; document where there are several",
        )
    size = table.num_rows
    document = Column(np.zeros(size, dtype=np.int64), ("",) if size else ())
    if "document" in names:
        if missing := table.column("document").null_count:
            raise _value_missing("document", missing)
        document = _column(table.column("document"))
        empty = np.ones(size, dtype=bool)
        for name in ("entity", *place):
            if empty.any():
                empty &= table.column(name).is_null().to_numpy()
        if empty.any():
            table = table.filter(~empty)
            document = Column(document.code[~empty], document.values)
    columns = {name: table.column(name) for name in ("entity", *place)}
    for name, values in columns.items():
        if missing := values.null_count:
            raise _value_missing(name, missing)
    if "mention" in names:
        mention = columns["mention"]
        whole = str(mention.type).startswith(("int", "uint"))
        placed = place_values(mention.to_numpy() if whole else _values(mention))
    else:
        placed = PlacedValues(*_offsets(columns["start"], columns["end"]))
    return corpus_of_values(document, placed, _column(columns["entity"]))


def _value_missing(name: str, number: int) -> DataError:
    expected = "a value in every row"
    return data_error("value-missing", number=number, name=name, expected=expected)


_FRACTIONS = ("float", "double", "halffloat")
_NUMBERS = ("int", "uint", *_FRACTIONS, "decimal")
"""The beginnings of the names of Arrow types that are numbers."""


def _offsets(start: Any, end: Any) -> tuple[IntArray, IntArray]:
    """Two columns as int64; DataError if they hold anything but spans."""
    for name, column in (("start", start), ("end", end)):
        if not str(column.type).startswith(_NUMBERS):
            raise data_error("span-outside", "type", side="file", name=name, type=column.type)
    first, last = start.to_numpy(), end.to_numpy()
    with np.errstate(invalid="ignore"):  # infinity % 1 is NaN, which equals nothing
        is_span = (first >= 0) & (first <= last) & (last < TOKENS)
        # Columns of decimals are arrays of objects.
        fraction = np.where(is_span, first, 0) % 1 + np.where(is_span, last, 0) % 1
        is_span = (is_span & (fraction == 0)).astype(bool)
    if wrong := int((~is_span).sum()):
        expected = "whole numbers, 0 ≤ start ≤ end"
        raise data_error("span-outside", "rows", number=wrong, expected=expected)
    return first.astype(np.int64), last.astype(np.int64)


def as_one_table(corpus: Corpus) -> Corpus:
    """The corpus of several files as one table: a document or entity may continue in the next."""
    document, label = Column.of(corpus.names), Column.of(corpus.labels)
    if len(document.values) == len(corpus.names) or (corpus.tokens >= 0).any():
        return corpus
    whole = corpus_of_values(
        Column(document.code[corpus.document], document.values),
        PlacedValues(corpus.start, corpus.end, corpus.zero, corpus.parts, corpus.identifiers),
        Column(label.code[corpus.entity], label.values),
    )
    source = replace(corpus.sources[0], documents=len(whole.names))
    begin = np.zeros(len(whole.names), dtype=np.int64)
    return replace(whole, sources=(source,), document_byte=begin, incidents=corpus.incidents)


def _column(values: Any) -> Column:
    """A column of an Arrow table with its values as texts."""
    try:
        coded = values.combine_chunks().dictionary_encode()
    except NotImplementedError:  # e.g. lists
        return Column.of([_text(value) for value in values.to_pylist()])
    if hasattr(coded, "combine_chunks"):
        coded = coded.combine_chunks()
    texts = [_text(value) for value in coded.dictionary.to_pylist()]
    if str(values.type).startswith(_FRACTIONS):
        texts = ["0.0" if text == "-0.0" else text for text in texts]
    code = coded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    if len(set(texts)) == len(texts):
        return Column(code, tuple(texts))
    merged = Column.of(texts)  # different values may have the same text
    return Column(merged.code[code], merged.values)


def _values(column: Any) -> list[Any]:
    """The values of a column of an Arrow table; equal texts of a dictionary are one object."""
    if not str(column.type).startswith("dictionary"):
        values: list[Any] = column.to_pylist()
        return values
    chunks = column.chunks if hasattr(column, "chunks") else [column]
    values = []
    for chunk in chunks:
        texts = chunk.dictionary.to_pylist()
        values += [texts[code] for code in chunk.indices.to_pylist()]
    return values


def _text(value: Any) -> str:
    """A value as text; bytes that are not UTF-8 are written in hexadecimal, as engines do.

    >>> _text("café".encode()), _text(b"f\\xe9")
    ('café', '\\\\x66\\\\xE9')
    """
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return "".join(f"\\x{byte:02X}" for byte in value)
    return str(value)


def to_table(corpus: Corpus) -> Any:
    """The corpus as an Arrow table with one row per mention.

    The columns of a mention are `start` and `end` or, if there are empty nodes, gaps or
    identifiers, `mention`, a text such as `3-5`, `7.1`, `1,4,5` or `Q42`. A document without
    mentions is a row with its name and nulls.
    """
    arrow, _ = _pyarrow()
    columns: dict[str, Any] = {"document": [corpus.names[i] for i in corpus.document.tolist()]}
    if corpus.plain and corpus.identifiers is None:
        columns |= {"start": corpus.start, "end": corpus.end}
    else:
        columns["mention"] = [value_of(corpus, row) for row in range(corpus.mentions)]
    columns["entity"] = [corpus.labels[i] for i in corpus.entity.tolist()]
    table = arrow.table(columns)
    counts = np.bincount(corpus.document, minlength=len(corpus.names))
    if (counts > 0).all():
        return table
    without = np.flatnonzero(counts == 0)
    names = arrow.table({"document": [corpus.names[i] for i in without.tolist()]})
    table = arrow.concat_tables([table, names], promote_options="default")
    return table.take(np.argsort(np.concatenate((corpus.document, without)), kind="stable"))


def write(corpus: Corpus, path: str) -> WrittenFiles:
    """The corpus as a Parquet file, one row per mention."""
    arrow, parquet = _pyarrow()
    sink = arrow.BufferOutputStream()
    parquet.write_table(to_table(corpus), sink)
    return WrittenFiles({path: sink.getvalue().to_pybytes()}, [])


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UsageError("Parquet files need pyarrow: pip install 'corefkit[parquet]'") from None
    return pyarrow, pyarrow.parquet


def _empty(path: str, data: bytes, *incidents: Incident) -> Corpus:
    placed = tuple(replace(incident, file=path) for incident in incidents)
    return replace(Corpus.from_clusters({}), sources=(Source(path, data, 0, 0),), incidents=placed)


FORMAT = Format(
    name="parquet",
    title="Parquet, one row per mention",
    parse=parse,
    write=write,
    holds=frozenset({"singletons", "crossing", "names", "zeros", "parts"}),
    options=("clusters", "ends", "threshold", "best", "unlinked", "unit", "columns"),
    looks=(Look(begins=rb"PAR1"),),
    suffixes=(".parquet",),
    find_links=find_links,
    shared_ids=are_written,
)

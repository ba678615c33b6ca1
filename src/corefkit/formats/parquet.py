"""Parquet (an extra): one row per mention, with document, start and end or mention, and entity.

Engines read the same files; here they are read into memory. Files without an entity
column hold one row per document, in a JSON dialect, as Hugging Face stores them.

A document without mentions is a row in which everything but its name is null.

Mentions may be single values: see `kit.mention_values`. 0.0 and −0.0 are the same value.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector, DataError, make_incident
from corefkit.core.options import Reading, UsageError
from corefkit.core.source import Source
from corefkit.core.table_columns import MENTIONS, find_mention_columns, renamed_columns
from corefkit.formats.format import Format, Look, WrittenFiles
from corefkit.formats.kit.building import reader, refused
from corefkit.formats.kit.files import TooLargeError, max_size, too_large
from corefkit.formats.kit.link_lists import BEST, THRESHOLD, UNLINKED
from corefkit.formats.kit.mention_cells import CellColumn, corpus_of_cells
from corefkit.formats.kit.mention_values import value_of
from corefkit.formats.options import CLUSTERS, COLUMNS, ENDS, MISSING, UNIT
from corefkit.formats.registry import unused_options

if TYPE_CHECKING:
    from corefkit.formats.kit.link_lists import LinkList

_FOLDER = re.compile(r"(?:(?<=/)|^)([^/=]+)=([^/]*)(?=/)")
"""A column as a folder, written by Hive, Spark and DuckDB; a column of the file overrides it."""


@reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The corpus in a Parquet file."""
    broken = UnicodeDecodeError, OverflowError, _pyarrow()[0].ArrowException
    try:
        table = _read_table(data, max_size(reading.max_size), path, reading)
    except TooLargeError as error:
        raise too_large(path, str(error), reading.max_size) from None
    except (DataError, UsageError):
        raise
    except (OSError, ValueError, KeyError, *broken) as error:
        raise _unreadable(collector, error) from None
    try:
        return _parse_table(table, data, path, reading)
    except broken as error:
        raise _unreadable(collector, error) from None  # Arrow checks values only when they are used


def _unreadable(collector: Collector, error: Exception) -> DataError:
    reason = (str(error) or type(error).__name__).splitlines()[0]
    return refused(collector, "file-unreadable", "parquet", reason=reason)


def _parse_table(table: Any, data: bytes, path: str, reading: Reading) -> Corpus:
    for column in table.columns:
        if str(column.type).startswith("dictionary"):
            column.validate(full=True)  # codes of a damaged file may be out of range
    names, folders = table.column_names, _folders(path)
    if not _has_mentions([*names, *folders], reading):
        if _lists_links(table):
            from corefkit.formats.links import links_of_records

            collector = Collector(path)
            listed = links_of_records(table.to_pylist(), reading, collector)
            corpus = listed.cut(data, reading, collector, "parquet")
            return replace(corpus, byte=np.zeros_like(corpus.line))
        if table.num_rows:
            from corefkit.formats.kit.detection import dialect_of
            from corefkit.formats.kit.records import parse_records

            if name := dialect_of(table.slice(0, 1).to_pylist()[0]):
                corpus = parse_records(table.to_pylist(), path, reading, name)
                sources = tuple(replace(source, data=data) for source in corpus.sources)
                return replace(corpus, sources=sources)  # the bytes that a receipt has the hash of
    ignored = []
    for name, value in folders.items():
        if name in names:
            shown = f"{name}={value}"
            ignored.append(make_incident("folder-ignored", file=path, name=name, folder=shown))
        else:
            values = _pyarrow()[0].array([value] * table.num_rows, "string")
            table = table.append_column(name, values)
    renamed = renamed_columns(reading.listed("columns"))
    corpus = from_table(table, renamed, path, reading.listed("missing"))
    # Some options are for link lists only; the registry reports those of other formats.
    of_links = {option.name for option in FORMAT.options} - {"columns", "missing"}
    given = {n: v for n, v in reading.options.items() if n in of_links}
    unused = unused_options(replace(reading, options=given), (), FORMAT.title, path)
    return replace(
        corpus,
        sources=(Source(path, data, 0, len(corpus.names), "parquet", has_ids=True),),
        document_byte=np.zeros(len(corpus.names), dtype=np.int64),
        incidents=(*corpus.incidents, *unused, *ignored),
    )


def _folders(path: str) -> dict[str, str]:
    """The columns of mentions that are folders in a path, and their values."""
    from urllib.parse import unquote

    found = {name: unquote(value) for name, value in _FOLDER.findall(path)}
    known = MENTIONS.find(found).values()
    return {name: value for name, value in found.items() if name in known}


def _has_mentions(present: Sequence[str], reading: Reading) -> bool:
    """Whether a table with these columns has a mention in each row."""
    renamed = renamed_columns(reading.listed("columns"))
    return MENTIONS.is_complete([*MENTIONS.find(present), *renamed])


def _lists_links(table: Any) -> bool:
    """Whether the columns are those of a link list."""
    from corefkit.formats.kit.tables import is_link

    names: list[str] = table.column_names
    return "tokens" not in names and is_link(dict.fromkeys(names))


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
    listed, present = None, [*names, *_folders(path)]
    if _has_mentions(present, reading):
        renamed = renamed_columns(reading.listed("columns"))
        found = find_mention_columns(present, renamed, path)
        listed = [column for column in found.present.values() if column in names]
    groups = [file.metadata.row_group(number) for number in range(file.num_row_groups)]
    size = sum(max(group.total_byte_size, sum(length) * group.num_rows) for group in groups)
    if listed is None or size > most:
        # Asked only where it matters: pyarrow 26 ends the process if these are damaged, while
        # reading such a file is an error.
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
    return parquet.ParquetFile(arrow.BufferReader(data), read_dictionary=texts).read(listed)


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


def from_table(
    table: Any,
    renamed: Mapping[str, str] = MappingProxyType({}),
    source: str | None = None,
    missing: Collection[str] = (),
) -> Corpus:
    """A corpus from an Arrow table with one row per mention.

    `renamed` are names of columns, and `missing` texts that mean none. `source` is the file.
    Raises DataError for missing columns or values.
    """
    columns = find_mention_columns(table.column_names, renamed, source or "the table")
    cells = {name: cells_of(table.column(column)) for name, column in columns.present.items()}
    collector = Collector(source)
    corpus = corpus_of_cells(cells, collector, missing)
    if corpus is None:
        raise DataError(collector)
    return replace(corpus, incidents=tuple(collector))


def cells_of(column: Any) -> CellColumn:
    """A column of an Arrow table."""
    try:
        coded = column.combine_chunks().dictionary_encode()
    except NotImplementedError:  # e.g. lists
        return CellColumn.of(column.to_pylist())
    if hasattr(coded, "combine_chunks"):
        coded = coded.combine_chunks()
    code = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    values = coded.dictionary
    if str(values.type).startswith(("int", "uint")) and not values.null_count:
        return CellColumn(code, values.to_numpy())
    return CellColumn(code, values.to_pylist()).without_missing()


def to_table(corpus: Corpus) -> Any:
    """The corpus as an Arrow table with one row per mention.

    The columns of a mention are `start` and `end` or, if there are empty nodes, gaps or
    identifiers, `mention`, a text such as `3-5`, `7.1`, `1,4,5` or `Q42`. A document without
    mentions is a row with its name and nulls.
    """
    arrow, _ = _pyarrow()
    columns: dict[str, Any] = {"document": [corpus.names[i] for i in corpus.document.tolist()]}
    if set(corpus.names) == {""}:
        del columns["document"]
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


FORMAT = Format(
    name="parquet",
    title="Parquet, one row per mention",
    parse=parse,
    write=write,
    holds=frozenset({"singletons", "crossing", "names", "zeros", "parts"}),
    options=(CLUSTERS, ENDS, THRESHOLD, BEST, UNLINKED, UNIT, COLUMNS, MISSING),
    looks=(Look(begins=rb"PAR1"),),
    suffixes=(".parquet",),
    find_links=find_links,
    continues=True,
)

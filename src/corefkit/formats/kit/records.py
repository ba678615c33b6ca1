"""Corpora from objects in memory, and back: lists of dicts, and data frames."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from corefkit.core.corpus import Corpus
from corefkit.core.frames import data_frame
from corefkit.core.incidents import Collector, DataError, data_error
from corefkit.core.options import Reading, UsageError
from corefkit.core.table_columns import find_mention_columns
from corefkit.formats import registry
from corefkit.formats.jsonlines.layout import DIALECTS
from corefkit.formats.jsonlines.reader import parse_rows
from corefkit.formats.jsonlines.writer import records
from corefkit.formats.kit.detection import dialect_of
from corefkit.formats.kit.mention_cells import CellColumn, corpus_of_cells
from corefkit.formats.kit.mention_values import value_of
from corefkit.formats.options import make_reading
from corefkit.formats.table import ANY_JSON


def from_records(rows: Iterable[Mapping[str, Any]], **how: Any) -> Corpus:
    """A corpus from dicts like those of JSON lines; the keys of the first determine the dialect.

    Keywords are those of `corefkit.read`: format="e2e", clusters="predicted_clusters", ….
    """
    if isinstance(rows, (str, Mapping)) or not isinstance(rows, Iterable):
        raise TypeError(f"records are a list of dicts, not {rows!r:.60}")
    listed = [_plain(row) for row in rows]
    if odd := [row for row in listed if not isinstance(row, dict)]:
        raise TypeError(f"a record is a dict, not {odd[0]!r:.60}")
    reading = make_reading(**how)
    name = reading.format or (dialect_of(listed[0]) if listed else ANY_JSON)
    if reading.format and name not in DIALECTS:
        raise UsageError(f"format: {name!r} is not a JSON dialect; use {', '.join(DIALECTS)}")
    if name not in DIALECTS:
        raise _unknown(listed[0])
    corpus = parse_rows(listed, reading, name)
    return registry.with_unused(corpus, registry.get_format(name), "records", reading).checked()


def parse_records(rows: list[dict[str, Any]], path: str, reading: Reading, name: str) -> Corpus:
    """The corpus in the rows of a file; its incidents are the problems."""
    if name not in DIALECTS:
        return replace(Corpus.from_clusters({}), incidents=_unknown(rows[0], path).incidents)
    corpus = parse_rows([_plain(row) for row in rows], reading, name)
    sources = tuple(replace(source, path=path) for source in corpus.sources)
    incidents = tuple(replace(i, file=path, line=None) for i in corpus.incidents)
    return replace(corpus, sources=sources, incidents=incidents)


def to_records(corpus: Corpus, dialect: str = ANY_JSON) -> list[dict[str, Any]]:
    """The documents as dicts of a dialect: e2e, wl-coref, maverick, preco or indiscrim."""
    return records(corpus, dialect)[0]


def from_frame(frame: Any) -> Corpus:
    """A corpus from a data frame (pandas, polars, …), or columns by name: one row per mention.

    Its columns are entity, start and end, the end included, and document where there are several,
    or other names that `core.table_columns` has for them; others are ignored. If start or end is
    missing, a column mention replaces them: equal values are the same mention.
    """
    present = [str(name) for name in (frame if isinstance(frame, Mapping) else frame.columns)]
    columns = find_mention_columns(present, {}, "the data frame", mention_is_text=True)
    cells = {name: CellColumn.of([*map(_plain, frame[c])]) for name, c in columns.present.items()}
    collector = Collector()
    corpus = corpus_of_cells(cells, collector)
    if corpus is None:
        raise DataError(collector)
    return replace(corpus, has_ids=True, incidents=tuple(collector))


def to_frame(corpus: Corpus, package: Any = None) -> Any:
    """A data frame with one row per mention: document, entity, start, end; in text order.

    Where mentions are identifiers, a column mention replaces start and end.

    `package` is pandas or polars, the module or its name; by default the first that is installed.
    """
    rows = corpus.text_order
    columns = {
        "document": [corpus.names[d] for d in corpus.document[rows].tolist()],
        "entity": [corpus.labels[e] for e in corpus.entity[rows].tolist()],
        "start": corpus.start[rows].tolist(),
        "end": corpus.end[rows].tolist(),
    }
    if corpus.identifiers is not None:
        del columns["start"], columns["end"]
        columns["mention"] = [value_of(corpus, row) for row in rows.tolist()]
    return data_frame(columns, package)


def _plain(value: Any) -> Any:
    """A row of a data frame or dataset with all arrays in it as lists."""
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if hasattr(value, "tolist") and not isinstance(value, str):
        return _plain(value.tolist())
    if isinstance(value, (list, tuple)):
        if value and all(type(inner) in (str, int) for inner in value):
            return list(value)
        return [_plain(inner) for inner in value]
    return value


def _unknown(row: Mapping[str, Any], path: str | None = None) -> DataError:
    found = f"the keys {', '.join(map(str, row))}"[:80]
    expected = "the keys of a dialect, e.g. doc_key, sentences, clusters"
    return data_error("clusters-missing", "dialect", file=path, found=found, expected=expected)

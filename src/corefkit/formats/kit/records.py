"""Corpora from objects in memory, and back: lists of dicts, and data frames."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from corefkit.core.columns import Column
from corefkit.core.corpus import Corpus
from corefkit.core.frames import data_frame, find_columns, like_document
from corefkit.core.incidents import DataError, data_error
from corefkit.core.options import Reading, UsageError
from corefkit.formats import registry
from corefkit.formats.jsonlines.layout import DIALECTS
from corefkit.formats.jsonlines.reader import parse_rows
from corefkit.formats.jsonlines.writer import records
from corefkit.formats.kit.detection import dialect_of
from corefkit.formats.kit.mention_values import corpus_of_values, place_values, value_of
from corefkit.formats.options import make_reading

COLUMNS = ("document", "entity", "start", "end")
"""The columns of a data frame with one row per mention."""


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
    name = reading.format or (dialect_of(listed[0]) if listed else "e2e")
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


def to_records(corpus: Corpus, dialect: str = "e2e") -> list[dict[str, Any]]:
    """The documents as dicts of a dialect: e2e, wl-coref, maverick, preco or indiscrim."""
    return records(corpus, dialect)[0]


def from_frame(frame: Any) -> Corpus:
    """A corpus from a data frame (pandas, polars, …) with one row per mention.

    Its columns are document, entity, start and end, the end included; others are ignored. The
    column entity holds the id of the entity. If start or end is missing, a column mention
    replaces them: equal values are the same mention.
    """
    present = [str(name) for name in getattr(frame, "columns", ())]
    found = find_columns(present, {}, "the data frame")
    if unknown := like_document(present, found):
        raise UsageError(
            f"the column {unknown!r} looks like the names of documents; rename it to document"
        )
    if found["mention"] and found["entity"] and not (found["start"] and found["end"]):
        return _from_mentions(frame, found)
    try:
        columns = [list(frame[found[name] or name]) for name in COLUMNS]
    except Exception as error:
        needed = f"{', '.join(COLUMNS)}, or mention instead of start and end"
        raise UsageError(f"a data frame needs the columns {needed}") from error
    clusters: dict[str, dict[str, list[tuple[int, int]]]] = {}
    for document, entity, start, end in zip(*columns, strict=True):
        clusters.setdefault(str(document), {}).setdefault(str(entity), []).append((start, end))
    return Corpus.from_clusters(clusters)


def _from_mentions(frame: Any, found: Mapping[str, str | None]) -> Corpus:
    """A corpus from a data frame in which a mention is a single value (see `place_values`)."""
    named = {name: found[name] for name in ("document", "mention", "entity") if found[name]}
    columns = {name: list(frame[column]) for name, column in named.items()}
    for name, values in columns.items():
        if missing := sum(map(_is_missing, values)):
            expected = "a value in every row"
            raise data_error("value-missing", number=missing, name=name, expected=expected)
    mentions = [value.item() if hasattr(value, "item") else value for value in columns["mention"]]
    documents = columns.get("document", [""] * len(mentions))
    document, entity = (Column.of([*map(str, column)]) for column in (documents, columns["entity"]))
    return corpus_of_values(document, place_values(mentions), entity)


def _is_missing(value: Any) -> bool:
    """Whether a value of a data frame is missing: None, NaN, pandas.NA, or a blank text.

    >>> [_is_missing(value) for value in (None, float("nan"), " ", 0, "p1")]
    [True, True, True, False, False]
    """
    if value is None or isinstance(value, str):
        return not (value or "").strip()
    try:
        return bool(value != value)  # noqa: PLR0124 (only NaN and NaT differ from themselves)
    except TypeError:  # pandas.NA, whose comparison has no truth value
        return True


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

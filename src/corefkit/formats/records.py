"""Corpora from objects in memory, and back: rows of dicts, data frames, spaCy documents."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from corefkit.data.corpus import Corpus
from corefkit.data.frames import data_frame
from corefkit.data.incidents import DataError, Incident, make_incident
from corefkit.data.options import UsageError
from corefkit.formats.choices import make_reading
from corefkit.formats.registry import Reading

COLUMNS = ("document", "entity", "start", "end")
"""The columns of a data frame with one row a mention."""


def from_records(rows: Iterable[Mapping[str, Any]], **how: Any) -> Corpus:
    """A corpus from dicts as JSON lines have them; the dialect is told by the keys of the first.

    `how` says more, as in `corefkit.read`: format="e2e", clusters="predicted_clusters", ….
    """
    from corefkit.formats.detection import dialect_of
    from corefkit.formats.jsonlines.dialects import DIALECTS
    from corefkit.formats.jsonlines.reader import parse_rows

    listed = [_plain(row) for row in rows]
    reading = make_reading(**how)
    name = reading.format or (dialect_of(listed[0]) if listed else "e2e")
    if reading.format and name not in DIALECTS:
        raise UsageError(f"format: {name!r} is no dialect of JSON; use {', '.join(DIALECTS)}")
    if name not in DIALECTS:
        raise DataError([_unknown(listed[0])])
    return parse_rows(listed, reading, name).checked()


def parse_records(rows: list[dict[str, Any]], path: str, reading: Reading, name: str) -> Corpus:
    """The corpus in the rows of a file; what is wrong stands among its incidents."""
    from corefkit.formats.jsonlines.dialects import DIALECTS
    from corefkit.formats.jsonlines.reader import parse_rows

    if name not in DIALECTS:
        return replace(Corpus.from_clusters({}), incidents=(replace(_unknown(rows[0]), file=path),))
    corpus = parse_rows([_plain(row) for row in rows], reading, name)
    sources = tuple(replace(source, path=path) for source in corpus.sources)
    incidents = tuple(replace(i, file=path, line=None) for i in corpus.incidents)
    return replace(corpus, sources=sources, incidents=incidents)


def to_records(corpus: Corpus, dialect: str = "e2e") -> list[dict[str, Any]]:
    """The documents as dicts of a dialect: e2e, wl-coref, maverick, preco or indiscrim."""
    from corefkit.formats.jsonlines.writer import records

    return records(corpus, dialect)[0]


def from_frame(frame: Any) -> Corpus:
    """A corpus from a data frame (pandas, polars, …) with one row a mention.

    Its columns are document, entity, start and end, the end included; others are ignored.
    """
    try:
        columns = [list(frame[name]) for name in COLUMNS]
    except Exception as error:
        raise UsageError(f"a data frame needs the columns {', '.join(COLUMNS)}") from error
    clusters: dict[str, dict[Any, list[tuple[int, int]]]] = {}
    for document, entity, start, end in zip(*columns, strict=True):
        clusters.setdefault(str(document), {}).setdefault(entity, []).append((start, end))
    made = {name: list(entities.values()) for name, entities in clusters.items()}
    return Corpus.from_clusters(made)


def to_frame(corpus: Corpus, package: Any = None) -> Any:
    """A data frame with one row a mention: document, entity, start, end; in text order.

    `package` is pandas or polars, the module or its name; by default the first that is installed.
    """
    rows = corpus.text_order
    columns = {
        "document": [corpus.names[d] for d in corpus.document[rows].tolist()],
        "entity": [corpus.labels[e] for e in corpus.entity[rows].tolist()],
        "start": corpus.start[rows].tolist(),
        "end": corpus.end[rows].tolist(),
    }
    return data_frame(columns, package)


def from_spacy(docs: Iterable[Any]) -> Corpus:
    """A corpus from spaCy documents, or others with the same attributes; nothing is imported.

    Clusters are the span groups `coref_clusters_N` (spacy-experimental) or `doc._.coref_clusters`
    (fastcoref). Names are `user_data["doc_key"]`, where it is there.
    """
    from corefkit.formats.jsonlines.reader import parse_rows

    rows, name = rows_of_docs(docs)
    return parse_rows(rows, make_reading(), name).checked()


def rows_of_docs(docs: Iterable[Any]) -> tuple[list[dict[str, Any]], str]:
    """spaCy documents as dicts, and the dialect these are in.

    Raises DataError where a document has only heads, UsageError where documents differ in kind.
    """
    rows = [_row(doc, number) for number, doc in enumerate(docs, 1)]
    characters = {"text" in row for row in rows}
    if len(characters) > 1:
        raise UsageError("some documents have span groups and others doc._.coref_clusters")
    return rows, "fastcoref" if True in characters else "spacy"


def _row(doc: Any, number: int) -> dict[str, Any]:
    """One document as a dict: by tokens, or by characters as fastcoref's pipe has it."""
    name = getattr(doc, "user_data", {}).get("doc_key")
    groups = _groups(doc)
    if not groups:
        extension = getattr(doc._, "coref_clusters", None) if hasattr(doc, "_") else None
        if extension is not None:
            clusters = [[list(span) for span in cluster] for cluster in extension]
            return {"text": doc.text, "clusters": clusters, "doc_key": name}
        if any(key.startswith("coref_head_clusters") for key in getattr(doc, "spans", {})):
            raise DataError([_only_heads(name or str(number))])
    clusters = [[[span.start, span.end] for span in group] for group in groups]
    return {"doc_key": name, "sentences": _sentences(doc), "clusters": clusters}


def _groups(doc: Any) -> list[Any]:
    """The span groups coref_clusters_N, by N."""
    prefix = "coref_clusters_"
    found = {
        int(key.removeprefix(prefix)): group
        for key, group in getattr(doc, "spans", {}).items()
        if key.startswith(prefix) and key.removeprefix(prefix).isdigit()
    }
    return [found[number] for number in sorted(found)]


def _sentences(doc: Any) -> list[list[str]]:
    """The words by sentence; one sentence where there are none."""
    words = [token.text for token in doc]
    if not words or not doc.has_annotation("SENT_START"):
        return [words] if words else []
    starts = [n for n, token in enumerate(doc) if token.is_sent_start or n == 0]
    return [words[a:b] for a, b in zip(starts, [*starts[1:], len(words)], strict=True)]


def _plain(value: Any) -> Any:
    """Rows of data frames and datasets with arrays as lists, all the way down."""
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if hasattr(value, "tolist") and not isinstance(value, str):
        return _plain(value.tolist())
    if isinstance(value, (list, tuple)):
        if value and all(type(inner) in (str, int) for inner in value):
            return list(value)
        return [_plain(inner) for inner in value]
    return value


def _unknown(row: Mapping[str, Any]) -> Incident:
    return make_incident(
        "clusters-missing",
        "dialect",
        found=f"the keys {', '.join(map(str, row))}"[:80],
        expected="the keys of a dialect, e.g. doc_key, sentences, clusters",
    )


def _only_heads(name: str) -> Incident:
    return make_incident(
        "clusters-missing",
        "heads",
        document=name,
        expected="span groups coref_clusters_N",
    )

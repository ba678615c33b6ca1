"""JSON values → documents: their tokens and mentions, and what is wrong with them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from corefkit.data.incidents import Collector
from corefkit.formats.building import judge_texts, same_text
from corefkit.formats.jsonlines import defects
from corefkit.formats.jsonlines.decoding import Value
from corefkit.formats.jsonlines.dialects import DIALECTS, Dialect
from corefkit.formats.jsonlines.layout import Layout, ShapeError, piece_map
from corefkit.formats.jsonlines.spans import Spans, find_spans, texts_of
from corefkit.formats.registry import Reading


@dataclass(frozen=True, eq=False)
class Document:
    """One document: where it stands, its tokens and its mentions."""

    name: str | None
    line: int
    byte: int
    layout: Layout
    spans: Spans
    empty: bool = False
    """Whether words that begin with ## are empty nodes."""


def find_documents(
    values: Iterable[Value], reading: Reading, name: str, found: Collector
) -> Iterator[Document]:
    """The documents that can be read; what is wrong with the others is reported."""
    if name == "s2e-predictions":
        yield from _predictions(list(values), found)
        return
    dialect = DIALECTS[name]
    differing = mentions = 0
    for value in values:
        try:
            document, texts = _document(value, dialect, reading, found)
        except ShapeError as error:
            defects.tell_shape(found, value.line, error)
            continue
        if document is None:
            continue
        for mention, said, text in _differing(document, texts):
            differing += 1
            defects.tell_text(found, document, mention, said, text)
        mentions += len(document.spans.start)
        yield document
    judge_texts(differing, mentions, found)


def _document(
    value: Value, dialect: Dialect, reading: Reading, found: Collector
) -> tuple[Document | None, Iterable[tuple[int, str]]]:
    row = value.content
    if not isinstance(row, dict):
        raise ShapeError("$", "an object", row)
    layout = dialect.lay_out(row)
    wanted = (dialect.predicted if reading.role == "response" else ()) + dialect.clusters
    fields = (reading.clusters,) if reading.clusters else wanted
    field = next((name for name in fields if row.get(name) is not None), None)
    if field is None:
        defects.tell_no_clusters(found, value.line, fields, row)
        return None, ()
    exclusive = dialect.exclusive if reading.ends is None else reading.ends == "exclusive"
    spans = find_spans(row[field], field, layout, exclusive=exclusive)
    document = Document(
        dialect.document_name(row), value.line, value.byte, layout, spans, "doc_id" in row
    )
    sound = _sound(document, field, found, exclusive=exclusive)
    if sound is not document:
        return sound, ()
    if reading.clusters and not reading.ends and field not in (*wanted, *dialect.predicted):
        same = spans.numbers[:, -1] == spans.numbers[:, -2]
        if len(same) and not same.any():
            found.note("ends-unsure", field=field, line=value.line)
    return document, texts_of(row, dialect.texts, row[field])


def _sound(document: Document, field: str, found: Collector, *, exclusive: bool) -> Document:
    """The document without the spans that are not in it, which are reported."""
    spans = document.spans
    bad = (spans.start < 0) | (spans.end >= document.layout.units) | (spans.end < spans.start)
    if not bad.any():
        return document
    for mention in np.flatnonzero(bad).tolist():
        defects.tell_span(found, document, field, mention, exclusive=exclusive)
    entity = np.repeat(np.arange(len(spans.sizes)), spans.sizes)[~bad]
    sizes = np.bincount(entity, minlength=len(spans.sizes)).tolist()
    labels = [label for label, size in zip(spans.labels, sizes, strict=True) if size]
    kept = spans.start[~bad], spans.end[~bad], spans.numbers[~bad]
    return replace(document, spans=Spans([size for size in sizes if size], labels, *kept))


def _differing(
    document: Document, texts: Iterable[tuple[int, str]]
) -> Iterator[tuple[int, str, str]]:
    """The mentions whose text is not what the file says: number, said, read."""
    words: list[str] | None = None
    text = document.layout.text
    start, end = document.spans.start.tolist(), document.spans.end.tolist()
    for mention, said in texts:
        if text is not None:
            reads = text[start[mention] : end[mention] + 1]
        else:
            words = document.layout.words() if words is None else words
            reads = " ".join(words[start[mention] : end[mention] + 1])
        if not same_text(reads, said):
            yield mention, said, reads


def _predictions(values: list[Value], found: Collector) -> Iterator[Document]:
    """s2e-coref: one object of clusters by document, one of the words of its pieces."""
    objects = [value for value in values if isinstance(value.content, dict)]
    if len(objects) != 2 or len(values) != 2:
        error = ShapeError("$", "two objects: clusters by document, and sub-token maps")
        defects.tell_shape(found, 1, error)
        return
    clusters, maps = objects
    for name, listed in clusters.content.items():
        try:
            pieces = piece_map(maps.content.get(name), f"$.{name}")
            size = max(pieces, default=-1) + 1
            layout = Layout([], list, pieces=pieces, size=size)
            spans = find_spans(listed, name, layout, exclusive=False)
        except ShapeError as error:
            defects.tell_shape(found, clusters.line, error)
            continue
        document = Document(name, clusters.line, clusters.byte, layout, spans)
        yield _sound(document, name, found, exclusive=False)

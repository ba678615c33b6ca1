"""From JSON documents to a Corpus, and reports of their problems.

Beside the clusters there may be probabilities, which `find_links` reads as links:

    "link_scores": [[[4, 4], [0, 1], 0.95], …], "mention_scores": [[[4, 4], 0.99], …]

These spans count the tokens of the document from 0, both ends included, in all dialects.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from corefkit.core.arrays import EMPTY
from corefkit.core.carriers import frozen
from corefkit.core.columns import sentence_of
from corefkit.core.corpus import Corpus, Moves, Span, Unit
from corefkit.core.incidents import Collector, make_incident
from corefkit.core.nodes import crossing_mentions
from corefkit.core.options import PLAIN, Reading
from corefkit.core.source import ListedSource, TokenTable
from corefkit.core.texts import quote
from corefkit.formats.jsonlines.layout import (
    DIALECTS,
    Dialect,
    JsonSpans,
    Layout,
    find_spans,
    piece_map,
    texts_of,
    with_words,
)
from corefkit.formats.jsonlines.unknown import is_clusters
from corefkit.formats.kit.building import judge_texts, note_repeated_names, same_text
from corefkit.formats.kit.json import JsonValue, ShapeError, decode, note_no_clusters, note_shape
from corefkit.formats.kit.link_lists import DocumentLinks, LinkList, LinkRow, LinkScore
from corefkit.formats.kit.text import nodes_of_words, span_of_nodes, without_empty


def note_span(
    collector: Collector, document: "JsonDocument", field: str, mention: int, *, exclusive: bool
) -> None:
    """Report a span that is outside of its document, or empty."""
    spans, units = document.spans, document.layout.units
    start, end = int(spans.start[mention]), int(spans.end[mention])
    kind = "span-empty" if end < start < units else "span-outside"
    unit = "characters" if document.layout.text is not None else "tokens"
    if document.layout.pieces is not None:
        units, unit = len(document.layout.pieces), "sub-tokens"

    def text() -> str:
        cluster, place = spans.path(mention)
        return f"{spans.numbers[mention].tolist()} at $.{field}[{cluster}][{place}]"

    collector.note(
        kind,
        partial(_ends, document, exclusive=exclusive),
        at=document.line,
        document=document.name,
        found=text,
        expected=f"spans within {units:,} {unit}, counted from 0, "
        + ("the end not included" if exclusive else "the end included"),
    )


def _ends(document: "JsonDocument", *, exclusive: bool) -> str:
    """The variant of the incident: the ends look inclusive, exclusive, or (`text`) like neither."""
    start, end = document.spans.numbers[:, -2], document.spans.numbers[:, -1]
    same = bool((start == end).any())
    if exclusive:
        return "inclusive" if same else "text"
    at_end = int(end.max()) == document.layout.units
    return "exclusive" if at_end and not same else "text"


def note_text(
    collector: Collector, document: "JsonDocument", mention: int, expected: str, read: str
) -> None:
    """Report a mention whose text, as `read`, differs from the one given in the file."""
    cluster, place = document.spans.path(mention)
    collector.note(
        "mention-text-differs",
        at=document.line,
        document=document.name,
        found=f"{document.spans.numbers[mention].tolist()} reads {quote(read)}",
        expected=f"{quote(expected)}, mention {place} of cluster {cluster}",
    )


@frozen(eq=False)
class JsonDocument:
    """One document: its place in the file, its tokens and its mentions.

    `empty` is whether words that begin with ## are empty nodes, `field` has the clusters.
    """

    name: str | None
    line: int
    byte: int
    layout: Layout
    spans: JsonSpans
    empty: bool = False
    field: str = ""


def find_documents(
    values: Iterable[JsonValue], reading: Reading, name: str, collector: Collector
) -> Iterator[JsonDocument]:
    """The documents that can be read; problems are reported."""
    if name == "s2e-predictions":
        yield from _predictions(list(values), collector)
        return
    dialect, listed = DIALECTS[name], list(values)
    fields = _clusters_fields(listed, dialect, reading, collector)
    differing = mentions = 0
    for value in listed if fields else ():
        try:
            document, texts = _document(value, dialect, fields, reading, collector)
        except ShapeError as error:
            note_shape(collector, value.line, error)
            continue
        if document is None:
            continue
        for mention, expected, text in _differing(document, texts):
            differing += 1
            note_text(collector, document, mention, expected, text)
        mentions += len(document.spans.start)
        yield document
    judge_texts(differing, mentions, collector)


def _clusters_fields(
    values: Sequence[JsonValue], dialect: Dialect, reading: Reading, collector: Collector
) -> tuple[str, ...]:
    """The field of a file that holds the clusters, or those that might if no document has one.

    A system's file may carry the gold along. So the field is the same in all documents, that of
    predictions even if it is null in all of them, and a response with another field in the shape of
    clusters is refused: (), and an incident.
    """
    if named := reading.get("clusters"):
        return (named,)
    rows = [value.content for value in values if isinstance(value.content, dict)]
    predicted = dialect.predicted if reading.role == "response" else ()
    wanted = predicted + dialect.clusters
    chosen = next((name for name in predicted if any(name in r for r in rows)), None) or next(
        (name for name in dialect.clusters if any(r.get(name) is not None for r in rows)), None
    )
    if chosen is None:
        return wanted
    if reading.role == "response" and chosen not in dialect.predicted:
        known = {*dialect.clusters, *dialect.texts, *dialect.repeats, *_SCORES}
        others = {n for row in rows for n in row.keys() - known if _may_be_clusters(row[n])}
        if others:
            listed = sorted(others)
            readable = [n for n in listed if not all(isinstance(row.get(n), dict) for row in rows)]
            named = min((*readable, chosen), key=lambda n: (_is_gold(n), n == chosen))
            collector.note(
                "clusters-missing",
                "several" if readable else "inside",
                at=values[0].line,
                found=f"the fields {', '.join((chosen, *listed))}",
                expected="one field of clusters, or predicted_clusters beside clusters",
                field=named,
            )
            return ()
    return (chosen,)


def _may_be_clusters(value: Any) -> bool:
    """Whether a field may hold clusters: as a list, by name, or further inside."""
    if isinstance(value, dict):
        return is_clusters([*value.values()]) or any(map(_may_be_clusters, value.values()))
    return is_clusters(value)


def _is_gold(field: str) -> bool:
    return "gold" in field.lower()


_SCORES = ("link_scores", "mention_scores")
"""Fields that any dialect may have."""


def _document(
    value: JsonValue,
    dialect: Dialect,
    fields: tuple[str, ...],
    reading: Reading,
    collector: Collector,
) -> tuple[JsonDocument | None, Iterable[tuple[int, str]]]:
    """The document in a value, and the texts of mentions given in the file: number, text.

    None, and an incident, if it has no clusters; ShapeError if it cannot be read.
    """
    row = value.content
    if not isinstance(row, dict):
        raise ShapeError("$", "an object", row)
    named, ends = reading.get("clusters"), reading.get("ends")
    layout = dialect.lay_out(with_words(row, dialect) if named else row)
    field = next((name for name in fields if row.get(name) is not None), None)
    if field is None and len(fields) == 1 and not named:
        name = dialect.document_name(row)
        collector.note(
            "clusters-missing", "document", at=value.line, document=name, field=fields[0]
        )
        return None, ()
    if field is None:
        note_no_clusters(collector, value.line, fields, row)
        return None, ()
    exclusive = dialect.exclusive if ends is None else ends == "exclusive"
    spans = find_spans(row[field], field, layout, exclusive=exclusive)
    document = JsonDocument(
        dialect.document_name(row), value.line, value.byte, layout, spans, "doc_id" in row, field
    )
    sound = _sound(document, field, collector, exclusive=exclusive)
    if sound is not document:
        return sound, ()
    if named and not ends and field not in (*dialect.clusters, *dialect.predicted):
        same = spans.numbers[:, -1] == spans.numbers[:, -2]
        if len(same) and not same.any():
            collector.note("ends-unsure", field=field, at=value.line)
    listed = row[field].values() if isinstance(row[field], dict) else row[field]
    return document, texts_of(row, dialect.texts, list(listed))


def _sound(
    document: JsonDocument, field: str, collector: Collector, *, exclusive: bool
) -> JsonDocument:
    """The document without spans that are outside of it or empty, which are reported."""
    spans = document.spans
    bad = (spans.start < 0) | (spans.end >= document.layout.units) | (spans.end < spans.start)
    if not bad.any():
        return document
    for mention in np.flatnonzero(bad).tolist():
        note_span(collector, document, field, mention, exclusive=exclusive)
    entity = np.repeat(np.arange(len(spans.sizes)), spans.sizes)[~bad]
    sizes = np.bincount(entity, minlength=len(spans.sizes)).tolist()
    labels = [label for label, size in zip(spans.labels, sizes, strict=True) if size]
    kept = spans.start[~bad], spans.end[~bad], spans.numbers[~bad]
    return replace(document, spans=JsonSpans([size for size in sizes if size], labels, *kept))


def _differing(
    document: JsonDocument, texts: Iterable[tuple[int, str]]
) -> Iterator[tuple[int, str, str]]:
    """The mentions whose text differs from the one given: number, expected text, actual text."""
    words: list[str] | None = None
    text = document.layout.text
    start, end = document.spans.start.tolist(), document.spans.end.tolist()
    for mention, expected in texts:
        if text is not None:
            actual = text[start[mention] : end[mention] + 1]
        else:
            words = document.layout.words() if words is None else words
            actual = " ".join(words[start[mention] : end[mention] + 1])
        if not same_text(actual, expected):
            yield mention, expected, actual


def _predictions(values: list[JsonValue], collector: Collector) -> Iterator[JsonDocument]:
    """The documents of s2e-coref: an object with their clusters, and one with sub-token maps."""
    objects = [value for value in values if isinstance(value.content, dict)]
    if len(objects) != 2 or len(values) != 2:
        error = ShapeError("$", "two objects: clusters by document, and sub-token maps")
        note_shape(collector, 1, error)
        return
    clusters, maps = objects
    for name, listed in clusters.content.items():
        try:
            pieces = piece_map(maps.content.get(name), f"$.{name}")
            size = max(pieces, default=-1) + 1
            layout = Layout([], list, pieces=pieces, size=size)
            spans = find_spans(listed, name, layout, exclusive=False)
        except ShapeError as error:
            note_shape(collector, clusters.line, error)
            continue
        document = JsonDocument(name, clusters.line, clusters.byte, layout, spans)
        yield _sound(document, name, collector, exclusive=False)


def parse(data: bytes, path: str, reading: Reading, name: str) -> Corpus:
    """The corpus in the bytes of one file of a dialect."""
    collector = Collector(path)
    documents = list(find_documents(decode(data, collector), reading, name, collector))
    source = JsonSource(path, data, 0, len(documents), name, reading=reading)
    corpus = _corpus(documents, source, collector)
    if not documents or corpus.mentions or corpus.incidents:
        return corpus
    return replace(corpus, incidents=(make_incident("no-mention", "clusters", file=path),))


def parse_rows(rows: Iterable[Any], reading: Reading, name: str) -> Corpus:
    """The corpus in decoded rows."""
    collector = Collector("records")
    values = (JsonValue(row, number, 0) for number, row in enumerate(rows, 1))
    documents = list(find_documents(values, reading, name, collector))
    source = ListedSource("records", b"", 0, len(documents), name, listed=_table(documents))
    return _corpus(documents, source, collector)


@frozen(eq=False)
class JsonSource(ListedSource):
    """A JSON file, which is decoded again when its words, sentences or speakers are needed."""

    reading: Reading = PLAIN

    def table(self) -> TokenTable:
        """The tokens of the file, computed once."""
        return self.once("table", self._find_table)

    def _find_table(self) -> TokenTable:
        incidents = Collector(self.path)
        values = decode(self.data, incidents)
        return _table(find_documents(values, self.reading, self.format, incidents))


def _corpus(documents: list[JsonDocument], source: ListedSource, collector: Collector) -> Corpus:
    names = [d.name or str(number) for number, d in enumerate(documents, 1)]
    unnamed = frozenset(n for n, d in enumerate(documents) if d.name is None)
    units = {_unit(d) for d in documents}
    if len(units) > 1:
        first = _unit(documents[0])
        other = next(d for d in documents if _unit(d) != first)
        error = ShapeError("$.text", "a string in all documents, or a list in all of them")
        note_shape(collector, other.line, error)
        documents = [d for d in documents if _unit(d) == first]
        return _corpus(documents, replace(source, documents=len(documents)), collector)
    note_repeated_names(collector, names, [d.line for d in documents])
    sizes = np.array([len(d.spans.start) for d in documents], dtype=np.int64)
    cluster_sizes = [size for d in documents for size in d.spans.sizes]
    chosen = documents[0].field if documents else ""
    corpus = Corpus(
        names=tuple(names),
        tokens=np.array([d.layout.units for d in documents], dtype=np.int64),
        document=np.repeat(np.arange(len(documents)), sizes),
        start=np.concatenate([EMPTY, *(d.spans.start for d in documents)]),
        end=np.concatenate([EMPTY, *(d.spans.end for d in documents)]),
        entity=np.repeat(np.arange(len(cluster_sizes)), cluster_sizes).astype(np.int64),
        labels=tuple(str(label) for d in documents for label in d.spans.labels),
        sources=(replace(source, unnamed=unnamed, has_ids=_have_ids(documents), chosen=chosen),),
        document_byte=np.array([d.byte for d in documents], dtype=np.int64),
        byte=np.repeat(np.array([d.byte for d in documents], dtype=np.int64), sizes),
        line=np.repeat(np.array([d.line for d in documents], dtype=np.int64), sizes),
        unit=_unit(documents[0]) if documents else "token",
    )
    corpus = _with_empty_nodes(corpus, documents)
    return replace(corpus, incidents=(*collector, *crossing_mentions(corpus, "warning")))


def _have_ids(documents: list[JsonDocument]) -> bool:
    """Whether all clusters have ids."""
    return all(isinstance(label, str) for d in documents for label in d.spans.labels)


def _unit(document: JsonDocument) -> Unit:
    return "token" if document.layout.text is None else "character"


def _with_empty_nodes(corpus: Corpus, documents: list[JsonDocument]) -> Corpus:
    """The corpus with words that begin with ## as empty nodes, not tokens (text2text)."""
    all_nodes = {n: nodes_of_words(d.layout.words()) for n, d in enumerate(documents) if d.empty}
    nodes = {number: node for number, node in all_nodes.items() if node}
    if not nodes:
        return corpus
    moves, zero = Moves(corpus), np.zeros(corpus.mentions, dtype=np.int64)
    for number, node in nodes.items():
        moves.tokens[number] = sum(z == 0 for _, z in node)
        for row in np.flatnonzero(corpus.document == number).tolist():
            mention = node[int(corpus.start[row]) : int(corpus.end[row]) + 1]
            moves.start[row], moves.end[row], zero[row], listed = span_of_nodes(mention)
            if listed:
                moves.list_nodes(row, mention)
    return moves.made(zero=zero)


def _table(documents: Iterable[JsonDocument]) -> TokenTable:
    words: list[str] = []
    lengths: list[int] = []
    speakers: list[str] = []
    texts: list[str] = []
    spoken = has_words = True
    for document in documents:
        layout = document.layout
        has_words = has_words and layout.size < 0
        if layout.text is not None:
            texts.append(layout.text)
            continue
        listed = layout.words()
        if document.empty and len(tokens := without_empty(listed)) < len(listed):
            words += tokens
            lengths.append(len(tokens))
            spoken = False
            continue
        words += listed
        lengths += layout.lengths
        spoken = spoken and layout.speakers is not None
        speakers += layout.speakers() if layout.speakers and spoken else []
    if not has_words:  # predictions without words
        return TokenTable(None)
    return TokenTable(
        words, sentence_of(lengths), speakers if spoken and speakers else None, texts or None
    )


FIELDS = ("link_scores", "mention_scores")
"""The fields with the scores of links and of mentions."""


def find_links(data: bytes, path: str, reading: Reading, name: str) -> LinkList | None:
    """The links of a file with their scores; None if no document has any."""
    del reading
    collector, dialect = Collector(path), DIALECTS[name]
    documents: list[DocumentLinks] = []
    scored = False
    for value in decode(data, collector):
        row = value.content
        if not isinstance(row, dict):
            note_shape(collector, value.line, ShapeError("$", "an object", row))
            continue
        scored = scored or any(field in row for field in FIELDS)
        document = DocumentLinks(dialect.document_name(row), value.line)
        try:
            for link in _rows(row, value.line):
                document.add(link, collector)
        except ShapeError as error:
            note_shape(collector, value.line, error)
        documents.append(document)
    return LinkList(tuple(documents), tuple(collector), path) if scored else None


def _rows(row: dict[str, Any], line: int) -> list[LinkRow]:
    """The links and mentions of a document that have scores; ShapeError for malformed ones."""
    rows: list[LinkRow] = []
    for field, spans in zip(FIELDS, (2, 1), strict=True):
        listed = row.get(field)
        if listed is None:
            continue
        if not isinstance(listed, list):
            raise ShapeError(f"$.{field}", "a list", listed)
        for number, item in enumerate(listed):
            path = f"$.{field}[{number}]"
            if not isinstance(item, list) or len(item) != spans + 1:
                form = "[[start, end], [start, end], p]" if spans == 2 else "[[start, end], p]"
                raise ShapeError(path, form, item)
            span, *other = (_span(part, f"{path}[{at}]") for at, part in enumerate(item[:-1]))
            score = _score(item[-1], f"{path}[{spans}]")
            rows.append(LinkRow("", span, other[0] if other else None, score, line))
    return rows


def _span(value: Any, path: str) -> Span:
    good = isinstance(value, list) and len(value) == 2 and all(type(n) is int for n in value)
    if not good or not 0 <= value[0] <= value[1] < 1 << 62:
        raise ShapeError(path, "a span, [start, end], 0 ≤ start ≤ end", value)
    return value[0], value[1]


def _score(value: Any, path: str) -> LinkScore:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:  # noqa: PLR0124 (NaN)
        raise ShapeError(path, "a number from 0 to 1", value)
    return float(value)

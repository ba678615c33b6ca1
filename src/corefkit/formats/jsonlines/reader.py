"""From JSON documents to a Corpus, and reports of their problems.

Beside the clusters there may be probabilities, which `find_links` reads as links:

    "link_scores": [[[4, 4], [0, 1], 0.95], …], "mention_scores": [[[4, 4], 0.99], …]

These spans count the tokens of the document from 0, both ends included, in all dialects.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from corefkit.core.corpus import Corpus, Span, Unit
from corefkit.core.incidents import Collector, make_incident
from corefkit.core.options import Reading
from corefkit.core.texts import quote
from corefkit.formats.jsonlines.layout import (
    BARE,
    DIALECTS,
    Dialect,
    Layout,
    piece_map,
    texts_of,
    with_words,
)
from corefkit.formats.jsonlines.unknown import format_for, is_clusters
from corefkit.formats.kit.building import (
    RawDocument,
    RawMention,
    judge_texts,
    make_corpus,
    same_text,
)
from corefkit.formats.kit.json import JsonValue, ShapeError, decode, note_no_clusters, note_shape
from corefkit.formats.kit.link_lists import DocumentLinks, LinkList, LinkRow, LinkScore
from corefkit.formats.kit.text import nodes_of_words, span_of_nodes, without_empty


class JsonMention(NamedTuple):
    """A mention: its span, both ends included, and where it stands in the clusters.

    Attributes:
        start, end: in tokens or characters of the document.
        cluster: the id of its cluster, or else its index in the list.
        place: its index in the cluster.
        numbers: the numbers in the file.
    """

    start: int
    end: int
    cluster: int | str
    place: int
    numbers: Sequence[int]


class JsonDocument(NamedTuple):
    """One document: its line in the file, its tokens and its mentions.

    `empty` is whether words that begin with ## are empty nodes, `field` has the clusters, and
    `exclusive` is whether the ends of spans there are the first tokens after them.
    """

    name: str | None
    line: int
    layout: Layout
    mentions: list[JsonMention]
    field: str
    exclusive: bool = False
    empty: bool = False

    @property
    def unit(self) -> Unit:
        """What its spans count."""
        return "token" if self.layout.text is None else "character"

    def raw(self) -> RawDocument:
        """The document as it is made into a corpus."""
        layout, mentions = self.layout, self.mentions
        nodes = nodes_of_words(layout.words or ()) if self.empty else []
        if nodes:
            tokens, raw = without_empty(layout.words or ()), list[RawMention]()
            for start, end, cluster, *_ in mentions:
                inside = nodes[start : end + 1]
                first, last, zero, listed = span_of_nodes(inside)
                listing = inside if listed else ()
                raw.append(
                    RawMention(first, last, str(cluster), self.line, zero=zero, nodes=listing)
                )
            return RawDocument(self.name, raw, self.line, words=tokens, lengths=[len(tokens)])
        return RawDocument(
            self.name,
            [RawMention(m.start, m.end, str(m.cluster), self.line) for m in mentions],
            self.line,
            text=layout.text,
            words=layout.words,
            lengths=layout.lengths,
            speakers=layout.speakers,
            tokens=layout.units,
        )


def parse(data: bytes, path: str, reading: Reading, name: str) -> Corpus:
    """The corpus in the bytes of one file of a dialect."""
    return _parse(data, path, reading, DIALECTS.get(name))


def _parse(data: bytes, path: str, reading: Reading, dialect: Dialect | None) -> Corpus:
    collector = Collector(path)
    corpus = _corpus([*decode(data, collector)], data, reading, dialect, collector)
    if not corpus.names or corpus.mentions or corpus.incidents:
        return corpus
    return replace(corpus, incidents=(make_incident("no-mention", "clusters", file=path),))


def parse_rows(rows: Iterable[Any], reading: Reading, name: str) -> Corpus:
    """The corpus in decoded rows."""
    values = [JsonValue(row, number) for number, row in enumerate(rows, 1)]
    return _corpus(values, b"", reading, DIALECTS[name], Collector("records"))


def parse_unknown(data: bytes, path: str, reading: Reading) -> Corpus | None:
    """The corpus of a file of no known dialect; None if the named field has no clusters.

    If nothing could hold its words, spans count tokens of a text that is elsewhere, both ends
    included unless users say otherwise.
    """
    from corefkit.formats.registry import get_format

    row, field = _first_row(data), reading.get("clusters")
    if form := format_for(row, field):
        return get_format(form).parse(data, path, reading)
    return _parse(data, path, reading, BARE) if is_clusters(row.get(field)) else None


def _first_row(data: bytes) -> dict[str, Any]:
    """The fields of the first document of JSON; none where there is no such document."""
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] not in (b"{", b"["):
        return {}
    first = next(iter(decode(data, Collector())), None)
    return first.content if first is not None and isinstance(first.content, dict) else {}


def _corpus(
    values: list[JsonValue],
    data: bytes,
    reading: Reading,
    dialect: Dialect | None,
    collector: Collector,
) -> Corpus:
    """The corpus in the values of a file; those of predictions have no dialect."""
    if dialect is None:
        name, documents = "s2e-predictions", [*_predictions(values, collector)]
    else:
        name, documents = dialect.name, [*_documents(values, reading, dialect, collector)]
    unit = documents[0].unit if documents else "token"
    if other := next((d for d in documents if d.unit != unit), None):
        error = ShapeError("$.text", "a string in all documents, or a list in all of them")
        note_shape(collector, other.line, error)
        documents = [d for d in documents if d.unit == unit]
    corpus = make_corpus(name, data, [d.raw() for d in documents], collector, unit)
    chosen = documents[0].field if documents and dialect else ""
    has_ids = all(isinstance(m.cluster, str) for d in documents for m in d.mentions)
    return replace(corpus, sources=(replace(corpus.sources[0], chosen=chosen, has_ids=has_ids),))


def _documents(
    values: Sequence[JsonValue], reading: Reading, dialect: Dialect, collector: Collector
) -> Iterator[JsonDocument]:
    """The documents that can be read; problems are reported."""
    fields = _clusters_fields(values, dialect, reading, collector)
    differing = mentions = 0
    for value in values if fields else ():
        try:
            document = _document(value, dialect, fields, reading, collector)
        except ShapeError as error:
            note_shape(collector, value.line, error)
            continue
        if document is None:
            continue
        sound = _sound(document, collector)
        if len(sound.mentions) == len(document.mentions):
            if reading.get("clusters") and not reading.get("ends"):
                _judge_ends(document, dialect, collector)
            differing += _compare_texts(document, value.content, dialect, collector)
        mentions += len(sound.mentions)
        yield sound
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
    if chosen in dialect.predicted:
        return (chosen,)
    known = {*dialect.clusters, *dialect.texts, *dialect.repeats, *FIELDS}
    if reading.role == "key" and reading.one_of_two:
        known.update(dialect.predicted)  # of a file that holds both sides
    others = sorted({n for row in rows for n in row.keys() - known if _may_be_clusters(row[n])})
    if not others:
        return (chosen,)
    at, fields = values[0].line, ", ".join((chosen, *others))
    readable = [n for n in others if not all(isinstance(row.get(n), dict) for row in rows)]
    if reading.role == "key":
        more = {"others": quote(others[0])} if len(others) == 1 else {"others": "others"}
        collector.note(
            "clusters-several", at=at, found=f"the fields {fields}", field=chosen, **more
        )
        return (chosen,)
    collector.note(
        "clusters-missing",
        "several" if readable else "inside",
        at=at,
        found=f"the fields {fields}",
        expected="one field of clusters, or predicted_clusters beside clusters",
        field=min((*readable, chosen), key=lambda n: ("gold" in n.lower(), n == chosen)),
    )
    return ()


def _may_be_clusters(value: Any) -> bool:
    """Whether a field may hold clusters: as a list, by name, or further inside."""
    if isinstance(value, dict):
        return is_clusters([*value.values()]) or any(map(_may_be_clusters, value.values()))
    return is_clusters(value)


def _document(
    value: JsonValue,
    dialect: Dialect,
    fields: tuple[str, ...],
    reading: Reading,
    collector: Collector,
) -> JsonDocument | None:
    """The document in a value; None, and an incident, if it has no clusters.

    ShapeError if it cannot be read.
    """
    row = value.content
    if not isinstance(row, dict):
        raise ShapeError("$", "an object", row)
    named, ends = reading.get("clusters"), reading.get("ends")
    name = dialect.document_name(row)
    layout = dialect.lay_out(with_words(row, dialect) if named else row)
    field = next((field for field in fields if row.get(field) is not None), None)
    if field is None and len(fields) == 1 and not named:
        missing = fields[0]
        collector.note("clusters-missing", "document", value.line, document=name, field=missing)
        return None
    if field is None:
        note_no_clusters(collector, value.line, fields, row)
        return None
    exclusive = dialect.exclusive if ends is None else ends == "exclusive"
    mentions = [*_mentions(row[field], field, layout, exclusive=exclusive)]
    return JsonDocument(name, value.line, layout, mentions, field, exclusive, "doc_id" in row)


def _mentions(
    clusters: Any, field: str, layout: Layout, *, exclusive: bool
) -> Iterator[JsonMention]:
    """The mentions of a document; ShapeError if clusters are not lists of lists of numbers.

    Clusters are a list, or an object with ids as keys.
    """
    if not isinstance(clusters, list | dict):
        raise ShapeError(f"$.{field}", "a list of clusters", clusters)
    width = 2 if layout.offset is None else 3
    for name, cluster in clusters.items() if isinstance(clusters, dict) else enumerate(clusters):
        if not isinstance(cluster, list | tuple):
            raise ShapeError(f"$.{field}[{name}]", "a list of spans", cluster)
        for place, span in enumerate(cluster):
            fits = isinstance(span, list | tuple) and len(span) == width
            if not fits or {*map(type, span)} != {int} or max(map(abs, span)) >= 1 << 62:
                form = "a span, [start, end]" if width == 2 else "a span, [sentence, start, end]"
                raise ShapeError(f"$.{field}[{name}][{place}]", form, span)
            start, end = layout.place(span, exclusive=exclusive)
            yield JsonMention(start, end, name, place, span)


def _sound(document: JsonDocument, collector: Collector) -> JsonDocument:
    """The document without spans that are outside of it or empty, which are reported."""
    units = document.layout.units
    kept = []
    for mention in document.mentions:
        if 0 <= mention.start <= mention.end and (units < 0 or mention.end < units):
            kept.append(mention)
        else:
            _note_span(collector, document, mention)
    return document._replace(mentions=kept)


def _note_span(collector: Collector, document: JsonDocument, mention: JsonMention) -> None:
    """Report a span that is outside of its document, or empty."""
    layout, field = document.layout, document.field
    shown = f"{[*mention.numbers]} at $.{field}[{mention.cluster}][{mention.place}]"
    if layout.units < 0:
        collector.note("span-empty", "text", at=document.line, found=shown)
        return
    unit, units = f"{document.unit}s", layout.units
    if layout.pieces is not None:
        unit, units = "sub-tokens", len(layout.pieces)
    ends = "the end not included" if document.exclusive else "the end included"
    collector.note(
        "span-empty" if mention.end < mention.start < layout.units else "span-outside",
        partial(_ends, document),
        at=document.line,
        document=document.name,
        found=shown,
        expected=f"spans within {units:,} {unit}, counted from 0, {ends}",
    )


def _ends(document: JsonDocument) -> str:
    """The variant of the incident: the ends look inclusive, exclusive, or (`text`) like neither."""
    spans = [mention.numbers[-2:] for mention in document.mentions]
    same = any(start == end for start, end in spans)
    if document.exclusive:
        return "inclusive" if same else "text"
    at_end = max(end for _, end in spans) == document.layout.units
    return "exclusive" if at_end and not same else "text"


def _judge_ends(document: JsonDocument, dialect: Dialect, collector: Collector) -> None:
    """Report a field of unknown ends that has no mention of a single token."""
    if document.field in (*dialect.clusters, *dialect.predicted) or not document.mentions:
        return
    if all(mention.numbers[-1] != mention.numbers[-2] for mention in document.mentions):
        collector.note("ends-unsure", field=document.field, at=document.line)


def _compare_texts(
    document: JsonDocument, row: dict[str, Any], dialect: Dialect, collector: Collector
) -> int:
    """How many mentions have another text than the file repeats; they are reported."""
    clusters, text, differing = row[document.field], document.layout.text, 0
    listed = list(clusters.values()) if isinstance(clusters, dict) else clusters
    for number, expected in texts_of(row, dialect.texts, listed):
        start, end, cluster, place, numbers = document.mentions[number]
        words = () if text is not None else (document.layout.words or ())[start : end + 1]
        read = " ".join(words) if text is None else text[start : end + 1]
        if not same_text(read, expected):
            differing += 1
            collector.note(
                "mention-text-differs",
                at=document.line,
                document=document.name,
                found=f"{[*numbers]} reads {quote(read)}",
                expected=f"{quote(expected)}, mention {place} of cluster {cluster}",
            )
    return differing


def _predictions(values: Sequence[JsonValue], collector: Collector) -> Iterator[JsonDocument]:
    """The documents of s2e-coref: an object with their clusters, and one with sub-token maps."""
    objects = [value for value in values if isinstance(value.content, dict)]
    if objects and all(isinstance(value.content.get("clusters"), list) for value in objects):
        collector.note(
            "json-shape",
            "bare",
            at=objects[0].line,
            found=f"the fields {', '.join(objects[0].content)}",
        )
        return
    if len(objects) != 2 or len(values) != 2:
        error = ShapeError("$", "two objects: clusters by document, and sub-token maps")
        note_shape(collector, 1, error)
        return
    clusters, maps = objects
    for name, listed in clusters.content.items():
        try:
            pieces = piece_map(maps.content.get(name), f"$.{name}")
            layout = Layout(None, None, pieces=pieces, size=max(pieces, default=-1) + 1)
            mentions = [*_mentions(listed, name, layout, exclusive=False)]
        except ShapeError as error:
            note_shape(collector, clusters.line, error)
            continue
        yield _sound(JsonDocument(name, clusters.line, layout, mentions, name), collector)


FIELDS = ("link_scores", "mention_scores")
"""The fields with the scores of links and of mentions, which any dialect may have."""


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

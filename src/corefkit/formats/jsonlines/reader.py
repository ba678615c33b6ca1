"""From JSON documents to a Corpus, and reports of their problems.

Beside the clusters there may be probabilities, which `find_links` reads as links:

    "link_scores": [[[4, 4], [0, 1], 0.95], …], "mention_scores": [[[4, 4], 0.99], …]

These spans count the tokens of the document from 0, both ends included, in all dialects.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from corefkit.core.corpus import Corpus, Span
from corefkit.core.incidents import Collector, make_incident
from corefkit.core.options import Reading, for_side
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
from corefkit.formats.kit.building import RawDocument
from corefkit.formats.kit.draft import Draft, Run, corpus_of
from corefkit.formats.kit.json import JsonValue, ShapeError, decode, note_no_clusters, note_shape
from corefkit.formats.kit.link_lists import DocumentLinks, LinkList, LinkRow, LinkScore
from corefkit.formats.kit.text import with_empty_nodes


class JsonDraft(Draft):
    """A document of a file, whose mentions have as ids their cluster and their place in it.

    Attributes:
        layout: its tokens.
        field: the field with the clusters.
        exclusive: whether the ends of spans there are the first tokens after them.
        numbers: those of each span in the file.
        empty: whether words that begin with ## are empty nodes.
    """

    def __init__(  # noqa: PLR0913, PLR0917 (what a document is)
        self,
        name: str | None,
        collector: Collector,
        line: int,
        layout: Layout,
        field: str,
        exclusive: bool = False,
        empty: bool = False,
    ) -> None:
        super().__init__(
            name,
            collector,
            line,
            text=layout.text,
            words=layout.words,
            lengths=layout.lengths,
            size=layout.size,
            inclusive=True,
        )
        self.layout, self.field, self.exclusive, self.empty = layout, field, exclusive, empty
        self.numbers: dict[tuple[int | str, int], Sequence[int]] = {}

    def read(self, clusters: Any, texts: Mapping[int, str] = {}) -> None:
        """Add the mentions; ShapeError if clusters are not lists of lists of numbers.

        Clusters are a list, or an object with ids as keys. `texts` are those that the file repeats,
        by the number of the mention.
        """
        if not isinstance(clusters, list | dict):
            raise ShapeError(f"$.{self.field}", "a list of clusters", clusters)
        named = clusters.items() if isinstance(clusters, dict) else enumerate(clusters)
        width = 2 if self.layout.offset is None else 3
        for name, cluster in named:
            if not isinstance(cluster, list | tuple):
                raise ShapeError(f"$.{self.field}[{name}]", "a list of spans", cluster)
            for index, span in enumerate(cluster):
                fits = isinstance(span, list | tuple) and len(span) == width
                if not fits or {*map(type, span)} != {int} or max(map(abs, span)) >= 1 << 62:
                    form = (
                        "a span, [start, end]" if width == 2 else "a span, [sentence, start, end]"
                    )
                    raise ShapeError(f"$.{self.field}[{name}][{index}]", form, span)
                self.numbers[name, index] = span
        for number, ((name, index), span) in enumerate(self.numbers.items()):
            placed = self.layout.place(span, exclusive=self.exclusive)
            text, entity = texts.get(number), str(name)
            self.mention((name, index), [placed], self.line, entity=entity, text=text)

    def _note_place(
        self, kind: str, id: Hashable, runs: Sequence[Run], line: int | None, shown: str
    ) -> None:
        """Report a span that is outside of the document, or empty."""
        layout, ((start, end),) = self.layout, runs
        assert isinstance(id, tuple)
        (cluster, index), numbers = id, [*self.numbers[id]]
        shown = f"{numbers} at $.{self.field}[{cluster}][{index}]"
        if layout.units < 0:
            self._collector.note("span-empty", "text", at=line, found=shown)
            return
        unit, units = f"{self.unit}s", layout.units
        if layout.pieces is not None:
            unit, units = "sub-tokens", len(layout.pieces)
        ends = "the end not included" if self.exclusive else "the end included"
        self._collector.note(
            "span-empty" if end < start < layout.units else "span-outside",
            self._ends,
            at=line,
            document=self.name,
            found=shown,
            expected=f"spans within {units:,} {unit}, counted from 0, {ends}",
        )

    def _ends(self) -> str:
        """The variant: the ends look inclusive, exclusive, or (`text`) like neither."""
        spans = [numbers[-2:] for numbers in self.numbers.values()]
        same = any(start == end for start, end in spans)
        if self.exclusive:
            return "inclusive" if same else "text"
        at_end = max(end for _, end in spans) == self.layout.units
        return "exclusive" if at_end and not same else "text"

    def _note_text(self, id: Hashable, there: str, given: str, line: int | None) -> None:
        assert isinstance(id, tuple)
        (cluster, index), numbers = id, [*self.numbers[id]]
        self._collector.note(
            "mention-text-differs",
            at=line,
            document=self.name,
            found=f"{numbers} reads {quote(there)}",
            expected=f"{quote(given)}, mention {index} of cluster {cluster}",
        )

    def document(self) -> RawDocument:
        """The document; words that begin with ## are not tokens where they are empty nodes."""
        made = replace(super().document(), speakers=self.layout.speakers)
        return with_empty_nodes(made) if self.empty else made


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
    corpus = corpus_of(name, data, documents, collector, unit)
    chosen = documents[0].field if documents and dialect else ""
    has_ids = all(isinstance(cluster, str) for d in documents for cluster, _ in d.numbers)
    return replace(corpus, sources=(replace(corpus.sources[0], chosen=chosen, has_ids=has_ids),))


def _documents(
    values: Sequence[JsonValue], reading: Reading, dialect: Dialect, collector: Collector
) -> Iterator[JsonDraft]:
    """The documents that can be read; problems are reported."""
    fields = _clusters_fields(values, dialect, reading, collector)
    for value in values if fields else ():
        try:
            document = _document(value, dialect, fields, reading, collector)
        except ShapeError as error:
            note_shape(collector, value.line, error)
            continue
        if document is not None:
            if reading.get("clusters") and not reading.get("ends"):
                _judge_ends(document, dialect, collector)
            yield document


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
    alone = reading.role == "key" and not reading.one_of_two  # not one of two sides of a file
    carried = {*dialect.predicted} if alone else set()
    others = sorted(
        {n for row in rows for n in row.keys() - known if _may_be_clusters(row[n])}
        | {n for row in rows for n in row.keys() & carried}
    )
    if not others:
        return (chosen,)
    at, fields = values[0].line, ", ".join((chosen, *others))
    readable = [n for n in others if not all(isinstance(row.get(n), dict) for row in rows)]
    if reading.role == "key":
        named, found = quote(others[0]) if len(others) == 1 else "others", f"the fields {fields}"
        collector.note("clusters-several", at=at, found=found, field=chosen, others=named)
        return (chosen,)
    collector.note(
        "clusters-missing",
        "several" if readable else "inside",
        at=at,
        found=f"the fields {fields}",
        expected="one field of clusters, or predicted_clusters beside clusters",
        side=for_side(reading.role),
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
) -> JsonDraft | None:
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
    empty = "doc_id" in row
    draft = JsonDraft(name, collector, value.line, layout, field, exclusive, empty)
    draft.read(row[field], dict(texts_of(row, dialect.texts, row[field])))
    return draft


def _judge_ends(draft: JsonDraft, dialect: Dialect, collector: Collector) -> None:
    """Report a field of unknown ends that has no mention of a single token."""
    if draft.field in (*dialect.clusters, *dialect.predicted) or not draft.numbers:
        return
    if all(numbers[-1] != numbers[-2] for numbers in draft.numbers.values()):
        collector.note("ends-unsure", field=draft.field, at=draft.line)


def _predictions(values: Sequence[JsonValue], collector: Collector) -> Iterator[JsonDraft]:
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
            draft = JsonDraft(name, collector, clusters.line, layout, name)
            draft.read(listed)
        except ShapeError as error:
            note_shape(collector, clusters.line, error)
            continue
        yield draft


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

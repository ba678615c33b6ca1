"""Spans and relations between them, as annotation tools export them in JSON."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from typing import Any

from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.links import components
from corefkit.core.options import Reading
from corefkit.formats.kit import building
from corefkit.formats.kit.building import RawDocument, RawMention
from corefkit.formats.kit.json import JsonValue, ShapeError, decode, note_shape


@frozen
class CharacterSpan:
    """A span of characters, its end not included; `labels` are its types."""

    start: int
    end: int
    labels: tuple[str, ...]
    text: str | None = None


@frozen
class SpanDocument:
    """A text with its spans by id, and its links as (types, id, other id)."""

    name: str | None
    text: str
    line: int
    spans: dict[str, CharacterSpan] = field(default_factory=dict)
    links: list[tuple[tuple[str, ...], str, str]] = field(default_factory=list)


def add_span(document: SpanDocument, name: Any, span: CharacterSpan, collector: Collector) -> None:
    """Add a span; one that is outside of the text or repeats an id is reported instead."""
    if not 0 <= span.start < span.end <= len(document.text):
        where = f"[{span.start}, {span.end}]"
        building.note_outside(collector, document.line, where, len(document.text), "characters")
    elif str(name) in document.spans:
        building.note_id_twice(collector, document.line, str(name), document.line)
    else:
        document.spans[str(name)] = span


def parse_values(
    format: str,
    data: bytes,
    path: str,
    reading: Reading,
    read_document: Callable[[Any, int, Reading, Collector], SpanDocument | None],
) -> Corpus:
    """The corpus in a JSON file, whose values `read_document` turns into documents."""
    collector = Collector(path)
    return read_values(format, data, decode(data, collector), reading, read_document, collector)


def read_values(  # noqa: PLR0913, PLR0917 (what is read, how, and into what)
    format: str,
    data: bytes,
    values: Iterable[JsonValue],
    reading: Reading,
    read_document: Callable[[Any, int, Reading, Collector], SpanDocument | None],
    collector: Collector,
) -> Corpus:
    """The corpus in decoded values, which `read_document` turns into documents.

    This function gets a value, its line, the reading and the collector. It raises ShapeError for a
    value that it cannot read, and returns None for one that is not a document.

    Links are coreference if their type begins with "coref" or they have none. A span is a mention
    if such a link has it, or if it has a label that some span of such a link in the file has. The
    reading may choose other relations and labels.
    """
    read = []
    for value in values:
        try:
            document = read_document(value.content, value.line, reading, collector)
        except ShapeError as error:
            note_shape(collector, value.line, error)
            continue
        read += [document] if document else []
    links = [
        [
            (source, target, d.line)
            for types, source, target in d.links
            if building.is_identity(types, reading.listed("relations"))
        ]
        for d in read
    ]
    if not any(links) and any(d.links for d in read):
        types = sorted({type for d in read for types, _, _ in d.links for type in types})
        expected = "relations of a type that begins with coref"
        building.note_no_coreference(collector, f"the relations {', '.join(types)}", expected)
    known = [
        (d, building.known_links(listed, d.spans, collector))
        for d, listed in zip(read, links, strict=True)
    ]
    labels = set(reading.listed("mentions")) or {
        label for d, own in known for label in _labels(d, own)
    }
    documents = [RawDocument(d.name, _mentions(d, own, labels), d.line, d.text) for d, own in known]
    _compare_texts(read, collector)
    return building.make_corpus(format, data, documents, collector, "character")


def count_spans(documents: Iterable[SpanDocument], reading: Reading) -> dict[str, int]:
    """How many labels of spans, and relations other than coreference, a Corpus cannot hold.

    A single label that all spans share does not count.
    """
    listed = list(documents)
    labels = [label for d in listed for span in d.spans.values() for label in span.labels if label]
    relations = [types for d in listed for types, _, _ in d.links]
    return {
        "label": len(labels) if len({*labels}) > 1 else 0,
        "relation": sum(
            not building.is_identity(types, reading.listed("relations")) for types in relations
        ),
    }


def _labels(document: SpanDocument, links: list[tuple[str, str]]) -> Iterable[str]:
    """The labels of the spans that links connect."""
    for name in {name for link in links for name in link}:
        yield from document.spans[name].labels


def _mentions(
    document: SpanDocument, links: list[tuple[str, str]], labels: set[str]
) -> list[RawMention]:
    """The spans that are linked or have one of these labels; all spans if there are no labels."""
    linked = {name for link in links for name in link}
    names = [
        name
        for name, span in document.spans.items()
        if name in linked or not labels or not labels.isdisjoint(span.labels)
    ]
    entity = components(names, links)
    return [
        RawMention(span.start, span.end - 1, str(entity[name]), document.line)
        for name in names
        if (span := document.spans[name])
    ]


def _compare_texts(read: Sequence[SpanDocument], collector: Collector) -> None:
    """Report spans whose text differs from the one given in the file."""
    spans = differing = 0
    for document in read:
        for span in document.spans.values():
            spans += 1
            if span.text is not None:
                text = document.text[span.start : span.end]
                differing += building.note_difference(collector, document.line, text, span.text)
    building.judge_texts(differing, spans, collector)

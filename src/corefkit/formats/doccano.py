"""doccano: JSON lines with a text, its entities and the relations between them."""

from collections import Counter
from typing import Any

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.formats.kit.json import decode, field_of
from corefkit.formats.kit.span_relations import (
    CharacterSpan,
    SpanDocument,
    add_span,
    count_spans,
    parse_values,
)
from corefkit.formats.registry import IN_TEXT, Format


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The documents of one file."""
    return parse_values("doccano", data, path, reading, _document)


def _document(row: Any, line: int, reading: Reading, collector: Collector) -> SpanDocument:
    name = row.get("id") if isinstance(row, dict) else None
    text = field_of(row, "text", str)
    document = SpanDocument(None if name is None else str(name), text, line)
    for number, entity in enumerate(field_of(row, "entities", list)):
        where = f"$.entities[{number}]"
        start, end = (field_of(entity, f, int, where) for f in ("start_offset", "end_offset"))
        span = CharacterSpan(start, end, (str(entity.get("label", "")),))
        add_span(document, entity.get("id", f"entity {number}"), span, collector)
    for number, relation in enumerate(field_of(row, "relations", list)):
        where = f"$.relations[{number}]"
        ends = [field_of(relation, f, int, where) for f in ("from_id", "to_id")]
        type = relation.get("type")
        document.links.append(((str(type),) if type else (), str(ends[0]), str(ends[1])))
    return document


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many labels, other relations, categories and comments a file has."""
    collector = Collector(path)
    values = list(decode(data, collector))
    documents = [_document(value.content, value.line, reading, collector) for value in values]
    numbers = Counter(count_spans(documents, reading))
    for value in values:
        for name in ("cats", "Comments"):
            listed = value.content.get(name)
            numbers[name] += len(listed) if isinstance(listed, list) else 0
    return dict(+numbers)


FORMAT = Format(
    name="doccano",
    title="doccano JSON lines",
    parse=parse,
    unit="character",
    holds=IN_TEXT | {"crossing"},
    options=("relations", "mentions"),
    suffixes=(".jsonl",),
    count_unread=count_unread,
)

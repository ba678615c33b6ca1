"""Label Studio: JSON with tasks, each a text and what annotators marked and linked in it."""

from typing import Any

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.formats._kit.json import ShapeError, field_of
from corefkit.formats._kit.span_relations import (
    CharacterSpan,
    SpanDocument,
    add_span,
    parse_values,
)
from corefkit.formats.registry import IN_TEXT, Format


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The documents of one file, one a task; predictions are never read."""
    return parse_values("label-studio", data, path, reading, _document)


def _document(row: Any, line: int, reading: Reading, found: Collector) -> SpanDocument | None:
    texts = field_of(row, "data", dict)
    text = texts.get("text", next((t for t in texts.values() if isinstance(t, str)), None))
    if not isinstance(text, str):
        raise ShapeError("$.data.text", "a text", text)
    annotations = field_of(row, "annotations", list)
    chosen = next((a for a in annotations if _is_chosen(a, reading.annotator)), None)
    if chosen is None:
        by = reading.annotator
        variant = "annotator" if by else "unfinished"
        expected = "an annotation that was not cancelled; predictions are not read"
        found.note("clusters-missing", variant, annotator=by, at=line, expected=expected)
        return None
    name = row.get("id")
    document = SpanDocument(None if name is None else str(name), text, line)
    for number, result in enumerate(field_of(chosen, "result", list, "$.annotations")):
        where = f"$.annotations.result[{number}]"
        if not isinstance(result, dict):
            raise ShapeError(where, "an object", result)
        if result.get("type") == "labels":
            _add_mention(document, result, where, found)
        elif result.get("type") == "relation":
            ends = [field_of(result, end, str, where) for end in ("from_id", "to_id")]
            document.links.append((_labels(result), ends[0], ends[1]))
    return document


def _add_mention(
    document: SpanDocument, result: dict[str, Any], where: str, found: Collector
) -> None:
    value = field_of(result, "value", dict, where)
    start, end = (field_of(value, name, int, f"{where}.value") for name in ("start", "end"))
    said = value.get("text")
    span = CharacterSpan(start, end, _labels(value), said if isinstance(said, str) else None)
    add_span(document, field_of(result, "id", str, where), span, found)


def _labels(row: dict[str, Any]) -> tuple[str, ...]:
    labels = row.get("labels")
    return tuple(str(label) for label in labels) if isinstance(labels, list) else ()


def _is_chosen(annotation: Any, annotator: str | None) -> bool:
    """Whether an annotation was finished, by the annotator where one is asked for."""
    if not isinstance(annotation, dict) or annotation.get("was_cancelled"):
        return False
    by = annotation.get("completed_by")
    names = [by.get("id"), by.get("email")] if isinstance(by, dict) else [by]
    return annotator is None or annotator in (str(name) for name in names)


FORMAT = Format(
    name="label-studio",
    title="Label Studio JSON",
    parse=parse,
    unit="character",
    holds=IN_TEXT | {"crossing"},
    options=("relations", "mentions", "annotator"),
    suffixes=(".json",),
)

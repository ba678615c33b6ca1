"""Label Studio: JSON with tasks, each a text with the spans and links of its annotators.

X.json:
    [{"id": 7, "data": {"text": "Ada said her say"}, "annotations": [{"completed_by": 1, "result": [
    {"id": "m", "type": "labels", "value": {"start": 0, "end": 3, "text": "Ada", "labels": ["M"]}},
    {"id": "n", "type": "labels", "value": {"start": 9, "end": 12, "text": "her", "labels": ["M"]}},
    {"from_id": "n", "to_id": "m", "type": "relation", "labels": ["coref"]}]}]}]

Each finished annotation of a task is a document of its annotator; one that is marked as ground
truth is also that of the curator. Predictions are read only on request.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector, DataError
from corefkit.core.options import Reading
from corefkit.formats.format import IN_TEXT, Format, Look
from corefkit.formats.kit.annotators import ANNOTATOR, CURATION, Annotation, choose_annotator
from corefkit.formats.kit.building import reader
from corefkit.formats.kit.json import JsonValue, ShapeError, decode, field_of, note_shape
from corefkit.formats.kit.spans import SpanDraft, corpus_of_spans
from corefkit.formats.options import MENTIONS, RELATIONS

PREDICTIONS = "predictions"
"""The name under which the predictions of a model are read."""
_NOBODY = "unknown"


@reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The documents of one annotator, one per task."""
    values = list(decode(data, collector))
    chosen = reading.get("annotator")
    if chosen != PREDICTIONS:
        people = _annotations(values)
        if not people and values:
            expected = "an annotation that was not cancelled"
            collector.note("clusters-missing", "unfinished", at=values[0].line, expected=expected)
            for value in values:
                _check(value, collector)
            raise DataError(collector)
        chosen = choose_annotator(people, _by_number(values, reading), path)
    read = partial(_document, chosen, reading)
    return corpus_of_spans("label-studio", data, values, reading, read, collector)


def list_annotations(data: bytes, path: str, reading: Reading) -> list[Annotation]:
    """Who annotated which tasks."""
    del reading
    return _annotations(list(decode(data, Collector(path))))


def _annotations(values: Sequence[JsonValue]) -> list[Annotation]:
    """Who annotated which task; annotations that were cancelled do not count."""
    finished: dict[Annotation, None] = {}
    for name, annotation in _each(values):
        if _is_finished(annotation):
            finished[Annotation(name, _annotator(annotation))] = None
            if annotation.get("ground_truth") is True:
                finished[Annotation(name, CURATION)] = None
    return list(finished)


def _each(values: Sequence[JsonValue]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The annotations of all tasks, each with the name of its task; broken tasks have none."""
    for number, value in enumerate(values, 1):
        row = value.content
        annotations = row.get("annotations") if isinstance(row, dict) else None
        for annotation in annotations if isinstance(annotations, list) else ():
            if isinstance(annotation, dict):
                yield _name(row) or str(number), annotation


def _check(value: JsonValue, collector: Collector) -> None:
    """Report a malformed task."""
    try:
        field_of(value.content, "data", dict)
        field_of(value.content, "annotations", list)
    except ShapeError as error:
        note_shape(collector, value.line, error)


def _name(row: dict[str, Any]) -> str | None:
    return None if row.get("id") is None else str(row["id"])


def _is_finished(annotation: Any) -> bool:
    return isinstance(annotation, dict) and not annotation.get("was_cancelled")


def _annotator(annotation: dict[str, Any]) -> str:
    """The annotator of an annotation: the e-mail address, or else the number."""
    by = annotation.get("completed_by")
    if isinstance(by, dict):
        by = by.get("email") or by.get("id")
    return _NOBODY if by is None else str(by)


def _by_number(values: Sequence[JsonValue], reading: Reading) -> Reading:
    """The reading, an annotator who is named by a number under the address; any other as it is."""
    name = reading.get("annotator")
    for _, annotation in _each(values):
        by = annotation.get("completed_by")
        if name is not None and isinstance(by, dict) and str(by.get("id")) == name:
            return reading.with_options(annotator=_annotator(annotation))
    return reading


def _document(
    annotator: str | None, reading: Reading, row: Any, line: int, collector: Collector
) -> SpanDraft | None:
    """The document of an annotator; None if the annotator did not annotate the task."""
    texts = field_of(row, "data", dict)
    text = texts.get("text", next((t for t in texts.values() if isinstance(t, str)), None))
    if not isinstance(text, str):
        raise ShapeError("$.data.text", "a text", text)
    results = _results(row, line, annotator, collector)
    if results is None:
        return None
    draft = SpanDraft(_name(row), collector, line, text, reading)
    for where, result in results:
        draft.unread["meta"] += bool(result.get("meta"))
        if result.get("type") == "labels":
            value = field_of(result, "value", dict, where)
            start, end = (field_of(value, name, int, f"{where}.value") for name in ("start", "end"))
            given = value.get("text") if isinstance(value.get("text"), str) else None
            id = field_of(result, "id", str, where)
            draft.span(id, [(start, end)], line, _labels(value), given)
    for where, result in results:
        if result.get("type") == "relation":
            ends = [field_of(result, end, str, where) for end in ("from_id", "to_id")]
            draft.relate(_labels(result), ends, line)
        elif result.get("type") != "labels":
            draft.unread[str(result.get("type"))] += 1
    return draft


def _results(
    row: Any, line: int, annotator: str | None, collector: Collector
) -> list[tuple[str, dict[str, Any]]] | None:
    """The path and content of each result of an annotator for a task; None if there are none."""
    field = PREDICTIONS if annotator == PREDICTIONS else "annotations"
    if field == PREDICTIONS and row.get(field) is None:
        return None  # exports omit the field if there are none
    annotations = field_of(row, field, list)
    chosen = [
        a for a in annotations if _is_finished(a) and (field == PREDICTIONS or _is_by(a, annotator))
    ]
    if not chosen:
        return None
    # Of several by one person, the latest counts; of equally late ones, the one listed last.
    last = max(range(len(chosen)), key=lambda at: (str(chosen[at].get("updated_at") or ""), at))
    if len(chosen) > 1:
        shown = f"{len(chosen)} annotations of task {_name(row) or line}"
        collector.note("annotation-twice", at=line, annotator=annotator, found=shown)
    results = []
    for number, result in enumerate(field_of(chosen[last], "result", list, f"$.{field}")):
        where = f"$.{field}.result[{number}]"
        if not isinstance(result, dict):
            raise ShapeError(where, "an object", result)
        results.append((where, result))
    return results


def _is_by(annotation: dict[str, Any], annotator: str | None) -> bool:
    if annotator == CURATION and annotation.get("ground_truth") is True:
        return True
    return annotator is None or annotator == _annotator(annotation)


def _labels(row: dict[str, Any]) -> tuple[str, ...]:
    labels = row.get("labels")
    return tuple(str(label) for label in labels) if isinstance(labels, list) else ()


FORMAT = Format(
    name="label-studio",
    title="Label Studio JSON",
    parse=parse,
    unit="character",
    holds=IN_TEXT | {"crossing"},
    options=(RELATIONS, MENTIONS, ANNOTATOR),
    looks=(Look(keys="data annotations"),),
    suffixes=(".json",),
    annotations=list_annotations,
)

"""doccano: JSON lines with a text, its entities and the relations between them.

X.jsonl:
    {"id": 1, "text": "Ada said her say",
     "entities": [{"id": 10, "label": "M", "start_offset": 0, "end_offset": 3},
                  {"id": 11, "label": "M", "start_offset": 9, "end_offset": 12}],
     "relations": [{"from_id": 11, "to_id": 10, "type": "coref"}]}
"""

from functools import partial
from typing import Any

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.formats.format import IN_TEXT, Format, Look
from corefkit.formats.kit.building import reader
from corefkit.formats.kit.json import decode, field_of
from corefkit.formats.kit.spans import SpanDraft, corpus_of_spans
from corefkit.formats.options import MENTIONS, RELATIONS


@reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The documents of one file."""
    values = decode(data, collector)
    read = partial(_document, reading)
    return corpus_of_spans("doccano", data, values, reading, read, collector)


def _document(reading: Reading, row: Any, line: int, collector: Collector) -> SpanDraft:
    name = row.get("id") if isinstance(row, dict) else None
    text = field_of(row, "text", str)
    draft = SpanDraft(None if name is None else str(name), collector, line, text, reading)
    for number, entity in enumerate(field_of(row, "entities", list)):
        where = f"$.entities[{number}]"
        start, end = (field_of(entity, f, int, where) for f in ("start_offset", "end_offset"))
        id = str(entity.get("id", f"entity {number}"))
        draft.span(id, [(start, end)], line, (str(entity.get("label", "")),))
    for number, relation in enumerate(field_of(row, "relations", list)):
        where = f"$.relations[{number}]"
        ends = [str(field_of(relation, f, int, where)) for f in ("from_id", "to_id")]
        type = relation.get("type")
        draft.relate([str(type)] if type else [], ends, line)
    for name in ("cats", "Comments"):
        listed = row.get(name)
        draft.unread[name] += len(listed) if isinstance(listed, list) else 0
    return draft


FORMAT = Format(
    name="doccano",
    title="doccano JSON lines",
    parse=parse,
    unit="character",
    holds=IN_TEXT | {"crossing"},
    options=(RELATIONS, MENTIONS),
    looks=(Look(keys="text entities relations"),),
    suffixes=(".jsonl",),
)

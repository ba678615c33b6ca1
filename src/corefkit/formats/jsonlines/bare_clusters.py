"""JSON with clusters and nothing that could hold their words: spans of a text that is elsewhere.

Only read where users name the field of the clusters. Spans count tokens, both ends included unless
users say otherwise; how many tokens there are is unknown.
"""

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.formats.jsonlines.layout import DIALECTS, Layout, find_spans
from corefkit.formats.kit import building
from corefkit.formats.kit.building import RawDocument, RawMention
from corefkit.formats.kit.json import (
    JsonValue,
    ShapeError,
    decode,
    note_no_clusters,
    note_shape,
)

_NO_WORDS = Layout([], list)


def parse_bare_clusters(data: bytes, path: str, field: str, reading: Reading) -> Corpus:
    """The documents with the clusters of a field."""
    collector = Collector(path)
    documents = []
    for value in decode(data, collector):
        try:
            document = _document(value, field, reading, collector)
        except ShapeError as error:
            note_shape(collector, value.line, error)
        else:
            documents += [document] if document else []
    return building.make_corpus("links", data, documents, collector)


def _document(
    value: JsonValue, field: str, reading: Reading, collector: Collector
) -> RawDocument | None:
    row = value.content
    if not isinstance(row, dict):
        raise ShapeError("$", "an object", row)
    if row.get(field) is None:
        note_no_clusters(collector, value.line, [field], row)
        return None
    spans = find_spans(row[field], field, _NO_WORDS, exclusive=reading.get("ends") == "exclusive")
    one_word = (spans.numbers[:, 0] == spans.numbers[:, 1]).any()
    if reading.get("ends") is None and len(spans.numbers) and not one_word:
        collector.note("ends-unsure", field=field, at=value.line)
    mentions = []
    for number, (start, end) in enumerate(
        zip(spans.start.tolist(), spans.end.tolist(), strict=True)
    ):
        cluster, place = spans.path(number)
        if not 0 <= start <= end:
            shown = f"{spans.numbers[number].tolist()} at $.{field}[{cluster}][{place}]"
            collector.note("span-empty", "text", at=value.line, found=shown)
        else:
            mentions.append(RawMention(start, end, str(cluster), value.line))
    return RawDocument(DIALECTS["lingmess"].document_name(row), mentions, value.line)

"""Probabilities beside the clusters of JSON documents: `link_scores` and `mention_scores`.

    "link_scores": [[[4, 4], [0, 1], 0.95], …], "mention_scores": [[[4, 4], 0.99], …]

Tokens of the document from 0, both ends included, whatever the spans of the clusters count.
"""

from typing import Any

from corefkit.core.corpus import Span
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.formats._kit.json import ShapeError, decode, note_shape
from corefkit.formats._kit.link_lists import DocumentLinks, LinkList, LinkRow, LinkScore
from corefkit.formats.jsonlines.layout import DIALECTS

FIELDS = ("link_scores", "mention_scores")


def find_links(data: bytes, path: str, reading: Reading, name: str) -> LinkList | None:
    """The links of a file with their scores, and what is wrong; None: no document has any."""
    del reading
    found, dialect = Collector(path), DIALECTS[name]
    documents: list[DocumentLinks] = []
    scored = False
    for value in decode(data, found):
        row = value.content
        if not isinstance(row, dict):
            note_shape(found, value.line, ShapeError("$", "an object", row))
            continue
        scored = scored or any(field in row for field in FIELDS)
        document = DocumentLinks(dialect.document_name(row), value.line)
        try:
            for link in _rows(row, value.line):
                document.add(link, found)
        except ShapeError as error:
            note_shape(found, value.line, error)
        documents.append(document)
    return LinkList(tuple(documents), tuple(found), path) if scored else None


def _rows(row: dict[str, Any], line: int) -> list[LinkRow]:
    """The links and mentions of a document; ShapeError where they are not of the form above."""
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

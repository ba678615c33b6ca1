"""TAC entity linking until 2014: queries in XML, and a table of answers beside the file."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.core.texts import quote
from corefkit.formats.kit import building, files
from corefkit.formats.kit.building import RawDocument, lines_of
from corefkit.formats.kit.byte_columns import ByteLines, UnfitError, renumber
from corefkit.formats.kit.xml import ElementListener, count_attributes, walk
from corefkit.formats.kit.xml.finder import find_records
from corefkit.formats.kit.xml.record_tables import RecordKind
from corefkit.formats.registry import Format, are_written
from corefkit.formats.tac_edl import (
    HOLDS,
    LinkedColumns,
    LinkedMention,
    linked_corpus,
    linked_documents,
    note_cells,
    read_confidence,
    refuse_confidence,
    topic_of,
)

_ANSWER_CELLS = 3
_HEADING = "query_id"
_QUERY = RecordKind(("@id", "docid", "beg", "end"), prefixed=())


class _Query(NamedTuple):
    """A query: its document and its span, both ends included, and its line."""

    document: str
    start: int
    end: int
    line: int


class _QueryReader(ElementListener):
    """Collects the queries of a file; `after` is 1 if the ends of spans are excluded, else 0."""

    def __init__(self, collector: Collector, after: int) -> None:
        self.queries: dict[str, _Query] = {}
        self._collector, self._after = collector, after
        self._id, self._line = "", 1
        self._values: dict[str, str] = {}

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        if path[-1] == "query":
            self._id, self._line, self._values = attributes.get("id", ""), self.line, {}

    def end(self, path: list[str], text: str) -> None:
        if path[-1] != "query":
            self._values[path[-1]] = text.strip()
            return
        begin, end = (building.whole_number(self._values.get(name)) for name in ("beg", "end"))
        document = self._values.get("docid", "")
        if begin is None or end is None or not document:
            shown, expected = quote(self._id), "<docid>, <beg> and <end>"
            self._collector.note("place-bad", at=self._line, found=shown, expected=expected)
        elif end - self._after < begin:
            shown = f"{begin} to {end}"
            self._collector.note(
                "span-empty", "text", at=self._line, found=shown, expected="begin ≤ end"
            )
        elif self._id in self.queries:
            first = self.queries[self._id].line
            building.note_id_twice(self._collector, self._line, self._id, first)
        else:
            last = end - self._after
            self.queries[self._id] = _Query(document, begin, last, self._line)


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The documents of a file of queries, with the answers beside it."""
    collector = Collector(path)
    try:
        documents = _documents(data, path, int(reading.get("ends") == "exclusive"), collector)
    except UnfitError:
        return _parse_elements(data, path, reading, collector)
    return building.make_corpus("tac-queries", data, documents, collector, "character")


def _documents(data: bytes, path: str, after: int, collector: Collector) -> list[RawDocument]:
    """The documents, read in columns; UnfitError if a query or an answer is unusual."""
    queries = find_records(data, {"query": _QUERY}, ()).tables["query"].pieces
    id, document, begin, end = (column.sound() for column in queries.fields.values())
    documents = document.column()
    _, answers = files.companion(path, ".xml", ".tab")
    plain = len(id) and len(id) == data.count(b"</query>")  # no query is inside another
    if not plain or answers is None or not all(n and n == n.strip() for n in documents.values):
        raise UnfitError
    lines = ByteLines.of(answers)
    cells = lines.cells(_ANSWER_CELLS)
    if lines.number[0] == 1 and cells[0].take(slice(1)).texts() == [_HEADING]:
        lines = lines.take(np.arange(1, len(lines.number)))
        cells = lines.cells(_ANSWER_CELLS)
    confidence = cells[_ANSWER_CELLS].take(cells.table.count > _ANSWER_CELLS).column()
    refuse_confidence(filter(None, confidence.values))
    entities = cells[1].column()
    if not all(map(str.strip, entities.values)):
        raise UnfitError
    rows = _query_rows(cells[0].texts(), id.texts())
    mentions = LinkedColumns(
        renumber(documents, rows),
        begin.numbers()[rows],
        end.numbers()[rows] - after,
        entities,
        cells[2].column(),
        queries.line[rows],
    )
    return linked_documents(mentions, collector)


def _query_rows(answers: list[str], queries: list[str]) -> IntArray:
    """int64 (answers,): the query of each answer; UnfitError unless each query has one answer."""
    place = {id: row for row, id in enumerate(queries)}
    if len(queries) != len(place) or len(answers) != len(place) or place.keys() != set(answers):
        raise UnfitError
    return np.array([place[id] for id in answers], dtype=np.int64)


def _parse_elements(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The documents of any file, read query by query."""
    reader = _QueryReader(collector, int(reading.get("ends") == "exclusive"))
    if not walk(data, reader, collector):
        return building.nothing(collector)
    beside, answers = files.companion(path, ".xml", ".tab")
    if answers is None:
        collector.note("clusters-missing", "answers", expected=f"{beside} beside it")
        return building.nothing(collector)
    mentions = list(_answered(answers, beside, reader.queries, collector))
    return linked_corpus("tac-queries", data, mentions, collector)


def _answered(
    data: bytes, path: str, queries: dict[str, _Query], collector: Collector
) -> Iterator[LinkedMention]:
    """The queries with their answers; a query without an answer, or the reverse, is reported."""
    answered: set[str] = set()
    unknown = False
    for line, text in enumerate(lines_of(data), 1):
        cells = text.split("\t")
        if not text.strip() or (line == 1 and cells[0] == _HEADING):
            continue
        if len(cells) < _ANSWER_CELLS:
            note_cells(collector, line, cells, _ANSWER_CELLS, file=path)
            continue
        id, entity, type, *rest = cells
        if id not in queries:
            unknown = True
            expected = "the id of a query"
            collector.note(
                "mention-unknown", "query", at=line, found=quote(id), expected=expected, file=path
            )
            continue
        answered.add(id)
        if not entity.strip():
            collector.note("entity-missing", "id", at=line, found=f"query {quote(id)}", file=path)
            continue
        confidence = (
            read_confidence(rest[0], line, collector, file=path) if rest and rest[0] else 1.0
        )
        query = queries[id]
        yield LinkedMention(
            query.document, query.start, query.end, entity, type, confidence, query.line
        )
    if not unknown:
        for id in (id for id in queries if id not in answered):
            expected = f"a line of {path}"
            collector.note(
                "entity-missing",
                "query",
                at=queries[id].line,
                found=f"query {quote(id)}",
                expected=expected,
            )


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many queries have a name, and how many answers a confidence; neither is read."""
    del reading
    numbers = Counter(count_attributes(data, {"name": None}))
    _, answers = files.companion(path, ".xml", ".tab")
    rows = [line.split("\t") for line in lines_of(answers or b"")]
    numbers["confidence"] += sum(
        len(cells) > _ANSWER_CELLS and bool(cells[_ANSWER_CELLS].strip())
        for cells in rows
        if cells[0] != _HEADING
    )
    return dict(+numbers)


FORMAT = Format(
    "tac-queries",
    "TAC queries",
    parse,
    unit="character",
    holds=HOLDS,
    options=("ends",),
    suffixes=(".xml",),
    count_unread=count_unread,
    topic=topic_of,
    shared_ids=are_written,
)

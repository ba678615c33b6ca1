"""TAC entity linking until 2014: queries in XML, and a table of answers beside them."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.core.texts import quote
from corefkit.formats._kit import building, files
from corefkit.formats._kit.building import lines_of
from corefkit.formats._kit.xml import ElementListener, count_attributes, walk
from corefkit.formats.registry import Format, are_written
from corefkit.formats.tac_edl import (
    HOLDS,
    LinkedMention,
    linked_corpus,
    note_cells,
    read_confidence,
    topic_of,
)

_ANSWER_CELLS = 3


class _Query(NamedTuple):
    """A query: its document and its span, both ends included, and its line."""

    document: str
    start: int
    end: int
    line: int


class _QueryReader(ElementListener):
    """Gathers the queries of a file."""

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
    reader = _QueryReader(collector, int(reading.ends == "exclusive"))
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
    """The queries with their answers; both must be there."""
    answered: set[str] = set()
    unknown = False
    for line, text in enumerate(lines_of(data), 1):
        cells = text.split("\t")
        if not text.strip() or (line == 1 and cells[0] == "query_id"):
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
        confidence = (
            read_confidence(rest[0], line, collector, file=path) if rest and rest[0] else 1.0
        )
        answered.add(id)
        query = queries[id]
        yield LinkedMention(
            query.document, query.start, query.end, entity, type, confidence, query.line
        )
    if not unknown:
        for id in queries.keys() - answered:
            expected = f"a line of {path}"
            collector.note(
                "entity-missing",
                "query",
                at=queries[id].line,
                found=f"query {quote(id)}",
                expected=expected,
            )


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many queries have a name, which no place shows, and answers a confidence."""
    del reading
    numbers = Counter(count_attributes(data, {"name": None}))
    _, answers = files.companion(path, ".xml", ".tab")
    rows = [line.split("\t") for line in lines_of(answers or b"")]
    numbers["confidence"] += sum(
        len(cells) > _ANSWER_CELLS and bool(cells[_ANSWER_CELLS].strip())
        for cells in rows
        if cells[0] != "query_id"
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

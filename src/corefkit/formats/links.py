"""Link lists, the output of pairwise systems and question templates: one link per line.

X.links:
    document	start	end	antecedent_start	antecedent_end	score
    x	2	2	0	0	0.9
    x	4	4	_	_	0.5

They are TSV, CSV or JSON lines; `formats.parquet` reads Parquet files with the same columns. Tokens
of a document count from 0, both ends included. A list has no words: those of the other side count.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from math import isfinite
from typing import Any

from corefkit.core.corpus import Corpus, Span
from corefkit.core.incidents import Collector, DataError, make_incident
from corefkit.core.nodes import distinct_spans, repeated_spans
from corefkit.core.options import Reading
from corefkit.core.table_columns import LINKS
from corefkit.core.texts import quote, shorten
from corefkit.formats.format import Format, Look, WrittenFiles
from corefkit.formats.kit.building import whole_number
from corefkit.formats.kit.content import contents
from corefkit.formats.kit.draft import Draft
from corefkit.formats.kit.json import JsonValue, ShapeError, decode, field_error, note_shape
from corefkit.formats.kit.link_lists import BEST, THRESHOLD, UNLINKED, LinkList, LinkRow, LinkScore
from corefkit.formats.kit.tables import is_link, table_rows
from corefkit.formats.options import ENDS, UNIT

(_NEEDED,) = LINKS.required
_NONE = ("", "_")
"""The contents of an empty cell."""


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The corpus of a link list; its entities are the mentions that the kept links connect."""
    collector = Collector(path)
    return read_links(data, reading, collector).cut(data, reading, collector, "links")


def find_links(data: bytes, path: str, reading: Reading) -> LinkList:
    """The links of a file with their scores, and their incidents."""
    return read_links(data, reading, Collector(path))


def read_links(data: bytes, reading: Reading, collector: Collector) -> LinkList:
    """The links of a file; problems are noted in the collector."""
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"["):
        rows = _of_values(decode(data, collector), collector)
    else:
        rows = _of_cells(data, collector)
    try:
        return LinkList.of(_sound(rows, reading, collector), collector)
    except DataError:  # a table that cannot be read to its end
        return LinkList((), tuple(collector), collector.file or "")


class _CellError(Exception):
    """A bad cell: the kind and variant of its incident, and its content."""

    def __init__(self, kind: str, variant: str, shown: object, **values: str) -> None:
        super().__init__(kind)
        self.kind, self.variant, self.values = kind, variant, values
        self.shown = shown if isinstance(shown, str) else repr(shown)

    def note(self, collector: Collector, line: int) -> None:
        """Note the incident."""
        collector.note(self.kind, self.variant, at=line, found=quote(self.shown), **self.values)


def make_row(cells: Mapping[str, Any], line: int) -> LinkRow:
    """A row of a list from its cells by column; a cell may be a string, a number or None."""
    span = _needed(_find_span((cells.get("start"), cells.get("end")), _ANAPHOR))
    antecedent = cells.get("antecedent_start"), cells.get("antecedent_end")
    other, score = _find_span(antecedent, _ANTECEDENT), _score(cells.get("score"))
    return LinkRow(str(cells["document"]), span, other, score, line)


_ANAPHOR, _ANTECEDENT = ("start", "end"), ("antecedent start", "antecedent end")
"""The names of the cells of the two spans, for messages."""


def _needed(span: Span | None) -> Span:
    if span is None:
        raise _CellError("number-expected", "span", "", name="start")
    return span


def _find_span(cells: tuple[Any, Any], names: tuple[str, str]) -> Span | None:
    """The span given by two cells; None if both are empty."""
    start, end = (_number(cell, name) for cell, name in zip(cells, names, strict=True))
    if start is not None and end is not None:
        return start, end
    if start is end:
        return None
    raise _CellError("number-expected", "span", "", name=names[0 if start is None else 1])


def _number(value: Any, name: str) -> int | None:
    """A cell as a whole number; None if it is empty."""
    if value is None or value != value:  # noqa: PLR0124 (data frames have NaN for no value)
        return None
    if isinstance(value, str):
        text = value.strip()
        if text in _NONE:
            return None
        number = whole_number(text)
    else:
        whole = type(value) is int or (type(value) is float and value.is_integer())
        number = int(value) if whole and 0 <= value < 1 << 62 else None
    if number is None:
        raise _CellError("number-expected", "span", value, name=name)
    return number


def _score(value: Any) -> LinkScore:
    if value is None or (isinstance(value, str) and value.strip() in _NONE):
        return None
    try:
        if isinstance(value, bool) or (isinstance(value, str) and "_" in value):
            raise ValueError
        score = float(value)
    except (TypeError, ValueError):
        raise _CellError("number-expected", "score", value) from None
    except OverflowError:
        score = float("inf")
    if not isfinite(score):
        raise _CellError("p-bad", "number", value)
    return score


def _of_cells(data: bytes, collector: Collector) -> Iterator[LinkRow]:
    """The rows of a table with or without a header."""
    columns: list[str] = []
    for line, cells in table_rows(data, collector, strict=False):
        if not columns:
            columns = [LINKS.column_of(cell) or "" for cell in cells]
            if {*_NEEDED} <= {*columns}:
                continue
            columns = LINKS.names[: len(cells)]
        if len(cells) != len(columns) or len(columns) < len(_NEEDED):
            expected = f"{max(len(columns), len(_NEEDED))} cells, as in the first line"
            number, shown = len(cells), shorten(" ".join(cells))
            collector.note(
                "columns-differ", "links", at=line, number=number, found=shown, expected=expected
            )
            continue
        try:
            yield make_row(dict(zip(columns, cells, strict=True)), line)
        except _CellError as error:
            error.note(collector, line)


def links_of_records(
    rows: Iterable[Mapping[str, Any]], reading: Reading, collector: Collector
) -> LinkList:
    """The links of decoded rows, e.g. of a Parquet file; line numbers are row numbers."""
    values = (JsonValue(dict(row), number) for number, row in enumerate(rows, 1))
    return LinkList.of(_sound(_of_values(values, collector), reading, collector), collector)


def _of_values(values: Iterable[JsonValue], collector: Collector) -> Iterator[LinkRow]:
    """The links of JSON lines, or of a list of objects."""
    for value in values:
        try:
            cells = _cells_of(value.content)
        except ShapeError as error:
            note_shape(collector, value.line, error)
            continue
        try:
            yield make_row(cells, value.line)
        except _CellError as error:
            error.note(collector, value.line)


def _cells_of(content: Any) -> dict[str, Any]:
    """The cells of an object by column; ShapeError if a required one is missing."""
    if not isinstance(content, dict):
        raise ShapeError("$", "an object", content)
    named = ((LINKS.column_of(name), value) for name, value in content.items())
    cells = {column: value for column, value in named if column}
    for field, (start, end) in _SPANS.items():
        if field in content:
            cells[start], cells[end] = _span(content[field], field)
    for column in _NEEDED[:3]:
        if cells.get(column) is None:
            field = "anaphor" if column != "document" else "doc"
            name = f"the name of the document, called {LINKS.spellings('document')}"
            expected = name if field == "doc" else "[start, end]"
            raise field_error(content, field, "$", expected)
    return cells


_SPANS = {
    "anaphor": ("start", "end"),
    "antecedent": ("antecedent_start", "antecedent_end"),
}


def _span(value: Any, field: str) -> tuple[int | None, int | None]:
    if value is None and field == "antecedent":
        return None, None
    good = isinstance(value, list) and len(value) == 2 and all(type(n) is int for n in value)
    if not good:
        raise ShapeError(f"$.{field}", "[start, end]", value)
    return value[0], value[1]


def _sound(rows: Iterable[LinkRow], reading: Reading, collector: Collector) -> Iterator[LinkRow]:
    """The rows with both ends of spans included; rows with an empty span are reported."""
    spans = Draft(None, collector, inclusive=reading.get("ends") != "exclusive")
    spans.variants = {"span-empty": "row"}
    known: dict[Span, Span] = {}
    for row in rows:
        for span in (row.span, row.antecedent):
            if span is not None and span not in known:
                placed = spans.placed([span], row.line)
                if placed is None:
                    break
                known[span] = placed[0]
        else:
            other = row.antecedent and known[row.antecedent]
            yield row._replace(span=known[row.span], antecedent=other)


def write(corpus: Corpus, path: str) -> WrittenFiles:
    """A list that links each mention to the previous one of its entity; singletons have no link.

    Only the first copy of a repeated span is written: otherwise the entities of the copies would
    be merged.
    """
    lines = ["\t".join(_NEEDED).replace("document", "doc", 1)]
    without_mentions = 0
    written = distinct_spans(corpus)
    for number, content in enumerate(contents(written), 1):
        name = re.sub(r"[\t\r\n]", " ", str(number) if content.name is None else content.name)
        without_mentions += not content.entities
        for _, listed in content.entities:
            spans = sorted(listed)  # in the order of the reader: by begin, then by end
            for index, (start, end) in enumerate(spans):
                other = spans[index - 1] if index else ("_", "_")
                if index or len(spans) == 1:
                    lines.append("\t".join(map(str, (name, start, end, *other))))
    data = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
    incidents = []
    if number := int(repeated_spans(corpus).sum()):
        incidents.append(make_incident("span-in-two-entities", "links", number=number))
    if without_mentions:
        incidents.append(make_incident("document-empty", "no-mentions", number=without_mentions))
    return WrittenFiles({path: data}, incidents, corpus.mentions - written.mentions)


_ROW = (
    rb"(?:[^\t\n]*(?:\t\d+){2}(?:\t *(?:\d+|_?) *){2}(?:\t[^\t\n]*)?"
    rb'|(?:"(?:[^"\n]|"")*"|[^,"\t\n]*)(?:,\d+){2}(?:, *(?:\d+|_?) *){2}(?:,[^,\t\n]*)?)'
    rb"\r?(?:\n|\Z)"
)
"""A row of a list that does not name its columns."""

FORMAT = Format(
    name="links",
    title="Link lists of pairwise systems",
    parse=parse,
    write=write,
    holds=frozenset({"singletons", "crossing", "names"}),
    options=(ENDS, THRESHOLD, BEST, UNLINKED, UNIT),
    looks=(
        Look(table=LINKS),
        Look(begins=_ROW),
        Look(document=is_link),
    ),
    suffixes=(".links",),
    find_links=find_links,
)

"""TAC entity linking: tables of mentions since 2015, before that queries with a table of answers.

tac-edl, X.tab:
    run	M1	the mayor	doc-1:10-18	E7	PER	NOM	1.0
tac-queries, X.xml:
    <kbpentlink><query id="q1"><name>the mayor</name><docid>doc-1</docid>
    <beg>10</beg><end>18</end></query></kbpentlink>
X.tab:
    q1	E7	PER	1.0

Both ends of a span are included; spans count the characters of the source with its mark-up, which
the files do not contain. An id means the same entity in all documents; each document is read by
itself. Where a span has several lines, the one with the highest confidence counts.

It was never tried on a file of a corpus (see `formats.archive`).
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.core.texts import quote
from corefkit.formats.format import Format, Look
from corefkit.formats.kit import files
from corefkit.formats.kit.building import lines_of, note_too_few, reader, refused, whole_number
from corefkit.formats.kit.draft import Draft, Run, corpus_of
from corefkit.formats.kit.tree import XmlTree, read_tree, text_of
from corefkit.formats.options import ENDS

_CELLS, _ANSWER_CELLS = 8, 3
_PLACE = re.compile(r"\s*(\S.*?)\s*:\s*(\d{1,18})\s*[-–]\s*(\d{1,18})\s*")
_HEADING = "query_id"
_NIL = "NIL"
"""The beginning of ids that are not in the knowledge base."""
_UNREAD = {2: "text", 7: "confidence"}


class _Linked(NamedTuple):
    """A mention with the id of its entity; its document and its span as the file gives them."""

    document: str
    span: Run
    entity: str
    type: str
    confidence: float
    line: int
    shown: str


@reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The documents of one table."""
    mentions, unread = [], Counter[str]()
    for line, cells in _rows(data, _CELLS, collector):
        _, _, text, place, id, type, kind, confidence, *_ = cells
        entity, match = id.strip(), _PLACE.fullmatch(place)
        if match is None:
            expected = "DOCUMENT:begin-end"
            collector.note("place-bad", at=line, found=quote(place), expected=expected)
        elif not entity:
            collector.note("entity-missing", "id", at=line, found=quote(text))
        else:
            span = int(match[2]), int(match[3])
            sure = _confidence(confidence, line, collector)
            label = f"{type}/{kind}"
            mentions.append(_Linked(match[1], span, entity, label, sure, line, place))
        unread.update(
            _UNREAD.get(number, f"column {number + 1}")
            for number, cell in enumerate(cells)
            if (number in _UNREAD or number >= _CELLS) and cell.strip()
        )
    return _corpus("tac-edl", data, mentions, unread, collector)


def _rows(
    data: bytes, least: int, collector: Collector, **file: str
) -> Iterator[tuple[int, list[str]]]:
    """The line and the cells of each line that is not blank; too few cells are reported."""
    for line, text in enumerate(lines_of(data), 1):
        cells = text.split("\t")
        if len(cells) >= least:
            yield line, cells
        elif text.strip():
            note_too_few(collector, line, cells, least, **file)


def _confidence(cell: str, line: int, collector: Collector, **file: str) -> float:
    """The confidence in a cell; 0, and an incident, if it is not a number."""
    try:
        return float(cell)
    except ValueError:
        expected = "a confidence, e.g. 1.0"
        collector.note("number-expected", at=line, found=quote(cell), expected=expected, **file)
        return 0.0


def _corpus(
    format: str,
    data: bytes,
    mentions: Sequence[_Linked],
    unread: Counter[str],
    collector: Collector,
) -> Corpus:
    """The corpus; if a span has several lines, the one with the highest confidence counts."""
    best: dict[tuple[str, Run], _Linked] = {}
    for mention in mentions:
        other = best.get((mention.document, mention.span))
        if other is None or mention.confidence > other.confidence:
            best[mention.document, mention.span] = mention
    drafts: dict[str, Draft] = {}
    for name, span, entity, type, _, line, shown in best.values():
        if name not in drafts:
            drafts[name] = Draft(name, collector, line, unit="character", inclusive=True)
        labels = {"type": type, "kb": "" if entity.startswith(_NIL) else entity}
        drafts[name].mention(None, [span], line, entity=entity, shown=shown, labels=labels)
    pairs = {(mention.entity, name) for (name, _), mention in best.items()}
    if number := sum(times > 1 for times in Counter(entity for entity, _ in pairs).values()):
        collector.note("cross-document", number=number)
    for draft in [*drafts.values()][:1]:
        draft.unread = unread
    return corpus_of(format, data, [*drafts.values()], collector, "character", has_ids=True)


@reader
def parse_queries(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The documents of a file of queries, with the answers beside it."""
    tree = read_tree(data, collector)
    spans = Draft("", collector, unit="character", inclusive=reading.get("ends") != "exclusive")
    queries = _queries(tree, spans)
    beside, answers = files.companion(path, ".xml", ".tab")
    if answers is None:
        raise refused(collector, "clusters-missing", "answers", expected=f"{beside} beside it")
    spans.file, spans.variants = beside, {"mention-unknown": "query"}
    mentions, answered, unknown = [], set(), False
    unread = tree.unread({"name": None})
    for line, cells in _rows(answers, _ANSWER_CELLS, collector, file=beside):
        id, entity, type, confidence = [*cells, ""][: _ANSWER_CELLS + 1]
        if line == 1 and id == _HEADING:
            continue
        unread["confidence"] += bool(confidence.strip())
        if not spans.known([id], line):
            unknown = True
            continue
        answered.add(id)
        if not entity.strip():
            collector.note("entity-missing", "id", at=line, found=f"query {quote(id)}", file=beside)
            continue
        sure = _confidence(confidence or "1", line, collector, file=beside)
        if id in queries:
            mentions.append(queries[id]._replace(entity=entity, type=type, confidence=sure))
    for id, query in queries.items():
        if id not in answered and not unknown:
            found, expected = f"query {quote(id)}", f"a line of {beside}"
            collector.note("entity-missing", "query", at=query.line, found=found, expected=expected)
    return _corpus("tac-queries", data, mentions, unread, collector)


def _queries(tree: XmlTree, spans: Draft) -> dict[str, _Linked]:
    """The sound queries by their ids, without entities; `spans` checks all of them."""
    queries: dict[str, _Linked] = {}
    for line, e in tree:
        if e.tag != "query":
            continue
        id, inside = e.get("id", ""), {inner.tag: text_of(inner).strip() for inner in e}
        begin, end = (whole_number(inside.get(name)) for name in ("beg", "end"))
        document = inside.get("docid", "")
        if begin is None or end is None or not document:
            expected = "<docid>, <beg> and <end>"
            spans.refuse(id, line, "place-bad", quote(id), expected)
        elif spans.mention(id, [(begin, end)], line, shown=f"{begin} to {end}"):
            last = end if spans.inclusive else end - 1
            queries[id] = _Linked(document, (begin, last), "", "", 0, line, "")
    return queries


def topic_of(name: str) -> str:
    """The same topic for all documents, as an id means the same entity in the whole corpus."""
    del name
    return "corpus"


_tac = partial(
    Format,
    unit="character",
    holds=frozenset({"singletons", "names", "crossing", "type", "kb"}),
    topic=topic_of,
    untried=True,
)
EDL = _tac(
    "tac-edl",
    "TAC EDL tables",
    parse,
    looks=(
        Look(
            begins=rb"(?:[^\t\n]{0,9999}+\t){3}[^\t\n]{1,500}?: {0,9}\d+ {0,9}(?:-|\xe2\x80\x93)"
            rb" {0,9}\d+ {0,9}(?:\t[^\t\n]*+){3}"
        ),
    ),
    suffixes=(".tab.txt", ".tab"),
)
QUERIES = _tac(
    "tac-queries",
    "TAC queries",
    parse_queries,
    options=(ENDS,),
    looks=(Look(begins=rb"<", near=rb"<kbpentlink\b"),),
    suffixes=(".xml",),
)

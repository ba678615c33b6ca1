"""ANCOR TEI, as URS exports it: words in the text, spans and links of them in the stand-off."""

from collections import Counter
from collections.abc import Container
from typing import NamedTuple

import numpy as np

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.links import components
from corefkit.core.mention_columns import runs_of
from corefkit.core.options import Reading
from corefkit.core.texts import shorten
from corefkit.formats._kit import building
from corefkit.formats._kit.building import RawDocument, RawMention, mention_of_runs
from corefkit.formats._kit.xml_records import RecordKind, Records, read_records
from corefkit.formats.registry import IN_WORDS, Format

_RUNS, _LISTS, _EXPLETIVE = "mention", "mention.discontinuous", "expletive"
_MENTIONS = frozenset({_RUNS, _LISTS, _EXPLETIVE})
_CHAIN, _BRIDGING = "chain", "associative_anaphora"


_WORD = RecordKind(("@id", ""), lined=False, table="word")
_KINDS = {
    "w": _WORD,
    "pc": _WORD,
    "span": RecordKind(("@id", "@target", "@from", "@to")),
    "link": RecordKind(("@target",)),
}
_SCOPES = ("u", "s", "spanGrp", "linkGrp")


class _AncorSpan(NamedTuple):
    """A span: its group, the ids of its words, or of the first and the last, and its line."""

    group: str
    target: str | None
    first: str | None
    last: str | None
    line: int


class _AncorContent:
    """The words, the spans by their ids, and the links: group, ids and line."""

    def __init__(self, records: Records) -> None:
        words = records.tables["word"]
        ids, texts = words.columns
        self.words = [(text or "").strip() for text in texts]
        self.number = {id or "": place for place, id in enumerate(ids)}
        # A word belongs to the sentence that was opened last, whether it is still open or not.
        sentence = np.maximum.accumulate(np.array(words.scope, dtype=np.int64))
        self.lengths: list[int] = np.unique(sentence, return_counts=True)[1].tolist()
        groups = [scope.attributes.get("subtype", "") for scope in records.scopes] + [""]
        table = records.tables["span"]
        rows = zip(table.rows, table.scope, table.lines, strict=True)
        self.spans = {
            id or f"span on line {line}": _AncorSpan(groups[scope], target, first, last, line)
            for (id, target, first, last), scope, line in rows
        }
        table = records.tables["link"]
        self.links = [
            (groups[scope], _ids(target), line)
            for (target,), scope, line in zip(table.rows, table.scope, table.lines, strict=True)
        ]


def _ids(text: str | None) -> list[str]:
    return [name.removeprefix("#") for name in (text or "").split()]


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one file."""
    del reading
    found = Collector(path)
    records = read_records(data, _KINDS, _SCOPES, found)
    if records is None:
        return building.nothing(found)
    reader = _AncorContent(records)
    spans = {id: span for id, span in reader.spans.items() if span.group in _MENTIONS}
    if not spans:
        wanted = f'<spanGrp subtype="{_RUNS}">'
        building.note_no_coreference(found, "no spans that are mentions", wanted)
        return building.nothing(found)
    chains = _known([link for link in reader.links if link[0] == _CHAIN], spans, found)
    entity = components(spans, [(chain[0], id) for chain in chains for id in chain])
    rows: dict[str, RawMention] = {}
    for id, span in spans.items():
        runs = _runs(span, reader.number, found)
        if runs:
            rows[id] = mention_of_runs(runs, str(entity[id]), span.line)
    bridges = _known([link for link in reader.links if link[0] == _BRIDGING], spans, found)
    row = {id: at for at, id in enumerate(rows)}
    bridging = [
        (row[ends[0]], row[ends[1]]) for ends in bridges if len(ends) > 1 and row.keys() >= {*ends}
    ]
    referring = [spans[id].group != _EXPLETIVE for id in rows]
    document = RawDocument(
        building.stem(path, ".xml", ".tei"),
        list(rows.values()),
        words=reader.words,
        lengths=reader.lengths,
        bridging=bridging,
        referring=None if all(referring) else referring,
    )
    return building.make_corpus("ancor-tei", data, [document], found)


def _known(
    links: list[tuple[str, list[str], int]], spans: Container[str], found: Collector
) -> list[list[str]]:
    """The mentions that each link joins; those that are not there are reported."""
    known = []
    for _, ids, line in links:
        for id in ids:
            if id not in spans:
                building.note_unknown(found, line, id)
        if ends := [id for id in ids if id in spans]:
            known.append(ends)
    return known


def _runs(span: _AncorSpan, number: dict[str, int], found: Collector) -> list[tuple[int, int]]:
    """The runs of words of a span; none, and an incident, where a word is not there."""
    first, last = (number.get((end or "").removeprefix("#"), -1) for end in (span.first, span.last))
    if not span.target and 0 <= first <= last:  # as nearly all are
        return [(first, last)]
    line, listed = span.line, _ids(span.target)
    ends = listed or _ids(span.first) + _ids(span.last)
    for id in ends:
        if id not in number:
            expected = "the xml:id of a <w> or <pc>"
            found.note("token-unknown", at=line, found=shorten(id), expected=expected)
            return []
    if listed:
        return runs_of(sorted({number[id] for id in listed}))
    if len(ends) != 2 or number[ends[1]] < number[ends[0]]:
        shown = shorten(" ".join(ends) or "no words")
        found.note("span-empty", "text", at=line, found=shown, expected="from and to, in order")
        return []
    return [(number[ends[0]], number[ends[1]])]


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many features a file has, and spans and links of other kinds."""
    del reading
    found = Collector(path)
    records = read_records(data, {**_KINDS, "f": RecordKind(("@name",))}, _SCOPES, found)
    if records is None:
        return {}
    content = _AncorContent(records)
    features = Counter(name or "feature" for (name,) in records.tables["f"].rows)
    groups = [*(s.group for s in content.spans.values()), *(group for group, *_ in content.links)]
    read = _MENTIONS | {_CHAIN, _BRIDGING}
    other = Counter(group or "span" for group in groups if group not in read)
    return dict(features + other)


FORMAT = Format(
    name="ancor-tei",
    title="ANCOR TEI",
    parse=parse,
    holds=IN_WORDS | {"crossing", "parts", "links", "referring"},
    suffixes=(".tei",),
    count_unread=count_unread,
)

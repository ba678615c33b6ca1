"""ANCOR TEI, the export of URS: words in the text, and spans and links of them in stand-off."""

from collections import Counter
from collections.abc import Container, Sequence
from functools import cached_property
from typing import NamedTuple, overload

import numpy as np
import numpy.typing as npt

from corefkit.core.arrays import EMPTY, BoolArray, IntArray, distinct, tuples
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.links import components, connected
from corefkit.core.mention_columns import runs_of
from corefkit.core.options import Reading
from corefkit.core.source import Column
from corefkit.core.texts import shorten
from corefkit.formats.kit import building
from corefkit.formats.kit.building import (
    MentionColumns,
    RawDocument,
    RawMention,
    bridging_pairs,
    mention_of_runs,
)
from corefkit.formats.kit.byte_columns import ByteColumn, UnfitError, find_pieces
from corefkit.formats.kit.xml.record_reader import read_records
from corefkit.formats.kit.xml.record_tables import FieldColumn, RecordKind, Records
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
    """A span: its group, the ids of its words or of the first and the last, and its line."""

    group: str
    target: str | None
    first: str | None
    last: str | None
    line: int


class _AncorContent:
    """The words, the spans by id, and the links (group, ids, line) of a file."""

    def __init__(self, records: Records) -> None:
        words = records.tables["word"]
        ids, texts = words.columns
        self.words = [(text or "").strip() for text in texts]
        self.number = {id or "": place for place, id in enumerate(ids)}
        # A word belongs to the sentence opened last, whether that is still open or not.
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
    collector = Collector(path)
    records = read_records(data, _KINDS, _SCOPES, collector)
    if records is None:
        return building.nothing(collector)
    name = building.stem(path, ".xml", ".tei")
    try:
        document = _AncorTable(records).document(name)
    except UnfitError:
        return _parse_spans(data, records, name, collector)
    return building.make_corpus("ancor-tei", data, [document], collector)


class _AncorTable:
    """The mentions of a file as columns; UnfitError if a span or a link names a missing id."""

    def __init__(self, records: Records) -> None:
        self._subtypes = np.array([*records.scope_values("subtype"), ""], dtype=object)
        words, spans, links = (records.tables[name].pieces for name in ("word", "span", "link"))
        for column in (words.fields["@id"], *spans.fields.values(), links.fields["@target"]):
            column.refuse_references()
        self._word_ids, self._words = words.fields["@id"], words.fields[""]
        self.lengths = distinct(np.maximum.accumulate(words.scope)).counts.tolist()
        group = self._subtypes[spans.scope]
        self._rows = np.flatnonzero(_among(group, _MENTIONS))
        self._group = group[self._rows]
        self._span_ids = spans.fields["@id"]
        self._spans = {name: spans.fields[name].take(self._rows) for name in spans.fields}
        self._line = spans.line[self._rows]
        self._targets, self._kind = links.fields["@target"], self._subtypes[links.scope]

    def document(self, name: str) -> RawDocument:
        """The document."""
        start, end, nodes = self._places()
        span, head = self._links(_CHAIN)
        top = distinct(connected(len(start), span[head], span))
        entity = Column(top.inverse, tuple(map(str, range(len(top.values)))))
        columns = MentionColumns(start, end, entity, self._line, nodes=nodes)
        referring = self._group != _EXPLETIVE
        return RawDocument(
            name,
            (),
            words=_AncorWords(self._words),
            lengths=self.lengths,
            bridging=bridging_pairs(*self._links(_BRIDGING)),
            referring=None if referring.all() else referring.tolist(),
            columns=columns,
        )

    def _places(self) -> tuple[IntArray, IntArray, list[tuple[int, list[tuple[int, int]]]]]:
        """The first and the last word of each mention, and all words of those with several runs."""
        by_list = self._spans["@target"].length > 0
        runs, lists = np.flatnonzero(~by_list), np.flatnonzero(by_list)
        start, end = np.zeros(len(by_list), dtype=np.int64), np.zeros(len(by_list), dtype=np.int64)
        ends = [self._spans[field].take(runs) for field in ("@from", "@to")]
        listed, row = self._spans["@target"].take(lists).split(ord(" "))
        pieces = (*ends, listed)
        names = ByteColumn(
            listed.buffer,
            np.concatenate([column.start for column in pieces]),
            np.concatenate([column.end for column in pieces]),
        )
        words = find_pieces(_names(names), self._word_ids)
        start[runs], end[runs], word = np.split(words, (len(runs), 2 * len(runs)))
        nodes = []
        bounds = np.searchsorted(row, np.arange(len(lists) + 1))
        for mention, first, last in tuples(lists, bounds[:-1], bounds[1:]):
            tokens = sorted({*word[first:last].tolist()})
            start[mention], end[mention] = tokens[0], tokens[-1]
            if tokens[-1] - tokens[0] >= len(tokens):
                nodes.append((mention, [(token, 0) for token in tokens]))
        if not len(start) or (end < start).any():
            raise UnfitError
        return start, end, nodes

    def _links(self, kind: str) -> tuple[IntArray, IntArray]:
        """The spans of all links of a kind, and for each the index of the first of its link."""
        rows = np.flatnonzero(_among(self._kind, {kind}))
        if not len(rows):
            return EMPTY, EMPTY
        names, row = self._targets.take(rows).split(ord(" "))
        mention = np.full(len(self._span_ids), -1)
        mention[self._rows] = np.arange(len(self._rows))
        span = mention[find_pieces(_names(names), self._span_ids)]
        if (span < 0).any():
            raise UnfitError
        return span, np.searchsorted(row, row)


def _among(texts: "npt.NDArray[np.object_]", values: Container[str]) -> BoolArray:
    """bool (texts,): which texts are among the values."""
    return np.array([text in values for text in texts.tolist()], dtype=bool)


def _names(pieces: ByteColumn) -> ByteColumn:
    """The ids in references: `#w1` means w1; UnfitError if one is empty."""
    if (pieces.length == 0).any():
        raise UnfitError
    marked = pieces.buffer[pieces.start] == ord("#")
    return ByteColumn(pieces.buffer, pieces.start + marked, pieces.end)


class _AncorWords(Sequence[str]):
    """The words of a file, decoded on first use."""

    def __init__(self, column: FieldColumn) -> None:
        self._column = column

    @cached_property
    def _words(self) -> list[str]:
        return [(text or "").strip() for text in self._column.values()]

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        """A word, or a list of words."""
        return self._words[place]

    def __len__(self) -> int:
        """How many words there are."""
        return len(self._column)


def _parse_spans(data: bytes, records: Records, name: str, collector: Collector) -> Corpus:
    """The document of any file, read span by span."""
    reader = _AncorContent(records)
    spans = {id: span for id, span in reader.spans.items() if span.group in _MENTIONS}
    if not spans:
        expected = f'<spanGrp subtype="{_RUNS}">'
        building.note_no_coreference(collector, "no spans that are mentions", expected)
        return building.nothing(collector)
    chains = _known([link for link in reader.links if link[0] == _CHAIN], spans, collector)
    entity = components(spans, [(chain[0], id) for chain in chains for id in chain])
    rows: dict[str, RawMention] = {}
    for id, span in spans.items():
        runs = _runs(span, reader.number, collector)
        if runs:
            rows[id] = mention_of_runs(runs, str(entity[id]), span.line)
    bridges = _known([link for link in reader.links if link[0] == _BRIDGING], spans, collector)
    row = {id: at for at, id in enumerate(rows)}
    bridging = [
        (row[ends[0]], row[ends[1]]) for ends in bridges if len(ends) > 1 and row.keys() >= {*ends}
    ]
    referring = [spans[id].group != _EXPLETIVE for id in rows]
    document = RawDocument(
        name,
        list(rows.values()),
        words=reader.words,
        lengths=reader.lengths,
        bridging=bridging,
        referring=None if all(referring) else referring,
    )
    return building.make_corpus("ancor-tei", data, [document], collector)


def _known(
    links: list[tuple[str, list[str], int]], spans: Container[str], collector: Collector
) -> list[list[str]]:
    """The mentions that each link joins; missing ones are reported."""
    known = []
    for _, ids, line in links:
        for id in ids:
            if id not in spans:
                building.note_unknown(collector, line, id)
        if ends := [id for id in ids if id in spans]:
            known.append(ends)
    return known


def _runs(span: _AncorSpan, number: dict[str, int], collector: Collector) -> list[tuple[int, int]]:
    """The runs of words of a span; none, and an incident, if it is broken."""
    first, last = (number.get((end or "").removeprefix("#"), -1) for end in (span.first, span.last))
    if not span.target and 0 <= first <= last:  # nearly all spans
        return [(first, last)]
    line, listed = span.line, _ids(span.target)
    ends = listed or _ids(span.first) + _ids(span.last)
    for id in ends:
        if id not in number:
            expected = "the xml:id of a <w> or <pc>"
            collector.note("token-unknown", at=line, found=shorten(id), expected=expected)
            return []
    if listed:
        return runs_of(sorted({number[id] for id in listed}))
    if len(ends) != 2 or number[ends[1]] < number[ends[0]]:
        shown = shorten(" ".join(ends) or "no words")
        collector.note("span-empty", "text", at=line, found=shown, expected="from and to, in order")
        return []
    return [(number[ends[0]], number[ends[1]])]


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many features, and spans and links of other kinds, a file has."""
    del reading
    collector = Collector(path)
    records = read_records(data, {**_KINDS, "f": RecordKind(("@name",))}, _SCOPES, collector)
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

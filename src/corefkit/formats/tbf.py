"""KBP event nuggets, `.tbf`: one mention per line, and lines that link mentions.

Places are spans of characters, `4,8;13,16`, ends excluded, or lists of token ids, `t3,t5`. The text
is not in the file, so the length of a document is unknown. Every line is a mention: a span may
occur several times in a document, with the same labels or with others.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import EMPTY, IntArray, tuples
from corefkit.core.corpus import Corpus, Unit
from corefkit.core.incidents import Collector
from corefkit.core.links import components
from corefkit.core.mention_columns import runs_of
from corefkit.core.options import Reading
from corefkit.core.source import Column
from corefkit.core.texts import quote, shorten
from corefkit.formats.columns.interning import number_pieces
from corefkit.formats.kit import building, files
from corefkit.formats.kit.building import (
    MentionColumns,
    RawDocument,
    RawMention,
    lines_of,
    mention_of_runs,
)
from corefkit.formats.kit.byte_columns import ByteColumn, ByteLines, UnfitError, renumber
from corefkit.formats.registry import Format, WrittenFiles

_BEGIN, _END = "#BeginOfDocument", "#EndOfDocument"
_MARK, _LINK = b"#@"
_CELLS = 7
_LINK_CELLS = 3
_CHARACTERS = re.compile(r"\d{1,18},\d{1,18}(?:;\d{1,18},\d{1,18})*")
_TOKEN = re.compile(r"\D*(\d{1,18})\D*")
_LARGEST = 10**18
_UNLABELLED = "NOT_ANNOTATED"
"""The written label of a mention that has none."""


class _Nugget(NamedTuple):
    """A line with a mention: id, place, type, realis, and the number of the line."""

    id: str
    place: str
    type: str
    realis: str
    line: int


class _NuggetDocument:
    """A document while its lines are read."""

    def __init__(self, name: str, line: int) -> None:
        self.name, self.line = name, line
        self.nuggets: dict[str, _Nugget] = {}
        self.clusters: list[tuple[int, list[str]]] = []
        self.broken = False


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The documents of one file."""
    collector = Collector(path)
    try:
        table = _NuggetTable(ByteLines.of(data))
        documents, unit = table.documents(reading.get("unit"))
    except UnfitError:
        return _parse_lines(data, reading, collector)
    return building.make_corpus("tbf", data, documents, collector, unit)


class _NuggetTable:
    """The mentions and clusters of a file as columns; UnfitError if a line is malformed."""

    def __init__(self, lines: ByteLines) -> None:
        first = lines.lines.buffer.take(lines.lines.start, mode="clip")
        marked = np.flatnonzero((first == _MARK) | (first == _LINK))
        others = np.ones(len(lines.number), dtype=bool)
        others[marked] = False
        self._names: list[str] = []
        begins, ends, links = list[int](), list[int](), list[int]()
        for row, text in zip(marked.tolist(), lines.lines.take(marked).texts(), strict=True):
            if text.startswith("@Coreference\t"):
                links.append(row)
            elif text.startswith(_BEGIN) and len(begins) == len(ends):
                begins.append(row)
                self._names.append(text.removeprefix(_BEGIN).strip())
            elif text.startswith(_END) and len(ends) < len(begins):
                ends.append(row)
            elif not text.startswith("#") or text.startswith((_BEGIN, _END)):
                raise UnfitError
        if len(begins) != len(ends) or not begins or not all(self._names):
            raise UnfitError
        self._lines = lines.number[begins].tolist()
        self._bounds = np.array([begins, ends])
        self._nuggets = lines.take(others)
        self._of_nugget = self._document_of(np.flatnonzero(others))
        rows = np.array(links, dtype=np.int64)
        self._links, self._of_link = lines.take(rows), self._document_of(rows)

    def _document_of(self, rows: IntArray) -> IntArray:
        """int64 (rows,): the document of each line; UnfitError if a line is outside of all."""
        begins, ends = self._bounds
        document = np.searchsorted(begins, rows) - 1
        if len(rows) and ((document < 0).any() or (rows > ends[document]).any()):
            raise UnfitError
        return document

    def documents(self, unit: Unit | None) -> tuple[list[RawDocument], Unit]:
        """The documents, and the unit of their spans."""
        cells = self._nuggets.cells(_CELLS)
        id, place, type, realis = (cells[number] for number in (2, 3, 5, 6))
        places = _NuggetPlaces(place, unit)
        realis_column = realis.column()
        if any(value != value.strip() for value in realis_column.values):
            raise UnfitError
        entity = self._entities(id)
        labels = {"type": type.column(), "realis": realis_column}
        bounds = np.searchsorted(self._of_nugget, np.arange(len(self._names) + 1)).tolist()
        documents = []
        for number, (first, last) in enumerate(pairwise(bounds)):
            rows = slice(first, last)
            columns = MentionColumns(
                places.start[rows],
                places.end[rows],
                renumber(entity, rows),
                self._nuggets.number[rows],
                nodes=places.nodes(rows),
            )
            listed = {name: renumber(label, rows) for name, label in labels.items()}
            name, line = self._names[number], self._lines[number]
            documents.append(RawDocument(name, (), line, labels=listed, columns=columns))
        return documents, places.unit

    def _entities(self, id: ByteColumn) -> Column:
        """The entity of each mention: its cluster or itself; UnfitError if clusters share one."""
        members, cluster = id.take(slice(0, 0)), EMPTY
        if len(self._links.number):
            members, cluster = self._links.cells(_LINK_CELLS)[2].split(ord(","))
        both = ByteColumn(
            id.buffer,
            np.concatenate((id.start, members.start)),
            np.concatenate((id.end, members.end)),
        )
        document = np.concatenate((self._of_nugget, self._of_link[cluster]))
        number, first = number_pieces(both.buffer, both.start, both.length, document)
        member = number[len(id) :]
        if not len(both.start) or both.has_blanks() or (both.length == 0).any():
            raise UnfitError
        unknown = (first >= len(id)).any()
        if unknown or len(first) < len(id) or len({*member.tolist()}) < len(member):
            raise UnfitError
        names = [f"@{line}" for line in self._links.number.tolist()]
        of_nugget = np.full(len(id), -1)
        of_nugget[first[member]] = cluster
        alone = np.flatnonzero(of_nugget < 0)
        of_nugget[alone] = len(names) + np.arange(len(alone))
        # A mention without a cluster is named after its id, which may look like that of a cluster.
        ids = id.take(alone).texts()
        if any(name.startswith("@") for name in ids):
            raise UnfitError
        return Column(of_nugget, (*names, *ids))


class _NuggetPlaces:
    """The places of all mentions: start and end, both included, and their unit.

    UnfitError if a place is malformed.
    """

    def __init__(self, place: ByteColumn, unit: Unit | None) -> None:
        if not len(place) or place.has_blanks() or (place.length == 0).any():
            raise UnfitError
        is_number = place.take(slice(1)).texts()[0][0].isdecimal()
        self.unit: Unit = "character" if unit != "token" and is_number else "token"
        if unit is not None and unit != self.unit:
            raise UnfitError
        if self.unit == "character":
            pieces, row = place.split(ord(";"))
            before, after = pieces.cut_number()
            start, end = before.cut(b",").numbers(), after - 1
            if (end < start).any():
                raise UnfitError
        else:
            pieces, row = place.split(ord(","))
            letter = ByteColumn(pieces.buffer, pieces.start, pieces.start + 1)
            if not letter.has_at(letter.start, b"t").all():
                raise UnfitError
            start = end = ByteColumn(pieces.buffer, letter.end, pieces.end).numbers()
        self._read(start, end, np.searchsorted(row, np.arange(len(place) + 1)))

    def _read(self, start: IntArray, end: IntArray, bounds: IntArray) -> None:
        """Join the parts of each mention; `bounds` are the first part of each, and their number."""
        first, last = bounds[:-1], bounds[1:] - 1
        self.start, self.end = start[first], end[last]
        self._runs: dict[int, list[tuple[int, int]]] = {}
        gaps = np.concatenate(([0], np.cumsum(start[1:] != end[:-1] + 1)))
        rows = np.flatnonzero(gaps[last] > gaps[first])
        for row, begin, stop in tuples(rows, first[rows], last[rows] + 1):
            runs = building.joined_runs(tuples(start[begin:stop], end[begin:stop]))
            self.start[row], self.end[row] = runs[0][0], runs[-1][1]
            if len(runs) > 1:
                self._runs[row] = runs
        self._several = [*self._runs]

    def nodes(self, rows: slice) -> list[tuple[int, Sequence[tuple[int, int]]]]:
        """The nodes of mentions with several runs among these rows, numbered from their first."""
        first, stop = (bisect_left(self._several, row) for row in (rows.start, rows.stop))
        listed = self._several[first:stop]
        return [(row - rows.start, mention_of_runs(self._runs[row], "").nodes) for row in listed]


def _parse_lines(data: bytes, reading: Reading, collector: Collector) -> Corpus:
    """The documents of any file, read line by line."""
    reader = _NuggetReader(collector)
    lines = lines_of(data)
    for number, line in enumerate(lines, 1):
        if not reader.take(line, number):
            reader.read(line, number)
    reader.finish(max((n for n, line in enumerate(lines, 1) if line.strip()), default=1))
    unit = reading.get("unit") or _unit(reader.documents)
    documents = [_raw(document, unit, collector) for document in reader.documents]
    if reader.others:
        collector.note("layer-dropped", "relations", number=reader.others, count=reader.others)
    joined = sum(_joined(document) for document in reader.documents)
    if joined:
        collector.note("entities-joined", number=joined, count=joined)
    return building.make_corpus("tbf", data, documents, collector, unit)


class _NuggetReader:
    """Collects the documents of a file; `others` counts links other than coreference."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._open: _NuggetDocument | None = None
        self._outside = False
        self.documents: list[_NuggetDocument] = []
        self.others = 0

    def take(self, line: str, number: int) -> bool:
        """Add a well-formed line with a mention, as nearly all are; False for any other line."""
        if self._open is None or line[:1] in "#@":
            return False
        cells = line.split("\t", _CELLS)
        nuggets = self._open.nuggets
        if len(cells) < _CELLS or cells[2] in nuggets:
            return False
        id = cells[2]
        nuggets[id] = _Nugget(id, cells[3].strip(), cells[5], cells[6].strip(), number)
        return True

    def read(self, line: str, number: int) -> None:
        """Read a line of any kind; problems are reported."""
        if line.startswith(_BEGIN):
            self._begin(line.removeprefix(_BEGIN).strip(), number)
        elif line.startswith(_END):
            self._open = None
        elif line.startswith("#") or not line.strip():
            return
        elif self._open is None:
            if not self._outside:
                expected = f"{_BEGIN} and a name before it"
                self._collector.note("token-outside", "nugget", at=number, expected=expected)
            self._outside = True
        elif line.startswith("@"):
            self._link(self._open, line.split("\t"), number)
        else:
            self._nugget(self._open, line.split("\t"), number)

    def _begin(self, name: str, number: int) -> None:
        if self._open is not None:
            self._unclosed(number)
        if not name:
            expected = f"{_BEGIN} NAME"
            self._collector.note("document-unnamed", at=number, severity="error", expected=expected)
        self._open = _NuggetDocument(name, number)
        self.documents.append(self._open)

    def _nugget(self, document: _NuggetDocument, cells: list[str], number: int) -> None:
        if len(cells) < _CELLS:
            document.broken = True
            self._too_few(cells, _CELLS, number)
            return
        id, place, _, type, realis = cells[2:_CELLS]
        if id in document.nuggets:
            document.broken = True
            building.note_id_twice(self._collector, number, id, document.nuggets[id].line)
            return
        document.nuggets[id] = _Nugget(id, place.strip(), type, realis.strip(), number)

    def _link(self, document: _NuggetDocument, cells: list[str], number: int) -> None:
        if cells[0] != "@Coreference":
            self.others += 1
        elif len(cells) < _LINK_CELLS:
            self._too_few(cells, _LINK_CELLS, number)
        else:
            ids = [id.strip() for id in cells[2].split(",")]
            document.clusters.append((number, [id for id in ids if id]))

    def _too_few(self, cells: Sequence[str], least: int, number: int) -> None:
        shown, expected = f"{len(cells)} cells", f"{least} or more cells, separated by tabs"
        self._collector.note("columns-differ", "too-few", at=number, found=shown, expected=expected)

    def _unclosed(self, number: int) -> None:
        assert self._open is not None
        self._collector.note(
            "document-unclosed",
            at=number,
            document=self._open.name,
            found=f"the document that begins on line {self._open.line}",
            expected=_END,
        )

    def finish(self, last: int) -> None:
        """End the file, whose last line with text is `last`."""
        if self._open is not None:
            self._unclosed(last)


def _unit(documents: list[_NuggetDocument]) -> Unit:
    """ "character" if all places are spans of characters, else "token"."""
    places = (nugget.place for document in documents for nugget in document.nuggets.values())
    return "character" if all(map(_CHARACTERS.fullmatch, places)) else "token"


def _raw(document: _NuggetDocument, unit: Unit, collector: Collector) -> RawDocument:
    """The document with its entities."""
    for line, ids in document.clusters:
        unknown = [id for id in ids if id not in document.nuggets]
        if not document.broken:
            for id in unknown:
                building.note_unknown(collector, line, id)
    entity = _entities(document)
    mentions, types, realis = [], [], []
    for nugget in document.nuggets.values():
        runs = _runs(nugget, unit, collector)
        if runs is not None:
            label = entity.get(nugget.id, nugget.id)
            if len(runs) == 1:
                mentions.append(RawMention(*runs[0], label, nugget.line))
            else:
                mentions.append(mention_of_runs(runs, label, nugget.line))
            types.append(nugget.type)
            realis.append(nugget.realis)
    labels = {"type": types, "realis": realis}
    return RawDocument(document.name or None, mentions, document.line, labels=labels)


def _entities(document: _NuggetDocument) -> dict[str, str]:
    """The entity of each mention in a cluster; clusters that share a mention are merged."""
    owner: dict[str, str] = {}
    for line, ids in document.clusters:
        if not owner.keys().isdisjoint(ids):
            links = [(ids[0], id) for _, ids in document.clusters for id in ids]
            parts = components(dict.fromkeys(id for link in links for id in link), links)
            return {id: f"@{part}" for id, part in parts.items()}
        owner |= dict.fromkeys(ids, f"@{line}")
    return owner


def _runs(nugget: _Nugget, unit: Unit, collector: Collector) -> list[tuple[int, int]] | None:
    """The runs of a mention, both ends included; None, and an incident, if its place is bad."""
    place = nugget.place
    if unit == "character":
        simple = place.split(",")
        if len(simple) == 2 and simple[0].isdecimal() and simple[1].isdecimal():
            begin, end = int(simple[0]), int(simple[1])
            if begin < end < _LARGEST:  # nearly all places
                return [(begin, end - 1)]
        if not _CHARACTERS.fullmatch(place):
            expected = "4,8 or 4,8;13,16"
            collector.note("place-bad", at=nugget.line, found=quote(place), expected=expected)
            return None
        spans = sorted(tuple(map(int, part.split(","))) for part in place.split(";"))
        runs = [(a, b - 1) for a, b in spans]
        if any(b < a for a, b in runs):
            shown, expected = f"{place} of {shorten(nugget.id)}", "begin < end"
            collector.note("span-empty", "text", at=nugget.line, found=shown, expected=expected)
            return None
        return runs if len(runs) == 1 else building.joined_runs(runs)
    return _token_runs(nugget, collector)


def _token_runs(nugget: _Nugget, collector: Collector) -> list[tuple[int, int]] | None:
    """The runs of a mention whose place is a list of tokens; see `_runs`."""
    tokens = [_TOKEN.fullmatch(part) for part in nugget.place.split(",")]
    numbers = sorted({int(token[1]) for token in tokens if token})
    if None in tokens:
        shown, expected = quote(nugget.place), "token ids, t3,t5"
        collector.note("place-bad", at=nugget.line, found=shown, expected=expected)
        return None
    first, last = numbers[0], numbers[-1]
    if last - first == len(numbers) - 1:  # nearly always
        return [(first, last)]
    return building.joined_runs([(number, number) for number in numbers])


def _joined(document: _NuggetDocument) -> int:
    """How many entities were merged from different clusters that share a mention."""
    members = [id for _, ids in document.clusters for id in ids]
    if len({*members}) == len(members):
        return 0
    clusters = {frozenset(ids) for _, ids in document.clusters}
    links = [(cluster, id) for cluster in clusters for id in cluster]
    nodes: dict[object, None] = dict.fromkeys((*clusters, *(id for _, id in links)))
    component = components(nodes, links)
    parts = Counter(component[cluster] for cluster in clusters)
    return sum(number > 1 for number in parts.values())


def write(corpus: Corpus, path: str) -> WrittenFiles:
    """One file; spans of tokens are written as lists of token ids."""
    from corefkit.formats.kit.convert import reduce

    reduced, incidents = reduce(corpus, FORMAT.holds | {"characters"})
    files.refuse_output("tbf", 8 * int((reduced.end - reduced.start + 1).sum()))
    return WrittenFiles({path: building.encode_lines(_lines(reduced))}, incidents)


def _lines(corpus: Corpus) -> Iterator[str]:
    from corefkit.formats.kit.content import mention_texts

    texts = mention_texts(corpus)
    columns = corpus.mention_labels.columns if corpus.mention_labels is not None else {}
    labels = {
        name: columns[name].to_list() if name in columns else [""] * corpus.mentions
        for name in ("type", "realis")
    }
    for document, rows in enumerate(corpus.rows_of_documents(corpus.text_order)):
        name = " ".join(corpus.names[document].split())
        yield f"{_BEGIN} {name}\n"
        entities: dict[int, list[str]] = {}
        for number, row in enumerate(rows.tolist(), 1):
            nodes = corpus.parts.nodes(row) if corpus.parts is not None else None
            span = int(corpus.start[row]), int(corpus.end[row])
            runs = runs_of(token for token, _ in nodes) if nodes else [span]
            if corpus.unit == "character":
                place = ";".join(f"{a},{b + 1}" for a, b in runs)
            else:
                place = ",".join(f"t{token}" for a, b in runs for token in range(a, b + 1))
            id = f"E{number}"
            entities.setdefault(int(corpus.entity[row]), []).append(id)
            values = (" ".join(column[row].split()) or _UNLABELLED for column in labels.values())
            yield "\t".join(("corefkit", name, id, place, texts[row], *values)) + "\n"
        large = [ids for ids in entities.values() if len(ids) > 1]
        for number, ids in enumerate(large, 1):
            yield f"@Coreference\tR{number}\t{','.join(ids)}\n"
        yield f"{_END}\n"


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many mentions have a text or further cells, none of which is read."""
    del path, reading
    numbers: Counter[str] = Counter()
    for line in lines_of(data):
        cells = line.split("\t") if line[:1] not in "#@" else []
        if len(cells) >= _CELLS:
            numbers["text"] += bool(cells[4].strip())
            more = enumerate(cells[_CELLS:], _CELLS + 1)
            numbers.update(f"column {number}" for number, cell in more if cell.strip())
    return dict(+numbers)


FORMAT = Format(
    name="tbf",
    title="KBP event nuggets",
    parse=parse,
    write=write,
    unit="character",
    holds=frozenset({"singletons", "names", "crossing", "parts", "type", "realis"}),
    options=("unit",),
    suffixes=(".tbf",),
    count_unread=count_unread,
)

"""Reads CoNLL-UA files: rows become tokens and zeros, cells markables, markables a Corpus."""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.corpus import Corpus
from corefkit.data.incidents import Collector
from corefkit.data.links import KINDS, Links
from corefkit.data.options import choose
from corefkit.data.ragged import Ragged
from corefkit.data.source import Source
from corefkit.data.texts import quote
from corefkit.formats.conllua.bridging import read_bridging
from corefkit.formats.conllua.documents import Documents, find_documents
from corefkit.formats.conllua.markables import Cell, LayerReader, Markable, Node
from corefkit.formats.conllua.rows import LAYERS, Rows, find_rows
from corefkit.formats.conllua.tokens import TOKENS
from corefkit.formats.conllua.trouble import Trouble
from corefkit.formats.files import AS_THEY_ARE

_MINIMUM = re.compile(r"\s*(\d{1,18})\s*(?:,\s*(\d{1,18})\s*(?:,\s*\d+\s*)*)?")
PSEUDO = re.compile(r"(?i:[-_]pseudo)\Z")


def parse(data: bytes, path: str, layer: str) -> Corpus:
    """One layer of a file; the incidents of the corpus say all that is wrong with it.

    Where there are errors the corpus holds what could be read; it must not be scored.
    """
    choose("layer", layer, LAYERS)
    rows = find_rows(data)
    trouble = Trouble(path, rows)
    documents = find_documents(rows, trouble)
    places = _Places(rows, documents)
    if documents.names or rows.headers:
        _check_columns(rows, LAYERS[layer], trouble)
    made = _Made()
    for number, (name, cells) in enumerate(_cells(rows, documents, places, LAYERS[layer])):
        reader = LayerReader(name, LAYERS[layer], trouble)
        for cell in cells:
            reader.read(cell)
        reader.end()
        _Document(number, name, LAYERS[layer], made, trouble).add(reader.markables)
    if layer == "identity":
        read_bridging(rows, documents, made, trouble)
    source = Source(path, rows.data, 0, len(documents.names), TOKENS)
    source.cache["rows"], source.cache["documents"] = rows, documents
    source.cache["layer"] = layer
    return made.corpus(documents, places.tokens, rows, source, trouble.found)


class _Places:
    """Which node each row is.

    Attributes:
        token: int64 (rows,), its number in the document, for a zero that of the token before.
        zero: int64 (rows,), 0, or the number of a zero among those after the same token.
        tokens: int64 (documents,), how many each has.
    """

    def __init__(self, rows: Rows, documents: Documents) -> None:
        ahead = np.concatenate(([0], np.cumsum(rows.token)))
        starts = documents.first[:-1]
        self.tokens: IntArray = np.diff(ahead[documents.first])
        document = np.searchsorted(starts, np.arange(len(rows.line)), side="right") - 1
        base = ahead[starts][document] if len(starts) else np.zeros_like(rows.line)
        self.token: IntArray = ahead[1:] - base - 1
        zeros = np.concatenate(([0], np.cumsum(rows.zero)))
        # The zeros before the last token, or before the document where it has none yet.
        at = np.arange(len(rows.line))
        marks = rows.token.copy()
        marks[starts[starts < len(marks)]] = True
        last = np.maximum.accumulate(np.where(marks, at, 0))
        since = np.where(rows.token[last], zeros[last + 1], zeros[last]) if len(at) else at
        self.zero: IntArray = np.where(rows.zero, zeros[1:] - since, 0)


def _cells(
    rows: Rows, documents: Documents, places: _Places, column: str
) -> "list[tuple[str, list[Cell]]]":
    """The filled cells of a column, document by document."""
    chosen, begin, end = rows.filled(column, rows.token | rows.zero)
    bounds = np.searchsorted(chosen, documents.first).tolist()
    token, zero = places.token[chosen].tolist(), places.zero[chosen].tolist()
    data = rows.data
    cells = [
        Cell(
            a,
            data[a:b].decode("utf-8", AS_THEY_ARE),
            Node(t, z),
            rows.text(row, 0) if z else "",
        )
        for row, a, b, t, z in zip(
            chosen.tolist(), begin.tolist(), end.tolist(), token, zero, strict=True
        )
    ]
    return [
        (name, cells[bounds[number] : bounds[number + 1]])
        for number, name in enumerate(documents.names)
    ]


def _check_columns(rows: Rows, column: str, trouble: Trouble) -> None:
    """Rows that end before the column of the layer."""
    place = rows.column(column)
    short = ((rows.cells <= place) | (place < 0)) & (rows.token | rows.zero)
    for header in rows.headers:
        if column not in header.names and short.any():
            message = f"the header names no column {column}"
            trouble.line("column-missing", header.line, message, found=" ".join(header.names))
            return
    for row in np.flatnonzero(short)[:1].tolist():
        number = int(rows.cells[row])
        message = f"{number} columns; {column} is column {int(place[row]) + 1}"
        trouble.line("column-missing", int(rows.line[row]), message)


class _Row(NamedTuple):
    """A mention as a row of the corpus."""

    document: int
    start: int
    end: int
    entity: int
    byte: int
    zero: int
    low: int
    high: int
    referring: bool


@dataclass
class _Made:
    """What the corpus will be made of.

    `named` are the rows of each document by their MarkableIDs.
    """

    rows: list[_Row] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    parts: list[tuple[int, list[tuple[int, int]]]] = field(default_factory=list)
    links: list[tuple[str, int, int, str]] = field(default_factory=list)
    named: list[dict[str, int]] = field(default_factory=list)

    def corpus(
        self,
        documents: Documents,
        tokens: IntArray,
        rows: Rows,
        source: Source,
        found: Collector,
    ) -> Corpus:
        """All of it as columns."""
        table = np.array(self.rows, dtype=np.int64).reshape(-1, len(_Row._fields)).T
        document, start, end, entity, byte, zero, low, high, referring = table
        return Corpus(
            documents.names,
            tokens,
            document,
            start,
            end,
            entity,
            tuple(self.labels),
            (source,),
            documents.byte,
            byte,
            np.searchsorted(rows.start, byte, side="right"),
            zero=zero if zero.any() else None,
            parts=Ragged.of(self.parts),
            minimum=np.stack((low, high), axis=1),
            referring=None if referring.all() else referring.astype(bool),
            links=self._links(),
            incidents=tuple(found),
        )

    def _links(self) -> Links | None:
        if not self.links:
            return None
        kind, source, target, label = zip(*self.links, strict=True)
        return Links(
            np.array([KINDS.index(one) for one in kind], dtype=np.int64),
            np.array(source, dtype=np.int64),
            np.array(target, dtype=np.int64),
            label,
        )


class _Document:
    """Adds the markables of one document to what was made."""

    def __init__(self, number: int, name: str, column: str, made: _Made, trouble: Trouble) -> None:
        self._number, self._name, self._column = number, name, column
        self._made, self._trouble = made, trouble
        self._entities: dict[str, int] = {}
        self._pseudo: set[str] = set()

    def add(self, markables: list[Markable]) -> None:
        """The mentions, entities and split antecedents of the document."""
        named: dict[str, int] = {}
        whole = [one for one in markables if one.closed and one.fragments and one.entity]
        for markable in whole:
            if markable.name:
                named[markable.name] = len(self._made.rows)
            self._mention(markable)
        self._made.named.append(named)
        self._elements(whole)

    def _mention(self, markable: Markable) -> None:
        made, label = self._made, markable.entity
        if label not in self._entities:
            self._entities[label] = len(made.labels)
            made.labels.append(label)
        referring = True
        if label[-1:] in ("o", "O") and (found := PSEUDO.search(label)):
            referring = False
            self._non_referring(markable, found[0])
        fragments = markable.fragments
        start, end = fragments[0]
        if len(fragments) > 1:
            start, end = min(fragments)[0], max(end for _, end in fragments)
            words = sorted({t for a, b in fragments for t in range(a.token, b.token + 1)})
            if len(words) != words[-1] - words[0] + 1:
                made.parts.append((len(made.rows), [(word, 0) for word in words]))
        low, high = (-1, -1) if start.zero else self._minimum(markable)
        made.rows.append(
            _Row(
                self._number,
                start.token,
                end.token,
                self._entities[label],
                markable.byte,
                start.zero,
                low,
                high,
                referring,
            )
        )

    def _non_referring(self, markable: Markable, suffix: str) -> None:
        label = markable.entity
        if suffix.startswith("_"):
            right = label.removesuffix(suffix) + "-" + suffix[1:]
            message = f"{quote(label)} should be {quote(right)}"
            self._tell("pseudo-misspelt", markable.byte, message)
        elif label in self._pseudo:
            message = f"{quote(label)} has two markables; each is a non-referring expression"
            self._tell("pseudo-shared", markable.byte, message)
        self._pseudo.add(label)

    def _minimum(self, markable: Markable) -> tuple[int, int]:
        """The tokens of Min, from 0; as written also where they are outside, which is reported."""
        text = markable.minimum
        if text is None:
            return -1, -1
        (first, last), *more = markable.fragments
        if text.isdecimal() and not more and first.token < int(text) <= last.token + 1:
            return int(text) - 1, int(text) - 1
        found = _MINIMUM.fullmatch(text)
        if found is None:
            message = f"Min={quote(text)} is neither a token number nor two with a comma"
            self._tell("min-unreadable", markable.byte, message)
            return -1, -1
        low = int(found[1]) - 1
        high = int(found[2]) - 1 if found[2] else low
        if not _inside(markable, low, high):
            last = markable.fragments[-1][1]
            tokens = f"tokens {first.token + 1} to {last.token + 1}"
            if first == last:
                tokens = f"token {first.token + 1}"
            message = f"Min={text} is not inside the markable ({tokens})"
            self._tell("min-outside", markable.byte, message)
        return low, high

    def _elements(self, markables: list[Markable]) -> None:
        """Split antecedents: for each ElementOf a link from the plural to its element."""
        first: dict[tuple[int, int], Markable] = {}
        for markable in markables:
            for plural in markable.plurals:
                if plural not in self._entities:
                    message = f"there is no entity {quote(plural)} in the document"
                    self._tell("element-unknown", markable.byte, message)
                    continue
                link = self._entities[plural], self._entities[markable.entity]
                first.setdefault(link, markable)
        elements: dict[int, list[int]] = {}
        for whole, part in first:
            elements.setdefault(whole, []).append(part)
        for link, markable in first.items():
            if path := _way(elements, link[1], link[0]):
                labels = [quote(self._made.labels[one]) for one in reversed(path)]
                message = f"entity {labels[-1]} is an element of itself"
                if len(path) > 1:
                    chain = ", which is an element of ".join([*labels[:-1], labels[-1]])
                    message = f"entity {labels[-1]} is an element of {chain}"
                self._tell("element-cycle", markable.byte, message)
                return
        self._made.links += [("element", whole, part, "") for whole, part in first]

    def _tell(self, kind: str, byte: int, message: str) -> None:
        self._trouble.byte(kind, byte, f"{self._column}: {message}", document=self._name)


def _inside(markable: Markable, low: int, high: int) -> bool:
    return low <= high and all(
        any(a.token <= token <= b.token for a, b in markable.fragments)
        for token in ((low,) if high == low else range(low, min(high, low + 100_000) + 1))
    )


def _way(elements: dict[int, list[int]], start: int, goal: int) -> list[int]:
    """Entities from `start` to `goal`, each an element of the one before; [] where none leads."""
    came: dict[int, int] = {start: -1}
    waiting = [start]
    for one in waiting:
        if one == goal:
            path = [one]
            while came[path[-1]] >= 0:
                path.append(came[path[-1]])
            return path[::-1]
        for element in elements.get(one, ()):
            if element not in came:
                came[element] = one
                waiting.append(element)
    return []

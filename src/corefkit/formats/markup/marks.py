"""What marked-up text becomes: documents, mentions, and incidents with their places."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from corefkit.data.corpus import BEFORE_SENTENCE, Corpus, Unit
from corefkit.data.incidents import Collector, make_incident
from corefkit.data.ragged import Ragged
from corefkit.data.source import Source
from corefkit.data.spans import crossing_mentions
from corefkit.data.texts import quote
from corefkit.data.tokens import ListedTokens, TokenTable, sentence_of
from corefkit.formats.building import Mention, repeated_names
from corefkit.formats.registry import Reading

EMPTY_NODE = "##"
"""What the words of empty nodes begin with."""


@dataclass
class Document:
    """A document: its text or its words, and mentions whose spans count these."""

    name: str | None = None
    text: str = ""
    words: list[str] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    line: int = 1


class Marked:
    """The text of a file with its marks, and what is wrong with them."""

    def __init__(self, data: bytes, path: str, reading: Reading) -> None:
        self.text = data.decode("utf-8-sig", "replace")
        self.data, self.path = data, path
        self.found = Collector(path)
        self._lenient = reading.lenient
        self._lines = [i for i, c in enumerate(self.text) if c == "\n"] if data else []

    def line(self, place: int) -> int:
        """The line of a character, from 1."""
        return bisect_right(self._lines, place - 1) + 1

    def tell(self, kind: str, place: int, expected: str, variant: str = "") -> None:
        """Add an incident: a warning where broken marks are dropped, else an error."""
        if self.found.full(kind):
            self.found.count(kind)
            return
        line = self.line(place)
        begin = self._lines[line - 2] + 1 if line > 1 else 0
        self.found.add(
            make_incident(
                kind,
                variant,
                severity="warning" if self._lenient else "error",
                file=self.path,
                line=line,
                column=place - begin + 1,
                found=quote(self.text[place : place + 80].partition("\n")[0], 40),
                expected=expected,
            )
        )

    def unclosed(self, place: int) -> None:
        """A mark is opened and not closed."""
        self.tell("tag-unclosed", place, "a mark that closes it")

    def unopened(self, place: int) -> None:
        """A mark is closed that is not open."""
        self.tell("tag-unopened", place, "a mark before it that opens")

    def nameless(self, place: int, expected: str) -> None:
        """A mention has no id."""
        self.tell("entity-missing", place, expected)

    def empty(self, place: int) -> None:
        """A mention has no text."""
        self.tell("span-empty", place, "text between the marks", "mark")


class Stack:
    """Marks of which the last opened is closed first; the text without them grows on the way."""

    def __init__(self, marked: Marked, document: Document) -> None:
        self._marked, self._document = marked, document
        self._open: list[tuple[int, int, str | None]] = []

    def open(self, place: int, at: int, entity: str | None = None) -> None:
        """A mark opens at a place of the file, `at` a place of the text."""
        self._open.append((place, at, entity))

    def close(self, place: int, at: int, entity: str | None, expected: str) -> None:
        """A mark closes; without an entity the mention is one of the entity it was opened with."""
        if not self._open:
            self._marked.unopened(place)
            return
        opened, begin, named = self._open.pop()
        if not (entity or named):
            self._marked.nameless(opened, expected)
        elif begin == at:
            self._marked.empty(opened)
        else:
            line = self._marked.line(opened)
            mention = Mention(begin, at - 1, str(entity or named), line)
            self._document.mentions.append(mention)

    def finish(self) -> None:
        """Tell what is still open."""
        for place, _, _ in self._open:
            self._marked.unclosed(place)
        self._open.clear()


@dataclass
class _Rows:
    """The mentions of all documents, as the columns of a corpus want them."""

    columns: list[tuple[int, int, int, int, int, int]] = field(default_factory=list)
    """document, start, end, entity, line, zero"""
    entities: dict[tuple[int, str], int] = field(default_factory=dict)
    parts: list[tuple[int, list[tuple[int, int]]]] = field(default_factory=list)

    def add(self, document: int, mention: Mention, nodes: list[tuple[int, int]]) -> None:
        """Add a mention; where a document has empty nodes its words are these nodes."""
        start, end, zero = mention.start, mention.end, 0
        inside = nodes[start : end + 1]
        if inside:
            start, end = inside[0][0], inside[-1][0]
            if len(inside) == 1:
                zero = inside[0][1]
            elif any(z for _, z in inside):
                start = min(t for t, z in inside if not z or t >= 0)
                self.parts.append((len(self.columns), inside))
        entity = self.entities.setdefault((document, mention.entity), len(self.entities))
        self.columns.append((document, start, end, entity, mention.line, zero))


def corpus_of(marked: Marked, format: str, documents: Sequence[Document], unit: Unit) -> Corpus:
    """The corpus of a file; words that begin with ## are empty nodes, not tokens."""
    rows = _Rows()
    for number, one in enumerate(documents):
        nodes = _nodes(one.words)
        for mention in sorted(one.mentions, key=lambda m: (m.start, -m.end)):
            rows.add(number, mention, nodes)
    table = _table(documents, unit)
    columns = np.array(rows.columns, dtype=np.int64).reshape(-1, 6)
    document, start, end, entity, line, zero = columns.T
    source = Source(
        marked.path,
        marked.data,
        0,
        len(documents),
        ListedTokens(format, lambda _: table),
        frozenset(n for n, d in enumerate(documents) if d.name is None),
    )
    names = [d.name or str(n) for n, d in enumerate(documents, 1)]
    lines = [d.line for d in documents]
    for incident in repeated_names(marked.path, zip(names, lines, strict=True)):
        marked.found.add(incident)
    ends = np.flatnonzero(np.frombuffer(marked.data, dtype=np.uint8) == ord("\n")) + 1
    begins = np.concatenate((np.zeros(1, dtype=np.int64), ends))
    corpus = Corpus(
        tuple(names),
        np.array([_size(d, unit) for d in documents], dtype=np.int64),
        document,
        start,
        end,
        entity,
        tuple(label for _, label in rows.entities),
        (source,),
        begins[np.array([d.line - 1 for d in documents], dtype=np.int64)],
        begins[line - 1],
        line,
        zero=zero if zero.any() else None,
        parts=Ragged.of(rows.parts),
        unit=unit,
    )
    return replace(corpus, incidents=(*marked.found, *crossing_mentions(corpus, "warning")))


def _size(document: Document, unit: Unit) -> int:
    if unit == "character":
        return len(document.text)
    return sum(not word.startswith(EMPTY_NODE) for word in document.words)


def _nodes(words: list[str]) -> list[tuple[int, int]]:
    """Each word as (token, 0), or (the token before an empty node, its number); [] if all are."""
    if not any(word.startswith(EMPTY_NODE) for word in words):
        return []
    nodes, token, zero = [], -1, BEFORE_SENTENCE
    for word in words:
        if word.startswith(EMPTY_NODE):
            zero += 1
            nodes.append((token, zero))
        else:
            token, zero = token + 1, 0
            nodes.append((token, 0))
    return nodes


def _table(documents: Sequence[Document], unit: Unit) -> TokenTable:
    if unit == "character":
        return TokenTable(texts=[d.text for d in documents])
    kept = [[w for w in d.words if not w.startswith(EMPTY_NODE)] for d in documents]
    return TokenTable([w for words in kept for w in words], sentence_of([len(w) for w in kept]))

"""Corpus: all mentions of all documents, as columns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import index
from typing import TypedDict

import numpy as np

from corefkit.data.arrays import EMPTY, BoolArray, IntArray

Span = tuple[int, int]


@dataclass(frozen=True, eq=False, repr=False)
class Source:
    """One file a corpus was read from: its bytes (unpacked), and which documents it holds."""

    path: str
    data: bytes
    first_document: int
    documents: int

    @cached_property
    def _line_ends(self) -> IntArray:
        return np.flatnonzero(np.frombuffer(self.data, dtype=np.uint8) == ord("\n"))

    def line_of(self, offset: int) -> int:
        """The number (from 1) of the line that holds a byte."""
        return int(np.searchsorted(self._line_ends, offset)) + 1


class Place(TypedDict, total=False):
    """Where something stands, as an Incident wants it; empty if it is in no file."""

    file: str
    line: int
    column: int


def place(source: Source, offset: int, line: int) -> Place:
    """The line and the column (in characters, from 1) of a byte."""
    begin = source.data.rfind(b"\n", 0, offset) + 1
    before = source.data[begin:offset].decode("utf-8-sig" if begin == 0 else "utf-8", "replace")
    return Place(file=source.path, line=line, column=len(before) + 1)


@dataclass(frozen=True, eq=False, repr=False)
class Corpus:
    """Mentions of all documents in columns; documents and entities are numbered from 0.

    The rows stand as a reader found them: mentions in the order in which they are complete,
    entities in the order of their first bracket. Nothing is repaired here.

    Attributes:
        names: the name of each document.
        tokens: int64 (documents,), the number of tokens; −1 where it is not known.
        document, start, end, entity: int64 (mentions,); spans include both ends and count
            tokens from 0 in the document; `entity` is unique over all documents.
        labels: the id of each entity as it was written.
        sources: the files, in the order of the documents; none for a corpus made in Python.
        begin: int64 (documents,), the byte in its file at which each document begins.
        bracket: int64 (mentions,), the byte at which its opening bracket stands.
        line: int64 (mentions,), the line of that bracket, from 1.
    """

    names: tuple[str, ...]
    tokens: IntArray
    document: IntArray
    start: IntArray
    end: IntArray
    entity: IntArray
    labels: tuple[str, ...]
    sources: tuple[Source, ...] = ()
    begin: IntArray = field(default_factory=lambda: EMPTY)
    bracket: IntArray = field(default_factory=lambda: EMPTY)
    line: IntArray = field(default_factory=lambda: EMPTY)

    @classmethod
    def from_clusters(cls, documents: Mapping[str, Iterable[Iterable[Span]]]) -> "Corpus":
        """A corpus from lists of clusters of (start, end) token spans, both ends included.

        >>> corpus = Corpus.from_clusters({"tale": [[(0, 1), (4, 4)], [(6, 8)]]})
        >>> corpus
        Corpus(1 document, 3 mentions, 2 entities)
        """
        rows: list[tuple[int, int, int, int]] = []
        labels: list[str] = []
        if wrong := [name for name in documents if not isinstance(name, str)]:
            raise TypeError(f"documents are named by strings, not {wrong[0]!r}")
        for number, (name, clusters) in enumerate(documents.items()):
            for label, cluster in enumerate(clusters):
                spans = [(index(start), index(end)) for start, end in cluster]
                if bad := next((s for s in spans if not 0 <= s[0] <= s[1]), None):
                    raise ValueError(f"document {name!r}: {bad} is not a span (0 ≤ start ≤ end)")
                if spans:
                    rows += [(number, start, end, len(labels)) for start, end in spans]
                    labels.append(str(label))
        document, start, end, entity = np.array(rows, dtype=np.int64).reshape(-1, 4).T
        names = tuple(documents)
        tokens = np.full(len(names), -1, dtype=np.int64)
        return cls(names, tokens, document, start, end, entity, tuple(labels))

    def clusters(self) -> dict[str, list[list[Span]]]:
        """The inverse of `from_clusters`: for each document its entities as lists of spans."""
        entities: list[list[Span]] = [[] for _ in self.labels]
        spans = zip(self.start.tolist(), self.end.tolist(), strict=True)
        for entity, span in zip(self.entity.tolist(), spans, strict=True):
            entities[entity].append(span)
        documents: dict[str, list[list[Span]]] = {name: [] for name in self.names}
        for number, cluster in zip(self.entity_document.tolist(), entities, strict=True):
            documents[self.names[number]].append(cluster)
        return documents

    @property
    def mentions(self) -> int:
        """How many mentions there are."""
        return len(self.start)

    @property
    def entities(self) -> int:
        """How many entities there are."""
        return len(self.labels)

    @cached_property
    def entity_document(self) -> IntArray:
        """The document of each entity, int64 (entities,)."""
        document = np.zeros(self.entities, dtype=np.int64)
        document[self.entity] = self.document
        return document

    @cached_property
    def entity_size(self) -> IntArray:
        """The number of mentions of each entity, int64 (entities,)."""
        return np.bincount(self.entity, minlength=self.entities)

    @cached_property
    def text_order(self) -> IntArray:
        """The order of mentions in the text: by document, start, then longer first."""
        return np.lexsort((-self.end, self.start, self.document))

    def keep(self, mentions: BoolArray) -> "Corpus":
        """The corpus with only these mentions; entities left empty go, their order stays."""
        if mentions.all():
            return self
        entity = self.entity[mentions]
        left = np.bincount(entity, minlength=self.entities) > 0
        return Corpus(
            self.names,
            self.tokens,
            self.document[mentions],
            self.start[mentions],
            self.end[mentions],
            (np.cumsum(left) - 1)[entity],
            tuple(label for label, kept in zip(self.labels, left.tolist(), strict=True) if kept),
            self.sources,
            self.begin,
            self.bracket[mentions] if self.sources else EMPTY,
            self.line[mentions] if self.sources else EMPTY,
        )

    def only(self, name: str) -> "Corpus":
        """The corpus with only the document of that name, as if it had been made in Python."""
        if name not in self.names:
            raise ValueError(f"there is no document {name!r}")
        number = self.names.index(name)
        kept = self.keep(self.document == number)
        return Corpus(
            (name,),
            self.tokens[number : number + 1],
            np.zeros_like(kept.document),
            kept.start,
            kept.end,
            kept.entity,
            kept.labels,
        )

    def drop_singletons(self) -> "Corpus":
        """The corpus without the entities that have only one mention."""
        return self.keep(self.entity_size[self.entity] > 1)

    def source(self, document: int) -> Source | None:
        """The file that holds a document, if there is one."""
        for source in self.sources:
            if 0 <= document - source.first_document < source.documents:
                return source
        return None

    def document_bytes(self, document: int) -> tuple[Source, int, int] | None:
        """The file that holds a document, and from which byte to which."""
        source = self.source(document)
        if source is None:
            return None
        last = document + 1 == source.first_document + source.documents
        end = len(source.data) if last else int(self.begin[document + 1])
        return source, int(self.begin[document]), end

    def document_place(self, document: int) -> Place:
        """Where a document begins."""
        source = self.source(document)
        if source is None:
            return Place()
        begin = int(self.begin[document])
        return place(source, begin, source.line_of(begin))

    def mention_place(self, mention: int) -> Place:
        """Where a mention begins."""
        source = self.source(int(self.document[mention]))
        if source is None:
            return Place()
        return place(source, int(self.bracket[mention]), int(self.line[mention]))

    def column(self, name: str | int) -> list[str]:
        """One token column of all documents, read from the files now: "word", "pos", … or 0, 1, ….

        Raises DataError where the corpus was not made from files or a line lacks the column.
        """
        from corefkit.formats.conll.columns import read_columns

        return read_columns(self, name)[0].to_list()

    def __repr__(self) -> str:
        numbers = ((len(self.names), "document"), (self.mentions, "mention"))
        words = [f"{n:,} {word}{'s' * (n != 1)}" for n, word in numbers]
        words.append(f"{self.entities:,} {'entity' if self.entities == 1 else 'entities'}")
        return f"Corpus({', '.join(words)})"


def pool(corpora: Sequence[Corpus]) -> Corpus:
    """Several corpora as one, documents in order."""
    if len(corpora) == 1:
        return corpora[0]
    documents = np.cumsum([0] + [len(c.names) for c in corpora])
    entities = np.cumsum([0] + [c.entities for c in corpora])
    return Corpus(
        tuple(name for c in corpora for name in c.names),
        np.concatenate([c.tokens for c in corpora]),
        np.concatenate([c.document + shift for c, shift in zip(corpora, documents, strict=False)]),
        np.concatenate([c.start for c in corpora]),
        np.concatenate([c.end for c in corpora]),
        np.concatenate([c.entity + shift for c, shift in zip(corpora, entities, strict=False)]),
        tuple(label for c in corpora for label in c.labels),
        tuple(
            Source(s.path, s.data, s.first_document + int(shift), s.documents)
            for c, shift in zip(corpora, documents, strict=False)
            for s in c.sources
        ),
        np.concatenate([c.begin for c in corpora]),
        np.concatenate([c.bracket for c in corpora]),
        np.concatenate([c.line for c in corpora]),
    )

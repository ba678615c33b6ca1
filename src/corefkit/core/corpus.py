"""Corpus: all mentions of all documents, in columns.

`concat` joins several corpora, and `Moves` moves mentions to other tokens.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import compress, pairwise
from operator import index
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from corefkit.core.arrays import EMPTY, BoolArray, IntArray, tuples
from corefkit.core.carriers import frozen
from corefkit.core.columns import Column, join_columns
from corefkit.core.entry_points import find
from corefkit.core.incidents import DataError, Incident, Place, errors
from corefkit.core.links import Dependencies, Links
from corefkit.core.mention_columns import MentionLabels, Ragged, runs_of
from corefkit.core.source import Source, place
from corefkit.core.texts import count_of

if TYPE_CHECKING:
    from corefkit.core.links import Plurals


Span = tuple[int, int]
Unit = Literal["token", "character"]

_LARGEST = 2**63 - 1

BEFORE_SENTENCE = 1 << 20
"""Added to the number of an empty node that stands before the first word of its sentence."""

UNPLACED = 1 << 21
"""Mentions that could not be aligned are empty nodes with numbers above this; they never match."""


@frozen(eq=False, kw_only=True)
class Corpus:
    """The mentions of all documents, in columns; documents and entities are numbered from 0.

    Rows are in the order of the reader: mentions as they are completed, entities by their first
    bracket. Nothing is repaired here. Columns that a format does not have are None (or empty, if
    their default is EMPTY) and cost nothing.

    Attributes:
        names: the name of each document.
        tokens: int64 (documents,), the number of surface tokens; −1 if it is unknown.
        document, start, end, entity: int64 (mentions,); spans include both ends and count
            surface tokens (or characters, see `unit`) from 0 in the document; `entity` is unique
            over all documents.
        labels: the id of each entity as written in the file.
        sources: the files, in the order of the documents; none for a corpus made in Python.
        document_byte: int64 (documents,), the byte of its file at which each document begins.
        byte, line: int64 (mentions,), the byte of the opening bracket, and its line, from 1.
        zero: int64 (mentions,), 0 for a mention of surface tokens. Otherwise the mention is one
            empty node: `start` = `end` is the token before it (−1 at the beginning of a document)
            and `zero` its number, from 1, among the empty nodes there. BEFORE_SENTENCE is added for
            empty nodes before the first word of a sentence, so that (start, zero) gives the order.
        head: int64 (mentions,), the token that is the head; −2 if it is unknown. If the head is an
            empty node, the token before it.
        head_zero: int64 (mentions,), the number of the empty node that is the head, or 0.
        nodes: the nodes, as (token, zero) pairs in order, of mentions that are neither one run of
            surface tokens nor one empty node; `start` and `end` are then their hull.
        dependencies: the sentence and the dependencies of heads that are empty nodes.
        minimum: int64 (mentions, 2), the first and last token of the minimum span; −1 for none.
        referring: bool (mentions,), False for non-referring expressions.
        links: relations other than identity.
        plurals: the entities with split antecedents, if these are scored.
        mention_labels: labels of the mentions, such as their types.
        match_class: int64 (mentions,), for matching rules that compare something other than
            spans: mentions of both sides with the same number ≥ 0 may be matched.
        has_ids: whether a corpus made in Python was given entity ids; for files, the format
            decides.
        unit: the unit of spans.
        identifiers: the texts of mentions that have no place in a text, "" for others; `start` and
            `end` are then a number that stands for the text.
        incidents: the warnings of the reader, and its errors if the corpus must not be scored.
    """

    names: tuple[str, ...]
    tokens: IntArray
    document: IntArray
    start: IntArray
    end: IntArray
    entity: IntArray
    labels: tuple[str, ...]
    sources: tuple[Source, ...] = ()
    document_byte: IntArray = field(default_factory=lambda: EMPTY)
    byte: IntArray = field(default_factory=lambda: EMPTY)
    line: IntArray = field(default_factory=lambda: EMPTY)
    zero: IntArray | None = None
    head: IntArray | None = None
    head_zero: IntArray | None = None
    nodes: "Ragged | None" = None
    dependencies: "Dependencies | None" = None
    minimum: IntArray | None = None
    referring: BoolArray | None = None
    links: "Links | None" = None
    plurals: "Plurals | None" = None
    mention_labels: MentionLabels | None = None
    match_class: IntArray | None = None
    has_ids: bool = False
    unit: Unit = "token"
    identifiers: Column | None = None
    incidents: tuple[Incident, ...] = ()

    @classmethod
    def from_clusters(
        cls, documents: Mapping[str, Iterable[Iterable[Span]] | Mapping[str, Iterable[Span]]]
    ) -> "Corpus":
        """A corpus from {document: clusters} of (start, end) token spans, both ends included.

        Clusters may have ids, and an entity that occurs in several documents has the same id in
        all of them: {"1_1": {"Obama": [(0, 1)]}, "1_2": {"Obama": [(4, 4)]}}.

        >>> corpus = Corpus.from_clusters({"tale": [[(0, 1), (4, 4)], [(6, 8)]]})
        >>> corpus
        Corpus(1 document, 3 mentions, 2 entities)
        """
        rows: list[tuple[int, int, int, int]] = []
        labels: list[str] = []
        if not isinstance(documents, Mapping):
            raise TypeError(f"clusters are given as {{document: clusters}}, not {documents!r:.60}")
        if wrong := [name for name in documents if not isinstance(name, str)]:
            raise TypeError(f"documents are named by strings, not {wrong[0]!r}")
        for number, (name, clusters) in enumerate(documents.items()):
            if not _is_listing(clusters) and not isinstance(clusters, Mapping):
                raise TypeError(f"document {name!r}: not a list of clusters: {clusters!r:.60}")
            named = clusters.items() if isinstance(clusters, Mapping) else enumerate(clusters)
            for label, cluster in named:
                if not _is_listing(cluster):
                    raise TypeError(f"document {name!r}: not a list of mentions: {cluster!r:.60}")
                spans = [_span(name, span) for span in cluster]
                if spans:
                    rows += [(number, start, end, len(labels)) for start, end in spans]
                    labels.append(str(label))
        document, start, end, entity = np.array(rows, dtype=np.int64).reshape(-1, 4).T
        tokens = np.full(len(documents), -1, dtype=np.int64)
        return Corpus(
            names=tuple(documents),
            tokens=tokens,
            document=document,
            start=start,
            end=end,
            entity=entity,
            labels=tuple(labels),
            has_ids=all(isinstance(clusters, Mapping) for clusters in documents.values()),
        )

    @classmethod
    def from_records(cls, rows: Iterable[Mapping[str, Any]], **how: Any) -> "Corpus":
        """A corpus from dicts in any dialect of JSON lines, e.g. from a Hugging Face dataset.

        >>> row = {"doc_key": "tale", "sentences": [["She", "slept"]], "clusters": [[[0, 0]]]}
        >>> Corpus.from_records([row])
        Corpus(1 document, 1 mention, 1 entity)
        """
        corpus: Corpus = _other_form("from_records")(rows, **how)
        return corpus

    def to_records(self, dialect: str = "e2e") -> list[dict[str, Any]]:
        """The documents as dicts in a dialect: e2e, wl-coref, maverick, preco or indiscrim."""
        records: list[dict[str, Any]] = _other_form("to_records")(self, dialect)
        return records

    @classmethod
    def from_frame(cls, frame: Any) -> "Corpus":
        """A corpus from a data frame with document, entity, and either start and end or mention."""
        corpus: Corpus = _other_form("from_frame")(frame)
        return corpus

    def to_frame(self, package: Any = None) -> Any:
        """A data frame with one row per mention.

        It is one of `package`, e.g. "polars"; by default pandas, or polars if that is missing.
        """
        return _other_form("to_frame")(self, package)

    @classmethod
    def from_spacy(cls, docs: Iterable[Any], *, heads: bool = False) -> "Corpus":
        """A corpus from spaCy documents (span groups or `doc._.coref_clusters`), or from Stanza's.

        With `heads`, the heads that coreferee finds count as mentions.
        """
        corpus: Corpus = _other_form("from_spacy")(docs, heads=heads)
        return corpus

    def clusters(self) -> dict[str, list[list[Span]]]:
        """The inverse of `from_clusters`: the entities of each document as lists of spans."""
        entities: list[list[Span]] = [[] for _ in self.labels]
        for entity, start, end in tuples(self.entity, self.start, self.end):
            entities[entity].append((start, end))
        documents: dict[str, list[list[Span]]] = {name: [] for name in self.names}
        for number, cluster in zip(self.entity_document.tolist(), entities, strict=True):
            documents[self.names[number]].append(cluster)
        return documents

    @property
    def mentions(self) -> int:
        """The number of mentions."""
        return len(self.start)

    @property
    def entities(self) -> int:
        """The number of entities."""
        return len(self.labels)

    @property
    def unnamed(self) -> frozenset[int]:
        """The documents that have no name in their files and are named by position."""
        return frozenset(s.first_document + n for s in self.sources for n in s.unnamed)

    @property
    def plain(self) -> bool:
        """Whether every mention is one run of surface tokens, so that its span identifies it."""
        return self.zero is None and self.nodes is None

    @cached_property
    def entity_document(self) -> IntArray:
        """int64 (entities,): the document of each entity."""
        document = np.zeros(self.entities, dtype=np.int64)
        document[self.entity] = self.document
        return document

    @cached_property
    def entity_size(self) -> IntArray:
        """int64 (entities,): the number of mentions of each entity."""
        return np.bincount(self.entity, minlength=self.entities)

    @cached_property
    def entity_label(self) -> Column:
        """The labels of the entities as a column: one code per entity."""
        return Column.of(self.labels)

    @cached_property
    def first_token(self) -> IntArray:
        """int64 (documents,): the first token of each document, numbered across the corpus."""
        known: IntArray = self.tokens.clip(0)
        return np.cumsum(known) - known

    @property
    def tokens_in_all(self) -> int:
        """The number of tokens of all documents whose tokens are known."""
        return int(self.tokens.clip(0).sum())

    @cached_property
    def lengths(self) -> IntArray:
        """int64 (documents,): the number of tokens or, if unknown, the end of the last mention."""
        reach = np.zeros(len(self.names), dtype=np.int64)
        np.maximum.at(reach, self.document, self.end + 1)
        return np.where(self.tokens < 0, reach, self.tokens)

    @cached_property
    def text_order(self) -> IntArray:
        """The rows sorted by document and start, longer mentions first."""
        width = int(self.end.max(initial=0)) + 1
        if self.zero is None and len(self.names) * width * width <= _LARGEST:
            # One number per mention: sorting is ten times as fast, because files are nearly sorted.
            rank = (self.document * width + self.start) * width + (width - 1 - self.end)
            return np.argsort(rank, kind="stable")
        if self.zero is None:
            return np.lexsort((-self.end, self.start, self.document))
        return np.lexsort((-self.end, self.zero, self.start, self.document))

    def rows_of_documents(self, order: IntArray | None = None) -> list[IntArray]:
        """The rows of each document; `order` are all rows, sorted by document, if given."""
        rows = np.argsort(self.document, kind="stable") if order is None else order
        bounds = np.searchsorted(self.document[rows], np.arange(len(self.names) + 1)).tolist()
        return [rows[first:last] for first, last in pairwise(bounds)]

    def take(self, rows: IntArray | BoolArray) -> "Corpus":
        """The corpus with only these mentions, given as a mask or as row numbers in a new order.

        Entities without mentions are dropped; the others keep their order.
        """
        if not isinstance(rows, np.ndarray):
            raise TypeError(f"rows are an array of numbers or a mask, not {rows!r:.60}")
        chosen = np.arange(self.mentions)[rows]
        if rows.dtype == np.bool_ and len(chosen) == self.mentions:
            return self
        entity = self.entity[chosen]
        left = np.bincount(entity, minlength=self.entities) > 0
        renumbered = np.cumsum(left, dtype=np.int64) - 1
        kept = {
            name: column[chosen]
            for name in _MENTION_COLUMNS
            if (column := getattr(self, name)) is not None and len(column) == self.mentions
        }
        kept["entity"] = renumbered[entity]
        size, moved = self.mentions, np.where(left, renumbered, -1)
        return replace(
            self,
            **kept,
            labels=tuple(compress(self.labels, left.tolist())),
            nodes=self.nodes and self.nodes.take(chosen, size),
            dependencies=self.dependencies and self.dependencies.take(chosen, size),
            links=self.links and self.links.take(chosen, size, moved),
            mention_labels=self.mention_labels and self.mention_labels.take(chosen),
            identifiers=self.identifiers and self.identifiers.take(chosen),
            plurals=self.plurals and self.plurals.take(moved),
        )

    def only(self, name: str) -> "Corpus":
        """The corpus with only the document of this name, without its file."""
        if name not in self.names:
            raise ValueError(f"there is no document {name!r}")
        number = self.names.index(name)
        return self.take(self.document == number).with_documents((name,), {number: 0})

    def with_documents(self, names: Sequence[str], numbers: Mapping[int, int]) -> "Corpus":
        """The corpus with other documents, without files; `numbers` maps old to new numbers.

        Every document with a mention must be in `numbers`.
        """
        number_of = np.zeros(max(len(self.names), 1), dtype=np.int64)
        tokens = np.full(len(names), -1, dtype=np.int64)
        for old, new in numbers.items():
            number_of[old], tokens[new] = new, self.tokens[old]
        return replace(
            self,
            names=tuple(names),
            tokens=tokens,
            document=number_of[self.document],
            plurals=self.plurals and self.plurals.renumbered(numbers),
            sources=(),
            document_byte=EMPTY,
            byte=EMPTY,
            line=EMPTY,
        )

    def drop_singletons(self) -> "Corpus":
        """The corpus without entities that have one mention and no split antecedent."""
        size = self.entity_size
        if self.plurals is not None:
            size = size.copy()
            size[self.plurals.entity[self.plurals.entity >= 0]] += 1
        return self.take(size[self.entity] > 1)

    def checked(self) -> "Corpus":
        """The corpus itself; raises DataError if its incidents include errors."""
        if errors(self.incidents):
            raise DataError(self.incidents)
        return self

    @property
    def path(self) -> str | None:
        """The file that contains the whole corpus, if there is exactly one."""
        return self.sources[0].path if len(self.sources) == 1 else None

    def source(self, document: int) -> Source | None:
        """The file that contains a document, if there is one."""
        for source in self.sources:
            if 0 <= document - source.first_document < source.documents:
                return source
        return None

    def document_bytes(self, document: int) -> tuple[Source, int, int] | None:
        """The file that contains a document, its first byte and its end (excluded)."""
        source = self.source(document)
        if source is None:
            return None
        last = document + 1 == source.first_document + source.documents
        end = len(source.data) if last else int(self.document_byte[document + 1])
        return source, int(self.document_byte[document]), end

    def document_place(self, document: int) -> Place:
        """The place where a document begins."""
        name, source = self.names[document], self.source(document)
        if source is None:
            return Place(document=name)
        begin = int(self.document_byte[document])
        return place(name, source, begin, source.line_of(begin))

    def mention_place(self, mention: int) -> Place:
        """The place where a mention begins."""
        document = int(self.document[mention])
        name, source = self.names[document], self.source(document)
        if source is None or not len(self.byte):
            return Place(document=name)
        return place(name, source, int(self.byte[mention]), int(self.line[mention]))

    def column(self, name: str | int) -> list[str]:
        """One token column of all documents, read from the files: "word", "pos", … or 0, 1, ….

        Raises DataError if the corpus was not read from files or if a file lacks the column.
        """
        from corefkit.core.tokens import read_columns

        return read_columns(self, name)[0].to_list()

    def __repr__(self) -> str:
        sizes = count_of(len(self.names), "document"), count_of(self.mentions, "mention")
        return f"Corpus({', '.join(sizes)}, {count_of(self.entities, 'entity', 'entities')})"


_MENTION_COLUMNS = (
    "document",
    "start",
    "end",
    "byte",
    "line",
    "zero",
    "head",
    "head_zero",
    "minimum",
    "referring",
    "match_class",
)
"""The fields with one row per mention, except `entity`; EMPTY or None if they are absent."""


def _is_listing(given: object) -> bool:
    """Whether a value is an iterable other than a string or a mapping."""
    return isinstance(given, Iterable) and not isinstance(given, (str, bytes, Mapping))


def token_number(value: Any) -> int:
    """An integer of any type as an int; raises TypeError for anything else, booleans included."""
    if isinstance(value, bool):
        raise TypeError(f"a number is expected, not {value!r}")
    return index(value)


def _span(document: str, span: Span) -> Span:
    """A span as a pair of ints; raises TypeError or ValueError for anything else."""
    try:
        start, end = span
        ends = token_number(start), token_number(end)
    except (TypeError, ValueError):
        raise TypeError(
            f"document {document!r}: a mention is a pair of token numbers, not {span!r:.60}"
        ) from None
    if not 0 <= ends[0] <= ends[1] < 1 << 62:
        raise ValueError(f"document {document!r}: {ends} is not a span (0 ≤ start ≤ end)")
    return ends


ABSENT = {
    "zero": 0,
    "head": -2,
    "head_zero": 0,
    "minimum": -1,
    "referring": True,
    "match_class": -1,
}
"""The values of optional columns for a corpus that lacks them, when `concat` needs them."""


def _joined_identifiers(corpora: Sequence[Corpus]) -> Column | None:
    """The identifiers of several corpora; "" for mentions that have a place in a text."""
    if all(c.identifiers is None for c in corpora):
        return None
    none = [Column(np.zeros(c.mentions, dtype=np.int64), ("",)) for c in corpora]
    return join_columns([c.identifiers or n for c, n in zip(corpora, none, strict=True)])


def concat(corpora: Sequence[Corpus]) -> Corpus:
    """Several corpora as one, with the documents in this order."""
    if len(corpora) == 1:
        return corpora[0]
    units = {c.unit for c in corpora if c.names}  # a broken file has no documents, hence no unit
    if len(units) > 1:
        raise ValueError(
            "corpora that count tokens cannot be joined with ones that count characters"
        )
    sizes = [(len(c.names), c.entities, c.mentions) for c in corpora]
    before = np.cumsum([(0, 0, 0), *sizes[:-1]], axis=0).tolist()
    shifted = [(c, *first) for c, first in zip(corpora, before, strict=True)]
    known = all(len(c.byte) == c.mentions for c in corpora)
    columns: dict[str, Any] = {
        "document": np.concatenate([c.document + first for c, first, _, _ in shifted]),
        "entity": np.concatenate([c.entity + first for c, _, first, _ in shifted]),
    }
    for name in ("tokens", "start", "end", "document_byte", *(("byte", "line") if known else ())):
        columns[name] = np.concatenate([getattr(c, name) for c in corpora])
    for name, missing in ABSENT.items():
        if any(getattr(c, name) is not None for c in corpora):
            columns[name] = np.concatenate([_filled(c, name, missing) for c in corpora])
    return Corpus(
        names=tuple(name for c in corpora for name in c.names),
        labels=tuple(label for c in corpora for label in c.labels),
        sources=tuple(s.moved(first) for c, first, _, _ in shifted for s in c.sources),
        nodes=Ragged.concat([(c.nodes, first) for c, _, _, first in shifted]),
        dependencies=Dependencies.concat([(c.dependencies, first) for c, _, _, first in shifted]),
        links=Links.concat([(c.links, first, entity) for c, _, entity, first in shifted]),
        mention_labels=MentionLabels.concat([(c.mention_labels, c.mentions) for c in corpora]),
        has_ids=all(c.has_ids for c in corpora),
        unit=next(iter(units), corpora[0].unit),
        identifiers=_joined_identifiers(corpora),
        incidents=tuple(incident for c in corpora for incident in c.incidents),
        **columns,
    )


def _other_form(name: str) -> Any:
    """What turns a corpus into another form or back: such functions know formats."""
    return find("corpus", name)


def _filled(corpus: Corpus, name: str, missing: int) -> Any:
    column = getattr(corpus, name)
    if column is not None:
        return column
    shape = (corpus.mentions, 2) if name == "minimum" else (corpus.mentions,)
    return np.full(shape, missing, dtype=np.bool_ if name == "referring" else np.int64)


class Moves:
    """New positions for the mentions of a corpus; initially all keep their positions.

    Attributes:
        start, end: int64 (mentions,), the new spans.
        kept: bool (mentions,), the mentions that are kept.
        tokens: int64 (documents,), the new number of tokens of each document.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self.start, self.end = corpus.start.copy(), corpus.end.copy()
        self.kept = np.ones(corpus.mentions, dtype=bool)
        self.tokens = corpus.tokens.copy()
        self._minimum = None if corpus.minimum is None else corpus.minimum.copy()
        self._nodes: dict[int, list[tuple[int, int]]] = {}

    def drop_document(self, document: int, rows: IntArray) -> None:
        """Drop the mentions of a document, which are `rows`; its length becomes unknown."""
        self.kept[rows], self.tokens[document] = False, -1

    def move_minima(self, rows: IntArray, to: Callable[[IntArray], IntArray]) -> None:
        """Apply a function to the minimum spans, int64 (n, 2), of those mentions that have one."""
        if self._minimum is not None:
            with_minimum = rows[self._minimum[rows, 0] >= 0]
            self._minimum[with_minimum] = to(self._minimum[with_minimum])

    def list_nodes(self, row: int, nodes: Iterable[tuple[int, int]]) -> None:
        """Set the nodes of an irregular mention; one run of tokens needs no list any more."""
        listed = sorted(set(nodes))
        if any(zero for _, zero in listed) or len(runs_of(token for token, _ in listed)) > 1:
            self._nodes[row] = listed

    def made(self, **columns: Any) -> Corpus:
        """The corpus with the mentions that are kept, moved; `columns` replaces further columns."""
        nodes = Ragged.of(sorted(self._nodes.items()))
        spans = {"start": self.start, "end": self.end, "tokens": self.tokens}
        moved = {**spans, "minimum": self._minimum, "nodes": nodes, **columns}
        return replace(self._corpus, **moved).take(self.kept)

"""JSON documents → a Corpus."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from corefkit.data.arrays import EMPTY
from corefkit.data.corpus import Corpus, Unit
from corefkit.data.incidents import Collector
from corefkit.data.source import Source
from corefkit.data.spans import crossing_mentions
from corefkit.data.tokens import ListedTokens, TokenTable, sentence_of
from corefkit.formats.building import tell_repeated_names
from corefkit.formats.empty_words import nodes_of_words, span_of_nodes, without_empty
from corefkit.formats.jsonlines import defects
from corefkit.formats.jsonlines.decoding import Value, decode
from corefkit.formats.jsonlines.documents import Document, find_documents
from corefkit.formats.jsonlines.layout import ShapeError
from corefkit.formats.moving import Moves
from corefkit.formats.registry import Reading


def parse(data: bytes, path: str, reading: Reading, name: str) -> Corpus:
    """The corpus in the bytes of one file of a dialect."""
    found = Collector(path)
    documents = list(find_documents(decode(data, found), reading, name, found))
    source = Source(path, data, 0, len(documents), TokensOfJson(name, reading))
    return _corpus(documents, source, found)


def parse_rows(rows: Iterable[Any], reading: Reading, name: str) -> Corpus:
    """The corpus in rows that are decoded already."""
    found = Collector("records")
    values = (Value(row, number, 0) for number, row in enumerate(rows, 1))
    documents = list(find_documents(values, reading, name, found))
    source = Source("records", b"", 0, len(documents), ListedTokens(name, _table(documents)))
    return _corpus(documents, source, found)


class TokensOfJson(ListedTokens):
    """Words, sentences and speakers of a JSON file, which is decoded again for them."""

    def __init__(self, name: str, reading: Reading) -> None:
        super().__init__(name, TokenTable())
        self._reading = reading

    def table(self, source: Source) -> TokenTable:
        """The tokens of the file, found once."""
        found = Collector(source.path)
        values = decode(source.data, found)
        documents = find_documents(values, self._reading, self.name, found)
        return source.once("table", lambda: _table(documents))


def _corpus(documents: list[Document], source: Source, found: Collector) -> Corpus:
    names = [d.name or str(number) for number, d in enumerate(documents, 1)]
    unnamed = frozenset(n for n, d in enumerate(documents) if d.name is None)
    units = {_unit(d) for d in documents}
    if len(units) > 1:
        first = _unit(documents[0])
        other = next(d for d in documents if _unit(d) != first)
        error = ShapeError("$.text", "a string in all documents, or a list in all of them")
        defects.tell_shape(found, other.line, error)
        documents = [d for d in documents if _unit(d) == first]
        return _corpus(documents, replace(source, documents=len(documents)), found)
    tell_repeated_names(found, names, [d.line for d in documents])
    sizes = np.array([len(d.spans.start) for d in documents], dtype=np.int64)
    cluster_sizes = [size for d in documents for size in d.spans.sizes]
    corpus = Corpus(
        tuple(names),
        np.array([d.layout.units for d in documents], dtype=np.int64),
        np.repeat(np.arange(len(documents)), sizes),
        np.concatenate([EMPTY, *(d.spans.start for d in documents)]),
        np.concatenate([EMPTY, *(d.spans.end for d in documents)]),
        np.repeat(np.arange(len(cluster_sizes)), cluster_sizes).astype(np.int64),
        tuple(str(label) for d in documents for label in d.spans.labels),
        (replace(source, unnamed=unnamed),),
        np.array([d.byte for d in documents], dtype=np.int64),
        np.repeat(np.array([d.byte for d in documents], dtype=np.int64), sizes),
        np.repeat(np.array([d.line for d in documents], dtype=np.int64), sizes),
        unit=_unit(documents[0]) if documents else "token",
    )
    corpus = _with_empty_nodes(corpus, documents)
    return replace(corpus, incidents=(*found, *crossing_mentions(corpus, "warning")))


def _unit(document: Document) -> Unit:
    return "token" if document.layout.text is None else "character"


def _with_empty_nodes(corpus: Corpus, documents: list[Document]) -> Corpus:
    """The corpus of text2text, where words that begin with ## are empty nodes, not tokens."""
    words = {number: d.layout.words() for number, d in enumerate(documents) if d.empty}
    nodes = {number: own for number, said in words.items() if (own := nodes_of_words(said))}
    if not nodes:
        return corpus
    moves, zero = Moves(corpus), np.zeros(corpus.mentions, dtype=np.int64)
    for number, node in nodes.items():
        moves.tokens[number] = sum(z == 0 for _, z in node)
        for row in np.flatnonzero(corpus.document == number).tolist():
            mention = node[int(corpus.start[row]) : int(corpus.end[row]) + 1]
            moves.start[row], moves.end[row], zero[row], listed = span_of_nodes(mention)
            if listed:
                moves.list_nodes(row, mention)
    return moves.made(zero=zero)


def _table(documents: Iterable[Document]) -> TokenTable:
    words: list[str] = []
    lengths: list[int] = []
    speakers: list[str] = []
    texts: list[str] = []
    spoken = said = True
    for document in documents:
        layout = document.layout
        said = said and layout.size < 0
        if layout.text is not None:
            texts.append(layout.text)
            continue
        own = layout.words()
        if document.empty and len(tokens := without_empty(own)) < len(own):
            words += tokens
            lengths.append(len(tokens))
            spoken = False
            continue
        words += own
        lengths += layout.lengths
        spoken = spoken and layout.speakers is not None
        speakers += layout.speakers() if layout.speakers and spoken else []
    if not said:  # predictions without words
        return TokenTable(None)
    return TokenTable(
        words, sentence_of(lengths), speakers if spoken and speakers else None, texts or None
    )

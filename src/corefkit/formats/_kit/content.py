"""Content: what writers need of a document: its words, sentences, speakers and entities."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from corefkit.core.arrays import IntArray, tuples
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus, Span
from corefkit.core.incidents import DataError
from corefkit.core.source import run_lengths
from corefkit.core.tokens import document_text, read_columns, sentence_numbers

MASK = "___"
"""Stands for the words of a corpus that has none."""


@frozen
class Content:
    """One document as writers see it.

    Attributes:
        name: the name; None where the document has none.
        words: one a token.
        lengths: the lengths of the sentences.
        speakers: one a token, or None.
        entities: (label, spans) in the order of their first mentions, spans in text order.
    """

    name: str | None
    words: list[str]
    lengths: list[int]
    speakers: list[str] | None
    entities: list[tuple[str, list[Span]]]

    @property
    def sentences(self) -> list[list[str]]:
        """The words by sentence."""
        return by_sentence(self.words, self.lengths)

    @property
    def spelt_mentions(self) -> int:
        """How many characters the words of all mentions have, for writers that spell them out."""
        ends = np.cumsum([0, *(len(word) + 1 for word in self.words)])
        spans = np.array([span for _, own in self.entities for span in own], dtype=np.int64)
        start, end = spans.reshape(-1, 2).T
        return int((ends[end + 1] - ends[start]).sum())


def by_sentence(values: list[str], lengths: list[int]) -> list[list[str]]:
    """Values of tokens, cut into sentences."""
    ends = np.cumsum([0, *lengths]).tolist()
    return [values[a:b] for a, b in pairwise(ends)]


def contents(corpus: Corpus) -> Iterator[Content]:
    """The documents of a corpus, in order. Spans are hulls; zeros and parts are ignored."""
    words, speakers = known_column(corpus, "word"), known_column(corpus, "speaker")
    sentence = known_sentences(corpus)
    rows = corpus.rows_of_documents(corpus.text_order)
    ends = np.cumsum([0, *corpus.tokens.clip(0).tolist()]).tolist()
    nameless = corpus._unnamed
    for number, name in enumerate(corpus.names):
        entities: dict[int, list[Span]] = {}
        for row in rows[number].tolist():
            span = int(corpus.start[row]), int(corpus.end[row])
            entities.setdefault(int(corpus.entity[row]), []).append(span)
        first, last = ends[number], ends[number + 1]
        size = last - first
        if words is None:
            reach = max((end + 1 for spans in entities.values() for _, end in spans), default=0)
            size = max(size, reach)
        own = [MASK] * size if words is None else words[first:last]
        lengths = [size] * (size > 0)
        if sentence is not None:
            lengths = run_lengths(sentence[first:last].tolist())
        said = None if speakers is None else speakers[first:last]
        listed = [(corpus.labels[entity], spans) for entity, spans in entities.items()]
        yield Content(None if number in nameless else name, own, lengths, said, listed)


def mention_texts(corpus: Corpus) -> list[str]:
    """The text of each mention from its first word to its last; MASK where it is not known."""
    words = known_column(corpus, "word") if corpus.unit == "token" else None
    texts = [MASK] * corpus.mentions
    first = corpus.first_token.tolist()
    for row, (document, start, end) in enumerate(tuples(corpus.document, corpus.start, corpus.end)):
        text: str | None = None
        if words is not None:
            text = " ".join(words[first[document] + start : first[document] + end + 1])
        elif corpus.unit == "character" and (known := document_text(corpus, document)) is not None:
            text = known[start : end + 1]
        texts[row] = " ".join((text or "").split()) or MASK
    return texts


def file_columns(corpus: Corpus, numbers: Iterable[int]) -> dict[int, list[str]]:
    """Columns of all tokens by their numbers in the files, which have columns of one kind."""
    from corefkit.formats._kit.files import AS_THEY_ARE

    if not _has_tokens(corpus) or not all(source.numbers for source in corpus.sources):
        return {}
    found = {}
    for at in numbers:
        columns = [source.find_column(at, AS_THEY_ARE) for source in corpus.sources]
        found[at] = [value for column in columns for value in column.to_list()]
    return found


def zero_cells(corpus: Corpus, numbers: Sequence[int]) -> list[dict[tuple[int, int], list[str]]]:
    """For each document the cells of its empty nodes in these columns, as its file has them."""
    found: list[dict[tuple[int, int], list[str]]] = [{} for _ in corpus.names]
    if _has_tokens(corpus):
        for source in corpus.sources:
            for (document, *node), cells in source.zero_cells(numbers).items():
                found[source.first_document + document][node[0], node[1]] = cells
    return found


def known_column(corpus: Corpus, name: str) -> list[str] | None:
    """A column of all tokens; None where the corpus lacks it."""
    try:
        return read_columns(corpus, name)[0].to_list() if _has_tokens(corpus) else None
    except DataError:
        return None


def known_sentences(corpus: Corpus) -> IntArray | None:
    """The sentence of every token; None where the corpus does not tell it."""
    try:
        return sentence_numbers(corpus) if _has_tokens(corpus) else None
    except DataError:
        return None


def _has_tokens(corpus: Corpus) -> bool:
    return bool(corpus.sources) and bool((corpus.tokens >= 0).all())

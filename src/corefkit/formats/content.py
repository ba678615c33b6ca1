"""Content: what writers need of a document: its words, sentences, speakers and entities."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from corefkit.data.columns import read_columns, sentence_numbers
from corefkit.data.corpus import Corpus, Span
from corefkit.data.incidents import DataError

MASK = "___"
"""Stands for the words of a corpus that has none."""

_PART = re.compile(r"\((.*)\); part (\d{1,9})", re.DOTALL)


@dataclass(frozen=True)
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


def by_sentence(values: list[str], lengths: list[int]) -> list[list[str]]:
    """Values of tokens, cut into sentences."""
    ends = np.cumsum([0, *lengths]).tolist()
    return [values[a:b] for a, b in pairwise(ends)]


def split_name(name: str) -> tuple[str, int]:
    """The id and the number of the part of a document.

    >>> split_name("(nw/a); part 012"), split_name("tale")
    (('nw/a', 12), ('tale', 0))
    """
    part = _PART.fullmatch(name)
    return (part[1], int(part[2])) if part else (name, 0)


def contents(corpus: Corpus) -> Iterator[Content]:
    """The documents of a corpus, in order. Spans are hulls, zeros and parts are not seen."""
    words, speakers = _column(corpus, "word"), _column(corpus, "speaker")
    sentence = _sentences(corpus)
    rows = corpus.text_order
    bounds = np.searchsorted(corpus.document[rows], np.arange(len(corpus.names) + 1)).tolist()
    ends = np.cumsum([0, *corpus.tokens.clip(0).tolist()]).tolist()
    nameless = {s.first_document + n for s in corpus.sources for n in s.unnamed}
    for number, name in enumerate(corpus.names):
        entities: dict[int, list[Span]] = {}
        for row in rows[bounds[number] : bounds[number + 1]].tolist():
            span = int(corpus.start[row]), int(corpus.end[row])
            entities.setdefault(int(corpus.entity[row]), []).append(span)
        first, last = ends[number], ends[number + 1]
        size = last - first
        if words is None:
            reach = max((end + 1 for spans in entities.values() for _, end in spans), default=0)
            size = max(size, reach)
        yield Content(
            None if number in nameless else name,
            [MASK] * size if words is None else words[first:last],
            _lengths(sentence[first:last]) if sentence is not None else [size] * (size > 0),
            None if speakers is None else speakers[first:last],
            [(corpus.labels[entity], spans) for entity, spans in entities.items()],
        )


def _column(corpus: Corpus, name: str) -> list[str] | None:
    """A column of all tokens; None where the corpus lacks it."""
    if not corpus.sources or (corpus.tokens < 0).any():
        return None
    try:
        found = read_columns(corpus, name)[0].to_list()
    except DataError:
        return None
    return found if len(found) == int(corpus.tokens.sum()) else None


def _sentences(corpus: Corpus) -> "np.ndarray[tuple[int], np.dtype[np.int64]] | None":
    if not corpus.sources or (corpus.tokens < 0).any():
        return None
    try:
        numbers = sentence_numbers(corpus)
    except DataError:
        return None
    return numbers if len(numbers) == int(corpus.tokens.sum()) else None


def _lengths(sentence: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> list[int]:
    cuts = np.flatnonzero(np.diff(sentence)) + 1
    bounds = [0, *cuts.tolist(), len(sentence)]
    return [b - a for a, b in pairwise(bounds)] if len(sentence) else []

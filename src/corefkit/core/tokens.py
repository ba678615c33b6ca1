"""Tokens of a corpus: words and texts, document by document."""

import numpy as np

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import DataError
from corefkit.core.source import read_columns


def document_words(corpus: Corpus) -> list[list[str]]:
    """The words of each document; DataError where they are not known."""
    words = _words(corpus)
    ends = np.cumsum(corpus.tokens).tolist()
    return [words[a:b] for a, b in zip([0, *ends], ends, strict=False)]


def _words(corpus: Corpus) -> list[str]:
    """The words of all tokens; in columns of number, word and coreference the second."""
    try:
        return read_columns(corpus, "word")[0].to_list()
    except DataError:
        try:
            number, words = read_columns(corpus, 0, 1)
        except (DataError, ValueError):
            number = None
        if number is None or not all(map(str.isdecimal, number.values)):
            raise
        return words.to_list()


def document_text(corpus: Corpus, document: int) -> str | None:
    """The running text of a document; None where it is not known."""
    source = corpus.source(document)
    return None if source is None else source.format.text(source, document - source.first_document)

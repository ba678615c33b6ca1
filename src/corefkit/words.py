"""Do key and response have the same words? Asked only on request, because scores need none."""

from collections.abc import Iterator

import numpy as np

from corefkit.check import MASKS
from corefkit.corpus import Corpus, Place
from corefkit.formats.columns import join_columns, read_columns
from corefkit.formats.conll import token_lines
from corefkit.formats.files import shorten
from corefkit.incidents import DataError, Incident


def compare_words(key: Corpus, response: Corpus) -> Iterator[Incident]:
    """One warning for each document with as many tokens but other words, at the first place.

    Masked words are equal to all; files of fewer than five columns have no words.
    """
    if _all_masked(key) or _all_masked(response):
        return
    try:
        ours, theirs = read_columns(key, "word")[0], read_columns(response, "word")[0]
    except DataError:
        return
    both = join_columns([ours, theirs])
    masked = np.array([value in MASKS for value in both.values], dtype=bool)
    left, right = both.code[: len(ours.code)], both.code[len(ours.code) :]
    for one, other in _same_length(key, response):
        a, b = left[_tokens(key, one)], right[_tokens(response, other)]
        differ = np.flatnonzero((a != b) & ~masked[a] & ~masked[b])
        if len(differ):
            at = int(differ[0])
            words = both.values[int(a[at])], both.values[int(b[at])]
            yield _incident(response, other, at, len(differ), words)


def _all_masked(corpus: Corpus) -> bool:
    """Whether there are as many masks as tokens: then no column need be read."""
    masks = (source.data.count(mask.encode()) for source in corpus.sources for mask in MASKS)
    return sum(masks) >= int(corpus.tokens.sum())


def _same_length(key: Corpus, response: Corpus) -> Iterator[tuple[int, int]]:
    """The numbers of documents that both have, with as many tokens."""
    number = {name: i for i, name in enumerate(key.names)}
    for other, name in enumerate(response.names):
        one = number.get(name)
        if one is not None and key.tokens[one] == response.tokens[other]:
            yield one, other


def _tokens(corpus: Corpus, document: int) -> slice:
    begin = int(corpus.tokens[:document].sum())
    return slice(begin, begin + int(corpus.tokens[document]))


def _incident(
    response: Corpus, document: int, at: int, number: int, words: tuple[str, str]
) -> Incident:
    place = Place()
    where = response.document_bytes(document)
    if where:
        source, begin, end = where
        lines = [line.number for line in token_lines(source.data, begin, end)]
        place = Place(file=source.path, line=lines[at])
    return Incident(
        "words-differ",
        "warning",
        f"{number:,} token(s) of the document are other words than in the key",
        **place,
        document=response.names[document],
        found=f"token {at + 1:,}: {shorten(words[1])!r}",
        expected=f"token {at + 1:,}: {shorten(words[0])!r}",
        hint="this is the first place; the spans are compared by their token numbers all the same",
    )

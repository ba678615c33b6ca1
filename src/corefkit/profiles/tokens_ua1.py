"""Mentions as the Universal Anaphora scorer 1 knows them: spans of rows, zeros among them."""

from dataclasses import replace

import numpy as np

from corefkit.data.arrays import EMPTY, IntArray, distinct
from corefkit.data.corpus import BEFORE_SENTENCE, Corpus
from corefkit.data.matching.nodes import zero_numbers
from corefkit.data.options import UsageError
from corefkit.data.ragged import runs_of


def linear(corpus: Corpus) -> Corpus:
    """The corpus with gaps closed to the last fragment, and zeros counted as tokens like others.

    Min stays as it was written: the scorer compares its numbers with those of rows.
    """
    corpus = _last_fragments(corpus)
    if corpus.head_zero is not None or (
        corpus.zero is not None and (corpus.zero > BEFORE_SENTENCE).any()
    ):
        raise UsageError("the profile ua-1 knows the zeros of CoNLL-UA files, not empty nodes")
    document, before = _zeros(corpus)
    if not len(document):
        return corpus
    zero = zero_numbers(corpus)
    places = np.sort(document << _BITS | before + 1)
    own = corpus.document << _BITS
    start, end = (
        token + zero + np.searchsorted(places, own | token + 1) - np.searchsorted(places, own)
        for token in (corpus.start, corpus.end)
    )
    return replace(corpus, start=start, end=end, zero=None)


_BITS = 32
"""Documents and tokens fit together into one number: no document has so many tokens."""


def _last_fragments(corpus: Corpus) -> Corpus:
    if corpus.parts is None:
        return corpus
    start: IntArray = corpus.start.copy()
    for row, nodes in corpus.parts:
        tokens = [token for token, _ in nodes]
        start[row] = runs_of(dict.fromkeys(tokens))[-1][0]
    return replace(corpus, start=start, parts=None)


def _zeros(corpus: Corpus) -> tuple[IntArray, IntArray]:
    """The document and the token before each zero: all of the files, or those with mentions."""
    found = []
    for source in corpus.sources:
        zeros = source.format.zeros(source)
        if zeros is not None:
            found.append((zeros[0] + source.first_document, zeros[1]))
    if corpus.zero is not None and not corpus.sources:
        # Where the last of a place has a mention, there are those before it, too.
        rows = np.flatnonzero(corpus.zero)
        place, _, _, which = distinct(corpus.document[rows] << _BITS | corpus.start[rows] + 1)
        last = np.zeros(len(place), dtype=np.int64)
        np.maximum.at(last, which, corpus.zero[rows])
        place = np.repeat(place, last)
        found.append((place >> _BITS, (place & (1 << _BITS) - 1) - 1))
    if not found:
        return EMPTY, EMPTY
    document, before = (np.concatenate(column) for column in zip(*found, strict=True))
    return document, before

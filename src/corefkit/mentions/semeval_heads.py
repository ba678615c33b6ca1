"""Heads of mentions by the head column of SemEval-2010 files."""

from dataclasses import replace

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.columns import read_columns, sentence_numbers
from corefkit.data.corpus import Corpus
from corefkit.data.incidents import data_error

_HEAD = 8
"""The place of the head column, the ninth: the number of a token in the sentence, or 0."""


def with_semeval_heads(corpus: Corpus, texts: Corpus) -> Corpus:
    """The corpus with the head of each mention by the files of `texts`.

    It is the first token whose own head is not in the mention, else the first token. DataError
    where the files are no SemEval-2010 columns or lack the ninth.
    """
    if not texts.sources or any(s.format.name != "semeval2010" for s in texts.sources):
        path = texts.sources[0].path if texts.sources else None
        expected = "SemEval-2010 columns, the ninth being the number of the head"
        raise data_error("column-missing", "heads", file=path, expected=expected)
    parent = _parents(texts)
    offset = texts.first_token
    begin, end = (offset[corpus.document] + column for column in (corpus.start, corpus.end))
    head = corpus.start.copy()
    for row in np.flatnonzero(corpus.end > corpus.start).tolist():
        first, last = int(begin[row]), int(end[row])
        above = parent[first : last + 1]
        outside = np.flatnonzero((above < first) | (above > last))
        if len(outside):
            head[row] += outside[0]
    return replace(corpus, head=head, head_zero=np.zeros_like(head))


def _parents(texts: Corpus) -> IntArray:
    """The head of each token, counted through the corpus; −1 where the column has no number."""
    (column,) = read_columns(texts, _HEAD)
    found = column.numbers(lambda v: int(v) if v.isascii() and v.isdigit() and len(v) < 10 else 0)
    sentence = sentence_numbers(texts)
    first = np.searchsorted(sentence, sentence)
    return np.where(found > 0, first + found - 1, -1)

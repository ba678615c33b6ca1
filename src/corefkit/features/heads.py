"""The head of each mention: the one token (or empty node) that represents it.

The file declares it, or it is found by trees or by the head column of SemEval-2010 files.
"""

from dataclasses import replace

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import data_error
from corefkit.core.tokens import read_columns, sentence_numbers

UNKNOWN = -2
"""The value of `Corpus.head` where no head is declared."""


def with_heads(corpus: Corpus, texts: Corpus | None = None) -> Corpus:
    """The corpus with `head` and `head_zero` filled in for every mention.

    The first rule that applies decides: the head that the file declares; the only node of a mention
    of one node; the head by the trees of the text (`Source.heads`); the last token.

    `texts` is the corpus whose files have the trees, by default the corpus itself; it has the same
    documents. For the errors of a response it is the key.

    >>> corpus = Corpus.from_clusters({"tale": [[(0, 0), (2, 3)]]})
    >>> with_heads(corpus).head.tolist()
    [0, 3]
    """
    head = corpus.end.copy()
    head_zero = np.zeros_like(head) if corpus.zero is None else corpus.zero.copy()
    declared = np.zeros(corpus.mentions, dtype=bool)
    if corpus.head is not None:
        declared = corpus.head != UNKNOWN
        head[declared] = corpus.head[declared]
        head_zero[declared] = 0 if corpus.head_zero is None else corpus.head_zero[declared]
    rows = np.flatnonzero(~declared & (corpus.end > corpus.start) & (head_zero == 0))
    if corpus.unit == "token" and len(rows):
        by_tree = heads_by_tree(corpus, corpus if texts is None else texts, rows)
        known = by_tree >= 0
        head[rows[known]] = by_tree[known]
    return replace(corpus, head=head, head_zero=head_zero)


def heads_by_tree(corpus: Corpus, texts: Corpus, rows: IntArray) -> IntArray:
    """The heads of these mentions by the trees of `texts`, int64 (rows,); −1 where unknown."""
    head = np.full(len(rows), -1, dtype=np.int64)
    document, start, end = (column[rows] for column in (corpus.document, corpus.start, corpus.end))
    offset = texts.first_token
    for source in texts.sources:
        begins = source.first_document
        here = (document >= begins) & (document < begins + source.documents)
        here &= end < texts.tokens[document]
        if not here.any():
            continue
        shift = offset[document[here]] - offset[begins]
        heads = source.heads(start[here] + shift, end[here] + shift)
        if heads is not None:
            head[here] = np.where(heads >= 0, heads - shift, -1)
    return head


_HEAD = 8
"""The index of the head column, the ninth: the number of a token in the sentence, or 0."""


def with_semeval_heads(corpus: Corpus, texts: Corpus) -> Corpus:
    """The corpus with the head of each mention by the head column of the files of `texts`.

    It is the first token whose own head is outside the mention, else the first token. Raises
    DataError where the files are not in SemEval-2010 columns or lack the ninth.
    """
    if not texts.sources or any(s.head_column() is None for s in texts.sources):
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
    """The head of each token, numbered through the corpus; −1 where the column has no number."""
    (column,) = read_columns(texts, _HEAD)
    number = column.numbers(lambda v: int(v) if v.isascii() and v.isdigit() and len(v) < 10 else 0)
    sentence = sentence_numbers(texts)
    first = np.searchsorted(sentence, sentence)
    return np.where(number > 0, first + number - 1, -1)

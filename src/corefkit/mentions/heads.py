"""The head of each mention: the one token (or empty node) that stands for it."""

from dataclasses import replace

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.corpus import Corpus

UNKNOWN = -2
"""What `Corpus.head` says where no head is declared."""


def with_heads(corpus: Corpus, texts: Corpus | None = None) -> Corpus:
    """The corpus with `head` and `head_zero` filled in for every mention.

    By the first rule that applies: the head that the file declares; the node of a mention of one
    node; what the trees of the text say (`TokenReader.heads` of its format); the last token.

    `texts` is the corpus of whose files the trees are asked, with the same documents, if it is
    not the corpus itself: errors of a response are told by the trees of the key.

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
    asked = np.flatnonzero(~declared & (corpus.end > corpus.start) & (head_zero == 0))
    if corpus.unit == "token" and len(asked):
        by_tree = heads_by_tree(corpus, corpus if texts is None else texts, asked)
        known = by_tree >= 0
        head[asked[known]] = by_tree[known]
    return replace(corpus, head=head, head_zero=head_zero)


def heads_by_tree(corpus: Corpus, texts: Corpus, rows: IntArray) -> IntArray:
    """The heads that the files of `texts` know for these mentions, −1 where they know none."""
    found = np.full(len(rows), -1, dtype=np.int64)
    document, start, end = (column[rows] for column in (corpus.document, corpus.start, corpus.end))
    offset = texts.first_token
    for source in texts.sources:
        begins = source.first_document
        here = (document >= begins) & (document < begins + source.documents)
        here &= end < texts.tokens[document]
        if not here.any():
            continue
        shift = offset[document[here]] - offset[begins]
        heads = source.format.heads(source, start[here] + shift, end[here] + shift)
        if heads is not None:
            found[here] = np.where(heads >= 0, heads - shift, -1)
    return found

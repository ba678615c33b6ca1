"""Labels in matching: mentions match only if they have the same labels.

Mentions of a document with different labels are put into different documents, so that any matching
rule chooses among mentions with equal labels. Nothing else changes.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from corefkit.core.arrays import EMPTY, IntArray, distinct, mask_of
from corefkit.core.columns import join_columns
from corefkit.core.corpus import Corpus
from corefkit.core.mention_columns import label_column
from corefkit.core.nodes import mention_codes


def label_names(corpus: Corpus) -> list[str]:
    """The names of the labels that the mentions of a corpus have."""
    return [] if corpus.mention_labels is None else [*corpus.mention_labels.columns]


def by_labels(names: Sequence[str], *corpora: Corpus) -> list[Corpus]:
    """The corpora with one document for each combination of document and labels.

    All corpora number these documents in the same way. The result is only for matching and for
    finding copies. In a corpus without a label, no mention has it.
    """
    numbered, number = _dense(np.concatenate([corpus.document for corpus in corpora]))
    for name in names:
        columns = [label_column(name, c.mention_labels, c.mentions) for c in corpora]
        code = join_columns(columns).code
        numbered, number = _dense(numbered * (int(code.max(initial=0)) + 1) + code)
    sizes = np.cumsum([corpus.mentions for corpus in corpora])[:-1]
    return [
        replace(
            corpus,
            names=("",) * number,
            tokens=np.full(number, -1, dtype=np.int64),
            document=document,
            sources=(),
            document_byte=EMPTY,
            byte=EMPTY,
            line=EMPTY,
        )
        for corpus, document in zip(corpora, np.split(numbered, sizes), strict=True)
    ]


def _dense(codes: IntArray) -> tuple[IntArray, int]:
    """The rank of each code among the distinct ones, and the number of distinct codes."""
    size = int(codes.max(initial=-1)) + 1
    if size > _SPARSE * (len(codes) + 1):
        numbered = distinct(codes)
        return numbered.inverse, len(numbered.counts)
    rank = np.cumsum(mask_of(codes, size))
    return rank.take(codes) - 1, int(rank[-1]) if size else 0


_SPARSE = 8
"""A lookup table may be so many times as long as the array of codes."""


def agreeing(key: Corpus, response: Corpus, names: Sequence[str]) -> tuple[int, int]:
    """The number of spans that both sides have, and how many of them have the same labels.

    If a side has a span twice, its first mention counts.
    """
    key_code, response_code = mention_codes(key, response)
    codes, number = _dense(np.concatenate((key_code, response_code)))
    rows = []
    for side in np.split(codes, [len(key_code)]):
        first = np.full(number, -1)
        first[side[::-1]] = np.arange(len(side))[::-1]  # the first row is written last
        rows.append(first)
    both = np.flatnonzero((rows[0] >= 0) & (rows[1] >= 0))
    key_by_label, response_by_label = by_labels(names, key, response)
    same = key_by_label.document[rows[0][both]] == response_by_label.document[rows[1][both]]
    return len(both), int(same.sum())


def unlabelled(corpus: Corpus, names: Sequence[str]) -> list[str]:
    """The labels among these that a corpus lacks; [] if it has no mentions."""
    labels = corpus.mention_labels
    columns = {} if labels is None else labels.columns
    return [name for name in names if corpus.mentions and name not in columns]

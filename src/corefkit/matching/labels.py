"""Labels in matching: a mention is matched only with one that has the same labels.

Mentions of one document with different labels are put into different documents, so that any rule
of matching chooses among those of equal labels, and nothing else changes.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from corefkit.core.arrays import EMPTY, IntArray, distinct, mask_of
from corefkit.core.corpus import Corpus
from corefkit.core.mention_columns import NONE, MentionLabels, label_column
from corefkit.core.nodes import mention_codes
from corefkit.core.overlap import Pairs
from corefkit.core.source import Column, join_columns

ETYPE = "etype"
"""The label that is read of the brackets of a file, CorefUD's, when it is asked for."""
WILD = "notannotated"
"""A label of the key that fits every one, as KBP compares them."""


def label_names(corpus: Corpus) -> list[str]:
    """The labels that the mentions of a corpus have."""
    names = [] if corpus.mention_labels is None else [*corpus.mention_labels.columns]
    return names if ETYPE in names or _etypes(corpus) is None else [*names, ETYPE]


def with_labels(corpus: Corpus, names: Sequence[str]) -> Corpus:
    """The corpus with those of the labels that are only read when they are asked for."""
    columns = {} if corpus.mention_labels is None else dict(corpus.mention_labels.columns)
    if ETYPE not in names or ETYPE in columns or (types := _etypes(corpus)) is None:
        return corpus
    return replace(corpus, mention_labels=MentionLabels({**columns, ETYPE: Column.of(types)}))


def _etypes(corpus: Corpus) -> list[str] | None:
    """The type that the bracket of each mention says; None where files say none."""
    if not corpus.sources or len(corpus._byte) != corpus.mentions:
        return None
    types = [NONE] * corpus.mentions
    for source in corpus.sources:
        last = source.first_document + source.documents
        inside = (corpus.document >= source.first_document) & (corpus.document < last)
        rows = np.flatnonzero(inside)
        read = source.mention_types(corpus._byte[rows])
        if read is None:
            return None
        for row, type in zip(rows.tolist(), read, strict=True):
            types[row] = type
    return types


def by_labels(names: Sequence[str], *corpora: Corpus) -> list[Corpus]:
    """The corpora with one document for each document and its labels, numbered alike.

    They are for matching and for finding copies; a corpus without a label has none of it.
    """
    digit = [np.concatenate([corpus.document for corpus in corpora])]
    for name in names:
        digit.append(join_columns([_column(corpus, name) for corpus in corpora]).code)
    numbered, number = _dense(digit[0])
    for column in digit[1:]:
        numbered, number = _dense(numbered * (int(column.max(initial=0)) + 1) + column)
    sizes = np.cumsum([corpus.mentions for corpus in corpora])[:-1]
    return [
        replace(
            corpus,
            names=("",) * number,
            tokens=np.full(number, -1, dtype=np.int64),
            document=document,
            sources=(),
            _begin=EMPTY,
            _byte=EMPTY,
            line=EMPTY,
        )
        for corpus, document in zip(corpora, np.split(numbered, sizes), strict=True)
    ]


def _dense(codes: IntArray) -> tuple[IntArray, int]:
    """The codes numbered from 0 in their order, and how many there are."""
    size = int(codes.max(initial=-1)) + 1
    if size > _SPARSE * (len(codes) + 1):
        numbered = distinct(codes)
        return numbered.inverse, len(numbered.counts)
    rank = np.cumsum(mask_of(codes, size))
    return rank.take(codes) - 1, int(rank[-1]) if size else 0


_SPARSE = 8
"""A table may be so many times as long as what it is for."""


def _column(corpus: Corpus, name: str) -> Column:
    return label_column(name, corpus.mention_labels, corpus.mentions)


def agreeing(key: Corpus, response: Corpus, names: Sequence[str]) -> tuple[int, int]:
    """How many spans both sides have, and how many of these with the same labels.

    Of a span that a side has twice the first counts.
    """
    ours, theirs = mention_codes(key, response)
    codes, number = _dense(np.concatenate((ours, theirs)))
    rows = []
    for side in np.split(codes, [len(ours)]):
        first = np.full(number, -1)
        first[side[::-1]] = np.arange(len(side))[::-1]  # the last to be written is the first row
        rows.append(first)
    both = np.flatnonzero((rows[0] >= 0) & (rows[1] >= 0))
    one, other = by_labels(names, key, response)
    same = one.document[rows[0][both]] == other.document[rows[1][both]]
    return len(both), int(same.sum())


def match_in_order(key: Corpus, response: Corpus, names: Sequence[str]) -> Pairs:
    """As KBP: each response mention, in order, takes the first free key mention that fits it.

    It fits if it has the same characters and the same labels, compared by letters and digits in
    lower case; a key label NOT_ANNOTATED fits every one.
    """
    ours, theirs = mention_codes(key, response)
    key_labels, response_labels = (
        list(zip(*_folded(side, names), strict=True)) for side in (key, response)
    )
    free: dict[int, list[int]] = {}
    for row, code in enumerate(ours.tolist()):
        free.setdefault(code, []).append(row)
    pairs: list[tuple[int, int]] = []
    for row, code in enumerate(theirs.tolist()):
        waiting = free.get(code, [])
        for place, candidate in enumerate(waiting):
            if not names or _fits(key_labels[candidate], response_labels[row]):
                pairs.append((candidate, row))
                del waiting[place]
                break
    one, two = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    order = np.argsort(one, kind="stable")
    return Pairs(one[order], two[order])


def _folded(corpus: Corpus, names: Sequence[str]) -> list[list[str]]:
    """The labels of each mention, by letters and digits in lower case."""
    folded = []
    for name in names:
        column = _column(corpus, name)
        values = [re.sub(r"[\W_]", "", value).lower() for value in column.values]
        folded.append([values[code] for code in column.code.tolist()])
    return folded


def _fits(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    return all(one in (other, WILD) for one, other in zip(ours, theirs, strict=True))


def unlabelled(corpus: Corpus, names: Sequence[str]) -> list[str]:
    """Those of the labels that no mention has a place for; none where there are no mentions."""
    labels = corpus.mention_labels
    columns = {} if labels is None else labels.columns
    return [name for name in names if corpus.mentions and name not in columns]

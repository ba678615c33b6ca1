"""Mentions as sets of nodes: how large they are, what two have in common, how they are ordered."""

from collections.abc import Sequence

import numpy as np

from corefkit.data.arrays import BoolArray, IntArray, distinct
from corefkit.data.corpus import BEFORE_SENTENCE, Corpus

_LARGEST = 2**63 - 1

Node = tuple[int, int]
"""A surface token and 0, or the token before an empty node and its number."""


def zero_numbers(corpus: Corpus) -> IntArray:
    """int64 (mentions,): which empty node each mention is, 0 for all others."""
    return corpus.zero if corpus.zero is not None else np.zeros_like(corpus.start)


def is_irregular(corpus: Corpus) -> BoolArray:
    """bool (mentions,): neither one run of surface tokens nor one empty node."""
    found = np.zeros(corpus.mentions, dtype=bool)
    if corpus.parts is not None:
        found[corpus.parts.row] = True
    return found


def is_zero(corpus: Corpus) -> BoolArray:
    """bool (mentions,): whether the head of a mention is an empty node.

    Where no head is known, whether the mention is one empty node.
    """
    alone = zero_numbers(corpus) > 0
    if corpus.head is None or corpus.head_zero is None:
        return alone
    return np.where(corpus.head == -2, alone, corpus.head_zero > 0)


def sizes(corpus: Corpus) -> IntArray:
    """int64 (mentions,): how many nodes each mention has."""
    size = corpus.end - corpus.start + 1
    if corpus.zero is not None:
        size[corpus.zero > 0] = 1
    if corpus.parts is not None:
        size[corpus.parts.row] = np.diff(corpus.parts.first)
    return size


def nodes_listed(corpus: Corpus, row: int) -> list[Node]:
    """The nodes of a mention that has a list of them; none where it is a run, or one empty node."""
    return (corpus.parts.nodes(row) if corpus.parts is not None else None) or []


def nodes_of(corpus: Corpus, row: int) -> list[Node]:
    """The nodes of one mention, in order."""
    if listed := nodes_listed(corpus, row):
        return listed
    start = int(corpus.start[row])
    if corpus.zero is not None and corpus.zero[row]:
        return [(start, int(corpus.zero[row]))]
    return [(token, 0) for token in range(start, int(corpus.end[row]) + 1)]


def common_nodes(key: Corpus, response: Corpus, ours: IntArray, theirs: IntArray) -> IntArray:
    """int64 (pairs,): |K ∩ R| of pairs of mentions, each in one document."""
    low = np.maximum(key.start[ours], response.start[theirs])
    high = np.minimum(key.end[ours], response.end[theirs])
    found: IntArray = np.maximum(high - low + 1, 0)
    if key.plain and response.plain:
        return found
    zero, other = zero_numbers(key)[ours], zero_numbers(response)[theirs]
    same = (zero == other) & (key.start[ours] == response.start[theirs])
    found = np.where((zero > 0) | (other > 0), same.astype(np.int64), found)
    odd = np.flatnonzero(is_irregular(key)[ours] | is_irregular(response)[theirs])
    left: dict[int, set[Node]] = {}
    right: dict[int, set[Node]] = {}
    for at in odd.tolist():
        k, r = int(ours[at]), int(theirs[at])
        if k not in left:
            left[k] = set(nodes_of(key, k))
        if r not in right:
            right[r] = set(nodes_of(response, r))
        found[at] = len(left[k] & right[r])
    return found


def ends_of(corpus: Corpus) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """int64 (mentions,): token and zero of the first node, token and zero of the last."""
    zero = zero_numbers(corpus)
    columns = corpus.start.copy(), zero.copy(), corpus.end.copy(), zero.copy()
    if corpus.parts is not None:
        parts = corpus.parts
        first, last = parts.first[:-1], parts.first[1:] - 1
        columns[0][parts.row], columns[1][parts.row] = parts.token[first], parts.zero[first]
        columns[2][parts.row], columns[3][parts.row] = parts.token[last], parts.zero[last]
    return columns


def text_order(corpus: Corpus) -> IntArray:
    """The rows by document, first node, last node, number of nodes, list of nodes, head."""
    first, first_zero, last, last_zero = ends_of(corpus)
    head, head_zero = head_columns(corpus)
    shape = [corpus.document, first, first_zero, last, last_zero, sizes(corpus)]
    order = np.lexsort((head_zero, head, *reversed(shape)))
    if corpus.parts is None:
        return order
    equal = np.ones(max(len(order) - 1, 0), dtype=bool)
    for column in shape:
        equal &= column[order[1:]] == column[order[:-1]]
    irregular = is_irregular(corpus)[order]
    bounds = np.concatenate(([0], np.flatnonzero(~equal) + 1, [len(order)]))
    several = np.flatnonzero(np.diff(bounds) > 1)
    for begin, end in zip(bounds[several].tolist(), bounds[several + 1].tolist(), strict=True):
        if irregular[begin:end].any():
            rows = order[begin:end].tolist()
            rows.sort(key=lambda row: (nodes_of(corpus, row), int(head[row]), int(head_zero[row])))
            order[begin:end] = rows
    return order


def head_columns(corpus: Corpus) -> tuple[IntArray, IntArray]:
    """Token and zero of the head of each mention; (−2, 0) where it is not known."""
    unknown = np.full(corpus.mentions, -2, dtype=np.int64)
    head = corpus.head if corpus.head is not None else unknown
    zero = corpus.head_zero if corpus.head_zero is not None else np.zeros_like(head)
    return head, zero


def number_rows(columns: Sequence[IntArray]) -> IntArray:
    """One number for each row of these columns, equal for equal rows.

    >>> number_rows([np.array([0, 0, 4]), np.array([-1, -1, 7])]).tolist()
    [0, 0, 44]
    """
    codes = np.zeros_like(columns[0])
    for column in map(_narrow, columns):
        digit = column - column.min(initial=0)
        if (int(codes.max(initial=0)) + 1) * (int(digit.max(initial=0)) + 1) > _LARGEST:
            # Offsets that were made in Python may be as large as they like: number them instead.
            codes, digit = distinct(codes).inverse, distinct(digit).inverse
        codes = codes * (int(digit.max(initial=0)) + 1) + digit
    return codes


def _narrow(column: IntArray) -> IntArray:
    """The same order in a narrower range: the gap below BEFORE_SENTENCE is closed."""
    high = column >= BEFORE_SENTENCE
    if not high.any():
        return column
    gap = BEFORE_SENTENCE - int(column[~high].max(initial=0)) - 1
    return np.where(high, column - gap, column)

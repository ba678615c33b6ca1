"""Exact matching: a response mention stands for the key mention of the same tokens."""

from collections.abc import Mapping

import numpy as np

from corefkit.data.arrays import IntArray, distinct
from corefkit.data.corpus import Corpus
from corefkit.data.matching.pairs import Pairs

_LARGEST = 2**63 - 1


def match(key: Corpus, response: Corpus, policies: Mapping[str, str] | None = None) -> Pairs:
    """The mentions with the same nodes on both sides."""
    ours, theirs = mention_codes(key, response)
    _, in_key, in_response = np.intersect1d(ours, theirs, assume_unique=True, return_indices=True)
    return Pairs(in_key, in_response)


def mention_codes(*corpora: Corpus) -> list[IntArray]:
    """For each corpus int64 (mentions,): one number a mention, equal where the nodes are equal.

    A run of surface tokens is told by its span; an empty node is one more digit; other mentions
    get numbers of their own, above all others.
    """
    names = ["document", "start", "end"]
    columns = [np.concatenate([getattr(c, name) for c in corpora]) for name in names]
    document, start, length = columns[0], columns[1], columns[2] - columns[1]
    digits = [document, start, length]
    if any(not c.plain for c in corpora):
        zero = np.concatenate(
            [c.zero if c.zero is not None else np.zeros_like(c.start) for c in corpora]
        )
        # An empty node at the beginning of a document stands after token −1.
        digits = [document, start + 1, length, zero, _irregular(corpora)]
    codes = _combine(digits)
    return np.split(codes, np.cumsum([c.mentions for c in corpora])[:-1])


def _irregular(corpora: tuple[Corpus, ...]) -> IntArray:
    """For all mentions 0, or a number from 1 for each distinct list of nodes."""
    numbers: dict[tuple[tuple[int, int], ...], int] = {}
    found = np.zeros(sum(c.mentions for c in corpora), dtype=np.int64)
    before = 0
    for corpus in corpora:
        for row, nodes in corpus.parts or ():
            found[before + row] = numbers.setdefault(tuple(nodes), len(numbers) + 1)
        before += corpus.mentions
    return found


def _combine(digits: list[IntArray]) -> IntArray:
    """One number for each row of digits, equal for equal rows."""
    sizes = [int(column.max(initial=0)) + 1 for column in digits]
    product = 1
    for size in sizes:
        product *= size
    if product > _LARGEST:
        # Offsets that were made in Python may be as large as they like: number them instead.
        numbered = digits[0]
        for column in digits[1:]:
            inverse = distinct(column).inverse
            numbered = distinct(numbered).inverse * (int(inverse.max(initial=0)) + 1) + inverse
        return numbered
    codes = digits[0]
    for column, size in zip(digits[1:], sizes[1:], strict=True):
        codes = codes * size + column
    return codes

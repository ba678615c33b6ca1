"""Which response mention is which key mention: the one with the same span."""

import numpy as np

from corefkit.data.arrays import IntArray, distinct
from corefkit.data.corpus import Corpus

_LARGEST = 2**63 - 1


def same_mentions(key: Corpus, response: Corpus) -> tuple[IntArray, IntArray]:
    """The mentions that both sides have, as two equally long arrays of mention numbers.

    Both corpora have the same documents, and no span twice.
    """
    ours, theirs = mention_codes(key, response)
    _, in_key, in_response = np.intersect1d(ours, theirs, assume_unique=True, return_indices=True)
    return in_key, in_response


def mention_codes(*corpora: Corpus) -> list[IntArray]:
    """For each corpus int64 (mentions,): one number a span, the same in all of them."""
    document, start, end = (
        np.concatenate([getattr(c, column) for c in corpora])
        for column in ("document", "start", "end")
    )
    length = end - start
    if not _fits(document, start, length):
        # Offsets that were made in Python may be as large as they like: number them instead.
        start, length = (distinct(x).inverse for x in (start, length))
    width, height = (int(x.max(initial=0)) + 1 for x in (start, length))
    codes = (document * width + start) * height + length
    return np.split(codes, np.cumsum([c.mentions for c in corpora])[:-1])


def _fits(document: IntArray, start: IntArray, length: IntArray) -> bool:
    product = 1
    for column in (document, start, length):
        product *= int(column.max(initial=0)) + 1
    return product <= _LARGEST

"""Span errors: mentions of both sides that mean the same and differ in their boundaries."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from corefkit.data.arrays import EMPTY, BoolArray, IntArray, distinct, tuples
from corefkit.data.corpus import Corpus
from corefkit.data.matching.nodes import is_irregular, zero_numbers
from corefkit.mentions.tokens import KeyTokens


def text_order(corpus: Corpus) -> IntArray:
    """The order of mentions by document, start, then the shorter first; int64 (mentions,).

    Where two mentions have the same hull, that of the single run of tokens comes first, then
    others by their nodes, so that the order of rows never decides.
    """
    nodes = np.zeros_like(corpus.start)
    if corpus.parts is not None:
        lists = dict(corpus.parts)
        rank = {listed: i for i, listed in enumerate(sorted({tuple(v) for v in lists.values()}), 1)}
        for row, listed in lists.items():
            nodes[row] = rank[tuple(listed)]
    return np.lexsort((nodes, corpus.end, zero_numbers(corpus), corpus.start, corpus.document))


def pair_spans(
    both: Corpus, tokens: KeyTokens, extra: IntArray, missing: IntArray
) -> tuple[IntArray, IntArray]:
    """The span errors among mentions of one side only: rows of `extra`, rows of `missing`.

    `both` holds the mentions of both sides, with heads; `extra` and `missing` are rows of it, in
    text order. Mentions that are equal when trimmed are a pair, the first with the first; of the
    others those which alone on their side have a head are one with the other.
    """
    by_trim = _pair_trimmed(both, tokens, extra, missing)
    left_extra, left_missing = (
        rows[~np.isin(rows, taken)] for rows, taken in zip((extra, missing), by_trim, strict=True)
    )
    by_head = _pair_heads(both, left_extra, left_missing)
    return np.concatenate((by_trim[0], by_head[0])), np.concatenate((by_trim[1], by_head[1]))


def _pair_trimmed(
    both: Corpus, tokens: KeyTokens, extra: IntArray, missing: IntArray
) -> tuple[IntArray, IntArray]:
    if not tokens.has("word"):
        return EMPTY, EMPTY
    start, end = _trimmed(both, tokens, np.concatenate((extra, missing)))
    free: defaultdict[tuple[int, int, int], list[int]] = defaultdict(list)
    codes = list(tuples(both.document, start, end))
    for row in missing[::-1].tolist():
        free[codes[row]].append(row)
    found = [(row, free[codes[row]].pop()) for row in extra.tolist() if free.get(codes[row])]
    one, other = np.array(found, dtype=np.int64).reshape(-1, 2).T
    return one, other


def _trimmed(both: Corpus, tokens: KeyTokens, rows: IntArray) -> tuple[IntArray, IntArray]:
    """The boundaries of all mentions, those of `rows` moved inwards past what does not count.

    From the left go `the` and single characters that are no letters, then from the right `'s` and
    such characters, as long as more than one word is left. Zeros and mentions of several parts
    stay as they are, told apart from all others by a negative end.
    """
    start, end = both.start.copy(), both.end.copy()
    odd = is_irregular(both) | (zero_numbers(both) > 0)
    end[odd] = -2 - np.flatnonzero(odd)
    word = tokens.column("word")
    sign = [len(w) == 1 and not (w.isascii() and w.isalpha()) for w in word.values]
    left = _flags(word.values, sign, "the")[word.code]
    right = _flags(word.values, sign, "'s")[word.code]
    rows = rows[(end[rows] > start[rows]) & (end[rows] < tokens.corpus.tokens[both.document[rows]])]
    offset = tokens.corpus.first_token[both.document]
    moving = rows
    while len(moving := moving[(start < end)[moving] & left[(offset + start)[moving]]]):
        start[moving] += 1
    moving = rows
    while len(moving := moving[(start < end)[moving] & right[(offset + end)[moving]]]):
        end[moving] -= 1
    return start, end


def _flags(words: Sequence[str], sign: Sequence[bool], word: str) -> BoolArray:
    return np.array([s or w == word for w, s in zip(words, sign, strict=True)], dtype=bool)


def _pair_heads(both: Corpus, extra: IntArray, missing: IntArray) -> tuple[IntArray, IntArray]:
    """The rows that are alone on their side with a head that exactly one of the other has."""
    assert both.head is not None and both.head_zero is not None
    rows = np.concatenate((extra, missing))
    _, _, _, node = distinct(both.head[rows] * (1 << 22) + both.head_zero[rows])
    _, _, _, code = distinct(both.document[rows] * (len(rows) + 1) + node)
    of_extra, of_missing = code[: len(extra)], code[len(extra) :]
    alone = (np.bincount(of_extra, minlength=len(rows)) == 1) & (
        np.bincount(of_missing, minlength=len(rows)) == 1
    )
    ours, theirs = extra[alone[of_extra]], missing[alone[of_missing]]
    ours = ours[np.argsort(of_extra[alone[of_extra]])]
    return ours, theirs[np.argsort(of_missing[alone[of_missing]])]

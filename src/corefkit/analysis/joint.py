"""Joint: the mentions of key and response in one table, each mention once.

Two mentions that differ only in their boundaries (a span error) share one row: `pair_spans` finds
them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from corefkit.core.arrays import (
    EMPTY,
    BoolArray,
    IntArray,
    distinct,
    lexical_order,
    ranks_of,
    starts_of_runs,
    stretches,
)
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus, concat
from corefkit.core.languages import Tagset
from corefkit.core.nodes import is_irregular, number_rows, zero_numbers
from corefkit.features.chains import KeyTokens
from corefkit.features.features import KindSources, kind_sources, mention_kinds
from corefkit.features.heads import with_heads
from corefkit.scorers.comparison import Comparison


@frozen(eq=False)
class Joint:
    """All mentions of both sides; columns are int64 (mentions,) unless stated otherwise.

    The first rows are the mentions of the key, in its order; then come those that only the
    response has. A mention of the response that matches one of the key, or differs from it only in
    its boundaries (a span error), shares its row, which has the span, head and kind of the key's.

    Attributes:
        key: the key as it is scored; its sources hold the texts.
        response: the response as it is scored, with the documents of the key.
        tokens: the token columns of the key.
        corpus: the mentions, with heads; documents are those of the key, `entity` is not used.
        kind: the kind of each mention, an index into corefkit.features.features.KINDS.
        key_entity, response_entity: the entity on each side, −1 where the side lacks the mention.
        response_row: the row of the response, −1 where it lacks the mention.
        wrong_span: bool, whether the boundaries differ.
        response_kind: int64 (response mentions,), the kind of each by its own span.
        sources: the sources of the kinds.
    """

    key: Corpus
    response: Corpus
    tokens: KeyTokens
    corpus: Corpus
    kind: IntArray
    key_entity: IntArray
    response_entity: IntArray
    response_row: IntArray
    wrong_span: BoolArray
    response_kind: IntArray
    sources: KindSources

    @property
    def mentions(self) -> int:
        """How many there are."""
        return self.corpus.mentions

    @property
    def document(self) -> IntArray:
        """The document of each mention."""
        return self.corpus.document

    @cached_property
    def matched(self) -> BoolArray:
        """bool (mentions,): the mentions that both sides have, with the right span."""
        return (self.key_entity >= 0) & (self.response_row >= 0) & ~self.wrong_span

    @cached_property
    def row_of_response(self) -> IntArray:
        """The row here of each mention of the response; int64 (response mentions,)."""
        rows = np.empty(self.response.mentions, dtype=np.int64)
        in_response = np.flatnonzero(self.response_row >= 0)
        rows[self.response_row[in_response]] = in_response
        return rows

    @cached_property
    def rank(self) -> IntArray:
        """The place of each mention in text order, the shorter of two first."""
        return ranks_of(shorter_first(self.corpus))


def join(
    comparison: Comparison,
    tokens: KeyTokens,
    tagset: str | Tagset = "auto",
    pronouns: Iterable[str] | None = None,
) -> Joint:
    """The mentions of both sides; `tokens` are those of the key.

    For `tagset` and `pronouns` see `mention_kinds`.
    """
    key, response, pairs = comparison.key, comparison.response, comparison.pairs
    tokens.prefetch("word", "pos", "parse")
    in_response = comparison.partner.copy()
    is_unmatched = np.ones(response.mentions, dtype=bool)
    is_unmatched[pairs.response] = False
    unmatched = np.flatnonzero(is_unmatched)
    both = with_heads(side_by_side(key, response, is_unmatched), key)
    rank = ranks_of(shorter_first(both))
    extra, missing = key.mentions + np.arange(len(unmatched)), np.flatnonzero(in_response < 0)
    wrong, right = pair_spans(
        both, tokens, extra[np.argsort(rank[extra])], missing[np.argsort(rank[missing])]
    )
    in_response[right] = unmatched[wrong - key.mentions]
    kind = mention_kinds(both, tokens, tagset, pronouns)
    response_kind = np.empty(response.mentions, dtype=np.int64)
    response_kind[pairs.response], response_kind[unmatched] = kind[pairs.key], kind[key.mentions :]
    kept = np.ones(both.mentions, dtype=bool)
    kept[wrong] = False
    corpus = both.take(kept)
    wrong_span = np.zeros(corpus.mentions, dtype=bool)
    wrong_span[right] = True
    response_row = np.concatenate((in_response, unmatched[kept[key.mentions :]]))
    no_entity = np.full(len(response_row) - key.mentions, -1, dtype=np.int64)
    return Joint(
        key,
        response,
        tokens,
        corpus,
        kind[kept],
        np.concatenate((key.entity, no_entity)),
        np.append(response.entity, -1)[response_row],
        response_row,
        wrong_span,
        response_kind,
        kind_sources(tokens, tagset, pronouns),
    )


def side_by_side(key: Corpus, response: Corpus, chosen: BoolArray | None = None) -> Corpus:
    """The mentions of both corpora in one, with the documents of the key and their tokens.

    `chosen`, bool (response mentions,), selects those of the response, by default all. The column
    `entity` has no meaning.
    """
    bare_response = _bare(response)
    both = concat([_bare(key), bare_response if chosen is None else bare_response.take(chosen)])
    return replace(both, names=key.names, tokens=key.tokens)


def _bare(side: Corpus) -> Corpus:
    """The mentions alone: names and labels would be copied one by one."""
    return replace(
        side,
        names=(),
        tokens=EMPTY,
        entity=np.zeros_like(side.entity),
        labels=("",),
        sources=(),
        document_byte=EMPTY,
        byte=EMPTY,
        line=EMPTY,
        links=None,
        incidents=(),
        plurals=None,
    )


def shorter_first(corpus: Corpus) -> IntArray:
    """The order of mentions by document, start, then the shorter first; int64 (mentions,).

    Of mentions with the same hull, the continuous one comes first, then the others by their nodes,
    so that the order of rows never decides.
    """
    nodes = np.zeros_like(corpus.start)
    if corpus.nodes is not None:
        lists = dict(corpus.nodes)
        rank = {listed: i for i, listed in enumerate(sorted({tuple(v) for v in lists.values()}), 1)}
        for row, listed in lists.items():
            nodes[row] = rank[tuple(listed)]
    zeros = zero_numbers(corpus)
    columns = (nodes, corpus.end, zeros, corpus.start, corpus.document)
    # Sorting takes time for every column, even one that is 0 everywhere.
    return lexical_order(*(column for column in columns[:-1] if column.any()), corpus.document)


def pair_spans(
    both: Corpus, tokens: KeyTokens, extra: IntArray, missing: IntArray
) -> tuple[IntArray, IntArray]:
    """The span errors: pairs of an extra and a missing mention, as two arrays of rows of `both`.

    `both` holds the mentions of both sides, with heads; `extra` and `missing` are rows of it, in
    text order. Mentions that are equal when trimmed are paired, the first with the first. The
    others are paired if they have the same head, and no other on their side has it.
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
    rows = np.concatenate((extra, missing))
    start, end = _trimmed(both, tokens, rows)
    span = number_rows((both.document[rows], start[rows], end[rows]))
    is_extra = np.arange(len(rows)) < len(extra)
    # By place; within one, those of `extra` come first, each side in text order.
    order = np.argsort(span, kind="stable")
    begin = starts_of_runs(span[order])
    size = np.diff(begin, append=len(rows))
    extras = np.add.reduceat(is_extra[order], begin, dtype=np.int64) if len(begin) else EMPTY
    pairs = np.minimum(extras, size - extras)
    paired_extra = extra[order[stretches(begin, pairs)]]
    paired_missing = missing[order[stretches(begin + extras, pairs)] - len(extra)]
    return paired_extra, paired_missing


def _trimmed(both: Corpus, tokens: KeyTokens, rows: IntArray) -> tuple[IntArray, IntArray]:
    """The boundaries of all mentions, those of `rows` trimmed.

    `the` and single characters other than letters are trimmed on the left, then `'s` and such
    characters on the right, as long as more than one word is left. Zeros and discontinuous mentions
    are not trimmed; a negative end makes each of them different from all others.
    """
    start, end = both.start.copy(), both.end.copy()
    odd = is_irregular(both) | (zero_numbers(both) > 0)
    end[odd] = -2 - np.flatnonzero(odd)
    word = tokens.column("word")
    is_sign = [len(w) == 1 and not (w.isascii() and w.isalpha()) for w in word.values]
    left = _trimmable(word.values, is_sign, "the")
    right = _trimmable(word.values, is_sign, "'s")
    rows = rows[(end[rows] > start[rows]) & (end[rows] < tokens.corpus.tokens[both.document[rows]])]
    offset = tokens.corpus.first_token
    moving = rows
    while len(moving := moving[start[moving] < end[moving]]):
        moving = moving[left[word.code[offset[both.document[moving]] + start[moving]]]]
        start[moving] += 1
    moving = rows
    while len(moving := moving[start[moving] < end[moving]]):
        moving = moving[right[word.code[offset[both.document[moving]] + end[moving]]]]
        end[moving] -= 1
    return start, end


def _trimmable(words: Sequence[str], is_sign: Sequence[bool], word: str) -> BoolArray:
    """Whether each of the words is a sign or this word."""
    return np.array([s or w == word for w, s in zip(words, is_sign, strict=True)], dtype=bool)


def _pair_heads(both: Corpus, extra: IntArray, missing: IntArray) -> tuple[IntArray, IntArray]:
    """The pairs of mentions with the same head, which no other on their side has."""
    assert both.head is not None and both.head_zero is not None
    rows = np.concatenate((extra, missing))
    _, _, _, node = distinct(both.head[rows] * (1 << 22) + both.head_zero[rows])
    _, _, _, code = distinct(both.document[rows] * (len(rows) + 1) + node)
    of_extra, of_missing = code[: len(extra)], code[len(extra) :]
    alone = (np.bincount(of_extra, minlength=len(rows)) == 1) & (
        np.bincount(of_missing, minlength=len(rows)) == 1
    )
    in_extra, in_missing = alone[of_extra], alone[of_missing]
    return (
        extra[in_extra][np.argsort(of_extra[in_extra])],
        missing[in_missing][np.argsort(of_missing[in_missing])],
    )

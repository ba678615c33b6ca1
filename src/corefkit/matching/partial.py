"""Partial matching: the response mention lies within the key's and contains its minimum.

The minimum is Min where the corpus has such a column (a key mention without one then matches only
its equal), else the head of the key mention. The response's own heads and minima are not looked
at. Equal mentions come first, then those that fit by their share |R| / |K|. The second scorer of
Universal Anaphora looks at the minima of both sides: `match_either`.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray, join, stretches
from corefkit.core.corpus import Corpus
from corefkit.core.nodes import common_nodes, head_columns, number_rows, sizes, zero_numbers
from corefkit.core.overlap import Pairs
from corefkit.matching.exact import equal_mentions
from corefkit.matching.stages import match_in_stages


def match(key: Corpus, response: Corpus, policies: Mapping[str, str] | None = None) -> Pairs:
    """The mentions that are equal or fit, one to one."""
    return match_in_stages(key, response, policies or {}, equal_mentions, within)


def match_either(key: Corpus, response: Corpus, policies: Mapping[str, str] | None = None) -> Pairs:
    """The mentions that are equal or fit, where a Min of either side counts, as in UA scorer 2.

    A key mention that lies within the response's and contains the response's Min fits, too. The
    weight is the share of the shorter in the longer.
    """
    return match_in_stages(
        key, response, policies or {}, equal_mentions, _within_either, longer=True
    )


def _within_either(key: Corpus, response: Corpus, ours: IntArray, theirs: IntArray) -> Pairs:
    first = within(key, response, ours, theirs)
    if response.minimum is None:
        return first
    second = within(response, key, theirs, ours)
    return first.and_also(second.response, second.key)


def within(key: Corpus, response: Corpus, ours: IntArray, theirs: IntArray) -> Pairs:
    """The pairs of these rows of which the response's is a subset that contains the minimum."""
    first, last = _minimum(key, ours)
    nodes = _nodes(response, theirs)
    pairs = _containing(key, nodes, first)
    inside = common_nodes(key, response, *pairs) == sizes(response)[pairs.response]
    pairs = Pairs(pairs.key[inside], pairs.response[inside])
    if key.minimum is None:
        return pairs
    # The minimum is a run of tokens: with its first and its last token, and all between them.
    ends = _containing(key, nodes, last)
    width = max(response.mentions, 1)
    kept = np.isin(pairs.key * width + pairs.response, ends.key * width + ends.response)
    return _holding_all(key, response, Pairs(pairs.key[kept], pairs.response[kept]))


class _NodeRows(NamedTuple):
    """Rows of mentions, each with one node: a token and 0, or an empty node."""

    row: IntArray
    document: IntArray
    token: IntArray
    zero: IntArray


def _minimum(key: Corpus, rows: IntArray) -> tuple[_NodeRows, _NodeRows]:
    """The first and the last node of the minimum of those mentions that have one."""
    if key.minimum is not None:
        rows = rows[key.minimum[rows, 0] >= 0]
        none = np.zeros_like(rows)
        low, high = (
            _NodeRows(rows, key.document[rows], key.minimum[rows, i], none) for i in (0, 1)
        )
        return low, high
    head, zero = head_columns(key)
    rows = rows[head[rows] != -2]
    node = _NodeRows(rows, key.document[rows], head[rows], zero[rows])
    return node, node


def _nodes(corpus: Corpus, rows: IntArray) -> _NodeRows:
    """Every node of these mentions."""
    is_regular = np.zeros(corpus.mentions, dtype=bool)
    is_regular[rows] = True
    if corpus.parts is not None:
        is_regular[corpus.parts.row] = False
    regular = np.flatnonzero(is_regular)
    length = sizes(corpus)[regular]
    row = np.repeat(regular, length)
    token = stretches(corpus.start[regular], length)
    zero = zero_numbers(corpus)[row]
    if corpus.parts is not None:
        listed = np.repeat(corpus.parts.row, np.diff(corpus.parts.first))
        some = np.isin(listed, rows)
        row = np.concatenate((row, listed[some]))
        token = np.concatenate((token, corpus.parts.token[some]))
        zero = np.concatenate((zero, corpus.parts.zero[some]))
    return _NodeRows(row, corpus.document[row], token, zero)


def _containing(key: Corpus, nodes: _NodeRows, minimum: _NodeRows) -> Pairs:
    """The response mentions that have the wanted node of each key mention."""
    columns = [np.concatenate(pair) for pair in zip(minimum[1:], nodes[1:], strict=True)]
    ours, theirs = join(*np.split(number_rows(columns), [len(minimum.row)]))
    return Pairs(minimum.row[ours], nodes.row[theirs])


def _holding_all(key: Corpus, response: Corpus, pairs: Pairs) -> Pairs:
    """Those pairs in which the response mention has no gap within the minimum."""
    if response.parts is None:
        return pairs
    assert key.minimum is not None
    kept = np.ones(len(pairs.key), dtype=bool)
    for at in np.flatnonzero(np.isin(pairs.response, response.parts.row)).tolist():
        low, high = key.minimum[int(pairs.key[at])].tolist()
        have = {
            token for token, zero in response.parts.nodes(int(pairs.response[at])) or () if not zero
        }
        kept[at] = have.issuperset(range(low, high + 1))
    return Pairs(pairs.key[kept], pairs.response[kept])

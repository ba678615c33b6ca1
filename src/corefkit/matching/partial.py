"""Partial matching: the response mention lies within the key mention and contains its minimum.

The minimum is Min if the corpus has such a column (a key mention without one then matches only an
equal mention), and otherwise the head of the key mention. The heads and minima of the response are
ignored. Equal mentions come first, then those that fit, ranked by |R| / |K|. The Universal Anaphora
scorer 2 uses the minima of both sides: `match_either`.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray, join, stretches
from corefkit.core.corpus import Corpus
from corefkit.core.directed import Pairs
from corefkit.core.nodes import common_nodes, head_columns, number_rows, sizes, zero_numbers
from corefkit.matching.exact import equal_mentions
from corefkit.matching.stages import match_in_stages


def match(key: Corpus, response: Corpus, policies: Mapping[str, str] | None = None) -> Pairs:
    """The mentions that are equal or fit, one to one."""
    return match_in_stages(key, response, policies or {}, equal_mentions, within)


def match_either(key: Corpus, response: Corpus, policies: Mapping[str, str] | None = None) -> Pairs:
    """The mentions that are equal or fit, by the Min of either side, as in UA scorer 2.

    A key mention that lies within a response mention and contains its Min fits, too. Candidates
    are ranked by the share of the shorter mention in the longer one.
    """
    return match_in_stages(
        key, response, policies or {}, equal_mentions, _within_either, longer=True
    )


def _within_either(
    key: Corpus, response: Corpus, key_rows: IntArray, response_rows: IntArray
) -> Pairs:
    first = within(key, response, key_rows, response_rows)
    if response.minimum is None:
        return first
    second = within(response, key, response_rows, key_rows)
    return first.and_also(second.response, second.key)


def within(key: Corpus, response: Corpus, key_rows: IntArray, response_rows: IntArray) -> Pairs:
    """The pairs of these rows in which the response mention is a subset of the key mention and
    contains its minimum.
    """
    first, last = _minimum(key, key_rows)
    nodes = _nodes(response, response_rows)
    pairs = _containing(nodes, first)
    inside = common_nodes(key, response, *pairs) == sizes(response)[pairs.response]
    pairs = Pairs(pairs.key[inside], pairs.response[inside])
    if key.minimum is None:
        return pairs
    # Min is a run of tokens: the mention must contain its first and last token and all between.
    ends = _containing(nodes, last)
    width = max(response.mentions, 1)
    kept = np.isin(pairs.key * width + pairs.response, ends.key * width + ends.response)
    return _holding_all(key, response, Pairs(pairs.key[kept], pairs.response[kept]))


class _NodeRows(NamedTuple):
    """Nodes of mentions: the row of the mention, its document, and the token and zero of the node.

    All int64 (nodes,).
    """

    row: IntArray
    document: IntArray
    token: IntArray
    zero: IntArray


def _minimum(key: Corpus, rows: IntArray) -> tuple[_NodeRows, _NodeRows]:
    """The first and the last node of the minimum of each of these mentions that has one."""
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
    """All nodes of these mentions."""
    is_regular = np.zeros(corpus.mentions, dtype=bool)
    is_regular[rows] = True
    if corpus.nodes is not None:
        is_regular[corpus.nodes.row] = False
    regular = np.flatnonzero(is_regular)
    length = sizes(corpus)[regular]
    row = np.repeat(regular, length)
    token = stretches(corpus.start[regular], length)
    zero = zero_numbers(corpus)[row]
    if corpus.nodes is not None:
        listed = np.repeat(corpus.nodes.row, np.diff(corpus.nodes.first))
        chosen = np.isin(listed, rows)
        row = np.concatenate((row, listed[chosen]))
        token = np.concatenate((token, corpus.nodes.token[chosen]))
        zero = np.concatenate((zero, corpus.nodes.zero[chosen]))
    return _NodeRows(row, corpus.document[row], token, zero)


def _containing(nodes: _NodeRows, minimum: _NodeRows) -> Pairs:
    """The pairs in which the response mention, by its `nodes`, has the key mention's node."""
    columns = [np.concatenate(pair) for pair in zip(minimum[1:], nodes[1:], strict=True)]
    in_minima, in_nodes = join(*np.split(number_rows(columns), [len(minimum.row)]))
    return Pairs(minimum.row[in_minima], nodes.row[in_nodes])


def _holding_all(key: Corpus, response: Corpus, pairs: Pairs) -> Pairs:
    """The pairs in which the response mention has no gap within the minimum."""
    if response.nodes is None:
        return pairs
    assert key.minimum is not None
    kept = np.ones(len(pairs.key), dtype=bool)
    for at in np.flatnonzero(np.isin(pairs.response, response.nodes.row)).tolist():
        low, high = key.minimum[int(pairs.key[at])].tolist()
        nodes = response.nodes.at(int(pairs.response[at])) or ()
        tokens = {token for token, zero in nodes if not zero}
        kept[at] = tokens.issuperset(range(low, high + 1))
    return Pairs(pairs.key[kept], pairs.response[kept])

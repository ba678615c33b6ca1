"""Head matching: two mentions fit if their heads are the same node, whatever their spans.

Zeros are matched by their dependencies first, then equal mentions with equal heads, then mentions
with the same head, ranked by |K ∩ R| / |K| (`match_in_stages`). Equal mentions with different heads
do not match. A mention whose head is unknown matches only an equal mention without a known head.
"""

from collections.abc import Mapping

import numpy as np

from corefkit.core.arrays import IntArray, join
from corefkit.core.corpus import Corpus
from corefkit.core.directed import Pairs
from corefkit.core.nodes import head_columns, mention_codes, number_rows
from corefkit.matching.exact import common_codes
from corefkit.matching.stages import match_in_stages


def match(key: Corpus, response: Corpus, policies: Mapping[str, str] | None = None) -> Pairs:
    """The mentions with the same head, one to one."""
    return match_in_stages(key, response, policies or {}, equal_with_heads, same_head)


def equal_with_heads(key: Corpus, response: Corpus) -> Pairs:
    """The mentions with the same nodes and the same head."""
    return common_codes(*mention_codes(key, response, heads=True))


def same_head(key: Corpus, response: Corpus, key_rows: IntArray, response_rows: IntArray) -> Pairs:
    """The pairs of these rows whose heads are known and the same node."""
    left, right = (
        rows[head_columns(corpus)[0][rows] != -2]
        for corpus, rows in ((key, key_rows), (response, response_rows))
    )
    nodes = [
        (corpus.document[rows], *(column[rows] for column in head_columns(corpus)))
        for corpus, rows in ((key, left), (response, right))
    ]
    codes = number_rows([np.concatenate(pair) for pair in zip(*nodes, strict=True)])
    at_key, at_response = join(*np.split(codes, [len(left)]))
    return Pairs(left[at_key], right[at_response])

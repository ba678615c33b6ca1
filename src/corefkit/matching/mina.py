"""Matching by minimum spans: mentions with the same minimum span match, one to one.

Mentions of both sides with the same number in the column `match_class` have the same minimum span.
Among these, mentions with equal spans are paired first, then the others in text order.
"""

from collections.abc import Mapping

import numpy as np

from corefkit.core.arrays import IntArray, starts_of_runs
from corefkit.core.corpus import Corpus
from corefkit.core.directed import Pairs
from corefkit.matching.exact import common_codes, equal_mentions


def match(key: Corpus, response: Corpus, policies: Mapping[str, str] | None = None) -> Pairs:
    """The mentions with the same minimum span, one to one."""
    pairs = equal_mentions(key, response)
    width = max(key.mentions, response.mentions, 1)
    key_rows, key_codes = _ranked(key, pairs.key, width)
    response_rows, response_codes = _ranked(response, pairs.response, width)
    same = common_codes(key_codes, response_codes)
    return pairs.and_also(key_rows[same.key], response_rows[same.response])


def _ranked(corpus: Corpus, paired: IntArray, width: int) -> tuple[IntArray, IntArray]:
    """The rows that are not paired yet, and a number made of the class and the rank within it."""
    assert corpus.match_class is not None
    free = corpus.match_class >= 0
    free[paired] = False
    rows = corpus.text_order[free[corpus.text_order]]
    rows = rows[np.argsort(corpus.match_class[rows], kind="stable")]
    match_class = corpus.match_class[rows]
    first = starts_of_runs(match_class)
    rank = np.arange(len(rows)) - np.repeat(first, np.diff(first, append=len(rows)))
    return rows, match_class * width + rank

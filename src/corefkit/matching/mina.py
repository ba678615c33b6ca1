"""Matching by minimum spans: mentions with the same minimum stand for each other, one to one.

The column `_match_class` of both sides says which minima are the same. Among mentions of one class
those with equal spans are paired first, then the others in text order.
"""

from collections.abc import Mapping

import numpy as np

from corefkit.core.arrays import IntArray, starts_of_runs
from corefkit.core.corpus import Corpus
from corefkit.core.overlap import Pairs
from corefkit.matching.exact import common_codes, equal_mentions


def match(key: Corpus, response: Corpus, policies: Mapping[str, str] | None = None) -> Pairs:
    """The mentions that are alike, one to one."""
    pairs = equal_mentions(key, response)
    ours, theirs = _ranked(key, pairs.key), _ranked(response, pairs.response)
    width = max(key.mentions, response.mentions, 1)
    alike = common_codes(*(like * width + rank for _, like, rank in (ours, theirs)))
    return pairs.and_also(ours[0][alike.key], theirs[0][alike.response])


def _ranked(corpus: Corpus, paired: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """The other rows, what they are like, and the place of each among those it is like."""
    assert corpus._match_class is not None
    free = corpus._match_class >= 0
    free[paired] = False
    rows = corpus.text_order[free[corpus.text_order]]
    rows = rows[np.argsort(corpus._match_class[rows], kind="stable")]
    like = corpus._match_class[rows]
    first = starts_of_runs(like)
    rank = np.arange(len(rows)) - np.repeat(first, np.diff(first, append=len(rows)))
    return rows, like, rank

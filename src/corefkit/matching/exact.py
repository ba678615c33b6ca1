"""Exact matching: a response mention matches the key mention with the same nodes.

With the policy `zeros` "dependent", zeros are first matched by their dependencies.
"""

from collections.abc import Mapping

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.corpus import Corpus
from corefkit.core.nodes import mention_codes
from corefkit.core.overlap import Pairs


def match(key: Corpus, response: Corpus, policies: Mapping[str, str] | None = None) -> Pairs:
    """The mentions with the same nodes; zeros by their dependencies if both sides have them."""
    if key.dependencies is None or response.dependencies is None:
        return equal_mentions(key, response)
    from corefkit.matching.stages import match_in_stages

    return match_in_stages(key, response, policies or {}, equal_mentions, None)


def equal_mentions(key: Corpus, response: Corpus) -> Pairs:
    """The mentions with the same nodes; no side may have a mention twice."""
    return common_codes(*mention_codes(key, response))


def common_codes(ours: IntArray, theirs: IntArray) -> Pairs:
    """The positions of the numbers that both arrays have; no array may have a number twice."""
    _, in_key, in_response = np.intersect1d(ours, theirs, assume_unique=True, return_indices=True)
    return Pairs(in_key, in_response)

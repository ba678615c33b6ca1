"""Exact matching: a response mention stands for the key mention of the same nodes.

Zeros are matched by their dependencies first where the policy `zeros` says so.
"""

from collections.abc import Mapping

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.corpus import Corpus
from corefkit.core.nodes import mention_codes
from corefkit.core.overlap import Pairs


def match(key: Corpus, response: Corpus, policies: Mapping[str, str] | None = None) -> Pairs:
    """The mentions with the same nodes on both sides, zeros by their dependencies."""
    if key.dependencies is None or response.dependencies is None:
        return equal_mentions(key, response)
    from corefkit.matching.stages import match_in_stages

    return match_in_stages(key, response, policies or {}, equal_mentions, None)


def equal_mentions(key: Corpus, response: Corpus) -> Pairs:
    """The mentions with the same nodes on both sides; none is there twice."""
    return common_codes(*mention_codes(key, response))


def common_codes(ours: IntArray, theirs: IntArray) -> Pairs:
    """Where the same number stands on both sides; none is there twice."""
    _, in_key, in_response = np.intersect1d(ours, theirs, assume_unique=True, return_indices=True)
    return Pairs(in_key, in_response)

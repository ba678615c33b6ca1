"""Exact matching: a response mention matches the key mention with the same nodes.

With the policy `zeros` "dependent", zeros are first matched by their dependencies.
"""

from collections.abc import Mapping

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.corpus import Corpus
from corefkit.core.directed import Pairs
from corefkit.core.nodes import mention_codes


def match(key: Corpus, response: Corpus, policies: Mapping[str, str] | None = None) -> Pairs:
    """The mentions with the same nodes; zeros by their dependencies if both sides have them."""
    if key.dependencies is None or response.dependencies is None:
        return equal_mentions(key, response)
    from corefkit.matching.stages import match_in_stages

    return match_in_stages(key, response, policies or {}, equal_mentions, None)


def equal_mentions(key: Corpus, response: Corpus) -> Pairs:
    """The mentions with the same nodes; if a side has a mention several times, its last copy."""
    return common_codes(*mention_codes(key, response))


def common_codes(key: IntArray, response: IntArray) -> Pairs:
    """The positions of the numbers that both arrays have; of copies the last position.

    >>> [places.tolist() for places in common_codes(np.array([5, 7, 5]), np.array([5, 9]))]
    [[2], [0]]
    """
    left, right = last_of_each(key), last_of_each(response)
    both = key[left], response[right]
    _, in_key, in_response = np.intersect1d(*both, assume_unique=True, return_indices=True)
    return Pairs(left[in_key], right[in_response])


def last_of_each(code: IntArray) -> IntArray:
    """The last position of each number, in the order of the numbers."""
    order = np.argsort(code, kind="stable")
    last = np.ones(len(order), dtype=bool)
    last[:-1] = np.diff(code[order]) != 0
    return order[last]

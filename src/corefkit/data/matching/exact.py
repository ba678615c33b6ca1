"""Exact matching: a response mention stands for the key mention of the same nodes.

Zeros are matched by their dependencies first where the policy `zeros` says so.
"""

from collections.abc import Mapping

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.corpus import Corpus
from corefkit.data.matching.nodes import head_columns, number_rows, zero_numbers
from corefkit.data.matching.pairs import Pairs


def match(key: Corpus, response: Corpus, policies: Mapping[str, str] | None = None) -> Pairs:
    """The mentions with the same nodes on both sides, zeros by their dependencies."""
    if key.dependencies is None or response.dependencies is None:
        return equal_mentions(key, response)
    from corefkit.data.matching.stages import match_in_stages

    return match_in_stages(key, response, policies or {}, equal_mentions, None)


def equal_mentions(key: Corpus, response: Corpus) -> Pairs:
    """The mentions with the same nodes on both sides; none is there twice."""
    return common_codes(*mention_codes(key, response))


def common_codes(ours: IntArray, theirs: IntArray) -> Pairs:
    """Where the same number stands on both sides; none is there twice."""
    _, in_key, in_response = np.intersect1d(ours, theirs, assume_unique=True, return_indices=True)
    return Pairs(in_key, in_response)


def mention_codes(*corpora: Corpus, heads: bool = False) -> list[IntArray]:
    """For each corpus int64 (mentions,): one number a mention, equal where the nodes are equal.

    A run of surface tokens is known by its span; an empty node is one more digit; other mentions
    get numbers of their own. With `heads`, mentions with different heads differ too.
    """
    digits = [
        np.concatenate([getattr(c, name) for c in corpora]) for name in ("document", "start", "end")
    ]
    if any(not c.plain for c in corpora):
        digits += [np.concatenate([zero_numbers(c) for c in corpora]), _irregular(corpora)]
    if heads:
        known = [head_columns(c) for c in corpora]
        digits += [np.concatenate([pair[side] for pair in known]) for side in (0, 1)]
    return np.split(number_rows(digits), np.cumsum([c.mentions for c in corpora])[:-1])


def _irregular(corpora: tuple[Corpus, ...]) -> IntArray:
    """For all mentions 0, or a number from 1 for each distinct list of nodes."""
    numbers: dict[tuple[tuple[int, int], ...], int] = {}
    found = np.zeros(sum(c.mentions for c in corpora), dtype=np.int64)
    before = 0
    for corpus in corpora:
        for row, nodes in corpus.parts or ():
            found[before + row] = numbers.setdefault(tuple(nodes), len(numbers) + 1)
        before += corpus.mentions
    return found

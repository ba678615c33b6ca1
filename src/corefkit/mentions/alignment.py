"""Which response chain each key chain takes away (anchor, variant `code`)."""

import numpy as np

from corefkit.data.arrays import BoolArray, IntArray, ranks_of
from corefkit.mentions.chains import Chains
from corefkit.mentions.pair import Pair, at


def take_away(pair: Pair) -> tuple[IntArray, BoolArray]:
    """The response chain that each key chain gets, or −1; and which response chains are taken.

    Key chains choose one after the other: one with an anchor wants the response chain that holds
    it; one without wants the first response chain that shares a mention. What was taken is gone.

    That each in turn takes the best that is left is a stable matching, and there is only one,
    because all response chains rank the key chains alike. So all may ask at once: each response
    chain keeps the earliest of those who asked, the others ask their next. That ends the same.
    """
    key_rank, response_rank = _ranks(pair.key), _ranks(pair.response)
    chain, wish = _wishes(pair, key_rank, response_rank)
    first = np.searchsorted(chain, np.arange(len(key_rank) + 1))
    holder = np.full(len(response_rank), len(key_rank))
    asking = np.flatnonzero(np.diff(first) > 0)
    next_wish = first[:-1].copy()
    while len(asking):
        wanted = wish[next_wish[asking]]
        before = holder[wanted]
        np.minimum.at(holder, wanted, asking)
        displaced = np.unique(before[before != holder[wanted]])
        refused = asking[holder[wanted] != asking]
        asking = np.concatenate((refused, displaced[displaced < len(key_rank)]))
        next_wish[asking] += 1
        asking = asking[next_wish[asking] < first[asking + 1]]
    taken = holder < len(key_rank)
    by_rank = np.full(len(key_rank), -1, dtype=np.int64)
    by_rank[holder[taken]] = np.flatnonzero(taken)
    return by_rank[key_rank], taken


def _wishes(pair: Pair, key_rank: IntArray, response_rank: IntArray) -> tuple[IntArray, IntArray]:
    """Key chains by rank, and the response chains that each wants, the dearest first."""
    key, response = pair.key, pair.response
    anchored = np.flatnonzero(key.anchor >= 0)
    held = at(response.entity, at(pair.in_response, key.anchor[anchored]))
    anchored, held = anchored[held >= 0], held[held >= 0]
    loose = np.flatnonzero((pair.in_response >= 0) & ~key.in_nominal_chain)
    chain = np.concatenate((key_rank[anchored], key_rank[key.entity[loose]]))
    wish = np.concatenate((held, response.entity[pair.in_response[loose]]))
    order = np.lexsort((response_rank[wish], chain))
    return chain[order], wish[order]


def _ranks(chains: Chains) -> IntArray:
    """The place of each chain by its first mention: start, then the *shorter* one first."""
    first = chains.first
    return ranks_of(np.lexsort((chains.end[first], chains.start[first], chains.document[first])))

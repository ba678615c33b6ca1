"""Matching in three stages: a mention has one partner at most, and later stages keep earlier pairs.

1. Where the policy `zeros` is "dependent": zeros with zeros, by what they depend on, wherever
   they stand in their sentence and whatever they span.
2. Equal mentions.
3. By share, for the rules that have one: |K ∩ R| / |K| of two mentions that fit.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from corefkit.data.arrays import BoolArray, IntArray, ranks_of
from corefkit.data.corpus import Corpus
from corefkit.data.matching.assignment import Candidates, DenseTable, best_pairs
from corefkit.data.matching.nodes import common_nodes, is_zero, sizes, text_order
from corefkit.data.matching.pairs import Pairs

Equal = Callable[[Corpus, Corpus], Pairs]
"""Both sides → the mentions that are equal."""

Fits = Callable[[Corpus, Corpus, IntArray, IntArray], Pairs]
"""Both sides and the rows of each that are free → the pairs of rows that fit, each once."""


def match_in_stages(  # noqa: PLR0913 (as many as there are things to say)
    key: Corpus,
    response: Corpus,
    policies: Mapping[str, str],
    equal: Equal,
    fits: Fits | None,
    *,
    longer: bool = False,
) -> Pairs:
    """The pairs of all stages; without `fits` there is no third.

    With `longer` the share is that in the longer of the two mentions.
    """
    stages = _Stages(key, response, policies.get("ties", "first"))
    if policies.get("zeros", "dependent") == "dependent":
        stages.pair_zeros()
    stages.pair_equal(equal)
    if fits is not None:
        stages.pair_by_share(fits, longer)
    return stages.pairs


class _Stages:
    """Who is paired so far."""

    def __init__(self, key: Corpus, response: Corpus, ties: str) -> None:
        self._key, self._response, self._ties = key, response, ties
        self._partner = np.full(key.mentions, -1, dtype=np.int64)
        self._free = np.ones(response.mentions, dtype=bool)

    @property
    def pairs(self) -> Pairs:
        """All pairs so far, in the order of the key's rows."""
        rows = np.flatnonzero(self._partner >= 0)
        return Pairs(rows, self._partner[rows])

    def pair_zeros(self) -> None:
        """The first stage."""
        from corefkit.data.matching.zeros import zero_candidates

        if self._key.dependencies is None or self._response.dependencies is None:
            return
        zeros = is_zero(self._key), is_zero(self._response)
        self._assign(zero_candidates(self._key, self._response), zeros)

    def pair_equal(self, equal: Equal) -> None:
        """The second stage."""
        ours, theirs = equal(self._key, self._response)
        free = (self._partner[ours] < 0) & self._free[theirs]
        self._take(ours[free], theirs[free])

    def pair_by_share(self, fits: Fits, longer: bool) -> None:
        """The third stage."""
        free = np.flatnonzero(self._partner < 0), np.flatnonzero(self._free)
        ours, theirs = fits(self._key, self._response, *free)
        common = common_nodes(self._key, self._response, ours, theirs)
        size = sizes(self._key)[ours]
        if longer:
            size = np.maximum(size, sizes(self._response)[theirs])
        some = common > 0
        top, bottom = common[some], size[some]
        rows = Candidates(ours[some], theirs[some], top, bottom, top / bottom)
        self._assign(rows, (self._partner < 0, self._free.copy()))

    def _assign(self, rows: Candidates, competing: tuple[BoolArray, BoolArray]) -> None:
        """Pair the best candidates; `competing` are the rows of the dense table."""
        if not len(rows):
            return
        orders = text_order(self._key), text_order(self._response)
        ours, theirs = (ranks_of(order) for order in orders)
        places = replace(rows, key=ours[rows.key], response=theirs[rows.response])
        table = DenseTable(
            self._key.document[orders[0]],
            self._response.document[orders[1]],
            competing[0][orders[0]],
            competing[1][orders[1]],
        )
        chosen = best_pairs(places, table, self._ties)
        self._take(rows.key[chosen], rows.response[chosen])

    def _take(self, ours: IntArray, theirs: IntArray) -> None:
        self._partner[ours] = theirs
        self._free[theirs] = False

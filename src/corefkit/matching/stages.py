"""Matching in three stages: a mention has one partner at most, and later stages keep earlier pairs.

1. Where the policy `zeros` is "dependent": zeros with zeros, by what they depend on, wherever
   they stand in their sentence and whatever they span.
2. Equal mentions.
3. By share, for the rules that have one: |K ∩ R| / |K| of two mentions that fit.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray, ranks_of
from corefkit.core.assignment import Candidates, Competitors, best_pairs
from corefkit.core.corpus import Corpus
from corefkit.core.nodes import common_nodes, is_zero, sizes, text_order
from corefkit.core.overlap import Pairs

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
    dependent = policies.get("zeros", "dependent") == "dependent"
    if dependent and key.dependencies is not None and response.dependencies is not None:
        from corefkit.matching.zeros import zero_candidates

        stages.assign(zero_candidates(key, response), (is_zero(key), is_zero(response)))
    ours, theirs = equal(key, response)
    both_free = stages.free[0][ours] & stages.free[1][theirs]
    stages.take(ours[both_free], theirs[both_free])
    if fits is not None:
        ours, theirs = fits(key, response, *map(np.flatnonzero, stages.free))
        common = common_nodes(key, response, ours, theirs)
        size = sizes(key)[ours]
        if longer:
            size = np.maximum(size, sizes(response)[theirs])
        some = common > 0
        top, bottom = common[some], size[some]
        stages.assign(Candidates(ours[some], theirs[some], top, bottom, top / bottom), stages.free)
    return stages.pairs


class _Stages:
    """Who is paired so far; `free` are the rows of key and response that are not, bool (rows,)."""

    def __init__(self, key: Corpus, response: Corpus, ties: str) -> None:
        self._sides, self._ties = (key, response), ties
        self._partner = np.full(key.mentions, -1, dtype=np.int64)
        self.free = tuple(np.ones(side.mentions, dtype=bool) for side in self._sides)

    @property
    def pairs(self) -> Pairs:
        """All pairs so far, in the order of the key's rows."""
        rows = np.flatnonzero(self._partner >= 0)
        return Pairs(rows, self._partner[rows])

    def assign(self, rows: Candidates, competing: Sequence[BoolArray]) -> None:
        """Pair the best candidates; `competing` are the rows of the dense table."""
        if not len(rows):
            return
        orders = [text_order(side) for side in self._sides]
        ours, theirs = map(ranks_of, orders)
        places = replace(rows, key=ours[rows.key], response=theirs[rows.response])
        one, other = (
            Competitors(side.document[order], some[order])
            for side, order, some in zip(self._sides, orders, competing, strict=True)
        )
        chosen = best_pairs(places, one, other, self._ties)
        self.take(rows.key[chosen], rows.response[chosen])

    def take(self, ours: IntArray, theirs: IntArray) -> None:
        """Pair these rows."""
        self._partner[ours] = theirs
        self.free[0][ours] = self.free[1][theirs] = False

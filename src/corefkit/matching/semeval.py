"""The matching of SemEval-2010: a mention may be shorter if it keeps the head of the key's.

Equal mentions are paired first. The rest of the response is gone through by entity, and within
one as its mentions end; key mentions are tried likewise. A mention gets the first free one
that it lies within and whose head it covers.
"""

from collections.abc import Mapping

import numpy as np

from corefkit.core.arrays import IntArray, tuples
from corefkit.core.corpus import Corpus
from corefkit.core.nodes import head_columns
from corefkit.core.overlap import Pairs
from corefkit.matching.exact import match as match_exactly


def match(key: Corpus, response: Corpus, policies: Mapping[str, str] | None = None) -> Pairs:
    """The mentions that are equal, then those with the same head within a longer key mention."""
    pairs = match_exactly(key, response, policies)
    candidates = _KeyCandidates(key, _free(key, pairs.key))
    rows = _free(response, pairs.response)
    chosen = candidates.choose(response.document[rows], response.start[rows], response.end[rows])
    matched = chosen >= 0
    return pairs.and_also(chosen[matched], rows[matched])


class _KeyCandidates:
    """Key mentions that may be taken, in the order of their heads; each once, in a given order."""

    def __init__(self, key: Corpus, rows: IntArray) -> None:
        heads, _ = head_columns(key)
        known = np.flatnonzero(heads[rows] >= 0)
        order = known[np.lexsort((heads[rows[known]], key.document[rows[known]]))]
        self._row = rows[order]
        self._rank = order
        self._start, self._end = key.start[self._row], key.end[self._row]
        self._width = int(max(heads.max(initial=0), key.end.max(initial=0))) + 2
        self._place = key.document[self._row] * self._width + heads[self._row]
        self._taken = len(rows)
        """The rank of those that are taken: behind all."""

    def choose(self, document: IntArray, start: IntArray, end: IntArray) -> IntArray:
        """For each span, one after the other, the first that it may take; −1 for none."""
        first, last = (np.minimum(bound, self._width - 1) for bound in (start, end))
        low = np.searchsorted(self._place, document * self._width + first)
        high = np.searchsorted(self._place, document * self._width + last, side="right")
        chosen = np.full(len(document), -1)
        some = np.flatnonzero(high > low)
        columns = some, low[some], high[some], start[some], end[some]
        for span, a, b, begin, stop in tuples(*columns):
            rank = np.where(
                (self._start[a:b] <= begin) & (self._end[a:b] >= stop), self._rank[a:b], self._taken
            )
            best = int(rank.argmin())
            if rank[best] < self._taken:
                chosen[span] = self._row[a + best]
                self._rank[a + best] = self._taken
        return chosen


def _free(corpus: Corpus, paired: IntArray) -> IntArray:
    """The rows without a partner, by entity, then as they were complete."""
    free = np.ones(corpus.mentions, dtype=bool)
    free[paired] = False
    order = np.argsort(corpus.entity, kind="stable")
    return order[free[order]]

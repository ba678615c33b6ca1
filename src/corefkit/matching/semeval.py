"""The matching of SemEval-2010: a response mention may be shorter if it contains the key's head.

Equal mentions are paired first. The other response mentions are considered by entity, and within an
entity in the order of their ends; key mentions are tried in the same order. A response mention gets
the first free key mention that contains it and whose head it contains.
"""

from collections.abc import Mapping

import numpy as np

from corefkit.core.arrays import IntArray, tuples
from corefkit.core.corpus import Corpus
from corefkit.core.directed import Pairs
from corefkit.core.nodes import head_columns
from corefkit.matching.exact import match as match_exactly


def match(key: Corpus, response: Corpus, policies: Mapping[str, str] | None = None) -> Pairs:
    """The mentions that are equal, and those within a longer key mention that contain its head."""
    pairs = match_exactly(key, response, policies)
    candidates = _KeyCandidates(key, _free(key, pairs.key))
    rows = _free(response, pairs.response)
    chosen = candidates.choose(response.document[rows], response.start[rows], response.end[rows])
    matched = chosen >= 0
    return pairs.and_also(chosen[matched], rows[matched])


class _KeyCandidates:
    """The free key mentions, sorted by document and head; each can be taken once.

    `rows` are these mentions in the order in which they are tried.
    """

    def __init__(self, key: Corpus, rows: IntArray) -> None:
        heads, _ = head_columns(key)
        known = np.flatnonzero(heads[rows] >= 0)
        order = known[np.lexsort((heads[rows[known]], key.document[rows[known]]))]
        self._row = rows[order]
        self._rank = order
        self._start, self._end = key.start[self._row], key.end[self._row]
        self._width = int(max(heads.max(initial=0), key.end.max(initial=0))) + 2
        self._position = key.document[self._row] * self._width + heads[self._row]
        self._taken = len(rows)
        """The rank of mentions that are taken: after all others."""

    def choose(self, document: IntArray, start: IntArray, end: IntArray) -> IntArray:
        """int64 (spans,): the key row that each span takes, one span after the other; −1: none."""
        first, last = (np.minimum(bound, self._width - 1) for bound in (start, end))
        low = np.searchsorted(self._position, document * self._width + first)
        high = np.searchsorted(self._position, document * self._width + last, side="right")
        chosen = np.full(len(document), -1)
        possible = np.flatnonzero(high > low)
        columns = possible, low[possible], high[possible], start[possible], end[possible]
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
    """The unpaired rows, by entity and then in the order in which the mentions end."""
    free = np.ones(corpus.mentions, dtype=bool)
    free[paired] = False
    order = np.argsort(corpus.entity, kind="stable")
    return order[free[order]]

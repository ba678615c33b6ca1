"""The matching of SemEval-2010: a mention may be shorter if it keeps the head of the key's.

After the equal mentions, the other response mentions, by entity and completion, each take the
first free key mention, in the same order, that contains them and whose head they contain.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.corpus import Corpus
from corefkit.data.matching.exact import match as match_exactly
from corefkit.data.matching.nodes import head_columns
from corefkit.data.matching.pairs import Pairs


def match(key: Corpus, response: Corpus, policies: Mapping[str, str] | None = None) -> Pairs:
    """The mentions that are equal, then those with the same head within a longer key mention."""
    pairs = match_exactly(key, response, policies)
    heads, _ = head_columns(key)
    free = _free(key, pairs.key)
    rank = {row: place for place, row in enumerate(free)}
    by_head = sorted(
        (int(key.document[row]), int(heads[row]), row) for row in free if heads[row] >= 0
    )
    taken: set[int] = set()
    more: list[tuple[int, int]] = []
    for row in _free(response, pairs.response):
        document, start, end = (
            int(c[row]) for c in (response.document, response.start, response.end)
        )
        low = bisect_left(by_head, (document, start, -1))
        high = bisect_right(by_head, (document, end, key.mentions))
        around = [
            candidate
            for _, _, candidate in by_head[low:high]
            if candidate not in taken
            and key.start[candidate] <= start
            and key.end[candidate] >= end
        ]
        if around:
            chosen = min(around, key=rank.__getitem__)
            taken.add(chosen)
            more.append((chosen, row))
    found = np.array(more, dtype=np.int64).reshape(-1, 2)
    return Pairs(
        np.concatenate((pairs.key, found[:, 0])), np.concatenate((pairs.response, found[:, 1]))
    )


def _free(corpus: Corpus, paired: IntArray) -> list[int]:
    """The rows without a partner, by entity, then as they were complete."""
    free = np.ones(corpus.mentions, dtype=bool)
    free[paired] = False
    order = np.argsort(corpus.entity, kind="stable")
    rows: list[int] = order[free[order]].tolist()
    return rows

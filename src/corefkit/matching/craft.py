"""The partial matching of CRAFT 2019, which the Universal Anaphora scorers offer, too.

Equal mentions are paired first. The other response mentions are then considered in text order: each
is offered the earliest unpaired key mention whose first contiguous part contains one of its own
parts, and has no partner if another response mention took that one. Zeros never fit.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import accumulate

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.corpus import Corpus
from corefkit.core.directed import Pairs
from corefkit.core.mention_columns import runs_of
from corefkit.core.nodes import is_irregular, node_order, nodes_of, zero_numbers
from corefkit.matching.exact import match as match_exactly

TokenRun = tuple[int, int]
"""The first and the last token of a contiguous part."""


def match(key: Corpus, response: Corpus, policies: Mapping[str, str] | None = None) -> Pairs:
    """The mentions that are equal, and those whose part lies within a free key mention."""
    pairs = match_exactly(key, response, policies)
    key_runs, response_runs = _runs_left(key, pairs.key), _runs_left(response, pairs.response)
    partners: dict[int, int] = {}
    for document, mentions in response_runs.items():
        for offered, row in _offers(key_runs.get(document, []), mentions):
            partners.setdefault(offered, row)
    return pairs.and_also(*np.array(list(partners.items()), dtype=np.int64).reshape(-1, 2).T)


def _offers(
    keys: list[tuple[int, list[TokenRun]]], mentions: list[tuple[int, list[TokenRun]]]
) -> Iterator[tuple[int, int]]:
    """(key row, response row): the first key mention around a part of each response mention.

    Key mentions are sorted by their starts, so only the first that reaches far enough can be
    offered: if it starts too late, so do all that follow.
    """
    reach = list(accumulate((runs[0][1] for _, runs in keys), max))
    for row, runs in mentions:
        holding = [
            first
            for begin, end in runs
            if (first := bisect_left(reach, end)) < len(keys) and keys[first][1][0][0] <= begin
        ]
        if holding:
            yield keys[min(holding)][0], row


def _runs_left(corpus: Corpus, paired: IntArray) -> dict[int, list[tuple[int, list[TokenRun]]]]:
    """The unpaired mentions of each document in text order, with their contiguous parts."""
    free = zero_numbers(corpus) == 0
    free[paired] = False
    irregular = is_irregular(corpus)
    order = node_order(corpus)
    runs_of_document: dict[int, list[tuple[int, list[TokenRun]]]] = {}
    for row in order[free[order]].tolist():
        runs = [(int(corpus.start[row]), int(corpus.end[row]))]
        if irregular[row]:
            runs = runs_of([token for token, zero in nodes_of(corpus, row) if not zero])
        if runs:
            runs_of_document.setdefault(int(corpus.document[row]), []).append((row, runs))
    return runs_of_document

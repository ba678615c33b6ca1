"""The partial matching of CRAFT 2019, which the Universal Anaphora scorers offer too.

Equal mentions are paired first. The rest of the response is then gone through as the text runs: a
mention is offered the earliest unequal key mention whose first contiguous part holds one of its
own parts, and stays alone if that one is taken. Zeros never fit.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import accumulate

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.corpus import Corpus
from corefkit.core.mention_columns import runs_of
from corefkit.core.nodes import is_irregular, nodes_of, text_order, zero_numbers
from corefkit.core.overlap import Pairs
from corefkit.matching.exact import match as match_exactly

TokenRun = tuple[int, int]
"""The first and the last token of a contiguous part."""


def match(key: Corpus, response: Corpus, policies: Mapping[str, str] | None = None) -> Pairs:
    """The mentions that are equal, and those that find a free key mention around a part of them."""
    pairs = match_exactly(key, response, policies)
    ours, theirs = _runs_left(key, pairs.key), _runs_left(response, pairs.response)
    partners: dict[int, int] = {}
    for document, mentions in theirs.items():
        for taken, row in _look(ours.get(document, []), mentions):
            partners.setdefault(taken, row)
    return pairs.and_also(*np.array(list(partners.items()), dtype=np.int64).reshape(-1, 2).T)


def _look(
    keys: list[tuple[int, list[TokenRun]]], mentions: list[tuple[int, list[TokenRun]]]
) -> Iterator[tuple[int, int]]:
    """For each mention of the response the first key mention around one of its parts, if any.

    Keys are ordered by their beginnings, so the first that reaches far enough is the one: if it
    begins too late, so do all after it.
    """
    reach = list(accumulate((runs[0][1] for _, runs in keys), max))
    for row, runs in mentions:
        places = [
            place
            for begin, end in runs
            if (place := bisect_left(reach, end)) < len(keys) and keys[place][1][0][0] <= begin
        ]
        if places:
            yield keys[min(places)][0], row


def _runs_left(corpus: Corpus, paired: IntArray) -> dict[int, list[tuple[int, list[TokenRun]]]]:
    """By document, in text order, the mentions without a partner, and their contiguous parts."""
    free = zero_numbers(corpus) == 0
    free[paired] = False
    irregular = is_irregular(corpus)
    order = text_order(corpus)
    runs_of_document: dict[int, list[tuple[int, list[TokenRun]]]] = {}
    for row in order[free[order]].tolist():
        runs = [(int(corpus.start[row]), int(corpus.end[row]))]
        if irregular[row]:
            runs = runs_of([token for token, zero in nodes_of(corpus, row) if not zero])
        if runs:
            runs_of_document.setdefault(int(corpus.document[row]), []).append((row, runs))
    return runs_of_document

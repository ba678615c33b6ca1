"""Repeated spans as the reference scorer finds them, with the numbers that it prints."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from corefkit.data.arrays import IntArray, distinct, starts_of_runs, tuples
from corefkit.data.corpus import Corpus
from corefkit.data.matching.exact import mention_codes

SideName = Literal["key", "response"]


@dataclass(frozen=True)
class Repeat:
    """A copy of a span that was there before.

    `row` is the mention in its corpus. `before` and `own` are the numbers of two copies in the
    key; for a response mention both are the number of the key span.
    """

    side: SideName
    row: int
    document: int
    start: int
    end: int
    before: int
    own: int

    @property
    def line(self) -> str:
        """What v8.01 prints; the two numbers are not separated."""
        where = f"Repeated mention in the {self.side}: {self.start}, {self.end}"
        return f"{where} {self.before}{self.own}"


def key_repeats(key: Corpus) -> list[Repeat]:
    """The copies after the first of the key's spans, in the order of v8.01."""
    (codes,) = mention_codes(key)
    order, number = _numbers(key)
    by_span = np.argsort(codes[order], kind="stable")
    same = codes[order][by_span[1:]] == codes[order][by_span[:-1]]
    again, earlier = by_span[1:][same], by_span[:-1][same]
    sequence = np.argsort(again)
    again, earlier = again[sequence], earlier[sequence]
    return _repeats("key", key, order[again], number[order[earlier]], number[order[again]])


def response_repeats(key: Corpus, response: Corpus) -> list[Repeat]:
    """The response mentions that v8.01 removes, in its order: key spans that were seen before."""
    ours, theirs = mention_codes(key, response)
    key_order, number = _numbers(key)
    order, _ = _numbers(response)
    order = order[np.isin(theirs[order], ours)]
    again = np.ones(len(order), dtype=bool)
    again[distinct(theirs[order]).first] = False
    rows = order[again]
    # A span of the key that has many numbers goes by the last.
    last = key_order[::-1]
    spans = distinct(ours[last])
    own = number[last[spans.first]][np.searchsorted(spans.values, theirs[rows])]
    return _repeats("response", response, rows, own, own)


def _numbers(corpus: Corpus) -> tuple[IntArray, IntArray]:
    """The mentions in the order of v8.01, and the number of each from 0 in its document."""
    order = np.lexsort((np.arange(corpus.mentions), corpus.entity, corpus.document))
    begins = starts_of_runs(corpus.document[order])
    lengths = np.diff(begins, append=len(order))
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.arange(len(order)) - np.repeat(begins, lengths)
    return order, number


def _repeats(
    side: SideName, corpus: Corpus, rows: IntArray, before: IntArray, own: IntArray
) -> list[Repeat]:
    columns = (rows, corpus.document[rows], corpus.start[rows], corpus.end[rows], before, own)
    return [Repeat(side, *row) for row in tuples(*columns)]

"""Repeated spans as the reference scorer finds them, with the numbers that it prints."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from corefkit.data.arrays import IntArray, starts_of_runs, tuples
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
    found, last = [], dict[int, int]()
    for row, code, number in _numbered(key, codes):
        if code in last:
            found.append(_repeat("key", key, row, last[code], number))
        last[code] = number
    return found


def response_repeats(key: Corpus, response: Corpus) -> list[Repeat]:
    """The response mentions that v8.01 removes, in its order: key spans that were seen before."""
    ours, theirs = mention_codes(key, response)
    # A span of the key that has many numbers goes by the last.
    own = {code: number for _, code, number in _numbered(key, ours)}
    found, seen = [], set[int]()
    for row, code, _ in _numbered(response, theirs):
        if code in own and code in seen:
            found.append(_repeat("response", response, row, own[code], own[code]))
        seen.add(code)
    return found


def _numbered(corpus: Corpus, codes: IntArray) -> Iterator[tuple[int, ...]]:
    """Row, span and number, from 0 in each document, of the mentions in the order of v8.01."""
    order = np.lexsort((np.arange(corpus.mentions), corpus.entity, corpus.document))
    begins = starts_of_runs(corpus.document[order])
    lengths = np.diff(begins, append=len(order))
    number = np.arange(len(order)) - np.repeat(begins, lengths)
    return tuples(order, codes[order], number)


def _repeat(side: SideName, corpus: Corpus, row: int, before: int, own: int) -> Repeat:
    document, start, end = (int(c[row]) for c in (corpus.document, corpus.start, corpus.end))
    return Repeat(side, row, document, start, end, before, own)

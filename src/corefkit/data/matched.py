"""Matched: a key and a response of the same documents, and which mentions are which."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.corpus import Corpus
from corefkit.data.matching.pairs import Pairs
from corefkit.data.overlap import Overlap, make_overlap


@dataclass(frozen=True, eq=False)
class Matched:
    """Both sides as they are scored: the same documents, policies applied, mentions paired.

    `rule` is the one by which they were paired, `ties` how it chose among pairings of equal worth.
    `annotated` are both sides as they were annotated, where the policies took something out.
    """

    key: Corpus
    response: Corpus
    pairs: Pairs
    rule: str = "exact"
    ties: str = "first"
    annotated: tuple[Corpus, Corpus] | None = None

    @property
    def whole(self) -> tuple[Corpus, Corpus]:
        """Key and response as they were annotated."""
        return self.annotated or (self.key, self.response)

    @cached_property
    def partner(self) -> IntArray:
        """int64 (key mentions,): the row of the response for each of the key; −1 for none."""
        partner = np.full(self.key.mentions, -1, dtype=np.int64)
        partner[self.pairs.key] = self.pairs.response
        return partner

    @cached_property
    def overlap(self) -> Overlap:
        """How many mentions each key entity shares with each response entity."""
        return make_overlap(self.key, self.response, self.pairs)

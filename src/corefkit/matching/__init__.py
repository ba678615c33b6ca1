"""Matching: the partner of each mention on the other side. One function, one rule a module.

A rule takes two corpora with the same documents and returns Pairs, one to one. Later
steps see nothing else.

Matched: a key and a response of the same documents, and which mentions are which.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.corpus import Corpus
from corefkit.core.overlap import Overlap, Pairs, make_overlap

Rule = Callable[[Corpus, Corpus, Mapping[str, str]], Pairs]


def match(
    key: Corpus, response: Corpus, rule: str = "exact", policies: Mapping[str, str] | None = None
) -> Pairs:
    """The mentions that both sides have, by a rule; `policies` are those of the run.

    Both corpora have the same documents, and no mention twice. A rule is the function `match` of
    the module of this package that is called like it.
    """
    function: Rule = import_module(f"corefkit.matching.{rule}").match
    return function(key, response, policies or {})


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

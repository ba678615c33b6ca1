"""Pair: a key and a response of the same documents, as the application scores see them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corefkit.data.arrays import BoolArray, IntArray, ranks_of
from corefkit.data.corpus import Corpus
from corefkit.data.matching.exact import equal_mentions
from corefkit.data.matching.pairs import Pairs
from corefkit.data.tagsets import Tagset
from corefkit.mentions.chains import Chains
from corefkit.mentions.tokens import KeyTokens


@dataclass(frozen=True, eq=False)
class Pair:
    """Both sides, with the tokens of the key.

    Attributes:
        key_corpus, response_corpus: as scored: the same documents, no span twice on a side.
        tokens: the token columns of the key.
        tagset: a tagset, the name of one, or "auto".
        pairs: which rows of the two are matched; None: those that are equal.
    """

    key_corpus: Corpus
    response_corpus: Corpus
    tokens: KeyTokens
    tagset: str | Tagset = "auto"
    pairs: Pairs | None = None

    @cached_property
    def key(self) -> Chains:
        """The key's chains of more than one mention: its singletons are ignored throughout."""
        return Chains(self.key_corpus.take(self.in_chains), self.tokens, self.tagset)

    @cached_property
    def in_chains(self) -> BoolArray:
        """bool, for each mention of the key: whether its entity has more than one mention.

        A split antecedent is no mention here, unlike in the scores of entities.
        """
        return self.key_corpus.entity_size[self.key_corpus.entity] > 1

    @cached_property
    def all_key(self) -> Chains:
        """The key's chains with its singletons."""
        return Chains(self.key_corpus, self.tokens, self.tagset)

    @cached_property
    def response(self) -> Chains:
        """The response's chains."""
        return Chains(self.response_corpus, self.tokens, self.tagset)

    @cached_property
    def in_response(self) -> IntArray:
        """For each mention of `key` the same in `response`, or −1."""
        return self.all_partners[0][self.in_chains[self.all_key.row]]

    @cached_property
    def in_key(self) -> IntArray:
        """For each mention of `response` the same in `key`, or −1."""
        kept = self.in_chains[self.all_key.row]
        return at(np.where(kept, np.cumsum(kept) - 1, -1), self.all_partners[1])

    @cached_property
    def all_partners(self) -> tuple[IntArray, IntArray]:
        """For each mention of `all_key` the same in `response`, or −1; and the other way round."""
        pairs = self.pairs or equal_mentions(self.key_corpus, self.response_corpus)
        ours = ranks_of(self.all_key.row)[pairs.key]
        theirs = ranks_of(self.response.row)[pairs.response]
        to_response = np.full(len(self.all_key), -1, dtype=np.int64)
        to_key = np.full(len(self.response), -1, dtype=np.int64)
        to_response[ours], to_key[theirs] = theirs, ours
        return to_response, to_key


def at(values: IntArray, index: IntArray) -> IntArray:
    """values[index], and −1 where the index is.

    >>> at(np.array([5, 7]), np.array([1, -1])).tolist()
    [7, -1]
    """
    return np.append(values, -1)[index]

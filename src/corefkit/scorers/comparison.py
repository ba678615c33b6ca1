"""Comparison: one key and one response, made comparable and matched by a Scorer.

Everything that asks how two annotations differ starts here: scores, errors, outcomes, `explain`,
checks against a key, agreement. See `Scorer.compare`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from os import PathLike
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray, among_names
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.counts import Size
from corefkit.core.directed import Pairs
from corefkit.core.incidents import Incident, errors, make_incident
from corefkit.core.options import Reading, UsageError

if TYPE_CHECKING:
    from corefkit.core.languages import Tagset
    from corefkit.features.chains import ComparedChains, KeyTokens
    from corefkit.scorers.conll801 import Repeat

Readable = str | PathLike[str] | Corpus
"""What can be scored: the name of a file (also `.gz`), `-`, a directory, a glob, or a Corpus."""


Role: TypeAlias = Literal["key", "response"]


@frozen(eq=False)
class Side:
    """A key or a response, which a scorer has prepared; if its incidents include errors, in vain.

    Attributes:
        path: its file.
        reading: how its files were read, and as which side.
        written: the corpus as in its files.
        corpus: the corpus as the scorer interprets it, in the unit in which it is compared.
        scored: the mentions that are scored.
        incidents: those of its files and of its preparation.
        counted: its size, if an engine counted; the corpora are then empty.
        coverage: the share of the key that its text covers, if it had to be aligned.
        language: the language of its texts, if one was chosen.
    """

    path: str
    reading: Reading
    written: Corpus
    corpus: Corpus
    scored: Corpus
    incidents: tuple[Incident, ...] = ()
    counted: Size | None = None
    coverage: float | None = None
    language: str = "auto"

    @classmethod
    def of(
        cls, path: str, reading: Reading, corpus: Corpus | None = None, *incidents: Incident
    ) -> "Side":
        """A side that no scorer has prepared; without a corpus, one that could not be read."""
        written = Corpus.from_clusters({}) if corpus is None else corpus
        return cls(path, reading, written, written, written, incidents)

    @property
    def role(self) -> Role:
        """Which side it is."""
        return self.reading.role

    @property
    def size(self) -> Size:
        """The size of the side as it is scored."""
        scored = self.scored
        return self.counted or Size(len(scored.names), scored.mentions, scored.entities)

    @cached_property
    def tokens(self) -> "KeyTokens":
        """The token columns, which are read on demand."""
        from corefkit.features.chains import KeyTokens

        return KeyTokens(self.scored, language=self.language)

    def with_incidents(self, *incidents: Incident) -> "Side":
        """The side with further incidents."""
        return replace(self, incidents=(*self.incidents, *incidents)) if incidents else self

    def within(self, documents: set[str]) -> "Side":
        """The side with the mentions of these documents only."""
        kept = among_names(self.scored.names, documents)
        return replace(self, scored=self.scored.take(kept[self.scored.document]))

    def only(self, document: str) -> "Side":
        """The side with only one of its documents; with an incident if it does not have it."""
        if document in self.corpus.names:
            return replace(
                self,
                written=self.written.only(document),
                corpus=self.corpus.only(document),
                scored=self.scored.only(document),
            )
        return self.with_incidents(make_incident("document-unknown", name=document, file=self.path))


@frozen(eq=False)
class Comparison:
    """Both sides as they are scored: with the same documents, policies applied, mentions paired.

    Attributes:
        key, response: the mentions that are compared.
        matching: the pairs, or a function that finds them when `pairs` is first used.
        rule, ties: the matching rule, and how it chooses among equally good pairings.
        annotated: both sides as annotated, if the scorer left something out.
        sides: key and response as they were given to the comparison, with their files.
        documents: the names of the documents that are scored; None for all documents of the key.
        incidents: what was noticed about the response and about the two sides together.
        repeats: the mentions removed by the reference scorer that it lists.
        left_out: the number of mentions that `leave_out` removed from each side, by kind.
    """

    key: Corpus
    response: Corpus
    matching: Pairs | Callable[[Corpus, Corpus], Pairs]
    rule: str = "exact"
    ties: str = "first"
    annotated: tuple[Corpus, Corpus] | None = None
    sides: tuple[Side, Side] | None = None
    documents: set[str] | None = None
    incidents: tuple[Incident, ...] = ()
    repeats: "tuple[Repeat, ...]" = ()
    left_out: "Mapping[str, Mapping[str, int]] | None" = None

    @property
    def failed(self) -> bool:
        """Whether the two sides cannot be compared; the incidents say why."""
        return bool(errors(self.incidents))

    @property
    def whole(self) -> tuple[Corpus, Corpus]:
        """Key and response as annotated, before anything was left out."""
        return self.annotated or (self.key, self.response)

    @property
    def read(self) -> tuple[Corpus, Corpus]:
        """Key and response as read, with their files; documents have the same names."""
        return (self.sides[0].corpus, self.sides[1].corpus) if self.sides else self.whole

    @property
    def coverage(self) -> float | None:
        """The share of the key that the text of the response covers, if it had to be aligned."""
        return self.sides[1].coverage if self.sides else None

    @property
    def key_side(self) -> Side:
        """The key with its file."""
        assert self.sides is not None
        return self.sides[0]

    @property
    def response_side(self) -> Side:
        """The response with its file."""
        assert self.sides is not None
        return self.sides[1]

    def chains(self, tagset: "str | Tagset") -> "ComparedChains":
        """The two sides as application scores and breakdowns see them."""
        return self.chains_maker(tagset)()

    def chains_maker(self, tagset: "str | Tagset") -> "Callable[[], ComparedChains]":
        """A function that returns `chains(tagset)`.

        It keeps the mentions of the response but not its files, so that the scores of many
        responses fit into memory.
        """
        response = replace(self.response, sources=())
        return partial(_make_chains, self.key_side, response, tagset, self.pairs)

    def within(self, documents: set[str]) -> "Comparison":
        """The comparison of these documents only; matched mentions stay matched."""
        kept = among_names(self.key.names, documents)
        chosen = self.take(kept[self.key.document], kept[self.response.document])
        sides = self.sides and (
            self.key_side.within(documents),
            self.response_side.within(documents),
        )
        return replace(chosen, sides=sides, documents=documents)

    def take(self, key_kept: BoolArray, response_kept: BoolArray) -> "Comparison":
        """The comparison with only these mentions, bool (mentions,) of key and response.

        Pairs that lose a mention are dropped; the others stay matched.
        """
        pairs = key_kept[self.pairs.key] & response_kept[self.pairs.response]
        rows = [np.cumsum(side) - 1 for side in (key_kept, response_kept)]
        matching = Pairs(rows[0][self.pairs.key[pairs]], rows[1][self.pairs.response[pairs]])
        key, response = self.key.take(key_kept), self.response.take(response_kept)
        return replace(self, key=key, response=response, matching=matching)

    def without_singletons(self) -> "Comparison":
        """The comparison without singletons; the other mentions stay matched."""
        return self.take(*(side.entity_size[side.entity] > 1 for side in (self.key, self.response)))

    @cached_property
    def size(self) -> Size:
        """The common documents, and the mentions and entities of the response, by number."""
        names = self.whole[0].names
        common = set(names)
        if self.sides and (response_names := self.response_side.corpus.names) != names:
            common &= set(response_names)
        return Size(len(common), self.response.mentions, self.response.entities)

    @cached_property
    def pairs(self) -> Pairs:
        """The matched mentions."""
        if isinstance(self.matching, Pairs):
            return self.matching
        return self.matching(self.key, self.response)

    @cached_property
    def partner(self) -> IntArray:
        """int64 (key mentions,): the matching row of the response; −1 for none."""
        partner = np.full(self.key.mentions, -1, dtype=np.int64)
        partner[self.pairs.key] = self.pairs.response
        return partner


def _make_chains(
    key: Side, response: Corpus, tagset: "str | Tagset", pairs: Pairs
) -> "ComparedChains":
    from corefkit.features.chains import ComparedChains

    return ComparedChains(key.scored, response, key.tokens, tagset, pairs)


def in_all(comparisons: Sequence[Comparison]) -> set[str]:
    """The documents that all comparable responses have; UsageError where there are none."""
    known = [c.documents or set() for c in comparisons if not c.failed]
    common = set.intersection(*known) if known else set()
    if known and not common:
        raise UsageError("documents common: there is no document that all responses have")
    return common

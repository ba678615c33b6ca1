"""Comparison: one key and one response, made comparable and matched by a Scorer.

Everything that asks how two annotations differ starts here: scores, errors, outcomes, `explain`,
checks against a key, agreement. See `Scorer.compare`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from operator import itemgetter
from os import PathLike
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from corefkit.core.arrays import (
    EMPTY,
    BoolArray,
    IntArray,
    among_names,
    distinct,
    ranks_of,
)
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.counts import Size
from corefkit.core.directed import Pairs
from corefkit.core.document_groups import DocumentGroups, join_groups
from corefkit.core.incidents import DataError, Incident, errors, make_incident
from corefkit.core.nodes import mention_codes
from corefkit.core.options import Reading, UsageError

if TYPE_CHECKING:
    from corefkit.core.languages import Tagset
    from corefkit.features.chains import ComparedChains, KeyTokens
    from corefkit.scorers.conll801 import Repeat
    from corefkit.scorers.windows import Windows

Readable = str | PathLike[str] | Corpus
"""What can be scored: the name of a file (also `.gz`), `-`, a directory, a glob, or a Corpus."""


Role: TypeAlias = Literal["key", "response"]

_LARGEST = 1 << 62
"""No token of joined documents has a larger number."""


@frozen(eq=False)
class Side:
    """A key or a response, which a scorer has prepared; if its incidents include errors, in vain.

    Attributes:
        path: its file.
        reading: how its files were read, and as which side.
        written: the corpus as in its files.
        corpus: the corpus as the scorer interprets it, in the unit in which it is compared.
        scored: the mentions that are scored.
        joinable: these and the singletons, if singletons are dropped once documents are joined.
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
    joinable: Corpus | None = None

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

    def with_scored(self, change: Callable[[Corpus], Corpus]) -> "Side":
        """The side with a change of the mentions that are scored."""
        joinable = self.joinable and change(self.joinable)
        return replace(self, scored=change(self.scored), joinable=joinable)

    def within(self, documents: set[str]) -> "Side":
        """The side with the mentions of these documents only."""
        kept = among_names(self.scored.names, documents)
        return self.with_scored(lambda corpus: corpus.take(kept[corpus.document]))

    def only(self, document: str) -> "Side":
        """The side with only one of its documents; with an incident if it does not have it."""
        if document in self.corpus.names:
            written, corpus = self.written.only(document), self.corpus.only(document)
            side = replace(self, written=written, corpus=corpus)
            return side.with_scored(lambda scored: scored.only(document))
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
        windows: the windows that are its documents, if documents are cut.
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
    windows: "Windows | None" = None

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
        from corefkit.features.chains import ComparedChains

        tokens, texts = (
            self.key_side.tokens,
            None if self.windows is None else self.windows.document,
        )
        return ComparedChains(self.key, self.response, tokens, tagset, self.pairs, texts)

    def without_files(self) -> "Comparison":
        """The comparison without the files of the response, so that many fit into memory."""
        response = replace(self.response, sources=())
        side = Side.of(self.response_side.path, self.response_side.reading)
        sides = self.key_side, side
        return replace(self, response=response, matching=self.pairs, annotated=None, sides=sides)

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

    def cut(self, windows: "Windows", *, drop_singletons: bool = False) -> "Comparison":
        """The comparison with windows as documents; matched mentions stay matched.

        A matched response mention is in the window of its partner. With `drop_singletons`, entities
        with one mention in a window are dropped.
        """
        cut = [
            windows.rows(corpus.document, position)
            for corpus, position in zip((self.key, self.response), _positions(self), strict=True)
        ]
        key, response = (
            _pieces(corpus, row, window, len(windows))
            for corpus, (row, window) in zip((self.key, self.response), cut, strict=True)
        )
        windowed = replace(
            self,
            key=key,
            response=response,
            matching=_moved(self.pairs, cut, len(windows), windows.partition),
            annotated=None,
            documents=None,
            windows=windows,
        )
        return windowed.without_singletons() if drop_singletons else windowed

    def joined(self, groups: DocumentGroups) -> "Comparison":
        """The comparison with groups as documents; pairs and rows of mentions stay the same."""
        for corpus in (self.key, self.response):
            if corpus.plurals is not None:
                raise DataError([make_incident("across-split", file=corpus.path)])
        key, response = self.key, self.response
        begin = _begins(key, response, groups)
        if begin is None:  # identifiers, which have no positions: numbers replace them
            key_code, response_code = mention_codes(key, response)
            key, response = _numbered(key, key_code), _numbered(response, response_code)
        return replace(
            self,
            key=join_groups(key, groups, begin),
            response=join_groups(response, groups, begin),
            matching=self.pairs,
            annotated=None,
            documents=None,
        )

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


def _positions(comparison: Comparison) -> tuple[IntArray, IntArray]:
    """The positions of the mentions of both sides; matched response mentions have their partner's.

    A zero before the first word of a document has the position of that word. Raises DataError if
    there are split antecedents, which have no position.
    """
    key, response, pairs = comparison.key, comparison.response, comparison.pairs
    for side in (key, response):
        if side.plurals is not None:
            raise DataError([make_incident("window-split", file=side.path)])
    position = response.start.copy()
    position[pairs.response] = key.start[pairs.key]
    return np.maximum(key.start, 0), np.maximum(position, 0)


def _pieces(corpus: Corpus, row: IntArray, window: IntArray, windows: int) -> Corpus:
    """The corpus of these rows with windows as documents and the pieces of entities as entities."""
    width = max(corpus.entities, 1)
    pieces = distinct(window * width + corpus.entity[row])
    label = (pieces.values % width).tolist()
    labels = itemgetter(*label, *label[:1])(corpus.labels)[: len(label)] if label else ()
    taken = corpus if np.array_equal(row, np.arange(corpus.mentions)) else corpus.take(row)
    return replace(
        taken,
        names=tuple(map(str, range(windows))),
        tokens=np.full(windows, -1, dtype=np.int64),
        document=window,
        entity=pieces.inverse,
        labels=labels,
        sources=(),
        links=None,
        document_byte=EMPTY,
    )


def _moved(
    pairs: Pairs, cut: Sequence[tuple[IntArray, IntArray]], windows: int, partition: bool
) -> Pairs:
    """The pairs with the new rows of the mentions; partners are in the same windows.

    `cut` has the rows of each side, and their windows.
    """
    if partition:
        return Pairs(*(ranks_of(row)[rows] for rows, (row, _) in zip(pairs, cut, strict=True)))
    sides = []
    for rows, (row, window) in zip(pairs, cut, strict=True):
        number = np.full(1 + max(int(rows.max(initial=0)), int(row.max(initial=0))), -1)
        number[rows] = np.arange(len(rows))
        pair = number[row]
        matched = np.flatnonzero(pair >= 0)
        order = np.argsort(pair[matched] * windows + window[matched], kind="stable")
        sides.append(matched[order])
    return Pairs(*sides)


def _begins(key: Corpus, response: Corpus, groups: DocumentGroups) -> IntArray | None:
    """int64 (documents,): the first token of each document in its group; None if too large."""
    # There may be an empty node before the first token of a document.
    length = np.maximum(key.lengths, response.lengths) + 1
    if float(length.astype(np.float64).sum()) >= _LARGEST:
        return None
    group = groups.of_document
    order = np.argsort(group, kind="stable")
    before = np.cumsum(length[order]) - length[order]
    first = before[np.searchsorted(group[order], group[order])]
    begin = np.empty_like(length)
    begin[order] = before - first + 1
    return begin


def _numbered(corpus: Corpus, code: IntArray) -> Corpus:
    """The corpus with these numbers as spans; equal mentions have equal numbers."""
    plain = dict.fromkeys(("zero", "nodes", "head", "head_zero", "minimum"))
    return replace(corpus, start=code, end=code, **plain)  # type: ignore[arg-type]


def in_all(comparisons: Sequence[Comparison]) -> set[str]:
    """The documents that all comparable responses have; UsageError where there are none."""
    known = [c.documents or set() for c in comparisons if not c.failed]
    common = set.intersection(*known) if known else set()
    if known and not common:
        raise UsageError("documents common: there is no document that all responses have")
    return common

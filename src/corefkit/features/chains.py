"""Chains: the mentions of one side, sorted by entity and text order; ComparedChains: of both sides.

The tokens of both are those of the key: `KeyTokens`.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray, lexical_order, ranks_of
from corefkit.core.brackets import BrokenBrackets, Spans, find_spans
from corefkit.core.carriers import frozen
from corefkit.core.columns import MASKS, NOTHING, Column
from corefkit.core.corpus import Corpus
from corefkit.core.directed import Pairs
from corefkit.core.incidents import DataError, Incident, data_error, make_incident
from corefkit.core.languages import (
    TAGSETS,
    Tagset,
    detect_tagset,
    language,
    language_of_path,
    language_of_words,
)
from corefkit.core.nodes import zero_numbers
from corefkit.core.options import UsageError
from corefkit.core.tokens import Tokens
from corefkit.features.heads import with_heads

_OPENS = re.compile(r"\(([^()*|\s]+)")
"""An opening bracket, and the class of a name."""

_UNFILLED = {
    "pos": ("no-tags", "a part of speech for each token in column 5"),
    "word": ("no-words", "words in column 4"),
    "speaker": ("no-speakers", "speakers in column 10"),
}
"""Column → the form of the incident where it is empty, and what is expected there."""

WITHOUT = {
    "pos": "If the language is given (--language), its pronouns are found by a word list. "
    "The partition metrics, immediate, and mentions by word, length, distance, entity-size, "
    "speaker, genre and document, need no tags.",
    "ne": "Only the break-down by ne needs named entities.",
    "word": "Only the break-down by word needs words.",
    "speaker": "Only the break-down by speaker needs speakers.",
}
"""Column → what can still be done where it is missing; added to the hint of the incident."""


class KeyTokens(Tokens):
    """The token columns of a key; a missing one is reported with what works without it.

    `language` is the code of the language of the texts, "auto" where it is to be detected.
    """

    def __init__(self, corpus: Corpus, errors: str = "replace", language: str = "auto") -> None:
        super().__init__(corpus, errors)
        self._language = language

    @cached_property
    def language(self) -> str | None:
        """The code of the language: as chosen, else by the names of the files, else by the words.

        None where it is not known, e.g. because words are masked.
        """
        if self._language != "auto":
            return self._language
        by_path = {language_of_path(source.path or "") for source in self.corpus.sources}
        if len(by_path) == 1 and (code := by_path.pop()):
            return code
        if not self.has("word"):
            return None
        return language_of_words(self.column("word").frequency())

    @property
    def language_chosen(self) -> bool:
        """Whether the user has chosen the language."""
        return self._language != "auto"

    def known_tagset(self, chosen: "str | Tagset" = "auto") -> Tagset | None:
        """The tagset, as chosen or as detected; None where there are no tags or it is unknown."""
        if not self.has("pos"):
            return None
        if isinstance(chosen, Tagset):
            return chosen
        try:
            return self.tagset if chosen == "auto" else TAGSETS[chosen]
        except DataError:
            return None

    def _read(self, *names: str) -> list[Column]:
        try:
            return super()._read(*names)
        except DataError as error:
            missing = [name for name in names if not self._readable(name)]
            raise DataError([_explain(incident, missing) for incident in error.incidents]) from None

    def _readable(self, name: str) -> bool:
        try:
            super()._read(name)
        except DataError:
            return False
        return True

    def _check(self, name: str, column: Column) -> None:
        if name == "pos" and len(column.code) and NOTHING.issuperset(column.values):
            raise self._unfilled("pos")

    def must_have(self, *names: str) -> None:
        """Read these columns; DataError where one is missing or empty."""
        self.load(*names)
        for name in names:
            values = NOTHING | MASKS if name == "word" else NOTHING
            column = self.column(name)
            if name in _UNFILLED and len(column.code) and values.issuperset(column.values):
                raise self._unfilled(name)

    @cached_property
    def name_spans(self) -> Spans:
        """The named entities, in any of the forms that scorers accept, across sentences, too.

        DataError where brackets do not pair.
        """
        cells, corpus = self.column("ne"), self.corpus
        starred = Column(cells.code, tuple(map(_starred, cells.values)))
        document = np.repeat(np.arange(len(corpus.names)), corpus.tokens)
        spans, broken = find_spans(starred, document)
        if broken:
            raise _unpaired(broken, document, corpus)
        return spans

    def name_over(self, document: IntArray, start: IntArray, end: IntArray) -> IntArray:
        """The class of the named entity with each of these spans, −1 where there is none.

        Where two have the same tokens, the outer one counts.
        """
        inside = (start >= 0) & (end < self.corpus.tokens[document])
        first = np.where(inside, self.corpus.first_token[document] + start, -1)
        return np.append(self.name_spans.label, -1)[
            self.name_spans.over(first, first + end - start)
        ]

    @cached_property
    def headed(self) -> Corpus:
        """The key with the heads of all its mentions."""
        return with_heads(self.corpus)

    @cached_property
    def tagset(self) -> Tagset:
        """The tagset, detected from the tags; DataError where these are of no known tagset."""
        tag = self.column("pos")
        if not len(tag.code):
            return TAGSETS["penn"]  # without tokens there are no mentions: any will do
        tagset = detect_tagset(tag.frequency())
        if tagset is None:
            path, listed = self.corpus.sources[0].path, ", ".join(sorted(tag.values)[:10])
            expected = f"tags of {', '.join(TAGSETS)}"
            raise data_error("tagset-unknown", file=path, found=listed, expected=expected)
        return tagset

    def _unfilled(self, name: str) -> DataError:
        form, expected = _UNFILLED[name]
        path = self.corpus.sources[0].path
        incident = make_incident("column-missing", form, file=path, expected=expected)
        return DataError([_explain(incident, [name])])


def _explain(incident: Incident, missing: Sequence[str]) -> Incident:
    """The incident, with a hint about what can be done without the missing columns."""
    advice = [WITHOUT[name] for name in missing if name in WITHOUT]
    return replace(incident, hint=" ".join([incident.hint or "", *advice]))


def _starred(cell: str) -> str:
    """The cell in the form of the shared tasks; some files have no star, or repeat the class.

    >>> _starred("(ORG"), _starred("ORG)"), _starred("-")
    ('(ORG*', '*)', '*')
    """
    opened = "".join(f"({name}" for name in _OPENS.findall(cell))
    return f"{opened}*{')' * cell.count(')')}"


def _unpaired(broken: BrokenBrackets, document: IntArray, corpus: Corpus) -> DataError:
    """The error for the first bracket without a partner."""
    token = int(np.concatenate((broken.unopened, broken.unclosed)).min())
    alone, number = token in broken.unopened, int(document[token])
    source = corpus.source(number)
    assert source is not None  # or there would be no cells
    row = token - int(corpus.first_token[source.first_document])
    lines = source.token_lines()
    return data_error(
        "name-brackets",
        file=source.path,
        at=None if lines is None else int(lines[row]),
        document=corpus.names[number],
        found="one that closes nothing" if alone else "a bracket that is never closed",
        expected="for each opening bracket in column 11 one that closes it, in order",
    )


NOUN = "NOUN"
"""The class of all nominal mentions; the class of other mentions is their tag."""

ZERO = "zero"
"""The tag, and so the class, of a mention that is an empty node; it counts as a pronoun."""

_ZERO_VALUES = {"pos": ZERO, "word": "∅", "lemma": "∅"}
"""The value of an empty node, which is not a token, in each token column."""

NO_NAME = "None"
"""The label of mentions and chains without a named entity class."""


class Chains:
    """The mentions of one side with the tokens of the key: the argument of every feature.

    Rows are sorted by entity, then start, the longer of two first.

    Attributes:
        corpus: the corpus of the mentions; its documents are those of the key, or windows of them.
        tokens: the token columns of the key.
        chosen: the tagset, its name, or "auto" for the one that is detected from the tags.
        row: int64 (mentions,), the row of each mention in the corpus.
        start, end, entity: int64 (mentions,), as in the corpus.
        window: int64 (mentions,), the document of the corpus: where documents are cut, a window.
        document: int64 (mentions,), the document of the key in which it is.
        partners: of a response, the chains of the key and, int64 (mentions,), the row there of the
            partner of each mention, −1 for none.
        size: int64 (entities,), the number of mentions of each entity.
        first: int64 (entities,), the first mention of each entity.
    """

    def __init__(
        self,
        corpus: Corpus,
        tokens: KeyTokens,
        chosen: str | Tagset = "auto",
        texts: IntArray | None = None,
    ) -> None:
        self.corpus, self.tokens, self.chosen = corpus, tokens, chosen
        self.partners: Callable[[], tuple[Chains, IntArray]] | None = None
        self.row: IntArray = lexical_order(-corpus.end, corpus.start, corpus.entity)
        columns = (corpus.document, corpus.start, corpus.end, corpus.entity)
        self.window, self.start, self.end, self.entity = (c[self.row] for c in columns)
        self.document = self.window if texts is None else texts[self.window]
        self.size = corpus.entity_size
        self.first = np.cumsum(self.size) - self.size

    @cached_property
    def token(self) -> IntArray:
        """The first token of each mention, numbered through the corpus; int64 (mentions,)."""
        return self.tokens.corpus.first_token[self.document] + self.start

    def __len__(self) -> int:
        return len(self.row)

    def at_token(self, values: IntArray, token: IntArray) -> IntArray:
        """The values at one token per mention, given by its number in the document.

        `values` are those of all tokens of the key. A number before the first token of the
        document stands for the first, one after the last for the last.
        """
        texts = self.tokens.corpus
        last = np.maximum(texts.tokens[self.document] - 1, 0)
        number = texts.first_token[self.document] + np.clip(token, 0, last)
        return values[number] if len(values) else np.zeros_like(number)

    def column(self, name: str) -> Column:
        """The value of a token column at the first token of each mention; zeros have their own."""
        column = self.tokens.column(name)
        if not self.zero.any():
            return Column(column.code[self.token], column.values)
        # An empty node before the first word of a document has no token before it.
        at = np.where(self.zero if name in _ZERO_VALUES else self.start < 0, -1, self.token)
        code = np.append(column.code, len(column.values))[at]
        return Column(code, (*column.values, _ZERO_VALUES.get(name, "")))

    @cached_property
    def in_texts(self) -> Corpus:
        """The corpus with the documents of the key, also where these are cut into windows."""
        if self.document is self.window:
            return self.corpus
        document = np.empty_like(self.document)
        document[self.row] = self.document
        key = self.tokens.corpus
        return replace(self.corpus, names=key.names, tokens=key.tokens, document=document)

    @cached_property
    def key_entity(self) -> IntArray:
        """The entity of the whole key to which each mention belongs; int64 (mentions,).

        In a response it is that of the partner, −1 where there is none.
        """
        if self.partners is not None:
            key, row = self.partners()
            return np.append(key.key_entity, -1)[row]
        if self.document is self.window and self.corpus.labels == self.tokens.corpus.labels:
            return self.entity  # nothing was cut or left out; ids need not be unique
        # Where documents are cut, or mentions left out, entities are found by their ids.
        whole, mine = (
            zip(corpus.entity_document.tolist(), corpus.labels, strict=True)
            for corpus in (self.tokens.corpus, self.in_texts)
        )
        number = {identity: entity for entity, identity in enumerate(whole)}
        return np.array([number[identity] for identity in mine], dtype=np.int64)[self.entity]

    @cached_property
    def zero(self) -> BoolArray:
        """Which mentions are empty nodes, bool (mentions,)."""
        return zero_numbers(self.corpus)[self.row] > 0

    @property
    def tagset(self) -> Tagset:
        """The tagset that decides what nouns and pronouns are."""
        if isinstance(self.chosen, Tagset):
            return self.chosen
        return self.tokens.tagset if self.chosen == "auto" else TAGSETS[self.chosen]

    @property
    def by_list(self) -> bool:
        """Whether a word list decides what pronouns are: a language is chosen, tags are unknown."""
        return self.tokens.language_chosen and self.tokens.known_tagset(self.chosen) is None

    @cached_property
    def nominal(self) -> BoolArray:
        """Whether each mention is nominal: a noun, or more than one token; bool (mentions,).

        With a list of pronouns, all mentions are nominal that are not on the list.
        """
        if self.by_list:
            pronoun = self.column("word").holds(language(self.tokens.language or "").is_pronoun)
            return (self.end > self.start) | ~(pronoun | self.zero)
        if self.tagset.nominal:
            nominal = np.asarray(self.tagset.nominal(self), dtype=bool)
            if nominal.shape != (len(self),):
                sizes = f"{nominal.shape} values for {len(self)} mentions"
                raise UsageError(f"nominal of the tagset {self.tagset}: {sizes}")
            return nominal
        noun = self.column("pos").holds(self.tagset.noun)
        return (self.end > self.start) | (noun & ~self.zero)

    @cached_property
    def pronoun(self) -> BoolArray:
        """Whether each mention is one token tagged as a pronoun, or a zero; bool (mentions,)."""
        if self.by_list:
            return ~self.nominal
        return ~self.nominal & (self.column("pos").holds(self.tagset.pronoun) | self.zero)

    @cached_property
    def previous(self) -> IntArray:
        """The mention before each in its chain, −1 for the first; int64 (mentions,)."""
        previous = np.arange(-1, len(self) - 1)
        previous[self.first] = -1
        return previous

    @cached_property
    def nominal_before(self) -> IntArray:
        """The closest nominal before each mention in its chain, or −1; int64 (mentions,)."""
        return last_before(self.nominal, self.first[self.entity])

    @cached_property
    def anchor(self) -> IntArray:
        """The first nominal of each chain, or −1; int64 (entities,)."""
        anchor = np.full(self.corpus.entities, -1, dtype=np.int64)
        backwards = np.flatnonzero(self.nominal)[::-1]
        anchor[self.entity[backwards]] = backwards
        return anchor

    @cached_property
    def in_nominal_chain(self) -> BoolArray:
        """Whether there is a nominal in the chain of each mention; bool (mentions,)."""
        return (self.anchor >= 0)[self.entity]

    @cached_property
    def own_name(self) -> IntArray:
        """The class of the named entity with the span of each mention, or −1; int64 (mentions,).

        Classes are indices into `tokens.name_spans.labels`.
        """
        return self.tokens.name_over(self.document, self.start, self.end)

    @cached_property
    def entity_name(self) -> IntArray:
        """The named entity class of each chain, or −1; int64 (entities,).

        It is that of the anchor, else that of its mentions if these have only one class.
        """
        names = self.own_name
        named = np.flatnonzero(names >= 0)
        lowest = np.full(self.corpus.entities, len(self.tokens.name_spans.labels))
        highest = np.full(self.corpus.entities, -1)
        np.minimum.at(lowest, self.entity[named], names[named])
        np.maximum.at(highest, self.entity[named], names[named])
        shared = np.where(lowest == highest, highest, -1)
        anchored = np.where(self.anchor >= 0, np.append(names, -1)[self.anchor], -1)
        return np.where(anchored >= 0, anchored, shared)


def last_before(holds: BoolArray, begin: IntArray) -> IntArray:
    """For each row the last one before it, not before `begin`, where `holds` is true; else −1.

    >>> last_before(np.array([True, False, True]), np.array([0, 0, 2])).tolist()
    [-1, 0, -1]
    """
    last = np.maximum.accumulate(np.where(holds, np.arange(len(holds)), -1))
    before = np.concatenate(([-1], last))[:-1]
    return np.where(before >= begin, before, -1)


def sentence_of_mentions(chains: Chains) -> IntArray:
    """The sentence of each mention, numbered in its document; int64 (mentions,), rows as in chains.

    It is that of the first token; for zeros, that of their dependencies.
    """
    number = chains.tokens.sentence_in_document
    sentence = chains.at_token(number, chains.start)
    if not chains.zero.any():
        return sentence
    # A mention that begins with an empty node and has words is in the sentence of its last word.
    sentence = np.where(chains.zero, chains.at_token(number, chains.end), sentence)
    dependencies = chains.corpus.dependencies
    if dependencies is not None:
        at = ranks_of(chains.row)[dependencies.parents.row]
        is_zero = chains.zero[at]
        sentence[at[is_zero]] = dependencies.sentence[is_zero]
    return sentence


@frozen(eq=False)
class ComparedChains:
    """Both sides, with the tokens of the key.

    Attributes:
        key_corpus, response_corpus: as scored: the same documents, no span twice on a side.
        tokens: the token columns of the key.
        tagset: a tagset, the name of one, or "auto".
        pairs: the matched rows of the two.
        texts: int64 (documents,), the document of the key that each document is a window of, if
            documents are cut.
    """

    key_corpus: Corpus
    response_corpus: Corpus
    tokens: KeyTokens
    tagset: str | Tagset
    pairs: Pairs
    texts: IntArray | None = None

    @cached_property
    def key(self) -> Chains:
        """The key's chains of more than one mention; application scores ignore its singletons."""
        chosen = self.key_corpus.take(self.in_chains)
        return Chains(chosen, self.tokens, self.tagset, self.texts)

    @cached_property
    def in_chains(self) -> BoolArray:
        """Whether the entity of each key mention has more than one mention; bool (key mentions,).

        A split antecedent is not a mention here, unlike in the metrics of entities.
        """
        return self.key_corpus.entity_size[self.key_corpus.entity] > 1

    @cached_property
    def all_key(self) -> Chains:
        """The key's chains, including its singletons."""
        return Chains(self.key_corpus, self.tokens, self.tagset, self.texts)

    @cached_property
    def response(self) -> Chains:
        """The response's chains."""
        chains = Chains(self.response_corpus, self.tokens, self.tagset, self.texts)
        chains.partners = lambda: (self.all_key, self.all_partners[1])
        return chains

    @cached_property
    def in_response(self) -> IntArray:
        """The row of each mention of `key` in `response`, or −1."""
        return self.all_partners[0][self.in_chains[self.all_key.row]]

    @cached_property
    def in_key(self) -> IntArray:
        """The row of each mention of `response` in `key`, or −1."""
        kept = self.in_chains[self.all_key.row]
        return at(np.where(kept, np.cumsum(kept) - 1, -1), self.all_partners[1])

    @cached_property
    def all_partners(self) -> tuple[IntArray, IntArray]:
        """The row of each mention of `all_key` in `response`, or −1, and the other way round."""
        key_row = ranks_of(self.all_key.row)[self.pairs.key]
        response_row = ranks_of(self.response.row)[self.pairs.response]
        to_response = np.full(len(self.all_key), -1, dtype=np.int64)
        to_key = np.full(len(self.response), -1, dtype=np.int64)
        to_response[key_row], to_key[response_row] = response_row, key_row
        return to_response, to_key


def at(values: IntArray, index: IntArray) -> IntArray:
    """values[index], and −1 where the index is −1.

    >>> at(np.array([5, 7]), np.array([1, -1])).tolist()
    [7, -1]
    """
    return np.append(values, -1)[index]

"""Tokens: the annotation layers of a corpus, in columns and as documents, sentences and trees.

Everything is read and made on demand.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import zip_longest
from typing import NamedTuple, overload

import numpy as np

from corefkit.core.arrays import IntArray, tuples
from corefkit.core.carriers import frozen
from corefkit.core.corpus import BEFORE_SENTENCE, Corpus
from corefkit.core.incidents import Collector
from corefkit.core.names import split_name
from corefkit.core.source import NAMES, Column
from corefkit.core.texts import shorten
from corefkit.core.tokens import TokenColumns
from corefkit.corpora.trees import LabelledSpan, Leaf, Tree, make_tree
from corefkit.formats.conll.lines import ARGUMENTS, count_columns, read_arguments
from corefkit.formats.conll.trees import BrokenBrackets, Spans, find_spans


class Tokens(TokenColumns):
    """All tokens of a corpus, numbered through the documents, with their annotation layers.

    Attributes are `Column`s (`word`, `pos`, `parse`, `lemma`, `frameset`, `sense`, `speaker`, `ne`,
    `coreference` …) and arrays (tokens,), read on demand. DataError is raised where a file lacks a
    column or its brackets are broken. `errors` says how to decode bytes that are not UTF-8;
    "surrogateescape" keeps them.

    >>> import corefkit
    >>> tokens = Tokens(corefkit.read("examples/key.conll"))
    >>> len(tokens), tokens.pos.to_list()[:3]
    (888, ['DT', 'NN', 'NN'])
    >>> print(next(tokens.documents()).sentences[0].names)
    [LabelledSpan(start=4, end=5, label='GPE'), LabelledSpan(start=8, end=9, label='TIME'), \
LabelledSpan(start=17, end=18, label='TIME')]
    """

    def __init__(self, corpus: Corpus, errors: str = "replace") -> None:
        super().__init__(corpus, errors)
        self._spans: dict[str, tuple[Spans, BrokenBrackets]] = {}

    def __getattr__(self, name: str) -> Column:
        if name not in NAMES:
            raise AttributeError(f"Tokens have no column {name!r}")
        return self.column(name)

    @cached_property
    def constituents(self) -> Spans:
        """The constituents of the trees, from the parse bits, without the tags of words."""
        return _sound(self, "parse", *self.spans("parse"))

    @cached_property
    def names(self) -> Spans:
        """The named entities; the label is the type."""
        return _sound(self, "ne", *self.spans("ne"))

    def spans(self, name: str) -> tuple[Spans, BrokenBrackets]:
        """The spans of a column of brackets, and where its brackets are broken; cached."""
        if name not in self._spans:
            self._spans[name] = find_spans(self.column(name), self.sentence)
        return self._spans[name]

    @cached_property
    def arguments(self) -> list[Spans]:
        """The predicate arguments, column by column; the predicate itself has the label `V`.

        A sentence has as many columns as predicates. Raises DataError where lines differ in their
        columns, or brackets are broken.
        """
        _check_widths(self)
        columns = []
        for number, (token, cells) in enumerate(read_arguments(self.corpus)):
            spans, broken = find_spans(cells, self.sentence[token])
            moved = BrokenBrackets(*(token[places] for places in broken))
            _sound(self, "arguments", spans, moved, ARGUMENTS + number)
            columns.append(replace(spans, first=token[spans.first], last=token[spans.last]))
        return columns

    @cached_property
    def mention_rows(self) -> list[IntArray]:
        """The mentions of each document in text order, as rows of the corpus."""
        return self.corpus.rows_of_documents(self.corpus.text_order)

    @cached_property
    def mention_first(self) -> IntArray:
        """The first token of each mention, int64 (mentions,), numbered through the documents."""
        return self.corpus.start + self.document_start[self.corpus.document]

    @property
    def sentence_of_mentions(self) -> IntArray:
        """The sentence of each mention, int64 (mentions,).

        An empty node before the first word of a sentence belongs to that sentence.
        """
        corpus, before = self.corpus, np.zeros(self.corpus.mentions, dtype=np.int64)
        if corpus.zero is not None:
            before += corpus.zero > BEFORE_SENTENCE
        for row, nodes in corpus.parts or ():
            before[row] = nodes[0][1] > BEFORE_SENTENCE
        sentence: IntArray = self.sentence[self.mention_first + before]
        return sentence

    @cached_property
    def mention_last(self) -> IntArray:
        """The last token of each mention, int64 (mentions,), numbered through the documents."""
        return self.corpus.end + self.document_start[self.corpus.document]

    def documents(self) -> Iterator["Document"]:
        """The documents one by one, with sentences, tokens and trees as objects."""
        return (Document(self, number) for number in range(len(self.corpus.names)))

    @cached_property
    def widths(self) -> IntArray:
        """The number of columns of each token, int64 (tokens,)."""
        return count_columns(self.corpus)

    def holds(self, name: str) -> bool:
        """Whether the column with this name is a column of brackets, sound or broken.

        Files with other columns may have something else there, most of it without brackets.
        """
        if not self.has(name):
            return False
        spans, broken = self.spans(name)
        column = self.column(name)
        plain = np.array([not set("()") & set(value) for value in column.values], dtype=bool)
        without_brackets = int(plain[column.code[broken.malformed]].sum()) if len(plain) else 0
        return (len(spans) > 0 or bool(broken)) and 2 * without_brackets <= len(self)


class Token(NamedTuple):
    """One line of the file; columns that the file lacks are None."""

    word: str | None
    pos: str | None
    parse: str | None
    lemma: str | None
    frameset: str | None
    sense: str | None
    speaker: str | None
    ne: str | None
    coreference: str | None


@frozen
class Proposition:
    """A predicate and its arguments, spans of the sentence; `token` is None where unknown."""

    token: int | None
    lemma: str
    frameset: str
    arguments: tuple[LabelledSpan, ...]


class Sentence:
    """A sentence: lists with one entry per token, a tree, names, propositions and mentions.

    Spans count the tokens of the sentence from 0 and include both ends.
    """

    def __init__(self, tokens: Tokens, number: int) -> None:
        self._tokens = tokens
        self._number = number
        self._first = int(tokens.sentence_start[number])
        self._stop = int(tokens.sentence_start[number + 1])

    def __len__(self) -> int:
        return self._stop - self._first

    def column(self, name: str) -> list[str]:
        """One column of the sentence: "word", "pos" …."""
        column = self._tokens.column(name)
        return [column.values[c] for c in column.code[self._first : self._stop].tolist()]

    @property
    def words(self) -> list[str]:
        """The words."""
        return self.column("word")

    @property
    def start(self) -> int:
        """The number of the first token in the document."""
        document = self._tokens.document[self._first]
        return self._first - int(self._tokens.document_start[document])

    @property
    def line(self) -> int:
        """The line of the file on which the sentence begins."""
        return int(self._tokens.line[self._first])

    @property
    def tokens(self) -> list[Token]:
        """The tokens with all their columns."""
        has = self._tokens.has
        columns = [self.column(n) if has(n) else [None] * len(self) for n in Token._fields]
        return [Token(*values) for values in zip(*columns, strict=True)]

    @property
    def tree(self) -> Tree:
        """The tree, rebuilt from the parse bits."""
        leaves = map(Leaf, self.column("pos"), self.words)
        return make_tree(self.constituents, list(leaves))

    @property
    def constituents(self) -> list[LabelledSpan]:
        """The constituents, outer ones first."""
        return self._inside(self._tokens.constituents)

    @property
    def names(self) -> list[LabelledSpan]:
        """The named entities."""
        return self._inside(self._tokens.names)

    def _inside(self, spans: Spans) -> list[LabelledSpan]:
        return _inside(spans, self._first, self._stop)

    @property
    def propositions(self) -> list[Proposition]:
        """The predicates with their arguments, in the order of the argument columns."""
        lemma, frameset = self.column("lemma"), self.column("frameset")
        frames = [i for i, f in enumerate(frameset) if f not in ("-", "_")]
        columns = max(int(self._tokens.widths[self._first]) - ARGUMENTS - 1, 0)
        arguments = map(self._inside, self._tokens.arguments[:columns])
        propositions = []
        for frame, listed in zip_longest(frames, arguments):
            spans = listed or []
            if frame is None and not spans:
                continue
            token = next((span.start for span in spans if span.label == "V"), frame)
            names = (lemma[token], frameset[token]) if token is not None else ("-", "-")
            propositions.append(Proposition(token, *names, tuple(spans)))
        return propositions

    @property
    def mentions(self) -> list[LabelledSpan]:
        """The mentions that begin in the sentence, in text order; the label is the entity's id."""
        number = int(self._tokens.document[self._first])
        shift = self.start
        return [
            LabelledSpan(span.start - shift, span.end - shift, span.label)
            for span in _mentions(self._tokens, number)
            if shift <= span.start < shift + len(self)
        ]

    def __str__(self) -> str:
        return " ".join(self.words)


class Document(Sequence[Sentence]):
    """A document (in OntoNotes: a part) as a sequence of sentences."""

    def __init__(self, tokens: Tokens, number: int) -> None:
        self._tokens, self.number = tokens, number
        self.name = tokens.corpus.names[number]
        self.id, self.part = split_name(self.name)
        self._bounds = tokens.document_start[number : number + 2].tolist()
        first, stop = np.searchsorted(tokens.sentence_start[:-1], self._bounds).tolist()
        self._sentences = [Sentence(tokens, sentence) for sentence in range(first, stop)]

    @property
    def sentences(self) -> "Document":
        """The sentences: the document itself."""
        return self

    @cached_property
    def mentions(self) -> list[LabelledSpan]:
        """The mentions in text order, counted in tokens of the document; labels are entity ids."""
        return _mentions(self._tokens, self.number)

    @property
    def names(self) -> list[LabelledSpan]:
        """The named entities, counted in tokens of the document."""
        return _inside(self._tokens.names, *self._bounds)

    def __len__(self) -> int:
        return len(self._sentences)

    @overload
    def __getitem__(self, place: int) -> Sentence: ...
    @overload
    def __getitem__(self, place: slice) -> list[Sentence]: ...
    def __getitem__(self, place: int | slice) -> Sentence | list[Sentence]:
        return self._sentences[place]

    def __repr__(self) -> str:
        return f"Document({self.name!r}, {len(self)} sentences)"


def _mentions(tokens: Tokens, document: int) -> list[LabelledSpan]:
    corpus = tokens.corpus
    return [
        LabelledSpan(int(corpus.start[m]), int(corpus.end[m]), corpus.labels[int(corpus.entity[m])])
        for m in tokens.mention_rows[document].tolist()
    ]


def _inside(spans: Spans, first: int, stop: int) -> list[LabelledSpan]:
    """The spans that begin from token `first` to before `stop`, counted from `first`."""
    inside = spans.between(first, stop)
    columns = (spans.first[inside] - first, spans.last[inside] - first, spans.label[inside])
    return [LabelledSpan(start, end, spans.labels[i]) for start, end, i in tuples(*columns)]


_WHAT = {"parse": "parse bits", "ne": "named entities", "arguments": "predicate arguments"}

_BRACKETS = {
    "brackets-malformed": "such as (NP*, * or *)",
    "brackets-unopened": "no more closing brackets than open ones, sentence by sentence",
    "brackets-unclosed": "a closing bracket before the sentence ends",
}
"""The incidents of broken brackets, and what each expects."""


def _check_widths(tokens: "Tokens") -> None:
    """Raise DataError where the lines of one sentence differ in the number of columns."""
    width = tokens.widths
    expected = width[tokens.sentence_start[:-1]][tokens.sentence]
    collector = Collector()
    for token in np.flatnonzero(width != expected).tolist():
        collector.note(
            "columns-differ",
            at=partial(tokens.place, token),
            found=f"{int(width[token])} columns",
            expected=f"{int(expected[token])}, as in the first line of the sentence",
        )
    collector.check()


def _sound(
    tokens: "Tokens", name: str, spans: Spans, broken: BrokenBrackets, place: int | None = None
) -> Spans:
    """The spans of a column; DataError where its brackets are broken.

    `place` is the number of the column, if there are several with that name.
    """
    collector = Collector()
    for kind, expected in _BRACKETS.items():
        for token in getattr(broken, kind.removeprefix("brackets-")).tolist():
            text = f"column {(place or 0) + 1}"
            if place is None:
                column = tokens.column(name)
                text = shorten(column.values[int(column.code[token])])
            at = partial(tokens.place, token)
            collector.note(kind, at=at, what=_WHAT[name], found=text, expected=expected)
    collector.check()
    return spans

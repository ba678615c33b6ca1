"""A corpus as objects: documents, sentences, tokens, trees, names, propositions and mentions.

`Tokens` has the same in columns; everything is read and made on demand.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import zip_longest
from typing import NamedTuple, overload

import numpy as np

from corefkit.core.arrays import IntArray, tuples
from corefkit.core.brackets import BrokenBrackets, Spans, check_brackets, find_spans
from corefkit.core.carriers import frozen
from corefkit.core.incidents import Collector
from corefkit.core.names import split_name
from corefkit.core.tokens import Tokens
from corefkit.corpora.trees import LabelledSpan, Leaf, Tree, make_tree
from corefkit.formats.conll.lines import ARGUMENTS, count_columns
from corefkit.formats.conll.lines import read_arguments as argument_columns


def documents(tokens: Tokens) -> Iterator["Document"]:
    """The documents one by one, with sentences, tokens and trees as objects.

    >>> import corefkit
    >>> print(next(documents(Tokens(corefkit.read("examples/key.conll")))).sentences[0].names)
    [LabelledSpan(start=4, end=5, label='GPE'), LabelledSpan(start=8, end=9, label='TIME'), \
LabelledSpan(start=17, end=18, label='TIME')]
    """
    layers = _Arguments(tokens)
    return (Document(tokens, layers, number) for number in range(len(tokens.corpus.names)))


def read_arguments(tokens: Tokens) -> list[Spans]:
    """The predicate arguments, column by column; the predicate itself has the label `V`.

    A sentence has as many columns as predicates. Raises DataError where lines differ in their
    columns, or brackets are broken.
    """
    return _Arguments(tokens).spans


class _Arguments:
    """The predicate arguments of a corpus, which are found once, when a sentence needs them."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens

    @cached_property
    def widths(self) -> IntArray:
        """int64 (tokens,): the number of columns of each token."""
        return count_columns(self._tokens.corpus)

    @cached_property
    def spans(self) -> list[Spans]:
        """The spans of each column."""
        tokens = self._tokens
        self._check_widths()
        columns = []
        for number, (token, cells) in enumerate(argument_columns(tokens.corpus), ARGUMENTS + 1):
            spans, broken = find_spans(cells, tokens.sentence[token])
            moved = BrokenBrackets(*(token[cells_of_kind] for cells_of_kind in broken))
            check_brackets("arguments", moved, f"column {number}", tokens.place)
            columns.append(replace(spans, first=token[spans.first], last=token[spans.last]))
        return columns

    def _check_widths(self) -> None:
        """Raise DataError where the lines of one sentence differ in the number of columns."""
        tokens, width = self._tokens, self.widths
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

    def __init__(self, tokens: Tokens, arguments: _Arguments, number: int) -> None:
        self._tokens, self._arguments = tokens, arguments
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
        columns = max(int(self._arguments.widths[self._first]) - ARGUMENTS - 1, 0)
        arguments = map(self._inside, self._arguments.spans[:columns])
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

    def __init__(self, tokens: Tokens, arguments: _Arguments, number: int) -> None:
        self._tokens, self.number = tokens, number
        self.name = tokens.corpus.names[number]
        self.id, self.part = split_name(self.name)
        self._bounds = tokens.document_start[number : number + 2].tolist()
        first, stop = np.searchsorted(tokens.sentence_start[:-1], self._bounds).tolist()
        self._sentences = [Sentence(tokens, arguments, sentence) for sentence in range(first, stop)]

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
    def __getitem__(self, index: int) -> Sentence: ...
    @overload
    def __getitem__(self, index: slice) -> list[Sentence]: ...
    def __getitem__(self, index: int | slice) -> Sentence | list[Sentence]:
        return self._sentences[index]

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

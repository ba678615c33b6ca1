"""Documents, sentences and tokens as objects, made from the columns when they are looked at."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import NamedTuple, overload

import numpy as np

from corefkit.core.arrays import tuples
from corefkit.core.names import split_name
from corefkit.corpora.tokens import Tokens
from corefkit.corpora.trees import LabelledSpan, Leaf, Tree, make_tree
from corefkit.formats.columns.spans import Spans
from corefkit.formats.columns.tokens import ARGUMENTS


class Token(NamedTuple):
    """One line of the file; what the file lacks is None."""

    word: str | None
    pos: str | None
    parse: str | None
    lemma: str | None
    frameset: str | None
    sense: str | None
    speaker: str | None
    ne: str | None
    coreference: str | None


@dataclass(frozen=True)
class Proposition:
    """A predicate and its arguments: spans of the sentence; `token` is None if it is not told."""

    token: int | None
    lemma: str
    frameset: str
    arguments: tuple[LabelledSpan, ...]


class Sentence:
    """A sentence: lists with one entry a token, a tree, names, propositions and mentions.

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
        """One column of the sentence: "word", "pos", … as in `data.columns.NAMES`."""
        column = self._tokens.column(name)
        return [column.values[c] for c in column.code[self._first : self._stop].tolist()]

    @property
    def words(self) -> list[str]:
        """The words."""
        return self.column("word")

    @property
    def start(self) -> int:
        """The number of its first token in the document."""
        document = self._tokens.document[self._first]
        return self._first - int(self._tokens.document_start[document])

    @property
    def line(self) -> int:
        """The line of the file on which it begins."""
        return int(self._tokens.line[self._first])

    @property
    def tokens(self) -> list[Token]:
        """The tokens with all their columns; columns beyond those of the file are None."""
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
            at = next((span.start for span in spans if span.label == "V"), frame)
            names = (lemma[at], frameset[at]) if at is not None else ("-", "-")
            propositions.append(Proposition(at, *names, tuple(spans)))
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
    """The spans that begin at these tokens, counted from the first of them."""
    inside = spans.between(first, stop)
    columns = (spans.first[inside] - first, spans.last[inside] - first, spans.label[inside])
    return [LabelledSpan(start, end, spans.labels[i]) for start, end, i in tuples(*columns)]

"""Tokens: every annotation layer of a corpus in columns, each read when it is first asked for.

What is wrong with columns of tokens, told with file and line.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from corefkit.core.arrays import EMPTY, IntArray, starts_of_runs
from corefkit.core.corpus import BEFORE_SENTENCE, Corpus
from corefkit.core.incidents import Collector, DataError, Place
from corefkit.core.source import NAMES, Column, sentence_numbers
from corefkit.core.source import read_columns as read_any_columns
from corefkit.core.texts import shorten
from corefkit.formats import format_of
from corefkit.formats.columns.spans import Defects, Spans, find_spans
from corefkit.formats.columns.tokens import ARGUMENTS, count_columns, read_arguments, read_columns

if TYPE_CHECKING:
    from corefkit.corpora.views import Document

_WHAT = {"parse": "parse bits", "ne": "named entities", "arguments": "predicate arguments"}

_BRACKETS = {
    "brackets-malformed": "such as (NP*, * or *)",
    "brackets-unopened": "no more closing brackets than open ones, sentence by sentence",
    "brackets-unclosed": "a closing bracket before the sentence ends",
}
"""What can be wrong with brackets, and what is expected instead."""


def check_widths(tokens: "Tokens") -> None:
    """Raise DataError where the lines of one sentence differ in the number of columns."""
    width = tokens.widths
    expected = width[tokens.sentence_start[:-1]][tokens.sentence]
    found = Collector()
    for token in np.flatnonzero(width != expected).tolist():
        found.note(
            "columns-differ",
            at=partial(tokens.place, token),
            found=f"{int(width[token])} columns",
            expected=f"{int(expected[token])}, as in the first line of the sentence",
        )
    found.check()


def sound(
    tokens: "Tokens", name: str, spans: Spans, defects: Defects, place: int | None = None
) -> Spans:
    """The spans of a column, if there are no defects; else DataError says where they are.

    `place` is where the column stands, if it is one of several of that name.
    """
    found = Collector()
    for kind, expected in _BRACKETS.items():
        for token in getattr(defects, kind.removeprefix("brackets-")).tolist():
            text = f"column {(place or 0) + 1}"
            if place is None:
                column = tokens.column(name)
                text = shorten(column.values[int(column.code[token])])
            told = {"what": _WHAT[name], "found": text, "expected": expected}
            found.note(kind, at=partial(tokens.place, token), **told)
    found.check()
    return spans


class Tokens:
    """All tokens of a corpus, numbered through the documents, with their columns.

    Attributes are `Column`s named as in `data.columns.NAMES` (`word`, `pos`, `parse`, `lemma`,
    `frameset`, `sense`, `speaker`, `ne`, `coreference` …) and arrays (tokens,). Nothing is read
    before it is asked for; DataError says where a file lacks a column or its brackets are broken.
    `errors` is what becomes of bytes that are not UTF-8: "surrogateescape" keeps them.

    >>> import corefkit
    >>> tokens = Tokens(corefkit.read("examples/key.conll"))
    >>> len(tokens), tokens.pos.to_list()[:3]
    (888, ['DT', 'NN', 'NN'])
    >>> print(next(tokens.documents()).sentences[0].names)
    [LabelledSpan(start=4, end=5, label='GPE'), LabelledSpan(start=8, end=9, label='TIME'), \
LabelledSpan(start=17, end=18, label='TIME')]
    """

    def __init__(self, corpus: Corpus, errors: str = "replace") -> None:
        self.corpus = corpus
        self._errors = errors
        self._columns: dict[str, Column] = {}
        self._spans: dict[str, tuple[Spans, Defects]] = {}

    def __len__(self) -> int:
        return int(self.document_start[-1])

    def load(self, *names: str) -> "Tokens":
        """Read several columns together, which is faster than one after the other."""
        missing = [name for name in names if name not in self._columns]
        if missing:
            columns = (
                read_columns(self.corpus.sources, missing, self._errors)
                if self.corpus.sources and self._conll
                else read_any_columns(self.corpus, *missing)
            )
            self._columns |= dict(zip(missing, columns, strict=True))
        return self

    def column(self, name: str) -> Column:
        """The column of this name, read now if it has not been yet."""
        return self.load(name)._columns[name]

    def __getattr__(self, name: str) -> Column:
        if name not in NAMES:
            raise AttributeError(f"Tokens have no column {name!r}")
        return self.column(name)

    @property
    def _conll(self) -> bool:
        """Whether the columns are those of CoNLL files."""
        return all(format_of(source).columns for source in self.corpus.sources)

    @cached_property
    def document_start(self) -> IntArray:
        """The first token of each document, int64 (documents + 1,), and behind them the end.

        A corpus made in Python has no tokens, nor has one of files that do not list them.
        """
        known = (self.corpus.tokens > 0) & bool(self.corpus.sources)
        return np.concatenate(([0], np.cumsum(np.where(known, self.corpus.tokens, 0))))

    @cached_property
    def document(self) -> IntArray:
        """The document of each token, int64 (tokens,)."""
        return np.repeat(np.arange(len(self.corpus.names)), np.diff(self.document_start))

    @cached_property
    def line(self) -> IntArray:
        """The line (from 1) of its file on which each token stands, int64 (tokens,); 0: unknown."""
        line = np.zeros(len(self), dtype=np.int64)
        for source in self.corpus.sources:
            numbers = source.format.token_lines(source)
            if numbers is not None:
                first = self.document_start[source.first_document]
                line[first : first + len(numbers)] = numbers
        return line

    @cached_property
    def sentence_start(self) -> IntArray:
        """The first token of each sentence, int64 (sentences + 1,), and behind them the end."""
        numbers = sentence_numbers(self.corpus) if self.corpus.sources else EMPTY
        return np.append(starts_of_runs(numbers), len(self))

    @cached_property
    def sentence(self) -> IntArray:
        """The sentence of each token, int64 (tokens,), numbered through the documents."""
        return np.repeat(np.arange(len(self.sentence_start) - 1), np.diff(self.sentence_start))

    @cached_property
    def constituents(self) -> Spans:
        """The constituents of the trees, from the parse bits; words and their tags are no spans."""
        return sound(self, "parse", *self.spans("parse"))

    @cached_property
    def names(self) -> Spans:
        """The named entities; the label is the type."""
        return sound(self, "ne", *self.spans("ne"))

    def spans(self, name: str) -> tuple[Spans, Defects]:
        """The spans of a column of brackets, and where it is broken; found once."""
        if name not in self._spans:
            self._spans[name] = find_spans(self.column(name), self.sentence)
        return self._spans[name]

    @cached_property
    def arguments(self) -> list[Spans]:
        """The predicate arguments, column by column; the predicate itself is `V`.

        Sentences have as many columns as predicates. DataError where lines or brackets are broken.
        """
        check_widths(self)
        found = []
        for number, (token, cells) in enumerate(read_arguments(self.corpus)):
            spans, defects = find_spans(cells, self.sentence[token])
            moved = Defects(*(token[places] for places in defects))
            sound(self, "arguments", spans, moved, ARGUMENTS + number)
            found.append(replace(spans, first=token[spans.first], last=token[spans.last]))
        return found

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
        found: IntArray = self.sentence[self.mention_first + before]
        return found

    @cached_property
    def mention_last(self) -> IntArray:
        """The last token of each mention, int64 (mentions,), numbered through the documents."""
        return self.corpus.end + self.document_start[self.corpus.document]

    def documents(self) -> Iterator["Document"]:
        """The documents one by one, with sentences, tokens and trees as objects."""
        from corefkit.corpora.views import Document

        return (Document(self, number) for number in range(len(self.corpus.names)))

    @cached_property
    def widths(self) -> IntArray:
        """How many columns each token has, int64 (tokens,)."""
        return count_columns(self.corpus)

    def has(self, *names: str) -> bool:
        """Whether every line of the files has these columns."""
        if not self._conll:
            try:
                self.load(*names)
            except DataError:
                return False
            return True
        fewest = int(self.widths.min(initial=2**31))
        return bool(self.corpus.sources) and max(NAMES[n] for n in names) + 1 < fewest

    def holds(self, name: str) -> bool:
        """Whether there is a column of brackets under this name, sound or broken.

        Files with columns of their own have something else there: most of it has no brackets.
        """
        if not self.has(name):
            return False
        spans, defects = self.spans(name)
        column = self.column(name)
        plain = np.array([not set("()") & set(value) for value in column.values], dtype=bool)
        strange = int(plain[column.code[defects.malformed]].sum()) if len(plain) else 0
        return (len(spans) > 0 or bool(defects)) and 2 * strange <= len(self)

    def place(self, token: int) -> Place:
        """File, line and document of a token."""
        document = int(self.document[token])
        name, source = self.corpus.names[document], self.corpus.source(document)
        if source is None:
            return Place(document=name)
        return Place(source.path, int(self.line[token]), document=name)

"""The tokens of a corpus: their columns, over all files, each read when it is first needed."""

from contextlib import suppress
from functools import cached_property
from typing import Self

import numpy as np

from corefkit.core.arrays import EMPTY, IntArray, starts_of_runs
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import DataError, Place
from corefkit.core.source import Column, TextPieces, column_number, join_columns, no_columns


class TokenColumns:
    """All tokens of a corpus, numbered across its documents, with their columns.

    A column is read when it is first needed, and only once. `errors` says how bytes that are not
    UTF-8 are decoded, as in `bytes.decode`: "surrogateescape" preserves them.
    """

    def __init__(self, corpus: Corpus, errors: str = "replace") -> None:
        self.corpus = corpus
        self._errors = errors
        self._columns: dict[str, Column] = {}
        self._known: dict[str, bool] = {}

    def __len__(self) -> int:
        return int(self.document_start[-1])

    def load(self, *names: str) -> Self:
        """Read several columns together, which is faster than one at a time; return self.

        Raises DataError if one of them is missing.
        """
        wanted = [name for name in dict.fromkeys(names) if name not in self._columns]
        if wanted:
            for name, column in zip(wanted, self._read(*wanted), strict=True):
                self._check(name, column)
                self._columns[name] = column
        return self

    def prefetch(self, *names: str) -> None:
        """Let the files read these columns in one pass, those that may be missing last.

        If a column is missing, it is left out together with all after it.
        """
        for number in range(len(names), 0, -1):
            with suppress(DataError):
                read_columns(self.corpus, *names[:number], errors=self._errors)
                return

    def has(self, *names: str) -> bool:
        """Whether all files have these columns."""
        return bool(self.corpus.sources) and all(map(self._has, names))

    def _has(self, name: str) -> bool:
        if name not in self._known:
            self._known[name] = False
            with suppress(DataError):
                self.load(name)
                self._known[name] = True
        return self._known[name]

    def column(self, name: str) -> Column:
        """The column of this name; raises DataError if it is missing."""
        return self.load(name)._columns[name]

    def _read(self, *names: str) -> list[Column]:
        return read_columns(self.corpus, *names, errors=self._errors)

    def _check(self, name: str, column: Column) -> None:
        """Raise DataError if a column that exists cannot be used; subclasses override this."""

    @cached_property
    def document_start(self) -> IntArray:
        """int64 (documents + 1,): the first token of each document, then the number of tokens.

        A corpus made in Python has no tokens, nor has one whose files do not list them.
        """
        known = (self.corpus.tokens > 0) & bool(self.corpus.sources)
        return np.concatenate(([0], np.cumsum(np.where(known, self.corpus.tokens, 0))))

    @cached_property
    def document(self) -> IntArray:
        """int64 (tokens,): the document of each token."""
        return np.repeat(np.arange(len(self.corpus.names)), np.diff(self.document_start))

    @cached_property
    def line(self) -> IntArray:
        """int64 (tokens,): the line of each token in its file, from 1; 0 if it is unknown."""
        line = np.zeros(len(self), dtype=np.int64)
        for source in self.corpus.sources:
            numbers = source.token_lines()
            if numbers is not None:
                first = self.document_start[source.first_document]
                line[first : first + len(numbers)] = numbers
        return line

    @cached_property
    def sentence_start(self) -> IntArray:
        """int64 (sentences + 1,): the first token of each sentence, then the number of tokens."""
        numbers = sentence_numbers(self.corpus) if self.corpus.sources else EMPTY
        return np.append(starts_of_runs(numbers), len(self))

    @cached_property
    def sentence(self) -> IntArray:
        """int64 (tokens,): the sentence of each token, numbered across the documents."""
        return np.repeat(np.arange(len(self.sentence_start) - 1), np.diff(self.sentence_start))

    @cached_property
    def sentence_in_document(self) -> IntArray:
        """int64 (tokens,): the sentence of each token, numbered from 0 in its document.

        Raises DataError if the files do not mark sentences, or if there are no files.
        """
        number = sentence_numbers(self.corpus)
        first = number[self.corpus.first_token[self.corpus.tokens > 0]]
        return number - np.repeat(first, self.corpus.tokens[self.corpus.tokens > 0])

    def place(self, token: int) -> Place:
        """The file, line and document of a token."""
        document = int(self.document[token])
        name, source = self.corpus.names[document], self.corpus.source(document)
        if source is None:
            return Place(document=name)
        return Place(source.path, int(self.line[token]), document=name)


def read_columns(corpus: Corpus, *names: str | int, errors: str = "replace") -> list[Column]:
    """The named columns, each over all tokens of the corpus in the order of the documents.

    Raises DataError if the corpus was not read from files or if a file lacks a column.
    """
    for name in names:
        column_number(name)
    if corpus.names and not corpus.sources:
        raise no_columns()
    parts = [source.columns(*names, errors=errors) for source in corpus.sources]
    return [join_columns([part[i] for part in parts]) for i in range(len(names))]


def find_words(corpus: Corpus) -> TextPieces | None:
    """The words of all tokens as pieces of bytes, in the order of the documents.

    None if there are no files, or if the format of one cannot locate its words.
    """
    if not corpus.sources:
        return None
    words = [source.words() for source in corpus.sources]
    known = [pieces for pieces in words if pieces is not None]
    return TextPieces.join(known) if len(known) == len(words) else None


def read_columns_at(corpus: Corpus, tokens: IntArray, *names: str | int) -> list[Column]:
    """The named columns of some tokens only.

    `tokens`, int64 (n,), are numbered across the documents and in ascending order. Raises
    DataError as `read_columns` does.
    """
    if corpus.names and not corpus.sources:
        raise no_columns()
    ends = np.append(corpus.first_token, corpus.tokens.sum())
    parts = []
    for source in corpus.sources:
        first, end = ends[[source.first_document, source.first_document + source.documents]]
        low, high = np.searchsorted(tokens, [first, end])
        parts.append(source.columns_at(tokens[low:high] - first, *names))
    return [join_columns([part[i] for part in parts]) for i in range(len(names))]


def sentence_numbers(corpus: Corpus) -> IntArray:
    """int64 (tokens,): the sentence of each token, numbered across the corpus.

    Raises DataError if the files do not mark sentences, or if there are no files.
    """
    parts, before = [EMPTY], 0
    for source in corpus.sources:
        numbers = source.sentences()
        if numbers is None:
            raise no_columns()
        parts.append(numbers + before)
        before += int(numbers.max(initial=-1)) + 1
    if not corpus.sources and corpus.names:
        raise no_columns()
    return np.concatenate(parts)


def document_words(corpus: Corpus) -> list[list[str]]:
    """The words of each document; raises DataError if they are not known."""
    words = _words(corpus)
    ends = np.cumsum(corpus.tokens).tolist()
    return [words[a:b] for a, b in zip([0, *ends], ends, strict=False)]


def _words(corpus: Corpus) -> list[str]:
    """The words of all tokens.

    Files without a word column may have the columns number, word and coreference: if the first
    column holds numbers only, the second one holds the words.
    """
    try:
        return read_columns(corpus, "word")[0].to_list()
    except DataError:
        try:
            number, words = read_columns(corpus, 0, 1)
        except (DataError, ValueError):
            number = None
        if number is None or not all(map(str.isdecimal, number.values)):
            raise
        return words.to_list()


def document_text(corpus: Corpus, document: int) -> str | None:
    """The running text of a document; None if it is not known."""
    source = corpus.source(document)
    return None if source is None else source.text(document - source.first_document)

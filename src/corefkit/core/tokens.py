"""The tokens of a corpus: their columns, sentences and words, over all files, read on demand."""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from copy import copy
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np

from corefkit.core.arrays import EMPTY, IntArray, starts_of_runs, tuples
from corefkit.core.brackets import BrokenBrackets, Spans, check_brackets, find_spans
from corefkit.core.columns import MASKS, Column, column_number, join_columns
from corefkit.core.corpus import BEFORE_SENTENCE, Corpus
from corefkit.core.incidents import DataError, Place
from corefkit.core.source import Source, no_columns
from corefkit.core.text_pieces import TextPieces
from corefkit.core.texts import shorten

EMPTY_NODE = "∅"
"""The text of a mention that is an empty node."""

TRACE = re.compile(r"\*\S*\*(?:-\d+)?|\*-\d+|0")
"""A token of a treebank for a word that is elsewhere, or nowhere."""

BARE_TRACE = "*"
"""A trace in the Arabic treebank, a word elsewhere."""

MOST_WORDS = 50
"""Texts of more than twice as many words are cut: nested mentions would take quadratic space."""


class MentionContext(NamedTuple):
    """The words before a mention, its own and those after it, as texts; "" where there are none."""

    before: str
    text: str
    behind: str

    def shortened(self, width: int) -> "MentionContext":
        """The texts cut between words to `width` characters on each side, with … for the rest.

        >>> MentionContext("the old man saw", "him", "from afar off").shortened(8)
        MentionContext(before='… man saw', text='him', behind='from …')
        """
        before, behind = self.before, self.behind
        if len(before) > width:
            kept = before[-width:]
            before = "… " + kept[kept.find(" ") + 1 :]
        if len(behind) > width:
            behind = behind[: width + 1].rpartition(" ")[0] + " …"
        return MentionContext(before, self.text, behind)


class Tokens:
    """All tokens of a corpus, numbered across its documents, with their columns.

    A column is read when it is first needed, and only once. `errors` says how bytes that are not
    UTF-8 are decoded, as in `bytes.decode`: "surrogateescape" preserves them. Methods that take a
    document and a token count both from 0, the token in its document.

    >>> import corefkit
    >>> tokens = Tokens(corefkit.read("examples/key.conll"))
    >>> len(tokens), tokens.column("pos").to_list()[:3], tokens.words(0, 0, 2)
    (888, ['DT', 'NN', 'NN'], ['The', 'sea', 'wall'])
    """

    def __init__(self, corpus: Corpus, errors: str = "replace") -> None:
        self.corpus = corpus
        self._errors = errors
        self._columns: dict[str, Column] = {}
        self._known: dict[str, bool] = {}
        self._spans: dict[str, tuple[Spans, BrokenBrackets]] = {}

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

    @cached_property
    def unmasked(self) -> bool:
        """Whether there are words, and not all of them are masked: masks cannot be compared."""
        return self.has("word") and not MASKS.issuperset(self.column("word").values)

    def with_tags(self) -> Self:
        """The same tokens to be shown: tags in brackets, if there are any, for masked words."""
        if not self._words or MASKS.isdisjoint(self.column("word").values) or not self.has("pos"):
            return self
        tagged, tags = copy(self), self.column("pos").to_list()
        tagged._words = [
            f"[{tag}]" if word in MASKS else word
            for word, tag in zip(self._words, tags, strict=True)
        ]
        return tagged

    @cached_property
    def _words(self) -> list[str]:
        return self.column("word").to_list() if self.has("word") else []

    @cached_property
    def _bounds(self) -> list[tuple[int, int]]:
        """The first token of each document, and how many it has; a list, for quick look-ups."""
        return list(tuples(self.corpus.first_token, np.maximum(self.corpus.tokens, 0)))

    @cached_property
    def _sentence_or_none(self) -> IntArray | None:
        try:
            return self.sentence_in_document
        except DataError:
            return None

    def words(self, document: int, start: int, end: int) -> list[str]:
        """The words from one token to another, both included, as far as they exist."""
        first, size = self._bounds[document]
        return self._words[first + max(start, 0) : first + min(end + 1, size)]

    def count_words(self, document: IntArray, token: IntArray) -> dict[str, int]:
        """How often each word occurs among these tokens; "" counts tokens that do not exist."""
        corpus, column = self.corpus, self.column("word")
        exists = token < corpus.tokens[document]
        found = column.take((corpus.first_token[document] + token)[exists]).frequency()
        missing = int((~exists).sum())
        known = {word: number for word, number in found.items() if number}
        return {**known, "": known.get("", 0) + missing} if missing else known

    def shown(self, document: int, start: int, end: int) -> str:
        """The words from one token to another, as `abridged` shows them."""
        first, size = self._bounds[document]
        return abridged(self._words, first + max(start, 0), first + min(end + 1, size))

    def text(
        self, document: int, start: int, end: int, nodes: Iterable[tuple[int, int]] | None = None
    ) -> str:
        """The words of a mention, with … between the parts of a discontinuous one, its `nodes`."""
        if nodes is None:
            return " ".join(self.words(document, start, end))
        parts: list[str] = []
        last: int | None = None
        for token, zero in nodes:
            if last is not None and token > last + 1:
                parts.append("…")
            parts += [EMPTY_NODE] if zero else self.words(document, token, token)
            last = token
        return " ".join(parts)

    def sentence_of(self, document: int, token: int) -> int | None:
        """The sentence of a token, numbered in its document; None where it is not known."""
        first, size = self._bounds[document]
        if self._sentence_or_none is None or not size:
            return None
        return int(self._sentence_or_none[first + min(max(token, 0), size - 1)])

    def sentence_bounds(self, document: int, token: int) -> tuple[int, int]:
        """The first and last token of the sentence of a token; 20 on each side where unknown."""
        first, size = self._bounds[document]
        number = self.sentence_of(document, token)
        if number is None or self._sentence_or_none is None:
            return max(token - 20, 0), min(token + 20, size - 1)
        sentences = self._sentence_or_none[first : first + size]
        begin, stop = np.searchsorted(sentences, [number, number + 1])
        return int(begin), int(stop) - 1

    def in_context(
        self, document: int, start: int, end: int, text: str, *, brief: bool = False
    ) -> MentionContext:
        """A mention, whose words are `text`, with the words of its sentence around it.

        If `brief`, there are at most MOST_WORDS on each side.
        """
        begin, stop = self.sentence_bounds(document, start)
        if brief:
            begin, stop = max(begin, start - MOST_WORDS), min(stop, end + MOST_WORDS)
        before = self.words(document, begin, start - (text != EMPTY_NODE))
        behind = self.words(document, end + 1, max(stop, end))
        return MentionContext(" ".join(before), text, " ".join(behind))

    @cached_property
    def constituents(self) -> Spans:
        """The constituents of the trees, from the parse bits, without the tags of words.

        Raises DataError where the brackets of the column are broken.
        """
        return self._sound("parse")

    @cached_property
    def names(self) -> Spans:
        """The named entities; the label is the type. Raises DataError for broken brackets."""
        return self._sound("ne")

    def _sound(self, name: str) -> Spans:
        spans, broken = self.spans(name)
        column = self.column(name)
        check_brackets(
            name, broken, lambda token: shorten(column.values[column.code[token]]), self.place
        )
        return spans

    def spans(self, name: str) -> tuple[Spans, BrokenBrackets]:
        """The spans of a column of brackets, and where its brackets are broken; found once."""
        if name not in self._spans:
            self._spans[name] = find_spans(self.column(name), self.sentence)
        return self._spans[name]

    def has_brackets(self, name: str) -> bool:
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

    @cached_property
    def mention_rows(self) -> list[IntArray]:
        """The mentions of each document in text order, as rows of the corpus."""
        return self.corpus.rows_of_documents(self.corpus.text_order)

    @cached_property
    def mention_first(self) -> IntArray:
        """int64 (mentions,): the first token of each mention, numbered across the documents."""
        return self.corpus.start + self.document_start[self.corpus.document]

    @cached_property
    def mention_last(self) -> IntArray:
        """int64 (mentions,): the last token of each mention, numbered across the documents."""
        return self.corpus.end + self.document_start[self.corpus.document]

    @property
    def mention_sentence(self) -> IntArray:
        """int64 (mentions,): the sentence of each mention.

        An empty node before the first word of a sentence belongs to that sentence.
        """
        corpus, before = self.corpus, np.zeros(self.corpus.mentions, dtype=np.int64)
        if corpus.zero is not None:
            before += corpus.zero > BEFORE_SENTENCE
        for row, nodes in corpus.nodes or ():
            before[row] = nodes[0][1] > BEFORE_SENTENCE
        sentence: IntArray = self.sentence[self.mention_first + before]
        return sentence


def joined(parts: Sequence[str]) -> str:
    """The texts joined by blanks, without empty ones."""
    return " ".join(part for part in parts if part)


def abridged(words: Sequence[str], first: int, stop: int) -> str:
    """words[first:stop] as a text; from more than twice MOST_WORDS only the first and the last."""
    if stop - first <= 2 * MOST_WORDS:
        return " ".join(words[first:stop])
    return " ".join([*words[first : first + MOST_WORDS], "…", *words[stop - MOST_WORDS : stop]])


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
    ends = np.append(corpus.first_token, corpus.tokens_in_all)
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
    ends = np.cumsum(corpus.tokens.clip(0)).tolist()
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


def known_sentences(source: Source) -> IntArray | None:
    """The sentence of each token of a file; None where the ends of sentences are not known.

    In CoNLL files they are known if a document has a blank line.
    """
    return source.sentences() if source.marks_sentences() else None

"""Source: one file a corpus was read from, and what can be asked of it later.

Token columns on demand: the words, tags and so on that plain scoring never looks at.

A column is an array of numbers into its distinct values: a corpus of a million tokens has fifty
tags, and a comparison with a tag is one comparison of arrays.

Tokens of files without columns: words, sentences, speakers and text, as a format lists them.

Sentences: where those of a file are and what they are called, for formats that say so.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from corefkit.core.arrays import EMPTY, BoolArray, ByteArray, IntArray, stretches
from corefkit.core.incidents import DataError, Place, data_error

if TYPE_CHECKING:
    from corefkit.core.corpus import Corpus

Found = TypeVar("Found")


class TokenReader:
    """What a format answers of the tokens of a file, on demand. All methods are optional.

    A format that has token columns overrides `columns`; one that has words but no columns may
    answer the name "word" only. The answers cover all tokens of all documents of the file, in
    order.
    """

    name = "none"

    def columns(self, source: "Source", names: "tuple[str | int, ...]") -> "list[Column] | None":
        """These columns of all tokens; None where the file has no token columns at all.

        Names are those of corefkit.core.source.NAMES or numbers. Raises DataError for one that
        is missing.
        """
        return None

    def sentences(self, source: "Source") -> IntArray | None:
        """int64 (tokens,): the sentence of each token, numbered through the file; None: unknown."""
        return None

    def sentence_list(self, source: "Source") -> "Sentences | None":
        """The sentences with their names and lines; None where the format does not number them.

        Key and response whose formats answer must have the same sentences.
        """
        return None

    def token_lines(self, source: "Source") -> IntArray | None:
        """int64 (tokens,): the line of each token, from 1; None: unknown."""
        return None

    def zeros(self, source: "Source") -> "tuple[IntArray, IntArray] | None":
        """The rows that are no tokens: document, from 0 in the file, and the token before each.

        In order; −1 stands for the beginning of a document. None where the format has none.
        """
        return None

    def heads(self, source: "Source", begin: IntArray, end: IntArray) -> IntArray | None:
        """The head of each span by the trees of the file: token numbers counted through the file.

        −1 for spans of which the trees say nothing; None where there are no trees.
        """
        return None

    def text(self, source: "Source", document: int) -> str | None:
        """The running text of a document, counted from 0 in the file, for character spans."""
        return None


_NO_TOKENS = TokenReader()


@dataclass(frozen=True, eq=False, repr=False)
class Source:
    """One file a corpus was read from: its bytes (unpacked), and which documents it holds.

    `format` answers questions about its tokens; `cache` is for what it found out on the way, e.g.
    the lines of the file, and copies share it.
    `unnamed` are the documents, counted from 0 in the file, that have no name there and are called
    by their position.
    """

    path: str
    data: bytes
    first_document: int
    documents: int
    format: TokenReader = _NO_TOKENS
    unnamed: frozenset[int] = frozenset()
    cache: dict[str, Any] = field(default_factory=dict)

    def once(self, name: str, find: Callable[[], Found]) -> Found:
        """What a function finds, kept in the cache under a name; it is called once."""
        if name not in self.cache:
            self.cache[name] = find()
        found: Found = self.cache[name]
        return found

    def line_of(self, offset: int) -> int:
        """The number (from 1) of the line that holds a byte."""
        buffer = np.frombuffer(self.data, dtype=np.uint8)
        ends = self.once("line ends", lambda: np.flatnonzero(buffer == ord("\n")))
        return int(np.searchsorted(ends, offset)) + 1

    def moved(self, documents: int) -> "Source":
        """The same file where so many documents stand before it."""
        return replace(self, first_document=self.first_document + documents)


def place(document: str, source: Source, offset: int, line: int) -> Place:
    """The line and the column (in characters, from 1) of a byte of a document."""
    begin = source.data.rfind(b"\n", 0, offset) + 1
    before = source.data[begin:offset].decode("utf-8-sig" if begin == 0 else "utf-8", "replace")
    return Place(source.path, line, len(before) + 1, document)


NAMES = {
    "document": 0,
    "part": 1,
    "number": 2,
    "word": 3,
    "pos": 4,
    "parse": 5,
    "lemma": 6,
    "frameset": 7,
    "sense": 8,
    "speaker": 9,
    "ne": 10,
    "coreference": -1,
}
"""What token columns are called. The numbers are their places in the CoNLL-2012 format (Table 12
of its paper, less the predicate arguments); other formats have those that they have."""

NOTHING = frozenset({"", "-", "_", "*"})
"""What stands in a cell without content."""

MASKS = frozenset({"[WORD]", "___"})
"""What stands for a word that may not be published."""


class Column(NamedTuple):
    """One column of all tokens: int64 (tokens,) `code`, an index into the distinct `values`."""

    code: IntArray
    values: tuple[str, ...]

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Column":
        """A column from the values of all tokens.

        >>> Column.of(["a", "b", "a"]).code.tolist()
        [0, 1, 0]
        """
        number: dict[str, int] = {}
        code = [number.setdefault(text, len(number)) for text in texts]
        return cls(np.array(code, dtype=np.int64), tuple(number))

    def to_list(self) -> list[str]:
        """The value of each token."""
        return [self.values[c] for c in self.code.tolist()]

    def numbers(self, number: Callable[[str], int]) -> IntArray:
        """int64 (tokens,): what a function makes of the value of each token.

        >>> Column.of(["a", "bc", "a"]).numbers(len).tolist()
        [1, 2, 1]
        """
        table = np.array([number(value) for value in self.values], dtype=np.int64)
        return table[self.code] if len(table) else self.code

    def holds(self, predicate: Callable[[str], object]) -> BoolArray:
        """bool (tokens,): the tokens of whose values the predicate is true, or as good as true."""
        return self.numbers(lambda value: bool(predicate(value))) > 0

    def is_any(self, *values: str) -> BoolArray:
        """bool (tokens,): the tokens that have one of these values."""
        return self.holds(values.__contains__)


def join_columns(columns: Sequence[Column]) -> Column:
    """Columns of several files as one, equal values with equal numbers."""
    if len(columns) == 1:
        return columns[0]
    number: dict[str, int] = {}
    codes = [EMPTY]
    for column in columns:
        table = [number.setdefault(value, len(number)) for value in column.values]
        codes.append(np.array(table, dtype=np.int64)[column.code])
    return Column(np.concatenate(codes), tuple(number))


def column_number(name: str | int) -> int:
    """The place of a column in the CoNLL-2012 format; ValueError for an unknown name."""
    if isinstance(name, int):
        return name
    if name not in NAMES:
        raise ValueError(f"unknown column {name!r}; there are: {', '.join(NAMES)}")
    return NAMES[name]


def read_columns(corpus: "Corpus", *names: str | int) -> list[Column]:
    """Columns of every token of the corpus, in the order of the documents.

    Raises DataError where the corpus was not made from files or a file lacks a column.
    """
    for name in names:
        column_number(name)
    parts = [source.format.columns(source, names) for source in corpus.sources]
    if (not parts and corpus.names) or any(part is None for part in parts):
        raise no_columns()
    found = [part for part in parts if part is not None]
    return [join_columns([part[i] for part in found]) for i in range(len(names))]


def sentence_numbers(corpus: "Corpus") -> IntArray:
    """The sentence of every token, numbered through the corpus; int64 (tokens,).

    Raises DataError where the corpus was not made from files.
    """
    parts, before = [EMPTY], 0
    for source in corpus.sources:
        numbers = source.format.sentences(source)
        if numbers is None:
            raise no_columns()
        parts.append(numbers + before)
        before += int(numbers.max(initial=-1)) + 1
    if not corpus.sources and corpus.names:
        raise no_columns()
    return np.concatenate(parts)


def no_columns() -> DataError:
    """What to raise for a corpus that was not read from files, so that it has no token columns."""
    return data_error("column-missing", "corpus")


@dataclass(frozen=True, eq=False)
class TokenTable:
    """The tokens of all documents of a file, in order.

    Attributes:
        words: one a token; empty for a file that counts characters, None where they are not known.
        sentences: int64 (tokens,), the sentence of each token, numbered through the file; None
            where sentences are not known.
        speakers: one a token, or None.
        texts: the running text of each document, for a file that counts characters.
    """

    words: Sequence[str] | None = ()
    sentences: IntArray | None = None
    speakers: Sequence[str] | None = None
    texts: Sequence[str] | None = None


class ListedTokens(TokenReader):
    """Answers from a TokenTable."""

    def __init__(self, name: str, table: TokenTable) -> None:
        self.name = name
        self._table = table

    def table(self, source: Source) -> TokenTable:
        """The tokens of the file."""
        return self._table

    def columns(self, source: Source, names: tuple[str | int, ...]) -> list[Column]:
        """The words and the speakers; DataError for all other columns."""
        table = self.table(source)
        having: dict[str | int, Sequence[str] | None] = {"speaker": table.speakers}
        having["word"] = table.words if table.texts is None else None
        found = []
        for name in names:
            texts = having.get(name)
            if texts is None:
                where = f"a file in the format {self.name}"
                raise data_error("column-missing", name=name, file=source.path, found=where)
            found.append(Column.of(texts))
        return found

    def sentences(self, source: Source) -> IntArray | None:
        """The sentence of each token; None where spans count characters."""
        table = self.table(source)
        return table.sentences if table.texts is None else None

    def text(self, source: Source, document: int) -> str | None:
        """The running text of a document, where spans count characters."""
        texts = self.table(source).texts
        return None if texts is None else texts[document]


def run_lengths(values: Iterable[object]) -> list[int]:
    """How often each value stands in a row, e.g. the lengths of sentences from their numbers.

    >>> run_lengths([1, 1, 2, 1])
    [2, 1, 1]
    """
    return [sum(1 for _ in run) for _, run in groupby(values)]


def sentence_of(lengths: Sequence[int]) -> IntArray:
    """The sentence of each token, from the lengths of the sentences.

    >>> sentence_of([2, 0, 1]).tolist()
    [0, 0, 1]
    """
    filled = np.array([length for length in lengths if length], dtype=np.int64)
    return np.repeat(np.arange(len(filled)), filled)


@dataclass(frozen=True, eq=False)
class Spelling:
    """Texts as pieces of a buffer: int64 (texts,) `start` and `end`, which is not included."""

    buffer: ByteArray
    start: IntArray
    end: IntArray

    def text(self, number: int) -> str:
        """One of the texts."""
        some = self.buffer[int(self.start[number]) : int(self.end[number])]
        return some.tobytes().decode("utf-8", "replace")

    def same(self, other: "Spelling") -> bool:
        """Whether both have the same texts, found out without making any."""
        ours, theirs = self.end - self.start, other.end - other.start
        return np.array_equal(ours, theirs) and np.array_equal(self._joined(), other._joined())

    def _joined(self) -> ByteArray:
        joined: ByteArray = self.buffer[stretches(self.start, self.end - self.start)]
        return joined


@dataclass(frozen=True, eq=False)
class Sentences:
    """The sentences of a file.

    Attributes:
        document: int64 (sentences,), counted from 0 in the file.
        first: int64 (sentences + 1,), the number of the first token of each in the file.
        line: int64 (sentences,), the line of each, from 1.
        names: how they are called; empty texts where they are not.
        words: the words of all tokens.
        token_line: int64 (tokens,), the line of each token, from 1.
    """

    document: IntArray
    first: IntArray
    line: IntArray
    names: Spelling
    words: Spelling
    token_line: IntArray

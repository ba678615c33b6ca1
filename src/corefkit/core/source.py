"""Source: one file a corpus was read from, and what can be asked of its tokens later.

Plain scoring never looks at words, tags and the like, so they are read on demand. A `Source` says
how: each format that has tokens is a subclass that finds its own columns, and everything else
(what is kept, what is reported as missing) is the same for all. `TokenColumns` in `core.tokens`
asks all files of a corpus together.

A column is an array of numbers into its distinct values: a corpus of a million tokens has fifty
tags, and a comparison with a tag is one comparison of arrays.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from itertools import compress, count, groupby
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from corefkit.core.arrays import (
    EIGHT,
    EMPTY,
    BoolArray,
    ByteArray,
    IntArray,
    as_word,
    eight_bytes,
    first_bytes_differ,
    stretches,
)
from corefkit.core.carriers import frozen
from corefkit.core.incidents import DataError, Place, data_error, failure_as_incident
from corefkit.core.options import UsageError

Answer = TypeVar("Answer")


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
        number = defaultdict[str, int](count().__next__)
        code = np.fromiter(map(number.__getitem__, texts), dtype=np.int64, count=len(texts))
        return cls(code, tuple(number))

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
        """bool (tokens,): the tokens whose value satisfies the predicate."""
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
    """The place of a column in the CoNLL-2012 format; UsageError for an unknown name."""
    if isinstance(name, int):
        return name
    if name not in NAMES:
        raise UsageError(f"unknown column {name!r}; there are: {', '.join(NAMES)}")
    return NAMES[name]


@frozen(eq=False)
class Source:
    """One file a corpus was read from: its bytes (unpacked), and which documents it holds.

    A format that has tokens overrides the methods below; their answers cover all tokens of all
    documents of the file, in order. This class itself is a file without tokens.

    Attributes:
        path: the name of the file.
        data: its bytes.
        first_document: how many documents of the corpus stand before it.
        documents: how many it holds.
        format: the name of the format that it was read in.
        unnamed: the documents, counted from 0 in the file, that have no name there and are called
            by their position.
        cache: what was found out about the file, e.g. its lines; copies share it.
        title: how the format is called in messages.
        numbers: the columns that all files of the format have, and where; empty where files
            differ.
    """

    path: str
    data: bytes
    first_document: int
    documents: int
    format: str = "none"
    unnamed: frozenset[int] = frozenset()
    cache: dict[str, Any] = field(default_factory=dict)

    title: ClassVar[str] = ""
    numbers: ClassVar[Mapping[str, int]] = {}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.path!r})"

    def once(self, name: str, find: Callable[[], Answer]) -> Answer:
        """What a function finds, kept in the cache under a name; it is called once."""
        if name not in self.cache:
            with failure_as_incident(self.path):
                self.cache[name] = find()
        answer: Answer = self.cache[name]
        return answer

    def line_of(self, offset: int) -> int:
        """The number (from 1) of the line that holds a byte."""
        buffer = np.frombuffer(self.data, dtype=np.uint8)
        ends = self.once("line ends", lambda: np.flatnonzero(buffer == ord("\n")))
        return int(np.searchsorted(ends, offset)) + 1

    def moved(self, documents: int) -> "Source":
        """The same file where so many documents stand before it."""
        return replace(self, first_document=self.first_document + documents)

    def columns(self, *names: str | int, errors: str = "replace") -> list[Column]:
        """These columns of all tokens; each is found once.

        Names are those of `NAMES` or numbers. `errors` is what becomes of bytes that are not
        UTF-8, as in `bytes.decode`. Raises DataError where the file lacks a column.
        """
        kept: dict[tuple[str | int, str], Column] = self.cache.setdefault("columns", {})
        wanted = [name for name in dict.fromkeys(names) if (name, errors) not in kept]
        if wanted:
            with failure_as_incident(self.path):
                columns = self.find_columns(wanted, errors)
            kept.update(zip(((name, errors) for name in wanted), columns, strict=True))
        return [kept[name, errors] for name in names]

    def columns_at(self, tokens: IntArray, *names: str | int) -> list[Column]:
        """These columns of some tokens, which are counted through the file and in order.

        A format that need not look at the others overrides this.
        """
        return [Column(column.code[tokens], column.values) for column in self.columns(*names)]

    def find_columns(self, names: Sequence[str | int], errors: str) -> list[Column]:
        """Find columns for `columns`, several at once."""
        if not self.numbers:
            raise no_columns()
        for name in names:
            if name not in self.numbers:
                raise data_error(
                    "column-missing",
                    "format",
                    format=self.title,
                    name=name,
                    file=self.path,
                    expected=f"one of {', '.join(self.numbers)}",
                )
        return [self.find_column(self.numbers[str(name)], errors) for name in names]

    def find_column(self, number: int, errors: str) -> Column:
        """Find the column with one of the `numbers`."""
        raise NotImplementedError

    def sentences(self) -> IntArray | None:
        """int64 (tokens,): the sentence of each token, numbered through the file; None: unknown."""
        return None

    def paragraphs(self) -> tuple[IntArray, IntArray] | None:
        """Document, from 0 in the file, and place of the beginning of each paragraph, in order.

        Places are tokens, or characters where spans count these. None: they are not marked.
        """
        return None

    def sentence_list(self) -> "Sentences | None":
        """The sentences with their names and lines; None where the format does not number them.

        Key and response whose formats answer must have the same sentences.
        """
        return None

    def token_lines(self) -> IntArray | None:
        """int64 (tokens,): the line of each token, from 1; None: unknown."""
        return None

    def words(self) -> "TextPieces | None":
        """Where the words of all tokens stand in the bytes; None where a format cannot tell.

        They are the texts of the column "word": comparing bytes is quicker than reading them.
        """
        return None

    def joined_with(self, others: "Sequence[Source]") -> "Source | None":
        """One text of these files, for `words`; None where it would say something else.

        A file has fixed costs that exceed those of its lines.
        """
        del others
        return None

    def zeros(self) -> tuple[IntArray, IntArray] | None:
        """The rows that are not tokens: document, from 0 in the file, and the token before each.

        In order; −1 stands for the beginning of a document. None where the format has none.
        """
        return None

    def heads(self, begin: IntArray, end: IntArray) -> IntArray | None:
        """The head of each span by the trees of the file: token numbers counted through the file.

        −1 for spans of which the trees say nothing; None where there are no trees.
        """
        return None

    def mention_types(self, byte: IntArray) -> list[str] | None:
        """The type of the entity that the brackets at these bytes give, "" for none.

        None where the format has no types of entities.
        """
        return None

    def mention_labels(self, byte: IntArray) -> dict[str, list[str]]:
        """What the brackets at these bytes say besides ids and places, by its name; "" for nothing.

        Labels that the reader of a format keeps in the corpus are not among them.
        """
        del byte
        return {}

    def empty_nodes(self) -> "EmptyNodeTable":
        """The empty nodes of the file, with what it says of them; none where it has none."""
        return EmptyNodeTable(EMPTY, EMPTY, EMPTY, (), (), (), ((),) * 5)

    def zero_cells(self, numbers: Sequence[int]) -> dict[tuple[int, int, int], list[str]]:
        """Cells of the empty nodes, by document (from 0 in the file), token before, and number.

        `numbers` are those of columns; a cell that is not there is "". None has any where the
        format has no empty nodes.
        """
        del numbers
        return {}

    def head_word(self, tokens: Sequence[int]) -> "HeadWord | None":
        """The head of some words, counted through the file, by the tree; None: no trees."""
        del tokens
        return None

    def text(self, document: int) -> str | None:
        """The running text of a document, counted from 0 in the file, for character spans."""
        return None

    def segmentation(self, document: int) -> "Segmentation | None":
        """The tokens of a document whose spans count characters; None: unknown."""
        del document
        return None


class EmptyNodeTable(NamedTuple):
    """Empty nodes, one after the other.

    Attributes:
        document, sentence: int64 (nodes,), both counted from 0.
        line: int64 (nodes,), the line of each, counted from 1.
        parent, relation: the first in DEPS; the relation is "" where it cannot be read.
        before: the id of the word before the node.
        columns: form, lemma, UPOS, XPOS and features.
    """

    document: IntArray
    sentence: IntArray
    line: IntArray
    parent: Sequence[str]
    relation: Sequence[str]
    before: Sequence[str]
    columns: Sequence[Sequence[str]]

    def with_documents(self, document: IntArray) -> "EmptyNodeTable":
        """The nodes with other documents, int64 (nodes,); those of which it is −1 are left out."""
        kept = document >= 0
        if kept.all():
            return self._replace(document=document)
        document, sentence, line = (column[kept] for column in (document, self.sentence, self.line))
        parent, relation, before, *columns = (
            [*compress(column, kept)]
            for column in (self.parent, self.relation, self.before, *self.columns)
        )
        return EmptyNodeTable(document, sentence, line, parent, relation, before, columns)


class HeadWord(NamedTuple):
    """The head of a mention in a tree: its relation without subtypes, its tag, its features.

    `copula` is whether it has a copula among its children.
    """

    deprel: str
    upos: str
    feats: str
    copula: bool

    def feature(self, name: str) -> list[str]:
        """The values of a feature.

        >>> HeadWord("obj", "PRON", "Case=Acc|PronType=Int,Rel", False).feature("PronType")
        ['Int', 'Rel']
        """
        named = (part.partition("=") for part in self.feats.split("|"))
        return next((values.split(",") for own, _, values in named if own == name), [])


def place(document: str, source: Source, offset: int, line: int) -> Place:
    """The line and the column (in characters, from 1) of a byte of a document."""
    begin = source.data.rfind(b"\n", 0, offset) + 1
    before = source.data[begin:offset].decode("utf-8-sig" if begin == 0 else "utf-8", "replace")
    return Place(source.path, line, len(before) + 1, document)


def no_columns() -> DataError:
    """What to raise for a corpus that was not read from files, so that it has no token columns."""
    return data_error("column-missing", "corpus")


class Segmentation(NamedTuple):
    """The tokens of a text as (first character, end that is not included), and where each of its
    sentences begins.
    """

    tokens: list[tuple[int, int]]
    sentences: list[int]


@frozen(eq=False)
class TokenTable:
    """The tokens of all documents of a file, in order.

    Attributes:
        words: one per token; empty for a file that counts characters, None where unknown.
        sentences: int64 (tokens,), the sentence of each token, numbered through the file; None
            where sentences are not known.
        speakers: one per token, or None.
        texts: the running text of each document, for a file that counts characters.
        paragraphs: document and place of the beginning of each paragraph; None: unknown.
        segments: the tokens of each document, where such a file has them, too.
    """

    words: Sequence[str] | None = ()
    sentences: IntArray | None = None
    speakers: Sequence[str] | None = None
    texts: Sequence[str] | None = None
    paragraphs: Sequence[tuple[int, int]] | None = None
    segments: Sequence[Segmentation | None] | None = None


@frozen(eq=False)
class ListedSource(Source):
    """A file whose format has words, sentences, speakers or text, but no token columns."""

    listed: TokenTable = TokenTable(None)
    has_ids: bool = False
    """Whether entities have ids in the file, where those of its format need not."""

    def table(self) -> TokenTable:
        """The tokens of the file."""
        return self.listed

    def find_columns(self, names: Sequence[str | int], errors: str) -> list[Column]:
        """The words and the speakers; DataError for all other columns."""
        table = self.table()
        texts = {"speaker": table.speakers, "word": table.words if table.texts is None else None}
        columns = []
        for name in names:
            values = texts.get(str(name))
            if values is None:
                where = f"a file in the format {self.format}"
                raise data_error("column-missing", name=name, file=self.path, found=where)
            columns.append(Column.of(values))
        return columns

    def sentences(self) -> IntArray | None:
        """The sentence of each token; None where spans count characters."""
        table = self.table()
        return table.sentences if table.texts is None else None

    def paragraphs(self) -> tuple[IntArray, IntArray] | None:
        """Where paragraphs begin, where the format marks them."""
        starts = self.table().paragraphs
        if starts is None:
            return None
        document, place = np.array(starts, dtype=np.int64).reshape(-1, 2).T
        return document, place

    def text(self, document: int) -> str | None:
        """The running text of a document, where spans count characters."""
        texts = self.table().texts
        return None if texts is None else texts[document]

    def segmentation(self, document: int) -> Segmentation | None:
        """The tokens of a document, where spans count characters and a file has both."""
        segments = self.table().segments
        return None if segments is None else segments[document]


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


_AT_ONCE = 1 << 14
"""So many texts are compared at once: what is made of them fits into the processor's cache."""


@frozen(eq=False)
class TextPieces:
    """Texts as pieces of a buffer: int64 (texts,) `start` and `end`, which is not included."""

    buffer: ByteArray
    start: IntArray
    end: IntArray

    @classmethod
    def join(cls, parts: "Sequence[TextPieces]") -> "TextPieces":
        """The texts of several buffers, one after the other."""
        if len(parts) == 1:
            return parts[0]
        sizes = [len(part.buffer) for part in parts]
        shift = np.repeat(np.cumsum([0, *sizes[:-1]]), [len(part.start) for part in parts])
        buffer = np.concatenate([part.buffer for part in parts])
        start, end = (
            np.concatenate([getattr(part, bound) for part in parts]) + shift
            for bound in ("start", "end")
        )
        return cls(buffer, start, end)

    def take(self, numbers: IntArray | slice) -> "TextPieces":
        """Some of the texts."""
        return TextPieces(self.buffer, self.start[numbers], self.end[numbers])

    def text(self, number: int) -> str:
        """One of the texts."""
        piece = self.buffer[int(self.start[number]) : int(self.end[number])]
        return piece.tobytes().decode("utf-8", "replace")

    def texts_of(self, numbers: IntArray) -> list[str]:
        """Some of the texts."""
        data = self.buffer.data
        bounds = zip(self.start[numbers].tolist(), self.end[numbers].tolist(), strict=True)
        return [str(data[start:end], "utf-8", "replace") for start, end in bounds]

    def same(self, other: "TextPieces") -> bool:
        """Whether both have the same texts, found out without making any."""
        ours, theirs = self.end - self.start, other.end - other.start
        return np.array_equal(ours, theirs) and np.array_equal(self._joined(), other._joined())

    def differing(self, other: "TextPieces") -> IntArray:
        """The numbers of the texts whose bytes differ from those of the other's, as many texts.

        >>> one, other = (np.frombuffer(text, dtype=np.uint8) for text in (b"a bc d", b"abd  "))
        >>> pieces = TextPieces(one, np.array([0, 2, 5]), np.array([1, 4, 6]))
        >>> pieces.differing(TextPieces(other, np.array([0, 1, 2]), np.array([1, 2, 3]))).tolist()
        [1]
        """
        chunks = range(0, len(self.start), _AT_ONCE)
        parts = [self._differing(other, slice(at, at + _AT_ONCE)) + at for at in chunks]
        return np.concatenate([EMPTY, *parts])

    def _differing(self, other: "TextPieces", some: slice) -> IntArray:
        ours, theirs = self.start[some], other.start[some]
        length = self.end[some] - ours
        differ: BoolArray = length != other.end[some] - theirs
        differ |= first_bytes_differ((self.buffer, ours), (other.buffer, theirs), length)
        rows, at = np.flatnonzero((length > EIGHT) & ~differ), EIGHT
        while len(rows):
            rest = length[rows] - at
            sides = (self.buffer, ours[rows] + at), (other.buffer, theirs[rows] + at)
            unequal = first_bytes_differ(*sides, rest)
            differ[rows[unequal]] = True
            rows, at = rows[~unequal & (rest > EIGHT)], at + EIGHT
        return np.flatnonzero(differ)

    def are_any(self, numbers: IntArray, texts: Iterable[str]) -> BoolArray:
        """bool (numbers,): which of these texts are among some short ones, of up to eight bytes."""
        start, length = self.start[numbers], (self.end - self.start)[numbers]
        word, any_of = eight_bytes(self.buffer, start, length), np.zeros(len(numbers), dtype=bool)
        for text in map(str.encode, texts):
            any_of |= (length == len(text)) & (word == as_word(text))
        return any_of

    def _joined(self) -> ByteArray:
        joined: ByteArray = self.buffer[stretches(self.start, self.end - self.start)]
        return joined


@frozen(eq=False)
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
    names: TextPieces
    words: TextPieces
    token_line: IntArray

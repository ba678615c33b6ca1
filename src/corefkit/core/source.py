"""Source: a file that a corpus was read from, and the columns of its tokens, read on demand.

Plain scoring needs no words, tags and the like, so they are read only when they are asked for.
Each format that has tokens has a subclass of `Source` that finds its columns; caching and the
report of missing columns are the same for all. `Tokens` in `core.tokens` asks all files of a
corpus together.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from itertools import compress
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from corefkit.core.arrays import EMPTY, BoolArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.core.columns import Column
from corefkit.core.incidents import DataError, Incident, Place, data_error, failure_as_incident
from corefkit.core.text_pieces import Sentences, TextPieces

Answer = TypeVar("Answer")


@frozen(eq=False)
class Source:
    """A file that a corpus was read from: its unpacked bytes, and which documents it contains.

    A format that has tokens overrides the methods below, whose results cover all tokens of the
    file in order. This class itself represents a file without tokens.

    Attributes:
        path: the name of the file.
        data: its bytes.
        first_document: the number of its first document in the corpus.
        documents: the number of its documents.
        format: the name of its format.
        unnamed: the documents, numbered from 0 in the file, that have no name of their own and are
            named by position.
        cache: what has been computed from the file, e.g. its lines; copies share it.
        unread: what the file has and a corpus cannot hold: name → how many; see `count_unread`.
        chosen: the field with the clusters, where a file may have several.
        has_ids: whether the file itself gives its entities ids, which may therefore hold across
            documents (`--across`), rather than the reader numbering them.
        title: the name of the format in messages.
        numbers: the columns that all files of the format have, and their positions; empty if files
            differ.
        declaration: the beginning of a line that occurs once in a file and applies to all of its
            documents; empty if the format has none.
    """

    path: str
    data: bytes
    first_document: int
    documents: int
    format: str = "none"
    unnamed: frozenset[int] = frozenset()
    cache: dict[str, Any] = field(default_factory=dict)
    unread: Mapping[str, int] = field(default_factory=dict)
    chosen: str = ""
    has_ids: bool = False

    title: ClassVar[str] = ""
    numbers: ClassVar[Mapping[str, int]] = {}
    declaration: ClassVar[bytes] = b""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.path!r})"

    def once(self, name: str, find: Callable[[], Answer]) -> Answer:
        """The result of `find`, which is called once; the cache keeps it under this name."""
        if name not in self.cache:
            with failure_as_incident(self.path):
                self.cache[name] = find()
        answer: Answer = self.cache[name]
        return answer

    def count_unread(self) -> Mapping[str, int]:
        """What the file has and a corpus cannot hold, as counted while it was read."""
        return self.unread

    def count_layers(self) -> Mapping[str, int]:
        """The layers of the file that were not read: name → how many mentions each has."""
        return {}

    def line_of(self, offset: int) -> int:
        """The line, from 1, that contains a byte."""
        buffer = np.frombuffer(self.data, dtype=np.uint8)
        ends = self.once("line ends", lambda: np.flatnonzero(buffer == ord("\n")))
        return int(np.searchsorted(ends, offset)) + 1

    def moved(self, documents: int) -> "Source":
        """The same file, preceded by so many more documents."""
        return replace(self, first_document=self.first_document + documents)

    def columns(self, *names: str | int, errors: str = "replace") -> list[Column]:
        """These columns of all tokens; each is read once.

        Names are those of `NAMES`, or numbers. `errors` says how bytes that are not UTF-8 are
        decoded, as in `bytes.decode`. Raises DataError if the file lacks a column.
        """
        kept: dict[tuple[str | int, str], Column] = self.cache.setdefault("columns", {})
        wanted = [name for name in dict.fromkeys(names) if (name, errors) not in kept]
        if wanted:
            with failure_as_incident(self.path):
                columns = self.find_columns(wanted, errors)
            kept.update(zip(((name, errors) for name in wanted), columns, strict=True))
        return [kept[name, errors] for name in names]

    def columns_at(self, tokens: IntArray, *names: str | int) -> list[Column]:
        """These columns of some tokens, numbered across the file and in ascending order.

        A format that can skip the other tokens overrides this.
        """
        return [Column(column.code[tokens], column.values) for column in self.columns(*names)]

    def find_columns(self, names: Sequence[str | int], errors: str) -> list[Column]:
        """Read several columns at once; `columns` caches them."""
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
        """Read the column at one of the positions in `numbers`."""
        raise NotImplementedError

    def sentences(self) -> IntArray | None:
        """int64 (tokens,): the sentence of each token, numbered across the file; None: unknown."""
        return None

    def marks_sentences(self) -> bool:
        """Whether the file shows where sentences end, so that `sentences` can be relied on."""
        return True

    def paragraphs(self) -> tuple[IntArray, IntArray] | None:
        """The document (from 0 in the file) and the start of each paragraph, in order.

        Starts are tokens, or characters if spans count characters. None: paragraphs are not
        marked.
        """
        return None

    def sentence_list(self) -> Sentences | None:
        """The sentences with their names and lines; None if the format does not number them.

        A key and a response that both have such a list must have the same sentences.
        """
        return None

    def token_lines(self) -> IntArray | None:
        """int64 (tokens,): the line of each token, from 1; None: unknown."""
        return None

    def words(self) -> TextPieces | None:
        """The words of all tokens as pieces of the bytes; None if the format cannot locate them.

        These are the texts of the column "word": comparing bytes is faster than decoding them.
        """
        return None

    def zeros(self) -> tuple[IntArray, IntArray] | None:
        """The document (from 0 in the file) of each row that is a zero, and the token before it.

        In order; −1 stands for the beginning of a document. None if the format has no zeros.
        """
        return None

    def heads(self, begin: IntArray, end: IntArray) -> IntArray | None:
        """The head of each span according to the trees, as token numbers across the file.

        −1 for spans whose head the trees do not determine; None if there are no trees.
        """
        return None

    def empty_nodes(self) -> "EmptyNodeTable":
        """The empty nodes of the file; an empty table if there are none."""
        return EmptyNodeTable(EMPTY, EMPTY, EMPTY, (), (), (), ((),) * 5)

    def zero_cells(self, numbers: Sequence[int]) -> dict[tuple[int, int, int], list[str]]:
        """The cells of each empty node, by document (from 0 in the file), token before, and number.

        `numbers` are the positions of the columns; a missing cell is "". Empty if the format has
        no empty nodes.
        """
        del numbers
        return {}

    def head_word(self, tokens: Sequence[int]) -> "HeadWord | None":
        """The head of these tokens, numbered across the file, in its tree; None: no trees."""
        del tokens
        return None

    def nodes(self) -> "list[list[FormNode]] | None":
        """The words and empty nodes of each document; None if the format has no empty nodes.

        In such formats a mention cannot leave its sentence.
        """
        return None

    def glued_openings(self, after: IntArray) -> BoolArray:
        """Whether each of these bytes, which follow the ids of mentions, is an opening bracket."""
        return np.zeros(len(after), dtype=bool)

    def head_column(self) -> int | None:
        """The column, from 0, with the number of each token's head; None if there is none."""
        return None

    def figures(self, corpus: Any) -> dict[str, int] | None:
        """Counts that only this format has, of a corpus that contains the file; None: no such."""
        del corpus
        return None

    def fill_in(self, text: str, path: str) -> tuple[bytes, Sequence[Incident]] | None:
        """The file with the mentions of a text of the CRAC tasks, and an incident for every repair.

        `path` is that of the text. None if the format is not that of these tasks; DataError if the
        text cannot be read.
        """
        return None

    def text(self, document: int) -> str | None:
        """The running text of a document (from 0 in the file) if spans count characters."""
        return None

    def segmentation(self, document: int) -> "Segmentation | None":
        """The tokens of a document (from 0 in the file) whose spans count characters.

        None if they are unknown.
        """
        del document
        return None


class FormNode(NamedTuple):
    """A token or an empty node: its sentence, its form, and 0 or the number of an empty node."""

    sentence: int
    form: bytes
    zero: int


class EmptyNodeTable(NamedTuple):
    """Empty nodes, in columns.

    Attributes:
        document, sentence: int64 (nodes,), both counted from 0.
        line: int64 (nodes,), the line of each, from 1.
        parent, relation: those of the first item in DEPS; the relation is "" if it cannot be read.
        before: the id of the word before each node.
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
        """The nodes with other documents, int64 (nodes,); nodes with −1 are left out."""
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

    `copula` says whether a copula depends on it.
    """

    deprel: str
    upos: str
    feats: str
    copula: bool

    def feature(self, name: str) -> list[str]:
        """The values of a feature; [] if the head does not have it.

        >>> HeadWord("obj", "PRON", "Case=Acc|PronType=Int,Rel", False).feature("PronType")
        ['Int', 'Rel']
        """
        named = (part.partition("=") for part in self.feats.split("|"))
        return next((values.split(",") for feature, _, values in named if feature == name), [])


def place(document: str, source: Source, offset: int, line: int) -> Place:
    """The place of a byte, with its line and its column (in characters, from 1)."""
    begin = source.data.rfind(b"\n", 0, offset) + 1
    before = source.data[begin:offset].decode("utf-8-sig" if begin == 0 else "utf-8", "replace")
    return Place(source.path, line, len(before) + 1, document)


def no_columns() -> DataError:
    """The error for a corpus that has no token columns because it was not read from files."""
    return data_error("column-missing", "corpus")


class Segmentation(NamedTuple):
    """The tokens of a text as (first character, end excluded), and the start of each sentence."""

    tokens: list[tuple[int, int]]
    sentences: list[int]


@frozen(eq=False)
class TokenTable:
    """The tokens of all documents of a file, in order.

    Attributes:
        words: one per token; empty for a file that counts characters, None if unknown.
        sentences: int64 (tokens,), the sentence of each token, numbered across the file; None if
            unknown.
        speakers: one per token; None if unknown.
        texts: the running text of each document, for a file that counts characters.
        paragraphs: the document and the start of each paragraph; None if unknown.
        segments: the tokens of each document, if a file that counts characters has them.
    """

    words: Sequence[str] | None = ()
    sentences: IntArray | None = None
    speakers: Sequence[str] | None = None
    texts: Sequence[str] | None = None
    paragraphs: Sequence[tuple[int, int]] | None = None
    segments: Sequence[Segmentation | None] | None = None


@frozen(eq=False)
class ListedSource(Source):
    """A file whose reader lists its words, sentences, speakers or texts."""

    listed: TokenTable = TokenTable(None)

    def table(self) -> TokenTable:
        """The tokens of the file."""
        return self.listed

    def find_columns(self, names: Sequence[str | int], errors: str) -> list[Column]:
        """The words and the speakers; raises DataError for any other column."""
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
        """The sentence of each token; None if spans count characters."""
        table = self.table()
        return table.sentences if table.texts is None else None

    def marks_sentences(self) -> bool:
        """Whether the file shows where sentences end, so that `sentences` can be relied on."""
        return True

    def paragraphs(self) -> tuple[IntArray, IntArray] | None:
        """The starts of paragraphs; None if the format does not mark them."""
        starts = self.table().paragraphs
        if starts is None:
            return None
        document, token = np.array(starts, dtype=np.int64).reshape(-1, 2).T
        return document, token

    def text(self, document: int) -> str | None:
        """The running text of a document; None unless spans count characters."""
        texts = self.table().texts
        return None if texts is None else texts[document]

    def segmentation(self, document: int) -> Segmentation | None:
        """The tokens of a document; None unless spans count characters and tokens are listed."""
        segments = self.table().segments
        return None if segments is None else segments[document]

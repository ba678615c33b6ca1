"""Source: one file a corpus was read from, and what can be asked of it later."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

import numpy as np

from corefkit.data.arrays import IntArray

if TYPE_CHECKING:
    from corefkit.data.columns import Column
    from corefkit.data.sentences import Sentences


Found = TypeVar("Found")


class Place(TypedDict, total=False):
    """Where something stands, as an Incident wants it; what is in no file has no line."""

    document: str
    file: str
    line: int
    column: int


class TokenReader:
    """What a format answers of the tokens of a file, on demand. All methods are optional.

    A format that has token columns overrides `columns`; one that has words but no columns may
    answer the name "word" only. The answers cover all tokens of all documents of the file, in
    order.
    """

    name = "none"

    def columns(self, source: "Source", names: "tuple[str | int, ...]") -> "list[Column] | None":
        """These columns of all tokens; None where the file has no token columns at all.

        Names are those of corefkit.data.columns.NAMES or numbers. Raises DataError for one that
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
    return Place(document=document, file=source.path, line=line, column=len(before) + 1)

"""Tokens of files without columns: words, sentences, speakers and text, as a format lists them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.columns import Column
from corefkit.data.incidents import data_error
from corefkit.data.source import Source, TokenReader


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

"""What can be asked of the tokens of a CoNLL-UA file, after it was read: words, tags, sentences."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.source import Column, Source
from corefkit.formats.columns.interning import intern_column

if TYPE_CHECKING:
    from corefkit.formats.conllua.rows import DocumentRows, Rows


@dataclass(frozen=True, eq=False, repr=False)
class ConlluaSource(Source):
    """A CoNLL-UA file: its words, UPOS tags, lemmas, sentences and zeros."""

    format: str = "conllua"

    title: ClassVar = "CoNLL-UA"
    numbers: ClassVar = {"word": 1, "lemma": 2, "pos": 3}

    def find_column(self, number: int, errors: str) -> Column:
        """A column of all tokens; zeros are not tokens."""
        rows = rows_of(self)
        start, end = rows.bounds(number, np.flatnonzero(rows.token))
        return intern_column(rows.buffer, start, end, errors)

    def sentences(self) -> IntArray:
        """The sentence of each token; blank lines end sentences."""
        rows = rows_of(self)
        sentence = rows.sentence[rows.token]
        if not len(sentence):
            return sentence
        return np.concatenate(([0], np.cumsum(np.diff(sentence) > 0)))

    def token_lines(self) -> IntArray:
        """The line of each token."""
        rows = rows_of(self)
        return rows.line[rows.token] + 1

    def zeros(self) -> tuple[IntArray, IntArray]:
        """The zeros, with mentions or without."""
        rows = rows_of(self)
        first = _documents_of(self).first[:-1]
        row = np.flatnonzero(rows.zero)
        document = np.searchsorted(first, row, side="right") - 1
        ahead = np.cumsum(rows.token)
        before = (ahead - rows.token)[first[document]] if len(row) else row
        return document, ahead[row] - before - 1


def rows_of(source: Source) -> "Rows":
    """The rows of the file; found again where they were not kept."""
    from corefkit.formats.conllua.rows import find_rows

    return source.once("rows", lambda: find_rows(source.data))


def _documents_of(source: Source) -> "DocumentRows":
    """The documents of the file; found again where they were not kept."""
    from corefkit.formats.columns.incidents import RowIncidents
    from corefkit.formats.conllua.rows import find_documents

    rows = rows_of(source)
    incidents = RowIncidents(source.path, rows.data, rows.start)
    return source.once("documents", lambda: find_documents(rows, incidents))

"""What can be asked of the tokens of a CoNLL-UA file, after it was read: words, tags, sentences."""

from typing import TYPE_CHECKING

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.columns import Column
from corefkit.data.source import Source, TokenReader
from corefkit.formats.conll.interning import intern_column

if TYPE_CHECKING:
    from corefkit.formats.conllua.documents import Documents
    from corefkit.formats.conllua.rows import Rows

_COLUMNS = {"word": 1, "lemma": 2, "pos": 3}


class ConlluaTokens(TokenReader):
    """Words, UPOS tags, lemmas and sentences of CoNLL-UA files."""

    name = "conllua"

    def columns(self, source: Source, names: tuple[str | int, ...]) -> list[Column]:
        """These columns of all tokens; zeros are none."""
        rows = rows_of(source)
        tokens = np.flatnonzero(rows.token)
        found = []
        for name in names:
            if name not in _COLUMNS:
                from corefkit.formats.building import column_missing

                raise column_missing(source.path, "CoNLL-UA", name, _COLUMNS)
            bounds = rows.bounds(_COLUMNS[str(name)], tokens)
            found.append(intern_column(rows.buffer, *bounds))
        return found

    def sentences(self, source: Source) -> IntArray:
        """The sentence of each token; blank lines end sentences."""
        rows = rows_of(source)
        sentence = rows.sentence[rows.token]
        if not len(sentence):
            return sentence
        return np.concatenate(([0], np.cumsum(np.diff(sentence) > 0)))

    def token_lines(self, source: Source) -> IntArray:
        """The line of each token."""
        rows = rows_of(source)
        return rows.line[rows.token] + 1

    def zeros(self, source: Source) -> tuple[IntArray, IntArray]:
        """The zeros, with mentions or without."""
        rows = rows_of(source)
        first = _documents_of(source).first[:-1]
        row = np.flatnonzero(rows.zero)
        document = np.searchsorted(first, row, side="right") - 1
        ahead = np.cumsum(rows.token)
        before = (ahead - rows.token)[first[document]] if len(row) else row
        return document, ahead[row] - before - 1


def rows_of(source: Source) -> "Rows":
    """The rows of the file; found again where they were not kept."""
    from corefkit.formats.conllua.splitting import find_rows

    return source.once("rows", lambda: find_rows(source.data))


def _documents_of(source: Source) -> "Documents":
    """The documents of the file; found again where they were not kept."""
    from corefkit.formats.conllua.documents import find_documents
    from corefkit.formats.trouble import Trouble

    rows = rows_of(source)
    trouble = Trouble(source.path, rows.data, rows.start)
    return source.once("documents", lambda: find_documents(rows, trouble))


TOKENS = ConlluaTokens()

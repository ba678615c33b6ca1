"""The filled cells of one column, and which token or zero each stands at."""

from dataclasses import dataclass

import numpy as np

from corefkit.data.arrays import BoolArray, IntArray
from corefkit.formats.conllua.documents import Documents
from corefkit.formats.conllua.rows import Rows
from corefkit.formats.conllua.texts import Texts


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells that hold something, in the order of the file; those before any document are left out.

    Attributes:
        row: int64 (cells,), the row of each.
        text: where each begins and ends.
        document: int64 (cells,), its document.
        token: int64 (cells,), its token, from 0 in the document; of a zero the token before.
        zero: int64 (cells,), 0, or the number of a zero among those after the same token.
    """

    row: IntArray
    text: Texts
    document: IntArray
    token: IntArray
    zero: IntArray


def find_cells(rows: Rows, documents: Documents, column: str) -> Cells:
    """The cells of a column."""
    row, begin, end = rows.filled(column)
    document = np.searchsorted(documents.first[:-1], row, side="right") - 1
    some = np.flatnonzero(document >= 0)
    if len(some) < len(row):
        row, begin, end, document = row[some], begin[some], end[some], document[some]
    ahead = np.cumsum(rows.token)
    before = (ahead - rows.token)[documents.first[:-1][document]] if len(row) else 0
    token = ahead[row] - before - 1
    return Cells(row, Texts(begin, end), document, token, _zeros(rows, documents, row))


def _zeros(rows: Rows, documents: Documents, row: IntArray) -> IntArray:
    """The numbers of the zeros among these rows; 0 for tokens."""
    number = np.zeros_like(row)
    if rows.zero[row].any():
        at = np.arange(len(rows.line))
        # They are counted from the last token on, or from where the document begins.
        counted = np.cumsum(rows.zero)
        fresh: BoolArray = rows.token.copy()
        starts = documents.first[:-1]
        fresh[starts[starts < len(at)]] = True
        last = np.maximum.accumulate(np.where(fresh, at, 0))
        since: IntArray = (counted - rows.zero)[last]
        some = rows.zero[row]
        number[some] = (counted - since)[row[some]]
    return number


def token_counts(rows: Rows, documents: Documents) -> IntArray:
    """int64 (documents,): how many tokens each has."""
    return np.diff(np.concatenate(([0], np.cumsum(rows.token)))[documents.first])

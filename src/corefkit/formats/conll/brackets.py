"""The coreference column of CoNLL files: cells such as `(12|(3)|7)` → mentions, all at once.

`(12` begins a mention, `12)` ends one, and `(12)` does both; `|` or `_` may stand between them.
They come in any order.
Within one token, openings are taken before closings, so that the order inside a cell never matters;
of nested mentions of one entity the one opened last closes first. A bare `12` between `(12` and
`12)` says once more that the mention goes on; some tools write it, and it changes nothing.
"""

from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import EMPTY, ByteArray, IntArray, distinct
from corefkit.formats.columns.brackets import (
    TEXT,
    CellText,
    open_after,
    pair_brackets,
    split_brackets,
)
from corefkit.formats.columns.interning import intern

BARE = TEXT
"""The kind of an id without a bracket."""
_LEFT, _RIGHT, _BAR, _LINE = b"()|_"


class CoreferenceBrackets(NamedTuple):
    """All brackets of a file, by cell; within one: one-token mentions, openings, closings.

    Attributes:
        cell: int64 (brackets,), which cell it stands in.
        kind: int64 (brackets,), SINGLE, OPEN, CLOSE; or BARE, an id without a bracket.
        id: int64 (brackets,), an index into `ids`.
        place: int64 (brackets,), the byte of the file at which it begins.
        ids: the distinct ids.
        malformed: int64, the cells that are not made of brackets and ids.
    """

    cell: IntArray
    kind: IntArray
    id: IntArray
    place: IntArray
    ids: list[bytes]
    malformed: IntArray


class BracketedMentions(NamedTuple):
    """Matched brackets: entities by first sight, mentions by completion; int64 (mentions,).

    Brackets are given by their numbers: the first and last one of each mention, those without a
    partner, and bare ids, apart: inside an open mention of that id, and elsewhere.
    """

    first: IntArray
    last: IntArray
    entity: IntArray
    entity_id: IntArray
    unopened: list[int]
    unclosed: list[int]
    continued: IntArray
    stray: IntArray


def find_brackets(buffer: ByteArray, start: IntArray, end: IntArray) -> CoreferenceBrackets:
    """The brackets in the cells buffer[start:end]; all cells are nonempty."""
    if not len(start):
        return CoreferenceBrackets(EMPTY, EMPTY, EMPTY, EMPTY, [], EMPTY)
    text = CellText.of(buffer, start, end)
    joint, line = text.byte == _BAR, text.byte == _LINE
    if line.any():  # corefconversion joins by _, right after ")" or right before "("
        joint |= line & (text.before(text.byte == _RIGHT) | text.after(text.byte == _LEFT))
    pieces = split_brackets(text, joint)
    # Every bracket must have an id, every joint must stand between two brackets.
    empty = pieces.cell[pieces.inner_end == pieces.inner_start]
    alone = joint & (text.head | text.tail | text.before(joint) | text.after(joint))
    malformed = distinct(np.concatenate((empty, text.cell_of(np.flatnonzero(alone))))).values
    cell, kind, place, _, first, stop = pieces
    if len(malformed):
        usable = ~np.isin(cell, malformed)
        cell, kind, place, first, stop = (c[usable] for c in (cell, kind, place, first, stop))
    ids, names = intern(buffer, first, stop - first)
    order = np.argsort(cell * 4 + kind, kind="stable")
    return CoreferenceBrackets(cell[order], kind[order], ids[order], place[order], names, malformed)


def only_digits(brackets: CoreferenceBrackets) -> CoreferenceBrackets:
    """The brackets that the reference scorer sees: those whose id is made of ASCII digits."""
    digits = np.array([name.isdigit() for name in brackets.ids], dtype=bool)
    seen = digits[brackets.id] & (brackets.kind != BARE)
    cell, kind, id, place = (column[seen] for column in brackets[:4])
    return CoreferenceBrackets(cell, kind, id, place, brackets.ids, EMPTY)


def match(brackets: CoreferenceBrackets, document: IntArray) -> BracketedMentions:
    """Pair the brackets of each entity; `document` (cells,) keeps the ids of documents apart."""
    code = document[brackets.cell] * max(len(brackets.ids), 1) + brackets.id
    paired = pair_brackets(brackets.kind, code)
    completed = np.argsort(paired.last)
    first_open, last_close = paired.first[completed], paired.last[completed]
    codes, _, _, entity = distinct(code[first_open])
    first_seen = np.full(len(codes), len(code))
    np.minimum.at(first_seen, entity, first_open)
    order = np.argsort(first_seen)
    rank = np.argsort(order)
    return BracketedMentions(
        first_open,
        last_close,
        rank[entity],
        codes[order] % max(len(brackets.ids), 1),
        paired.unopened,
        paired.unclosed,
        *_bare(brackets, code, paired.pending),
    )


def _bare(
    brackets: CoreferenceBrackets, code: IntArray, pending: IntArray
) -> tuple[IntArray, IntArray]:
    """The bare ids, apart: where a mention of that entity is open, and where none is."""
    bare = np.flatnonzero(brackets.kind == BARE)
    size = len(code) + 1
    before = np.searchsorted(code[pending] * size + pending, code[bare] * size + bare)
    open_now = np.concatenate(([0], open_after(brackets.kind[pending])))[before] > 0
    # A bare id in the cell that closes the last mention stands after the closing bracket.
    return bare[open_now], bare[~open_now]

"""The coreference column of CoNLL files: from cells such as `(12|(3)|7)` to mentions, all at once.

`(12` begins a mention, `12)` ends one, and `(12)` does both; `|` or `_` may separate them. Their
order inside a cell does not matter, since openings are processed before closings. Of nested
mentions of one entity, the one opened last closes first. Some tools write a bare `12` between `(12`
and `12)`, to show that the mention continues; it is ignored.
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
    """All brackets of a file, by cell; within a cell: one-token mentions, openings, closings.

    Attributes:
        cell: int64 (brackets,), the cell of each.
        kind: int64 (brackets,), SINGLE, OPEN, CLOSE; or BARE, an id without a bracket.
        id: int64 (brackets,), an index into `ids`.
        place: int64 (brackets,), its first byte in the file.
        ids: the distinct ids.
        malformed: int64, the cells that do not consist of brackets and ids.
    """

    cell: IntArray
    kind: IntArray
    id: IntArray
    place: IntArray
    ids: list[bytes]
    malformed: IntArray


class BracketedMentions(NamedTuple):
    """Mentions as pairs of brackets, in the order in which they end.

    Attributes:
        first, last: int64 (mentions,), the numbers of their brackets.
        entity: int64 (mentions,), entities in the order of their first brackets.
        entity_id: int64 (entities,), an index into the ids.
        unopened, unclosed: the numbers of brackets without a partner.
        continued, stray: int64, the numbers of bare ids inside an open mention of the same id, and
            of those elsewhere.
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
    # Every bracket must have an id, and every separator must be between two brackets.
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
    """The brackets that the reference scorer reads: those whose id consists of ASCII digits."""
    digits = np.array([name.isdigit() for name in brackets.ids], dtype=bool)
    seen = digits[brackets.id] & (brackets.kind != BARE)
    cell, kind, id, place = (column[seen] for column in brackets[:4])
    return CoreferenceBrackets(cell, kind, id, place, brackets.ids, EMPTY)


def match(brackets: CoreferenceBrackets, document: IntArray) -> BracketedMentions:
    """The mentions of all brackets; `document` (cells,) keeps equal ids in documents apart."""
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
    """The bare ids inside an open mention of their entity, and those elsewhere."""
    bare = np.flatnonzero(brackets.kind == BARE)
    size = len(code) + 1
    before = np.searchsorted(code[pending] * size + pending, code[bare] * size + bare)
    open_now = np.concatenate(([0], open_after(brackets.kind[pending])))[before] > 0
    # A bare id in the cell that closes the last mention counts as after the closing bracket.
    return bare[open_now], bare[~open_now]

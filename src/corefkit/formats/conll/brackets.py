"""Brackets of the CoNLL family: cells such as `(12|(3)|7)` → mentions, over a whole file at once.

`(12` begins a mention, `12)` ends one, and `(12)` does both; `|` or `_` may stand between them.
They come in any order.
Within one token, openings are taken before closings, so that the order inside a cell never matters;
of nested mentions of one entity the one opened last closes first. A bare `12` between `(12` and
`12)` says once more that the mention goes on; some tools write it, and it changes nothing.
"""

from typing import NamedTuple

import numpy as np

from corefkit.data.arrays import EMPTY, BoolArray, ByteArray, IntArray, distinct, stretches
from corefkit.formats.conll.interning import intern

SINGLE, OPEN, CLOSE, BARE = 0, 1, 2, 3
_LEFT, _RIGHT, _BAR, _LINE = b"()|_"


class Brackets(NamedTuple):
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


class Mentions(NamedTuple):
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


def find_brackets(buffer: ByteArray, start: IntArray, end: IntArray) -> Brackets:
    """The brackets in the cells buffer[start:end]; all cells are nonempty."""
    if not len(start):
        return Brackets(EMPTY, EMPTY, EMPTY, EMPTY, [], EMPTY)
    length = end - start
    offset = np.cumsum(length) - length
    total = int(length.sum())
    place = stretches(start, length)
    text = buffer[place]
    cell = np.repeat(np.arange(len(start)), length)
    head, tail = np.zeros(total, dtype=bool), np.zeros(total, dtype=bool)
    head[offset], tail[offset + length - 1] = True, True

    left, right, bar = text == _LEFT, text == _RIGHT, text == _BAR
    joint = text == _LINE
    if joint.any():  # corefconversion joins by _, right after ")" or right before "("
        bar |= joint & ((_before(right) & ~head) | (_after(left) & ~tail))
    inside = ~(left | right | bar)
    begins = inside & (_before(~inside) | head)
    ends = inside & (_after(~inside) | tail)
    first, last = np.flatnonzero(begins), np.flatnonzero(ends)
    opened = (_before(left) & ~head)[first]
    closed = (_after(right) & ~tail)[last]

    # Every "(" must stand right before an id, every ")" right after one, every "|" between two.
    wrong = left & ~(_after(inside) & ~tail)
    wrong |= right & ~(_before(inside) & ~head)
    wrong |= bar & (head | tail | _before(bar) | _after(bar))
    malformed = distinct(cell[wrong]).values

    kind = np.select([opened & closed, opened, closed], [SINGLE, OPEN, CLOSE], BARE)
    if len(malformed):
        usable = ~np.isin(cell[first], malformed)
        first, last, kind = first[usable], last[usable], kind[usable]
    ids, names = intern(text, first, last + 1 - first)
    order = np.argsort(cell[first] * 4 + kind, kind="stable")
    begin = place[first] - ((kind == SINGLE) | (kind == OPEN))
    return Brackets(cell[first][order], kind[order], ids[order], begin[order], names, malformed)


def only_digits(brackets: Brackets) -> Brackets:
    """The brackets that the reference scorer sees: those whose id is made of ASCII digits."""
    digits = np.array([name.isdigit() for name in brackets.ids], dtype=bool)
    seen = digits[brackets.id] & (brackets.kind != BARE)
    cell, kind, id, place = (column[seen] for column in brackets[:4])
    return Brackets(cell, kind, id, place, brackets.ids, EMPTY)


def match(brackets: Brackets, document: IntArray) -> Mentions:
    """Pair the brackets of each entity; `document` (cells,) keeps the ids of documents apart."""
    code = document[brackets.cell] * max(len(brackets.ids), 1) + brackets.id
    paired = pair(brackets.kind, code)
    completed = np.argsort(paired.last)
    first_open, last_close = paired.first[completed], paired.last[completed]
    codes, _, _, entity = distinct(code[first_open])
    first_seen = np.full(len(codes), len(code))
    np.minimum.at(first_seen, entity, first_open)
    order = np.argsort(first_seen)
    rank = np.argsort(order)
    return Mentions(
        first_open,
        last_close,
        rank[entity],
        codes[order] % max(len(brackets.ids), 1),
        paired.unopened,
        paired.unclosed,
        *_bare(brackets, code, paired.pending),
    )


class Paired(NamedTuple):
    """Brackets by their numbers: the first and the last of each mention, and those left over.

    `pending` are the openings and closings that pair up, by group.
    """

    first: IntArray
    last: IntArray
    pending: IntArray
    unopened: list[int]
    unclosed: list[int]


def pair(kind: IntArray, group: IntArray) -> Paired:
    """Pair each closing with the opening of its group that was opened last.

    What is neither SINGLE nor OPEN nor CLOSE is not looked at.
    """
    pending = np.flatnonzero((kind == OPEN) | (kind == CLOSE))
    pending = pending[np.argsort(group[pending], kind="stable")]
    depth = _depth(kind[pending])
    ends = np.append(np.flatnonzero(np.diff(group[pending])), len(pending) - 1)
    unopened: list[int] = []
    unclosed: list[int] = []
    if len(pending) and (depth.min() < 0 or depth[ends].any()):
        opens, own = kind[pending] == OPEN, group[pending]
        surplus = _closes_nothing(opens, own)
        lacking = _closes_nothing(~opens[::-1], -own[::-1])[::-1]
        unopened, unclosed = (np.sort(pending[alone]).tolist() for alone in (surplus, lacking))
        pending = pending[~(surplus | lacking)]
        depth = _depth(kind[pending])
    level = np.where(kind[pending] == OPEN, depth, depth + 1)
    # On one level openings and closings alternate: each group has closed all before the next one.
    narrow = level.astype(np.min_scalar_type(level.max(initial=0)))  # sorted in linear time
    alternate = pending[np.argsort(narrow, kind="stable")]
    single = np.flatnonzero(kind == SINGLE)
    first = np.concatenate((single, alternate[0::2]))
    return Paired(first, np.concatenate((single, alternate[1::2])), pending, unopened, unclosed)


def _depth(kind: IntArray) -> IntArray:
    """How many mentions are open after each bracket, all of one entity or all balanced."""
    return np.cumsum(np.where(kind == OPEN, 1, -1))


def _bare(brackets: Brackets, code: IntArray, pending: IntArray) -> tuple[IntArray, IntArray]:
    """The bare ids, apart: where a mention of that entity is open, and where none is."""
    bare = np.flatnonzero(brackets.kind == BARE)
    size = len(code) + 1
    before = np.searchsorted(code[pending] * size + pending, code[bare] * size + bare)
    open_now = np.concatenate(([0], _depth(brackets.kind[pending])))[before] > 0
    # A bare id in the cell that closes the last mention stands behind the closing bracket.
    return bare[open_now], bare[~open_now]


def _closes_nothing(opens: BoolArray, group: IntArray) -> BoolArray:
    """bool (brackets,): which close more than was opened in their group; groups stand in order.

    Read from the end, with openings for closings, it is which are never closed.
    """
    step = np.where(opens, 1, -1)
    depth = np.cumsum(step)
    begin = np.searchsorted(group, group)
    depth = depth - (depth - step)[begin]
    # Each time that the depth falls below zero, and lower than ever before in the group.
    lowest = np.minimum.accumulate(np.minimum(depth, 0) - begin * (len(group) + 1))
    surplus: BoolArray = (depth < 0) & (np.diff(lowest, prepend=1) < 0)
    return surplus


def _before(mask: BoolArray) -> BoolArray:
    """At each place, what the mask says of the place before it; True before the first."""
    return np.concatenate(([True], mask[:-1]))


def _after(mask: BoolArray) -> BoolArray:
    return np.concatenate((mask[1:], [True]))

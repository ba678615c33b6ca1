"""The brackets of the coreference column, and their pairs.

    …   (1|(2)      `(1` begins a mention, `(2)` is one of a single token
    …   1)          `1)` ends a mention

Each distinct cell is read once. Most ids have brackets that simply alternate and are paired all at
once; those that are nested, broken or bare are paired with a stack.
"""

import re
from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray, starts_of_runs, stretches
from corefkit.formats.conll.lines import NO_MARKS, Lines

_SINGLE, _OPEN, _CLOSE, _BARE = range(4)
_KINDS = {(b"(", b")"): _SINGLE, (b"(", b""): _OPEN, (b"", b")"): _CLOSE, (b"", b""): _BARE}
_PIECE = re.compile(rb"(\(?)([^()|]+)(\)?)(\|?)|[()]")
_JOINT = re.compile(rb"(?<=\))_|_(?=\()")

_Bracket = tuple[int, bytes, int]
"""Its kind, its id, and where it begins in the cell."""


def read_cell(cell: bytes) -> list[_Bracket] | None:
    """The brackets of a cell: one-token mentions, then openings, closings and bare ids.

    None if the cell is malformed: each bracket must have an id, and each | must be between two
    brackets.

    >>> read_cell(b"12)|(3)(7")
    [(0, b'3', 4), (1, b'7', 7), (2, b'12', 0)]
    """
    if b"_" in cell:  # corefconversion joins by _, right after ")" or right before "("
        cell = _JOINT.sub(b"|", cell)
    if cell[:1] == b"|" or cell[-1:] == b"|" or b"||" in cell:
        return None
    brackets, offset = [], 0
    for left, id, right, joint in _PIECE.findall(cell):
        if not id:
            return None
        brackets.append((_KINDS[left, right], id, offset))
        offset += len(left) + len(id) + len(right) + len(joint)
    return sorted(brackets, key=itemgetter(0)) if offset == len(cell) else None


class Brackets(NamedTuple):
    """The brackets of a file, by token; of one token: one-token mentions, openings, closings.

    Attributes:
        token: int64 (brackets,), the token of each.
        cell, byte: int64 (brackets,), the first byte of its cell, and its own.
        kind: int64 (brackets,), what it does.
        id: int64 (brackets,), an index into `ids`.
        ids: the distinct ids.
    """

    token: IntArray
    cell: IntArray
    byte: IntArray
    kind: IntArray
    id: IntArray
    ids: list[bytes]

    def with_digits(self) -> "Brackets":
        """Those that the reference scorer reads: their ids consist of ASCII digits."""
        digits = np.array([id.isdigit() for id in self.ids], dtype=bool)
        seen = digits[self.id] & (self.kind != _BARE)
        token, cell, byte, kind, id = (column[seen] for column in self[:5])
        return Brackets(token, cell, byte, kind, id, self.ids)


def find_brackets(lines: Lines) -> tuple[Brackets, list[tuple[int, int]]]:
    """The brackets of a file, and the line and the first byte of each cell that is malformed."""
    token = np.flatnonzero(lines.marked[lines.tokens])
    row = lines.tokens[token]
    code, cells = lines.last_cells(row)
    start = lines.end[row] - np.array([*map(len, cells)], np.int64)[code]

    read = [[] if cell in NO_MARKS else read_cell(cell) for cell in cells]
    bad = np.array([brackets is None for brackets in read], bool)[code]
    ids: dict[bytes, int] = {}
    table = [
        (kind, ids.setdefault(id, len(ids)), offset)
        for brackets in read
        for kind, id, offset in brackets or ()
    ]
    size = np.array([len(brackets or ()) for brackets in read], np.int64)
    of_cells = stretches((np.cumsum(size) - size)[code], size[code])
    kind, id, offset = np.array(table, np.int64).reshape(-1, 3)[of_cells].T
    token, cell = (np.repeat(column, size[code]) for column in (token, start))
    malformed = [*zip(row[bad].tolist(), start[bad].tolist(), strict=True)]
    return Brackets(token, cell, cell + offset, kind, id, [*ids]), malformed


class BracketPairs(NamedTuple):
    """The numbers of brackets, int64 (…,).

    Attributes:
        first, last: the first and the last bracket of each mention, in the order of the last ones.
        unopened, unclosed: brackets without a partner.
        continued, stray: bare ids inside a mention with the same id, and those elsewhere.
    """

    first: IntArray
    last: IntArray
    unopened: IntArray
    unclosed: IntArray
    continued: IntArray
    stray: IntArray


def pair_brackets(brackets: Brackets, document: IntArray) -> BracketPairs:
    """Pair each closing bracket with the one of its id and document that was opened last.

    `document` (brackets,) is that of each.
    """
    group = document * max(len(brackets.ids), 1) + brackets.id
    single = np.flatnonzero(brackets.kind == _SINGLE)
    rest = np.flatnonzero(brackets.kind != _SINGLE)
    rest = rest[np.argsort(group[rest], kind="stable")]
    begins = starts_of_runs(group[rest])
    size = np.diff(begins, append=len(rest))
    is_second = (np.arange(len(rest)) - np.repeat(begins, size)) % 2 > 0
    odd = np.repeat(size % 2 > 0, size)
    odd |= brackets.kind[rest] != np.where(is_second, _CLOSE, _OPEN)
    odd = np.repeat(np.logical_or.reduceat(odd, begins) if len(begins) else odd, size)
    simple, others = rest[~odd], rest[odd]
    columns = (column[others].tolist() for column in (group, brackets.kind))
    nested = _pair_nested(zip(*columns, others.tolist(), strict=True))
    first = np.concatenate((single, simple[0::2], nested.first))
    last = np.concatenate((single, simple[1::2], nested.last))
    completed = np.argsort(last)
    return nested._replace(first=first[completed], last=last[completed])


def _pair_nested(brackets: Iterable[tuple[int, int, int]]) -> BracketPairs:
    """Pair brackets, given as (group, kind, number) and sorted by group, with a stack."""
    first, last = list[int](), list[int]()
    unopened, unclosed, continued, stray = (list[int]() for _ in range(4))
    for _, of_group in groupby(brackets, key=itemgetter(0)):
        opened, bare = list[int](), list[tuple[int, int | None]]()
        for _, kind, number in of_group:
            if kind == _OPEN:
                opened.append(number)
            elif kind == _BARE:
                bare.append((number, opened[-1] if opened else None))
            elif opened:
                first.append(opened.pop())
                last.append(number)
            else:
                unopened.append(number)
        unclosed += opened
        never_closed = {None, *opened}  # a bare id must be in a completed mention
        for number, around in bare:
            (stray if around in never_closed else continued).append(number)
    problems = (sorted(numbers) for numbers in (unopened, unclosed, continued, stray))
    return BracketPairs(*(np.array(numbers, np.int64) for numbers in (first, last, *problems)))

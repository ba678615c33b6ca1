"""Brackets of the CoNLL family: cells such as `(12|(3)|7)` → mentions, over a whole file at once.

`(12` begins a mention, `12)` ends one, and `(12)` does both; `|` or `_` may stand between them.
They come in any order.
Within one token, openings are taken before closings, so that the order inside a cell never matters;
of nested mentions of one entity the one opened last closes first. A bare `12` between `(12` and
`12)` says once more that the mention goes on; some tools write it, and it changes nothing.

Columns of brackets such as `(NP*`, `*)` and `(PERSON)` → labelled spans, all tokens at once.

Parse bits, named entities and predicate arguments are written alike: labels open before the star,
brackets close behind it, and never across the end of a sentence.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import EMPTY, BoolArray, ByteArray, IntArray, distinct, stretches
from corefkit.core.source import NOTHING, Column
from corefkit.formats.columns.interning import intern

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


_CELL = re.compile(r"((?:\([^()*\s]*)*)(\*?)(\)*)")


@dataclass(frozen=True, eq=False)
class Spans:
    """Labelled spans in text order, an outer one before those inside it.

    Attributes:
        first, last: int64 (spans,), tokens of the corpus, both included.
        label: int64 (spans,), an index into `labels`.
        level: int64 (spans,), how many spans are around it.
    """

    first: IntArray
    last: IntArray
    label: IntArray
    level: IntArray
    labels: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def parent(self) -> IntArray:
        """The number of the span right around each one, int64 (spans,); −1 for the outermost."""
        number, size = np.arange(len(self)), max(len(self), 1)
        # The last span before it that has one span fewer around it.
        by_level = np.sort(self.level * size + number)
        before = np.searchsorted(by_level, (self.level - 1) * size + number) - 1
        return np.where(self.level > 0, by_level[before] % size, -1)

    def between(self, first: int, stop: int) -> slice:
        """The spans that begin at these tokens, `stop` not included."""
        return slice(*np.searchsorted(self.first, [first, stop]).tolist())

    def named(self, name: str) -> "Spans":
        """The spans with this label."""
        some = self.label == (self.labels.index(name) if name in self.labels else -1)
        first, last, label = self.first[some], self.last[some], self.label[some]
        return Spans(first, last, label, self.level[some], self.labels)

    def over(self, first: IntArray, last: IntArray, *, inner: bool = False) -> IntArray:
        """The number of the span over exactly these tokens, −1 where there is none.

        Of several it is the outermost, or the innermost if asked.
        """
        size = max(int(self.last.max(initial=0)), int(last.max(initial=0))) + 1
        codes, wanted = self.first * size + self.last, first * size + last
        order = np.argsort(codes, kind="stable")  # an outer one stands before those inside it
        place = np.searchsorted(codes[order], wanted, side="right" if inner else "left") - inner
        found = np.append(codes[order], -1)[place] == wanted
        return np.where(found, np.append(order, -1)[place], -1)

    def token_levels(self, tokens: int) -> IntArray:
        """The level of the span right around each token, int64 (tokens,); −1: there is none."""
        opened = np.cumsum(np.bincount(self.first, minlength=tokens))
        closed = np.cumsum(np.bincount(self.last + 1, minlength=tokens + 1))
        return opened - closed[:tokens] - 1


class Defects(NamedTuple):
    """Where a column of brackets is broken, as numbers of tokens.

    Attributes:
        malformed: the cells that are not made of brackets.
        unopened: in each such sentence the first cell that closes more than is open.
        unclosed: in each such sentence the last opening bracket that is never closed.
    """

    malformed: IntArray
    unopened: IntArray
    unclosed: IntArray

    def __bool__(self) -> bool:
        return any(map(len, self))


def find_spans(column: Column, sentence: IntArray) -> tuple[Spans, Defects]:
    """The spans of a column; `sentence` (tokens,) is the number of each token's sentence, rising.

    A sentence with a defect has no spans at all.

    >>> column = Column(np.array([0, 1, 2, 3]), ("(S(NP*", "*)", "(VP*", "*))"))
    >>> spans, defects = find_spans(column, np.zeros(4, dtype=np.int64))
    >>> [spans.labels[i] for i in spans.label], spans.first.tolist(), spans.last.tolist()
    (['S', 'NP', 'VP'], [0, 0, 2], [3, 1, 3])
    >>> bool(defects)
    False
    """
    cells = [_read(value) for value in column.values]
    numbers = [(len(opened), closed, broken) for opened, closed, broken in cells]
    table = np.array(numbers, dtype=np.int64).reshape(-1, 3).T
    opens, closes, malformed = table[:, column.code]
    names: dict[str, int] = {}
    flat = [names.setdefault(name, len(names)) for opened, _, _ in cells for name in opened]
    offset = np.cumsum([0, *table[0].tolist()])[column.code]
    label = np.array(flat, dtype=np.int64)[stretches(offset, opens)]

    # All brackets of the column, in each cell first those that open.
    token = np.repeat(np.arange(len(sentence)), opens + closes)
    both = np.stack((opens, closes), axis=1).ravel()
    kind = np.repeat(np.tile([OPEN, CLOSE], len(sentence)), both)
    paired = pair(kind, sentence[token])
    unopened, unclosed = token[paired.unopened], token[paired.unclosed]
    defects = _defects(np.flatnonzero(malformed), unopened, unclosed, sentence)
    sound = ~np.isin(sentence[token], sentence[np.concatenate(defects)])
    opening = np.flatnonzero(kind == OPEN)
    partner = np.empty_like(token)
    partner[paired.first] = paired.last
    first, label = opening[sound[opening]], label[sound[opening]]
    level = np.cumsum(np.where(kind == OPEN, sound, -sound.astype(np.int64)))[first] - 1
    return Spans(token[first], token[partner[first]], label, level, tuple(names)), defects


def _read(cell: str) -> tuple[list[str], int, bool]:
    """The labels that a cell opens, how many it closes, and whether it is not made of brackets."""
    found = _CELL.fullmatch(cell)
    if found is None or cell in NOTHING:
        return [], 0, cell not in NOTHING
    opened, star, closed = found.groups()
    return opened.split("(")[1:], len(closed), not (star or (opened and closed))


def _defects(
    malformed: IntArray, unopened: IntArray, unclosed: IntArray, sentence: IntArray
) -> Defects:
    """What is told of a sentence: its malformed cells, else one bracket without a partner."""
    unopened = unopened[~np.isin(sentence[unopened], sentence[malformed])]
    unopened = unopened[distinct(sentence[unopened]).first]
    told = sentence[np.concatenate((malformed, unopened))]
    unclosed = unclosed[~np.isin(sentence[unclosed], told)][::-1]
    return Defects(malformed, unopened, unclosed[distinct(sentence[unclosed]).first][::-1])

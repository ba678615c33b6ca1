"""Columns of brackets such as `(NP*`, `*)` and `(PERSON)` → labelled spans, all tokens at once.

Parse bits, named entities and predicate arguments are written alike: labels open before the star,
brackets close behind it, and never across the end of a sentence.
"""

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corefkit.data.arrays import EMPTY, IntArray
from corefkit.data.columns import Column

NOTHING = frozenset({"*", "-", "_", ""})
"""What stands where nothing opens or closes."""

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

    def between(self, first: int, last: int) -> range:
        """The numbers of the spans that begin at these tokens, both included."""
        start, stop = np.searchsorted(self.first, [first, last + 1])
        return range(int(start), int(stop))

    def named(self, *labels: str) -> IntArray:
        """The numbers of the spans with one of these labels, int64."""
        wanted = [i for i, label in enumerate(self.labels) if label in labels]
        return np.flatnonzero(np.isin(self.label, wanted))

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


@dataclass(frozen=True, eq=False)
class Defects:
    """Where a column of brackets is broken, as numbers of tokens.

    Attributes:
        malformed: the cells that are not made of brackets.
        unopened: in each such sentence the first cell that closes more than is open.
        unclosed: in each such sentence the opening bracket that is never closed.
    """

    malformed: IntArray
    unopened: IntArray
    unclosed: IntArray

    def __bool__(self) -> bool:
        return bool(len(self.malformed) + len(self.unopened) + len(self.unclosed))


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
    sound, defects = _check(opens, closes, malformed, sentence)
    opens, closes = np.where(sound, opens, 0), np.where(sound, closes, 0)
    names: dict[str, int] = {}
    flat = [names.setdefault(name, len(names)) for opened, _, _ in cells for name in opened]
    offset = np.cumsum([0, *table[0].tolist()])[column.code]
    return _pair(opens, closes, np.array(flat, dtype=np.int64), offset, tuple(names)), defects


def _read(cell: str) -> tuple[list[str], int, bool]:
    """The labels that a cell opens, how many it closes, and whether it is not made of brackets."""
    found = _CELL.fullmatch(cell)
    if found is None or cell in NOTHING:
        return [], 0, cell not in NOTHING
    opened, star, closed = found.groups()
    return opened.split("(")[1:], len(closed), not (star or (opened and closed))


def _check(
    opens: IntArray, closes: IntArray, malformed: IntArray, sentence: IntArray
) -> tuple[IntArray, Defects]:
    """Which tokens are in sound sentences, and what is wrong with the others."""
    depth = np.cumsum(opens - closes)
    begin = np.searchsorted(sentence, sentence)
    depth -= np.where(begin > 0, depth[begin - 1], 0)
    last = np.diff(sentence, append=sentence[-1:] + 1) > 0
    negative, left_open, odd = depth < 0, last & (depth > 0), malformed > 0
    wrong = np.unique(sentence[negative | left_open | odd])
    if not len(wrong):
        return np.ones(len(sentence), dtype=np.int64), Defects(EMPTY, EMPTY, EMPTY)
    strange = np.flatnonzero(odd)
    skip = np.isin(sentence, sentence[strange])
    under = _first_of_each(np.flatnonzero(negative & ~skip), sentence)
    skip |= np.isin(sentence, sentence[under])
    # The bracket that stays open is the last one before which fewer were open than in the end.
    final = depth[np.searchsorted(sentence, sentence, side="right") - 1]
    candidates = np.flatnonzero((depth - (opens - closes) < final) & (opens > 0) & ~skip)
    still = np.isin(sentence[candidates], sentence[left_open])
    over = _first_of_each(candidates[still][::-1], sentence)[::-1]
    sound = ~np.isin(sentence, wrong)
    return sound.astype(np.int64), Defects(strange, under, over)


def _first_of_each(tokens: IntArray, sentence: IntArray) -> IntArray:
    _, first = np.unique(sentence[tokens], return_index=True)
    return tokens[first]


def _pair(
    opens: IntArray, closes: IntArray, flat: IntArray, offset: IntArray, labels: tuple[str, ...]
) -> Spans:
    """Pair the brackets: on one level of nesting, openings and closings alternate."""
    before = np.cumsum(opens - closes) - (opens - closes)
    opening, rank = _repeat(opens)
    closing, place = _repeat(closes)
    up = before[opening] + rank
    down = (before + opens)[closing] - place - 1
    order = np.lexsort((opening, up))
    last = np.empty(len(opening), dtype=np.int64)
    last[order] = closing[np.lexsort((closing, down))]
    return Spans(opening, last, flat[offset[opening] + rank], up, labels)


def _repeat(count: IntArray) -> tuple[IntArray, IntArray]:
    """Each token as often as it has brackets, and the number of each of these brackets in it."""
    token = np.repeat(np.arange(len(count)), count)
    return token, np.arange(len(token)) - np.repeat(np.cumsum(count) - count, count)

"""Columns of brackets such as `(NP*`, `*)` and `(PERSON)` → labelled spans, all tokens at once.

Parse bits, named entities and predicate arguments are written alike: labels open before the star,
brackets close after it, and never across the end of a sentence.
"""

import re
from functools import cached_property
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray, distinct, stretches
from corefkit.core.carriers import frozen
from corefkit.core.source import NOTHING, Column
from corefkit.formats.columns.brackets import CLOSE, OPEN, pair_brackets

_CELL = re.compile(r"((?:\([^()*\s]*)*)(\*?)(\)*)")


@frozen(eq=False)
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


class BrokenBrackets(NamedTuple):
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


def find_spans(column: Column, sentence: IntArray) -> tuple[Spans, BrokenBrackets]:
    """The spans of a column; `sentence` (tokens,) is the number of each token's sentence, rising.

    A sentence with a broken bracket has no spans at all.

    >>> column = Column(np.array([0, 1, 2, 3]), ("(S(NP*", "*)", "(VP*", "*))"))
    >>> spans, broken = find_spans(column, np.zeros(4, dtype=np.int64))
    >>> [spans.labels[i] for i in spans.label], spans.first.tolist(), spans.last.tolist()
    (['S', 'NP', 'VP'], [0, 0, 2], [3, 1, 3])
    >>> bool(broken)
    False
    """
    cells = [_read(value) for value in column.values]
    numbers = [(len(opened), closed, bad) for opened, closed, bad in cells]
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
    paired = pair_brackets(kind, sentence[token])
    unopened, unclosed = token[paired.unopened], token[paired.unclosed]
    broken = _broken_brackets(np.flatnonzero(malformed), unopened, unclosed, sentence)
    sound = ~np.isin(sentence[token], sentence[np.concatenate(broken)])
    opening = np.flatnonzero(kind == OPEN)
    partner = np.empty_like(token)
    partner[paired.first] = paired.last
    first, label = opening[sound[opening]], label[sound[opening]]
    level = np.cumsum(np.where(kind == OPEN, sound, -sound.astype(np.int64)))[first] - 1
    return Spans(token[first], token[partner[first]], label, level, tuple(names)), broken


def _read(cell: str) -> tuple[list[str], int, bool]:
    """The labels that a cell opens, how many it closes, and whether it is not made of brackets."""
    found = _CELL.fullmatch(cell)
    if found is None or cell in NOTHING:
        return [], 0, cell not in NOTHING
    opened, star, closed = found.groups()
    return opened.split("(")[1:], len(closed), not (star or (opened and closed))


def _broken_brackets(
    malformed: IntArray, unopened: IntArray, unclosed: IntArray, sentence: IntArray
) -> BrokenBrackets:
    """What is told of a sentence: its malformed cells, else one bracket without a partner."""
    unopened = unopened[~np.isin(sentence[unopened], sentence[malformed])]
    unopened = unopened[distinct(sentence[unopened]).first]
    told = sentence[np.concatenate((malformed, unopened))]
    unclosed = unclosed[~np.isin(sentence[unclosed], told)][::-1]
    return BrokenBrackets(malformed, unopened, unclosed[distinct(sentence[unclosed]).first][::-1])

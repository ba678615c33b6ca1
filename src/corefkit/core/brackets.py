"""Columns of labelled brackets such as `(NP*`, `*)` and `(PERSON)`, as spans of all tokens at once.

Parse bits, named entities and predicate arguments have this form: labels open before the star,
brackets close after it, and no span crosses the end of a sentence.
"""

import re
from collections.abc import Callable
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray, starts_of_runs, stretches
from corefkit.core.carriers import frozen
from corefkit.core.columns import NOTHING, Column
from corefkit.core.incidents import Collector, Place

_CELL = re.compile(r"((?:\([^()*\s]*)*)(\*?)(\)*)")


@frozen(eq=False)
class Spans:
    """Labelled spans in text order, an outer one before those inside it.

    Attributes:
        first, last: int64 (spans,), the first and last token.
        label: int64 (spans,), an index into `labels`.
        level: int64 (spans,), how many spans enclose it.
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
        """int64 (spans,): the innermost span that encloses each one; −1 for the outermost."""
        number, size = np.arange(len(self)), max(len(self), 1)
        # It is the last span before it that is enclosed by one span fewer.
        by_level = np.sort(self.level * size + number)
        before = np.searchsorted(by_level, (self.level - 1) * size + number) - 1
        return np.where(self.level > 0, by_level[before] % size, -1)

    def between(self, first: int, stop: int) -> slice:
        """The spans that begin at tokens from `first` to `stop`, which is excluded."""
        return slice(*np.searchsorted(self.first, [first, stop]).tolist())

    def named(self, name: str) -> "Spans":
        """The spans with this label."""
        some = self.label == (self.labels.index(name) if name in self.labels else -1)
        first, last, label = self.first[some], self.last[some], self.label[some]
        return Spans(first, last, label, self.level[some], self.labels)

    def over(self, first: IntArray, last: IntArray, *, inner: bool = False) -> IntArray:
        """The number of the span over exactly these tokens; −1 if there is none.

        If there are several, it is the outermost or, with `inner`, the innermost.
        """
        size = max(int(self.last.max(initial=0)), int(last.max(initial=0))) + 1
        codes, wanted = self.first * size + self.last, first * size + last
        order = np.argsort(codes, kind="stable")  # an outer span comes before those inside it
        nearest = np.searchsorted(codes[order], wanted, side="right" if inner else "left") - inner
        exact = np.append(codes[order], -1)[nearest] == wanted
        return np.where(exact, np.append(order, -1)[nearest], -1)

    def token_levels(self, tokens: int) -> IntArray:
        """int64 (tokens,): the level of the innermost span around each token; −1 if none."""
        opened = np.cumsum(np.bincount(self.first, minlength=tokens))
        closed = np.cumsum(np.bincount(self.last + 1, minlength=tokens + 1))
        return opened - closed[:tokens] - 1


class BrokenBrackets(NamedTuple):
    """The tokens at which a column of brackets is broken.

    Attributes:
        malformed: the cells that do not consist of brackets.
        unopened: the first cell of a sentence that closes more than is open.
        unclosed: the last opening bracket of a sentence that is never closed.
    """

    malformed: IntArray
    unopened: IntArray
    unclosed: IntArray

    def __bool__(self) -> bool:
        return any(map(len, self))


def find_spans(column: Column, sentence: IntArray) -> tuple[Spans, BrokenBrackets]:
    """The spans of a column, and its broken brackets.

    `sentence` (tokens,) is the number of each token's sentence, in ascending order. A sentence with
    a broken bracket has no spans at all.

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

    # All brackets of the column; in each cell, openings come first.
    token = np.repeat(np.arange(len(sentence)), opens + closes)
    both = np.stack((opens, closes), axis=1).ravel()
    step = np.repeat(np.tile([1, -1], len(sentence)), both)
    broken = _broken_brackets(np.flatnonzero(malformed), token, step, sentence)
    if broken:
        sound = ~np.isin(sentence[token], sentence[np.concatenate(broken)])
        label, token, step = label[sound[step > 0]], token[sound], step[sound]
    # On each level openings and closings alternate, as sentences end with all brackets closed.
    level = np.cumsum(step) - (step > 0)
    narrow = level.astype(np.min_scalar_type(level.max(initial=0)))  # sorted in linear time
    order = np.argsort(narrow, kind="stable")
    first, last = order[0::2], order[1::2]
    in_text = np.argsort(first)
    first, last = first[in_text], last[in_text]
    return Spans(token[first], token[last], label, level[first], tuple(names)), broken


def _broken_brackets(
    malformed: IntArray, token: IntArray, step: IntArray, sentence: IntArray
) -> BrokenBrackets:
    """The reported tokens: malformed cells of a sentence, or else one bracket without a partner.

    `token` and `step` (brackets,) are the token of each bracket, and 1 or −1.
    """
    number, depth = sentence[token], np.cumsum(step)
    first = starts_of_runs(number)
    last = np.append(first[1:], len(number))[: len(first)] - 1
    before = np.repeat(depth[first] - step[first], last - first + 1)
    wrong = {*number[depth < before].tolist(), *number[last[depth[last] != before[last]]].tolist()}
    unopened, unclosed = [], []
    for one in sorted(wrong - {*sentence[malformed].tolist()}):
        some = slice(*np.searchsorted(number, [one, one + 1]).tolist())
        open_now: list[int] = []
        for at, opens in zip(token[some].tolist(), (step[some] > 0).tolist(), strict=True):
            if opens:
                open_now.append(at)
            elif open_now:
                open_now.pop()
            else:
                unopened.append(at)
                break
        else:
            unclosed.append(open_now[-1])
    return BrokenBrackets(malformed, np.array(unopened, np.int64), np.array(unclosed, np.int64))


def _read(cell: str) -> tuple[list[str], int, bool]:
    """The labels that a cell opens, how many it closes, and whether it is malformed."""
    match = _CELL.fullmatch(cell)
    if match is None or cell in NOTHING:
        return [], 0, cell not in NOTHING
    opened, star, closed = match.groups()
    return opened.split("(")[1:], len(closed), not (star or (opened and closed))


_CONTENT = {"parse": "parse bits", "ne": "named entities", "arguments": "predicate arguments"}

_BROKEN = {
    "brackets-malformed": "such as (NP*, * or *)",
    "brackets-unopened": "no more closing brackets than open ones, sentence by sentence",
    "brackets-unclosed": "a closing bracket before the sentence ends",
}
"""The incidents of broken brackets, and what each expects."""


def check_brackets(
    column: str,
    broken: BrokenBrackets,
    found: str | Callable[[int], str],
    place: Callable[[int], Place],
) -> None:
    """Raise DataError where brackets are broken; `place` finds the place of a token.

    `found` is what an incident shows, or a function that finds it for a token.
    """
    collector = Collector()
    for kind, expected in _BROKEN.items():
        for token in getattr(broken, kind.removeprefix("brackets-")).tolist():
            shown, at = found(token) if callable(found) else found, partial(place, token)
            collector.note(kind, at=at, what=_CONTENT[column], found=shown, expected=expected)
    collector.check()

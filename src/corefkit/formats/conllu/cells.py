"""The values of `Entity` and their brackets, over a whole file at once."""

from dataclasses import dataclass

import numpy as np

from corefkit.data.arrays import EMPTY, BoolArray, ByteArray, IntArray, stretches
from corefkit.formats.conll.brackets import CLOSE, OPEN, SINGLE
from corefkit.formats.conll.interning import intern
from corefkit.formats.conllu.lines import Lines
from corefkit.formats.conllu.numbers import read_numbers

TEXT = 3
"""The kind of what is no bracket."""
_KINDS = np.array([TEXT, CLOSE, OPEN, SINGLE])
"""By whether the text begins with '(' (two) and ends with ')' (one)."""
_LEFT, _RIGHT, _BAR, _HYPHEN, _TAB = b"()|-\t"
_CHUNK = 1 << 18
_WINDOW = 24
_HEAD_DIGITS = 6


@dataclass(frozen=True, eq=False)
class Values:
    """The values of one MISC attribute: their rows, and where they begin and end, in bytes."""

    row: IntArray
    start: IntArray
    end: IntArray


@dataclass(frozen=True, eq=False)
class Brackets:
    """All brackets of a file, in order.

    Attributes:
        row: int64 (brackets,), the row it stands in.
        kind: int64 (brackets,), SINGLE, OPEN, CLOSE; or TEXT for what is no bracket.
        place, stop: int64 (brackets,), its bytes in the file.
        id: int64 (brackets,), an index into `ids`; of a closing bracket it is what stands before
            the first hyphen.
        ids: the distinct ids, with their `[part/parts]`.
        hyphen: int64, the bytes of all hyphens in the values.
        first: int64 (brackets,), the number of its first hyphen, and `values`, int64 (brackets,),
            how many hyphens it has.
    """

    row: IntArray
    kind: IntArray
    place: IntArray
    stop: IntArray
    id: IntArray
    ids: list[bytes]
    hyphen: IntArray
    first: IntArray
    values: IntArray

    def bounds(self, number: int, which: IntArray) -> tuple[IntArray, IntArray]:
        """The bytes of the value with this number of some brackets; empty where it is left out."""
        stop = self.stop[which] - (self.kind[which] != OPEN)
        start, end = stop.copy(), stop.copy()
        if number:
            has = self.values[which] >= number
            start[has] = self.hyphen[self.first[which][has] + number - 1] + 1
        else:
            start[:] = self.place[which] + (self.kind[which] != CLOSE)
        more = self.values[which] > number
        end[more] = self.hyphen[self.first[which][more] + number]
        return start, end


def find_values(lines: Lines, *names: bytes) -> list[Values]:
    """For each name the values of that attribute in the MISC column, multiword tokens included."""
    place = _find_beginnings(lines.buffer, bytes({name[0] for name in names}))
    return [_of_name(lines, place, name + b"=") for name in names]


def _find_beginnings(buffer: ByteArray, letters: bytes) -> IntArray:
    """Where one of the letters stands behind a tab or a bar."""
    pieces = [EMPTY]
    for at in range(0, len(buffer) - 1, _CHUNK):
        before, letter = buffer[at : at + _CHUNK], buffer[at + 1 : at + 1 + _CHUNK]
        begins = before == _TAB
        begins |= before == _BAR
        wanted = letter == letters[0]
        for other in letters[1:]:
            wanted |= letter == other
        wanted &= begins[: len(wanted)]
        pieces.append(np.flatnonzero(wanted) + at + 1)
    return np.concatenate(pieces)


def _of_name(lines: Lines, place: IntArray, name: bytes) -> Values:
    """Those of the places at which the name stands in the last column, and where its value ends."""
    place = place[place + len(name) <= len(lines.buffer)]
    for at, byte in enumerate(name):
        place = place[lines.buffer[place + at] == byte]
    if not len(lines.rows) or not len(place):
        return Values(EMPTY, EMPTY, EMPTY)
    row = np.searchsorted(lines.start[lines.rows], place, side="right") - 1
    end = lines.end[lines.rows[row]]
    inside = (row >= 0) & (place < end)
    inside[inside] = (lines.tally.before(end) == lines.tally.before(place))[inside]
    row, start, end = row[inside], place[inside] + len(name), end[inside]
    return Values(row, start, _until_bar(lines.buffer, start, end))


def _until_bar(buffer: ByteArray, start: IntArray, end: IntArray) -> IntArray:
    """Where the text from each start has its first bar, or the end."""
    stop, at, left = end.copy(), start, np.arange(len(start))
    if len(buffer) < _WINDOW:
        buffer = np.concatenate((buffer, np.zeros(_WINDOW, dtype=np.uint8)))
    # The bytes from every place on, as far as the window reaches: they overlap.
    every = np.ndarray((len(buffer) - _WINDOW + 1, _WINDOW), np.uint8, buffer, 0, (1, 1))
    while len(left):
        shown = np.minimum(at, len(buffer) - _WINDOW)
        is_bar = every[shown] == _BAR
        is_bar &= np.arange(_WINDOW) >= (at - shown)[:, None]
        first = is_bar.argmax(axis=1)
        found = is_bar[np.arange(len(left)), first]
        stop[left[found]] = np.minimum(shown + first, end[left])[found]
        going_on = ~found & (shown + _WINDOW < end[left])
        left, at = left[going_on], shown[going_on] + _WINDOW
    return stop


def find_brackets(buffer: ByteArray, values: Values, entity: int = 0) -> Brackets:
    """The brackets in the values; text between brackets is one of kind TEXT.

    `entity` is the place of the id among the values of an opening bracket.
    """
    some = values.end > values.start
    if not some.any():
        return Brackets(EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, [], EMPTY, EMPTY, EMPTY)
    start, length = values.start[some], (values.end - values.start)[some]
    offset = np.cumsum(length) - length
    total = int(length.sum())
    place = stretches(start, length)
    text = buffer[place]
    left, right = text == _LEFT, text == _RIGHT
    begins = left.copy()
    begins[offset] = True
    begins[1:] |= right[:-1]
    first = np.flatnonzero(begins)
    last = np.append(first[1:], total) - 1
    opened, closed = left[first], right[last]
    kind = _KINDS[opened * 2 + closed]
    hyphen = np.flatnonzero(text == _HYPHEN)
    first_hyphen = np.searchsorted(hyphen, first)
    hyphens = np.searchsorted(hyphen, last + 1) - first_hyphen
    id_start = first + opened
    id_end = last + 1 - closed
    has = hyphens > 0
    id_end[has] = hyphen[first_hyphen[has]]
    if entity:
        which = np.flatnonzero(opened)
        id_start[which] = id_end[which]
        which = which[hyphens[which] >= entity]
        id_start[which] = hyphen[first_hyphen[which] + entity - 1] + 1
        id_end[which] = (last + 1 - closed)[which]
        which = which[hyphens[which] > entity]
        id_end[which] = hyphen[first_hyphen[which] + entity]
    number, ids = intern(text, id_start, np.maximum(id_end - id_start, 0))
    row = values.row[some][np.searchsorted(offset, first, side="right") - 1]
    return Brackets(
        *(row, kind, place[first]),
        *(place[last] + 1, number, ids),
        *(place[hyphen], first_hyphen, hyphens),
    )


def heads(buffer: ByteArray, start: IntArray, end: IntArray) -> tuple[IntArray, BoolArray]:
    """Numbers from 1 in the text from start to end, 1 where there is none; and which are bad."""
    number = np.ones(len(start), dtype=np.int64)
    some = np.flatnonzero(end > start)
    number[some], stop = read_numbers(buffer, start[some])
    bad = np.zeros(len(start), dtype=bool)
    too_long = stop - start[some] > _HEAD_DIGITS
    bad[some[(stop != end[some]) | (number[some] < 1) | too_long]] = True
    number[bad] = 1
    return number, bad

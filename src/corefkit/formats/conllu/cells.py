"""The values of `Entity` and their brackets, over a whole file at once."""

from dataclasses import dataclass

import numpy as np

from corefkit.data.arrays import EMPTY, BoolArray, ByteArray, IntArray
from corefkit.formats.conll.interning import intern
from corefkit.formats.conll.lines import find_byte
from corefkit.formats.conllu.lines import MISC, Lines

SINGLE, OPEN, CLOSE, TEXT = 0, 1, 2, 3
_LEFT, _RIGHT, _BAR, _HYPHEN, _TAB = b"()|-\t"


@dataclass(frozen=True, eq=False)
class Values:
    """The values of one MISC attribute: bytes from which to which, and their rows."""

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
        has = self.values[which] >= number
        start, end = stop.copy(), stop.copy()
        at = self.first[which][has] + number - 1
        start[has] = self.hyphen[at] + 1
        more = self.values[which] > number
        end[more] = self.hyphen[self.first[which][more] + number]
        return start, end


def find_values(lines: Lines, name: bytes = b"Entity") -> Values:
    """The values of an attribute in the MISC column, multiword tokens included."""
    wanted = name + b"="
    place = find_byte(lines.buffer, wanted[0])
    place = place[place + len(wanted) <= len(lines.buffer)]
    for at, byte in enumerate(wanted[1:], 1):
        place = place[lines.buffer[place + at] == byte]
    return _in_misc(lines, place, len(wanted))


def _in_misc(lines: Lines, place: IntArray, length: int) -> Values:
    """Those of the places that begin an attribute of the last column, and where it ends."""
    place = place[place > 0]
    before = lines.buffer[place - 1]
    place = place[(before == _TAB) | (before == _BAR)]
    if not len(lines.rows) or not len(place):
        return Values(EMPTY, EMPTY, EMPTY)
    row = np.searchsorted(lines.start[lines.rows], place, side="right") - 1
    inside = (row >= 0) & (place > lines.tabs[row, MISC - 1])
    inside &= place < lines.end[lines.rows[row]]
    row, start = row[inside], place[inside] + length
    return Values(row, start, _until_bar(lines, start, lines.end[lines.rows[row]]))


def _until_bar(lines: Lines, start: IntArray, end: IntArray) -> IntArray:
    """Where the text from each start has its first bar, or the end."""
    length = end - start
    offset = np.cumsum(length) - length
    text = lines.buffer[np.arange(int(length.sum())) + np.repeat(start - offset, length)]
    bar = np.append(np.flatnonzero(text == _BAR), len(text))
    first = bar[np.searchsorted(bar, offset)] - offset
    found: IntArray = start + np.minimum(first, length)
    return found


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
    place = np.arange(total) + np.repeat(start - offset, length)
    text = buffer[place]
    head = np.zeros(total, dtype=bool)
    head[offset] = True
    left, right = text == _LEFT, text == _RIGHT
    begins = left | head
    begins[1:] |= right[:-1]
    first = np.flatnonzero(begins)
    last = np.append(first[1:], total) - 1
    opened, closed = left[first], right[last]
    kind = np.select([opened & closed, opened, closed], [SINGLE, OPEN, CLOSE], TEXT)
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
    row = np.repeat(np.flatnonzero(some), length)[first]
    return Brackets(
        *(values.row[row], kind, place[first]),
        *(place[last] + 1, number, ids),
        *(place[hyphen], first_hyphen, hyphens),
    )


def heads(buffer: ByteArray, start: IntArray, end: IntArray) -> tuple[IntArray, BoolArray]:
    """Numbers from 1 in the text from start to end, 1 where there is none; and which are bad."""
    number = np.zeros(len(start), dtype=np.int64)
    length = end - start
    bad = length > 6
    for at in range(int(length[~bad].max(initial=0))):
        has = np.flatnonzero(~bad & (length > at))
        digit = buffer[start[has] + at].astype(np.int64) - ord("0")
        bad[has[(digit < 0) | (digit > 9)]] = True
        number[has] = number[has] * 10 + digit
    number[length == 0] = 1
    bad |= number < 1
    number[bad] = 1
    return number, bad

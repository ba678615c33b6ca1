"""The values of `Entity` and their brackets, over a whole file at once.

A bracket holds values joined by hyphens, in the order of the declaration; one of them is the id of
the entity, which may say that this is part 1 of 2 of a mention, as in `(e5[1/2]-person-1-`.
"""

import re

import numpy as np

from corefkit.core.arrays import EMPTY, BoolArray, ByteArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.formats.columns.brackets import (
    CLOSE,
    OPEN,
    CellText,
    split_brackets,
)
from corefkit.formats.columns.buffer import read_numbers
from corefkit.formats.columns.interning import intern
from corefkit.formats.conllu.lines import ConlluLines

_BAR, _HYPHEN, _TAB = b"|-\t"
_CHUNK = 1 << 18
_WINDOW = 24
_HEAD_DIGITS = 6


@frozen(eq=False)
class MiscValues:
    """The values of one MISC attribute: their rows, and where they begin and end, in bytes."""

    row: IntArray
    start: IntArray
    end: IntArray


@frozen(eq=False)
class EntityBrackets:
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


def find_values(lines: ConlluLines, *names: bytes) -> list[MiscValues]:
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


def _of_name(lines: ConlluLines, place: IntArray, name: bytes) -> MiscValues:
    """Those of the places at which the name stands in the last column, and where its value ends."""
    place = place[place + len(name) <= len(lines.buffer)]
    for at, byte in enumerate(name):
        place = place[lines.buffer[place + at] == byte]
    if not len(lines.rows) or not len(place):
        return MiscValues(EMPTY, EMPTY, EMPTY)
    row = np.searchsorted(lines.start[lines.rows], place, side="right") - 1
    end = lines.end[lines.rows[row]]
    inside = (row >= 0) & (place < end)
    inside[inside] = (lines.tally.before(end) == lines.tally.before(place))[inside]
    row, start, end = row[inside], place[inside] + len(name), end[inside]
    return MiscValues(row, start, _until_bar(lines.buffer, start, end))


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


def find_brackets(buffer: ByteArray, values: MiscValues, entity: int = 0) -> EntityBrackets:
    """The brackets in the values; text between brackets is one of kind TEXT.

    `entity` is the place of the id among the values of an opening bracket.
    """
    some = np.flatnonzero(values.end > values.start)
    if not len(some):
        return EntityBrackets(EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, [], EMPTY, EMPTY, EMPTY)
    text = CellText.of(buffer, values.start[some], values.end[some])
    pieces = split_brackets(text)
    hyphen = text.place[np.flatnonzero(text.byte == _HYPHEN)]
    first_hyphen = np.searchsorted(hyphen, pieces.start)
    hyphens = np.searchsorted(hyphen, pieces.end) - first_hyphen
    start, end = pieces.inner_start.copy(), pieces.inner_end.copy()
    has = hyphens > 0
    end[has] = hyphen[first_hyphen[has]]
    if entity:
        which = np.flatnonzero(pieces.inner_start > pieces.start)
        start[which] = end[which]
        which = which[hyphens[which] >= entity]
        start[which] = hyphen[first_hyphen[which] + entity - 1] + 1
        end[which] = pieces.inner_end[which]
        which = which[hyphens[which] > entity]
        end[which] = hyphen[first_hyphen[which] + entity]
    number, ids = intern(buffer, start, np.maximum(end - start, 0))
    return EntityBrackets(
        row=values.row[some[pieces.cell]],
        kind=pieces.kind,
        place=pieces.start,
        stop=pieces.end,
        id=number,
        ids=ids,
        hyphen=hyphen,
        first=first_hyphen,
        values=hyphens,
    )


def read_heads(buffer: ByteArray, start: IntArray, end: IntArray) -> tuple[IntArray, BoolArray]:
    """Numbers from 1 in the text from start to end, 1 where there is none; and which are bad."""
    number = np.ones(len(start), dtype=np.int64)
    some = np.flatnonzero(end > start)
    number[some], stop = read_numbers(buffer, start[some])
    bad = np.zeros(len(start), dtype=bool)
    too_long = stop - start[some] > _HEAD_DIGITS
    bad[some[(stop != end[some]) | (number[some] < 1) | too_long]] = True
    number[bad] = 1
    return number, bad


_SQUARE = ord("[")
_FORBIDDEN = b"()|[]<>:,=- \t\n\r\f\v"
_ID = re.compile(rb"([^()|\s\[\]<>:,=-]+)(?:\[([1-9]\d{0,5})/([1-9]\d{0,5})\])?")


@frozen(eq=False)
class EntityIds:
    """The distinct ids of a file, taken apart.

    Attributes:
        base: int64 (ids,), an index into `labels`; −1 for an id that is none.
        part, parts: int64 (ids,), 0 for ids without `[part/parts]`.
        labels: the ids without their parts.
    """

    base: IntArray
    part: IntArray
    parts: IntArray
    labels: list[str]


def read_ids(ids: list[bytes]) -> EntityIds:
    """Read the ids with their parts.

    >>> read_ids([b"e1", b"e1[2/3]", b"e<"]).base.tolist()
    [0, 0, -1]
    """
    base = np.full(len(ids), -1, dtype=np.int64)
    part, parts = np.zeros((2, len(ids)), dtype=np.int64)
    number: dict[bytes, int] = {}
    in_parts = np.array([_SQUARE in text for text in ids], dtype=bool)
    rest = np.flatnonzero(in_parts).tolist()
    whole = [text for text, some in zip(ids, in_parts.tolist(), strict=True) if not some]
    if _fine(whole):  # in most files
        base[~in_parts] = np.arange(len(whole))
        number = dict(zip(whole, range(len(whole)), strict=True))
    else:
        rest = list(range(len(ids)))
    for at in rest:
        found = _ID.fullmatch(ids[at])
        own, total = (int(found[2]), int(found[3])) if found and found[2] else (0, 0)
        if found and (not found[2] or (total > 1 and own <= total)):
            base[at] = number.setdefault(found[1], len(number))
            part[at], parts[at] = own, total
    labels = b"\n".join(number).decode("utf-8", "replace").split("\n") if number else []
    return EntityIds(base, part, parts, labels)


def _fine(ids: list[bytes]) -> bool:
    """Whether all of them are what an id may be, without parts."""
    together = b"".join(ids)
    return len(together.translate(None, _FORBIDDEN)) == len(together) and all(ids)

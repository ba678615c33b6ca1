"""The values of `Entity` and their brackets, for a whole file at once.

A bracket holds values joined by hyphens, in the order of the declaration. One of them is the id of
the entity, which may mark part 1 of 2 of a mention, as in `(e5[1/2]-person-1-`.
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
    """The values of one MISC attribute: the row, the first byte and the end of each."""

    row: IntArray
    start: IntArray
    end: IntArray


@frozen(eq=False)
class EntityBrackets:
    """All brackets of a file, in order.

    Attributes:
        row: int64 (brackets,), the row of each.
        kind: int64 (brackets,), SINGLE, OPEN, CLOSE; or TEXT for anything else.
        place, stop: int64 (brackets,), its first byte and its end in the file.
        id: int64 (brackets,), an index into `ids`; for a closing bracket, the id is the text before
            the first hyphen.
        ids: the distinct ids, with their `[part/parts]`.
        hyphen: int64, the places of all hyphens in the values.
        first: int64 (brackets,), the index of its first hyphen in `hyphen`.
        values: int64 (brackets,), how many hyphens it has.
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
        """The bytes of the value with this number in some brackets; empty if it is left out."""
        stop = self.stop[which] - (self.kind[which] != OPEN)
        start, end = stop.copy(), stop.copy()
        if number:
            has = self.values[which] >= number
            start[has] = self.hyphen[self.first[which][has] + number - 1] + 1
        else:
            start[:] = self.place[which] + (self.kind[which] != CLOSE)
        is_followed = self.values[which] > number
        end[is_followed] = self.hyphen[self.first[which][is_followed] + number]
        return start, end


def find_values(lines: ConlluLines, *names: bytes) -> list[MiscValues]:
    """For each name, the values of this attribute in MISC, including those of multiword tokens."""
    place = _find_beginnings(lines.buffer, bytes({name[0] for name in names}))
    return [_of_name(lines, place, name + b"=") for name in names]


def _find_beginnings(buffer: ByteArray, letters: bytes) -> IntArray:
    """int64: the places at which one of the letters follows a tab or a bar."""
    pieces = [EMPTY]
    for at in range(0, len(buffer) - 1, _CHUNK):
        before, letter = buffer[at : at + _CHUNK], buffer[at + 1 : at + 1 + _CHUNK]
        begins = before == _TAB
        begins |= before == _BAR
        matches = letter == letters[0]
        for other in letters[1:]:
            matches |= letter == other
        matches &= begins[: len(matches)]
        pieces.append(np.flatnonzero(matches) + at + 1)
    return np.concatenate(pieces)


def _of_name(lines: ConlluLines, place: IntArray, name: bytes) -> MiscValues:
    """The values of the name at those of the places at which it is in the last column."""
    place = place[place + len(name) <= len(lines.buffer)]
    for at, byte in enumerate(name):
        place = place[lines.buffer[place + at] == byte]
    if not len(lines.rows) or not len(place):
        return MiscValues(EMPTY, EMPTY, EMPTY)
    row = np.searchsorted(lines.start[lines.rows], place, side="right") - 1
    end = lines.end[lines.rows[row]]
    inside = (row >= 0) & (place < end)
    inside &= place > lines.tabs[row, -1]
    row, start, end = row[inside], place[inside] + len(name), end[inside]
    return MiscValues(row, start, _until_bar(lines.buffer, start, end))


def _until_bar(buffer: ByteArray, start: IntArray, end: IntArray) -> IntArray:
    """int64 (texts,): the first bar between start and end, or the end, of each text."""
    stop, at, left = end.copy(), start, np.arange(len(start))
    if len(buffer) < _WINDOW:
        buffer = np.concatenate((buffer, np.zeros(_WINDOW, dtype=np.uint8)))
    # A view of the buffer in which row n is the window of bytes that begins at n.
    windows = np.ndarray((len(buffer) - _WINDOW + 1, _WINDOW), np.uint8, buffer, 0, (1, 1))
    while len(left):
        shown = np.minimum(at, len(buffer) - _WINDOW)
        is_bar = windows[shown] == _BAR
        is_bar &= np.arange(_WINDOW) >= (at - shown)[:, None]
        first = is_bar.argmax(axis=1)
        has_bar = is_bar[np.arange(len(left)), first]
        stop[left[has_bar]] = np.minimum(shown + first, end[left])[has_bar]
        continues = ~has_bar & (shown + _WINDOW < end[left])
        left, at = left[continues], shown[continues] + _WINDOW
    return stop


def find_brackets(buffer: ByteArray, values: MiscValues, entity: int = 0) -> EntityBrackets:
    """The brackets in the values; text between brackets counts as one of kind TEXT.

    `entity` is the place of the id among the values of an opening bracket.
    """
    filled = np.flatnonzero(values.end > values.start)
    if not len(filled):
        return EntityBrackets(EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, [], EMPTY, EMPTY, EMPTY)
    text = CellText.of(buffer, values.start[filled], values.end[filled])
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
        row=values.row[filled[pieces.cell]],
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
    """The numbers, from 1, in texts; 1 for an empty text. Also which texts are not numbers."""
    number = np.ones(len(start), dtype=np.int64)
    filled = np.flatnonzero(end > start)
    number[filled], stop = read_numbers(buffer, start[filled])
    bad = np.zeros(len(start), dtype=bool)
    too_long = stop - start[filled] > _HEAD_DIGITS
    bad[filled[(stop != end[filled]) | (number[filled] < 1) | too_long]] = True
    number[bad] = 1
    return number, bad


_SQUARE = ord("[")
_FORBIDDEN = b"()|[]<>:,=- \t\n\r\f\v"
_ID = re.compile(rb"([^()|\s\[\]<>:,=-]+)(?:\[([1-9]\d{0,5})/([1-9]\d{0,5})\])?")


@frozen(eq=False)
class EntityIds:
    """The distinct ids of a file, with their parts split off.

    Attributes:
        base: int64 (ids,), an index into `labels`; −1 for a malformed id.
        part, parts: int64 (ids,), 0 for ids without `[part/parts]`.
        labels: the ids without their parts.
    """

    base: IntArray
    part: IntArray
    parts: IntArray
    labels: list[str]


def read_ids(ids: list[bytes]) -> EntityIds:
    """The ids, with their parts split off.

    >>> read_ids([b"e1", b"e1[2/3]", b"e<"]).base.tolist()
    [0, 0, -1]
    """
    base = np.full(len(ids), -1, dtype=np.int64)
    part, parts = np.zeros((2, len(ids)), dtype=np.int64)
    number: dict[bytes, int] = {}
    in_parts = np.array([_SQUARE in text for text in ids], dtype=bool)
    unread = np.flatnonzero(in_parts).tolist()
    whole = [text for text, split in zip(ids, in_parts.tolist(), strict=True) if not split]
    if _are_valid(whole):  # in most files
        base[~in_parts] = np.arange(len(whole))
        number = dict(zip(whole, range(len(whole)), strict=True))
    else:
        unread = list(range(len(ids)))
    for at in unread:
        match = _ID.fullmatch(ids[at])
        place, total = (int(match[2]), int(match[3])) if match and match[2] else (0, 0)
        if match and (not match[2] or (total > 1 and place <= total)):
            base[at] = number.setdefault(match[1], len(number))
            part[at], parts[at] = place, total
    labels = b"\n".join(number).decode("utf-8", "replace").split("\n") if number else []
    return EntityIds(base, part, parts, labels)


def _are_valid(ids: list[bytes]) -> bool:
    """Whether all ids, which have no parts, are well-formed."""
    together = b"".join(ids)
    return len(together.translate(None, _FORBIDDEN)) == len(together) and all(ids)

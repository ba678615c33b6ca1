"""The numbers of Min: `7`, or `7,9` for the tokens 7 to 9."""

import re

import numpy as np

from corefkit.data.arrays import BoolArray, ByteArray, IntArray
from corefkit.data.texts import quote
from corefkit.formats.conllua.markables import Markables
from corefkit.formats.conllua.texts import EIGHT, KEEP, TextReader, Texts
from corefkit.formats.conllua.trouble import LayerTrouble

_NUMBERS = re.compile(r"\s*(\d{1,18})\s*(?:,\s*(\d{1,18})\s*(?:,\s*\d+\s*)*)?")
_LONGEST = 17
"""Values of so many bytes are read all at once, longer and odd ones one by one."""
_COMMA = ord(",")
_ZEROS, _HIGH, _SIX, _PAIRS, _FOURS = (
    np.uint64(mask)
    for mask in (
        0x3030303030303030,
        0xF0F0F0F0F0F0F0F0,
        0x0606060606060606,
        0x00FF00FF00FF00FF,
        0x0000FFFF0000FFFF,
    )
)
"""Eight zeros, the upper halves of bytes, and what makes more than nine of a digit; where pairs
and fours of digits stand."""


def read_minima(
    reader: TextReader, values: Texts, markables: Markables, byte: IntArray, trouble: LayerTrouble
) -> IntArray:
    """int64 (markables, 2): first and last token of Min, from 0; −1 where there is none.

    They are as written also where they are not inside the markable; that is told, and so is what
    cannot be read. Of a zero Min is not read.
    """
    minimum = np.full((len(byte), 2), -1)
    some = np.flatnonzero((values.begin >= 0) & (markables.zero == 0))
    low, high, readable = _numbers(reader, values.take(some))
    for at in np.flatnonzero(~readable).tolist():
        one = int(some[at])
        text = reader.one(values, one)
        if found := _NUMBERS.fullmatch(text):
            low[at], high[at], readable[at] = int(found[1]), int(found[2] or found[1]), True
            continue
        document = int(markables.document[one])
        trouble.tell("min-unreadable", int(byte[one]), document, minimum=quote(text))
    some = some[readable]
    minimum[some, 0], minimum[some, 1] = low[readable] - 1, high[readable] - 1
    outside = some[~_inside(markables, minimum, some)]
    for place, one in enumerate(outside.tolist()):
        if trouble.found.full("min-outside"):
            trouble.found.count("min-outside", len(outside) - place)
            break
        text, tokens = reader.one(values, one), _tokens(markables, one)
        document = int(markables.document[one])
        trouble.tell("min-outside", int(byte[one]), document, minimum=text, tokens=tokens)
    return minimum


def _numbers(reader: TextReader, values: Texts) -> tuple[IntArray, IntArray, BoolArray]:
    """The one or two numbers of each value, and which values are nothing but that."""
    low, plain = _digits(reader, values)
    high = low.copy()
    other = np.flatnonzero(~plain)
    begin, end = values.take(other)
    comma = _first_comma(reader.rows.buffer, begin, end)
    low[other], one = _digits(reader, Texts(begin, comma))
    high[other], two = _digits(reader, Texts(comma + 1, end))
    plain[other] = one & two
    return low, high, plain


def _first_comma(buffer: ByteArray, begin: IntArray, end: IntArray) -> IntArray:
    """Where the first comma of each text is, or its end; texts that are too long are cut short."""
    place, walking = begin.copy(), np.arange(len(begin))
    for _ in range(_LONGEST):
        walking = walking[place[walking] < end[walking]]
        walking = walking[buffer[place[walking]] != _COMMA]
        if not len(walking):
            break
        place[walking] += 1
    return place


def _digits(reader: TextReader, values: Texts) -> tuple[IntArray, BoolArray]:
    """The numbers of values of one to eight digits, and which are such."""
    length = values.end - values.begin
    size = np.minimum(np.maximum(length, 0), EIGHT)
    valid = KEEP[size]
    eight = reader.eight(values)
    digits = eight - (_ZEROS & valid)
    plain = (eight & _HIGH == _ZEROS & valid) & ((digits + (_SIX & valid)) & _HIGH == 0)
    # Digits stand in the upper bytes, the first one lowest: pairs, fours and eights are added up.
    number = digits << (EIGHT * (EIGHT - size)).astype(np.uint64)
    number = number * np.uint64(10 << 8 | 1) >> np.uint64(8)
    number = (number & _PAIRS) * np.uint64(100 << 16 | 1) >> np.uint64(16)
    number = (number & _FOURS) * np.uint64(10_000 << 32 | 1) >> np.uint64(32)
    return number.view(np.int64), plain & (length > 0) & (length <= EIGHT)


def _inside(markables: Markables, minimum: IntArray, rows: IntArray) -> BoolArray:
    """Which of these markables hold their Min."""
    low, high = minimum[rows].T
    found: BoolArray = (
        (low <= high) & (markables.start[rows] <= low) & (high <= markables.end[rows])
    )
    for row, fragments in markables.fragments.items():
        at = int(np.searchsorted(rows, row))
        if at < len(rows) and rows[at] == row and found[at]:
            words = {t for a, b in fragments for t in range(a, b + 1)}
            found[at] = words.issuperset(range(int(low[at]), int(high[at]) + 1))
    return found


def _tokens(markables: Markables, row: int) -> str:
    first, last = int(markables.start[row]) + 1, int(markables.end[row]) + 1
    return f"token {first}" if first == last else f"tokens {first} to {last}"

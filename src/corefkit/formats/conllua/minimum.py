"""The numbers of Min: `7`, or `7,9` for the tokens 7 to 9."""

import re

import numpy as np

from corefkit.data.arrays import BoolArray, IntArray
from corefkit.data.texts import quote
from corefkit.formats.conllua.markables import Markables
from corefkit.formats.conllua.texts import TextReader, Texts
from corefkit.formats.conllua.trouble import LayerTrouble

_NUMBERS = re.compile(r"\s*(\d{1,18})\s*(?:,\s*(\d{1,18})\s*(?:,\s*\d+\s*)*)?")
_LONGEST = 17
"""Values of so many bytes are read all at once, longer and odd ones one by one."""
_ZERO, _NINE, _COMMA = b"09,"


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
        if trouble.full("min-outside"):
            trouble.count("min-outside", len(outside) - place)
            break
        text, tokens = reader.one(values, one), _tokens(markables, one)
        document = int(markables.document[one])
        trouble.tell("min-outside", int(byte[one]), document, minimum=text, tokens=tokens)
    return minimum


def _numbers(reader: TextReader, values: Texts) -> tuple[IntArray, IntArray, BoolArray]:
    """The one or two numbers of each value, and which values are nothing but that."""
    length = values.end - values.begin
    plain = (length > 0) & (length <= _LONGEST)
    number, first = np.zeros_like(length), np.zeros_like(length)
    commas, digits = np.zeros_like(length), np.zeros_like(length)
    for place in range(int(length[plain].max(initial=0))):
        at = np.flatnonzero(plain & (length > place))
        byte = reader.rows.buffer[values.begin[at] + place].astype(np.int64)
        comma = at[byte == _COMMA]
        plain[comma[(digits[comma] == 0) | (commas[comma] > 0)]] = False
        first[comma], number[comma], digits[comma] = number[comma], 0, 0
        commas[comma] += 1
        digit = (byte >= _ZERO) & (byte <= _NINE)
        number[at[digit]] = number[at[digit]] * 10 + byte[digit] - _ZERO
        digits[at[digit]] += 1
        plain[at[~digit & (byte != _COMMA)]] = False
    plain &= digits > 0
    return np.where(commas > 0, first, number), number, plain


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

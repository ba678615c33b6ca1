"""The numbers of Min: `7`, or `7,9` for the tokens 7 to 9."""

import re

import numpy as np

from corefkit.data.arrays import BoolArray, ByteArray, IntArray
from corefkit.data.texts import quote
from corefkit.formats.conllu.numbers import read_numbers
from corefkit.formats.conllua.markables import Markables
from corefkit.formats.conllua.texts import TextReader, Texts
from corefkit.formats.conllua.trouble import LayerTrouble

_NUMBERS = re.compile(r"\s*(\d{1,18})\s*(?:,\s*(\d{1,18})\s*(?:,\s*\d+\s*)*)?")
_COMMA = ord(",")


def read_minima(
    reader: TextReader, values: Texts, markables: Markables, byte: IntArray, trouble: LayerTrouble
) -> IntArray:
    """int64 (markables, 2): first and last token of Min, from 0; −1 where there is none.

    They are as written even where they are not inside the markable; that is reported, and so is
    what cannot be read. The Min of a zero is not read.
    """
    minimum = np.full((len(byte), 2), -1)
    some = np.flatnonzero((values.begin >= 0) & (markables.zero == 0))
    low, high, readable = _numbers(reader.rows.buffer, values.take(some))
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


def _numbers(buffer: ByteArray, values: Texts) -> tuple[IntArray, IntArray, BoolArray]:
    """The one or two numbers of each value, and which values are nothing but that."""
    low, stop = read_numbers(buffer, values.begin)
    readable = (stop > values.begin) & (stop == values.end)
    high = low.copy()
    pair = np.flatnonzero((stop > values.begin) & (stop < values.end))
    pair = pair[buffer[stop[pair]] == _COMMA]
    high[pair], end = read_numbers(buffer, stop[pair] + 1)
    readable[pair] = (end > stop[pair] + 1) & (end == values.end[pair])
    return low, high, readable


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

"""The column BRIDGING: pairs of an anaphor and its anchor, both markables of IDENTITY.

The numbers of Min: `7`, or `7,9` for the tokens 7 to 9.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, ByteArray, IntArray, distinct
from corefkit.core.texts import quote
from corefkit.formats.columns.buffer import find_byte, read_numbers
from corefkit.formats.conllua.brackets import FEATURES
from corefkit.formats.conllua.layers import Markables
from corefkit.formats.conllua.rows import Documents
from corefkit.formats.conllua.texts import LayerTrouble, Marks, TextReader, Texts, find_cells

_FEATURES = {
    "anaphor": FEATURES["markable"],
    "anchor": ("mentionanchor",),
    "relation": ("rel",),
}
_START, _BAR, _EQUALS, _JOINT = b"\0|=@"


class Bridges(NamedTuple):
    """int64 (bridges,), the rows of the anaphors and of their anchors; and the relations."""

    anaphor: IntArray
    anchor: IntArray
    relation: list[str]


def read_bridging(
    reader: TextReader, documents: Documents, markables: Markables, trouble: LayerTrouble
) -> Bridges:
    """The pairs; where an anaphor, or its words, have two, the second replaces the first."""
    cells = find_cells(reader.rows, documents, "BRIDGING")
    marks = _marks(reader, cells.text)
    opens = (marks.byte != _BAR) & (marks.byte != _EQUALS)
    features = reader.features(marks, cells.text, opens, _FEATURES)
    # What has no `=` is no entry.
    entry = distinct((np.cumsum(opens) - 1)[marks.byte == _EQUALS]).values
    cell = marks.text[opens][entry]
    anaphor, anchor, relation = (features[name].take(entry) for name in _FEATURES)
    rows = [_rows(markables, cells.document[cell], names) for names in (anaphor, anchor)]
    known = (rows[0] >= 0) & (rows[1] >= 0)
    for at in np.flatnonzero(~known).tolist():
        one, other = reader.one(anaphor, at), reader.one(anchor, at)
        problem = "anaphor" if rows[0][at] < 0 else "anchor" if other else "no-anchor"
        byte, document = int(cells.text.begin[cell[at]]), int(cells.document[cell[at]])
        values = {"anaphor": quote(one), "anchor": quote(other)}
        found = reader.one(cells.text, int(cell[at]))
        trouble.tell("bridge-unknown", byte, document, problem, found=found, **values)
    some = np.flatnonzero(known)
    last = {words: at for at, words in enumerate(_words(markables, rows[0][some]))}
    kept = some[sorted(last.values())]
    return Bridges(rows[0][kept], rows[1][kept], reader.strings(relation.take(kept)))


def _marks(reader: TextReader, texts: Texts) -> Marks:
    """The marks of the cells; where cells begin, and `@`, are marks too."""
    marks = reader.marks(texts)
    numbers, begin = np.arange(len(texts.begin)), texts.begin - 1
    every = [marks, Marks(numbers, begin, np.full(len(begin), _START, dtype=np.uint8))]
    if b"@" in reader.rows.data:
        place = find_byte(reader.rows.buffer, _JOINT)
        text = np.searchsorted(texts.begin, place, side="right") - 1
        inside = np.flatnonzero((text >= 0) & (place < np.append(texts.end, 0)[text]))
        byte = np.full(len(inside), _JOINT, dtype=np.uint8)
        every.append(Marks(text[inside], place[inside], byte))
    joined = Marks(*map(np.concatenate, zip(*every, strict=True)))
    return joined.take(np.argsort(joined.place))


def _rows(markables: Markables, document: IntArray, names: Texts) -> IntArray:
    """The markables of these names; −1 where there is none."""
    opening = markables.names.find(document, names)
    found = (opening >= 0) & (names.end > names.begin)
    return np.where(found, np.append(markables.row, -1)[opening], -1)


def _words(markables: Markables, rows: IntArray) -> Iterator[object]:
    """What tells the words of each of these markables from those of others."""
    columns = markables.document, markables.start, markables.end, markables.zero
    places = zip(*(column[rows].tolist() for column in columns), strict=True)
    if not markables.fragments:
        return places
    return zip(places, (_gaps(markables, row) for row in rows.tolist()), strict=True)


def _gaps(markables: Markables, row: int) -> frozenset[int]:
    """The tokens between the first and the last of a markable that are not its own."""
    if row not in markables.fragments:
        return frozenset()
    within = range(int(markables.start[row]), int(markables.end[row]) + 1)
    return frozenset(within).difference(*(range(a, b + 1) for a, b in markables.fragments[row]))


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
    for one in trouble.found.listed("min-outside", outside.tolist()):
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

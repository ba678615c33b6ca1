"""The features of brackets, such as `(EntityID=3|Min=7`, as texts given by their bounds."""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import (
    EIGHT,
    BoolArray,
    ByteArray,
    IntArray,
    WordArray,
    as_word,
    eight_bytes,
    stretches,
    tuples,
)
from corefkit.formats.columns.buffer import strip
from corefkit.formats.columns.interning import number_pieces
from corefkit.formats.conllua.rows import Rows, TextBounds
from corefkit.formats.kit.files import AS_THEY_ARE

_BAR, _EQUALS, _NEWLINE = b"|=\n"


class FeatureMarks(NamedTuple):
    """The marks `(`, `)`, `|` and `=` in texts: the text, the place and the byte of each."""

    text: IntArray
    place: IntArray
    byte: ByteArray

    def take(self, some: IntArray) -> "FeatureMarks":
        """Some of the marks."""
        return FeatureMarks(self.text[some], self.place[some], self.byte[some])


class TextReader:
    """Reads texts of one file."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows

    def raw(self, texts: TextBounds) -> list[bytes]:
        """The bytes of each text."""
        data = self.rows.data
        bounds = zip(texts.begin.tolist(), texts.end.tolist(), strict=True)
        return [data[begin:end] for begin, end in bounds]

    def decode(self, texts: TextBounds) -> list[str]:
        """The texts, which contain no line ends, decoded; bytes that are not UTF-8 are kept."""
        length = texts.length + 1
        stop = np.cumsum(length)
        place = np.minimum(stretches(texts.begin, length), len(self.rows.buffer) - 1)
        whole = self.rows.buffer[place]
        whole[stop - 1] = _NEWLINE
        text: str = whole.tobytes().decode("utf-8", AS_THEY_ARE)
        return text.split("\n")[:-1]

    def decode_one(self, texts: TextBounds, at: int) -> str:
        """One of the texts, decoded."""
        data = self.rows.data[int(texts.begin[at]) : int(texts.end[at])]
        return data.decode("utf-8", AS_THEY_ARE)

    def find_marks(self, texts: TextBounds) -> FeatureMarks:
        """The marks in texts, which must be in order and not overlap."""
        places, tally = self.rows.marks
        low = tally.before(texts.begin)
        count = tally.before(texts.end) - low
        text = np.repeat(np.arange(len(count)), count)
        place = places[np.arange(len(text)) + (low - np.cumsum(count) + count)[text]]
        return FeatureMarks(text, place, self.rows.buffer[place])

    def first_eight(self, texts: TextBounds, place: int = 0) -> WordArray:
        """Eight bytes of each text from a place in it, see `eight_bytes`."""
        begin = np.minimum(texts.begin + place, texts.end) if place else texts.begin
        return eight_bytes(self.rows.buffer, begin, texts.end - begin)

    def features(
        self,
        marks: FeatureMarks,
        texts: TextBounds,
        opens: BoolArray,
        names: dict[str, tuple[str, ...]],
    ) -> dict[str, TextBounds]:
        """The values of features such as `EntityID=3|Min=7`, one for each mark that opens features.

        `marks` are those of `texts`, `opens` says which open features. `names` has the spellings of
        each feature in lower case; the case in files does not matter. If a feature is given twice,
        the later value counts; a missing one is an empty text at −1.
        """
        equals = marks.byte == _EQUALS
        second = equals[1:] & equals[:-1]  # a second `=` is part of the value
        if second.any():
            left = np.flatnonzero(np.append(True, ~second))
            marks, opens, equals = marks.take(left), opens[left], equals[left]
        bracket, some = ~(equals | (marks.byte == _BAR)), np.flatnonzero(equals)
        last = np.cumsum(bracket)[some]  # the bracket before each feature, from 1; 0 for none
        opening = np.append(False, opens[np.flatnonzero(bracket)])
        if not opening[last].all():
            some, last = (column[opening[last]] for column in (some, last))
        owner = np.cumsum(opening)[last] - 1
        begin, end = marks.place[some - 1] + 1, marks.place[some]
        name = TextBounds(*strip(self.rows.buffer, np.minimum(begin, end), end, b" "))
        alike = _Spellings(self, name)
        # A value ends at the next mark, or at the end of its text if that comes first.
        following = np.append(marks.place[1:], len(self.rows.buffer))
        values = {}
        for feature, spellings in names.items():
            at = alike.find(spellings)
            equal = some[at]
            end = np.minimum(following[equal], texts.end[marks.text[equal]])
            bounds = np.full((2, int(opening.sum())), -1)
            bounds[:, owner[at]] = strip(self.rows.buffer, marks.place[equal] + 1, end, b"@ ")
            values[feature] = TextBounds(*bounds)
        return values


class _Spellings:
    """Finds names, whatever their case."""

    def __init__(self, reader: TextReader, names: TextBounds) -> None:
        self._reader, self._names = reader, names
        self._eight = reader.first_eight(names)
        self._begins: dict[str, IntArray] = {}

    def find(self, spellings: Iterable[str]) -> IntArray:
        """The numbers of the names with one of these spellings, in order."""
        matches = []
        for spelling in spellings:
            at = self._beginning(spelling[:EIGHT])
            at = at[self._names.end[at] - self._names.begin[at] == len(spelling)]
            for place in range(EIGHT, len(spelling) if len(at) else 0, EIGHT):
                wanted, small = _letters(spelling[place : place + EIGHT])
                at = at[(self._reader.first_eight(self._names.take(at), place) | small) == wanted]
            matches.append(at)
        filled = [at for at in matches if len(at)]
        return filled[0] if len(filled) == 1 else np.sort(np.concatenate(matches))

    def _beginning(self, letters: str) -> IntArray:
        """The numbers of the names that begin with these letters, at most eight."""
        if letters not in self._begins:
            wanted, small = _letters(letters)
            self._begins[letters] = np.flatnonzero((self._eight | small) == wanted)
        return self._begins[letters]


@cache
def _letters(text: str) -> tuple[np.uint64, np.uint64]:
    """Up to eight lower-case letters as a number, and the bits that make capitals lower-case."""
    small = bytes(0x20 if letter.islower() else 0 for letter in text)
    return as_word(text.encode()), as_word(small)


class MarkableNames:
    """The names of markables, which are unique in a document, and which other texts refer to."""

    def __init__(self, buffer: ByteArray, document: IntArray, texts: TextBounds) -> None:
        self._buffer, self._document, self._texts = buffer, document, texts

    def repeated(self) -> list[list[int]]:
        """The groups of several equal names in a document, given by number."""
        begin, length = self._texts.begin, self._texts.length
        number, _ = number_pieces(self._buffer, begin, length, self._document)
        several = np.flatnonzero((np.bincount(number) > 1)[number])
        groups: dict[int, list[int]] = {}
        for name, group in tuples(several, number[several]):
            groups.setdefault(group, []).append(name)
        return list(groups.values())

    def find(self, document: IntArray, texts: TextBounds) -> IntArray:
        """int64 (texts,): the number of the first name equal to each text; −1 if there is none."""
        known = len(self._document)
        begin = np.append(self._texts.begin, texts.begin)
        length = np.append(self._texts.length, texts.length)
        group = np.append(self._document, document)
        number, first = number_pieces(self._buffer, begin, length, group)
        example = first[number[known:]]
        return np.where(example < known, example, -1)

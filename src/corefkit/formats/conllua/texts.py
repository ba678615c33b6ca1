"""Pieces of a file, given by their bounds and compared eight bytes at a time.

The filled cells of one column, and which token or zero each stands at.

Incidents of one layer of a CoNLL-UA file.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from corefkit.core.arrays import BoolArray, ByteArray, IntArray, distinct, ranks_of, stretches
from corefkit.formats._kit.building import Trouble
from corefkit.formats._kit.files import AS_THEY_ARE
from corefkit.formats.columns.buffer import strip
from corefkit.formats.conllua.rows import Documents, Rows

Words = npt.NDArray[np.uint64]

_EIGHT = 8
_KEEP: Words = np.array([(1 << 8 * n) - 1 for n in range(_EIGHT + 1)], dtype=np.uint64)
"""Which bits of eight bytes the first n are."""
_LONGEST = 64
"""Texts of so many bytes are compared one by one."""
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_BAR, _EQUALS, _NEWLINE = b"|=\n"


class Texts(NamedTuple):
    """int64 (texts,): the first byte of each, and the byte behind it; equal where there is none."""

    begin: IntArray
    end: IntArray

    def take(self, some: IntArray) -> "Texts":
        """Some of them."""
        return Texts(self.begin[some], self.end[some])


class Marks(NamedTuple):
    """The marks `(`, `)`, `|` and `=` in some texts: the text of each, its place, and itself."""

    text: IntArray
    place: IntArray
    byte: ByteArray

    def take(self, some: IntArray) -> "Marks":
        """Some of them."""
        return Marks(self.text[some], self.place[some], self.byte[some])


class TextReader:
    """Reads texts of one file."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        padded = rows.data + bytes(_LONGEST + 2 * _EIGHT)
        # The eight bytes from each byte on as one number.
        self._words: Words = np.ndarray(
            (len(padded) - _EIGHT,), dtype="<u8", buffer=padded, strides=(1,)
        )

    def bytes(self, texts: Texts) -> list[bytes]:
        """The texts themselves."""
        data = self.rows.data
        bounds = zip(texts.begin.tolist(), texts.end.tolist(), strict=True)
        return [data[begin:end] for begin, end in bounds]

    def strings(self, texts: Texts) -> list[str]:
        """The texts decoded; none has a line end in it. Bytes that are not UTF-8 are kept."""
        length = texts.end - texts.begin + 1
        stop = np.cumsum(length)
        place = np.minimum(stretches(texts.begin, length), len(self.rows.buffer) - 1)
        whole = self.rows.buffer[place]
        whole[stop - 1] = _NEWLINE
        text: str = whole.tobytes().decode("utf-8", AS_THEY_ARE)
        return text.split("\n")[:-1]

    def one(self, texts: Texts, at: int) -> str:
        """One of the texts, decoded."""
        data = self.rows.data[int(texts.begin[at]) : int(texts.end[at])]
        return data.decode("utf-8", AS_THEY_ARE)

    def marks(self, texts: Texts) -> Marks:
        """The marks in texts that do not overlap and stand in order."""
        places = self.rows.mark
        low, high = np.searchsorted(places, texts.begin), np.searchsorted(places, texts.end)
        count = high - low
        text = np.repeat(np.arange(len(count)), count)
        place = places[np.arange(len(text)) + (low - np.cumsum(count) + count)[text]]
        return Marks(text, place, self.rows.buffer[place])

    def eight(self, texts: Texts, place: int = 0) -> Words:
        """uint64 (texts,): eight bytes of each from a place in it on, filled up with zeros."""
        left = np.minimum(np.maximum(texts.end - texts.begin - place, 0), _EIGHT)
        words: Words = self._words[texts.begin + place] & _KEEP[left]
        return words

    def columns(self, group: IntArray, texts: Texts, eights: int) -> list[Words]:
        """What tells texts of groups apart: group, length, and their first so many eight bytes."""
        length = texts.end - texts.begin
        bytes_of = [self.eight(texts, place * _EIGHT) for place in range(eights)]
        return [group.view(np.uint64), length.view(np.uint64), *bytes_of]

    def number(self, group: IntArray, texts: Texts) -> IntArray:
        """A number for each text; the same for equal texts of one group, by first occurrence."""
        if (eights := _eights(texts)) is not None:
            columns = self.columns(group, texts, eights)
            found = distinct(_mixed(columns))
            first = found.first[found.inverse]
            if all((column == column[first]).all() for column in columns):
                return ranks_of(np.argsort(found.first))[found.inverse]
        seen: dict[tuple[int, bytes], int] = {}
        known = zip(group.tolist(), self.bytes(texts), strict=True)
        return np.array([seen.setdefault(one, len(seen)) for one in known], dtype=np.int64)

    def features(
        self, marks: Marks, texts: Texts, opens: BoolArray, names: dict[str, tuple[str, ...]]
    ) -> dict[str, Texts]:
        """The values of features such as `EntityID=3|Min=7`, one for each mark that opens some.

        `marks` are those of `texts`. `names` has the ways to write the name of a feature, in lower
        case; files may write capitals. Of one that is given twice the later value counts; one that
        is not there is an empty text at −1.
        """
        equals = marks.byte == _EQUALS
        second = equals[1:] & equals[:-1]  # it belongs to the value
        if second.any():
            left = np.flatnonzero(np.append(True, ~second))
            marks, opens, equals = marks.take(left), opens[left], equals[left]
        owner = np.cumsum(opens) - 1
        bracket = np.where(equals | (marks.byte == _BAR), 0, np.arange(len(equals)))
        some = np.flatnonzero(equals & opens[np.maximum.accumulate(bracket)])
        begin, end = marks.place[some - 1] + 1, marks.place[some]
        name = Texts(*strip(self.rows.buffer, np.minimum(begin, end), end, b" "))
        alike = _Spellings(self, name)
        found = {}
        for feature, spellings in names.items():
            at = some[alike.find(spellings)]
            begin, end = np.full((2, int(opens.sum())), -1)
            begin[owner[at]], end[owner[at]] = self._values(marks, texts, at)
            found[feature] = Texts(begin, end)
        return found

    def _values(self, marks: Marks, texts: Texts, at: IntArray) -> tuple[IntArray, IntArray]:
        """What stands between some `=` and the next mark, or the end of the text."""
        text, following = marks.text[at], np.minimum(at + 1, len(marks.text) - 1)
        inside = (marks.text[following] == text) & (following > at)
        end = np.where(inside, marks.place[following], texts.end[text])
        return strip(self.rows.buffer, marks.place[at] + 1, end, b"@ ")


class _Spellings:
    """Finds names however they are written, capitals or not."""

    def __init__(self, reader: TextReader, names: Texts) -> None:
        self._reader, self._names = reader, names
        self._eight = reader.eight(names)
        self._begins: dict[str, IntArray] = {}

    def find(self, spellings: Iterable[str]) -> IntArray:
        """Which of the names are written in one of these ways, in order."""
        several = []
        for spelling in spellings:
            at = self._beginning(spelling[:_EIGHT])
            at = at[self._names.end[at] - self._names.begin[at] == len(spelling)]
            for place in range(_EIGHT, len(spelling) if len(at) else 0, _EIGHT):
                wanted, small = _letters(spelling[place : place + _EIGHT])
                at = at[(self._reader.eight(self._names.take(at), place) | small) == wanted]
            several.append(at)
        some = [at for at in several if len(at)]
        return some[0] if len(some) == 1 else np.sort(np.concatenate(several))

    def _beginning(self, letters: str) -> IntArray:
        """Those that begin with so many letters, up to eight."""
        if letters not in self._begins:
            wanted, small = _letters(letters)
            self._begins[letters] = np.flatnonzero((self._eight | small) == wanted)
        return self._begins[letters]


class Names:
    """Texts, each of a group, that are compared with others."""

    def __init__(self, reader: TextReader, group: IntArray, texts: Texts) -> None:
        self._reader, self._group, self._texts = reader, group, texts
        self._columns: list[Words] | None = None
        if (eights := _eights(texts)) is not None:
            self._columns = reader.columns(group, texts, eights)
            code = _mixed(self._columns)
            self._order = np.argsort(code, kind="stable")
            self._code = code[self._order]

    def repeated(self) -> list[list[int]]:
        """The numbers of the texts of one group that are equal, where there are several."""
        some = np.arange(len(self._group))
        if self._columns is not None:
            same = self._code[1:] == self._code[:-1]
            some = np.sort(
                self._order[np.append(False, same) | np.append(same, False)[: len(some)]]
            )
        found: dict[tuple[int, bytes], list[int]] = {}
        for number, name in zip(some.tolist(), self._named(some), strict=True):
            found.setdefault(name, []).append(number)
        return [several for several in found.values() if len(several) > 1]

    def find(self, group: IntArray, texts: Texts) -> IntArray:
        """For each of other texts the number of the first that is equal; −1 where there is none."""
        if self._columns is not None and len(self._code):
            columns = self._reader.columns(group, texts, len(self._columns) - 2)
            code = _mixed(columns)
            at = np.minimum(np.searchsorted(self._code, code), len(self._code) - 1)
            hit = np.flatnonzero(self._code[at] == code)
            known = self._order[at[hit]]
            pairs = zip(self._columns, columns, strict=True)
            if all((ours[known] == theirs[hit]).all() for ours, theirs in pairs):
                found = np.full(len(group), -1)
                found[hit] = known
                return found
        first: dict[tuple[int, bytes], int] = {}
        for number, name in enumerate(self._named(np.arange(len(self._group)))):
            first.setdefault(name, number)
        asked = zip(group.tolist(), self._reader.bytes(texts), strict=True)
        return np.array([first.get(name, -1) for name in asked], dtype=np.int64)

    def _named(self, some: IntArray) -> Iterator[tuple[int, bytes]]:
        texts = self._reader.bytes(self._texts.take(some))
        return zip(self._group[some].tolist(), texts, strict=True)


def _eights(texts: Texts) -> int | None:
    """How many times eight bytes the longest text has; None where that is too long."""
    longest = int((texts.end - texts.begin).max(initial=0))
    return None if longest > _LONGEST else -(-longest // _EIGHT)


def _mixed(columns: list[Words]) -> IntArray:
    """One number for each row; rows that are alike have the same, and others mostly another."""
    mixed = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        mixed = (mixed ^ column) * _FACTOR
        mixed ^= mixed >> np.uint64(29)
    return mixed.view(np.int64)


def _letters(text: str) -> tuple[np.uint64, np.uint64]:
    """Up to eight bytes as a number, and the bits that make capitals small."""
    small = bytes(0x20 if letter.islower() else 0 for letter in text)
    return _as_number(text.encode()), _as_number(small)


def _as_number(some: bytes) -> np.uint64:
    return np.uint64(int.from_bytes(some, "little"))


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells that hold something, in the order of the file; those before any document are left out.

    Attributes:
        row: int64 (cells,), the row of each.
        text: where each begins and ends.
        document: int64 (cells,), its document.
        token: int64 (cells,), its token, from 0 in the document; of a zero the token before.
        zero: int64 (cells,), 0, or the number of a zero among those after the same token.
    """

    row: IntArray
    text: Texts
    document: IntArray
    token: IntArray
    zero: IntArray


def find_cells(rows: Rows, documents: Documents, column: str) -> Cells:
    """The cells of a column."""
    row, begin, end = rows.filled(column)
    document = np.searchsorted(documents.first[:-1], row, side="right") - 1
    some = np.flatnonzero(document >= 0)
    if len(some) < len(row):
        row, begin, end, document = row[some], begin[some], end[some], document[some]
    ahead = np.cumsum(rows.token)
    before = (ahead - rows.token)[documents.first[:-1][document]] if len(row) else 0
    token = ahead[row] - before - 1
    return Cells(row, Texts(begin, end), document, token, _zeros(rows, documents, row))


def _zeros(rows: Rows, documents: Documents, row: IntArray) -> IntArray:
    """The numbers of the zeros among these rows; 0 for tokens."""
    number = np.zeros_like(row)
    if rows.zero[row].any():
        at = np.arange(len(rows.line))
        # They are counted from the last token on, or from where the document begins.
        counted = np.cumsum(rows.zero)
        fresh: BoolArray = rows.token.copy()
        starts = documents.first[:-1]
        fresh[starts[starts < len(at)]] = True
        last = np.maximum.accumulate(np.where(fresh, at, 0))
        since: IntArray = (counted - rows.zero)[last]
        some = rows.zero[row]
        number[some] = (counted - since)[row[some]]
    return number


def token_counts(rows: Rows, documents: Documents) -> IntArray:
    """int64 (documents,): how many tokens each has."""
    return np.diff(np.concatenate(([0], np.cumsum(rows.token)))[documents.first])


class LayerTrouble:
    """Notes what is wrong in one column, by the byte and the number of the document."""

    def __init__(self, trouble: Trouble, column: str, names: tuple[str, ...]) -> None:
        self._trouble, self._column, self._names = trouble, column, names
        self.found = trouble.found

    def tell(self, kind: str, byte: int, document: int, variant: str = "", **details: Any) -> None:
        """An incident at a byte; the message may name the layer."""
        name = self._names[document]
        self._trouble.byte(kind, byte, variant, layer=self._column, document=name, **details)

    def line_of(self, byte: int) -> int:
        """The line of a byte, from 1."""
        return self._trouble.line_of(byte) + 1

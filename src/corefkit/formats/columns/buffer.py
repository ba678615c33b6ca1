"""Operations on the whole buffer of a file: lines, blanks, numbers, counts of a byte.

All formats of rows and columns are read with these, without an object per line. Their incidents are
placed at a line or at a byte (`RowIncidents`).
"""

import codecs
import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import EMPTY, BoolArray, ByteArray, IntArray, WordArray, byte_table
from corefkit.core.carriers import frozen
from corefkit.core.incidents import At, Collector, FilePlaces
from corefkit.formats.kit.files import AS_THEY_ARE

BLANKS = b" \t\r"
"""The blanks that may surround the text of a line."""
DIGITS = 9
"""Longer numbers are not read to their end."""

_BOM = b"\xef\xbb\xbf"
_NEWLINE, _ZERO = b"\n0"
_CHUNK = 1 << 20
"""This many bytes fit into the processor's cache."""
_SMALL_CHUNK = 1 << 17
"""So do this many and what is computed from them; that small, memory is used again and again."""
_STEPS = 64
"""Blanks and cells are passed in parallel for this many bytes; longer ones one by one."""
_ONE, _TWO, _FOUR, _LAST = (np.uint64(n) for n in (1, 2, 4, 63))
_PAIRS, _QUADS = np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
_ODD, _SUM, _TOP = np.uint64(0x5555555555555555), np.uint64(0x0101010101010101), np.uint64(56)


class LineBounds(NamedTuple):
    """The lines of a file and the bytes at their edges.

    Attributes:
        data: the bytes; line feeds replace carriage returns where lines end with these only.
        buffer: the same as uint8.
        start, end: int64 (lines,), where each line begins and where its line end is.
        first: uint8 (lines,), the byte at which each line begins; its line end if it is empty.
        last, second_last: uint8 (lines,), the two bytes before its line end.
    """

    data: bytes
    buffer: ByteArray
    start: IntArray
    end: IntArray
    first: ByteArray
    last: ByteArray
    second_last: ByteArray


def line_bounds(data: bytes) -> LineBounds:
    """Find the lines of a file, and look at their edges while these are in the processor's cache.

    >>> bounds = line_bounds(b"a -\\n\\n# b")
    >>> bounds.start.tolist(), bounds.end.tolist(), bytes(bounds.first), bytes(bounds.last)
    ([0, 4, 5], [3, 4, 8], b'a\\n#', b'-\\nb')
    """
    if b"\n" not in data and b"\r" in data:
        data = data.replace(b"\r", b"\n")  # as computers wrote text before 2001
    buffer: ByteArray = np.frombuffer(data, dtype=np.uint8)
    if not len(data):
        nothing, zero = np.zeros(1, dtype=np.uint8), np.zeros(1, dtype=np.int64)
        return LineBounds(data, buffer, zero, zero, nothing, nothing, nothing)
    begin = len(_BOM) if data.startswith(_BOM) else 0
    ends, firsts, lasts, second_lasts = [], [buffer[begin : begin + 1]], [], []
    is_end = np.empty(min(len(buffer), _CHUNK), dtype=bool)
    for at in range(0, len(buffer), _CHUNK):
        piece = buffer[at : at + _CHUNK]
        end = np.flatnonzero(np.equal(piece, _NEWLINE, out=is_end[: len(piece)])) + at
        if at + _CHUNK >= len(buffer) and buffer[-1] != _NEWLINE:
            end = np.append(end, len(buffer))
        ends.append(end)
        firsts.append(buffer.take(end + 1, mode="clip"))
        lasts.append(buffer.take(end - 1, mode="clip"))
        second_lasts.append(buffer.take(end - 2, mode="clip"))
    end = np.concatenate(ends)
    start = np.concatenate(([begin], end[:-1] + 1))
    first = np.concatenate(firsts)[: len(end)]
    return LineBounds(
        data, buffer, start, end, first, np.concatenate(lasts), np.concatenate(second_lasts)
    )


def decode_name(text: bytes) -> str:
    """The name of a document; bytes that are not UTF-8 are kept, so that names stay distinct."""
    return text.decode("utf-8", AS_THEY_ARE).strip()


def find_byte(buffer: ByteArray, value: int) -> IntArray:
    """The positions of a byte."""
    return find_bytes(buffer, lambda piece: piece == value)


def find_bytes(buffer: ByteArray, wanted: Callable[[ByteArray], BoolArray]) -> IntArray:
    """The positions of bytes, found piece by piece, as much as fits into the processor's cache."""
    pieces = [np.flatnonzero(wanted(buffer[:_CHUNK]))]
    for at in range(_CHUNK, len(buffer), _CHUNK):
        place = np.flatnonzero(wanted(buffer[at : at + _CHUNK]))
        place += at
        pieces.append(place)
    return np.concatenate(pieces) if len(pieces) > 1 else pieces[0]


def count_filled(buffer: ByteArray, begin: IntArray, end: IntArray) -> int:
    """How many of the texts buffer[begin:end] are neither empty nor "_"."""
    filled = end > begin
    alone = filled & (end - begin == 1)
    return int(filled.sum() - (buffer[begin[alone]] == ord("_")).sum())


_table = cache(byte_table)
"""Few tables are made, each for many columns; they are only read."""


def strip(
    buffer: ByteArray, begin: IntArray, end: IntArray, what: bytes, *, left: bool = True
) -> tuple[IntArray, IntArray]:
    """The bounds of texts without these bytes around them or, without `left`, after them."""
    away = _table(what)
    padded = away.take(buffer.take(end - 1))
    if left:
        padded |= away.take(buffer.take(begin, mode="clip"))
    rows = np.flatnonzero(padded)
    rows = rows[end[rows] > begin[rows]]
    if not len(rows):
        return begin, end
    begin, end = begin.copy(), end.copy()
    for bound, shift, step in ((end, -1, -1), (begin, 0, 1))[: 1 + left]:
        some = rows[end[rows] > begin[rows]]
        for _ in range(_STEPS):
            some = some[away[buffer[bound[some] + shift]]]
            if not len(some):
                break
            bound[some] += step
            some = some[end[some] > begin[some]]
        for row in some.tolist():
            text = buffer[begin[row] : end[row]].tobytes()
            text = text.lstrip(what) if left else text
            begin[row] = end[row] - len(text)
            end[row] = begin[row] + len(text.rstrip(what))
    return begin, end


def read_numbers(buffer: ByteArray, start: IntArray) -> tuple[IntArray, IntArray]:
    """The number that begins at each place, 0 if there is none, and the end of its digits.

    Only the first nine digits are read.

    >>> read_numbers(np.frombuffer(b"12.3 x ", dtype=np.uint8), np.array([0, 3, 5]))
    (array([12,  3,  0]), array([2, 4, 5]))
    """
    number = np.zeros(len(start), dtype=np.int64)
    if not len(buffer):
        return number, start
    stop = start.copy()
    which: slice | IntArray = slice(None)
    for _ in range(DIGITS):
        at = stop[which]
        # Bytes below '0' wrap around to large ones.
        digit = buffer.take(at, mode="clip") - np.uint8(_ZERO)
        fine = np.flatnonzero((digit <= 9) & (at < len(buffer)))
        if not len(fine):
            break
        if len(fine) < len(at):
            which = fine if isinstance(which, slice) else which[fine]
            digit, at = digit[fine], at[fine]
        number[which] = number[which] * 10 + digit
        stop[which] = at + 1
    return number, stop


@frozen(eq=False)
class ByteTally:
    """One bit for each byte of a buffer, in words of 64, and how many are set before each word."""

    bits: WordArray
    total: IntArray

    @classmethod
    def of(cls, buffer: ByteArray, value: int) -> "ByteTally":
        """The tally of one value.

        >>> tally = ByteTally.of(np.frombuffer(b"a b  c", dtype=np.uint8), ord(" "))
        >>> tally.before(np.array([0, 1, 2, 4, 6])).tolist()
        [0, 0, 1, 2, 3]
        """
        filled = _no_bits(len(buffer))
        for at in range(0, len(buffer), _CHUNK):
            packed = np.packbits(buffer[at : at + _CHUNK] == value, bitorder="little")
            filled[at // 8 : at // 8 + len(packed)] = packed
        return cls.of_bits(filled)

    @classmethod
    def of_bits(cls, packed: ByteArray) -> "ByteTally":
        """The tally of packed bits, the first one the lowest, in whole words of 64."""
        return cls._counted(packed.view("<u8").astype(np.uint64, copy=False))

    @classmethod
    def _counted(cls, bits: WordArray) -> "ByteTally":
        total = np.zeros(len(bits), dtype=np.int64)
        np.cumsum(ones(bits[:-1]), out=total[1:])
        return cls(bits, total)

    def after_runs(self) -> "ByteTally":
        """The tally of the bytes that follow a run of the value.

        >>> tally = ByteTally.of(np.frombuffer(b"a b  c", dtype=np.uint8), ord(" "))
        >>> tally.after_runs().before(np.array([0, 2, 3, 5, 6])).tolist()
        [0, 0, 1, 1, 2]
        """
        after = self.bits << _ONE
        after[1:] |= self.bits[:-1] >> _LAST
        return self._counted(after & ~self.bits)

    def before(self, place: IntArray) -> IntArray:
        """int64 (places,): how often the value occurs before each place."""
        word, bit = place >> 6, (place & 63).astype(np.uint64)
        mask = (_ONE << bit) - _ONE
        counted: IntArray = self.total[word] + ones(self.bits[word] & mask).astype(np.int64)
        return counted


def _no_bits(size: int) -> ByteArray:
    """uint8: a zero bit for each byte of a buffer, and some more, in whole words of 64."""
    return np.zeros(size // 64 * 8 + 8, dtype=np.uint8)


def find_and_tally(
    buffer: ByteArray, wanted: Callable[[ByteArray], BoolArray]
) -> tuple[IntArray, ByteTally]:
    """The positions of bytes, see `find_bytes`, and a tally of them.

    >>> places, tally = find_and_tally(np.frombuffer(b"(a|b)", dtype=np.uint8), lambda b: b < 97)
    >>> places.tolist(), tally.before(np.array([1, 5])).tolist()
    ([0, 4], [1, 2])
    """
    filled, pieces = _no_bits(len(buffer)), [EMPTY]
    for at in range(0, len(buffer), _SMALL_CHUNK):
        found = wanted(buffer[at : at + _SMALL_CHUNK])
        pieces.append(np.flatnonzero(found) + at)
        packed = np.packbits(found, bitorder="little")
        filled[at // 8 : at // 8 + len(packed)] = packed
    return np.concatenate(pieces), ByteTally.of_bits(filled)


def count_ones(words: WordArray) -> WordArray:
    """How many bits of each word are set: `np.bitwise_count` for numpy 1.

    >>> count_ones(np.array([0, 7, 2**64 - 1], dtype=np.uint64)).tolist()
    [0, 3, 64]
    """
    words = words - (words >> _ONE & _ODD)
    words = (words & _PAIRS) + (words >> _TWO & _PAIRS)
    words = words + (words >> _FOUR) & _QUADS
    return words * _SUM >> _TOP


ones = getattr(np, "bitwise_count", count_ones)


_PIECE = 1 << 16
_LAST_ASCII = 127


class RowIncidents(Collector):
    """Collects the incidents of one file; lines count from 0 here, and from 1 in messages.

    `start`, int64 (lines,), is the first byte of each line. With a function for the `text` of a
    line, incidents show the line if they have nothing else to show.
    """

    def __init__(
        self, path: str, data: bytes, start: IntArray, text: Callable[[int], str] | None = None
    ) -> None:
        super().__init__(path)
        self._data, self._places = data, FilePlaces(data, start, text)

    def at_line(self, line: int) -> At:
        """The place of a line."""
        return self._places.line(line + 1)

    def at_byte(self, byte: int) -> At:
        """The place of a byte."""
        return self._places.byte(byte)

    def line_of(self, byte: int) -> int:
        """The line of a byte."""
        return self._places.line_of(byte) - 1

    def has(self, text: bytes) -> bool:
        """Whether this text occurs in the file."""
        return text in self._data

    def check_encoding(self) -> None:
        """Note the first byte that is not UTF-8, if there is one."""
        if (offset := _invalid_utf8(self._data)) is not None:
            named = next((at for at in map(_invalid_name, _NAMED.finditer(self._data)) if at), None)
            offset, variant = (offset, "") if named is None else (named, "names")
            found, line = f"byte 0x{self._data[offset]:02x}", self.at_line(self.line_of(offset))
            self.note("not-utf8", variant, at=line, found=found, expected="UTF-8")


_NAMED = re.compile(rb"^# *(?:begin document|newdoc)\b[^\r\n]*", re.MULTILINE)
"""A line that names a document."""


def _invalid_name(line: re.Match[bytes]) -> int | None:
    """The offset of the first byte that is not UTF-8 in a line of the file, if there is one."""
    offset = _invalid_utf8(line[0])
    return None if offset is None else line.start() + offset


def _invalid_utf8(data: bytes) -> int | None:
    """The offset of the first byte that is not UTF-8, in pieces that fit into the cache."""
    if not data:
        return None
    starts = np.arange(0, len(data), _PIECE)
    wide = np.maximum.reduceat(np.frombuffer(data, dtype=np.uint8), starts) > _LAST_ASCII
    wide[1:] |= wide[:-1]  # a character may be cut in two
    decoder = codecs.getincrementaldecoder("utf-8")()
    for at in starts[wide].tolist():
        waiting = len(decoder.getstate()[0])
        try:
            decoder.decode(data[at : at + _PIECE], final=at + _PIECE >= len(data))
        except UnicodeDecodeError as error:
            return int(at) - waiting + error.start
    return None

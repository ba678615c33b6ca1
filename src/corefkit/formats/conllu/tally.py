"""How often a byte stands before any place of a buffer, without a list of where it stands."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from corefkit.data.arrays import ByteArray, IntArray

WordArray = npt.NDArray[np.uint64]
_ONE, _TWO, _FOUR = (np.uint64(n) for n in (1, 2, 4))
_PAIRS, _QUADS = np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
_ODD, _SUM, _TOP = np.uint64(0x5555555555555555), np.uint64(0x0101010101010101), np.uint64(56)

_CHUNK = 1 << 18
"""So many bytes fit into the processor's cache."""


@dataclass(frozen=True, eq=False)
class Tally:
    """One bit for each byte of a buffer, in words of 64, and how many were set before each word."""

    bits: WordArray
    total: IntArray

    @classmethod
    def of(cls, buffer: ByteArray, value: int) -> "Tally":
        """The tally of one value.

        >>> tally = Tally.of(np.frombuffer(b"a b  c", dtype=np.uint8), ord(" "))
        >>> tally.before(np.array([0, 1, 2, 4, 6])).tolist()
        [0, 0, 1, 2, 3]
        """
        filled = np.zeros(len(buffer) // 64 * 8 + 8, dtype=np.uint8)
        for at in range(0, len(buffer), _CHUNK):
            packed = np.packbits(buffer[at : at + _CHUNK] == value, bitorder="little")
            filled[at // 8 : at // 8 + len(packed)] = packed
        bits: WordArray = filled.view("<u8").astype(np.uint64, copy=False)
        total = np.zeros(len(bits), dtype=np.int64)
        np.cumsum(ones(bits[:-1]), out=total[1:])
        return cls(bits, total)

    def before(self, place: IntArray) -> IntArray:
        """How often the value stands before each of these places."""
        word, bit = place >> 6, (place & 63).astype(np.uint64)
        mask = (_ONE << bit) - _ONE
        counted: IntArray = self.total[word] + ones(self.bits[word] & mask).astype(np.int64)
        return counted


def count_ones(words: WordArray) -> WordArray:
    """How many bits of each word are set; `np.bitwise_count` for numpy 1.

    >>> count_ones(np.array([0, 7, 2**64 - 1], dtype=np.uint64)).tolist()
    [0, 3, 64]
    """
    words = words - (words >> _ONE & _ODD)
    words = (words & _PAIRS) + (words >> _TWO & _PAIRS)
    words = words + (words >> _FOUR) & _QUADS
    return words * _SUM >> _TOP


ones = getattr(np, "bitwise_count", count_ones)

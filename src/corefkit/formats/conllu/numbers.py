"""Whole numbers in a buffer, read for many places at once."""

import numpy as np

from corefkit.data.arrays import ByteArray, IntArray

_ZERO = ord("0")
DIGITS = 9
"""Longer numbers are not read to their end."""


def read_numbers(buffer: ByteArray, start: IntArray) -> tuple[IntArray, IntArray]:
    """The number that begins at each place (0 where none does) and where its digits end.

    Of more than nine digits only the first nine are read.

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

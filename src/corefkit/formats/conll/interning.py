"""Numbers for strings: each distinct piece of a buffer numbered, without an object a piece."""

import numpy as np

from corefkit.data.arrays import ByteArray, IntArray, distinct

_PACKED = 7
"""Strings of up to seven bytes fit into one integer, together with their length."""


def intern(buffer: ByteArray, start: IntArray, length: IntArray) -> tuple[IntArray, list[bytes]]:
    """A number for each piece buffer[start:start + length], and the distinct pieces by number.

    >>> buffer = np.frombuffer(b"NN VB NN", dtype=np.uint8)
    >>> numbers, pieces = intern(buffer, np.array([0, 3, 6]), np.array([2, 2, 2]))
    >>> [pieces[n] for n in numbers.tolist()], len(pieces)
    ([b'NN', b'VB', b'NN'], 2)
    """
    code = np.zeros(len(start), dtype=np.int64)
    short = length <= _PACKED
    for place in range(int(length[short].max(initial=0))):
        has = np.flatnonzero(short & (length > place))
        code[has] = code[has] << 8 | buffer[start[has] + place]
    code = code << 3 | length
    if not short.all():
        seen: dict[bytes, int] = {}
        long = np.flatnonzero(~short)
        for i, first, size in zip(
            long.tolist(), start[long].tolist(), length[long].tolist(), strict=True
        ):
            code[i] = -1 - seen.setdefault(buffer[first : first + size].tobytes(), len(seen))
    _, example, _, number = distinct(code)
    firsts = zip(start[example].tolist(), length[example].tolist(), strict=True)
    return number, [buffer[first : first + size].tobytes() for first, size in firsts]

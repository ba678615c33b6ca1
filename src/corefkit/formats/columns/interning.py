"""Numbers for strings: each distinct piece of a buffer is numbered, without an object per piece.

Pieces are compared eight bytes at a time. Up to seven bytes fit into one integer, together with
their length; longer pieces are mixed into one, and compared again where two mix to the same.
"""

import numpy as np

from corefkit.core.arrays import ByteArray, IntArray, distinct, ranks_of, stretches
from corefkit.core.source import Column
from corefkit.formats.columns.buffer import WordArray

_WORD = 8
_PACKED = 7
"""Strings of up to seven bytes fit into one integer, together with their length."""
_HASHED = 64
"""Strings of more bytes are compared one by one."""
_PRIME, _HALF, _BYTE = np.uint64(0x9E3779B97F4A7C15), np.uint64(32), np.uint64(8)


def intern(buffer: ByteArray, start: IntArray, length: IntArray) -> tuple[IntArray, list[bytes]]:
    """A number for each piece buffer[start:start + length], and the distinct pieces by number.

    >>> buffer = np.frombuffer(b"NN VB NN", dtype=np.uint8)
    >>> numbers, pieces = intern(buffer, np.array([0, 3, 6]), np.array([2, 2, 2]))
    >>> [pieces[n] for n in numbers.tolist()], len(pieces)
    ([b'NN', b'VB', b'NN'], 2)
    """
    number, example = number_pieces(buffer, start, length)
    return number, _pieces(buffer, start[example], length[example])


def intern_column(
    buffer: ByteArray, start: IntArray, end: IntArray, errors: str = "replace"
) -> Column:
    """The pieces buffer[start:end] as a column; `errors` is as in `bytes.decode`."""
    code, values = intern(buffer, start, end - start)
    return Column(code, tuple(value.decode("utf-8", errors) for value in values))


def number_pieces(
    buffer: ByteArray, start: IntArray, length: IntArray
) -> tuple[IntArray, IntArray]:
    """A number for each piece, the same for equal ones; and for each number its first piece."""
    code = (eight_bytes(buffer, start, length) >> _BYTE).astype(np.int64) << 3 | length
    long = np.flatnonzero(length > _PACKED)
    if len(long):
        code[long] = -1 - _number_long(buffer, start[long], length[long])
    _, example, _, number = distinct(code)
    return number, example


def number_in_groups(
    buffer: ByteArray, start: IntArray, length: IntArray, group: IntArray
) -> IntArray:
    """Numbers by first occurrence, the same for equal pieces of one group.

    >>> buffer = np.frombuffer(b"1 2 1 1", dtype=np.uint8)
    >>> start, length = np.array([0, 2, 4, 6]), np.array([1, 1, 1, 1])
    >>> number_in_groups(buffer, start, length, np.array([0, 0, 0, 1])).tolist()
    [0, 1, 0, 2]
    """
    number, example = number_pieces(buffer, start, length)
    entry = distinct(group * max(len(example), 1) + number)
    return ranks_of(np.argsort(entry.first))[entry.inverse]


def eight_bytes(buffer: ByteArray, start: IntArray, length: IntArray) -> WordArray:
    """The first eight bytes of each piece as a number; see `as_word` for shorter pieces."""
    if len(buffer) < _WORD:
        buffer = np.concatenate((buffer, np.zeros(_WORD, dtype=np.uint8)))
    # A number at every byte: they overlap.
    every = np.ndarray(len(buffer) - _WORD + 1, ">u8", np.ascontiguousarray(buffer), 0, (1,))
    at = np.minimum(start, len(buffer) - _WORD)
    word = every[at].astype(np.uint64) << (8 * np.minimum(start - at, 7)).astype(np.uint64)
    short = np.flatnonzero(length < _WORD)
    lacking = (8 * np.minimum(_PACKED - length[short], _PACKED)).astype(np.uint64)
    word[short] = word[short] >> _BYTE >> lacking << _BYTE
    return word


def as_word(piece: bytes) -> np.uint64:
    """One piece of up to eight bytes as `eight_bytes` has it: shorter ones before a zero byte.

    >>> buffer = np.frombuffer(b"entityid min", dtype=np.uint8)
    >>> words = eight_bytes(buffer, np.array([0, 9]), np.array([8, 3]))
    >>> words.tolist() == [as_word(b"entityid"), as_word(b"min")]
    True
    """
    return np.uint64(int.from_bytes(piece if len(piece) == _WORD else piece + b"\0", "big"))


def _number_long(buffer: ByteArray, start: IntArray, length: IntArray) -> IntArray:
    """A number for each piece of eight bytes or more, from 0 on."""
    most = int(length.max())
    if most > _HASHED:
        return _number_one_by_one(buffer, start, length)
    words = [length.astype(np.uint64)]
    words += [
        eight_bytes(buffer, np.minimum(start + at, len(buffer)), np.maximum(length - at, 0))
        for at in range(0, most, _WORD)
    ]
    mixed = np.zeros(len(start), dtype=np.uint64)
    for word in words:
        mixed = (mixed ^ word) * _PRIME
        mixed ^= mixed >> _HALF
    entry = distinct(mixed.view(np.int64))
    example = entry.first[entry.inverse]
    # Different pieces may be mixed to the same number, if hardly ever.
    if any((word != word[example]).any() for word in words):
        return _number_one_by_one(buffer, start, length)
    return entry.inverse


def _number_one_by_one(buffer: ByteArray, start: IntArray, length: IntArray) -> IntArray:
    seen: dict[bytes, int] = {}
    pieces = _pieces(buffer, start, length)
    return np.array([seen.setdefault(piece, len(seen)) for piece in pieces], dtype=np.int64)


def _pieces(buffer: ByteArray, start: IntArray, length: IntArray) -> list[bytes]:
    """The bytes of each piece."""
    text = buffer[stretches(start, length)].tobytes()
    end = np.cumsum(length)
    return [text[a:b] for a, b in zip((end - length).tolist(), end.tolist(), strict=True)]

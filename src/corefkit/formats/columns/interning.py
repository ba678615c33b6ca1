"""Numbers for strings: each distinct piece of a buffer gets a number, without an object per piece.

Pieces are compared eight bytes at a time. Up to seven bytes fit into one integer together with
their length; longer pieces are hashed, and compared again if they have the same hash.
"""

import numpy as np

from corefkit.core.arrays import (
    EIGHT,
    ByteArray,
    IntArray,
    WordArray,
    distinct,
    eight_bytes,
    ranks_of,
    stretches,
)
from corefkit.core.source import Column

_PACKED = 7
"""Strings of up to seven bytes fit into one integer, together with their length."""
_HASHED = 64
"""Longer strings, in bytes, are compared one by one."""
_LENGTH_BITS = 7
"""Enough for their lengths."""
_AT_ONCE = 1 << 13
"""This many pieces of neighbouring rows fit into the processor's cache."""
_PRIME, _HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)
_UNUSED: WordArray = np.array([0, *range(56, -1, -8)], dtype=np.uint64)
"""How many bits of eight bytes follow the first n bytes; 0 for n = 0, which needs no shift."""


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


def intern_runs(buffer: ByteArray, start: IntArray, end: IntArray) -> Column:
    """Like `intern_column`, faster if most pieces equal the one before them.

    >>> buffer = np.frombuffer(b"tale tale saga tale", dtype=np.uint8)
    >>> start = np.array([0, 5, 10, 15])
    >>> intern_runs(buffer, start, start + 4).to_list()
    ['tale', 'tale', 'saga', 'tale']
    """
    length = end - start
    if length.max(initial=0) > _HASHED:
        return intern_column(buffer, start, end)
    changes = np.diff(length, prepend=-1) != 0
    for low in range(0, len(start), _AT_ONCE):
        some = slice(max(low - 1, 0), low + _AT_ONCE)  # the first of them was compared before
        for at in range(0, int(length[some].max()), EIGHT):
            word = _word(buffer, start[some], length[some], at)
            changes[some][1:] |= word[1:] != word[:-1]
    first = np.flatnonzero(changes)
    column = intern_column(buffer, start[first], end[first])
    return Column(np.repeat(column.code, np.diff(first, append=len(start))), column.values)


def number_pieces(
    buffer: ByteArray, start: IntArray, length: IntArray, group: IntArray | None = None
) -> tuple[IntArray, IntArray]:
    """A number for each piece, the same for equal ones, and the first piece with each number.

    With `group`, int64 (pieces,), pieces of different groups have different numbers.
    """
    if group is not None:
        return _number_mixed(buffer, start, length, group)
    word = eight_bytes(buffer, start, length) >> _UNUSED[np.minimum(length, EIGHT)]
    code = word.astype(np.int64) << 3 | length
    long = np.flatnonzero(length > _PACKED)
    if len(long):
        code[long] = -1 - _number_mixed(buffer, start[long], length[long])[0]
    _, example, _, number = distinct(code)
    return number, example


def number_by_occurrence(
    buffer: ByteArray, start: IntArray, length: IntArray, group: IntArray
) -> IntArray:
    """Numbers in the order of first occurrence, the same for equal pieces of one group.

    >>> buffer = np.frombuffer(b"1 2 1 1", dtype=np.uint8)
    >>> start, length = np.array([0, 2, 4, 6]), np.array([1, 1, 1, 1])
    >>> number_by_occurrence(buffer, start, length, np.array([0, 0, 0, 1])).tolist()
    [0, 1, 0, 2]
    """
    number, example = number_pieces(buffer, start, length, group)
    return ranks_of(np.argsort(example))[number]


def _number_mixed(
    buffer: ByteArray, start: IntArray, length: IntArray, group: IntArray | None = None
) -> tuple[IntArray, IntArray]:
    """Like `number_pieces`, for pieces of any length."""
    most = int(length.max(initial=0))
    if most > _HASHED:
        return _number_one_by_one(buffer, start, length, group)
    size = length if group is None else group << _LENGTH_BITS | length
    words = [size.astype(np.uint64)]
    words += [_word(buffer, start, length, at) for at in range(0, most, EIGHT)]
    mixed = np.zeros(len(start), dtype=np.uint64)
    for word in words:
        mixed = (mixed ^ word) * _PRIME
        mixed ^= mixed >> _HALF
    _, example, _, number = distinct(mixed.view(np.int64))
    first = example[number]
    # Different pieces may have the same hash, but hardly ever do.
    if any((word != word[first]).any() for word in words):
        return _number_one_by_one(buffer, start, length, group)
    return number, example


def _word(buffer: ByteArray, start: IntArray, length: IntArray, at: int) -> WordArray:
    """Eight bytes of each piece, from this byte of it; 0 after its end."""
    if not at:
        return eight_bytes(buffer, start, length)
    return eight_bytes(buffer, np.minimum(start + at, len(buffer)), np.maximum(length - at, 0))


def _number_one_by_one(
    buffer: ByteArray, start: IntArray, length: IntArray, group: IntArray | None
) -> tuple[IntArray, IntArray]:
    groups = [0] * len(start) if group is None else group.tolist()
    seen: dict[tuple[int, bytes], int] = {}
    number, example = [], []
    for at, piece in enumerate(zip(groups, _pieces(buffer, start, length), strict=True)):
        if piece not in seen:
            seen[piece] = len(seen)
            example.append(at)
        number.append(seen[piece])
    return np.array(number, dtype=np.int64), np.array(example, dtype=np.int64)


def _pieces(buffer: ByteArray, start: IntArray, length: IntArray) -> list[bytes]:
    """The bytes of each piece."""
    text = buffer[stretches(start, length)].tobytes()
    end = np.cumsum(length)
    return [text[a:b] for a, b in zip((end - length).tolist(), end.tolist(), strict=True)]

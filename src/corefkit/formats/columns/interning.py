"""Numbers for strings: each distinct piece of a buffer numbered, without an object a piece."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from corefkit.core.arrays import ByteArray, IntArray, distinct, stretches
from corefkit.core.incidents import data_error
from corefkit.core.source import Column, Source, TokenReader

WordArray = npt.NDArray[np.uint64]
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
    code = (_words(buffer, start, length) >> _BYTE).astype(np.int64) << 3 | length
    long = np.flatnonzero(length > _PACKED)
    if len(long):
        code[long] = -1 - _number_long(buffer, start[long], length[long])
    _, example, _, number = distinct(code)
    return number, _pieces(buffer, start[example], length[example])


def intern_column(
    buffer: ByteArray, start: IntArray, end: IntArray, errors: str = "replace"
) -> Column:
    """The pieces buffer[start:end] as a column; `errors` is as in `bytes.decode`."""
    code, values = intern(buffer, start, end - start)
    return Column(code, tuple(value.decode("utf-8", errors) for value in values))


class NumberedColumns(TokenReader):
    """Token columns that all files of a format have, under the same `numbers`."""

    title: ClassVar[str]
    numbers: ClassVar[Mapping[str, int]]

    def cells(self, source: Source, number: int) -> tuple[ByteArray, IntArray, IntArray]:
        """The bytes of the file, and where a column of each token begins and ends."""
        raise NotImplementedError

    def columns(self, source: Source, names: tuple[str | int, ...]) -> list[Column]:
        """These columns of all tokens; DataError for one that there is not."""
        for name in names:
            if name not in self.numbers:
                raise data_error(
                    "column-missing",
                    "format",
                    format=self.title,
                    name=name,
                    file=source.path,
                    expected=f"one of {', '.join(self.numbers)}",
                )
        return [intern_column(*self.cells(source, self.numbers[str(name)])) for name in names]


def _pieces(buffer: ByteArray, start: IntArray, length: IntArray) -> list[bytes]:
    """The bytes of each piece."""
    text = buffer[stretches(start, length)].tobytes()
    end = np.cumsum(length)
    return [text[a:b] for a, b in zip((end - length).tolist(), end.tolist(), strict=True)]


def _words(buffer: ByteArray, start: IntArray, length: IntArray) -> WordArray:
    """The first eight bytes of each piece as a number, fewer where it is shorter."""
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


def _number_long(buffer: ByteArray, start: IntArray, length: IntArray) -> IntArray:
    """A number for each piece of eight bytes or more, from 0 on."""
    most = int(length.max())
    if most > _HASHED:
        return _number_one_by_one(buffer, start, length)
    words = [length.astype(np.uint64)]
    words += [
        _words(buffer, np.minimum(start + at, len(buffer)), np.maximum(length - at, 0))
        for at in range(0, most, _WORD)
    ]
    mixed = np.zeros(len(start), dtype=np.uint64)
    for word in words:
        mixed = (mixed ^ word) * _PRIME
        mixed ^= mixed >> _HALF
    found = distinct(mixed.view(np.int64))
    example = found.first[found.inverse]
    # Different pieces may be mixed to the same number, if hardly ever.
    if any((word != word[example]).any() for word in words):
        return _number_one_by_one(buffer, start, length)
    return found.inverse


def _number_one_by_one(buffer: ByteArray, start: IntArray, length: IntArray) -> IntArray:
    seen: dict[bytes, int] = {}
    pieces = _pieces(buffer, start, length)
    return np.array([seen.setdefault(piece, len(seen)) for piece in pieces], dtype=np.int64)

"""Texts as pieces of the bytes of a file: comparing them is faster than decoding them."""

import sys
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from corefkit.core.arrays import EMPTY, BoolArray, ByteArray, IntArray, WordArray, stretches
from corefkit.core.carriers import frozen

EIGHT = 8
"""The number of bytes that are compared as one integer, see `eight_bytes`."""
_KEPT: WordArray = np.array([(1 << 64) - (1 << 64 - 8 * n) for n in range(9)], dtype=np.uint64)
"""Masks of the first n of eight bytes, the first byte being the highest."""
_FIRST: WordArray = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)
"""Masks of the first n of eight bytes, the first byte being the lowest."""

_AT_ONCE = 1 << 14
"""The number of texts compared at once: temporary arrays then fit into the processor's cache."""


@frozen(eq=False)
class TextPieces:
    """Texts as pieces of a buffer: `start` and `end` (excluded), int64 (texts,)."""

    buffer: ByteArray
    start: IntArray
    end: IntArray

    @classmethod
    def of(cls, texts: Sequence[str]) -> "TextPieces":
        """These texts."""
        pieces = [text.encode("utf-8", "surrogateescape") for text in texts]
        end = np.cumsum([0, *map(len, pieces)])
        return cls(np.frombuffer(b"".join(pieces), dtype=np.uint8), end[:-1], end[1:])

    @classmethod
    def join(cls, parts: "Sequence[TextPieces]") -> "TextPieces":
        """The texts of several buffers, one after the other."""
        if len(parts) == 1:
            return parts[0]
        sizes = [len(part.buffer) for part in parts]
        shift = np.repeat(np.cumsum([0, *sizes[:-1]]), [len(part.start) for part in parts])
        buffer = np.concatenate([part.buffer for part in parts])
        start, end = (
            np.concatenate([getattr(part, bound) for part in parts]) + shift
            for bound in ("start", "end")
        )
        return cls(buffer, start, end)

    def take(self, numbers: IntArray | slice) -> "TextPieces":
        """The pieces of these texts."""
        return TextPieces(self.buffer, self.start[numbers], self.end[numbers])

    def text(self, number: int) -> str:
        """One text as a string."""
        piece = self.buffer[int(self.start[number]) : int(self.end[number])]
        return piece.tobytes().decode("utf-8", "replace")

    def texts_of(self, numbers: IntArray) -> list[str]:
        """These texts as strings."""
        data = self.buffer.data
        bounds = zip(self.start[numbers].tolist(), self.end[numbers].tolist(), strict=True)
        return [str(data[start:end], "utf-8", "replace") for start, end in bounds]

    def same(self, other: "TextPieces") -> bool:
        """Whether both have the same texts, compared as bytes."""
        same_lengths = np.array_equal(self.end - self.start, other.end - other.start)
        return same_lengths and np.array_equal(self._joined(), other._joined())

    def differing(self, other: "TextPieces") -> IntArray:
        """The numbers of the texts whose bytes differ; both must have the same number of texts.

        >>> one, other = (np.frombuffer(text, dtype=np.uint8) for text in (b"a bc d", b"abd  "))
        >>> pieces = TextPieces(one, np.array([0, 2, 5]), np.array([1, 4, 6]))
        >>> pieces.differing(TextPieces(other, np.array([0, 1, 2]), np.array([1, 2, 3]))).tolist()
        [1]
        """
        chunks = range(0, len(self.start), _AT_ONCE)
        parts = [self._differing(other, slice(at, at + _AT_ONCE)) + at for at in chunks]
        return np.concatenate([EMPTY, *parts])

    def _differing(self, other: "TextPieces", chunk: slice) -> IntArray:
        start, other_start = self.start[chunk], other.start[chunk]
        length = self.end[chunk] - start
        differ: BoolArray = length != other.end[chunk] - other_start
        differ |= first_bytes_differ((self.buffer, start), (other.buffer, other_start), length)
        rows, at = np.flatnonzero((length > EIGHT) & ~differ), EIGHT
        while len(rows):
            remaining = length[rows] - at
            both = (self.buffer, start[rows] + at), (other.buffer, other_start[rows] + at)
            unequal = first_bytes_differ(*both, remaining)
            differ[rows[unequal]] = True
            rows, at = rows[~unequal & (remaining > EIGHT)], at + EIGHT
        return np.flatnonzero(differ)

    def are_any(self, numbers: IntArray, texts: Iterable[str]) -> BoolArray:
        """bool (numbers,): whether each of these texts is one of `texts`, of up to eight bytes."""
        start, length = self.start[numbers], (self.end - self.start)[numbers]
        word, any_of = eight_bytes(self.buffer, start, length), np.zeros(len(numbers), dtype=bool)
        for text in map(str.encode, texts):
            any_of |= (length == len(text)) & (word == as_word(text))
        return any_of

    def _joined(self) -> ByteArray:
        joined: ByteArray = self.buffer[stretches(self.start, self.end - self.start)]
        return joined


@frozen(eq=False)
class Sentences:
    """The sentences of a file.

    Attributes:
        document: int64 (sentences,), numbered from 0 in the file.
        first: int64 (sentences + 1,), the first token of each, then the number of tokens.
        line: int64 (sentences,), the line of each, from 1.
        names: their names; empty texts for sentences without one.
        words: the words of all tokens.
        token_line: int64 (tokens,), the line of each token, from 1.
    """

    document: IntArray
    first: IntArray
    line: IntArray
    names: TextPieces
    words: TextPieces
    token_line: IntArray


def eight_bytes(buffer: ByteArray, start: IntArray, length: IntArray) -> WordArray:
    """uint64 (pieces,): the first eight bytes of each piece; shorter ones are padded with zeros."""
    if len(buffer) < EIGHT:
        buffer = np.concatenate((buffer, np.zeros(EIGHT, dtype=np.uint8)))
    every, last = _every_word(buffer, "u8"), len(buffer) - EIGHT
    at = start if int(start.max(initial=0)) <= last else np.minimum(start, last)
    word = every[at]
    if sys.byteorder == "little":
        word.byteswap(inplace=True)
    if at is not start:
        late = np.flatnonzero(at < start)
        word[late] <<= (8 * np.minimum(start - at, 7)[late]).astype(np.uint64)
    word &= _KEPT[np.minimum(length, EIGHT)]
    return word


def _every_word(buffer: ByteArray, kind: str) -> npt.NDArray[Any]:
    """The eight bytes from each byte on, as overlapping numbers."""
    return np.ndarray(len(buffer) - EIGHT + 1, kind, np.ascontiguousarray(buffer), 0, (1,))


BufferStarts = tuple[ByteArray, IntArray]
"""A buffer, and the starts of pieces in it, int64 (pieces,)."""


def first_bytes_differ(one: BufferStarts, other: BufferStarts, length: IntArray) -> BoolArray:
    """bool (pieces,): whether the first eight bytes, or `length` bytes, of two pieces differ.

    >>> text = np.frombuffer(b"a tale, a tail, ", dtype=np.uint8)
    >>> start, length = np.array([2, 2]), np.array([2, 4])
    >>> first_bytes_differ((text, start), (text, start + 8), length).tolist()
    [False, True]
    """
    if any(int(at.max(initial=0)) > len(buffer) - EIGHT for buffer, at in (one, other)):
        unlike: BoolArray = eight_bytes(*one, length) != eight_bytes(*other, length)
        return unlike
    left, right = (_every_word(buffer, "<u8")[start] for buffer, start in (one, other))
    left ^= right
    left &= _FIRST[np.minimum(length, EIGHT)]
    differ: BoolArray = left != 0
    return differ


def as_word(piece: bytes) -> np.uint64:
    """One piece of up to eight bytes as the number that `eight_bytes` gives it.

    >>> buffer = np.frombuffer(b"entityid min", dtype=np.uint8)
    >>> words = eight_bytes(buffer, np.array([0, 9]), np.array([8, 3]))
    >>> words.tolist() == [as_word(b"entityid"), as_word(b"min")]
    True
    """
    return np.uint64(int.from_bytes(piece.ljust(EIGHT, b"\0"), "big"))

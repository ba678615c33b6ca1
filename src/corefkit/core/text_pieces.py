"""Texts as pieces of the bytes of a file: comparing them is faster than decoding them."""

from collections.abc import Sequence

import numpy as np

from corefkit.core.arrays import BoolArray, ByteArray, IntArray, WordArray
from corefkit.core.carriers import frozen


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
        return len(self.start) == len(other.start) and not len(self.differing(other))

    def differing(self, other: "TextPieces") -> IntArray:
        """The numbers of the texts whose bytes differ; both must have the same number of texts.

        >>> one, other = (np.frombuffer(text, dtype=np.uint8) for text in (b"a bc d", b"abd  "))
        >>> pieces = TextPieces(one, np.array([0, 2, 5]), np.array([1, 4, 6]))
        >>> pieces.differing(TextPieces(other, np.array([0, 1, 2]), np.array([1, 2, 3]))).tolist()
        [1]
        """
        length = self.end - self.start
        differ: BoolArray = length != other.end - other.start
        alike, offset = np.flatnonzero(~differ & (length > 0)), 0
        while len(alike):
            same = self._eight_bytes(alike, offset) == other._eight_bytes(alike, offset)
            differ[alike[~same]] = True
            offset += 8
            alike = alike[same & (length[alike] > offset)]
        return np.flatnonzero(differ)

    def _eight_bytes(self, numbers: IntArray, offset: int) -> WordArray:
        """The bytes of these texts from an offset on, up to eight of each as one number."""
        buffer = (
            np.append(self.buffer, np.zeros(8, np.uint8)) if len(self.buffer) < 8 else self.buffer
        )
        windows = np.ndarray(len(buffer) - 7, "V8", buffer.data, 0, (1,))
        start = self.start[numbers] + offset
        at = np.minimum(start, len(buffer) - 8)  # all eight are in the buffer
        after = np.maximum(8 - (self.end[numbers] - start), 0)
        found = windows[at].view("<u8") >> (8 * (start - at)).astype(np.uint64)
        shown: WordArray = found << (8 * after).astype(np.uint64)
        return shown


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

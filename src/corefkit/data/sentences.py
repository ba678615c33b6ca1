"""Sentences: where those of a file are and what they are called, for formats that say so."""

from dataclasses import dataclass

import numpy as np

from corefkit.data.arrays import ByteArray, IntArray, stretches


@dataclass(frozen=True, eq=False)
class Spelling:
    """Texts as pieces of a buffer: int64 (texts,) `start` and `end`, which is not included."""

    buffer: ByteArray
    start: IntArray
    end: IntArray

    def text(self, number: int) -> str:
        """One of the texts."""
        some = self.buffer[int(self.start[number]) : int(self.end[number])]
        return some.tobytes().decode("utf-8", "replace")

    def same(self, other: "Spelling") -> bool:
        """Whether both have the same texts, found out without making any."""
        ours, theirs = self.end - self.start, other.end - other.start
        return np.array_equal(ours, theirs) and np.array_equal(self._joined(), other._joined())

    def _joined(self) -> ByteArray:
        joined: ByteArray = self.buffer[stretches(self.start, self.end - self.start)]
        return joined


@dataclass(frozen=True, eq=False)
class Sentences:
    """The sentences of a file.

    Attributes:
        document: int64 (sentences,), counted from 0 in the file.
        first: int64 (sentences + 1,), the number of the first token of each in the file.
        line: int64 (sentences,), the line of each, from 1.
        names: how they are called; empty texts where they are not.
        words: the words of all tokens.
        token_line: int64 (tokens,), the line of each token, from 1.
    """

    document: IntArray
    first: IntArray
    line: IntArray
    names: Spelling
    words: Spelling
    token_line: IntArray

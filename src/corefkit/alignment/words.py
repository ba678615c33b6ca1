"""What became of the words of a key in another text, and which words a span of that text covers."""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from corefkit.alignment.letters import (
    Letters,
    align_letters,
    letters_of,
    mend,
    torn_words,
)
from corefkit.core.arrays import IntArray
from corefkit.core.carriers import frozen

REWRITTEN = 0.5
"""Words that have less than this in common with the text that replaces them are not aligned."""

COVERED = 0.5
"""A mention covers a word if at least this share of its letters is aligned with the mention."""

DIFFERENT = 0.5
"""A text that covers less than this share of the key is a different text."""

BROKEN_OFF = 0.75
"""A text that breaks off is not different if it shares this much with the key up to there."""


class Change(NamedTuple):
    """A difference: words of the key and the characters that replace them, ends excluded.

    `replaced`, `added` and `dropped` are numbers of words.
    """

    words: tuple[int, int]
    characters: tuple[int, int]
    replaced: int
    added: int
    dropped: int


@frozen(eq=False)
class Alignment:
    """A text aligned with the words of a key.

    Attributes:
        words: the words of the key.
        text: the text.
        size: int64 (words,), the number of letters of each word.
        key, response: int64 (aligned letters,), a letter of the key and the equal letter of the
            text; letters of rewritten words are left out.
        letters: the letters of the text.
        changes: the differences, in order.
    """

    words: list[str]
    text: str
    size: IntArray
    key: IntArray
    response: IntArray
    letters: Letters
    changes: list[Change]

    @property
    def is_only_longer(self) -> bool:
        """Whether the text is that of the key, perhaps followed by further text."""
        end = len(self.words)
        return all(change.words == (end, end) for change in self.changes)

    @property
    def coverage(self) -> float:
        """The share of the key's letters that are aligned; 1 if the key has none."""
        total = int(self.size.sum())
        return len(self.key) / total if total else 1.0

    @property
    def truncated(self) -> bool:
        """Whether the text breaks off: the last words of the key are missing."""
        last = self.changes[-1] if self.changes else None
        if last is None or last.words[1] < len(self.words):
            return False
        return last.dropped > last.replaced + last.added or self._is_beginning

    @property
    def differs(self) -> bool:
        """Whether this is a different text: it covers less than half of the key's letters.

        A text that breaks off, however early, is not different if it is the beginning of the key,
        letter by letter or nearly so.
        """
        if self.coverage >= DIFFERENT or self._is_beginning:
            return False
        if not self.truncated or not len(self.key):
            return True
        before = int(self.size[: self.changes[-1].words[0]].sum())
        return len(self.key) < BROKEN_OFF * max(before, len(self.letters))

    @cached_property
    def _is_beginning(self) -> bool:
        """Whether the text has letters and the key begins with all of them."""
        key_letters = letters_of(" ".join("".join(word.split()) for word in self.words))
        return len(self.letters) > 0 and key_letters.text.startswith(self.letters.text)

    @cached_property
    def _first(self) -> IntArray:
        """int64 (words + 1,): the number of aligned letters before each word, and in all."""
        bounds = np.concatenate(([0], np.cumsum(self.size)))
        return np.searchsorted(self.key, bounds)

    @cached_property
    def _of_word(self) -> IntArray:
        """int64 (letters of the key,): the word of each letter."""
        return np.repeat(np.arange(len(self.size)), self.size)

    def covered(self, start: IntArray, end: IntArray) -> tuple[IntArray, IntArray]:
        """The first and last word that each span of the text covers, int64 (spans,); −1 for none.

        Spans count characters and include both ends. See COVERED.
        """
        low, high = (
            np.searchsorted(self.response, np.searchsorted(self.letters.origin, at))
            for at in (start, end + 1)
        )
        first, last = (np.full(len(start), -1, dtype=np.int64) for _ in range(2))
        coverable = np.flatnonzero((np.diff(self._first) >= COVERED * self.size) & (self.size > 0))
        word = self._of_word[self.key] if len(self.key) else self.key
        for row in np.flatnonzero(high > low).tolist():
            begin, stop = int(low[row]), int(high[row])
            ends = int(word[begin]), int(word[stop - 1])
            inside = np.searchsorted(coverable, (ends[0] + 1, ends[1]))
            inner = coverable[inside[0] : inside[1]]
            outer = [w for w in dict.fromkeys(ends) if self._is_covered(w, begin, stop)]
            words = [*outer, *inner[[0, -1]].tolist()] if len(inner) else outer
            if words:
                first[row], last[row] = min(words), max(words)
        return first, last

    def _is_covered(self, word: int, low: int, high: int) -> bool:
        """Whether the aligned letters from `low` to `high` (excluded) cover a word."""
        inside = min(high, int(self._first[word + 1])) - max(low, int(self._first[word]))
        return inside >= COVERED * int(self.size[word])

    def word_before(self, character: int) -> int:
        """The last word of the key aligned with the text up to a character; −1 for none."""
        letter = int(np.searchsorted(self.letters.origin, character, side="right"))
        at = int(np.searchsorted(self.response, letter)) - 1
        return int(self._of_word[self.key[at]]) if at >= 0 else -1


def align_words(words: list[str], text: str) -> Alignment:
    """Align a text with words.

    >>> alignment = align_words(["They", "did", "n't", "go", "home"], "Well, they didn't go.")
    >>> alignment.coverage, [change[2:] for change in alignment.changes]
    (0.75, [(0, 1, 0), (1, 0, 0)])
    """
    bare = ["".join(word.split()) for word in words]
    key_letters, letters = letters_of(" ".join(bare)), letters_of(text)
    begins = np.cumsum([0, *(len(word) + 1 for word in bare)])
    of_word = np.searchsorted(begins, key_letters.origin, side="right") - 1
    size = np.bincount(of_word, minlength=len(words))[: len(words)]
    bounds = np.concatenate(([0], np.cumsum(size)))
    if key_letters.text.startswith(
        letters.text
    ):  # or its last words might be aligned later in the key
        match = np.arange(len(key_letters), dtype=np.int64)
        match[len(letters) :] = -1
    else:
        match = align_letters(key_letters.text, letters.text)
        match = mend(match, bounds, key_letters.text, letters.text)
    changes = _changes(match, of_word, size, letters, text)
    kept = match >= 0
    for change, rewritten in changes:
        if rewritten:
            first, last = np.searchsorted(of_word, change.words)
            kept[first:last] = False
    key = np.flatnonzero(kept)
    differences = [change for change, _ in changes]
    return Alignment(words, text, size, key, match[key], letters, differences)


def _changes(
    match: IntArray, of_word: IntArray, size: IntArray, letters: Letters, text: str
) -> list[tuple[Change, bool]]:
    """The changes in the order of the key, each with whether its words were rewritten.

    A change is a run of words that are not completely aligned, with the text that replaces it; an
    addition; or a word into which letters were inserted, such as "colour" for "color".
    """
    aligned = np.bincount(of_word[match >= 0], minlength=len(size))[: len(size)]
    filled = np.flatnonzero(size > 0)
    whole = filled[aligned[filled] == size[filled]]
    bounds = np.concatenate(([0], np.cumsum(size)))
    piece = _pieces(letters, text)
    # Between two whole words: the letters of the text, and the words of the key.
    low = np.concatenate(([-1], match[bounds[whole + 1] - 1])) + 1
    high = np.concatenate((match[bounds[whole]], [len(letters)]))
    first, last = np.concatenate(([0], whole + 1)), np.concatenate((whole, [len(size)]))
    lengths = bounds[last] - bounds[first]
    changes = []
    for at in np.flatnonzero((high > low) | (lengths > 0)).tolist():
        a, b, c, d = (int(x[at]) for x in (first, last, low, high))
        lost = int((size[a:b] > 0).sum())
        found = int(piece[d - 1] - piece[c]) + 1 if d > c else 0
        characters = (int(letters.origin[c]), int(letters.origin[d - 1]) + 1) if d > c else (0, 0)
        rewritten = lost > 0 and 2 * int(aligned[a:b].sum()) < REWRITTEN * (
            int(lengths[at]) + d - c
        )
        both = min(lost, found)
        change = Change((a, b), characters, both, found - both, lost - both)
        changes.append((change, rewritten))
    for word in torn_words(match, bounds).tolist():
        ends = match[bounds[word]], match[bounds[word + 1] - 1]
        characters = int(letters.origin[ends[0]]), int(letters.origin[ends[1]]) + 1
        changes.append((Change((word, word + 1), characters, 1, 0, 0), False))
    return sorted(changes, key=lambda change: change[0].words)


def _pieces(letters: Letters, text: str) -> IntArray:
    """int64 (letters,): the blank-separated word of the text to which each letter belongs."""
    blank = np.fromiter(map(str.isspace, text), dtype=np.int64, count=len(text))
    before = np.cumsum(blank)[letters.origin] if len(letters) else letters.origin
    return np.concatenate(([0], np.cumsum(np.diff(before) > 0)))[: len(letters)]

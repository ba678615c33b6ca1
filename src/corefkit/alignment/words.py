"""What became of the words of a key in another text, and which of them a span of it covers."""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from corefkit.alignment.letters import (
    Letters,
    align_letters,
    join_runs,
    keep_words,
    letters_of,
    torn_words,
)
from corefkit.core.arrays import IntArray
from corefkit.core.carriers import frozen

REWRITTEN = 0.5
"""Words that have less than this in common with the text in their place align with nothing."""


COVERED = 0.5
"""A mention covers the words of which at least this share is aligned with it."""


DIFFERENT = 0.5
"""Texts that cover less than this share of the key are not texts of the same document."""


BROKEN_OFF = 0.75
"""Shorter ones are, if they break off and share this much with the key up to there."""


class Change(NamedTuple):
    """A place where the texts differ: words of the key and characters of the text, ends excluded.

    `replaced`, `added` and `dropped` count words.
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
        size: int64 (words,), how many letters each word has.
        key, response: int64 (aligned letters,), the letter of the key and the letter of the text
            that it is equal to; letters of words that were rewritten are not among them.
        letters: the letters of the text.
        changes: where the texts differ, in order.
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
        """Whether the text is that of the key, perhaps with something after its end."""
        end = len(self.words)
        return all(change.words == (end, end) for change in self.changes)

    @property
    def coverage(self) -> float:
        """The share of the key's letters that are aligned; 1 where the key has none."""
        total = int(self.size.sum())
        return len(self.key) / total if total else 1.0

    @property
    def truncated(self) -> bool:
        """Whether the text breaks off: the last words are gone, with little in their place."""
        last = self.changes[-1] if self.changes else None
        if last is None or last.words[1] < len(self.words):
            return False
        return last.dropped > last.replaced + last.added or self._is_beginning

    @property
    def differs(self) -> bool:
        """Whether the text is another one: it covers less than half of the key's letters.

        A text that breaks off is the key's, however early it does: where it is the beginning of the
        key, letter by letter, or nearly so.
        """
        if self.coverage >= DIFFERENT or self._is_beginning:
            return False
        if not self.truncated or not len(self.key):
            return True
        before = int(self.size[: self.changes[-1].words[0]].sum())
        return len(self.key) < BROKEN_OFF * max(before, len(self.letters))

    @cached_property
    def _is_beginning(self) -> bool:
        """Whether the key begins with all the letters of the text, and these are some."""
        ours = letters_of(" ".join("".join(word.split()) for word in self.words))
        return len(self.letters) > 0 and ours.text.startswith(self.letters.text)

    @cached_property
    def _first(self) -> IntArray:
        """int64 (words + 1,): how many letters are aligned before each word."""
        bounds = np.concatenate(([0], np.cumsum(self.size)))
        return np.searchsorted(self.key, bounds)

    @cached_property
    def _of_word(self) -> IntArray:
        """int64 (letters of the key,): the word of each."""
        return np.repeat(np.arange(len(self.size)), self.size)

    def covered(self, start: IntArray, end: IntArray) -> tuple[IntArray, IntArray]:
        """First and last word of which spans of the text cover at least half; −1 where none.

        Spans count characters and include both ends.
        """
        low, high = (
            np.searchsorted(self.response, np.searchsorted(self.letters.origin, place))
            for place in (start, end + 1)
        )
        first, last = (np.full(len(start), -1, dtype=np.int64) for _ in range(2))
        some = np.flatnonzero(high > low)
        good = np.flatnonzero((np.diff(self._first) >= COVERED * self.size) & (self.size > 0))
        word = self._of_word[self.key] if len(self.key) else self.key
        for row in some.tolist():
            one, other = int(low[row]), int(high[row])
            ends = int(word[one]), int(word[other - 1])
            inner = good[np.searchsorted(good, ends[0] + 1) : np.searchsorted(good, ends[1])]
            held = [w for w in dict.fromkeys(ends) if self._holds(w, one, other)]
            candidates = [*held, *inner[[0, -1]].tolist()] if len(inner) else held
            if candidates:
                first[row], last[row] = min(candidates), max(candidates)
        return first, last

    def _holds(self, word: int, low: int, high: int) -> bool:
        """Whether at least half of a word is among the aligned letters from `low` to `high`."""
        inside = min(high, int(self._first[word + 1])) - max(low, int(self._first[word]))
        return inside >= COVERED * int(self.size[word])

    def word_before(self, place: int) -> int:
        """The last word of the key that is aligned with text up to a character; −1: none."""
        letter = int(np.searchsorted(self.letters.origin, place, side="right"))
        at = int(np.searchsorted(self.response, letter)) - 1
        return int(self._of_word[self.key[at]]) if at >= 0 else -1


def align_words(words: list[str], text: str) -> Alignment:
    """Align a text with words.

    >>> found = align_words(["They", "did", "n't", "go", "home"], "Well, they didn't go.")
    >>> found.coverage, [change[2:] for change in found.changes]
    (0.75, [(0, 1, 0), (1, 0, 0)])
    """
    bare = ["".join(word.split()) for word in words]
    ours, theirs = letters_of(" ".join(bare)), letters_of(text)
    begins = np.cumsum([0, *(len(word) + 1 for word in bare)])
    of_word = np.searchsorted(begins, ours.origin, side="right") - 1
    size = np.bincount(of_word, minlength=len(words))[: len(words)]
    bounds = np.concatenate(([0], np.cumsum(size)))
    if ours.text.startswith(theirs.text):  # its last words may occur again at the end of the key
        match = np.arange(len(ours), dtype=np.int64)
        match[len(theirs) :] = -1
    else:
        match = join_runs(align_letters(ours.text, theirs.text), ours.text, theirs.text)
        match = keep_words(match, bounds, ours.text, theirs.text)
    changes = _changes(match, of_word, size, theirs, text)
    kept = match >= 0
    for words_of, _, rewritten in changes:
        if rewritten:
            kept[np.searchsorted(of_word, words_of[0]) : np.searchsorted(of_word, words_of[1])] = (
                False
            )
    key = np.flatnonzero(kept)
    return Alignment(words, text, size, key, match[key], theirs, [c for _, c, _ in changes])


def _changes(
    match: IntArray, of_word: IntArray, size: IntArray, letters: Letters, text: str
) -> list[tuple[tuple[int, int], Change, bool]]:
    """Runs of words that are not whole, with what stands in their place; and what was added.

    Words with letters put in, "colour" for "color", are changed, too. Each comes with whether the
    run was rewritten.
    """
    aligned = np.bincount(of_word[match >= 0], minlength=len(size))[: len(size)]
    filled = np.flatnonzero(size > 0)
    whole = filled[aligned[filled] == size[filled]]
    bounds = np.concatenate(([0], np.cumsum(size)))
    piece = _pieces(letters, text)
    before = np.concatenate(([-1], match[bounds[whole + 1] - 1])) + 1
    behind = np.concatenate((match[bounds[whole]], [len(letters)]))
    first, last = np.concatenate(([0], whole + 1)), np.concatenate((whole, [len(size)]))
    lengths = bounds[last] - bounds[first]
    found = []
    for at in np.flatnonzero((behind > before) | (lengths > 0)).tolist():
        a, b, c, d = (int(x[at]) for x in (first, last, before, behind))
        ours = int((size[a:b] > 0).sum())
        theirs = int(piece[d - 1] - piece[c]) + 1 if d > c else 0
        characters = (int(letters.origin[c]), int(letters.origin[d - 1]) + 1) if d > c else (0, 0)
        rewritten = ours > 0 and 2 * int(aligned[a:b].sum()) < REWRITTEN * (
            int(lengths[at]) + d - c
        )
        both = min(ours, theirs)
        change = Change((a, b), characters, both, theirs - both, ours - both)
        found.append(((a, b), change, rewritten))
    for word in torn_words(match, bounds).tolist():
        ends = match[bounds[word]], match[bounds[word + 1] - 1]
        place = int(letters.origin[ends[0]]), int(letters.origin[ends[1]]) + 1
        found.append(((word, word + 1), Change((word, word + 1), place, 1, 0, 0), False))
    return sorted(found, key=lambda one: one[0])


def _pieces(letters: Letters, text: str) -> IntArray:
    """int64 (letters,): the word, as blanks split them, that each letter of a text is from."""
    blank = np.fromiter(map(str.isspace, text), dtype=np.int64, count=len(text))
    before = np.cumsum(blank)[letters.origin] if len(letters) else letters.origin
    return np.concatenate(([0], np.cumsum(np.diff(before) > 0)))[: len(letters)]

"""Of alignments of the same cost one with fewer breaks: letters stay together where they can.

Behind a sentence that was added, "it." may be aligned with letters here and there in that sentence;
here they go back to the "it." where the text before it ends.
"""

import numpy as np

from corefkit.data.arrays import IntArray, tuples


def join_runs(match: IntArray, one: str, other: str) -> IntArray:
    """The alignment with runs moved in the other text to the run before or behind them.

    A run is a piece that both texts have without a break. It moves only as a whole, which makes no
    alignment dearer: as many characters are equal as before.

    >>> join_runs(np.array([0, 5]), "it", "itwist").tolist()
    [0, 1]
    """
    aligned = np.flatnonzero(match >= 0)
    places = match[aligned]
    breaks = np.flatnonzero((np.diff(aligned) != 1) | (np.diff(places) != 1)) + 1
    begin = np.concatenate(([0], breaks))[: len(aligned)]
    size = np.diff(np.append(begin, len(aligned)))
    runs = _moved_back(list(tuples(aligned[begin], places[begin], size)), one, other)
    runs = _moved_on(runs, one, other)
    joined = np.full_like(match, -1)
    for i, j, length in runs:
        joined[i : i + length] = np.arange(j, j + length)
    return joined


_Run = tuple[int, int, int]
"""Where it begins in one text and in the other, and its length."""


def _moved_back(runs: list[_Run], one: str, other: str) -> list[_Run]:
    """Each run behind the end of the one before it, where the same letters stand there."""
    moved: list[_Run] = []
    for i, j, size in runs:
        if moved:
            a, b, length = moved[-1]
            b += length
            if a + length == i and one[i : i + size] == other[b : b + size]:
                moved[-1] = (a, b - length, length + size)
                continue
        moved.append((i, j, size))
    return moved


def _moved_on(runs: list[_Run], one: str, other: str) -> list[_Run]:
    """Each run before the beginning of the one behind it, where the same letters stand there."""
    moved: list[_Run] = []
    for i, j, size in reversed(runs):
        if moved:
            a, b, length = moved[-1]
            if i + size == a and one[i:a] == other[b - size : b]:
                moved[-1] = (i, b - size, size + length)
                continue
        moved.append((i, j, size))
    return moved[::-1]


def keep_words(match: IntArray, bounds: IntArray, one: str, other: str) -> IntArray:
    """The alignment with the letters of a word together, where the same letters stand there.

    `bounds` are the letters at which the words of one text begin, and its length. "the sea" and
    "the blue sea" have an alignment of least cost in which the last letter of "the" is that of
    "blue", so that nothing would stand between the two words.

    >>> keep_words(np.array([0, 1, 4]), np.array([0, 3]), "the", "theye").tolist()
    [0, 1, 2]
    """
    torn = torn_words(match, bounds)
    kept = match.copy() if len(torn) else match
    for word in torn.tolist():
        a, b = int(bounds[word]), int(bounds[word + 1])
        for gap in (np.flatnonzero(np.diff(kept[a:b]) > 1) + 1).tolist():
            place = int(kept[a + gap - 1]) + 1
            behind = int(kept[a + gap])
            if one[a + gap : b] == other[place : place + b - a - gap]:
                kept[a + gap : b] = np.arange(place, place + b - a - gap)
                break
            if gap <= behind and one[a : a + gap] == other[behind - gap : behind]:
                kept[a : a + gap] = np.arange(behind - gap, behind)
    return kept


def torn_words(match: IntArray, bounds: IntArray) -> IntArray:
    """The words whose letters are all aligned, but have others between them in the other text."""
    missing = np.concatenate(([0], np.cumsum(match < 0)))
    some = np.flatnonzero((np.diff(bounds) > 1) & (np.diff(missing[bounds]) == 0))
    first, last = bounds[some], bounds[some + 1] - 1
    return some[match[last] - match[first] > last - first]

"""Letters: the characters of two texts as they are compared, and their alignment.

Short texts are aligned with the fewest edits. Long ones are first cut at anchors: long pieces that
both texts have exactly once, in the same order. Among alignments with equally many edits, one with
few breaks is wanted, so runs of letters are then moved together: if a sentence was added after
"it.", these letters may be aligned with scattered letters of that sentence; they move back to the
"it." that continues the preceding text.
"""

from functools import lru_cache
from typing import NamedTuple
from unicodedata import combining, normalize

import numpy as np

from corefkit.alignment.edits import align_edits, mirror
from corefkit.core.arrays import IntArray, ranks_of, tuples
from corefkit.core.carriers import frozen

_PLAIN = {
    **dict.fromkeys(map(ord, "‘’‚‛′´`"), "'"),
    **dict.fromkeys(map(ord, "“”„‟″«»"), '"'),
    **dict.fromkeys(map(ord, "‐‑‒–—―−"), "-"),
}
_JAMO = ("\u1160", "\u11ff")
"""The range of vowels and finals of Korean syllables, which join the preceding consonant."""


@frozen(eq=False)
class Letters:
    """The characters of a text that are compared.

    Attributes:
        text: the text after NFKC and case folding, with plain quotes and dashes, without blanks.
        origin: int64 (letters,), the character of the original text from which each letter comes.
    """

    text: str
    origin: IntArray

    def __len__(self) -> int:
        return len(self.text)


def letters_of(text: str) -> Letters:
    """The letters of a text.

    >>> letters_of("ﬁne “Tea”").text
    'fine"tea"'
    """
    joining = {c for c in set(text) if combining(c) or _JAMO[0] <= c <= _JAMO[1]}
    if joining:
        begins = [i for i, c in enumerate(text) if c not in joining or i == 0]
        ends = [*begins[1:], len(text)]
        pieces = [_folded(text[a:b]) for a, b in zip(begins, ends, strict=True)]
    else:
        begins = list(range(len(text)))
        known = {c: _folded(c) for c in set(text)}
        pieces = [known[c] for c in text]
    sizes = np.fromiter(map(len, pieces), dtype=np.int64, count=len(pieces))
    return Letters("".join(pieces), np.repeat(np.array(begins, dtype=np.int64), sizes))


@lru_cache(maxsize=1 << 14)
def _folded(piece: str) -> str:
    plain = normalize("NFKC", piece.translate(_PLAIN)).casefold()
    return "".join(normalize("NFKC", plain).translate(_PLAIN).split())


EXACT = 1 << 24
"""Pieces whose lengths have at most this product are aligned with the fewest edits."""

_WIDTHS = (32, 16, 8)
"""The lengths of the common pieces that are anchors of longer texts; tried in this order."""


def align_letters(one: str, other: str) -> IntArray:
    """int64 (characters of one,): the equal character of the other text, or −1.

    Short texts are aligned with the fewest edits. Longer ones are first cut at long pieces that
    both have once, so that the time is nearly linear if one is a changed copy of the other.

    >>> align_letters("abcd", "abxd").tolist()
    [0, 1, -1, 3]
    """
    codes = _codes(one), _codes(other)
    match = np.full(len(one), -1, dtype=np.int64)
    work = [(0, len(one), 0, len(other), 0)]
    while work:
        a, b, c, d, level = work.pop()
        same = _common(codes[0][a:b][::-1], codes[1][c:d][::-1])
        match[b - same : b] = np.arange(d - same, d)
        b, d = b - same, d - same
        if (b - a) * (d - c) > EXACT:
            same = _common(codes[0][a:b], codes[1][c:d])
            match[a : a + same] = np.arange(c, c + same)
            a, c = a + same, c + same
        if (b - a) * (d - c) <= EXACT:
            edits = align_edits(one[a:b], other[c:d])
            assert edits is not None  # no limit was given
            match[a:b] = np.where(edits.same >= 0, edits.same + c, -1)
        elif level == len(_WIDTHS):
            # There is no common piece: the texts are cut in the middle.
            i, j = (a + b) // 2, (c + d) // 2
            work += [(a, i, c, j, level), (i, b, j, d, level)]
        else:
            work += _between(codes, (a, b, c, d, level), match)
    return match


_Stretch = tuple[int, int, int, int, int]
"""Start and end in one text, start and end in the other, and how often they were cut."""


def _between(codes: tuple[IntArray, IntArray], piece: _Stretch, match: IntArray) -> list[_Stretch]:
    """Align the anchors within a piece; return the pieces between them.

    The ends of anchors belong to those pieces, because a better alignment may change them.
    """
    a, b, c, d, level = piece
    width = _WIDTHS[level]
    margin = width // 4
    pieces = []
    for block in common_blocks(codes[0][a:b], codes[1][c:d], width):
        i, j = piece[0] + block.one + margin, piece[2] + block.other + margin
        overlap = max(a - i, c - j, 0)  # with the previous block
        i, j, size = i + overlap, j + overlap, block.size - 2 * margin - overlap
        if size > 0:
            pieces.append((a, i, c, j, level + 1))
            match[i : i + size] = np.arange(j, j + size)
            a, c = i + size, j + size
    return [*pieces, (a, b, c, d, level + 1)]


def _codes(text: str) -> IntArray:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def _common(one: IntArray, other: IntArray) -> int:
    """The length of the longest common prefix of two texts."""
    size = min(len(one), len(other))
    differ = np.flatnonzero(one[:size] != other[:size])
    return int(differ[0]) if len(differ) else size


_BASE = np.uint64(0x9E3779B97F4A7C15)


class CommonBlock(NamedTuple):
    """A piece that both texts have: its start in each, and its length."""

    one: int
    other: int
    size: int


def common_blocks(one: IntArray, other: IntArray, width: int) -> list[CommonBlock]:
    """Common blocks, in the order of both texts, made of pieces that each text has exactly once.

    Texts are given as code points. Among all such chains of blocks, this is one with the most
    pieces. `width`, a power of 2, is the length of a piece; blocks may overlap by less than that.
    """
    if min(len(one), len(other)) < width:
        return []
    of_one, first = _unique(_hashes(one, width))
    of_other, second = _unique(_hashes(other, width))
    _, left, right = np.intersect1d(of_one, of_other, assume_unique=True, return_indices=True)
    order = np.argsort(first[left])
    a, b = first[left][order], second[right][order]
    if not len(a):
        return []
    breaks = np.flatnonzero((np.diff(a) != 1) | (np.diff(b) != 1)) + 1
    begin = np.concatenate(([0], breaks))
    count = np.diff(np.concatenate((begin, [len(a)])))
    chain = _heaviest(b[begin], count)
    blocks = [
        CommonBlock(int(a[begin[i]]), int(b[begin[i]]), int(count[i]) + width - 1) for i in chain
    ]
    return [
        block
        for block in blocks
        if np.array_equal(
            one[block.one : block.one + block.size], other[block.other : block.other + block.size]
        )
    ]


def _hashes(codes: IntArray, width: int) -> "np.ndarray[tuple[int], np.dtype[np.uint64]]":
    """A hash of the piece of `width` characters that begins at each character."""
    hashes = codes.astype(np.uint64)
    base, size = _BASE, 1
    with np.errstate(over="ignore"):
        while size < width:
            hashes = hashes[:-size] * base + hashes[size:]
            base, size = base * base, 2 * size
    return hashes


def _unique(
    values: "np.ndarray[tuple[int], np.dtype[np.uint64]]",
) -> "tuple[np.ndarray[tuple[int], np.dtype[np.uint64]], IntArray]":
    """The values that occur exactly once, and their positions."""
    distinct, first, count = np.unique(values, return_index=True, return_counts=True)
    return distinct[count == 1], first[count == 1]


def _heaviest(positions: IntArray, weights: IntArray) -> list[int]:
    """The indices of the heaviest increasing subsequence of distinct positions."""
    size = len(positions)
    rank = ranks_of(np.argsort(positions)) + 1
    total = [0] * size
    before = [-1] * size
    best = [-1] * (size + 1)  # a Fenwick tree of the best ends of chains by rank
    for i, (own_rank, weight) in enumerate(zip(rank.tolist(), weights.tolist(), strict=True)):
        at, last = own_rank - 1, -1
        while at:
            if best[at] >= 0 and (last < 0 or total[best[at]] > total[last]):
                last = best[at]
            at &= at - 1
        before[i] = last
        total[i] = weight + (total[last] if last >= 0 else 0)
        at = own_rank
        while at <= size:
            if best[at] < 0 or total[i] > total[best[at]]:
                best[at] = i
            at += at & -at
    end = max(range(size), key=total.__getitem__)
    chain = []
    while end >= 0:
        chain.append(end)
        end = before[end]
    return chain[::-1]


def mend(match: IntArray, bounds: IntArray, one: str, other: str) -> IntArray:
    """The alignment with runs joined and torn words mended; as many characters are aligned.

    A run is a piece that both texts have without a break. It moves, in the other text, next to the
    preceding or the following run if the same letters stand there: as a whole, or, where it begins
    or ends inside a word, at least with the letters of this word. "the sea" and "the blue sea" have
    an alignment with the fewest edits in which the last letter of "the" is aligned with that of
    "blue", so that no word would seem to be inserted.

    `bounds`, int64 (words + 1,), are the first letter of each word of one text, and its length.

    >>> mend(np.array([0, 1, 4]), np.array([0, 3]), "the", "theye").tolist()
    [0, 1, 2]
    """
    back = _moved_back(match, bounds, one, other)
    mirrored = mirror(back, len(other)), len(one) - bounds[::-1], one[::-1], other[::-1]
    return mirror(_moved_back(*mirrored), len(other))


def _moved_back(match: IntArray, bounds: IntArray, one: str, other: str) -> IntArray:
    """The alignment with runs, or the rest of a word, moved to the end of the preceding run."""
    aligned = np.flatnonzero(match >= 0)
    first = (np.diff(aligned, prepend=-2) != 1) | (np.diff(match[aligned], prepend=-2) != 1)
    last = np.append(first[1:], True)[: len(aligned)]
    starts, ends = aligned[first], aligned[last] + 1
    word = np.searchsorted(bounds, starts)
    word_ends = np.where(bounds[word] > starts, bounds[word], starts)
    moved = match.copy()
    for start, end, word_end in tuples(starts, ends, word_ends):
        if start and moved[start - 1] >= 0:
            at = int(moved[start - 1]) + 1
            for stop in (end, min(end, word_end)):
                if one[start:stop] == other[at : at + stop - start]:
                    moved[start:stop] = np.arange(at, at + stop - start)
                    break
    return moved


def torn_words(match: IntArray, bounds: IntArray) -> IntArray:
    """The words whose letters are all aligned, but not with consecutive letters."""
    missing = np.concatenate(([0], np.cumsum(match < 0)))
    complete = np.flatnonzero((np.diff(bounds) > 1) & (np.diff(missing[bounds]) == 0))
    first, last = bounds[complete], bounds[complete + 1] - 1
    return complete[match[last] - match[first] > last - first]

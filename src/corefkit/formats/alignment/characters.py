"""Alignment of the characters of two texts: exact where they are short, anchored where long."""

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.formats.alignment.anchors import common_blocks
from corefkit.formats.alignment.edits import equal_pairs

EXACT = 1 << 24
"""Pieces whose lengths have at most this product are aligned at least cost."""

_WIDTHS = (32, 16, 8)
"""How long the pieces are that longer texts must have in common; tried in this order."""


def align(one: str, other: str) -> IntArray:
    """int64 (characters of one,): the equal character of the other that each belongs to, or −1.

    Texts that are not long are aligned at least cost. Longer ones are first cut at long pieces that
    both have once, so that time is nearly linear where one is a copy of the other with changes.

    >>> align("abcd", "abxd").tolist()
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
            for i, j in equal_pairs(one[a:b], other[c:d]):
                match[a + i] = c + j
        elif level == len(_WIDTHS):
            # No piece in common to hold on to: the texts are cut in the middle.
            i, j = (a + b) // 2, (c + d) // 2
            work += [(a, i, c, j, level), (i, b, j, d, level)]
        else:
            work += _between(codes, (a, b, c, d, level), match)
    return match


_Piece = tuple[int, int, int, int, int]
"""From where to where in one text and in the other, and how often it was cut."""


def _between(codes: tuple[IntArray, IntArray], piece: _Piece, match: IntArray) -> list[_Piece]:
    """Align the anchors within a piece; the pieces between them.

    The ends of anchors are left to those pieces, because a cheaper alignment may change them.
    """
    a, b, c, d, level = piece
    width = _WIDTHS[level]
    margin = width // 4
    left = []
    for block in common_blocks(codes[0][a:b], codes[1][c:d], width):
        i, j = piece[0] + block.one + margin, piece[2] + block.other + margin
        late = max(a - i, c - j, 0)
        i, j, size = i + late, j + late, block.size - 2 * margin - late
        if size > 0:
            left.append((a, i, c, j, level + 1))
            match[i : i + size] = np.arange(j, j + size)
            a, c = i + size, j + size
    return [*left, (a, b, c, d, level + 1)]


def _codes(text: str) -> IntArray:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def _common(one: IntArray, other: IntArray) -> int:
    """How many characters two texts have in common at their beginning."""
    size = min(len(one), len(other))
    differ = np.flatnonzero(one[:size] != other[:size])
    return int(differ[0]) if len(differ) else size

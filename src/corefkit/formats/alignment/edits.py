"""Alignment of least cost of two short texts: replace, insert and delete a character cost 1.

The columns of the table of edit distances are kept as differences, one bit a cell, in two integers
each (Myers 1999, in the form of Hyyrö 2003).
"""


def equal_pairs(one: str, other: str) -> list[tuple[int, int]]:
    """The places (in one, in the other) of equal characters in an alignment of least cost.

    Of several it is the one found from the end that takes equal characters wherever it can, then
    leaves out a character of one, then replaces it, then leaves out a character of the other.

    >>> equal_pairs("harbour", "harbor")
    [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (6, 5)]
    """
    if not (one and other):
        return []
    plus, minus = _columns(one, other)
    pairs = []
    i, j = len(one), len(other)
    while i and j:
        if one[i - 1] == other[j - 1]:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif plus[j - 1] >> (i - 1) & 1:
            i -= 1
        else:
            j -= 1
            if not (j and minus[j - 1] >> (i - 1) & 1):
                i -= 1
    return pairs[::-1]


def _columns(one: str, other: str) -> tuple[list[int], list[int]]:
    """For each character of the other text, in which rows the cost grows by 1, and falls by 1."""
    places: dict[str, int] = {}
    for i, character in enumerate(one):
        places[character] = places.get(character, 0) | 1 << i
    full = (1 << len(one)) - 1
    up, down = full, 0
    plus, minus = [], []
    for character in other:
        equal = places.get(character, 0)
        diagonal = ((((equal & up) + up) ^ up) | equal | down) & full
        right = down | (full ^ (diagonal | up))
        left = diagonal & up
        right = (right << 1 | 1) & full
        left = left << 1 & full
        up = left | (full ^ (diagonal | right))
        down = right & diagonal
        plus.append(up)
        minus.append(down)
    return plus, minus

"""Letters: the characters of a text as they are compared, without blanks."""

from dataclasses import dataclass
from functools import lru_cache
from unicodedata import combining, normalize

import numpy as np

from corefkit.data.arrays import IntArray

_PLAIN = {
    **dict.fromkeys(map(ord, "‘’‚‛′´`"), "'"),
    **dict.fromkeys(map(ord, "“”„‟″«»"), '"'),
    **dict.fromkeys(map(ord, "‐‑‒–—―−"), "-"),
}
_JAMO = ("\u1160", "\u11ff")
"""Vowels and finals of Korean syllables, which join the consonant before them."""


@dataclass(frozen=True, eq=False)
class Letters:
    """The characters of a text that are compared.

    Attributes:
        text: after NFKC and case folding, with plain quotes and dashes, without blanks.
        origin: int64 (letters,), the character of the original text that each is from.
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

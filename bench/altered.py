"""Altered text: which thresholds of its alignment place most mentions rightly.

`python -m bench.altered` changes the texts of examples/key.conll as language models change them;
the truth about every mention is kept on the way.
"""

from pathlib import Path
from unittest.mock import patch

import numpy as np

from corefkit import read
from corefkit.alignment import words as aligning
from corefkit.alignment.words import align_words
from corefkit.core.tokens import document_words

_BOOK = 200_000
_LIMIT = 20.0
_GROWTH = 3.0
_KEY = Path(__file__).parent.parent / "examples" / "key.conll"
_SHARES = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
_TIMES = 3

Spans = list[tuple[int, int]]


def alter(
    words: list[str], spans: Spans, known: list[str], rate: float, random: np.random.Generator
) -> tuple[str, list[tuple[int, int, tuple[int, int] | None]]]:
    """A text with so many of the words changed, and its mentions: first and last character, and
    the first and last of the key's words of the mention that are still there, or None."""
    pieces: list[tuple[str, bool]] = []
    place = []
    for word in words:
        kind = random.integers(6) if random.random() < rate else -1
        if kind == 0:  # an added word
            pieces.append((str(random.choice(known)), True))
        place.append(len(pieces))
        if kind == 1:
            pieces.append(("", False))
        elif kind in (2, 3):  # another word, or several
            count = 1 if kind == 2 else 3
            pieces.append((" ".join(map(str, random.choice(known, count))), False))
        elif kind == 4:  # another spelling
            at = int(random.integers(len(word)))
            pieces.append((word[:at] + "x" * (len(word) > 3) + word[at + 1 :], len(word) > 3))
        elif kind == 5:
            pieces.append((word.upper(), True))
        else:
            pieces.append((word, True))
    begins = np.cumsum([0, *(len(piece) + 1 for piece, _ in pieces)]).tolist()
    mentions = []
    for first, last in spans:
        left = [w for w in range(first, last + 1) if pieces[place[w]][1]]
        start, end = begins[place[first]], begins[place[last] + 1] - 2
        if end >= start:
            mentions.append((start, end, (left[0], left[-1]) if left else None))
    return " ".join(piece for piece, _ in pieces), mentions


def placed_rightly(rate: float, rewritten: float, covered: float) -> float:
    """The share of the mentions of altered texts that are placed where they belong, or lost where
    nothing of them is left."""
    key = read(_KEY)
    known = sorted({word for words in document_words(key) for word in words})
    random = np.random.default_rng(7)
    right = total = 0
    with patch.object(aligning, "REWRITTEN", rewritten), patch.object(aligning, "COVERED", covered):
        for _ in range(_TIMES):
            for document, words in enumerate(document_words(key)):
                here = key.document == document
                spans = list(zip(key.start[here].tolist(), key.end[here].tolist(), strict=True))
                text, mentions = alter(words, spans, known, rate, random)
                start, end = (np.array([m[i] for m in mentions], dtype=np.int64) for i in (0, 1))
                found = zip(*align_words(words, text).covered(start, end), strict=True)
                for (a, b), (_, _, truth) in zip(found, mentions, strict=True):
                    right += (None if a < 0 else (int(a), int(b))) == truth
                    total += 1
    return right / total


def main() -> None:
    """Print the shares for both thresholds, the other one at 0.5."""
    print("changed  threshold  " + "  ".join(f"{share:5.1f}" for share in _SHARES))
    for rate in (0.02, 0.1, 0.3):
        runs = [placed_rightly(rate, share, 0.5) for share in _SHARES]
        cover = [placed_rightly(rate, 0.5, share) for share in _SHARES]
        for name, values in (("rewritten", runs), ("covered", cover)):
            print(f"{rate:7.2f}  {name:<9}  " + "  ".join(f"{100 * v:5.1f}" for v in values))


if __name__ == "__main__":
    main()

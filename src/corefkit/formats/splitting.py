"""Characters into tokens where there is no other side: at blanks and at the bounds of mentions.

This is no tokeniser: "don't." stays one token unless a mention begins or ends inside it.
"""

from dataclasses import replace

import numpy as np

from corefkit.data.arrays import BoolArray, IntArray
from corefkit.data.columns import no_columns
from corefkit.data.corpus import Corpus
from corefkit.data.ragged import Ragged
from corefkit.formats.characters import document_text, letters
from corefkit.formats.recounting import with_tokens


def split_tokens(corpus: Corpus) -> Corpus:
    """The corpus of character spans as one of tokens; no mention is widened.

    Lines become sentences. Raises DataError where the text is not known.
    """
    start, end = corpus.start.copy(), corpus.end.copy()
    tokens = np.zeros(len(corpus.names), dtype=np.int64)
    kept = np.ones(corpus.mentions, dtype=bool)
    words: list[str] = []
    lengths: list[int] = []
    lists: list[tuple[int, list[tuple[int, int]]]] = []
    parts = {} if corpus.parts is None else dict(corpus.parts)
    minimum = None if corpus.minimum is None else corpus.minimum.copy()
    for document, rows in enumerate(corpus.rows_of_documents()):
        text = document_text(corpus, document)
        if text is None:
            raise no_columns()
        bounds = [corpus.start[rows], corpus.end[rows] + 1]
        for row in (row for row in rows.tolist() if row in parts):
            inside = np.array([t for t, _ in parts[row]], dtype=np.int64)
            bounds += [inside, inside + 1]
        letter = letters(text)
        token = _token_of(letter, np.concatenate(bounds))
        first = np.flatnonzero(letter & (np.diff(token, prepend=-1) > 0))
        behind = np.append(token[1:], -1)
        last = np.flatnonzero(letter & ((behind != token) | ~np.append(letter[1:], False)))
        words += [text[a : b + 1] for a, b in zip(first.tolist(), last.tolist(), strict=True)]
        tokens[document] = len(first)
        lengths += _lines(text, first)
        if minimum is not None:
            have = rows[minimum[rows, 0] >= 0]
            minimum[have] = token[minimum[have]]
        for row in rows.tolist():
            a = int(np.searchsorted(first, start[row]))
            b = int(np.searchsorted(last, end[row], side="right")) - 1
            kept[row] = b >= a
            start[row], end[row] = a, b
            if row in parts:
                nodes = sorted({int(token[t]) for t, _ in parts[row] if letter[t]})
                if nodes and nodes[-1] - nodes[0] + 1 > len(nodes):
                    lists.append((row, [(node, 0) for node in nodes]))
    moved = replace(
        corpus,
        start=start,
        end=end,
        tokens=tokens,
        unit="token",
        parts=Ragged.of(sorted(lists)),
        minimum=minimum,
    )
    return with_tokens(moved, words, lengths, "tokens", corpus.unnamed).take(kept)


def _token_of(letter: BoolArray, bounds: IntArray) -> IntArray:
    """The number of the token of each character that is no blank; blanks have that before them."""
    begins = np.zeros(len(letter) + 1, dtype=bool)
    begins[bounds] = True
    begins = begins[:-1]
    # A bound among blanks belongs to the letter behind them, which begins a token anyway.
    begins[1:] |= letter[1:] & ~letter[:-1]
    begins[:1] = letter[:1]
    return np.cumsum(begins & letter) - 1


def _lines(text: str, first: IntArray) -> list[int]:
    """How many tokens begin on each line."""
    breaks = np.array([at for at, character in enumerate(text) if character == "\n"], dtype=int)
    lines: list[int] = np.bincount(np.searchsorted(breaks, first)).tolist()
    return lines

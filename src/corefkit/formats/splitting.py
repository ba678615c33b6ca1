"""Characters into tokens where there is no other side: at blanks and at the bounds of mentions.

This is no tokeniser: "don't." stays one token unless a mention begins or ends inside it.
"""

import numpy as np

from corefkit.data.arrays import BoolArray, IntArray
from corefkit.data.columns import no_columns
from corefkit.data.corpus import Corpus
from corefkit.data.matching.nodes import nodes_listed
from corefkit.formats.characters import document_text, letters
from corefkit.formats.moving import Moves
from corefkit.formats.recounting import with_tokens


def split_tokens(corpus: Corpus) -> Corpus:
    """The corpus of character spans as one of tokens; no mention is widened.

    Lines become sentences. Raises DataError where the text is not known.
    """
    moves = Moves(corpus)
    words: list[str] = []
    lengths: list[int] = []
    for document, rows in enumerate(corpus.rows_of_documents()):
        text = document_text(corpus, document)
        if text is None:
            raise no_columns()
        apart = {row: nodes for row in rows.tolist() if (nodes := nodes_listed(corpus, row))}
        inside = np.array([t for nodes in apart.values() for t, _ in nodes], dtype=np.int64)
        bounds = np.concatenate((corpus.start[rows], corpus.end[rows] + 1, inside, inside + 1))
        letter = letters(text)
        token = _token_of(letter, bounds)
        first = np.flatnonzero(letter & (np.diff(token, prepend=-1) > 0))
        behind = np.append(token[1:], -1)
        last = np.flatnonzero(letter & ((behind != token) | ~np.append(letter[1:], False)))
        words += [text[a : b + 1] for a, b in zip(first.tolist(), last.tolist(), strict=True)]
        moves.tokens[document] = len(first)
        lengths += _lines(text, first)
        moves.start[rows] = np.searchsorted(first, corpus.start[rows])
        moves.end[rows] = np.searchsorted(last, corpus.end[rows], side="right") - 1
        moves.move_minima(rows, token.__getitem__)
        for row, nodes in apart.items():
            moves.list_nodes(row, ((int(token[t]), 0) for t, _ in nodes if letter[t]))
    moves.kept = moves.end >= moves.start
    return with_tokens(moves.made(unit="token"), words, lengths, "tokens", corpus.unnamed)


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

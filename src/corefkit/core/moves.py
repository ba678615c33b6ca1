"""Mentions that move to other tokens: what is known on the way, and the corpus in the end."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.corpus import Corpus
from corefkit.core.ragged import Ragged, runs_of


class Moves:
    """Where the mentions of a corpus go; at first they all stay where they are.

    Attributes:
        start, end: int64 (mentions,), their new spans.
        kept: bool (mentions,), those that have a place.
        tokens: int64 (documents,), how many tokens each document has then.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self.start, self.end = corpus.start.copy(), corpus.end.copy()
        self.kept = np.ones(corpus.mentions, dtype=bool)
        self.tokens = corpus.tokens.copy()
        self._minimum = None if corpus.minimum is None else corpus.minimum.copy()
        self._nodes: dict[int, list[tuple[int, int]]] = {}

    def drop_document(self, document: int, rows: IntArray) -> None:
        """A document has no tokens there, so that its mentions have no place."""
        self.kept[rows], self.tokens[document] = False, -1

    def move_minima(self, rows: IntArray, to: Callable[[IntArray], IntArray]) -> None:
        """Move the minimum spans, int64 (some, 2), of these mentions, as far as they have any."""
        if self._minimum is not None:
            have = rows[self._minimum[rows, 0] >= 0]
            self._minimum[have] = to(self._minimum[have])

    def list_nodes(self, row: int, nodes: Iterable[tuple[int, int]]) -> None:
        """The nodes of a mention that had a list of them; a run of tokens needs none any more."""
        listed = sorted(set(nodes))
        if any(zero for _, zero in listed) or len(runs_of(token for token, _ in listed)) > 1:
            self._nodes[row] = listed

    def made(self, **columns: Any) -> Corpus:
        """The corpus of the mentions that are kept, with more columns changed."""
        parts = Ragged.of(sorted(self._nodes.items()))
        spans = {"start": self.start, "end": self.end, "tokens": self.tokens}
        moved = {**spans, "minimum": self._minimum, "parts": parts, **columns}
        return replace(self._corpus, **moved).take(self.kept)

"""A mention in context: its words, and those before and after it in its sentence."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray, tuples
from corefkit.core.carriers import frozen
from corefkit.core.incidents import DataError
from corefkit.core.source import MASKS
from corefkit.features.tokens import KeyTokens

EMPTY_NODE = "∅"
"""The text of a mention that is an empty node."""

MOST_WORDS = 50
"""Texts of more than twice as many words are cut: nested mentions would take quadratic space."""


class MentionContext(NamedTuple):
    """The words before a mention, its own and those after it, as texts; "" where there are none."""

    before: str
    text: str
    behind: str

    def shortened(self, width: int) -> "MentionContext":
        """The texts cut between words to `width` characters on each side, with … for the rest.

        >>> MentionContext("the old man saw", "him", "from afar off").shortened(8)
        MentionContext(before='… man saw', text='him', behind='from …')
        """
        before, behind = self.before, self.behind
        if len(before) > width:
            kept = before[-width:]
            before = "… " + kept[kept.find(" ") + 1 :]
        if len(behind) > width:
            behind = behind[: width + 1].rpartition(" ")[0] + " …"
        return MentionContext(before, self.text, behind)


@frozen(eq=False)
class Texts:
    """The words and sentences of all documents; documents, tokens and sentences count from 0."""

    tokens: KeyTokens

    @cached_property
    def known(self) -> bool:
        """Whether the key has words."""
        return self.tokens.has("word")

    @cached_property
    def comparable(self) -> bool:
        """Whether there are words, and not all of them are masked: masks cannot be compared."""
        return self.known and not MASKS.issuperset(self.tokens.column("word").values)

    @cached_property
    def _words(self) -> list[str]:
        return self.tokens.column("word").to_list() if self.known else []

    @cached_property
    def _places(self) -> list[tuple[int, int]]:
        """The first token of each document, and how many it has; a list, for quick look-ups."""
        corpus = self.tokens.corpus
        return list(tuples(corpus.first_token, np.maximum(corpus.tokens, 0)))

    @cached_property
    def _sentence(self) -> IntArray | None:
        try:
            return self.tokens.sentence_in_document
        except DataError:
            return None

    def words(self, document: int, start: int, end: int) -> list[str]:
        """The words from one token to another, both included, as far as they exist."""
        first, size = self._places[document]
        return self._words[first + max(start, 0) : first + min(end + 1, size)]

    def count_words(self, document: IntArray, token: IntArray) -> dict[str, int]:
        """How often each word occurs among these tokens; "" counts tokens that do not exist."""
        corpus, column = self.tokens.corpus, self.tokens.column("word")
        exists = token < corpus.tokens[document]
        code = column.code[(corpus.first_token[document] + token)[exists]]
        number = np.bincount(code, minlength=len(column.values))
        known = {column.values[word]: int(number[word]) for word in np.flatnonzero(number).tolist()}
        missing = len(token) - len(code)
        return {**known, "": known.get("", 0) + missing} if missing else known

    def shown(self, document: int, start: int, end: int) -> str:
        """The words from one token to another, as `abridged` shows them."""
        first, size = self._places[document]
        return abridged(self._words, first + max(start, 0), first + min(end + 1, size))

    def text(
        self, document: int, start: int, end: int, nodes: Iterable[tuple[int, int]] | None = None
    ) -> str:
        """The words of a mention, with … between the parts of a discontinuous one, its `nodes`."""
        if nodes is None:
            return " ".join(self.words(document, start, end))
        parts: list[str] = []
        last: int | None = None
        for token, zero in nodes:
            if last is not None and token > last + 1:
                parts.append("…")
            parts += [EMPTY_NODE] if zero else self.words(document, token, token)
            last = token
        return " ".join(parts)

    def sentence(self, document: int, token: int) -> int | None:
        """The sentence of a token, numbered in its document; None where it is not known."""
        first, size = self._places[document]
        if self._sentence is None or not size:
            return None
        return int(self._sentence[first + min(max(token, 0), size - 1)])

    def sentence_bounds(self, document: int, token: int) -> tuple[int, int]:
        """The first and last token of the sentence of a token; 20 on each side where unknown."""
        first, size = self._places[document]
        number = self.sentence(document, token)
        if number is None or self._sentence is None:
            return max(token - 20, 0), min(token + 20, size - 1)
        sentences = self._sentence[first : first + size]
        begin, stop = np.searchsorted(sentences, [number, number + 1])
        return int(begin), int(stop) - 1

    def in_context(
        self, document: int, start: int, end: int, text: str, *, brief: bool = False
    ) -> MentionContext:
        """A mention, whose words are `text`, with the words of its sentence around it.

        If `brief`, there are at most MOST_WORDS on each side.
        """
        begin, stop = self.sentence_bounds(document, start)
        if brief:
            begin, stop = max(begin, start - MOST_WORDS), min(stop, end + MOST_WORDS)
        before = self.words(document, begin, start - (text != EMPTY_NODE))
        behind = self.words(document, end + 1, max(stop, end))
        return MentionContext(" ".join(before), text, " ".join(behind))


def joined(parts: Sequence[str]) -> str:
    """The texts joined by blanks, without empty ones."""
    return " ".join(part for part in parts if part)


def abridged(words: Sequence[str], first: int, stop: int) -> str:
    """words[first:stop] as a text; from more than twice MOST_WORDS only the first and the last."""
    if stop - first <= 2 * MOST_WORDS:
        return " ".join(words[first:stop])
    return " ".join([*words[first : first + MOST_WORDS], "…", *words[stop - MOST_WORDS : stop]])

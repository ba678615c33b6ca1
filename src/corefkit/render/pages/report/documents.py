"""The documents of the error page: their texts, and which of them are shown in full."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from corefkit.analysis.errors import Errors
from corefkit.applications.context import Texts
from corefkit.core.carriers import frozen
from corefkit.core.incidents import DataError
from corefkit.core.names import NO_GENRE, genre
from corefkit.core.source import NOTHING
from corefkit.core.texts import is_right_to_left, is_unspaced

MOST_TOKENS = 400_000
"""Texts of so many tokens are shown in full; beyond, those of the documents that lose most."""


@frozen
class DocumentTexts:
    """The texts of the key, and which documents are shown in full."""

    texts: Texts
    names: tuple[str, ...]
    shown: frozenset[int]

    def document(self, number: int) -> dict[str, Any]:
        """Name, genre, and the sentences if it is shown."""
        name = self.names[number]
        group = genre(name)
        size = max(int(self.texts.tokens.corpus.tokens[number]), 0)
        content: dict[str, Any] = {"name": name, "genre": "" if group == NO_GENRE else group}
        content["tokens"] = size
        if number in self.shown and size:
            words = self.texts.words(number, 0, size - 1) or ["·"] * size
            starts = self._starts(number, size)
            content |= {"words": words, "sentences": starts, "rtl": is_right_to_left(words)}
            if number in self.unspaced:
                content["unspaced"] = True
            if speakers := self._speakers(number, size):
                content["speakers"] = [speakers[i] for i in starts]
        return content

    @cached_property
    def unspaced(self) -> frozenset[int]:
        """The documents in Chinese or Japanese, whose words are shown without blanks between."""
        numbers = range(len(self.names))
        return frozenset(n for n in numbers if is_unspaced(self.texts.words(n, 0, 299)))

    def _starts(self, number: int, size: int) -> list[int]:
        """The first token of each sentence; every 25th token where sentences are not known."""
        first = int(self.texts.tokens.corpus.first_token[number])
        try:
            sentence = self.texts.tokens.sentence_in_document[first : first + size]
        except DataError:
            return list(range(0, size, 25))
        return [0, *(np.flatnonzero(np.diff(sentence)) + 1).tolist()]

    def _speakers(self, number: int, size: int) -> list[str]:
        """The speaker of each token; nothing where the files name none."""
        if not self.texts.tokens.has("speaker"):
            return []
        column = self.texts.tokens.column("speaker")
        if set(column.values) <= NOTHING:
            return []
        first = int(self.texts.tokens.corpus.first_token[number])
        return [column.values[c] for c in column.code[first : first + size].tolist()]


def choose_shown(
    systems: Sequence[Errors], wanted: Sequence[str] | None = None, most: int = MOST_TOKENS
) -> frozenset[int]:
    """The documents that are shown in full: those named, or the worst that fit."""
    joint = systems[0].joint
    names = joint.key.names
    if wanted:
        return frozenset(number for number, name in enumerate(names) if name in set(wanted))
    loss = np.max([list(system.losses().values()) for system in systems], axis=0)
    chosen: set[int] = set()
    total = 0
    for number in sorted(range(len(names)), key=lambda n: -loss[n]):
        size = max(int(joint.key.tokens[number]), 0)
        if not chosen or total + size <= most:
            chosen.add(number)
            total += size
    return frozenset(chosen)

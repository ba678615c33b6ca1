"""The texts of the key as the page of errors shows them, and which documents it shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from corefkit.analysis.errors import Errors
from corefkit.data.columns import NOTHING
from corefkit.data.groups import NO_GENRE, genre
from corefkit.data.incidents import DataError
from corefkit.data.texts import is_right_to_left
from corefkit.mentions.context import Texts

MOST_TOKENS = 400_000
"""Texts of so many tokens are shown in full; beyond, those of the documents that lose most."""


@dataclass(frozen=True)
class Texted:
    """The texts of the key, and which documents are shown in full."""

    texts: Texts
    names: tuple[str, ...]
    shown: frozenset[int]

    def document(self, number: int) -> dict[str, Any]:
        """Name, genre, and the sentences if it is shown."""
        name = self.names[number]
        group = genre(name)
        found: dict[str, Any] = {"name": name, "genre": "" if group == NO_GENRE else group}
        size = max(int(self.texts.tokens.corpus.tokens[number]), 0)
        found["tokens"] = size
        if number in self.shown and size:
            words = self.texts.words(number, 0, size - 1) or ["·"] * size
            found["words"] = words
            found["sentences"] = self._starts(number, size)
            found["rtl"] = is_right_to_left(words)
            if speakers := self._speakers(number, size):
                found["speakers"] = [speakers[i] for i in found["sentences"]]
        return found

    def _starts(self, number: int, size: int) -> list[int]:
        first = int(self.texts.tokens.corpus.first_token[number])
        try:
            sentence = self.texts.tokens.sentence[first : first + size]
        except DataError:
            return list(range(0, size, 25))
        return [0, *(np.flatnonzero(np.diff(sentence)) + 1).tolist()]

    def _speakers(self, number: int, size: int) -> list[str]:
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


def cut(text: str, most: int) -> str:
    """The text with no more than so many characters."""
    return text if len(text) <= most else text[: most - 1] + "…"

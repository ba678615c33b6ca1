"""What can be asked of the tokens of a CoNLL file, after it was read."""

from typing import TYPE_CHECKING

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.incidents import DataError
from corefkit.data.source import Source, TokenReader

if TYPE_CHECKING:
    from corefkit.data.columns import Column


class ConllTokens(TokenReader):
    """The token columns and sentences of CoNLL files.

    `word_column` is the number of the column with the words, from 1; None: the file tells it.
    """

    def __init__(self, name: str = "conll", word_column: int | None = None) -> None:
        self.name, self._word_column = name, word_column

    def columns(self, source: Source, names: tuple[str | int, ...]) -> "list[Column]":
        """These columns, by name or number; DataError where a line lacks one.

        They are kept. Asking for several at once splits the lines once.
        """
        from corefkit.formats.conll.columns import read_columns, word_place

        if "word" in names:
            chosen = self._word_column
            place = word_place(source) if chosen is None else chosen - 1
            names = tuple(place if name == "word" else name for name in names)
        kept: dict[str | int, Column] = source.cache.setdefault("columns", {})
        wanted = tuple(name for name in dict.fromkeys(names) if name not in kept)
        if wanted:
            kept.update(zip(wanted, read_columns([source], wanted), strict=True))
        return [kept[name] for name in names]

    def sentences(self, source: Source) -> IntArray:
        """The sentence of each token; blank lines and ends of documents end sentences."""
        from corefkit.formats.conll.columns import lines_of

        return np.cumsum(lines_of(source).tokens()[1]) - 1

    def heads(self, source: Source, begin: IntArray, end: IntArray) -> IntArray:
        """The head of each span that is a constituent of a tree, −1 for the others."""
        from corefkit.formats.conll.heads import constituent_heads
        from corefkit.formats.conll.stars import find_spans

        try:
            parse, tags = self.columns(source, ("parse", "pos"))
        except DataError:  # a file of few columns has no trees
            return np.full(len(begin), -1, dtype=np.int64)
        spans, _ = find_spans(parse, self.sentences(source))
        return constituent_heads(spans, tags, begin, end)

    def token_lines(self, source: Source) -> IntArray:
        """The line of each token."""
        from corefkit.formats.conll.columns import lines_of

        return lines_of(source).tokens()[0] + 1

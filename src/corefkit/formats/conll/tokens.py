"""What can be asked of the tokens of a CoNLL file, after it was read."""

from collections.abc import Sequence

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.carriers import frozen
from corefkit.core.incidents import DataError
from corefkit.core.source import Column, Source


@frozen(eq=False)
class ConllSource(Source):
    """A CoNLL file: its token columns, sentences and trees.

    `word_column` is the number of the column with the words, from 1; None: the file tells it.
    """

    format: str = "conll"
    word_column: int | None = None

    def find_columns(self, names: Sequence[str | int], errors: str) -> list[Column]:
        """These columns, by name or number; DataError where a line lacks one.

        Asking for several at once splits the lines once.
        """
        from corefkit.formats.columns.tokens import columns_of_lines, word_place

        if "word" in names:
            place = word_place(self) if self.word_column is None else self.word_column - 1
            names = [place if name == "word" else name for name in names]
        return columns_of_lines(self, names, errors)

    def sentences(self) -> IntArray:
        """The sentence of each token; blank lines and ends of documents end sentences."""
        from corefkit.formats.columns.lines import lines_of

        return np.cumsum(lines_of(self).tokens()[1]) - 1

    def heads(self, begin: IntArray, end: IntArray) -> IntArray:
        """The head of each span that is a constituent of a tree, −1 for the others."""
        from corefkit.formats.columns.spans import find_spans
        from corefkit.formats.conll.heads import HeadedTrees

        try:
            parse, tags = self.columns("parse", "pos")
        except DataError:  # a file of few columns has no trees
            return np.full(len(begin), -1, dtype=np.int64)
        trees = self.once(
            "trees", lambda: HeadedTrees(find_spans(parse, self.sentences())[0], tags)
        )
        return trees.heads(begin, end)

    def token_lines(self) -> IntArray:
        """The line of each token."""
        from corefkit.formats.columns.lines import lines_of

        return lines_of(self).tokens()[0] + 1

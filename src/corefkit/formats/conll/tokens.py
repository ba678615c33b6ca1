"""What can be asked of the tokens of a CoNLL file, after it was read."""

from corefkit.data.arrays import IntArray
from corefkit.data.columns import Column
from corefkit.data.source import Source, TokenReader


class ConllTokens(TokenReader):
    """The token columns and sentences of CoNLL files."""

    name = "conll"

    def columns(self, source: Source, names: tuple[str | int, ...]) -> list[Column]:
        """These columns, by name or number; DataError where a line lacks one."""
        from corefkit.formats.conll.columns import read_source

        return read_source(source, names)

    def sentences(self, source: Source) -> IntArray:
        """The sentence of each token; blank lines and ends of documents end sentences."""
        import numpy as np

        from corefkit.formats.conll.columns import lines_of

        return np.cumsum(lines_of(source).tokens()[1]) - 1

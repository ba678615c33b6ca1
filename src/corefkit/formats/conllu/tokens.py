"""What can be asked of the tokens of a CorefUD file, after it was read: words, tags, sentences."""

from dataclasses import dataclass

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.columns import Column
from corefkit.data.incidents import DataError, Incident
from corefkit.data.source import Source, TokenReader
from corefkit.formats.conll.interning import intern
from corefkit.formats.conllu.headers import Headers
from corefkit.formats.conllu.lines import FORM, LEMMA, UPOS, Lines
from corefkit.formats.conllu.nodes import Nodes

_COLUMNS = {"word": FORM, "pos": UPOS, "lemma": LEMMA}


@dataclass(frozen=True, eq=False)
class Layout:
    """What a file is made of: its lines, documents and nodes."""

    lines: Lines
    headers: Headers
    nodes: Nodes


class ConlluTokens(TokenReader):
    """Words, UPOS tags, lemmas and sentences of CorefUD files."""

    name = "conllu"

    def columns(self, source: Source, names: tuple[str | int, ...]) -> list[Column]:
        """These columns of all words; empty nodes and multiword tokens are none."""
        layout = layout_of(source)
        rows = layout.nodes.row[layout.nodes.word_node]
        found = []
        for name in names:
            if name not in _COLUMNS:
                raise DataError([_missing(source, name)])
            start, end = layout.lines.bounds(_COLUMNS[str(name)], rows)
            code, values = intern(layout.lines.buffer, start, end - start)
            found.append(Column(code, tuple(v.decode("utf-8", "replace") for v in values)))
        return found

    def sentences(self, source: Source) -> IntArray:
        """The sentence of each word."""
        nodes = layout_of(source).nodes
        words = np.diff(nodes.first_word)
        return np.repeat(np.cumsum(words > 0) - 1, words)


def layout_of(source: Source) -> Layout:
    """The layout of a file that was read."""
    if "layout" not in source.cache:
        from corefkit.formats.conllu.reader import find_layout

        source.cache["layout"] = find_layout(source.data, source.path)[0]
    layout: Layout = source.cache["layout"]
    return layout


def _missing(source: Source, name: str | int) -> Incident:
    return Incident(
        "column-missing",
        "error",
        f"CorefUD files have no column {name!r}",
        file=source.path,
        expected=f"one of {', '.join(_COLUMNS)}",
        hint="use a file in the CoNLL-2012 format for what needs this column",
    )

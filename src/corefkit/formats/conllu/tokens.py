"""What can be asked of the tokens of a CorefUD file, after it was read: words, tags, sentences."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.source import Column, Sentences, Source, TextPieces
from corefkit.formats.columns.interning import intern_column
from corefkit.formats.conllu.lines import FORM, LEMMA, UPOS, ConlluLines, Headers
from corefkit.formats.conllu.nodes import Nodes

_SENT_ID = b"# sent_id ="


@dataclass(frozen=True, eq=False)
class ConlluLayout:
    """What a file is made of: its lines, documents and nodes."""

    lines: ConlluLines
    headers: Headers
    nodes: Nodes


@dataclass(frozen=True, eq=False, repr=False)
class ConlluSource(Source):
    """A CorefUD file: its words, UPOS tags, lemmas, sentences and trees."""

    format: str = "conllu"

    title: ClassVar = "CorefUD"
    numbers: ClassVar = {"word": FORM, "pos": UPOS, "lemma": LEMMA}

    def find_column(self, number: int, errors: str) -> Column:
        """A column of all words; empty nodes and multiword tokens are not words."""
        lines, nodes = layout_of(self).lines, layout_of(self).nodes
        start, end = lines.bounds(number, nodes.row[nodes.word_node])
        return intern_column(lines.buffer, start, end, errors)

    def sentences(self) -> IntArray:
        """The sentence of each word."""
        nodes = layout_of(self).nodes
        words = np.diff(nodes.first_word)
        return np.repeat(np.cumsum(words > 0) - 1, words)

    def heads(self, begin: IntArray, end: IntArray) -> IntArray:
        """The head of each span of words, by HEAD and DEPS; its first word where they leave it."""
        from corefkit.formats.conllu.trees import Trees

        layout = layout_of(self)
        trees, word = Trees(layout.lines, layout.nodes), layout.nodes.word_node
        rank = np.cumsum(layout.nodes.zero == 0) - 1
        found = [
            trees.head_of(word[one : other + 1].tolist(), int(word[one]))
            for one, other in zip(begin.tolist(), end.tolist(), strict=True)
        ]
        return rank[np.array(found, dtype=np.int64)]

    def token_lines(self) -> IntArray:
        """The line of each word."""
        layout = layout_of(self)
        return layout.lines.rows[layout.nodes.row[layout.nodes.word_node]] + 1

    def sentence_list(self) -> Sentences:
        """The sentences, named by their sent_id."""
        return self.once("sentences", lambda: _sentences(layout_of(self), self.token_lines()))


def _sentences(layout: ConlluLayout, token_line: IntArray) -> Sentences:
    lines, nodes = layout.lines, layout.nodes
    block = np.flatnonzero(np.diff(nodes.first_word) > 0)
    first_line = np.searchsorted(lines.block, np.arange(len(nodes.first_word)))
    # Blank lines count to the block before, so the first of a block is filled, but for the top.
    if len(first_line) > 1:
        first_line[0] = np.flatnonzero(lines.block == 0)[0]
    line, start, end = (np.array(first_line[:-1]) for _ in range(3))
    start, end = lines.start[start], lines.start[end]
    named = lines.comments[lines.end[lines.comments] - lines.start[lines.comments] > len(_SENT_ID)]
    for place, byte in enumerate(_SENT_ID):
        named = named[lines.buffer[lines.start[named] + place] == byte]
    named = named[::-1]  # of several in one block the first counts
    own = lines.block[named]
    line[own], start[own], end[own] = named, lines.start[named] + len(_SENT_ID), lines.end[named]
    rows = nodes.row[nodes.word_node]
    words = TextPieces(lines.buffer, *lines.bounds(FORM, rows))
    names = TextPieces(lines.buffer, start[block], end[block])
    first = np.append(nodes.first_word[block], nodes.words)
    document = nodes.block_document[block]
    return Sentences(document, first, line[block] + 1, names, words, token_line)


def layout_of(source: Source) -> ConlluLayout:
    """The layout of a file that was read."""
    from corefkit.formats.conllu.reader import find_layout

    return source.once("layout", lambda: find_layout(source.data, source.path)[0])

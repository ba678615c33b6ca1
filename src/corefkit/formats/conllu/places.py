"""From the mentions of a corpus back to the nodes of the file they were read from."""

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.corpus import Corpus
from corefkit.data.matching.nodes import nodes_of
from corefkit.data.source import Source
from corefkit.formats.conllu.nodes import Nodes


class Places:
    """The mentions of one file as lists of node numbers.

    Attributes:
        rows: int64, the rows of the corpus that are in the file.
    """

    def __init__(self, corpus: Corpus, source: Source, nodes: Nodes) -> None:
        self._corpus, self._nodes = corpus, nodes
        self._first = source.first_document
        own = corpus.document - self._first
        self.rows: IntArray = np.flatnonzero((own >= 0) & (own < source.documents))
        self._empty = {
            (int(nodes.document[n]), *nodes.place(n)): n for n in nodes.empty_ids.values()
        }

    def node(self, document: int, token: int, zero: int) -> int:
        """The number of a node; KeyError for an empty node that is not there."""
        if zero:
            return self._empty[document, token, zero]
        return int(self._nodes.word_node[int(self._nodes.document_word[document]) + token])

    def nodes_of(self, row: int) -> list[int]:
        """The nodes of a mention, in order."""
        document = int(self._corpus.document[row]) - self._first
        return [self.node(document, *node) for node in nodes_of(self._corpus, row)]

    def head_of(self, row: int, mention: list[int]) -> int:
        """The head of a mention; its first node where it is not known or not in it."""
        corpus = self._corpus
        if corpus.head is None or corpus.head_zero is None or corpus.head[row] == -2:
            return mention[0]
        document = int(corpus.document[row]) - self._first
        head = self.node(document, int(corpus.head[row]), int(corpus.head_zero[row]))
        return head if head in mention else mention[0]

"""From the mentions of a corpus back to the nodes of the file they were read from.

What only CorefUD files have, counted: empty nodes, zeros, parts, relations.
"""

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.corpus import Corpus
from corefkit.core.links import KINDS
from corefkit.core.nodes import nodes_of
from corefkit.core.ragged import runs_of
from corefkit.core.source import Source
from corefkit.formats.conllu.nodes import Nodes
from corefkit.formats.conllu.tokens import ConlluSource, layout_of


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
        if corpus.head is None or corpus._head_zero is None or corpus.head[row] == -2:
            return mention[0]
        document = int(corpus.document[row]) - self._first
        head = self.node(document, int(corpus.head[row]), int(corpus._head_zero[row]))
        return head if head in mention else mention[0]


FIGURES = (
    *("words", "empty_nodes", "multiword_tokens", "zeros", "mentions_with_empty_nodes"),
    *("discontinuous", "bridges", "entities_with_split_antecedent"),
)


def file_figures(corpus: Corpus) -> dict[str, int] | None:
    """FIGURES of a corpus whose files are all CorefUD; None where they are not."""
    if not corpus.sources or not all(isinstance(s, ConlluSource) for s in corpus.sources):
        return None
    layouts = [layout_of(source) for source in corpus.sources]
    links = corpus.links
    mixed = [row for row, nodes in corpus.parts or () if any(zero for _, zero in nodes)]
    found = (
        sum(layout.nodes.words for layout in layouts),
        sum(len(layout.nodes.empty_ids) for layout in layouts),
        sum(len(layout.nodes.ranges) for layout in layouts),
        0 if corpus._head_zero is None else int((corpus._head_zero > 0).sum()),
        len(mixed) + (0 if corpus.zero is None else int((corpus.zero > 0).sum())),
        _discontinuous(corpus),
        0 if links is None else int((links.kind == KINDS.index("bridging-entity")).sum()),
        0 if links is None else len(np.unique(links.source[links.kind == KINDS.index("split")])),
    )
    return dict(zip(FIGURES, found, strict=True))


def _discontinuous(corpus: Corpus) -> int:
    """Mentions that leave out a node between their first and last one: a word or an empty node."""
    listed = set() if corpus.parts is None else set(corpus.parts.row.tolist())
    number = 0
    for source in corpus.sources:
        nodes = layout_of(source).nodes
        places = Places(corpus, source, nodes)
        own = listed.intersection(places.rows.tolist())
        number += sum(len(runs_of(places.nodes_of(row))) > 1 for row in own)
        words = places.rows[(corpus.start < corpus.end)[places.rows]]
        words = words[~np.isin(words, np.array(sorted(own), dtype=np.int64))]
        offset = nodes.document_word[corpus.document[words] - source.first_document]
        first, last = (nodes.word_node[c[words] + offset] for c in (corpus.start, corpus.end))
        number += int((last - first != (corpus.end - corpus.start)[words]).sum())
    return number

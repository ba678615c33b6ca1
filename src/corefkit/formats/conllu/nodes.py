"""The mentions of a corpus as nodes of their CorefUD file."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from corefkit.core.corpus import Corpus
from corefkit.core.nodes import Node, head_columns, node_runs, nodes_of
from corefkit.core.source import Source
from corefkit.formats.conllu.rows import ConlluFile

NodeRuns = list[tuple[int, int]]
"""Runs of nodes, given by node numbers, both ends included."""


class MentionNodes:
    """The mentions of one file as node numbers.

    Attributes:
        rows: the rows of the corpus that are in the file.
    """

    def __init__(self, corpus: Corpus, source: Source, file: ConlluFile) -> None:
        self._corpus, self._file = corpus, file
        self._first = source.first_document
        self._heads = head_columns(corpus)
        documents = (corpus.document - self._first).tolist()
        self.rows = [row for row, at in enumerate(documents) if 0 <= at < source.documents]
        self._empties = file.empties

    def _node(self, row: int, node: Node) -> int:
        return self._file.numbers[int(self._corpus.document[row]) - self._first, *node]

    def nodes_of(self, row: int) -> list[int]:
        """The nodes of a mention, in order."""
        return [self._node(row, node) for node in nodes_of(self._corpus, row)]

    def runs_of(self, row: int) -> NodeRuns:
        """The runs of nodes of a mention, in order, without listing its nodes."""
        return cut_runs(self._ends_of(row), self._empties)

    @property
    def pieces(self) -> int:
        """How many empty nodes are between the ends of all runs of words, which they may cut."""
        before = self._file.empties_before
        ends = (pair for row in self.rows for pair in self._ends_of(row))
        return sum(int(before[last] - before[first]) for first, last in ends)

    def _ends_of(self, row: int) -> list[tuple[int, int]]:
        ends = node_runs(self._corpus, row)
        return [(self._node(row, first), self._node(row, last)) for first, last in ends]

    def head_of(self, row: int, runs: NodeRuns) -> int:
        """The head of a mention; its first node if the head is unknown or outside of it."""
        document = int(self._corpus.document[row]) - self._first
        head = int(self._heads[0][row]), int(self._heads[1][row])
        node = self._file.numbers.get((document, *head), -1)
        return node if any(first <= node <= last for first, last in runs) else runs[0][0]


def cut_runs(runs: Iterable[tuple[int, int]], empties: Sequence[int]) -> NodeRuns:
    """Runs of words as runs of nodes: cut at empty nodes inside, and joined if adjacent.

    `empties` are the numbers of all empty nodes, in ascending order.

    >>> cut_runs([(1, 5), (7, 7), (8, 9)], [3, 7])
    [(1, 2), (4, 5), (7, 9)]
    """
    cut: NodeRuns = []
    for begin, end in runs:
        between = empties[bisect_right(empties, begin) : bisect_left(empties, end)]
        firsts, lasts = [begin, *(e + 1 for e in between)], [*(e - 1 for e in between), end]
        for first, last in zip(firsts, lasts, strict=True):
            if cut and cut[-1][1] + 1 == first:
                cut[-1] = (cut[-1][0], last)
            elif first <= last:
                cut.append((first, last))
    return cut

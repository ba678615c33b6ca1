"""The nodes of sentences: their ids are read and checked, and they are numbered as in a Corpus.

`MentionNodes` maps the mentions of a corpus back to the nodes of their file.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.carriers import frozen
from corefkit.core.corpus import BEFORE_SENTENCE, Corpus
from corefkit.core.links import ROOT
from corefkit.core.nodes import Node, node_runs, nodes_of
from corefkit.core.source import Source
from corefkit.formats.conllu.lines import ID, ConlluLines

_DIGITS = 9
"""Longer numbers are no ids."""
_WORD = re.compile(rb"[1-9]\d{0,8}")
_EMPTY = re.compile(rb"(0|[1-9]\d{0,8})\.([1-9]\d{0,5})")
_RANGE = re.compile(rb"([1-9]\d{0,8})-([1-9]\d{0,8})")


NodeRuns = list[tuple[int, int]]
"""Runs of nodes, given by node numbers, both ends included."""


@frozen(eq=False)
class Nodes:
    """The nodes of a file in order; multiword tokens are not among them.

    Attributes:
        row: int64 (nodes,), an index into `ConlluLines.rows`.
        token, zero: int64 (nodes,), the node as in a Corpus: the token in its document and 0, or
            the token before an empty node and the number of the empty node there.
        document, block: int64 (nodes,), the document and the sentence of each node.
        of_row: int64 (rows,), the node of each row; −1 for multiword tokens and malformed ids.
        ranges: int64, the rows of multiword tokens.
        first_word: int64 (blocks + 1,), how many words of the file precede each block.
        block_document: int64 (blocks,), the document of each block.
        document_word: int64 (documents + 1,), how many words precede each document.
        wrong: the rows with wrong ids, and the id expected there.
        empty_ids: (block, word, minor) of each empty node → its node.
    """

    row: IntArray
    token: IntArray
    zero: IntArray
    document: IntArray
    block: IntArray
    of_row: IntArray
    ranges: IntArray
    first_word: IntArray
    block_document: IntArray
    document_word: IntArray
    wrong: list[tuple[int, str]]
    empty_ids: dict[tuple[int, int, int], int]

    @property
    def words(self) -> int:
        """How many words the file has."""
        return int(self.first_word[-1])

    @cached_property
    def empties_before(self) -> IntArray:
        """int64 (nodes + 1,): how many empty nodes precede each node."""
        return np.concatenate(([0], np.cumsum(self.zero > 0)))

    @cached_property
    def word_node(self) -> IntArray:
        """int64 (words,): the node of each word of the file."""
        return np.flatnonzero(self.zero == 0)

    @cached_property
    def sentence(self) -> IntArray:
        """int64 (blocks,): the number of each sentence in its document, from 0.

        Blocks without words are not sentences and have the number of the next one.
        """
        has_words = np.diff(self.first_word) > 0
        before: IntArray = np.cumsum(has_words) - has_words
        first = np.zeros(len(self.document_word), dtype=np.int64)
        sentences = np.flatnonzero(has_words)[::-1]
        first[self.block_document[sentences]] = before[sentences]
        return before - first[self.block_document]

    def find(self, block: int, text: str) -> int | None:
        """The number of the node with this id in a sentence; −1 for the root, None if missing."""
        whole, _, minor = text.partition(".")
        if not (whole.isascii() and whole.isdigit() and len(whole) <= _DIGITS):
            return None
        number = int(whole)
        if minor:
            if not (minor.isascii() and minor.isdigit() and len(minor) <= _DIGITS):
                return None
            return self.empty_ids.get((block, number, int(minor)))
        if not number:
            return -1 if whole == text else None
        word = int(self.first_word[block]) + number - 1
        if whole != text or word >= self.first_word[block + 1]:
            return None
        return int(self.word_node[word])

    def place(self, node: int) -> Node:
        """A node as (token, zero) of a Corpus; ROOT for −1."""
        return (int(self.token[node]), int(self.zero[node])) if node >= 0 else ROOT


class MentionNodes:
    """The mentions of one file as node numbers.

    Attributes:
        rows: int64, the rows of the corpus that are in the file.
    """

    def __init__(self, corpus: Corpus, source: Source, nodes: Nodes) -> None:
        self._corpus, self._nodes = corpus, nodes
        self._first = source.first_document
        document = corpus.document - self._first
        self.rows: IntArray = np.flatnonzero((document >= 0) & (document < source.documents))
        self._empty = {
            (int(nodes.document[n]), *nodes.place(n)): n for n in nodes.empty_ids.values()
        }
        self._empties: list[int] = np.flatnonzero(nodes.zero).tolist()

    def node(self, document: int, token: int, zero: int) -> int:
        """The number of a node; KeyError if the file lacks this empty node."""
        if zero:
            return self._empty[document, token, zero]
        return int(self._nodes.word_node[int(self._nodes.document_word[document]) + token])

    def nodes_of(self, row: int) -> list[int]:
        """The nodes of a mention, in order."""
        document = int(self._corpus.document[row]) - self._first
        return [self.node(document, *node) for node in nodes_of(self._corpus, row)]

    def runs_of(self, row: int) -> NodeRuns:
        """The runs of nodes of a mention, in order, without listing its nodes."""
        document = int(self._corpus.document[row]) - self._first
        ends = node_runs(self._corpus, row)
        runs = [(self.node(document, *first), self.node(document, *last)) for first, last in ends]
        return cut_runs(runs, self._empties)

    def head_of(self, row: int, runs: NodeRuns) -> int:
        """The head of a mention; its first node if the head is unknown or outside of it."""
        corpus = self._corpus
        if corpus.head is None or corpus.head_zero is None or corpus.head[row] == -2:
            return runs[0][0]
        document = int(corpus.document[row]) - self._first
        head = self.node(document, int(corpus.head[row]), int(corpus.head_zero[row]))
        return head if any(first <= head <= last for first, last in runs) else runs[0][0]


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


def find_nodes(lines: ConlluLines, block_document: IntArray, documents: int) -> Nodes:
    """The nodes of all rows; `block_document` is the document of each block."""
    block = lines.block[lines.rows].tolist()
    ids = lines.cells(ID, np.arange(len(block)))
    reader = _IdReader()
    for row, (sentence, id) in enumerate(zip(block, ids, strict=True)):
        reader.read(row, sentence, id)
    reader.end_sentence()
    node_row = np.array(reader.rows, np.int64)
    zero = np.array(reader.zeros, np.int64)
    node_block = lines.block[lines.rows[node_row]]
    words = node_block[zero == 0]
    document = block_document[node_block]
    document_word = _before(block_document[words], documents)
    of_row = np.full(len(lines.rows), -1, dtype=np.int64)
    of_row[node_row] = np.arange(len(node_row))
    return Nodes(
        row=node_row,
        token=np.cumsum(zero == 0) - 1 - document_word[document],
        zero=zero,
        document=document,
        block=node_block,
        of_row=of_row,
        ranges=np.array(reader.ranges, np.int64),
        first_word=_before(words, len(block_document)),
        block_document=block_document,
        document_word=document_word,
        wrong=sorted(reader.wrong),
        empty_ids=reader.empty_ids,
    )


def _before(group: IntArray, groups: int) -> IntArray:
    """int64 (groups + 1,): how many items precede each group; `group` is that of each item."""
    before = np.zeros(groups + 1, dtype=np.int64)
    np.cumsum(np.bincount(group, minlength=groups), out=before[1:])
    return before


class _IdReader:
    """Reads the ids of rows in order, and checks them.

    Words are numbered from 1 in each sentence; 2.1 and 2.2 are empty nodes after word 2; 3-4 is a
    multiword token, which precedes word 3.

    Attributes:
        rows, zeros: the row of each node, and 0 or the number of an empty node there.
        ranges: the rows of multiword tokens.
        wrong: the rows with wrong ids, and the id expected there.
        empty_ids: (block, word, minor) of each empty node → its node.
    """

    def __init__(self) -> None:
        self.rows: list[int] = []
        self.zeros: list[int] = []
        self.ranges: list[int] = []
        self.wrong: list[tuple[int, str]] = []
        self.empty_ids: dict[tuple[int, int, int], int] = {}
        self._block = -1
        self._start_sentence()

    def _start_sentence(self) -> None:
        self._words, self._word = 0, 0
        self._empty, self._range = (0, 0), (-1, 0)
        self._open_ranges = list[tuple[int, int, int]]()

    def end_sentence(self) -> None:
        """Check the ends of multiword tokens, which must be words of the sentence."""
        for row, last, before in self._open_ranges:
            if last > self._words:
                self._note_range(row, before)
        self._start_sentence()

    def _note_range(self, row: int, before: int) -> None:
        self.wrong.append((row, f"{before + 1}-… before word {before + 1}"))

    def read(self, row: int, block: int, id: bytes) -> None:
        """Read the next id."""
        if block != self._block:
            self.end_sentence()
            self._block = block
        if _WORD.fullmatch(id):
            number = int(id)
            if number != self._word + 1:
                self.wrong.append((row, str(self._word + 1)))
            self._word, self._words = number, self._words + 1
            self.rows.append(row)
            self.zeros.append(0)
        elif match := _EMPTY.fullmatch(id):
            self._read_empty(row, int(match[1]), int(match[2]))
        elif match := _RANGE.fullmatch(id):
            self._read_range(row, int(match[1]), int(match[2]))
        else:
            self.wrong.append((row, "a number such as 3, 3.1 or 3-4"))

    def _read_empty(self, row: int, word: int, minor: int) -> None:
        """Read an empty node, which must precede a multiword token that begins there."""
        last_word, last_minor = self._empty
        expected = last_minor + 1 if last_minor and last_word == self._word else 1
        after_range = self._range[0] == self._word
        if (word, minor) != (self._word, expected) or after_range:
            self.wrong.append((row, f"{self._word}.{expected}"))
        self._empty = word, minor
        self.empty_ids[self._block, word, minor] = len(self.rows)
        self.rows.append(row)
        self.zeros.append(minor if word else minor + BEFORE_SENTENCE)

    def _read_range(self, row: int, first: int, last: int) -> None:
        before, (_, reached) = self._word, self._range
        if first == before + 1 and reached < first < last:
            self._open_ranges.append((row, last, before))
        else:
            self._note_range(row, before)
        self._range = before, last
        self.ranges.append(row)

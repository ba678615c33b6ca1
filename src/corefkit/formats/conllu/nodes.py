"""The nodes of sentences: their ids are read and checked, and they are numbered as in a Corpus.

`MentionNodes` maps the mentions of a corpus back to the nodes of their file.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.core.corpus import BEFORE_SENTENCE, Corpus
from corefkit.core.links import ROOT
from corefkit.core.nodes import Node, node_runs, nodes_of
from corefkit.core.source import Source
from corefkit.formats.columns.buffer import DIGITS, read_numbers
from corefkit.formats.conllu.lines import ConlluLines

_ZERO, _DOT, _HYPHEN, _TAB = b"0.-\t"
_MINOR_DIGITS = 6


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
        empties: int64 (empty nodes, 4), block, word, minor and node of each empty node.
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
    empties: IntArray

    @property
    def words(self) -> int:
        """How many words the file has."""
        return int(self.first_word[-1])

    @cached_property
    def empties_before(self) -> IntArray:
        """int64 (nodes + 1,): how many empty nodes precede each node."""
        return np.concatenate(([0], np.cumsum(self.zero > 0)))

    @cached_property
    def empty_ids(self) -> dict[tuple[int, int, int], int]:
        """(block, word, minor) of each empty node → its node."""
        return {(block, word, minor): node for block, word, minor, node in self.empties.tolist()}

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
        if not (whole.isascii() and whole.isdigit() and len(whole) <= DIGITS):
            return None
        number = int(whole)
        if minor:
            if not (minor.isascii() and minor.isdigit() and len(minor) <= DIGITS):
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
        if corpus.head is None or corpus._head_zero is None or corpus.head[row] == -2:
            return runs[0][0]
        document = int(corpus.document[row]) - self._first
        head = self.node(document, int(corpus.head[row]), int(corpus._head_zero[row]))
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
    rows = np.arange(len(lines.rows))
    block = lines.block[lines.rows]
    start = lines.start[lines.rows]
    number, stop = read_numbers(lines.buffer, start)
    plain = (lines.buffer[stop] == _TAB) & (lines.buffer[start] != _ZERO) & (stop > start)
    word = np.flatnonzero(plain)
    numbers = number[word]
    first_word = _before(block[word], len(block_document))
    special = _read_special(lines, rows[~plain], number[~plain], stop[~plain])
    wrong = [
        *_wrong_words(word, numbers, block[word]),
        *_wrong_special(special, block, (word, numbers), first_word),
    ]
    empty = special.row[special.empty]
    major, minor = special.major[special.empty], special.minor[special.empty]
    zero = np.zeros(len(rows), dtype=np.int64)
    zero[empty] = np.where(major > 0, minor, minor + BEFORE_SENTENCE)
    plain[empty] = True
    node_row = np.flatnonzero(plain)
    zero = zero[node_row]
    node_block = block[node_row]
    document = block_document[node_block]
    document_word = _before(block_document[block[word]], documents)
    token = np.cumsum(zero == 0) - 1 - document_word[document]
    of_row = np.full(len(rows), -1, dtype=np.int64)
    of_row[node_row] = np.arange(len(node_row))
    return Nodes(
        row=node_row,
        token=token,
        zero=zero,
        document=document,
        block=node_block,
        of_row=of_row,
        ranges=special.row[special.range],
        first_word=first_word,
        block_document=block_document,
        document_word=document_word,
        wrong=sorted(wrong),
        empties=np.stack((block[empty], major, minor, of_row[empty]), axis=1),
    )


def _before(group: IntArray, groups: int) -> IntArray:
    """int64 (groups + 1,): how many items precede each group; `group` is that of each item."""
    before = np.zeros(groups + 1, dtype=np.int64)
    np.cumsum(np.bincount(group, minlength=groups), out=before[1:])
    return before


def _wrong_words(word: IntArray, number: IntArray, block: IntArray) -> list[tuple[int, str]]:
    """The rows of words with wrong ids, and the ids expected there."""
    expected = np.ones(len(word), dtype=np.int64)
    same = block[1:] == block[:-1]
    expected[1:][same] = number[:-1][same] + 1
    return [(int(word[i]), str(int(expected[i]))) for i in np.flatnonzero(number != expected)]


class _SpecialRows(NamedTuple):
    """Ids that are not one number: `major.minor` of empty nodes, `major-minor` of ranges.

    Attributes:
        row: int64 (ids,), the row of each.
        major, minor: int64 (ids,), the two numbers.
        empty, range: bool (ids,), what each is; a malformed id is neither.
    """

    row: IntArray
    major: IntArray
    minor: IntArray
    empty: BoolArray
    range: BoolArray


def _read_special(
    lines: ConlluLines, row: IntArray, major: IntArray, stop: IntArray
) -> _SpecialRows:
    """The ids of rows in which `major`, or no number, was read up to `stop`."""
    buffer, start = lines.buffer, lines.start[lines.rows[row]]
    sign = buffer[stop]
    minor, end = read_numbers(buffer, stop + 1)
    leading = buffer[start] == _ZERO
    fine = (stop > start) & (buffer[end] == _TAB) & (end > stop + 1) & (buffer[stop + 1] != _ZERO)
    empty = fine & (sign == _DOT) & (~leading | (stop == start + 1))
    empty &= end - stop - 1 <= _MINOR_DIGITS
    return _SpecialRows(row, major, minor, empty, fine & (sign == _HYPHEN) & ~leading)


def _wrong_special(
    special: _SpecialRows, block: IntArray, words: tuple[IntArray, IntArray], first_word: IntArray
) -> list[tuple[int, str]]:
    """The rows with wrong special ids, and the ids expected there.

    `words` are the rows of words and their numbers.
    """
    if not len(special.row):
        return []
    word, number = words
    sentence = block[special.row]
    before = np.searchsorted(word, special.row) - 1
    previous = np.zeros(len(sentence), dtype=np.int64)
    after_word = np.flatnonzero(before >= 0)
    after_word = after_word[block[word[before[after_word]]] == sentence[after_word]]
    previous[after_word] = number[before[after_word]]

    empty, ranged = np.flatnonzero(special.empty), np.flatnonzero(special.range)
    major, minor = special.major, special.minor
    next_minor = np.ones(len(sentence), dtype=np.int64)
    follows = sentence[empty[:-1]] == sentence[empty[1:]]
    follows &= major[empty[:-1]] == previous[empty[1:]]
    next_minor[empty[1:][follows]] += minor[empty[:-1]][follows]
    bad = special.empty & ((major != previous) | (minor != next_minor))
    # An empty node must precede the multiword token that begins at the same place.
    last_range = np.searchsorted(ranged, empty) - 1
    inside = np.flatnonzero(last_range >= 0)
    last, inside = ranged[last_range[inside]], empty[inside]
    same = (sentence[last] == sentence[inside]) & (previous[last] == previous[inside])
    bad[inside[same]] = True

    free = previous[ranged]
    again = np.flatnonzero(sentence[ranged[1:]] == sentence[ranged[:-1]])
    free[1:][again] = np.maximum(free[1:][again], minor[ranged[:-1]][again])
    first, end = major[ranged], minor[ranged]
    most = (first_word[sentence + 1] - first_word[sentence])[ranged]
    fine = (first == previous[ranged] + 1) & (first < end) & (end <= most) & (first > free)
    bad[ranged[~fine]] = True

    bad |= ~(special.empty | special.range)
    return [
        (int(special.row[i]), _expected(special, i, int(previous[i]), int(next_minor[i])))
        for i in np.flatnonzero(bad).tolist()
    ]


def _expected(special: _SpecialRows, i: int, previous: int, next_minor: int) -> str:
    if special.empty[i]:
        return f"{previous}.{next_minor}"
    if special.range[i]:
        return f"{previous + 1}-… before word {previous + 1}"
    return "a number such as 3, 3.1 or 3-4"

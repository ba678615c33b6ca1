"""Sentences and their nodes: ids read and checked, words and empty nodes numbered as in Corpus."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from corefkit.data.arrays import BoolArray, IntArray
from corefkit.data.corpus import BEFORE_SENTENCE
from corefkit.data.dependencies import ROOT
from corefkit.formats.conllu.lines import ID, Lines

_SPECIAL = re.compile(rb"(0|[1-9]\d{0,8})\.([1-9]\d{0,5})|([1-9]\d{0,8})-([1-9]\d{0,8})")
_ZERO, _NINE = b"09"
_DIGITS = 9
Node = tuple[int, int]


class Wrong(NamedTuple):
    """An id that is wrong: the row, and what was expected."""

    row: int
    expected: str


@dataclass(frozen=True, eq=False)
class Nodes:
    """The nodes of a file in order; multiword tokens are none.

    Attributes:
        row: int64 (nodes,), an index into `Lines.rows`.
        token, zero: int64 (nodes,), the node as Corpus has it: the token in its document and 0,
            or the token before an empty node and its number there.
        document: int64 (nodes,), and `block`, int64 (nodes,): the sentence.
        of_row: int64 (rows,), the node of each row; −1 for multiword tokens and malformed ids.
        ranges: the rows of multiword tokens.
        first_word: int64 (blocks + 1,), how many words of the file stand before each block.
        block_document: int64 (blocks,), the document of each block.
        document_word: int64 (documents + 1,), how many words stand before each document.
        wrong: the ids that are wrong.
        empty_ids: for each empty node (block, word, minor) its node.
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
    wrong: list[Wrong]
    empty_ids: dict[tuple[int, int, int], int]

    @property
    def words(self) -> int:
        """How many words the file has."""
        return int(self.first_word[-1])

    @cached_property
    def empties_before(self) -> IntArray:
        """int64 (nodes + 1,): how many empty nodes stand before each node."""
        return np.concatenate(([0], np.cumsum(self.zero > 0)))

    @cached_property
    def word_node(self) -> IntArray:
        """int64 (words,): the node of each word of the file."""
        return np.flatnonzero(self.zero == 0)

    @cached_property
    def sentence(self) -> IntArray:
        """int64 (blocks,): the number of each sentence in its document, from 0.

        Blocks without words are no sentences and have the number of the next one.
        """
        some = np.diff(self.first_word) > 0
        before: IntArray = np.cumsum(some) - some
        first = np.zeros(len(self.document_word), dtype=np.int64)
        known = np.flatnonzero(some)[::-1]
        first[self.block_document[known]] = before[known]
        return before - first[self.block_document]

    def find(self, block: int, text: str) -> int | None:
        """The node with this id in a sentence: its number, −1 for the root; None: not there."""
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
        """A node as Corpus has it; ROOT for −1."""
        return (int(self.token[node]), int(self.zero[node])) if node >= 0 else ROOT


def find_nodes(lines: Lines, block_document: IntArray, documents: int) -> Nodes:
    """Read the ids of all rows; `block_document` is the document of each block."""
    rows = np.arange(len(lines.rows))
    block = lines.block[lines.rows]
    start, end = lines.bounds(ID, rows)
    number, plain = _numbers(lines, start, end - start)
    word = np.flatnonzero(plain)
    wrong = _wrong_words(word, number[word], block[word])
    blocks = len(block_document)
    first_word = np.concatenate(([0], np.cumsum(np.bincount(block[word], minlength=blocks))))
    empties, ranges, more = _special(lines, rows[~plain], (word, number[word]), first_word)
    wrong += more
    empty, major_of, minor_of = np.array(empties, dtype=np.int64).reshape(-1, 3).T
    minor = np.zeros(len(rows), dtype=np.int64)
    minor[empty] = np.where(major_of > 0, minor_of, minor_of + BEFORE_SENTENCE)
    is_node = plain.copy()
    is_node[empty] = True
    node_row = np.flatnonzero(is_node)
    zero = minor[node_row]
    document = block_document[block[node_row]]
    document_word = np.zeros(documents + 1, dtype=np.int64)
    of_word = block_document[block[word]]
    document_word[1:] = np.cumsum(np.bincount(of_word, minlength=documents))
    token = np.cumsum(zero == 0) - 1 - document_word[document]
    of_row = np.full(len(rows), -1, dtype=np.int64)
    of_row[node_row] = np.arange(len(node_row))
    columns = (block[empty], major_of, minor_of)
    keys = zip(*(column.tolist() for column in columns), strict=True)
    ids = dict(zip(keys, of_row[empty].tolist(), strict=True))
    return Nodes(
        *(node_row, token, zero, document, block[node_row], of_row),
        *(np.array(ranges, dtype=np.int64), first_word, block_document, document_word),
        *(sorted(wrong), ids),
    )


def _numbers(lines: Lines, start: IntArray, length: IntArray) -> tuple[IntArray, BoolArray]:
    """The ids that are whole numbers, and which are."""
    number = np.zeros(len(start), dtype=np.int64)
    plain = (length > 0) & (length <= _DIGITS)
    plain[plain] = lines.buffer[start[plain]] != _ZERO
    for place in range(int(length[plain].max(initial=0))):
        has = np.flatnonzero(plain & (length > place))
        digit = lines.buffer[start[has] + place].astype(np.int64)
        fine = (digit >= _ZERO) & (digit <= _NINE)
        plain[has[~fine]] = False
        number[has] = number[has] * 10 + digit - _ZERO
    return number, plain


def _wrong_words(word: IntArray, number: IntArray, block: IntArray) -> list[Wrong]:
    expected = np.ones(len(word), dtype=np.int64)
    same = block[1:] == block[:-1]
    expected[1:][same] = number[:-1][same] + 1
    return [Wrong(int(word[i]), str(int(expected[i]))) for i in np.flatnonzero(number != expected)]


def _special(
    lines: Lines,
    rows: IntArray,
    words: tuple[IntArray, IntArray],
    first_word: IntArray,
) -> tuple[list[tuple[int, int, int]], list[int], list[Wrong]]:
    """The other ids: empty nodes as (row, word, minor), multiword tokens, and what is wrong.

    `words` are the rows of words and their numbers.
    """
    empties: list[tuple[int, int, int]] = []
    ranges: list[int] = []
    wrong: list[Wrong] = []
    word, number = words
    block = lines.block[lines.rows]
    before = np.searchsorted(word, rows) - 1
    there = before >= 0
    there[there] = block[word[before[there]]] == block[rows[there]]
    previous_word = np.zeros(len(rows), dtype=np.int64)
    previous_word[there] = number[before[there]]
    start, end = lines.bounds(ID, rows)
    last_range, last_empty, covered = (-1, -1), (-1, -1, 0), (-1, 0)
    columns = (rows, block[rows], previous_word, start, end)
    for row, own, previous, at, stop in zip(*(c.tolist() for c in columns), strict=True):
        found = _SPECIAL.fullmatch(lines.data, at, stop)
        if not found:
            wrong.append(Wrong(row, "a number such as 3, 3.1 or 3-4"))
        elif found[1]:
            major, minor = int(found[1]), int(found[2])
            next_minor = last_empty[2] + 1 if last_empty[:2] == (own, previous) else 1
            if (major, minor) != (previous, next_minor) or last_range == (own, previous):
                wrong.append(Wrong(row, f"{previous}.{next_minor}"))
            last_empty = (own, major, minor)
            empties.append((row, major, minor))
        else:
            first, last = int(found[3]), int(found[4])
            most = int(first_word[own + 1] - first_word[own])
            free = max(previous, covered[1]) if covered[0] == own else previous
            if first != previous + 1 or not first < last <= most or first <= free:
                wrong.append(Wrong(row, f"{previous + 1}-… before word {previous + 1}"))
            last_range, covered = (own, previous), (own, last)
            ranges.append(row)
    return empties, ranges, wrong

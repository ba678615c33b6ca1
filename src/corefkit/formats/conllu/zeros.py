"""What the heads of zeros depend on: their DEPS, read for them alone."""

from typing import NamedTuple

import numpy as np

from corefkit.data.arrays import BoolArray, ByteArray, IntArray, distinct, stretches
from corefkit.data.columns import Column
from corefkit.data.dependencies import ROOT, Arc, Dependencies
from corefkit.data.ragged import Ragged
from corefkit.formats.conll.interning import intern
from corefkit.formats.conllu.lines import DEPS, Lines
from corefkit.formats.conllu.mentions import Mentions
from corefkit.formats.conllu.nodes import Nodes
from corefkit.formats.conllu.numbers import read_numbers
from corefkit.formats.trouble import Trouble

_NOWHERE = -2
"""Stands for a parent that is not there; −1 is the root."""
_ZERO, _BAR, _COLON, _UNDERSCORE = b"0|:_"


def read_dependencies(
    lines: Lines, nodes: Nodes, mentions: Mentions, trouble: Trouble
) -> Dependencies | None:
    """The dependencies of all mentions whose head is an empty node."""
    rows = np.flatnonzero(nodes.zero[mentions.head] > 0)
    if not len(rows):
        return None
    head = mentions.head[rows]
    start, end = lines.bounds(DEPS, nodes.row[head])
    arcs = _read_arcs(lines, nodes, head, start, end)
    for cell in np.flatnonzero(arcs.unreadable).tolist():
        at, stop = int(start[cell]), int(end[cell])
        text = lines.data[at:stop].decode("utf-8", "replace")
        expected = "3:nsubj, or several joined by |, or _"
        trouble.byte("deps-bad", at, found=text, expected=expected)
    first = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(np.bincount(arcs.cell, minlength=len(rows)), out=first[1:])
    parent = np.maximum(arcs.parent, 0)
    token, zero = (
        np.where(arcs.parent >= 0, column[parent], of_root)
        for column, of_root in zip((nodes.token, nodes.zero), ROOT, strict=True)
    )
    sentence = nodes.sentence[nodes.block[head]]
    return Dependencies(Ragged(rows, first, token, zero), sentence, arcs.relation)


class _Arcs(NamedTuple):
    """Dependencies read from cells, each once, in the order of the cells.

    Attributes:
        cell, parent: int64 (arcs,), the cell, and the node (−1: the root).
        relation: the relation to it.
        unreadable: bool (cells,), the cells that cannot be read, and have no arcs.
    """

    cell: IntArray
    parent: IntArray
    relation: Column
    unreadable: BoolArray


def _read_arcs(lines: Lines, nodes: Nodes, node: IntArray, start: IntArray, end: IntArray) -> _Arcs:
    """The dependencies of nodes whose cells reach from start to end."""
    buffer, block = lines.buffer, nodes.block[node]
    filled = (end - start != 1) | (buffer[start] != _UNDERSCORE)
    cell, first, stop = _pieces(buffer, np.flatnonzero(filled), start, end)
    number, colon = read_numbers(buffer, first)
    of_word = (colon > first) & (buffer[first] != _ZERO) & (buffer[colon] == _COLON)
    own = block[cell]
    of_word &= (number <= nodes.first_word[own + 1] - nodes.first_word[own]) & (colon + 1 < stop)
    parent = np.full(len(cell), _NOWHERE)
    parent[of_word] = nodes.word_node[(nodes.first_word[own] + number - 1)[of_word]]
    # What is left: the root, empty nodes, and what is no dependency.
    for i in np.flatnonzero(~of_word).tolist():
        name, _, rest = lines.data[int(first[i]) : int(stop[i])].partition(b":")
        found = nodes.find(int(own[i]), name.decode("utf-8", "replace")) if rest else None
        if found is not None:
            parent[i], colon[i] = found, int(first[i]) + len(name)
    unreadable = np.zeros(len(start), dtype=bool)
    unreadable[cell[parent == _NOWHERE]] = True
    left = np.flatnonzero(~unreadable[cell])
    cell, parent = cell[left], parent[left]
    code, texts = intern(buffer, colon[left] + 1, stop[left] - colon[left] - 1)
    names = Column.of([text.decode("utf-8", "replace") for text in texts])
    code = names.code[code]
    once = distinct((cell * len(names.values) + code) * (len(nodes.row) + 1) + parent + 1)
    kept = np.sort(once.first)
    return _Arcs(cell[kept], parent[kept], Column(code[kept], names.values), unreadable)


def _pieces(
    buffer: ByteArray, cell: IntArray, start: IntArray, end: IntArray
) -> tuple[IntArray, IntArray, IntArray]:
    """What bars separate in some of the cells: the cell of each piece, its first byte, its end."""
    length = (end - start)[cell]
    place = stretches(start[cell], length)
    bar = np.flatnonzero(buffer[place] == _BAR)
    of_bar = np.searchsorted(np.cumsum(length) - length, bar, side="right") - 1
    pieces = np.bincount(of_bar, minlength=len(cell)) + 1
    beyond = np.cumsum(pieces)
    behind_bar, before_bar = np.ones((2, int(pieces.sum())), dtype=bool)
    behind_bar[beyond - pieces], before_bar[beyond - 1] = False, False
    first, stop = np.empty((2, len(behind_bar)), dtype=np.int64)
    first[~behind_bar], first[behind_bar] = start[cell], place[bar] + 1
    stop[~before_bar], stop[before_bar] = end[cell], place[bar]
    return np.repeat(cell, pieces), first, stop


def read_arcs(lines: Lines, nodes: Nodes, node: int) -> list[Arc] | None:
    """The dependencies of a node as a corpus has them; None where they cannot be read."""
    arcs = read_deps(nodes, int(nodes.block[node]), lines.field(int(nodes.row[node]), DEPS))
    if arcs is None:
        return None
    return [(nodes.place(parent), relation) for parent, relation in arcs]


def read_deps(nodes: Nodes, block: int, cell: bytes) -> list[tuple[int, str]] | None:
    """The parents (−1: the root) and relations of one cell; None where it cannot be read."""
    if cell == b"_":
        return []
    arcs: dict[tuple[int, str], None] = {}
    for piece in cell.decode("utf-8", "replace").split("|"):
        parent, colon, relation = piece.partition(":")
        found = nodes.find(block, parent) if colon and relation else None
        if found is None:
            return None
        arcs[found, relation] = None
    return list(arcs)

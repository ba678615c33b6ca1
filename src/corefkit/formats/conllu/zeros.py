"""What the heads of zeros depend on: their DEPS, read for them alone."""

import numpy as np

from corefkit.data.dependencies import Arc, Dependencies
from corefkit.formats.conllu.lines import DEPS, Lines
from corefkit.formats.conllu.mentions import Mentions
from corefkit.formats.conllu.nodes import Nodes
from corefkit.formats.conllu.trouble import Trouble

_SMALL = {str(number): number for number in range(1, 1000)}
"""The ids of most words, so that they need not be read."""


def read_dependencies(
    lines: Lines, nodes: Nodes, mentions: Mentions, trouble: Trouble
) -> Dependencies | None:
    """The dependencies of all mentions whose head is an empty node."""
    rows = np.flatnonzero(nodes.zero[mentions.head] > 0)
    if not len(rows):
        return None
    head = mentions.head[rows]
    block = nodes.block[head]
    start, end = lines.bounds(DEPS, nodes.row[head])
    token: list[int] = []
    zero: list[int] = []
    relation: list[int] = []
    first = [0]
    number: dict[str, int] = {}
    columns = (
        start,
        end,
        block,
        nodes.first_word[block] - nodes.document_word[nodes.document[head]] - 1,
        nodes.first_word[block + 1] - nodes.first_word[block],
    )
    for at, stop, own, offset, words in zip(*(c.tolist() for c in columns), strict=True):
        arcs = _arcs(nodes, own, lines.data[at:stop], offset, words)
        if arcs is None:
            trouble.byte(
                "deps-bad",
                at,
                "the dependencies of a zero cannot be read, or name a node that is not there",
                found=lines.data[at:stop].decode("utf-8", "replace"),
                expected="3:nsubj, or several joined by |, or _",
            )
        for (parent, minor), name in arcs or ():
            token.append(parent)
            zero.append(minor)
            relation.append(number.setdefault(name, len(number)))
        first.append(len(token))
    return Dependencies(
        rows,
        nodes.sentence[block],
        np.array(first),
        np.array(token, dtype=np.int64),
        np.array(zero, dtype=np.int64),
        np.array(relation, dtype=np.int64),
        tuple(number),
    )


def _arcs(nodes: Nodes, block: int, cell: bytes, offset: int, words: int) -> dict[Arc, None] | None:
    """The dependencies in a cell, each once.

    `offset` and a number are the token of a word; the sentence has so many `words`.
    """
    if cell == b"_":
        return {}
    found: dict[Arc, None] = {}
    for piece in cell.decode("utf-8", "replace").split("|"):
        parent, _, relation = piece.partition(":")
        if relation and parent in _SMALL and 0 < _SMALL[parent] <= words:
            found[(offset + _SMALL[parent], 0), relation] = None
            continue
        node = nodes.find(block, parent) if relation else None
        if node is None:
            return None
        found[nodes.place(node), relation] = None
    return found


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

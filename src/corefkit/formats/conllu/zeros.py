"""What the heads of zeros depend on: their DEPS, read for them alone."""

import numpy as np

from corefkit.data.dependencies import Arc, Dependencies
from corefkit.formats.conllu.lines import DEPS, Lines
from corefkit.formats.conllu.mentions import Mentions
from corefkit.formats.conllu.nodes import Nodes
from corefkit.formats.conllu.trouble import Trouble


def read_dependencies(
    lines: Lines, nodes: Nodes, mentions: Mentions, trouble: Trouble
) -> Dependencies | None:
    """The dependencies of all mentions whose head is an empty node."""
    known: dict[int, tuple[int, list[Arc]]] = {}
    lists = []
    for row in np.flatnonzero(nodes.zero[mentions.head] > 0).tolist():
        node = int(mentions.head[row])
        if node not in known:
            sentence = int(nodes.sentence[nodes.block[node]])
            known[node] = sentence, _arcs(lines, nodes, node, trouble)
        lists.append((row, *known[node]))
    return Dependencies.of(lists)


def _arcs(lines: Lines, nodes: Nodes, node: int, trouble: Trouble) -> list[Arc]:
    arcs = read_arcs(lines, nodes, node)
    if arcs is None:
        row = int(nodes.row[node])
        trouble.byte(
            "deps-bad",
            int(lines.tabs[row, DEPS - 1]) + 1,
            "the dependencies of a zero cannot be read, or name a node that is not there",
            found=lines.field(row, DEPS).decode("utf-8", "replace"),
            expected="3:nsubj, or several joined by |, or _",
        )
    return arcs or []


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

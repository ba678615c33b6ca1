"""The trees of CorefUD files: HEAD and DEPS, and the heads of mentions that follow from them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from corefkit.formats.conllu.lines import DEPS, HEAD, Lines
from corefkit.formats.conllu.nodes import Nodes
from corefkit.formats.conllu.zeros import read_deps

ROOT = -1
"""Stands for the parent of what depends on nothing."""


@dataclass(eq=False)
class Trees:
    """HEAD and DEPS of the nodes of a file, read when they are asked for; nodes by number."""

    lines: Lines
    nodes: Nodes
    _heads: dict[int, int | None] = field(default_factory=dict)
    _parents: dict[int, list[int]] = field(default_factory=dict)

    def head(self, node: int) -> int | None:
        """The parent in the tree of HEAD, or ROOT; None for empty nodes and what cannot be read."""
        if node not in self._heads:
            cell = self.lines.field(int(self.nodes.row[node]), HEAD)
            text = cell.decode("utf-8", "replace")
            known = self.nodes.zero[node] == 0 and "." not in text
            block = int(self.nodes.block[node])
            self._heads[node] = self.nodes.find(block, text) if known else None
        return self._heads[node]

    def parents(self, node: int) -> list[int]:
        """Those in DEPS, or HEAD where DEPS is empty or cannot be read."""
        if node not in self._parents:
            cell = self.lines.field(int(self.nodes.row[node]), DEPS)
            arcs = read_deps(self.nodes, int(self.nodes.block[node]), cell)
            head = self.head(node)
            self._parents[node] = (
                [parent for parent, _ in arcs] if arcs else [] if head is None else [head]
            )
        return self._parents[node]

    def ancestors(self, node: int) -> list[int]:
        """The node, its HEAD, and so on up to the root, which is left out; no node twice."""
        found: dict[int, None] = {}
        at: int | None = node
        while at is not None and at != ROOT and at not in found:
            found[at] = None
            at = self.head(at)
        return list(found)

    def head_of(self, mention: Sequence[int], written: int) -> int:
        """The head of a mention by the tree: see COREFUD.md, or docs/corefud.md, on heads."""
        if len(mention) == 1:
            return mention[0]
        inside = frozenset(mention)
        tops = [n for n in mention if self.head(n) not in inside]
        if len(tops) == 1:
            return tops[0]
        free = [n for n in tops if not inside.intersection(self.parents(n))]
        free = free or [n for n in tops if not inside.issuperset(self.parents(n))]
        if not free:
            return written
        if len(free) == 1:
            return free[0]
        meeting = self._meeting(free)
        if meeting in free:
            return meeting
        return written if written in free else free[0]

    def _meeting(self, free: Collection[int]) -> int:
        """The lowest common ancestor of free words and the parents of free empty nodes."""
        anchors = [n if not self.nodes.zero[n] else self._first_word(n) for n in free]
        chains = [self.ancestors(n) for n in anchors if n is not None and n != ROOT]
        if ROOT in anchors or not chains:
            return ROOT
        common = set(chains[0]).intersection(*chains[1:])
        return next((n for n in chains[0] if n in common), ROOT)

    def _first_word(self, node: int) -> int | None:
        """The first parent of an empty node that is not an empty node."""
        some = (p for p in self.parents(node) if p == ROOT or not self.nodes.zero[p])
        return next(some, None)

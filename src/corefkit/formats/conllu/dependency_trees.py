"""The trees of CorefUD files (HEAD and DEPS), and the heads of mentions that follow from them.

The dependencies of zeros are read with the file, everything else on demand.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from corefkit.core.corpus import Corpus
from corefkit.core.links import Arc, Dependencies
from corefkit.core.nodes import Node, sizes
from corefkit.core.options import UsageError
from corefkit.core.source import HeadWord, Source
from corefkit.core.texts import shorten
from corefkit.formats.conllu.lines import DEPREL, DEPS, FEATS, HEAD, UPOS, ConlluLines
from corefkit.formats.conllu.mentions import EntityMentions
from corefkit.formats.conllu.nodes import MentionNodes, Nodes
from corefkit.formats.conllu.source import ConlluSource, layout_of
from corefkit.formats.kit.row_incidents import RowIncidents


def read_dependencies(
    lines: ConlluLines, nodes: Nodes, mentions: EntityMentions, incidents: RowIncidents
) -> Dependencies | None:
    """The dependencies of all mentions whose head is an empty node."""
    lists = []
    for row in np.flatnonzero(nodes.zero[mentions.head] > 0).tolist():
        node = int(mentions.head[row])
        arcs = read_arcs(lines, nodes, node)
        if arcs is None:
            (start,), _ = lines.bounds(DEPS, nodes.row[[node]])
            text = lines.field(int(nodes.row[node]), DEPS).decode("utf-8", "replace")
            incidents.note(
                "deps-bad",
                at=incidents.at_byte(int(start)),
                found=partial(shorten, text),
                expected="3:nsubj, or several joined by |, or _",
            )
        lists.append((row, int(nodes.sentence[nodes.block[node]]), arcs or []))
    return Dependencies.of(lists)


def read_arcs(lines: ConlluLines, nodes: Nodes, node: int) -> list[Arc] | None:
    """The dependencies of a node in the form of a Corpus; None if they cannot be read."""
    arcs = read_deps(nodes, int(nodes.block[node]), lines.field(int(nodes.row[node]), DEPS))
    if arcs is None:
        return None
    return [(nodes.place(parent), relation) for parent, relation in arcs]


def read_deps(nodes: Nodes, block: int, cell: bytes) -> list[tuple[int, str]] | None:
    """The parents (−1: the root) and relations of one cell; None if it cannot be read."""
    if cell == b"_":
        return []
    arcs: dict[tuple[int, str], None] = {}
    for piece in cell.decode("utf-8", "replace").split("|"):
        parent, colon, relation = piece.partition(":")
        node = nodes.find(block, parent) if colon and relation else None
        if node is None:
            return None
        arcs[node, relation] = None
    return list(arcs)


TREE_ROOT = -1
"""The parent of a node that depends on no other."""


@dataclass(eq=False)
class Trees:
    """HEAD and DEPS of the nodes of a file, read on demand; nodes are given by number."""

    lines: ConlluLines
    nodes: Nodes
    _heads: dict[int, int | None] = field(default_factory=dict)
    _parents: dict[int, list[int]] = field(default_factory=dict)

    def head(self, node: int) -> int | None:
        """The parent in HEAD, or TREE_ROOT; None for empty nodes and unreadable cells."""
        if node not in self._heads:
            cell = self.lines.field(int(self.nodes.row[node]), HEAD)
            text = cell.decode("utf-8", "replace")
            known = self.nodes.zero[node] == 0 and "." not in text
            block = int(self.nodes.block[node])
            self._heads[node] = self.nodes.find(block, text) if known else None
        return self._heads[node]

    def parents(self, node: int) -> list[int]:
        """The parents in DEPS, or in HEAD if DEPS is empty or cannot be read."""
        if node not in self._parents:
            cell = self.lines.field(int(self.nodes.row[node]), DEPS)
            arcs = read_deps(self.nodes, int(self.nodes.block[node]), cell)
            head = self.head(node)
            self._parents[node] = (
                [parent for parent, _ in arcs] if arcs else [] if head is None else [head]
            )
        return self._parents[node]

    def ancestors(self, node: int) -> list[int]:
        """The node, its HEAD, and so on, without the root; a cycle ends before a repetition."""
        chain: dict[int, None] = {}
        at: int | None = node
        while at is not None and at != TREE_ROOT and at not in chain:
            chain[at] = None
            at = self.head(at)
        return list(chain)

    def head_of(self, mention: Sequence[int], written: int) -> int:
        """The head of a mention by the tree, see docs/corefud.md; `written` if it is undecided."""
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
        ancestor = self._common_ancestor(free)
        if ancestor in free:
            return ancestor
        return written if written in free else free[0]

    def _common_ancestor(self, free: Collection[int]) -> int:
        """The lowest common ancestor of free words and the parents of free empty nodes."""
        anchors = [n if not self.nodes.zero[n] else self._first_word(n) for n in free]
        chains = [self.ancestors(n) for n in anchors if n is not None and n != TREE_ROOT]
        if TREE_ROOT in anchors or not chains:
            return TREE_ROOT
        common = set(chains[0]).intersection(*chains[1:])
        return next((n for n in chains[0] if n in common), TREE_ROOT)

    def _first_word(self, node: int) -> int | None:
        """The first parent of an empty node that is a word or the root."""
        parents = (p for p in self.parents(node) if p == TREE_ROOT or not self.nodes.zero[p])
        return next(parents, None)


class WordTrees:
    """The heads of words, with their relations, tags and features, read on demand."""

    def __init__(self, lines: ConlluLines, nodes: Nodes) -> None:
        self._lines, self._nodes = lines, nodes
        self._trees = Trees(lines, nodes)
        self._copulas: set[int | None] | None = None

    def head_word(self, tokens: Sequence[int]) -> HeadWord:
        """The head of some words, which are counted through the whole file."""
        mention = self._nodes.word_node[list(tokens)].tolist()
        inside = frozenset(mention)
        tops = (node for node in mention if self._trees.head(node) not in inside)
        head = self._trees.head_of(mention, next(tops, mention[0]))
        deprel, upos, feats = (self._text(head, column) for column in (DEPREL, UPOS, FEATS))
        return HeadWord(deprel.partition(":")[0], upos, feats, head in self._with_copula())

    def _text(self, node: int, column: int) -> str:
        return self._lines.field(int(self._nodes.row[node]), column).decode("utf-8", "replace")

    def _with_copula(self) -> set[int | None]:
        """The nodes that have a copula among their children."""
        if self._copulas is None:
            words = self._nodes.word_node.tolist()
            copulas = (n for n in words if self._text(n, DEPREL).partition(":")[0] == "cop")
            self._copulas = {self._trees.head(node) for node in copulas}
        return self._copulas


def tree_heads(corpus: Corpus) -> Corpus:
    """The corpus with the head of each mention set from HEAD and DEPS of its CorefUD files.

    Mentions in other files, and those whose head the trees leave open, keep their heads.
    """
    head = np.full(corpus.mentions, -2) if corpus.head is None else corpus.head.copy()
    zero = np.zeros_like(head) if corpus.head_zero is None else corpus.head_zero.copy()
    arcs: list[tuple[int, int, list[Arc]]] = []
    for source in corpus.sources:
        if isinstance(source, ConlluSource):
            for row, node, dependencies in _heads(corpus, source):
                head[row], zero[row] = node
                if dependencies:
                    arcs.append((row, *dependencies))
    return replace(
        corpus, head=head, head_zero=zero, dependencies=Dependencies.of(sorted(arcs)) or None
    )


def write_heads(corpus: Corpus) -> bytes:
    """The bytes of the CorefUD file of a corpus with its heads, which are declared if necessary.

    Raises UsageError unless the corpus has a single file, in CorefUD.
    """
    from corefkit.formats.conllu.rewriting import rewrite

    if len(corpus.sources) != 1 or not isinstance(corpus.sources[0], ConlluSource):
        raise UsageError("heads can be written into one CorefUD file at a time")
    return rewrite(corpus, corpus.sources[0], declare_head=True)


def count_moved_heads(before: Corpus, after: Corpus) -> int:
    """How many mentions have a different head in both versions of a corpus."""
    if before.head is None or before.head_zero is None:
        return after.mentions
    same = (before.head == after.head) & (before.head_zero == after.head_zero)
    return int((~same).sum())


def count_several_nodes(corpus: Corpus) -> int:
    """How many mentions have more than one node."""
    return int((sizes(corpus) > 1).sum())


def _heads(
    corpus: Corpus, source: Source
) -> Iterator[tuple[int, Node, tuple[int, list[Arc]] | None]]:
    """For each mention its row, its head and, if that is an empty node, sentence and arcs of it."""
    layout = layout_of(source)
    nodes = layout.nodes
    trees, places = Trees(layout.lines, nodes), MentionNodes(corpus, source, nodes)
    for row in places.rows.tolist():
        mention = places.nodes_of(row)
        node = trees.head_of(mention, places.head_of(row, places.runs_of(row)))
        dependencies = None
        if nodes.zero[node]:
            sentence = int(nodes.sentence[nodes.block[node]])
            dependencies = sentence, read_arcs(layout.lines, nodes, node) or []
        yield row, nodes.place(node), dependencies

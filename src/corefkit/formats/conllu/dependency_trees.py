"""The trees of CorefUD files (HEAD and DEPS), and the heads of mentions that follow from them.

The dependencies of zeros are read with the file, everything else on demand.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from corefkit.core.corpus import Corpus
from corefkit.core.links import Arc, Dependencies
from corefkit.core.nodes import Node, sizes
from corefkit.core.options import UsageError
from corefkit.core.source import HeadWord, Source
from corefkit.formats.conllu.nodes import MentionNodes
from corefkit.formats.conllu.rows import DEPREL, DEPS, FEATS, HEAD, UPOS, ConlluFile
from corefkit.formats.conllu.source import ConlluSource, file_of


def read_arcs(file: ConlluFile, node: int, deps: str) -> list[Arc] | None:
    """The DEPS of a node in the form of a Corpus; None if they cannot be read."""
    arcs = _read_deps(file, node, deps)
    return None if arcs is None else [(file.place(parent), relation) for parent, relation in arcs]


def _read_deps(file: ConlluFile, node: int, deps: str) -> list[tuple[int, str]] | None:
    """The parents (−1: the root) and relations in DEPS of a node; None if they cannot be read."""
    arcs: dict[tuple[int, str], None] = {}
    for piece in deps.split("|") if deps != "_" else ():
        parent, colon, relation = piece.partition(":")
        found = file.find(node, parent) if colon and relation else None
        if found is None:
            return None
        arcs[found, relation] = None
    return list(arcs)


TREE_ROOT = -1
"""The parent of a node that depends on no other."""


class Trees:
    """HEAD and DEPS of the nodes of a file, read on demand; nodes are given by number."""

    def __init__(self, file: ConlluFile) -> None:
        self.file = file

    def head(self, node: int) -> int | None:
        """The parent in HEAD, or TREE_ROOT; None for empty nodes and unreadable cells."""
        row = self.file.nodes[node]
        known = not row.zero and "." not in row.cells[HEAD]
        return self.file.find(node, row.cells[HEAD]) if known else None

    def parents(self, node: int) -> list[int]:
        """The parents in DEPS, or in HEAD if DEPS is empty or cannot be read."""
        deps = self.file.nodes[node].cells[DEPS]
        arcs, head = _read_deps(self.file, node, deps), self.head(node)
        return [parent for parent, _ in arcs] if arcs else [] if head is None else [head]

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
        anchors = [n if not self.file.nodes[n].zero else self._first_word(n) for n in free]
        chains = [self.ancestors(n) for n in anchors if n is not None and n != TREE_ROOT]
        if TREE_ROOT in anchors or not chains:
            return TREE_ROOT
        common = set(chains[0]).intersection(*chains[1:])
        return next((n for n in chains[0] if n in common), TREE_ROOT)

    def _first_word(self, node: int) -> int | None:
        """The first parent of an empty node that is a word or the root."""
        parents = (p for p in self.parents(node) if p == TREE_ROOT or not self.file.nodes[p].zero)
        return next(parents, None)


class WordTrees:
    """The heads of words, with their relations, tags and features, read on demand."""

    def __init__(self, file: ConlluFile) -> None:
        self._file, self._trees = file, Trees(file)
        self._words = [row.node for row in file.words]

    def head_word(self, tokens: Sequence[int]) -> HeadWord:
        """The head of some words, which are counted through the whole file."""
        mention = [self._words[token] for token in tokens]
        inside = frozenset(mention)
        tops = (node for node in mention if self._trees.head(node) not in inside)
        head = self._trees.head_of(mention, next(tops, mention[0]))
        cells = self._file.nodes[head].cells
        deprel = cells[DEPREL].partition(":")[0]
        return HeadWord(deprel, cells[UPOS], cells[FEATS], head in self._with_copula)

    @cached_property
    def _with_copula(self) -> set[int | None]:
        """The nodes that have a copula among their children."""
        rows = (row for row in self._file.words if row.cells[DEPREL].partition(":")[0] == "cop")
        return {self._trees.head(row.node) for row in rows}


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
    from corefkit.formats.conllu.writer import rewrite

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
    file = file_of(source)
    trees, places = Trees(file), MentionNodes(corpus, source, file)
    for row in places.rows:
        node = trees.head_of(places.nodes_of(row), places.head_of(row, places.runs_of(row)))
        dependencies = None
        if (empty := file.nodes[node]).zero:
            sentence = int(file.sentence_numbers[empty.sentence])
            dependencies = sentence, read_arcs(file, node, empty.cells[DEPS]) or []
        yield row, file.place(node), dependencies

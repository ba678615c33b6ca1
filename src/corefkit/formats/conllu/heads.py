"""Heads from trees, for systems that predict spans only."""

from dataclasses import replace

import numpy as np

from corefkit.core.corpus import Corpus
from corefkit.core.links import Arc, Dependencies
from corefkit.core.nodes import sizes
from corefkit.core.options import UsageError
from corefkit.core.source import Source
from corefkit.formats.conllu.dependency_trees import Trees, read_arcs
from corefkit.formats.conllu.nodes import MentionNodes
from corefkit.formats.conllu.tokens import ConlluSource, layout_of


def tree_heads(corpus: Corpus) -> Corpus:
    """The corpus with the head of each mention set from HEAD and DEPS of its CorefUD files.

    Mentions of other files, and what the trees leave open, keep the head they have.
    """
    head = np.full(corpus.mentions, -2) if corpus.head is None else corpus.head.copy()
    zero = np.zeros_like(head) if corpus._head_zero is None else corpus._head_zero.copy()
    arcs: list[tuple[int, int, list[Arc]]] = []
    for source in corpus.sources:
        if isinstance(source, ConlluSource):
            for row, node, own in _heads(corpus, source):
                head[row], zero[row] = node
                if own:
                    arcs.append((row, *own))
    return replace(
        corpus, head=head, _head_zero=zero, dependencies=Dependencies.of(sorted(arcs)) or None
    )


def write_heads(corpus: Corpus) -> bytes:
    """The one CorefUD file of a corpus with its heads, which are declared if they were not.

    Raises UsageError where the corpus is not one such file.
    """
    from corefkit.formats.conllu.writer import rewrite

    if len(corpus.sources) != 1 or not isinstance(corpus.sources[0], ConlluSource):
        raise UsageError("heads can be written into one CorefUD file at a time")
    return rewrite(corpus, corpus.sources[0], declare_head=True)


def count_moved_heads(before: Corpus, after: Corpus) -> int:
    """How many mentions have another head."""
    if before.head is None or before._head_zero is None:
        return after.mentions
    same = (before.head == after.head) & (before._head_zero == after._head_zero)
    return int((~same).sum())


def count_several_nodes(corpus: Corpus) -> int:
    """How many mentions have more than one node."""
    return int((sizes(corpus) > 1).sum())


_Found = tuple[int, tuple[int, int], tuple[int, list[Arc]] | None]


def _heads(corpus: Corpus, source: Source) -> list[_Found]:
    """Row, head, and where the head is an empty node its sentence and dependencies."""
    layout = layout_of(source)
    nodes = layout.nodes
    trees, places = Trees(layout.lines, nodes), MentionNodes(corpus, source, nodes)
    found: list[_Found] = []
    for row in places.rows.tolist():
        mention = places.nodes_of(row)
        node = trees.head_of(mention, places.head_of(row, mention))
        own = None
        if nodes.zero[node]:
            sentence = int(nodes.sentence[nodes.block[node]])
            own = sentence, read_arcs(layout.lines, nodes, node) or []
        found.append((row, nodes.place(node), own))
    return found

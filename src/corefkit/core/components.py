"""Connected components of links between mentions, which are entities; edges of bipartite graphs."""

from collections.abc import Hashable, Iterable
from typing import TypeVar

import numpy as np

from corefkit.core.arrays import BoolArray, FloatArray, IntArray, among, distinct, starts_of_runs

Node = TypeVar("Node", bound=Hashable)


def components(nodes: Iterable[Node], links: Iterable[tuple[Node, Node]]) -> dict[Node, int]:
    """The number of its entity for each node; entities in the order of their first node.

    Both ends of every link must be among the nodes.

    >>> components("abcd", [("a", "c"), ("d", "c")])
    {'a': 0, 'b': 1, 'c': 0, 'd': 0}
    """
    above = {node: node for node in nodes}

    def top(node: Node) -> Node:
        root = node
        while above[root] != root:
            root = above[root]
        while above[node] != root:  # so that the next way up is short
            above[node], node = root, above[node]
        return root

    for one, other in links:
        above[top(other)] = top(one)
    number: dict[Node, int] = {}
    return {node: number.setdefault(top(node), len(number)) for node in above}


def edge_components(row: IntArray, column: IntArray, edges: IntArray) -> list[IntArray]:
    """Some edges of a bipartite graph by connected component, ordered by their first edge.

    >>> found = edge_components(np.array([0, 5, 0]), np.array([1, 7, 2]), np.arange(3))
    >>> [edges.tolist() for edges in found]
    [[0, 2], [1]]
    """
    if not len(edges):
        return []
    r, c = distinct(row[edges]).inverse, distinct(column[edges]).inverse
    label = np.arange(len(edges))
    while True:
        # Each edge takes the smallest label at either end and tells it to the edge that gave it
        # its label; then labels of labels are followed. So even a long path takes few rounds.
        by_row, by_column = np.full(r.max() + 1, len(edges)), np.full(c.max() + 1, len(edges))
        np.minimum.at(by_row, r, label)
        np.minimum.at(by_column, c, label)
        smaller = np.minimum(by_row[r], by_column[c])
        np.minimum.at(smaller, label, smaller.copy())
        smaller = smaller[smaller]
        if np.array_equal(smaller, label):
            break
        label = smaller
    order = np.argsort(label, kind="stable")
    return np.split(edges[order], starts_of_runs(label[order])[1:])


def best_and_other(group: IntArray, weight: FloatArray) -> tuple[BoolArray, FloatArray]:
    """Which edges are the (first) heaviest of their groups, and for these the next heaviest there.

    >>> best, other = best_and_other(np.array([0, 0, 7]), np.array([2.0, 3.0, 1.0]))
    >>> best.tolist(), other[best].tolist()
    ([False, True, True], [2.0, 0.0])
    """
    order = np.lexsort((-weight, group))
    first = starts_of_runs(group[order])
    length = np.diff(first, append=len(group))
    best, other = np.zeros(len(group), dtype=bool), np.zeros(len(group))
    best[order[first]] = True
    several = first[length > 1]
    other[order[several]] = weight[order[several + 1]]
    return best, other


_MANY, _FEW = 2000, 50
"""Of more than _MANY edges, less than one in _FEW is not worth another round over all."""


def take_dominant(
    row: IntArray,
    column: IntArray,
    weight: FloatArray,
    *,
    margin: float = 0.0,
    patient: bool = True,
) -> tuple[IntArray, IntArray]:
    """The edges that decide themselves, and the undecided rest.

    One that weighs as much as the best others at its two ends together, and this `margin`, can
    replace whatever a heaviest matching uses there; then all others at its ends are out of the
    question. Who is not patient stops when a round over many edges has found few.
    """
    left = np.arange(len(weight))
    taken = [left[:0]]
    few = False
    while len(left) and not few:
        r, c, w = row[left], column[left], weight[left]
        best_of_row, other_in_row = best_and_other(r, w)
        best_of_column, other_in_column = best_and_other(c, w)
        wins = best_of_row & best_of_column & (w >= other_in_row + other_in_column + margin)
        if not wins.any():
            break
        taken.append(left[wins])
        few = not patient and len(left) > _MANY and wins.sum() * _FEW < len(left)
        left = left[~(among(r, r[wins]) | among(c, c[wins]))]
    return np.concatenate(taken), left

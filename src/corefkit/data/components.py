"""Links into entities: an entity is a connected component of undirected links."""

from collections.abc import Hashable, Iterable
from typing import TypeVar

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

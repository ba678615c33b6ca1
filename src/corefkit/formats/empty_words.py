"""Words that stand for empty nodes: `##`, in the texts that the CRAC tasks give language models."""

from collections.abc import Sequence

from corefkit.data.corpus import BEFORE_SENTENCE

EMPTY_NODE = "##"
"""What the word of an empty node begins with; its form, if it has one, follows."""

Node = tuple[int, int]


def without_empty(words: Sequence[str]) -> list[str]:
    """The words that are tokens."""
    return [word for word in words if not word.startswith(EMPTY_NODE)]


def nodes_of_words(words: Sequence[str]) -> list[Node]:
    """Each word as (token, 0), or (the token before an empty node, its number); [] if all are.

    >>> nodes_of_words(["Llueve", "##", "hoy"]), nodes_of_words(["Llueve"])
    ([(0, 0), (0, 1), (1, 0)], [])
    """
    if not any(word.startswith(EMPTY_NODE) for word in words):
        return []
    nodes, token, zero = [], -1, BEFORE_SENTENCE
    for word in words:
        empty = word.startswith(EMPTY_NODE)
        token, zero = (token, zero + 1) if empty else (token + 1, 0)
        nodes.append((token, zero))
    return nodes


def span_of_nodes(nodes: Sequence[Node]) -> tuple[int, int, int, bool]:
    """Start, end and zero of a mention of these nodes, and whether the nodes must be listed."""
    (start, first_zero), (end, _) = nodes[0], nodes[-1]
    if len(nodes) == 1:
        return start, end, first_zero, False
    return start, end, 0, any(zero for _, zero in nodes)

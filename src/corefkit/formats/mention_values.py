"""Mentions that are one value: the place of a value depends on nothing but the value.

So the same value is the same mention in key and response, and in all files of a folder. A whole
number from 0 on is a token of that number. Texts as `nodes_text` writes them are nodes. Any other
value is an identifier; its bytes become numbers far above those of tokens, which have the order
of the identifiers.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.corpus import Corpus
from corefkit.data.ragged import Ragged

_LARGEST = 1 << 62
_NODE = r"(-1|\d{1,9})(?:\.(\d{1,9}))?"
_SPAN = re.compile(r"(\d{1,9})-(\d{1,9})")
_NODES = re.compile(rf"{_NODE}(?:,{_NODE})*")
_BYTES = 7
"""So many bytes of an identifier make one number."""
_IDENTIFIER = 1 << 48
"""No number of an identifier is smaller, no number of a node as large."""


class Placed(NamedTuple):
    """Columns of a corpus, int64 (mentions,), for mentions that are values."""

    start: IntArray
    end: IntArray
    zero: IntArray | None
    parts: Ragged | None


def nodes_text(corpus: Corpus, row: int) -> str:
    """A mention as text: `3-5`, an empty node as `7.1`, a list of nodes as `1,4,7.1`."""
    nodes = corpus.parts.nodes(row) if corpus.parts else None
    if nodes is None:
        zero = int(corpus.zero[row]) if corpus.zero is not None else 0
        start, end = int(corpus.start[row]), int(corpus.end[row])
        return f"{start}.{zero}" if zero else f"{start}-{end}"
    return ",".join(f"{token}.{zero}" if zero else str(token) for token, zero in nodes)


def has_identifiers(corpus: Corpus) -> bool:
    """Whether mentions are identifiers, which have neither a length nor a place in the text."""
    return int(corpus.start.max(initial=0)) >= _IDENTIFIER


def place_values(values: Sequence[Any]) -> Placed:
    """Where mentions of any type stand.

    >>> place_values([3, 0]).start.tolist()
    [3, 0]
    >>> placed = place_values(["2-4", "7.1", "1,4", "Q42"])
    >>> placed.start.tolist()[:3], placed.end.tolist()[:3], placed.zero.tolist()
    ([2, 7, 1], [4, 7, 4], [0, 1, 0, 0])
    """
    if len(values) and isinstance(values[0], int | np.integer):
        numbers = np.asarray(values)
        if numbers.dtype.kind in "iu" and (numbers >= 0).all() and (numbers < _LARGEST).all():
            start = numbers.astype(np.int64)
            return Placed(start, start, None, None)
    spans: list[tuple[int, int, int]] = []
    lists: list[tuple[int, list[tuple[int, int]]]] = []
    known: dict[Any, tuple[tuple[int, int, int], list[tuple[int, int]]]] = {}
    for row, value in enumerate(values):
        text = value if isinstance(value, str) else repr(value)
        if text not in known:
            known[text] = _place(text)
        span, nodes = known[text]
        spans.append(span)
        if nodes:
            lists.append((row, nodes))
    start, end, zero = np.array(spans, dtype=np.int64).reshape(-1, 3).T.copy()
    return Placed(start, end, zero if zero.any() else None, Ragged.of(lists))


def _place(text: str) -> tuple[tuple[int, int, int], list[tuple[int, int]]]:
    """The start, the end and the number of an empty node; and the nodes, where it is a list."""
    if (span := _SPAN.fullmatch(text)) and int(span[1]) <= int(span[2]):
        return (int(span[1]), int(span[2]), 0), []
    nodes = []
    if ("," in text or "." in text) and _NODES.fullmatch(text):
        pairs = (node.partition(".") for node in text.split(","))
        nodes = [(int(token), int(zero or 0)) for token, _, zero in pairs]
    if nodes and nodes == sorted(set(nodes)) and (nodes[0][0] >= 0 or nodes[0][1]):
        (first, zero), (last, _) = nodes[0], nodes[-1]
        return (first, last, zero if len(nodes) == 1 else 0), nodes if len(nodes) > 1 else []
    data = text.encode("utf-8", "surrogatepass") + b"\1"  # the end, so that none is another's start
    chunks = [data[at : at + _BYTES].ljust(_BYTES, b"\0") for at in range(0, len(data), _BYTES)]
    nodes = [(int.from_bytes(chunk, "big"), 0) for chunk in chunks]
    return (nodes[0][0], nodes[0][0], 0), nodes if len(nodes) > 1 else []

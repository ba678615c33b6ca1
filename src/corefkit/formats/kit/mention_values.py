"""Mentions that are single values, as in tables, data frames and databases.

    17        the token with that number
    3-5       the tokens 3 to 5
    7.1       the first empty node after token 7
    1,4,7.1   a list of nodes
    Q42       an identifier; so are −1, 2.5 and all other values

The place of a value depends only on the value, so the same value is the same mention in key and
response and in all files of a folder, whatever its type: 2.0 is 2. Identifiers have no place in a
text: each is a hash of 62 bits, so of ten million two are the same with a chance of 1 to 100,000.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from hashlib import blake2b
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray, distinct
from corefkit.core.columns import Column
from corefkit.core.corpus import Corpus
from corefkit.core.mention_columns import Ragged
from corefkit.core.nodes import Node

TOKENS = 1 << 62
"""Whole numbers from 0 up to this one are tokens."""
_NODE = r"(-1|\d{1,9})(?:\.(\d{1,9}))?"
_SPAN = re.compile(r"(\d{1,9})-(\d{1,9})")
_NODES = re.compile(rf"{_NODE}(?:,{_NODE})*")


class PlacedValues(NamedTuple):
    """Columns of a corpus, int64 (mentions,), for mentions that are values."""

    start: IntArray
    end: IntArray
    zero: IntArray | None = None
    nodes: Ragged | None = None
    identifiers: Column | None = None

    def take(self, rows: IntArray) -> "PlacedValues":
        """Those of some rows, which may repeat."""
        return PlacedValues(
            self.start[rows],
            self.end[rows],
            None if self.zero is None else self.zero[rows],
            self.nodes and self.nodes.take(rows, len(self.start)),
            self.identifiers and self.identifiers.take(rows),
        )


def place_values(values: Sequence[Any]) -> PlacedValues:
    """The places of mentions that are values of any type.

    >>> place_values([3, 0]).start.tolist()
    [3, 0]
    >>> placed = place_values(["2-4", "7.1", "1,4", "Q42"])
    >>> placed.start.tolist()[:3], placed.end.tolist()[:3], placed.zero.tolist()
    ([2, 7, 1], [4, 7, 4], [0, 1, 0, 0])
    >>> placed.identifiers.to_list()
    ['', '', '', 'Q42']
    """
    if len(values) and isinstance(values[0], int | np.integer):
        numbers = np.asarray(values)
        if numbers.dtype.kind in "iu" and (numbers >= 0).all() and (numbers < TOKENS).all():
            start = numbers.astype(np.int64)
            return PlacedValues(start, start)
    known: dict[Any, _Place] = {}
    places = []
    for value in values.tolist() if isinstance(values, np.ndarray) else values:
        number = number_of(value)
        key = number if number is not None else value if isinstance(value, str) else repr(value)
        if key not in known:
            known[key] = _place(key)
        places.append(known[key])
    spans = np.array([place.span for place in places], dtype=np.int64)
    start, end, zero = spans.reshape(-1, 3).T.copy()
    lists = [(row, place.nodes) for row, place in enumerate(places) if place.nodes]
    identifiers = Column.of([place.identifier for place in places])
    named = identifiers if any(identifiers.values) else None
    return PlacedValues(start, end, zero if zero.any() else None, Ragged.of(lists), named)


class _Place(NamedTuple):
    """(start, end, number of an empty node), the nodes of a mention with several, an identifier."""

    span: tuple[int, int, int]
    nodes: list[Node]
    identifier: str = ""


def _place(value: Any) -> _Place:
    """The place of a text or a number."""
    if not isinstance(value, str):
        if isinstance(value, int) and 0 <= value < TOKENS:
            return _Place((value, value, 0), [])
        above, below = value.as_integer_ratio()
        return _identifier(str(above) if below == 1 else f"{above}/{below}")
    if (span := _SPAN.fullmatch(value)) and int(span[1]) <= int(span[2]):
        return _Place((int(span[1]), int(span[2]), 0), [])
    nodes = []
    if ("," in value or "." in value) and _NODES.fullmatch(value):
        pairs = (node.partition(".") for node in value.split(","))
        nodes = [(int(token), int(zero or 0)) for token, _, zero in pairs]
    if nodes and nodes == sorted(set(nodes)) and (nodes[0][0] >= 0 or nodes[0][1]):
        (first, zero), (last, _) = nodes[0], nodes[-1]
        listed = len(nodes) > 1
        return _Place((first, last, 0 if listed else zero), nodes if listed else [])
    return _identifier(value)


def _identifier(text: str) -> _Place:
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    number = int.from_bytes(digest, "big") % TOKENS
    return _Place((number, number, 0), [], text)


def number_of(value: Any) -> Any:
    """A finite number, as int if it is whole, whatever its type; None for any other value.

    >>> number_of(2.0), number_of(2.5), number_of("2"), number_of(True)
    (2, 2.5, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    if not isfinite(value):
        return None
    return int(value) if value == int(value) else value


def value_of(corpus: Corpus, row: int) -> str:
    """A mention as text: `3-5`, an empty node as `7.1`, `1,4,7.1`, or its identifier."""
    if corpus.identifiers and (identifier := corpus.identifiers.text(row)):
        return identifier
    nodes = corpus.nodes.at(row) if corpus.nodes else None
    if nodes is None:
        zero = int(corpus.zero[row]) if corpus.zero is not None else 0
        start, end = int(corpus.start[row]), int(corpus.end[row])
        return f"{start}.{zero}" if zero else f"{start}-{end}"
    return ",".join(f"{token}.{zero}" if zero else str(token) for token, zero in nodes)


def corpus_of_values(document: Column, placed: PlacedValues, label: Column) -> Corpus:
    """A corpus from columns with a row per mention; labels are separate in each document."""
    entities = distinct(document.code * max(len(label.values), 1) + label.code)
    return Corpus(
        names=document.values,
        tokens=np.full(len(document.values), -1, dtype=np.int64),
        document=document.code,
        start=placed.start,
        end=placed.end,
        entity=entities.inverse,
        labels=tuple(label.values[code] for code in label.code[entities.first].tolist()),
        zero=placed.zero,
        nodes=placed.nodes,
        identifiers=placed.identifiers,
    )


def as_one_table(corpus: Corpus) -> Corpus:
    """The corpus of several files as one table: a document or entity may continue in the next."""
    document, label = Column.of(corpus.names), Column.of(corpus.labels)
    if len(document.values) == len(corpus.names) or (corpus.tokens >= 0).any():
        return corpus
    whole = corpus_of_values(
        Column(document.code[corpus.document], document.values),
        PlacedValues(corpus.start, corpus.end, corpus.zero, corpus.nodes, corpus.identifiers),
        Column(label.code[corpus.entity], label.values),
    )
    source = replace(corpus.sources[0], documents=len(whole.names))
    begin = np.zeros(len(whole.names), dtype=np.int64)
    return replace(whole, sources=(source,), document_byte=begin, incidents=corpus.incidents)

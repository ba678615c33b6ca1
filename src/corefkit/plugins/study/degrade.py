"""Responses with known errors: a key with entities split and merged, and mentions changed.

Random numbers are hashes of the seed, the document, the operation and the mention. So the result is
the same on every machine and for every order of documents, and the mentions affected at a low rate
are among those affected at a higher one.

>>> from corefkit.core.corpus import Corpus
>>> key = Corpus.from_clusters({"d": [[(0, 0), (2, 2), (4, 4)], [(1, 1), (5, 5)]]})
>>> degraded = degrade(key, split="40%", seed=2)
>>> degraded.corpus.clusters()
{'d': [[(0, 0), (2, 2), (4, 4)], [(1, 1)], [(5, 5)]]}
>>> degraded.errors
(KnownError(operation='split', document='d', start='1', end='1', became='cut before 5-5'),)
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.corpus import ABSENT, BEFORE_SENTENCE, Corpus
from corefkit.core.incidents import DataError
from corefkit.core.links import Links
from corefkit.core.mention_columns import NONE, MentionLabels
from corefkit.core.nodes import (
    Node,
    distinct_spans,
    ends_of,
    is_irregular,
    node_order,
    nodes_of,
    zero_numbers,
)
from corefkit.core.options import UsageError, choose
from corefkit.core.tokens import sentence_numbers
from corefkit.features.entity_labels import entity_types
from corefkit.formats import read
from corefkit.plugins.study.known_errors import (
    INVENTED,
    OPERATIONS,
    DegradedDocument,
    KeptEntity,
    KeyDocument,
    KnownError,
    MovableMention,
)

SEED = 1
"""The default seed."""

Rate = str | float | Fraction | Decimal
"""A rate, as a number or a text: 0.05, "0.05" or "5%"."""


class Degraded(NamedTuple):
    """A corpus with known errors, and the list of these errors."""

    corpus: Corpus
    errors: tuple[KnownError, ...]


def degrade(  # noqa: PLR0913 (one parameter per operation)
    key: "Corpus | str | PathLike[str]",
    *,
    split: Rate = 0,
    merge: Rate = 0,
    drop: Rate = 0,
    span: Rate = 0,
    invent: Rate = 0,
    seed: int = SEED,
) -> Degraded:
    """The key, a path or a Corpus, with errors at these rates: numbers from 0 to 1, or "5%".

    Entities are split, then merged; then mentions are dropped, moved and invented. Repeated spans
    of the key are removed first, as for scoring. Words and all other columns are unchanged.

    Raises UsageError for an invalid rate.
    """
    given = {"split": split, "merge": merge, "drop": drop, "span": span, "invent": invent}
    rates = {name: parse_rate(rate, name) for name, rate in given.items()}
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(f"seed must be a whole number, not {seed!r:.60}")
    distinct = distinct_spans(key if isinstance(key, Corpus) else read(key))
    results = [DegradedDocument(document, rates, seed) for document in _KeyDocuments(distinct)]
    errors = tuple(error for result in results for error in result.errors)
    return Degraded(_assemble(distinct, results), errors)


def parse_rate(rate: Rate, name: str = "rate") -> Fraction:
    """A rate as an exact fraction; UsageError where it is not a number from 0 to 1.

    >>> parse_rate("5%"), parse_rate(0.3)
    (Fraction(1, 20), Fraction(3, 10))
    """
    text = str(rate).strip()
    message = f"{name}: {text!r:.60} is not a rate from 0 to 1, such as 0.05 or 5%"
    if isinstance(rate, Fraction):
        value = rate
    else:
        try:
            number = Decimal(text.removesuffix("%"))
        except InvalidOperation:
            raise UsageError(message) from None
        if not number.is_finite() or number.adjusted() < -100:
            raise UsageError(message)
        value = Fraction(number) / (100 if text.endswith("%") else 1)
    if not 0 <= value <= 1:
        raise UsageError(message)
    return value


def parse_errors(text: str) -> dict[str, Any]:
    """The rates in a text such as "drop 10% span 0.05", as keywords of `degrade`.

    >>> parse_errors("drop 10%")
    {'drop': '10%'}
    """
    words = text.replace(",", " ").split()
    rates: dict[str, Any] = dict(zip(words[::2], words[1::2], strict=False))
    if not rates or 2 * len(rates) != len(words):
        raise UsageError(f"{text!r:.60} is not of the form 'OPERATION RATE', e.g. 'drop 10%'")
    for operation, rate in rates.items():
        choose("operation", operation, OPERATIONS)
        parse_rate(rate, operation)
    return rates


class _KeyDocuments:
    """Iterates over the documents of a corpus in the form in which errors are made."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._sentences = _sentences(corpus)

    def __iter__(self) -> Iterator[KeyDocument]:
        corpus = self._corpus
        order = corpus.text_order if corpus.plain else _order(corpus)
        first, first_zero, last, last_zero = (column.tolist() for column in ends_of(corpus))
        entity = corpus.entity.tolist()
        irregular = is_irregular(corpus).tolist()
        fixed = (is_irregular(corpus) | (zero_numbers(corpus) > 0)).tolist()
        lengths = corpus.lengths.tolist()
        referring = corpus.referring
        left_out = set() if referring is None else {*np.flatnonzero(~referring).tolist()}
        begin = 0
        for number, rows in enumerate(corpus.rows_of_documents(order)):
            mentions, entities = [], dict[int, list[MovableMention]]()
            for row in rows.tolist():
                if row in left_out:
                    continue
                ends = (first[row], first_zero[row]), (last[row], last_zero[row])
                name = "\t".join(map(_shown, ends))
                nodes = frozenset(nodes_of(corpus, row)) if irregular[row] else None
                mention = MovableMention(row, *ends, name, movable=not fixed[row], nodes=nodes)
                mentions.append(mention)
                entities.setdefault(entity[row], []).append(mention)
            kept = [KeptEntity(members, origin, origin) for origin, members in entities.items()]
            yield KeyDocument(
                number,
                corpus.names[number],
                lengths[number],
                mentions,
                kept,
                self._sentence_in(begin),
            )
            begin += max(int(corpus.tokens[number]), 0)

    def _sentence_in(self, begin: int) -> Callable[[int], int]:
        """A function from tokens of a document to sentences that moved spans must not leave."""
        sentences = self._sentences
        return (lambda token: 0) if sentences is None else lambda token: sentences[begin + token]


def _sentences(corpus: Corpus) -> list[int] | None:
    """The sentence of every token, if the format requires mentions to stay within sentences."""
    if all(source.nodes() is None for source in corpus.sources):
        return None
    try:
        numbers: list[int] = sentence_numbers(corpus).tolist()
    except DataError:
        return None
    return numbers


def _order(corpus: Corpus) -> IntArray:
    """Text order of a corpus with empty nodes or parts: by first node, longer mentions first."""
    first, first_zero, last, last_zero = ends_of(corpus)
    usual = node_order(corpus)
    rank = np.empty_like(usual)
    rank[usual] = np.arange(len(usual))
    return np.lexsort((rank, -last_zero, -last, first_zero, first, corpus.document))


def _shown(node: Node) -> str:
    token, zero = node
    return f"{token}.{zero % BEFORE_SENTENCE}" if zero else str(token)


class _Placed(NamedTuple):
    """A mention with the sort key of its row and the number of its entity."""

    order: tuple[int, ...]
    mention: MovableMention
    entity: int


def _assemble(key: Corpus, results: Sequence[DegradedDocument]) -> Corpus:
    """The corpus with the mentions and entities of all documents, in the order of a reader."""
    placed: list[_Placed] = []
    origins: list[tuple[int, int]] = []
    kinds: list[int] = []
    for result in results:
        number = result.document.number
        for entity in result.entities:
            for mention in entity.mentions:
                order = number, *mention.last, -mention.first[0], mention.row
                placed.append(_Placed(order, mention, len(origins)))
            origins.append((number, entity.origin))
            kinds.append(entity.kind)
    placed.sort(key=lambda placed_mention: placed_mention.order)
    kept = [p for p in placed if p.mention.row >= 0]
    new = [p for p in placed if p.mention.row == INVENTED]
    rows = np.array([p.mention.row for p in kept], dtype=np.int64)
    entity_of = np.array([p.entity for p in kept], dtype=np.int64)
    if key.referring is not None:  # Non-referring mentions are unchanged.
        silent = np.flatnonzero(~key.referring)
        origins += [(int(key.document[row]), int(key.entity[row])) for row in silent.tolist()]
        entity_of = np.append(entity_of, len(origins) - len(silent) + np.arange(len(silent)))
        rows = np.append(rows, silent)
    moved = np.full(key.entities, -1, dtype=np.int64)
    moved[key.entity[rows[::-1]]] = entity_of[::-1]
    taken = replace(key.take(rows), links=None, incidents=())
    links = key.links and _without_loops(key.links.take(rows, key.mentions, moved), entity_of)
    silent_kinds = [int(key.entity[row]) for row in rows[len(kept) :].tolist()]
    kept_kinds, new_kinds = ([kinds[p.entity] for p in mentions] for mentions in (kept, new))
    labels = _mention_labels(key, rows, [*kept_kinds, *silent_kinds], new_kinds)
    corpus = replace(taken, entity=entity_of, labels=_labels(key, origins), links=links)
    return replace(_with_invented(_with_spans(corpus, kept), new), mention_labels=labels)


def _mention_labels(
    key: Corpus, rows: IntArray, kinds: Sequence[int], new: Sequence[int]
) -> MentionLabels | None:
    """The labels of the mentions in `rows`, followed by those of invented mentions.

    `kinds` and `new` have the entity of the key whose type each mention gets. An entity has one
    etype (CorefUD), so mentions that joined an entity, and invented ones, get its type. Other
    labels stay with their mentions.
    """
    added = len(new)
    columns = {}
    if key.mention_labels is not None:
        kept = key.mention_labels.take(rows).columns
        columns = {name: [*column.to_list(), *[NONE] * added] for name, column in kept.items()}
    types = entity_types(key)
    if types is not None and key.mention_labels is not None:
        of_entity = [types.values[code] if code >= 0 else NONE for code in types.code.tolist()]
        of_mention = key.mention_labels.values("etype")
        moved = zip(rows.tolist(), key.entity[rows].tolist(), kinds, strict=True)
        columns["etype"] = [
            of_mention[row] if entity == kind else of_entity[kind] for row, entity, kind in moved
        ]
        columns["etype"] += [of_entity[kind] if kind >= 0 else NONE for kind in new]
    return MentionLabels.of(columns)


def _without_loops(links: Links | None, entity: IntArray) -> Links | None:
    """The links except those that lead from an entity to itself after merging.

    `entity` (mentions,) has the entity of each mention.
    """
    if links is None:
        return None
    ends = links.ends_in(entity)
    loop = ends[0] == ends[1]
    if not loop.any():
        return links
    kept = np.flatnonzero(~loop)
    label = tuple(links.label[number] for number in kept.tolist())
    return Links(links.kind[kept], links.source[kept], links.target[kept], label)


def _with_spans(corpus: Corpus, kept: Sequence[_Placed]) -> Corpus:
    """The corpus with moved spans.

    A head outside its new span becomes the first token; such a minimum span is removed.
    """
    start, end = corpus.start.copy(), corpus.end.copy()
    head = None if corpus.head is None else corpus.head.copy()
    minimum = None if corpus.minimum is None else corpus.minimum.copy()
    for row, (_, mention, _) in enumerate(kept):
        (first, _), (last, _) = mention.first, mention.last
        if not mention.movable or (first == start[row] and last == end[row]):
            continue
        start[row], end[row] = first, last
        if head is not None and head[row] >= 0 and not first <= head[row] <= last:
            head[row] = first
        if minimum is not None and not first <= minimum[row, 0] <= minimum[row, 1] <= last:
            minimum[row] = -1
    return replace(corpus, start=start, end=end, head=head, minimum=minimum)


def _with_invented(corpus: Corpus, new: Sequence[_Placed]) -> Corpus:
    """The corpus with invented mentions of one token, which is their head, after all others."""
    if not new:
        return corpus
    token = np.array([p.mention.first[0] for p in new], dtype=np.int64)
    document = np.array([p.order[0] for p in new], dtype=np.int64)
    entity = np.array([p.entity for p in new], dtype=np.int64)
    added: dict[str, Any] = {"document": document, "start": token, "end": token, "entity": entity}
    absent: dict[str, Any] = {**ABSENT, "head": token, "byte": -1, "line": 0}
    for name, value in absent.items():
        column = getattr(corpus, name)
        if column is not None and len(column) == corpus.mentions:
            shape = (2, len(new)) if name == "minimum" else (len(new),)
            added[name] = np.broadcast_to(value, shape).T.astype(column.dtype)
    columns: dict[str, Any] = {
        name: np.concatenate((getattr(corpus, name), values)) for name, values in added.items()
    }
    return replace(corpus, **columns)


_NUMBERED = re.compile(r"(\D*)(\d{1,15})")


def _labels(key: Corpus, origins: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """The ids of entities, each given by its document and its entity of the key (−1: a new one).

    New ids continue the numbers of the key: those of the document if documents reuse ids, otherwise
    those of the whole corpus.
    """
    reused = len(set(key.labels)) < key.entities
    scope = key.entity_document.tolist() if reused else [0] * key.entities
    prefixes: dict[int, str] = {}
    last: dict[int, int] = {}
    for label, number in zip(key.labels, scope, strict=True):
        if match := _NUMBERED.fullmatch(label):
            prefixes.setdefault(number, match[1])
            last[number] = max(last.get(number, 0), int(match[2]))
    labels = []
    for document, origin in origins:
        if origin >= 0:
            labels.append(key.labels[origin])
            continue
        number = document if reused else 0
        last[number] = last.get(number, 0) + 1
        labels.append(f"{prefixes.get(number, 'e')}{last[number]}")
    return tuple(labels)

"""Mentions as sets of nodes: their size, intersection, order and identity.

A node is a surface token or an empty node. This module also finds mentions that repeat a span, and
mentions of one entity that cross.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Literal

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray, among, distinct, ranks_of, tuples
from corefkit.core.corpus import BEFORE_SENTENCE, Corpus, Span
from corefkit.core.incidents import Collector, Incident, Severity

_LARGEST = 2**63 - 1

Node = tuple[int, int]
"""A surface token and 0, or the token before an empty node and its number."""


def zero_numbers(corpus: Corpus) -> IntArray:
    """int64 (mentions,): the number of the empty node that each mention is; 0 for all others."""
    return corpus.zero if corpus.zero is not None else np.zeros_like(corpus.start)


def is_irregular(corpus: Corpus) -> BoolArray:
    """bool (mentions,): mentions that are neither one run of surface tokens nor one empty node."""
    irregular = np.zeros(corpus.mentions, dtype=bool)
    if corpus.nodes is not None:
        irregular[corpus.nodes.row] = True
    return irregular


def is_zero(corpus: Corpus) -> BoolArray:
    """bool (mentions,): mentions whose head is an empty node.

    A mention whose head is not known counts if it is a single empty node.
    """
    alone = zero_numbers(corpus) > 0
    if corpus.head is None or corpus.head_zero is None:
        return alone
    return np.where(corpus.head == -2, alone, corpus.head_zero > 0)


def sizes(corpus: Corpus) -> IntArray:
    """int64 (mentions,): the number of nodes of each mention."""
    size = corpus.end - corpus.start + 1
    if corpus.zero is not None:
        size[corpus.zero > 0] = 1
    if corpus.nodes is not None:
        size[corpus.nodes.row] = np.diff(corpus.nodes.first)
    return size


def nodes_listed(corpus: Corpus, row: int) -> list[Node]:
    """The nodes of an irregular mention (see `is_irregular`); [] for any other mention."""
    return (corpus.nodes.at(row) if corpus.nodes is not None else None) or []


def nodes_of(corpus: Corpus, row: int) -> list[Node]:
    """The nodes of one mention, in order."""
    if listed := nodes_listed(corpus, row):
        return listed
    start = int(corpus.start[row])
    if corpus.zero is not None and corpus.zero[row]:
        return [(start, int(corpus.zero[row]))]
    return [(token, 0) for token in range(start, int(corpus.end[row]) + 1)]


def node_runs(corpus: Corpus, row: int) -> list[tuple[Node, Node]]:
    """The first and last node of each run of tokens in a mention; an empty node is its own run.

    The time depends on the length of the list of nodes, if there is one, not on that of the span.
    """
    listed = nodes_listed(corpus, row)
    if not listed:
        zero = 0 if corpus.zero is None else int(corpus.zero[row])
        return [((int(corpus.start[row]), zero), (int(corpus.end[row]), zero))]
    runs = [(listed[0], listed[0])]
    for node in listed[1:]:
        first, last = runs[-1]
        if last[1] or node != (last[0] + 1, 0):
            runs.append((node, node))
        else:
            runs[-1] = (first, node)
    return runs


def common_nodes(
    key: Corpus, response: Corpus, key_rows: IntArray, response_rows: IntArray
) -> IntArray:
    """int64 (pairs,): |K ∩ R| of pairs of mentions of the same document.

    `key_rows` and `response_rows`, int64 (pairs,), are rows of the key and of the response.
    """
    low = np.maximum(key.start[key_rows], response.start[response_rows])
    high = np.minimum(key.end[key_rows], response.end[response_rows])
    common: IntArray = np.maximum(high - low + 1, 0)
    if key.plain and response.plain:
        return common
    key_zero, response_zero = zero_numbers(key)[key_rows], zero_numbers(response)[response_rows]
    same = (key_zero == response_zero) & (key.start[key_rows] == response.start[response_rows])
    common = np.where((key_zero > 0) | (response_zero > 0), same.astype(np.int64), common)
    irregular = np.flatnonzero(is_irregular(key)[key_rows] | is_irregular(response)[response_rows])
    left: dict[int, set[Node]] = {}
    right: dict[int, set[Node]] = {}
    for at in irregular.tolist():
        k, r = int(key_rows[at]), int(response_rows[at])
        if k not in left:
            left[k] = set(nodes_of(key, k))
        if r not in right:
            right[r] = set(nodes_of(response, r))
        common[at] = len(left[k] & right[r])
    return common


def ends_of(corpus: Corpus) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Four columns, int64 (mentions,): token and zero of the first node, then of the last node."""
    zero = zero_numbers(corpus)
    columns = corpus.start.copy(), zero.copy(), corpus.end.copy(), zero.copy()
    if corpus.nodes is not None:
        nodes = corpus.nodes
        first, last = nodes.first[:-1], nodes.first[1:] - 1
        columns[0][nodes.row], columns[1][nodes.row] = nodes.token[first], nodes.zero[first]
        columns[2][nodes.row], columns[3][nodes.row] = nodes.token[last], nodes.zero[last]
    return columns


def node_order(corpus: Corpus) -> IntArray:
    """The rows sorted by document, first node, last node, number of nodes, list of nodes, head."""
    first, first_zero, last, last_zero = ends_of(corpus)
    head, head_zero = head_columns(corpus)
    shape = [corpus.document, first, first_zero, last, last_zero, sizes(corpus)]
    order = np.lexsort((head_zero, head, *reversed(shape)))
    if corpus.nodes is None:
        return order
    equal = np.ones(max(len(order) - 1, 0), dtype=bool)
    for column in shape:
        equal &= column[order[1:]] == column[order[:-1]]
    irregular = is_irregular(corpus)[order]
    bounds = np.concatenate(([0], np.flatnonzero(~equal) + 1, [len(order)]))
    several = np.flatnonzero(np.diff(bounds) > 1)
    for begin, end in zip(bounds[several].tolist(), bounds[several + 1].tolist(), strict=True):
        if irregular[begin:end].any():
            rows = order[begin:end].tolist()
            rows.sort(key=lambda row: (nodes_of(corpus, row), int(head[row]), int(head_zero[row])))
            order[begin:end] = rows
    return order


def reading_order(corpus: Corpus) -> IntArray:
    """The rows sorted by document and start, longer mentions first, then as in `node_order`.

    Unlike `Corpus.text_order`, this order does not depend on that of the brackets, even if
    discontinuous mentions have the same hull.
    """
    if corpus.nodes is None:
        return corpus.text_order
    fine, zero = ranks_of(node_order(corpus)), zero_numbers(corpus)
    return np.lexsort((fine, -corpus.end, zero, corpus.start, corpus.document))


def head_columns(corpus: Corpus) -> tuple[IntArray, IntArray]:
    """Two columns, int64 (mentions,): token and zero of each head; −2 and 0 if it is unknown."""
    unknown = np.full(corpus.mentions, -2, dtype=np.int64)
    head = corpus.head if corpus.head is not None else unknown
    zero = corpus.head_zero if corpus.head_zero is not None else np.zeros_like(head)
    return head, zero


def number_rows(columns: Sequence[IntArray]) -> IntArray:
    """int64 (rows,): one number per row of these columns, equal for equal rows.

    >>> number_rows([np.array([0, 0, 4]), np.array([-1, -1, 7])]).tolist()
    [0, 0, 44]
    """
    codes = np.zeros_like(columns[0])
    for column in map(_narrow, columns):
        digit = column - column.min(initial=0)
        if (int(codes.max(initial=0)) + 1) * (int(digit.max(initial=0)) + 1) > _LARGEST:
            # Offsets from Python may be arbitrarily large: they are replaced by ranks.
            codes, digit = distinct(codes).inverse, distinct(digit).inverse
        codes = codes * (int(digit.max(initial=0)) + 1) + digit
    return codes


def _narrow(column: IntArray) -> IntArray:
    """The column with the gap below BEFORE_SENTENCE closed, so that its range is narrower."""
    high = column >= BEFORE_SENTENCE
    if not high.any():
        return column
    gap = BEFORE_SENTENCE - int(column[~high].max(initial=0)) - 1
    return np.where(high, column - gap, column)


def mention_codes(*corpora: Corpus, heads: bool = False) -> list[IntArray]:
    """For each corpus, int64 (mentions,): one number per mention, equal for equal nodes.

    The number of a mention is made of its document and span, of the number of its empty node and,
    for irregular mentions, of one number per distinct list of nodes. With `heads`, mentions with
    different heads differ, too.
    """
    digits = [
        np.concatenate([getattr(c, name) for c in corpora]) for name in ("document", "start", "end")
    ]
    if any(not c.plain for c in corpora):
        digits += [np.concatenate([zero_numbers(c) for c in corpora]), _list_numbers(corpora)]
    if heads:
        columns = [head_columns(c) for c in corpora]
        digits += [np.concatenate([pair[part] for pair in columns]) for part in (0, 1)]
    return np.split(number_rows(digits), np.cumsum([c.mentions for c in corpora])[:-1])


def _list_numbers(corpora: tuple[Corpus, ...]) -> IntArray:
    """int64 (mentions of all corpora,): a number from 1 per distinct list of nodes, or 0."""
    numbers: dict[tuple[tuple[int, int], ...], int] = {}
    code = np.zeros(sum(c.mentions for c in corpora), dtype=np.int64)
    before = 0
    for corpus in corpora:
        for row, nodes in corpus.nodes or ():
            code[before + row] = numbers.setdefault(tuple(nodes), len(numbers) + 1)
        before += corpus.mentions
    return code


Identity = tuple[int, int, int, int, tuple[tuple[int, int], ...]]
"""Document, start, end, number of the empty node, and the nodes of an irregular mention."""


def repeated_spans(corpus: Corpus) -> BoolArray:
    """bool (mentions,): mentions whose span another mention of the document has, too.

    In a corpus with empty nodes or lists of nodes, mentions with the same nodes have the same span.
    """
    if not corpus.plain:
        spans = distinct(mention_codes(corpus)[0])
        return spans.counts[spans.inverse] > 1
    order = corpus.text_order
    same = np.ones(max(corpus.mentions - 1, 0), dtype=bool)
    for column in (corpus.document, corpus.start, corpus.end):
        same &= np.diff(column[order]) == 0
    repeated = np.zeros(corpus.mentions, dtype=bool)
    repeated[order[1:]] |= same
    repeated[order[:-1]] |= same
    return repeated


def crossing_mentions(corpus: Corpus, severity: Severity = "error") -> list[Incident]:
    """One incident for each mention that crosses another one of its entity.

    Two mentions cross if they overlap and neither contains the other. Formats with brackets cannot
    express this, because brackets with the same id nest; formats with numeric spans can.
    """
    if not corpus.plain:
        corpus = corpus.take(~is_irregular(corpus) & (zero_numbers(corpus) == 0))
    collector = Collector(corpus.path)
    rows = _overlapping(corpus)
    last_entity, open_spans = -1, list[Span]()
    columns = corpus.entity[rows], corpus.start[rows], corpus.end[rows]
    for row, entity, start, end in tuples(rows, *columns):
        if entity != last_entity:
            last_entity, open_spans = entity, []
        while open_spans and open_spans[-1][1] < start:
            open_spans.pop()
        if open_spans and end > open_spans[-1][1]:
            collector.note(
                "mentions-cross",
                severity=severity,
                at=partial(corpus.mention_place, row),
                found=f"the spans {open_spans[-1]} and {(start, end)}",
                expected="mentions of one entity apart or one inside the other",
            )
        else:
            open_spans.append((start, end))
    return list(collector)


def _overlapping(corpus: Corpus) -> IntArray:
    """The rows of entities with overlapping mentions, sorted by entity and position."""
    order = np.lexsort((-corpus.end, corpus.start, corpus.entity))
    entity, start, end = (c[order] for c in (corpus.entity, corpus.start, corpus.end))
    size = int(end.max(initial=0)) + 2
    if size * (corpus.entities + 1) >= 1 << 62:
        return order
    reach = np.maximum.accumulate(entity * size + end + 1)
    overlap = entity[1:] * size + start[1:] + 1 <= reach[:-1]
    concerned = np.isin(entity, np.unique(entity[1:][overlap]))
    rows: IntArray = order[concerned]
    return rows


CopyOrder = Literal["first", "listed"]
"""Which copy of a span stays: the first in the text, or the first that is listed."""


def distinct_spans(corpus: Corpus) -> Corpus:
    """The corpus with the first copy of each span in the text (see `kept_copies`)."""
    repeated = repeated_spans(corpus)
    return corpus.take(kept_copies(corpus, repeated)) if repeated.any() else corpus


def kept_copies(corpus: Corpus, repeated: BoolArray, order: CopyOrder = "first") -> BoolArray:
    """bool (mentions,): all mentions but the later copies of `repeated` spans, in an order.

    "first": by the text, independently of ids and brackets. Each entity of a document, without
    copies within it, is a list of spans in text order; these lists are sorted, a list before its
    extensions. "listed": by the lists of a corpus made in Python; in a file, by the first brackets
    of entities.
    """
    kept = ~repeated
    seen: set[Identity] = set()
    for row in (_in_text if order == "first" else _as_listed)(corpus, repeated):
        span = span_of(corpus, row)
        kept[row] = span not in seen
        seen.add(span)
    return kept


def _in_text(corpus: Corpus, repeated: BoolArray) -> Iterator[int]:
    """The mentions of documents that repeat a span, entity by entity."""
    rows_of: dict[int, list[int]] = {}
    concerned = among(corpus.document, corpus.document[repeated])
    in_order = corpus.text_order[concerned[corpus.text_order]]
    for row, entity in tuples(in_order, corpus.entity[in_order]):
        rows_of.setdefault(entity, []).append(row)
    sort_key_of = _longer_first(corpus, in_order)
    opened = corpus.byte if len(corpus.byte) == corpus.mentions else np.zeros_like(corpus.start)
    for rows in rows_of.values():
        # Among copies in one entity, the one that was opened first is kept: rows are in the order
        # of their closing brackets. Lists of nodes with the same hull are not sorted yet, either.
        if len(rows) > 1:
            rows.sort(key=lambda row: (sort_key_of[row], int(opened[row])))

    def sort_key(entity: int) -> tuple[int, list[tuple[object, ...]]]:
        spans = dict.fromkeys(sort_key_of[row] for row in rows_of[entity])
        return int(corpus.entity_document[entity]), list(spans)

    for entity in sorted(rows_of, key=sort_key):
        yield from rows_of[entity]


def _as_listed(corpus: Corpus, repeated: BoolArray) -> Iterator[int]:
    """The repeated mentions, entity by entity."""
    listed = np.arange(corpus.entities)
    if corpus.sources:
        listed = np.full(corpus.entities, np.iinfo(np.int64).max)
        np.minimum.at(listed, corpus.entity, corpus.byte)
    rows = np.flatnonzero(repeated)
    yield from rows[np.lexsort((rows, listed[corpus.entity[rows]]))].tolist()


def _longer_first(corpus: Corpus, rows: IntArray) -> dict[int, tuple[object, ...]]:
    """The sort key of each of these mentions: its beginning, then longer mentions first.

    Identifiers come last, in the order of their texts.
    """
    if corpus.plain and corpus.identifiers is None:
        spans = tuples(corpus.start[rows], -corpus.end[rows])
        return dict(zip(rows.tolist(), spans, strict=True))
    return {row: _place_in_text(corpus, row) for row in rows.tolist()}


def _place_in_text(corpus: Corpus, row: int) -> tuple[object, ...]:
    if corpus.identifiers is not None and (identifier := corpus.identifiers.text(row)):
        return 1 << 62, 0, identifier
    start, end = int(corpus.start[row]), int(corpus.end[row])
    if corpus.plain:
        return start, -end
    nodes = nodes_of(corpus, row)
    last, zero = nodes[-1]
    return *nodes[0], -last, -zero, -len(nodes), tuple(nodes)


def span_of(corpus: Corpus, row: int) -> Identity:
    """The document and the nodes of a mention, as a key for dictionaries."""
    nodes = corpus.nodes.at(row) if corpus.nodes else None
    zero = int(corpus.zero[row]) if corpus.zero is not None else 0
    span = int(corpus.start[row]), int(corpus.end[row])
    return int(corpus.document[row]), *span, zero, tuple(nodes or ())

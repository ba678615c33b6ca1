"""What can be said of the spans of one corpus: which are repeated, which cross."""

import numpy as np

from corefkit.data.arrays import BoolArray, IntArray, among, distinct, tuples
from corefkit.data.corpus import Corpus, Span
from corefkit.data.incidents import Collector, Incident, Severity
from corefkit.data.matching.exact import mention_codes
from corefkit.data.matching.nodes import is_irregular, nodes_of, zero_numbers

Identity = tuple[int, int, int, int, tuple[tuple[int, int], ...]]
"""Document, start, end, the number of an empty node, and the nodes where they are listed."""


def repeated_spans(corpus: Corpus) -> BoolArray:
    """bool (mentions,): the mentions whose span another mention of the document has too.

    Where there are empty nodes or parts, the same span means the same nodes.
    """
    if not corpus.plain:
        found = distinct(mention_codes(corpus)[0])
        return found.counts[found.inverse] > 1
    order = corpus.text_order
    same = np.ones(max(corpus.mentions - 1, 0), dtype=bool)
    for column in (corpus.document, corpus.start, corpus.end):
        same &= np.diff(column[order]) == 0
    repeated = np.zeros(corpus.mentions, dtype=bool)
    repeated[order[1:]] |= same
    repeated[order[:-1]] |= same
    return repeated


def crossing_mentions(corpus: Corpus, severity: Severity = "error") -> list[Incident]:
    """Mentions of one entity that overlap without one being inside the other.

    No columns can say this, because brackets of one id nest; spans of numbers can.
    """
    if not corpus.plain:
        corpus = corpus.take(~is_irregular(corpus) & (zero_numbers(corpus) == 0))
    found = Collector(corpus.path)
    rows = _overlapping(corpus)
    before, open_ends = -1, list[Span]()
    columns = corpus.entity[rows], corpus.start[rows], corpus.end[rows]
    for row, entity, start, end in tuples(rows, *columns):
        if entity != before:
            before, open_ends = entity, []
        while open_ends and open_ends[-1][1] < start:
            open_ends.pop()
        if open_ends and end > open_ends[-1][1]:
            found.note(
                "mentions-cross",
                severity=severity,
                **corpus.mention_place(row),
                found=f"the spans {open_ends[-1]} and {(start, end)}",
                expected="mentions of one entity apart or one inside the other",
            )
        else:
            open_ends.append((start, end))
    return list(found)


def _overlapping(corpus: Corpus) -> IntArray:
    """The mentions of entities in which any two overlap, by entity and in text order."""
    order = np.lexsort((-corpus.end, corpus.start, corpus.entity))
    entity, start, end = (c[order] for c in (corpus.entity, corpus.start, corpus.end))
    size = int(end.max(initial=0)) + 2
    if size * (corpus.entities + 1) >= 1 << 62:
        return order
    reach = np.maximum.accumulate(entity * size + end + 1)
    overlap = entity[1:] * size + start[1:] + 1 <= reach[:-1]
    concerned = np.isin(entity, np.unique(entity[1:][overlap]))
    some: IntArray = order[concerned]
    return some


def distinct_spans(corpus: Corpus) -> Corpus:
    """The corpus with one copy of each span, the first."""
    repeated = repeated_spans(corpus)
    return corpus.take(first_copies(corpus, repeated)) if repeated.any() else corpus


def first_copies(corpus: Corpus, repeated: BoolArray) -> BoolArray:
    """bool (mentions,): one copy of each span, chosen without regard to ids or cells.

    Each entity of a document, rid of copies within it, is a list of spans as the text has them.
    These lists are sorted, shorter before longer where one begins the other, and the first list
    with a span keeps it.
    """
    kept = np.ones(corpus.mentions, dtype=bool)
    rows_of: dict[int, list[int]] = {}
    concerned = among(corpus.document, corpus.document[repeated])
    for row in corpus.text_order[concerned[corpus.text_order]].tolist():
        rows_of.setdefault(int(corpus.entity[row]), []).append(row)
    opened = corpus.byte if len(corpus.byte) == corpus.mentions else np.zeros_like(corpus.start)
    for rows in rows_of.values():
        # Of the copies in one entity the one opened first stays; rows are ordered by their ends,
        # and lists of nodes with the same hull stand in no order yet.
        rows.sort(key=lambda row: (_longer_first(corpus, row), int(opened[row])))

    def place(entity: int) -> tuple[int, list[tuple[object, ...]]]:
        spans = dict.fromkeys(_longer_first(corpus, row) for row in rows_of[entity])
        return int(corpus.entity_document[entity]), list(spans)

    seen: set[Identity] = set()
    for entity in sorted(rows_of, key=place):
        for row in rows_of[entity]:
            span = span_of(corpus, row)
            kept[row] = span not in seen
            seen.add(span)
    return kept


def _longer_first(corpus: Corpus, row: int) -> tuple[object, ...]:
    """What mentions are sorted by: beginning, then the longer first."""
    start, end = int(corpus.start[row]), int(corpus.end[row])
    if corpus.plain:
        return start, -end
    nodes = nodes_of(corpus, row)
    last, zero = nodes[-1]
    return *nodes[0], -last, -zero, -len(nodes), tuple(nodes)


def listed_copies(corpus: Corpus, repeated: BoolArray) -> BoolArray:
    """bool (mentions,): one copy of each span, in the entity that is listed first.

    In a corpus made in Python this is the order of its lists, as in an Evaluator; in a file the
    order of the entities' first brackets.
    """
    first = np.arange(corpus.entities)
    if corpus.sources:
        first = np.full(corpus.entities, np.iinfo(np.int64).max)
        np.minimum.at(first, corpus.entity, corpus.byte)
    rows = np.flatnonzero(repeated)
    order = rows[np.lexsort((rows, first[corpus.entity[rows]]))]
    stay: dict[Identity, int] = {}
    for row in order.tolist():
        stay.setdefault(span_of(corpus, row), row)
    kept = ~repeated
    kept[list(stay.values())] = True
    return kept


def span_of(corpus: Corpus, row: int) -> Identity:
    """The document and the nodes of a mention, for dictionaries: equal where they are the same."""
    nodes = corpus.parts.nodes(row) if corpus.parts else None
    zero = int(corpus.zero[row]) if corpus.zero is not None else 0
    span = int(corpus.start[row]), int(corpus.end[row])
    return int(corpus.document[row]), *span, zero, tuple(nodes or ())

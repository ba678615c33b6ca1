"""Marks: what is shown of each mention of key and response where a text is shown with errors."""

from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from corefkit.analysis.errors import Errors
from corefkit.analysis.types import ErrorType
from corefkit.core.arrays import IntArray, ranks_of, tuples
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.directed import tabulate
from corefkit.metrics.counting import align_entities
from corefkit.metrics.partition import CEAFE

STATES = ("both", "key", "response", "boundary", "linked")
"""What a mark says: in both, only in the key, only in the response, with wrong boundaries, and in
both but linked wrongly."""


class MarkedSpan(NamedTuple):
    """The nodes of a mention.

    Attributes:
        start, end: its first and last token.
        zero: the number of its empty node, which is after `start`, or 0.
        gaps: where it is discontinuous, its tokens, and the tokens before its empty nodes.
    """

    start: int
    end: int
    zero: int
    gaps: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    @classmethod
    def of(cls, corpus: Corpus, row: int) -> "MarkedSpan":
        """The span of a mention of a corpus."""
        zero = int(corpus.zero[row]) if corpus.zero is not None else 0
        nodes = corpus.nodes.at(row) if corpus.nodes is not None else None
        tokens, empties = (tuple(t for t, e in nodes or () if bool(e) == x) for x in (False, True))
        gaps = (tokens, empties) if nodes else None
        return cls(int(corpus.start[row]), int(corpus.end[row]), zero, gaps)


class Mark(NamedTuple):
    """A mention of a document as it is marked.

    Attributes:
        row: its row in the Joint.
        state: one of STATES.
        entities: its entity in the key and in the response, −1 for none.
        spans: its span in the key and in the response, None where that lacks it.
    """

    row: int
    state: str
    entities: tuple[int, int]
    spans: tuple[MarkedSpan | None, MarkedSpan | None]


@frozen(eq=False)
class MentionMarks:
    """What is marked in the documents of a response, and which entities are aligned."""

    errors: Errors

    def of(self, document: int) -> list[Mark]:
        """The marks of a document, in the order of its text."""
        joint = self.errors.joint
        marks = []
        for row in self._rows[document]:
            key, response = int(joint.key_entity[row]), int(joint.response_entity[row])
            spans = (
                MarkedSpan.of(joint.corpus, row) if key >= 0 else None,
                MarkedSpan.of(joint.response, int(joint.response_row[row]))
                if response >= 0
                else None,
            )
            marks.append(Mark(row, self._state(row, key, response), (key, response), spans))
        return marks

    def _state(self, row: int, key: int, response: int) -> str:
        if key < 0 or response < 0:
            return "response" if key < 0 else "key"
        if self.errors.joint.wrong_span[row]:
            return "boundary"
        return "linked" if row in self._linked_wrongly else "both"

    @cached_property
    def _rows(self) -> list[list[int]]:
        """The mentions of each document, in the order of its text."""
        joint = self.errors.joint
        order = np.lexsort((joint.rank, joint.document))
        bounds = np.searchsorted(joint.document[order], np.arange(len(joint.key.names) + 1))
        return [order[first:last].tolist() for first, last in pairwise(bounds.tolist())]

    @cached_property
    def _linked_wrongly(self) -> set[int]:
        """The mentions, as rows of the Joint, that are part of a divided or conflated error."""
        table = self.errors.table
        link_errors = np.isin(table.type[table.error], (ErrorType.CONFLATED, ErrorType.DIVIDED))
        return {*table.mention[link_errors].tolist()}

    @cached_property
    def aligned(self) -> dict[int, int]:
        """The response entity that CEAF aligns with each key entity that has one.

        Ties are decided by the order of first mentions, whatever the ids.
        """
        joint = self.errors.joint
        shared = np.flatnonzero((joint.key_entity >= 0) & (joint.response_row >= 0))
        rows = shared, joint.response_row[shared]
        orders, sides, found = [], [], []
        for corpus, matched in zip((joint.key, joint.response), rows, strict=True):
            order = _by_first_mention(corpus)
            orders.append(order)
            sides.append((corpus.entity_document[order], corpus.entity_size[order]))
            found.append(ranks_of(order)[corpus.entity[matched]])
        table = tabulate(len(joint.key.names), sides[0], sides[1], *found)
        best = table.take(align_entities(table, CEAFE))
        return dict(tuples(orders[0][best.row], orders[1][best.column]))


def _by_first_mention(corpus: Corpus) -> IntArray:
    """The entities in the order of their first mentions."""
    order = corpus.text_order
    _, first = np.unique(corpus.entity[order], return_index=True)
    return corpus.entity[order][np.sort(first)]

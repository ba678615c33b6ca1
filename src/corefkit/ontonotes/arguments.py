"""The arguments of predicates, from the columns behind the named entities."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corefkit.data.arrays import EMPTY, IntArray
from corefkit.data.columns import Column, join_columns
from corefkit.formats.conll.columns import ARGUMENTS, read_arguments
from corefkit.formats.conll.stars import Defects, Spans, find_spans

if TYPE_CHECKING:
    from corefkit.ontonotes.tokens import Tokens


@dataclass(frozen=True, eq=False)
class Arguments:
    """The arguments of all predicates, by sentence, then by column, then in text order.

    Attributes:
        spans: where they are and what they are called; the predicate itself is `V`.
        sentence: int64 (spans,), the sentence of each.
        column: int64 (spans,), in which column of arguments (from 0) of its sentence each stands.
    """

    spans: Spans
    sentence: IntArray
    column: IntArray


def find_arguments(tokens: "Tokens") -> Arguments:
    """The arguments of all sentences; DataError where lines or brackets are broken."""
    tokens.check_widths()
    parts, columns = [], []
    for number, (token, cells) in enumerate(read_arguments(tokens.corpus)):
        spans, defects = find_spans(cells, tokens.sentence[token])
        broken = (defects.malformed, defects.unopened, defects.unclosed)
        moved = Defects(*(token[place] for place in broken))
        tokens.sound("arguments", spans, moved, ARGUMENTS + number)
        parts.append((token, spans))
        columns.append(np.full(len(spans), number))
    label = join_columns([Column(EMPTY, ()), *(Column(s.label, s.labels) for _, s in parts)])
    first = np.concatenate([EMPTY, *(token[s.first] for token, s in parts)])
    last = np.concatenate([EMPTY, *(token[s.last] for token, s in parts)])
    level = np.concatenate([EMPTY, *(s.level for _, s in parts)])
    column = np.concatenate([EMPTY, *columns])
    order = np.lexsort((level, first, column, tokens.sentence[first]))
    spans = Spans(first[order], last[order], label.code[order], level[order], label.values)
    return Arguments(spans, tokens.sentence[spans.first], column[order])

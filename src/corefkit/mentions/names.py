"""Named entities: cells such as `(ORG*`, `*)`, `(GPE)` → spans with a class, all at once."""

import re
from dataclasses import dataclass

import numpy as np

from corefkit.data.arrays import EMPTY, BoolArray, IntArray
from corefkit.data.columns import Column
from corefkit.data.corpus import Corpus
from corefkit.data.incidents import DataError, Incident
from corefkit.data.source import Place
from corefkit.formats.conll.lines import find_lines

_OPENS = re.compile(r"\(([^()*|]+)")


@dataclass(frozen=True, eq=False)
class Names:
    """The annotated spans, int64 (names,), no span twice; `label` is an index into `classes`."""

    classes: tuple[str, ...]
    document: IntArray
    start: IntArray
    end: IntArray
    label: IntArray

    def over(self, document: IntArray, start: IntArray, end: IntArray) -> IntArray:
        """The class of the annotation over exactly each of these spans, −1 where there is none."""
        width = int(max(self.end.max(initial=0), end.max(initial=0))) + 1
        codes = (self.document * width + self.start) * width + self.end
        order = np.argsort(codes)
        wanted = (document * width + start) * width + end
        place = np.searchsorted(codes[order], wanted)
        codes = np.append(codes[order], -1)
        return np.where(codes[place] == wanted, np.append(self.label[order], -1)[place], -1)


def find_names(column: Column, corpus: Corpus) -> Names:
    """The named entities of all tokens; of two over the same span the outer one counts.

    Raises DataError where brackets do not pair.
    """
    opened = [_OPENS.findall(value) for value in column.values]
    closed = [value.count(")") for value in column.values]
    classes = tuple(sorted({name for names in opened for name in names}))
    number = {name: i for i, name in enumerate(classes)}
    marked = np.array([bool(o) or bool(c) for o, c in zip(opened, closed, strict=True)], dtype=bool)
    token = np.flatnonzero(marked[column.code]) if len(column.code) else EMPTY
    # Each cell unrolled: its openings by their class, then its closings as −1.
    cells = [[number[n] for n in o] + [-1] * c for o, c in zip(opened, closed, strict=True)]
    length = np.array([len(cell) for cell in cells], dtype=np.int64)
    flat = np.array([event for cell in cells for event in cell], dtype=np.int64)
    code = column.code[token]
    many = length[code]
    event_token = np.repeat(token, many)
    within = np.arange(len(event_token)) - np.repeat(np.cumsum(many) - many, many)
    event = flat[np.repeat((np.cumsum(length) - length)[code], many) + within]
    return _pair(classes, event_token, event, corpus)


def _pair(classes: tuple[str, ...], token: IntArray, event: IntArray, corpus: Corpus) -> Names:
    ends = np.cumsum(corpus.tokens)
    document = np.searchsorted(ends, token, side="right")
    opens = event >= 0
    depth = np.cumsum(np.where(opens, 1, -1))
    _check(depth, opens, token, document, corpus)
    level = np.where(opens, depth, depth + 1)
    # On one level openings and closings alternate.
    order = np.lexsort((np.arange(len(level)), level))
    first, last = order[0::2], order[1::2]
    at = document[first]
    start, end = token[first] - (ends - corpus.tokens)[at], token[last] - (ends - corpus.tokens)[at]
    # The levels stand in order, so the first of two over the same span is the outer one.
    spans = np.stack((at, start, end))
    _, kept = np.unique(spans, axis=1, return_index=True)
    return Names(classes, at[kept], start[kept], end[kept], event[first][kept])


def _check(
    depth: IntArray, opens: BoolArray, token: IntArray, document: IntArray, corpus: Corpus
) -> None:
    """Brackets pair if none closes before it opens and all are closed at the end of a document."""
    last = np.append(document[1:] != document[:-1], True) if len(document) else document > 0
    wrong = np.flatnonzero((depth < 0) | (last & (depth != 0)))
    if not len(wrong):
        return
    at = int(wrong[0])
    number, left = int(document[at]), int(depth[at])
    if left > 0:
        # The bracket that stays open is the last one before which fewer were open than in the end.
        here = (document == number) & opens & (depth <= left)
        at = int(np.flatnonzero(here)[-1])
    place = _place(corpus, int(token[at]))
    raise DataError(
        [
            Incident(
                "name-brackets",
                "error",
                "the named entities of a document do not pair",
                file=place.get("file"),
                line=place.get("line"),
                document=corpus.names[number],
                found="a bracket that is never closed" if left > 0 else "one that closes nothing",
                expected="for each opening bracket in column 11 one that closes it, in order",
                hint="correct the column; immediate and inferred do not need it",
            )
        ]
    )


def _place(corpus: Corpus, token: int) -> Place:
    """The file and the line of a token of the corpus."""
    for source in corpus.sources:
        row, _ = find_lines(source.data).tokens()
        if token < len(row):
            return Place(file=source.path, line=int(row[token]) + 1)
        token -= len(row)
    return Place()

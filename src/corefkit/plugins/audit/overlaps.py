"""All small overlaps of a key and a response, each once, and the values of metrics on them.

An overlap is a multiset of connected parts. Each part is a small table: the number of mentions that
each key entity shares with each response entity, and the number that the other side lacks.
Overlaps are made by adding a mention to smaller ones; equal ones have the same canonical form.

Where there is an exact model of a metric, the values are its fractions (a test compares the model
with the metric); other metrics count all overlaps at once.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import count, islice, permutations
from typing import Any

import numpy as np

from corefkit.core.directed import same_for_all, tabulate
from corefkit.core.options import UsageError
from corefkit.metrics import counted, get
from corefkit.metrics.base import Average, PartitionMetric
from corefkit.metrics.counting import count as count_cells
from corefkit.plugins.audit.behaviours import METRICS, Behaviour
from corefkit.scoring.shrink import SmallDocument

Component = tuple[tuple[int, ...], ...]
"""A connected part: for each pair of a key and a response entity, the mentions that they share. The
last column has the mentions of key entities that the response lacks, the last row those of response
entities that the key lacks."""

Shape = tuple[Component, ...]
"""An overlap in canonical form: its parts, in the order of `_rank`."""


def overlaps(mentions: int) -> Iterator[SmallDocument]:
    """Every overlap with this number of mentions, as a document.

    >>> [sum(1 for _ in overlaps(number)) for number in (1, 2, 3)]
    [3, 13, 48]
    """
    yield from map(as_document, shapes(mentions))


@cache
def shapes(mentions: int) -> tuple[Shape, ...]:
    """The canonical forms of all overlaps with this number of mentions, fewest entities first."""
    if mentions == 0:
        return ((),)
    grown = {larger for shape in shapes(mentions - 1) for larger in _with_another(shape)}
    return tuple(sorted(grown, key=lambda shape: (_entities(shape), [*map(_rank, shape)])))


def _entities(shape: Shape) -> int:
    return sum(len(part) + len(part[0]) - 2 for part in shape)


def _rank(part: Component) -> tuple[Any, ...]:
    """The sort key of a part: the shared mentions, those missed and those spurious."""
    return [line[:-1] for line in part[:-1]], [line[-1] for line in part[:-1]], part[-1]


def as_document(shape: Shape) -> SmallDocument:
    """An overlap as a document, whose mentions are single tokens in the order of the parts."""
    key: list[tuple[tuple[int, int], ...]] = []
    response: list[tuple[tuple[int, int], ...]] = []
    tokens = count()
    for part in shape:
        rows: list[list[tuple[int, int]]] = [[] for _ in part]
        columns: list[list[tuple[int, int]]] = [[] for _ in part[0]]
        for line, row in zip(part, rows, strict=True):
            for number, column in zip(line, columns, strict=True):
                for token in islice(tokens, number):
                    row.append((token, token))
                    column.append((token, token))
        key += map(tuple, rows[:-1])
        response += map(tuple, columns[:-1])
    return SmallDocument(tuple(key), tuple(response))


def _with_another(shape: Shape) -> Iterator[Shape]:
    """The overlaps with one more mention, in old or new entities of one side or both."""
    table = table_of(shape)
    rows, columns = len(table) - 1, len(table[0]) - 1
    # The last row and column stand for no entity, those before them for a new entity.
    wider = [[*line[:-1], 0, line[-1]] for line in table]
    wider.insert(rows, [0] * (columns + 2))
    for row in range(rows + 2):
        for column in range(columns + 2):
            if (row, column) != (rows + 1, columns + 1):
                wider[row][column] += 1
                yield canonical(wider)
                wider[row][column] -= 1


def table_of(shape: Shape) -> list[list[int]]:
    """One table of all parts; its last row and column have the mentions of one side only."""
    columns = sum(len(part[0]) - 1 for part in shape)
    table = []
    first = 0
    for part in shape:
        width = len(part[0]) - 1
        for *counts, missed in part[:-1]:
            table.append([*[0] * first, *counts, *[0] * (columns - first - width), missed])
        first += width
    return [*table, [*(number for part in shape for number in part[-1][:-1]), 0]]


def canonical(table: list[list[int]]) -> Shape:
    """The canonical form of a table; rows and columns without a mention are left out."""
    rows = {row for row, line in enumerate(table[:-1]) if any(line)}
    columns = {c for c in range(len(table[0]) - 1) if any(line[c] for line in table)}
    parts = []
    while rows or columns:
        near_rows, near_columns = _reachable(table, rows, columns)
        rows, columns = rows - {*near_rows}, columns - {*near_columns}
        lines = (table[row] for row in (*near_rows, -1))
        part = tuple(tuple(line[column] for column in (*near_columns, -1)) for line in lines)
        parts.append(_canonical_part(part))
    return tuple(sorted(parts, key=_rank))


def _reachable(
    table: list[list[int]], rows: set[int], columns: set[int]
) -> tuple[list[int], list[int]]:
    """The rows and columns connected with the first row, or the first column without rows."""
    waiting = [(min(rows), True)] if rows else [(min(columns), False)]
    reached: tuple[set[int], set[int]] = set(), set()
    while waiting:
        line, is_row = waiting.pop()
        if line in reached[not is_row]:
            continue
        reached[not is_row].add(line)
        if is_row:
            waiting += [(column, False) for column in columns if table[line][column]]
        else:
            waiting += [(row, True) for row in rows if table[row][line]]
    return sorted(reached[0]), sorted(reached[1])


@cache
def _canonical_part(part: Component) -> Component:
    """The least form over the orders of rows, with columns sorted.

    With more rows than columns, the roles of rows and columns are exchanged.
    """
    if len(part) > len(part[0]):
        return _exchanged(_canonical_part(_exchanged(part)))
    *rows, last = part
    forms = []
    for order in permutations(rows):
        *columns, missed = zip(*order, last, strict=True)
        forms.append(_exchanged((*sorted(columns), missed)))
    return min(forms, key=_rank)


def _exchanged(part: Component) -> Component:
    return tuple(zip(*part, strict=True))


MetricTriple = tuple[Any, Any, Any]
"""Recall, precision and F1; an average such as conll has only F1, the others are None."""

FLOAT_SLACK = 1e-12


class MetricValues:
    """The values of a partition metric, or of the mean F1 of several, on documents; cached.

    `exact` says whether values are fractions, from the models of the metrics, and not floats.
    UsageError where a metric is not over partitions.
    """

    def __init__(self, name: str) -> None:
        self.is_average = isinstance(get(name), Average)
        parts = [get(part) for part in counted([name])]
        self.parts = [part for part in parts if isinstance(part, PartitionMetric)]
        if len(self.parts) < len(parts):
            raise UsageError(f"{name}: only metrics over partitions have properties")
        self.exact = all(part.name in METRICS for part in self.parts)
        self.tolerance = 0 if self.exact else FLOAT_SLACK
        self._counts = cache(count_shape)
        self._values: dict[tuple[Shape, ...], MetricTriple | None] = {}

    def __call__(self, documents: tuple[Shape, ...]) -> MetricTriple | None:
        """The values of documents, with their counts added; None where a metric has no value."""
        if documents not in self._values:
            values = [self._value(part, documents) for part in self.parts]
            given = [triple for triple in values if triple is not None]
            whole = given[0] if len(given) == len(values) else None
            if self.is_average and whole is not None:
                whole = None, None, sum(f1 for _, _, f1 in given) / Fraction(len(given))
            self._values[documents] = whole
        return self._values[documents]

    def _value(self, metric: PartitionMetric, documents: tuple[Shape, ...]) -> MetricTriple | None:
        """The values of one metric."""
        if self.exact:
            return Behaviour(metric.name).predict([as_document(s) for s in documents]).values
        counts = [self._counts(metric, shape) for shape in documents]
        given = [of_shape for of_shape in counts if of_shape is not None]
        if len(given) < len(counts):
            return None
        try:
            score = metric.score([sum(column) for column in zip(*given, strict=True)])
            floats = score.recall, score.precision, score.f1
        except Exception:  # The failure of a plug-in is a finding.
            return None
        finite = all(value is None or math.isfinite(value) for value in floats)
        return floats if finite else None

    def order_matters(self, sample: Sequence[Shape]) -> Shape | None:
        """The first overlap, by metric, whose counts depend on the order of entities, if any."""
        for metric in () if self.exact else self.parts:
            for shape in sample:
                usual = self._counts(metric, shape)
                reverse = count_shape(metric, shape, reverse=True)
                if usual is None or reverse is None:
                    if usual is not reverse:
                        return shape
                elif not np.allclose(usual, reverse, rtol=0, atol=1e-9, equal_nan=True):
                    return shape
        return None


ShapeCounts = tuple[Any, ...] | None
"""The counts of a metric on an overlap; None where it fails on it."""


def count_shape(metric: PartitionMetric, shape: Shape, *, reverse: bool = False) -> ShapeCounts:
    """The counts of a metric on an overlap; `reverse`: with entities in reverse order."""
    grid = table_of(shape)
    if reverse:
        grid = [[*line[-2::-1], line[-1]] for line in (*grid[-2::-1], grid[-1])]
    shared = [
        (row, column)
        for row, line in enumerate(grid[:-1])
        for column, mentions in enumerate(line[:-1])
        for _ in range(mentions)
    ]
    key, response = (
        [(0, sum(line)) for line in lines[:-1]] for lines in (grid, [*zip(*grid, strict=True)])
    )
    try:
        table = tabulate(1, _columns(key), _columns(response), *_columns(shared))
        columns = count_cells(same_for_all(table), [metric])[metric.name]
        return tuple(np.asarray(column).item() for column in columns)
    except Exception:  # The failure of a plug-in is a finding.
        return None


def _columns(pairs: list[tuple[int, int]]) -> tuple[Any, Any]:
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return first, second

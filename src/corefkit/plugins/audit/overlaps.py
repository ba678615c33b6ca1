"""All small overlaps of a key and a response, each once, and the values of metrics on them.

An overlap is a multiset of connected parts. Each part is a small table: the number of mentions that
each key entity shares with each response entity, and the number that the other side lacks.
Overlaps are made by adding a mention to smaller ones; equal ones have the same canonical form.

Metrics of corefkit count all overlaps at once. Where there is an exact model of a metric, its
fractions replace the floats, after a check that both agree.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.directed import Directed, same_for_all, tabulate
from corefkit.core.options import UsageError
from corefkit.metrics import counted, get
from corefkit.metrics.base import Average, PartitionMetric
from corefkit.metrics.counting import count
from corefkit.plugins.audit.behaviours import METRICS, Behaviour
from corefkit.scoring.shrink import SmallDocument


class Component(NamedTuple):
    """A connected part: the mentions shared by each pair of entities, and those of one side only.

    Attributes:
        cells: the number of shared mentions, by key entity and response entity.
        missed: for each key entity, the mentions that the response lacks.
        spurious: for each response entity, the mentions that the key lacks.
    """

    cells: tuple[tuple[int, ...], ...]
    missed: tuple[int, ...]
    spurious: tuple[int, ...]


Shape = tuple[Component, ...]
"""An overlap in canonical form: its parts, sorted."""


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
    return tuple(sorted(grown, key=lambda shape: (_entities(shape), shape)))


def _entities(shape: Shape) -> int:
    return sum(len(part.missed) + len(part.spurious) for part in shape)


def shape_of(document: SmallDocument) -> Shape:
    """The canonical form of a document without copies."""
    owner = {m: number for number, entity in enumerate(document.response) for m in entity}
    table = [[0] * (len(document.response) + 1) for _ in range(len(document.key) + 1)]
    for row, entity in enumerate(document.key):
        for mention in entity:
            table[row][owner.pop(mention, -1)] += 1
    for column in owner.values():
        table[-1][column] += 1
    return canonical(table)


def as_document(shape: Shape) -> SmallDocument:
    """An overlap as a document, whose mentions are single tokens in the order of the parts."""
    key: list[tuple[tuple[int, int], ...]] = []
    response: list[tuple[tuple[int, int], ...]] = []
    token = 0
    for part in shape:
        rows: list[list[tuple[int, int]]] = [[] for _ in part.missed]
        columns: list[list[tuple[int, int]]] = [[] for _ in part.spurious]
        for row, (counts, missed) in enumerate(zip(part.cells, part.missed, strict=True)):
            for column, number in enumerate((*counts, missed)):
                for _ in range(number):
                    rows[row].append((token, token))
                    if column < len(columns):
                        columns[column].append((token, token))
                    token += 1
        for column, number in enumerate(part.spurious):
            columns[column] += [(token + step, token + step) for step in range(number)]
            token += number
        key += map(tuple, rows)
        response += map(tuple, columns)
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
    columns = sum(len(part.spurious) for part in shape)
    table = []
    first = 0
    for part in shape:
        width = len(part.spurious)
        for counts, missed in zip(part.cells, part.missed, strict=True):
            line = [0] * first + [*counts] + [0] * (columns - first - width)
            table.append([*line, missed])
        first += width
    return [*table, [*(n for part in shape for n in part.spurious), 0]]


def canonical(table: list[list[int]]) -> Shape:
    """The canonical form of a table; rows and columns without a mention are left out."""
    rows = {row for row, line in enumerate(table[:-1]) if any(line)}
    columns = {c for c in range(len(table[0]) - 1) if any(line[c] for line in table)}
    parts = []
    while rows or columns:
        near_rows, near_columns = _reachable(table, rows, columns)
        rows, columns = rows - {*near_rows}, columns - {*near_columns}
        cells = tuple(tuple(table[row][column] for column in near_columns) for row in near_rows)
        missed = tuple(table[row][-1] for row in near_rows)
        spurious = tuple(table[-1][column] for column in near_columns)
        parts.append(_canonical_part(Component(cells, missed, spurious)))
    return tuple(sorted(parts))


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
    if len(part.missed) > len(part.spurious):
        return _exchanged(_canonical_part(_exchanged(part)))
    forms = []
    for order in permutations(range(len(part.missed))):
        columns = sorted(
            (tuple(part.cells[row][column] for row in order), spurious)
            for column, spurious in enumerate(part.spurious)
        )
        cells = tuple(
            tuple(column[number] for column, _ in columns) for number in range(len(order))
        )
        missed = tuple(part.missed[row] for row in order)
        forms.append(Component(cells, missed, tuple(spurious for _, spurious in columns)))
    return min(forms)


def _exchanged(part: Component) -> Component:
    cells = tuple(
        tuple(line[column] for line in part.cells) for column in range(len(part.spurious))
    )
    return Component(cells, part.spurious, part.missed)


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
        self.exact = all(p.name in METRICS and get(p.name) is p for p in self.parts)
        self.tolerance = 0 if self.exact else FLOAT_SLACK
        self._counts: dict[Shape, list[tuple[Any, ...] | None]] = {}
        self._values: dict[tuple[Shape, ...], MetricTriple | None] = {}

    def prepare(self, shapes: Iterable[Shape]) -> None:
        """Count all these overlaps at once."""
        new = [shape for shape in dict.fromkeys(shapes) if shape not in self._counts]
        if new:
            columns = zip(*(_count(part, new) for part in self.parts), strict=True)
            self._counts.update(zip(new, map(list, columns), strict=True))

    def __call__(self, documents: tuple[Shape, ...]) -> MetricTriple | None:
        """The values of documents, with their counts added; None where a metric has no value."""
        if documents not in self._values:
            self.prepare(documents)
            counts = zip(*(self._counts[shape] for shape in documents), strict=True)
            values = [
                self._value(part, of_part, documents)
                for part, of_part in zip(self.parts, counts, strict=True)
            ]
            given = [triple for triple in values if triple is not None]
            whole = given[0] if len(given) == len(values) else None
            if self.is_average and whole is not None:
                whole = None, None, sum(f1 for _, _, f1 in given) / Fraction(len(given))
            self._values[documents] = whole
        return self._values[documents]

    def _value(
        self,
        metric: PartitionMetric,
        counts: Sequence[tuple[Any, ...] | None],
        documents: tuple[Shape, ...],
    ) -> MetricTriple | None:
        """The values of one metric, from its counts of each document."""
        given = [of_document for of_document in counts if of_document is not None]
        try:
            score = metric.score([sum(column) for column in zip(*given, strict=True)])
            floats = (score.recall, score.precision, score.f1)
        except Exception:  # The failure of a plug-in is a finding.
            return None
        finite = all(value is None or math.isfinite(value) for value in floats)
        if len(given) < len(counts) or not finite:
            return None
        if not self.exact:
            return floats
        exact = Behaviour(metric.name).predict([as_document(s) for s in documents]).values
        assert exact is not None
        assert all(abs(a - b) < 1e-9 for a, b in zip(exact, floats, strict=True) if b is not None)
        return exact

    def order_matters(self, sample: Sequence[Shape]) -> Shape | None:
        """The first overlap, by metric, whose counts depend on the order of entities, if any."""
        for metric in self.parts:
            usual, reverse = _count(metric, sample), _count(metric, sample, reverse=True)
            for shape, counts, reversed_counts in zip(sample, usual, reverse, strict=True):
                if (counts is None) != (reversed_counts is None):
                    return shape
                if counts and not np.allclose(
                    counts, reversed_counts or (), rtol=0, atol=1e-9, equal_nan=True
                ):
                    return shape
        return None


def _count(
    metric: PartitionMetric, shapes: Sequence[Shape], *, reverse: bool = False
) -> list[tuple[Any, ...] | None]:
    """The counts of a metric on each overlap; None where it fails on that overlap."""
    try:
        lookups = same_for_all(directed_table(shapes, reverse=reverse))
        columns = count(lookups, [metric])[metric.name]
        listed = [np.asarray(column).tolist() for column in columns]
        if any(len(column) != len(shapes) for column in listed):
            raise ValueError("not one number per document")
        return list(zip(*listed, strict=True))
    except Exception:  # The failure of a plug-in is a finding.
        if len(shapes) == 1:
            return [None]
        return [counted for shape in shapes for counted in _count(metric, [shape], reverse=reverse)]


def directed_table(shapes: Sequence[Shape], *, reverse: bool = False) -> Directed:
    """One table whose documents are these overlaps; `reverse`: with entities in reverse order."""
    document: tuple[list[int], list[int]] = [], []
    size: tuple[list[int], list[int]] = [], []
    key_entity: list[int] = []
    response_entity: list[int] = []
    for number, shape in enumerate(shapes):
        key, response, _ = as_document(shape)
        if reverse:
            key, response = key[::-1], response[::-1]
        owner = {m: len(size[1]) + index for index, entity in enumerate(response) for m in entity}
        for index, entity in enumerate(key, len(size[0])):
            shared = [owner[mention] for mention in entity if mention in owner]
            key_entity += [index] * len(shared)
            response_entity += shared
        for side, entities in enumerate((key, response)):
            document[side].extend([number] * len(entities))
            size[side].extend(map(len, entities))
    key_side, response_side = (
        (np.array(document[side], dtype=np.int64), np.array(size[side], dtype=np.int64))
        for side in (0, 1)
    )
    arrays = (np.array(listed, dtype=np.int64) for listed in (key_entity, response_entity))
    return tabulate(len(shapes), key_side, response_side, *arrays)

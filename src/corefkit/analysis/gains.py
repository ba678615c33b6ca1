"""Gain of a single repair: how much a metric would rise if one error alone were repaired.

A single repair moves mentions of one key entity out of a response entity or into one; nothing else
changes. So counts are corrected, not counted again. What has to be recounted depends on the metric:
for sums over pairs of entities (muc, bcub, lea, mentions) the two response entities concerned; for
CEAF the alignment, in which two columns are replaced; for all others the document.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from corefkit import metrics
from corefkit.analysis.changeable_pairing import ChangeablePairing
from corefkit.analysis.types import ErrorTable, ErrorType
from corefkit.core.arrays import (
    FloatArray,
    IntArray,
    distinct,
    starts_of_runs,
    stretches,
    sum_by,
    tuples,
)
from corefkit.core.carriers import frozen
from corefkit.core.counts import Counts
from corefkit.core.directed import Directed, tabulate
from corefkit.core.options import Options
from corefkit.core.progress import told
from corefkit.metrics.base import RATIOS, PartitionMetric
from corefkit.scorers.counting import count_table

_BY_PAIRS = ("mentions", "muc", "bcub", "lea")
"""The metrics that are sums over pairs of entities; a pair counts by its cell and its sizes."""

_CEAF = ("ceafm", "ceafe")

_ROWS = 1 << 20
"""About this many cells and entities are counted at once."""


@frozen(eq=False)
class SingleRepairs:
    """What the repair of each error alone changes, int64 (errors,) each.

    Attributes:
        key: the key entity concerned, −1 for none.
        source: the response entity that loses mentions (for a span error: that has the mention),
            −1 for none.
        target: the response entity that gains mentions, −1 for none; the number of response
            entities stands for a new one.
        source_size, target_size: by how much the sizes of the two grow.
        source_cell, target_cell: by how much the mentions that they share with `key` grow.
    """

    key: IntArray
    source: IntArray
    source_size: IntArray
    source_cell: IntArray
    target: IntArray
    target_size: IntArray
    target_cell: IntArray

    @property
    def columns(self) -> tuple[IntArray, ...]:
        """All attributes, in order."""
        source = self.source, self.source_size, self.source_cell
        return (self.key, *source, self.target, self.target_size, self.target_cell)


def single_repairs(table: ErrorTable) -> SingleRepairs:
    """The repairs of all errors, each on its own, by the rules for repairs of types."""
    key, response = table.key, table.response
    first = table.first_mention
    size = np.diff(table.first)
    shared = np.bincount(table.error[table.joint.matched[table.mention]], minlength=len(table))
    of_key, of_response = key.entity[first], response.entity[first]
    span, conflated, divided, missing_entity = (
        table.type == error_type
        for error_type in (
            ErrorType.SPAN,
            ErrorType.CONFLATED,
            ErrorType.DIVIDED,
            ErrorType.MISSING_ENTITY,
        )
    )
    joins = divided | missing_entity | (table.type == ErrorType.MISSING_MENTION)
    freed = conflated & np.append(response.freed[response.leader], False)[of_response]
    # A leading mention that the response lacks is added with the mentions that join it.
    leader = np.append(key.leader, 0)[of_key]
    lacking = joins & key.unmatched[leader]
    brought = lacking & ~missing_entity
    home = np.where(lacking, response.entities, response.entity[leader])
    arrives = np.where(divided | conflated, shared, size) + brought
    return SingleRepairs(
        key=of_key,
        source=of_response,
        source_size=np.where(span | (of_response < 0), 0, -size - freed),
        source_cell=np.where(span, 1, np.where(divided | conflated, -shared, 0)),
        target=np.where(conflated, response.entities, np.where(joins, home, -1)),
        target_size=np.where(conflated | joins, size + brought, 0),
        target_cell=np.where(conflated | joins, arrives, 0),
    )


class SingleGains:
    """How much F1 would rise if each error alone were repaired."""

    def __init__(self, table: ErrorTable, options: Options) -> None:
        """The metrics of the options must be partition metrics."""
        self._table = table
        self._options = options
        self._known: dict[str, FloatArray] = {}

    @cached_property
    def _repairs(self) -> SingleRepairs:
        return single_repairs(self._table)

    @cached_property
    def _whole(self) -> Directed:
        """The table of the key; entities are numbered as in their corpora."""
        joint = self._table.joint
        sides = (
            (joint.key.entity_document, joint.key.entity_size),
            (joint.response.entity_document, joint.response.entity_size),
        )
        matched = np.flatnonzero(joint.matched)
        entities = joint.key_entity[matched], joint.response_entity[matched]
        return tabulate(len(joint.key.names), *sides, *entities)

    def f1(self, metric: str) -> FloatArray:
        """F1 with each error alone repaired minus F1 of the response, float64 (errors,)."""
        if metric not in self._known:
            self._known[metric] = metrics.averaged(metric, self._f1)
            self._known[metric].flags.writeable = False
        return self._known[metric]

    def _f1(self, metric: str) -> FloatArray:
        countable = metrics.countable(metric, self._options)
        assert isinstance(countable, PartitionMetric)
        plain = self._options.singletons in ("keep", "drop")
        if plain and metric in _CEAF:
            change = aligned_changes(self._whole, self._repairs, entities=metric == "ceafe")
        else:
            cut = _by_response if plain and metric in _BY_PAIRS else _by_document
            change = self._counted_changes(metric, cut(self._whole, self._repairs))
        total = self._count(self._whole, metric).total(metric)
        now = np.array(total, dtype=np.float64)[:, None]
        return countable.f1(now + change) - countable.f1(now)

    def _count(self, table: Directed, metric: str) -> Counts:
        return count_table(replace(self._options, metrics=(metric,)), table)

    def _counted_changes(self, metric: str, units: "_Units") -> FloatArray:
        """By how much each column of a metric changes with each repair; (columns, errors)."""
        repairs = self._repairs
        now = np.array(self._count(units.table, metric).tables[metric], dtype=np.float64)
        changes = [np.zeros((len(now), 0))]
        for portion in told(units.portions(), "portions of single repairs"):
            then = self._count(units.repaired(repairs, portion), metric).tables[metric]
            changes.append(np.array(then, dtype=np.float64) - units.sums(now, portion))
        change = np.concatenate(changes, axis=1)
        if metrics.get(metric).columns == RATIOS:
            change[RATIOS.index("recall_denominator")] = 0  # repairs do not change the key
        return change


@frozen(eq=False)
class _Units:
    """The table of the key cut into units, so that a repair changes only one or two of them.

    Attributes:
        table: the table whose documents are the units.
        whole: the table that is cut.
        key: int64 (key entities of `table`,), the key entity of `whole` that each is a copy of.
        of_repair: int64 (1 or 2, errors), the units that each repair changes, −1 for none.
    """

    table: Directed
    whole: Directed
    key: IntArray
    of_repair: IntArray

    def portions(self) -> Iterator[IntArray]:
        """The errors in portions of about _ROWS cells and entities."""
        rows = self._cells.length + self._keys.length + self._responses.length
        load = np.append(rows, 0)[self.of_repair].sum(axis=0)
        starts = starts_of_runs(np.cumsum(load) // _ROWS)
        yield from np.split(np.arange(len(load)), starts[1:]) if len(load) else ()

    def sums(self, counts: FloatArray, errors: IntArray) -> FloatArray:
        """The total of the units that each repair changes; (columns, units) → (columns, errors)."""
        padded = np.append(counts, np.zeros((len(counts), 1)), axis=1)
        total: FloatArray = padded[:, self.of_repair[:, errors]].sum(axis=1)
        return total

    def repaired(self, repairs: SingleRepairs, errors: IntArray) -> Directed:
        """A table with one document per error: the units of the error, with it repaired."""
        whole, unit = self.whole, self.of_repair[:, errors]
        variant = np.broadcast_to(np.arange(len(errors), dtype=np.int64), unit.shape)[unit >= 0]
        unit = unit[unit >= 0]
        new = np.arange(len(errors), dtype=np.int64)
        key, source, target = (c[errors] for c in (repairs.key, repairs.source, repairs.target))
        keys, responses = len(whole.size) + 1, len(whole.other) + 1
        at, row = self._keys.of(variant, unit)
        at, row = np.append(at, new[key >= 0]), np.append(self.key[row], key[key >= 0])
        key_entities = distinct(at * keys + row).values
        at, row = self._responses.of(variant, unit)
        columns = [(at, row, whole.other[row])]
        columns += [(new, source, repairs.source_size[errors])]
        columns += [(new, target, repairs.target_size[errors])]
        response_entities, size = _sum_rows(columns, responses)
        at, row = self._cells.of(variant, unit)
        base = at * keys + self.key[self.table.row[row]]
        cells = [(base, self.table.column[row], self.table.n[row])]
        cells += [(new * keys + key, source, repairs.source_cell[errors])]
        cells += [(new * keys + key, target, repairs.target_cell[errors])]
        cell, count = _sum_rows(cells, responses)
        of_key, of_response = cell // responses, cell // responses // keys * responses
        return Directed(
            len(errors),
            key_entities // keys,
            whole.size[key_entities % keys],
            response_entities // responses,
            size,
            np.searchsorted(key_entities, of_key),
            np.searchsorted(response_entities, of_response + cell % responses),
            count,
        )

    @cached_property
    def _cells(self) -> "_RowsOfUnits":
        return _RowsOfUnits.by(self.table.document[self.table.row], self.table.documents)

    @cached_property
    def _keys(self) -> "_RowsOfUnits":
        return _RowsOfUnits.by(self.table.document, self.table.documents)

    @cached_property
    def _responses(self) -> "_RowsOfUnits":
        return _RowsOfUnits.by(self.table.other_document, self.table.documents)


def _by_document(whole: Directed, repairs: SingleRepairs) -> _Units:
    """Units that are the documents."""
    by_key, by_response = whole.document, np.append(whole.other_document, -1)
    document = np.where(
        repairs.key >= 0, np.append(by_key, -1)[repairs.key], by_response[repairs.source]
    )
    return _Units(whole, whole, np.arange(len(by_key)), document[None])


def _by_response(whole: Directed, repairs: SingleRepairs) -> _Units:
    """Units that are the response entities, each with a copy of every key entity that it meets."""
    responses = len(whole.other)
    units = Directed(
        responses,
        document=whole.column,
        size=whole.row_size,
        other_document=np.arange(responses),
        other=whole.other,
        row=np.arange(len(whole.n)),
        column=whole.column,
        n=whole.n,
    )
    target = np.where(repairs.target < responses, repairs.target, -1)
    return _Units(units, whole, whole.row, np.stack((repairs.source, target)))


class _RowsOfUnits(NamedTuple):
    """Rows sorted by unit: the rows of a unit are the `length` ones from its `first` on."""

    order: IntArray
    first: IntArray
    length: IntArray

    @classmethod
    def by(cls, unit: IntArray, units: int) -> "_RowsOfUnits":
        length = np.bincount(unit, minlength=units)
        return cls(np.argsort(unit, kind="stable"), np.cumsum(length) - length, length)

    def of(self, variant: IntArray, unit: IntArray) -> tuple[IntArray, IntArray]:
        """The variant of each row of these units, and the rows."""
        length = self.length[unit]
        return np.repeat(variant, length), self.order[stretches(self.first[unit], length)]


def _sum_rows(
    rows: Sequence[tuple[IntArray, IntArray, IntArray]], width: int
) -> tuple[IntArray, IntArray]:
    """The sum of the third number by the first two, as codes and sums; without sums of 0."""
    first, second, number = (np.concatenate(column) for column in zip(*rows, strict=True))
    counted = number != 0
    code = distinct(first[counted] * width + second[counted])
    total = sum_by(code.inverse, number[counted], len(code.values))
    return code.values[total != 0], total[total != 0]


def aligned_changes(table: Directed, repairs: SingleRepairs, *, entities: bool) -> FloatArray:
    """By how much the counts of ceafe (`entities`) or ceafm change by each repair; (4, errors)."""
    columns: dict[int, dict[int, int]] = {}
    for row, column, number in tuples(table.row, table.column, table.n):
        columns.setdefault(column, {})[row] = number
    key_size, size = table.size.tolist(), [*table.other.tolist(), 0]

    def weights(column: Mapping[int, int], response_size: int) -> dict[int, float]:
        if entities:
            return {k: 2 * n / (key_size[k] + response_size) for k, n in column.items() if n}
        return {k: float(n) for k, n in column.items() if n}

    pairing = ChangeablePairing({r: weights(column, size[r]) for r, column in columns.items()})
    gains = []
    for key, *source_and_target in tuples(*repairs.columns):
        old, new = [], []
        for entity, size_change, cell_change in (source_and_target[:3], source_and_target[3:]):
            column = columns.get(entity, {})
            if entity >= 0 and (cell_change or (entities and column)):
                old.append(entity)
                if cell_change:
                    column = {**column, key: column.get(key, 0) + cell_change}
                new.append(weights(column, size[entity] + size_change))
        gains.append(pairing.gain(old, new) if new else 0.0)
    total = np.array(gains)
    if entities:
        source_size = np.append(table.other, 0)[repairs.source]
        is_emptied = (repairs.source >= 0) & (source_size + repairs.source_size == 0)
        is_new = repairs.target == len(table.other)
        response_change = is_new.astype(np.float64) - is_emptied
    else:
        response_change = (repairs.source_size + repairs.target_size).astype(np.float64)
    return np.stack((total, np.zeros_like(total), total, response_change))

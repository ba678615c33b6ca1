"""Counting: the only loop over partition metrics.

What the cells of a table earn, and what its entities could, is summed by document, or by any other
label of entities: a stratum, a window, a topic. A sum of fractions is rounded once, so it depends
neither on the order of the documents nor on how they are grouped.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

import numpy as np

from corefkit.core.arrays import BoolArray, FloatArray, IntArray, distinct, sum_by, sum_of_ratios
from corefkit.core.counts import PerDocument
from corefkit.core.directed import Both, Directed, Numbers
from corefkit.core.pairing import best_alignment
from corefkit.metrics.base import Bottom, Counted, PartitionMetric, Share

if TYPE_CHECKING:
    from fractions import Fraction

Skipped: TypeAlias = tuple[tuple[bool, bool], tuple[bool, bool]]
"""Whether cells of singletons count nothing, in the table of the key and in that of the response:
singletons of its own side, and singletons of the other side."""

SKIPPED: Mapping[str, Mapping[str, Skipped]] = {
    "keep": {},
    "drop": {},
    "e2e": {
        "bcub": ((True, True), (True, True)),
        "lea": ((True, False), (True, False)),
        "ceafe": ((False, True), (True, False)),
    },
    "lea": {"lea": ((True, False), (True, False))},
}
"""The singletons that metrics skip, by the value of the policy `singletons`."""


class Labels(NamedTuple):
    """The label of each entity of the key and of the response, and the number of labels."""

    sides: tuple[IntArray, IntArray]
    number: int


class Terms(NamedTuple):
    """The terms of a sum: the side, numerators, denominators, and the entity of each."""

    side: int
    top: Numbers
    bottom: Bottom
    entity: IntArray


class Tables(Protocol):
    """What is counted: `Lookups`, perhaps with the virtual mentions of split antecedents."""

    def tables(self, metric: PartitionMetric, share: int) -> Both:
        """The two tables that a share of a metric sees."""


Align: TypeAlias = Callable[[Directed, PartitionMetric], IntArray]
"""A function that finds the cells of the best one-to-one alignment of entities."""


def similarities(table: Directed, metric: PartitionMetric) -> FloatArray:
    """float64 (cells,): what each cell earns."""
    top, bottom = metric.shares[0].earned(table)
    return np.asarray(top / bottom, dtype=np.float64)


def align_entities(table: Directed, metric: PartitionMetric) -> IntArray:
    """The cells of the one-to-one alignment that earns most."""
    return best_alignment(table.row, table.column, similarities(table, metric))


def count(
    lookups: Tables,
    metrics: Iterable[PartitionMetric],
    skipped: Mapping[str, Skipped] = {},
    label: Labels | None = None,
    align: Align = align_entities,
) -> dict[str, Counted]:
    """The columns of each metric by document or by `label`: RATIOS of each share."""
    counted: dict[str, Counted] = {}
    for metric in metrics:
        if metric.count is not None:
            counted[metric.name] = metric.count(lookups.tables(metric, 0))
            continue
        columns: list[PerDocument] = []
        for number in range(len(metric.shares)):
            both = counting_cells(lookups, metric, number, skipped, align)
            columns += _sums_of_share(metric, number, both, skipped.get(metric.name), label)
        counted[metric.name] = tuple(columns)
    return counted


def counting_cells(
    lookups: Tables,
    metric: PartitionMetric,
    share: int = 0,
    skipped: Mapping[str, Skipped] = {},
    align: Align = align_entities,
) -> Both:
    """The tables that a share sees, with only the cells that count.

    That is without those of singletons that are skipped, and for CEAF those of the alignment.
    """
    key, response = lookups.tables(metric, share)
    if rules := skipped.get(metric.name):
        key, response = key.without_singletons(*rules[0]), response.without_singletons(*rules[1])
    if metric.aligned:
        cells = align(key, metric)
        return key.take(cells), response.take(cells)
    return key, response


def _sums_of_share(
    metric: PartitionMetric,
    number: int,
    both: Both,
    skipped: Skipped | None,
    label: Labels | None,
) -> list[PerDocument]:
    """RATIOS of one share."""
    share = metric.shares[number]
    # Within a document each link has two ends; in a part of it there may be half links.
    halves = label is not None and share.bottom > 1
    if label is None:
        label = Labels((both[0].document, both[1].document), both[0].documents)
    return [
        sum_fractions(top, bottom, label.sides[side][entity], label.number, halves=halves)
        for side, top, bottom, entity in terms_of(share, both, skipped)
    ]


def terms_of(share: Share, both: Both, skipped: Skipped | None = None) -> Iterator[Terms]:
    """The terms of RATIOS: what cells earn and what entities could, of the key, of the response."""
    for side, table in enumerate(both):
        possible = share.possible(table)
        if skipped and skipped[side][0]:
            possible = np.where(table.size > 1, possible, 0)
        yield Terms(side, *share.earned(table), table.row)
        yield Terms(side, possible, share.bottom, np.arange(len(table.size)))


class SideMentions(NamedTuple):
    """The mentions of one side, int64 (mentions,) each.

    Attributes:
        entity: the entity of each.
        found: the entity of the other side in which it is found; −1 for none.
        order: the rows in the order in which they are read.
        label: the label of each.
    """

    entity: IntArray
    found: IntArray
    order: IntArray
    label: IntArray


class Mentions(NamedTuple):
    """The mentions of both sides, and the number of their labels."""

    key: SideMentions
    response: SideMentions
    labels: int


def count_mentions(
    lookups: Tables,
    metric: PartitionMetric,
    sides: Mentions,
    skipped: Mapping[str, Skipped] = {},
    align: Align = align_entities,
) -> Counted:
    """RATIOS of a metric by labels of mentions, each of which has an equal part of its cell."""
    (share,), columns = metric.shares, []
    rules = skipped.get(metric.name)
    both = counting_cells(lookups, metric, 0, skipped, align)
    for side, (table, mentions) in enumerate(zip(both, sides[:2], strict=True)):
        cell = table.cells_at(mentions.entity, mentions.found)
        top, bottom = share.earned(table)
        parts, possible = table.n, np.ones_like(mentions.entity)
        if rules and rules[side][0]:
            possible[table.size[mentions.entity] == 1] = 0
        if not share.first:
            possible[_first_of_each(mentions.entity, mentions.order)] = 0
            cell[_first_of_each(cell, mentions.order)] = -1
            parts = np.maximum(parts - 1, 1)
        rows = np.flatnonzero((cell >= 0) & (possible > 0))
        at = cell[rows]
        below = bottom if isinstance(bottom, int) else bottom[at]
        columns += [
            sum_fractions((top // parts)[at], below, mentions.label[rows], sides.labels),
            sum_by(mentions.label, possible, sides.labels),
        ]
    return tuple(columns)


def _first_of_each(group: IntArray, order: IntArray) -> IntArray:
    """For each group, its first row in this order of rows."""
    return order[distinct(group[order]).first]


def sum_fractions(
    top: Numbers, bottom: Bottom, label: IntArray, labels: int, *, halves: bool = False
) -> PerDocument:
    """(labels,): the sums of top/bottom by label, each rounded once.

    They are int64 if the denominator is a constant, unless there may be `halves`.
    """
    if top.dtype == object:
        return _sum_weighted(top, bottom, label, labels)
    if not isinstance(bottom, int):
        return sum_of_ratios(label, top, bottom, labels)
    totals = sum_by(label, top, labels)
    if halves:
        return totals / bottom
    return totals if bottom == 1 else totals // bottom


def _sum_weighted(top: Numbers, bottom: Bottom, label: IntArray, labels: int) -> FloatArray:
    """The same with Fractions. Few labels have one; the others are summed as integers."""
    fractions = np.array([not isinstance(number, int) for number in top.tolist()], dtype=bool)
    weighted: BoolArray = np.zeros(labels, dtype=bool)
    weighted[label[fractions]] = True
    here, bottoms = weighted[label], np.broadcast_to(bottom, top.shape)
    whole = np.where(here, 0, top).astype(np.int64)
    sums = sum_of_ratios(label, whole, bottoms, labels)
    totals = sum_exactly(top[here], bottoms[here], label[here], labels)
    for number in np.flatnonzero(weighted).tolist():
        sums[number] = float(totals[number])
    return sums


def sum_exactly(top: Numbers, bottom: Bottom, label: IntArray, labels: int) -> "list[Fraction]":
    """The sums of top/bottom by label as Fractions."""
    from fractions import Fraction

    sums: list[dict[int, int]] = [{} for _ in range(labels)]  # by denominator
    bottoms = np.broadcast_to(bottom, top.shape).tolist()
    for number, below, at in zip(top.tolist(), bottoms, label.tolist(), strict=True):
        denominator = below * number.denominator
        sums[at][denominator] = sums[at].get(denominator, 0) + number.numerator
    return [
        sum((Fraction(number, below) for below, number in each.items()), Fraction())
        for each in sums
    ]

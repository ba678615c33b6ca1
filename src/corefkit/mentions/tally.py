"""Outcomes → numbers: by document, by class, and by any other feature."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.cells import Cells, make_cells
from corefkit.data.counts import Counts
from corefkit.mentions.base import OutcomeMetric
from corefkit.mentions.features import FEATURES, Feature, labels
from corefkit.mentions.outcomes import NAMES, Outcomes
from corefkit.mentions.pair import Pair
from corefkit.metrics.base import Counted, Metric


class Tally(NamedTuple):
    """What a metric counted, int64 (events,): where, in which column, how much.

    `label` is that of the metric's own feature, `group` that of the break-down; −1: none.
    """

    document: IntArray
    column: IntArray
    number: IntArray
    label: IntArray
    group: IntArray


def count_outcomes(pair: Pair, metric: OutcomeMetric, variant: str) -> tuple[Counted, Cells]:
    """The columns of an application score, one row a document, and its numbers by class."""
    names, tally, _ = _tally(pair, metric, variant, None)
    width = len(metric.columns)
    return _dense(tally, len(pair.key_corpus.names), width), _cells(names, tally, width)


def breakdown(
    pair: Pair, chosen: Sequence[tuple[Metric, str]], feature: Feature, documents: Sequence[str]
) -> dict[str, Counts]:
    """Counts of metrics (with their variants) for each label of a feature, labels in order."""
    order: dict[str, int] = {}
    counted = []
    for metric, variant in chosen:
        if isinstance(metric, OutcomeMetric):
            names, tally, groups = _tally(pair, metric, variant, feature)
        else:
            names, (groups, tally) = (), _mentions(pair, feature)
        number = np.array([order.setdefault(name, len(order)) for name in groups], dtype=np.int64)
        tally = tally._replace(group=np.append(number, -1)[tally.group])
        sort = np.argsort(tally.group, kind="stable")
        tally = Tally(*(column[sort] for column in tally))
        bounds = np.searchsorted(tally.group, np.arange(len(groups) + len(order) + 1))
        counted.append((metric, names, tally, bounds))
    found = {}
    for place, group in enumerate(order):
        parts = [
            (metric, names, Tally(*(column[bounds[place] : bounds[place + 1]] for column in tally)))
            for metric, names, tally, bounds in counted
        ]
        if any(len(tally.number) for _, _, tally in parts):
            found[group] = _counts(parts, documents)
    return found


def _counts(
    parts: Sequence[tuple[Metric, tuple[str, ...], Tally]], documents: Sequence[str]
) -> Counts:
    """The counts of one group: a row for each document in which it occurs."""
    rows = np.unique(np.concatenate([tally.document for _, _, tally in parts]))
    tables, cells = {}, {}
    for metric, names, tally in parts:
        here = tally._replace(document=np.searchsorted(rows, tally.document))
        tables[metric.name] = _dense(here, len(rows), len(metric.columns))
        if isinstance(metric, OutcomeMetric):
            cells[metric.name] = _cells(names, here, len(metric.columns))
    return Counts(tuple(documents[i] for i in rows.tolist()), tables, cells)


def _dense(tally: Tally, documents: int, columns: int) -> tuple[IntArray, ...]:
    sums = np.zeros((columns, documents), dtype=np.int64)
    np.add.at(sums, (tally.column, tally.document), tally.number)
    return tuple(sums)


def _cells(names: tuple[str, ...], tally: Tally, columns: int) -> Cells:
    own = tally.label >= 0
    arrays = (tally.document[own], tally.label[own], tally.column[own], tally.number[own])
    return make_cells(names, columns, [arrays])


def _tally(
    pair: Pair, metric: OutcomeMetric, variant: str, feature: Feature | None
) -> tuple[tuple[str, ...], Tally, tuple[str, ...]]:
    """The names of the labels, what was counted, and the names of the groups."""
    parts = metric.outcomes(pair, variant)
    names, label = event_labels(pair, FEATURES[metric.feature], parts)
    groups, group = event_labels(pair, feature, parts) if feature else ((), label)
    counted = [
        (chains.document[events.mention], events.outcome + place * len(NAMES), events.number)
        for place, part in enumerate(parts)
        for chains, events in ((pair.key, part.key), (pair.response, part.response))
    ]
    document, column, number = map(np.concatenate, zip(*counted, strict=True))
    return names, Tally(document, column, number, label, group), groups


def event_labels(
    pair: Pair, feature: Feature, parts: Sequence[Outcomes]
) -> tuple[tuple[str, ...], IntArray]:
    """The labels of a feature, and that of each event; −1 for those that count in total only."""
    names, (key, response) = labels(feature, pair.key, pair.response)
    place = {name: number for number, name in enumerate(names)}
    found = []
    for part in parts:
        of_response = response
        if instead := part.response.instead.get(feature.name):
            others, (other,) = labels(instead, pair.response)
            number = np.array([place.setdefault(name, len(place)) for name in others])
            of_response = number[other]
        for events, label in ((part.key, key), (part.response, of_response)):
            found.append(np.where(events.classed, label[events.mention], -1))
    return tuple(place), np.concatenate(found)


def _mentions(pair: Pair, feature: Feature) -> tuple[tuple[str, ...], Tally]:
    """Mention detection: recall by the labels of key mentions, precision by the response's."""
    key, response = pair.all_key, pair.response
    names, sides = labels(feature, key, response)
    rows = []
    column = 0
    for chains, partner, label in zip((key, response), pair.all_partners, sides, strict=True):
        for some in (partner >= 0, partner > -2):  # those that the other side has; all
            at = np.flatnonzero(some)
            rows.append((chains.document[at], np.full(len(at), column), label[at]))
            column += 1
    document, columns, group = (np.concatenate(c) for c in zip(*rows, strict=True))
    return names, Tally(document, columns, np.ones_like(group), np.full(len(group), -1), group)

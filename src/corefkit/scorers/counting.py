"""Counting: by the definitions of the metrics, with split antecedents, and with half credit."""

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np

from corefkit import metrics
from corefkit.core.counts import SPLIT, PerDocument
from corefkit.core.overlap import Overlap
from corefkit.metrics.base import MatchedMetric, OverlapMetric
from corefkit.scorers.comparison import Comparison

Tables: TypeAlias = dict[str, tuple[PerDocument, ...]]
"""The columns of each metric, by name."""


def count_by_definition(comparison: Comparison, names: Iterable[str]) -> Tables:
    """Count metrics by their definitions."""
    tables: Tables = {}
    for name in names:
        if isinstance(metric := metrics.get(name), MatchedMetric):
            tables[name] = metric.count(comparison)
        else:
            tables |= count_overlap(comparison.overlap, [name])
    return tables


def count_overlap(overlap: Overlap, names: Iterable[str]) -> Tables:
    """Count partition metrics by their definitions."""
    tables: Tables = {}
    for name in names:
        metric = metrics.get(name)
        assert isinstance(metric, OverlapMetric)
        tables[name] = metric.count(overlap)
    return tables


def count_split(comparison: Comparison, names: Iterable[str], split: str) -> Tables:
    """Count the metrics that support split antecedents, if there are any split antecedents.

    `split` is the policy: with "keep" there are also counts of the plurals alone, under the name
    of the metric + SPLIT; with "only" these replace the others.
    """
    if comparison.key._plurals is None and comparison.response._plurals is None:
        return nothing_split(len(comparison.key.names), names) if split == "only" else {}
    from corefkit.metrics.elements import ELEMENTS
    from corefkit.metrics.split_antecedents import PluralCounter

    antecedents = PluralCounter(comparison)
    tables: Tables = {}
    for name in names:
        if name in ELEMENTS:
            whole, alone = antecedents.count(name)
            tables[name] = alone if split == "only" else whole
            if split == "keep":
                tables[name + SPLIT] = alone
    return tables


def plurals_alone(tables: Tables) -> Tables:
    """The tables of a scorer under the policy `split` "only".

    Metrics that support split antecedents get the counts of the plurals alone; they are left out
    if the scorer did not count these.
    """
    from corefkit.metrics.elements import ELEMENTS

    others = {n: counted for n, counted in tables.items() if n.removesuffix(SPLIT) not in ELEMENTS}
    alone = {name: tables[name + SPLIT] for name in ELEMENTS if name + SPLIT in tables}
    return others | alone


def count_half(comparison: Comparison, names: Iterable[str]) -> Tables:
    """The counts of `mentions`, if it is among the names, under `--match semeval`.

    A pair of unequal spans earns half a point; the other metrics do not distinguish it.
    """
    if "mentions" not in names:
        return {}
    key, response, (ours, theirs) = comparison.key, comparison.response, comparison.pairs
    equal = (key.start[ours] == response.start[theirs]) & (key.end[ours] == response.end[theirs])
    documents = len(key.names)
    credit = np.bincount(key.document[ours], np.where(equal, 1.0, 0.5), minlength=documents)
    sizes = [np.bincount(side.document, minlength=documents) for side in (key, response)]
    return {"mentions": (credit, sizes[0], credit, sizes[1])}


def nothing_split(documents: int, names: Iterable[str]) -> Tables:
    """Counts of zero for the metrics that support split antecedents, if there are none."""
    from corefkit.metrics.elements import ELEMENTS

    nothing = np.zeros(documents)
    return {n: (nothing,) * len(metrics.get(n).columns) for n in names if n in ELEMENTS}

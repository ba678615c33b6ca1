"""From a comparison to the counts of its metrics: what `metrics.counting` sums of a scorer's
lookups, the metrics of single mentions, and the split antecedents alone.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from corefkit import metrics
from corefkit.core.counts import SPLIT, Counts
from corefkit.core.directed import Directed, same_for_all
from corefkit.core.options import Options
from corefkit.metrics.base import Counted, MatchedMetric, PartitionMetric
from corefkit.metrics.counting import SKIPPED, count
from corefkit.scorers.comparison import Comparison
from corefkit.scorers.scorer import Scorer

if TYPE_CHECKING:
    from corefkit.metrics.split_antecedents import SplitAntecedents


def count_comparison(scorer: Scorer, comparison: Comparison) -> Counts:
    """The counts of the metrics of the scorer's options that need no tokens.

    With the policy `split` "keep" there are also counts of split antecedents alone, under the
    name of the metric + SPLIT; with "only" these replace the others.
    """
    options, own = scorer.options, dict(scorer.own)
    if options.match == "semeval":
        own["mentions"] = count_half
    names, tables, partition = list[str](), dict[str, Counted](), list[PartitionMetric]()
    for name in counted_metrics(options):
        metric = metrics.get(name)
        if name in own:
            tables[name] = own[name](comparison)
        elif isinstance(metric, MatchedMetric):
            tables[name] = metric.count(comparison)
        elif isinstance(metric, PartitionMetric):
            partition.append(metric)
        else:
            continue
        names.append(name)
    lookups = scorer.lookups(comparison)
    plurals = scorer.split_antecedents(comparison, lookups)
    counted = count(plurals or lookups, partition, SKIPPED[options.singletons])
    tables |= scorer.as_added(counted, comparison, lookups)
    tables |= _alone(plurals, partition, options, len(comparison.key.names))
    return Counts(comparison.key.names, {name: tables[name] for name in (*names, *tables)})


def count_table(options: Options, table: Directed, documents: Iterable[str] = ()) -> Counts:
    """The counts of partition metrics by the standard rules, from one table of the key, e.g. for
    repairs. Such a table has no split antecedents.
    """
    listed = map(metrics.get, counted_metrics(options))
    chosen = [metric for metric in listed if isinstance(metric, PartitionMetric)]
    tables = count(same_for_all(table), chosen, SKIPPED[options.singletons])
    return Counts(tuple(documents), tables | _alone(None, chosen, options, table.documents))


def counted_metrics(options: Options) -> list[str]:
    """The metrics to count; always with `mentions`, which gives the size of any group."""
    return list(dict.fromkeys((*metrics.counted(options.metrics), "mentions")))


def _alone(
    plurals: "SplitAntecedents | None",
    counted: Iterable[PartitionMetric],
    options: Options,
    documents: int,
) -> dict[str, Counted]:
    """The counts of split antecedents alone, as the policy `split` wants them."""
    if options.split == "only":
        nothing = np.zeros(documents)
        return {
            metric.name: plurals.alone(metric) if plurals else (nothing,) * len(metric.columns)
            for metric in counted
            if metric.plurals
        }
    if plurals is None:
        return {}
    return {m.name + SPLIT: plurals.alone(m) for m in counted if plurals.sees(m)}


def count_half(comparison: Comparison) -> Counted:
    """The counts of `mentions` under `--match semeval`: a pair of unequal spans earns half a point.

    The other metrics do not distinguish it.
    """
    key, response, (key_row, response_row) = comparison.key, comparison.response, comparison.pairs
    equal = (key.start[key_row] == response.start[response_row]) & (
        key.end[key_row] == response.end[response_row]
    )
    documents = len(key.names)
    credit = np.bincount(key.document[key_row], np.where(equal, 1.0, 0.5), minlength=documents)
    sizes = [np.bincount(side.document, minlength=documents) for side in (key, response)]
    return credit, sizes[0], credit, sizes[1]

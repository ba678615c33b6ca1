"""Matched mentions → Counts, in the way of the policies."""

from collections.abc import Callable, Iterable
from importlib import import_module

from corefkit import metrics
from corefkit.data.counts import Column, Counts
from corefkit.data.matched import Matched
from corefkit.data.options import Options
from corefkit.data.overlap import Overlap
from corefkit.metrics.base import MentionMetric, OverlapMetric

Counting = Callable[[Matched, list[str]], dict[str, tuple[Column, ...]]]
"""Counts the metrics of these names that it knows; it leaves out the others."""

OWN = {
    ("duplicates", "reference"): "conll801",
    ("duplicates", "coval"): "coval",
    ("singletons", "e2e"): "e2e",
}
"""Policies that bring a counting of their own, and the module of this package whose `count` it is.
Later ones have the last word on a metric that several count."""


def count(matched: Matched, options: Options) -> Counts:
    """Count the metrics over partitions of the options, in the way of their policies."""
    names = [n for n in metrics.counted(options.metrics) if not _over_mentions(n)]
    tables: dict[str, tuple[Column, ...]] = {}
    for function in _own_counting(options):
        tables |= function(matched, names)
    rest = [name for name in names if name not in tables]
    tables |= count_overlap(matched.overlap, rest) if rest else {}
    return Counts(matched.key.names, {name: tables[name] for name in names})


def count_overlap(overlap: Overlap, names: Iterable[str]) -> dict[str, tuple[Column, ...]]:
    """Count metrics by their own definition."""
    found = {}
    for name in names:
        metric = metrics.get(name)
        assert isinstance(metric, OverlapMetric)
        found[name] = metric.count(overlap)
    return found


def count_in_overlap(overlap: Overlap, options: Options, documents: Iterable[str]) -> Counts:
    """Like `count` where there is an Overlap only, e.g. of an Evaluator or an engine."""
    names = metrics.counted(options.metrics)
    tables = count_overlap(overlap, names)
    if options.singletons == "e2e":
        from corefkit.profiles import e2e

        tables |= e2e.count_overlap(overlap, names)
    return Counts(tuple(documents), tables)


def _own_counting(options: Options) -> list[Counting]:
    chosen = [name for (p, value), name in OWN.items() if getattr(options, p) == value]
    return [import_module(f"corefkit.profiles.{name}").count for name in chosen]


def _over_mentions(name: str) -> bool:
    return isinstance(metrics.get(name), MentionMetric)

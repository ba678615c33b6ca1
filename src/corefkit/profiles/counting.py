"""Matched mentions → Counts, in the way of the policies."""

from collections.abc import Iterable
from importlib import import_module

import numpy as np

from corefkit import metrics
from corefkit.data.corpus import Corpus
from corefkit.data.counts import SPLIT, Counts, PerDocument
from corefkit.data.matched import Matched
from corefkit.data.matching import match
from corefkit.data.options import Options, UsageError
from corefkit.data.overlap import Overlap
from corefkit.metrics.base import MatchedMetric, MentionMetric, OverlapMetric
from corefkit.profiles.steps import Counting, steps_of

COUNTING = {("singletons", "e2e"): "e2e", ("match", "semeval"): "semeval"}
"""Other policies than `duplicates` that bring a counting of their own, and the module of this
package whose `count` it is. They have the last word on a metric that several count."""

OF_SCORERS = {"min": ("arrau", "ua-1")}
"""Rules of matching that only go with these values of `duplicates`: they are of those scorers."""


def check_matching(options: Options) -> None:
    """UsageError for a rule of matching that the scorer whose copies are kept does not know."""
    known = steps_of(options).rules
    if known is not None and options.match not in known:
        raise UsageError(
            f"match: with --duplicates {options.duplicates} there is no {options.match}; "
            f"choose from {', '.join(known)}"
        )
    if options.duplicates not in OF_SCORERS.get(options.match, (options.duplicates,)):
        raise UsageError(
            f"match: {options.match} is for the profile {' or '.join(OF_SCORERS[options.match])}"
        )


def match_sides(key: Corpus, response: Corpus, options: Options) -> Matched:
    """Both sides with their mentions paired as the policies want it."""
    own = steps_of(options).match
    if own is not None:
        pairs = own(key, response, options)
    else:
        pairs = match(key, response, options.match, options.policies)
    return Matched(key, response, pairs, options.match, options.ties)


def count(matched: Matched, options: Options) -> Counts:
    """Count the metrics of the options that need no tokens, in the way of their policies."""
    names = [n for n in _counted(options) if not isinstance(metrics.get(n), MentionMetric)]
    tables: dict[str, tuple[PerDocument, ...]] = {}
    for function in own_counting(options):
        tables |= function(matched, names)
    rest = [name for name in names if name not in tables]
    for name in rest:
        if isinstance(metric := metrics.get(name), MatchedMetric):
            tables[name] = metric.count(matched)
    rest = [name for name in rest if name not in tables]
    tables |= count_split(matched, rest, options)
    rest = [name for name in rest if name not in tables]
    tables |= count_overlap(matched.overlap, rest) if rest else {}
    return Counts(matched.key.names, {name: tables[name] for name in (*names, *tables)})


def count_split(
    matched: Matched, names: list[str], options: Options
) -> dict[str, tuple[PerDocument, ...]]:
    """Count the metrics that know split antecedents, where there are any.

    Those of the plurals alone stand beside them under a name of their own, or in their place.
    """
    if matched.key.plurals is None and matched.response.plurals is None:
        return _nothing_split(matched, names) if options.split == "only" else {}
    from corefkit.metrics.elements import ELEMENTS
    from corefkit.metrics.split import SplitAntecedents

    counting = SplitAntecedents(matched)
    tables = {}
    for name in names:
        if name in ELEMENTS:
            whole, alone = counting.count(name)
            tables[name] = alone if options.split == "only" else whole
            if options.split == "keep":
                tables[name + SPLIT] = alone
    return tables


def _nothing_split(matched: Matched, names: list[str]) -> dict[str, tuple[PerDocument, ...]]:
    """The counts of split antecedents where there are none."""
    from corefkit.metrics.elements import ELEMENTS

    nothing = np.zeros(len(matched.key.names))
    return {n: (nothing,) * len(metrics.get(n).columns) for n in names if n in ELEMENTS}


def count_overlap(overlap: Overlap, names: Iterable[str]) -> dict[str, tuple[PerDocument, ...]]:
    """Count metrics by their own definition."""
    found = {}
    for name in names:
        metric = metrics.get(name)
        assert isinstance(metric, OverlapMetric)
        found[name] = metric.count(overlap)
    return found


def count_in_overlap(overlap: Overlap, options: Options, documents: Iterable[str]) -> Counts:
    """Like `count` where there is an Overlap only, e.g. of an Evaluator or an engine."""
    names = _counted(options)
    tables = count_overlap(overlap, names)
    if options.singletons == "e2e":
        from corefkit.profiles import e2e

        tables |= e2e.count_overlap(overlap, names)
    return Counts(tuple(documents), tables)


def own_counting(options: Options) -> list[Counting]:
    """What counts in another way than the metrics themselves, later ones last."""
    own = steps_of(options).counting
    chosen = [name for (p, value), name in COUNTING.items() if getattr(options, p) == value]
    others = [import_module(f"corefkit.profiles.{name}").count for name in chosen]
    return [*([own] if own else []), *others]


def _counted(options: Options) -> list[str]:
    """What is counted for the options: mentions always, so that any group can say its size."""
    return list(dict.fromkeys((*metrics.counted(options.metrics), "mentions")))

"""Matched mentions → Counts, in the way of the policies."""

from collections.abc import Iterable
from functools import partial
from importlib import import_module

import numpy as np

from corefkit import metrics
from corefkit.core.corpus import Corpus
from corefkit.core.counts import SPLIT, Counts
from corefkit.core.options import Options, UsageError
from corefkit.core.overlap import Overlap
from corefkit.matching import Matched
from corefkit.metrics.base import MatchedMetric, MentionMetric, OverlapMetric
from corefkit.scorers.steps import Counting, Tables, steps_of

COUNTING = {("singletons", "e2e"): "e2e", ("match", "semeval"): "semeval"}
"""Other policies than `duplicates` that bring a counting of their own, and the module of this
package whose `count` it is. They come first: what they count, nobody else does."""

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
    pairs = steps_of(options).match(key, response, options)
    return Matched(key, response, pairs, options.match, options.ties)


def count(matched: Matched, options: Options) -> Counts:
    """Count the metrics of the options that need no tokens, in the way of their policies."""
    names = [n for n in _counted(options) if not isinstance(metrics.get(n), MentionMetric)]
    tables: Tables = {}
    for counting in _countings(options):
        rest = [name for name in names if name not in tables]
        tables = {**counting(matched, rest), **tables}
    return Counts(matched.key.names, {name: tables[name] for name in (*names, *tables)})


def _by_definition(matched: Matched, names: list[str]) -> Tables:
    tables: Tables = {}
    for name in names:
        if isinstance(metric := metrics.get(name), MatchedMetric):
            tables[name] = metric.count(matched)
        else:
            tables |= count_overlap(matched.overlap, [name])
    return tables


def count_split(options: Options, matched: Matched, names: list[str]) -> Tables:
    """Count the metrics that know split antecedents, where there are any.

    Those of the plurals alone stand beside them under a name of their own, or in their place.
    """
    if matched.key._plurals is None and matched.response._plurals is None:
        return _nothing_split(matched, names) if options.split == "only" else {}
    from corefkit.metrics.elements import ELEMENTS
    from corefkit.metrics.split import SplitAntecedents

    counting = SplitAntecedents(matched)
    tables: Tables = {}
    for name in names:
        if name in ELEMENTS:
            whole, alone = counting.count(name)
            tables[name] = alone if options.split == "only" else whole
            if options.split == "keep":
                tables[name + SPLIT] = alone
    return tables


def _nothing_split(matched: Matched, names: list[str]) -> Tables:
    """The counts of split antecedents where there are none."""
    from corefkit.metrics.elements import ELEMENTS

    nothing = np.zeros(len(matched.key.names))
    return {n: (nothing,) * len(metrics.get(n).columns) for n in names if n in ELEMENTS}


def count_overlap(overlap: Overlap, names: Iterable[str]) -> Tables:
    """Count metrics by their own definition."""
    found: Tables = {}
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
        from corefkit.scorers import e2e

        tables |= e2e.count_overlap(overlap, names)
    return Counts(tuple(documents), tables)


def _countings(options: Options) -> list[Counting]:
    """Who counts, one after the other: each what those before it have left."""
    chosen = [name for (p, value), name in COUNTING.items() if getattr(options, p) == value]
    others = [import_module(f"corefkit.scorers.{name}").count for name in chosen]
    own = steps_of(options).counting
    return [*others, *([own] if own else []), partial(count_split, options), _by_definition]


def _counted(options: Options) -> list[str]:
    """What is counted for the options: mentions always, so that any group can say its size."""
    return list(dict.fromkeys((*metrics.counted(options.metrics), "mentions")))

"""The metrics, one per file. This module knows their names and loads them on demand."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

from corefkit._lazy import attach
from corefkit.core.entry_points import find, installed, ours
from corefkit.core.options import DEFAULT as DEFAULT
from corefkit.core.options import UsageError

if TYPE_CHECKING:
    from corefkit.core.arrays import FloatArray
    from corefkit.core.options import Options
    from corefkit.metrics.base import Average, MatchedMetric, MentionMetric, Metric, PartitionMetric

_MODULES = {
    "mentions": "partition",
    "muc": "partition",
    "bcub": "partition",
    "ceafm": "partition",
    "ceafe": "partition",
    "blanc": "blanc",
    "lea": "partition",
    "conll": "conll",
    "links": "partition",
    "bcub_0": "variants",
    "bcub_all": "variants",
    "bcub_rn": "variants",
    "ceafm_rn": "variants",
    "ceafe_rn": "variants",
    "bcub_sys": "variants",
    "ceafm_sys": "variants",
    "ceafe_sys": "variants",
    "mor": "mor",
    "zero": "zero",
    "nonreferring": "nonreferring",
    "bridging": "bridging",
    "rucoco": "rucoco",
    "kbp": "kbp",
    "empty-nodes": "empty_nodes",
    "gap": "gap",
    "gap_containing": "gap",
    "immediate": "immediate",
    "inferred": "inferred",
    "anchor": "anchor",
}
"""The module of each metric, which defines it as a constant with its name in capitals."""

NAMES = (*_MODULES, *ours("metrics"))
"""The metrics of this package; those of plug-ins come last."""
OLD_VARIANTS = tuple(name for name, module in _MODULES.items() if module == "variants")
"""Old variants of bcub and ceaf; they are scored only on request."""

OUTCOMES = ("tp", "wl", "fn", "fp")
"""The outcomes of application scores: right; wrong link; not found; found by mistake."""

VARIANTS = {
    "immediate": ("paper", "code"),
    "inferred": ("paper", "clean", "v1.0", "v1.1", "v1.2"),
    "anchor": ("paper", "code"),
}
"""The variants of the application scores, the default first."""

BREAKDOWNS = {
    "class": "NOUN, or the tag of the word",
    "ne": "the named entity class of the entity",
    "word": "the word, in lower case",
    "length": "the number of words",
    "distance": "how many sentences back the preceding mention of its entity is",
    "entity-size": "the number of mentions of the entity",
    "nested": "inner (inside another mention), outer (around another one) or flat",
    "speaker": "who says it",
}
"""Features of mentions that `--by` accepts; `features.features` defines them."""

__all__ = [
    "NAMES",
    "Average",
    "MatchedMetric",
    "MentionMetric",
    "Metric",
    "PartitionMetric",
    "get",
]

__getattr__, __dir__ = attach(
    __name__,
    {"metrics.base": ["Average", "MatchedMetric", "MentionMetric", "Metric", "PartitionMetric"]},
)

ALIASES = {
    "b3": "bcub",
    "bcubed": "bcub",
    "md": "mentions",
    "mentiondetection": "mentions",
    "ceafe": "ceafe",
    "ceafm": "ceafm",
    "conllf1": "conll",
    "conllaverage": "conll",
    "avg": "conll",
    "average": "conll",
}
"""Names that are in use, in lower case and without hyphens, underscores and blanks."""


def canonical(name: str) -> str:
    """The canonical name of a metric, from any case or an alias; unknown names are returned as is.

    >>> canonical("B³"), canonical("B-cubed"), canonical("CEAF_e"), canonical("nothing")
    ('bcub', 'bcub', 'ceafe', 'nothing')
    """
    lower = name.lower()
    plain = lower.replace("³", "3").translate(dict.fromkeys(map(ord, "-_ ")))
    return lower if lower in NAMES else ALIASES.get(plain, name)


_GIVEN: "dict[str, Metric]" = {}
"""Metrics that were given as values, by name."""


@cache
def _built_in(name: str) -> "Metric":
    constant = name.upper().replace("-", "_")
    metric: Metric = getattr(import_module(f"corefkit.metrics.{_MODULES[name]}"), constant)
    return metric


def get(name: str) -> "Metric":
    """The metric of this name; raises KeyError if there is none.

    >>> get("muc").name
    'muc'
    """
    if name in _MODULES:
        return _built_in(name)
    metric = _GIVEN.get(name) or _added(name)
    if metric is None:
        raise KeyError(name)
    return metric


_Figure = TypeVar("_Figure", float, "FloatArray")


def averaged(name: str, figure: "Callable[[str], _Figure]") -> "_Figure":
    """The figure of a metric; that of an average is the mean of the figures of its parts.

    >>> averaged("conll", {"muc": 0.5, "bcub": 0.25, "ceafe": 0.75}.__getitem__)
    0.5
    """
    from corefkit.metrics.base import Average

    metric = get(name)
    if not isinstance(metric, Average):
        return figure(name)
    total, *others = (averaged(part, figure) for part in metric.parts)
    for other in others:
        total = total + other
    return total / len(metric.parts)


def all_names() -> list[str]:
    """The names of all metrics; those of other packages, which are asked, come last."""
    return [*dict.fromkeys((*NAMES, *ours("metrics"), *installed("metrics")))]


def exists(name: str) -> bool:
    """Whether there is a metric of this name; plug-ins are asked only if it is not of the core."""
    known = name in _MODULES or name in _GIVEN
    return known or (_added(name) is not None and _checked(name) == name)


def title_of(figure: str) -> str:
    """The title of a metric, or of a part of one; what is no metric is its own.

    >>> title_of("bcub"), title_of("anchor.detection"), title_of("chains")
    ('B³', 'Anchor detection', 'chains')
    """
    name, _, part = figure.partition(".")
    title = get(name).title if exists(name) else name
    return f"{title} {part}" if part else title


def give(metric: "Metric") -> str:
    """Register a metric that was given as a value; return its name.

    Raises UsageError if another metric has this name, or if it is not a valid name. Other
    processes do not know the metric: they need an entry point.
    """
    if exists(metric.name):
        if get(metric.name) != metric:
            raise UsageError(f"metric: there is another one called {metric.name!r}")
    else:
        _GIVEN[_checked(metric.name)] = metric
    return metric.name


def countable(
    name: str, options: "Options | None" = None
) -> "PartitionMetric | MentionMetric | MatchedMetric":
    """The metric of this name under the policies of the options; raises TypeError for averages.

    A policy changes how sums become a score; the counts stay the same.
    """
    if name == "blanc" and options is not None and options.blanc == "either":
        from corefkit.metrics.blanc import BLANC_EITHER

        return BLANC_EITHER
    metric = get(name)
    if metric.parts:
        raise TypeError(f"{name} is an average and counts nothing itself")
    return metric  # type: ignore[return-value]


def counted(names: Iterable[str]) -> list[str]:
    """The metrics that must be counted for these, each once: an average needs its parts."""
    return list(dict.fromkeys(part for name in names for part in get(name).parts or (name,)))


def averages(names: Iterable[str]) -> list[str]:
    """The averages among these metrics, such as conll."""
    return [name for name in names if get(name).parts]


@cache
def _added(name: str) -> "Metric | None":
    """The metric that a plug-in adds, under the name of its entry point; None if there is none."""
    metric: Metric | None = find("metrics", name)
    return metric and replace(metric, name=name)


def _checked(name: str) -> str:
    """The name of a new metric; raises UsageError if it is not valid or is an alias of another.

    Names are separated by commas in lists, and a dot separates a metric from its parts.
    """
    if name[:1] in ("", "-") or not f"_{name}".replace("-", "_").isidentifier():
        raise UsageError(f"metric: {name!r} is not a valid name; use letters, digits, - and _")
    if canonical(name) != name:
        raise UsageError(f"metric: {name!r} is another name of {canonical(name)}")
    return name

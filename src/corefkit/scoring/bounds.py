"""Bounds that scores must reach, as `score --at-least conll=70` sets them for a build."""

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from corefkit.core.options import UsageError, choose
from corefkit.metrics import canonical, get
from corefkit.scoring.scores import Scores

VALUES = ("recall", "precision", "f1")


class Bound(NamedTuple):
    """A value of a metric, and the least it must be, in percent."""

    metric: str
    value: str
    least: float

    def failure(self, scores: Scores) -> str:
        """What is below the bound, unrounded; empty where nothing is."""
        value = getattr(scores[self.metric], self.value)
        if value is not None and 100 * value >= self.least:
            return ""
        shown = "has no value" if value is None else f"{_told_apart(100 * value, self.least)}"
        name = self.metric if self.value == "f1" else f"{self.metric}.{self.value}"
        return f"{name} {shown} is below {self.least:g}"


def parse_bounds(texts: Iterable[str], metrics: Iterable[str]) -> list[Bound]:
    """Bounds as people write them: `conll=70`, `lea.recall=60`; UsageError for what is not one.

    >>> parse_bounds(["lea.recall=60"], ["lea", "conll"])
    [Bound(metric='lea', value='recall', least=60.0)]
    """
    scored = list(metrics)
    bounds = []
    for text in texts:
        name, equals, number = text.partition("=")
        if not equals:
            raise UsageError(f"at-least: {text!r} is not of the form METRIC=PERCENT")
        metric, _, value = name.strip().partition(".")
        metric, value = canonical(metric), value or "f1"
        choose("at-least: metric", metric, scored)
        choose(f"at-least: value of {metric}", value, VALUES)
        if value != "f1" and get(metric).parts:
            raise UsageError(f"at-least: {metric} is an average of F1 and has no {value}")
        bounds.append(Bound(metric, value, _percent(text, number)))
    return bounds


def _percent(text: str, number: str) -> float:
    try:
        percent = float(number)
    except ValueError:
        percent = math.nan
    if not 0 <= percent <= 100:
        raise UsageError(f"at-least: {text!r}: the bound is a percentage from 0 to 100")
    return percent


def failures(bounds: Iterable[Bound], systems: Mapping[str, Scores]) -> list[str]:
    """One line for each system and bound that fails."""
    return [
        f"{name}: {failure}"
        for name, scores in systems.items()
        for bound in bounds
        if (failure := bound.failure(scores))
    ]


def _told_apart(value: float, bound: float) -> str:
    """The value with two digits, or as many as tell it from the bound.

    >>> _told_apart(69.996, 70.0), _told_apart(61.2, 70.0)
    ('69.996', '61.20')
    """
    for digits in range(2, 18):
        if float(f"{value:.{digits}f}") != float(f"{bound:.{digits}f}"):
            return f"{value:.{digits}f}"
    return repr(value)

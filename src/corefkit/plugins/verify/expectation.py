"""A figure of a paper: whether scoring by a signature gives it, as far as it was printed."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from corefkit.core.incidents import DataError, Incident, errors
from corefkit.core.options import PLAIN_SIDES, Options, Readings, UsageError, choose
from corefkit.metrics import canonical, get
from corefkit.scorers import make_options
from corefkit.scorers.signature import names_metrics, parse_signature
from corefkit.scoring.run import score_systems

_VALUES = ("recall", "precision", "f1")


class Expectation(NamedTuple):
    """A printed figure and the one computed, both in the printed unit.

    Attributes:
        name: the metric and its value, as they were given.
        printed: the figure as it was given.
        computed: the figure that scoring gives; None if it has no value.
        beside: which other figures the signature asks for, which were not compared; or "".
    """

    name: str
    printed: Decimal
    computed: float | None
    beside: str = ""

    @property
    def same(self) -> bool:
        """Whether the figures are the same, rounded up or down to the printed digits."""
        if self.computed is None:
            return False
        half_a_digit = Decimal(5).scaleb(int(self.printed.as_tuple().exponent) - 1)
        return abs(Decimal(self.computed) - self.printed) <= half_a_digit + Decimal("1e-9")

    def __str__(self) -> str:
        if self.same:
            return f"same: {self.name} is {self.printed}{self.beside}"
        digits = max(0, -int(self.printed.as_tuple().exponent))
        found = "has no value" if self.computed is None else f"is {self.computed:.{digits}f}"
        return f"other: {self.name} {found}, not {self.printed}{self.beside}"


def expect(
    texts: Sequence[str],
    signature: str,
    key: str,
    response: str,
    readings: Readings = PLAIN_SIDES,
) -> tuple[list[Expectation], list[Incident]]:
    """Compare figures, such as "66.19" or "muc.recall=0.6619", with what a signature gives.

    Without a name a figure is the CoNLL average. Figures below 1 are fractions, others percentages.
    The incidents are those of the files. Raises DataError if they cannot be scored, UsageError for
    what is no figure.
    """
    figures = [_parse(text) for text in texts]
    options, _ = parse_signature(signature)
    if not names_metrics(signature):
        named = list(dict.fromkeys(figure.metric for figure in figures))
        options = replace(options, metrics=make_options(named, options.profile).metrics)
    for figure in figures:
        choose("expect: metric", figure.metric, options.metrics)
        if figure.value != "f1" and get(figure.metric).parts:
            raise UsageError(
                f"expect: {figure.metric} is an average of F1 and has no {figure.value}"
            )
    report = score_systems(key, [response], options, readings=readings, documents=options.documents)
    scores = report.systems[0].scores
    if scores is None:
        raise DataError(errors(report.incidents))
    beside = _beside(options)
    outcomes = []
    for figure in figures:
        share = getattr(scores[figure.metric], figure.value)
        computed = None if share is None else figure.unit * share
        outcomes.append(Expectation(figure.name, figure.printed, computed, beside))
    return outcomes, report.incidents


class _Figure(NamedTuple):
    """A figure as it was given; `unit` is what 1 is in it."""

    name: str
    metric: str
    value: str
    printed: Decimal
    unit: int


def _parse(text: str) -> _Figure:
    """The figure that a text names; UsageError if it is none."""
    name, _, number = text.rpartition("=")
    name = name.strip() or "conll"
    metric, _, value = name.partition(".")
    metric, value = canonical(metric), value or "f1"
    choose(f"expect: value of {metric}", value, _VALUES)
    try:
        printed = Decimal(number.strip())
    except InvalidOperation:
        printed = Decimal("NaN")
    if not printed.is_finite() or not 0 <= printed <= 100:
        raise UsageError(f"expect: {text!r} is not a score, as 66.19 or muc.recall=66.19")
    return _Figure(name, metric, value, printed, 1 if "." in number and printed < 1 else 100)


def _beside(options: Options) -> str:
    """What scores the options ask for beside those that are compared, as the end of a line."""
    if options.window:
        return " on whole documents; the windows of the signature are not compared"
    if len(options.across) > 1:
        return f" at the level {options.across[-1]}; other levels are not compared"
    return ""

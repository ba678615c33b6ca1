"""A figure of a paper: whether scoring by a signature gives it, as far as it was printed."""

from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from corefkit.core.incidents import DataError, Incident, errors
from corefkit.core.options import PLAIN_SIDES, Readings, UsageError, choose
from corefkit.metrics import canonical, get
from corefkit.scorers import make_options
from corefkit.scorers.signature import names_metrics, parse_signature
from corefkit.scoring.run import score_systems

_VALUES = ("recall", "precision", "f1")


class Expectation(NamedTuple):
    """A printed figure and the one computed, both in the printed unit; `incidents` of the files."""

    name: str
    printed: Decimal
    computed: float | None
    incidents: list[Incident]

    @property
    def same(self) -> bool:
        """Whether the figures are the same, rounded up or down to the printed digits."""
        if self.computed is None:
            return False
        half_a_digit = Decimal(5).scaleb(int(self.printed.as_tuple().exponent) - 1)
        return abs(Decimal(self.computed) - self.printed) <= half_a_digit + Decimal("1e-9")

    def __str__(self) -> str:
        if self.same:
            return f"same: {self.name} is {self.printed}"
        digits = max(0, -int(self.printed.as_tuple().exponent))
        found = "has no value" if self.computed is None else f"is {self.computed:.{digits}f}"
        return f"other: {self.name} {found}, not {self.printed}"


def expect(
    text: str, signature: str, key: str, response: str, readings: Readings = PLAIN_SIDES
) -> Expectation:
    """Compare `text`, such as "66.19" or "muc.recall=0.6619", with what a signature gives.

    Without a name it is the CoNLL average. Figures below 1 are fractions, others percentages.
    Raises DataError if the files cannot be scored, UsageError for what is no figure.
    """
    name, equals, number = text.rpartition("=")
    metric, _, value = (name if equals else "conll").strip().partition(".")
    metric, value = canonical(metric), value or "f1"
    choose(f"expect: value of {metric}", value, _VALUES)
    try:
        printed = Decimal(number.strip())
    except InvalidOperation:
        printed = Decimal("NaN")
    if not printed.is_finite() or not 0 <= printed <= 100:
        raise UsageError(f"expect: {text!r} is not a score, as 66.19 or muc.recall=66.19")
    options, _ = parse_signature(signature)
    if not names_metrics(signature):
        options = replace(options, metrics=make_options(metric, options.profile).metrics)
    choose("expect: metric", metric, options.metrics)
    if value != "f1" and get(metric).parts:
        raise UsageError(f"expect: {metric} is an average of F1 and has no {value}")
    report = score_systems(key, [response], options, readings=readings, documents=options.documents)
    scores = report.systems[0].scores
    if scores is None:
        raise DataError(errors(report.incidents))
    share = getattr(scores[metric], value)
    unit = 1 if "." in number and printed < 1 else 100
    computed = None if share is None else unit * share
    return Expectation(text.rpartition("=")[0] or "conll", printed, computed, report.incidents)
